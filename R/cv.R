#' Resampling estimate of how well a learner does
#'
#' Fits a learner to the training part of each split of a resampling plan and measures its
#' predictions on the rest, for instance in repeated cross-validation.
#'
#' @details
#' For a measure \eqn{m} and splits \eqn{s = 1, \dots, S} the summary gives the mean
#' \eqn{\bar m = \frac1S \sum_s m_s}, the standard deviation of the \eqn{m_s} and the standard error
#' \deqn{\mathrm{se} = \mathrm{sd}(m_s) / \sqrt S.} The training parts of cross-validation overlap,
#' so this standard error is too small for tests: [resample_5x2()] and the corrected tests of
#' `compare_learners()` are for those.
#'
#' # What is estimated where
#' Scaling, width rules such as `"median"`, normalisers of kernels, class weights and terms of the
#' formula that look at their column, such as `scale(x)` or `poly(x, 2)`, are estimated from the
#' training part of each split alone. The levels of factors and text are those of all rows.
#'
#' # Choosing parameters
#' Ten folds are a good default; with a few hundred rows `repeats = 5` makes the mean steadier. To
#' choose parameters of a learner use [tune_mkl()].
#'
#' # Other processes
#' After `future::plan(future::multisession)`, or any other plan of the package future, the splits
#' are fitted in other processes, with one thread each. The plan never changes a result:
#' [set.seed()] before the call governs the splits and all that learners draw. See
#' `vignette("scaling-out", "multikernel")`.
#'
#' # Progress
#' With the package progressr installed a bar is shown in interactive use; in scripts ask for it by
#' `progressr::with_progress()`. `options(multikernel.progress = FALSE)` silences it.
#'
#' @param x What to fit: a formula, a matrix, a data frame or a list of kernel matrices, as for
#'   [mkl()].
#' @param ... `data` or `y`, then any other argument of [mkl()]: `kernels`, `normalize`, `scale`,
#'   `task`, `multiclass`, `class_weights`, `weights`, `na.action`, `control`. Probabilities are
#'   asked for when a measure needs them.
#' @inheritParams mkl
#' @param resamples A resampling plan such as [resample_cv()]; or an integer vector with the fold of
#'   each row; or an object of the package rsample. `NULL`: `resample_cv(folds, repeats)`.
#' @param folds,repeats Number of folds and repeats if `resamples` is not given. `folds` may also be
#'   the vector of folds itself.
#' @param metrics Names of measures or a set of them, see [mkl_metrics()]. `NULL`: accuracy and AUC
#'   for classification, RMSE and MAE for regression, the share of accepted rows for one class.
#' @param predictions `TRUE` to keep the predictions for all test rows, for
#'   [`augment()`][augment-results].
#' @return An object of class `mkl_cv`, a list with
#'   * `results`: a data frame with one row for each split: `id`, `repeat`, `fold`, one column for
#'     each measure, `n_train`, `n_test`, `fit_time` in seconds, `converged`;
#'   * `summary`: a data frame with the columns `metric`, `mean`, `sd`, `se` and `n`, the number of
#'     splits on which the measure is defined;
#'   * `predictions`: `NULL`, or a data frame with the split, row, truth, estimate and decision
#'     values or probabilities of each test row;
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
#' cv <- cv_mkl(mpg ~ ., mtcars, folds = 4, predictions = TRUE,
#'   metrics = list("rmse", worst = function(truth, estimate) max(abs(truth - estimate)))
#' )
#' cv$summary
#' head(cv$predictions)
#' @export
cv_mkl <- function(x, ..., learner = NULL, resamples = NULL, folds = 10, repeats = 1,
                   metrics = NULL, predictions = FALSE) {
  given <- open_source(x, list(...), "cv_mkl()", names(formals(cv_mkl)),
                       choose_learner(learner))
  source <- given$source
  learner <- choose_learner(learner, given$arguments$kernels, source$frame$kernels)
  metrics <- as_metrics(metrics, source$task)
  predictions <- check_flag(predictions, "predictions")
  resample <- choose_resample(
    resamples, folds, repeats, c(folds = !missing(folds), repeats = !missing(repeats))
  )
  splits <- resample_splits(resample, source$frame$y, n = source$n)
  seeds <- draw_seeds(length(splits))
  tasks <- Map(function(split, seed) {
    list(split = split, seed = seed, points = 1L, keep = predictions)
  }, splits, seeds)
  outcomes <- map_tasks(
    tasks, evaluate_split, source = source, arguments = given$arguments, metrics = metrics,
    points = list(list(learner = learner, arguments = list())),
    seed = seeds, label = "Cross-validation"
  )
  outcomes <- lapply(outcomes, function(outcome) outcome[[1L]])
  results <- outcome_table(outcomes, splits, metrics)
  warn_stalled(results$converged)
  structure(
    class = "mkl_cv",
    list(
      results = results, summary = summary_table(results, metrics),
      predictions = outcome_predictions(outcomes),
      learner = learner, resample = resample, metrics = metrics, task = source$task,
      n = source$n, call = match.call()
    )
  )
}

# The data in any of their forms, and the arguments of mkl() that come with them.
open_source <- function(x, given, called, own, learner = NULL) {
  if (missing(x)) {
    stop_mkl(
      "argument_error", "x", "The first argument, `x`, is missing. Give a formula, a matrix, ",
      "a data frame or a list of kernel matrices."
    )
  }
  # The second argument of mkl() needs no name.
  second <- if (inherits(x, "formula")) "data" else "y"
  names(given) <- names(given) %||% rep("", length(given))
  plain <- which(!nzchar(names(given)))
  if (!second %in% names(given) && length(plain)) names(given)[plain[1L]] <- second
  value <- given[[second]]
  given <- given[names(given) != second]
  arguments <- fit_arguments(given, called, c(setdiff(own, "..."), second), learner)
  list(
    source = new_source(
      any_frame(x, value), arguments, if (second == "data") x, if (second == "data") value
    ),
    arguments = arguments
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
  rows <- vapply(names(metrics), function(name) summarise_metric(results[[name]]), numeric(4))
  out <- data.frame(metric = names(metrics), t(rows), row.names = NULL)
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
