#' SimpleMKL: sparse convex multiple kernel learning
#'
#' @description
#' Convex multiple kernel learning: estimates a support vector machine together with a sparse
#' convex combination of its kernels, by gradient or second-order descent over the weights.
#' `simplemkl()` fits it; `learner_simplemkl()` is the specification for [mkl()].
#'
#' @details
#' # The problem
#' [simplemkl()], [silpmkl()], [levelmkl()] and [glmkl()] solve the same convex problem (equation 9
#' of Rakotomamonjy and others, 2008). Over weights \eqn{d \ge 0} with \eqn{\sum_m d_m = 1}{sum_m
#' d_m = 1} they minimize
#' \deqn{J(d) = \max_a \; \sum_i a_i - \frac12 \sum_m d_m \, S_m(a), \qquad
#'   S_m(a) = a' Y K_m Y a,}{
#'   J(d) = max_a sum_i a_i - sum_m d_m S_m(a) / 2,  S_m(a) = a' Y K_m Y a,}
#' where the maximum is over the feasible dual variables \eqn{a} of the support vector machine.
#' Regression and one-class problems have their own linear terms; with the squared hinge loss the
#' term is \eqn{\sum_i a_i - a_i^2 / (4 C_i)}{sum_i (a_i - a_i^2 / (4 C_i))}. The solution is
#' sparse: kernels that do not decrease the objective get the weight 0. Any \eqn{a} gives the
#' lower bound \eqn{\sum_i a_i - \frac12 \max_m S_m(a)}{sum_i a_i - max_m S_m(a) / 2} of the
#' optimum, so that every fit has a certificate: [duality_gap()] is the relative distance between
#' the best upper and lower bounds, including the inaccuracy of the support vector machine. A fit
#' that does not reach `gap` gives a warning, and [converged()] is `FALSE`.
#'
#' # The method
#' * `direction = "newton"` minimizes the second-order model of \eqn{J} over the simplex, a small
#'   quadratic program, followed by a line search to its solution. The second derivatives come
#'   from the support vectors between their bounds (Chapelle and Rakotomamonjy, 2008).
#' * `direction = "gradient"` follows the reduced gradient with respect to the largest weight, as
#'   in the paper: weights that reach 0 are removed from the direction while the objective
#'   decreases, followed by a line search. It needs more iterations of the same cost.
#'
#' Weights are projected onto the simplex after every step. The gap includes the rounding errors
#' of the quadratic forms, so that convergence is not reported by mistake when the sizes of
#' kernels differ by many orders of magnitude.
#'
#' Both start from equal weights, and each support vector machine starts from the previous one and
#' is solved only as accurately as the gap requires. A weight of 0 can become positive again.
#'
#' # Choosing parameters
#' * `cost`: as for [learner_svm()]. Normalized kernels (`normalize = "trace"`, the default here)
#'   make it comparable across kernels.
#' * `gap`: 1e-2 is enough for prediction; use 1e-4 to interpret weights.
#' * Narrow kernels: the objective is that of the training set. A kernel under which no two
#'   observations are similar fits every observation exactly, at an objective of about \eqn{2
#'   n_r}{2 n_r} at most, with \eqn{n_r} observations of the rarer class. If the cost of the
#'   errors of all wider kernels is higher, the narrowest kernel *is* the optimum, and other
#'   normalizations do not change this. This has occurred if a kernel of small width has most of
#'   the weight and the accuracy on new data is far below that on the training set. Decrease
#'   `cost` (by [tune_mkl()]), or leave out widths far below `sqrt(p)`. With a rare class use
#'   `class_weights = "balanced"`, which lowers the cost of the larger class, rather than class
#'   weights that increase the cost of the rare one.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For the
#'   learners `...` is not used.
#' @param cost Cost of errors on the training rows, a positive number; larger values fit the
#'   training rows more closely.
#' @param gap Tolerance of the stopping rule: relative duality gap, a positive number.
#' @param epsilon Half-width of the epsilon-insensitive tube for regression: smaller errors have
#'   no cost. A non-negative number, in standard deviations of the response.
#' @param nu Upper bound on the share of training rows treated as outliers in one-class fits, in
#'   (0, 1]. Not used otherwise.
#' @param direction Descent direction: `"newton"` (second order, default) or `"gradient"` (reduced
#'   gradient), see Details.
#' @param iterations Maximum number of iterations over the weights.
#' @param loss Loss function: `"hinge"` (default), `"squared_hinge"` for classification only, or
#'   `"squared"` for classification and regression; see [learner_svm()].
#' @return `simplemkl()`: a fit of class `mkl_simplemkl` and `mkl`, see [mkl()].
#'   `learner_simplemkl()`: a learner, class `mkl_learner`.
#' @references
#' Rakotomamonjy, A., Bach, F. R., Canu, S. and Grandvalet, Y. (2008). SimpleMKL. *Journal of
#' Machine Learning Research*, 9, 2491-2521.
#'
#' Chapelle, O. and Rakotomamonjy, A. (2008). Second order optimization of kernel parameters. In
#' *NIPS Workshop on Kernel Learning*.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- simplemkl(Species ~ ., two, gap = 1e-3)
#' kernel_weights(fit)
#' duality_gap(fit)
#' objective_path(fit)
#' @rdname simplemkl
#' @order 2
#' @export
learner_simplemkl <- function(cost = 1, gap = 1e-2, epsilon = 0.1, nu = 0.1,
                              direction = c("newton", "gradient"), iterations = 1000,
                              loss = c("hinge", "squared_hinge", "squared"), ...) {
  check_dots(...)
  parameters <- convex_parameters(cost, gap, epsilon, nu, iterations, loss)
  parameters$direction <- check_choice(direction, "direction", c("newton", "gradient"))
  convex_learner("simplemkl", "SimpleMKL", parameters, learner_simplemkl, work = c(15, 2))
}

#' @rdname simplemkl
#' @order 1
#' @export
simplemkl <- named_method(learner_simplemkl)

# The parameters that all learners of convex multiple kernel learning share.
convex_parameters <- function(cost, gap, epsilon, nu, iterations, loss = "hinge") {
  c(svm_parameters(cost, epsilon, nu, loss), list(
    gap = check_number(gap, "gap", 0, open = c(TRUE, FALSE)),
    iterations = check_number(iterations, "iterations", 1, whole = TRUE)
  ))
}

# The traits that they share.
convex_learner <- function(name, label, parameters, constructor, work, ...) {
  svm_learner(
    name = name, label = label, parameters = parameters, constructor = constructor, core = name,
    kernels = spread_kernels, normalize = "trace", stochastic = FALSE, path = "cost",
    stopping = stop_at_gap(parameters$gap), labels_inside = FALSE, approximate = TRUE, work = work,
    ...
  )
}
