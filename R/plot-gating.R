# Gating weights of an lmkl() fit at given rows, and their plot.

#' Gating weights of a localized multiple kernel learning fit
#'
#' Returns the weights of the kernels of an [lmkl()] fit at given rows.
#'
#' @details
#' Row \eqn{x} and kernel \eqn{m} have the weight \eqn{\eta_m(x)} of the gating model, which is, for
#' the softmax of the paper (section 2),
#' \deqn{\eta_m(x) = \frac{\exp(v_m' x + v_{m0})}{\sum_k \exp(v_k' x + v_{k0})}.}{
#'   eta_m(x) = exp(v_m'x + v_m0) / sum_k exp(v_k'x + v_k0).}
#' It enters the kernel twice, \eqn{K_\eta(x, z) = \sum_m \eta_m(x) K_m(x, z) \,
#' \eta_m(z)}{K_eta(x, z) = sum_m eta_m(x) K_m(x, z) eta_m(z)}: where \eqn{\eta_m(x)} is small,
#' the kernel has no influence. Weights sum to 1 at each row for `"softmax"` and `"rbf"`, not for
#' `"sigmoid"`.
#'
#' # Choosing the rows
#' Any rows with the columns of the fit can be used. A fit stores only its support vectors, so
#' pass the training rows to obtain their weights; the means of these are `coef(fit)`.
#'
#' @param object A fit of [lmkl()].
#' @param newdata Rows in the form of the training data: a data frame or a matrix.
#' @param new_levels How unknown levels of factors are treated, see [predict.mkl()].
#' @param ... Must be empty.
#' @return A matrix with one row for each row of `newdata` (named if that has row names) and one
#'   column, named, for each kernel; `NA` where a row has a missing value. A list of such matrices,
#'   named by pair of classes, if the fit has several models.
#' @inherit lmkl references
#' @family functions for fitted models
#' @examples
#' set.seed(1)
#' x <- cbind(a = runif(200, -3, 3), b = runif(200, -3, 3))
#' y <- factor(ifelse(x[, "b"] > abs(x[, "a"]) - 1, "above", "below"))
#' fit <- lmkl(x, y, kernels = rep(kernel_linear(), 2), cost = 10)
#' # one line for the left, one for the right
#' round(gating_weights(fit, cbind(a = -2:2, b = 0)), 3)
#' coef(fit)
#' @export
gating_weights <- function(object, newdata, new_levels = c("error", "missing"), ...) {
  check_class(object, "object", "mkl_lmkl", "a fit of lmkl()")
  object <- check_fit(object)
  check_dots(...)
  if (!missing(new_levels)) object$frame$new_levels <- check_new_levels(new_levels)
  if (missing(newdata) || is.null(newdata)) {
    stop_mkl(
      "data_error", "newdata", "`newdata` is missing: the fit keeps its support vectors only, so ",
      "give the rows at which the weights are wanted."
    )
  }
  newdata <- as_new_form(object$frame, newdata)
  x <- gating_rows(object, newdata)
  complete <- complete_rows(x, "newdata")
  x <- scale_new(x, object$frame, which(complete))
  names <- item_names(object$kernels)
  out <- lapply(object$models, function(model) {
    eta <- matrix(NA_real_, length(complete), length(names), dimnames = list(NULL, names))
    if (any(complete)) eta[complete, ] <- gating_cpp(x, model)
    name_cases(eta, new_cases(newdata))
  })
  if (length(out) == 1L) out[[1L]] else stats::setNames(out, model_names(object))
}

# The columns of new rows. A fit on kernel matrices has none; its weights are the same everywhere.
gating_rows <- function(object, newdata) {
  bake_frame(object$frame, newdata) %||%
    matrix(0, nrow(find_blocks(object, newdata, NULL)[[1L]]), 0L)
}

