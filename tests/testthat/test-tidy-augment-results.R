# Measures of each split, computed from the rows of augment() alone.
accuracy_by <- function(out, by) {
  vapply(split(out, by), function(part) mean(part$.fitted == part$.truth), 0)
}

test_that("augment() of a cross-validation gives the predictions that were measured", {
  set.seed(3)
  cv <- cv_mkl(
    Species ~ ., iris, learner = learner_svm(cost = 5), folds = 4, repeats = 2,
    metrics = c("accuracy", "log_loss"), predictions = TRUE
  )
  out <- augment(cv)
  expect_identical(nrow(out), 300L)
  expect_identical(out$.truth, iris$Species[out$row])
  expect_equal(unname(accuracy_by(out, factor(out$id, cv$results$id))), cv$results$accuracy)
  expect_equal(
    unname(c(tapply(out$.correct, factor(out$id, cv$results$id), mean))), cv$results$accuracy
  )
  chance <- as.matrix(out[paste0(".prob_", levels(iris$Species))])
  loss <- -log(chance[cbind(seq_len(300), as.integer(out$.truth))])
  expect_equal(unname(c(tapply(loss, factor(out$id, cv$results$id), mean))), cv$results$log_loss)
  expect_identical(unique(out[c("id", "repeat", "fold")])$fold, cv$results$fold)
  # each row once in each repeat
  expect_true(all(table(out$row, out[["repeat"]]) == 1L))

  # a split by hand: the same rows, the same fit
  one <- out[out$id == cv$results$id[3L], ]
  fit <- mkl(Species ~ ., iris[-one$row, ], learner = learner_svm(cost = 5))
  expect_identical(one$.fitted, bare(predict(fit, iris[one$row, ])))
  decision <- predict(fit, iris[one$row, ], type = "decision")
  expect_equal(
    unname(as.matrix(one[paste0(".decision_", colnames(decision))])), unname(decision),
    tolerance = 1e-8
  )
})

test_that("columns of the data come with their rows", {
  set.seed(1)
  cv <- cv_mkl(mpg ~ wt + hp, mtcars, folds = 4, metrics = "rmse", predictions = TRUE)
  out <- augment(cv, mtcars)
  expect_identical(out$wt, mtcars$wt[out$row])
  expect_equal(out$.resid, out$mpg - out$.fitted)
  expect_equal(
    unname(c(tapply(out$.resid, out$fold, function(r) sqrt(mean(r^2))))), cv$results$rmse
  )
  expect_identical(augment(cv, as.matrix(mtcars))$wt, out$wt)
  wide <- mtcars
  wide$list <- lapply(seq_len(32), seq_len)
  wide$matrix <- cbind(a = 1:32, b = 32:1)
  wide$frame <- mtcars[1:2]
  out <- augment(cv, wide)
  expect_identical(out$list, wide$list[out$row])
  expect_identical(out$matrix, wide$matrix[out$row, ])
  expect_identical(out$frame, wide$frame[out$row, ])
  expect_identical(dim(out[1:3, ]), c(3L, ncol(augment(cv, mtcars)) + 3L))
  expect_snapshot(error = TRUE, {
    augment(cv, mtcars[-1, ])
    augment(cv, 1:32)
    augment(cv, cbind(mtcars, fold = 1))
    augment(cv, rows = mtcars)
    augment(cv_mkl(mpg ~ wt + hp, mtcars, folds = 4))
  })
})

test_that("augment() of a tuning gives the best point, another one, or the outer splits", {
  set.seed(2)
  d <- two_class()$data
  tuned <- tune_mkl(
    class ~ ., d, grid = list(cost = c(0.01, 1, 100)), folds = 3, metrics = "accuracy",
    outer = resample_cv(3), predictions = TRUE
  )
  for (point in 1:3) {
    out <- augment(tuned, point = point)
    own <- tuned$results[tuned$results$point == point, ]
    expect_equal(unname(accuracy_by(out, factor(out$id, own$id))), own$accuracy)
    expect_true(all(out$cost == own$cost[1L]) && all(out$point == point))
  }
  expect_identical(augment(tuned), augment(tuned, point = tuned$best$point))
  out <- augment(tuned, d, outer = TRUE)
  nested <- tuned$outer$results
  expect_equal(unname(accuracy_by(out, factor(out$id, nested$id))), nested$accuracy)
  expect_identical(out$cost, nested$cost[match(out$id, nested$id)])
  expect_identical(out$class, out$.truth)
  expect_identical(sort(out$row), seq_len(nrow(d)))
  # keeping predictions changes nothing else
  set.seed(2)
  plain <- tune_mkl(
    class ~ ., d, grid = list(cost = c(0.01, 1, 100)), folds = 3, metrics = "accuracy",
    outer = resample_cv(3)
  )
  same <- setdiff(names(plain$results), "fit_time")
  expect_identical(plain$results[same], tuned$results[same])
  expect_null(plain$predictions)
  expect_snapshot(error = TRUE, {
    augment(plain)
    augment(tuned, point = 4)
    augment(tuned, point = 1, outer = TRUE)
    augment(tune_mkl(class ~ ., d, grid = list(cost = 1), folds = 3, predictions = TRUE),
            outer = TRUE)
  })
})

