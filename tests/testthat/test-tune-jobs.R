# Which points are fitted to which rows.

exact <- mkl_control(tol = 1e-9)
d <- hard_rows(90, 4)
splits <- with_seed(1, resample_splits(resample_cv(3), d$y))
measures <- c("accuracy", "auc", "support")

tune_here <- function(..., x = d$x, y = d$y, resamples = splits) {
  set.seed(7)
  tune_mkl(x, y, ..., resamples = resamples, metrics = measures)
}

test_that("nested tuning chooses within each outer training part", {
  outer <- with_seed(3, resample_splits(resample_cv(3), d$y))
  folds <- rep(1:3, 30)
  grid <- list(cost = c(0.01, 10))
  tuned <- tune_here(learner = learner_svm(), grid = grid, resamples = resample_folds(folds),
                     outer = outer, control = exact)
  expect_identical(nrow(tuned$outer$results), 3L)
  for (k in 1:3) {
    rows <- outer[[k]]$train
    inner <- tune_mkl(d$x[rows, ], d$y[rows], learner = learner_svm(), grid = grid,
                      folds = folds[rows], metrics = measures, control = exact)
    expect_identical(tuned$outer$results$point[k], inner$best$point)
    expect_identical(tuned$outer$results$cost[k], inner$best$cost)
    fit <- refit(inner)
    test <- outer[[k]]$test
    expect_identical(tuned$outer$results$accuracy[k], mean(predict(fit, d$x[test, ]) == d$y[test]))
  }
  expect_equal(tuned$outer$summary$mean[1], mean(tuned$outer$results$accuracy))
  # altered outer test rows change no choice
  altered <- d$x
  altered[outer[[2]]$test, ] <- -9 * altered[outer[[2]]$test, ]
  other <- tune_here(x = altered, learner = learner_svm(), grid = grid, control = exact,
                     resamples = resample_folds(folds), outer = outer[2])
  expect_identical(other$outer$results$point, tuned$outer$results$point[2])
  expect_mkl_error(tune_here(learner = learner_svm(), grid = grid, outer = resample_cv(2)),
                   "given splits", "resamples")
  # copies of a row stay on one side of an inner split
  set.seed(1)
  boot <- tune_mkl(d$x, d$y, grid = grid, folds = 3, outer = resample_bootstrap(2))
  expect_identical(nrow(boot$outer$results), 2L)
})

test_that("halving ends with the best on all rows", {
  grid <- list(cost = 10^seq(-3, 3, length.out = 9))
  set.seed(5)
  tuned <- tune_here(x = d$x, y = d$y, learner = learner_svm(), grid = grid, search = "halving",
                     eta = 3, control = exact)
  # 60 training rows: 20 and 60
  expect_identical(sort(unique(tuned$results$share)), c(1 / 3, 1))
  expect_identical(unique(tuned$results$n_train), c(20L, 60L))
  first <- tuned$results[tuned$results$share < 1, ]
  means <- tapply(first$accuracy, first$point, mean)
  chosen <- sort(as.integer(names(means))[utils::head(order(-means), 3)])
  expect_identical(sort(unique(tuned$results$point[tuned$results$share == 1])), chosen)
  expect_true(tuned$best$point %in% chosen)
  expect_true(all(best(tuned, n = 9)$point %in% chosen))
  full <- tune_here(learner = learner_svm(), grid = list(cost = grid$cost[chosen]), control = exact)
  expect_equal(tuned$summary$auc[chosen], full$summary$auc)
})

test_that("all points of a split draw the same random numbers", {
  # two ways to write the same kernels, which are fitted one after the other
  sets <- list(kernel_rbf(c(1, 2)), kernel_rbf(c(1, 2), normalize = "none"))
  tuned <- tune_here(learner = learner_mkboost("S2", trials = 4), grid = list(kernels = sets))
  columns <- c("id", measures)
  expect_identical(tuned$results[1:3, columns], tuned$results[4:6, columns], ignore_attr = TRUE)
})
