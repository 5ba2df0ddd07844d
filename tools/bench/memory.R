# Peak memory of a fit by a formula and of its prediction, as multiples of the size of the data:
# 100,000 rows, 50 columns of doubles in a data frame.
#
#   Rscript tools/bench/memory.R [--quick] [--peer <library with another version>]
#
# Each job runs in an R process of its own, because the peak of a process never falls. Two figures:
#   total  growth of the peak resident size of the process (VmHWM of /proc/self/status) by the call,
#          over its resident size before, divided by the size of the data
#   copies what of this grows with the data: the difference of the growths with 50 and with 10
#          columns, divided by the difference of the sizes of the data. Vectors of the solver, with
#          one number for each row, are not in it.
# The fit is a support vector machine with one linear kernel on two classes that are far apart, with
# 1 MB for kernel matrices: a few dozen support vectors, few iterations. The resident size includes
# the packed rows that kernels are computed from, and what R has not yet collected.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

n <- if (quick) 20000 else 100000

resident_mb <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Classes differ in the first column.
wide_data <- function(rows, columns) {
  set.seed(1)
  names <- paste0("x", seq_len(columns))
  data <- as.data.frame(lapply(stats::setNames(names, names), function(name) stats::rnorm(rows)))
  data$x1 <- data$x1 + rep(c(-6, 6), length.out = rows)
  data$y <- factor(rep(c("a", "b"), length.out = rows))
  data
}

fit_wide <- function(data) {
  mkl(y ~ ., data, learner = learner_svm(), kernels = kernel_linear(),
      control = mkl_control(memory = 2^20, threads = 1))
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  job <- bench_args[worker + 1]
  data <- wide_data(n, as.integer(bench_args[worker + 2]))
  # The packages are loaded and compiled, and the heap has its usual size.
  small <- fit_wide(data[seq_len(1000), ])
  invisible(predict(small, data[seq_len(10), ]))
  gc(FALSE)
  before <- resident_mb("VmRSS")
  if (job == "fit") fit_wide(data) else predict(small, data)
  cat(resident_mb("VmHWM") - before, "\n")
  quit(status = 0)
}

growth <- function(job, columns, library) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), if (quick) "--quick", "--worker", job, columns), stdout = TRUE,
    env = if (!is.null(library)) paste0("R_LIBS=", shQuote(library)) else character()
  )
  as.numeric(out[length(out)])
}

size_mb <- function(columns) 8 * n * columns / 2^20

measure <- function(label, library = NULL, bar = NA) {
  for (job in c("fit", "predict")) {
    wide <- growth(job, 50, library)
    narrow <- growth(job, 10, library)
    figure(sprintf("%s, %s: total", label, job), wide / size_mb(50), at_most = TRUE, unit = "x")
    copies <- (wide - narrow) / (size_mb(50) - size_mb(10))
    figure(sprintf("%s, %s: copies", label, job), copies, bar, at_most = TRUE, unit = "x")
  }
}

describe_run()
header(sprintf("Peak memory on %d rows and 50 columns, as multiples of the data", n))
peer <- match("--peer", bench_args)
if (!is.na(peer)) measure("other version", bench_args[peer + 1])
measure("this version", bar = 2)

finish()
