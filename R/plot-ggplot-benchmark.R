# Pictures of benchmarks: values with intervals, and the diagram of mean ranks.

#' Plot a benchmark: performance by data set, critical difference diagram
#'
#' Plots the performance of the learners for each data set, or the critical difference diagram of
#' their mean ranks over all data sets.
#'
#' @details
#' * `"dots"`: small dots are splits, the large one is their mean, the line an interval for it:
#'   \deqn{\bar m \pm t_{k - 1, 1 - \alpha / 2} \sqrt{\Bigl(\frac1k + \frac{n_2}{n_1}\Bigr)
#'   \hat\sigma^2},}{
#'     mbar +- t_(k - 1, 1 - alpha / 2) sqrt((1 / k + n2 / n1) s^2),} with \eqn{k} splits of
#'   \eqn{n_1} training and \eqn{n_2} test rows, which accounts for the overlap of training sets
#'   as [test_corrected_t()] does. It is truncated at the limits of the measure, for instance at
#'   an accuracy of 1. Intervals of two learners can overlap although they differ significantly,
#'   because the tests are paired.
#' * `"ranks"`: the critical-difference diagram of Demsar (2006). The axis shows mean ranks, the
#'   best at the left; a bar connects learners that do not differ significantly, see
#'   [critical_difference()].
#'
#' # Choosing a plot
#' `"dots"` shows the size of differences on each data set; `"ranks"` shows differences over all
#' data sets, which requires about ten or more data sets.
#'
#' @param object,x A benchmark of [benchmark_mkl()], or the result of [compare_learners()] or
#'   [critical_difference()], whose mean ranks are plotted.
#' @param what Type of plot: `"dots"` or `"ranks"`.
#' @param metric Performance measure; `NULL` for the first.
#' @param level One minus the level of the intervals, or the significance level of the ranks.
#' @param ... For `autoplot()`: not used. For `plot()`: arguments of `autoplot()`, which it calls
#'   and which requires ggplot2.
#' @return `autoplot()`: a `ggplot` object. `plot()`: its argument, invisibly.
#' @inherit stat-tests references
#' @family plots
#' @examples
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   two <- droplevels(iris[51:150, ])
#'   set.seed(1)
#'   bm <- benchmark_mkl(
#'     list(flowers = Species ~ ., cars = factor(am) ~ mpg + wt + hp),
#'     data = list(flowers = two, cars = mtcars),
#'     learners = list(svm = learner_svm(), average = learner_average())
#'   )
#'   print(autoplot(bm))
#'   print(autoplot(bm, "ranks"))
#' }
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_benchmark)
autoplot.mkl_benchmark <- function(object, what = c("dots", "ranks"), metric = NULL, level = 0.05,
                                   ...) {
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("dots", "ranks"))
  metric <- check_metric(metric, object)
  level <- check_number(level, "level", 0, 1, open = c(TRUE, TRUE))
  if (what == "ranks") return(gg_ranks(critical_difference(object, metric, level = level)))
  better <- if (object$metrics[[metric]]$larger) " (larger is better)" else " (smaller is better)"
  gg_dots(
    benchmark_dots(object, metric), benchmark_intervals(object, metric, level),
    paste0(metric, better), level
  )
}

#' @rdname autoplot.mkl_benchmark
#' @export
plot.mkl_benchmark <- function(x, ...) plot_by_ggplot(x, ...)

#' @rdname autoplot.mkl_benchmark
#' @export
plot.mkl_cd <- function(x, ...) plot_by_ggplot(x, ...)

#' @rdname autoplot.mkl_benchmark
#' @export
plot.mkl_comparison <- function(x, ...) plot_by_ggplot(x, ...)

#' @rdname autoplot.mkl_benchmark
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_cd)
autoplot.mkl_cd <- function(object, ...) {
  check_dots(...)
  need_ggplot2()
  gg_ranks(object)
}

#' @rdname autoplot.mkl_benchmark
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_comparison)
autoplot.mkl_comparison <- function(object, ...) {
  check_dots(...)
  need_ggplot2()
  if (is.null(object$ranks)) {
    stop_mkl(
      "argument_error", "object", "`object` has no mean ranks: the benchmark has one data set, or ",
      "a learner without any result on one of them. Draw the benchmark itself."
    )
  }
  gg_ranks(object$ranks)
}

# ---- values --------------------------------------------------------------------------------------

benchmark_dots <- function(x, metric) {
  data.frame(
    group = factor(x$results$data, unique(x$results$data)), learner = from_top(x$results$learner),
    value = x$results[[metric]]
  )
}

benchmark_intervals <- function(x, metric, level) {
  part <- x$summary[x$summary$metric == metric, ]
  size <- x$sizes[match(part$data, x$sizes$data), ]
  half <- mean_interval(part$sd, part$n, size$test / size$train, level)
  range <- x$metrics[[metric]]$range
  data.frame(
    group = factor(part$data, unique(part$data)), learner = from_top(part$learner),
    mean = part$mean, low = clip(part$mean - half, range), high = clip(part$mean + half, range)
  )
}

