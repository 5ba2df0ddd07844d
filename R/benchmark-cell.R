# One cell of a benchmark: a learner on a split of a data set.

hash_seed <- function(x) strtoi(substr(content_hash(x), 1L, 7L), 16L)

with_seed <- function(seed, expr) {
  state <- save_generator()
  on.exit(restore_generator(state))
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  expr
}

# list(data, learner, split (number), key, metrics, probability, seed, file)
benchmark_cells <- function(tasks, entries, metrics, seed) {
  entry_hash <- lapply(entries, content_hash)
  # A tuning without measures of its own chooses by the first one of the benchmark.
  chosen_by <- lapply(entries, function(entry) {
    open <- !is.null(entry$tuning) && is.null(entry$tuning$metrics)
    if (open) list(content_hash(unclass(metrics)[1L]))
  })
  probability <- any(unlist(lapply(metrics, function(metric) metric$needs)) == "prob")
  cells <- list()
  for (data in names(tasks)) {
    for (learner in names(entries)) {
      for (k in seq_along(tasks[[data]]$splits)) {
        split <- tasks[[data]]$splits[[k]]
        key <- content_hash(c(list(
          tasks[[data]]$hash, entry_hash[[learner]], split$train, split$test, seed, probability
        ), chosen_by[[learner]]))
        cells[[length(cells) + 1L]] <- list(
          data = data, learner = learner, split = k, key = key, metrics = metrics,
          probability = probability, seed = strtoi(substr(key, 1L, 7L), 16L),
          file = paste0(
            file_label(paste(data, learner, split$id, sep = "-")), "-", substr(key, 1L, 16L), ".rds"
          )
        )
      }
    }
  }
  cells
}

# The value of a cell: list(key, prediction, chosen, error, warning, metrics).
run_cell <- function(cell, problems, entries, store, retry) {
  file <- if (!is.null(store) && dir.exists(store)) file.path(store, cell$file)
  task <- problems[[cell$data]]
  split <- task$splits[[cell$split]]
  stored <- if (!is.null(file)) read_whole(file)
  if (!is.null(stored) && identical(stored$key, cell$key) && (is.na(stored$error) || !retry)) {
    return(judge_cell(stored, cell, task, split))
  }
  out <- c(list(key = cell$key), compute_cell(cell, task, entries[[cell$learner]], split))
  if (!is.null(file)) write_whole(out, file)
  judge_cell(out, cell, task, split)
}

# Errors and warnings become part of the result.
compute_cell <- function(cell, task, entry, split) {
  warnings <- character()
  value <- tryCatch(
    withCallingHandlers(
      with_seed(cell$seed, predict_cell(cell, task, entry, split)),
      warning = function(w) {
        warnings <<- c(warnings, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    ),
    error = function(e) list(error = conditionMessage(e))
  )
  list(
    prediction = value$prediction, chosen = value$chosen %||% NA_character_,
    error = value$error %||% NA_character_,
    warning = if (length(warnings)) paste(unique(warnings), collapse = " | ") else NA_character_
  )
}

predict_cell <- function(cell, task, entry, split) {
  started <- proc.time()[["elapsed"]]
  arguments <- fit_arguments(entry$arguments, "benchmark_mkl()")
  source <- task_source(task, arguments)
  point <- list(learner = entry$learner, arguments = list())
  chosen <- NULL
  if (!is.null(entry$tuning)) {
    tuned <- tune_cell(entry, source, arguments, split, cell$metrics)
    point <- tuned$point
    chosen <- tuned$chosen
  }
  frame <- split_frame(source, split$train)
  needs <- if (cell$probability) "prob"
  out <- predict_group(list(point), split, frame, source, arguments, needs, keep = TRUE)[[1L]]
  report_problems(out$fit)
  out$prediction$fit_time <- proc.time()[["elapsed"]] - started
  list(prediction = out$prediction, chosen = chosen)
}

# The best point of a tuning on the training rows of a split, and its parameters as text.
tune_cell <- function(entry, source, arguments, split, metrics) {
  tuning <- entry$tuning
  points <- make_points(tuning$grid, entry$learner, tuning$maker, tuning$search, tuning$n)
  job <- new_job(source, subset_resample(tuning$resample, split$train), split$train)
  best <- run_tuning(
    list(job), points$points, source, arguments, tuning$metrics %||% metrics, tuning$search,
    tuning$eta
  )[[1L]]$best
  row <- points$table[best, , drop = FALSE]
  values <- vapply(row, function(v) if (is.numeric(v)) format_number(v) else as.character(v), "")
  list(point = points$points[[best]], chosen = paste0(names(row), "=", values, collapse = ", "))
}

# For workers that cannot write to the directory.
keep_cell <- function(value, cell, store) {
  file <- file.path(store, cell$file)
  if (!file.exists(file)) write_whole(value[setdiff(names(value), "metrics")], file)
}

# Measures are computed from the stored predictions, so that others can be had later.
judge_cell <- function(value, cell, task, split) {
  value$metrics <- stats::setNames(rep(NA_real_, length(cell$metrics)), names(cell$metrics))
  if (is.na(value$error)) {
    judged <- tryCatch(
      compute_metrics(test_truth(task$kind, task$y, split), value$prediction, cell$metrics),
      error = function(e) conditionMessage(e)
    )
    if (is.character(judged)) value$error <- judged else value$metrics <- judged
  }
  value
}
