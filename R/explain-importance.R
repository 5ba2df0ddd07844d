# What views, kernels and columns are worth to a fit: importance().

#' Variable importance of views, kernels and columns
#'
#' Variable importance for multiple kernel learning: the decrease in predictive performance if a
#' view, a kernel or a column is permuted among the cases (permutation importance) or removed from
#' the model.
#'
#' @details
#' For a measure \eqn{m} (with the sign such that larger is better), data \eqn{D} and a source
#' \eqn{v}:
#' * `"permutation"` (Breiman 2001; Fisher, Rudin and Dominici 2019) compares the predictions of the
#'   fit with those for data whose source is permuted among the cases,
#'   \deqn{I_v = m(D) - \frac1R \sum_{r=1}^R m(\pi_r^v D).}{I_v = m(D) - (1/R) sum_r m(pi_r^v D).}
#'   A view is permuted as a whole, among the cases that have it; columns are permuted separately;
#'   for a kernel its contributions to the decision value are permuted (see `type = "terms"` of
#'   [`predict()`][predict.mkl]). With `resamples` the model is refitted to each training part and
#'   evaluated on the test part, so that no other data are needed; the estimates are means over
#'   the splits.
#' * `"drop"` compares resampled fits with and without a view or a kernel on the same \eqn{S}
#'   splits,
#'   \deqn{I_v = \frac1S \sum_{s=1}^S (m_s - m_s^{-v}).}{I_v = (1/S) sum_s (m_s - m_s^{-v}).}
#'
#' # Standard errors
#' * Permutation: the square root of the sum of two variances, that of the mean over the `repeats`
#'   permutations and that of the sampling of cases, the latter from 30 bootstrap samples. `NA`
#'   for a single permutation.
#' * With resamples: \eqn{\sqrt{(1/S + q) s^2}}{sqrt((1 / S + q) s^2)} with the variance \eqn{s^2}
#'   of the differences and the ratio q of test rows to training rows, the correction of Nadeau and
#'   Bengio (2003) for training parts that overlap.
#'
#' # Choosing a method
#' * `"permutation"` measures what *this fit* uses. It is fast, but requires **new data**: on the
#'   training rows overfitted predictors appear important. Without new data use the training data
#'   and `resamples`, which refits the model for each split.
#' * `"drop"` measures the loss of a *learner* without the source. It requires (number of sources
#'   + 1) fits for each split. The arguments of the fit are taken from its call, as in [update()];
#'   the learner is that of the fit. A dropped view is not used at all, neither for imputation nor
#'   in gating models. Both fits use the same cases: those that have another view or, with
#'   `missing = "omit"`, those that have all views.
#'
#' Two redundant sources share their importance with `"permutation"`, and both have no importance
#' with `"drop"`, because each can replace the other.
#'
#' # Parallel processing
#' With a plan of the package future the permutations and the splits are computed in parallel
#' processes; results do not depend on the plan. Use [set.seed()] before the call to reproduce
#' them.
#'
#' @param object A fit of [mkl()].
#' @param data Cases on which importance is measured, in the form of the training data: new cases
#'   for `"permutation"`, all cases for `"drop"` and with `resamples`.
#' @param y Response of the cases. It can be missing if `data` contains the response of the
#'   formula of the fit, and for one-class fits.
#' @param by Units that are permuted or dropped: each `"view"`, each `"kernel"` or each `"column"`
#'   of the data (permutation only; columns of numeric views separately, other views as a whole).
#'   The default is `"view"` for fits to [views()], `"kernel"` for fits to kernel matrices, and
#'   otherwise `"column"`.
#' @param method Type of importance: `"permutation"` or `"drop"`.
#' @param metric Performance measure: a name, or a set with one measure, see [mkl_metrics()];
#'   `NULL` for the default measure of the task.
#' @param repeats Number of permutations of each source; 10 by default; more permutations reduce
#'   the standard error.
#' @param resamples A resampling plan such as [resample_cv()], which is the default for `"drop"`.
#'   `NULL`, the default for `"permutation"`, evaluates the fit itself on `data`.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A data frame of class `mkl_importance`, in decreasing order, with a row for each
#'   source: `term`, `estimate`, `se`. Positive values are a loss of performance, for all
#'   measures. Attributes: `by`, `method`, `metric`, `baseline` (the measure with all sources),
#'   `times` (splits, or permutations without them), `n` (cases) and `resampled` (whether there
#'   are splits). [`tidy()`][tidiers-results] converts it to a plain data frame; see
#'   [autoplot.mkl_importance()] for the plot.
#' @references
#' Breiman, L. (2001). Random forests. *Machine Learning* 45, 5-32.
#'
#' Fisher, A., Rudin, C. and Dominici, F. (2019). All models are wrong, but many are useful:
#' learning a variable's importance by studying an entire class of prediction models simultaneously.
#' *Journal of Machine Learning Research* 20(177), 1-81.
#'
#' Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281.
#' @family explanations
#' @examples
#' train <- seq(1, 150, 2)
#' flowers <- function(rows) views(sepal = iris[rows, 1:2], petal = iris[rows, 3:4])
#' fit <- simplemkl(flowers(train), iris$Species[train])
#' set.seed(1)
#' importance(fit, flowers(-train), iris$Species[-train])
#'
#' # without each view
#' importance(fit, flowers(1:150), iris$Species, method = "drop", resamples = resample_cv(3))
#'
#' # each column of a data frame
#' cars <- mkl(mpg ~ wt + hp + qsec, mtcars)
#' importance(cars, mtcars, by = "column", repeats = 5)
#' @export
importance <- function(object, ...) UseMethod("importance")