#' Plot a localized multiple kernel learning fit
#'
#' For a fit on two columns, plots the regions of the kernels with the decision boundary, the
#' margins and the support vectors, as in figures 1 and 3 of the paper; otherwise the mean gating
#' weights, or the objective by iteration.
#'
#' @details
#' The background shows the colors of the kernels, mixed in proportion to the gating weights
#' \eqn{\eta_m(x)}; gray lines divide the regions in which one kernel has the largest weight. The
#' black line is \eqn{f(x) = 0}, the dashed ones are \deqn{f(x) = -1 \quad \mathrm{and} \quad
#' f(x) = 1.}{
#'   f(x) = -1 and f(x) = 1.} Filled points are support vectors, open ones other rows of `data`.
#' For regression the lines are levels of \eqn{f}.
#'
#' # Choosing a plot
#' `"auto"` plots the regions if that is possible, otherwise the weights. `"path"` shows \eqn{J}
#' after each gradient step of the start that was kept: it is flat at the end if the descent has
#' converged. `"boundary"` uses colors for the decision value, see [plot.mkl()].
#'
#' @param x A fit of [lmkl()].
#' @param what Type of plot: `"auto"`, `"gating"`, `"path"`, or `"weights"`, `"boundary"`,
#'   `"fitted"` or `"roc"` as in [plot.mkl()]; `NULL` is the same as `"auto"`.
#' @param by For the weights: `"kernel"` or `"view"`, as in [plot.mkl()].
#' @param data For the regions: all training rows as a data frame or matrix, to be plotted in
#'   addition to the support vectors.
#' @param response For the regions: the classes of the rows of `data`; taken from `data` for fits by
#'   a formula.
#' @param limit Maximum number of bars.
#' @param main Title of the plot.
#' @param col Two colors: negative and positive class.
#' @param fill Colors of the kernels, one for each; use light colors, because points and lines are
#'   drawn on them. `NULL` for a default.
#' @param ... Passed to [graphics::plot.default()], or to [plot.mkl()] for the weights.
#' @return The fit, invisibly.
#' @inherit lmkl references
#' @family functions for fitted models
#' @examples
#' set.seed(1)
#' d <- data.frame(a = runif(150, -3, 3), b = runif(150, -3, 3))
#' d$y <- factor(ifelse(d$b > abs(d$a) - 1, "above", "below"))
#' fit <- lmkl(y ~ ., d, kernels = rep(kernel_linear(), 2), cost = 10, iterations = 200)
#' plot(fit, data = d)
#' plot(fit, "path")
#' @export
plot.mkl_lmkl <- function(x, what = NULL, data = NULL, response = NULL, limit = 20L, main = NULL,
                          col = c("#2166AC", "#B2182B"), fill = NULL, ...,
                          by = c("kernel", "view")) {
  x <- check_fit(x)
  check_exact()
  what <- choose_plot(what, c("auto", "gating", "path"), !missing(by))
  obstacle <- no_plane(x)
  if (what == "auto") what <- if (is.null(obstacle)) "gating" else "weights"
  if (what == "gating") {
    if (!is.null(obstacle)) stop_mkl("argument_error", "what", obstacle)
    plot_gating(x, data, response, main %||% x$learner$label, col, fill, ...)
  } else if (what == "path") {
    plot_lines(
      path_frame(x), main %||% x$learner$label, "gradient step", "objective", col[1L], ...
    )
  } else {
    plot.mkl(
      x, what = what, data = data, response = response, limit = limit,
      main = main %||% if (what == "weights") "Mean gating weights", col = col, ..., by = by
    )
  }
  invisible(x)
}

plot_gating <- function(x, data, response, main, col, fill, ...) {
  plane <- plot_plane(x, data, response)
  kernels <- item_names(x$kernels)
  fill <- kernel_colours(fill, length(kernels))
  key <- gating_key(x, shorten(kernels), col, fill)
  side <- max(graphics::strwidth(key$legend, "inches", cex = 0.8)) / 0.2 + 3
  old <- graphics::par(
    mar = c(4, 4, wrap_titles(main)$lines, min(side, 14)), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3
  )
  on.exit(graphics::par(old))
  empty_plane(plane, main, ...)
  draw_regions(x, plane, fill)
  draw_points(plane, col)
  graphics::box(col = "grey40")
  corner <- graphics::par("usr")
  graphics::legend(
    corner[2L], corner[4L], legend = key$legend, pch = key$pch, pt.bg = key$bg, col = key$col,
    pt.cex = key$size, lty = key$lty, lwd = key$lwd, cex = 0.8, bty = "n", xpd = NA,
    y.intersp = 1.25, seg.len = 1.4
  )
}

# The entries of the legend: classes, kernels, lines.
gating_key <- function(x, kernels, col, fill) {
  task <- task_traits(x$task)
  # Without a response there are support vectors alone.
  shown <- if (task$response) 1:2 else 2L
  groups <- list((x$classes %||% task$sides)[shown], col[shown])
  level <- if (default_type(x) == "response") "level of f" else "boundary"
  lines <- c(level, if (task$margins) "margin", "regions")
  style <- list(
    boundary = list(1, 2, "black"), "level of f" = list(1, 1, "black"),
    margin = list(2, 1, "grey20"), regions = list(1, 1.5, "grey55")
  )[lines]
  g <- length(groups[[1L]])
  m <- length(kernels)
  k <- length(lines)
  pick <- function(i) unlist(lapply(style, function(s) s[[i]]), use.names = FALSE)
  list(
    legend = c(groups[[1L]], kernels, lines),
    pch = c(rep(21, g), rep(22, m), rep(NA, k)),
    bg = c(groups[[2L]], fill, rep(NA, k)),
    col = c(rep("white", g), rep("grey60", m), pick(3L)),
    size = c(rep(1.3, g), rep(1.9, m), rep(NA, k)),
    lty = c(rep(NA, g + m), pick(1L)), lwd = c(rep(NA, g + m), pick(2L))
  )
}

draw_regions <- function(x, plane, fill) {
  gating <- gating_plane(x, plane, fill)
  # From the first column of the grid upwards to rows of an image from the top.
  picture <- t(matrix(gating$mixed, plane$steps))[plane$steps:1, ]
  corner <- graphics::par("usr")
  graphics::rasterImage(
    grDevices::as.raster(picture), corner[1L], corner[3L], corner[2L], corner[4L]
  )
  for (lead in gating$leads) {
    draw_levels(plane, lead, 0, drawlabels = FALSE, col = "grey55", lwd = 1.5)
  }
  f <- plane$decision
  if (default_type(x) == "response") {
    draw_levels(plane, f, pretty(f, 8), col = "black", labcex = 0.7)
    return(invisible())
  }
  if (task_traits(x$task)$margins) {
    draw_levels(plane, f, c(-1, 1), drawlabels = FALSE, col = "grey20", lty = 2)
  }
  draw_levels(plane, f, 0, drawlabels = FALSE, col = "black", lwd = 2)
}
