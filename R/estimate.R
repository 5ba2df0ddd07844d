# How long a fit will take, roughly, and what the user hears of it: above ten seconds a message in
# interactive use, and progress to whoever listens.

long_work <- 10 # seconds

# Nanoseconds for each kernel and each `power` of the rows, measured on one core with the defaults
# of each learner. Hard problems, high costs and narrow tolerances take many times as long.
learner_costs <- list(
  average = c(1, 2), random = c(1, 2), svm = c(3, 2), best = c(12, 2), easymkl = c(4, 2),
  komd = c(10, 2), glmkl = c(6, 2), lpmkl = c(6, 2), silpmkl = c(12, 2), levelmkl = c(6, 2),
  simplemkl = c(15, 2), gmkl = c(40, 2), lmkl = c(200, 2), mkboost = c(60, 2), svm2k = c(40, 2),
  svm_concatenated = c(5, 2), lb_svm = c(0.08, 3), lbmkl = c(0.08, 3), mhks = c(0.5, 3),
  multik_mhks = c(0.6, 3), cca_mhks = c(3, 3)
)

# Seconds for the learners of one call of the core: matrices are computed once, models by pairs of
# classes. 0 for learners that are not known.
estimate_seconds <- function(learners, n, columns, kernels, problem, threads) {
  matrices <- kernels * n^2 / 2 * (2 + 0.25 * columns)
  models <- count_models(problem)
  rows <- if (count_pairs(problem) > 1 && problem$multiclass == "one_vs_one") {
    2 * n / problem$classes
  } else {
    n
  }
  solving <- vapply(learners, function(learner) {
    cost <- learner_costs[[learner$name]]
    if (is.null(cost)) return(0)
    models * cost[1L] * kernels * rows^cost[2L]
  }, 0)
  if (all(solving == 0)) return(0)
  (matrices + sum(solving)) * 1e-9 / threads
}

# f(control), with a `control` by which the core tells how time passes.
with_estimate <- function(learners, x, problem, items, control, f) {
  kernels <- sum(item_counts(items))
  seconds <- estimate_seconds(
    learners, problem$n, ncol(x), kernels, problem, control$threads
  )
  if (seconds < long_work) return(f(control))
  label <- learners[[1L]]$label
  announce_work(label, problem, kernels, seconds)
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

announce_work <- function(label, problem, kernels, seconds) {
  if (!isTRUE(getOption("multikernel.progress", interactive()))) return(invisible())
  inform_mkl(
    "long_fit", label, ": ", format(problem$n, big.mark = ",", scientific = FALSE), " rows, ",
    plural(kernels, "kernel"), if (problem$classes > 2L) paste0(", ", problem$classes, " classes"),
    "; about ", format_duration(seconds), " (a rough estimate).",
    data = list(rows = problem$n, kernels = kernels, seconds = seconds)
  )
}

format_duration <- function(seconds) {
  unit <- if (seconds < 90) c(1, "second") else if (seconds < 5400) c(60, "minute") else {
    c(3600, "hour")
  }
  plural(max(1, signif(seconds / as.numeric(unit[1L]), 1L)), unit[2L])
}
