#' Kernel principal component analysis of one or several kernels
#'
#' Principal components in the feature space of a kernel, or of a weighted sum of kernels, with
#' coordinates of new rows, plots and the importance of variables.
#'
#' @details
#' Let \eqn{K = \sum_m d_m K_m}{K = sum_m d_m K_m} be the weighted sum of the normalized kernels and
#' \eqn{K_c = HKH}{Kc = HKH} with \eqn{H = I - 11'/n} the kernel of the centered features. With
#' \eqn{K_c = Q \Lambda Q'}{Kc = Q L Q'} the coordinates of the training rows are
#' \eqn{Q \Lambda^{1/2}}{Q L^(1/2)}, and those of a row x
#' \deqn{\Lambda^{-1/2} Q' H (k(x) - K1/n), \quad k(x) = (K(x, x_1), \dots, K(x, x_n))'}{
#'   L^(-1/2) Q' H (k(x) - K 1/n),  k(x) = (K(x, x_1), ..., K(x, x_n))'}
#' (Schölkopf, Smola and Müller 1998). Eigenvalues up to 1e-10 times the largest are dropped. The
#' largest entry of each eigenvector is positive. With [kernel_linear()] on standardized data this
#' is ordinary principal component analysis.
#'
#' `importance()` measures what a variable means to the components (Mariette and Villa-Vialaneix
#' 2018): its values are permuted among the rows, the components are computed again, and the
#' estimate is the distance of Crone and Crosby between the subspaces of the eigenvectors,
#' \deqn{\frac{1}{\sqrt 2} \|Q_c Q_c' - P_c P_c'\|_F = \sqrt{c - \|Q_c' P_c\|_F^2}}{
#'   ||Qc Qc' - Pc Pc'|| / sqrt(2) = sqrt(c - ||Qc' Pc||^2)}
#' of the first c components: 0 if the variable has no influence, at most \eqn{\sqrt c}{sqrt(c)}.
#'
#' # Choosing parameters
#' * `weights`: `"statis"` gives less weight to kernels that disagree with the others, see
#'   [fuse_kernels()]; numbers give full control.
#' * `components`: by the shares of the variance in `summary()`.
#' * Width of a Gaussian kernel: with a small one every row is far from all others, and the
#'   eigenvalues hardly decrease; start with `kernel_rbf("median")`.
#' * `repeats` of `importance()`: 5 to 20; `std.error` shows whether that is enough.
#'
#' @inheritParams fuse_kernels
#' @param kernels,x Kernels and data as for [fuse_kernels()], or a result of it as `kernels`.
#' @param components For `kernel_pca()` the number of components to keep, `NULL` for all; for
#'   `importance()` the number of leading components that are compared.
#' @param weights Weights of several kernels: a method of [fuse_kernels()], or non-negative numbers
#'   that are used as they are.
#' @param center `TRUE` to center the features.
#' @param object A result of `kernel_pca()`.
#' @param newdata New rows, as for [`predict()`][predict.mkl]. By default the coordinates of the
#'   training rows are returned.
#' @param data The data that the components were computed from, in the same form.
#' @param by What is permuted: single columns, or whole views.
#' @param repeats Number of permutations of each column or view.
#' @return `kernel_pca()`: an object of class `mkl_kernel_pca` with the elements `values`
#'   (eigenvalues), `share` (of the total variance), `scores` (coordinates of the training rows),
#'   `vectors` and `weights`. `predict()`: a matrix with a row for each row and a column for each
#'   component. `importance()`: a data frame of class `mkl_pca_importance` with columns `term`,
#'   `estimate` (mean distance) and `se` (its standard error over the permutations).
#' @references
#' Schölkopf, B., Smola, A. and Müller, K.-R. (1998). Nonlinear component analysis as a kernel
#' eigenvalue problem. *Neural Computation* 10, 1299-1319.
#'
#' Mariette, J. and Villa-Vialaneix, N. (2018). Unsupervised multiple kernel learning for
#' heterogeneous data integration. *Bioinformatics* 34, 1009-1015.
#'
#' Crone, L. J. and Crosby, D. S. (1995). Statistical applications of a metric on subspaces to
#' satellite meteorology. *Technometrics* 37, 324-328.
#' @family unsupervised methods
#' @examples
#' flowers <- views(sepal = iris[, 1:2], petal = iris[, 3:4])
#' pca <- kernel_pca(flowers, components = 3)
#' summary(pca)
#' head(predict(pca))
#' plot(pca, class = iris$Species)
#' set.seed(1)
#' importance(pca, flowers, repeats = 2)
#'
#' # one linear kernel: ordinary principal components
#' linear <- kernel_pca(kernel_linear(), iris[, 1:4], normalize = "none")
#' round(linear$share, 4)
#' @export
kernel_pca <- function(kernels = NULL, x = NULL, components = NULL, weights = "statis",
                       center = TRUE, neighbors = 5, normalize = c("center", "trace"),
                       scale = TRUE, missing = NULL, control = mkl_control(), ...) {
  check_dots(...)
  components <- check_count(components, "components") %||% 0
  center <- check_flag(center, "center")
  if (inherits(kernels, "mkl_fusion")) {
    return(fusion_pca(kernels, components, center, match.call()))
  }
  problem <- unsupervised_problem(kernels, x, list(
    normalize = normalize, scale = scale, missing = missing, control = control
  ))
  fused <- chosen_weights(problem, weights, neighbors)
  found <- kernel_pca_cpp(
    problem$x, core_items(problem$items), unname(fused$weights), components, center,
    core_control(problem$settings$control)
  )
  new_unsupervised(
    problem, found$normalizers, c("mkl_kernel_pca", "mkl_unsupervised"),
    pca_fields(found, fused$weights, fused$method, center, problem$frame$cases[problem$rows]),
    match.call()
  )
}

