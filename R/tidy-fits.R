# Tidy data frames of fits and results, under the names that broom made common. The generics are
# those of the package generics once that is loaded, see R/base-generics.R.

#' Tidy a fitted model: tidy(), glance() and augment()
#'
#' @description
#' `tidy()` returns the parts of a fit as a data frame, `glance()` a one-row summary, `augment()`
#' the data with predictions, as in the package broom, which need not be installed.
#'
#' @details
#' If the package generics is loaded, for instance by broom or tidymodels, these functions are its
#' generics, so that packages can be attached in any order. Otherwise they are generics of the
#' same name, which pass objects of other classes to it.
#'
#' The weights are the \eqn{d_m} of \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b}
#' and the coefficients the \eqn{\beta_i}.
#'
#' # Choosing the result
#' `tidy(what = "weights")` has one row for each kernel, `"support"` one for each support vector
#' and `"path"` one for each step of the solver. Fits with several models (three and more classes)
#' have a first column `model`.
#'
#' @param x A fit of [mkl()]; for `augment()` of any learner.
#' @param what Part of the fit: `"weights"`, `"support"` or `"path"`.
#' @param newdata New data in the form of the training data. By default the training rows are
#'   used; because a fit does not store its predictors, the result then contains only the new
#'   columns.
#' @param response Response of `newdata`, if not contained in it. For fits by a formula it is
#'   taken from the data, and for the training rows from the fit.
#' @param ... For `augment()`: further arguments of [`predict()`][predict.mkl]. Otherwise not
#'   used.
#' @return A data frame.
#' * `tidy()`: `term` and `estimate`, the name of a kernel and its weight, and `share`, its part
#'   in the sum of absolute weights; or `row` and `coefficient` of a support vector (fits with
#'   coefficients for each kernel have a column `term` too, those of [mkboost()] `trial` and
#'   `term` of the support vector machine); or `step` and `objective`.
#' * `glance()`: `learner`, `task`, `nobs`, `kernels` and `kernels_used` (with non-zero weight),
#'   `support` and `support_share`, `objective`, `gap` and `iterations` (of all models together:
#'   sums, relative gaps relative to the sum of the objectives), `converged`, `seconds`.
#' * `augment()`: the columns of `newdata` and `.fitted`; for classification `.decision` (one column
#'   for each model if there are several), `.prob_<class>` if the fit has probabilities, and
#'   `.correct` if the response is known; for regression `.resid` in that case.
#' @inherit kernel_weights references
#' @family functions for fitted models
#' @name tidiers
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- mkl(Species ~ ., two, learner = learner_average())
#' tidy(fit)
#' head(tidy(fit, "support"))
#' glance(fit)
#' head(augment(fit, two), 3)
NULL

#' @rdname tidiers
#' @export
tidy <- function(x, ...) UseMethod("tidy")

#' @rdname tidiers
#' @export
glance <- function(x, ...) UseMethod("glance")

#' @rdname tidiers
#' @export
augment <- function(x, ...) UseMethod("augment")

#' @rdname tidiers
#' @export
#' @rawNamespace S3method(generics::tidy, mkl)
tidy.mkl <- function(x, what = c("weights", "support", "path"), ...) {
  x <- check_fit(x)
  check_dots(...)
  what <- check_choice(what, "what", c("weights", "support", "path"))
  switch(what,
    weights = tidy_weights(x), support = tidy_support(x), path = model_first(path_frame(x))
  )
}

tidy_weights <- function(x) {
  weights <- kernel_weights(x)
  if (!is.data.frame(weights)) weights <- data.frame(kernel = names(weights), weight = weights)
  total <- if (is.null(weights$pair)) sum(abs(weights$weight)) else {
    stats::ave(abs(weights$weight), weights$pair, FUN = sum)
  }
  out <- data.frame(
    term = weights$kernel, estimate = unname(weights$weight),
    share = unname(abs(weights$weight) / pmax(total, 1e-300))
  )
  if (!is.null(weights$pair)) out$model <- weights$pair
  model_first(out)
}

