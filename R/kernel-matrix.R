#' Kernel matrices
#'
#' Computes the matrices of a set of kernels, for inspection, for use in other software, or for
#' [mkl()] with a list of matrices.
#'
#' @details
#' Without `z` the result contains \eqn{k(x_i, x_j)}. With `z` it contains
#' \deqn{K_{ij} = k(z_i, x_j)}{
#'   K[i, j] = k(z_i, x_j)} with one row per row of `z`: the form that `predict()` requires for
#' precomputed kernels, with the training rows as `x`. The columns are not scaled.
#'
#' Normalizers are estimated on `x` and applied with the same factors to `z`:
#' * `"trace"` divides by the mean of the diagonal (so the trace becomes n),
#' * `"unit_trace"` divides by the trace,
#' * `"cosine"` gives \eqn{k(x, z) / \sqrt{k(x, x) k(z, z)}}{k(x, z) / sqrt(k(x, x) k(z, z))},
#' * `"center"` moves the origin of the feature space to the mean of the rows of `x`.
#'
#' Several normalizers are applied in the order given. The effect of the cost of an SVM depends on
#' the normalizer: `"unit_trace"` needs a cost n times larger than `"trace"` for the same fit.
#'
#' On Linux the first call lets the C library (glibc) take blocks of up to 32 MB from its heap, as
#' it does by itself once it has seen such a block being freed: the next matrix then finds memory
#' that another has left. The end of that heap goes back to the system when 64 MB of it are free;
#' what lies before a block that is still in use stays with the process. The environment variables
#' `MALLOC_MMAP_THRESHOLD_` and `MALLOC_TRIM_THRESHOLD_` set other limits, which are respected.
#'
#' # Choosing parameters
#' `"trace"` is what most multiple kernel learners use by default: it makes the scales of kernels
#' comparable. `"cosine"` is useful if the length of a row is not informative.
#'
#' @param kernels A set of kernels, see [kernel_set()].
#' @param x Training rows: a numeric matrix, a data frame, text, [views()] or a list of views.
#'   Views are standardized if [views()] asks for it; cases that lack a view have values of 0 in
#'   the kernels of that view.
#' @param z New rows with the same columns, or `NULL`.
#' @param normalize How kernel matrices are normalized, for kernels without a normalizer of their
#'   own.
#' @param weights `NULL` (default), or weights of the kernels (one number for all, or one each),
#'   to compute the weighted sum instead of separate matrices: the single matrix \eqn{\sum_m w_m
#'   K_m}{sum_m w_m K_m}, computed without storing any \eqn{K_m}.
#' @param y For kernels of [kernel_label_based()]: the classes of the rows of `x`, two of them.
#'   With `z` such a matrix holds the mean of the rows under both labels.
#' @param control See [mkl_control()].
#' @param max_levels Maximum number of different values of a text column to be treated as
#'   categorical, as in [mkl()].
#' @param ... Not used; misspelled arguments raise an error.
#' @return A matrix for one kernel or with `weights`, a named list of matrices for several.
#' @references
#' Cristianini, N. and Shawe-Taylor, J. (2004). *Kernel Methods for Pattern Analysis*,
#' chapter 5. Cambridge University Press.
#' @family kernels
#' @examples
#' x <- as.matrix(iris[1:100, 1:4])
#' K <- kernel_matrix(kernel_rbf("median"), x)
#' dim(K)
#' two <- kernel_matrix(kernel_set(kernel_rbf(1), kernel_linear()), x, x[1:3, ], "trace")
#' lapply(two, dim)
#' # the sum of a thousand kernels, in the memory of one matrix
#' S <- kernel_matrix(kernel_rbf_bags(1000, max_features = 3, seed = 1), x, weights = 1)
#' range(S)
#' @export
kernel_matrix <- function(kernels, x, z = NULL, normalize = "none", weights = NULL, y = NULL,
                          control = mkl_control(), max_levels = 50, ...) {
  check_dots(...)
  kernels <- check_kernels(kernels)
  check_label_use(unclass(kernels), y)
  control <- check_control(control)
  normalize <- check_normalize(normalize %||% "none")
  sparse <- inherits(x, "sparseMatrix")
  max_levels <- check_max_levels(max_levels)
  frame <- if (sparse) frame_sparse(x, "x") else features_frame(x, "x", max_levels)
  frame$cases <- case_names(x)
  frame <- settle_frame(settle_text(frame, kernels), kernels)
  check_complete(frame$x, "x", row_labels(frame$cases, row_unit(frame$x)))
  views <- is_view_features(frame$x)
  if (views) {
    kernels <- view_kernels(kernels, frame, NULL, FALSE)
    frame <- drop_unseen(frame, kernels)
    check_complete(frame$x, "x", row_labels(frame$cases, row_unit(frame$x)))
    frame <- densify_views(frame, kernels)
    frame <- plain_views(frame, kernels)
  }
  frame <- open_levels(frame, kernels)
  items <- resolve_kernels(kernels, frame$x, frame, normalize, seq_len(nrow(frame$x)),
                           nrow(frame$x), labels = TRUE)
  count <- length(kernels)
  weights <- check_sum_weights(weights, count)
  new <- NULL
  if (!is.null(z)) {
    new <- bake_frame(frame$blueprint, z, "z")
    label <- row_labels(case_names(z), row_unit(new))
    check_complete(new, "z", label)
    if (views) new <- scale_new(new, frame$blueprint)
    if (length(precomputed_names(items))) {
      stop_kernel(precomputed_names(items)[1L], "is a matrix: it cannot be computed for new rows.")
    }
    check_ranges(items, new, label)
  }
  check_result_size(nrow(frame$x), if (is.null(z)) nrow(frame$x) else nrow(new),
                    if (is.null(weights)) count else 1, control)
  checked_matrices(items, frame$x, new, control, weights, y)
}

