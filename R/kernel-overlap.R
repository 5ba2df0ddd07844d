#' Overlap kernel for categorical data
#'
#' Proportion of categorical variables with equal values in two rows (Dirac kernel, simple
#' matching), for factors, genotypes or survey answers.
#'
#' @details
#' \deqn{k(x, z) = \frac{1}{p} \sum_{v=1}^p [x_v = z_v]}{k(x, z) = 1/p sum_v [x_v = z_v]}
#' over the p categorical variables: factors (including ordered factors), text and logical
#' variables. Numeric columns of a data frame are not used, unless `on` names them or there are no
#' categorical columns. The values of such columns, and of a matrix, are treated as codes of
#' categories.
#'
#' A new level differs from all training levels; it does not raise an error if no other kernel
#' uses the factor. `new_levels = "missing"` in [predict()][predict.mkl] gives `NA` for such rows.
#'
#' Where no other kernel reads them, factors with many levels take no more memory than their values:
#' there is no matrix of rows by levels.
#'
#' # Choosing parameters
#' The kernel has no parameters. [kernel_clinical()] also uses numeric variables and the order of
#' levels.
#'
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Boriah, S., Chandola, V. and Kumar, V. (2008). Similarity measures for categorical data: a
#' comparative evaluation. *Proceedings of the SIAM International Conference on Data Mining*,
#' 243-254.
#' @family kernels
#' @examples
#' answers <- data.frame(a = c("yes", "no", "yes"), b = factor(c("x", "x", "y")))
#' kernel_matrix(kernel_overlap(), answers)
#' @export
kernel_overlap <- function(on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel(
    "overlap", list(), on, normalize, scaling = "any", learn = overlap_layout, table = TRUE,
    sparse = TRUE
  )
}
