#' Global alignment kernel for time series
#'
#' Similarity of time series of different lengths. Like dynamic time warping it aligns two series,
#' but it sums over all alignments instead of using the best one. It is positive definite, unlike
#' kernels based on the dynamic time warping distance.
#'
#' @details
#' An alignment pairs the time points of two series in increasing order. With the local kernel
#' \eqn{\kappa} the sum over all alignments \eqn{\pi} is
#' \deqn{k_0(x, z) = \sum_\pi \prod_{(i, j) \in \pi} \kappa(x_i, z_j), \qquad
#'   \kappa = \frac{g}{2 - g}, \qquad g(x_i, z_j) = w_{ij}
#'   \exp\Bigl(-\frac{\|x_i - z_j\|^2}{2 \sigma^2}\Bigr)}{k0(x, z) = sum over alignments of
#'   prod kappa(x_i, z_j),  kappa = g / (2 - g),  g = w_ij exp(-|x_i - z_j|^2 / (2 sigma^2))}
#' (Cuturi 2011), and the kernel is
#' \deqn{k(x, z) = \exp\Bigl(\log k_0(x, z) - \tfrac12 \log k_0(x, x) - \tfrac12 \log k_0(z, z)
#'   \Bigr).}{k(x, z) = exp(log k0(x, z) - (log k0(x, x) + log k0(z, z)) / 2).}
#' \eqn{k_0} grows or decays exponentially with the lengths, which would cause overflow or
#' underflow; it is therefore always normalized in this way, and the sum is computed on the log
#' scale.
#'
#' \eqn{w_{ij}} is 1, or \eqn{\max(0, 1 - |i - j| / T)}{max(0, 1 - |i - j| / T)} for `triangular`
#' T > 0: only time points less than T apart are paired, and series whose lengths differ by T or
#' more have the value 0. The time for a pair of series of lengths n and m grows with n m, or with
#' a band with T max(n, m).
#'
#' The series are the elements of a list: numeric vectors, or matrices with a row for each time
#' point and a column for each channel. The columns of a matrix of numbers, or of those columns of
#' a data frame that `on` names, are treated as one series in each row, with successive time
#' points in the columns.
#'
#' # Choosing parameters
#' `sigma = "median"` is the starting point of Cuturi (2011): the median distance between time
#' points of different training series (of up to 2000 time points), multiplied by the square root
#' of the median length. Multiples from 0.2 to 5 are reasonable. If `sigma` is too small, all
#' off-diagonal values are near 0. `triangular` of 0.2 to 0.5 times the median length saves time
#' and excludes implausible alignments; it must be larger than the largest difference of lengths.
#'
#' Standardize each series first if its level and scale are not informative. A view whose rows are
#' series is not standardized by default; for a matrix that is not a view use `scale = FALSE` in
#' [mkl()].
#'
#' @param sigma Width of the local kernel: a positive number, several (one kernel each), or
#'   `"median"`.
#' @param triangular Maximum time shift in alignments (width of the band): a whole number or
#'   several; 0 (default) for no limit.
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
