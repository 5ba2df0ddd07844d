#' Canonical correlation analysis of several views
#'
#' Linear projections of any number of views of the same rows such that the projection of each
#' view is close to the mean of all projections (NmCCA).
#'
#' @details
#' For views \eqn{S_1, \dots, S_m}, matrices with the same rows, the projections \eqn{W_k} solve
#' \deqn{\min \sum_{k=1}^m \Bigl( \Big\| S_k W_k - \frac1m \sum_{l=1}^m S_l W_l \Big\|_F^2 +
#'   \kappa \|W_k\|_F^2 \Bigr) \quad \mathrm{s.t.} \quad
#'   \sum_{k=1}^m W_k' (S_k'S_k + \kappa I) W_k = I}{
#'   min sum_k (||S_k W_k - (1/m) sum_l S_l W_l||^2 + kappa ||W_k||^2)
#'   subject to sum_k W_k' (S_k'S_k + kappa I) W_k = I}
#' (section 1 of Wang, Chen and Sun 2008, which does not specify the constraint). With
#' \eqn{S = [S_1 \dots S_m]} and \eqn{B = \mathrm{blockdiag}(S_k'S_k + \kappa I)}{B =
#' blockdiag(S_k'S_k + kappa I)} these are the leading solutions of the generalized eigenproblem
#' \deqn{\frac1m S'S \, w = \nu B w.}{
#'   (1/m) S'S w = nu B w.}
#' The agreement \eqn{\nu} of a component is 1 if the projections of all views agree and there is
#' no penalty, and 1/m if only a single view contributes; the value of the objective is the sum of
#' \eqn{1 - \nu}.
#'
#' # Details not specified in the paper
#' * \eqn{\kappa} is used in the objective and in the constraint. In the constraint alone it would
#'   favor directions with nearly no variance, which do not increase the objective and satisfy the
#'   constraint by their length. For `kappa = 0` there is no difference.
#' * Directions in which a view has nearly no variance (1e-10 of its largest) are dropped.
#' * Columns are not centered, as in the paper. `center = TRUE` subtracts their means, as is usual
#'   in canonical correlation analysis.
#' * The weight with the largest absolute value of each component is positive.
#'
#' # Choosing parameters
#' * `components`: number of coordinates to keep, judged by `agreement`; all by default.
#' * `kappa`: needed if the views have as many columns as rows, as those of [empirical_map()]: the
#'   views can then agree perfectly on the training rows in any direction. Try 0.001, 0.01, 0.1
#'   and 1 times the mean of the squared column lengths.
#'
#' @param views List of numeric matrices with the same number of rows.
#' @param components Number of components; `NULL` for all.
#' @param kappa Ridge penalty on the projections, a non-negative number; larger values regularize
#'   more.
#' @param center `TRUE` to subtract the means of the columns.
#' @param control See [mkl_control()].
#' @param object A result of `nmcca()`.
#' @param newdata List of matrices of new rows, one for each view, in the same order or with the
#'   same names. Columns are matched by name if they have names. By default the projections of the
#'   training rows are returned.
#' @param x A result of `nmcca()`.
#' @param ... Not used; misspelled arguments raise an error.
#' @return `nmcca()`: an object of class `mkl_nmcca` with the elements `weights` (list of the
#'   \eqn{W_k}), `agreement` (the \eqn{\nu}, largest first) and `violation` (largest relative
#'   error of the eigenvalue equation). There are fewer components than requested if the rank of
#'   the views is smaller. `predict()`: a list of matrices, the projections of each view;
#'   `do.call(cbind, ...)` combines them.
#' @references
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family kernels
#' @examples
#' sepal <- as.matrix(iris[, 1:2])
#' petal <- as.matrix(iris[, 3:4])
#' cca <- nmcca(list(sepal = sepal, petal = petal), center = TRUE)
#' cca
#' # for two views these are the canonical correlations
#' 2 * cca$agreement[1:2] - 1
#' stats::cancor(sepal, petal)$cor
#' projected <- predict(cca, list(sepal = sepal[1:3, ], petal = petal[1:3, ]))
#' projected$sepal
#' @export
nmcca <- function(views, components = NULL, kappa = 0, center = FALSE, control = mkl_control(),
                  ...) {
  check_dots(...)
  views <- check_views(views, "views")
  components <- check_count(components, "components") %||% 0
  kappa <- check_number(kappa, "kappa", 0)
  center <- check_flag(center, "center")
  control <- check_control(control)
  rows <- vapply(views, nrow, 0L)
  if (any(rows != rows[1L]) || rows[1L] == 0L) {
    stop_mkl(
      "data_error", "views", "`views` must have the same number of rows, at least one, not ",
      paste(rows, collapse = ", "), "."
    )
  }
  means <- lapply(views, function(view) if (center) colMeans(view) else numeric(ncol(view)))
  moved <- Map(function(view, mean) unname(view - by_column(mean, nrow(view))), views, means)
  out <- nmcca_cpp(unname(moved), components, kappa, core_control(control))
  weights <- Map(function(weight, view) {
    rownames(weight) <- colnames(view)
    weight
  }, out$weights, views)
  names(weights) <- names(views)
  projections <- Map(function(view, moved, weight) {
    name_cases(moved %*% weight, rownames(view))
  }, views, moved, weights)
  seal_fit(structure(
    class = "mkl_nmcca",
    list(
      weights = weights, agreement = out$agreement, violation = out$violation, kappa = kappa,
      means = means, projections = projections, n = rows[[1L]], call = match.call()
    )
  ))
}

