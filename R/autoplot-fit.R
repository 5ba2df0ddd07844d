# Pictures of fits. What they show is computed in plot-data.R, which plot() uses too.

#' Pictures of a fit by ggplot2
#'
#' Weights of the kernels, the path of the solver, boundary or gating regions of a fit on two
#' columns, ROC curve, margins: which of them exist depends on the fit.
#'
#' @details
#' * `"weights"`: the largest weights as bars; the mean over the models if there are several.
#' * `"spread"`: the share of the weight that the first kernels hold, when there are very many.
#' * `"path"`: the objective after each step of the solver.
#' * `"boundary"`: decision values of a two-class fit on two numeric columns. The solid line is
#'   \eqn{f(x) = 0}, the dashed ones are the margins \eqn{f(x) = \pm 1}, for learners that have
#'   them (the votes of [mkboost()] and the scores of [komd()] do not). Filled points are support
#'   vectors, open ones other rows of `data`.
#' * `"eigen"`, for [lbmkl()] and other label-based fits: the training rows along the two leading
#'   eigenvectors of \eqn{K}, of \eqn{K^*} and of \eqn{K^{**}}, see [plot.mkl_lbmkl()].
#' * `"gating"`, for [lmkl()]: the regions in which each kernel counts, with the boundary.
#' * `"boosting"`, for [mkboost()]: errors and kernels of the trials, see [boosting_path()].
#' * `"roc"`: the share of positive rows found against that of negative rows taken for positive, at
#'   every threshold. The area is the probability that \deqn{f(x_+) > f(x_-),} ties counting one
#'   half. The point is the threshold 0.
#' * `"margins"`: how many rows of each class have which margin \eqn{y f(x)}; left of 0 they are
#'   errors, and between 0 and 1 they are inside the margin, for the same learners.
#'
#' # Choosing what to see
#' `"auto"` draws the boundary when that is possible and there is one kernel or `data` is given;
#' else the weights. `"roc"` and `"margins"` need rows with their classes, because fits do not store
#' them: best those that were not used in training. Pairs of several classes get a curve or a panel
#' each.
#'
#' @param object A fit of [mkl()].
#' @param what `"auto"` or one of the pictures in Details.
#' @param data Rows to be drawn or judged: a data frame or matrix with the columns of the fit.
#' @param response The classes of the rows of `data`; taken from `data` for fits by a formula.
#' @param model For `"eigen"`: which model, by number or name, if there are several.
#' @param limit Largest number of bars, or of kernels in the picture of a boosted fit.
#' @param ... Not used.
#' @return A `ggplot` object.
#' @inherit kernel_weights references
#' @family pictures
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
                         model = 1) {
  check_fit(object)
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("auto", fit_pictures()))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  if (what == "auto") what <- auto_picture(object, data)
  check_picture(object, what)
  switch(what,
    weights = gg_weights(object, limit), spread = gg_spread(object), path = gg_path(object),
    boundary = gg_boundary(object, data, response), gating = gg_gating(object, data, response),
    eigen = gg_eigen(object, check_model(model, object)),
    boosting = gg_boosting(object, limit), roc = gg_roc(object, data, response),
    margins = gg_margins(object, data, response)
  )
}

fit_pictures <- function() {
  c("weights", "spread", "path", "boundary", "gating", "eigen", "boosting", "roc", "margins")
}

auto_picture <- function(object, data) {
  wanted <- !is.null(data) || sum(item_counts(object$kernels)) <= 1
  if (wanted && is.null(no_boundary(object))) "boundary" else "weights"
}

check_picture <- function(object, what) {
  obstacle <- switch(what,
    weights = , spread = no_weights(object),
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

gg_weights <- function(x, limit) {
  weights <- top_weights(x, limit)
  frame <- data.frame(kernel = from_top(shorten(names(weights))), weight = unname(weights))
  ggplot2::ggplot(frame, ggplot2::aes(.data$weight, .data$kernel, fill = abs(.data$weight))) +
    ggplot2::geom_col(width = 0.75, show.legend = FALSE) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey40") +
    ggplot2::scale_fill_gradient(low = "#B7D4E8", high = class_colours()[1L], limits = c(0, NA)) +
    ggplot2::labs(x = weights_title(x), y = NULL, title = x$learner$label) +
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
  several <- !is.null(frame$model)
  if (several) frame$model <- factor(frame$model, levels = unique(frame$model))
  positive <- all(frame$objective > 0)
  # Criteria that fall by powers of ten are seen on a logarithmic axis only.
  wide <- positive && max(frame$objective) > 50 * min(frame$objective)
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$step, .data$objective))
  plot <- if (several) {
    plot + ggplot2::geom_line(ggplot2::aes(colour = .data$model), linewidth = 0.9) +
      ggplot2::scale_colour_manual(values = group_colours(nlevels(frame$model)), name = NULL)
  } else {
    plot + ggplot2::geom_line(colour = class_colours()[1L], linewidth = 0.9)
  }
  if (max(frame$step) <= 60 && !several) {
    plot <- plot + ggplot2::geom_point(
      shape = 21, fill = class_colours()[1L], colour = "white", size = 2
    )
  }
  if (wide) plot <- plot + ggplot2::scale_y_log10()
  plot + ggplot2::labs(
    x = "step", y = paste0("objective", if (wide) ", logarithmic"), title = x$learner$label
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
  if (is.null(path$pair)) path$pair <- "classifier so far"
  path$pair <- factor(path$pair, unique(path$pair))
  path$panel <- panel(1L)
  path$state <- ifelse(path$weight > 0, "single trial", "discarded trial")
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
      ggplot2::aes(y = .data$error, shape = .data$state), colour = class_colours()[2L], alpha = 0.5,
      size = 1.3
    ) +
    ggplot2::geom_step(
      ggplot2::aes(y = .data$training_error, colour = .data$pair), linewidth = 0.9
    ) +
    ggplot2::scale_shape_manual(
      values = c("single trial" = 16, "discarded trial" = 4), name = NULL
    ) +
    ggplot2::scale_colour_manual(values = group_colours(nlevels(path$pair)), name = NULL) +
    ggplot2::scale_fill_gradient(
      low = "grey96", high = class_colours()[1L], limits = c(0, NA), name = "weight"
    ) +
    ggplot2::scale_y_continuous(breaks = breaks, labels = labels) +
    ggplot2::guides( # in this order: left to itself it changes with versions of other packages
      colour = ggplot2::guide_legend(order = 1L), shape = ggplot2::guide_legend(order = 2L),
      fill = ggplot2::guide_colourbar(order = 3L)
    ) +
    ggplot2::facet_grid(panel ~ ., scales = "free_y") +
    ggplot2::labs(x = "trial", y = NULL, title = x$learner$label) +
    plot_theme() + small_labels(count) +
    ggplot2::theme(panel.spacing.y = ggplot2::unit(0.8, "lines"))
}

