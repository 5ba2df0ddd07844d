# Shared by the bench scripts: timing, the data sets, the table of results.
#
#   Rscript tools/bench/svm.R [--quick]
#
# Times are the smallest of several repeats, so that other work on the machine disturbs them least;
# a ratio compares two times of one run. Peers are given what they need to be at their best.

suppressPackageStartupMessages(library(multikernel))

bench_args <- commandArgs(TRUE)
quick <- "--quick" %in% bench_args

# ---- timing --------------------------------------------------------------------------------------

# Smallest time of `repeats` runs of a function without arguments. The clock ticks in milliseconds:
# a job of less than 50 ms is timed in groups, and short jobs are repeated until about a second is
# spent. `what`: CPU time (user + system) or time on the clock.
time_of <- function(job, repeats = 3, what = c("cpu", "elapsed"), most = 20) {
  what <- match.arg(what)
  one <- function(times = 1) {
    gc(FALSE)
    t <- system.time(for (i in seq_len(times)) job(), gcFirst = FALSE)
    (if (what == "cpu") sum(t[c("user.self", "sys.self")]) else t[["elapsed"]]) / times
  }
  first <- one()
  group <- if (first >= 0.05) 1 else min(50, ceiling(0.05 / max(first, 1e-3)))
  times <- if (group == 1) first else one(group)
  while (length(times) < repeats || (sum(times) * group < 1 && length(times) < most)) {
    if (quick && length(times) >= 2) break
    if (sum(times) * group > 60) break
    times <- c(times, one(group))
  }
  max(min(times), 1e-6)
}

# time_of() for job(data) in an R process of its own, with no package but those that `job` names:
# what one package leaves behind is not for the other to pay. With kernlab loaded a collection of
# R takes three times as long, and memory that was given back has to be asked for anew.
time_alone <- function(job, data, what = c("cpu", "elapsed")) {
  environment(job) <- globalenv()
  parcel <- tempfile(fileext = ".rds")
  on.exit(unlink(parcel))
  saveRDS(
    list(job = job, data = data, time_of = time_of, what = match.arg(what), quick = quick,
         paths = .libPaths()),
    parcel
  )
  script <- paste(
    "parcel <- readRDS(commandArgs(TRUE))", ".libPaths(parcel$paths)", "quick <- parcel$quick",
    "job <- function() parcel$job(parcel$data)", "invisible(job())", # loads what it needs
    "seconds <- parcel$time_of(job, what = parcel$what)",
    "cat(format(seconds, digits = 15))",
    sep = "; "
  )
  rscript <- file.path(R.home("bin"), "Rscript")
  said <- system2(rscript, c("--vanilla", "-e", shQuote(script), shQuote(parcel)), stdout = TRUE)
  seconds <- suppressWarnings(as.double(said))
  if (length(seconds) != 1 || is.na(seconds)) stop("the process of its own said: ", toString(said))
  seconds
}

