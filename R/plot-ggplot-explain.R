# Plots of explanations by ggplot2.

#' Plot variable importance and explanations of single predictions
#'
#' Plots the importance of views, kernels or columns with standard errors, or the contributions of
#' views and training cases to one decision value. `autoplot()` uses ggplot2, `plot()` base
#' graphics.
#'
#' @details
#' * [importance()]: points are the estimates \eqn{I_v}, lines reach one standard error to either
#'   side, \deqn{I_v \pm \mathrm{se}_v.}{I_v +- se_v.} If a line crosses 0 the source may not be
#'   important.
#' * [explain_case()]: bars are contributions to the decision value, which add up to it together
#'   with the constant; blue bars are in favor of the negative class or a smaller response, red
#'   bars in favor of the positive class or a larger response. Each panel has an axis of its own.
#'   With more than three models those with decision values closest to 0 are shown.
#'
#' # Choosing how much to show
#' `limit` truncates long lists; print the object to see all values.
#'
#' @param object,x A result of [importance()] or [explain_case()].
#' @param limit Number of sources, or of training cases, to show: the largest ones. `NULL` for 10,
#'   or fewer if there are several models.
#' @param what For [explain_case()]: contributions of `"terms"` (views or kernels), training
#'   `"cases"`, or `"both"`.
#' @param ... Not used.
#' @return `autoplot()`: a `ggplot` object. `plot()`: its argument, invisibly.
#' @inherit importance references
#' @family plots
#' @examples
#' train <- seq(1, 150, 2)
#' fit <- mkl(Species ~ ., iris[train, ])
#' set.seed(1)
#' found <- importance(fit, iris[-train, ], by = "column", repeats = 5)
#' plot(found)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   autoplot(found)
#' }
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_importance)
autoplot.mkl_importance <- function(object, limit = 20, ...) {
  check_dots(...)
  need_ggplot2()
  shown <- top_importance(object, limit)
  frame <- data.frame(
    term = from_top(shown$term), estimate = shown$estimate, low = shown$low, high = shown$high
  )
  ggplot2::ggplot(frame, ggplot2::aes(.data$estimate, .data$term)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_linerange(
      ggplot2::aes(xmin = .data$low, xmax = .data$high), colour = group_colours(1L),
      linewidth = 0.8, na.rm = TRUE
    ) +
    ggplot2::geom_point(colour = group_colours(1L), size = 2.4) +
    ggplot2::labs(
      x = shown$label, y = NULL, title = shown$title, subtitle = wrap_subtitle(shown$subtitle)
    ) +
    plot_theme("x") + small_labels(nrow(frame))
}

# Kernel weights of all splits of a cross-validation, and their means. More models than panels have
# room for are averaged within each split.
gg_cv_weights <- function(object, limit = 20L, most = 3L) {
  all <- cv_weights(object)
  models <- length(unique(all$pair))
  kernels <- unique(all$kernel)
  if (models > most) {
    split <- paste(all$id, all[["repeat"]], all$fold)
    all <- stats::aggregate(all["weight"], list(split = split, kernel = all$kernel), mean)
  }
  means <- tapply(all$weight, factor(all$kernel, kernels), mean)
  means <- utils::head(means[order(-means, method = "radix")], limit)
  labels <- shorten(names(means))
  all <- all[all$kernel %in% names(means), ]
  all$row <- from_top(labels)[match(all$kernel, names(means))]
  panels <- models > 1L && models <= most
  mean_frame <- data.frame(row = from_top(labels), weight = as.vector(means))
  if (panels) all$pair <- factor(all$pair, unique(all$pair), shorten(unique(all$pair), 20L))
  ggplot2::ggplot(all, ggplot2::aes(.data$weight, .data$row)) +
    ggplot2::geom_point(
      colour = "grey55", alpha = 0.7, size = 1.6,
      position = ggplot2::position_jitter(height = 0.12, width = 0, seed = 1L)
    ) +
    (if (panels) ggplot2::facet_wrap("pair") else ggplot2::geom_point(
      data = mean_frame, colour = group_colours(1L), size = 2.8, shape = 18
    )) +
    ggplot2::scale_x_continuous(n.breaks = if (panels) 3L else 5L) +
    ggplot2::labs(
      x = paste0(if (models > most) "mean ", "weight of the kernel"), y = NULL,
      title = wrap_title(paste0(tuned_label(object), ": kernel weights")),
      subtitle = wrap_subtitle(paste0(
        if (length(kernels) > limit) paste0("Largest ", limit, " of ", length(kernels), "; "),
        format(object$resample), "; a dot for each split",
        if (models > most) paste(", which is the mean over", models, "models"),
        if (!panels) ", a diamond for the mean"
      ))
    ) + plot_theme("x") + wide_panels() + small_labels(length(labels))
}

#' @rdname autoplot.mkl_importance
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_case)
autoplot.mkl_case <- function(object, what = c("both", "terms", "cases"), limit = NULL, ...) {
  check_dots(...)
  need_ggplot2()
  bars <- case_bars(object, if (missing(what)) "both" else what, limit)
  columns <- length(unique(bars$part))
  rows <- length(unique(bars$model))
  bars <- bars[order(match(bars$model, unique(bars$model))), ]
  # A training case may be in several panels, each with a place of its own.
  key <- paste(bars$model, bars$part, bars$label, sep = "\r")
  bars$row <- factor(key, rev(unique(key)))
  bars$panel <- factor(panel_labels(bars), unique(panel_labels(bars)))
  bars$sign <- factor(bars$contribution > 0, c(FALSE, TRUE))
  ggplot2::ggplot(bars, ggplot2::aes(.data$contribution, .data$row, fill = .data$sign)) +
    ggplot2::geom_col(width = 0.7, show.legend = FALSE) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::scale_fill_manual(values = class_colours(), drop = FALSE) +
    ggplot2::scale_x_continuous(breaks = end_ticks, labels = format_number) +
    ggplot2::scale_y_discrete(labels = function(key) sub(".*\r", "", key)) +
    ggplot2::facet_wrap("panel", scales = "free", ncol = columns) +
    ggplot2::labs(
      x = NULL, y = NULL, caption = pull_label(object), title = wrap_title(case_title(object)),
      subtitle = wrap_subtitle(case_note(object))
    ) +
    plot_theme("x") + small_labels(nrow(bars) / columns * rows) + wide_panels() +
    ggplot2::theme(
      strip.clip = "off",
      strip.text = ggplot2::element_text(size = if (rows > 1L) 7.5 else 9),
      # in the middle of the plot, as names of classes may be longer than panels
      plot.caption = ggplot2::element_text(hjust = 0.5, size = 10, colour = "grey25"),
      plot.caption.position = "plot"
    )
}

# Ticks of a narrow panel: 0 and a round number near each end that is far from 0.
end_ticks <- function(range) {
  far <- max(abs(range))
  if (far == 0) return(0)
  ends <- range[abs(range) >= 0.4 * far]
  step <- 10^floor(log10(far))
  unique(c(0, trunc(ends / step + sign(ends) * 1e-9) * step))
}