checked_matrices <- function(items, x, new, control, weights, y) {
  out <- if (any(is_label_based(items))) {
    add_up(label_matrices(items, x, y, new, control), weights)
  } else {
    gram_matrices(items, x, new, control, weights)
  }
  if (length(out) == 1L) return(out[[1L]])
  stats::setNames(out, item_names(items))
}

# Matrices of resolved items on the rows of x, or of `new` (rows) against x (columns).
gram_matrices <- function(items, x, new, control, weights = NULL) {
  fresh <- if (is.null(new)) list() else new_blocks(items, new, x)
  gram_cpp(
    x, new %||% x[0L, , drop = FALSE], core_items(items), core_items(fresh), as.double(weights),
    core_control(control)
  )
}

add_up <- function(matrices, weights) {
  if (is.null(weights)) return(matrices)
  list(Reduce(`+`, Map(`*`, weights, matrices)))
}

check_label_use <- function(items, y) {
  if (!any(is_label_based(items)) && !is.null(y)) {
    stop_mkl(
      "argument_error", "y", "`y` is used by label-based kernels only, and there is none: see ",
      "kernel_label_based()."
    )
  }
}

check_sum_weights <- function(weights, count) {
  if (is.null(weights)) return(NULL)
  if (!is.numeric(weights) || !all(is.finite(weights))) {
    stop_must("weights", "a vector of finite numbers", weights)
  }
  if (length(weights) == 1L) weights <- rep(weights, count)
  if (length(weights) != count) {
    stop_must("weights", paste("one number, or one for each of the", count, "kernels"), weights)
  }
  weights
}

check_result_size <- function(n, rows, count, control) {
  bytes <- 8 * n * rows * count
  if (bytes > control$memory) {
    stop_mkl(
      "argument_error", "memory", "The matrices need ", format_number(bytes / 1024^3),
      " GB, more than `memory` in mkl_control() allows (",
      format_number(control$memory / 1024^3), " GB). Ask for fewer kernels or raise it."
    )
  }
}

check_kernels <- function(kernels) {
  if (is_kernlab_kernel(kernels)) kernels <- kernel_from_kernlab(kernels)
  if (is.list(kernels) && !is.object(kernels) && length(kernels)) {
    kernels <- do.call(kernel_set, kernels)
  }
  check_class(kernels, "kernels", "mkl_kernels", "a set of kernels, see kernel_set()")
  if (length(unclass(kernels)) == 0L) {
    stop_mkl("argument_error", "kernels", "`kernels` must hold at least one kernel, not none.")
  }
  kernels
}
