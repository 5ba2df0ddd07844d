#' Tune hyperparameters of learners and kernels
#'
#' Selects hyperparameters by resampling: grid search, random search or successive halving. All
#' parameters of a learner and of its kernels can be tuned, and nested cross-validation estimates
#' the performance of the tuned learner.
#'
#' @details
#' For every point (combination of parameters) the learner is fitted to the training part of each
#' split of `resamples` and evaluated on the test part. The best point has the best mean of the
#' first measure,
#' \deqn{\theta^* = \arg\max_\theta \frac1S \sum_{s=1}^S m_s(\theta),}{
#'   theta* = argmax over theta of (1/S) sum_s m_s(theta),}
#' or the smallest mean for measures where smaller is better. Ties are resolved in favor of the
#' first point.
#'
#' With `outer`, the whole procedure is repeated within the training part of each outer split, and
#' the learner with the selected parameters is fitted there and evaluated on the outer test part
#' (nested cross-validation). The means over the outer splits estimate the performance of a tuned
#' learner; the best mean of the inner splits is optimistic.
#'
#' # Computation
#' Within a training part the points share computations:
#' * scaled columns, kernel matrices and normalizers are computed once for all points with the
#'   same kernels. Only [easymkl()] does not store the matrices: its points share the sum of the
#'   kernels, and those with the same `lambda` and `norm` also share the weights and the weighted
#'   sum;
#' * points of a support vector machine that differ only in `cost` are solved in increasing order
#'   of the cost, each starting from the previous solution (results therefore depend on the grid,
#'   within `tol` of [mkl_control()]). The same holds for [simplemkl()], [glmkl()] and [lpmkl()],
#'   including their kernel weights, and for the support vector machines of [silpmkl()] and
#'   [levelmkl()], within their `gap`;
#' * points of [mkboost()] that differ only in `trials` are computed from one fit, unless a
#'   measure needs probabilities;
#' * all `c` and `lambda` of [multik_mhks()] are computed from one eigendecomposition for each
#'   kernel.
#'
#' Stochastic learners use the same random numbers for all points of a split, so that differences
#' between points are due to their parameters.
#'
#' # Search strategies
#' * `"grid"`: all combinations.
#' * `"random"`: `n` random combinations, or `n` draws from the ranges and functions in `grid`.
#' * `"halving"`: all points (or `n` draws) are evaluated on a small share of each training part,
#'   the best \eqn{1/\eta} of them on \eqn{\eta} times as many rows, and so on until the remaining
#'   points are evaluated on all rows. With \eqn{R} rounds the first share is \eqn{\eta^{-(R-1)}}.
#'   (Jamieson and Talwalkar 2016.)
#'
#' # Choosing a grid
#' * Use a log scale for costs and widths: `cost = 10^(-2:3)`, not `1:6`.
#' * `kernels = list(narrow = kernel_rbf(1), wide = kernel_rbf(8))` in the grid compares sets of
#'   kernels. To tune a parameter of the kernels, pass a function as the argument `kernels` and
#'   include its arguments in the grid, as in the examples.
#' * `learner = c("svm", "easymkl")`, or a list of learners, in the grid compares learners. Other
#'   parameters of the grid are used for the learners that have them; for other learners they are
#'   ignored (`NA` in the results), with one message, and identical points are evaluated once.
#' * [paper_grid()] contains the grids of the papers, and is the default (`grid = NULL`).
#'
#' If a fit fails, its measures are `NA` and the column `failure` contains the error message;
#' other points are not affected.
#'
#' @inheritParams cv_mkl
#' @inheritSection cv_mkl What is estimated where
#' @inheritSection cv_mkl Parallel processing
#' @inheritSection cv_mkl Progress
#' @param ... `data` or `y`, then any other argument of [mkl()]. `kernels` may be a function that
#'   returns a set of kernels.
#' @param learner Learner to be tuned, or its name; its parameters are used unless they are in
#'   `grid`. Not used if `grid` contains learners. `NULL` as in [mkl()].
#' @param grid Parameter values to be evaluated: a named list with a vector, a list, a
#'   [tune_range()] or, for random search, a function of the number of draws for each parameter;
#'   or a data frame with one row for each point. `NULL` (default) for [paper_grid()].
#' @param search Search strategy: `"grid"` (default), `"random"` or `"halving"`.
#' @param n Number of points for random search (20 if not given); for halving the number of draws
#'   from ranges and functions (27 if not given).
#' @param eta Reduction factor for halving: the best `1 / eta` of the points are kept in each
#'   round and evaluated on `eta` times as many rows.
#' @param predictions `TRUE` to keep the predictions for the test rows, of all points and of the
#'   outer splits, for [`augment()`][augment-results].
#' @param outer Outer resampling plan for nested cross-validation, or `NULL` (default).
#' @return An object of class `mkl_tune`, a list with
#'   * `results`: a data frame with one row for each point and split: `point`, the parameters, for
#'     halving the `share` of the training rows, then the columns as in [cv_mkl()], and
#'     `failure`;
#'   * `summary`: one row for each point: `point`, the parameters and for each measure its mean
#'     under the name of the measure, and the columns with `_sd` and `_se`; `n` splits;
#'   * `best`: the row of the best point;
#'   * `predictions`: `NULL`, or a data frame with the predictions of each point, see
#'     [`augment()`][augment-results];
#'   * `outer`: `NULL`, or a list with `results` (one row for each outer split with the chosen
#'     parameters and `failure`), `summary` and `predictions` as in [cv_mkl()];
#'   * `learner` (with a grid over learners that of the best point), `resample`, `metrics`,
#'     `search`, `task`, `n` and `call`, and what [refit()] needs.
#' @references
#' Bergstra, J. and Bengio, Y. (2012). Random search for hyper-parameter optimization. *Journal of
#' Machine Learning Research* 13, 281-305.
#'
#' Jamieson, K. and Talwalkar, A. (2016). Non-stochastic best arm identification and hyperparameter
#' optimization. In *Proceedings of AISTATS*, 240-248.
#'
#' DeCoste, D. and Wagstaff, K. (2000). Alpha seeding for support vector machines. In *Proceedings
#' of KDD*, 345-349.
#'
#' Varma, S. and Simon, R. (2006). Bias in error estimation when using cross-validation for model
#' selection. *BMC Bioinformatics* 7, 91.
#' @family resampling
#' @examples
#' set.seed(1)
#' two <- droplevels(iris[51:150, ])
#' tuned <- tune_mkl(Species ~ ., two,
#'   learner = learner_svm(), kernels = function(sigma) kernel_rbf(sigma),
#'   grid = list(sigma = c(1, 2, 4), cost = 10^(-1:2)), folds = 5
#' )
#' tuned
#' best_params(tuned)
#' fit <- refit(tuned)
#' mean(predict(fit, two) == two$Species)
#'
#' # sets of kernels, and an honest estimate of the tuned learner
#' nested <- tune_mkl(Species ~ ., two,
#'   learner = learner_average(), folds = 3, outer = resample_cv(3),
#'   grid = list(cost = c(1, 100), kernels = list(
#'     linear = kernel_linear(), both = c(kernel_linear(), kernel_rbf("median"))
#'   ))
#' )
#' nested$outer$summary
#' @export
tune_mkl <- function(x, ..., learner = NULL, grid = NULL,
                     search = c("grid", "random", "halving"), n = NULL, resamples = NULL,
                     folds = 10, repeats = 1, metrics = NULL, outer = NULL, eta = 3,
                     predictions = FALSE) {
  search <- check_choice(search, "search", c("grid", "random", "halving"))
  eta <- check_number(eta, "eta", 2, 100)
  predictions <- check_flag(predictions, "predictions")
  given <- list(...)
  maker <- if (is_kernel_maker(given$kernels)) given$kernels
  if (!is.null(maker)) given["kernels"] <- NULL
  given <- open_source(x, given, "tune_mkl()", names(formals(tune_mkl)), learner)
  source <- given$source
  learner <- given$learner
  metrics <- as_metrics(metrics, source$task)
  resample <- choose_resample(
    resamples, folds, repeats, c(folds = !missing(folds), repeats = !missing(repeats))
  )
  resample <- match_plan(resample, source$frame)
  outer <- if (!is.null(outer)) match_plan(as_resample(outer, "outer"), source$frame)
  points <- report_dropped(make_points(grid, learner, maker, search, n))
  check_measure_names(metrics, names(points$table))
  check_parameter_names(names(points$table), metrics)

  jobs <- tuning_jobs(source, resample, outer)
  tuned <- run_tuning(
    jobs, points$points, source, given$settings, metrics, search, eta, predictions
  )
  main <- tuned[[1L]]
  results <- tuning_results(main$rows, points$table, metrics, search)
  around <- if (!is.null(outer)) {
    evaluate_outer(jobs, tuned, points, source, given$settings, metrics, predictions)
  }
  report_tuning(results, around$results)
  summary <- tuning_summary(results, points$table, metrics)
  out <- structure(
    class = "mkl_tune",
    list(
      results = results, summary = summary, best = summary[summary$point == main$best, ],
      predictions = if (predictions) tuning_predictions(main$rows), outer = around,
      learner = if (is.null(points$table$learner)) learner else points$points[[main$best]]$learner,
      resample = resample, metrics = metrics, search = search, task = source$task, n = source$n,
      points = points$points, last = main$last, source = source, settings = given$settings,
      call = match.call()
    )
  )
  rownames(out$best) <- NULL
  out
}

