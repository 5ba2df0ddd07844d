#' MultiK-MHKS: multiple kernel least squares with agreement of views
#'
#' @description
#' Fits one [mhks()] classifier in the feature space of each kernel, all together: a penalty
#' shrinks the outputs of the classifiers toward their mean, which is the decision value.
#' `multik_mhks()` fits it; `learner_multik_mhks()` is the specification for [mkl()].
#'
#' @details
#' Each of the m kernels maps the rows by its [empirical_map()], equation (6) of the paper: a view.
#' With \eqn{Y_l} as for [mhks()], the criterion is equation (8),
#' \deqn{L = \sum_{l=1}^m \Bigl( \|Y_l w_l - 1 - b_l\|^2 + c \|\tilde w_l\|^2 \Bigr) +
#'   \lambda \sum_{l=1}^m \Big\| Y_l w_l - \frac1m \sum_{j=1}^m Y_j w_j \Big\|^2,
#'   \quad b_l \ge 0.}{
#'   L = sum_l (||Y_l w_l - 1 - b_l||^2 + c ||w~_l||^2)
#'   + lambda sum_l ||Y_l w_l - (1/m) sum_j Y_j w_j||^2,  b_l >= 0.}
#' The iteration (table 1, equations 9 to 11) is, for each view in turn,
#' \deqn{b_l \gets b_l + \rho (e_l + |e_l|), \quad e_l = Y_l w_l - 1 - b_l,}{
#'   b_l <- b_l + rho (e_l + |e_l|),  e_l = Y_l w_l - 1 - b_l,}
#' \deqn{w_l \gets \Bigl( \big(1 + \lambda \tfrac{m-1}{m}\big) Y_l'Y_l + c \tilde I
#'   \Bigr)^{-1} Y_l' \Big( b_l + 1 + \frac{\lambda}{m} \sum_{j \ne l} Y_j w_j \Big),}{
#'   w_l <- ((1 + lambda (m - 1) / m) Y_l'Y_l + c I~)^-1
#'   Y_l' (b_l + 1 + (lambda / m) sum_(j != l) Y_j w_j),}
#' until \eqn{L} changes by no more than `tol` of [mkl_control()]: 1e-3 by default, as in the paper.
#' The decision value is the mean of the views, equation (12). `coef()` is therefore 1/m for each
#' kernel.
#'
#' One eigendecomposition for each view is used for all steps and all values of `c` and `lambda`:
#' [multik_mhks_path()] fits a whole grid in about the time of one fit.
#'
#' # Details not specified in the paper
#' * Each view uses the latest outputs of the others (the text says "in a sequence", table 1 uses
#'   the outputs of the previous iteration). \eqn{L} then decreases in every step, for any `rho`
#'   between 0 and 1. Both are equally accurate.
#' * "One unit vector", where \eqn{w_2, \dots, w_m} start, is that of the constant, \eqn{(0,
#'   \dots, 0, 1)}. With a vector of equal entries the result would depend on the signs of the
#'   eigenvectors, which are arbitrary, because the margins never decrease. \eqn{w_1} is solved
#'   for immediately, as in table 1.
#' * `c` is the same for all views.
#' * The remarks on margins, small eigenvalues, `c = 0`, scaling and several classes in [mhks()]
#'   apply here, too.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `c` and `lambda`: the paper tries 2^(-4:4) for both, by cross-validation. `lambda = 0` fits
#'   each view by itself; with a large value all views have nearly the same output.
#' * `kernels`: a few kernels of different types. The default are those of the paper: linear,
#'   Gaussian with the mean distance as width, polynomial of degree 2. Leave out views that are
#'   inaccurate by themselves, because they enter the mean.
#' * `scale = FALSE` leaves the columns unscaled, as in the paper.
#' * `rank`, `landmarks`, `rho` and `margin`: see [mhks()].
#'
#' @inheritParams mhks
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_multik_mhks()` `...` is not used.
#' @param lambda Penalty on disagreement between the views; larger values make their outputs more
#'   similar. A non-negative number.
#' @return `multik_mhks()`: a fit of class `mkl_multik_mhks` and `mkl`, see [mkl()].
#'   `learner_multik_mhks()`: a learner, class `mkl_learner`.
#' @references
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family learners
#' @examples
#' train <- c(1:35, 51:85, 101:135)
#' fit <- multik_mhks(Species ~ ., iris[train, ])
#' fit
#' mean(predict(fit, iris[-train, ]) == iris$Species[-train])
#'
#' # views of different columns
#' multik_mhks(
#'   Species ~ linear(Sepal.Length, Sepal.Width) + rbf(Petal.Length, Petal.Width, sigma = 1), iris
#' )
#' @rdname multik_mhks
#' @order 2
#' @export
learner_multik_mhks <- function(c = 1 / 16, lambda = 1 / 16, rank = NULL, landmarks = NULL,
                                rho = 0.99, margin = 1e-6, ...) {
  check_dots(...)
  first <- list(c = check_number(c, "c", 0), lambda = check_number(lambda, "lambda", 0))
  mhks_learner(
    name = "multik_mhks", label = "Several kernels as views that agree (MultiK-MHKS)",
    parameters = mhks_parameters(first, rho, margin, rank, landmarks),
    constructor = learner_multik_mhks, core = "mhks", takes = kernel_limits(),
    kernels = three_views, normalize = "none", path = base::c("c", "lambda"),
    grid = list(c = 2^(-4:4), lambda = 2^(-4:4)), margins = TRUE, linear = TRUE,
    work = base::c(0.6, 3)
  )
}

#' @rdname multik_mhks
#' @order 1
#' @export
multik_mhks <- named_method(learner_multik_mhks)
