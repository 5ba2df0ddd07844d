# MultiK-MHKS, 3 views, n = 1000: all 81 pairs of c and lambda of the paper's grid from one
# decomposition per view, against 81 independent fits; and the peak memory of both. Five of the
# independent fits, spread over the grid, are timed and their mean is multiplied by 81.
#   Rscript tools/bench/multik.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

n <- if (quick) 400 else 1000
values <- 2^(-4:4)
data <- hard_data(n)

single <- function(c, lambda, threads = 1) {
  multik_mhks(data$x, data$y, c = c, lambda = lambda, control = mkl_control(threads = threads))
}
whole <- function(threads = 1) {
  multik_mhks_path(data$x, data$y, c = values, lambda = values,
                   control = mkl_control(threads = threads))
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  gc(FALSE)
  before <- peak_mb()
  if (bench_args[worker + 1] == "grid") whole() else single(1 / 16, 1 / 16)
  cat(before, peak_mb(), "\n")
  quit(status = 0)
}

describe_run()
points <- list(c(1, 1), c(9, 1), c(5, 5), c(1, 9), c(9, 9))
for (threads in 1:2) {
  header(
    sprintf("3 views (linear, Gaussian, polynomial), n = %d, d = 10, %d thread%s", n, threads,
            if (threads > 1) "s" else ""),
    "ours: all 81 pairs by multik_mhks_path(); peer: 81 fits by multik_mhks(), 5 of them timed"
  )
  # CPU time for the record; what two threads gain is seen on the clock only.
  what <- if (threads == 1) "cpu" else "elapsed"
  fits <- vapply(points, function(p) {
    time_of(function() single(values[p[1]], values[p[2]], threads), repeats = 1, what = what)
  }, 0)
  grid <- time_of(function() whole(threads), repeats = if (threads == 1) 2 else 1, what = what)
  row("81 pairs", grid, 81 * mean(fits), if (threads == 1) 20 else NA,
      sprintf("one fit %.2f to %.2f s", min(fits), max(fits)))
}

# The same results: the pairs that were timed, on other rows.
new <- hard_data(n + 200)$x[n + 1:200, ]
path <- whole()
values_of_grid <- predict(path, new, type = "decision")
worst <- max(vapply(points, function(p) {
  one <- predict(single(values[p[1]], values[p[2]]), new, type = "decision")
  max(abs(one - values_of_grid[, p[1], p[2]])) / max(abs(one))
}, 0))
header("Accuracy and memory")
figure("largest relative difference of decision values", worst, 1e-8, at_most = TRUE)
seconds <- time_of(function() predict(path, new, type = "decision"), repeats = 2)
cat(sprintf("%-46s %9.4fs for 200 rows\n", "predict(), 81 pairs", seconds))

memory <- function(job) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), if (quick) "--quick", "--worker", job), stdout = TRUE
  )
  diff(as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]]))
}
added <- c(single = memory("single"), grid = memory("grid"))
# 3 kernel matrices, 3 sets of eigenvectors, and two matrices while one is decomposed.
bar <- round(10 * n^2 * 8 / 2^20 + 60)
if (!anyNA(added)) {
  figure("peak memory over an idle R, one fit", added[["single"]], bar, at_most = TRUE, unit = "MB")
  figure("peak memory over an idle R, 81 pairs", added[["grid"]], bar, at_most = TRUE, unit = "MB")
}

finish()
