#' Choose a classification threshold by cross-validation
#'
#' Selects the threshold on the decision value or probability above which the positive class is
#' predicted: it optimizes a performance measure, attains a given sensitivity or specificity, or
#' minimizes the costs of errors. It is based on the out-of-fold predictions of [cv_mkl()], that
#' is on rows that were not used in the fit.
#'
#' @details
#' The positive class, the second level, is predicted for \eqn{f(x) \ge t}{f(x) >= t}. Candidates
#' for t are the midpoints between neighboring out-of-fold values, `-Inf` (all rows positive) and
#' `Inf` (none). Predictions of all splits and repeats have the same weight. With costs
#' \eqn{c_{FP}}{c_FP} and \eqn{c_{FN}}{c_FN} the criterion is
#' \deqn{\frac1n (c_{FP}\, FP(t) + c_{FN}\, FN(t)).}{(c_FP FP(t) + c_FN FN(t)) / n.}
#' Of several equally good thresholds the one nearest to the default (0, or a probability of 1/2)
#' is selected.
#'
#' The measure at the chosen threshold is slightly optimistic, because it was selected on the same
#' predictions. Use test data for an unbiased estimate.
#'
#' # Choosing the criterion
#' If errors have known costs, specify `costs`; with calibrated probabilities the best threshold
#' is \eqn{c_{FP} / (c_{FP} + c_{FN})}{c_FP / (c_FP + c_FN)}. For screening, where few cases may
#' be missed, specify a sensitivity. For classes of different size without known costs use
#' `"balanced_accuracy"` or `"mcc"`. A threshold with `on = "prob"` is comparable between the fits
#' of a cross-validation; decision values of different fits can differ in scale.
#'
#' @param object A result of [cv_mkl()] with `keep = "predictions"`, or of [tune_mkl()] with
#'   `predictions = TRUE` (its outer splits, or else its best point), for two classes.
#' @param metric Measure to be optimized: the name of a measure of predicted classes, such as
#'   `"balanced_accuracy"`, `"accuracy"`, `"f1"`, `"mcc"` or `"kappa"`; or a user-defined measure,
#'   see [mkl_metrics()].
#' @param sensitivity,specificity Required sensitivity or specificity, in (0, 1], instead of
#'   `metric`. The threshold with the largest value of the other one is selected.
#' @param costs Costs of errors, instead of `metric`: `c(false_positive = , false_negative = )`.
#' @param on Scale of the threshold: `"decision"` for decision values, `"prob"` for the
#'   probability of the positive class (call [cv_mkl()] with `probability = TRUE`).
#' @param ... Not used; misspelled arguments raise an error.
#' @return An object of class `mkl_threshold`, which [`predict(threshold = )`][predict.mkl] takes: a
#'   list with `threshold` (a number with the name `decision` or `prob`), `criterion`, `value` (that
#'   of the criterion), `usual` (its value at the default threshold), `classes`, `n` (predictions),
#'   and `curve`, a data frame with a row for each candidate: `threshold`, the counts `tp`, `fp`,
#'   `fn`, `tn`, then `sensitivity`, `specificity`, `precision` and `value`. `print()`,
#'   [`plot()`][plot-measures] and [`autoplot()`][plot-measures] show it.
#' @references
#' Elkan, C. (2001). The foundations of cost-sensitive learning. In *Proceedings of the 17th
#' International Joint Conference on Artificial Intelligence*, 973-978.
#' @family resampling
#' @examples
#' two <- droplevels(iris[51:150, c("Sepal.Length", "Sepal.Width", "Species")])
#' set.seed(1)
#' cv <- cv_mkl(Species ~ ., two, folds = 5, keep = "predictions")
#' chosen <- choose_threshold(cv, sensitivity = 0.9)
#' chosen
#' fit <- mkl(Species ~ ., two)
#' table(predict(fit), predict(fit, threshold = chosen))
#'
#' # a missed virginica costs five times a false alarm
#' choose_threshold(cv, costs = c(false_positive = 1, false_negative = 5))
#' @export
choose_threshold <- function(object, metric = "balanced_accuracy", sensitivity = NULL,
                             specificity = NULL, costs = NULL, on = c("decision", "prob"), ...) {
  check_dots(...)
  given <- c(metric = !missing(metric), sensitivity = !is.null(sensitivity),
             specificity = !is.null(specificity), costs = !is.null(costs))
  if (sum(given) > 1L) {
    two <- names(given)[given]
    stop_mkl(
      "argument_error", two[2L], "Only one of `metric`, `sensitivity`, `specificity` and `costs` ",
      "can be the criterion, but ", tick_all(two), " are given."
    )
  }
  on <- check_choice(on, "on", c("decision", "prob"))
  rows <- threshold_rows(object, on)
  usual <- c(decision = 0, prob = 0.5)[on]
  goal <- threshold_goal(rows, metric, sensitivity, specificity, costs)
  curve <- threshold_curve(rows, candidate_thresholds(rows$score), goal)
  best <- best_threshold(curve, goal, usual)
  structure(class = "mkl_threshold", list(
    threshold = stats::setNames(curve$threshold[best], on), criterion = goal$words,
    value = curve$value[best], usual = threshold_curve(rows, usual, goal)$value,
    classes = rows$classes, n = length(rows$score), curve = curve
  ))
}

