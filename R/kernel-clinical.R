#' Clinical kernel for mixed numeric and categorical data
#'
#' Similarity of rows with numeric, ordinal and categorical variables, such as clinical data. Each
#' variable contributes a similarity between 0 and 1, independent of its unit. It is the default
#' kernel of a view (see [views()]) that is a data frame with categories.
#'
#' @details
#' \deqn{k(x, z) = \frac{1}{p} \sum_{v=1}^p s_v(x_v, z_v)}{k(x, z) = 1/p sum_v s_v(x_v, z_v)}
#' over the p variables (columns of the data frame), not over indicators, with
#' * \eqn{s_v(a, b) = \max(0, (r_v - |a - b|) / r_v)}{s_v(a, b) = max(0, (r_v - |a - b|) / r_v)}
#'   for numeric variables, and for ordered factors with the ranks of their levels;
#' * \eqn{s_v(a, b) = 1}{s_v(a, b) = 1} if a = b and 0 otherwise, for factors and text.
#'
#' The range \eqn{r_v} is estimated from the training rows and stored in the fit. New values
#' outside of the range are allowed: the similarity of values further apart than the range is 0. A
#' column that is constant in the training rows is treated as a category: its similarity is 0 for
#' new rows with another value. A new level of a factor differs from all training levels; it does
#' not raise an error if no other kernel uses the factor. `new_levels = "missing"` in
#' [predict()][predict.mkl] gives `NA` for such rows. Logical variables are treated as numbers
#' with range 1. The columns of a matrix are numeric variables.
#'
#' The kernel does not depend on whether columns are standardized.
#'
#' # Choosing parameters
#' The kernel has no parameters. All variables have the same weight; use separate kernels for
#' groups of variables, `kernel_set(kernel_clinical(on = "age"), kernel_clinical(on = c("grade",
#' "size")))`, to let the learner estimate weights. Transform variables with a few extreme values
#' first, because these determine the range and make all other values similar.
#'
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Daemen, A. and De Moor, B. (2009). Development of a kernel function for clinical data.
#' *Proceedings of the 31st Annual International Conference of the IEEE EMBS*, 5913-5917.
#' @family kernels
#' @examples
#' patients <- data.frame(
#'   age = c(40, 60, 50), sex = factor(c("f", "m", "f")),
#'   grade = factor(c("low", "high", "mid"), c("low", "mid", "high"), ordered = TRUE)
#' )
#' kernel_matrix(kernel_clinical(), patients)
#' @export
kernel_clinical <- function(on = NULL, normalize = NULL, ...) {
  check_dots(...)
  new_kernel(
    "clinical", list(), on, normalize, scaling = "any", learn = clinical_layout, table = TRUE
  )
}
