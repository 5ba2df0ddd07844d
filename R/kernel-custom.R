# Kernels that come from outside: a function of R, a matrix.

#' Kernel defined by an R function
#'
#' Defines a kernel by an R function of two matrices. The function is evaluated in R, on one
#' thread, and its matrix is stored, so that it is slower than the built-in kernels.
#'
#' @details
#' `f(x, z)` receives two numeric matrices (rows are cases; the columns are those of `on`, after
#' scaling if the fit scales) and returns the matrix of
#' \deqn{K_{ij} = k(x_i, z_j)}{K[i, j] = k(x_i, z_j)}
#' with one row per row of `x` and one column per row of `z`.
#' During the fit it is called as `f(x, x)` and must return a finite symmetric matrix, in
#' `predict()` as `f(new, kept)`, with the training rows that the model needs. The function is
#' stored in the fit together with its environment.
#'
#' Text and time series are passed unchanged: for a view or a column of text `x` and `z` are
#' character vectors, for time series they are lists of matrices (time points by channels). With
#' several views a function uses the numeric ones, unless `on` or the list of kernels assigns it
#' to another one. It is not called for cases that lack its view.
#'
#' # Kernels of the package kernlab
#' `f` can be a kernel object of kernlab, and such objects are accepted wherever a kernel is
#' expected: in [kernel_set()], in `kernels = ` of all fitting functions, in [kernel_matrix()].
#' Kernels that multikernel also implements are converted to its own version, which is computed in
#' parallel and stores no matrix:
#'
#' | kernlab | multikernel |
#' |---|---|
#' | `vanilladot()` | [kernel_linear()] |
#' | `polydot(degree, scale, offset)` | [kernel_polynomial()] |
#' | `rbfdot(sigma)`, \eqn{\exp(-\sigma \|x - z\|^2)} | `kernel_rbf(gamma = sigma)` |
#' | `laplacedot(sigma)`, \eqn{\exp(-\sigma \|x - z\|)} | `kernel_matern(1/2, 1 / sigma)` |
#' | `tanhdot(scale, offset)` | [kernel_sigmoid()] |
#' | `anovadot(sigma, degree)` | [kernel_anova()] |
#'
#' Their `sigma` is an inverse width: `rbfdot(0.5)` is `kernel_rbf(sigma = 1)`. All others
#' (`besseldot()`, `splinedot()`, functions of two vectors with class `"kernel"`) are evaluated by
#' kernlab. Columns are scaled as specified by `scale` of the fitting function.
#'
#' # Choosing parameters
#' For a kernel with parameters write a function that returns a kernel function, as in the
#' examples.
#'
#' @param f A function of two matrices (or character vectors, or lists of series) that returns the
#'   matrix of similarities, or a kernel object of the package kernlab.
#' @param name Name of the kernel in printed and returned results.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return references
#' @family kernels
#' @examples
#' quadratic <- function(x, z) (1 + tcrossprod(x, z))^2
#' kernel_matrix(kernel_function(quadratic), diag(2))
#'
#' cosine_power <- function(degree) {
#'   function(x, z) {
#'     (tcrossprod(x, z) / sqrt(outer(rowSums(x^2), rowSums(z^2))))^degree
#'   }
#' }
#' kernel_set(kernel_function(cosine_power(2), name = "squared"), kernel_rbf(1))
#'
#' lengths <- function(x, z) outer(nchar(x), nchar(z), function(a, b) exp(-abs(a - b)))
#' kernel_matrix(kernel_function(lengths), c("ACGT", "ACG", "ACGTACGT"))
#'
#' if (requireNamespace("kernlab", quietly = TRUE)) {
#'   kernel_set(kernlab::rbfdot(0.5), kernlab::besseldot(order = 2), kernel_linear())
#' }
#' @export
kernel_function <- function(f, on = NULL, normalize = NULL, name = "function", ...) {
  check_dots(...)
  if (!is.function(f)) stop_must("f", "a function of two matrices", f)
  if (is_kernlab_kernel(f)) {
    out <- kernel_from_kernlab(f, on, normalize)
    if (!missing(name)) names(out) <- label_kernel(check_name(name), list(), on)
    return(out)
  }
  name <- check_name(name)
  new_kernel(
    "function", list(), on, normalize, name = name, evaluate = f,
    reads = c("numbers", "strings", "series")
  )
}

