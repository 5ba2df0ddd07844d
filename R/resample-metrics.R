#' Performance measures: accuracy, AUC, MCC, Brier score, RMSE and others
#'
#' Performance measures for [cv_mkl()], [tune_mkl()] and other functions. `mkl_metrics()` creates
#' a set of measures from names and functions, and without arguments returns all predefined
#' measures; `mkl_metric()` defines a measure; `compute_metrics()` applies a set of measures to
#' predictions.
#'
#' @details
#' Let \eqn{y_i} be the true class of test row i, \eqn{\hat y_i}{yhat_i} the predicted one and
#' \eqn{p_{ik}} the probability of class k.
#' * `accuracy`: share of rows with \eqn{\hat y_i = y_i}{yhat_i = y_i}; `error`: 1 - accuracy.
#' * `balanced_accuracy`: mean over the classes among the test rows of the share of their rows that
#'   is predicted correctly.
#' * `auc`: probability that a row of the positive class (the second level) has a larger decision
#'   value than one of the other, ties counting one half: from the ranks \eqn{r_i},
#'   \deqn{A = \Big(\sum_{i: y_i = +} r_i - n_+(n_+ + 1)/2\Big) \Big/ (n_+ n_-).}{
#'     A = (sum of the r_i of the positive rows - n+ (n+ + 1) / 2) / (n+ n-).} With several
#'   classes the mean over all pairs of classes (Hand and Till 2001, equation 7). With
#'   one-against-one each pair is ranked by its own decision values; with one-against-rest, and if
#'   only probabilities are given, by the values of both classes in turn, as in the paper. Pairs
#'   without test rows, and classes that are not in the training data, are excluded.
#' * `log_loss`: \eqn{-\frac1n \sum_i \log p_{i y_i}}{-(1/n) sum_i log p[i, y_i]}, with
#'   probabilities bounded below by \eqn{10^{-15}}{1e-15}.
#' * `brier`: \eqn{\frac{1}{2n} \sum_i \sum_k (p_{ik} - 1[y_i = k])^2}{1 / (2n) sum_i sum_k (p_ik
#'   - 1[y_i = k])^2}, which for two classes is the mean squared error of the probability of one.
#' * `sensitivity` (the same as `recall`): \eqn{TP / (TP + FN)}; `specificity`: \eqn{TN / (TN +
#'   FP)}; `precision`: \eqn{TP / (TP + FP)}; `f1`: \eqn{2 TP / (2 TP + FP + FN)}. TP, FP, TN and
#'   FN are the true and false positive and negative predictions. With several classes each is the
#'   mean over the classes, every class in turn as the positive one. Classes for which the ratio
#'   is 0 / 0 are excluded from the mean.
#' * `mcc`: Matthews correlation coefficient, with several classes \eqn{R_K} of Gorodkin (2004):
#'   for n rows of which c are correctly classified, \eqn{t_k} are of class k and \eqn{p_k} are
#'   predicted as class k,
#'   \deqn{\frac{n c - \sum_k t_k p_k}{\sqrt{(n^2 - \sum_k p_k^2)(n^2 - \sum_k t_k^2)}}.}{
#'   (n c - sum_k t_k p_k) / sqrt((n^2 - sum_k p_k^2) (n^2 - sum_k t_k^2)).}
#' * `kappa`: Cohen's kappa, \eqn{(p_o - p_e) / (1 - p_e)} for the accuracy \eqn{p_o} and its
#'   expectation by chance \eqn{p_e = \sum_k t_k p_k / n^2}{p_e = sum_k t_k p_k / n^2}.
#' * `auc_rest`: the mean over the classes of the AUC of each class against the rest. With
#'   one-against-one the score of a class is the number of its votes; the sum of its decision
#'   values, transformed to values between -1/2 and 1/2, breaks ties. For two classes it is `auc`.
#' * `pr_auc`: area under the precision-recall curve as average precision, the step-wise sum
#'   \deqn{\sum_j (R_j - R_{j-1}) P_j}{sum_j (R_j - R_{j-1}) P_j} over the distinct decision values
#'   from the largest to the smallest, without interpolation between them. With several classes it
#'   is the mean over the classes, each against the rest, with the scores of `auc_rest`. Its
#'   expectation for random predictions is the share of the positive class.
#' * `rmse`, `mae`: root of the mean squared error, mean absolute error.
#' * `r2`: \eqn{1 - \sum_i (y_i - \hat y_i)^2 / \sum_i (y_i - \bar y)^2}{1 - sum_i (y_i - yhat_i)^2
#'   / sum_i (y_i - mean(y))^2}, the coefficient of determination, which is negative for predictions
#'   that are worse than the mean of the test rows.
#' * `concordance`: the share of pairs of rows with different responses whose predictions are in the
#'   same order, equal predictions counting one half (Harrell's C without censoring).
#' * `support`: share of the training rows that are support vectors.
#' * `fit_time`: seconds for the fit. The time of points of a grid that are fitted together (see
#'   [tune_mkl()]) is divided evenly.
#'
#' Test rows without a prediction (a missing value in their columns) or without a known response
#' are excluded. An undefined measure is `NA`, never `NaN`, and the attribute `reasons` of
#' `compute_metrics()` contains the reason: no rows, an `auc` with one class, `sensitivity`
#' without positive rows, `precision` without positive predictions, `r2` of a constant response.
#'
#' # The positive class
#' It is the second level of the response, as in [predict()][predict.mkl]. To change it, reorder
#' the levels before the fit: `factor(y, levels = c("case", "control"))` makes `"control"` the
#' positive class.
#'
#' # Choosing measures
#' Accuracy is dominated by frequent classes: use `balanced_accuracy`, `mcc` or `f1` if class
#' sizes differ strongly, and `pr_auc` in addition to `auc` if the positive class is rare. `auc`
#' evaluates the ranking of the rows, `log_loss` and `brier` the probabilities; the latter two
#' need fits with `probability = TRUE`, which [cv_mkl()] and [tune_mkl()] set automatically.
#' [tune_mkl()] selects by the first measure of the set.
#'
#' @param ... For `mkl_metrics()`: names of measures, functions with a name (`mine = function(truth,
#'   estimate) ...`), results of `mkl_metric()`, or character vectors and lists of these.
#' @param fun A function of `truth` and `estimate` that returns one number. `truth` is a factor,
#'   or a numeric vector for regression; the type of `estimate` is determined by `needs`.
#' @param needs Type of prediction passed to `fun`: `"class"` (a factor), `"prob"` (a matrix with
#'   a column for each level), `"decision"` (a vector, or a matrix with a column for each model)
#'   or `"response"` (a numeric vector). `NULL`: `"class"` for classification and `"response"` for
#'   regression.
#' @param larger `TRUE` if larger values are better.
#' @param truth Observed response: classes or numbers.
#' @param prediction A list with any of `class`, `prob`, `decision` and `response`, as `predict()`
#'   returns them, and the numbers `support` and `fit_time`. `classes` are the classes of the
#'   training data, the positive one last: required if `truth` contains other classes as well.
#' @param metrics A set of measures, or arguments for `mkl_metrics()` such as names.
#' @return `mkl_metrics()`: a list of class `mkl_metrics` with one element for each measure.
#'   `compute_metrics()`: a named numeric vector, with the attribute `reasons` if some are `NA`.
#' @references
#' Hand, D. J. and Till, R. J. (2001). A simple generalisation of the area under the ROC curve for
#' multiple class classification problems. *Machine Learning* 45, 171-186.
#'
#' Gorodkin, J. (2004). Comparing two K-category assignments by a K-category correlation
#' coefficient. *Computational Biology and Chemistry* 28, 367-374.
#'
#' Davis, J. and Goadrich, M. (2006). The relationship between precision-recall and ROC curves. In
#' *Proceedings of the 23rd International Conference on Machine Learning*, 233-240.
#'
#' Harrell, F. E., Califf, R. M., Pryor, D. B., Lee, K. L. and Rosati, R. A. (1982). Evaluating the
#' yield of medical tests. *JAMA* 247, 2543-2546.
#'
#' Brier, G. W. (1950). Verification of forecasts expressed in terms of probability. *Monthly
#' Weather Review* 78, 1-3.
#' @family resampling
#' @examples
#' mkl_metrics()
#' train <- seq(1, 150, 2)
#' fit <- mkl(Species ~ ., iris[train, ])
#' new <- iris[-train, ]
#' compute_metrics(new$Species,
#'   list(class = predict(fit, new), decision = predict(fit, new, type = "decision")),
#'   metrics = c("accuracy", "auc")
#' )
#'
#' # one of your own: cost of errors, where calling a virginica by another name costs double
#' costly <- function(truth, estimate) mean((truth != estimate) * (1 + (truth == "virginica")))
#' mkl_metrics("accuracy", costly = mkl_metric(costly, larger = FALSE))
#' @export
mkl_metrics <- function(...) {
  if (...length() == 0L) return(new_metrics(known_metrics()))
  given <- flatten_metrics(list(...))
  if (length(given) == 0L) {
    stop_mkl("argument_error", "metrics", "`metrics` must name at least one measure, not none.")
  }
  out <- Map(as_metric, given, names(given) %||% rep("", length(given)), seq_along(given))
  names(out) <- vapply(out, function(metric) metric$name, "")
  check_unique_names(names(out), "metrics", "measure")
  taken <- intersect(names(out), result_columns())
  if (length(taken)) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` has a measure named `", taken[1L], "`, which is the ",
      "name of another column of the results. Give it another name."
    )
  }
  new_metrics(out)
}

# Columns of results that are no measures.
result_columns <- function() {
  c("id", "repeat", "fold", "n_train", "n_test", "converged", "point", "share", "failure", "n",
    "data", "learner")
}

#' @rdname mkl_metrics
#' @export
mkl_metric <- function(fun, needs = NULL, larger = TRUE, ...) {
  check_dots(...)
  if (!is.function(fun)) stop_must("fun", "a function of `truth` and `estimate`", fun)
  if (!is.null(needs)) needs <- check_choice(needs, "needs", metric_pieces())
  structure(
    class = "mkl_metric",
    list(name = NULL, fun = fun, needs = needs, larger = check_flag(larger, "larger"),
         tasks = task_names())
  )
}

metric_pieces <- function() c("class", "prob", "decision", "response")

new_metrics <- function(x) structure(x, class = "mkl_metrics")

# Vectors of names and nested lists become one list.
flatten_metrics <- function(x) {
  out <- list()
  for (i in seq_along(x)) {
    one <- x[[i]]
    name <- names(x)[i] %||% ""
    more <- if (is.character(one)) {
      as.list(one)
    } else if (inherits(one, "mkl_metrics") || (is.list(one) && !inherits(one, "mkl_metric"))) {
      flatten_metrics(unclass(one))
    } else {
      list(one)
    }
    if (is.null(names(more))) names(more) <- rep(if (length(more) == 1L) name else "", length(more))
    out <- c(out, more)
  }
  out
}

as_metric <- function(x, name, position) {
  if (is.character(x)) {
    known <- known_metrics()
    return(known[[check_choice(x, "metrics", names(known))]])
  }
  if (is.function(x)) x <- mkl_metric(x)
  if (!inherits(x, "mkl_metric")) {
    stop_must("metrics", "names of measures, functions with a name or made by mkl_metrics()", x)
  }
  if (nzchar(name)) x$name <- name
  if (is.null(x$name)) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` must give a name to each function; element ",
      position, " has none. Write mkl_metrics(my_name = function(truth, estimate) ...)."
    )
  }
  x
}