# The components of a kernel that is fused already.
fusion_pca <- function(fusion, components, center, call) {
  fusion <- check_other_seal(fusion)
  item <- list(family = "precomputed", name = "fused", matrix = unname(fusion$matrix),
               normalize = character())
  found <- kernel_pca_cpp(
    matrix(0, fusion$n, 0L), core_items(list(item)), 1, components, center,
    core_control(fusion$control)
  )
  fields <- pca_fields(found, fusion$weights, fusion$method, center, fusion$cases)
  shared <- c("kernels", "normalizers", "train", "kept", "rows", "n", "n_input", "frame", "cases",
              "control", "seed")
  seal_fit(structure(
    class = c("mkl_kernel_pca", "mkl_unsupervised"),
    c(fields, unclass(fusion)[intersect(shared, names(fusion))], list(call = call))
  ))
}

pca_fields <- function(found, weights, method, center, cases) {
  names <- paste0("PC", seq_along(found$values))
  scores <- found$vectors * rep(sqrt(found$values), each = nrow(found$vectors))
  dimnames(scores) <- list(cases, names)
  colnames(found$vectors) <- names
  list(
    values = found$values, share = found$values / found$total, total = found$total,
    scores = scores, vectors = found$vectors, weights = weights, method = method, center = center,
    models = combination_models_cpp(found$projection, found$shift, unname(weights))
  )
}

# list(weights, method): of a method of fuse_kernels(), or numbers.
chosen_weights <- function(problem, weights, neighbors) {
  names <- item_names(problem$items)
  if (is.character(weights)) {
    method <- check_choice(weights, "weights", fusion_methods())
    if (length(names) == 1L) return(list(weights = stats::setNames(1, names), method = "average"))
    fused <- fusion_weights(problem, method, neighbors)
    warn_fusion(fused)
    return(list(weights = fused$weights, method = method))
  }
  weights <- check_sum_weights(weights, length(names))
  if (is.null(weights) || any(weights < 0) || all(weights == 0)) {
    stop_must("weights", "a method of fuse_kernels(), or non-negative numbers that are not all 0",
              weights)
  }
  list(weights = stats::setNames(as.double(weights), names), method = "given")
}

#' @rdname kernel_pca
#' @export
predict.mkl_kernel_pca <- function(object, newdata, precomputed = NULL, ...) {
  object <- check_other_seal(object)
  check_dots(..., called = "predict()")
  if (missing(newdata) && is.null(precomputed)) return(object$scores)
  out <- new_sums(object, newdata, precomputed)
  colnames(out) <- colnames(object$scores)
  out
}

#' @rdname kernel_pca
#' @export
print.mkl_kernel_pca <- function(x, ...) {
  cat("<mkl_kernel_pca> ", plural(length(x$weights), "kernel"), ", ", plural(x$n, "row"), ", ",
      plural(length(x$values), "component"), "\n", sep = "")
  if (length(x$weights) > 1L) print_kernel_weights(x$weights)
  shown <- utils::head(x$share, 6L)
  cat("  share of the variance: ", paste(format_number(shown, 3L), collapse = ", "),
      if (length(x$share) > 6L) ", ...", "\n", sep = "")
  invisible(x)
}

#' @rdname kernel_pca
#' @export
summary.mkl_kernel_pca <- function(object, ...) {
  check_dots(..., called = "summary()")
  check_other_seal(object)
  structure(class = "summary.mkl_kernel_pca", list(pca = object, table = pca_table(object)))
}

#' @export
print.summary.mkl_kernel_pca <- function(x, limit = 10L, ...) {
  print(x$pca)
  cat("\n")
  print(format_numbers(utils::head(x$table, limit), 4L), row.names = FALSE, right = TRUE)
  if (nrow(x$table) > limit) cat("... (", nrow(x$table), ")\n", sep = "")
  invisible(x)
}

pca_table <- function(x) {
  data.frame(
    component = seq_along(x$values), value = x$values, share = x$share, cumulative = cumsum(x$share)
  )
}
