# Pictures of cv_mkl() and tune_mkl().

#' Plot tuning and cross-validation results
#'
#' Plots performance by tuning parameters, as curves, a heat map, points of a random search, or by
#' round of successive halving. For [cv_mkl()]: the measures on all splits.
#'
#' @details
#' * `"curve"`: mean over the splits against the first numeric parameter, with a band of one
#'   standard error \deqn{\bar m \pm \mathrm{sd}(m_s) / \sqrt S;}{
#'     mbar +- sd(m_s) / sqrt(S);} a second parameter is shown by color, a third by panels.
#' * `"heat"`: the mean as color by the first two numeric parameters; a third parameter is shown
#'   by panels.
#' * `"points"`: the points of a random search, in a plane for two numeric parameters, else one
#'   panel for each.
#' * `"rounds"`: for halving, the mean of each point against the share of the training rows; lines
#'   end where a point was discarded.
#'
#' Axes are logarithmic if the values of a parameter span a factor of 20 or more, or form a
#' geometric sequence. A ring marks the best point. For parameters that are not shown, the best
#' value at each position is used.
#'
#' # Choosing a plot
#' `"auto"` uses `"rounds"` for halving, `"points"` for random search, `"heat"` for a grid with
#' two numeric parameters and otherwise `"curve"`. If the ring is at the edge of the plot, extend
#' the grid.
#'
#' @param object,x A result of [tune_mkl()] or [cv_mkl()].
#' @param what Type of plot: `"auto"`, `"curve"`, `"heat"`, `"points"` or `"rounds"`. For
#'   [cv_mkl()]: `"metrics"`, or `"weights"` for the kernel weights of all splits with their
#'   means, which requires `keep = "weights"`; the 20 largest are shown.
#' @param metric Performance measure; `NULL` for the first (all of them for [cv_mkl()]).
#' @param parameters Names of up to three parameters, in the order of Details; `NULL` for the
#'   first ones, numeric ones before others.
#' @param level One minus the level of the intervals for [cv_mkl()], which are those of
#'   [autoplot.mkl_benchmark()].
#' @param ... For `autoplot()`: not used. For `plot()`: arguments of `autoplot()`, which it calls
#'   and which requires ggplot2.
#' @return `autoplot()`: a `ggplot` object. `plot()`: its argument, invisibly.
#' @inherit tune_mkl references
#' @family plots
#' @examples
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   two <- droplevels(iris[51:150, ])
#'   set.seed(1)
#'   tuned <- tune_mkl(Species ~ ., two,
#'     kernels = function(sigma) kernel_rbf(sigma),
#'     grid = list(sigma = 2^(-1:4), cost = 10^(-1:3)), folds = 5
#'   )
#'   print(autoplot(tuned))
#'   print(autoplot(tuned, "curve", parameters = c("cost", "sigma")))
#'   print(autoplot(cv_mkl(Species ~ ., two)))
#' }
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_tune)
autoplot.mkl_tune <- function(object, what = c("auto", "curve", "heat", "points", "rounds"),
                              metric = NULL, parameters = NULL, ...) {
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("auto", "curve", "heat", "points", "rounds"))
  metric <- check_metric(metric, object)
  shown <- tune_parameters(object, parameters)
  if (what == "auto") what <- tune_picture(object, shown)
  frame <- tune_frame(object, metric)
  title <- paste0(tuned_label(object), ": ", metric)
  switch(what,
    curve = gg_curve(frame, shown, title, metric), heat = gg_heat(frame, shown, title, metric),
    points = gg_points(frame, shown, title, metric), rounds = gg_rounds(object, title, metric)
  )
}

#' @rdname autoplot.mkl_tune
#' @export
plot.mkl_tune <- function(x, ...) plot_by_ggplot(x, ...)

#' @rdname autoplot.mkl_tune
#' @export
plot.mkl_cv <- function(x, ...) plot_by_ggplot(x, ...)

