# Methods for the generics of DALEX, which is suggested only: they are registered when it is loaded.

#' Explain a fitted model with DALEX
#'
#' Methods for the package DALEX: `DALEX::explain(fit, data, y)` recognizes the task of a fit and
#' explains probabilities, classes or numeric predictions accordingly. `model_performance()`,
#' `model_parts()`, `model_profile()`, `predict_parts()` and `predict_profile()` can be applied to
#' the explainer.
#'
#' @details
#' What is explained, \eqn{\hat y(x)}{yhat(x)}, depends on the task:
#' * regression: the predicted number;
#' * two classes: the probability of the second level, which DALEX compares with a response of 0
#'   and 1: `y = data$class == levels(data$class)[2]`. DALEX converts `TRUE` and `FALSE` to
#'   numbers, but not factors, for which its `model_performance()` stops;
#' * several classes: a matrix of probabilities with one column for each level. Give the response as
#'   a factor or as text;
#' * novelty detection: the decision value, which is positive for rows that are similar to the
#'   training rows.
#'
#' For a fit without probabilities 1 for the predicted class and 0 for the others are used
#' instead, with a message once in a session. The measures of `model_performance()`, which use the
#' threshold 0.5, are then also valid, but profiles are step functions. The argument
#' `predict_function_target_column` of `explain()` selects another class.
#'
#' # Choosing parameters
#' Fit with `probability = TRUE` to explain a classification.
#'
#' @return `DALEX::yhat()`: a numeric vector or matrix. `DALEX::model_info()`: the package, its
#'   version and the type of the model (`"regression"`, `"classification"` or `"multiclass"`; a
#'   one-class fit counts as regression on its decision value).
#' @references
#' Biecek, P. (2018). DALEX: explainers for complex predictive models in R. *Journal of Machine
#' Learning Research* 19(84), 1-5.
#' @family frameworks
#' @name explain-mkl
#' @aliases yhat.mkl model_info.mkl
#' @examples
#' if (requireNamespace("DALEX", quietly = TRUE)) {
#'   two <- droplevels(iris[51:150, ])
#'   set.seed(1)
#'   fit <- mkl(Species ~ ., two, probability = TRUE)
#'   explainer <- DALEX::explain(fit, two[1:4], two$Species == "virginica",
#'     verbose = FALSE
#'   )
#'   DALEX::model_performance(explainer)
#' }
NULL

#' @rawNamespace S3method(DALEX::yhat, mkl)
yhat.mkl <- function(X.model, newdata, ...) { # nolint: object_name_linter.
  if (is.null(X.model$classes)) {
    type <- intersect(c("response", "decision"), task_traits(X.model$task)$types)[1L]
    return(without_cases(stats::predict(X.model, newdata, type = type, ...)))
  }
  out <- class_scores(X.model, newdata, ...)
  column <- attr(X.model, "predict_function_target_column")
  if (is.null(column) && ncol(out) > 2L) return(out)
  out[, column %||% 2L]
}

# A column for each level: probabilities, or the predicted class as 0 and 1.
class_scores <- function(object, newdata, ...) {
  if (object$probability) {
    return(without_cases(stats::predict(object, newdata, type = "prob", ...)))
  }
  inform_once(
    "explained classes", "explained_classes", "The fit has no probabilities: what is explained is ",
    "the predicted class as 0 and 1. Fit with `probability = TRUE` to explain probabilities."
  )
  class <- as.integer(stats::predict(object, newdata, ...))
  out <- outer(class, seq_along(object$levels), `==`) + 0
  dimnames(out) <- list(NULL, object$levels)
  out
}

#' @rawNamespace S3method(DALEX::model_info, mkl)
model_info.mkl <- function(model, is_multiclass = FALSE, ...) { # nolint: object_name_linter.
  type <- if (is.null(model$classes)) "regression" else {
    if (length(model$levels) > 2L) "multiclass" else "classification"
  }
  version <- as.character(utils::packageVersion("multikernel"))
  structure(class = "model_info", list(package = "multikernel", ver = version, type = type))
}
