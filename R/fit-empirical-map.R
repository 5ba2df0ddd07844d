#' Empirical kernel map: feature space coordinates of a kernel
#'
#' Computes explicit feature space coordinates of a kernel: a matrix whose rows have the kernel
#' values as inner products. With these coordinates any method for numeric columns can be used
#' with a kernel.
#'
#' @details
#' With the eigenvalues of the kernel matrix of n rows, \eqn{K = Q \Lambda Q'}, equation (5) of
#' Wang, Chen and Sun (2008), the map is equation (6),
#' \deqn{\phi(x) = \Lambda^{-1/2} Q' (k(x, x_1), \dots, k(x, x_n))'.}{
#'   phi(x) = Lambda^(-1/2) Q' (k(x, x_1), ..., k(x, x_n))'.}
#' The matrix \eqn{\Phi} of the mapped rows has \eqn{\Phi \Phi' = K}, equation (7). Eigenvalues up
#' to 1e-10 times the largest are dropped, negative ones included: a kernel that is not positive
#' semi-definite is replaced by its positive part. The largest entry of each column of \eqn{Q} is
#' made positive.
#'
#' `rank` keeps the largest eigenvalues only: \eqn{\Phi \Phi'} is then the best approximation of
#' \eqn{K} of this rank. With `landmarks` the map is computed from some of the rows, which are
#' mapped exactly; other rows are mapped by their similarities to these (the Nyström method). This
#' requires an eigendecomposition for the landmarks only.
#'
#' # Choosing parameters
#' * Up to a few thousand rows the defaults are sufficient. For more rows start with `landmarks =
#'   500`; larger numbers are more accurate.
#' * `rank`: choose it such that the remaining eigenvalues (`values`) are a small share of their
#'   sum.
#'
#' @param kernel One kernel, such as [kernel_rbf()], or a symmetric matrix of kernel values.
#' @param x Rows from which the map is computed: a numeric matrix or a data frame, not scaled. Not
#'   needed if `kernel` is a matrix.
#' @param rank Maximum number of coordinates; `NULL` for all.
#' @param landmarks Number of evenly spaced rows, or positions of the rows, from which the map is
#'   computed; `NULL` for all.
#' @param normalize How the kernel matrix is normalized, if the kernel has no normalizer of its
#'   own; see [kernel_matrix()].
#' @param control See [mkl_control()].
#' @param object An empirical map.
#' @param newdata New rows with the columns of `x`, or for a map of a matrix the similarities of
#'   new rows (rows) to all rows of the map's data (columns). By default the coordinates of the
#'   rows of `x` are returned.
#' @param new_levels See [`predict()`][predict.mkl].
#' @param ... Not used; misspelled arguments raise an error.
#' @return `empirical_map()`: an object of class `mkl_empirical_map` with the elements `values`
#'   (the eigenvalues), `landmarks` (positions of the rows from which it is computed) and elements
#'   used by `predict()`. `predict()`: a matrix with one row for each row and one column for each
#'   coordinate; a row with a missing value is mapped to `NA`.
#' @references
#' Schölkopf, B., Mika, S., Burges, C. J. C. and others (1999). Input space versus feature space in
#' kernel-based methods. *IEEE Transactions on Neural Networks* 10, 1000-1017.
#'
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family kernels
#' @examples
#' x <- as.matrix(iris[, 1:4])
#' map <- empirical_map(kernel_rbf("median"), x)
#' map
#' phi <- predict(map)
#' max(abs(tcrossprod(phi) - kernel_matrix(kernel_rbf("median"), x)))
#'
#' # two coordinates: kernel principal components (not centered)
#' plot(map, class = iris$Species)
#' @export
empirical_map <- function(kernel, x = NULL, rank = NULL, landmarks = NULL, normalize = "none",
                          control = mkl_control(), ...) {
  check_dots(...)
  control <- check_control(control)
  normalize <- check_normalize(normalize %||% "none")
  rank <- check_count(rank, "rank") %||% 0
  frame <- map_frame(kernel, x)
  n <- frame$n
  items <- resolve_kernels(frame$kernel, frame$x, frame, normalize, seq_len(n), n)
  landmarks <- check_landmarks(landmarks, n)
  out <- empirical_map_cpp(
    frame$x, core_items(items), landmarks, rank, core_control(control)
  )
  # Centered kernels average over all rows; otherwise those of the map are enough.
  kept <- if ("center" %in% items[[1L]]$normalize) seq_len(n) else out$rows
  seal_fit(structure(
    class = "mkl_empirical_map",
    list(
      values = out$values, landmarks = out$rows, projection = out$projection,
      training = name_cases(out$training, new_cases(x, if (is.matrix(kernel)) kernel)),
      kernels = strip_kernels(items, kept),
      normalizers = list(out$normalizer), train = frame$x[kept, , drop = FALSE], kept = kept,
      rows = NULL, n = n, n_input = n, frame = frame$blueprint, control = control, seed = 1,
      call = match.call()
    )
  ))
}

