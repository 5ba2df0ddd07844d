#' Tidy resampling, tuning, benchmark and comparison results
#'
#' `tidy()` returns the results of [cv_mkl()], [tune_mkl()], [benchmark_mkl()],
#' [compare_learners()] or [critical_difference()] in long form, `glance()` returns a one-row
#' summary; see [tidiers] for fits and [`augment()`][augment-results] for the predictions of
#' single rows.
#'
#' @details
#' A row of `tidy()` of a benchmark is one value
#' \deqn{m_{dls}}{
#'   m[d, l, s]} of a measure m for data set d, learner l and split s.
#'
#' # Choosing a form
#' `$results` of the objects has a column for each measure, which is easier to read; the long form
#' is suitable for grouping and plotting.
#'
#' @param x A result of [cv_mkl()], [tune_mkl()], [benchmark_mkl()], [compare_learners()],
#'   [critical_difference()], [performance()] or [importance()].
#' @param what For a cross-validation: `"metrics"` for the values of each split, `"performance"`
#'   for the estimates with their confidence intervals, see [performance()], `"weights"` for the
#'   kernel weights of each split, which requires `keep = "weights"`.
#' @param ... For `what = "performance"` the arguments of [performance()]; otherwise not used.
#' @return A data frame.
#' * `tidy()` of a cross-validation: the split (`id`, `repeat`, `fold`), what is known of its fit,
#'   `metric` and `value`; of a tuning: `point`, the parameters, `metric`, `mean`, `sd`, `se`, `n`;
#'   of a benchmark: `data`, `learner`, the split, `metric`, `value`, `failure`, `warning`; of a
#'   comparison: its `pairs`, see [compare_learners()]; of a critical difference: for each pair that
#'   was tested `learner` and `other`, the `difference` of their mean ranks (positive if `other` is
#'   the worse one), `p_value` and `significant`; of a performance: `metric`, `estimate`,
#'   `std.error`, `conf.low`, `conf.high`, `method`, `n`, `note`; of an importance: `term`,
#'   `estimate`, `std.error`, `by`, `method`, `metric`.
#' * `glance()` of a cross-validation: `learner`, `nobs`, `splits`, the mean of each measure; of a
#'   tuning: `learner`, `search`, `points`, `splits`, and the row of the best point; of a benchmark:
#'   `data_sets`, `learners`, `cells`, `failures`, `warnings`, and the best learner by mean rank of
#'   the first measure (`best`); of a comparison: `metric`, `test`, `level`, `data_sets`,
#'   `learners`, `significant` (pairs), and `friedman` and `p_value` of the [test_friedman()] over
#'   data sets; of a critical difference: `test`, `level`, `data_sets`, `learners`, `difference`
#'   (the critical one), `friedman` and `p_value`.
#' @inherit stat-tests references
#' @family comparisons
#' @name tidiers-results
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' tidy(tune_mkl(Species ~ ., two, grid = list(cost = c(1, 10)), folds = 3))
#' bm <- benchmark_mkl(Species ~ ., list(flowers = two), list(learner_svm(), learner_average()))
#' head(tidy(bm))
#' glance(bm)
#' tidy(compare_learners(bm))
NULL

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_benchmark)
tidy.mkl_benchmark <- function(x, ...) {
  check_dots(...)
  long_results(x$results, names(x$metrics))
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_cv)
tidy.mkl_cv <- function(x, what = c("metrics", "performance", "weights"), ...) {
  what <- check_choice(what, "what", c("metrics", "performance", "weights"))
  if (what == "performance") return(tidy.mkl_performance(performance(x, ...)))
  check_dots(...)
  if (what == "weights") cv_weights(x) else long_results(x$results, names(x$metrics))
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_performance)
tidy.mkl_performance <- function(x, ...) {
  check_dots(...)
  data.frame(
    metric = x$metric, estimate = x$estimate, std.error = x$se, conf.low = x$lower,
    conf.high = x$upper, method = x$method, n = x$n, note = x$note
  )
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_importance)
tidy.mkl_importance <- function(x, ...) {
  check_dots(...)
  about <- attributes(x)
  data.frame(
    term = x$term, estimate = x$estimate, std.error = x$se, by = rep(about$by, nrow(x)),
    method = rep(about$method, nrow(x)), metric = rep(about$metric, nrow(x))
  )
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::glance, mkl_cv)
glance.mkl_cv <- function(x, ...) {
  check_dots(...)
  means <- stats::setNames(as.list(x$summary$mean), x$summary$metric)
  data.frame(
    learner = x$learner$name, nobs = x$n, splits = nrow(x$results), means, check.names = FALSE
  )
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_tune)
tidy.mkl_tune <- function(x, ...) {
  check_dots(...)
  keys <- x$summary[c("point", point_parameters(x))]
  parts <- lapply(names(x$metrics), function(metric) {
    values <- x$summary[paste0(metric, c("", "_sd", "_se"))]
    names(values) <- c("mean", "sd", "se")
    data.frame(keys, metric = metric, values, n = x$summary$n, check.names = FALSE)
  })
  stack_tables(parts)
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::glance, mkl_tune)
glance.mkl_tune <- function(x, ...) {
  check_dots(...)
  data.frame(
    learner = x$learner$name, search = x$search, points = nrow(x$summary),
    splits = length(unique(x$results$id)),
    x$best[c("point", setdiff(point_parameters(x), "learner"), names(x$metrics))],
    check.names = FALSE
  )
}

