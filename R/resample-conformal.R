#' Conformal prediction: prediction intervals and sets with guaranteed coverage
#'
#' Computes prediction intervals (regression) or prediction sets of classes (classification) that
#' contain the true response of a new case with a given probability, for any distribution of the
#' data and any quality of the fit. The only assumption is exchangeability of the cases.
#'
#' @details
#' Let \eqn{s(x, y)} be a nonconformity score that is large if y is an unusual response at x, and
#' \eqn{\alpha = 1 - } `level`.
#'
#' **Split** (Papadopoulos and others 2002; Lei and others 2018). The scores of n cases that were
#' not used in training are sorted, and q is the \eqn{\lceil (1 - \alpha)(n + 1) \rceil}{
#' ceiling((1 - alpha) (n + 1))}-th smallest. The prediction set contains all responses with
#' \deqn{s(x, y) \le q.}{s(x, y) <= q.} Its coverage is at least \eqn{1 - \alpha}{1 - alpha} and at
#' most \eqn{1 / (n + 1)} more if the scores have no ties.
#'
#' **Cross** (CV+ of Barber and others 2021, for classes Romano and others 2020). The model is
#' refitted without each fold; \eqn{s_i} is the score of training case i by the fit
#' \eqn{f_{-k(i)}} without its fold. For regression the interval goes from the \eqn{\lfloor \alpha
#' (n + 1) \rfloor}{ floor(alpha (n + 1))}-th smallest of \eqn{f_{-k(i)}(x) - s_i} to the
#' \eqn{\lceil (1 - \alpha)(n + 1) \rceil}{ceiling((1 - alpha) (n + 1))}-th smallest of
#' \eqn{f_{-k(i)}(x) + s_i}. For classification the set contains all y with
#' \deqn{\sum_i 1[s_i < s_{-k(i)}(x, y)] < (1 - \alpha)(n + 1).}{
#'   sum_i 1[s_i < s_-k(i)(x, y)] < (1 - alpha) (n + 1).}
#' No cases are needed for calibration only. The coverage is about \eqn{1 - \alpha}{1 - alpha};
#' the proven lower bound is slightly less than \eqn{1 - 2 \alpha}{1 - 2 alpha}.
#'
#' **Scores.** For regression \eqn{|y - f(x)|}. For classification
#' * `"label"` (Sadinle, Lei and Wasserman 2019): \eqn{1 - p_y(x)}, or minus the score of the
#'   class (see `auc_rest` in [mkl_metrics()]) if the fit has no probabilities. These sets are the
#'   smallest on average; a set may be empty, which indicates an unusual case.
#' * `"adaptive"` (Romano, Sesia and Candes 2020, without randomization): the sum of the
#'   probabilities that are at least \eqn{p_y(x)}. The sets are larger, and their coverage varies
#'   less between easy and hard cases; the coverage is above `level`.
#'
#' The coverage is marginal: it holds on average over all cases, not for each class or subgroup.
#'
#' # Choosing the method
#' `"split"` for large data, if a few hundred cases can be used for calibration; `"cross"` for
#' small data; it requires `folds` fits. At least \eqn{1 / \alpha - 1}{1 / alpha - 1} cases are
#' needed: with fewer, intervals are infinite and sets contain all classes.
#'
#' @param object For `conformal()`: a fit of [mkl()], or of a named method, for regression or
#'   classification. For `predict()`: a result of `conformal()`.
#' @param data,y For `"split"`: cases that were not used in training, and their responses. For
#'   `"cross"`: the training data, in the same form as in the call of the fit, whose other
#'   arguments are evaluated again as in [update()]. Views and kernel matrices are used unchanged.
#'   `y` may be left out if the fit is by a formula and `data` holds the response.
#' @param level Coverage probability: probability that the interval or set contains the true
#'   response.
#' @param method Type of conformal prediction: `"split"` or `"cross"`.
#' @param score Nonconformity score for classification: `"label"` or `"adaptive"`.
#' @param folds Number of folds for `"cross"`, drawn at random; or a vector with the fold of each
#'   row.
#' @param newdata New data, as for [predict()][predict.mkl].
#' @param ... Not used; misspelled arguments raise an error.
#' @return `conformal()`: an object of class `mkl_conformal`. `predict()` of it, for regression: a
#'   matrix with the columns `fit`, `lower` and `upper`; for classification a logical matrix with
#'   a column for each class, `TRUE` if the set contains it. Rows are named by the cases, and `NA`
#'   where the fit predicts `NA`.
#' @references
#' Papadopoulos, H., Proedrou, K., Vovk, V. and Gammerman, A. (2002). Inductive confidence machines
#' for regression. In *Machine Learning: ECML 2002*, 345-356.
#'
#' Lei, J., G'Sell, M., Rinaldo, A., Tibshirani, R. J. and Wasserman, L. (2018). Distribution-free
#' predictive inference for regression. *Journal of the American Statistical Association* 113,
#' 1094-1111.
#'
#' Barber, R. F., Candes, E. J., Ramdas, A. and Tibshirani, R. J. (2021). Predictive inference with
#' the jackknife+. *Annals of Statistics* 49, 486-507.
#'
#' Sadinle, M., Lei, J. and Wasserman, L. (2019). Least ambiguous set-valued classifiers with
#' bounded error levels. *Journal of the American Statistical Association* 114, 223-234.
#'
#' Romano, Y., Sesia, M. and Candes, E. J. (2020). Classification with valid and adaptive coverage.
#' In *Advances in Neural Information Processing Systems* 33.
#' @family resampling
#' @examples
#' train <- seq(1, 150, 2)
#' fit <- mkl(Species ~ ., iris[train, ])
#' sets <- conformal(fit, iris[-train, ], level = 0.95)
#' sets
#' head(predict(sets, iris[51:60, ]))
#'
#' # intervals, without cases set aside
#' set.seed(1)
#' fit <- mkl(mpg ~ wt + hp, mtcars)
#' predict(conformal(fit, mtcars, method = "cross", folds = 4), mtcars[1:3, ])
#' @export
conformal <- function(object, data, y = NULL, level = 0.9, method = c("split", "cross"),
                      score = c("label", "adaptive"), folds = 10, ...) {
  check_dots(...)
  fit <- check_fit(object)
  # predict() without data would give the training rows, on which a fit is too good.
  if (missing(data) || is.null(data)) {
    stop_mkl("argument_error", "data", "`data` is missing: give the cases to calibrate on.")
  }
  if (!task_traits(fit$task)$response) {
    stop_mkl("argument_error", "object", "`object` must be for regression or classification, not ",
             "for the task \"", fit$task, "\".")
  }
  level <- check_level(level)
  method <- check_choice(method, "method", c("split", "cross"))
  score <- if (is.null(fit$classes)) "residual" else conformal_score(score, fit)
  if (method == "split" && !missing(folds)) {
    stop_mkl("argument_error", "folds", "`folds` has no effect with `method = \"split\"`.")
  }
  parts <- if (method == "split") {
    list(split_part(fit, data, y, score))
  } else {
    cross_parts(fit, data, y, score, folds, parent.frame())
  }
  scores <- unlist(lapply(parts, function(part) part$scores))
  if (length(scores) == 0L) {
    stop_mkl("data_error", "data", "In `data` ", no_row_reason(), ".")
  }
  structure(class = "mkl_conformal", list(
    fit = fit, parts = parts, level = level, method = method, score = score, n = length(scores)
  ))
}

