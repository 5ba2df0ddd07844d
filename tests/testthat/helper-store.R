# For tests of what a benchmark does when its directory lets it down.

# Replaces a function of the package while `code` runs.
with_function <- function(name, value, code) {
  namespace <- asNamespace("multikernel")
  old <- get(name, namespace)
  put <- function(value) {
    unlockBinding(name, namespace)
    assign(name, value, envir = namespace)
    lockBinding(name, namespace)
  }
  on.exit(put(old))
  put(value)
  code
}

# list(value, warnings)
with_warnings <- function(code) {
  warnings <- list()
  value <- withCallingHandlers(code, warning = function(w) {
    warnings <<- c(warnings, list(w))
    invokeRestart("muffleWarning")
  })
  list(value = value, warnings = warnings)
}

expect_one_warning <- function(out, class, pattern = NULL) {
  testthat::expect_length(out$warnings, 1L)
  if (length(out$warnings) == 0L) return(invisible())
  testthat::expect_s3_class(out$warnings[[1L]], class)
  if (!is.null(pattern)) testthat::expect_match(conditionMessage(out$warnings[[1L]]), pattern)
}

# Six cells with stored predictions.
stored_run <- function(..., learners = list(svm = learner_svm(), average = learner_average())) {
  benchmark_mkl(
    y ~ ., list(d = stale_data()), learners, resamples = resample_cv(3), metrics = "accuracy", ...
  )
}

flip_bit <- function(file, bit) {
  bytes <- readBin(file, "raw", file.size(file))
  at <- (bit - 1) %/% 8 + 1
  bytes[at] <- xor(bytes[at], as.raw(2^((bit - 1) %% 8)))
  writeBin(bytes, file)
}