# Out-of-fold scores of a two-class cross-validation: list(positive, score, classes).
threshold_rows <- function(object, on) {
  if (inherits(object, "mkl_tune")) object <- tuned_cv(object, TRUE)
  check_class(object, "object", "mkl_cv", "a result of cv_mkl() or tune_mkl()")
  check_kept(object$predictions, "cv_mkl()")
  table <- object$predictions
  classes <- if (is.factor(table$truth)) levels(droplevels(table$truth))
  if (length(classes) != 2L) {
    stop_mkl(
      "argument_error", "object", "`object` must be for two classes, not for ",
      if (length(classes)) plural(length(classes), "class", "classes") else object$task, "."
    )
  }
  score <- if (on == "decision") table$decision else table[[paste0("prob.", classes[2L])]]
  if (is.null(score)) {
    stop_mkl(
      "argument_error", "on", "`on` is \"prob\", but the predictions of `object` have no ",
      "probabilities. Call cv_mkl() with `probability = TRUE`."
    )
  }
  known <- !is.na(score) & !is.na(table$truth)
  list(positive = table$truth[known] == classes[2L], score = score[known], classes = classes)
}

# Between all distinct scores, and beyond them. A midpoint that rounds to the lower score would take
# it in.
candidate_thresholds <- function(score) {
  at <- sort(unique(score))
  low <- at[-length(at)]
  high <- at[-1L]
  middle <- low + (high - low) / 2
  c(-Inf, ifelse(middle > low, middle, high), Inf)
}

# What is to be best: list(words, value, larger, allowed), functions of the columns of a curve.
threshold_goal <- function(rows, metric, sensitivity, specificity, costs) {
  if (!is.null(costs)) return(cost_goal(costs))
  for (name in c("sensitivity", "specificity")) {
    least <- get(name)
    if (is.null(least)) next
    least <- check_number(least, name, 0, 1, open = c(TRUE, FALSE))
    other <- setdiff(c("sensitivity", "specificity"), name)
    return(local({
      reached <- name
      list(
        words = paste0("largest ", other, " with a ", name, " of at least ", format_number(least)),
        value = function(curve) curve[[other]], larger = TRUE,
        allowed = function(curve) curve[[reached]] >= least - 1e-12
      )
    }))
  }
  metric_goal(rows, metric)
}

