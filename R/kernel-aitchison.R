#' Aitchison kernel for compositions
#'
#' Similarity of compositional data, the positive parts of a whole, such as relative abundances or
#' concentrations. It depends on the ratios of the parts and not on the total.
#'
#' @details
#' With the centered log ratios
#' \deqn{\mathrm{clr}(x)_k = \log x_k - \frac{1}{p} \sum_{l=1}^p \log x_l
#'   }{clr(x)_k = log x_k - mean_l(log x_l)}
#' the kernel is
#' \deqn{k(x, z) = \mathrm{clr}(x)^\top \mathrm{clr}(z)}{k(x, z) = clr(x)'clr(z)}
#' and with a width `sigma`
#' \deqn{k(x, z) = \exp\Bigl(-\frac{\|\mathrm{clr}(x) - \mathrm{clr}(z)\|^2}{2 \sigma^2}\Bigr),
#'   }{k(x, z) = exp(-|clr(x) - clr(z)|^2 / (2 sigma^2)),}
#' a Gaussian kernel of the Aitchison distance. The parts are the columns used by the kernel; with
#' `on` they are the parts of a subcomposition.
#'
#' All parts must be positive, as the logarithm of zero is not defined; zeros and negative values
#' raise an error that names the row and column. A `pseudocount` is added to each value of each
#' part; zeros are then allowed, but the kernel depends on the totals. Columns used by this kernel
#' are not standardized, unless requested by `scale` in [views()].
#'
#' # Choosing parameters
#' Without `sigma` the kernel is linear in the log ratios, which is a common choice for many parts
#' and few cases. `sigma = "median"` fits smooth nonlinear functions of the log ratios. For counts
#' 0.5 or 1 are common pseudocounts; for proportions half of the smallest positive one.
#'
#' @param sigma `NULL` (default) for the inner product, or the width of the Gaussian kernel: a
#'   positive number, several (one kernel each), or a rule, see [kernel_rbf()].
#' @param pseudocount Number added to every value before taking logarithms: a non-negative number,
#'   or several.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Aitchison, J. (1982). The statistical analysis of compositional data. *Journal of the Royal
#' Statistical Society B* 44, 139-177.
#' @family kernels
#' @examples
#' shares <- rbind(c(0.2, 0.3, 0.5), c(0.1, 0.1, 0.8), c(0.4, 0.4, 0.2))
#' kernel_matrix(kernel_aitchison(), shares)
#' kernel_matrix(kernel_aitchison("median", pseudocount = 0.5), rbind(c(3, 0, 1), c(2, 2, 4)))
#' @export
kernel_aitchison <- function(sigma = NULL, pseudocount = 0, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  parameters <- list(
    sigma = if (!is.null(sigma)) check_width(sigma, "sigma"),
    pseudocount = check_numbers(pseudocount, "pseudocount", 0)
  )
  new_kernel(
    "aitchison", parameters, on, normalize, width = "sigma", positive = TRUE,
    core = aitchison_core, coordinates = log_ratios
  )
}

aitchison_core <- function(parameters) {
  out <- parameters["pseudocount"]
  if (!is.null(parameters$sigma)) out$gamma <- 1 / (2 * parameters$sigma^2)
  out
}

log_ratios <- function(x, parameters) {
  logs <- log(x + parameters$pseudocount)
  logs - rowMeans(logs)
}
