# Kernels of the inner product.

#' Linear kernel
#'
#' The inner product of two rows: a learner on it finds a function that is linear in the
#' columns.
#'
#' @details
#' \deqn{k(x, z) = x^\top z}{
#'   k(x, z) = x'z}
#'
#' # Choosing parameters
#' There is none, but the scale of the columns matters: a column with large values dominates
#' the product. The default `scale = TRUE` of [mkl()] gives all columns the same variance.
#'
#' @param on Columns that the kernel sees: names, positions or a one-sided formula. `NULL`
#'   means all. A factor column is named once and stands for all its indicators.
#' @param normalize Normalizer of this kernel: any of `"none"`, `"trace"`, `"unit_trace"`,
#'   `"cosine"`, `"center"`, applied in the order given. `NULL` leaves the choice to the fit.
#'   See [kernel_matrix()] for what they do.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A set of kernels, class `mkl_kernels`: join several with [kernel_set()] or `c()`.
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
#' A power of the inner product: all monomials of the columns up to the degree, without
#' writing them down.
#'
#' @details
#' \deqn{k(x, z) = (\mathrm{scale} \cdot x^\top z + \mathrm{offset})^{\mathrm{degree}}}{
#'   k(x, z) = (scale * x'z + offset)^degree}
#'
#' # Choosing parameters
#' * `degree` 2 or 3 covers most uses; high degrees overflow on data that are not scaled,
#'   which is an error.
#' * `scale = 1 / p` with p columns keeps the inner product of z-scored rows near one.
#' * `offset = 0` leaves only the monomials of exactly this degree.
#'
#' A vector gives one kernel per value; several vectors give all combinations.
#'
#' @param degree Whole number from 1 to 1000, or several.
#' @param scale Positive factor of the inner product, or several.
#' @param offset Non-negative number that is added, or several.
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
#' The hyperbolic tangent of the inner product, known from neural networks.
#'
#' @details
#' \deqn{k(x, z) = \tanh(\mathrm{scale} \cdot x^\top z + \mathrm{offset})}{
#'   k(x, z) = tanh(scale * x'z + offset)}
#' This kernel is **not** positive semi-definite in general. A fit on an indefinite matrix
#' ends, and warns with class `multikernel_indefinite`: the solution is then a stationary
#' point rather than the optimum.
#'
#' # Choosing parameters
#' A small `scale` (below 1 / p for p z-scored columns) with a negative `offset` behaves
#' much like a Gaussian kernel (Lin and Lin, 2003).
#'
#' @param scale Positive factor of the inner product, or several.
#' @param offset Number that is added, or several.
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
