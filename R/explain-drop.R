# Importance by dropping: what resampled fits lose without a view or a kernel.

# list(table, baseline, times, n), see importance().
drop_importance <- function(object, data, y, by, metric, resamples, envir) {
  if (by == "column") {
    stop_mkl(
      "argument_error", "by", "`method = \"drop\"` is for views and kernels: use `by = \"view\"`, ",
      "`by = \"kernel\"` or `method = \"permutation\"`."
    )
  }
  inputs <- refit_inputs(object, data, y, envir, "probability")
  given <- open_source(inputs$x, inputs$more, "importance()", c("data", "y"), learner_of(object))
  sources <- droppable(object, by)
  splits <- resample_splits(
    as_resample(resamples %||% resample_cv(10), "resamples"), given$source$frame$y,
    n = given$source$n
  )
  points <- lapply(c(list(NULL), sources), function(name) {
    list(learner = given$learner, arguments = if (!is.null(name)) {
      list(drop = list(by = by, name = name))
    } else list())
  })
  values <- split_values(points, splits, given, metric)
  lost <- metric_direction(metric) * (values[1L, ] - t(values[-1L, , drop = FALSE]))
  rows <- function(part) mean(lengths(lapply(splits, `[[`, part)))
  ratio <- rows("test") / rows("train")
  count <- colSums(!is.na(lost))
  list(
    table = data.frame(
      term = sources, estimate = colMeans(lost, na.rm = TRUE),
      se = sqrt((1 / count + ratio) * apply(lost, 2L, stats::var, na.rm = TRUE))
    ),
    baseline = mean(values[1L, ], na.rm = TRUE), times = length(splits), n = given$source$n
  )
}

# A column for each split, with the measure of each point.
split_values <- function(points, splits, given, metric) {
  seeds <- draw_seeds(length(splits))
  tasks <- Map(function(split, seed) {
    list(split = split, seed = seed, points = seq_along(points))
  }, splits, seeds)
  outcomes <- map_tasks(
    tasks, evaluate_split, source = given$source, settings = given$settings, metrics = metric,
    points = points, seed = seeds, label = "Importance"
  )
  warn_stalled(unlist(lapply(outcomes, function(split) {
    vapply(split, function(one) one$converged, NA)
  })))
  values <- vapply(outcomes, function(split) {
    vapply(split, function(one) one$values[[1L]], 0)
  }, numeric(length(points)))
  matrix(values, length(points))
}

# Names of the views or kernels; one must be left.
droppable <- function(object, by) {
  if (length(object$kernels) == 0L) {
    stop_mkl(
      "argument_error", "method", "learner_", object$learner$name, "() sees columns, not kernels, ",
      "so that none can be dropped: use `method = \"permutation\"`."
    )
  }
  sources <- if (by == "kernel") item_names(object$kernels) else names(object$frame$views)
  if (is.null(sources)) stop_not_views()
  if (length(sources) < 2L) {
    stop_mkl(
      "argument_error", "by", "The fit has one ", by, " (", tick_all(sources), "), which cannot ",
      "be dropped as nothing would be left."
    )
  }
  sources
}
