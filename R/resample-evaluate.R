# Fits to parts of the rows and what they are worth on the rest: the engine of cv_mkl(), tune_mkl()
# and all that is built on them.
#
# Whatever is estimated from data is estimated from the training part alone: scaling, width rules,
# normalizers, class weights (prepare_fit()), and terms of a formula that look at their column, such
# as scale(x) or poly(x, 2) (split_frame()).

# What a user gave, in all forms of mkl(), with the response in its final form.
#   frame    as R/frame.R makes it, of all rows
#   remake   list(spec, data) if the columns have to be made anew for each training part
new_source <- function(frame, settings) {
  frame <- settle_text(frame, settings$kernels)
  frame <- settle_frame(frame, settings$kernels, is_feature_learner(settings$learner))
  n <- input_rows(frame, c(unclass(settings$kernels), unclass(frame$kernels)))
  task <- response_task(frame$y, settings$task, response_name(frame$blueprint))
  # The same levels in every part, whichever of them it holds.
  if (task_traits(task)$classes && !is.factor(frame$y)) frame$y <- plain_factor(frame$y)
  remake <- frame$remake
  if (!is.null(remake)) remake$data <- whole_data(remake, n)
  frame[c("remake", "own")] <- NULL # it is for many fits
  announce_lost(frame, settings)
  list(frame = frame, remake = remake, task = task, n = n)
}

# Once for all splits, whose own messages are silenced.
announce_lost <- function(frame, settings) {
  if (!is_view_features(frame$x) || !identical(settings$missing, "omit")) return(invisible())
  frame$x$missing <- "omit"
  kernels <- all_kernels(settings$kernels, frame)
  if (!is.null(kernels)) {
    frame <- drop_unseen(frame, without_repeats(view_kernels(kernels, frame, NULL, FALSE)))
  }
  label <- row_labels(frame$cases, row_unit(frame$x))
  complete <- complete_rows(frame$x, data_name(frame$blueprint), label)
  if (!all(complete)) inform_lost(sum(!complete), length(complete))
}

# Variables from wherever the formula finds them, if they have a value for each row.
whole_data <- function(remake, n) {
  data <- as.list(remake$data)
  used <- variables_of(c(remake$spec$variables, remake$spec$response))
  found <- mget(setdiff(used, names(data)), remake$spec$env, inherits = TRUE)
  c(data, Filter(function(value) NROW(value) == n, found))
}

pick_rows <- function(data, rows, n) {
  lapply(data, function(value) {
    if (NROW(value) != n) return(value)
    if (length(dim(value)) == 2L) value[rows, , drop = FALSE] else value[rows]
  })
}

# The frame with the rows of a split as its training part makes them.
split_frame <- function(source, train) {
  frame <- source$frame
  if (is.null(source$remake)) return(frame)
  data <- source$remake$data
  part <- without_repeats(frame_spec(
    source$remake$spec, pick_rows(data, train, source$n), frame$blueprint$encoders
  ))
  rest <- setdiff(seq_len(source$n), train)
  x <- matrix(NA_real_, source$n, ncol(part$x), dimnames = list(NULL, colnames(part$x)))
  x[train, ] <- part$x
  if (length(rest)) {
    new <- pick_rows(data, rest, source$n)
    x[rest, ] <- without_repeats(bake_frame(part$blueprint, new, "data"))
  }
  check_lost_values(x, frame$x)
  # What kernels see by name, matrices and the user's formula are those of all rows.
  kept <- setdiff(names(frame$blueprint), names(part$blueprint))
  part$blueprint[kept] <- frame$blueprint[kept]
  frame[c("names", "variables", "blueprint")] <- part[c("names", "variables", "blueprint")]
  frame$x <- x
  frame
}

# Values that are missing in a part, but not in all rows, would go unseen as missing data.
check_lost_values <- function(x, whole) {
  lost <- which(rowSums(is.na(x)) > 0 & rowSums(is.na(whole)) == 0)
  if (length(lost) == 0L) return(invisible())
  stop_mkl(
    "formula_error", "formula", "Column `", colnames(x)[which(is.na(x[lost[1L], ]))[1L]],
    "` is missing in row ", lost[1L], ", which has a value when all rows are there: compute that ",
    "column before, and name it in the formula."
  )
}

# One split --------------------------------------------------------------------------------------

# Fits all points of `task$points` to the training part of a split and measures them on its test
# part: a list with one outcome for each point, with its predictions if `task$keep` is TRUE. A point
# is list(learner, arguments); points of one kind of learner with the same arguments share scaling
# and kernels.
evaluate_split <- function(task, source, points, settings, metrics) {
  split <- task$split
  chosen <- points[task$points]
  frame <- tryCatch(
    split_frame(source, split$train), multikernel_error = function(e) e
  )
  if (inherits(frame, "error")) {
    frame$message <- paste0("In split \"", split$id, "\": ", conditionMessage(frame))
    if (!isTRUE(task$tolerant)) stop(frame)
    return(rep(list(failed_outcome(split, metrics, frame$message)), length(chosen)))
  }
  outcomes <- vector("list", length(chosen))
  groups <- group_by_kind(chosen)
  scored <- score_groups(chosen, groups, task, frame, source, settings, metrics)
  for (g in seq_along(groups)) {
    same <- groups[[g]]
    outcomes[same] <- scored[[g]] %||%
      evaluate_group(chosen[same], task, frame, source, settings, metrics)
  }
  outcomes
}

