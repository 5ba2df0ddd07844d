#' Multiple kernel learning by semi-infinite linear programming (SILP)
#'
#' @description
#' Solves the convex problem of [simplemkl()] by cutting planes (SILP): every support vector
#' machine gives a linear lower bound of the objective, and the next weights minimize the maximum
#' of these bounds.
#'
#' @details
#' With the solutions \eqn{a_1, \dots, a_t} so far the next weights solve the linear program
#' (equation 11 of Sonnenburg and others, 2006)
#' \deqn{\min_{d, \theta} \; \theta \quad \mathrm{subject\ to} \quad
#'   \theta \ge \sum_i a_{ki} - \frac12 \sum_m d_m S_m(a_k), \; k = 1, \dots, t, \quad
#'   d \ge 0, \; \sum_m d_m = 1,}{
#'   min theta over d and theta
#'   subject to theta >= sum_i a_ki - sum_m d_m S_m(a_k) / 2, k = 1, ..., t,
#'   d >= 0, sum_m d_m = 1,}
#' whose value is a lower bound of the optimum. The program is solved by an interior point method.
#' The first iterates are vertices of the simplex, so that many support vector machines may be
#' needed; [levelmkl()] takes shorter steps, [simplemkl()] needs the fewest. The objective path
#' contains the best value so far.
#'
#' # Choosing parameters
#' As for [simplemkl()].
#'
#' @inheritParams simplemkl
#' @return `silpmkl()`: a fit of class `mkl_silpmkl` and `mkl`, see [mkl()]. `learner_silpmkl()`: a
#'   learner, class `mkl_learner`.
#' @references
#' Sonnenburg, S., Rätsch, G., Schäfer, C. and Schölkopf, B. (2006). Large scale multiple kernel
#' learning. *Journal of Machine Learning Research*, 7, 1531-1565.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- silpmkl(Species ~ ., two)
#' kernel_weights(fit)
#' duality_gap(fit)
#' @rdname silpmkl
#' @order 2
#' @export
learner_silpmkl <- function(cost = 1, gap = 1e-2, epsilon = 0.1, nu = 0.1, iterations = 1000, ...) {
  check_dots(...)
  convex_learner(
    "silpmkl", "Multiple kernel learning by semi-infinite linear programming",
    convex_parameters(cost, gap, epsilon, nu, iterations), learner_silpmkl,
    work = c(12, 2)
  )
}

#' @rdname silpmkl
#' @order 1
#' @export
silpmkl <- named_method(learner_silpmkl)
