# Plots of fits. What they show is computed in plot-data*.R, which plot() uses too. Those of
# predictions are in plot-ggplot-scores.R.

#' Plot a fitted model with ggplot2: weights, boundary, ROC curve and others
#'
#' Plots kernel weights, the objective by iteration, decision boundary or gating regions of a fit
#' on two columns, ROC curve or margins. The available plots depend on the learner.
#'
#' @details
#' * `"weights"`: the largest weights as bars, and the mean of the other weights; averaged over
#'   the models if there are several.
#' * `"spread"`: the cumulative share of the weight by number of kernels, for many kernels.
#' * `"path"`: the objective after each step of the solver.
#' * `"boundary"`: decision values of a two-class fit on two numeric columns. The solid line is
#'   \eqn{f(x) = 0}, the dashed ones are the margins \eqn{f(x) = \pm 1}, except for [mkboost()]
#'   and [komd()], whose decision values are not on the scale of a margin. Filled points are
#'   support vectors, open points other rows of `data`.
#' * `"eigen"`, for [lbmkl()] and other label-based fits: the training rows along the two leading
#'   eigenvectors of \eqn{K}, of \eqn{K^*} and of \eqn{K^{**}}, see [plot.mkl_lbmkl()].
#' * `"gating"`, for [lmkl()]: the regions in which each kernel has a large weight, with the
#'   decision boundary.
#' * `"boosting"`, for [mkboost()]: errors and selected kernels of the trials, see
#'   [boosting_path()].
#' * `"roc"`: the true positive rate against the false positive rate at every threshold. The area
#'   under the curve is the probability that \deqn{f(x_+) > f(x_-),}{f(x+) > f(x-),} ties counting
#'   one half. The point marks the threshold 0. With several classes there is a curve for each
#'   class against the rest: rows are ranked by the decision value of the class, or by the votes
#'   of its pairs, with ties broken by the sum of decision values; points mark the predicted
#'   classes. With more than 8 classes the 5 classes with the lowest areas are labeled and the
#'   others are gray.
#' * `"margins"`: histogram of the margins \eqn{y f(x)} for each class; values below 0 are errors,
#'   and values between 0 and 1 are inside the margin, for the same learners. With several classes
#'   each pair has a panel (the 12 pairs with the most errors).
#' * `"fitted"`: fitted values of the training rows: decision values by class, rows by true and
#'   fitted class for several classes, or observed against fitted values for regression.
#'
#' # Choosing a plot
#' `"auto"` plots the boundary if that is possible and there is one kernel or `data` is given;
#' otherwise the weights of several kernels, or the fitted values of a fit with one kernel or
#' none. `"roc"` and `"margins"` need rows with their classes, because fits do not store the data;
#' use rows that were not used in training. `by = "view"` plots the weights of [views()].
#'
#' @param object A fit of [mkl()].
#' @param what Type of plot: `"auto"` or one of the plots in Details.
#' @param data Rows to be plotted or evaluated: a data frame or matrix with the columns of the
#'   fit.
#' @param response The classes of the rows of `data`; taken from `data` for fits by a formula.
#' @param model For `"eigen"`: number or name of the model to plot, if there are several.
#' @param by For `"weights"`: `"kernel"`, or `"view"` for the sum over the kernels of each of
#'   [views()].
#' @param limit Maximum number of bars, or of kernels in the plot of a boosted fit.
#' @param ... Not used.
#' @return A `ggplot` object.
#' @inherit kernel_weights references
#' @family plots
#' @examples
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   two <- droplevels(iris[51:150, c("Petal.Length", "Petal.Width", "Species")])
#'   train <- seq(1, 100, 2)
#'   fit <- mkl(Species ~ ., two[train, ], learner = learner_average())
#'   print(autoplot(fit))
#'   print(autoplot(fit, "boundary", data = two[train, ]))
#'   print(autoplot(fit, "roc", data = two[-train, ]))
#' }
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl)
autoplot.mkl <- function(object, what = "auto", data = NULL, response = NULL, limit = 20L, ...,
                         model = 1, by = c("kernel", "view")) {
  object <- check_fit(object)
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("auto", fit_pictures()))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  if (what == "auto") what <- if (missing(by)) auto_picture(object, data) else "weights"
  by <- check_choice(by, "by", c("kernel", "view"))
  check_picture(object, what, by)
  switch(what,
    weights = gg_weights(object, limit, by), fitted = gg_fitted(object),
    spread = gg_spread(object), path = gg_path(object),
    boundary = gg_boundary(object, data, response), gating = gg_gating(object, data, response),
    eigen = gg_eigen(object, check_model(model, object)),
    boosting = gg_boosting(object, limit), roc = gg_roc(object, data, response),
    margins = gg_margins(object, data, response)
  )
}

