flowers <- function() droplevels(iris[51:150, ])

small <- function(..., learners = list(learner_svm(), learner_average()), metrics = "accuracy",
                  resamples = resample_cv(3)) {
  benchmark_mkl(
    list(flowers = Species ~ ., cars = factor(am) ~ mpg + wt),
    data = list(cars = mtcars, flowers = flowers()), learners = learners,
    resamples = resamples, metrics = metrics, ...
  )
}

# A benchmark that counts the fits it makes.
counting <- function() {
  list(learner_svm(), kernels = kernel_function(function(x, z) {
    cat("x", file = Sys.getenv("MULTIKERNEL_TEST_COUNT"), append = TRUE)
    tcrossprod(x, z)
  }))
}

test_that("a cell is a fit on the training rows, judged on the test rows", {
  bm <- small(seed = 1)
  expect_identical(nrow(bm$results), 12L)
  expect_true(all(is.na(bm$results$failure)))
  task <- check_tasks(list(flowers = Species ~ .), list(flowers = flowers()))$flowers
  splits <- add_splits(add_response(task, list()), "flowers", resample_cv(3), 1L)$splits
  d <- flowers()
  for (k in 1:3) {
    fit <- mkl(Species ~ ., d[splits[[k]]$train, ])
    test <- d[splits[[k]]$test, ]
    expect_equal(
      bm$results$accuracy[bm$results$data == "flowers" & bm$results$learner == "svm"][k],
      mean(predict(fit, test) == test$Species)
    )
  }
  part <- bm$results[bm$results$data == "cars" & bm$results$learner == "average", ]
  row <- bm$summary[bm$summary$data == "cars" & bm$summary$learner == "average", ]
  expect_equal(row$mean, mean(part$accuracy))
  expect_equal(row$sd, sd(part$accuracy))
  expect_identical(row$n, 3L)
})

test_that("learners see the same splits and do not depend on each other", {
  bm <- small(seed = 3)
  reverse <- small(seed = 3, learners = list(learner_average(), learner_svm()))
  alone <- small(seed = 3, learners = learner_average())
  pick <- function(x) x$results$accuracy[x$results$learner == "average"]
  expect_identical(pick(bm), pick(reverse))
  expect_identical(pick(bm), pick(alone))
})

test_that("set.seed() governs, and the generator moves on by one number", {
  set.seed(1)
  a <- small(learners = learner_random())
  after <- runif(1)
  set.seed(1)
  b <- small(learners = learner_random())
  expect_identical(a$results, b$results)
  set.seed(1)
  small(learners = learner_average())
  expect_identical(runif(1), after)
})

test_that("splits are the same with and without a directory", {
  set.seed(1)
  without <- small(learners = learner_random())
  after <- runif(1)
  set.seed(1)
  with <- small(learners = learner_random(), directory = withr::local_tempdir())
  expect_identical(with$results, without$results)
  expect_identical(with$seed, without$seed)
  expect_identical(runif(1), after)
})

test_that("matrices, data frames and kernel matrices are tasks too", {
  d <- two_class()
  k <- gauss(scale(d$x), scale(d$x), 1)
  run <- function(task, ...) {
    benchmark_mkl(list(one = task), learners = learner_svm(), resamples = rep(1:3, 20),
                  metrics = c("accuracy", "auc"), kernels = NULL, ...)$results
  }
  a <- run(list(x = d$x, y = d$y))
  expect_equal(run(list(x = as.data.frame(d$x), y = d$y)), a)
  by_formula <- benchmark_mkl(
    class ~ ., list(one = d$data), learner_svm(), resamples = rep(1:3, 20),
    metrics = c("accuracy", "auc")
  )
  expect_equal(by_formula$results, a)
  b <- run(list(x = list(K = k), y = d$y))
  expect_true(all(is.na(b$failure)))
  fit <- mkl(list(K = k[-seq(1, 60, 3), -seq(1, 60, 3)]), d$y[-seq(1, 60, 3)])
  expect_equal(
    b$accuracy[1], mean(predict(fit, list(K = k[seq(1, 60, 3), -seq(1, 60, 3)])) ==
                          d$y[seq(1, 60, 3)])
  )
  one <- benchmark_mkl(list(one = ~ v1 + v2), list(one = d$data), learner_svm(),
                       resamples = resample_holdout(0.5, 2), metrics = "accuracy")
  expect_true(all(is.na(one$results$failure)))
})

test_that("regression and probabilities", {
  bm <- benchmark_mkl(mpg ~ ., list(cars = mtcars), list(learner_svm(), learner_svm(cost = 10)),
                      resamples = resample_cv(4))
  expect_identical(unique(bm$summary$metric), c("rmse", "mae"))
  expect_identical(names(bm$learners), c("svm(cost=4)", "svm(cost=10)"))
  p <- small(learners = learner_svm(), metrics = c("log_loss", "accuracy"))
  expect_true(all(is.finite(p$results$log_loss)))
})

