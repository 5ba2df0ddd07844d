# Measures with their confidence intervals.

#' Confidence intervals for accuracy, AUC and other measures of performance
#'
#' `performance()` returns performance measures of a cross-validation, or of a fit on test data,
#' with confidence intervals: Wilson intervals for proportions such as accuracy and sensitivity,
#' DeLong intervals for the area under the ROC curve, bootstrap percentile intervals for others.
#' `metric_interval()` does the same for arbitrary predictions.
#'
#' @details
#' # Target of the interval
#' **Test data.** `performance(fit, newdata)` estimates the performance of this fit on new cases.
#' The intervals are valid if the test cases are independent of each other and of the training
#' data.
#'
#' **Cross-validation, `type = "splits"`.** The mean \eqn{\bar m}{mbar} of the measure over the k
#' splits, for fits to training sets of this size. The splits are not independent, because their
#' training sets overlap, so that \eqn{s / \sqrt k}{s / sqrt(k)} is too small. The interval uses
#' the corrected variance of Nadeau and Bengio (2003),
#' \deqn{\bar m \pm t_{k-1} \sqrt{\Bigl(\frac1k + \frac{n_2}{n_1}\Bigr) s^2},}{
#'   mbar +- t_(k-1) sqrt((1 / k + n2 / n1) s^2),} with \eqn{n_1} training and \eqn{n_2} test rows
#' and the standard deviation s over the splits. The correction is approximate.
#'
#' **Cross-validation, `type = "pooled"`.** The out-of-fold predictions of all splits are
#' combined, as if they came from one model. The interval reflects the sampling of test cases,
#' given the fits of the splits, and not the variability of the training set. `auc` compares
#' decision values of different fits. With repeats the estimates are averaged and the width of the
#' interval is that of one repeat, because repeats do not add cases.
#'
#' **Tuning.** The outer splits of [tune_mkl()] if there are any; otherwise the splits of the best
#' point, which were used to select it, so that the estimates are optimistic.
#'
#' # Intervals
#' * `"Wilson"`, for `accuracy`, `error` and, for two classes, `sensitivity`, `recall`,
#'   `specificity` and `precision`: with \eqn{\hat p}{p} of n rows
#'   \deqn{\frac{\hat p + z^2 / 2n \pm z \sqrt{\hat p (1 - \hat p) / n + z^2 / 4 n^2}}{1 + z^2 /
#'   n}.}{ (p + z^2 / (2 n) +- z sqrt(p (1 - p) / n + z^2 / (4 n^2))) / (1 + z^2 / n).}
#' * `"DeLong"`, for the AUC of two classes: \eqn{A \pm z \sqrt V}{A +- z sqrt(V)} within 0 and 1,
#'   with the variance V of DeLong and others (1988). If all pairs of rows are ranked correctly, V
#'   is zero and not informative: standard error and interval are `NA`.
#' * `"bootstrap"`, for all others: percentiles of `times` bootstrap samples of the cases; all
#'   predictions of a case (one for each repeat) are resampled together. Use [set.seed()] before
#'   the call to reproduce the samples.
#'
#' # Choosing the type
#' `"splits"` needs no predictions and corresponds to the usual summary of a cross-validation. Use
#' `"pooled"` for sensitivity and similar measures if the folds contain few rows of a class, and
#' if there is only one split.
#'
#' @param object A result of [cv_mkl()] or [tune_mkl()], or a fit of [mkl()].
#' @param metrics Names of measures or a set of them, see [mkl_metrics()]. `NULL`: those of the
#'   cross-validation, or the default ones of the task. With `type = "splits"` they must be among
#'   those of the cross-validation.
#' @param level Confidence level.
#' @param type Type of interval for cross-validation: `"splits"` or `"pooled"`; the latter
#'   requires `keep = "predictions"` in [cv_mkl()].
#' @param newdata,y Test cases and their responses, in the form of the training data. `y` may be
#'   left out if the fit is by a formula and `newdata` holds the response.
#' @param times Number of bootstrap samples.
#' @param truth,prediction As for [compute_metrics()].
#' @param ... Not used; misspelled arguments raise an error.
#' @return A data frame of class `mkl_performance` with a row for each measure: `metric`,
#'   `estimate`, `lower`, `upper`, `se` (the standard error), `method`, `n` (rows of the estimate,
#'   or splits) and `note`, the reason why a value is `NA` or information on excluded rows.
#'   [summary()] of a cross-validation or a tuning returns the same, and [`tidy(cv,
#'   "performance")`][tidiers-results] returns a plain data frame.
#' @references
#' Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
#' *Journal of the American Statistical Association* 22, 209-212.
#'
#' DeLong, E. R., DeLong, D. M. and Clarke-Pearson, D. L. (1988). Comparing the areas under two or
#' more correlated receiver operating characteristic curves: a nonparametric approach. *Biometrics*
#' 44, 837-845.
#'
#' Sun, X. and Xu, W. (2014). Fast implementation of DeLong's algorithm for comparing the areas
#' under correlated receiver operating characteristic curves. *IEEE Signal Processing Letters* 21,
#' 1389-1393.
#'
#' Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281.
#' @family resampling
#' @examples
#' two <- droplevels(iris[51:150, c("Sepal.Length", "Sepal.Width", "Species")])
#' set.seed(1)
#' cv <- cv_mkl(Species ~ ., two, folds = 5, keep = "predictions")
#' performance(cv)
#' performance(cv, c("accuracy", "sensitivity", "specificity", "auc"), type = "pooled")
#'
#' train <- seq(1, 100, 2)
#' fit <- mkl(Species ~ ., two[train, ])
#' performance(fit, two[-train, ])
#' @export
performance <- function(object, ...) UseMethod("performance")

