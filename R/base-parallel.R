# Independent pieces of work, here or in other processes. This is the only place that talks to the
# package future: splits, points of a grid, cells of a benchmark, pairs of classes and blocks of
# kernels all come through map_tasks().
#
# Rules that make results the same under every plan:
#   * each task gets a seed of its own, drawn from the generator of the caller before anything runs;
#   * results come back in the order of the tasks, whichever is ready first;
#   * a task that is lost with its worker is computed again from the same seed.
#
# After an interrupt or an error the tasks that still run are stopped: a file that all processes of
# this computer see signals it. The core looks for it where it looks for interrupts.

# Applies fun(task, ...) to each task and returns the list of results.
#   seed    TRUE: every task gets its own stream of random numbers; FALSE: tasks draw none;
#           integers: the seeds themselves
#   chunk   tasks that go to a worker at a time; NULL: a quarter of its share
#   reduce  function(total, result), applied in the order of the tasks; results are not kept
#   label   what is going on, for the progress bar
map_tasks <- function(tasks, fun, ..., seed = TRUE, chunk = NULL, reduce = NULL, label = NULL) {
  if (length(tasks) == 0L) return(if (is.null(reduce)) list())
  shared <- list(...)
  seeds <- if (is.numeric(seed)) seed else if (seed) draw_seeds(length(tasks)) else NA
  jobs <- Map(function(task, seed) list(task = task, seed = seed), unname(tasks), seeds)
  out <- with_bar({
    step <- progress_steps(length(jobs), label)
    collector <- new_collector(length(jobs), reduce)
    if (plan_is_parallel()) {
      run_elsewhere(jobs, fun, shared, chunk, collector, step)
    } else {
      run_here(jobs, fun, shared, collector, step)
    }
    collector$value()
  }, label)
  if (is.null(reduce)) names(out) <- names(tasks)
  out
}

draw_seeds <- function(n) sample.int(.Machine$integer.max, n)

# A plan can only have been made by a package that is loaded.
plan_is_parallel <- function() {
  isNamespaceLoaded("future") && !inherits(future::plan(), c("sequential", "transparent"))
}

# Puts results into their order; with `reduce` they are added up as soon as their turn comes, so
# that only those that came too early are kept.
new_collector <- function(n, reduce) {
  results <- vector("list", n)
  have <- logical(n)
  done <- 0L
  total <- NULL
  put <- function(i, result) {
    results[i] <<- list(result)
    have[i] <<- TRUE
    while (done < n && have[done + 1L]) {
      done <<- done + 1L
      if (is.null(reduce)) next
      total <<- if (done == 1L) results[[1L]] else reduce(total, results[[done]])
      results[done] <<- list(NULL)
    }
  }
  list(
    put = put, done = function() done,
    value = function() if (is.null(reduce)) results else total
  )
}

run_here <- function(jobs, fun, shared, collector, step) {
  for (i in seq_along(jobs)) {
    collector$put(i, run_job(jobs[[i]], fun, shared))
    step(1)
  }
}

# One task, with its seed. The generator is left as it was found.
run_job <- function(job, fun, shared, threads = NULL) {
  settings <- list(multikernel.progress = FALSE)
  if (!is.null(threads)) settings$multikernel.threads <- threads
  old <- options(settings)
  on.exit(options(old))
  with_seed(job$seed, do.call(fun, c(list(job$task), shared)))
}

# `expr` with random numbers of its own; NA for those that the generator gives.
with_seed <- function(seed, expr) {
  if (is.na(seed)) return(expr)
  state <- save_generator()
  on.exit(restore_generator(state))
  plant_seed(seed)
  expr
}

plant_seed <- function(seed) set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")

save_generator <- function() {
  list(kind = RNGkind(), seed = get0(".Random.seed", globalenv(), inherits = FALSE))
}

restore_generator <- function(state) {
  # The state of the generator, its kind included, is a variable of the workspace by the rules of R.
  workspace <- globalenv()
  if (is.null(state$seed)) {
    do.call(RNGkind, as.list(state$kind))
    rm(".Random.seed", envir = workspace)
  } else {
    workspace$.Random.seed <- state$seed
  }
}

# Other processes -----------------------------------------------------------------------------

