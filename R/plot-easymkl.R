# How EasyMKL spreads its weight.

#' Plot the kernel weights of an EasyMKL fit
#'
#' Plots the largest kernel weights as bars and, if there are more kernels than bars, the
#' cumulative distribution of the weights over all kernels.
#'
#' @details
#' The weights are \eqn{\eta_m = \gamma' Y K_m Y \gamma} of [easymkl()], scaled to norm 1. The curve
#' on the right shows, for kernels sorted by weight, the share
#' \deqn{\sum_{m \le r} \eta_m \Big/ \sum_m \eta_m}{
#'   sum_(m <= r) eta_m / sum_m eta_m} of the first \eqn{r}; the dashed line is that of
#' equal weights. The circle marks the number of kernels that have half of the total weight.
#'
#' # Choosing a plot
#' With thousands of weak kernels the curve is more informative than the bars: if it is close to
#' the dashed line, a random subset of the kernels would be sufficient.
#'
#' @param x A fit of [easymkl()].
#' @param what Type of plot: `"weights"`, or `"boundary"`, `"fitted"` or `"roc"` as in
#'   [plot.mkl()].
#' @param by `"kernel"` or `"view"`, as in [plot.mkl()].
#' @param limit Maximum number of bars.
#' @param main Title of the plot.
#' @param col Two colors.
#' @param ... Passed to [graphics::barplot()] or [plot.mkl()].
#' @return The fit, invisibly.
#' @inherit easymkl references
#' @family functions for fitted models
#' @examples
#' two <- droplevels(iris[51:150, ])
#' bags <- kernel_rbf_bags(500, max_features = 3, seed = 1)
#' plot(easymkl(Species ~ ., two, kernels = bags))
#' @export
plot.mkl_easymkl <- function(x, what = c("weights", "boundary", "fitted", "roc"), limit = 20L,
                             main = NULL, col = c("#2166AC", "#B2182B"), ...,
                             by = c("kernel", "view")) {
  x <- check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("weights", "boundary", "fitted", "roc"))
  by <- check_choice(by, "by", c("kernel", "view"))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  few <- sum(item_counts(x$kernels)) <= limit
  if (what != "weights" || few || by == "view") {
    return(plot.mkl(x, what = what, limit = limit, main = main, col = col, ..., by = by))
  }
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  graphics::layout(matrix(1:2, 1L), widths = c(1.15, 1))
  plot_weights(x, limit, main %||% paste(x$learner$label, "- largest weights"), col, by, ...)
  plot_spread(mean_weights(x), col)
  invisible(x)
}

plot_spread <- function(weights, col) {
  spread <- weight_spread(weights)
  titles <- wrap_titles(paste("All", plural(spread$count, "kernel")))
  graphics::par(mar = c(3.6, 4, titles$lines, 1.5), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3)
  graphics::plot.default(
    NA, xlim = 0:1, ylim = 0:1, xaxs = "i", yaxs = "i", bty = "l",
    xlab = "share of the kernels", ylab = "share of the weight"
  )
  draw_titles(titles)
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  graphics::lines(0:1, 0:1, lty = 2, col = "grey45")
  graphics::lines(spread$kernels, spread$weight, lwd = 2, col = col[1L], xpd = NA)
  at <- spread$half_at
  graphics::points(at[1L], at[2L], pch = 21, bg = col[2L], col = "white", cex = 1.4)
  graphics::text(
    at[1L] + 0.03, at[2L], paste0("half of the weight:\n", plural(spread$half, "kernel")),
    adj = c(0, 1.2), cex = 0.8
  )
}
