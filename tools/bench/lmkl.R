# Localized multiple kernel learning: 50 gradient steps at n = 1000 with 3 kernels, from data to
# model, against the Gram matrices of these kernels and one cold support vector machine on their
# average; one and two threads, the line search, prediction, and peak memory. Memory is measured in
# R processes of their own, because the peak of a process never falls.
#   Rscript tools/bench/lmkl.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

n <- 1000
steps <- 50
kernels <- function(gamma) {
  kernel_set(kernel_linear(), kernel_polynomial(2, scale = gamma), kernel_rbf(gamma = gamma))
}

# 50 steps from one start: those of the paper, or those of the line search, which may need fewer.
fit_local <- function(data, cost, preset, threads = 1) {
  set.seed(1)
  suppressWarnings(lmkl(
    data$x, data$y,
    kernels = kernels(data$gamma), normalize = "trace", cost = cost, preset = preset,
    iterations = steps, restarts = 1, tolerance = 0, scale = FALSE,
    control = mkl_control(threads = threads)
  ))
}

# What a single machine costs: all Gram matrices and one cold solve.
fit_single <- function(data, cost, threads = 1) {
  mkl(
    data$x, data$y,
    kernels = kernels(data$gamma), learner = learner_average(cost = cost), scale = FALSE,
    control = mkl_control(threads = threads)
  )
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  data <- hard_data(n)
  gc(FALSE)
  before <- peak_mb()
  fit_local(data, 10, "default", as.integer(bench_args[worker + 1]))
  cat(before, peak_mb(), "\n")
  quit(status = 0)
}

describe_run()

# ---- time ----------------------------------------------------------------------------------------

problems <- list(spam = spam_data(n), hard = hard_data(n))
costs <- if (quick) 10 else c(1, 10, 100)
bar <- 60

# How many single machines a fit costs; `promised` lines must stay below the bar.
one_line <- function(label, ours, peer, promised, extra = "") {
  times <- ours / peer
  verdict <- if (!promised) "" else if (times <= bar) "ok" else "above"
  cat(sprintf("%-46s %9.4fs %9.4fs %7.1fx %6s  %-5s %s\n", label, ours, peer, times,
              if (promised) paste0("<=", bar, "x") else "-", verdict, extra))
  remember(verdict)
  times
}

for (threads in 1:2) {
  what <- if (threads == 1) "cpu" else "elapsed"
  header(
    sprintf("%d steps, n = %d, 3 kernels, %s", steps, n,
            if (threads == 1) "one thread, CPU time" else "two threads, time on the clock"),
    paste(
      "'peer' is one cold machine with its Gram matrices; the ratio is how many of them a fit",
      "costs. A fixed step is one solve, a step of the line search about 1.5."
    )
  )
  ratios <- list()
  for (name in names(problems)) {
    data <- problems[[name]]
    for (cost in costs) {
      single <- time_of(function() fit_single(data, cost, threads), what = what)
      for (preset in c("paper", "default")) {
        fit <- fit_local(data, cost, preset, threads)
        ours <- time_of(function() fit_local(data, cost, preset, threads), what = what)
        path <- objective_path(fit)
        ratios[[preset]] <- c(ratios[[preset]], one_line(
          sprintf("%s, C = %g, %s", name, cost,
                  if (preset == "paper") "fixed step" else "line search"),
          ours, single, threads == 1,
          sprintf("%d steps, J %.5g to %.5g", length(path) - 1, path[1], min(path))
        ))
      }
    }
  }
  figure("geometric mean, fixed step", geometric_mean(ratios$paper), bar, at_most = TRUE,
         unit = "x")
  figure("geometric mean, line search", geometric_mean(ratios$default), bar, at_most = TRUE,
         unit = "x")
}

# ---- prediction ----------------------------------------------------------------------------------

header("Prediction of 2000 new rows, one thread, CPU time, against the single machine")
for (name in names(problems)) {
  data <- problems[[name]]
  new <- data$x[rep_len(seq_len(n), 2000), ]
  fit <- fit_local(data, 10, "default")
  single <- fit_single(data, 10)
  row(sprintf("%s, %d and %d support vectors", name, length(support(fit)), length(support(single))),
      time_of(function() predict(fit, new)), time_of(function() predict(single, new)))
}

# ---- memory --------------------------------------------------------------------------------------

cat(sprintf("\nPeak memory, n = %d, 3 kernels, line search\n", n))
matrices <- 8 * n^2 / 2^20
# The kernels, their local combination, the copy of its active part, and what R needs besides.
limit <- 6 * matrices + 60
for (threads in 1:2) {
  out <- system2(file.path(R.home("bin"), "Rscript"), c(shQuote(script), "--worker", threads),
                 stdout = TRUE)
  size <- as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]])
  figure(sprintf("added to %.0f MB, threads = %d", size[1], threads), size[2] - size[1], limit,
         at_most = TRUE, unit = "MB")
}

finish()
