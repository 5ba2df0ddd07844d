# Cross-validation against fits and predictions by hand.

test_that("results are those of mkl() and predict() on the same rows", {
  d <- two_class(60)
  fold <- rep(1:4, 15)
  learner <- learner_average(cost = 3)
  cv <- cv_mkl(class ~ ., d$data, learner = learner, resamples = resample_folds(fold),
               metrics = c("accuracy", "auc", "support"), predictions = TRUE)
  for (f in 1:4) {
    fit <- mkl(class ~ ., d$data[fold != f, ], learner = learner)
    new <- d$data[fold == f, ]
    own <- cv$predictions[cv$predictions$id == paste0("fold", f), ]
    expect_identical(own$row, which(fold == f))
    expect_identical(own$truth, new$class)
    expect_identical(own$estimate, bare(predict(fit, new)))
    # sums over the training rows in another order
    expect_equal(own$decision, bare(predict(fit, new, type = "decision")), tolerance = 1e-12)
    expect_identical(cv$results$accuracy[f], mean(predict(fit, new) == new$class))
    expect_identical(cv$results$support[f], length(support(fit)) / 45)
  }
  expect_identical(cv$results$n_train, rep(45L, 4))
  expect_identical(cv$results$n_test, rep(15L, 4))
  expect_equal(cv$summary$mean[1], mean(cv$results$accuracy))
  expect_equal(cv$summary$se[1], stats::sd(cv$results$accuracy) / 2)
  expect_named(cv$results, c("id", "repeat", "fold", "accuracy", "auc", "support", "n_train",
                             "n_test", "fit_time", "converged"))
})

test_that("every form of the data gives the same", {
  d <- two_class(60)
  fold <- rep(1:3, 20)
  run <- function(...) cv_mkl(..., folds = fold, predictions = TRUE)$predictions$decision
  kernels <- c(kernel_rbf(2), kernel_linear())
  learner <- learner_average()
  by_formula <- run(class ~ ., d$data, kernels = kernels, learner = learner)
  expect_identical(run(d$x, d$y, kernels = kernels, learner = learner), by_formula)
  expect_identical(run(as.data.frame(d$x), d$y, kernels = kernels, learner = learner), by_formula)
  expect_identical(run(d$x, y = as.integer(d$y) - 1L, kernels = kernels, learner = learner),
                   by_formula)
  v1 <- d$x[, 1]
  v2 <- d$x[, 2]
  v3 <- d$x[, 3]
  class <- d$y
  expect_identical(run(class ~ v1 + v2 + v3, kernels = kernels, learner = learner), by_formula)
})

test_that("kernel matrices are cut to the rows of each part", {
  d <- two_class(60)
  k <- list(a = gauss(d$x, d$x, 2), b = tcrossprod(d$x))
  fold <- rep(1:3, 20)
  learner <- learner_average(cost = 2)
  exact <- mkl_control(tol = 1e-9)
  for (normalize in c("trace", "cosine", "center")) {
    cv <- cv_mkl(k, d$y, folds = fold, learner = learner, predictions = TRUE,
                 normalize = normalize, control = exact)
    mixed <- cv_mkl(class ~ precomputed(k$a) + linear(.), d$data, folds = fold, learner = learner,
                    predictions = TRUE, normalize = normalize, scale = FALSE, control = exact)
    for (f in 1:3) {
      train <- which(fold != f)
      test <- which(fold == f)
      fit <- mkl(lapply(k, function(m) m[train, train]), d$y[train], learner = learner,
                 normalize = normalize, control = exact)
      new <- lapply(k, function(m) structure(m[test, train], diagonal = diag(m)[test]))
      expected <- predict(fit, new, type = "decision")
      id <- paste0("fold", f)
      expect_equal(cv$predictions$decision[cv$predictions$id == id], expected)
      expect_equal(mixed$predictions$decision[mixed$predictions$id == id], expected,
                   tolerance = 1e-6)
    }
  }
})

test_that("several classes, probabilities, regression, one class", {
  data <- three_class()
  set.seed(1)
  cv <- cv_mkl(Species ~ ., data, folds = 3, metrics = c("accuracy", "log_loss", "brier", "auc"),
               predictions = TRUE)
  p <- as.matrix(cv$predictions[paste0("prob.", levels(data$Species))])
  expect_equal(rowSums(p), rep(1, 90))
  truth <- cv$predictions$truth
  own <- p[cbind(1:90, as.integer(truth))]
  expect_equal(tapply(-log(own), cv$predictions$id, mean), cv$results$log_loss,
               ignore_attr = TRUE)
  d <- numbers()
  cv <- cv_mkl(d$x, d$y, folds = 5, predictions = TRUE)
  expect_identical(cv$summary$metric, c("rmse", "mae"))
  expect_equal(
    tapply((cv$predictions$truth - cv$predictions$estimate)^2, cv$predictions$id, mean),
    cv$results$rmse^2, ignore_attr = TRUE
  )
  cv <- cv_mkl(d$x, folds = 5, learner = learner_svm(nu = 0.2), predictions = TRUE)
  expect_equal(cv$results$accuracy, tapply(cv$predictions$estimate, cv$predictions$id, mean),
               ignore_attr = TRUE)
  expect_identical(cv$task, "one_class")
})

test_that("rows with missing values are left out of the training and get no prediction", {
  d <- two_class(60)$data
  d$v1[c(3, 40)] <- NA
  d$class[7] <- NA
  fold <- rep(1:3, 20)
  cv <- cv_mkl(class ~ ., d, folds = fold, predictions = TRUE)
  expect_identical(cv$results$n_train, c(39L, 37L, 38L)) # rows 3, 7, 40 are in folds 3, 1, 1
  expect_true(all(is.na(cv$predictions$estimate) == (cv$predictions$row %in% c(3, 40))))
  expect_error(cv_mkl(class ~ ., d, folds = fold, na.action = na.fail), "missing",
               class = "multikernel_error")
})

