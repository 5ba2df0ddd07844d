# plot() of predictions: ROC curves and fitted values.

plot_roc <- function(x, data, response, main, col, ...) {
  roc <- fit_roc(x, data, response)
  plot_curves(roc, main, roc_subtitle(roc), col, ...)
}

plot_curves <- function(roc, main, note, col, ...) {
  legend <- roc_legend(roc$areas)
  named <- sum(legend$named)
  single <- nrow(legend) == 1L
  colours <- if (single) col[1L] else c(group_colours(named), rep("grey72", nrow(legend) - named))
  entries <- !duplicated(legend$label)
  side <- if (single) 1.5 else side_legend(legend$label)
  titles <- wrap_titles(main, note)
  old <- graphics::par(
    mar = c(3.6, 4.2, titles$lines, side), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3, pty = "s"
  )
  on.exit(graphics::par(old))
  empty_plot(
    list(...), xlim = 0:1, ylim = 0:1, xaxs = "i", yaxs = "i", xlab = "false positive rate",
    ylab = "true positive rate"
  )
  draw_titles(titles)
  graphics::lines(0:1, 0:1, lty = 2, col = "grey55")
  for (i in rev(seq_len(nrow(legend)))) { # named curves lie on the others
    own <- roc$curves[roc$curves$class == legend$class[i], ]
    graphics::lines(own$false_positive, own$true_positive, lwd = 2, col = colours[i], xpd = NA)
    at <- roc$points[roc$points$class == legend$class[i] & legend$named[i], ]
    graphics::points(
      at$false_positive, at$true_positive, pch = 21, bg = colours[i], col = "white", cex = 1.2,
      xpd = NA
    )
  }
  if (!single) draw_side_legend(legend$label[entries], colours[entries])
}

# Axes alone. `given`: arguments of the user, which take the place of those in `...`.
empty_plot <- function(given, ...) {
  do.call(graphics::plot.default, utils::modifyList(list(NA, bty = "l", ...), given))
}

# Lines of margin that a legend at the right needs, and the legend.
side_legend <- function(labels) {
  max(graphics::strwidth(labels, "inches", cex = 0.8)) / graphics::par("csi") + 4
}

draw_side_legend <- function(labels, colours) {
  corner <- graphics::par("usr")
  graphics::legend(
    corner[2L] + 0.02 * diff(corner[1:2]), corner[4L], legend = labels, col = colours, lwd = 2,
    cex = 0.8, xpd = NA, bty = "n", seg.len = 1.4
  )
}

plot_fitted <- function(x, main, col, ...) {
  fitted <- fitted_data(x)
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  titles <- wrap_titles(main, paste0(
    "Training rows, which the fit has seen", if (fitted$kind == "table") "; dark: many of the class"
  ))
  graphics::par(
    mar = c(3.6, 4.2, titles$lines, 1.5), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3
  )
  switch(fitted$kind,
    values = plot_values(fitted, col, ...), table = plot_table(fitted, col, titles$lines, ...),
    numbers = plot_numbers(fitted, col, ...)
  )
  draw_titles(titles)
}

plot_values <- function(fitted, col, ...) {
  frame <- fitted$frame
  several <- length(fitted$sides) > 1L
  graphics::plot.default( # with room for the legend
    NA, xlim = range(frame$left, frame$right, 0), yaxs = "i",
    ylim = c(0, (if (several) 1.3 else 1.06) * max(frame$to)),
    bty = "l", xlab = "decision value", ylab = "rows", ...
  )
  graphics::rect(
    frame$left, frame$from, frame$right, frame$to, col = col[frame$class], border = "white"
  )
  graphics::abline(v = 0, lwd = 2)
  if (several) class_legend(shorten(fitted$sides, 24L), col)
}

# `top`: lines of margin for the titles.
plot_table <- function(fitted, col, top, ...) {
  count <- length(fitted$classes)
  short <- shorten(fitted$classes, 20L)
  # The labels are at the left and below, where they take room from each other.
  below <- fit_labels(short, count, top + 6)$margin + 1.5
  fitting <- fit_labels(short, count, top + below)
  cex <- fitting$cex
  margin <- fitting$margin + 1.5
  graphics::par(mar = c(margin, margin, top, 1.5))
  share <- t(matrix(fitted$frame$share, count)[count:1, , drop = FALSE])
  graphics::image(
    seq_len(count), seq_len(count), share, zlim = 0:1, axes = FALSE, xlab = "", ylab = "",
    col = grDevices::colorRampPalette(c("grey97", col[1L]))(101), ...
  )
  graphics::axis(1, seq_len(count), short, tick = FALSE, las = 2, cex.axis = cex, line = -0.5)
  graphics::axis(2, count:1, short, tick = FALSE, cex.axis = cex, line = -0.5)
  graphics::title(xlab = "fitted class", ylab = "true class", line = margin - 1.2)
  if (count > 12L) return(invisible())
  own <- fitted$frame[fitted$frame$rows > 0, ]
  graphics::text(
    match(own$fitted, fitted$classes), count + 1 - match(own$truth, fitted$classes), own$rows,
    col = ifelse(own$share > 0.5, "white", "grey15")
  )
}

plot_numbers <- function(fitted, col, ...) {
  graphics::plot.default(
    fitted$frame$fitted, fitted$frame$observed, pch = 21, bg = col[1L], col = "white", bty = "l",
    xlab = "fitted", ylab = "observed", ...
  )
  graphics::abline(0, 1, lty = 2, col = "grey55")
}
