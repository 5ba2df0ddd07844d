# The arguments of benchmark_mkl(): data sets, learners with what goes with them, plans, measures.

# Named list of list(x, second, frame): the data as given, and as R/frame.R reads them.
check_tasks <- function(tasks, data, max_levels = many_levels) {
  expected <- "a named list of formulas, or of list(x = , y = )"
  if (is.data.frame(data) || is_views(data)) data <- list(data = data)
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
  Map(function(task, name) check_task_entry(task, name, data, max_levels), tasks, names(tasks))
}

check_names <- function(x, argument) {
  names <- names(x)
  if (length(x) == 0L || is.null(names) || anyNA(names) || !all(nzchar(names))) {
    stop_mkl("argument_error", argument, "`", argument, "` must have a name for each element.")
  }
  check_unique_names(names, argument, "element")
}

check_task_entry <- function(task, name, data, max_levels) {
  if (inherits(task, "formula")) {
    one <- if (length(data) == 1L && is.null(names(data))) data[[1L]] else data[[name]]
    if (!is.data.frame(one) && !is_views(one)) {
      stop_mkl(
        "argument_error", "data", "`data` must hold a data frame for each task, but \"", name,
        "\" is ", if (is.null(one)) "missing" else describe(one), ".",
        if (is.null(one)) did_you_mean(name, names(data))
      )
    }
    return(list(x = task, second = one, frame = as_frame(task, one, max_levels)))
  }
  if (!is.list(task) || is.data.frame(task) || is.null(task$x)) {
    stop_must(paste0("tasks$", name), "a formula or list(x = , y = )", task)
  }
  list(x = task$x, second = task$y, frame = as_frame(task$x, task$y, max_levels))
}

# Named list of list(learner, arguments, tuning): arguments of mkl(), and those of tune_mkl() if the
# parameters are to be chosen within each training part.
check_entries <- function(learners, common) {
  if (inherits(learners, "mkl_learner")) learners <- list(learners)
  if (is.character(learners)) learners <- as.list(learners)
  if (!is.list(learners) || length(learners) == 0L) {
    stop_must("learners", "a list of learners such as learner_svm()", learners)
  }
  known <- setdiff(setting_names(), c("learner", "weights"))
  check_fit_arguments(common, known, "benchmark_mkl()", lapply(learners, entry_learner))
  entries <- lapply(learners, check_entry, common, known)
  names(entries) <- entry_names(entries, names(learners))
  check_unique_names(names(entries), "learners", "element")
  entries
}

# A plan for all data sets, or a list of plans; `folds` and `repeats` as in cv_mkl().
benchmark_resamples <- function(resamples, folds, repeats, repeats_given) {
  if (is.null(resamples) && is.null(folds) && !repeats_given) return(resample_5x2())
  if (is.null(resamples) && is.null(folds)) stop_must("folds", "given beside `repeats`", folds)
  given <- c(folds = !is.null(folds), repeats = repeats_given)
  if (is.null(resamples)) return(choose_resample(NULL, folds, repeats, given))
  if (any(given)) stop_useless(names(given)[given][1L], "resamples")
  resamples
}

tuning_arguments <- function() {
  c("grid", "search", "n", "resamples", "folds", "repeats", "metrics", "eta")
}

check_entry <- function(entry, common, known) {
  if (inherits(entry, "mkl_learner") || !is.list(entry)) entry <- list(entry)
  at <- if (is.null(entry$learner)) 1L else match("learner", names(entry))
  learner <- check_learner(entry[[at]])
  own <- entry[-at]
  # All learners see the same columns.
  known <- setdiff(known, "max_levels")
  check_fit_arguments(own, c(known, tuning_arguments()), "mkl() or tune_mkl()", learner)
  tuning <- own[intersect(names(own), tuning_arguments())]
  arguments <- own[setdiff(names(own), tuning_arguments())]
  arguments <- c(arguments, common[setdiff(names(common), names(arguments))])
  maker <- if (is_kernel_maker(arguments$kernels)) arguments$kernels
  if (length(tuning) == 0L) {
    if (!is.null(maker)) {
      stop_mkl(
        "argument_error", "kernels", "`kernels` is a function, which needs a `grid` with its ",
        "arguments: list(learner, kernels = , grid = )."
      )
    }
    return(list(learner = learner, arguments = arguments))
  }
  if (!is.null(maker)) arguments["kernels"] <- NULL
  tuning <- check_tuning(tuning, learner, maker)
  list(learner = learner, arguments = arguments, tuning = tuning)
}

# As tune_mkl() checks them. Points are made in each cell, by its own random numbers; here once, to
# see that they can be.
check_tuning <- function(tuning, learner, maker) {
  search <- check_choice(tuning$search %||% "grid", "search", c("grid", "random", "halving"))
  out <- list(
    grid = tuning$grid, maker = maker, search = search, n = tuning$n,
    eta = check_number(tuning$eta %||% 3, "eta", 2, 100),
    resample = choose_resample(
      tuning$resamples, tuning$folds %||% 10, tuning$repeats %||% 1,
      c(folds = !is.null(tuning$folds), repeats = !is.null(tuning$repeats))
    ),
    metrics = if (!is.null(tuning$metrics)) mkl_metrics(tuning$metrics)
  )
  report_dropped(with_seed(1L, make_points(out$grid, learner, maker, search, out$n)))
  out
}

check_fit_arguments <- function(arguments, known, called, learner) {
  given <- names(arguments) %||% rep("", length(arguments))
  bad <- which(!given %in% known)
  if (length(bad) == 0L) return(invisible())
  if (!nzchar(given[bad[1L]])) {
    stop_mkl(
      "argument_error", "learners", "An argument without a name is left over in ", called, "."
    )
  }
  name <- given[bad[1L]]
  own <- c(known, names(formals(benchmark_mkl)))
  found <- where_it_belongs(name, arguments[[bad[1L]]], called, own, learner)
  stop_mkl("argument_error", name, if (nzchar(found)) found else paste0(
    "`", name, "` is not an argument of ", called, " that goes with a learner.",
    did_you_mean(name, known, "`")
  ))
}

# The learner of an element of `learners`, which may be a list with its arguments.
entry_learner <- function(entry) {
  if (inherits(entry, "mkl_learner") || !is.list(entry)) return(entry)
  entry$learner %||% entry[[1L]]
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
  kinds <- unique(vapply(tasks, function(task) task$kind, ""))
  if (is.null(metrics) && length(kinds) > 1L) {
    stop_mkl(
      "argument_error", "metrics", "`metrics` is missing: the data sets ask for several tasks (",
      quote_all(kinds), "), so that a measure for all of them must be named."
    )
  }
  for (kind in kinds) metrics <- as_metrics(metrics, kind)
  metrics
}

# What the splits need of a data set: its response, its number of rows, the kind of task.
add_response <- function(task, common) {
  if (is_kernel_maker(common$kernels)) common["kernels"] <- NULL
  source <- new_source(task$frame, given_settings(common, "benchmark_mkl()"))
  task$y <- source$frame$y
  task$n <- source$n
  task$kind <- source$task
  task
}

add_splits <- function(task, name, plan, seed, stored = TRUE) {
  own <- text_seed("splits", seed, name)
  plan <- match_plan(plan, task$frame)
  task$splits <- with_seed(own, resample_splits(plan, task$y, n = task$n))
  if (stored) {
    columns <- symbol_names(names(task$second))
    task$print <- fingerprint(list(task$x, task$second), columns)
  }
  task
}