#' @rdname autoplot.mkl_tune
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_cv)
autoplot.mkl_cv <- function(object, what = c("metrics", "weights"), metric = NULL, level = 0.05,
                            ...) {
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("metrics", "weights"))
  if (what == "weights") return(gg_cv_weights(object))
  level <- check_number(level, "level", 0, 1, open = c(TRUE, TRUE))
  metrics <- if (is.null(metric)) names(object$metrics) else check_metric(metric, object)
  group <- factor(metrics, metrics)
  part <- split_intervals(object, metrics, 1 - level)
  means <- data.frame(
    group = group, learner = from_top(rep(object$learner$name, length(metrics))),
    mean = part$estimate, low = part$lower, high = part$upper
  )
  dots <- data.frame(
    group = rep(group, each = nrow(object$results)), learner = means$learner[1L],
    value = unlist(object$results[metrics], use.names = FALSE)
  )
  gg_dots(dots, means, NULL, level) +
    ggplot2::labs(title = tuned_label(object), subtitle = format(object$resample)) +
    ggplot2::theme(
      axis.text.y = ggplot2::element_blank(), panel.grid.major.y = ggplot2::element_blank(),
      plot.margin = ggplot2::margin(5.5, 14, 5.5, 14)
    )
}

# ---- what is shown -------------------------------------------------------------------------------

# Names of the columns of the summary that are parameters.
point_parameters <- function(object) {
  columns <- outer(names(object$metrics), c("", "_sd", "_se"), paste0)
  setdiff(names(object$summary), c("point", columns, "n", "share"))
}

# Parameters with more than one value, numeric ones first. In a grid over learners those that all
# learners have.
tune_parameters <- function(object, parameters) {
  known <- point_parameters(object)
  if (!is.null(parameters)) {
    for (one in parameters) check_choice(one, "parameters", known)
    if (length(parameters) > 3L || anyDuplicated(parameters)) {
      stop_must("parameters", "up to three different names", parameters)
    }
    return(parameters)
  }
  values <- object$summary[known]
  known <- known[vapply(values, function(v) length(unique(v)) > 1L && !anyNA(v), NA)]
  if (length(known) == 0L) known <- point_parameters(object)[1L]
  numeric <- vapply(object$summary[known], is.numeric, NA)
  utils::head(c(known[numeric], known[!numeric]), 3L)
}

tune_picture <- function(object, shown) {
  if (object$search == "halving") return("rounds")
  if (object$search == "random") return("points")
  numeric <- vapply(object$summary[shown], is.numeric, NA)
  if (sum(numeric) > 1L) "heat" else "curve"
}

# Parameters and mean of each point, and whether it is the best one.
tune_frame <- function(object, metric) {
  out <- object$summary
  out$value <- out[[metric]]
  out$se <- out[[paste0(metric, "_se")]]
  best <- best_params(object, metric = metric)$point
  if (length(best) == 0L) {
    stop_mkl(
      "argument_error", "metric", "The measure \"", metric, "\" has no value for any point: there ",
      "is nothing to draw."
    )
  }
  out$best <- out$point == best
  out$larger <- rep(object$metrics[[metric]]$larger, nrow(out))
  out[!is.na(out$value), ]
}

# Of points that coincide in the parameters shown, the best.
best_of_others <- function(frame, shown) {
  frame <- frame[order(if (frame$larger[1L]) -frame$value else frame$value, !frame$best), ]
  frame <- frame[!duplicated(frame[shown]), ]
  frame[do.call(order, unname(as.list(frame[shown]))), ]
}

# A logarithmic axis for values that span powers of ten, and for geometric grids.
log_axis <- function(values) {
  if (!is.numeric(values) || !all(values > 0)) return(FALSE)
  if (max(values) >= 20 * min(values)) return(TRUE)
  steps <- diff(log(sort(unique(values))))
  length(steps) > 1L && max(steps) < 1.01 * min(steps)
}

# Text in the order of the points, not of the alphabet. Points whose learner lacks one of the
# parameters are left out.
in_order <- function(frame, shown) {
  frame <- frame[stats::complete.cases(frame[shown]), ]
  frame[shown] <- lapply(frame[shown], function(values) {
    if (is.numeric(values)) values else factor(values, unique(values))
  })
  frame
}

# Ticks at the values of a grid, where there are few.
value_scale <- function(values, axis, name) {
  scale <- switch(paste0(axis, log_axis(values)),
    xTRUE = ggplot2::scale_x_log10, xFALSE = ggplot2::scale_x_continuous,
    yTRUE = ggplot2::scale_y_log10, yFALSE = ggplot2::scale_y_continuous
  )
  at <- sort(unique(values))
  if (length(at) > 10L) return(scale(name = name, labels = format_number))
  scale(name = name, breaks = at, labels = format_number, minor_breaks = NULL)
}

# ---- plots ---------------------------------------------------------------------------------------

