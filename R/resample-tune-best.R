# What a tuning is asked for: its best points, and the fit of one of them.

#' Select the best tuning parameters
#'
#' `best_params()` returns the best points of a tuning result of [tune_mkl()], `refit()` fits the
#' learner with one of them to all rows.
#'
#' @details
#' `refit()` is the generic of the package generics if that is loaded, and a generic of the same
#' name otherwise, so that packages can be attached in any order.
#'
#' Points are ordered by the mean of a measure over the splits, \eqn{\frac1S \sum_s m_s}{(1/S)
#' sum_s m_s}; ties are resolved by the order in the grid. After a search by halving only points
#' of the last round are compared. Points with failed fits are excluded.
#'
#' # Choosing a point
#' Consider the standard errors: if several points are within one standard error of the best,
#' prefer the one with the smallest cost or the fewest kernels, for instance `refit(object, point
#' = 7)`.
#'
#' @param object A result of [tune_mkl()].
#' @param n Number of points to return.
#' @param metric Name of the measure by which points are ordered; `NULL` for the first measure of
#'   the tuning.
#' @param point Number of the point, as in the column `point`.
#' @param ... Not used; misspelled arguments raise an error.
#' @return `best_params()`: a data frame, the rows of `object$summary` from best to worst.
#'   `refit()`: a fit of [mkl()].
#' @inherit tune_mkl references
#' @family resampling
#' @examples
#' set.seed(1)
#' tuned <- tune_mkl(Species ~ ., iris, grid = list(cost = 10^(-1:3)), folds = 5)
#' best_params(tuned, n = 3)
#' refit(tuned)
#' @export
best_params <- function(object, n = 1, metric = NULL, ...) {
  check_class(object, "object", "mkl_tune", "a result of tune_mkl()")
  check_dots(..., called = "best_params()")
  n <- check_number(n, "n", 1, whole = TRUE)
  metric <- check_choice(metric %||% names(object$metrics)[1L], "metric", names(object$metrics))
  candidates <- object$summary[object$summary$point %in% object$last, ]
  candidates <- candidates[!is.na(candidates[[metric]]), ]
  order <- order(candidates[[metric]], decreasing = object$metrics[[metric]]$larger)
  out <- candidates[utils::head(order, n), ]
  rownames(out) <- NULL
  out
}

#' @rdname best_params
#' @export
refit <- function(object, ...) UseMethod("refit")

#' @rdname best_params
#' @export
#' @rawNamespace S3method(generics::refit, mkl_tune)
refit.mkl_tune <- function(object, point = NULL, metric = NULL, ...) {
  check_dots(..., called = "refit()")
  point <- point %||% best_params(object, metric = metric)$point
  point <- check_number(point, "point", 1, length(object$points), whole = TRUE)
  chosen <- object$points[[point]]
  settings <- change_settings(
    object$settings %||% object$arguments, # of version 0.2.0 and before
    c(chosen$arguments, list(task = object$source$task, learner = chosen$learner))
  )
  frame <- object$source$frame
  frame$blueprint <- current_blueprint(frame$blueprint)
  mkl_fit(frame, settings, refit_call(object$call, chosen))
}

# See R/tidy-fits.R for the name.
#' @rawNamespace S3method(refit, default, refit_other)
refit_other <- function(object, ...) {
  if (is.object(object)) return(hand_on("refit", object, ...))
  stop_must("object", "a result of tune_mkl()", object)
}

# The call of mkl() that makes the same fit.
refit_call <- function(call, chosen) {
  call[[1L]] <- quote(mkl)
  own <- setdiff(names(formals(tune_mkl)), c("x", "..."))
  for (name in intersect(own, names(call))) call[[name]] <- NULL
  call$learner <- chosen$learner
  for (name in names(chosen$arguments)) call[[name]] <- chosen$arguments[[name]]
  call
}

# A tuning as the cross-validation of what it chose: the outer splits if there are any, else the
# splits of its best point, which favor that point. `predictions`: whether these are needed.
tuned_cv <- function(x, predictions) {
  if (predictions) check_kept(x$predictions, "tune_mkl()")
  if (nrow(x$best) == 0L) {
    stop_mkl("argument_error", "object", "`object` has no best point: all fits failed.")
  }
  parts <- x$outer[c("results", "summary", "predictions")]
  if (is.null(x$outer)) {
    results <- x$results[x$results$point == x$best$point, ]
    if (!is.null(results$share)) results <- results[results$share == max(results$share), ]
    own <- x$predictions$point == x$best$point
    parts <- list(
      results = results, summary = summary_table(results, names(x$metrics)),
      predictions = x$predictions[own, names(x$predictions) != "point"]
    )
  }
  structure(class = "mkl_cv", c(parts, x[c("learner", "resample", "metrics", "task", "n", "call")]))
}
