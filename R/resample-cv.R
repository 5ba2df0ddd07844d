#' Cross-validation and other resampling estimates of performance
#'
#' Estimates the predictive performance of a learner by (repeated) cross-validation or another
#' resampling plan: the learner is fitted to the training part of each split and evaluated on the
#' test part.
#'
#' @details
#' For a measure \eqn{m} and splits \eqn{s = 1, \dots, S} the summary gives the mean
#' \eqn{\bar m = \frac1S \sum_s m_s}{mbar = (1/S) sum_s m_s}, the standard deviation of the
#' \eqn{m_s} and the standard error
#' \deqn{\mathrm{se} = \mathrm{sd}(m_s) / \sqrt S.}{
#'   se = sd(m_s) / sqrt(S).} The training parts of cross-validation overlap, so that this
#' standard error is too small for tests and confidence intervals: use [resample_5x2()] or the
#' corrected tests of `compare_learners()` for tests, and [performance()] for confidence
#' intervals.
#'
#' # What is estimated where
#' Scaling, width rules such as `"median"`, normalizers of kernels, class weights and
#' data-dependent terms of the formula, such as `scale(x)` or `poly(x, 2)`, are estimated from the
#' training part of each split alone. The levels of factors and text are those of all rows.
#'
#' # Choosing parameters
#' Ten folds are a good default; with a few hundred rows `repeats = 5` makes the mean more stable.
#' Use [tune_mkl()] to choose parameters of a learner.
#'
#' # Parallel processing
#' After `future::plan(future::multisession)`, or any other plan of the package future, the splits
#' are fitted in parallel processes, with one thread each. Results do not depend on the plan: use
#' [set.seed()] before the call to reproduce the splits and all random numbers of learners. See
#' `vignette("scaling-out", "multikernel")`.
#'
#' # Progress
#' If the package progressr is installed, a progress bar is shown in interactive sessions; in
#' scripts use `progressr::with_progress()`. `options(multikernel.progress = FALSE)` turns it off.
#'
#' @param x Data: a formula, a matrix, a data frame or a list of kernel matrices, as for [mkl()].
#' @param ... `data` or `y`, then any other argument of [mkl()]: `kernels`, `normalize`, `scale`,
#'   `task`, `multiclass`, `class_weights`, `weights`, `na.action`, `control`. Probabilities are
#'   computed if a measure needs them.
#' @inheritParams mkl
#' @param resamples A resampling plan such as [resample_cv()]; or an integer vector with the fold
#'   of each row; or an object of the package rsample. `NULL` (default): `resample_cv(folds,
#'   repeats)`.
#' @param folds,repeats Number of folds and repeats if `resamples` is not given. `folds` can also
#'   be a vector with the fold of each row.
#' @param metrics Performance measures: names or a set of measures, see [mkl_metrics()]. `NULL`
#'   (default): accuracy and AUC for classification, RMSE and MAE for regression, the share of
#'   accepted rows for one-class fits.
#' @param predictions `TRUE` is the same as `keep = "predictions"`.
#' @param keep Additional results to keep:
#'   * `"predictions"`: out-of-fold predictions of all test rows, required by
#'     [`augment()`][augment-results], [performance()], [choose_threshold()] and [calibration()];
#'   * `"weights"`: the kernel weights of the fit of each split, for [`tidy(cv,
#'     "weights")`][tidiers-results] and [`autoplot(cv, "weights")`][autoplot.mkl_cv]. Weights
#'     that vary strongly between the splits should not be interpreted;
#'   * `"splits"`: the rows of the splits, which other functions accept as `resamples`, to
#'     evaluate other models on the same rows.
#' @return An object of class `mkl_cv`, a list with
#'   * `results`: a data frame with one row for each split: `id`, `repeat`, `fold`, one column for
#'     each measure, `n_train`, `n_test`, `fit_time` in seconds, `converged`;
#'   * `summary`: a data frame with the columns `metric`, `mean`, `sd`, `se` and `n`, the number of
#'     splits on which the measure is defined;
#'   * `predictions`: `NULL`, or a data frame with the split, the row, the name of the case (column
#'     `case`, if the cases have names), truth, estimate and decision values or probabilities of
#'     each test row;
#'   * `weights`: `NULL`, or a data frame with the columns `id`, `repeat`, `fold`, `pair` (of
#'     classes, where there are several models), `kernel`, `view` and `weight`;
#'   * `splits`: `NULL`, or a list as [resample_splits()] gives it;
#'   * `learner`, `resample`, `metrics`, `task`, `n` (rows) and `call`.
#' @inherit resample_cv references
#' @family resampling
#' @examples
#' set.seed(1)
#' cv <- cv_mkl(Species ~ ., iris, learner = learner_svm(cost = 10), folds = 5)
#' cv
#' cv$results
#'
#' # other measures, one of them one's own, and the predictions
#' cv <- cv_mkl(mpg ~ ., mtcars, folds = 4, keep = "predictions",
#'   metrics = list("rmse", worst = function(truth, estimate) max(abs(truth - estimate)))
#' )
#' cv$summary
#' head(cv$predictions)
#'
#' # are the kernel weights stable?
#' two <- droplevels(iris[51:150, ])
#' cv <- cv_mkl(Species ~ ., two, learner = learner_simplemkl(), folds = 3, keep = "weights",
#'   kernels = kernel_set(kernel_linear(), kernel_rbf(c(0.5, 2)))
#' )
#' tidy(cv, "weights")
#' @export
cv_mkl <- function(x, ..., learner = NULL, resamples = NULL, folds = 10, repeats = 1,
                   metrics = NULL, predictions = FALSE, keep = NULL) {
  given <- open_source(x, list(...), "cv_mkl()", names(formals(cv_mkl)), learner)
  source <- given$source
  learner <- given$learner
  metrics <- as_metrics(metrics, source$task)
  keep <- check_keep(keep)
  if (check_flag(predictions, "predictions")) keep <- union(keep, "predictions")
  resample <- choose_resample(
    resamples, folds, repeats, c(folds = !missing(folds), repeats = !missing(repeats))
  )
  resample <- match_plan(resample, source$frame)
  splits <- resample_splits(resample, source$frame$y, n = source$n)
  seeds <- draw_seeds(length(splits))
  tasks <- Map(function(split, seed) {
    list(
      split = split, seed = seed, points = 1L, keep = "predictions" %in% keep,
      extra = if ("weights" %in% keep) weight_table
    )
  }, splits, seeds)
  outcomes <- map_tasks(
    tasks, evaluate_split, source = source, settings = given$settings, metrics = metrics,
    points = list(list(learner = learner, arguments = list())),
    seed = seeds, label = "Cross-validation"
  )
  outcomes <- lapply(outcomes, function(outcome) outcome[[1L]])
  results <- outcome_table(outcomes, splits, metrics)
  warn_stalled(results$converged)
  structure(
    class = "mkl_cv",
    list(
      results = results, summary = summary_table(results, names(metrics)),
      predictions = with_case_column(outcome_predictions(outcomes), source$frame$cases),
      weights = if ("weights" %in% keep) weights_by_split(outcomes, splits),
      splits = if ("splits" %in% keep) splits,
      learner = learner, resample = resample, metrics = metrics, task = source$task,
      n = source$n, call = match.call()
    )
  )
}

