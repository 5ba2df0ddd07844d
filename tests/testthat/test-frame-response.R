# The regression response is standardized inside: no result depends on its units.

regression_learners <- function() {
  Filter(function(stem) "regression" %in% get(paste0("learner_", stem))()$tasks, learner_names())
}

# Two informative columns, one without effect, in units far from 1.
measured <- function(n = 60) {
  set.seed(4)
  x <- cbind(a = rnorm(n), b = rnorm(n), c = rnorm(n))
  data.frame(x, y = 400 + 25 * (sin(2 * x[, 1]) + x[, 2]^2 / 2 + rnorm(n, sd = 0.2)))
}

test_that("predictions are the same in all units of the response, for every learner", {
  data <- measured()
  new <- measured(80)[61:80, ]
  kernels <- kernel_set(kernel_rbf(c(1, 3)), kernel_linear())
  expect_gt(length(regression_learners()), 10)
  for (stem in regression_learners()) {
    learner <- get(paste0("learner_", stem))()
    own <- if (stem == "svm") kernel_rbf(1.5) else kernels
    predicted <- function(times, plus, ...) {
      data$y <- data$y * times + plus
      set.seed(1)
      fit <- suppressWarnings(mkl(y ~ ., data, learner = learner, kernels = own, ...))
      expect_equal(fitted(fit), predict(fit, data), tolerance = 1e-8)
      (predict(fit, new) - plus) / times
    }
    usual <- predicted(1, 0)
    spread <- sd(data$y)
    for (unit in list(c(1e-3, 0), c(1e3, 0), c(1, 1e6), c(-2, 5))) {
      # within the tolerance of the solver for a reflected response, whose steps differ
      bound <- if (unit[1] < 0) 0.05 else 1e-6
      expect_lt(max(abs(predicted(unit[1], unit[2]) - usual)) / spread, bound, label = stem)
    }
  }
})

test_that("a standardized fit is that of a response which was standardized by hand", {
  data <- measured()
  fit <- mkl(y ~ ., data, control = mkl_control(tol = 1e-6))
  by_hand <- transform(data, y = (y - mean(y)) / sd(y))
  peer <- mkl(y ~ ., by_hand, scale_response = FALSE, control = mkl_control(tol = 1e-6))
  expect_null(peer$response_scaling)
  expect_equal(predict(fit, data), predict(peer, data) * sd(data$y) + mean(data$y))
  expect_equal(predict(fit, data, type = "decision"), predict(fit, data))
  expect_equal(objective(fit), objective(peer))
  expect_output(print(fit), "on the standardized response")
  expect_false(any(grepl("standardized", capture.output(print(peer)))))
  # without it, `epsilon` is in the units of the response: nothing lies outside of a tube of 1000
  flat <- mkl(y ~ ., data, learner = learner_svm(epsilon = 1000), scale_response = FALSE)
  expect_length(support(flat), 0)
})

test_that("the same tube and cost as in e1071 give the same predictions", {
  skip_if_not_installed("e1071")
  data <- measured()
  fit <- mkl(y ~ ., data, learner = learner_svm(cost = 2, epsilon = 0.2),
             kernels = kernel_rbf(gamma = 1 / 3), control = mkl_control(tol = 1e-6))
  peer <- e1071::svm(y ~ ., data, cost = 2, epsilon = 0.2, gamma = 1 / 3, tolerance = 1e-6)
  expect_equal(unname(predict(fit, data)), unname(predict(peer, data)), tolerance = 1e-6)
})

test_that("only the training part of a split is used", {
  data <- measured()
  fold <- rep(1:3, 20)
  data$y[fold == 1] <- data$y[fold == 1] + 300
  cv <- cv_mkl(y ~ ., data, folds = fold, metrics = "rmse", predictions = TRUE)
  for (k in 1:3) {
    alone <- mkl(y ~ ., data[fold != k, ])
    found <- cv$predictions[cv$predictions$row %in% which(fold == k), ]
    expect_equal(found$estimate, unname(predict(alone, data[found$row, ])))
  }
})

test_that("resampling, tuning and benchmarks do not depend on the units", {
  data <- measured()
  big <- transform(data, y = y * 1e3)
  fold <- rep(1:3, 20)
  rmse <- function(data) cv_mkl(y ~ ., data, folds = fold, metrics = "rmse")$summary$mean
  expect_equal(rmse(big), 1e3 * rmse(data), tolerance = 1e-6)
  tuned <- function(data) {
    tune_mkl(y ~ ., data, learner = "svm", grid = list(cost = c(0.1, 10), scale_response = TRUE),
             folds = fold, metrics = "rmse")$summary
  }
  expect_equal(tuned(big)$rmse, 1e3 * tuned(data)$rmse, tolerance = 1e-6)
  compared <- function(data) {
    benchmark_mkl(y ~ ., data, "svm", resamples = resample_folds(fold), metrics = "rmse")$summary
  }
  expect_equal(compared(big)$mean, 1e3 * compared(data)$mean, tolerance = 1e-6)
})