cost_goal <- function(costs) {
  names <- c("false_positive", "false_negative")
  good <- is.numeric(costs) && length(costs) == 2L && setequal(names(costs), names)
  if (!good || !all(is.finite(costs)) || any(costs < 0) || sum(costs) == 0) {
    stop_must("costs", "c(false_positive = , false_negative = ) with non-negative costs", costs)
  }
  words <- paste0(
    "smallest mean cost (false positive ", format_number(costs[["false_positive"]]),
    ", false negative ", format_number(costs[["false_negative"]]), ")"
  )
  list(words = words, larger = FALSE, allowed = all_rows, value = function(curve) {
    n <- curve$tp + curve$fp + curve$fn + curve$tn
    (costs[["false_positive"]] * curve$fp + costs[["false_negative"]] * curve$fn) / n
  })
}

all_rows <- function(curve) rep(TRUE, nrow(curve))

metric_goal <- function(rows, metric) {
  set <- as_metrics(metric, "classification")
  if (length(set) != 1L) stop_must("metric", "one measure", metric)
  metric <- set[[1L]]
  if ((metric$needs %||% "class") != "class") {
    stop_must("metric", "a measure of predicted classes, such as \"balanced_accuracy\"",
              metric$name)
  }
  fast <- if (is_ready_made(metric)) count_measures()[[metric$ready_made]]
  value <- function(curve) {
    if (!is.null(fast)) return(do.call(fast, curve[c("tp", "fp", "fn", "tn")]))
    truth <- factor(rows$classes[1L + rows$positive], rows$classes)
    vapply(curve$threshold, function(t) {
      said <- factor(rows$classes[1L + (rows$score >= t)], rows$classes)
      as.double(call_metric(metric, truth, said, rows$classes))
    }, 0)
  }
  list(
    words = paste(if (metric$larger) "largest" else "smallest", metric$name), value = value,
    larger = metric$larger, allowed = all_rows
  )
}

# Counts and measures at some thresholds.
threshold_curve <- function(rows, thresholds, goal) {
  below <- function(score) findInterval(thresholds, sort(score), left.open = TRUE)
  up <- rows$score[rows$positive]
  down <- rows$score[!rows$positive]
  curve <- data.frame(threshold = unname(thresholds), tp = length(up) - below(up),
                      fp = length(down) - below(down), fn = below(up), tn = below(down))
  counts <- lapply(curve[c("tp", "fp", "fn", "tn")], as.double)
  for (name in c("sensitivity", "specificity", "precision")) {
    curve[[name]] <- without_nan(do.call(count_measures()[[name]], counts))
  }
  curve$value <- without_nan(goal$value(curve))
  curve
}

without_nan <- function(x) {
  x[is.nan(x)] <- NA_real_
  x
}

best_threshold <- function(curve, goal, usual) {
  value <- if (goal$larger) curve$value else -curve$value
  value[!goal$allowed(curve) | is.na(value)] <- -Inf
  if (max(value) == -Inf) {
    stop_mkl("argument_error", "metric", "The criterion is not defined at any threshold.")
  }
  near <- which(value >= max(value) - 1e-12 * max(1, abs(max(value))))
  near[which.min(abs(curve$threshold[near] - usual))]
}

#' @export
print.mkl_threshold <- function(x, digits = 4, ...) {
  on <- c(decision = "decision value", prob = "probability")[[names(x$threshold)]]
  at <- x$curve[match(x$threshold, x$curve$threshold), ]
  cat("<mkl_threshold> \"", x$classes[2L], "\" from a ", on, " of ",
      format_number(x$threshold, digits), "\n", sep = "")
  cat("  ", x$criterion, ": ", format_number(x$value, digits), " (at the default threshold ",
      format_number(x$usual, digits), ")\n", sep = "")
  cat("  sensitivity ", format_number(at$sensitivity, digits), ", specificity ",
      format_number(at$specificity, digits), "; ", plural(x$n, "out-of-fold prediction"), "\n",
      sep = "")
  invisible(x)
}