test_that("after halving each point has the predictions of its last round", {
  set.seed(4)
  d <- two_class(120)$data
  tuned <- tune_mkl(
    class ~ ., d, grid = list(cost = 10^(-3:2)), folds = 3, search = "halving", eta = 2,
    metrics = "accuracy", predictions = TRUE
  )
  for (point in seq_along(tuned$points)) {
    out <- augment(tuned, point = point)
    own <- tuned$results[tuned$results$point == point, ]
    own <- own[own$share == max(own$share), ]
    expect_equal(unname(accuracy_by(out, factor(out$id, own$id))), own$accuracy)
  }
})

test_that("points and cells that failed have no predictions", {
  set.seed(1)
  bad <- kernel_function(function(x, z) stop("no kernel today"), name = "bad")
  expect_warning(
    tuned <- tune_mkl(
      mpg ~ wt, mtcars, folds = 3, predictions = TRUE,
      grid = list(kernels = list(good = kernel_linear(), bad = bad))
    ), class = "multikernel_failed_fits"
  )
  expect_identical(nrow(augment(tuned)), 32L)
  expect_snapshot(error = TRUE, augment(tuned, point = 2))
  bm <- benchmark_mkl(
    mpg ~ wt, list(cars = mtcars), predictions = TRUE, resamples = resample_cv(2),
    learners = list(fine = learner_svm(), wrong = list(learner_svm(), kernels = bad))
  )
  expect_identical(unique(augment(bm)$learner), "fine")
  only <- benchmark_mkl(
    mpg ~ wt, list(cars = mtcars), predictions = TRUE, resamples = resample_cv(2),
    learners = list(list(learner_svm(), kernels = bad))
  )
  expect_snapshot(error = TRUE, augment(only))
})

test_that("augment() of a benchmark has the predictions of every cell", {
  set.seed(5)
  two <- droplevels(iris[51:150, ])
  directory <- withr::local_tempdir()
  run <- function(...) {
    benchmark_mkl(
      list(flowers = Species ~ ., all = Species ~ ., cars = factor(am) ~ mpg + wt),
      list(flowers = two, all = iris, cars = mtcars),
      list(svm = learner_svm(), tuned = list(learner_svm(), grid = list(cost = 1:2), folds = 2)),
      resamples = resample_cv(2), metrics = "accuracy", directory = directory, seed = 1, ...
    )
  }
  plain <- run()
  expect_snapshot(error = TRUE, augment(plain))
  files <- file.mtime(list.files(directory, full.names = TRUE))
  bm <- run(predictions = TRUE)
  expect_identical(file.mtime(list.files(directory, full.names = TRUE)), files)
  out <- augment(bm)
  cell <- function(x) paste(x$data, x$learner, x$id)
  expect_equal(
    unname(accuracy_by(out, factor(cell(out), cell(bm$results)))), bm$results$accuracy
  )
  expect_type(out$.truth, "character")
  expect_true(all(is.na(out$.decision) == (out$data == "all")))
  expect_identical(out$chosen, bm$results$chosen[match(cell(out), cell(bm$results))])
  part <- augment(bm, tasks = "flowers")
  expect_identical(part$.truth, two$Species[part$row])
  expect_identical(part$.correct, out$.correct[out$data == "flowers"])
  expect_snapshot(error = TRUE, {
    augment(bm, tasks = "flower")
    augment(bm, tasks = 1)
    augment(bm, data = two)
  })
})

test_that("data sets of classes and of numbers are not put into one column", {
  set.seed(6)
  bm <- benchmark_mkl(
    list(classes = factor(am) ~ wt, numbers = mpg ~ wt), list(classes = mtcars, numbers = mtcars),
    learner_svm(), resamples = resample_cv(2), metrics = "fit_time", predictions = TRUE
  )
  expect_snapshot(error = TRUE, augment(bm))
  expect_identical(augment(bm, "numbers")$.truth, mtcars$mpg[augment(bm, "numbers")$row])
})

test_that("one-class results have decision values and no .correct", {
  set.seed(7)
  cv <- cv_mkl(~ ., iris[1:60, 1:4], folds = 3, predictions = TRUE)
  out <- augment(cv)
  expect_identical(out$.fitted, out$.decision >= 0)
  expect_false(".correct" %in% names(out))
  bm <- benchmark_mkl(
    ~ ., list(flowers = iris[1:60, 1:4]), learner_svm(), resamples = resample_cv(3),
    predictions = TRUE
  )
  shares <- tapply(augment(bm)$.fitted, augment(bm)$fold, mean)
  expect_equal(unname(c(shares)), bm$results[[names(bm$metrics)[1L]]])
})
