#' SimpleMKL
#'
#' @description
#' Convex multiple kernel learning: a support vector machine and the weights of its kernels, learned
#' together. `simplemkl()` is the reference method for it, by descent over the weights;
#' `learner_simplemkl()` is the specification for [mkl()].
#'
#' @details
#' # The problem
#' [simplemkl()], [silpmkl()], [levelmkl()] and [glmkl()] solve the same convex problem (equation 9
#' of Rakotomamonjy and others, 2008). Over weights \eqn{d \ge 0} with \eqn{\sum_m d_m = 1} they
#' minimize
#' \deqn{J(d) = \max_a \; \sum_i a_i - \frac12 \sum_m d_m \, S_m(a), \qquad
#'   S_m(a) = a' Y K_m Y a,}{
#'   J(d) = max_a sum_i a_i - sum_m d_m S_m(a) / 2,  S_m(a) = a' Y K_m Y a,}
#' where \eqn{a} runs over the feasible points of the support vector machine. Regression and
#' one-class problems replace the linear term by theirs, and so does the squared hinge loss, by
#' \eqn{\sum_i a_i - a_i^2 / (4 C_i)}{sum_i (a_i - a_i^2 / (4 C_i))}. The solution is sparse:
#' kernels that do not help get the weight 0. Any \eqn{a} bounds the optimum from below by
#' \eqn{\sum_i a_i - \frac12 \max_m S_m(a)}, so that every fit carries a certificate:
#' [duality_gap()] is the relative distance of the best bounds from above and below, the
#' inaccuracy of the support vector machine included. A fit that does not reach `gap` warns, and
#' [converged()] says so.
#'
#' # The method
#' * `direction = "newton"` minimizes the second-order model of \eqn{J} over the simplex, a small
#'   quadratic program, and searches along the line to its solution. The second derivatives come
#'   from the support vectors between their bounds (Chapelle and Rakotomamonjy, 2008).
#' * `direction = "gradient"` follows the reduced gradient with respect to the largest weight, as in
#'   the paper: weights that reach 0 leave the direction while the objective falls, then a line is
#'   searched. It needs more steps, each of the same cost.
#'
#' Weights are projected onto the simplex after every step. The gap includes the rounding errors of
#' the quadratic forms, so that kernels whose sizes differ by many orders of magnitude are not
#' reported as solved when they are not.
#'
#' Both start from equal weights and from the last support vector machine, which is solved only as
#' well as the gap asks for, and both let weights return from 0.
#'
#' # Choosing parameters
#' * `cost`: as for [learner_svm()]. Normalized kernels (`normalize = "trace"`, the default here)
#'   make it comparable across kernels.
#' * `gap`: 1e-2 is enough for prediction; use 1e-4 to interpret weights.
#' * Narrow kernels: the objective is that of the training set. A kernel under which no two
#'   observations are alike fits every observation exactly, and does so for an objective of about
#'   \eqn{2 n_r}{2 n_r} at most, with \eqn{n_r} observations of the rarer class. If the cost of the
#'   errors of all wider kernels is higher, the narrowest kernel *is* the optimum, and other
#'   normalizations do not change this. The sign is a kernel of small width with most of the weight
#'   and an accuracy on new data far below that on the training set. Lower `cost` (by
#'   [tune_mkl()]), or leave out widths far below `sqrt(p)`. With a rare class use
#'   `class_weights = "balanced"`, which lowers the cost of the larger class, rather than numbers
#'   that raise that of the rare one.
#'
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. For the learners the
#'   dots are not used.
#' @param cost Positive number: the cost of errors.
#' @param gap Positive number: the relative duality gap at which the search ends.
#' @param epsilon Half the width of the tube without loss, for regression, in standard deviations of
#'   the response.
#' @param nu Number in (0, 1]: bound of the share of outliers, for one-class problems.
#' @param direction `"newton"` or `"gradient"`, see Details.
#' @param iterations Maximum number of iterations over the weights.
#' @param loss Loss function for classification, `"hinge"` (default) or `"squared_hinge"`; see
#'   [learner_svm()].
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
#' @export
simplemkl <- function(x, ..., cost = 1, gap = 1e-2, epsilon = 0.1, nu = 0.1,
                      direction = c("newton", "gradient"), iterations = 1000,
                      loss = c("hinge", "squared_hinge")) {
  front_door(learner_simplemkl(cost, gap, epsilon, nu, direction, iterations, loss), x, ...)
}

#' @rdname simplemkl
#' @export
learner_simplemkl <- function(cost = 1, gap = 1e-2, epsilon = 0.1, nu = 0.1,
                              direction = c("newton", "gradient"), iterations = 1000,
                              loss = c("hinge", "squared_hinge"), ...) {
  check_dots(...)
  parameters <- convex_parameters(cost, gap, epsilon, nu, iterations, loss)
  parameters$direction <- check_choice(direction, "direction", c("newton", "gradient"))
  convex_learner(
    "simplemkl", "SimpleMKL", parameters, learner_simplemkl, grid = list(cost = 10^(-2:3)),
    work = c(15, 2)
  )
}

# The parameters that all learners of convex multiple kernel learning share.
convex_parameters <- function(cost, gap, epsilon, nu, iterations, loss = "hinge") {
  c(svm_parameters(cost, epsilon, nu, loss), list(
    gap = check_number(gap, "gap", 0, open = c(TRUE, FALSE)),
    iterations = check_number(iterations, "iterations", 1, whole = TRUE)
  ))
}

# The traits that they share.
convex_learner <- function(name, label, parameters, constructor, grid, work) {
  new_learner(
    name = name, like = NULL, label = label, parameters = parameters, constructor = constructor,
    core = name, tasks = svm_tasks(parameters), takes = kernel_limits(), kernels = spread_kernels,
    normalize = "trace", costs = TRUE, stochastic = FALSE, path = "cost", grid = grid,
    stopping = stop_at_gap(parameters$gap), margins = TRUE, linear = TRUE, labels_inside = FALSE,
    approximate = TRUE,
    used_for = svm_used_for(), work = work
  )
}
