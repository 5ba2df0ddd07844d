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

test_that("an outer fit that fails is recorded, and the others go on", {
  # a kernel that fails on the training part of the second outer split, which has 70 rows
  moody <- kernel_function(function(x, z) {
    if (nrow(x) == 70) stop("not today")
    tcrossprod(x, z)
  })
  expect_warning(
    tuned <- tune_mkl(d$x, d$y, grid = list(cost = c(1, 10)), kernels = moody, folds = 3,
                      outer = rep(1:3, c(30, 20, 40)), predictions = TRUE),
    "1 fit of 9 failed", class = "multikernel_failed_fits"
  )
  expect_identical(is.na(tuned$outer$results$failure), c(TRUE, FALSE, TRUE))
  expect_match(tuned$outer$results$failure[2], "not today")
  expect_identical(is.na(tuned$outer$results$accuracy), c(FALSE, TRUE, FALSE))
  expect_identical(tuned$outer$summary$n, c(2L, 2L))
  expect_identical(unique(augment(tuned, outer = TRUE)$id), c("fold1", "fold3"))
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
  expect_true(all(best_params(tuned, n = 9)$point %in% chosen))
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

test_that("a measure that is not defined on a split does not count as a failure", {
  sizes <- function(truth, estimate) if (length(truth) == 20) NaN else mean(truth == estimate)
  fold <- rep(1:4, c(20, 20, 25, 25))[order(sin(1:90))]
  tuned <- tune_mkl(d$x, d$y, grid = list(cost = c(1e-3, 10)), folds = fold,
                    metrics = list(sizes = sizes))
  expect_identical(sum(is.na(tuned$results$sizes)), 4L)
  expect_true(all(is.na(tuned$results$failure)))
  expect_identical(tuned$best$point, which.max(tuned$summary$sizes))
  expect_identical(best_params(tuned)$point, tuned$best$point)
})

test_that("the number of rounds does not depend on rounding errors", {
  shares <- function(eta, count, rows) {
    jobs <- list(list(splits = list(list(train = seq_len(rows)))))
    multikernel:::halving_shares("halving", eta, count, jobs)
  }
  # log(125, 5) is more than 3 and log(243, 3) less than 5
  expect_equal(shares(5, 125, 20 * 5^4), 5^-(2:0))
  expect_equal(shares(3, 1e6, 20 * 243), 3^-(5:0))
  expect_identical(shares(3, 1, 1000), 1)
  expect_identical(shares(3, 27, 30), 1)
})

test_that("halving keeps rare classes in its small rounds", {
  y <- factor(rep(c("a", "b", "c"), c(150, 3, 1)))
  source <- list(task = "classification", frame = list(y = y))
  set.seed(1)
  for (i in 1:20) {
    rows <- multikernel:::thin_rows(seq_along(y), source, 1 / 9)
    expect_identical(anyDuplicated(rows), 0L)
    expect_true(all(tabulate(y[rows]) >= c(16, 2, 1)))
  }
  x <- cbind(sin(1:200), cos(3 * 1:200))
  rare <- factor(ifelse(seq_len(200) %% 40 == 0, "yes", "no"))
  for (seed in 1:5) {
    set.seed(seed)
    expect_no_warning(
      tuned <- tune_mkl(x, rare, grid = list(cost = 10^(-4:4)), folds = 2, search = "halving")
    )
    expect_gt(length(unique(tuned$results$share)), 1L)
  }
})
