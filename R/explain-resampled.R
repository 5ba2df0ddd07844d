# Importance by permutation within resamples: each fit to a training part loses a source among the
# test cases, which it has not seen.

# list(table, baseline, times, n), see importance().
resampled_permutation <- function(object, data, y, by, metric, repeats, resamples, envir) {
  inputs <- refit_inputs(object, data, y, envir, "probability")
  data <- as_new_form(object$frame, data)
  check_has_rows(data)
  given <- open_source(inputs$x, inputs$more, "importance()", c("data", "y"), learner_of(object))
  splits <- resample_splits(
    as_resample(resamples, "resamples"), given$source$frame$y, n = given$source$n
  )
  parts <- map_tasks(
    splits, permuted_split, data = data, given = given, by = by, metric = metric,
    repeats = repeats, label = "Importance"
  )
  warn_stalled(vapply(parts, function(part) part$converged, NA))
  sources <- unique(unlist(lapply(parts, function(part) names(part$lost))))
  lost <- do.call(rbind, lapply(parts, function(part) part$lost[sources]))
  list(
    table = data.frame(term = sources, mean_over_splits(lost, splits)),
    baseline = mean(vapply(parts, function(part) part$baseline, 0), na.rm = TRUE),
    times = length(splits), n = given$source$n
  )
}

check_has_rows <- function(data) {
  if (length(dim(data)) == 2L || is_views(data)) return(invisible())
  stop_mkl(
    "argument_error", "resamples", "`resamples` with permutations needs `data` with rows, such as ",
    "a data frame, a matrix or views(), not ", describe(data), "."
  )
}

# list(lost: by source, baseline, converged) of a split.
permuted_split <- function(split, data, given, by, metric, repeats) {
  fit <- refit_split(given, split, metrics_need(metric, given$source$task))$fit
  cases <- open_cases(fit, data[split$test, , drop = FALSE], by)
  truth <- if (task_traits(fit$task)$response) given$source$frame$y[split$test]
  score <- scorer(fit, metric, test_response(fit, NULL, truth, cases$n, "data"))
  baseline <- score(cases$decision())
  lost <- vapply(cases$sources, function(source) {
    baseline - mean(vapply(seq_len(repeats), function(r) {
      score(cases$permuted(source, sample.int(cases$n)))
    }, 0), na.rm = TRUE)
  }, 0)
  list(
    lost = metric_direction(metric) * lost, baseline = baseline, converged = all(converged(fit))
  )
}