test_that("weights of rows go with their rows", {
  d <- two_class(60)
  w <- rep(c(1, 0.5, 2), 20)
  fold <- rep(1:4, 15)
  cv <- cv_mkl(d$x, d$y, folds = fold, weights = w, predictions = TRUE, class_weights = "balanced")
  train <- fold != 2
  fit <- mkl(d$x[train, ], d$y[train], weights = w[train], class_weights = "balanced")
  expect_identical(cv$predictions$decision[cv$predictions$id == "fold2"],
                   predict(fit, d$x[!train, ], type = "decision"))
})

test_that("a bootstrap trains on repeated rows", {
  d <- two_class(40)
  set.seed(4)
  splits <- resample_splits(resample_bootstrap(2), d$y)
  cv <- cv_mkl(d$x, d$y, resamples = splits, predictions = TRUE, learner = learner_svm(cost = 2))
  train <- splits[[1]]$train
  fit <- mkl(d$x[train, ], d$y[train], learner = learner_svm(cost = 2))
  expect_identical(cv$predictions$decision[cv$predictions$id == splits[[1]]$id],
                   predict(fit, d$x[splits[[1]]$test, ], type = "decision"))
})

test_that("set.seed() governs splits and stochastic learners", {
  d <- two_class(60)
  run <- function(seed) {
    set.seed(seed)
    cv_mkl(d$x, d$y, learner = learner_mkboost(trials = 5), folds = 3)$results$auc
  }
  expect_identical(run(1), run(1))
  expect_false(identical(run(1), run(2)))
})

test_that("fits that stop early are counted in one warning", {
  d <- hard_rows(60, 4)
  expect_warning(
    cv <- cv_mkl(d$x, d$y, folds = 3, control = mkl_control(max_iter = 2)), "3 fits of 3",
    class = "multikernel_not_converged"
  )
  expect_identical(cv$results$converged, rep(FALSE, 3))
})

test_that("it prints, and bad arguments are refused in words", {
  set.seed(1)
  cv <- cv_mkl(Species ~ ., iris, folds = 5, repeats = 2)
  cv$results$fit_time <- 0.01
  expect_snapshot(print(cv))
  expect_snapshot(error = TRUE, {
    cv_mkl()
    cv_mkl(sum)
    cv_mkl(Species ~ ., iris, learner = learner_svm)
    cv_mkl(Species ~ ., iris, fold = 5)
    cv_mkl(Species ~ ., iris, folds = 1)
    cv_mkl(Species ~ ., iris, folds = 200)
    cv_mkl(Species ~ ., iris, resamples = "cv")
    cv_mkl(Species ~ ., iris, metrics = "rmse")
    cv_mkl(Species ~ ., iris, metrics = "acc")
    cv_mkl(Species ~ ., iris, 5, 6)
    cv_mkl(Species ~ ., iris, scale = FALSE, scale = TRUE)
    cv_mkl(as.matrix(iris[1:4]), iris$Species[1:9])
    cv_mkl(mpg ~ ., mtcars, learner = learner_mkboost())
  })
})

test_that("label-based kernels learn their labels from the training part alone", {
  d <- two_class(60)
  fold <- rep(1:3, 20)
  k <- list(a = gauss(d$x, d$x, 2), b = gauss(d$x, d$x, 1))
  by_columns <- cv_mkl(d$x, d$y, folds = fold, learner = learner_average(), predictions = TRUE,
                       kernels = kernel_label_based(kernel_rbf(c(1, 2)), beta = 4))
  by_matrices <- cv_mkl(k, d$y, folds = fold, learner = learner_lbmkl(beta = 4),
                        predictions = TRUE)
  for (f in 1:3) {
    train <- which(fold != f)
    test <- which(fold == f)
    fit <- mkl(d$x[train, ], d$y[train], learner = learner_average(),
               kernels = kernel_label_based(kernel_rbf(c(1, 2)), beta = 4))
    own <- by_columns$predictions$id == paste0("fold", f)
    expect_identical(by_columns$predictions$decision[own],
                     predict(fit, d$x[test, ], type = "decision"))
    fit <- mkl(lapply(k, function(m) m[train, train]), d$y[train],
               learner = learner_lbmkl(beta = 4))
    new <- lapply(k, function(m) structure(m[test, train], diagonal = diag(m)[test]))
    expect_equal(by_matrices$predictions$decision[own], predict(fit, new, type = "decision"))
  }
})

test_that("a training part with one class is named", {
  y <- factor(rep(c("a", "b"), c(9, 1)))
  expect_mkl_error(
    cv_mkl(cbind(1:10), y, folds = rep(1:2, 5)), "split \"fold2\".*two classes", "y",
    class = "multikernel_response_error"
  )
})

test_that("arguments without effect are refused", {
  run <- function(...) cv_mkl(Species ~ ., iris, ...)
  expect_mkl_error(run(resamples = resample_cv(3), folds = 5), "no effect", "folds")
  expect_mkl_error(run(resamples = resample_cv(3), repeats = 2), "no effect", "repeats")
  expect_mkl_error(run(folds = rep(1:3, 50), repeats = 2), "no effect", "repeats")
  expect_mkl_error(
    tune_mkl(Species ~ ., iris, grid = list(cost = 1), resamples = resample_cv(3), folds = 5),
    "no effect", "folds"
  )
  expect_mkl_error(benchmark_mkl(Species ~ ., list(d = iris), list(
    list(learner_svm(), grid = list(cost = 1), resamples = resample_cv(3), repeats = 5)
  )), "no effect", "repeats")
})
