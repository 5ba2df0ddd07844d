test_that("a tuned learner chooses within the training part alone", {
  d <- droplevels(iris[51:150, ])
  outer <- rep(1:4, 25)
  inner <- rep(1:3, length.out = 100)
  costs <- c(0.01, 1, 100)
  bm <- benchmark_mkl(Species ~ ., list(d = d), list(
    tuned = list(learner_svm(), grid = list(cost = costs), resamples = inner)
  ), resamples = outer, metrics = "accuracy")
  judge <- function(train, test, cost) {
    fit <- mkl(Species ~ ., d[train, ], learner = learner_svm(cost = cost))
    mean(predict(fit, d[test, ]) == d$Species[test])
  }
  for (k in 1:4) {
    train <- which(outer != k)
    means <- vapply(costs, function(cost) {
      mean(vapply(1:3, function(f) {
        judge(train[inner[train] != f], train[inner[train] == f], cost)
      }, 0))
    }, 0)
    best <- costs[which.max(means)]
    expect_identical(bm$results$chosen[k], paste0("cost=", format_number(best)))
    expect_equal(bm$results$accuracy[k], judge(train, which(outer == k), best))
  }
})

test_that("kernels can be tuned, at random, and the seed decides", {
  d <- two_class()$data
  run <- function(seed) {
    benchmark_mkl(class ~ ., list(d = d), list(
      plain = learner_average(),
      tuned = list(learner_svm(), kernels = function(sigma) kernel_rbf(sigma), folds = 3,
                   grid = list(sigma = tune_range(0.5, 8), cost = tune_range(0.1, 100)),
                   search = "random", n = 4)
    ), resamples = resample_cv(3), metrics = c("accuracy", "error"), seed = seed)
  }
  a <- run(1)
  expect_true(all(is.na(a$results$failure)))
  expect_identical(run(1)$results, a$results)
  expect_false(identical(run(2)$results$chosen, a$results$chosen))
  expect_true(all(is.na(a$results$chosen[a$results$learner == "plain"])))
  expect_match(a$results$chosen[a$results$learner == "tuned"], "^sigma=.*, cost=")
  expect_gt(nrow(tidy(a)), 0)
})

test_that("the time of a tuned fit is that of the tuning too", {
  d <- two_class()$data
  bm <- benchmark_mkl(class ~ ., list(d = d), list(
    one = learner_svm(), many = list(learner_svm(), grid = list(cost = 10^(-3:3)), folds = 5)
  ), resamples = resample_holdout(0.5, 2), metrics = "fit_time")
  expect_true(all(bm$results$fit_time >= 0))
  expect_true(all(is.finite(bm$results$fit_time)))
})

test_that("rows with missing values and levels that a part lacks are no errors", {
  d <- two_class()$data
  d$v1[c(3, 17)] <- NA
  d$group <- rep(c("a", "b", "c"), c(29, 30, 1))
  bm <- benchmark_mkl(class ~ ., list(d = d), learner_svm(), resamples = resample_cv(4))
  expect_true(all(is.na(bm$results$failure)))
  text <- transform(d, class = as.character(class))
  same <- benchmark_mkl(class ~ ., list(d = text), learner_svm(), resamples = resample_cv(4),
                        seed = bm$seed)
  expect_equal(same$results, bm$results)
})

test_that("a cell of a benchmark is a split of cv_mkl()", {
  d <- two_class()$data
  folds <- rep(1:4, 15)
  for (learner in list(learner_svm(), learner_easymkl())) {
    cv <- cv_mkl(class ~ poly(v1, 2) + v2, d, learner = learner, folds = folds,
                 metrics = c("accuracy", "auc"))
    bm <- benchmark_mkl(class ~ poly(v1, 2) + v2, list(d = d), learner, resamples = folds,
                        metrics = c("accuracy", "auc"))
    expect_equal(bm$results[c("accuracy", "auc")], cv$results[c("accuracy", "auc")])
  }
})

test_that("bad arguments of a tuning are named before anything runs", {
  d <- list(d = two_class()$data)
  try_entry <- function(...) benchmark_mkl(class ~ ., d, list(list(learner_svm(), ...)))
  expect_snapshot(error = TRUE, {
    try_entry(kernels = function(sigma) kernel_rbf(sigma))
    try_entry(grid = list(costs = 1:2))
    try_entry(grid = list(cost = -1))
    try_entry(grid = list(cost = 1), search = "gird")
    try_entry(grid = list(cost = 1), folds = 1)
    try_entry(grid = list(cost = 1), metrics = "accurcy")
    try_entry(gird = list(cost = 1))
  })
})

test_that("a tuned cell is stored for the measure that it was chosen by", {
  d <- two_class()$data
  directory <- withr::local_tempdir()
  worst <- mkl_metric(function(truth, estimate) mean(truth == estimate), larger = FALSE)
  run <- function(metrics, ...) {
    benchmark_mkl(class ~ ., list(d = d), list(
      plain = learner_svm(), open = list(learner_svm(), grid = list(cost = c(1e-3, 10)), folds = 3),
      own = list(learner_svm(), grid = list(cost = c(1e-3, 10)), folds = 3, metrics = "accuracy")
    ), resamples = resample_holdout(0.5, 2), metrics = metrics, seed = 1, ...)$results
  }
  first <- run("accuracy", directory = directory)
  files <- list.files(directory, "rds$")
  other <- run(list(worst = worst), directory = directory)
  expect_identical(other, run(list(worst = worst)))
  expect_false(identical(other$chosen[3:4], first$chosen[3:4]))
  expect_identical(other$chosen[5:6], first$chosen[5:6])
  # the two cells of `open` alone are new
  expect_length(setdiff(list.files(directory, "rds$"), files), 2L)
  run(c("accuracy", "auc"), directory = directory)
  expect_length(list.files(directory, "rds$"), length(files) + 2L)
})

test_that("seeds of splits are the same in every version", {
  # the first 28 bits of sha256sum of the lines
  expect_identical(text_seed("splits", 1L, "flowers"), 0x31fe7ebL)
  expect_identical(text_seed("splits", 1L, "gr\u00f6\u00dfe"), 0xb47472dL)
})