# Chunks wait, run or are done. No more run at a time than there are workers, and with a
# reduction none runs far ahead of the first that is missing.
run_elsewhere <- function(jobs, fun, shared, chunk, collector, step) {
  workers <- future::nbrOfWorkers()
  if (!is.finite(workers)) workers <- length(jobs)
  size <- chunk %||% ceiling(length(jobs) / (4 * workers))
  chunks <- unname(split(seq_along(jobs), ceiling(seq_along(jobs) / size)))
  needs <- worker_globals(list(jobs, shared, fun))
  stop_file <- tempfile("multikernel-stop-")
  notice <- NULL
  start <- function(rows) {
    withCallingHandlers(
      start_chunk(jobs[rows], fun, shared, needs, stop_file),
      warning = function(w) {
        if (!tells_of_loss(w)) return()
        notice <<- w
        invokeRestart("muffleWarning")
      }
    )
  }

  running <- list()
  finished <- FALSE
  on.exit(if (!finished) stop_chunks(running, stop_file))
  waiting <- seq_along(chunks)
  tries <- integer(length(chunks))
  broken <- FALSE
  while (length(waiting) || length(running)) {
    if (broken && length(running) == 0L) broken <- restart_workers()
    while (!broken && length(waiting) && length(running) < workers &&
             chunks[[waiting[1L]]][1L] <= collector$done() + 4 * workers * size) {
      k <- waiting[1L]
      waiting <- waiting[-1L]
      tries[k] <- tries[k] + 1L
      running[[as.character(k)]] <- start(chunks[[k]])
      running <- lapply(running, lost_if_reset, notice)
    }
    k <- wait_for_one(running)
    rows <- chunks[[as.integer(k)]]
    results <- take_results(running[[k]])
    running[[k]] <- NULL
    if (inherits(results, "lost_worker")) {
      lost_chunk(results, rows, tries[as.integer(k)], length(jobs))
      waiting <- sort(c(as.integer(k), waiting))
      broken <- broken || results$unstarted
      next
    }
    for (i in seq_along(rows)) collector$put(rows[i], results[[i]])
    step(length(rows))
  }
  finished <- TRUE
}

# A future, or what kept it from starting.
start_chunk <- function(jobs, fun, shared, needs, stop_file) {
  run <- run_chunk
  own <- list(jobs = jobs, fun = fun, shared = shared, run = run, stop_file = stop_file)
  tryCatch(
    future::future(
      run(jobs, fun, shared, stop_file), lazy = FALSE, seed = NULL, globals = c(own, needs$globals),
      packages = unique(c("multikernel", needs$packages))
    ),
    FutureError = function(e) lost_worker(e, unstarted = TRUE)
  )
}

# Workers share the computer: one thread each. An interrupt would end the process of some workers:
# it becomes an error, after which the worker is ready for the next work.
run_chunk <- function(jobs, fun, shared, stop_file) {
  old <- options(multikernel.stop_file = stop_file)
  on.exit(options(old))
  tryCatch(
    lapply(jobs, function(job) {
      check_stopped()
      run_job(job, fun, shared, threads = 1L)
    }),
    interrupt = function(e) stop_mkl("interrupted", "plan", "The work was interrupted.")
  )
}

# An interrupt in a worker whose work nobody waits for any more.
check_stopped <- function() {
  file <- getOption("multikernel.stop_file")
  if (is.null(file) || !file.exists(file)) return(invisible())
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
}

# Stops what still runs and waits a second for it, so that the workers are free. Those that do not
# see the file, on other computers, are stopped by future where its version can do so.
stop_chunks <- function(running, stop_file) {
  running <- Filter(function(future) inherits(future, "Future"), running)
  if (length(running) == 0L) return(invisible())
  file.create(stop_file)
  done <- function(future) tryCatch(future::resolved(future), error = function(e) TRUE)
  deadline <- proc.time()[["elapsed"]] + 1
  repeat {
    ended <- vapply(running, done, NA)
    # The registry of future counts a worker as taken until its result has been fetched.
    for (future in running[ended]) try(future::result(future), silent = TRUE)
    running <- running[!ended]
    if (length(running) == 0L || proc.time()[["elapsed"]] > deadline) break
    Sys.sleep(0.02)
  }
  if (length(running) && "cancel" %in% getNamespaceExports("future")) {
    cancel <- getExportedValue("future", "cancel")
    for (future in running) try(cancel(future), silent = TRUE)
  }
}

# Settings of a fit where it runs: run_job() sets the option in workers.
limit_threads <- function(control) {
  control$threads <- min(control$threads, getOption("multikernel.threads", Inf))
  control
}

lost_worker <- function(e, unstarted = FALSE) {
  structure(list(message = conditionMessage(e), unstarted = unstarted), class = "lost_worker")
}

# While it looks for a free worker, future() may find that another one has died. It then warns and
# sets the future of that worker back to its beginning; here that chunk is lost like any other.
tells_of_loss <- function(w) {
  grepl("^\\[FUTURE (INTERRUPTED|BACKEND FAILURE)\\]", conditionMessage(w))
}
lost_if_reset <- function(future, notice) {
  if (is.null(notice) || !identical(future[["state"]], "created")) return(future)
  lost_worker(notice)
}

