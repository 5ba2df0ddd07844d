#' Choose the parameters of a learner
#'
#' Tries the points of a grid, or points drawn at random, by resampling and tells which does best.
#' Any parameter of the learner can be tuned, and the kernels too.
#'
#' @details
#' Every point is fitted to the training part of each split of `resamples` and measured on the rest;
#' the best point is the one with the best mean of the first measure,
#' \deqn{\theta^* = \arg\max_\theta \frac1S \sum_{s=1}^S m_s(\theta),}
#' or the smallest, for measures where smaller is better. Ties go to the point that comes first.
#'
#' With `outer`, the whole procedure is repeated within the training part of each outer split, and
#' what it chooses is fitted there and measured on the outer test part. The means of these measures
#' estimate how well a tuned learner does; the best mean of the inner ones is too good to be true.
#'
#' # What a grid costs
#' Within a training part the points share the work:
#' * scaled columns, kernel matrices and normalisers are computed once for all points with the same
#'   kernels ([easymkl()] alone never stores matrices and goes through its kernels for each point);
#' * points of a support vector machine that differ in `cost` alone are solved in the order of their
#'   costs, each from the solution before (so their results depend on the grid, by no more than
#'   `tol` of [mkl_control()] allows);
#' * points of [mkboost()] that differ in `trials` alone are one fit, cut at each of them, unless a
#'   measure needs probabilities;
#' * all `c` and `lambda` of [multik_mhks()] come from one decomposition per kernel.
#'
#' Learners that draw random numbers get the same ones for all points of a split, so that points
#' differ by their parameters and not by luck.
#'
#' # Searches
#' * `"grid"`: all combinations.
#' * `"random"`: `n` of them, or `n` draws of the ranges and functions in `grid`.
#' * `"halving"`: all points (or `n` draws) are tried on a small share of each training part, the
#'   best \eqn{1/\eta} of them on \eqn{\eta} times as many rows, and so on until the last
#'   ones get all rows. With \eqn{R} rounds the first share is \eqn{\eta^{-(R-1)}}.
#'   (Jamieson and Talwalkar 2016.)
#'
#' # Choosing a grid
#' * Costs and widths act on a log scale: `cost = 10^(-2:3)`, not `1:6`.
#' * `kernels = list(narrow = kernel_rbf(1), wide = kernel_rbf(8))` in the grid compares sets of
#'   kernels. To tune a number inside of them, give a function as the argument `kernels` and its
#'   arguments in the grid, as in the examples.
#' * [paper_grid()] has the grids of the papers, and is what `grid = NULL` uses.
#'
#' A point whose fits fail (a width rule that finds no width, say) gets `NA` and the text in the
#' column `failure`, and the others go on.
#'
#' @inheritParams cv_mkl
#' @inheritSection cv_mkl What is estimated where
#' @inheritSection cv_mkl Other processes
#' @inheritSection cv_mkl Progress
#' @param ... `data` or `y`, then any other argument of [mkl()]. `kernels` may be a function that
#'   returns a set of kernels.
#' @param learner The learner; its parameters hold where `grid` says nothing else.
#' @param grid Named list with the values of each parameter to be tried: a vector, a list, a
#'   [tune_range()], or for random search a function of the number of draws. Or a data frame with
#'   one row for each point. `NULL` for [paper_grid()].
#' @param search `"grid"`, `"random"` or `"halving"`.
#' @param n Number of points for random search (20 if not given); for halving the number of draws
#'   from ranges and functions (27 if not given).
#' @param eta Halving: one of `eta` points goes on, to `eta` times as many rows.
#' @param predictions `TRUE` to keep the predictions for the test rows, of all points and of the
#'   outer splits, for [`augment()`][augment-results].
#' @param outer A resampling plan for the estimate around the tuning (nested cross-validation), or
#'   `NULL`.
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
#'     parameters), `summary` and `predictions` as in [cv_mkl()];
#'   * `learner`, `resample`, `metrics`, `search`, `task`, `n` and `call`, and what [refit()] needs.
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
#' best(tuned)
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
tune_mkl <- function(x, ..., learner = learner_svm(), grid = NULL,
                     search = c("grid", "random", "halving"), n = NULL, resamples = NULL,
                     folds = 10, repeats = 1, metrics = NULL, outer = NULL, eta = 3,
                     predictions = FALSE) {
  learner <- check_learner(learner)
  search <- check_choice(search, "search", c("grid", "random", "halving"))
  eta <- check_number(eta, "eta", 2, 100)
  predictions <- check_flag(predictions, "predictions")
  given <- list(...)
  maker <- if (is_kernel_maker(given$kernels)) given$kernels
  if (!is.null(maker)) given["kernels"] <- NULL
  given <- open_source(x, given, "tune_mkl()", names(formals(tune_mkl)))
  source <- given$source
  metrics <- as_metrics(metrics, source$task)
  resample <- choose_resample(resamples, folds, repeats)
  outer <- if (!is.null(outer)) as_resample(outer, "outer")
  points <- make_points(grid, learner, maker, search, n)
  check_measure_names(metrics, names(points$table))

  jobs <- tuning_jobs(source, resample, outer)
  tuned <- run_tuning(
    jobs, points$points, source, given$arguments, metrics, search, eta, predictions
  )
  main <- tuned[[1L]]
  results <- tuning_results(main$rows, points$table, metrics, search)
  report_tuning(results)
  summary <- tuning_summary(results, main$last, points$table, metrics)
  out <- structure(
    class = "mkl_tune",
    list(
      results = results, summary = summary, best = summary[summary$point == main$best, ],
      predictions = if (predictions) tuning_predictions(main$rows),
      outer = if (!is.null(outer)) {
        evaluate_outer(jobs, tuned, points, source, given$arguments, metrics, predictions)
      },
      learner = learner, resample = resample, metrics = metrics, search = search,
      task = source$task, n = source$n, points = points$points, last = main$last,
      source = source, arguments = given$arguments, call = match.call()
    )
  )
  rownames(out$best) <- NULL
  out
}