# A list of numeric matrices without missing values.
check_views <- function(views, argument) {
  if (!is.list(views) || is.data.frame(views)) {
    stop_must(argument, "a list of numeric matrices", views)
  }
  if (length(views) == 0L) {
    stop_mkl("argument_error", argument, "`", argument, "` must hold one view at least, not none.")
  }
  check_unique_names(names(views)[nzchar(names(views))], argument, "view")
  names <- paste0(argument, "[[", seq_along(views), "]]")
  out <- Map(function(view, name) {
    if (is.data.frame(view) && all(vapply(view, is.numeric, NA))) view <- as.matrix(view)
    if (!is.matrix(view) || !is.numeric(view) || ncol(view) == 0L) {
      stop_mkl(
        "data_error", argument, "`", name, "` must be a numeric matrix with columns, not ",
        describe(view), "."
      )
    }
    check_complete(view, name)
    storage.mode(view) <- "double"
    view
  }, views, names)
  names(out) <- names(views)
  out
}

#' @rdname nmcca
#' @export
predict.mkl_nmcca <- function(object, newdata, ...) {
  check_other_seal(object)
  check_dots(..., called = "predict()")
  if (missing(newdata)) return(object$projections)
  known <- names(object$weights)
  if (!is.null(known) && !is.null(names(newdata))) {
    check_columns(known, names(newdata), "newdata", "view")
    newdata <- newdata[known]
  }
  newdata <- named_views(check_views(newdata, "newdata"), object$weights)
  widths <- vapply(newdata, ncol, 0L)
  expected <- vapply(object$weights, nrow, 0L)
  if (length(widths) != length(expected) || any(widths != expected)) {
    stop_mkl(
      "data_error", "newdata", "`newdata` must be ", plural(length(expected), "view"), " of ",
      paste(expected, collapse = ", "), " columns, not ", length(widths), " of ",
      paste(widths, collapse = ", "), "."
    )
  }
  out <- Map(function(view, mean, weight) {
    name_cases(unname(view - by_column(mean, nrow(view))) %*% unname(weight), rownames(view))
  }, newdata, object$means, object$weights)
  stats::setNames(out, known)
}

# Columns of views go by name where these and the fit have names.
named_views <- function(views, weights) {
  if (length(views) != length(weights)) return(views)
  out <- Map(function(view, weight, name) {
    names <- full_names(t(weight))
    if (is.null(names) || is.null(full_names(view))) return(view)
    align_matrix(view, list(names = names), name, "newdata", what = "View")
  }, views, weights, names(weights) %||% seq_along(weights))
  stats::setNames(out, names(views))
}

#' @rdname nmcca
#' @export
print.mkl_nmcca <- function(x, ...) {
  widths <- vapply(x$weights, nrow, 0L)
  cat("Canonical correlation of ", plural(length(widths), "view"), " (NmCCA)\n", sep = "")
  cat("  ", plural(x$n, "row"), "; columns: ",
      paste0(if (!is.null(names(widths))) paste0(names(widths), " "), widths, collapse = ", "),
      "; kappa = ", format_number(x$kappa), "\n", sep = "")
  shown <- utils::head(x$agreement, 8L)
  cat("  agreement: ", paste(format_number(shown), collapse = ", "),
      if (length(x$agreement) > 8L) paste0(", ... (", length(x$agreement), ")"), "\n", sep = "")
  invisible(x)
}
