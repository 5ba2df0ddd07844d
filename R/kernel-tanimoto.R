#' Tanimoto (Jaccard) kernel for fingerprints
#'
#' Similarity of binary or count fingerprints, such as those of molecules: what two fingerprints
#' share, relative to all that they hold. For 0/1 data this is the Jaccard index. Sparse matrices of
#' the package Matrix stay sparse.
#'
#' @details
#' \deqn{k(x, z) = \frac{x^\top z}{x^\top x + z^\top z - x^\top z}
#'   }{k(x, z) = x'z / (x'x + z'z - x'z)}
#' Two fingerprints of zeros are the same, \eqn{k(0, 0) = 1}, and share nothing with any other,
#' \eqn{k(0, z) = 0}; the kernel is positive semi-definite with this rule too. Every fingerprint has
#' the similarity 1 to itself.
#'
#' Values must be non-negative: 0 and 1, or counts. Fits do not standardize columns that this kernel
#' sees, unless `scale` in [views()] asks for it.
#'
#' # Choosing parameters
#' There is none. Combine it with others by [kernel_set()], or raise it to a power by a product,
#' `kernel_tanimoto() * kernel_tanimoto()`, to let near neighbors count more.
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
