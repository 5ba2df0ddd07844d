#' Multiple kernel learning by the ratio of radius and margin (GRAM)
#'
#' @description
#' Computes the kernel weights that minimize the ratio of the radius of the data and the margin of
#' the classes in the feature space, and fits a support vector machine to the weighted sum of the
#' kernels. `gram()` fits it; `learner_gram()` is the specification for [mkl()].
#'
#' @details
#' The problem of Lauriola, Polato and Aiolli (2017) is
#' \deqn{\min_{d \ge 0, \sum d_m = 1} \frac{R^2(d)}{\rho^2(d)},}{
#'   min R^2(d) / rho^2(d) over d >= 0 of sum 1,} with the kernel \eqn{\sum_m d_m K_m}{sum_m d_m
#' K_m}, the squared radius of the smallest ball that contains all rows,
#' \deqn{R^2(d) = \max_{a \ge 0, \sum a_i = 1} \sum_m d_m p_m(a), \quad
#'   p_m(a) = \sum_i a_i K_{m,ii} - a'K_m a,}{
#'   R^2(d) = max sum_m d_m p_m(a) over a >= 0 of sum 1,  p_m(a) = sum_i a_i K_m,ii - a'K_m a,}
#' and the squared distance of the convex hulls of the two classes,
#' \deqn{\rho^2(d) = \min_\gamma \sum_m d_m q_m(\gamma), \quad q_m(\gamma) = \gamma'YK_mY\gamma}{
#'   rho^2(d) = min sum_m d_m q_m(g),  q_m(g) = g'Y K_m Y g}
#' over distributions \eqn{\gamma}{g} over each class. A small ratio bounds the error of a
#' hard-margin support vector machine. The ratio does not change if a kernel is multiplied by a
#' number.
#'
#' The first quantity is a maximum and the second a minimum of linear functions of d: the ratio has
#' no local minima other than global ones, and for any a and \eqn{\gamma}{g} it is at least
#' \eqn{\min_m p_m(a) / q_m(\gamma)}{min_m p_m(a) / q_m(g)}. [duality_gap()] is the difference from
#' that bound, relative to the ratio, so that a fit has converged if its ratio is within `tolerance`
#' of the smallest possible one. [objective()] is the ratio.
#'
#' # Details not specified in the paper
#' * The minimum is found by spectral projected gradients from equal weights, instead of a fixed
#'   learning rate.
#' * The final model is a support vector machine with cost `cost`.
#' * If the classes overlap under the average of the kernels there is no margin, and an error says
#'   so. Observation weights are used by the support vector machine only.
#' * With several classes each pair of classes has its own weights.
#'
#' # Choosing parameters
#' * `kernels`: many kernels of different complexity, of which at least one separates the classes,
#'   such as [kernel_rbf()] of several widths or [kernel_polynomial()] of several degrees.
#' * `tolerance`: 0.01 is enough for the weights; smaller values need more iterations.
#' * `cost`: by cross-validation, as for [learner_svm()].
#'
#' @inheritParams cka
#' @param cost Cost of training errors of the support vector machine, a positive number; larger
#'   values fit the training data more closely.
#' @param tolerance Relative gap of the ratio at which the weights have converged, a positive
#'   number.
#' @param iterations Maximum number of iterations.
#' @return `gram()`: a fit of class `mkl_gram` and `mkl`, see [mkl()]. `learner_gram()`: a learner,
#'   class `mkl_learner`.
#' @references
#' Lauriola, I., Polato, M. and Aiolli, F. (2017). Radius-margin ratio optimization for dot-product
#' Boolean kernel learning. In *Artificial Neural Networks and Machine Learning, ICANN 2017*,
#' 183-191. Springer.
#' @family learners
#' @seealso [kernel_measures()]
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- gram(Species ~ ., two, kernels = kernel_rbf(2^(-2:1)))
#' kernel_weights(fit)
#' objective(fit)
#' @rdname gram
#' @order 2
#' @export
learner_gram <- function(cost = 1, tolerance = 0.01, iterations = 1000, ...) {
  check_dots(...)
  parameters <- list(
    cost = svm_parameters(cost, epsilon = 0.1, nu = 1)$cost,
    tolerance = check_number(tolerance, "tolerance", 0, open = c(TRUE, FALSE)),
    iterations = check_number(iterations, "iterations", 1, whole = TRUE)
  )
  svm_learner(
    name = "gram", label = "Radius-margin ratio (GRAM)", parameters = parameters,
    constructor = learner_gram, core = "gram", tasks = "classification", kernels = spread_kernels,
    normalize = "trace", stochastic = FALSE, path = character(),
    stopping = list(
      name = "tolerance", target = tolerance, unit = "", measure = "gap",
      words = "relative gap of the ratio", remedy = "`iterations`", relative = TRUE
    ),
    labels_inside = FALSE, approximate = FALSE, work = c(30, 2)
  )
}

#' @rdname gram
#' @order 1
#' @export
gram <- named_method(learner_gram)
