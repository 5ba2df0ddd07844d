#' Modified Ho-Kashyap machine
#'
#' @description
#' MHKS: a classifier by least squares whose targets, the margins of the rows, may grow while it is
#' fitted, in the feature space of one kernel. It is the machine inside [multik_mhks()]. `mhks()`
#' fits it; `learner_mhks()` is the specification for [mkl()].
#'
#' @details
#' Rows are mapped by [empirical_map()] of the kernel, equation (6) of Wang, Chen and Sun (2008).
#' With \eqn{y_i \in \{-1, 1\}} and the matrix \eqn{Y} of the rows
#' \eqn{y_i (\phi(x_i)', 1)}, the criterion is equation (4),
#' \deqn{L = \|Y w - 1 - b\|^2 + c \|\tilde w\|^2, \quad b \ge 0,}
#' where \eqn{\tilde w} are the weights without the constant. The iteration of equations (9) to (11)
#' with \eqn{\lambda = 0} is
#' \deqn{e = Y w - 1 - b, \quad b \gets b + \rho (e + |e|), \quad
#'   w \gets (Y'Y + c \tilde I)^{-1} Y' (1 + b),}
#' from \eqn{b} = `margin`, until \eqn{L} changes by no more than `tol` of [mkl_control()]: 1e-3 by
#' default, as in the paper. \eqn{L} falls with every step for \eqn{0 < \rho < 1}; `max_iter` of
#' [mkl_control()] bounds their number. The inverse is never formed: one eigendecomposition serves
#' all steps. The decision value is \eqn{f(x) = \tilde w'\phi(x) + w_0}.
#'
#' [objective()] is \eqn{L} at the end, [objective_path()] its values on the way, which
#' [`plot()`][plot.mkl_mhks] draws.
#'
#' # What the paper leaves open
#' * The margins \eqn{b} never fall. The iteration therefore ends where \eqn{w} is the minimum of
#'   \eqn{L} for the \eqn{b} that was reached and no row has a margin left to raise, but it can end
#'   above the minimum over \eqn{w} and \eqn{b} together. With `rho` above 0.5 a margin is raised
#'   beyond the output that asked for it.
#' * Eigenvalues of the kernel up to 1e-10 times the largest, negative ones included, are dropped.
#' * `c = 0` with a singular \eqn{Y'Y}: the solution of smallest norm.
#' * The paper does not standardize the columns; `scale = FALSE` does as it did.
#' * Several classes: one against one, as in the paper, unless `multiclass` says otherwise.
#'
#' MHKS has no cost: weights of rows and classes are refused.
#'
#' For classes only: a numeric response or one class is an error.
#'
#' # Choosing parameters
#' * `c`: 2^(-4:4), by cross-validation, as in the paper; larger values give smoother functions. It
#'   has the scale of the kernel: with `scale = FALSE` and large values try larger ones.
#' * `rho`: 0.99 as in the paper; with smaller values there are more and smaller steps.
#' * `rank` and `landmarks`: for more than some thousand rows. With n rows a fit takes the time of
#'   an eigendecomposition, that is n^3; `landmarks = 500` maps all rows by the kernel to 500 of
#'   them. `rank` only drops the small eigenvalues, which saves memory and smooths.
#'
#' Without `kernels` the linear kernel is used; kernels are not normalised by default.
#'
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_mhks()` the dots are not used.
#' @param c Non-negative number: the weight of the norm.
#' @param rho Number in (0, 1): the learning rate of the margins.
#' @param margin Non-negative number: the margin of all rows at the start.
#' @param rank Largest number of dimensions of the empirical map; `NULL` for all.
#' @param landmarks Number of rows, evenly spread over the data, that the map is built on; `NULL`
#'   for all.
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
#' @export
mhks <- function(x, ..., c = 1 / 16, rho = 0.99, margin = 1e-6, rank = NULL, landmarks = NULL) {
  learner <- learner_mhks(c, rho, margin, rank, landmarks)
  front_door(match.call(), names(formals(mhks)), learner, x, ...)
}

#' @rdname mhks
#' @export
learner_mhks <- function(c = 1 / 16, rho = 0.99, margin = 1e-6, rank = NULL, landmarks = NULL,
                         ...) {
  check_dots(...)
  new_learner(
    "mhks", mhks_parameters(list(c = check_number(c, "c", 0)), rho, margin, rank, landmarks),
    "Modified Ho-Kashyap machine (MHKS)", tasks = "classification", normalize = "none"
  )
}

# The parameters after `first` that MHKS and MultiK-MHKS share.
mhks_parameters <- function(first, rho, margin, rank, landmarks) {
  first$rho <- check_number(rho, "rho", 0, 1, open = c(TRUE, TRUE))
  first$margin <- check_number(margin, "margin", 0)
  first["rank"] <- list(check_count(rank, "rank"))
  first["landmarks"] <- list(check_count(landmarks, "landmarks"))
  first
}

check_count <- function(x, argument) {
  if (is.null(x)) NULL else check_number(x, argument, 1, whole = TRUE)
}

#' @export
learner_core.mkl_learner_mhks <- function(learner, items, frame) {
  refuse_costs(learner, frame$costs)
  count <- sum(item_counts(items))
  if (count != 1) {
    stop_mkl(
      "argument_error", "kernels", "learner_mhks() takes one kernel, not ", count,
      ". Use learner_multik_mhks() for several."
    )
  }
  c(learner$parameters, lambda = 0)
}

#' @export
path_parameters.mkl_learner_mhks <- function(learner) "c"

# With one kernel and lambda = 0 it is the same computation.
#' @export
fit_many.mkl_learner_mhks <- function(learners, x, problem, items, parameters, control) {
  fit_many.mkl_learner_multik_mhks(learners, x, problem, items, parameters, control)
}

#' @export
default_kernels.mkl_learner_mhks <- function(learner, p, scaled) kernel_linear()

#' Plot the iteration of MHKS
#'
#' The value of the criterion after each iteration of [mhks()] or [multik_mhks()], as in figure 3 of
#' Wang, Chen and Sun (2008).
#'
#' @details
#' The points are the natural logarithm of \eqn{L}, equation (4) for [mhks()] and (8) for
#' [multik_mhks()],
#' \deqn{L = \sum_l \Bigl( \|Y_l w_l - 1 - b_l\|^2 + c \|\tilde w_l\|^2 \Bigr) +
#'   \lambda \sum_l \| Y_l w_l - \frac1m \sum_j Y_j w_j \|^2,}
#' from the first solution of the first view on. They never rise. With several pairs of classes
#' there is one line for each.
#'
#' # Choosing what to see
#' `"weights"` draws the weights of the kernels, which are all the same; `"boundary"` the regions of
#' a two-class fit on two columns; both as [plot.mkl()] does, with points in the colour of their
#' predicted class.
#'
#' @param x A fit of [mhks()] or [multik_mhks()].
#' @param what `"path"`, `"weights"` or `"boundary"`.
#' @param main Title.
#' @param col Two colours: negative and positive class; the first is that of the line.
#' @param ... Handed to [graphics::plot.default()] or [plot.mkl()].
#' @return The fit, invisibly.
#' @references
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family questions to a fit
#' @examples
#' fit <- multik_mhks(Species ~ ., iris)
#' plot(fit)
#' two <- droplevels(iris[51:150, c("Petal.Length", "Petal.Width", "Species")])
#' plot(mhks(Species ~ ., two, kernels = kernel_rbf(1)), "boundary", data = two)
#' @export
plot.mkl_mhks <- function(x, what = c("path", "weights", "boundary"), main = NULL,
                          col = c("#2166AC", "#B2182B"), ...) {
  check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("path", "weights", "boundary"))
  if (what == "path") {
    plot_trace(x, main %||% x$learner$label, col[1L], ...)
    return(invisible(x))
  }
  plot.mkl(x, what = what, main = main, col = col, ...)
  invisible(x)
}

# Natural logarithm of the criterion against iterations, one line for each model.
plot_trace <- function(x, main, col, ...) {
  path <- path_frame(x)
  path$objective <- log(pmax(path$objective, .Machine$double.xmin))
  plot_lines(path, main, "iteration", "ln L", col, dots = max(path$step) <= 60, ...)
}
