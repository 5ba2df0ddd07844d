# What all learners on columns share; each of them has a file of its own.
skip_if_not_installed("MASS")
skip_if_not_installed("class")

both <- function() list(learner_lda(), learner_knn(3))

test_that("cross-validation, tuning and benchmarks take them like any other learner", {
  data <- three_class()
  for (learner in both()) {
    cv <- cv_mkl(Species ~ ., data, learner = learner, folds = 3, predictions = TRUE)
    expect_gt(cv$summary$mean[1], 0.85)
    expect_identical(nrow(cv$predictions), nrow(data))
  }
  tuned <- tune_mkl(Species ~ ., data, learner = learner_knn(), grid = list(k = c(1, 5)), folds = 3)
  alone <- with_seed(1, cv_mkl(Species ~ ., data, learner = learner_knn(5), folds = 3))
  expect_true(tuned$best$k %in% c(1, 5))
  expect_s3_class(alone, "mkl_cv")
  bench <- benchmark_mkl(
    list(iris = Species ~ .), data = list(iris = data),
    learners = list(lda = learner_lda(), knn = learner_knn(3), svm = learner_svm()),
    resamples = resample_cv(3)
  )
  expect_false(anyNA(tidy(bench)$estimate))
})

test_that("fits are drawn where there is something to draw", {
  two <- droplevels(iris[51:150, 3:5])
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  for (learner in both()) {
    fit <- mkl(Species ~ ., two, learner = learner)
    expect_no_error(plot(fit, data = two))
    if (nrow(fit$train)) expect_no_error(plot(fit)) else {
      expect_mkl_error(plot(fit), "keeps no rows", "data")
    }
    expect_mkl_error(plot(fit, "weights"), "no kernels", "what")
    expect_mkl_error(
      plot(mkl(Species ~ ., iris, learner = learner), "weights"), "no kernels", "what"
    )
    skip_if_not_installed("ggplot2")
    expect_no_error(print(autoplot(fit, data = two)))
    expect_mkl_error(autoplot(fit, "weights"), "no kernels", "what")
  }
})

test_that("tidiers work", {
  for (learner in both()) {
    fit <- mkl(Species ~ ., iris, learner = learner)
    expect_identical(nrow(tidy(fit)), 0L)
    expect_identical(glance(fit)$kernels, 0L)
    expect_true(glance(fit)$converged)
    table <- augment(fit, iris[1:4, ])
    expect_identical(table$.fitted, bare(predict(fit, iris[1:4, ])))
    expect_equal(rowSums(table[paste0(".prob_", levels(iris$Species))]), rep(1, 4),
                 ignore_attr = TRUE)
  }
})

test_that("levels without rows have probability 0", {
  part <- iris[1:100, ]
  for (learner in both()) {
    p <- predict(mkl(Species ~ ., part, learner = learner), part[1:3, ], type = "prob")
    expect_identical(colnames(p), levels(iris$Species))
    expect_equal(unname(p[, 3]), rep(0, 3))
  }
})

test_that("a learner names the package that it lacks", {
  learner <- learner_lda()
  learner$package <- "no.such.package"
  expect_mkl_error(
    mkl(Species ~ ., iris, learner = learner), "needs the package no.such.package",
    class = "multikernel_missing_package"
  )
})
