#' Bray-Curtis kernel for counts
#'
#' Similarity of abundance data, such as counts of species or microbial taxa: one minus the
#' Bray-Curtis dissimilarity. Sparse matrices of the package Matrix stay sparse.
#'
#' @details
#' \deqn{k(x, z) = \frac{2 \sum_k \min(x_k, z_k)}{\sum_k (x_k + z_k)}
#'   }{k(x, z) = 2 sum_k min(x_k, z_k) / sum_k (x_k + z_k)}
#' Two rows of zeros are identical, \eqn{k(0, 0) = 1}, and have similarity 0 to all others,
#' \eqn{k(0, z) = 0}. The kernel is positive semi-definite, as the product of
#' [kernel_intersection()] and \eqn{1 / (a + b)} for the row sums a and b.
#'
#' Values must be non-negative. Columns used by this kernel are not standardized, unless requested
#' by `scale` in [views()].
#'
#' # Choosing parameters
#' The kernel has no parameters. With raw counts it also depends on the sequencing depth or
#' sampling effort; divide each row by its sum first if only proportions are relevant, or see
#' [kernel_aitchison()].
#'
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Bray, J. R. and Curtis, J. T. (1957). An ordination of the upland forest communities of southern
#' Wisconsin. *Ecological Monographs* 27, 325-349.
#' @family kernels
#' @examples
#' counts <- rbind(c(3, 0, 1), c(2, 2, 4), c(0, 5, 0))
#' kernel_matrix(kernel_bray_curtis(), counts)
#' @export
kernel_bray_curtis <- function(on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel("bray_curtis", list(), on, normalize, nonnegative = TRUE, sparse = TRUE)
}
