# Rough estimate of the time of a fit, and what is reported: above ten seconds a message in
# interactive use, and progress signals.

long_work <- 10 # seconds
hopeless_work <- 600 # from here on the message names what is quicker

# Seconds for the learners of one call of the core: matrices are computed once, models by pairs of
# classes. 0 if the work of the learners is not known. Hard problems, high costs and narrow
# tolerances take many times as long.
estimate_seconds <- function(learners, n, columns, kernels, problem, threads) {
  matrices <- kernels * n^2 / 2 * (2 + 0.25 * columns)
  models <- count_models(problem)
  rows <- if (count_pairs(problem) > 1 && problem$multiclass == "one_vs_one") {
    2 * n / problem$classes
  } else {
    n
  }
  solving <- vapply(learners, function(learner) {
    work <- learner$work
    if (is.null(work)) 0 else models * work[1L] * kernels * rows^work[2L]
  }, 0)
  if (all(solving == 0)) return(0)
  (matrices + sum(solving)) * 1e-9 / threads
}

# The same for kernels approximated by `columns` features each, of which products are formed, or
# those of the rows if that is less.
estimate_approximate <- function(n, columns, kernels, problem, threads) {
  width <- columns * kernels
  count_models(problem) * 2e-10 * n * width * min(width, n) / threads
}

# What to write instead of an exact fit that takes too long; NULL where it does not, or where there
# is nothing else.
quicker_fit <- function(learners, n, kernels, problem, seconds, threads, columns = 500) {
  able <- all(vapply(learners, function(learner) isTRUE(learner$approximate), NA))
  if (seconds < hopeless_work || !able || n < 10 * columns) return(NULL)
  quick <- estimate_approximate(n, columns, kernels, problem, threads)
  if (quick > seconds / 4) return(NULL)
  bytes <- 8.8 * n * columns * kernels
  paste0(
    " `approximate = nystrom(", columns, ")` takes about ", format_duration(quick), " and ",
    format_number(max(0.1, round(bytes / 1e9, 1))), " GB",
    if (bytes > 2 * 1024^3) " (raise `memory` in mkl_control())", "; one kernel matrix takes ",
    format_number(max(0.1, round(8 * n^2 / 1e9, 1))), " GB."
  )
}

# f(control), with a `control` by which the core reports progress.
with_estimate <- function(learners, x, problem, items, control, f) {
  kernels <- sum(item_counts(items))
  near <- problem$approximate
  seconds <- if (is.null(near)) {
    estimate_seconds(learners, nrow(x), ncol(x), kernels, problem, control$threads)
  } else {
    estimate_approximate(
      nrow(x), near$count %||% length(near$rows), kernels, problem, control$threads
    )
  }
  if (seconds < long_work) return(f(control))
  label <- learners[[1L]]$label
  hint <- if (is.null(near)) {
    quicker_fit(learners, nrow(x), kernels, problem, seconds, control$threads)
  }
  announce_work(label, nrow(x), problem$classes, kernels, seconds, hint)
  # Kernels and pairs that have progress of their own.
  if (kernels * count_models(problem) >= 500 || pairs_elsewhere(problem)) return(f(control))
  with_bar({
    steps <- progress_steps(100, label)
    control$progress <- passing_time(seconds, steps)
    control$ticks <- TRUE
    f(control)
  }, label)
}

# For a bar of 100 steps: the share of the estimated time that has passed. The last step is left to
# the end, which may come later than estimated.
passing_time <- function(seconds, step) {
  passed <- 0
  done <- 0
  function(amount) {
    passed <<- passed + amount
    now <- floor(99 * min(1, passed / seconds))
    if (now > done) step(now - done)
    done <<- max(done, now)
  }
}

announce_work <- function(label, rows, classes, kernels, seconds, hint = NULL) {
  if (!isTRUE(getOption("multikernel.progress", interactive()))) return(invisible())
  inform_mkl(
    "long_fit", label, ": ", format(rows, big.mark = ",", scientific = FALSE), " rows, ",
    plural(kernels, "kernel"), if (classes > 2L) paste0(", ", classes, " classes"),
    "; about ", format_duration(seconds), " (a rough estimate).", hint,
    data = list(rows = rows, kernels = kernels, seconds = seconds)
  )
}

format_duration <- function(seconds) {
  unit <- if (seconds < 90) c(1, "second") else if (seconds < 5400) c(60, "minute") else {
    c(3600, "hour")
  }
  plural(max(1, signif(seconds / as.numeric(unit[1L]), 1L)), unit[2L])
}

# How many two-class problems a fit solves, with those of the calibration of probabilities.
count_models <- function(problem) count_pairs(problem) * if (problem$probability) 6 else 1
