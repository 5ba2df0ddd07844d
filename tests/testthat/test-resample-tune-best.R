d <- hard_rows(90, 4)
splits <- with_seed(1, resample_splits(resample_cv(3), d$y))

test_that("best_params() and refit() take the best point, ties the first", {
  tuned <- tune_mkl(d$x, d$y, learner = learner_svm(), grid = list(cost = c(0.01, 1, 1, 50)),
                    resamples = splits, metrics = c("accuracy", "support"))
  means <- tuned$summary$accuracy
  expect_identical(tuned$best$point, which.max(means))
  expect_identical(best_params(tuned)$point, which.max(means))
  expect_identical(best_params(tuned, n = 4)$accuracy, sort(means, decreasing = TRUE))
  expect_identical(best_params(tuned, metric = "support")$point, which.min(tuned$summary$support))
  fit <- refit(tuned)
  direct <- mkl(d$x, d$y, learner = learner_svm(tuned$best$cost))
  expect_identical(essence(fit), essence(direct))
  expect_identical(predict(fit, d$x[1:5, ]), predict(direct, d$x[1:5, ]))
  expect_identical(essence(update(fit)), essence(fit))
  expect_identical(essence(refit(tuned, point = 1)), essence(mkl(d$x, d$y,
                                                                 learner = learner_svm(0.01))))
  # a formula, with terms that look at their column
  data <- two_class(60)$data
  set.seed(1)
  tuned <- tune_mkl(class ~ scale(v1) + v2, data, grid = list(cost = c(1, 10)), folds = 3)
  direct <- mkl(class ~ scale(v1) + v2, data, learner = learner_svm(tuned$best$cost))
  expect_identical(predict(refit(tuned), data, type = "decision"),
                   predict(direct, data, type = "decision"))
})
