#' Compare learners on data sets
#'
#' Every learner on every data set on every split of a resampling plan. With a `directory` each
#' finished cell is stored at once, and a second call goes on where the first one stopped: after an
#' interrupt, a crash, or to add learners, data sets and measures.
#'
#' @details
#' A cell is one data set, one learner and one split: the learner is fitted to the training rows,
#' with scaling, width rules and normalisers of these rows only, and judged on the test rows,
#' \deqn{m_{dls} = \mathrm{metric}(y_{\mathrm{test}},\ f_{dls}(x_{\mathrm{test}})).}
#' All learners see the same splits of a data set, so that differences can be tested in pairs, see
#' [compare()].
#'
#' # Stored cells
#' A cell is known by a hash of its data, formula, learner, arguments, rows and seed. If one of them
#' changes, it is computed again; if it is changed back, the old result is found. Predictions are
#' stored, not just measures, so that other `metrics` can be had later without a new fit (unless
#' they need probabilities and the first ones did not). An error in a cell is recorded in the
#' results and the rest goes on; `retry = TRUE` computes cells that ended with an error again.
#' Several processes may work on the same directory.
#'
#' # Other processes
#' Cells run through [future::plan()], like everything here. A worker stores its cells by itself if
#' it can write to `directory`; if not, that is done when its results arrive.
#'
#' # Choosing the plan
#' [resample_5x2()] for tests on each data set; repeated [resample_cv()] or [resample_holdout()]
#' with the corrected t test when data are few; any plan if only means over many data sets are
#' compared.
#'
#' # Random numbers
#' Splits and fits have seeds of their own, made from `seed`. It is drawn from the generator of R,
#' so [set.seed()] governs it, except that a directory keeps that of its first run. Results do not
#' depend on the order of cells, on the plan or on interrupts.
#'
#' @param tasks A named list of formulas, one for each data set, or one formula for all of them. For
#'   data without a formula: a named list of `list(x = , y = )`, in the forms of [mkl()].
#' @param data A named list of data frames (or one data frame).
#' @param learners A list of learners. An element may also be a list of a learner and arguments of
#'   [mkl()] for it, for instance `list(learner_lmkl(), kernels = kernel_linear())`. Names are used
#'   in all results; without them the names of the learners.
#' @param resamples A plan such as [resample_cv()], or a list of them named by data set.
#' @param metrics Measures, see [mkl_metrics()].
#' @param directory Where finished cells are stored; `NULL` for nowhere.
#' @param ... Arguments of [mkl()] for all learners, such as `kernels`, `scale` or `control`.
#' @param retry `TRUE` to compute stored cells that ended with an error again.
#' @param seed A whole number, or `NULL`, see below.
#' @return An object of class `mkl_benchmark`, a list with
#' * `results`: a data frame with a row for each cell: `data`, `learner`, `id`, `repeat`, `fold`, a
#'   column for each measure, `failure` (`NA` or the message of the error) and `warning`;
#' * `summary`: a data frame with `data`, `learner`, `metric`, `mean`, `sd`, `n` and `failures`;
#' * `metrics`, `learners`, `resamples`, `sizes` (mean numbers of training and test rows, kind of
#'   plan), `seed` and `directory`.
#' @references
#' Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. *Journal of
#' Machine Learning Research* 7, 1-30.
#' @family comparisons
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' bm <- benchmark_mkl(
#'   list(flowers = Species ~ ., cars = factor(am) ~ mpg + wt + hp),
#'   data = list(flowers = two, cars = mtcars),
#'   learners = list(svm = learner_svm(), average = learner_average(),
#'                   line = list(learner_svm(), kernels = kernel_linear())),
#'   resamples = resample_5x2(), metrics = "accuracy"
#' )
#' bm
#' head(bm$results)
#' @export
benchmark_mkl <- function(tasks, data = NULL, learners, resamples = resample_5x2(), metrics = NULL,
                          directory = NULL, ..., retry = FALSE, seed = NULL) {
  retry <- check_flag(retry, "retry")
  if (!is.null(seed)) {
    seed <- as.integer(check_number(seed, "seed", 0, .Machine$integer.max, whole = TRUE))
  }
  drawn <- draw_seed() # also when a stored one is used: the generator moves on in any case
  tasks <- check_tasks(tasks, data)
  entries <- check_entries(learners, list(...))
  plans <- check_plans(resamples, names(tasks))
  metrics <- benchmark_metrics(metrics, tasks)
  store <- open_store(directory, seed)
  seed <- store$seed %||% seed %||% drawn
  tasks <- Map(add_splits, tasks, names(tasks), plans, seed)
  cells <- benchmark_cells(tasks, entries, metrics, seed)
  done <- map_tasks(
    cells, run_cell, problems = tasks, entries = entries, store = store$path, retry = retry,
    seed = FALSE, label = "benchmark"
  )
  if (!is.null(store)) for (i in seq_along(cells)) keep_cell(done[[i]], cells[[i]], store$path)
  new_benchmark(cells, done, tasks, entries, plans, metrics, seed, store$path)
}

