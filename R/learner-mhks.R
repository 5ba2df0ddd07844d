#' Modified Ho-Kashyap classifier with a kernel (MHKS)
#'
#' @description
#' MHKS (modified Ho-Kashyap algorithm with squared approximation of the misclassification errors)
#' is a least squares classifier in the feature space of one kernel; the targets of the rows,
#' their margins, can increase during the fit. [multik_mhks()] is its extension to several
#' kernels. `mhks()` fits it; `learner_mhks()` is the specification for [mkl()].
#'
#' @details
#' Rows are mapped by [empirical_map()] of the kernel, equation (6) of Wang, Chen and Sun (2008).
#' With \eqn{y_i \in \{-1, 1\}} and the matrix \eqn{Y} of the rows
#' \eqn{y_i (\phi(x_i)', 1)}, the criterion is equation (4),
#' \deqn{L = \|Y w - 1 - b\|^2 + c \|\tilde w\|^2, \quad b \ge 0,}{
#'   L = ||Y w - 1 - b||^2 + c ||w~||^2,  b >= 0,}
#' where \eqn{\tilde w}{w~} are the weights without the constant. The iteration of equations (9)
#' to (11) with \eqn{\lambda = 0} is
#' \deqn{e = Y w - 1 - b, \quad b \gets b + \rho (e + |e|), \quad
#'   w \gets (Y'Y + c \tilde I)^{-1} Y' (1 + b),}{
#'   e = Y w - 1 - b,  b <- b + rho (e + |e|),
#'   w <- (Y'Y + c I~)^-1 Y' (1 + b),}
#' from \eqn{b} = `margin`, until \eqn{L} changes by no more than `tol` of [mkl_control()]: 1e-3 by
#' default, as in the paper. \eqn{L} decreases in every step for \eqn{0 < \rho < 1}; `max_iter` of
#' [mkl_control()] is the maximum number of steps. The inverse is not computed: one
#' eigendecomposition is used for all steps. The decision value is \eqn{f(x) = \tilde w'\phi(x) +
#' w_0}{f(x) = w~'phi(x) + w_0}.
#'
#' [objective()] is the final value of \eqn{L}, [objective_path()] its values after each
#' iteration, which [`plot()`][plot.mkl_mhks] shows.
#'
#' # Details not specified in the paper
#' * The margins \eqn{b} never decrease. The iteration therefore ends where \eqn{w} minimizes
#'   \eqn{L} for the final \eqn{b} and no margin can increase further, which can be above the
#'   joint minimum over \eqn{w} and \eqn{b}. With `rho` above 0.5 a margin is increased beyond the
#'   output of its row.
#' * Eigenvalues of the kernel up to 1e-10 times the largest, negative ones included, are dropped.
#' * `c = 0` with a singular \eqn{Y'Y}: the solution of smallest norm.
#' * The paper does not standardize the columns; use `scale = FALSE` for the same.
#' * Several classes: one-against-one by default, as in the paper; see `multiclass` in [mkl()].
#'
#' MHKS has no cost: weights of rows and classes are refused.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `c`: 2^(-4:4), by cross-validation, as in the paper; larger values give smoother functions. It
#'   has the scale of the kernel: with `scale = FALSE` and large values try larger ones.
#' * `rho`: 0.99 as in the paper; smaller values give more and smaller steps.
#' * `rank` and `landmarks`: for more than a few thousand rows. With n rows a fit takes the time
#'   of an eigendecomposition, proportional to n^3; `landmarks = 500` maps all rows by the kernel
#'   to 500 of them. `approximate = ` [nystrom()] or [random_features()] replaces `landmarks`: its
#'   features are the map, other learners use the same approximation, and there are several ways
#'   to choose landmarks. `rank` only drops the small eigenvalues, which saves memory and gives
#'   smoother functions.
#'
#' Without `kernels` the linear kernel is used; kernels are not normalized by default.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_mhks()` `...` is not used.
#' @param c Ridge penalty on the weights of each view; larger values shrink more. A non-negative
#'   number.
#' @param rho Learning rate of the margins, in (0, 1); smaller values take more and smaller steps.
#' @param margin Initial margin of all rows, a non-negative number.
#' @param rank Maximum number of dimensions of the empirical kernel map; `NULL` for all.
#' @param landmarks Number of rows, evenly spaced in the data, from which the empirical kernel map
#'   is computed; `NULL` for all rows.
#' @return `mhks()`: a fit of class `mkl_mhks` and `mkl`, see [mkl()]. `learner_mhks()`: a learner,
#'   class `mkl_learner`.
#' @references
#' Leski, J. (2003). Ho-Kashyap classifier with generalization control. *Pattern Recognition
#' Letters* 24, 2281-2290.
#'
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- mhks(Species ~ ., two)
#' fit
#' objective_path(fit)
#'
#' # with a Gaussian kernel, mapped by 30 of the rows
#' fit <- mhks(Species ~ ., two, kernels = kernel_rbf("mean_distance"), landmarks = 30)
#' table(predict(fit, two), two$Species)
#' @rdname mhks
#' @order 2
#' @export
learner_mhks <- function(c = 1 / 16, rho = 0.99, margin = 1e-6, rank = NULL, landmarks = NULL,
                         ...) {
  check_dots(...)
  parameters <- list(c = check_number(c, "c", 0))
  mhks_learner(
    name = "mhks", label = "Modified Ho-Kashyap machine (MHKS)",
    parameters = mhks_parameters(parameters, rho, margin, rank, landmarks),
    constructor = learner_mhks, core = "mhks",
    takes = kernel_limits(1, 1, "Use learner_multik_mhks() for several."),
    kernels = linear_kernel, normalize = "none", path = "c", grid = list(c = 2^(-4:4)),
    margins = TRUE, linear = TRUE, work = c(0.5, 3)
  )
}

#' @rdname mhks
#' @order 1
#' @export
mhks <- named_method(learner_mhks)

# The traits that it shares with the other learners of Ho and Kashyap's kind.
mhks_learner <- function(..., approximate = TRUE) {
  new_learner(
    ..., like = NULL, tasks = "classification", costs = FALSE, stochastic = FALSE,
    stopping = stop_at_tol(), product = FALSE, labels_inside = FALSE, approximate = approximate,
    used_for = list()
  )
}

# The parameters after `first` that MHKS and MultiK-MHKS share.
mhks_parameters <- function(first, rho, margin, rank, landmarks) {
  c(first, list(
    rho = check_number(rho, "rho", 0, 1, open = c(TRUE, TRUE)),
    margin = check_number(margin, "margin", 0),
    rank = check_count(rank, "rank"), landmarks = check_count(landmarks, "landmarks")
  ))
}

#' @export
learner_core.mkl_learner_mhks <- function(learner, items, frame) c(NextMethod(), lambda = 0)