#' @rdname performance
#' @export
performance.mkl_cv <- function(object, metrics = NULL, level = 0.95, type = c("splits", "pooled"),
                               times = 1000, ...) {
  check_dots(...)
  level <- check_level(level)
  type <- check_choice(type, "type", c("splits", "pooled"))
  if (type == "splits") {
    names <- if (is.null(metrics)) names(object$metrics) else check_cv_metrics(metrics, object)
    return(new_performance(split_intervals(object, names, level), level, paste0(
      "Mean over ", plural(nrow(object$results), "split"), ", variance corrected for overlap"
    )))
  }
  check_kept(object$predictions, "cv_mkl()")
  metrics <- as_metrics(metrics %||% row_metrics(object$metrics), object$task)
  if ("prob" %in% metrics_need(metrics, object$task) &&
        !any(startsWith(names(object$predictions), "prob."))) {
    stop_no_probabilities()
  }
  parts <- kept_parts(object)
  table <- interval_table(metrics, parts, level, times)
  new_performance(table, level, paste0(
    "Out-of-fold predictions of ", plural(length(parts), "repeat"), ", pooled over the splits"
  ))
}

#' @rdname performance
#' @export
performance.mkl_tune <- function(object, metrics = NULL, level = 0.95,
                                 type = c("splits", "pooled"), times = 1000, ...) {
  check_dots(...)
  type <- check_choice(type, "type", c("splits", "pooled"))
  out <- performance(tuned_cv(object, type == "pooled"), metrics, level, type, times)
  attr(out, "of") <- paste0(attr(out, "of"), if (is.null(object$outer)) {
    "\n  The same splits chose the best point: the estimates are optimistic"
  } else {
    "\n  Outer splits, each with parameters chosen within its training part"
  })
  out
}

#' @rdname performance
#' @export
performance.mkl <- function(object, newdata, y = NULL, metrics = NULL, level = 0.95, times = 1000,
                            ...) {
  object <- check_fit(object)
  check_dots(...)
  level <- check_level(level)
  metrics <- as_metrics(metrics, object$task)
  test <- test_part(object, newdata, y, metrics_need(metrics, object$task))
  table <- interval_table(metrics, list(test), level, times)
  new_performance(table, level, paste(plural(length(test$truth), "test row")))
}

stop_no_source <- function(object) {
  stop_must("object", "a result of cv_mkl() or tune_mkl(), or a fit of mkl()", object)
}

#' @export
performance.default <- function(object, ...) stop_no_source(object)

#' @rdname performance
#' @export
metric_interval <- function(truth, prediction, metrics, level = 0.95, times = 1000, ...) {
  check_dots(...)
  level <- check_level(level)
  if (missing(metrics)) stop_no_metrics()
  ready <- ready_prediction(truth, prediction)
  if (!inherits(metrics, "mkl_metrics")) metrics <- mkl_metrics(metrics)
  part <- c(ready, list(row = seq_along(truth)))
  new_performance(
    interval_table(metrics, list(part), level, times), level, plural(length(truth), "row")
  )
}

#' @export
summary.mkl_cv <- function(object, level = 0.95, ...) {
  check_dots(...)
  performance(object, level = level)
}

#' @export
summary.mkl_tune <- summary.mkl_cv

stop_no_probabilities <- function() {
  stop_mkl(
    "argument_error", "object", "`object` has no probabilities. Call cv_mkl(), tune_mkl() or ",
    "mkl() with `probability = TRUE`."
  )
}

check_level <- function(level) check_number(level, "level", 0, 1, open = c(TRUE, TRUE))

check_cv_metrics <- function(metrics, object) {
  names <- if (inherits(metrics, "mkl_metrics")) names(metrics) else metrics
  if (!is.character(names)) stop_must("metrics", "names of measures of the cross-validation", names)
  for (one in names) check_choice(one, "metrics", names(object$metrics))
  names
}

