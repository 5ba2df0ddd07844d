# Packages that caret loads warn on machines without a time zone.
need_caret <- function() suppressWarnings(skip_if_not_installed("caret"))

test_that("the method describes its parameters", {
  method <- caret_mkl("svm", grid = list(cost = c(1, 10), normalize = c("none", "trace")))
  expect_identical(method$parameters$parameter, c("cost", "normalize"))
  expect_identical(method$parameters$class, c("numeric", "character"))
  expect_identical(unname(method$type), c("Classification", "Regression"))
  expect_identical(unname(caret_mkl("mkboost")$type), "Classification")
  expect_identical(caret_mkl("easymkl")$parameters$parameter, "lambda")
  expect_identical(nrow(caret_mkl("svm", grid = list())$grid(len = 4)), 1L)
})

test_that("grids have as many values as asked for", {
  grid <- caret_mkl("svm", grid = list(cost = 10^(0:4), epsilon = tune_range(0.01, 1)))$grid
  expect_identical(unique(grid(len = 3)$cost), c(1, 100, 10000))
  expect_equal(unique(grid(len = 3)$epsilon), c(0.01, 0.1, 1))
  expect_identical(nrow(grid(len = 9)), 45L)
  expect_identical(unique(grid(len = 1)$cost), 100)
  set.seed(1)
  drawn <- grid(len = 50, search = "random")
  expect_true(all(drawn$cost %in% 10^(0:4)) && all(drawn$epsilon >= 0.01 & drawn$epsilon <= 1))
  expect_gt(nrow(drawn), 40)
  sorted <- caret_mkl("svm")$sort(data.frame(cost = c(10, 1, 100)))
  expect_identical(sorted$cost, c(1, 10, 100))
})

test_that("train() finds the point that the direct computation finds", {
  need_caret()
  d <- two_class(80)
  folds <- list(a = 1:50, b = c(1:20, 51:80))
  control <- caret::trainControl("cv", number = 2, index = folds)
  method <- caret_mkl(
    learner_svm(), kernels = function(sigma) kernel_rbf(sigma), scale = FALSE,
    grid = list(sigma = c(0.5, 4), cost = c(0.05, 5))
  )
  set.seed(1)
  fit <- caret::train(class ~ ., d$data, method = method, trControl = control, tuneLength = 2)
  accuracy <- function(sigma, cost) {
    mean(vapply(folds, function(train) {
      one <- mkl(class ~ ., d$data[train, ], learner = learner_svm(cost = cost), scale = FALSE,
                 kernels = kernel_rbf(sigma))
      mean(predict(one, d$data[-train, ]) == d$y[-train])
    }, 0))
  }
  expect_equal(fit$results$Accuracy, mapply(accuracy, fit$results$sigma, fit$results$cost))
  best <- fit$bestTune
  direct <- mkl(class ~ ., d$data, learner = learner_svm(cost = best$cost), scale = FALSE,
                kernels = kernel_rbf(best$sigma))
  expect_identical(bare(predict(fit, d$data)), bare(predict(direct, d$data)))
  expect_identical(as.character(fit$finalModel$call[[1]]), "mkl")
})

test_that("probabilities, several classes, weights and regression", {
  need_caret()
  data <- three_class()
  control <- caret::trainControl("none", classProbs = TRUE)
  weights <- rep(c(1, 3), 45)
  set.seed(3)
  fit <- caret::train(
    data[1:4], data$Species, method = caret_mkl("average", grid = list(cost = 2)),
    trControl = control, tuneGrid = data.frame(cost = 2), weights = weights
  )
  prob <- predict(fit, data, type = "prob")
  expect_named(prob, levels(data$Species))
  expect_equal(rowSums(prob), rep(1, 90), ignore_attr = TRUE)
  direct <- mkl(data[1:4], data$Species, learner = learner_average(cost = 2), weights = weights)
  expect_identical(bare(predict(fit, data)), bare(predict(direct, data)))
  expect_identical(fit$finalModel$models[[1]]$state, direct$models[[1]]$state)
  d <- numbers()
  fit <- caret::train(
    d$x, d$y, method = caret_mkl("svm", grid = list(), kernels = kernel_linear()),
    trControl = caret::trainControl("none")
  )
  direct <- mkl(d$x, d$y, kernels = kernel_linear())
  expect_identical(unname(predict(fit, d$x)), predict(direct, d$x))
})

test_that("no argument overrides what is tuned", {
  method <- caret_mkl("svm", grid = list(cost = c(1, 100)), epsilon = 0.3)
  fit <- function(...) {
    method$fit(iris[1:4], iris$Species, NULL, data.frame(cost = 100), levels(iris$Species), TRUE,
               FALSE, ...)
  }
  expect_identical(learner_of(fit()), learner_svm(cost = 100, epsilon = 0.3))
  expect_mkl_error(fit(cost = 3), "parameter of `grid`", "cost")
  expect_mkl_error(fit(task = "regression"), "from the response", "task")
  maker <- caret_mkl("svm", kernels = function(sigma) kernel_rbf(sigma), grid = list(sigma = 1))
  expect_mkl_error(
    maker$fit(iris[1:4], iris$Species, NULL, data.frame(sigma = 1), levels(iris$Species), TRUE,
              FALSE, kernels = kernel_linear()),
    "cannot be fixed", "kernels"
  )
})

test_that("mistakes are told when the method is made", {
  expect_mkl_error(caret_mkl("svmm"), "Did you mean \"svm\"", "learner")
  expect_snapshot(error = TRUE, {
    caret_mkl("svm", grid = list(costs = 1))
    caret_mkl("svm", grid = list(kernels = kernel_linear()))
    caret_mkl("svm", grid = list(cost = NA))
    caret_mkl("svm", kernels = function(sigma) kernel_rbf(sigma), grid = list(cost = 1))
    caret_mkl("svm", scales = FALSE)
    caret_mkl("svm", cost = 3)
    caret_mkl("svm", weights = 1:150)
    caret_mkl("svm", probability = TRUE)
    caret_mkl("lmkl", grid = 3)
  })
})