# The one kernel with the rows it is to see.
map_frame <- function(kernel, x) {
  if (is.matrix(kernel)) kernel <- kernel_precomputed(kernel, name = "K")
  if (is_kernlab_kernel(kernel)) kernel <- kernel_from_kernlab(kernel)
  if (is.function(kernel)) {
    stop_mkl(
      "argument_error", "kernel", "`kernel` must be a kernel, not a function. Call the ",
      "constructor: kernel_linear()."
    )
  }
  check_class(kernel, "kernel", "mkl_kernels", "a kernel such as kernel_rbf() or a matrix")
  if (length(kernel) != 1L) {
    stop_must("kernel", "one kernel", length(kernel))
  }
  item <- unclass(kernel)[[1L]]
  if (is.null(x)) {
    if (item$family != "precomputed") {
      stop_mkl("data_error", "x", "`x` is missing: the kernel needs rows to build the map on.")
    }
    n <- nrow(item$matrix)
    frame <- list(
      x = matrix(0, n, 0L),
      blueprint = new_blueprint("kernels", names = item$name, indicator = FALSE)
    )
  } else {
    frame <- settle_frame(features_frame(x, "x"), kernel)
    check_complete(frame$x, "x")
    n <- nrow(frame$x)
    if (n == 0L) stop_mkl("data_error", "x", "`x` has no rows.")
  }
  frame$kernel <- kernel
  frame$n <- n
  frame
}

# Positions of rows; none for all.
check_landmarks <- function(landmarks, n) {
  if (is.null(landmarks)) return(integer())
  if (length(landmarks) == 1L) {
    count <- check_number(landmarks, "landmarks", 1, whole = TRUE)
    if (count >= n) return(integer())
    return(as.integer((seq_len(count) - 1) * n %/% count + 1))
  }
  positions <- check_numbers(landmarks, "landmarks", 1, n, whole = TRUE)
  if (anyDuplicated(positions)) {
    stop_mkl(
      "argument_error", "landmarks", "`landmarks` names row ",
      positions[duplicated(positions)][1L], " more than once."
    )
  }
  as.integer(positions)
}

#' @rdname empirical_map
#' @export
predict.mkl_empirical_map <- function(object, newdata, new_levels = c("error", "missing"), ...) {
  object <- check_other_seal(object)
  check_dots(..., called = "predict()")
  if (missing(newdata)) return(object$training)
  if (!missing(new_levels)) object$frame$new_levels <- check_new_levels(new_levels)
  # Each coordinate is a sum of kernel values, as the decision value of a fit is.
  object$models <- expansion_models_cpp(
    object$projection, match(object$landmarks, object$kept)
  )
  precomputed <- NULL
  if (has_columns(object$frame) && length(precomputed_names(object$kernels))) {
    stop_kernel(
      precomputed_names(object$kernels)[1L], "is a matrix: leave `x` out when the map is built, ",
      "and give its new values as `newdata`."
    )
  }
  name_cases(new_decision(object, newdata, precomputed), new_cases(newdata))
}

#' @export
print.mkl_empirical_map <- function(x, ...) {
  cat("<mkl_empirical_map> of ", item_names(x$kernels), "\n", sep = "")
  cat("  ", plural(x$n, "row"), " in ", plural(length(x$values), "coordinate"), sep = "")
  if (length(x$landmarks) < x$n) cat(", built on ", length(x$landmarks), " of them", sep = "")
  cat("\n  eigenvalues ", format_number(x$values[1L]), " to ",
      format_number(x$values[length(x$values)]), "\n", sep = "")
  invisible(x)
}