test_that("parsnip, mlr3 and caret standardize too, and can be told not to", {
  data <- measured()
  fit <- mkl(y ~ ., data)
  plain <- mkl(y ~ ., data, scale_response = FALSE)
  if (requireNamespace("parsnip", quietly = TRUE)) {
    spec <- multi_kernel("regression")
    expect_equal(predict(parsnip::fit(spec, y ~ ., data), data)$.pred, unname(fitted(fit)))
    spec <- parsnip::set_engine(spec, "multikernel", scale_response = FALSE)
    expect_equal(predict(parsnip::fit(spec, y ~ ., data), data)$.pred, unname(fitted(plain)))
  }
  if (requireNamespace("mlr3", quietly = TRUE)) {
    task <- mlr3::as_task_regr(data, target = "y")
    response <- function(...) {
      mlr3::lrn("regr.multikernel", ...)$train(task)$predict(task)$response
    }
    expect_equal(unname(response()), unname(fitted(fit)))
    expect_equal(unname(response(scale_response = FALSE)), unname(fitted(plain)))
  }
  if (requireNamespace("caret", quietly = TRUE)) {
    trained <- caret::train(data[1:3], data$y, method = caret_mkl(grid = list()),
                            trControl = caret::trainControl("none"))
    expect_equal(unname(predict(trained, data[1:3])), unname(fitted(fit)))
  }
})

test_that("rows of weight 0 have no say in the scale of the response", {
  data <- measured()
  odd <- rbind(data, transform(data[1, ], y = -99999))
  fit <- mkl(y ~ ., odd, weights = rep(1:0, c(60, 1)), scale = FALSE, kernels = kernel_rbf(2))
  peer <- mkl(y ~ ., data, scale = FALSE, kernels = kernel_rbf(2))
  expect_equal(fit$response_scaling, peer$response_scaling)
  expect_equal(predict(fit, data), predict(peer, data), tolerance = 1e-6)
})

test_that("a constant response is predicted as it is", {
  data <- transform(measured(), y = 1e6 + 1 / 3)
  fit <- mkl(y ~ ., data)
  expect_equal(unname(predict(fit, data)), data$y, tolerance = 1e-12)
  expect_true(converged(fit))
})

test_that("missing responses keep their place in fitted values, in the units of the response", {
  data <- measured()
  data$y[3] <- NA
  fit <- mkl(y ~ ., data, na.action = na.exclude)
  expect_true(is.na(fitted(fit)[3]))
  expect_equal(mean(fitted(fit), na.rm = TRUE), mean(data$y, na.rm = TRUE), tolerance = 0.05)
})

test_that("plots of a regression are in the units of the response", {
  data <- measured()
  fit <- suppressWarnings(lmkl(y ~ a + b, data, iterations = 5))
  expect_gt(min(plot_plane(fit, data, NULL, 10L)$decision), 300)
})

test_that("values that cannot be standardized, and flags that are none, are errors", {
  data <- measured()
  expect_error(mkl(y ~ ., data, scale_response = NA), class = "multikernel_argument_error")
  data$y <- c(-1.7e308, rep(1.7e308, 59))
  expect_error(mkl(y ~ ., data), class = "multikernel_response_error")
})

test_that("the defaults predict no worse than those of e1071, in any unit", {
  skip_if_not_installed("e1071")
  skip_if_not_installed("MASS")
  sets <- list(
    list(medv ~ ., MASS::Boston), list(Ozone ~ ., na.omit(airquality)), list(mpg ~ ., mtcars)
  )
  for (set in sets) {
    data <- set[[2]]
    name <- as.character(set[[1]][[2]])
    data[[name]] <- 1000 * data[[name]]
    fold <- rep_len(c(2, 5, 1, 4, 3), nrow(data))
    rmse <- function(fit) {
      wrong <- lapply(1:5, function(k) {
        new <- data[fold == k, ]
        predict(fit(set[[1]], data[fold != k, ]), new) - new[[name]]
      })
      sqrt(mean(unlist(wrong)^2))
    }
    expect_lt(rmse(mkl), 1.03 * rmse(e1071::svm), label = name)
  }
})
