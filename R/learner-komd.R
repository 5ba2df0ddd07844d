#' KOMD: classification by optimizing the margin distribution
#'
#' @description
#' KOMD (kernel method for the optimization of the margin distribution) is a classifier that
#' separates the nearest weighted means of the two classes. [easymkl()] is based on it. `komd()`
#' fits it; `learner_komd()` is the specification for [mkl()].
#'
#' @details
#' With \eqn{Y = \mathrm{diag}(y)}{Y = diag(y)} and \eqn{K = \sum_m d_m K_m}{K = sum_m d_m K_m}
#' for fixed weights \eqn{d}, KOMD solves the problem of section 2 of Aiolli and Donini (2014),
#' \deqn{\min_{\gamma \in \Gamma} \; (1 - \lambda) \, \gamma' Y K Y \gamma + \lambda \,
#'   \gamma' \gamma,}{
#'   min over gamma in Gamma of (1 - lambda) gamma' Y K Y gamma + lambda gamma'gamma,}
#' where \eqn{\Gamma} holds the \eqn{\gamma \ge 0} whose sum is 1 over the positive rows and 1 over
#' the negative ones. For \eqn{\lambda = 0} the solution is the pair of nearest points of the two
#' convex hulls (the support vector machine without errors), for \eqn{\lambda = 1} the means of
#' the classes, every row with the same weight. The decision value is
#' \deqn{f(x) = \sum_i y_i \gamma_i K(x_i, x) + b, \quad b = -\frac12 \gamma' K Y \gamma.}{
#'   f(x) = sum_i y_i gamma_i K(x_i, x) + b,  b = -gamma' K Y gamma / 2.}
#' The paper ranks rows and needs no bias \eqn{b}; here the bias places the boundary in the middle
#' between the two points, so that classes can be predicted as well.
#'
#' The solver moves mass between two rows of one class at a time, chosen with second-order
#' information, until no such move would change the gradient by more than a thousandth of `tol` of
#' [mkl_control()] (that is 1e-6 by default) times the mean diagonal of the matrix. [objective()]
#' is the value of the objective function, [duality_gap()] an upper bound of its distance from the
#' minimum.
#'
#' If the convex hulls of the classes overlap under the kernel, their nearest points coincide.
#' With \eqn{\lambda = 0} the minimum is then 0 and the decision values are rounding errors. Such
#' a fit gives a warning and [converged()] is `FALSE`, because the gap is not smaller than the
#' objective. Increase `lambda`.
#'
#' KOMD has no cost: weights of rows and classes are refused.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `lambda`: between 0 (the solution depends on the rows near the boundary; only for classes
#'   that the kernel separates) and 1 (all rows have the same weight). It balances a quadratic
#'   form of the kernel against terms of size 1/n, so its effect depends on the scale of the
#'   kernel: try 0, 0.1, 0.5, 0.9, 0.99 by cross-validation.
#' * `weights`: with several kernels they must be given; [easymkl()] finds them.
#' * `probability = TRUE` calibrates the decision values, which are not on the scale of a margin.
#'
#' Without `kernels` one Gaussian kernel is used, as for [learner_svm()]; kernels are not
#' normalized by default.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_komd()` `...` is not used.
#' @param lambda Regularization parameter in \[0, 1\]; larger values give more equal weights to
#'   the rows of a class.
#' @param weights Fixed kernel weights: non-negative numbers, one for each kernel, in the order of
#'   the set or named by the kernels; `NULL` for a single kernel.
#' @return `komd()`: a fit of class `mkl_komd` and `mkl`, see [mkl()]. `learner_komd()`: a learner,
#'   class `mkl_learner`.
#' @references
#' Aiolli, F., Da San Martino, G. and Sperduti, A. (2008). A kernel method for the optimization of
#' the margin distribution. In *Artificial Neural Networks - ICANN 2008*, 305-314. Springer.
#'
#' Aiolli, F. and Donini, M. (2014). Easy multiple kernel learning. In *Proceedings of the European
#' Symposium on Artificial Neural Networks*.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- komd(Species ~ ., two, lambda = 0.1)
#' fit
#' table(predict(fit, two), two$Species)
#' @rdname komd
#' @order 2
#' @export
learner_komd <- function(lambda = 0.1, weights = NULL, ...) {
  check_dots(...)
  parameters <- list(
    lambda = check_number(lambda, "lambda", 0, 1), weights = check_kernel_weights(weights)
  )
  new_learner(
    name = "komd", like = NULL, label = "Margin distribution machine (KOMD)",
    parameters = parameters, constructor = learner_komd, core = "komd", tasks = "classification",
    takes = kernel_limits(), kernels = one_gaussian, normalize = "none", costs = FALSE,
    stochastic = FALSE, path = "lambda", grid = list(lambda = seq(0, 1, 0.1)),
    stopping = stop_at_tol(), margins = FALSE, linear = TRUE, product = FALSE,
    labels_inside = FALSE, approximate = TRUE, used_for = list(), work = c(10, 2)
  )
}

#' @rdname komd
#' @order 1
#' @export
komd <- named_method(learner_komd)

#' @export
learner_core.mkl_learner_komd <- function(learner, items, frame) {
  fixed_weights(learner, items, "learner_easymkl()")
}