as_metrics <- function(metrics, task) {
  metrics <- metrics %||% task_traits(task)$metrics
  if (!inherits(metrics, "mkl_metrics")) metrics <- mkl_metrics(metrics)
  unfit <- which(!vapply(metrics, function(metric) task %in% metric$tasks, NA))
  if (length(unfit)) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` has \"", names(metrics)[unfit[1L]],
      "\", which is not for the task \"", task, "\"."
    )
  }
  metrics
}

# What of a prediction the measures need.
metrics_need <- function(metrics, task) {
  default <- task_traits(task)$types[1L]
  unique(unlist(lapply(metrics, function(metric) metric$needs %||% default)))
}

# Applying them ------------------------------------------------------------------------------------

#' @rdname mkl_metrics
#' @export
compute_metrics <- function(truth, prediction, metrics, ...) {
  check_dots(...)
  if (missing(metrics)) stop_no_metrics()
  ready <- ready_prediction(truth, prediction)
  default <- if (is.null(prediction$response)) "class" else "response"
  if (!inherits(metrics, "mkl_metrics")) metrics <- mkl_metrics(metrics)
  values <- lapply(metrics, function(metric) {
    apply_metric(metric, ready$truth, ready$prediction, default)
  })
  reasons <- unlist(lapply(values, attr, "reason"))
  out <- vapply(values, as.double, 0)
  attr(out, "reasons") <- reasons
  out
}

stop_no_metrics <- function() {
  stop_mkl("argument_error", "metrics", "`metrics` must name at least one measure, such as ",
           "\"accuracy\".")
}

# Truth and predictions in the forms that measures get: list(truth, prediction).
ready_prediction <- function(truth, prediction) {
  if (!is.list(prediction) || is.data.frame(prediction)) {
    stop_must("prediction", "a list with elements such as `class` and `decision`", prediction)
  }
  # Without a response column of its own: a one-class fit, which should accept all rows.
  if (is.logical(prediction$class)) prediction$class <- factor(prediction$class, c(FALSE, TRUE))
  prediction$prob <- check_prob(prediction$prob, truth)
  if (is.null(prediction$response) && !is.factor(truth)) truth <- plain_truth(truth, prediction)
  if (is.character(prediction$class)) {
    prediction$class <- factor(prediction$class, union(levels(truth), prediction$class))
  }
  list(truth = truth, prediction = prediction)
}

# Probabilities as predict() gives them: what has no classes cannot be judged.
check_prob <- function(prob, truth) {
  if (is.null(prob)) return(NULL)
  if (is.data.frame(prob)) prob <- as.matrix(prob)
  if (!is.matrix(prob) || !is.numeric(prob) || is.null(colnames(prob))) {
    stop_mkl(
      "argument_error", "prediction", "`prob` of `prediction` must be a numeric matrix with a ",
      "column for each class, named by the classes, not ", describe(prob),
      if (is.matrix(prob)) " without names", "."
    )
  }
  check_prob_sums(prob)
  check_prob_classes(colnames(prob), truth)
  prob
}

# Rounded to two digits they need not sum to 1 exactly.
check_prob_sums <- function(prob) {
  bad <- which(prob < 0, arr.ind = TRUE)[, 1L]
  sums <- rowSums(prob)
  bad <- c(bad, which(abs(sums - 1) > 0.01 * max(2, ncol(prob))))
  if (length(bad) == 0L) return(invisible())
  stop_mkl(
    "argument_error", "prediction", "`prob` of `prediction` must hold probabilities of all ",
    "classes: row ", bad[1L], ", ", toString(format_number(prob[bad[1L], ])), ", sums to ",
    format_number(sums[bad[1L]]), "."
  )
}

# A fit may lack a class of the new rows, and new rows a class of the fit; but a class without a
# column beside a column without a class is a misspelled one.
check_prob_classes <- function(names, truth) {
  levels <- levels(truth) %||% unique(as.character(truth))
  lost <- setdiff(unique(as.character(truth)), c(names, NA))
  odd <- setdiff(names, levels)
  if (length(lost) == 0L || length(odd) == 0L) return(invisible())
  stop_mkl(
    "argument_error", "prediction", "`prob` of `prediction` has no column for the class \"",
    lost[1L], "\" of `truth`, but one that is named \"", odd[1L], "\"."
  )
}

plain_truth <- function(truth, prediction) {
  levels <- levels(prediction$class) %||% colnames(prediction$prob) %||% sorted_values(truth)
  factor(as.vector(truth), union(levels, sorted_values(as.character(truth))))
}

# `default`: what a measure gets that does not say what it needs.
apply_metric <- function(metric, truth, prediction, default) {
  estimate <- needed_piece(metric, prediction, default)
  if (is.null(metric$fun)) return(as.double(estimate))
  if (NROW(estimate) != length(truth)) {
    stop_mkl(
      "argument_error", "prediction", "`", metric$needs %||% default, "` of `prediction` must ",
      "have one row for each of the ", length(truth), " rows of `truth`, not ", NROW(estimate), "."
    )
  }
  known <- is_judged(truth, estimate)
  if (!any(known)) return(undefined(no_row_reason()))
  estimate <- if (is.matrix(estimate)) estimate[known, , drop = FALSE] else estimate[known]
  value <- call_metric(metric, truth[known], estimate, prediction$classes)
  if (is.nan(value)) undefined("the measure gave NaN") else value
}

# Rows with a response and a prediction. A fold whose training rows lacked a class has values of
# some models only, which have no place among those of the other folds.
is_judged <- function(truth, estimate) {
  !is.na(truth) & (if (is.matrix(estimate)) rowSums(is.na(estimate)) == 0 else !is.na(estimate))
}

no_row_reason <- function() "no row has both a response and a prediction"

# The value of a measure that the rows do not define, and why.
undefined <- function(reason) structure(NA_real_, reason = reason)

# What of a prediction a measure looks at.
needed_piece <- function(metric, prediction, default) {
  needs <- metric$needs %||% default
  estimate <- prediction[[needs]]
  # Ranks of probabilities serve where decision values are not known.
  if (is.null(estimate) && needs == "decision") estimate <- prediction$prob
  if (is.null(estimate)) {
    stop_mkl(
      "argument_error", "prediction", "The measure \"", metric$name, "\" needs `", needs,
      "` in `prediction`, which has ",
      if (length(prediction)) tick_all(names(prediction)) else "nothing", "."
    )
  }
  estimate
}

call_metric <- function(metric, truth, estimate, classes) {
  if (isTRUE(metric$classes)) return(metric$fun(truth, estimate, classes))
  value <- call_user(
    metric$fun, list(truth, estimate), "metrics", paste0("The measure \"", metric$name, "\"")
  )
  if (!is_number(value)) {
    stop_mkl(
      "argument_error", "metrics", "The measure \"", metric$name, "\" must return one number, not ",
      describe(value), "."
    )
  }
  structure(as.double(value), reason = attr(value, "reason"))
}

#' @export
format.mkl_metrics <- function(x, ...) paste(names(x), collapse = ", ")

#' @export
print.mkl_metrics <- function(x, ...) {
  cat("<mkl_metrics>\n")
  print(data.frame(
    metric = names(x), needs = vapply(x, function(m) m$needs %||% "class or response", ""),
    better = ifelse(vapply(x, function(m) m$larger, NA), "larger", "smaller"),
    tasks = vapply(x, function(m) if (length(m$tasks) == 3L) "all" else toString(m$tasks), "")
  ), row.names = FALSE, right = FALSE)
  invisible(x)
}
