# Kernels for counts and shares, that is for data without negative values.

#' Chi-squared kernel
#'
#' Kernel for histograms, counts and proportions: the negative exponential of the chi-squared
#' distance.
#'
#' @details
#' \deqn{k(x, z) = \exp\Bigl(-\gamma \sum_k \frac{(x_k - z_k)^2}{x_k + z_k}\Bigr)
#'   }{k(x, z) = exp(-gamma sum_k (x_k - z_k)^2 / (x_k + z_k))}
#' A term with \eqn{x_k + z_k = 0} counts as zero. All values must be non-negative; columns used
#' by this kernel are not standardized.
#'
#' # Choosing parameters
#' The usual `gamma` is the inverse of the mean chi-squared distance of the training rows.
#'
#' @param gamma Inverse width: a positive number, or several; larger values give less smooth
#'   functions.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Zhang, J., Marszałek, M., Lazebnik, S. and Schmid, C. (2007). Local features and kernels
#' for classification of texture and object categories. *International Journal of Computer
#' Vision* 73, 213-238.
#' @family kernels
#' @examples
#' counts <- matrix(c(3, 0, 1, 2, 2, 4), 2)
#' kernel_matrix(kernel_chisq(0.5), counts)
#' @export
kernel_chisq <- function(gamma = 1, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  gamma <- check_numbers(gamma, "gamma", 0, open = c(TRUE, FALSE))
  new_kernel("chisq", list(gamma = gamma), on, normalize, nonnegative = TRUE)
}

#' Histogram intersection kernel
#'
#' Kernel for histograms, counts and proportions: the overlap of two rows.
#'
#' @details
#' \deqn{k(x, z) = \sum_k \min(x_k, z_k)}{k(x, z) = sum_k min(x_k, z_k)}
#' All values must be non-negative; columns used by this kernel are not standardized. Sparse
#' matrices stay sparse.
#'
#' # Choosing parameters
#' The kernel has no parameters. Divide each row by its sum first if only proportions are
#' relevant, or use `normalize = "cosine"`.
#'
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Barla, A., Odone, F. and Verri, A. (2003). Histogram intersection kernel for image
#' classification. *Proceedings of the International Conference on Image Processing* 3,
#' 513-516.
#' @family kernels
#' @examples
#' counts <- matrix(c(3, 0, 1, 2, 2, 4), 2)
#' kernel_matrix(kernel_intersection(), counts)
#' @export
kernel_intersection <- function(on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel("intersection", list(), on, normalize, nonnegative = TRUE, sparse = TRUE)
}
