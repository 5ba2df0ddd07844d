# What is left of interrupted work: no thread, no memory, no busy worker.

skip_on_os(c("windows", "mac", "solaris"))
skip_unless_installed()

# In a second process: `interrupted(expr, after)` evaluates a long computation, which gets SIGINT
# `after` seconds into it, and says how it ended and how long it took to do so.
helpers <- c(
  "interrupted <- function(expr, after) {",
  "  system(sprintf('(sleep %g; kill -INT %d)', after, Sys.getpid()), wait = FALSE)",
  "  started <- proc.time()[['elapsed']]",
  "  how <- tryCatch({ expr; 'finished' }, interrupt = function(e) 'interrupted',",
  "                  error = function(e) conditionMessage(e))",
  "  list(how = how, late = proc.time()[['elapsed']] - started - after)",
  "}",
  "threads <- function() length(list.files('/proc/self/task'))",
  "resident <- function() {",
  "  line <- grep('^VmRSS', readLines('/proc/self/status'), value = TRUE)",
  "  as.numeric(gsub('[^0-9]', '', line)) / 1024",
  "}"
)

test_that("interrupted eigendecompositions leave neither threads nor memory", {
  for (threads in 1:2) {
    out <- run_fresh(c(
      helpers, "set.seed(1)", "x <- matrix(rnorm(3000 * 5), 3000)",
      sprintf("control <- mkl_control(threads = %d)", threads),
      "invisible(empirical_map(kernel_rbf(1), x[1:400, ], control = control))",
      "job <- function() interrupted(empirical_map(kernel_rbf(1), x, control = control), 1)",
      "first <- job()", "invisible(gc())", "before <- c(threads(), resident())",
      "others <- list(job(), job())", "invisible(gc())", "after <- c(threads(), resident())",
      "used <- proc.time()", "Sys.sleep(0.5)", "used <- (proc.time() - used)[1:2]",
      "list(jobs = c(list(first), others), before = before, after = after, used = sum(used))"
    ))
    for (job in out$jobs) {
      expect_identical(job$how, "interrupted")
      expect_lt(job$late, 1)
    }
    expect_lte(out$after[1], out$before[1])
    expect_lt(out$after[2], out$before[2] + 40) # megabytes; a matrix has 72
    expect_lt(out$used, 0.25) # seconds of processor time while nothing is asked for
  }
})

# Workers are busy with fits of many seconds when their master is interrupted.
expect_free_workers <- function(plan) {
  out <- run_fresh(c(
    helpers, plan,
    "set.seed(1)", "x <- matrix(rnorm(2000 * 10), 2000)",
    "y <- factor(ifelse(rnorm(2000) > 0, 'a', 'b'))",
    "small <- function() system.time(cv_mkl(iris[, 1:4], iris[, 5]))[['elapsed']]",
    "pids <- function() {",
    "  futures <- lapply(1:2, function(i) future::future({ Sys.sleep(0.3); Sys.getpid() }))",
    "  sort(vapply(futures, future::value, 1L))",
    "}",
    "small()", "usual <- small()", "workers <- pids()",
    "job <- interrupted(tune_mkl(x, y, learner = learner_svm(), kernels = kernel_rbf(4),",
    "  grid = list(cost = c(1e4, 1e5)), control = mkl_control(tol = 1e-9)), 2)",
    "list(job = job, usual = usual, after = small(), workers = workers, still = pids())"
  ), timeout = 100)
  expect_identical(out$job$how, "interrupted")
  expect_lt(out$job$late, 1.5)
  expect_lt(out$after, out$usual + 1)
  invisible(out)
}

test_that("workers are free after an interrupt", {
  skip_if_not_installed("future")
  out <- expect_free_workers("future::plan(future::multisession, workers = 2)")
  expect_identical(out$still, out$workers) # the same processes
  expect_free_workers("future::plan(future::multicore, workers = 2)")
})

test_that("an error of one task stops the others", {
  skip_if_not_installed("future")
  out <- run_fresh(c(
    "future::plan(future::multisession, workers = 2)",
    "set.seed(1)", "x <- matrix(rnorm(2000 * 10), 2000)",
    "y <- factor(ifelse(rnorm(2000) > 0, 'a', 'b'))",
    "work <- function(task, x, y) {",
    "  if (task == 1) { Sys.sleep(1); stop('no such luck') }",
    "  mkl(x, y, kernels = kernel_rbf(4), learner = learner_svm(1e5),",
    "      control = mkl_control(tol = 1e-9))",
    "}",
    "text <- tryCatch(multikernel:::map_tasks(1:2, work, x = x, y = y),",
    "                 error = function(e) conditionMessage(e))",
    "time <- system.time({",
    "  futures <- lapply(1:2, function(i) future::future({ Sys.sleep(0.3); 1 }))",
    "  lapply(futures, future::value)",
    "})[['elapsed']]",
    "list(text = text, time = time)"
  ))
  expect_identical(out$text, "no such luck")
  expect_lt(out$time, 3)
})