test_that("names of learners tell what differs", {
  named <- function(...) names(check_entries(list(...), list()))
  expect_identical(named(learner_svm(), learner_average()), c("svm", "average"))
  expect_identical(named(a = learner_svm(), learner_svm()), c("a", "svm"))
  expect_identical(named(learner_svm(), learner_svm()), c("svm", "svm#1"))
  expect_identical(
    named(learner_svm(), learner_svm(cost = 2), learner_random()),
    c("svm(cost=4)", "svm(cost=2)", "random")
  )
})

test_that("an error in a cell is recorded and the rest goes on", {
  broken <- list(learner_svm(), kernels = kernel_function(function(x, z) stop("no such kernel")))
  bm <- small(learners = list(good = learner_svm(), broken = broken), seed = 1)
  bad <- bm$results$learner == "broken"
  expect_true(all(grepl("no such kernel", bm$results$failure[bad])))
  expect_true(all(is.na(bm$results$failure[!bad])))
  expect_true(all(is.na(bm$results$accuracy[bad])))
  expect_identical(unique(bm$summary$failures[bm$summary$learner == "broken"]), 3L)
  expect_identical(bm$results[!bad, "accuracy"],
                   small(learners = list(good = learner_svm()), seed = 1)$results$accuracy)
})

test_that("warnings are recorded, not shown", {
  expect_no_warning(
    bm <- small(learners = learner_svm(), control = mkl_control(max_iter = 1))
  )
  expect_true(all(grepl("solver stopped", bm$results$warning)))
})

test_that("stored cells are not computed again; changed ones are", {
  dir <- withr::local_tempdir()
  log <- withr::local_tempfile()
  withr::local_envvar(MULTIKERNEL_TEST_COUNT = log)
  fits <- function() {
    n <- if (file.exists(log)) nchar(paste(readLines(log, warn = FALSE), collapse = "")) else 0L
    unlink(log)
    n
  }
  run <- function(..., d = flowers()) {
    benchmark_mkl(Species ~ ., list(flowers = d), ..., resamples = resample_cv(3),
                  directory = dir)
  }
  one <- list(counted = counting())
  first <- run(one)
  each <- fits() / 3
  expect_gt(each, 0)
  expect_identical(run(one)$results, first$results)
  expect_identical(fits(), 0L)
  # more measures come from stored predictions
  expect_identical(run(one, metrics = c("error", "auc"))$results$failure[1], NA_character_)
  expect_identical(fits(), 0L)
  # another learner: its cells alone
  more <- run(c(one, list(other = c(counting(), list(normalize = "trace")))))
  expect_equal(fits(), 3 * each)
  expect_identical(more$results$accuracy[1:3], first$results$accuracy)
  # another parameter, other data
  changed <- list(counted = list(learner_svm(cost = 2), kernels = counting()$kernels))
  run(changed)
  expect_equal(fits(), 3 * each)
  d <- flowers()
  d[1, 1] <- d[1, 1] + 1
  run(one, d = d)
  expect_equal(fits(), 3 * each)
  # a damaged file is one cell
  file <- list.files(dir, "counted.*fold1", full.names = TRUE)[1]
  writeLines("?", file)
  suppressWarnings(run(one))
  expect_lte(fits(), each)
})

test_that("errors are kept until they are asked for again", {
  dir <- withr::local_tempdir()
  flag <- withr::local_tempfile()
  file.create(flag)
  moody <- list(learner_svm(), kernels = kernel_function(function(x, z) {
    if (file.exists(flag)) stop("moody")
    tcrossprod(x, z)
  }))
  run <- function(...) small(learners = list(moody = moody), directory = dir, ...)
  expect_true(all(grepl("moody", run()$results$failure)))
  unlink(flag)
  expect_true(all(grepl("moody", run()$results$failure)))
  expect_true(all(is.na(run(retry = TRUE)$results$failure)))
  expect_true(all(is.na(run()$results$failure)))
})

test_that("a benchmark that was killed goes on where it stopped", {
  skip_on_os("windows")
  skip_unless_installed()
  dir <- withr::local_tempdir()
  count <- withr::local_tempfile()
  flag <- withr::local_tempfile()
  file.create(flag)
  source <- c(
    "d <- droplevels(iris[51:150, ])",
    "slow <- list(learner_svm(), kernels = kernel_function(function(x, z) {",
    "  cat('x', file = Sys.getenv('MULTIKERNEL_TEST_COUNT'), append = TRUE)",
    "  if (file.exists(Sys.getenv('MULTIKERNEL_TEST_FLAG'))) Sys.sleep(0.15)",
    "  tcrossprod(x, z)", "}))",
    "run <- function(dir) benchmark_mkl(Species ~ ., list(flowers = d), list(slow = slow,",
    "  random = learner_random()), resamples = resample_cv(10), directory = dir, seed = 5)"
  )
  child <- start_child(c(
    sprintf("Sys.setenv(MULTIKERNEL_TEST_COUNT = %s, MULTIKERNEL_TEST_FLAG = %s)",
            deparse(count), deparse(flag)),
    source, "say('ready', Sys.getpid())", sprintf("run(%s)", deparse(dir))
  ))
  pid <- as.integer(sub("ready ([0-9]+).*", "\\1", await(child, "ready", 30)[1]))
  cells <- function() list.files(dir, "^flowers-.*rds$")
  deadline <- Sys.time() + 30
  while (length(cells()) < 3L && Sys.time() < deadline) Sys.sleep(0.02)
  tools::pskill(pid, tools::SIGKILL)
  Sys.sleep(0.2)
  stored <- length(cells())
  expect_gte(stored, 3L)
  expect_lt(stored, 10L)

  # The rest of the cells, and no other, is computed here.
  unlink(c(count, flag))
  withr::local_envvar(MULTIKERNEL_TEST_COUNT = count, MULTIKERNEL_TEST_FLAG = flag)
  env <- new.env(parent = asNamespace("multikernel"))
  eval(parse(text = source), env)
  calls <- function() {
    n <- nchar(readLines(count, warn = FALSE))
    unlink(count)
    n
  }
  resumed <- env$run(dir)
  used <- calls()
  whole <- env$run(withr::local_tempdir())
  expect_identical(resumed$results, whole$results)
  expect_equal(10 * used, (10 - stored) * calls())
  unlink(unlist(child))
})

