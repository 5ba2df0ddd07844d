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
  seeds <- draw_seeds(length(splits))
  cases <- lapply(sources, cases_without, object, given$source, by)
  all <- seq_len(given$source$n)
  usual <- lengths(cases) == length(all)
  values <- split_values(points[c(TRUE, usual)], splits, seeds, given, metric)
  lost <- matrix(NA_real_, length(splits), length(sources))
  lost[, usual] <- values[1L, ] - t(values[-1L, , drop = FALSE])
  for (k in which(!usual)) {
    both <- split_values(points[c(1L, k + 1L)], part_splits(splits, cases[[k]]), seeds, given,
                         metric)
    lost[, k] <- both[1L, ] - both[2L, ]
  }
  lost <- metric_direction(metric) * lost
  list(
    table = data.frame(term = sources, mean_over_splits(lost, splits)),
    baseline = mean(values[1L, ], na.rm = TRUE), times = length(splits), n = given$source$n
  )
}

# Means of the columns with their standard errors; `lost`: splits x sources.
mean_over_splits <- function(lost, splits) {
  rows <- function(part) mean(lengths(lapply(splits, `[[`, part)))
  count <- colSums(!is.na(lost))
  spread <- apply(lost, 2L, stats::sd, na.rm = TRUE)
  data.frame(
    estimate = colMeans(lost, na.rm = TRUE),
    se = corrected_error(spread, count, rows("test") / rows("train")), row.names = NULL
  )
}

# The cases that a comparison with and without a source can be made on: with `missing = "omit"`
# those with all views, else those that have a view besides the one that is dropped.
cases_without <- function(source, object, data, by) {
  x <- data$frame$x
  all <- seq_len(data$n)
  if (!is_view_features(x)) return(all)
  x$missing <- object$frame$missing
  if (identical(x$missing, "omit")) return(which(complete_rows(x, "data")))
  if (by == "kernel") return(all)
  which(rowSums(x$present[, x$names != source, drop = FALSE]) > 0)
}

# The splits of some cases alone.
part_splits <- function(splits, cases) {
  lapply(splits, function(split) {
    split$train <- split$train[split$train %in% cases]
    split$test <- split$test[split$test %in% cases]
    split
  })
}

# A column for each split, with the measure of each point.
split_values <- function(points, splits, seeds, given, metric) {
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
  if (length(object$kernels) == 0L && by == "kernel") {
    stop_mkl(
      "argument_error", "by", "learner_", object$learner$name, "() sees columns, not kernels, ",
      "so that none can be dropped: use `by = \"view\"` or `method = \"permutation\"`."
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
