# Kernels that come from outside: a function of R, a matrix.

#' A kernel from an R function
#'
#' Makes a kernel of any R function of two matrices. It is evaluated in R, on one thread, and
#' its matrix is stored, so it is the slow path for what no other constructor offers.
#'
#' @details
#' `f(x, z)` receives two numeric matrices (rows are examples; the columns are those of `on`
#' as the fit sees them, that is scaled if the fit scales) and returns the matrix of
#' \deqn{K_{ij} = k(x_i, z_j)}{K[i, j] = k(x_i, z_j)}
#' with one row per row of `x` and one column per row of `z`.
#' At the fit it is called as `f(x, x)` and must give a finite symmetric matrix, at
#' `predict()` as `f(new, kept)`, with the training rows that the model needs. The function
#' is stored in the fit together with its environment.
#'
#' Text and series are handed over as they are: for a view or a column of text `x` and `z` are
#' character vectors, for one of series lists of matrices (times by channels). Of several views a
#' function sees those of numbers, unless it is given for another one. It is not called for cases
#' that lack its view.
#'
#' # Kernels of the package kernlab
#' `f` may be a kernel object of kernlab, and such objects may stand wherever a kernel is expected:
#' in [kernel_set()], in `kernels = ` of all fitting functions, in [kernel_matrix()]. Those with a
#' twin here become that twin, which computes in parallel and stores no matrix:
#'
#' | kernlab | here |
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
#' kernlab. Columns are scaled as the fit says: give `scale = FALSE` for the data as they are.
#'
#' # Choosing parameters
#' Parameters live in the function itself: write a function that returns one, as below.
#'
#' @param f A function of two matrices (or texts, or series), or a kernel object of the package
#'   kernlab.
#' @param name Name of the kernel in results.
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

#' A kernel from a matrix
#'
#' Makes a kernel of a matrix of similarities that was computed elsewhere: of texts, graphs,
#' sequences, images.
#'
#' @details
#' `K` holds
#' \deqn{K_{ij} = k(x_i, x_j)}{K[i, j] = k(x_i, x_j)}
#' for all training rows, in their order. It must be square, finite and symmetric (beyond
#' rounding). It is not stored in the fit, so `predict()` needs the similarities of new to **all**
#' training rows: an n_new x n matrix.
#' When every kernel is a matrix, give them to [mkl()] as a named list and the new ones as
#' the `newdata` of `predict()`. When matrices and columns are mixed, `predict()` takes the
#' new matrices in `precomputed`.
#'
#' Names of columns, where `K` has some, say which row is which: columns of a new matrix with the
#' same names in another order are put into the order of `K`, and matrices of one fit whose names
#' are in different orders, or not in the order of the cases of the data, are an error. Without
#' names the order counts.
#'
#' # Choosing parameters
#' Matrices on different scales are made comparable by `normalize = "trace"`. Under
#' `"cosine"` the similarity of each new row to itself is needed: put it into the attribute
#' `"diagonal"` of the new matrix.
#'
#' @param K A square numeric matrix.
#' @param name Name of the kernel in results; by default the expression that was given.
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
