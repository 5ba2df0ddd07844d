#' Plot a fitted model: kernel weights, decision boundary, ROC curve
#'
#' Plots the weights of kernels or views as bars, the decision regions and support vectors of a
#' two-class fit on two numeric columns, fitted values, or the ROC curve.
#'
#' @details
#' The boundary is the line \eqn{f(x) = 0}; the dashed lines are \deqn{f(x) = -1
#' \quad \mathrm{and} \quad f(x) = 1,}{
#'   f(x) = -1 and f(x) = 1,} the margins, except for [mkboost()] and [komd()], whose decision
#' values are not on the scale of a margin. Colors represent the decision value. Filled points are
#' support vectors, open points other rows of `data`.
#'
#' # Choosing a plot
#' `"auto"` plots the boundary if that is possible and there is one kernel or `data` is given;
#' otherwise the weights of several kernels, or the fitted values of a fit with one kernel or
#' none.
#'
#' @param x A fit of [mkl()].
#' @param what Type of plot: `"auto"`, `"weights"`, `"boundary"`, `"fitted"` or `"roc"`; the
#'   latter two as in [autoplot.mkl()].
#' @param data For the boundary: all training rows as a data frame or matrix, to be plotted in
#'   addition to the support vectors. For the ROC curve: rows that were not used in training.
#' @param response The classes of the rows of `data`; taken from `data` for fits by a formula. For
#'   the boundary, rows without a response are colored by their predicted class.
#' @param limit Maximum number of bars. A gray bar shows the mean of the other weights.
#' @param by For the weights: `"kernel"`, or `"view"` for the sum over the kernels of each of
#'   [views()].
#' @param main Title of the plot.
#' @param col Two colors: negative and positive class.
#' @param ... Passed to the plotting function: [graphics::barplot()] or
#'   [graphics::plot.default()].
#' @return The fit, invisibly.
#' @inherit kernel_weights references
#' @family functions for fitted models
#' @examples
#' two <- droplevels(iris[51:150, c("Petal.Length", "Petal.Width", "Species")])
#' plot(mkl(Species ~ ., two), data = two)
#' plot(mkl(Species ~ ., two, learner = learner_average()), what = "weights")
#' @export
plot.mkl <- function(x, what = c("auto", "weights", "boundary", "fitted", "roc"), data = NULL,
                     response = NULL, limit = 20L, main = NULL, col = c("#2166AC", "#B2182B"), ...,
                     by = c("kernel", "view")) {
  x <- check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("auto", "weights", "boundary", "fitted", "roc"))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  if (what == "auto") what <- if (missing(by)) auto_picture(x, data) else "weights"
  by <- check_choice(by, "by", c("kernel", "view"))
  obstacle <- switch(what,
    weights = no_weights(x, by), boundary = no_boundary(x), fitted = no_fitted(x)
  )
  if (!is.null(obstacle)) stop_mkl("argument_error", "what", obstacle)
  main <- main %||% x$learner$label
  switch(what,
    weights = plot_weights(x, limit, main, col, by, ...),
    boundary = plot_boundary(x, data, response, main, col, ...),
    fitted = plot_fitted(x, main, col, ...), roc = plot_roc(x, data, response, main, col, ...)
  )
  invisible(x)
}

# What the plot() of a learner draws: one of its own, the first of them by default, or one that all
# fits have. `weighed`: whether the user says how to sum weights.
choose_plot <- function(what, own, weighed) {
  if (is.null(what)) return(if (weighed) "weights" else own[1L])
  check_choice(what, "what", c(own, "weights", "boundary", "fitted", "roc"))
}

plot_weights <- function(x, limit, main, col, by = "kernel", ...) {
  bars <- weight_bars(x, limit, by)
  titles <- wrap_titles(main, bars$note)
  fitted <- fit_labels(bars$labels, length(bars$labels), 3.6 + titles$lines)
  old <- graphics::par(
    mar = c(3.6, fitted$margin, titles$lines, 1.5), las = 1, mgp = c(2.2, 0.6, 0), tcl = -0.3
  )
  digits <- options(scipen = 3L) # 0.0002 rather than 2e-04 at the axis
  on.exit({
    graphics::par(old)
    options(digits)
  })
  shade <- grDevices::colorRampPalette(c("#D1E5F0", col[1L]))(101)
  fill <- shade[1L + round(100 * abs(bars$weights) / max(abs(bars$weights), 1e-300))]
  fill[bars$rest] <- "grey70"
  at <- graphics::barplot(
    rev(bars$weights), horiz = TRUE, border = NA, col = rev(fill), xlab = weights_title(x, by),
    xlim = range(0, bars$weights) * 1.05, ...
  )
  draw_row_labels(at, rev(bars$labels), fitted$cex)
  draw_titles(titles)
  graphics::abline(v = 0, col = "grey40")
}

# A title in lines that are as wide as the figure, a smaller one under it (`note`), and the number
# of lines of margin that both need.
wrap_titles <- function(main, note = NULL) {
  fill <- function(text, cex, font) { # an expression stays as it is
    if (!is.character(text)) return(text)
    letter <- graphics::strwidth(text, "inches", cex = cex, font = font) / max(nchar(text), 1L)
    wrap_title(text, floor(0.96 * graphics::par("fin")[1L] / max(letter, 0.02)))
  }
  main <- fill(main, 1.1, 2L)
  note <- fill(note, 0.8, 1L)
  rows <- function(text) if (is.character(text)) length(strsplit(text, "\n")[[1L]]) else 1L
  under <- if (is.null(note)) 0.9 else 0.7 + 0.95 * rows(note)
  list(main = main, note = note, under = under, lines = under + 1.25 * rows(main) + 0.3)
}