gg_curve <- function(frame, shown, title, metric) {
  frame <- best_of_others(in_order(frame, shown), shown)
  x <- shown[1L]
  frame$x <- frame[[x]]
  numeric <- is.numeric(frame$x)
  second <- if (length(shown) > 1L) shown[2L]
  frame$line <- if (is.null(second)) factor("all") else ordered_factor(frame[[second]])
  several <- !is.null(second)
  if (length(shown) > 2L) frame$panel <- ordered_factor(frame[[shown[3L]]], shown[3L])
  colours <- line_colours(frame$line, several && is.numeric(frame[[second]]))
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$x, .data$value, group = .data$line)) +
    curve_layers(numeric, several) +
    best_ring(frame) +
    ggplot2::scale_colour_manual(values = colours, name = second) +
    ggplot2::scale_fill_manual(values = colours, guide = "none") +
    ggplot2::labs(y = metric, title = title, x = x) + plot_theme()
  if (numeric) plot <- plot + value_scale(frame$x, "x", x)
  if (!is.null(frame$panel)) plot <- plot + ggplot2::facet_wrap(~panel) + wide_panels()
  plot
}

# Means with their errors, if there are several splits: lines with bands along numbers, points with
# bars for things without an order.
curve_layers <- function(numeric, several) {
  errors <- ggplot2::aes(ymin = .data$value - .data$se, ymax = .data$value + .data$se)
  own <- ggplot2::aes(colour = .data$line)
  shade <- ggplot2::aes(fill = .data$line)
  known <- function(frame) frame[!is.na(frame$se), ]
  point <- ggplot2::geom_point(own, size = 1.8, show.legend = several)
  if (!numeric) {
    bars <- ggplot2::geom_linerange(
      utils::modifyList(errors, own), known, linewidth = 0.7, show.legend = FALSE
    )
    return(list(bars, point))
  }
  list(
    ggplot2::geom_ribbon(
      utils::modifyList(errors, shade), function(frame) long_lines(known(frame)),
      alpha = if (several) 0.1 else 0.2, show.legend = FALSE
    ),
    ggplot2::geom_line(own, long_lines, linewidth = 0.8, show.legend = several), point
  )
}

# Lines of a single point cannot be drawn.
long_lines <- function(frame) {
  panel <- frame$panel %||% rep(1L, nrow(frame))
  frame[stats::ave(seq_len(nrow(frame)), frame$line, panel, FUN = length) > 1L, ]
}

# Levels in the order of their values; with a name they read "name = value".
ordered_factor <- function(values, name = NULL) {
  levels <- if (is.numeric(values)) sort(unique(values)) else unique(values)
  labels <- if (is.numeric(levels)) format_number(levels) else as.character(levels)
  if (!is.null(name)) labels <- paste(name, "=", labels)
  factor(match(values, levels), seq_along(levels), labels)
}

# Groups that are numbers in their order get a ramp, others colors of their own.
line_colours <- function(line, ordered) {
  count <- nlevels(line)
  if (ordered && count > 1L) grDevices::hcl.colors(count + 1L, "viridis")[seq_len(count)] else {
    group_colours(count)
  }
}

best_ring <- function(frame) {
  ggplot2::geom_point(
    data = frame[frame$best, ], shape = 21, size = 4, stroke = 1.1, fill = NA,
    colour = class_colours()[2L]
  )
}

gg_heat <- function(frame, shown, title, metric) {
  if (length(shown) < 2L || !all(vapply(frame[shown[1:2]], is.numeric, NA))) {
    stop_mkl(
      "argument_error", "what", "A heat map needs two numeric parameters, but the tuning has ",
      tick_all(shown), "."
    )
  }
  frame <- best_of_others(in_order(frame, shown), shown)
  frame$x <- frame[[shown[1L]]]
  frame$y <- frame[[shown[2L]]]
  frame[c("left", "right")] <- cell_edges(frame$x)
  frame[c("bottom", "top")] <- cell_edges(frame$y)
  if (length(shown) > 2L) frame$panel <- ordered_factor(frame[[shown[3L]]], shown[3L])
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_rect(
      ggplot2::aes(
        xmin = .data$left, xmax = .data$right, ymin = .data$bottom, ymax = .data$top,
        fill = .data$value
      ), colour = "white", linewidth = 0.2
    ) +
    ggplot2::geom_point(
      data = frame[frame$best, ], shape = 21, size = 3.2, stroke = 1.1, fill = "white",
      colour = "black"
    ) +
    plane_layers(frame, shown, title, metric) +
    ggplot2::theme(panel.grid.major = ggplot2::element_blank())
  if (!is.null(frame$panel)) plot <- plot + ggplot2::facet_wrap(~panel) + wide_panels()
  plot
}