conformal_score <- function(score, fit) {
  score <- check_choice(score, "score", c("label", "adaptive"))
  if (score == "adaptive" && !fit$probability) {
    stop_mkl(
      "argument_error", "score", "`score` is \"adaptive\", which needs a fit with ",
      "`probability = TRUE`."
    )
  }
  score
}

# list(fit, scores): a fit and the sorted scores of cases that it has not seen.
split_part <- function(fit, data, y, score) {
  strange <- strangeness(fit, data, score)
  y <- test_response(fit, data, y, NROW(strange), "data")
  list(fit = fit, scores = own_scores(strange, y, fit))
}

# For each case: the prediction of regression, or a matrix with the score of each class of the fit.
strangeness <- function(fit, newdata, score) {
  type <- score_type(score, fit$probability)
  shape_strangeness(fit, without_cases(predict(fit, newdata, type = type)), type, score)
}

# The type of prediction that a score is computed from.
score_type <- function(score, probability) {
  if (score == "residual") "response" else if (probability) "prob" else "decision"
}

shape_strangeness <- function(fit, prediction, type, score) {
  if (type == "response") return(prediction)
  if (type == "decision") {
    if (!is.matrix(prediction)) {
      out <- cbind(prediction, -prediction)
      colnames(out) <- fit$classes
      return(out)
    }
    own <- all(colnames(prediction) %in% fit$classes)
    return(-(if (own) prediction else rest_scores(prediction, fit$classes)))
  }
  p <- prediction[, match(fit$classes, colnames(prediction)), drop = FALSE]
  if (score == "label") return(1 - p)
  # The sum of the probabilities that are as large at least.
  out <- vapply(seq_len(ncol(p)), function(k) rowSums(p * (p >= p[, k])), numeric(nrow(p)))
  matrix(out, nrow(p), ncol(p), dimnames = dimnames(p))
}

