#' Tanimoto (Jaccard) kernel for fingerprints
#'
#' Similarity of binary or count fingerprints, such as those of molecules: the features shared by
#' two fingerprints, relative to all features of both. For 0/1 data this is the Jaccard index.
#' Sparse matrices of the package Matrix stay sparse.
#'
#' @details
#' \deqn{k(x, z) = \frac{x^\top z}{x^\top x + z^\top z - x^\top z}
#'   }{k(x, z) = x'z / (x'x + z'z - x'z)}
#' Two fingerprints of zeros are identical, \eqn{k(0, 0) = 1}, and have similarity 0 to all others,
#' \eqn{k(0, z) = 0}; the kernel is positive semi-definite with this rule too. The similarity of
#' every fingerprint to itself is 1.
#'
#' Values must be non-negative: 0 and 1, or counts. Columns used by this kernel are not
#' standardized, unless requested by `scale` in [views()].
#'
#' # Choosing parameters
#' The kernel has no parameters. Combine it with other kernels in [kernel_set()], or use a power
#' of it, `kernel_tanimoto() * kernel_tanimoto()`, to give near neighbors more weight.
#'
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Ralaivola, L., Swamidass, S. J., Saigo, H. and Baldi, P. (2005). Graph kernels for chemical
#' informatics. *Neural Networks* 18, 1093-1110.
#' @family kernels
#' @examples
#' fingerprints <- rbind(a = c(1, 1, 0, 1), b = c(1, 0, 0, 1), none = 0)
#' kernel_matrix(kernel_tanimoto(), fingerprints)
#' @export
kernel_tanimoto <- function(on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel("tanimoto", list(), on, normalize, nonnegative = TRUE, sparse = TRUE)
}
