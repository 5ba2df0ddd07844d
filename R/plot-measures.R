# plot() of what is computed from out-of-fold predictions. The autoplot() twins are in
# plot-ggplot-measures.R.

#' Plot ROC curves, classification thresholds and calibration
#'
#' Plots the ROC curves of [roc_data()], the measures by threshold of [choose_threshold()], or the
#' reliability curve of [calibration()], with base graphics (`plot()`) or ggplot2 (`autoplot()`).
#'
#' @details
#' * ROC: sensitivity against 1 - specificity, a curve for each class; the diagonal corresponds to
#'   random predictions, with
#'   \deqn{\mathrm{AUC} = 1/2.}{AUC = 1/2.}
#' * Thresholds: sensitivity, specificity and the criterion at each finite threshold. The vertical
#'   line is the chosen one.
#' * Calibration: observed share against mean probability in each bin, with Wilson intervals; on
#'   the diagonal the probabilities are calibrated. Several classes have a panel each in
#'   `autoplot()` (at most 9, or 6 with long names) and a color each in `plot()` (at most 6):
#'   those with the largest errors.
#'
#' # Choosing a plot
#' ROC curves show which pairs of sensitivity and specificity are attainable, thresholds how to
#' attain one of them, calibration plots whether predicted probabilities agree with observed
#' frequencies.
#'
#' @param x,object A result of [roc_data()], [choose_threshold()] or [calibration()].
#' @param ... For `plot()`: arguments of [graphics::plot.default()].
#' @param main Title of `plot()`; `NULL` for a default.
#' @return `plot()`: the object, invisibly. `autoplot()`: a `ggplot` object.
#' @inherit roc_data references
#' @family plots
#' @name plot-measures
#' @examples
#' two <- droplevels(iris[51:150, c("Sepal.Length", "Sepal.Width", "Species")])
#' set.seed(1)
#' cv <- cv_mkl(Species ~ ., two, folds = 5, keep = "predictions", probability = TRUE)
#' plot(roc_data(cv))
#' plot(choose_threshold(cv))
#' plot(calibration(cv, bins = 5))
NULL

#' @rdname plot-measures
#' @export
plot.mkl_roc <- function(x, ..., main = NULL) {
  single <- nlevels(x$class) == 1L
  plot_curves(
    drawn_roc(x), main %||% roc_title(x), if (single) paste("AUC", sprintf("%.3f", attr(x, "auc"))),
    class_colours(), ...
  )
  invisible(x)
}

roc_title <- function(x) {
  if (nlevels(x$class) == 1L) "ROC curve" else "ROC curves, class against rest"
}

#' @rdname plot-measures
#' @export
plot.mkl_threshold <- function(x, ..., main = NULL) {
  lines <- threshold_lines(x)
  names <- levels(lines$measure)
  colours <- group_colours(length(names))
  titles <- wrap_titles(main %||% threshold_title(x), threshold_note(x))
  old <- graphics::par(
    mar = c(3.6, 3.4, titles$lines, side_legend(names)), las = 1, mgp = c(2.2, 0.6, 0), tcl = -0.3
  )
  on.exit(graphics::par(old))
  empty_plot(
    list(...), xlim = range(lines$threshold), ylim = range(0, 1, lines$value, na.rm = TRUE),
    xlab = threshold_axis(x), ylab = ""
  )
  draw_titles(titles)
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  for (k in seq_along(names)) {
    own <- lines[as.integer(lines$measure) == k, ]
    graphics::lines(own$threshold, own$value, col = colours[k], lwd = 2)
  }
  graphics::abline(v = x$threshold, lty = 2, col = "grey30")
  draw_side_legend(names, colours)
  invisible(x)
}

#' @rdname plot-measures
#' @export
plot.mkl_calibration <- function(x, ..., main = NULL) {
  shown <- worst_calibrated(x, 6L)
  classes <- shown$summary$class
  colours <- group_colours(length(classes))
  labels <- calibration_labels(shown)
  titles <- wrap_titles(main %||% "Calibration", calibration_note(shown, nrow(x$summary)))
  side <- if (length(classes) > 1L) side_legend(labels) else 1.5
  old <- graphics::par(
    mar = c(3.6, 4.2, titles$lines, side), las = 1, mgp = c(2.4, 0.6, 0), tcl = -0.3, pty = "s"
  )
  on.exit(graphics::par(old))
  empty_plot(
    list(...), xlim = 0:1, ylim = 0:1, xlab = "mean probability", ylab = "observed share"
  )
  draw_titles(titles)
  graphics::segments(0, 0, 1, 1, lty = 2, col = "grey55")
  for (k in seq_along(classes)) {
    own <- shown$bins[shown$bins$class == classes[k], ]
    graphics::segments(own$predicted, own$lower, own$predicted, own$upper, col = colours[k])
    graphics::lines(own$predicted, own$observed, col = colours[k], type = "o", pch = 19, lwd = 2)
  }
  if (length(classes) > 1L) draw_side_legend(labels, colours)
  invisible(x)
}

# ---- what plot() and autoplot() share ------------------------------------------------------------

# Curves of the classes with the largest errors, in their order.
worst_calibrated <- function(calibration, most) {
  worst <- sort(utils::head(order(-calibration$summary$ece), most))
  calibration$summary <- calibration$summary[worst, ]
  calibration$bins <- calibration$bins[calibration$bins$class %in% calibration$summary$class, ]
  calibration
}

calibration_labels <- function(x, separator = ": ", wide = 20L) {
  paste0(shorten(as.character(x$summary$class), wide), separator, format_number(x$summary$ece, 2L))
}

# `all`: number of classes before some were left out.
calibration_note <- function(x, all) {
  shown <- nrow(x$summary)
  if (shown == 1L) {
    return(paste0(
      shorten(as.character(x$summary$class), 30L), ": expected calibration error ",
      format_number(x$summary$ece, 3L)
    ))
  }
  paste0("class: expected calibration error", if (shown < all) {
    paste0("; the ", shown, " of ", all, " classes with the largest")
  })
}

threshold_title <- function(x) gsub("_", " ", x$criterion, fixed = TRUE)

threshold_note <- function(x) {
  paste0(
    format_number(x$value, 3L), " at the threshold ", format_number(x$threshold, 3L), ", ",
    format_number(x$usual, 3L), " at the default"
  )
}

# Measures at the finite thresholds, in long form.
threshold_lines <- function(x) {
  curve <- x$curve[is.finite(x$curve$threshold), ]
  columns <- c("sensitivity", "specificity", "value")
  measure <- factor(
    rep(columns, each = nrow(curve)), columns, c("sensitivity", "specificity", "criterion")
  )
  out <- data.frame(
    threshold = curve$threshold, measure = measure,
    value = unlist(curve[columns], use.names = FALSE)
  )
  # The criterion may be one of the other two.
  if (identical(curve$value, curve$sensitivity) || identical(curve$value, curve$specificity)) {
    out <- droplevels(out[out$measure != "criterion", ])
  }
  out
}

threshold_axis <- function(x) {
  on <- c(decision = "decision value", prob = "probability")[[names(x$threshold)]]
  paste0("threshold: least ", on, " of ", shorten(x$classes[2L], 24L))
}