draw_titles <- function(titles) {
  centre <- mean(graphics::grconvertX(0:1, "nfc", "user"))
  graphics::mtext(titles$main, line = titles$under, font = 2, cex = 1.1, at = centre)
  if (is.null(titles$note)) return(invisible())
  graphics::mtext(titles$note, line = 0.5, cex = 0.8, col = "grey35", at = centre)
}

# Size of the labels of `count` rows and lines of margin at their left, in a figure of any size: the
# labels do not touch each other and leave half of the width to the plot.
fit_labels <- function(labels, count, lines = 7.4) {
  size <- graphics::par("fin") / graphics::par("csi")
  room <- max(size[2L] - lines, 3) / count
  cex <- min(0.85, 0.95 * room)
  wide <- max(graphics::strwidth(labels, "inches", cex = 1), 0.3) / graphics::par("csi")
  cex <- max(min(cex, (size[1L] / 2 - 1.5) / wide), 0.35)
  list(cex = cex, margin = max(1.5 + 1.05 * cex * wide, 3))
}

# One by one: axis() and barplot() leave out labels that are close together.
draw_row_labels <- function(at, labels, cex) {
  for (i in seq_along(at)) {
    graphics::axis(2, at[i], labels[i], tick = FALSE, cex.axis = cex, line = -0.3, las = 1)
  }
}

# Lines of margin that labels of the vertical axis need.
label_margin <- function(labels, cex, least = 3) {
  lines <- 1.5 + max(graphics::strwidth(labels, "inches", cex = cex), 0.3) / 0.2
  max(min(lines, 16), least)
}

plot_boundary <- function(x, data, response, main, col, ...) {
  plane <- plot_plane(x, data, response)
  empty_plane(plane, main, ...)
  draw_surface(plane, col, learner_of(x)$margins)
  draw_points(plane, col)
  class_legend(x$classes, col)
  graphics::box(col = "grey40")
}

empty_plane <- function(plane, main, ...) {
  graphics::plot.default(
    NA, xlim = plane$ranges[[1L]], ylim = plane$ranges[[2L]], xaxs = "i", yaxs = "i",
    xlab = plane$names[1L], ylab = plane$names[2L], ...
  )
  draw_titles(wrap_titles(main))
}

draw_surface <- function(plane, col, margins) {
  shades <- grDevices::colorRampPalette(c(tint(col[1L]), "white", tint(col[2L])))(61)
  graphics::image(
    plane$axes[[1L]], plane$axes[[2L]], matrix(signed_root(plane$decision), plane$steps),
    add = TRUE, col = shades, zlim = c(-1, 1), useRaster = TRUE
  )
  draw_levels(plane, plane$decision, 0, lwd = 2, drawlabels = FALSE, col = "grey20")
  if (!margins) return(invisible())
  draw_levels(plane, plane$decision, c(-1, 1), lty = 2, drawlabels = FALSE, col = "grey20")
}

# Lines on which a function of the plane has the given values.
draw_levels <- function(plane, z, levels, ...) {
  levels <- levels_within(levels, z)
  if (length(levels) == 0L) return(invisible())
  graphics::contour(
    plane$axes[[1L]], plane$axes[[2L]], matrix(z, plane$steps), levels = levels, add = TRUE, ...
  )
}

# Rows of the data as rings, in gray without classes; support vectors as discs.
draw_points <- function(plane, col) {
  rings <- col[plane$points$class]
  rings[is.na(rings)] <- "grey35"
  if (length(rings)) graphics::points(plane$points$x, pch = 1, col = rings, cex = 0.9)
  graphics::points(
    plane$vectors$x, pch = 21, bg = col[plane$vectors$class], col = "white", cex = 1.2
  )
}

# Lines of one or several models over their steps.
plot_lines <- function(frame, main, xlab, ylab, col, dots = TRUE, ...) {
  lines <- line_groups(frame$model)
  titles <- wrap_titles(main, lines$note)
  old <- graphics::par(
    mar = c(3.6, 4.6, titles$lines, 1.2), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3
  )
  on.exit(graphics::par(old))
  graphics::plot.default(
    NA, xlim = c(0, max(frame$step, 1)), ylim = range(frame$objective), xlab = xlab, ylab = "",
    bty = "l", ...
  )
  draw_titles(titles)
  graphics::title(ylab = ylab, line = 3.4)
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  names <- lines$names
  colours <- if (is.null(names)) col else grDevices::hcl.colors(length(names), "Dark 3")
  if (!is.null(lines$note)) colours[] <- grDevices::adjustcolor(col, 0.35)
  for (i in seq_along(colours)) {
    one <- if (is.null(names)) frame else frame[frame$model == names[i], ]
    graphics::lines(one$step, one$objective, lwd = 2, col = colours[i])
    if (dots && is.null(lines$note)) {
      graphics::points(one$step, one$objective, pch = 21, bg = colours[i], col = "white", cex = 0.9)
    }
  }
  if (!lines$named) return(invisible())
  graphics::legend(
    "topright", legend = shorten(names, 24L), col = colours, lwd = 2, cex = 0.85,
    bg = "#FFFFFFCC", box.col = NA, inset = 0.01
  )
}

class_legend <- function(labels, col, corner = "topleft") {
  graphics::legend(
    corner, legend = labels, pch = 21, pt.bg = col, col = "white", pt.cex = 1.3,
    bg = "#FFFFFFCC", box.col = NA, inset = 0.01
  )
}