wait_for_one <- function(running) {
  pause <- 0.001
  repeat {
    check_stopped()
    for (k in names(running)) {
      if (inherits(running[[k]], "lost_worker")) return(k)
      ready <- tryCatch(future::resolved(running[[k]]), FutureError = function(e) TRUE)
      if (ready) return(k)
    }
    Sys.sleep(pause)
    pause <- min(2 * pause, 0.05)
  }
}

# Errors of a task pass through as they are; those of the machinery mean a lost worker.
take_results <- function(future) {
  if (inherits(future, "lost_worker")) return(future)
  tryCatch(future::value(future), FutureError = function(e) lost_worker(e))
}

# Once may be bad luck; a task that takes its worker down again and again will go on doing so.
lost_chunk <- function(lost, rows, tries, n) {
  one <- length(rows) == 1L
  which <- paste0(
    if (one) paste("task", rows) else paste("tasks", rows[1L], "to", max(rows)), " of ", n
  )
  if (tries >= 3L) {
    stop_mkl(
      "worker_error", "plan", "A worker process was lost during ", which, ", three times. Set the ",
      "plan again, for instance future::plan(future::multisession), and see whether the worker ",
      "has enough memory. The last message was: ", lost$message
    )
  }
  # Work that a dead worker refused is no news after the work that it died of.
  if (lost$unstarted) return(invisible())
  warn_mkl(
    "worker_lost", "A worker process was lost during ", which, ", which ",
    if (one) "is" else "are", " computed again. The message was: ", lost$message
  )
}

# The same plan once more: older versions of future give work to a dead worker again and again. Only
# when nothing of ours runs any more. Clusters that the user started by hand stay as they are.
restart_workers <- function() {
  plans <- future::plan("list")
  try(future::plan(plans), silent = TRUE)
  FALSE
}

# Functions of the user (own measures, kernel functions, learners) may use variables and packages of
# the workspace: future finds them.
worker_globals <- function(x) {
  functions <- user_functions(x)
  if (length(functions) == 0L) return(list(globals = list(), packages = character()))
  env <- list2env(functions, parent = globalenv())
  expression <- as.call(c(quote(list), lapply(names(functions), as.name)))
  found <- future::getGlobalsAndPackages(expression, envir = env)
  globals <- as.list(found$globals)
  list(globals = globals[setdiff(names(globals), names(functions))], packages = found$packages)
}

# Closures in (lists of lists of) x that no package holds.
user_functions <- function(x) {
  out <- list()
  look <- function(x) {
    if (is.function(x)) {
      if (!is.primitive(x) && !isNamespace(topenv(environment(x)))) out[[length(out) + 1L]] <<- x
    } else if (is.list(x)) {
      for (one in x) look(one)
    }
  }
  look(x)
  if (length(out)) names(out) <- paste0("..function", seq_along(out))
  out
}

# Progress --------------------------------------------------------------------------------------

# Signals of the package progressr, if it is installed: seen when the user asks for them by
# progressr::with_progress() or handlers(global = TRUE), or in a bar of our own in interactive use.
# options(multikernel.progress = FALSE) silences all of it, TRUE asks for the bar anywhere.
progress_steps <- function(n, label) {
  quiet <- is.null(label) || identical(getOption("multikernel.progress"), FALSE)
  if (quiet || n < 2L || !requireNamespace("progressr", quietly = TRUE)) {
    return(function(amount) NULL)
  }
  signal <- progressr::progressor(steps = n, message = label, envir = parent.frame())
  function(amount) signal(amount = amount, message = label)
}

with_bar <- function(expr, label) {
  wanted <- getOption("multikernel.progress", interactive())
  if (is.null(label) || !isTRUE(wanted) || !requireNamespace("progressr", quietly = TRUE) ||
        isTRUE(progressr::handlers(global = NA))) {
    return(expr)
  }
  handler <- if (requireNamespace("cli", quietly = TRUE)) {
    progressr::handler_cli(enable = TRUE)
  } else {
    progressr::handler_txtprogressbar(enable = TRUE)
  }
  progressr::with_progress(expr, handlers = handler, enable = TRUE)
}

# Streams of thousands of kernels: f(control) with a `control` by which the core says how many of
# `total` kernels it has processed.
with_kernel_progress <- function(control, total, label, f) {
  if (total < 2000) return(f(control))
  with_bar({
    control$progress <- progress_steps(total, label)
    f(control)
  }, label)
}
