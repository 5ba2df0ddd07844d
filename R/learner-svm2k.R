#' SVM-2K: support vector machine on two views
#'
#' @description
#' SVM-2K trains a support vector machine on each of two kernels, which represent two views of the
#' same rows, with a penalty on the disagreement of their decision values. `svm2k()` fits it;
#' `learner_svm2k()` is the specification for [mkl()].
#'
#' @details
#' For kernels A and B with decision functions \eqn{f_A} and \eqn{f_B} it solves (equation 1 of
#' Farquhar and others, 2005)
#' \deqn{\min \; \frac12 \|w_A\|^2 + \frac12 \|w_B\|^2 + C \sum_i (\xi_i^A + \xi_i^B) +
#'   D \sum_i \eta_i}{
#'   min ||w_A||^2 / 2 + ||w_B||^2 / 2 + C sum_i (xi_iA + xi_iB) + D sum_i eta_i}
#' subject to \eqn{y_i f_A(x_i) \ge 1 - \xi_i^A}, \eqn{y_i f_B(x_i) \ge 1 - \xi_i^B} and
#' \eqn{|f_A(x_i) - f_B(x_i)| \le \eta_i + \epsilon}. The decision value is
#' \eqn{(f_A(x) + f_B(x)) / 2}; with `coupling = 0` the two support vector machines are
#' independent. The paper has two costs; here they are equal.
#'
#' The dual is solved by an interior point method on matrices of twice the number of rows, which
#' is fast up to about a thousand rows. [objective()] is the value of the dual, [objective_path()]
#' its value after each iteration (iterates need not be feasible, so that it may increase and
#' decrease), and [duality_gap()] the primal minus the dual value. A fit whose gap is above `tol`
#' of [mkl_control()] times the primal value gives a warning, and so does a fit with an indefinite
#' kernel, for which the optimum may not be unique.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `cost`: as for [learner_svm()]; `coupling`: similar to `cost`, or by cross-validation;
#'   `epsilon`: difference of the decision values without cost, on the scale of the margin.
#' * `kernels`: exactly two. Without them a Gaussian and a linear kernel are used.
#'
#' @inheritParams simplemkl
#' @param coupling Cost \eqn{D} of disagreement between the two views, a non-negative number;
#'   larger values make their decision values more similar.
#' @param epsilon Disagreement without cost: a non-negative number, on the scale of the decision
#'   values.
#' @return `svm2k()`: a fit of class `mkl_svm2k` and `mkl`, see [mkl()]. `learner_svm2k()`: a
#'   learner, class `mkl_learner`.
#' @references
#' Farquhar, J. D. R., Hardoon, D. R., Meng, H., Shawe-Taylor, J. and Szedmak, S. (2005). Two view
#' learning: SVM-2K, theory and practice. In *Advances in Neural Information Processing Systems 18*,
#' 355-362.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' views <- kernel_set(
#'   sepal = kernel_rbf(sigma = 1, on = c("Sepal.Length", "Sepal.Width")),
#'   petal = kernel_rbf(sigma = 1, on = c("Petal.Length", "Petal.Width"))
#' )
#' fit <- svm2k(Species ~ ., two, kernels = views)
#' fit
#' mean(predict(fit, two) == two$Species)
#' @rdname svm2k
#' @order 2
#' @export
learner_svm2k <- function(cost = 1, coupling = 1, epsilon = 0.1, ...) {
  check_dots(...)
  parameters <- list(
    cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE)),
    coupling = check_number(coupling, "coupling", 0),
    epsilon = check_number(epsilon, "epsilon", 0)
  )
  new_learner(
    name = "svm2k", like = NULL, label = "Two-view support vector machine (SVM-2K)",
    parameters = parameters, constructor = learner_svm2k, core = "svm2k", tasks = "classification",
    takes = kernel_limits(2, 2, "Give them by `kernels = kernel_set(a, b)`."),
    kernels = two_views, normalize = "trace", costs = TRUE, stochastic = FALSE,
    path = character(), grid = list(cost = 10^(-2:3)),
    stopping = list(
      name = "tol", target = NULL, unit = " of the primal value", measure = "gap",
      words = "duality gap", remedy = "`tol` in mkl_control()", relative = FALSE
    ),
    margins = TRUE, linear = TRUE, product = FALSE, labels_inside = FALSE,
    approximate = FALSE, used_for = list(), work = c(40, 2)
  )
}

#' @rdname svm2k
#' @order 1
#' @export
svm2k <- named_method(learner_svm2k)
