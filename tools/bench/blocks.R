# Fits to rows in files: how time and memory grow with the number of rows, which are never in memory
# at once. Each fit runs in an R process of its own, because the peak of a process never falls. The
# files are written to the temporary directory (200 bytes a row at the most) and deleted.
#   Rscript tools/bench/blocks.R [--quick] [--to 1e6]      without: to 10^7 rows
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

block_rows <- 1e5
columns <- 10

made_rows <- function(n, seed) {
  set.seed(seed)
  x <- matrix(round(runif(n * columns), 5), n)
  score <- sin(5 * x[, 1]) * cos(4 * x[, 2]) + x[, 3]^2 + x[, 5] * sin(6 * x[, 4])
  data.frame(x, y = ifelse(score + rnorm(n, sd = 0.15) > 0.8, "high", "low"))
}

fit_files <- function(files, m = 500, loss = "squared_hinge", plan = 1) {
  blocks <- row_blocks(files, rows = block_rows)
  if (plan > 1) future::plan(future::multisession, workers = plan)
  set.seed(1)
  mkl(
    y ~ ., blocks, learner = learner_svm(cost = 1, loss = loss),
    kernels = kernel_rbf(sigma = 3), approximate = nystrom(m), control = mkl_control(threads = 1)
  )
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  before <- peak_mb()
  files <- readLines(bench_args[worker + 1])
  time <- system.time(fit <- fit_files(files))
  test <- made_rows(5000, 0)
  error <- mean(predict(fit, test) != test$y)
  gap <- fit$models[[1]]$report$gap / objective(fit)
  cat(before, peak_mb(), sum(time[1:2]), fit$blocks$passes, gap,
      as.numeric(all(converged(fit))), error, "\n")
  quit(status = 0)
}

describe_run()
to <- match("--to", bench_args)
largest <- if (!is.na(to)) as.numeric(bench_args[to + 1]) else if (quick) 1e5 else 1e7
sizes <- c(1e4, 1e5, 1e6, 1e7)
sizes <- sizes[sizes <= largest]
folder <- tempfile("blocks")
dir.create(folder)

# Files of up to a million rows, each with a seed of its own.
files <- character()
written <- 0
write_to <- function(n) {
  while (written < n) {
    count <- min(1e6, n - written, max(1e4, 9 * written))
    file <- file.path(folder, paste0("rows", length(files) + 1, ".csv"))
    for (first in seq(0, count - 1, by = block_rows)) {
      part <- made_rows(min(block_rows, count - first), written + first + 1)
      write.table(part, file, sep = ",", row.names = FALSE, quote = FALSE, append = first > 0,
                  col.names = first == 0)
    }
    files <<- c(files, file)
    written <<- written + count
  }
}

cat("\nGrowth, csv files in blocks of", block_rows, "rows, 500 landmarks, squared hinge,",
    "one thread\n")
each <- vapply(sizes, function(n) {
  write_to(n)
  list <- tempfile()
  writeLines(files, list)
  out <- system2(file.path(R.home("bin"), "Rscript"),
                 c(shQuote(script), "--worker", shQuote(list)), stdout = TRUE)
  r <- as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]])
  cat(sprintf(
    paste0("  %9.0f rows %9.2f s %7.1f us a row and %4.1f a pass %3.0f passes %6.0f MB over the ",
           "start, gap %.1e, converged %d, test error %.4f\n"),
    n, r[3], 1e6 * r[3] / n, 1e6 * r[3] / n / r[4], r[4], r[2] - r[1], r[5], r[6], r[7]
  ))
  c(r[3] / n / r[4], r[2] - r[1])
}, c(0, 0))
unlink(folder, recursive = TRUE)
# Beyond the first size, whose fixed costs show.
if (length(sizes) > 2) {
  figure("time of a row and pass against the least", max(each[1, -1]) / min(each[1, -1]), 1.3,
         at_most = TRUE)
  figure("peak memory against that of the size before", each[2, length(sizes)] /
           each[2, length(sizes) - 1], 1.3, at_most = TRUE)
}
finish()
