# Kernels of the inner product.

#' Linear kernel
#'
#' The inner product of two rows. Learners with this kernel fit a function that is linear in the
#' columns.
#'
#' @details
#' \deqn{k(x, z) = x^\top z}{
#'   k(x, z) = x'z}
#'
#' # Choosing parameters
#' The kernel has no parameters, but it depends on the scale of the columns: a column with large
#' values dominates the product. The default `scale = TRUE` of [mkl()] standardizes the columns.
#'
#' @param on Columns used by the kernel: names, positions or a one-sided formula. `NULL` (default)
#'   for all columns. The name of a factor stands for all its indicators.
#' @param normalize How the matrix of this kernel is normalized: any of `"none"`, `"trace"`,
#'   `"unit_trace"`, `"cosine"`, `"center"`, applied in the order given. `NULL` (default) uses the
#'   `normalize` argument of the fitting function. See [kernel_matrix()] for definitions.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A set of kernels of class `mkl_kernels`; several sets can be joined with [kernel_set()]
#'   or `c()`.
#' @references
#' Schölkopf, B. and Smola, A. J. (2002). *Learning with Kernels*. MIT Press.
#' @family kernels
#' @examples
#' kernel_linear()
#' kernel_linear(on = c("Sepal.Length", "Sepal.Width"))
#' kernel_matrix(kernel_linear(), diag(2))
#' @export
kernel_linear <- function(on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel("linear", list(), on, normalize, sparse = TRUE)
}

#' Polynomial kernel
#'
#' A power of the inner product. Its feature space contains all monomials of the columns up to the
#' degree.
#'
#' @details
#' \deqn{k(x, z) = (\mathrm{scale} \cdot x^\top z + \mathrm{offset})^{\mathrm{degree}}}{
#'   k(x, z) = (scale * x'z + offset)^degree}
#'
#' # Choosing parameters
#' * `degree` 2 or 3 is sufficient in most applications; with high degrees and unscaled data the
#'   values can overflow, which raises an error.
#' * `scale = 1 / p` with p columns keeps the inner product of z-scored rows near one.
#' * `offset = 0` leaves only the monomials of exactly this degree.
#'
#' A vector gives one kernel per value; several vectors give all combinations.
#'
#' @param degree Degree of the polynomial: a whole number from 1 to 1000, or several (one kernel
#'   each).
#' @param scale Positive factor of the inner product, or several.
#' @param offset Constant added to the inner product before taking the power: a non-negative
#'   number, or several; larger values give more weight to monomials of lower degree.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return references
#' @family kernels
#' @examples
#' kernel_polynomial(1:3)
#' kernel_polynomial(2, scale = c(0.1, 1))
#' kernel_matrix(kernel_polynomial(2), diag(2))
#' @export
kernel_polynomial <- function(degree = 2, scale = 1, offset = 1, on = NULL, normalize = NULL,
                              ...) {
  check_dots(...)
  parameters <- list(
    degree = check_numbers(degree, "degree", 1, 1000, whole = TRUE),
    scale = check_numbers(scale, "scale", 0, open = c(TRUE, FALSE)),
    offset = check_numbers(offset, "offset", 0)
  )
  new_kernel("polynomial", parameters, on, normalize, sparse = TRUE)
}

#' Sigmoid kernel
#'
#' The hyperbolic tangent of the inner product, as in neural networks.
#'
#' @details
#' \deqn{k(x, z) = \tanh(\mathrm{scale} \cdot x^\top z + \mathrm{offset})}{
#'   k(x, z) = tanh(scale * x'z + offset)}
#' This kernel is **not** positive semi-definite in general. With an indefinite matrix the solver
#' still terminates, at a stationary point rather than the optimum, and the fit gives a warning of
#' class `multikernel_indefinite`.
#'
#' # Choosing parameters
#' A small `scale` (below 1 / p for p z-scored columns) with a negative `offset` is similar to a
#' Gaussian kernel (Lin and Lin, 2003).
#'
#' @param scale Positive factor of the inner product, or several.
#' @param offset Constant added to the scaled inner product: a number, or several.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Lin, H.-T. and Lin, C.-J. (2003). A study on sigmoid kernels for SVM and the training of
#' non-PSD kernels by SMO-type methods. Technical report, National Taiwan University.
#' @family kernels
#' @examples
#' kernel_sigmoid(scale = 0.1)
#' kernel_matrix(kernel_sigmoid(0.5, -1), diag(2))
#' @export
kernel_sigmoid <- function(scale = 1, offset = 0, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  parameters <- list(
    scale = check_numbers(scale, "scale", 0, open = c(TRUE, FALSE)),
    offset = check_numbers(offset, "offset")
  )
  new_kernel("sigmoid", parameters, on, normalize, sparse = TRUE)
}