# ---- arguments -----------------------------------------------------------------------------------

# Named list of list(x, data, y, n): what mkl() and the splits need.
check_tasks <- function(tasks, data) {
  expected <- "a named list of formulas, or of list(x = , y = )"
  if (is.data.frame(data)) data <- list(data = data)
  if (!is.null(data) && !is.list(data)) stop_must("data", "a named list of data frames", data)
  if (inherits(tasks, "formula")) {
    if (is.null(data)) {
      stop_mkl("argument_error", "data", "`data` is missing: a formula needs a data frame.")
    }
    check_names(data, "data")
    tasks <- rep(list(tasks), length(data))
    names(tasks) <- names(data)
  }
  if (!is.list(tasks) || is.data.frame(tasks) || length(tasks) == 0L) {
    stop_must("tasks", expected, tasks)
  }
  check_names(tasks, "tasks")
  Map(function(task, name) check_task_entry(task, name, data), tasks, names(tasks))
}

check_names <- function(x, argument) {
  names <- names(x)
  if (length(x) == 0L || is.null(names) || anyNA(names) || !all(nzchar(names))) {
    stop_mkl("argument_error", argument, "`", argument, "` must have a name for each element.")
  }
  check_unique_names(names, argument, "element")
}

check_task_entry <- function(task, name, data) {
  if (inherits(task, "formula")) {
    one <- if (length(data) == 1L && is.null(names(data))) data[[1L]] else data[[name]]
    if (!is.data.frame(one)) {
      stop_mkl(
        "argument_error", "data", "`data` must hold a data frame for each task, but \"", name,
        "\" is ", if (is.null(one)) "missing" else describe(one), ".",
        if (is.null(one)) did_you_mean(name, names(data))
      )
    }
    return(list(x = task, data = one, y = frame_formula(task, one)$y, n = nrow(one)))
  }
  if (!is.list(task) || is.data.frame(task) || is.null(task$x)) {
    stop_must(paste0("tasks$", name), "a formula or list(x = , y = )", task)
  }
  kernels <- is.list(task$x) && !is.data.frame(task$x)
  list(x = task$x, y = task$y, n = NROW(if (kernels) task$x[[1L]] else task$x))
}

# Named list of list(learner, arguments).
check_entries <- function(learners, common) {
  if (inherits(learners, "mkl_learner")) learners <- list(learners)
  if (!is.list(learners) || length(learners) == 0L) {
    stop_must("learners", "a list of learners such as learner_svm()", learners)
  }
  known <- setdiff(names(formals(mkl_fit)), c("frame", "call", "...", "learner", "weights"))
  check_fit_arguments(common, known, "benchmark_mkl()")
  entries <- lapply(learners, function(entry) {
    if (inherits(entry, "mkl_learner") || !is.list(entry)) entry <- list(entry)
    at <- if (is.null(entry$learner)) 1L else match("learner", names(entry))
    own <- entry[-at]
    check_fit_arguments(own, known, "mkl()")
    list(
      learner = check_learner(entry[[at]]),
      arguments = c(own, common[setdiff(names(common), names(own))])
    )
  })
  names(entries) <- entry_names(entries, names(learners))
  check_unique_names(names(entries), "learners", "element")
  entries
}

