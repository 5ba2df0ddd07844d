# Errors and kernels of the trials of MKBoost.

#' Plot a multiple kernel boosting fit
#'
#' The upper plot shows the training error by number of trials and the weighted error of each
#' trial, the lower plot the kernels selected in the trials.
#'
#' @details
#' The line is the training error of \deqn{\mathrm{sign}(\sum_{s \le t} \alpha_s h_s(x));}{
#'   sign(sum_(s <= t) alpha_s h_s(x));} a point
#' is the error \eqn{\epsilon_t} of trial \eqn{t} on the weighted rows (equation 2.6), a cross a
#' discarded trial. In the lower plot darker cells have a larger share of \eqn{\alpha_t}. With
#' several pairs of classes there is one line for each, and the cells are means.
#'
#' # Choosing a plot
#' `"weights"` plots the share of each kernel in all trials, `"boundary"` the decision regions of
#' a two-class fit on two columns, as in [plot.mkl()].
#'
#' @param x A fit of [mkboost()].
#' @param what Type of plot: `"path"`, or `"weights"`, `"boundary"`, `"fitted"` or `"roc"` as in
#'   [plot.mkl()]; `NULL` is the same as `"path"`.
#' @param by For the weights: `"kernel"` or `"view"`, as in [plot.mkl()].
#' @param limit Maximum number of kernels shown.
#' @param main Title of the plot.
#' @param col Two colors: lines and cells, points.
#' @param ... Passed to [plot.mkl()], or to [graphics::plot.default()] for the upper part of the
#'   path.
#' @return The fit, invisibly.
#' @inherit mkboost references
#' @family functions for fitted models
#' @examples
#' set.seed(1)
#' fit <- mkboost(Species ~ ., droplevels(iris[51:150, ]), trials = 40)
#' plot(fit)
#' @export
plot.mkl_mkboost <- function(x, what = NULL, limit = 20L, main = NULL,
                             col = c("#2166AC", "#B2182B"), ...,
                             by = c("kernel", "view")) {
  x <- check_fit(x)
  check_exact()
  what <- choose_plot(what, "path", !missing(by))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  if (what != "path") {
    return(plot.mkl(x, what = what, limit = limit, main = main, col = col, ..., by = by))
  }
  usage <- top_usage(x, limit)
  labels <- shorten(rownames(usage))
  margin <- label_margin(labels, 0.75, least = 4.2)
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  tall <- min(1.6, 0.35 + 0.07 * nrow(usage))
  graphics::layout(matrix(1:2), heights = c(1, tall))
  plot_errors(x, margin, main %||% x$learner$label, col, ...)
  plot_usage(usage, labels, margin, col[1L])
  invisible(x)
}

plot_errors <- function(x, margin, main, col, ...) {
  path <- boosting_path(x)
  trials <- max(path$trial)
  kept <- path$weight > 0
  pairs <- unique(path$pair) %||% "all"
  lines <- if (length(pairs) == 1L) "classifier so far" else utils::head(pairs, 8L)
  entries <- c(lines, "single trial", if (!all(kept)) "discarded trial")
  # Room above the points for the legend, three entries to a row.
  room <- 1.1 + 0.3 * ceiling(length(entries) / 3)
  graphics::par(mar = c(1.2, margin, 2.6, 1.2), las = 1, mgp = c(2.6, 0.6, 0), tcl = -0.3)
  graphics::plot.default(
    NA, xlim = c(0.5, trials + 0.5), ylim = c(0, max(path$error, path$training_error, 0.01) * room),
    xaxs = "i", yaxs = "i", xaxt = "n", xlab = "", ylab = "error", main = main, bty = "l", ...
  )
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  graphics::points(
    path$trial, path$error, pch = ifelse(kept, 16, 4), cex = if (trials > 150) 0.4 else 0.6,
    col = grDevices::adjustcolor(col[2L], if (is.null(path$pair)) 0.55 else 0.25)
  )
  colours <- if (length(pairs) == 1L) col[1L] else grDevices::hcl.colors(length(pairs), "Dark 3")
  for (i in seq_along(pairs)) {
    one <- if (is.null(path$pair)) path else path[path$pair == pairs[i], ]
    graphics::lines(one$trial, one$training_error, type = "s", lwd = 2, col = colours[i])
  }
  graphics::legend(
    "top", bg = "#FFFFFFCC", box.col = NA, cex = 0.8, ncol = 3L, legend = entries,
    col = c(utils::head(colours, 8L), col[2L], if (!all(kept)) col[2L]),
    lwd = c(rep(2, length(lines)), NA, if (!all(kept)) NA),
    pch = c(rep(NA, length(lines)), 16, if (!all(kept)) 4)
  )
}

plot_usage <- function(usage, labels, margin, col) {
  graphics::par(mar = c(3.2, margin, 0.4, 1.2), las = 1, mgp = c(2, 0.5, 0), tcl = -0.3)
  count <- nrow(usage)
  shades <- grDevices::colorRampPalette(c("grey97", "#D1E5F0", col))(64)
  graphics::image(
    seq_len(ncol(usage)), seq_len(count), t(usage[rev(seq_len(count)), , drop = FALSE]),
    col = shades, zlim = c(0, max(usage, 1e-300)), xlab = "trial", ylab = "", yaxt = "n", bty = "n"
  )
  graphics::abline(h = seq_len(count - 1L) + 0.5, col = "white", lwd = 2)
  graphics::axis(2, rev(seq_len(count)), labels, tick = FALSE, cex.axis = 0.75)
  graphics::box(col = "grey60")
}
