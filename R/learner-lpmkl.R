#' lp-norm and group lasso multiple kernel learning
#'
#' @description
#' `lpmkl()` learns non-sparse kernel weights under an lp-norm constraint (lp-norm multiple kernel
#' learning). `glmkl()` is the sparse case, the problem of [simplemkl()] in its group lasso form.
#' Both alternate between a support vector machine and a closed-form update of the weights.
#'
#' @details
#' Over weights \eqn{d \ge 0} with \eqn{\|d\|_p \le 1} they minimize the \eqn{J(d)} of
#' [simplemkl()]. Given the support vector machine, with \eqn{\|w_m\|^2 = d_m^2 S_m}, the best
#' weights are (equation 10 of Kloft and others, 2009; for \eqn{p = 1} equation 8 of Xu and others,
#' 2010)
#' \deqn{d_m = \frac{\|w_m\|^{2/(p+1)}}{\Bigl(\sum_k \|w_k\|^{2p/(p+1)}\Bigr)^{1/p}}.}{
#'   d_m = ||w_m||^(2 / (p + 1)) / (sum_k ||w_k||^(2 p / (p + 1)))^(1 / p).}
#' The step is repeated in the same direction as long as the objective decreases, which saves most
#' of the iterations. The relative duality gap uses the dual norm of \eqn{S}: for \eqn{p = 1} it
#' is the one of [simplemkl()].
#'
#' With \eqn{p > 1} every kernel with \eqn{S_m > 0} has a positive weight; weights below 1e-12 of
#' the largest are set to 0. For large \eqn{p} the weights tend to be equal, and \eqn{p = 1} is
#' `glmkl()`.
#'
#' # Choosing parameters
#' * `p`: 1 to 1.1 if few kernels are informative, 2 or more if all are; try `c(1, 8/7, 4/3, 2,
#'   4)` by cross-validation.
#' * `cost`, `gap`: as for [simplemkl()]. The sum of the weights grows with `p`, up to the number
#'   of kernels, which has the effect of a larger cost.
#'
#' @inheritParams simplemkl
#' @param p Norm constraint on the weights, a number of at least 1: values near 1 give sparse
#'   weights, large values nearly equal weights.
#' @return `lpmkl()` and `glmkl()`: a fit of class `mkl`, see [mkl()]. `learner_lpmkl()` and
#'   `learner_glmkl()`: a learner, class `mkl_learner`.
#' @references
#' Kloft, M., Brefeld, U., Sonnenburg, S., Laskov, P., Müller, K.-R. and Zien, A. (2009). Efficient
#' and accurate lp-norm multiple kernel learning. In *Advances in Neural Information Processing
#' Systems 22*, 997-1005.
#'
#' Xu, Z., Jin, R., Yang, H., King, I. and Lyu, M. R. (2010). Simple and efficient multiple kernel
#' learning by group lasso. In *Proceedings of the 27th International Conference on Machine
#' Learning*, 1175-1182.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' kernel_weights(lpmkl(Species ~ ., two, p = 2))
#' kernel_weights(glmkl(Species ~ ., two))
#' @rdname lpmkl
#' @order 3
#' @export
learner_lpmkl <- function(p = 2, cost = 1, gap = 1e-2, epsilon = 0.1, nu = 0.1, iterations = 1000,
                          ...) {
  check_dots(...)
  parameters <- c(list(p = check_number(p, "p", 1)),
                  convex_parameters(cost, gap, epsilon, nu, iterations))
  convex_learner(
    "lpmkl", "lp-norm multiple kernel learning", parameters, learner_lpmkl,
    grid = list(cost = 10^(-2:3), p = c(1.1, 2, 4)), work = c(6, 2)
  )
}

#' @rdname lpmkl
#' @order 1
#' @export
lpmkl <- named_method(learner_lpmkl)

#' @rdname lpmkl
#' @order 4
#' @export
learner_glmkl <- function(cost = 1, gap = 1e-2, epsilon = 0.1, nu = 0.1, iterations = 1000, ...) {
  check_dots(...)
  convex_learner(
    "glmkl", "Group lasso multiple kernel learning",
    convex_parameters(cost, gap, epsilon, nu, iterations), learner_glmkl, work = c(6, 2)
  )
}

#' @rdname lpmkl
#' @order 2
#' @export
glmkl <- named_method(learner_glmkl)
