# Data and controls of the tests that compare with other solvers. Random numbers are drawn
# inside, and the generator of the session is put back.

with_seed <- function(seed, code) {
  old <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit({
    if (is.null(old)) rm(".Random.seed", envir = globalenv())
    else assign(".Random.seed", old, envir = globalenv())
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  code
}

# What the compiled entries take as `control`.
core <- function(tol = 1e-3, max_iter = 1e8, threads = 1L, memory = 2^31, simd = "auto",
                 shrinking = TRUE, seed = 1) {
  list(tol = tol, max_iter = max_iter, threads = threads, memory = memory, verbose = FALSE,
       simd = simd, shrinking = shrinking, seed = seed)
}

# A learner of the core with one parameter set, and what fit_cpp() gives for it.
one_point <- function(name, parameters) list(name = name, points = list(parameters))
fit_point <- function(...) {
  out <- multikernel:::fit_cpp(...)
  out[c("models", "decision")] <- lapply(out[c("models", "decision")], `[[`, 1)
  out
}

spam_rows <- function(n, seed = 1) {
  spam <- NULL
  utils::data("spam", package = "kernlab", envir = environment())
  rows <- if (n < nrow(spam)) with_seed(seed, sample(nrow(spam), n)) else seq_len(n)
  x <- scale(as.matrix(spam[rows, -58]))
  x[, attr(x, "scaled:scale") == 0] <- 0
  list(x = matrix(x, n), y = spam$type[rows])
}

sonar_rows <- function(rows = 1:208) {
  Sonar <- NULL
  utils::data("Sonar", package = "mlbench", envir = environment())
  list(x = unname(scale(as.matrix(Sonar[rows, 1:60]))), y = Sonar$Class[rows])
}

# Two overlapping classes with noise in the labels: many bounded support vectors.
hard_rows <- function(n, p = 10, seed = 1) {
  with_seed(seed, {
    x <- matrix(rnorm(n * p), n)
    f <- sin(2 * x[, 1]) + x[, 2] * x[, 3] + 0.7 * rnorm(n)
    list(x = x, y = factor(ifelse(f > 0, "b", "a")))
  })
}

signs <- function(y) ifelse(as.integer(y) == 2L, 1, -1)

# The levels of vector instructions of this machine.
simd_levels <- function() setdiff(multikernel:::simd_cpp(), "auto")

# The fields of a fit that must not depend on the clock or on computational settings.
essence <- function(fit) {
  fit$models <- lapply(fit$models, function(model) {
    model$report$seconds <- NULL
    model
  })
  unclass(fit)[c("models", "normalizers", "kept", "decision", "train", "kernels", "seed")]
}

# Runs lines of R in a fresh process that has the same package; the value of the last one. `before`:
# what its shell is told first, such as a limit or where the messages go.
run_fresh <- function(lines, timeout = 60, before = NULL) {
  script <- tempfile(fileext = ".R")
  out <- tempfile(fileext = ".rds")
  on.exit(unlink(c(script, out)))
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    sprintf("library(multikernel, lib.loc = %s)", deparse(dirname(find.package("multikernel")))),
    "value <- {", lines, "}", sprintf("saveRDS(value, %s)", deparse(out))
  ), script)
  program <- file.path(R.home("bin"), "Rscript")
  arguments <- c("--vanilla", shQuote(script))
  if (!is.null(before)) {
    command <- paste(c(paste0(before, "; exec"), shQuote(program), arguments), collapse = " ")
    program <- "sh"
    arguments <- c("-c", shQuote(command))
  }
  status <- suppressWarnings(system2(
    program, arguments, stdout = FALSE, stderr = FALSE, timeout = timeout
  ))
  if (status != 0 || !file.exists(out)) return(structure(list(status = status), class = "failed"))
  readRDS(out)
}

# A second process loads the installed package: not under load_all() and not under coverage.
on_cran <- function() !isTRUE(as.logical(Sys.getenv("NOT_CRAN", "false")))

skip_unless_installed <- function() {
  skip_on_cran()
  skip_if(Sys.getenv("R_COVR") != "", "coverage run")
  skip_if(!file.exists(file.path(find.package("multikernel"), "Meta")), "package not installed")
}
