# Points that the core fits and measures in one call, against fits and predictions one by one.

measured_alone <- function(x, y, split, metrics, kernels, learner, ...) {
  rows <- split$train
  fit <- mkl(x[rows, , drop = FALSE], if (!is.null(y)) y[rows], kernels = kernels,
             learner = learner, ...)
  new <- x[split$test, , drop = FALSE]
  types <- if (fit$task == "regression") "response" else c("class", "decision")
  if (fit$probability) types <- c(types, "prob")
  prediction <- lapply(stats::setNames(types, types), function(type) predict(fit, new, type = type))
  prediction$support <- length(support(fit)) / length(rows)
  prediction$classes <- fit$classes
  truth <- if (is.null(y)) rep(TRUE, length(split$test)) else y[split$test]
  compute_metrics(truth, prediction, metrics)
}

# The largest difference between tune_mkl() and fits one by one, over points, splits and measures.
difference <- function(x, y, learner, grid, metrics, maker = NULL, ..., tol = 1e-7) {
  control <- mkl_control(tol = tol)
  splits <- with_seed(1, resample_splits(resample_cv(3), y, n = nrow(x)))
  ns <- asNamespace("multikernel")
  in_full <- function(...) stop("This needs fits in full.")
  tuned <- with_function("evaluate_group", in_full, tune_mkl(
    x, y, learner = learner, grid = grid, kernels = maker, resamples = splits,
    metrics = metrics, control = control, ...
  ))
  own <- intersect(names(grid), names(learner$parameters))
  worst <- 0
  for (i in seq_len(nrow(tuned$results))) {
    line <- tuned$results[i, ]
    kernels <- do.call(maker, as.list(line[intersect(names(grid), names(formals(maker)))]))
    split <- splits[[match(line$id, vapply(splits, function(s) s$id, ""))]]
    alone <- measured_alone(x, y, split, metrics, kernels,
                            ns$change_learner(learner, as.list(line[own])), control = control, ...)
    expect_identical(is.na(unlist(line[metrics])), is.na(alone[metrics]))
    worst <- max(worst, abs(unlist(line[metrics]) - alone[metrics]), na.rm = TRUE)
  }
  worst
}

widths <- function(sigma) kernel_rbf(sigma)
grid <- list(sigma = c(1, 3), cost = c(0.5, 5, 50))
counted <- c("accuracy", "error", "balanced_accuracy", "f1", "sensitivity", "specificity",
             "precision", "recall", "mcc", "kappa", "support")

test_that("two classes: measures are those of fits and predictions one by one", {
  d <- hard_rows(90, 4)
  expect_lt(difference(d$x, d$y, learner_svm(), grid, counted, widths), 1e-12)
  expect_lt(
    difference(d$x, d$y, learner_svm(), grid, c("accuracy", "auc", "pr_auc"), widths), 1e-12
  )
  # coarser, where products of the kernel matrix follow from each other
  expect_lt(
    difference(d$x, d$y, learner_svm(), grid, c("accuracy", "auc"), widths, tol = 1e-5), 0.01
  )
  sums <- function(sigma) c(kernel_rbf(sigma), kernel_linear())
  few <- list(sigma = c(1, 3), cost = 5)
  expect_lt(difference(d$x, d$y, learner_average(), few, counted, sums), 1e-12)
  expect_lt(difference(d$x, d$y, learner_svm(loss = "squared_hinge"), few, counted, widths), 1e-12)
  expect_lt(difference(d$x, d$y, learner_svm(), few, counted, widths, class_weights = "balanced"),
            1e-12)
})

test_that("several classes, numbers and one class", {
  # no two rows are the same: support vectors are unique
  x <- as.matrix(iris[1:4]) + 0.01 * sin(seq_len(600))
  for (multiclass in c("one_vs_one", "one_vs_rest")) {
    expect_lt(difference(x, iris$Species, learner_svm(), grid, c(counted, "auc_rest"), widths,
                         multiclass = multiclass), 1e-12)
    expect_lt(difference(x, iris$Species, learner_svm(), grid, counted, widths,
                         multiclass = multiclass), 1e-12)
  }
  x <- as.matrix(mtcars[-1])
  expect_lt(difference(x, mtcars$mpg, learner_svm(), grid, c("rmse", "mae", "r2"), widths), 1e-4)
  x <- hard_rows(60, 3)$x
  few <- list(sigma = c(1, 3), nu = c(0.1, 0.4))
  expect_lt(difference(x, NULL, learner_svm(), few, c("accuracy", "support"), widths), 1e-12)
})