#' @export
importance.default <- function(object, ...) stop_no_fit(object)

#' @rdname importance
#' @export
importance.mkl <- function(object, data, y = NULL, by = c("view", "kernel", "column"),
                           method = c("permutation", "drop"), metric = NULL, repeats = 10,
                           resamples = NULL, ...) {
  object <- check_fit(object)
  check_dots(...)
  if (missing(data)) {
    stop_mkl("argument_error", "data", "`data` must hold the cases that importance is measured on.")
  }
  by <- if (missing(by)) usual_sources(object) else check_choice(by, "by", source_kinds())
  method <- check_choice(method, "method", c("permutation", "drop"))
  metric <- one_metric(metric, object$task)
  if (method == "drop") {
    if (!missing(repeats)) stop_other_method("repeats", "permutation")
    out <- drop_importance(object, data, y, by, metric, resamples, parent.frame())
  } else {
    repeats <- check_number(repeats, "repeats", 1, whole = TRUE)
    out <- if (is.null(resamples)) {
      permutation_importance(object, data, y, by, metric, repeats)
    } else {
      resampled_permutation(object, data, y, by, metric, repeats, resamples, parent.frame())
    }
  }
  out$table <- out$table[order(-out$table$estimate, method = "radix"), ]
  rownames(out$table) <- NULL
  structure(
    out$table, class = c("mkl_importance", "data.frame"), by = by, method = method,
    metric = names(metric), baseline = out$baseline, times = out$times, n = out$n,
    resampled = method == "drop" || !is.null(resamples)
  )
}

stop_other_method <- function(argument, method) {
  stop_mkl(
    "argument_error", argument, "`", argument, "` has no effect here: it is for `method = \"",
    method, "\"`."
  )
}

source_kinds <- function() c("view", "kernel", "column")

usual_sources <- function(object) {
  if (!is.null(object$frame$views)) return("view")
  if (has_columns(object$frame)) "column" else "kernel"
}

stop_not_views <- function() {
  stop_mkl(
    "argument_error", "by", "The fit was not made on views(): use `by = \"column\"` or ",
    "`by = \"kernel\"`."
  )
}

# A set of one measure that judges predictions.
one_metric <- function(metric, task) {
  if (is.null(metric)) metric <- task_traits(task)$metrics[1L]
  metric <- catch_metric(metric, task)
  if (length(metric) != 1L) stop_must("metric", "one measure", metric)
  if (is.null(metric[[1L]]$fun)) {
    stop_must("metric", "a measure of the predictions", names(metric))
  }
  metric
}

# Errors of as_metrics() name the argument `metrics`.
catch_metric <- function(metric, task) {
  tryCatch(as_metrics(metric, task), multikernel_argument_error = function(e) {
    if (identical(e$argument, "metrics")) e$argument <- "metric"
    e$message <- sub("`metrics`", "`metric`", e$message, fixed = TRUE)
    stop(e)
  })
}

# 1 if larger values of the measure are better, else -1.
metric_direction <- function(metric) if (metric[[1L]]$larger) 1 else -1

#' @export
print.mkl_importance <- function(x, digits = 3, ...) {
  about <- attributes(x)
  times <- if (isTRUE(about$resampled)) plural(about$times, "split") else {
    plural(about$times, "permutation")
  }
  cat("<mkl_importance> loss of ", about$metric, " by ", about$by, ", ", about$method, "\n",
      sep = "")
  cat("  ", about$metric, " with all: ", format_number(about$baseline, 4L), "; ",
      plural(about$n, "case"), ", ", times, "\n", sep = "")
  print(format_numbers(plain_table(x), digits), row.names = FALSE, right = TRUE)
  invisible(x)
}

# Without class and attributes.
plain_table <- function(x) {
  data.frame(term = x$term, estimate = x$estimate, se = x$se)
}

#' @export
`[.mkl_importance` <- function(x, ...) {
  out <- NextMethod()
  if (!is.data.frame(out) || !all(c("term", "estimate", "se") %in% names(out))) {
    class(out) <- setdiff(class(out), "mkl_importance")
    return(out)
  }
  about <- attributes(x)
  for (name in setdiff(names(about), names(attributes(out)))) attr(out, name) <- about[[name]]
  out
}