# One panel for each `group`, or none if there is one.
gg_dots <- function(dots, means, label, level) {
  count <- nlevels(means$learner)
  colours <- stats::setNames(rev(group_colours(count)), levels(means$learner))
  plot <- ggplot2::ggplot(means, ggplot2::aes(.data$mean, .data$learner, colour = .data$learner)) +
    ggplot2::geom_point(
      data = dots, ggplot2::aes(x = .data$value), alpha = 0.35, size = 1.2, na.rm = TRUE,
      position = ggplot2::position_nudge(y = -0.18)
    ) +
    ggplot2::geom_linerange(
      ggplot2::aes(xmin = .data$low, xmax = .data$high), linewidth = 0.9, na.rm = TRUE
    ) +
    ggplot2::geom_point(size = 2.6, na.rm = TRUE) +
    ggplot2::scale_colour_manual(values = colours, guide = "none") +
    ggplot2::labs(
      x = label, y = NULL, caption = paste0(
        "mean with ", format_number(100 * (1 - level), 3L), " % interval; small points: splits"
      )
    ) +
    plot_theme()
  if (nlevels(means$group) == 1L) return(plot + ggplot2::labs(title = levels(means$group)))
  plot + ggplot2::facet_wrap(~group, scales = "free_x") +
    ggplot2::scale_x_continuous(breaks = function(range) pretty(range, 3L)) +
    ggplot2::theme(strip.clip = "off") + wide_panels(2)
}

# ---- mean ranks ----------------------------------------------------------------------------------

gg_ranks <- function(x) {
  places <- rank_places(x)
  k <- length(x$ranks)
  bars <- rank_bars(x)
  ticks <- data.frame(rank = seq_len(k))
  size <- 3.3
  test <- if (x$test == "nemenyi") "Nemenyi" else "Bonferroni and Dunn"
  ggplot2::ggplot(places) +
    ggplot2::annotate("segment", x = 1, xend = k, y = 0, yend = 0, linewidth = 0.5) +
    ggplot2::geom_segment(
      data = ticks, ggplot2::aes(x = .data$rank, xend = .data$rank), y = 0, yend = 0.18,
      linewidth = 0.5
    ) +
    ggplot2::geom_text(
      data = ticks, ggplot2::aes(x = .data$rank, label = .data$rank), y = 0.45, size = size
    ) +
    ggplot2::geom_path(
      data = rank_lines(places), ggplot2::aes(.data$x, .data$y, group = .data$learner),
      colour = "grey35", linewidth = 0.45
    ) +
    ggplot2::geom_text(
      ggplot2::aes(.data$end, .data$y, label = .data$label, hjust = .data$side), size = size
    ) +
    ggplot2::geom_segment(
      data = bars, ggplot2::aes(x = .data$from, xend = .data$to, y = .data$y, yend = .data$y),
      linewidth = 2, colour = class_colours()[1L], lineend = "round"
    ) +
    ggplot2::annotate(
      "segment", x = 1, xend = 1 + x$difference, y = 1.15, yend = 1.15, linewidth = 0.8,
      arrow = ggplot2::arrow(angle = 90, length = ggplot2::unit(3, "pt"), ends = "both")
    ) +
    ggplot2::annotate(
      "text", x = 1 + x$difference / 2, y = 1.5, size = size,
      label = paste("CD =", format_number(x$difference, 3L))
    ) +
    ggplot2::scale_x_continuous(limits = rank_limits(places, x)) +
    ggplot2::scale_y_continuous(limits = c(min(places$y) - 0.5, 1.8)) +
    ggplot2::labs(
      title = "Mean ranks, the best at the left",
      subtitle = paste0(
        plural(x$n, "data set"), ", ", test, " at level ", format_number(x$level), "; ",
        describe_friedman(x$friedman)
      )
    ) +
    ggplot2::theme_void(base_size = 11) +
    ggplot2::theme(
      plot.title = ggplot2::element_text(face = "bold", size = 12),
      plot.subtitle = ggplot2::element_text(colour = "grey35", size = 10),
      plot.margin = ggplot2::margin(5.5, 5.5, 5.5, 5.5)
    )
}

# Where each learner is written: the better half at the left, the outermost rank on top, so that no
# two lines cross. Below the bars of the groups.
rank_places <- function(x) {
  k <- length(x$ranks)
  left <- seq_len(k) <= ceiling(k / 2)
  level <- ifelse(left, seq_len(k), k + 1 - seq_len(k))
  reference <- names(x$ranks) == (x$reference %||% "")
  text <- paste0(names(x$ranks), ifelse(reference, " (reference)", ""))
  value <- formatC(x$ranks, digits = 2L, format = "f", decimal.mark = ".")
  gap <- 0.06 * max(k - 1, 1)
  data.frame(
    learner = names(x$ranks), rank = unname(x$ranks),
    y = -0.35 * (length(x$groups) + 1) - 0.6 * level,
    end = ifelse(left, 1 - gap, k + gap), side = ifelse(left, 1.03, -0.03),
    label = ifelse(left, paste0(text, "  ", value), paste0(value, "  ", text))
  )
}

rank_lines <- function(places) {
  do.call(rbind, lapply(seq_len(nrow(places)), function(i) {
    p <- places[i, ]
    data.frame(learner = p$learner, x = c(p$rank, p$rank, p$end), y = c(0, p$y, p$y))
  }))
}

rank_bars <- function(x) {
  overhang <- 0.015 * max(length(x$ranks) - 1, 1)
  rows <- lapply(seq_along(x$groups), function(g) {
    span <- range(x$ranks[x$groups[[g]]])
    data.frame(from = span[1L] - overhang, to = span[2L] + overhang, y = -0.35 * g)
  })
  if (length(rows)) do.call(rbind, rows) else data.frame(from = 0, to = 0, y = 0)[0L, ]
}

# Space for the labels: some 1.2 % of the width of a plot of usual size for each letter.
rank_limits <- function(places, x) {
  letters <- nchar(places$label, "width")
  left <- places$side > 0.5
  share <- 0.0125 * c(max(letters[left]), max(letters[!left], 0))
  share <- pmin(share, 0.35)
  inner <- diff(range(places$end))
  total <- inner / (1 - sum(share))
  right <- max(max(places$end) + share[2L] * total, 1 + 1.1 * x$difference)
  c(min(places$end) - share[1L] * total, right)
}
