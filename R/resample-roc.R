#' ROC curves for two or more classes
#'
#' Computes receiver operating characteristic (ROC) curves: sensitivity and specificity at every
#' threshold, for the positive class of two classes, or for each of several classes against the
#' rest.
#'
#' @details
#' At the threshold t the rows with a score \eqn{s_i \ge t}{s_i >= t} are assigned to the class.
#' The curve starts at `Inf`, where no row is. The area under it, by the trapezoidal rule, is the
#' probability that \deqn{s_+ > s_-}{s_+ > s_-} for a row of the class and a row of another class,
#' ties counting one half. With one-against-one the score of a class is the number of its votes,
#' with ties broken as in [predict()][predict.mkl]; see `auc_rest` in [mkl_metrics()].
#'
#' # Choosing the rows
#' Use rows that were not used in training: test data, or the out-of-fold predictions of a
#' cross-validation. The latter come from different fits, whose decision values are compared. With
#' repeats each row is used several times.
#'
#' @param object A result of [cv_mkl()] with `keep = "predictions"`, of [tune_mkl()] with
#'   `predictions = TRUE` (its outer splits, or else its best point), or a fit of [mkl()].
#' @param newdata,y Test cases and their classes, if `object` is a fit; see [performance()].
#' @param ... Not used; misspelled arguments raise an error. For results of [tune_mkl()]: the
#'   arguments of the method for cross-validation results.
#' @return A data frame of class `mkl_roc` with the columns `class`, `threshold`, `sensitivity` and
#'   `specificity`, and the attribute `auc`, a vector by class. [`plot()`][plot-measures] and
#'   [`autoplot()`][plot-measures] draw it.
#' @references
#' Fawcett, T. (2006). An introduction to ROC analysis. *Pattern Recognition Letters* 27, 861-874.
#' @family resampling
#' @examples
#' set.seed(1)
#' cv <- cv_mkl(Species ~ Sepal.Length + Sepal.Width, iris, folds = 5, keep = "predictions")
#' roc <- roc_data(cv)
#' head(roc)
#' attr(roc, "auc")
#' @export
roc_data <- function(object, ...) UseMethod("roc_data")

#' @rdname roc_data
#' @export
roc_data.mkl_cv <- function(object, ...) {
  check_dots(...)
  check_kept(object$predictions, "cv_mkl()")
  check_has_classes(object$task)
  roc_of(list(
    truth = object$predictions$truth, prediction = table_pieces(object$predictions, object$task)
  ))
}

#' @rdname roc_data
#' @export
roc_data.mkl_tune <- function(object, ...) roc_data(tuned_cv(object, TRUE), ...)

#' @rdname roc_data
#' @export
roc_data.mkl <- function(object, newdata, y = NULL, ...) {
  object <- check_fit(object)
  check_dots(...)
  check_has_classes(object$task)
  roc_of(test_part(object, newdata, y, "decision"))
}

#' @export
roc_data.default <- function(object, ...) stop_no_source(object)

stop_no_rows <- function() {
  stop_mkl("data_error", "object", "There is nothing to show: ", no_row_reason(), ".")
}

check_has_classes <- function(task) {
  if (!task_traits(task)$classes) {
    stop_mkl("argument_error", "object", "`object` must be for classification, not for the task \"",
             task, "\".")
  }
}

roc_of <- function(part) {
  known <- known_rows(known_metrics()$auc, part, "class")
  if (length(known$truth) == 0L) stop_no_rows()
  roc <- roc_curves(rest_problems(known$truth, known$estimate, known$classes)) %||%
    stop_mkl("argument_error", "object", "There is no curve: ", one_class_reason(), ".")
  out <- data.frame(
    class = factor(roc$curves$class, names(roc$areas)), threshold = roc$curves$threshold,
    sensitivity = roc$curves$true_positive, specificity = 1 - roc$curves$false_positive
  )
  structure(out, class = c("mkl_roc", "data.frame"), auc = roc$areas)
}

# `problems`: see rest_problems(); `predicted`: class of each row, NULL where it is not asked for.
# list(curves, points: where the predicted classes are; data frames with a column `class`, areas:
# named by class, rows: their number); NULL if no class has rows of its own and others.
roc_curves <- function(problems, predicted = NULL) {
  problems <- Filter(function(one) any(one$positive) && !all(one$positive), problems)
  if (length(problems) == 0L) return(NULL)
  parts <- Map(function(one, class) {
    data.frame(class = class, roc_points(one$score, one$positive))
  }, problems, names(problems))
  points <- if (!is.null(predicted)) Map(function(one, class) {
    found <- predicted[one$rows] == class
    data.frame(
      class = class, false_positive = mean(found[!one$positive]),
      true_positive = mean(found[one$positive])
    )
  }, problems, names(problems))
  list(
    curves = stack_tables(parts), points = stack_tables(points),
    areas = vapply(problems, function(one) rank_auc(one$positive, one$score), 0),
    rows = length(predicted)
  )
}

# Corners of the receiver operating characteristic: rates at each threshold, ties in one step.
roc_points <- function(decision, positive) {
  order <- order(decision, decreasing = TRUE)
  sorted <- decision[order]
  hit <- positive[order]
  last <- which(c(sorted[-1L] != sorted[-length(sorted)], TRUE))
  data.frame(
    threshold = c(Inf, sorted[last]),
    false_positive = c(0, cumsum(!hit)[last] / max(sum(!hit), 1)),
    true_positive = c(0, cumsum(hit)[last] / max(sum(hit), 1))
  )
}