check_fit_arguments <- function(arguments, known, called) {
  given <- names(arguments) %||% rep("", length(arguments))
  bad <- which(!given %in% known)
  if (length(bad) == 0L) return(invisible())
  if (!nzchar(given[bad[1L]])) {
    stop_mkl(
      "argument_error", "learners", "An argument without a name is left over in ", called, "."
    )
  }
  stop_mkl(
    "argument_error", given[bad[1L]], "`", given[bad[1L]], "` is not an argument of ", called,
    " that goes with a learner.", did_you_mean(given[bad[1L]], known, "`")
  )
}

# Learners of the same name are told apart by the parameters in which they differ.
entry_names <- function(entries, given) {
  if (is.null(given)) given <- rep("", length(entries))
  open <- which(!nzchar(given))
  names <- vapply(entries[open], function(entry) entry$learner$name, "")
  for (name in unique(names[duplicated(names)])) {
    same <- which(names == name)
    names[same] <- paste0(name, differing_parameters(lapply(entries[open][same], `[[`, "learner")))
  }
  given[open] <- make.unique(unname(names), sep = "#")
  given
}

# For each learner the parameters that are not the same in all of them, as "(cost=1)".
differing_parameters <- function(learners) {
  values <- lapply(learners, function(learner) {
    vapply(Filter(Negate(is.null), learner$parameters), format_value, "")
  })
  differing <- Filter(function(parameter) {
    length(unique(lapply(values, function(v) unname(v[parameter])))) > 1L
  }, unique(unlist(lapply(values, names))))
  vapply(values, function(v) {
    shown <- v[intersect(differing, names(v))]
    if (length(shown)) paste0("(", paste0(names(shown), "=", shown, collapse = ", "), ")") else ""
  }, "")
}

check_plans <- function(resamples, names) {
  if (is.list(resamples) && !is.object(resamples) && !is_split_list(resamples)) {
    absent <- setdiff(names, names(resamples))
    if (length(absent)) {
      stop_mkl(
        "argument_error", "resamples", "`resamples` has no plan for ", quote_all(absent), "."
      )
    }
    return(lapply(resamples[names], as_resample))
  }
  stats::setNames(rep(list(as_resample(resamples)), length(names)), names)
}

