#' Plot a fit
#'
#' The weights of the kernels as bars or, for a two-class fit on two numeric columns, the
#' regions of the decision function with its support vectors.
#'
#' @details
#' The boundary is the line \eqn{f(x) = 0}; the dashed lines are \deqn{f(x) = -1
#' \quad \mathrm{and} \quad f(x) = 1,} the margins, for learners that have them: the votes of
#' [mkboost()] and the scores of [komd()] do not. Colours follow the decision value.
#' Filled points are support vectors, open ones other rows of `data`.
#'
#' # Choosing what to see
#' `"auto"` draws the boundary when that is possible and there is one kernel or `data` is
#' given; else the weights.
#'
#' @param x A fit of [mkl()].
#' @param what `"auto"`, `"weights"` or `"boundary"`.
#' @param data For the boundary: all training rows as a data frame or matrix, to be drawn
#'   besides the support vectors.
#' @param response For the boundary: the classes of the rows of `data`; taken from `data` for fits
#'   by a formula. Rows without it are drawn by their predicted class.
#' @param limit Largest number of bars.
#' @param main Title.
#' @param col Two colours: negative and positive class.
#' @param ... Handed to the plotting function: [graphics::barplot()] or
#'   [graphics::plot.default()].
#' @return The fit, invisibly.
#' @inherit kernel_weights references
#' @family questions to a fit
#' @examples
#' two <- droplevels(iris[51:150, c("Petal.Length", "Petal.Width", "Species")])
#' plot(mkl(Species ~ ., two), data = two)
#' plot(mkl(Species ~ ., two, learner = learner_average()), what = "weights")
#' @export
plot.mkl <- function(x, what = c("auto", "weights", "boundary"), data = NULL, response = NULL,
                     limit = 20L, main = NULL, col = c("#2166AC", "#B2182B"), ...) {
  check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("auto", "weights", "boundary"))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  possible <- is.null(no_boundary(x))
  if (what == "auto") {
    wanted <- !is.null(data) || sum(item_counts(own_kernels(x))) <= 1
    what <- if (possible && wanted) "boundary" else "weights"
  }
  if (what == "weights") {
    if (!is.null(no_weights(x))) stop_mkl("argument_error", "what", no_weights(x))
    plot_weights(x, limit, main %||% x$learner$label, col, ...)
  } else {
    if (!possible) stop_mkl("argument_error", "what", no_boundary(x))
    plot_boundary(x, data, response, main %||% x$learner$label, col, ...)
  }
  invisible(x)
}

plot_weights <- function(x, limit, main, col, ...) {
  weights <- top_weights(x, limit)
  labels <- shorten(names(weights))
  cex <- if (length(labels) > 20L) 0.65 else 0.85
  old <- graphics::par(mar = c(4, label_margin(labels, cex), 3, 1.5), las = 1)
  on.exit(graphics::par(old))
  shade <- grDevices::colorRampPalette(c("#D1E5F0", col[1L]))(101)
  fill <- shade[1L + round(100 * abs(rev(weights)) / max(abs(weights), 1e-300))]
  graphics::barplot(
    rev(unname(weights)), names.arg = rev(labels), horiz = TRUE, border = NA, col = fill,
    cex.names = cex, main = main, xlab = weights_title(x), xlim = range(0, weights) * 1.05, ...
  )
  graphics::abline(v = 0, col = "grey40")
}

# Lines of margin that labels of the vertical axis need.
label_margin <- function(labels, cex, least = 3) {
  lines <- 1.5 + max(graphics::strwidth(labels, "inches", cex = cex), 0.3) / 0.2
  max(min(lines, 16), least)
}

plot_boundary <- function(x, data, response, main, col, ...) {
  plane <- plot_plane(x, data, response)
  empty_plane(plane, main, ...)
  draw_surface(plane, col, has_margins(x$learner))
  draw_points(plane, col)
  class_legend(x$classes, col)
  graphics::box(col = "grey40")
}

empty_plane <- function(plane, main, ...) {
  graphics::plot.default(
    NA, xlim = plane$ranges[[1L]], ylim = plane$ranges[[2L]], xaxs = "i", yaxs = "i", main = main,
    xlab = plane$names[1L], ylab = plane$names[2L], ...
  )
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

# Rows of the data as rings, in grey without classes; support vectors as discs.
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
  old <- graphics::par(mar = c(4, 4.6, 3, 1.2), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3)
  on.exit(graphics::par(old))
  graphics::plot.default(
    NA, xlim = c(0, max(frame$step, 1)), ylim = range(frame$objective), main = main, xlab = xlab,
    ylab = "", bty = "l", ...
  )
  graphics::title(ylab = ylab, line = 3.4)
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  names <- unique(frame$model)
  colours <- if (is.null(names)) col else grDevices::hcl.colors(length(names), "Dark 3")
  for (i in seq_along(colours)) {
    one <- if (is.null(names)) frame else frame[frame$model == names[i], ]
    graphics::lines(one$step, one$objective, lwd = 2, col = colours[i])
    if (dots) {
      graphics::points(one$step, one$objective, pch = 21, bg = colours[i], col = "white", cex = 0.9)
    }
  }
  if (is.null(names)) return(invisible())
  shown <- seq_len(min(length(names), 10L))
  graphics::legend(
    "topright", legend = names[shown], col = colours[shown], lwd = 2, cex = 0.85,
    bg = "#FFFFFFCC", box.col = NA, inset = 0.01
  )
}

class_legend <- function(labels, col, corner = "topleft") {
  graphics::legend(
    corner, legend = labels, pch = 21, pt.bg = col, col = "white", pt.cex = 1.3,
    bg = "#FFFFFFCC", box.col = NA, inset = 0.01
  )
}