# Sorted scores of cases with their responses; a class that the fit does not know is as strange as
# can be.
own_scores <- function(strange, y, fit) {
  if (is.null(fit$classes)) return(sort(abs(y - strange)))
  k <- match(as.character(y), colnames(strange))
  scores <- strange[cbind(seq_along(k), k)]
  scores[is.na(k) & !is.na(y) & !is.na(strange[, 1L])] <- Inf
  sort(scores)
}

# One part for each fold.
cross_parts <- function(fit, data, y, score, folds, envir) {
  given <- refit_inputs(fit, data, y, envir)
  opened <- open_source(given$x, given$more, "conformal()", character(), learner_of(fit))
  plan <- choose_resample(NULL, folds, 1, c(folds = TRUE, repeats = FALSE))
  splits <- resample_splits(plan, opened$source$frame$y, n = opened$source$n)
  map_tasks(splits, conformal_fold, opened, score, label = "Conformal prediction")
}

conformal_fold <- function(split, opened, score) {
  type <- score_type(score, opened$settings$probability)
  done <- refit_split(opened, split, type)
  strange <- shape_strangeness(done$fit, done$prediction[[type]], type, score)
  y <- opened$source$frame$y[split$test]
  list(fit = done$fit, scores = own_scores(strange, y, done$fit))
}

# Predictions --------------------------------------------------------------------------------------

#' @rdname conformal
#' @export
predict.mkl_conformal <- function(object, newdata, level = NULL, ...) {
  check_dots(...)
  level <- check_level(level %||% object$level)
  if (missing(newdata) || is.null(newdata)) {
    stop_mkl(
      "argument_error", "newdata", "`newdata` is missing: a conformal prediction is for new cases."
    )
  }
  strange <- lapply(object$parts, function(part) strangeness(part$fit, newdata, object$score))
  scores <- lapply(object$parts, function(part) part$scores)
  out <- if (object$score == "residual") {
    bounds <- if (object$method == "split") {
      strange[[1L]] + outer(rep(1, length(strange[[1L]])), c(-1, 1) * split_limit(scores, level))
    } else {
      cross_bounds(strange, scores, level)
    }
    fit <- without_cases(predict(object$fit, newdata))
    cbind(fit = fit, lower = bounds[, 1L], upper = bounds[, 2L])
  } else if (object$method == "split") {
    strange[[1L]] <= split_limit(scores, level)
  } else {
    cross_sets(strange, scores, level, object$fit$classes)
  }
  name_cases(out, new_cases(newdata))
}

# Rounding of (n + 1) * level must not ask for one case more.
upper_rank <- function(n, level) ceiling((n + 1) * level - 1e-8)

split_limit <- function(scores, level) {
  scores <- scores[[1L]]
  rank <- upper_rank(length(scores), level)
  if (rank > length(scores)) Inf else scores[rank]
}

# `strange`: predictions of the fit of each fold.
cross_bounds <- function(strange, scores, level) {
  n <- sum(lengths(scores))
  high <- upper_rank(n, level)
  low <- n + 1 - high
  all <- unlist(scores)
  fold <- rep(seq_along(scores), lengths(scores))
  each <- do.call(cbind, strange)
  bounds <- vapply(seq_len(nrow(each)), function(i) {
    f <- each[i, ]
    if (anyNA(f)) return(c(NA_real_, NA_real_))
    c(
      if (low < 1) -Inf else sort(f[fold] - all, partial = low)[low],
      if (high > n) Inf else sort(f[fold] + all, partial = high)[high]
    )
  }, numeric(2))
  t(bounds)
}

cross_sets <- function(strange, scores, level, classes) {
  n <- sum(lengths(scores))
  below <- Reduce(`+`, Map(function(one, scores) {
    out <- matrix(length(scores), nrow(one), length(classes), dimnames = list(NULL, classes))
    out[] <- vapply(classes, function(class) {
      # A class that the fold did not have is as strange as can be.
      if (!class %in% colnames(one)) return(rep(as.double(sum(scores < Inf)), nrow(one)))
      count <- findInterval(one[, class], scores, left.open = TRUE)
      as.double(ifelse(is.na(one[, class]), NA, count))
    }, numeric(nrow(one)))
    out
  }, strange, scores))
  below < (n + 1) * level - 1e-8
}

#' @export
print.mkl_conformal <- function(x, ...) {
  cat("<mkl_conformal> ", x$fit$learner$label, "\n", sep = "")
  what <- if (x$score == "residual") "intervals" else {
    paste0("sets of classes, score \"", x$score, "\",")
  }
  cat("  ", what, " with coverage ", format_number(x$level), "; ",
      if (x$method == "split") "split" else paste0("cross (", plural(length(x$parts), "fit"), ")"),
      ", ", plural(x$n, "case"), "\n", sep = "")
  if (upper_rank(x$n, x$level) > x$n) {
    cat("  too few cases for this coverage: the predictions hold everything\n")
  }
  invisible(x)
}