#' Precomputed kernel matrix
#'
#' Defines a kernel by a matrix of similarities computed elsewhere, for instance of texts, graphs,
#' sequences or images.
#'
#' @details
#' `K` holds
#' \deqn{K_{ij} = k(x_i, x_j)}{K[i, j] = k(x_i, x_j)}
#' for all training rows, in their order. It must be square, finite and symmetric (beyond
#' rounding). It is not stored in the fit, so `predict()` needs the similarities of new to **all**
#' training rows: an n_new x n matrix.
#' If all kernels are matrices, pass them to [mkl()] as a named list and the new matrices as
#' `newdata` of `predict()`. If matrices and columns are combined, pass the new matrices as
#' `precomputed` to `predict()`.
#'
#' Column names of `K`, if any, identify the cases: columns of a new matrix with the same names in
#' another order are reordered, and matrices of one fit whose names are in different orders, or
#' not in the order of the cases of the data, raise an error. Without names cases are matched by
#' position.
#'
#' # Choosing parameters
#' Matrices on different scales are made comparable by `normalize = "trace"`. `"cosine"` requires
#' the similarity of each new row to itself, in the attribute `"diagonal"` of the new matrix.
#'
#' @param K Symmetric numeric matrix of the similarities of all training rows.
#' @param name Name of the kernel in printed and returned results; by default the expression of
#'   `K`.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return references
#' @family kernels
#' @examples
#' K <- tcrossprod(scale(as.matrix(iris[, 1:4])))
#' kernel_precomputed(K)
#' fit <- mkl(list(linear = K), iris$Species)
#' mean(predict(fit, list(linear = K)) == iris$Species)
#' @export
kernel_precomputed <- function(K, normalize = NULL, name = NULL, ...) { # nolint: object_name.
  check_dots(...)
  label <- name %||% paste(deparse(substitute(K), width.cutoff = 60L, nlines = 1L))
  if (nchar(label) > 40L) label <- "precomputed"
  label <- check_name(label)
  new_kernel(
    "precomputed", list(), NULL, normalize, name = label, matrix = check_gram(K, label),
    labels = labels_of_rows(K), sparse = TRUE
  )
}

check_name <- function(name) {
  if (!is_text(name) || !nzchar(name)) stop_must("name", "a string", name)
  name
}

# What a matrix calls its training rows, if that tells them apart.
labels_of_rows <- function(x) {
  labels <- colnames(x)
  if (anyNA(labels) || anyDuplicated(labels) || !all(nzchar(labels))) NULL else labels
}

stop_kernel <- function(name, ...) {
  stop_mkl("kernel_error", name, "Kernel `", name, "` ", ...)
}

# A numeric matrix without class and names, or an error that names the kernel.
plain_matrix <- function(x, name) {
  if (inherits(x, "Matrix")) x <- as.matrix(x)
  if (is.data.frame(x) || !is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    stop_kernel(name, "must be a numeric matrix, not ", describe(x), ".")
  }
  if (!is.double(x) || is.object(x) || length(attributes(x)) > 1L) {
    x <- matrix(as.double(x), nrow(x), ncol(x))
  }
  x
}

stop_entry <- function(name, x, where) {
  row <- (where - 1L) %% nrow(x) + 1L
  column <- (where - 1L) %/% nrow(x) + 1L
  stop_kernel(
    name, "must be finite; entry [", row, ", ", column, "] is ", format_number(x[[where]]), "."
  )
}

check_finite <- function(x, name) {
  if (!all_finite_cpp(x)) stop_entry(name, x, which(!is.finite(x))[1L])
  x
}

check_gram <- function(x, name) {
  x <- plain_matrix(x, name)
  if (nrow(x) != ncol(x)) {
    stop_kernel(name, "must be square, not ", nrow(x), " x ", ncol(x), ".")
  }
  if (nrow(x) == 0L) stop_kernel(name, "has no rows.")
  check_symmetric(check_finite(x, name), name)
}

# Compared in strips of columns, so that no second n x n matrix is made.
check_symmetric <- function(x, name) {
  place <- asymmetry_cpp(x)
  if (length(place) == 0L) return(x)
  i <- place[1L]
  j <- place[2L]
  stop_mkl(
    "kernel_error", name, "Kernel `", name, "` must be symmetric; entry [", i, ", ", j, "] is ",
    format_number(x[i, j], 6L), " but [", j, ", ", i, "] is ", format_number(x[j, i], 6L), ".",
    data = list(asymmetric = TRUE)
  )
}