# The kernel weights of a fit in long form.
weight_table <- function(fit) {
  if (length(fit$kernels) == 0L) {
    stop_mkl(
      "argument_error", "keep", "learner_", fit$learner$name, "() has no kernels, and so no ",
      "weights to keep."
    )
  }
  names <- item_names(fit$kernels)
  weights <- unlist(lapply(fit$models, function(model) model$weights[seq_along(names)]))
  out <- data.frame(
    kernel = names, view = kernel_groups(fit), weight = weights, row.names = NULL
  )
  if (length(fit$models) == 1L) return(out)
  cbind(pair = rep(model_names(fit), each = length(names)), out)
}

# Those that cv_mkl() kept, for plots and tables.
cv_weights <- function(x) {
  x$weights %||% stop_mkl(
    "argument_error", "what", "The result holds no weights: call cv_mkl() with ",
    "`keep = \"weights\"`."
  )
}

weights_by_split <- function(outcomes, splits) {
  tables <- lapply(outcomes, function(outcome) outcome$extra)
  at <- rep(seq_along(tables), vapply(tables, nrow, 0L))
  cbind(split_columns(splits)[at, ], stack_tables(tables), row.names = NULL)
}

check_keep <- function(keep) {
  known <- c("predictions", "weights", "splits")
  if (is.null(keep)) return(character())
  if (!is.character(keep)) stop_must("keep", paste("NULL or any of", quote_all(known)), keep)
  for (one in keep) check_choice(one, "keep", known)
  unique(keep)
}