# Positions of points with the same kind of learner and the same arguments. `kind`: a number for
# each of these, where it is known.
group_by_kind <- function(points) {
  known <- lapply(points, function(point) point$kind)
  if (!any(vapply(known, is.null, NA))) {
    kind <- unlist(known)
    return(unname(split(seq_along(points), factor(kind, unique(kind)))))
  }
  split_identical(lapply(points, function(point) {
    c(unclass(point$learner)[c("name", "core", "normalize", "kernels")], point["arguments"])
  }))
}

evaluate_group <- function(points, task, frame, source, settings, metrics) {
  run <- function(points) {
    plant_seed(task$seed)
    measure_group(
      points, task$split, frame, source, settings, metrics, isTRUE(task$keep), task$extra
    )
  }
  tryCatch(run(points), multikernel_error = function(e) {
    if (!isTRUE(task$tolerant)) stop_in_split(e, task$split)
    # One point that fails must not take its neighbors along.
    if (length(points) > 1L) return(lapply(points, function(point) {
      evaluate_group(list(point), task, frame, source, settings, metrics)[[1L]]
    }))
    list(failed_outcome(task$split, metrics, conditionMessage(e)))
  })
}

# All rows may have classes that those of a training part lack.
stop_in_split <- function(e, split) {
  if (inherits(e, "multikernel_response_error")) {
    e$message <- paste0("In the training rows of split \"", split$id, "\": ", e$message)
  }
  stop(e)
}

failed_outcome <- function(split, metrics, message) {
  list(
    values = stats::setNames(rep(NA_real_, length(metrics)), names(metrics)),
    n_train = length(split$train), n_test = length(split$test), fit_time = NA_real_,
    converged = NA, error = message
  )
}

# `extra`: a function of a fit, for what else is kept of it, or NULL.
measure_group <- function(points, split, frame, source, settings, metrics, keep, extra = NULL) {
  needs <- metrics_need(metrics, source$task)
  truth <- test_truth(source$task, source$frame$y, split)
  done <- without_stalls(predict_group(points, split, frame, source, settings, needs, keep))
  lapply(done, function(one) {
    out <- list(
      values = compute_metrics(truth, one$prediction, metrics), n_train = one$fit$n,
      n_test = length(split$test), fit_time = one$prediction$fit_time,
      converged = all(models_converged(one$fit)), error = NA_character_
    )
    if (keep) out$predictions <- prediction_table(split, truth, one$prediction)
    if (!is.null(extra)) out$extra <- extra(one$fit)
    out
  })
}

# A one-class fit should accept all rows.
test_truth <- function(task, y, split) {
  if (task_traits(task)$response) y[split$test] else rep(TRUE, length(split$test))
}

# Fits of a group of points and their predictions for the test rows: for each point
# list(fit, prediction), the latter with what the measures need.
predict_group <- function(points, split, frame, source, settings, needs, keep) {
  started <- proc.time()[["elapsed"]]
  settings <- group_settings(points, source, settings, needs)
  learners <- lapply(points, function(point) point$learner)
  prepared <- prepare_fit(frame, learners[[1L]], settings, split$train)
  fits <- fit_prepared(prepared, learners)
  seconds <- (proc.time()[["elapsed"]] - started) / length(points)
  decisions <- split_decisions(fits, frame, prepared$kernels, split$test)
  Map(function(fit, decision) {
    prediction <- prediction_pieces(fit, decision, needs, keep)
    prediction$support <- length(support_positions(fit)) / fit$n
    prediction$fit_time <- seconds
    prediction$classes <- fit$classes
    list(fit = fit, prediction = prediction)
  }, fits, decisions)
}

group_settings <- function(points, source, settings, needs) {
  change_settings(settings, c(
    points[[1L]]$arguments, list(task = source$task),
    if ("prob" %in% needs) list(probability = TRUE)
  ))
}

# Fits that end early are counted, and reported once at the end; cases that are left out were
# counted at the start.
without_stalls <- function(expr) {
  withCallingHandlers(
    expr, multikernel_not_converged = function(w) tryInvokeRestart("muffleWarning"),
    multikernel_lost_cases = function(m) tryInvokeRestart("muffleMessage")
  )
}

# Decision values at other rows of the frame: a matrix for each fit. Fits that share their kept rows
# go through the kernels together.
split_decisions <- function(fits, frame, kernels, rows) {
  first <- fits[[1L]]
  together <- all(vapply(fits, function(fit) {
    identical(fit$kept, first$kept) && identical(fit$kernels, first$kernels)
  }, NA))
  if (!together) {
    return(lapply(fits, function(fit) row_decision(fit, frame, kernels, rows)))
  }
  counts <- vapply(fits, function(fit) length(fit$models), 1L)
  first$models <- do.call(base::c, lapply(fits, function(fit) fit$models))
  all <- row_decision(first, frame, kernels, rows)
  ends <- cumsum(counts)
  Map(function(end, count) all[, seq.int(end - count + 1L, end), drop = FALSE], ends, counts)
}

