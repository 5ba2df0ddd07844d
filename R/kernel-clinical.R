#' Clinical kernel for mixed tables
#'
#' Similarity of the rows of a table with numbers, ordered and unordered categories, such as
#' clinical data: each variable contributes its own similarity between 0 and 1, whatever its unit.
#' It is the default kernel of a view (see [views()]) that is a data frame with categories.
#'
#' @details
#' \deqn{k(x, z) = \frac{1}{p} \sum_{v=1}^p s_v(x_v, z_v)}{k(x, z) = 1/p sum_v s_v(x_v, z_v)}
#' over the p variables (columns of the data frame), not over indicators, with
#' * \eqn{s_v(a, b) = \max(0, (r_v - |a - b|) / r_v)}{s_v(a, b) = max(0, (r_v - |a - b|) / r_v)} for
#'   numbers, and for ordered factors by the ranks of their levels;
#' * \eqn{s_v(a, b) = 1}{s_v(a, b) = 1} if a = b, else 0, for factors and text.
#'
#' The range \eqn{r_v} is that of the training rows, stored in the fit. New values outside of it are
#' used as they are: similarities of values further apart than the range are 0. A column that is
#' constant in the training rows counts as a category: new rows with another value differ from all
#' training rows in it. A level that the fit did not see is equal to none of its levels; that is no
#' error if no other kernel sees the factor. `new_levels = "missing"` in [predict()][predict.mkl]
#' gives `NA` for such rows. TRUE and FALSE are numbers with range 1. The columns of a matrix are
#' numbers.
#'
#' The kernel is the same whether columns are standardized or not.
#'
#' # Choosing parameters
#' There is none. All variables have the same weight; give groups of variables kernels of their own,
#' `kernel_set(kernel_clinical(on = "age"), kernel_clinical(on = c("grade", "size")))`, and let the
#' learner weigh them. Numbers with a few extreme values are best transformed first, as their range
#' makes all others look alike.
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