# One row for each value of a measure: all other columns come first, then `metric` and `value`.
long_results <- function(results, metrics) {
  keys <- results[setdiff(names(results), metrics)]
  parts <- lapply(metrics, function(metric) {
    data.frame(keys, metric = metric, value = results[[metric]], check.names = FALSE)
  })
  out <- stack_tables(parts)
  last <- intersect(c("failure", "warning", "chosen"), names(out))
  out[c(setdiff(names(out), last), last)]
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::glance, mkl_benchmark)
glance.mkl_benchmark <- function(x, ...) {
  check_dots(...)
  first <- names(x$metrics)[1L]
  ranks <- mean_ranks(benchmark_table(x, first), x$metrics[[first]]$larger)
  data.frame(
    data_sets = nrow(x$sizes), learners = length(x$learners), cells = nrow(x$results),
    failures = sum(!is.na(x$results$failure)), warnings = sum(!is.na(x$results$warning)),
    best = c(names(which.min(colMeans(ranks))), NA_character_)[1L]
  )
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_comparison)
tidy.mkl_comparison <- function(x, ...) {
  check_dots(...)
  x$pairs
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::glance, mkl_comparison)
glance.mkl_comparison <- function(x, ...) {
  check_dots(...)
  test <- x$ranks$friedman
  data.frame(
    metric = x$metric, test = x$test, level = x$level, data_sets = nrow(x$mean),
    learners = ncol(x$mean), significant = sum(x$pairs$significant),
    friedman = if (is.null(test)) NA_real_ else test$statistic[[1L]],
    p_value = if (is.null(test)) NA_real_ else test$p.value
  )
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_cd)
tidy.mkl_cd <- function(x, ...) {
  check_dots(...)
  pair <- utils::combn(length(x$ranks), 2L)
  names <- names(x$ranks)
  out <- data.frame(
    learner = names[pair[1L, ]], other = names[pair[2L, ]],
    difference = unname(x$ranks[pair[2L, ]] - x$ranks[pair[1L, ]]), p_value = x$p_values[t(pair)]
  )
  # With a reference its own pairs alone are tested.
  out <- out[!is.na(out$p_value), ]
  out$significant <- out$difference >= x$difference
  rownames(out) <- NULL
  out
}

#' @rdname tidiers-results
#' @export
#' @rawNamespace S3method(generics::glance, mkl_cd)
glance.mkl_cd <- function(x, ...) {
  check_dots(...)
  data.frame(
    test = x$test, level = x$level, data_sets = x$n, learners = length(x$ranks),
    difference = x$difference, friedman = x$friedman$statistic[[1L]],
    p_value = x$friedman$p.value
  )
}
