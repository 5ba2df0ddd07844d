# Runs the R tests on the installed package and writes "<passed> <failed>" to a file:
#   Rscript tools/run-tests.R <directory of the tests> <file for the counts> [filter]
# A failed expectation and an error outside of one count alike. tools/test calls this.

args <- commandArgs(TRUE)
filter <- if (length(args) > 2 && nzchar(args[3])) args[3] else NULL
files <- testthat::find_test_scripts(args[1], filter = filter)
if (length(files) == 0) {
  cat("no test file matches\n")
  writeLines("0 0", args[2])
  quit(status = 0)
}

results <- testthat::test_dir(
  args[1],
  filter = filter, package = "multikernel", load_package = "installed",
  reporter = "check", stop_on_failure = FALSE
)
counts <- as.data.frame(results)
passed <- sum(counts$passed)
failed <- sum(counts$failed) + sum(counts$error)
slow <- utils::head(counts[order(-counts$real), ], 3)
cat("slowest:", sprintf("%s (%.1f s)", slow$test, slow$real), sep = "\n  ")
writeLines(paste(passed, failed), args[2])