# Names of the cases beside the numbers of the rows; the automatic ones of a data frame say no more
# than these.
with_case_column <- function(predictions, cases) {
  automatic <- is.numeric(cases) && is_all(cases, length(cases))
  if (is.null(predictions) || is.null(cases) || automatic) return(predictions)
  data.frame(
    predictions["id"], row = predictions$row, case = as.character(cases)[predictions$row],
    predictions[setdiff(names(predictions), c("id", "row"))], check.names = FALSE
  )
}

# The data in any of their forms, the settings of mkl() that come with them, and the learner.
open_source <- function(x, given, called, own, learner) {
  if (missing(x)) stop_no_input()
  # The second argument of mkl() needs no name.
  second <- if (inherits(x, "formula")) "data" else "y"
  names(given) <- names(given) %||% rep("", length(given))
  plain <- which(!nzchar(names(given)))
  if (!second %in% names(given) && length(plain)) names(given)[plain[1L]] <- second
  value <- given[[second]]
  given <- given[names(given) != second]
  settings <- given_settings(
    given, called, c(setdiff(own, "..."), second), choose_learner(learner)
  )
  source <- new_source(as_frame(x, value, settings$max_levels), settings)
  list(
    source = source, settings = settings,
    learner = frame_learner(learner, settings$kernels, source$frame)
  )
}

# `given`: which of `folds` and `repeats` the user wrote. What has no effect is an error.
choose_resample <- function(resamples, folds, repeats, given) {
  if (!is.null(resamples)) {
    if (any(given)) stop_useless(names(given)[given][1L], "resamples")
    return(as_resample(resamples, "resamples"))
  }
  if (length(folds) > 1L) {
    if (given[["repeats"]]) stop_useless("repeats", "folds")
    return(as_resample(folds, "folds"))
  }
  out <- resample_cv(check_number(folds, "folds", 2, whole = TRUE), repeats)
  out$argument <- "folds"
  out
}

stop_useless <- function(argument, other) {
  stop_mkl(
    "argument_error", argument, "`", argument, "` has no effect, because `", other, "` says how ",
    "the rows are divided. Give one of the two, for instance resample_cv(5, repeats = 2)."
  )
}

summary_table <- function(results, metrics) {
  rows <- vapply(metrics, function(name) summarise_metric(results[[name]]), numeric(4))
  out <- data.frame(metric = metrics, t(rows), row.names = NULL)
  out$n <- as.integer(out$n)
  out
}

#' @export
print.mkl_cv <- function(x, digits = 4, ...) {
  cat("<mkl_cv> ", x$learner$label, "\n", sep = "")
  cat("  ", format(x$learner, task = x$task), "\n", sep = "")
  cat("  ", format(x$resample), "; ", plural(x$n, "row"), "\n", sep = "")
  print(format_numbers(x$summary, digits), row.names = FALSE, right = TRUE)
  times <- x$results$fit_time
  cat("Time: ", format_number(mean(times), 2L), " s for a fit", sep = "")
  stalled <- sum(!x$results$converged)
  if (stalled) cat("; ", stalled, " of ", nrow(x$results), " fits did not converge", sep = "")
  cat("\n")
  invisible(x)
}

# Columns of doubles to a few digits, for printing.
format_numbers <- function(table, digits) {
  for (name in names(table)) {
    if (is.double(table[[name]])) table[[name]] <- format_number(table[[name]], digits)
  }
  table
}