fit_pictures <- function() {
  c("weights", "spread", "path", "boundary", "gating", "eigen", "boosting", "roc", "margins",
    "fitted")
}

check_picture <- function(object, what, by) {
  obstacle <- switch(what,
    weights = no_weights(object, by), spread = no_weights(object), fitted = no_fitted(object),
    boundary = no_boundary(object),
    gating = if (inherits(object, "mkl_lmkl")) no_plane(object) else {
      "Only fits of lmkl() have gating regions."
    },
    eigen = if (inherits(object, "mkl_lbmkl")) no_eigen(object) else {
      "Only label-based fits, such as those of lbmkl(), have kernels to be compared."
    },
    boosting = if (!inherits(object, "mkl_mkboost")) "Only fits of mkboost() have trials.",
    path = if (nrow(path_frame(object)) == 0L) {
      paste0("Fits of learner_", object$learner$name, "() have no path: one problem is solved.")
    }
  )
  if (!is.null(obstacle)) stop_mkl("argument_error", "what", obstacle)
}

gg_weights <- function(x, limit, by) {
  bars <- weight_bars(x, limit, by)
  frame <- data.frame(
    kernel = from_top(bars$labels), weight = bars$weights, size = abs(bars$weights)
  )
  frame$size[bars$rest] <- NA
  ggplot2::ggplot(frame, ggplot2::aes(.data$weight, .data$kernel, fill = .data$size)) +
    ggplot2::geom_col(width = if (nrow(frame) > 2L) 0.75 else 0.4, show.legend = FALSE) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::scale_fill_gradient(
      low = "#B7D4E8", high = class_colours()[1L], limits = c(0, NA), na.value = "grey70"
    ) +
    ggplot2::labs(
      x = weights_title(x, by), y = NULL, title = wrap_title(x$learner$label),
      subtitle = wrap_subtitle(bars$note)
    ) +
    plot_theme("x") + small_labels(nrow(frame))
}

# Many labels on the vertical axis are written smaller.
small_labels <- function(count) {
  size <- if (count <= 12L) 9 else if (count <= 20L) 7.5 else 6
  ggplot2::theme(axis.text.y = ggplot2::element_text(size = size))
}

gg_spread <- function(x) {
  spread <- weight_spread(mean_weights(x))
  frame <- data.frame(kernels = spread$kernels, weight = spread$weight)
  half <- data.frame(
    kernels = spread$half_at[1L], weight = spread$half_at[2L],
    label = paste("half of the weight:", plural(spread$half, "kernel"))
  )
  ggplot2::ggplot(frame, ggplot2::aes(.data$kernels, .data$weight)) +
    diagonal() +
    ggplot2::geom_line(colour = class_colours()[1L], linewidth = 1) +
    ggplot2::geom_point(data = half, size = 3, colour = class_colours()[2L]) +
    ggplot2::geom_label(
      data = half, ggplot2::aes(label = .data$label), hjust = -0.06, vjust = 1.2, size = 3.3,
      label.size = 0, label.padding = ggplot2::unit(0.1, "lines")
    ) +
    ggplot2::coord_equal(xlim = 0:1, ylim = 0:1) +
    ggplot2::labs(
      x = "share of the kernels, largest weights first", y = "share of the weight",
      title = x$learner$label, subtitle = paste("All", plural(spread$count, "kernel"))
    ) +
    plot_theme()
}

# From corner to corner of the unit square.
diagonal <- function() {
  ggplot2::annotate(
    "segment", x = 0, y = 0, xend = 1, yend = 1, linetype = 2, colour = "grey55"
  )
}

