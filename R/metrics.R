#' Measures of performance
#'
#' What [cv_mkl()], [tune_mkl()] and the others compute on the test rows. `mkl_metrics()` makes a
#' set of measures from names and functions, and without arguments gives all that are ready-made;
#' `mkl_metric()` makes one of your own; `compute_metrics()` applies a set to predictions.
#'
#' @details
#' Let \eqn{y_i} be the true class of test row i, \eqn{\hat y_i} the predicted one and
#' \eqn{p_{ik}} the probability of class k.
#' * `accuracy`: share of rows with \eqn{\hat y_i = y_i}; `error`: 1 - accuracy.
#' * `balanced_accuracy`: mean over the classes among the test rows of the share of their rows that
#'   is predicted correctly.
#' * `auc`: probability that a row of the positive class (the second level) has a larger decision
#'   value than one of the other, ties counting one half: from the ranks \eqn{r_i},
#'   \deqn{A = \Big(\sum_{i: y_i = +} r_i - n_+(n_+ + 1)/2\Big) \Big/ (n_+ n_-).} With several
#'   classes the mean over all pairs of classes (Hand and Till 2001, equation 7). For one against
#'   one each pair is ranked by its own decision values; for one against the rest, and when only
#'   probabilities are given, by the values of both classes in turn, as in the paper. Pairs
#'   without test rows, and classes that the fit does not know, are left out.
#' * `log_loss`: \eqn{-\frac1n \sum_i \log p_{i y_i}}, with probabilities of \eqn{10^{-15}} at
#'   least.
#' * `brier`: \eqn{\frac{1}{2n} \sum_i \sum_k (p_{ik} - 1[y_i = k])^2}, which for two classes is the
#'   mean squared error of the probability of one.
#' * `f1`: \eqn{2 TP / (2 TP + FP + FN)} for the positive class; with several classes the mean over
#'   those that are true or predicted for some row.
#' * `rmse`, `mae`: root of the mean squared error, mean absolute error.
#' * `support`: share of the training rows that the fit keeps as support vectors.
#' * `fit_time`: seconds for the fit. Points of a grid that are fitted together (see [tune_mkl()])
#'   share their time evenly.
#'
#' Test rows without a prediction (a missing value in their columns) or without a known response are
#' left out. A measure without any row, an `auc` with one class, or an `f1` without a row that is or
#' is called positive, is `NA`.
#'
#' # Choosing measures
#' Accuracy hides rare classes: take `balanced_accuracy` or `f1` when classes differ much in size.
#' `auc` judges the order of the rows, `log_loss` and `brier` the probabilities; the latter two need
#' fits with `probability = TRUE`, which [cv_mkl()] and [tune_mkl()] then ask for by themselves.
#' [tune_mkl()] chooses by the first measure of the set.
#'
#' @param ... For `mkl_metrics()`: names of measures, functions with a name (`mine = function(truth,
#'   estimate) ...`), results of `mkl_metric()`, or character vectors and lists of these.
#' @param fun A function of `truth` and `estimate` that returns one number. `truth` is a factor, or
#'   a numeric vector for regression; `estimate` is what `needs` says.
#' @param needs What `fun` gets: `"class"` (a factor), `"prob"` (a matrix with a column for each
#'   level), `"decision"` (a vector, or a matrix with a column for each model) or `"response"` (a
#'   numeric vector). `NULL`: `"class"` for classification and `"response"` for regression.
#' @param larger `TRUE` if larger values are better.
#' @param truth The true classes or numbers.
#' @param prediction A list with any of `class`, `prob`, `decision` and `response`, as `predict()`
#'   returns them, and the numbers `support` and `fit_time`. `classes` are those that the fit knows,
#'   the positive one last: needed if `truth` has others too.
#' @param metrics A set of measures, or what `mkl_metrics()` takes.
#' @return `mkl_metrics()`: a list of class `mkl_metrics` with one element for each measure.
#'   `compute_metrics()`: a named numeric vector.
#' @references
#' Hand, D. J. and Till, R. J. (2001). A simple generalisation of the area under the ROC curve for
#' multiple class classification problems. *Machine Learning* 45, 171-186.
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
  if (is.null(metrics)) {
    metrics <- switch(task,
      classification = c("accuracy", "auc"), regression = c("rmse", "mae"), one_class = "accuracy"
    )
  }
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
  unique(unlist(lapply(metrics, function(metric) metric_needs(metric, task))))
}

metric_needs <- function(metric, task) {
  metric$needs %||% if (task == "regression") "response" else "class"
}

# The ready-made ones ----------------------------------------------------------------------------

