#' Cauchy kernel
#'
#' Similarity that decreases with the distance like the density of a Cauchy distribution, slower
#' than any Gaussian kernel, so that distant rows keep some similarity.
#'
#' @details
#' \deqn{k(x, z) = \frac{1}{1 + \|x - z\|^2 / \sigma^2}}{
#'   k(x, z) = 1 / (1 + |x - z|^2 / sigma^2)}
#' It is [kernel_rational_quadratic()] with \eqn{\alpha = 1} and width
#' \eqn{\sigma / \sqrt{2}}{sigma / sqrt(2)}.
#'
#' # Choosing parameters
#' Two rows at the distance `sigma` have the similarity 1/2. With the rule `"median"` this is the
#' similarity of a typical pair.
#'
#' @inheritParams kernel_rational_quadratic
#' @inherit kernel_linear return
#' @references
#' Basak, J. (2008). A least square kernel machine with box constraints. In *Proceedings of the
#' 19th International Conference on Pattern Recognition*.
#' @family kernels
#' @examples
#' kernel_cauchy(sigma = 2^(-1:1))
#' kernel_matrix(kernel_cauchy(1), diag(2))
#' @export
kernel_cauchy <- function(sigma = "median", on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel(
    "cauchy", list(sigma = check_width(sigma, "sigma")), on, normalize, width = "sigma",
    sparse = TRUE
  )
}
