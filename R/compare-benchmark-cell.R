# One cell of a benchmark: a learner on a split of a data set.

# A seed from pieces of text and numbers. Neither another version of the package nor a learner that
# is written otherwise changes splits and random numbers.
text_seed <- function(...) {
  text <- paste(plain_text(as.character(c(...))), collapse = "\n")
  strtoi(substr(sha256_cpp(charToRaw(text)), 1L, 7L), 16L)
}

# list(data, learner, split (number), metrics, probability, seed), and for cells that are stored
# key, file and unknown. `file` is NULL if it cannot be known what the cell depends on.
benchmark_cells <- function(tasks, entries, metrics, seed, stored) {
  entry_prints <- if (stored) lapply(entries, entry_fingerprint, metrics)
  probability <- any(unlist(lapply(metrics, function(metric) metric$needs)) == "prob")
  cells <- list()
  for (data in names(tasks)) {
    for (learner in names(entries)) {
      prints <- list(tasks[[data]]$print, entry_prints[[learner]])
      for (k in seq_along(tasks[[data]]$splits)) {
        split <- tasks[[data]]$splits[[k]]
        cell <- list(
          data = data, learner = learner, split = k, metrics = metrics, probability = probability,
          seed = text_seed("cell", seed, split$train, "test", split$test)
        )
        cells[[length(cells) + 1L]] <- c(cell, if (stored) cell_key(prints, split, cell, seed))
      }
    }
  }
  cells
}

# A tuning without measures of its own chooses by the first one of the benchmark.
entry_fingerprint <- function(entry, metrics) {
  open <- !is.null(entry$tuning) && is.null(entry$tuning$metrics)
  fingerprint(list(entry, if (open) unclass(metrics)[1L]))
}

cell_key <- function(prints, split, cell, seed, version = own_version()) {
  unknown <- unique(unlist(lapply(prints, function(print) print$unknown)))
  key <- content_hash(list(
    prints[[1L]]$hash, prints[[2L]]$hash, split$train, split$test, seed, cell$probability,
    version, fit_settings()
  ))
  label <- file_label(paste(cell$data, cell$learner, split$id, sep = "-"))
  list(
    key = key, unknown = unknown,
    file = if (length(unknown) == 0L) paste0(label, "-", substr(key, 1L, 16L), ".rds")
  )
}

# Settings of R that a fit may depend on: by the terms of a formula, and by the instruction set that
# a whole run can be forced to.
fit_settings <- function() {
  list(options("contrasts", "na.action"), Sys.getenv("MULTIKERNEL_SIMD", "auto"))
}

# The value of a cell: list(key, prediction, chosen, error, warning, metrics), and in `damaged` and
# `unstored` what is wrong with its file.
run_cell <- function(cell, problems, entries, store, retry) {
  file <- if (!is.null(store) && !is.null(cell$file)) file.path(store$path, cell$file)
  task <- problems[[cell$data]]
  split <- task$splits[[cell$split]]
  stored <- if (!is.null(file)) read_sealed(file, function(x) is_cell(x) && x$key == cell$key)
  out <- stored$value
  if (is.null(out) || (!is.na(out$error) && retry)) {
    out <- c(list(key = cell$key), compute_cell(cell, task, entries[[cell$learner]], split))
    if (!is.null(stored$problem)) out$damaged <- paste0(file, ": ", stored$problem)
    if (!is.null(file)) out$unstored <- write_sealed(cell_record(out, store$origin), file)
  }
  judge_cell(out, cell, task, split)
}

# Errors and warnings become part of the result.
compute_cell <- function(cell, task, entry, split) {
  warnings <- character()
  value <- catch_error(
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
  settings <- given_settings(entry$arguments, "benchmark_mkl()")
  source <- new_source(task$frame, settings)
  point <- list(learner = entry$learner, arguments = list())
  chosen <- NULL
  if (!is.null(entry$tuning)) {
    tuned <- tune_cell(entry, source, settings, split, cell$metrics)
    point <- tuned$point
    chosen <- tuned$chosen
  }
  frame <- split_frame(source, split$train)
  needs <- if (cell$probability) "prob"
  out <- predict_group(list(point), split, frame, source, settings, needs, keep = TRUE)[[1L]]
  report_problems(out$fit)
  out$prediction$fit_time <- proc.time()[["elapsed"]] - started
  list(prediction = out$prediction, chosen = chosen)
}

# The best point of a tuning on the training rows of a split, and its parameters as text.
tune_cell <- function(entry, source, settings, split, metrics) {
  tuning <- entry$tuning
  points <- make_points(tuning$grid, entry$learner, tuning$maker, tuning$search, tuning$n)
  job <- new_job(source, subset_resample(tuning$resample, split$train), split$train)
  best <- run_tuning(
    list(job), points$points, source, settings, tuning$metrics %||% metrics, tuning$search,
    tuning$eta
  )[[1L]]$best
  row <- Filter(Negate(is.na), as.list(points$table[best, , drop = FALSE]))
  values <- vapply(row, function(v) if (is.numeric(v)) format_number(v) else as.character(v), "")
  list(point = points$points[[best]], chosen = paste0(names(row), "=", values, collapse = ", "))
}

# Measures are computed from the stored predictions, so that others can be had later.
judge_cell <- function(value, cell, task, split) {
  value$metrics <- stats::setNames(rep(NA_real_, length(cell$metrics)), names(cell$metrics))
  if (is.na(value$error)) {
    judged <- catch_error(
      compute_metrics(test_truth(task$kind, task$y, split), value$prediction, cell$metrics),
      error = function(e) conditionMessage(e)
    )
    if (is.character(judged)) value$error <- judged else value$metrics <- judged
  }
  value
}