# ---- scores --------------------------------------------------------------------------------------

gg_roc <- function(x, data, response) {
  scores <- score_frame(x, data, response)
  parts <- lapply(split(scores, factor(scores$model, unique(scores$model))), roc_part)
  labels <- vapply(parts, function(part) part$label, "")
  bind <- function(what) {
    out <- do.call(rbind, lapply(parts, function(part) part[[what]]))
    out$model <- factor(out$model, names(parts), labels)
    out
  }
  rows <- plural(length(unique(scores$row)), "row")
  single <- length(parts) == 1L
  ggplot2::ggplot(
    bind("curve"), ggplot2::aes(.data$false_positive, .data$true_positive, colour = .data$model)
  ) +
    diagonal() +
    ggplot2::geom_path(linewidth = 0.9, show.legend = !single) +
    ggplot2::geom_point(data = bind("zero"), size = 2.6, na.rm = TRUE, show.legend = !single) +
    ggplot2::scale_colour_manual(values = group_colours(length(parts)), name = NULL) +
    ggplot2::coord_equal(xlim = 0:1, ylim = 0:1) +
    ggplot2::labs(
      x = "false positive rate", y = "true positive rate", title = x$learner$label,
      subtitle = paste0(if (single) paste0(labels, ", "), rows, "; the point is the threshold 0")
    ) +
    plot_theme()
}

# Curve, area and the point of threshold 0 of one model.
roc_part <- function(one) {
  positive <- one$class == 2L
  name <- one$model[1L]
  zero <- one$decision >= 0
  area <- paste("AUC", sprintf("%.3f", rank_auc(positive, one$decision)))
  list(
    curve = data.frame(model = name, roc_points(one$decision, positive)),
    label = if (name == "all") area else paste0(name, ": ", area),
    zero = data.frame(
      model = name, false_positive = mean(zero[!positive]), true_positive = mean(zero[positive])
    )
  )
}

gg_margins <- function(x, data, response) {
  scores <- score_frame(x, data, response)
  several <- length(x$models) > 1L
  scores$margin <- scores$decision * (2L * scores$class - 3L)
  sides <- if (several) c("negative class", "positive class") else x$classes
  scores$side <- factor(sides[scores$class], sides)
  scores$model <- factor(scores$model, unique(scores$model))
  unit <- has_margins(x$learner)
  plot <- ggplot2::ggplot(scores, ggplot2::aes(.data$margin, fill = .data$side)) +
    ggplot2::geom_histogram(
      bins = 30L, boundary = 0, colour = "white", linewidth = 0.2, position = "stack"
    ) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey10", linewidth = 0.8) +
    ggplot2::scale_fill_manual(values = stats::setNames(class_colours(), sides), name = NULL) +
    ggplot2::scale_y_continuous(breaks = function(range) unique(round(pretty(range)))) +
    ggplot2::labs(
      x = "margin y f(x)", y = "rows", title = x$learner$label,
      subtitle = paste0(
        percent_below(scores$margin, 0), " left of 0 (errors)",
        # Rows with a margin of 1 are on it as exactly as the solver puts them there.
        if (unit) paste0(", ", percent_below(scores$margin, 1 - 1e-2), " left of 1")
      )
    ) +
    plot_theme("y") + ggplot2::theme(strip.clip = "off") + wide_panels()
  if (unit) {
    plot <- plot + ggplot2::geom_vline(
      xintercept = 1, colour = "grey20", linetype = 2, linewidth = 0.4
    )
  }
  if (several) plot <- plot + ggplot2::facet_wrap(~model)
  plot
}

percent_below <- function(x, limit) paste(format_number(100 * mean(x < limit), 3L), "%")