check_measure_names <- function(metrics, parameters) {
  taken <- intersect(names(metrics), parameters)
  if (length(taken)) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` has a measure named `", taken[1L], "`, which is also ",
      "a parameter in `grid`. Give the measure another name."
    )
  }
}

# Jobs -------------------------------------------------------------------------------------------

# A job is a tuning by itself: on all rows, and on the training part of each outer split.
tuning_jobs <- function(source, resample, outer) {
  jobs <- list(new_job(source, resample, seq_len(source$n)))
  if (is.null(outer)) return(jobs)
  for (split in resample_splits(outer, source$frame$y, n = source$n)) {
    job <- new_job(source, subset_resample(resample, split$train), split$train)
    job$outer <- split
    jobs <- c(jobs, list(job))
  }
  seeds <- draw_seeds(length(jobs))
  Map(function(job, seed) c(job, list(seed = seed)), jobs, seeds)
}

# Splits of some of the rows, by their positions in all of them.
new_job <- function(source, resample, rows) {
  splits <- resample_splits(resample, source$frame$y[rows], n = length(rows))
  splits <- lapply(splits, function(split) {
    split$train <- rows[split$train]
    split$test <- rows[split$test]
    split
  })
  list(splits = splits, seeds = draw_seeds(length(splits)))
}

# A plan for some of the rows.
subset_resample <- function(resample, rows) {
  if (inherits(resample, c("mkl_resample_rset", "mkl_resample_splits"))) {
    stop_mkl(
      "argument_error", "resamples", "`resamples` holds given splits of all rows, which cannot be ",
      "made again within the training parts of `outer`. Give a plan such as resample_cv()."
    )
  }
  if (!is.null(resample$fold)) return(resample_folds(resample$fold[rows]))
  if (!is.null(resample$group)) {
    resample$group <- check_group(resample$group[rows])
  } else if (anyDuplicated(rows)) {
    # Copies of a row that a bootstrap drew several times stay on one side.
    resample$group <- check_group(rows)
  }
  resample
}

# Runs all jobs side by side, round by round. Each becomes list(rows: outcomes, last: points of the
# last round, best: the best of them). `keep`: predictions stay with the outcomes of the first job.
run_tuning <- function(jobs, points, source, arguments, metrics, search, eta, keep = FALSE) {
  shares <- halving_shares(search, eta, length(points), source, jobs)
  alive <- rep(list(seq_along(points)), length(jobs))
  rows <- vector("list", length(jobs))
  for (share in shares) {
    tasks <- unlist(Map(function(job, number, alive) {
      job_tasks(job, number, alive, share, points, source, keep && number == 1L)
    }, jobs, seq_along(jobs), alive), recursive = FALSE)
    tasks <- spread_tasks(tasks, points)
    outcomes <- map_tasks(
      tasks, evaluate_split, source = source, points = points, arguments = arguments,
      metrics = metrics, seed = vapply(tasks, function(task) task$seed, 1L), label = "Tuning"
    )
    for (t in seq_along(tasks)) {
      added <- Map(function(point, outcome) {
        c(list(point = point, split = tasks[[t]]$split, share = share), outcome)
      }, tasks[[t]]$points, outcomes[[t]])
      rows[[tasks[[t]]$job]] <- c(rows[[tasks[[t]]$job]], added)
    }
    if (share == 1) break
    alive <- Map(function(alive, rows) {
      ranked <- rank_points(rows, alive, share, metrics)
      sort(utils::head(ranked, max(1L, ceiling(length(alive) / eta))))
    }, alive, rows)
  }
  Map(function(rows, alive) {
    list(rows = rows, last = alive, best = rank_points(rows, alive, 1, metrics)[1L])
  }, rows, alive)
}

# Shares of the training rows in the rounds of halving: at least 20 rows in the first.
halving_shares <- function(search, eta, count, source, jobs) {
  if (search != "halving") return(1)
  fewest <- min(unlist(lapply(jobs, function(job) {
    vapply(job$splits, function(split) length(split$train), 1L)
  })))
  rounds <- min(ceiling(log(count, eta)), floor(log(fewest / 20, eta)) + 1)
  eta^-rev(seq_len(max(1, rounds)) - 1)
}

job_tasks <- function(job, number, alive, share, points, source, keep) {
  alive <- alive[order(vapply(points[alive], function(point) point$place, 1L))]
  Map(function(split, seed) {
    if (share < 1) split$train <- thin_rows(split$train, source, share)
    list(
      split = split, seed = seed, points = alive, job = number, tolerant = TRUE, keep = keep
    )
  }, job$splits, job$seeds)
}

thin_rows <- function(rows, source, share) {
  strata <- split_strata(list(stratify = TRUE), source$frame$y[rows], length(rows))
  rows[draw_half(strata, NULL, share)]
}

# With more workers than tasks, tasks are divided; chains of points stay together, so that the
# result is the same.
spread_tasks <- function(tasks, points) {
  if (!plan_is_parallel()) return(tasks)
  workers <- future::nbrOfWorkers()
  parts <- if (is.finite(workers)) ceiling(2 * workers / length(tasks)) else Inf
  if (parts < 2) return(tasks)
  chain <- vapply(points, function(point) point$chain, 1L)
  unlist(lapply(tasks, function(task) {
    code <- match(chain[task$points], unique(chain[task$points]))
    part <- ceiling(code * min(parts, max(code)) / max(code))
    lapply(split(task$points, part), function(some) {
      task$points <- some
      task
    })
  }), recursive = FALSE)
}

# Points from best to worst by the mean of the first measure; those with failed fits come last.
rank_points <- function(rows, alive, share, metrics) {
  rows <- Filter(function(row) row$share == share, rows)
  point <- vapply(rows, function(row) row$point, 1L)
  value <- vapply(rows, function(row) row$values[[1L]], 0)
  value[!is.na(vapply(rows, function(row) row$error, ""))] <- NaN
  means <- vapply(alive, function(p) {
    own <- value[point == p]
    if (any(is.nan(own))) NA_real_ else mean(own, na.rm = TRUE)
  }, 0)
  if (all(is.na(means))) {
    errors <- Filter(function(row) !is.na(row$error), rows)
    stop_mkl(
      "tuning_error", "grid", if (length(errors)) {
        paste0("Every point failed. The first message was: ", errors[[1L]]$error)
      } else {
        paste0("The measure \"", names(metrics)[1L], "\" is not defined on any split.")
      }
    )
  }
  alive[order(means, decreasing = metrics[[1L]]$larger, na.last = TRUE)]
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
tuning_summary <- function(results, last, table, metrics) {
  points <- sort(unique(results$point))
  share <- results$share %||% rep(1, nrow(results))
  rows <- lapply(points, function(p) {
    own <- results[results$point == p & share == max(share[results$point == p]), ]
    failed <- any(!is.na(own$failure))
    stats <- unlist(lapply(names(metrics), function(name) {
      s <- summarise_metric(own[[name]])[c("mean", "sd", "se")]
      if (failed) s[] <- NA
      stats::setNames(s, paste0(name, c("", "_sd", "_se")))
    }))
    data.frame(as.list(stats), n = nrow(own), check.names = FALSE)
  })
  out <- cbind(point = points, table[points, , drop = FALSE], do.call(rbind, rows))
  if (!is.null(results$share)) {
    out$share <- vapply(points, function(p) max(share[results$point == p]), 0)
  }
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
  do.call(rbind, parts)
}

report_tuning <- function(results) {
  warn_stalled(results$converged)
  failed <- which(!is.na(results$failure))
  if (length(failed)) {
    warn_mkl(
      "failed_fits", plural(length(failed), "fit"), " of ", nrow(results), " failed: see the ",
      "column `failure`. The first message was: ", results$failure[failed[1L]]
    )
  }
}

# What each job chose, fitted to its rows and measured on those that it never saw.
evaluate_outer <- function(jobs, tuned, points, source, arguments, metrics, keep) {
  jobs <- jobs[-1L]
  chosen <- vapply(tuned[-1L], function(job) job$best, 1L)
  seeds <- vapply(jobs, function(job) job$seed, 1L)
  tasks <- Map(function(job, point) {
    list(split = job$outer, seed = job$seed, points = point, keep = keep)
  }, jobs, chosen)
  outcomes <- map_tasks(
    tasks, evaluate_split, source = source, points = points$points, arguments = arguments,
    metrics = metrics, seed = seeds, label = "Outer splits"
  )
  outcomes <- lapply(outcomes, function(outcome) outcome[[1L]])
  table <- outcome_table(outcomes, lapply(jobs, function(job) job$outer), metrics)
  results <- cbind(
    table[1:3], point = chosen, points$table[chosen, , drop = FALSE], table[-(1:3)]
  )
  rownames(results) <- NULL
  list(
    results = results, summary = summary_table(results, metrics),
    predictions = outcome_predictions(outcomes)
  )
}

# Asking the result ------------------------------------------------------------------------------

#' The best of what was tried
#'
#' `best()` gives the best points of a tuning, `refit()` the fit of one of them to all rows.
#'
#' @details
#' Points are ordered by the mean of a measure over the splits, \eqn{\frac1S \sum_s m_s}; among
#' equal ones the one that comes first in the grid is taken. After a search by halving only points
#' of the last round are compared. Points with failed fits are left out.
#'
#' # Choosing a point
#' Look at the standard errors: when several points are within one of the best, the one with the
#' smaller cost or the fewer kernels is usually the wiser choice, `refit(object, point = 7)`.
#'
#' @param object A result of [tune_mkl()].
#' @param n Number of points.
#' @param metric Name of the measure; `NULL` for the first of the tuning.
#' @param point Number of the point, as in the column `point`.
#' @param ... Not used; a misspelt argument is an error.
#' @return `best()`: a data frame, the rows of `object$summary` from best to worst. `refit()`: a fit
#'   of [mkl()].
#' @inherit tune_mkl references
#' @family resampling
#' @examples
#' set.seed(1)
#' tuned <- tune_mkl(Species ~ ., iris, grid = list(cost = 10^(-1:3)), folds = 5)
#' best(tuned, n = 3)
#' refit(tuned)
#' @export
best <- function(object, ...) UseMethod("best")

#' @rdname best
#' @export
best.mkl_tune <- function(object, n = 1, metric = NULL, ...) {
  check_dots(..., called = "best()")
  n <- check_number(n, "n", 1, whole = TRUE)
  metric <- check_choice(metric %||% names(object$metrics)[1L], "metric", names(object$metrics))
  candidates <- object$summary[object$summary$point %in% object$last, ]
  candidates <- candidates[!is.na(candidates[[metric]]), ]
  order <- order(candidates[[metric]], decreasing = object$metrics[[metric]]$larger)
  out <- candidates[utils::head(order, n), ]
  rownames(out) <- NULL
  out
}

#' @export
best.default <- function(object, ...) stop_must("object", "a result of tune_mkl()", object)

#' @rdname best
#' @export
refit <- function(object, ...) UseMethod("refit")

#' @rdname best
#' @export
refit.mkl_tune <- function(object, point = NULL, metric = NULL, ...) {
  check_dots(..., called = "refit()")
  point <- point %||% best(object, metric = metric)$point
  point <- check_number(point, "point", 1, length(object$points), whole = TRUE)
  chosen <- object$points[[point]]
  arguments <- object$arguments
  arguments[names(chosen$arguments)] <- chosen$arguments
  arguments$task <- object$source$task
  call <- refit_call(object$call, chosen)
  do.call(
    mkl_fit, c(list(object$source$frame, call), arguments, list(learner = chosen$learner)),
    quote = TRUE
  )
}

#' @export
refit.default <- function(object, ...) stop_must("object", "a result of tune_mkl()", object)

# The call of mkl() that makes the same fit.
refit_call <- function(call, chosen) {
  call[[1L]] <- quote(mkl)
  own <- setdiff(names(formals(tune_mkl)), c("x", "..."))
  for (name in intersect(own, names(call))) call[[name]] <- NULL
  call$learner <- chosen$learner
  for (name in names(chosen$arguments)) call[[name]] <- chosen$arguments[[name]]
  call
}

#' @export
print.mkl_tune <- function(x, n = 5, digits = 4, ...) {
  cat("<mkl_tune> ", x$learner$label, "\n", sep = "")
  rounds <- if (x$search == "halving") paste0(" in ", length(unique(x$results$share)), " rounds")
  cat(
    "  ", plural(length(x$points), "point"), " (", x$search, " search", rounds, "); ",
    format(x$resample), "; ", plural(x$n, "row"), "\n", sep = ""
  )
  cat("Best by ", names(x$metrics)[1L], ":\n", sep = "")
  shown <- best(x, n)
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
      plural(nrow(x$results), "fit"), "\n", sep = "")
  invisible(x)
}
