#' Multiple kernel learning by the level method
#'
#' @description
#' Solves the convex problem of [simplemkl()] by cutting planes, like [silpmkl()]. Each step is
#' the projection onto a level set between the bounds of the optimum, which gives shorter and
#' fewer steps.
#'
#' @details
#' Let \eqn{h_t(d)} be the largest of the cuts so far, \eqn{\underline f}{f_lower} its minimum
#' over the simplex and \eqn{\overline f}{f_upper} the best objective so far. The next weights are
#' (algorithm 1 of Xu and others, 2008)
#' \deqn{d_{t+1} = \arg\min_d \; \frac12 \|d - d_t\|^2 \quad \mathrm{subject\ to} \quad
#'   h_t(d) \le \lambda \overline f + (1 - \lambda) \underline f}{
#'   d_(t+1) = argmin_d ||d - d_t||^2 / 2
#'   subject to h_t(d) <= lambda f_upper + (1 - lambda) f_lower}
#' over the simplex, a small quadratic program solved by an interior point method. The objective
#' path contains the best value so far.
#'
#' # Choosing parameters
#' * `level`: the \eqn{\lambda} above. Smaller values take longer steps. The paper uses 0.9, which
#'   takes several times as many steps as 0.5.
#' * The others as for [simplemkl()].
#'
#' @inheritParams simplemkl
#' @param level Position of the level between the lower bound (0) and the upper bound (1) of the
#'   optimum, in (0, 1); smaller values take longer steps.
#' @return `levelmkl()`: a fit of class `mkl_levelmkl` and `mkl`, see [mkl()]. `learner_levelmkl()`:
#'   a learner, class `mkl_learner`.
#' @references
#' Xu, Z., Jin, R., King, I. and Lyu, M. R. (2008). An extended level method for efficient multiple
#' kernel learning. In *Advances in Neural Information Processing Systems 21*, 1825-1832.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- levelmkl(Species ~ ., two)
#' kernel_weights(fit)
#' duality_gap(fit)
#' @rdname levelmkl
#' @order 2
#' @export
learner_levelmkl <- function(cost = 1, gap = 1e-2, level = 0.5, epsilon = 0.1, nu = 0.1,
                             iterations = 1000, ...) {
  check_dots(...)
  parameters <- convex_parameters(cost, gap, epsilon, nu, iterations)
  parameters$level <- check_number(level, "level", 0, 1, open = c(TRUE, TRUE))
  convex_learner(
    "levelmkl", "Multiple kernel learning by the level method", parameters, learner_levelmkl,
    work = c(6, 2)
  )
}

#' @rdname levelmkl
#' @order 1
#' @export
levelmkl <- named_method(learner_levelmkl)
