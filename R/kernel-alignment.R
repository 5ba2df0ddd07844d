#' Global alignment kernel for time series
#'
#' Compares time series of different lengths, as dynamic time warping does, but adds up over all
#' alignments of two series instead of taking the best one. The kernel is positive definite, which
#' kernels made of the warping distance are not.
#'
#' @details
#' An alignment joins the times of two series in pairs, without going back. With the local kernel
#' \eqn{\kappa} the sum over all alignments \eqn{\pi} is
#' \deqn{k_0(x, z) = \sum_\pi \prod_{(i, j) \in \pi} \kappa(x_i, z_j), \qquad
#'   \kappa = \frac{g}{2 - g}, \qquad g(x_i, z_j) = w_{ij}
#'   \exp\Bigl(-\frac{\|x_i - z_j\|^2}{2 \sigma^2}\Bigr)}{k0(x, z) = sum over alignments of
#'   prod kappa(x_i, z_j),  kappa = g / (2 - g),  g = w_ij exp(-|x_i - z_j|^2 / (2 sigma^2))}
#' (Cuturi 2011), and the kernel is
#' \deqn{k(x, z) = \exp\Bigl(\log k_0(x, z) - \tfrac12 \log k_0(x, x) - \tfrac12 \log k_0(z, z)
#'   \Bigr).}{k(x, z) = exp(log k0(x, z) - (log k0(x, x) + log k0(z, z)) / 2).}
#' \eqn{k_0} grows or decays exponentially with the lengths, beyond the range of numbers, so that it
#' is always normalized in this way. The sum is computed in the range of its logarithm.
#'
#' \eqn{w_{ij}} is 1, or \eqn{\max(0, 1 - |i - j| / T)} for `triangular` T > 0: only times less than
#' T apart are joined, and series whose lengths differ by T or more have the value 0. The time for a
#' pair of series of lengths n and m grows with n m, or with a band with T max(n, m).
#'
#' The series are the elements of a list: numeric vectors, or matrices with a row for each time and
#' a column for each channel. The columns of a matrix of numbers, or of those columns of a data
#' frame that `on` names, are taken as the successive times of one series in each row.
#'
#' # Choosing parameters
#' `sigma = "median"` is the starting point of Cuturi (2011): the median distance between times of
#' different training series (of up to 2000 times), multiplied by the square root of the median
#' length. Multiples of it from 0.2 to 5 span the useful range. A small `sigma` makes all different
#' series dissimilar, with values near 0 off the diagonal; raise it then. `triangular` of 0.2 to 0.5
#' times the median length saves time and forbids far-fetched alignments; it must be larger than the
#' largest difference of lengths.
#'
#' Bring series whose level and scale carry no meaning to mean 0 and standard deviation 1 first. A
#' view whose rows are series is not standardized by default; for a matrix that is no view use
#' `scale = FALSE` in [mkl()].
#'
#' @param sigma Width of the local kernel: a positive number, several (one kernel each), or
#'   `"median"`.
#' @param triangular Width of the band, a whole number or several; 0, the default, for none.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Cuturi, M. (2011). Fast global alignment kernels. In *Proceedings of the 28th International
#' Conference on Machine Learning*, 929-936.
#' @family kernels
#' @examples
#' wave <- function(n, shift) sin(seq(0, 6, length.out = n) + shift)
#' series <- list(wave(40, 0), wave(50, 0.2), wave(45, 3), wave(40, 3.1))
#' round(kernel_matrix(kernel_alignment(), series), 3)
#'
#' plants <- views(growth = series)
#' fit <- easymkl(plants, factor(c("a", "a", "b", "b")))
#' predict(fit, views(growth = list(wave(60, 0.1))))
#' @export
kernel_alignment <- function(sigma = "median", triangular = 0, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  if (is.character(sigma)) {
    for (one in sigma) check_choice(one, "sigma", "median")
  } else {
    sigma <- check_width(sigma, "sigma")
  }
  triangular <- check_numbers(triangular, "triangular", 0, .Machine$integer.max, whole = TRUE)
  new_kernel(
    "alignment", list(sigma = sigma, triangular = triangular), on, normalize, width = "sigma",
    reads = c("series", "numbers"), rule = "alignment"
  )
}
