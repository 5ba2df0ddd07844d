# The criterion of MHKS and MultiK-MHKS against iterations.

#' Plot the convergence of MHKS and MultiK-MHKS
#'
#' Plots the value of the criterion after each iteration of [mhks()] or [multik_mhks()], as in
#' figure 3 of Wang, Chen and Sun (2008).
#'
#' @details
#' The points are the natural logarithm of \eqn{L}, equation (4) for [mhks()] and (8) for
#' [multik_mhks()],
#' \deqn{L = \sum_l \Bigl( \|Y_l w_l - 1 - b_l\|^2 + c \|\tilde w_l\|^2 \Bigr) +
#'   \lambda \sum_l \| Y_l w_l - \frac1m \sum_j Y_j w_j \|^2,}{
#'   L = sum_l (||Y_l w_l - 1 - b_l||^2 + c ||w~_l||^2)
#'   + lambda sum_l ||Y_l w_l - (1/m) sum_j Y_j w_j||^2,}
#' starting with the first solution of the first view. They never increase. With several pairs of
#' classes there is one line for each.
#'
#' # Choosing a plot
#' `"weights"` plots the kernel weights, which are all equal, and `"boundary"` the decision
#' regions of a two-class fit on two columns, as in [plot.mkl()], with points in the color of
#' their predicted class.
#'
#' @param x A fit of [mhks()] or [multik_mhks()].
#' @param what Type of plot: `"path"`, or `"weights"`, `"boundary"`, `"fitted"` or `"roc"` as in
#'   [plot.mkl()]; `NULL` is the same as `"path"`.
#' @param by For the weights: `"kernel"` or `"view"`, as in [plot.mkl()].
#' @param main Title of the plot.
#' @param col Two colors: negative and positive class; the first is that of the line.
#' @param ... Passed to [graphics::plot.default()] or [plot.mkl()].
#' @return The fit, invisibly.
#' @references
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family functions for fitted models
#' @examples
#' fit <- multik_mhks(Species ~ ., iris)
#' plot(fit)
#' two <- droplevels(iris[51:150, c("Petal.Length", "Petal.Width", "Species")])
#' plot(mhks(Species ~ ., two, kernels = kernel_rbf(1)), "boundary", data = two)
#' @export
plot.mkl_mhks <- function(x, what = NULL, main = NULL,
                          col = c("#2166AC", "#B2182B"), ...,
                          by = c("kernel", "view")) {
  x <- check_fit(x)
  check_exact()
  what <- choose_plot(what, "path", !missing(by))
  if (what != "path") return(plot.mkl(x, what = what, main = main, col = col, ..., by = by))
  plot_trace(x, main %||% x$learner$label, col[1L], ...)
  invisible(x)
}

#' @rdname plot.mkl_mhks
#' @export
plot.mkl_multik_mhks <- plot.mkl_mhks

# Natural logarithm of the criterion against iterations, one line for each model.
plot_trace <- function(x, main, col, ...) {
  path <- path_frame(x)
  path$objective <- log(pmax(path$objective, .Machine$double.xmin))
  plot_lines(path, main, "iteration", "ln L", col, dots = max(path$step) <= 60, ...)
}