# Those that are computed from predictions.
row_metrics <- function(metrics) {
  new_metrics(Filter(function(metric) !is.null(metric$fun), unclass(metrics)))
}

new_performance <- function(table, level, of) {
  rownames(table) <- NULL
  structure(table, class = c("mkl_performance", "data.frame"), level = level, of = of)
}

split_intervals <- function(object, names, level) {
  part <- object$summary[match(names, object$summary$metric), ]
  ratio <- mean(object$results$n_test) / mean(object$results$n_train)
  half <- mean_interval(part$sd, part$n, ratio, 1 - level)
  bound <- function(values) {
    unlist(Map(function(x, name) clip(x, object$metrics[[name]]$range), values, names))
  }
  data.frame(
    metric = names, estimate = part$mean, lower = bound(part$mean - half),
    upper = bound(part$mean + half), se = corrected_error(part$sd, part$n, ratio),
    method = "corrected t", n = part$n, note = ifelse(
      part$n == 0, "defined on no split", ifelse(part$n == 1, "defined on one split only", NA)
    )
  )
}

interval_table <- function(metrics, parts, level, times) {
  times <- check_number(times, "times", 10, whole = TRUE)
  default <- if (is.null(parts[[1L]]$prediction$response)) "class" else "response"
  do.call(rbind, lapply(unclass(metrics), interval_row, parts, default, level, times))
}

# Out-of-fold predictions, a part for each repeat.
kept_parts <- function(object) {
  table <- object$predictions
  rounds <- object$results[["repeat"]][match(table$id, object$results$id)]
  lapply(unname(split(table, rounds)), function(one) {
    c(ready_prediction(one$truth, table_pieces(one, object$task)), list(row = one$row))
  })
}

# From a table of predictions back to what predict() gave.
table_pieces <- function(table, task) {
  usual <- task_traits(task)$types[1L]
  out <- stats::setNames(list(table$estimate), usual)
  for (piece in c("decision", "prob")) {
    columns <- grep(paste0("^", piece, "[.]"), names(table))
    if (length(columns)) {
      out[[piece]] <- as.matrix(table[columns])
      colnames(out[[piece]]) <- sub("^[a-z]+[.]", "", names(table)[columns])
    } else {
      out[[piece]] <- table[[piece]]
    }
  }
  if (is.factor(table$truth) && !is.matrix(out$decision)) {
    out$classes <- levels(droplevels(table$truth))
  }
  out
}

# Test data of a fit: list(truth, prediction, row).
test_part <- function(object, newdata, y, needs) {
  if (missing(newdata) || is.null(newdata)) {
    stop_mkl(
      "argument_error", "newdata", "`newdata` is missing: give test data that were not used in ",
      "training."
    )
  }
  needs <- union(setdiff(needs, c("support", "fit_time")), default_type(object))
  pieces <- lapply(stats::setNames(needs, needs), function(type) {
    without_cases(predict(object, newdata, type = type))
  })
  n <- NROW(pieces[[1L]])
  pieces$support <- length(support(object)) / object$n
  pieces$fit_time <- object$seconds %||% NA_real_
  pieces$classes <- object$classes
  c(ready_prediction(test_response(object, newdata, y, n), pieces), list(row = seq_len(n)))
}

stop_no_response <- function(data) {
  stop_mkl("argument_error", "y", "`y` is missing: give the responses of the cases of `", data,
           "`.")
}

# As given, or found in the data by the formula of the fit. `data`: the argument that holds these.
test_response <- function(object, newdata, y, n, data = "newdata") {
  if (!task_traits(object$task)$response) return(rep(TRUE, n))
  y <- y %||% find_response(object$frame, newdata) %||% stop_no_response(data)
  if (is.matrix(y) && ncol(y) == 1L) y <- y[, 1L]
  y <- match_new_response(object, newdata, y)
  check_each_row(y, "y", n)
  if (!is.null(object$classes)) {
    return(factor(as.character(y), union(object$levels, sorted_values(as.character(y)))))
  }
  if (!is.numeric(y) && !all(is.na(y))) stop_must("y", "a numeric vector", y)
  as.double(y)
}

#' @export
print.mkl_performance <- function(x, digits = 4, ...) {
  level <- attr(x, "level")
  # Single columns and rows that were picked have no heading.
  if (!is.null(level)) {
    cat("<mkl_performance> ", format_number(100 * level), " % confidence intervals\n", sep = "")
    cat("  ", attr(x, "of"), "\n", sep = "")
  }
  table <- format_numbers(as.data.frame(unclass(x), optional = TRUE), digits)
  if (!is.null(table$note)) table$note <- if (!all(is.na(table$note))) ifelse(
    is.na(table$note), "", table$note
  )
  print(table, row.names = FALSE)
  invisible(x)
}
