# Points that the core fits and applies to the test rows of a split in one call. Fits in full, as
# evaluate_group() makes them, are for what needs more than their decision values.

# For each of `groups`, positions of points with the same kernels and the same kind of learner, a
# list of outcomes; NULL for those that need fits in full, such as those that raise an error, which
# is then reported for the point that it belongs to.
score_groups <- function(chosen, groups, task, frame, source, settings, metrics) {
  out <- vector("list", length(groups))
  if (!is.null(task$extra)) return(out)
  known <- new.env(parent = emptyenv())
  prepared <- lapply(groups, function(same) {
    without_errors(score_request(chosen[same], task, frame, source, settings, metrics, known))
  })
  able <- which(!vapply(prepared, is.null, NA))
  if (length(able) == 0L) return(out)
  scored <- without_errors(score_cpp(lapply(prepared[able], function(one) one$request)))
  if (is.null(scored)) return(out)
  truth <- test_truth(source$task, source$frame$y, task$split)
  out[able] <- Map(function(one, scores) {
    score_outcomes(one, scores, task, truth, metrics)
  }, prepared[able], scored)
  out
}

without_errors <- function(expr) {
  tryCatch(without_stalls(expr), multikernel_error = function(e) NULL)
}

# list(request: for the core, fit: what the fits of all points share, take: complete test rows,
# seconds); NULL if the points need fits in full.
score_request <- function(points, task, frame, source, settings, metrics, known) {
  started <- proc.time()[["elapsed"]]
  needs <- metrics_need(metrics, source$task)
  settings <- group_settings(points, source, settings, needs)
  learners <- lapply(points, function(point) point$learner)
  if (!is.null(settings$approximate) || !scores_in_core(learners[[1L]])) return(NULL)
  plant_seed(task$seed)
  prepared <- prepare_fit(frame, learners[[1L]], settings, task$split$train, known$last)
  known$last <- prepared
  if (!has_features_only(prepared$items)) return(NULL)
  problem <- core_problem(prepared)
  if (!all(vapply(learners, keeps_kernels, NA, prepared$items))) return(NULL)
  call <- core_call(prepared, learners, problem)
  if (pairs_elsewhere(problem) || is_long(learners, prepared, problem)) return(NULL)
  fresh <- fresh_rows(prepared, frame, task$split$test, known)
  if (length(fresh$take) == 0L) return(NULL)
  counts <- prepared$response$task == "classification" && !isTRUE(task$keep) && all_counted(metrics)
  truth <- if (counts) as.integer(source$frame$y[task$split$test][fresh$take]) - 1L else integer()
  request <- list(
    x = prepared$x, fresh = fresh$x, problem = problem, kernels = core_items(prepared$items),
    learner = list(name = learners[[1L]]$core, points = unname(call$parameters)),
    control = call$control, truth = truth, levels = nlevels(source$frame$y)
  )
  list(
    request = request, fit = shared_fit(prepared, learners[[1L]]), take = fresh$take,
    seconds = proc.time()[["elapsed"]] - started
  )
}

# Work that is announced and shows its progress.
is_long <- function(learners, prepared, problem) {
  x <- prepared$x
  kernels <- sum(item_counts(prepared$items))
  threads <- prepared$settings$control$threads
  estimate_seconds(learners, nrow(x), ncol(x), kernels, problem, threads) >= long_work
}

# Label-based learners are fitted to other kernels than those that are given.
keeps_kernels <- function(learner, items) identical(learner_items(learner, items), items)

# Kernels that are computed from the data: no matrices, no functions of the user, no labels.
has_features_only <- function(items) {
  families <- vapply(single_items(items), function(item) item$family, "")
  !any(families == "precomputed") && !any(is_label_based(items))
}

# list(x, take): complete test rows as the kernels see them. They are the same for all kernels that
# share the training columns.
fresh_rows <- function(prepared, frame, rows, known) {
  if (!identical(known$base, prepared$base)) {
    x <- frame$x[rows, , drop = FALSE]
    known$fresh <- scaled_rows(
      list(frame = prepared$frame$blueprint, kernels = prepared$items), x, list(), FALSE
    )
    known$base <- prepared$base
  } else {
    check_ranges(prepared$items, known$fresh$x, function(row) row)
  }
  known$fresh
}

# What the fits of all points share, as far as predictions look at it.
shared_fit <- function(prepared, learner) {
  response <- prepared$response
  structure(class = fit_class(c(learner$name, learner$like)), list(
    task = response$task, levels = response$levels, classes = response$classes,
    ordered = response$ordered, multiclass = prepared$settings$multiclass,
    probability = prepared$settings$probability, n = length(prepared$rows),
    response_scaling = response$scaling
  ))
}

# One outcome for each point, as measure_group() gives them.
score_outcomes <- function(prepared, scored, task, truth, metrics) {
  split <- task$split
  keep <- isTRUE(task$keep)
  fit <- prepared$fit
  seconds <- (prepared$seconds + scored$seconds) / length(scored$points)
  lapply(scored$points, function(one) {
    out <- list(
      values = NULL, n_train = fit$n, n_test = length(split$test), fit_time = seconds,
      converged = all(one$converged), error = NA_character_
    )
    support <- one$support / fit$n
    if (length(one$counts)) {
      rest <- list(support = support, fit_time = seconds)
      out$values <- values_of_counts(one$counts, fit, metrics, rest)
      return(out)
    }
    decision <- one$decision
    if (length(prepared$take) < length(split$test)) {
      decision <- matrix(NA_real_, length(split$test), ncol(one$decision))
      decision[prepared$take, ] <- one$decision
    }
    fit$models <- score_models(one)
    needs <- metrics_need(metrics, fit$task)
    prediction <- prediction_pieces(
      fit, unscale_response(decision, fit$response_scaling), needs, keep
    )
    prediction[c("support", "fit_time")] <- list(support, seconds)
    prediction$classes <- fit$classes
    out$values <- compute_metrics(truth, prediction, metrics)
    if (keep) out$predictions <- prediction_table(split, truth, prediction)
    out
  })
}

# The models of a point, as far as predictions look at them.
score_models <- function(one) {
  lapply(seq_along(one$positive), function(m) {
    list(
      positive = one$positive[m], negative = one$negative[m],
      platt = if (nrow(one$platt)) one$platt[m, ] else numeric()
    )
  })
}