# Borders half way between neighboring values, on the scale of the axis.
cell_edges <- function(values) {
  scale <- if (log_axis(values)) list(log, exp) else list(identity, identity)
  at <- scale[[1L]](sort(unique(values)))
  step <- if (length(at) > 1L) diff(at) else 1
  low <- at - c(step[1L], step) / 2
  high <- at + c(step, step[length(step)]) / 2
  place <- match(scale[[1L]](values), at)
  data.frame(scale[[2L]](low[place]), scale[[2L]](high[place]))
}

gg_points <- function(frame, shown, title, metric) {
  numeric <- vapply(frame[shown], is.numeric, NA)
  if (length(shown) == 2L && all(numeric)) return(gg_plane(frame, shown, title, metric))
  parts <- lapply(shown[numeric], function(name) {
    log <- log_axis(frame[[name]])
    data.frame(
      panel = paste0(name, if (log) " (log10)"), best = frame$best, value = frame$value,
      x = if (log) log10(frame[[name]]) else frame[[name]]
    )
  })
  if (length(parts) == 0L) return(gg_curve(frame, shown, title, metric))
  single <- length(parts) == 1L
  long <- do.call(rbind, parts)
  if (single) long$x <- frame[[shown[numeric]]]
  plot <- ggplot2::ggplot(long, ggplot2::aes(.data$x, .data$value)) +
    ggplot2::geom_point(colour = class_colours()[1L], size = 1.8, alpha = 0.8) +
    best_ring(long) +
    ggplot2::labs(x = NULL, y = metric, title = title) + plot_theme()
  if (single) return(plot + value_scale(long$x, "x", shown[numeric]))
  plot + ggplot2::facet_wrap(~panel, scales = "free_x") + wide_panels(2)
}

gg_plane <- function(frame, shown, title, metric) {
  frame$x <- frame[[shown[1L]]]
  frame$y <- frame[[shown[2L]]]
  ggplot2::ggplot(frame, ggplot2::aes(.data$x, .data$y)) +
    ggplot2::geom_point(
      ggplot2::aes(fill = .data$value), shape = 21, size = 3.2, colour = "grey30"
    ) +
    best_ring(frame) + plane_layers(frame, shown, title, metric)
}

# What the plots of a measure in the plane of two parameters share. Light is good.
plane_layers <- function(frame, shown, title, metric) {
  list(
    ggplot2::scale_fill_viridis_c(name = metric, direction = if (frame$larger[1L]) 1 else -1),
    value_scale(frame$x, "x", shown[1L]), value_scale(frame$y, "y", shown[2L]),
    ggplot2::labs(title = title), plot_theme()
  )
}

# Means of each point in each round.
round_means <- function(object, metric) {
  rows <- object$results[!is.na(object$results[[metric]]), ]
  out <- stats::aggregate(
    list(value = rows[[metric]]), list(point = rows$point, share = rows$share), mean
  )
  kept <- out$point %in% object$last
  best <- best_params(object, metric = metric)$point
  out$fate <- factor(
    ifelse(out$point == best, "best", ifelse(kept, "all rounds", "given up")),
    c("given up", "all rounds", "best")
  )
  out <- out[order(out$fate), ]
  out$line <- factor(out$point, unique(out$point)) # the best one is drawn last
  out
}

gg_rounds <- function(object, title, metric) {
  if (object$search != "halving") {
    stop_mkl("argument_error", "what", "Only search = \"halving\" has rounds.")
  }
  frame <- round_means(object, metric)
  rounds <- length(unique(frame$share))
  ggplot2::ggplot(
    frame, ggplot2::aes(.data$share, .data$value, group = .data$line, colour = .data$fate)
  ) +
    (if (rounds > 1L) ggplot2::geom_line(linewidth = 0.6, alpha = 0.8)) +
    ggplot2::geom_point(size = 1.6) +
    ggplot2::scale_colour_manual(
      values = c("given up" = "grey65", "all rounds" = class_colours()[1L],
                 best = class_colours()[2L]), name = NULL
    ) +
    value_scale(frame$share, "x", "share of the training rows") +
    ggplot2::labs(y = metric, title = title) + plot_theme()
}