benchmark_metrics <- function(metrics, tasks) {
  kinds <- unique(vapply(tasks, function(task) {
    if (is.null(task$y)) "one_class" else natural_task(task$y)
  }, ""))
  if (is.null(metrics) && length(kinds) > 1L) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` is missing: the data sets ask for several tasks (",
      quote_all(kinds), "), so that a measure for all of them must be named."
    )
  }
  for (kind in kinds) metrics <- as_metrics(metrics, kind)
  metrics
}

add_splits <- function(task, name, plan, seed) {
  own <- hash_seed(list("splits", seed, name))
  task$splits <- with_seed(own, resample_splits(plan, task$y, n = task$n))
  task$hash <- content_hash(list(task$x, task$data, task$y))
  task
}

# ---- cells ---------------------------------------------------------------------------------------

hash_seed <- function(x) strtoi(substr(content_hash(x), 1L, 7L), 16L)

with_seed <- function(seed, expr) {
  state <- save_generator()
  on.exit(restore_generator(state))
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  expr
}

# list(data, learner, split (number), key, seed, file, needs)
benchmark_cells <- function(tasks, entries, metrics, seed) {
  entry_hash <- lapply(entries, content_hash)
  probability <- any(unlist(lapply(metrics, function(metric) metric$needs)) == "prob")
  cells <- list()
  for (data in names(tasks)) {
    for (learner in names(entries)) {
      for (k in seq_along(tasks[[data]]$splits)) {
        split <- tasks[[data]]$splits[[k]]
        key <- content_hash(list(
          tasks[[data]]$hash, entry_hash[[learner]], split$train, split$test, seed, probability
        ))
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

# The value of a cell: list(key, prediction, metrics, error, warning).
run_cell <- function(cell, problems, entries, store, retry) {
  file <- if (!is.null(store) && dir.exists(store)) file.path(store, cell$file)
  task <- problems[[cell$data]]
  split <- task$splits[[cell$split]]
  stored <- if (!is.null(file)) read_whole(file)
  if (!is.null(stored) && identical(stored$key, cell$key) && (is.na(stored$error) || !retry)) {
    return(judge_cell(stored, cell, task, split))
  }
  entry <- entries[[cell$learner]]
  warnings <- character()
  value <- tryCatch(
    withCallingHandlers(
      list(prediction = with_seed(
        cell$seed, cell_prediction(task, entry, split, cell$probability)
      )),
      warning = function(w) {
        warnings <<- c(warnings, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    ),
    error = function(e) list(error = conditionMessage(e))
  )
  out <- list(
    key = cell$key, prediction = value$prediction, error = value$error %||% NA_character_,
    warning = if (length(warnings)) paste(unique(warnings), collapse = " | ") else NA_character_
  )
  if (!is.null(file)) write_whole(out, file)
  judge_cell(out, cell, task, split)
}

keep_cell <- function(value, cell, store) {
  file <- file.path(store, cell$file)
  if (!file.exists(file)) write_whole(value[setdiff(names(value), "metrics")], file)
}

judge_cell <- function(value, cell, task, split) {
  value$metrics <- stats::setNames(rep(NA_real_, length(cell$metrics)), names(cell$metrics))
  if (is.na(value$error)) {
    judged <- tryCatch(
      compute_metrics(test_response(task, split), value$prediction, cell$metrics),
      error = function(e) conditionMessage(e)
    )
    if (is.character(judged)) value$error <- judged else value$metrics <- judged
  }
  value
}

test_response <- function(task, split) {
  if (is.null(task$y)) rep(TRUE, length(split$test)) else task$y[split$test]
}

cell_prediction <- function(task, entry, split, probability) {
  parts <- split_task(task, split)
  started <- proc.time()[["elapsed"]]
  fit <- do.call(mkl, c(
    parts$train, list(learner = entry$learner, probability = probability), entry$arguments
  ))
  seconds <- proc.time()[["elapsed"]] - started
  ask <- function(type) predict(fit, parts$test, type = type)
  out <- list(support = length(support(fit)) / nobs(fit), fit_time = seconds)
  if (fit$task == "regression") return(c(list(response = ask("response")), out))
  out <- c(list(class = ask("class"), decision = ask("decision")), out)
  if (probability) out$prob <- ask("prob")
  out
}

# Arguments of mkl() for the training rows, and the new data of the test rows.
split_task <- function(task, split) {
  if (inherits(task$x, "formula")) {
    return(list(
      train = list(x = task$x, data = task$data[split$train, , drop = FALSE]),
      test = task$data[split$test, , drop = FALSE]
    ))
  }
  y <- if (!is.null(task$y)) task$y[split$train]
  if (is.list(task$x) && !is.data.frame(task$x)) {
    train <- lapply(task$x, function(k) k[split$train, split$train, drop = FALSE])
    test <- lapply(task$x, function(k) k[split$test, split$train, drop = FALSE])
  } else {
    train <- task$x[split$train, , drop = FALSE]
    test <- task$x[split$test, , drop = FALSE]
  }
  list(train = list(x = train, y = y), test = test)
}

# ---- results -------------------------------------------------------------------------------------

new_benchmark <- function(cells, done, tasks, entries, plans, metrics, seed, directory) {
  take <- function(what) vapply(cells, function(cell) cell[[what]], "")
  splits <- lapply(cells, function(cell) tasks[[cell$data]]$splits[[cell$split]])
  values <- do.call(rbind, lapply(done, function(value) value$metrics))
  results <- data.frame(
    data = take("data"), learner = take("learner"),
    id = vapply(splits, function(split) as.character(split$id), ""),
    `repeat` = vapply(splits, function(split) as.integer(split[["repeat"]]), 0L),
    fold = vapply(splits, function(split) as.integer(split$fold), 0L), values,
    failure = vapply(done, function(value) value$error, ""),
    warning = vapply(done, function(value) value$warning, ""), check.names = FALSE
  )
  structure(
    class = "mkl_benchmark",
    list(
      results = results, summary = summarise_cells(results, names(metrics)), metrics = metrics,
      learners = lapply(entries, function(entry) entry$learner),
      resamples = vapply(plans, format, ""), sizes = split_sizes(tasks, plans), seed = seed,
      directory = directory
    )
  )
}

# `kind` tells compare() which tests a plan allows.
split_sizes <- function(tasks, plans) {
  mean_of <- function(part) {
    vapply(tasks, function(task) mean(lengths(lapply(task$splits, `[[`, part))), 0)
  }
  data.frame(
    data = names(tasks), rows = vapply(tasks, function(task) as.double(task$n), 0),
    train = mean_of("train"), test = mean_of("test"),
    kind = vapply(plans, function(plan) plan$kind, ""), row.names = NULL
  )
}

summarise_cells <- function(results, metrics) {
  groups <- unique(results[c("data", "learner")])
  rows <- lapply(seq_len(nrow(groups)), function(i) {
    cells <- results[results$data == groups$data[i] & results$learner == groups$learner[i], ]
    values <- cells[metrics]
    data.frame(
      data = groups$data[i], learner = groups$learner[i], metric = metrics,
      mean = vapply(values, function(v) mean_or_na(v), 0),
      sd = vapply(values, function(v) stats::sd(v, na.rm = TRUE), 0),
      n = vapply(values, function(v) sum(!is.na(v)), 0L), failures = sum(!is.na(cells$failure))
    )
  })
  out <- do.call(rbind, rows)
  rownames(out) <- NULL
  out
}

mean_or_na <- function(x) if (all(is.na(x))) NA_real_ else mean(x, na.rm = TRUE)

# Matrix of data sets x learners of one column of the summary, in the order of the benchmark.
benchmark_table <- function(x, metric, column = "mean") {
  part <- x$summary[x$summary$metric == metric, ]
  data <- unique(part$data)
  learner <- unique(part$learner)
  out <- matrix(NA_real_, length(data), length(learner), dimnames = list(data, learner))
  out[cbind(match(part$data, data), match(part$learner, learner))] <- part[[column]]
  out
}

check_metric <- function(metric, x) {
  if (is.null(metric)) names(x$metrics)[1L] else check_choice(metric, "metric", names(x$metrics))
}

#' @export
print.mkl_benchmark <- function(x, digits = 3L, ...) {
  results <- x$results
  cat(
    "<mkl_benchmark> ", plural(nrow(x$sizes), "data set"), " x ",
    plural(length(x$learners), "learner"), "; ", plural(nrow(results), "cell"), "\n", sep = ""
  )
  plans <- unique(unname(x$resamples))
  cat("Resampling: ", if (length(plans) == 1L) plans else "a plan for each data set", "\n",
      sep = "")
  if (!is.null(x$directory)) cat("Stored in:  ", x$directory, "\n", sep = "")
  for (metric in names(x$metrics)) {
    better <- if (x$metrics[[metric]]$larger) "larger" else "smaller"
    cat("\n", metric, " (", better, " is better), mean and standard deviation:\n", sep = "")
    mean <- benchmark_table(x, metric)
    sd <- benchmark_table(x, metric, "sd")
    cells <- paste0(
      fixed_digits(mean, digits), ifelse(is.na(sd), "", paste0(" (", fixed_digits(sd, digits), ")"))
    )
    cells <- matrix(cells, nrow(mean), dimnames = dimnames(mean))
    # Many learners on few data sets read better down the page.
    if (ncol(cells) > max(4L, nrow(cells))) cells <- t(cells)
    print(noquote(cells), right = TRUE)
  }
  failed <- sum(!is.na(results$failure))
  if (failed) {
    first <- results[!is.na(results$failure), ][1L, ]
    cat(
      "\n", plural(failed, "cell"), " ended with an error; the first one, ", first$learner, " on ",
      first$data, ": ", first$failure, "\n", sep = ""
    )
  }
  warned <- sum(!is.na(results$warning))
  if (warned) cat("\n", plural(warned, "cell"), " gave warnings, see $results$warning.\n", sep = "")
  invisible(x)
}

fixed_digits <- function(x, digits) {
  out <- formatC(x, digits = digits, format = "f", decimal.mark = ".")
  out[is.na(x)] <- "-"
  trimws(out)
}