test_that("cells in other processes are the same, and are stored", {
  skip_if_not_installed("future")
  skip_unless_installed()
  here <- small(seed = 9, learners = list(learner_svm(), learner_random()))
  dir <- withr::local_tempdir()
  old <- future::plan(future::multisession, workers = 2)
  withr::defer(future::plan(old))
  there <- small(seed = 9, learners = list(learner_svm(), learner_random()), directory = dir)
  expect_identical(there$results, here$results)
  expect_length(list.files(dir, "fold"), 12L)
})

test_that("a worker that dies in the middle loses nothing of a benchmark", {
  skip_if_not_installed("future")
  skip_on_os("windows")
  skip_unless_installed()
  dir <- withr::local_tempdir()
  flag <- withr::local_tempfile()
  withr::local_envvar(MULTIKERNEL_TEST_FLAG = flag)
  deadly <- list(learner_svm(), kernels = kernel_function(function(x, z) {
    flag <- Sys.getenv("MULTIKERNEL_TEST_FLAG")
    if (nzchar(flag) && !file.exists(flag)) {
      file.create(flag)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    }
    tcrossprod(x, z)
  }))
  run <- function(...) {
    small(seed = 4, learners = list(svm = learner_svm(), deadly = deadly), ...)
  }
  old <- future::plan(future::multisession, workers = 2)
  withr::defer(future::plan(old))
  there <- suppressWarnings(run(directory = dir), classes = "multikernel_worker_lost")
  expect_true(file.exists(flag))
  future::plan(future::sequential)
  expect_identical(there$results, run()$results)
  expect_length(list.files(dir, "fold"), 12L)
})

test_that("a benchmark prints", {
  broken <- list(learner_svm(), kernels = kernel_function(function(x, z) stop("no such kernel")))
  expect_snapshot({
    small(seed = 1, learners = list(svm = learner_svm(), broken = broken))
  })
})

test_that("bad arguments are named", {
  d <- list(flowers = flowers())
  expect_snapshot(error = TRUE, {
    benchmark_mkl(Species ~ ., NULL, learner_svm())
    benchmark_mkl(list(Species ~ .), d, learner_svm())
    benchmark_mkl(list(flower = Species ~ .), d, learner_svm())
    benchmark_mkl(list(a = 1), d, learner_svm())
    benchmark_mkl(3, d, learner_svm())
    benchmark_mkl(list(flowers = Kind ~ .), d, learner_svm())
    benchmark_mkl(Species ~ ., d, list())
    benchmark_mkl(Species ~ ., d, learner_svm)
    benchmark_mkl(Species ~ ., d, list(list(learner_svm(), kernel = kernel_linear())))
    benchmark_mkl(Species ~ ., d, learner_svm(), kernel = kernel_linear())
    benchmark_mkl(Species ~ ., d, learner_svm(), resamples = list(a = resample_cv(2)))
    benchmark_mkl(Species ~ ., d, learner_svm(), resamples = 5)
    benchmark_mkl(Species ~ ., d, learner_svm(), metrics = "acuracy")
    benchmark_mkl(Species ~ ., d, learner_svm(), metrics = "rmse")
    benchmark_mkl(list(a = Species ~ ., b = Sepal.Length ~ .), list(a = d[[1]], b = d[[1]]),
                  learner_svm())
    benchmark_mkl(Species ~ ., d, learner_svm(), seed = -1)
    benchmark_mkl(Species ~ ., d, learner_svm(), retry = NA)
  })
})

test_that("`task` is that of mkl(), not `tasks` in short", {
  set.seed(1)
  bm <- benchmark_mkl(
    am ~ wt, list(cars = mtcars), learner_svm(), resamples = resample_cv(2), task = "regression"
  )
  expect_identical(names(bm$metrics)[1L], "rmse")
  expect_true(all(is.na(bm$results$failure)))
  expect_mkl_error(
    benchmark_mkl(am ~ wt, list(cars = mtcars), learner_svm(), task = "regresion"), "regresion"
  )
})