known_metrics <- function() {
  # `top`: the largest value that is possible; the smallest is 0. `classes`: TRUE if the function
  # wants to know the classes of the fit too.
  define <- function(name, needs, larger, fun, tasks = "classification", top = 1,
                     classes = FALSE) {
    structure(class = "mkl_metric", list(
      name = name, fun = fun, needs = needs, larger = larger, tasks = tasks, range = c(0, top),
      classes = classes
    ))
  }
  any <- task_names()
  out <- list(
    define("accuracy", "class", TRUE, metric_accuracy, c("classification", "one_class")),
    define("error", "class", FALSE, function(truth, estimate) 1 - metric_accuracy(truth, estimate),
           c("classification", "one_class")),
    define("balanced_accuracy", "class", TRUE, metric_balanced),
    define("auc", "decision", TRUE, metric_auc, classes = TRUE),
    define("log_loss", "prob", FALSE, metric_log_loss, top = Inf),
    define("brier", "prob", FALSE, metric_brier),
    define("f1", "class", TRUE, metric_f1, classes = TRUE),
    define("rmse", "response", FALSE, function(truth, estimate) sqrt(mean((truth - estimate)^2)),
           "regression", top = Inf),
    define("mae", "response", FALSE, function(truth, estimate) mean(abs(truth - estimate)),
           "regression", top = Inf),
    define("support", "support", FALSE, NULL, any),
    define("fit_time", "fit_time", FALSE, NULL, any, top = Inf)
  )
  stats::setNames(out, vapply(out, function(metric) metric$name, ""))
}

metric_accuracy <- function(truth, estimate) {
  mean(as.character(truth) == as.character(estimate))
}

metric_balanced <- function(truth, estimate) {
  right <- as.character(truth) == as.character(estimate)
  mean(tapply(right, droplevels(truth), mean))
}

metric_f1 <- function(truth, estimate, classes = NULL) {
  # Without the classes of a fit: those of the truth, in their order, and what else was predicted.
  if (is.null(classes)) {
    known <- union(levels(droplevels(truth)), levels(estimate))
    classes <- union(intersect(levels(truth), known), known)
  }
  levels <- union(classes, as.character(truth))
  truth <- as.character(truth)
  estimate <- as.character(estimate)
  one <- function(level) {
    right <- sum(truth == level & estimate == level)
    2 * right / (sum(truth == level) + sum(estimate == level))
  }
  if (length(levels) == 2L) return(one(levels[2L]))
  mean(vapply(levels, one, 0), na.rm = TRUE)
}

metric_log_loss <- function(truth, estimate) {
  own <- estimate[cbind(seq_along(truth), match(as.character(truth), colnames(estimate)))]
  # A class that the training rows did not have got no probability at all.
  own[is.na(own)] <- 0
  -mean(log(pmax(own, 1e-15)))
}

metric_brier <- function(truth, estimate) {
  levels <- union(colnames(estimate), levels(droplevels(truth)))
  p <- matrix(0, length(truth), length(levels))
  p[, match(colnames(estimate), levels)] <- estimate
  hit <- outer(as.character(truth), levels, "==")
  mean(rowSums((p - hit)^2)) / 2
}

# Applying them ------------------------------------------------------------------------------------

#' @rdname mkl_metrics
#' @export
compute_metrics <- function(truth, prediction, metrics, ...) {
  check_dots(...)
  if (missing(metrics)) {
    stop_mkl("argument_error", "metrics", "`metrics` must name at least one measure, such as ",
             "\"accuracy\".")
  }
  if (!is.list(prediction) || is.data.frame(prediction)) {
    stop_must("prediction", "a list with elements such as `class` and `decision`", prediction)
  }
  task <- if (is.null(prediction$response)) "classification" else "regression"
  if (!inherits(metrics, "mkl_metrics")) metrics <- mkl_metrics(metrics)
  # Without a response column of its own: a one-class fit, which should accept all rows.
  if (is.logical(prediction$class)) prediction$class <- factor(prediction$class, c(FALSE, TRUE))
  prediction$prob <- check_prob(prediction$prob, truth)
  if (task == "classification" && !is.factor(truth)) truth <- plain_truth(truth, prediction)
  if (is.character(prediction$class)) {
    prediction$class <- factor(prediction$class, union(levels(truth), prediction$class))
  }
  vapply(metrics, function(metric) apply_metric(metric, truth, prediction, task), 0)
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
# column beside a column without a class is a misspelt one.
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

apply_metric <- function(metric, truth, prediction, task) {
  needs <- metric_needs(metric, task)
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
  if (is.null(metric$fun)) return(as.double(estimate))
  if (NROW(estimate) != length(truth)) {
    stop_mkl(
      "argument_error", "prediction", "`", needs, "` of `prediction` must have one row for each ",
      "of the ", length(truth), " rows of `truth`, not ", NROW(estimate), "."
    )
  }
  known <- !is.na(truth) & !is.na(if (is.matrix(estimate)) estimate[, 1L] else estimate)
  if (!any(known)) return(NA_real_)
  estimate <- if (is.matrix(estimate)) estimate[known, , drop = FALSE] else estimate[known]
  value <- call_metric(metric, truth[known], estimate, prediction$classes)
  if (is.nan(value)) NA_real_ else value
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
  as.double(value)
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