check_measure_names <- function(metrics, parameters) {
  taken <- intersect(names(metrics), parameters)
  if (length(taken)) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` has a measure named `", taken[1L], "`, which is ",
      "also a parameter in `grid`. Give the measure another name."
    )
  }
}

# Arguments of a function that makes kernels may have any name, but the tables have theirs.
check_parameter_names <- function(parameters, metrics) {
  own <- c(
    "point", "id", "repeat", "fold", "row", "share", "n", "n_train", "n_test", "fit_time",
    "converged", "failure", paste0(rep(names(metrics), each = 2L), c("_sd", "_se"))
  )
  taken <- intersect(parameters, own)
  if (length(taken)) {
    stop_mkl(
      "argument_error", "grid", "`grid` has a parameter named `", taken[1L], "`, which is also a ",
      "column of the results. Give the argument of the function in `kernels` another name."
    )
  }
}

# Tables -----------------------------------------------------------------------------------------

tuning_results <- function(rows, table, metrics, search) {
  point <- vapply(rows, function(row) row$point, 1L)
  share <- vapply(rows, function(row) row$share, 0)
  out <- outcome_table(rows, lapply(rows, function(row) row$split), metrics)
  parameters <- table[point, , drop = FALSE]
  if (search == "halving") parameters$share <- share
  out <- cbind(
    point = point, parameters, out, failure = vapply(rows, function(row) row$error, "")
  )
  out <- out[order(share, point), ]
  rownames(out) <- NULL
  out
}

# Means of the last round that a point has seen.
tuning_summary <- function(results, table, metrics) {
  points <- sort(unique(results$point))
  owner <- match(results$point, points)
  share <- results$share %||% rep(1, nrow(results))
  largest <- as.vector(tapply(share, owner, max))
  last <- which(share == largest[owner])
  rows <- split(last, owner[last])
  failed <- vapply(rows, function(own) any(!is.na(results$failure[own])), NA)
  stats <- lapply(names(metrics), function(name) {
    values <- results[[name]]
    out <- vapply(rows, function(own) summarise_metric(values[own])[c("mean", "sd", "se")],
                  numeric(3L))
    out[, failed] <- NA
    stats::setNames(as.data.frame(t(unname(out))), paste0(name, c("", "_sd", "_se")))
  })
  out <- cbind(point = points, table[points, , drop = FALSE])
  for (part in stats) out[names(part)] <- part
  out$n <- unname(lengths(rows))
  if (!is.null(results$share)) out$share <- largest
  rownames(out) <- NULL
  out
}

# Predictions of each point, of the last round that it has seen.
tuning_predictions <- function(rows) {
  point <- vapply(rows, function(row) row$point, 1L)
  share <- vapply(rows, function(row) row$share, 0)
  last <- which(share == stats::ave(share, point, FUN = max))
  last <- last[order(point[last])]
  parts <- lapply(rows[last], function(row) {
    if (!is.null(row$predictions)) cbind(point = row$point, row$predictions)
  })
  stack_tables(parts)
}

report_tuning <- function(results, outer = NULL) {
  columns <- c("converged", "failure")
  results <- rbind(results[columns], outer[columns])
  warn_stalled(results$converged)
  failed <- which(!is.na(results$failure))
  if (length(failed)) {
    warn_mkl(
      "failed_fits", plural(length(failed), "fit"), " of ", nrow(results), " failed: see the ",
      "column `failure`. The first message was: ", results$failure[failed[1L]]
    )
  }
}

# What was tuned: a learner, or several of them.
tuned_label <- function(x) {
  if (is.null(x$summary$learner)) return(x$learner$label)
  plural(length(unique(x$summary$learner)), "learner")
}

#' @export
print.mkl_tune <- function(x, n = 5, digits = 4, ...) {
  cat("<mkl_tune> ", tuned_label(x), "\n", sep = "")
  rounds <- if (x$search == "halving") {
    paste0(" in ", plural(length(unique(x$results$share)), "round"))
  }
  cat(
    "  ", plural(length(x$points), "point"), " (", x$search, " search", rounds, "); ",
    format(x$resample), "; ", plural(x$n, "row"), "\n", sep = ""
  )
  cat("Best by ", names(x$metrics)[1L], ":\n", sep = "")
  shown <- best_params(x, n)
  # A column of text says little when it is long: kernels have their labels.
  shown <- shown[setdiff(names(shown), c("n", "share", paste0(names(x$metrics), "_sd")))]
  print(format_numbers(shown, digits), row.names = FALSE, right = TRUE)
  more <- nrow(x$summary) - nrow(shown)
  if (more > 0L) cat("  ... and ", more, " more\n", sep = "")
  if (!is.null(x$outer)) {
    cat("Outer splits, each with parameters of its own:\n")
    print(format_numbers(x$outer$summary, digits), row.names = FALSE, right = TRUE)
  }
  cat("Time: ", format_number(sum(x$results$fit_time, na.rm = TRUE), 2L), " s for ",
      plural(nrow(x$results), "fit"), if (!is.null(x$outer)) " of the inner splits", "\n", sep = "")
  invisible(x)
}
