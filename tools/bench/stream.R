# Thousands of weak kernels made on the fly: time, kernels per second and peak memory of the average
# of 100, 1,000 and 10,000 bag kernels at n = 1000. Each count runs in an R process of its own,
# because the peak of a process never falls.
#   Rscript tools/bench/stream.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

n <- 1000
d <- 60

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  count <- as.integer(bench_args[worker + 1])
  threads <- as.integer(bench_args[worker + 2])
  data <- plain_data(n, d)
  gc(FALSE)
  before <- peak_mb()
  seconds <- system.time(fit <- mkl(
    data$x, data$y,
    learner = learner_average(),
    kernels = kernel_rbf_bags(count, max_features = 10, beta = 1, seed = 1),
    control = mkl_control(threads = threads)
  ))
  cat(before, peak_mb(), seconds[["elapsed"]], sum(seconds[1:2]), "\n")
  quit(status = 0)
}

describe_run()
run <- function(count, threads) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), "--worker", format(count, scientific = FALSE), threads), stdout = TRUE
  )
  stats::setNames(as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]]),
                  c("before", "after", "elapsed", "cpu"))
}

counts <- if (quick) c(100, 1000) else c(100, 1000, 10000)
bar <- 3 * n^2 * 8 / 2^20 + 60
cat(sprintf("\nAverage of bag kernels, n = %d, d = %d, up to 10 features each, data to model\n",
            n, d))
cat(sprintf("%8s %8s %10s %12s %12s %12s %10s %9s\n", "kernels", "threads", "seconds", "kernels/s",
            "idle MB", "peak MB", "added MB", "bar MB"))
added <- numeric()
for (threads in 1:2) {
  for (count in counts) {
    r <- run(count, threads)
    grown <- r[["after"]] - r[["before"]]
    if (threads == 1) added <- c(added, grown)
    verdict <- if (is.na(grown)) "" else if (grown <= bar) "ok" else "above"
    remember(verdict)
    cat(sprintf("%8d %8d %10.2f %12.0f %12.1f %12.1f %10.1f %9.1f  %s\n", count, threads,
                r[["elapsed"]], count / r[["elapsed"]], r[["before"]], r[["after"]], grown, bar,
                verdict))
  }
}
spread <- max(added) - min(added)
if (!is.na(spread)) {
  figure("growth from the fewest to the most kernels", spread, 10, at_most = TRUE, unit = "MB")
}

finish()