test_that("outcomes are those of fits in full: learners, probabilities, predictions", {
  d <- hard_rows(90, 4)
  in_full <- function(chosen, groups, ...) vector("list", length(groups))
  same <- function(learner, ..., metrics = c("accuracy", "auc", "support")) {
    run <- function() {
      set.seed(5)
      tune_mkl(d$x, d$y, learner = learner, ..., folds = 3, metrics = metrics, predictions = TRUE)
    }
    quick <- run()
    slow <- with_function("score_groups", in_full, run())
    shown <- setdiff(names(quick$results), "fit_time")
    expect_equal(quick$results[shown], slow$results[shown], tolerance = 1e-14)
    expect_equal(quick$predictions, slow$predictions, tolerance = 1e-12)
  }
  two <- c(kernel_rbf(2), kernel_linear())
  same(learner_svm(), kernels = widths, grid = list(sigma = c(1, 3), cost = c(1, 5)),
       metrics = c("brier", "log_loss", "accuracy"))
  same(learner_simplemkl(), kernels = two, grid = list(cost = c(1, 5)))
  same(learner_komd(), kernels = kernel_rbf(2), grid = list(lambda = c(0.1, 0.5)))
  same(learner_mkboost(trials = 5), kernels = two, grid = list(sampling = c(0.3, 0.5)))
  same(learner_multik_mhks(), kernels = two, grid = list(c = c(0.1, 1)))
  same(learner_easymkl(), kernels = two, grid = list(lambda = c(0.1, 0.5)))
})

test_that("classes that a training part lacks, missing values and missing responses", {
  x <- as.matrix(iris[1:4])
  y <- iris$Species
  folds <- rep(1:3, each = 50) # each test part has the class that its training part lacks
  run <- function(metrics) {
    tune_mkl(x, y, learner = learner_svm(), kernels = kernel_rbf(2), grid = list(cost = c(1, 9)),
             folds = folds, metrics = metrics)$results
  }
  # a measure of its own takes the way through R
  mine <- mkl_metric(function(truth, estimate) mean(truth == estimate))
  slow <- run(mkl_metrics("balanced_accuracy", "mcc", "kappa", "f1", "support", mine = mine))
  quick <- run(c("balanced_accuracy", "mcc", "kappa", "f1", "support"))
  same <- c("balanced_accuracy", "mcc", "kappa", "f1", "support")
  expect_equal(quick[same], slow[same], tolerance = 1e-14)
  d <- hard_rows(60, 3)
  d$x[c(3, 20), 2] <- NA
  d$y[c(5, 40)] <- NA
  run <- function(metrics) {
    tune_mkl(d$x, d$y, learner = learner_svm(), kernels = kernel_rbf(2), folds = rep(1:3, 20),
             grid = list(cost = c(1, 9)), metrics = metrics, na.action = na.omit)$results
  }
  slow <- run(mkl_metrics("accuracy", "mcc", "support", mine = mine))
  expect_equal(run(c("accuracy", "mcc", "support"))[c("accuracy", "mcc", "support")],
               slow[c("accuracy", "mcc", "support")], tolerance = 1e-14)
  expect_equal(slow$accuracy, slow$mine)
})

test_that("a point that fails does not fail its neighbors", {
  d <- hard_rows(60, 3)
  tuned <- suppressWarnings(tune_mkl(
    d$x, d$y, learner = learner_svm(), kernels = function(degree) kernel_polynomial(degree),
    grid = list(degree = c(2, 400), cost = c(1, 2)), folds = 3, metrics = "accuracy"
  ))
  failed <- !is.na(tuned$results$failure)
  expect_identical(failed, tuned$results$degree == 400)
  expect_false(anyNA(tuned$results$accuracy[!failed]))
})

test_that("a loop over e1071 gives the same errors", {
  skip_if_not_installed("e1071")
  d <- hard_rows(120, 4)
  splits <- with_seed(2, resample_splits(resample_cv(4), d$y))
  tuned <- tune_mkl(d$x, d$y, learner = learner_svm(), kernels = widths, grid = grid,
                    resamples = splits, metrics = "error", control = mkl_control(tol = 1e-5))
  for (i in seq_len(nrow(tuned$results))) {
    line <- tuned$results[i, ]
    split <- splits[[match(line$id, vapply(splits, function(s) s$id, ""))]]
    fit <- e1071::svm(d$x[split$train, ], d$y[split$train], gamma = 1 / (2 * line$sigma^2),
                      cost = line$cost, tolerance = 1e-5)
    expect_equal(line$error, mean(predict(fit, d$x[split$test, ]) != d$y[split$test]))
  }
})

test_that("learners that change the kernels are scored by full fits", {
  set.seed(3)
  n <- 90
  x <- cbind(a = rnorm(n), b = runif(n))
  y <- factor(ifelse(x[, 1] + rnorm(n, 0, 0.7) > 0.3, "yes", "no"))
  fold <- rep(1:3, length.out = n)
  for (beta in c(0, 64)) {
    learner <- learner_lb_svm(beta = beta)
    cv <- cv_mkl(x, y, learner = learner, kernels = kernel_rbf(1), resamples = resample_folds(fold),
                 metrics = "accuracy")
    alone <- vapply(1:3, function(i) {
      fit <- mkl(x[fold != i, ], y[fold != i], learner = learner, kernels = kernel_rbf(1))
      mean(predict(fit, x[fold == i, ]) == y[fold == i])
    }, 0)
    expect_equal(cv$results$accuracy, alone)
  }
})