tidy_support <- function(x) {
  names <- model_names(x) %||% "all"
  rows <- x$kept
  if (!is.null(x$rows)) rows <- x$rows[rows]
  parts <- Map(function(facts, name) {
    out <- data.frame(row = rows[facts$rows])
    coefficients <- facts$coefficients
    if (is.matrix(coefficients)) {
      terms <- item_names(x$kernels)
      out <- data.frame(
        row = rep(out$row, length(terms)), term = rep(terms, each = nrow(out)),
        coefficient = as.vector(coefficients)
      )
    } else if (!is.null(coefficients)) {
      out$coefficient <- as.vector(coefficients)
    }
    if (!is.null(facts$length)) { # the base classifiers of a boosted fit, one after the other
      out$trial <- rep(facts$trial, facts$length)
      out$term <- rep(item_names(x$kernels)[facts$kernel], facts$length)
    }
    out$model <- rep(name, nrow(out))
    out
  }, model_facts(x), names)
  out <- stack_tables(parts)
  if (length(names) == 1L) out$model <- NULL
  model_first(out)
}

model_first <- function(frame) {
  if (is.null(frame$model)) frame else frame[c("model", setdiff(names(frame), "model"))]
}

#' @rdname tidiers
#' @export
#' @rawNamespace S3method(generics::glance, mkl)
glance.mkl <- function(x, ...) {
  x <- check_fit(x)
  check_dots(...)
  weights <- mean_weights(x)
  count <- length(support(x))
  data.frame(
    learner = x$learner$name, task = x$task, nobs = x$n, kernels = length(weights),
    kernels_used = sum(weights != 0), support = count, support_share = count / x$n,
    objective = sum(objective(x)), gap = total_gap(x),
    iterations = sum(report_values(x, "iterations", "numeric")), converged = all(converged(x)),
    seconds = x$seconds
  )
}

#' @rdname tidiers
#' @export
#' @rawNamespace S3method(generics::augment, mkl)
augment.mkl <- function(x, newdata, response = NULL, ...) {
  x <- check_fit(x)
  check_exact()
  new <- !missing(newdata)
  ask <- function(type) {
    if (new) predict(x, newdata, type = type, ...) else predict(x, type = type, ...)
  }
  type <- default_type(x)
  out <- list(.fitted = ask(type))
  if (type == "class") out <- c(out, decision_columns(without_repeats(ask("decision"))))
  if (x$probability) {
    prob <- without_repeats(ask("prob"))
    out <- c(out, stats::setNames(as.data.frame(prob), paste0(".prob_", colnames(prob))))
  }
  truth <- if (new) true_response(x, newdata, response) else {
    if (goes_by_case(x$frame)) response <- match_response(response, training_cases(x), "response")
    response %||% stored_response(x)
  }
  if (!is.null(truth)) out <- c(out, check_against(x, out$.fitted, truth))
  data <- if (new) data_columns(newdata) else list()
  # Columns of an earlier augment() are replaced.
  data <- data[setdiff(names(data), names(out))]
  out <- columns_frame(c(data, out), length(out$.fitted))
  if (new && is.data.frame(newdata)) attr(out, "row.names") <- attr(newdata, "row.names")
  if (new && is_views(newdata)) attr(out, "row.names") <- rownames(newdata) %||% seq_len(nrow(out))
  out
}

decision_columns <- function(decision) {
  if (!is.matrix(decision)) return(list(.decision = decision))
  stats::setNames(as.data.frame(decision), paste0(".decision_", colnames(decision)))
}

# as.data.frame() of a list takes columns apart that are lists, matrices or data frames themselves.
columns_frame <- function(columns, n) {
  columns <- lapply(columns, function(column) {
    if (is.atomic(column) && is.null(dim(column))) names(column) <- NULL
    column
  })
  structure(columns, class = "data.frame", row.names = seq_len(n))
}

# A list of kernel matrices has no columns to show.
data_columns <- function(newdata) {
  if (is_views(newdata)) return(as.list(as.data.frame(newdata)))
  if (is.list(newdata) && !is.data.frame(newdata)) return(list())
  if (inherits(newdata, "Matrix")) newdata <- as.matrix(newdata)
  if (is.matrix(newdata) && is.null(colnames(newdata))) {
    colnames(newdata) <- paste0("V", seq_len(ncol(newdata)))
  }
  as.list(as.data.frame(newdata, optional = TRUE))
}

check_against <- function(x, fitted, truth) {
  check_each_row(truth, "response", length(fitted))
  if (!is.null(x$classes)) return(list(.correct = as.character(fitted) == as.character(truth)))
  if (default_type(x) == "response") list(.resid = as.double(truth) - fitted) else list()
}