# Peak resident size of this process in MB; NA where the system does not tell.
peak_mb <- function() {
  status <- tryCatch(suppressWarnings(readLines("/proc/self/status")), error = function(e) "")
  line <- grep("^VmHWM:", status, value = TRUE)
  if (length(line) == 0) return(NA_real_)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# ---- table ---------------------------------------------------------------------------------------

bench_rows <- new.env()
bench_rows$verdicts <- character()

header <- function(title, note = NULL) {
  cat("\n", title, "\n", sep = "")
  if (!is.null(note)) cat(strwrap(note, 98, prefix = "  "), sep = "\n")
  cat(sprintf("%-46s %10s %10s %8s %6s  %s\n", "", "ours", "peer", "ratio", "bar", ""))
}

# One line: our time, the peer's, their ratio, the ratio asked for (NA: none is).
row <- function(label, ours, peer, bar = NA, extra = "") {
  ratio <- peer / ours
  verdict <- if (is.na(bar)) "" else if (ratio >= bar) "ok" else "below"
  cat(sprintf(
    "%-46s %9.4fs %9.4fs %7.1fx %6s  %-5s %s\n", label, ours, peer, ratio,
    if (is.na(bar)) "-" else paste0(format(bar), "x"), verdict, extra
  ))
  remember(verdict)
  invisible(ratio)
}

# A line for a figure that must not be exceeded (an error, a size) or reached (a mean ratio).
figure <- function(label, value, bar = NA, at_most = FALSE, unit = "") {
  verdict <- if (is.na(bar)) "" else if ((at_most && value <= bar) || (!at_most && value >= bar)) {
    "ok"
  } else {
    "below"
  }
  if (at_most && verdict == "below") verdict <- "above"
  cat(sprintf(
    "%-46s %21s %8s %6s  %s\n", label, "", paste0(format(value, digits = 3), unit),
    if (is.na(bar)) "-" else paste0(format(bar), unit), verdict
  ))
  remember(verdict)
  invisible(value)
}

remember <- function(verdict) bench_rows$verdicts <- c(bench_rows$verdicts, verdict)

finish <- function() {
  missed <- sum(bench_rows$verdicts %in% c("below", "above"))
  cat(sprintf("\n%d of %d bars reached\n", sum(bench_rows$verdicts == "ok"),
              sum(bench_rows$verdicts == "ok") + missed))
  quit(status = as.integer(missed > 0))
}

geometric_mean <- function(x) exp(mean(log(x)))

describe_run <- function() {
  cat(sprintf(
    "multikernel %s, R %s.%s, instruction sets: %s%s\n", utils::packageVersion("multikernel"),
    R.version$major, R.version$minor, paste(multikernel:::simd_cpp(), collapse = ", "),
    if (quick) ", quick run: fewer cases and repeats, not for the record" else ""
  ))
}

# ---- data ----------------------------------------------------------------------------------------

# Two classes, features z-scored, the first `n` of a fixed shuffle.
spam_data <- function(n) {
  spam <- NULL
  utils::data("spam", package = "kernlab", envir = environment())
  set.seed(1)
  rows <- sample(nrow(spam))[seq_len(n)]
  x <- scale(as.matrix(spam[rows, 1:57]))
  x[is.na(x)] <- 0 # a column without variance in a small sample
  attr(x, "scaled:center") <- attr(x, "scaled:scale") <- NULL
  list(x = unname(x), y = spam$type[rows], gamma = 1 / 57)
}

# A wavy chessboard in two of ten dimensions, tilted by a third, 15 % of the labels wrong: most rows
# end up as support vectors and a high cost makes the solver work long.
hard_data <- function(n) {
  set.seed(2)
  x <- matrix(rnorm(n * 10), n)
  side <- sin(2 * x[, 1]) * sin(2 * x[, 2]) + 0.3 * x[, 3] > 0
  wrong <- runif(n) < 0.15
  list(x = x, y = factor(ifelse(side != wrong, "in", "out")), gamma = 0.1)
}

# Numeric features of a given size and a rule to learn.
plain_data <- function(n, d) {
  set.seed(3)
  x <- matrix(runif(n * d), n)
  list(x = x, y = factor(ifelse(rowSums(x[, 1:3]) + rnorm(n, sd = 0.2) > 1.5, "a", "b")))
}

# kernel_matrix() of one kernel, as a matrix.
gram_of <- function(kernels, ...) {
  k <- kernel_matrix(kernels, ...)
  if (is.list(k)) k[[1]] else k
}

# M kernels: Gaussian ones of 8 widths and a linear one on all columns, and the rest on random
# groups of columns, so that a few matter and most do not.
some_kernels <- function(count, p) {
  set.seed(4)
  groups <- lapply(seq_len(count), function(m) sort(sample(p, sample(2:5, 1))))
  all_columns <- c(kernel_rbf(sigma = sqrt(p) * 2^seq(-2, 2, length.out = 8)), kernel_linear())
  single <- lapply(groups, function(g) kernel_rbf(sigma = sqrt(length(g)), on = g))
  do.call(c, c(list(all_columns), single))[seq_len(count)]
}