row_decision <- function(fit, frame, kernels, rows) {
  x <- frame$x[rows, , drop = FALSE]
  if (is.matrix(fit$train) && !is_view_features(x)) x <- as.matrix(x)
  if (ncol(x) == 0L) x <- matrix(0, length(rows), 0L)
  blocks <- matrix_rows(kernels, rows)
  decision_values(fit, x, blocks)
}

# Rows of the precomputed matrices, by name, as predict() would get them.
matrix_rows <- function(kernels, rows) {
  out <- list()
  look <- function(item) {
    for (factor in item$factors) look(factor)
    if (identical(item$family, "precomputed")) {
      out[[item$name]] <<- structure(
        item$matrix[rows, , drop = FALSE], diagonal = diag(item$matrix)[rows]
      )
    }
  }
  for (item in unclass(kernels)) look(item)
  out
}

prediction_pieces <- function(fit, decision, needs, keep) {
  type <- default_type(fit)
  wanted <- unique(c(setdiff(needs, c("support", "fit_time")), if (keep) c(type, "decision")))
  if (keep && fit$probability) wanted <- union(wanted, "prob")
  stats::setNames(lapply(wanted, function(type) shape_prediction(fit, decision, type)), wanted)
}

# One row for each test row: what was true, what was predicted.
prediction_table <- function(split, truth, prediction) {
  out <- data.frame(
    id = split$id, row = split$test, truth = truth,
    estimate = prediction$class %||% prediction$response
  )
  for (piece in c("decision", "prob")) {
    values <- prediction[[piece]]
    if (is.null(values) || (piece == "decision" && !is.null(prediction$response))) next
    if (is.matrix(values)) {
      out[paste0(piece, ".", colnames(values))] <- as.data.frame(values)
    } else {
      out[[piece]] <- values
    }
  }
  out
}

# Of all splits, or NULL if they were not kept.
outcome_predictions <- function(outcomes) {
  stack_tables(lapply(outcomes, function(outcome) outcome$predictions))
}

# `called`: the function that makes the result.
check_kept <- function(predictions, called, argument = "object") {
  if (is.null(predictions)) {
    stop_mkl(
      "argument_error", argument, "`", argument, "` has no predictions: ", called, " keeps them ",
      "when it is called with `",
      if (called == "cv_mkl()") "keep = \"predictions\"" else "predictions = TRUE",
      "`.", if (called == "benchmark_mkl()") {
        " With the same `directory` nothing is computed again."
      }
    )
  }
}

# Tables below each other. Columns that some lack are NA there: a training part without one of the
# classes has fewer models.
stack_tables <- function(tables) {
  tables <- Filter(Negate(is.null), tables)
  columns <- unique(unlist(lapply(tables, names)))
  out <- do.call(rbind, lapply(tables, function(table) {
    table[setdiff(columns, names(table))] <- NA_real_
    table[columns]
  }))
  if (!is.null(out)) rownames(out) <- NULL
  out
}

# All splits ---------------------------------------------------------------------------------------

# One row for each outcome: where it comes from, the measures, and how the fit went.
outcome_table <- function(outcomes, splits, metrics) {
  field <- function(name, type) vapply(outcomes, function(o) o[[name]], type)
  values <- matrix(
    unlist(lapply(outcomes, function(o) o$values)), nrow = length(outcomes), byrow = TRUE,
    dimnames = list(NULL, names(metrics))
  )
  out <- cbind(split_columns(splits), as.data.frame(values, optional = TRUE))
  out$n_train <- field("n_train", 1L)
  out$n_test <- field("n_test", 1L)
  out$fit_time <- field("fit_time", 0)
  out$converged <- field("converged", NA)
  out
}

split_columns <- function(splits) {
  data.frame(
    id = vapply(splits, function(split) as.character(split$id), ""),
    `repeat` = vapply(splits, function(split) as.integer(split[["repeat"]]), 0L),
    fold = vapply(splits, function(split) as.integer(split$fold), 0L), check.names = FALSE
  )
}

# Mean, standard deviation, standard error of the mean. Splits on which a measure is not defined are
# left out.
summarise_metric <- function(values) {
  values <- values[!is.na(values)]
  n <- length(values)
  c(mean = if (n) mean(values) else NA_real_, sd = stats::sd(values),
    se = stats::sd(values) / sqrt(n), n = n)
}

warn_stalled <- function(converged) {
  stalled <- sum(!converged, na.rm = TRUE)
  if (stalled) {
    warn_mkl(
      "not_converged", plural(stalled, "fit"), " of ", length(converged), " stopped before the ",
      "solver reached its tolerance: see the column `converged`. Raise `max_iter` in ",
      "mkl_control() or the limit of the learner, or lower the cost; with KOMD and EasyMKL on ",
      "classes that overlap, raise `lambda`."
    )
  }
}