gg_path <- function(x) {
  frame <- path_frame(x)
  lines <- line_groups(frame$model)
  if (lines$named) frame$model <- factor(frame$model, lines$names, shorten(lines$names, 24L))
  positive <- all(frame$objective > 0)
  # Criteria that fall by powers of ten are seen on a logarithmic axis only.
  wide <- positive && max(frame$objective) > 50 * min(frame$objective)
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$step, .data$objective))
  plot <- if (lines$count == 1L) {
    plot + ggplot2::geom_line(colour = class_colours()[1L], linewidth = 0.9)
  } else if (lines$named) {
    plot + ggplot2::geom_line(ggplot2::aes(colour = .data$model), linewidth = 0.9) +
      ggplot2::scale_colour_manual(values = group_colours(lines$count), name = NULL)
  } else {
    plot + ggplot2::geom_line(
      ggplot2::aes(group = .data$model), colour = class_colours()[1L], alpha = 0.35
    )
  }
  if (max(frame$step) <= 60 && lines$count == 1L) {
    plot <- plot + ggplot2::geom_point(
      shape = 21, fill = class_colours()[1L], colour = "white", size = 2
    )
  }
  if (wide) plot <- plot + ggplot2::scale_y_log10()
  plot + ggplot2::labs(
    x = "step", y = paste0("objective", if (wide) ", logarithmic"),
    title = wrap_title(x$learner$label), subtitle = lines$note
  ) + plot_theme()
}

# ---- boosting ------------------------------------------------------------------------------------

# Two panels with one horizontal axis: errors above, kernels below. The kernels stand at 101, 102,
# ... of the vertical axis, far from any error, by which its labels know their panel.
gg_boosting <- function(x, limit) {
  path <- boosting_path(x)
  usage <- top_usage(x, limit)
  kernels <- shorten(rownames(usage))
  count <- length(kernels)
  panel <- function(i) factor(c("error", "kernels")[i], levels = c("error", "kernels"))
  lines <- line_groups(path$pair)
  if (is.null(path$pair)) path$pair <- "classifier so far"
  short <- shorten(unique(path$pair), 24L)
  path$pair <- factor(path$pair, unique(path$pair), short)
  few <- is.null(lines$note)
  colours <- if (few) group_colours(nlevels(path$pair)) else rep("#5583AE", lines$count)
  path$panel <- panel(1L)
  path$fate <- ifelse(path$weight > 0, "single trial", "discarded trial")
  cells <- data.frame(
    trial = rep(seq_len(ncol(usage)), each = count), row = 100 + rev(seq_len(count)),
    share = as.vector(usage), panel = panel(2L)
  )
  labels <- function(at) {
    out <- format_number(at)
    inner <- !is.na(at) & at > 50
    out[inner] <- rev(kernels)[at[inner] - 100]
    out
  }
  breaks <- function(range) if (range[2L] > 50) 100 + seq_len(count) else pretty(range, 4L)
  ggplot2::ggplot(path, ggplot2::aes(.data$trial)) +
    ggplot2::geom_tile(
      data = cells, ggplot2::aes(y = .data$row, fill = .data$share), height = 0.86
    ) +
    ggplot2::geom_point(
      ggplot2::aes(y = .data$error, shape = .data$fate), colour = class_colours()[2L], alpha = 0.5,
      size = 1.3
    ) +
    ggplot2::geom_step(
      ggplot2::aes(y = .data$training_error, colour = .data$pair), linewidth = 0.9
    ) +
    ggplot2::scale_shape_manual(
      values = c("single trial" = 16, "discarded trial" = 4), name = NULL
    ) +
    ggplot2::scale_colour_manual(values = colours, name = NULL) +
    ggplot2::scale_fill_gradient(
      low = "grey96", high = class_colours()[1L], limits = c(0, NA), name = "weight"
    ) +
    ggplot2::scale_y_continuous(breaks = breaks, labels = labels) +
    ggplot2::guides( # in this order: left to itself it changes with versions of other packages
      colour = if (few) ggplot2::guide_legend(order = 1L) else "none",
      shape = ggplot2::guide_legend(order = 2L),
      fill = ggplot2::guide_colourbar(order = 3L)
    ) +
    ggplot2::facet_grid(panel ~ ., scales = "free_y") +
    ggplot2::labs(
      x = "trial", y = NULL, title = wrap_title(x$learner$label), subtitle = lines$note
    ) +
    plot_theme() + small_labels(count) +
    ggplot2::theme(panel.spacing.y = ggplot2::unit(0.8, "lines"))
}
