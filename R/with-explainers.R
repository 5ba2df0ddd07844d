# Methods for generics of kernelshap and hstats, which are suggested only: they are registered when
# these are loaded. Their default methods call predict(), which gives classes for a classification,
# and need numbers.

#' SHAP values and interaction statistics of a fit
#'
#' Methods for the packages kernelshap and hstats: `kernelshap::kernelshap(fit, X, bg_X)`,
#' `kernelshap::permshap()`, `hstats::hstats(fit, X)`, `hstats::partial_dep()`, `hstats::ice()`,
#' `hstats::perm_importance(fit, X, y)` and `hstats::average_loss()` work without a prediction
#' function. See below for the package iml.
#'
#' @details
#' What is explained, \eqn{\hat y(x)}{yhat(x)}, depends on the task: the predicted number for
#' regression, the decision value for novelty detection, and one column of probabilities for each
#' class for classification. For a fit without probabilities 1 for the predicted class and 0 for
#' the others are used instead, with a message once in a session. The SHAP values of a case sum to
#' the difference from the mean over the background data \eqn{z_1, \dots, z_B}{z_1, ..., z_B},
#' \deqn{\sum_j \phi_j(x) = \hat y(x) - \frac{1}{B} \sum_b \hat y(z_b).}{
#' sum_j phi_j(x) = yhat(x) - mean_b yhat(z_b).}
#'
#' `hstats::perm_importance()` and `hstats::average_loss()` compare these predictions with the
#' response using the argument `loss`. Without it the loss is the squared error for regression and
#' \deqn{\frac{1}{2} \sum_k (\hat y_k(x) - 1[y = k])^2}{1/2 sum_k (yhat_k(x) - 1[y = k])^2} for
#' classes: the Brier score, which for fits without probabilities is the share of errors. `y` is
#' then a factor, or 1 for the second of two levels and 0 for the first; `loss = "mlogloss"` is
#' another choice for fits with probabilities.
#'
#' The package iml needs no method: `iml::Predictor$new(fit, data, y = y)` explains the predicted
#' class as 0 and 1, and with `type = "prob"` its probabilities; `data` is a data frame. For DALEX
#' see [explain-mkl].
#'
#' # Choosing what to explain
#' Fit with `probability = TRUE` to explain a classification, because profiles of classes are step
#' functions. A `type` of [`predict()`][predict.mkl] given in the call is explained instead, such
#' as `type = "decision"`, which is smooth without calibration; and so is what the argument
#' `pred_fun` of these functions returns.
#'
#' @return What the default method of the generic returns.
#' @references
#' Covert, I. and Lee, S.-I. (2021). Improving KernelSHAP: practical Shapley value estimation using
#' linear regression. *Proceedings of AISTATS*, PMLR 130, 3457-3465.
#'
#' Friedman, J. H. and Popescu, B. E. (2008). Predictive learning via rule ensembles. *Annals of
#' Applied Statistics* 2(3), 916-954.
#' @family frameworks
#' @name shap-mkl
#' @aliases kernelshap.mkl permshap.mkl hstats.mkl partial_dep.mkl ice.mkl
#'   perm_importance.mkl average_loss.mkl
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' fit <- mkl(Species ~ ., two, probability = TRUE)
#' if (requireNamespace("kernelshap", quietly = TRUE)) {
#'   shap <- kernelshap::kernelshap(fit, two[1:2, 1:4], bg_X = two[1:4], verbose = FALSE)
#'   shap$S$virginica
#' }
#' if (requireNamespace("hstats", quietly = TRUE)) {
#'   hstats::hstats(fit, two[1:4], n_max = 20, verbose = FALSE)
#' }
NULL

#' @rawNamespace S3method(kernelshap::kernelshap, mkl)
kernelshap.mkl <- function(object, X, ..., pred_fun = explained_values) {
  NextMethod(pred_fun = pred_fun)
}

#' @rawNamespace S3method(kernelshap::permshap, mkl)
permshap.mkl <- kernelshap.mkl

#' @rawNamespace S3method(hstats::hstats, mkl)
hstats.mkl <- kernelshap.mkl

#' @rawNamespace S3method(hstats::partial_dep, mkl)
partial_dep.mkl <- function(object, v, X, ..., pred_fun = explained_values) {
  NextMethod(pred_fun = pred_fun)
}

#' @rawNamespace S3method(hstats::ice, mkl)
ice.mkl <- partial_dep.mkl

#' @rawNamespace S3method(hstats::perm_importance, mkl)
perm_importance.mkl <- function(object, X, y, ..., pred_fun = explained_values, # nolint
                                loss = explained_loss(object)) {
  NextMethod(pred_fun = pred_fun, loss = loss)
}

#' @rawNamespace S3method(hstats::average_loss, mkl)
average_loss.mkl <- perm_importance.mkl

# What hstats compares predictions by: the name of a loss, or a function of the response and the
# predictions.
explained_loss <- function(object) {
  if (is.null(object$classes)) return("squared_error")
  levels <- object$levels
  function(actual, predicted) rowSums((predicted - class_hits(actual, levels))^2) / 2
}

# cases x classes: 1 for the class of each case. `actual`: classes, such a matrix, or 0 and 1 where
# 1 is the second of two levels.
class_hits <- function(actual, levels) {
  if (is.matrix(actual) && ncol(actual) == length(levels)) return(actual)
  if (all(as.character(actual) %in% levels)) return(outer(as.character(actual), levels, "==") + 0)
  if (length(levels) == 2L && all(actual %in% 0:1)) return(cbind(1 - actual, actual))
  stop_must("y", paste("one of the classes", quote_all(levels), "for each case"), actual)
}

# Numbers for new rows: what the user asks for, else a column for each class.
explained_values <- function(object, newdata, ...) {
  if ("type" %in% ...names() || is.null(object$classes)) {
    type <- intersect(c("response", "decision"), task_traits(object$task)$types)[1L]
    arguments <- utils::modifyList(list(type = type), list(...))
    return(without_cases(do.call(stats::predict, c(list(object, newdata), arguments))))
  }
  class_scores(object, newdata, ...)
}
