#' Kernel matrices
#'
#' Computes the matrices of a set of kernels: for a look at them, for other software, or for
#' [mkl()] with a list of matrices.
#'
#' @details
#' Without `z` the result holds \eqn{k(x_i, x_j)}. With `z` it holds
#' \deqn{K_{ij} = k(z_i, x_j)} with one row per row of `z`: the form that `predict()` wants
#' for precomputed kernels, `x` being the training rows. The columns are used as they are,
#' without scaling.
#'
#' Normalisers are fitted on `x` and applied with the same factors to `z`:
#' * `"trace"` divides by the mean of the diagonal (so the trace becomes n),
#' * `"unit_trace"` divides by the trace,
#' * `"cosine"` gives \eqn{k(x, z) / \sqrt{k(x, x) k(z, z)}},
#' * `"center"` moves the origin of the feature space to the mean of the rows of `x`.
#'
#' They compose in the order given. The cost of an SVM has a different meaning under
#' `"trace"` and under `"unit_trace"`: the same fit needs a cost n times larger under the
#' latter.
#'
#' # Choosing parameters
#' `"trace"` is what most multiple kernel learners use by default: kernels then start on
#' equal terms. `"cosine"` is useful when the length of a row carries no meaning.
#'
#' @param kernels A set of kernels, see [kernel_set()].
#' @param x Training rows: a numeric matrix or a data frame.
#' @param z New rows with the same columns, or `NULL`.
#' @param normalize Normaliser of kernels that do not name their own.
#' @param control See [mkl_control()].
#' @param ... Not used; a misspelt argument is an error.
#' @return A matrix for one kernel, a named list of matrices for several.
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
#' @export
kernel_matrix <- function(kernels, x, z = NULL, normalize = "none", control = mkl_control(),
                          ...) {
  check_dots(...)
  kernels <- check_kernels(kernels)
  control <- check_control(control)
  normalize <- check_normalize(normalize %||% "none")
  frame <- features_frame(x, "x")
  check_complete(frame$x, "x")
  items <- resolve_kernels(kernels, frame$x, frame, normalize, seq_len(nrow(frame$x)),
                           nrow(frame$x))
  new <- frame$x[0L, , drop = FALSE]
  if (!is.null(z)) {
    new <- bake_frame(frame$blueprint, z, "z")
    check_complete(new, "z")
    if (length(precomputed_names(items))) {
      stop_kernel(precomputed_names(items)[1L], "is a matrix: it cannot be computed for new rows.")
    }
  }
  check_result_size(items, nrow(frame$x), if (is.null(z)) nrow(frame$x) else nrow(new), control)
  out <- gram_matrices(items, frame$x, new, is.null(z), control)
  names(out) <- item_names(items)
  if (length(out) == 1L) out[[1L]] else out
}

gram_matrices <- function(items, x, z, symmetric, control) {
  if (symmetric) return(with_core(gram_cpp(x, z, core_items(items), core_control(control), TRUE)))
  if (nrow(z) == 0L) return(rep(list(matrix(0, 0L, nrow(x))), length(item_names(items))))
  do.call(base::c, lapply(items, function(item) {
    if (has_function(item)) return(list(cross_function(item, x, z, control)))
    with_core(gram_cpp(x, z, core_items(list(item)), core_control(control), FALSE))
  }))
}

has_function <- function(item) {
  !is.null(item$evaluate) || any(vapply(item$factors, has_function, NA))
}

# The slow path: a kernel with an R function in it, for new rows, normalised in R.
cross_function <- function(item, x, z, control) {
  parts <- cross_parts(item, x, z, control)
  for (step in item$normalize) parts <- normalize_parts(parts, step)
  parts$cross
}

# Square matrix of x, z-by-x block and similarities of the rows of z to themselves.
cross_parts <- function(item, x, z, control) {
  if (item$family == "product") {
    parts <- lapply(item$factors, cross_parts, x, z, control)
    pick <- function(what) Reduce(`*`, lapply(parts, function(part) part[[what]]))
    return(list(square = pick("square"), cross = pick("cross"), own = pick("own")))
  }
  if (!is.null(item$evaluate)) {
    return(list(
      square = item$matrix, cross = call_kernel(item, z, x, item$columns),
      own = function_diagonal(item, z)
    ))
  }
  gram <- function(a, b, symmetric) {
    with_core(gram_cpp(a, b, core_items(list(item)), core_control(control), symmetric))[[1L]]
  }
  list(square = gram(x, x, TRUE), cross = gram(x, z, FALSE), own = diag(gram(z, z, TRUE)))
}

normalize_parts <- function(parts, step) {
  own <- diag(parts$square)
  switch(step,
    trace = lapply(parts, `/`, mean(own)),
    unit_trace = lapply(parts, `/`, sum(own)),
    cosine = list(
      square = parts$square / sqrt(outer(own, own)),
      cross = parts$cross / sqrt(outer(parts$own, own)), own = rep(1, length(parts$own))
    ),
    center = {
      means <- colMeans(parts$square)
      new <- rowMeans(parts$cross)
      list(
        square = parts$square - outer(means, means, `+`) + mean(means),
        cross = parts$cross - outer(new, means, `+`) + mean(means),
        own = parts$own - 2 * new + mean(means)
      )
    }
  )
}

check_result_size <- function(items, n, rows, control) {
  bytes <- 8 * n * rows * sum(item_counts(items))
  if (bytes > control$memory) {
    stop_mkl(
      "argument_error", "memory", "The matrices need ", format_number(bytes / 1024^3),
      " GB, more than `memory` in mkl_control() allows (",
      format_number(control$memory / 1024^3), " GB). Ask for fewer kernels or raise it."
    )
  }
}

check_kernels <- function(kernels) {
  if (is.list(kernels) && !is.object(kernels) && length(kernels)) {
    kernels <- do.call(kernel_set, kernels)
  }
  check_class(kernels, "kernels", "mkl_kernels", "a set of kernels, see kernel_set()")
  if (length(kernels) == 0L) {
    stop_mkl("argument_error", "kernels", "`kernels` must hold at least one kernel, not none.")
  }
  kernels
}
