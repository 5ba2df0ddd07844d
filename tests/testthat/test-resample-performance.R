# performance() of cross-validations and fits.

kept_cv <- local({
  memory <- new.env()
  function(kind) {
    if (!is.null(memory[[kind]])) return(memory[[kind]])
    set.seed(1)
    data <- droplevels(iris[51:150, c(1, 2, 5)])
    memory[[kind]] <- switch(kind,
      two = cv_mkl(Species ~ ., data, folds = 5, keep = "predictions", probability = TRUE),
      repeated = cv_mkl(Species ~ ., data, folds = 5, repeats = 3, keep = "predictions"),
      three = cv_mkl(Species ~ Sepal.Length + Sepal.Width, three_class(), folds = 3,
                     keep = "predictions"),
      numbers = cv_mkl(mpg ~ wt + hp, mtcars, folds = 4, keep = "predictions")
    )
    memory[[kind]]
  }
})

test_that("splits: the mean with the corrected variance", {
  cv <- kept_cv("repeated")
  out <- performance(cv, level = 0.9)
  values <- cv$results$auc
  se <- sqrt((1 / 15 + 20 / 80) * stats::var(values))
  row <- out[out$metric == "auc", ]
  expect_equal(row$estimate, mean(values))
  expect_equal(row$se, se)
  expect_equal(c(row$lower, row$upper),
               pmin(1, mean(values) + c(-1, 1) * stats::qt(0.95, 14) * se))
  # the statistic of the corrected t test with a mean of 0
  test <- test_corrected_t(values, ratio = 1 / 4)
  expect_equal(row$estimate / row$se, test$statistic[["t"]])
  expect_identical(performance(cv, "accuracy")$metric, "accuracy")
  expect_identical(summary(cv), performance(cv))
})

test_that("pooled: the measures of all out-of-fold predictions", {
  cv <- kept_cv("two")
  p <- cv$predictions
  out <- performance(cv, c("accuracy", "sensitivity", "auc", "brier"), type = "pooled", times = 50)
  expect_equal(out$estimate[1:2], c(mean(p$truth == p$estimate),
                                    mean(p$estimate[p$truth == "virginica"] == "virginica")))
  expect_equal(out$estimate[3], compute_metrics(p$truth, list(decision = p$decision), "auc")[[1]])
  expect_equal(out$estimate[4], mean((p$prob.virginica - (p$truth == "virginica"))^2))
  expect_equal(out$n, c(100, 50, 100, 100))
})

test_that("repeats do not shorten pooled intervals", {
  cv <- kept_cv("repeated")
  set.seed(1)
  out <- performance(cv, c("accuracy", "auc", "mcc"), type = "pooled", times = 200)
  p <- cv$predictions
  rounds <- cv$results[["repeat"]][match(p$id, cv$results$id)]
  each <- vapply(split(p, rounds), function(one) mean(one$truth == one$estimate), 0)
  expect_equal(out$estimate[1], mean(each))
  ci <- stats::prop.test(100 * mean(each), 100, correct = FALSE)$conf.int
  expect_equal(c(out$lower[1], out$upper[1]), as.vector(ci))
  first <- p[rounds == 1, ]
  single <- metric_interval(first$truth, list(class = first$estimate, decision = first$decision),
                            c("auc", "mcc"), times = 200)
  expect_equal(out$se[2] / single$se[1], 1, tolerance = 0.1)
  expect_equal(out$se[3] / single$se[2], 1, tolerance = 0.25)
  expect_identical(out$n, rep(100, 3))
})

test_that("a fit is judged on test data, whatever their form", {
  train <- seq(1, 100, 2)
  d <- two_class(100)
  by_formula <- mkl(class ~ ., d$data[train, ])
  out <- performance(by_formula, d$data[-train, ], metrics = c("accuracy", "auc"))
  said <- predict(by_formula, d$data[-train, ])
  expect_equal(out$estimate[1], mean(said == d$y[-train]))
  by_matrix <- mkl(d$x[train, ], d$y[train])
  expect_equal(performance(by_matrix, d$x[-train, ], d$y[-train], c("accuracy", "auc")), out)
  # views
  parts <- views(a = d$x[, 1:2], b = d$x[, 3, drop = FALSE])
  fit <- mkl(parts[train, ], d$y[train], learner = learner_average())
  out <- performance(fit, parts[-train, ], d$y[-train], "accuracy")
  expect_equal(out$estimate, mean(predict(fit, parts[-train, ]) == d$y[-train]))
  numbers <- mkl(mpg ~ wt, mtcars[1:20, ])
  out <- performance(numbers, mtcars[21:32, ], times = 20)
  expect_identical(out$metric, c("rmse", "mae"))
  novel <- mkl(d$x[train, ], learner = learner_svm(nu = 0.2))
  expect_equal(performance(novel, d$x[-train, ])$estimate, mean(predict(novel, d$x[-train, ])))
})

test_that("tidy() gives them as a plain data frame", {
  cv <- kept_cv("two")
  out <- tidy(cv, "performance", level = 0.9)
  expect_identical(class(out), "data.frame")
  intervals <- performance(cv, level = 0.9)
  expect_equal(out$conf.low, intervals$lower)
  expect_equal(out$std.error, intervals$se)
  expect_identical(tidy(intervals), out)
  expect_named(tidy(cv), c("id", "repeat", "fold", "n_train", "n_test", "fit_time", "converged",
                           "metric", "value"))
})

test_that("rows that cannot be judged do not count", {
  d <- two_class(60)
  fit <- mkl(d$x, d$y, probability = TRUE)
  new <- d$x
  new[1:3, 1] <- NA
  y <- d$y
  y[5:6] <- NA
  set.seed(1)
  out <- performance(fit, new, y, c("accuracy", "auc", "brier"), times = 50)
  expect_identical(out$n, c(55, 55, 55))
  expect_match(out$note, "left out 3 rows")
  set.seed(1)
  clean <- performance(fit, new[-c(1:3, 5:6), ], y[-c(1:3, 5:6)], c("accuracy", "auc", "brier"),
                       times = 50)
  expect_equal(out[2:6], clean[2:6])
  expect_mkl_error(calibration(fit, d$x[0, ], d$y[0]), "no row has both", "object")
  expect_mkl_error(roc_data(fit, d$x[0, ], d$y[0]), "no row has both", "object")
  expect_mkl_error(performance(mkl(mpg ~ wt, mtcars), mtcars, rep("a", 32)), "numeric", "y")
  area <- metric_interval(factor(c("a", "a", "b", "b")), list(decision = 1:4), "auc")
  expect_identical(area$se, NA_real_)
})

test_that("models that a fold lacks have no values that are ranked", {
  set.seed(1)
  x <- matrix(rnorm(240), 80, dimnames = list(NULL, c("a", "b", "c")))
  y <- factor(rep(c("a", "b", "c", "d"), c(4, 26, 25, 25)))
  # The fit of the first fold has no d.
  fold <- c(rep_len(2:4, 55), rep(1, 25))
  cv <- cv_mkl(x, y, folds = fold, keep = "predictions")
  out <- performance(cv, c("accuracy", "auc", "auc_rest"), type = "pooled", times = 20)
  expect_identical(out$n, c(80, 55, 55))
  expect_match(out$note[2:3], "left out 25 rows without all decision values", all = FALSE)
  rest <- cv$predictions[cv$predictions$id != "fold1", ]
  pieces <- table_pieces(rest, "classification")
  expect_equal(out$estimate[2], compute_metrics(rest$truth, pieces, "auc")[[1]])
})

test_that("tunings are judged on their outer splits, or else on those of the best point", {
  d <- two_class(60)
  set.seed(1)
  tuned <- tune_mkl(d$x, d$y, grid = list(cost = c(0.1, 10)), folds = 3, predictions = TRUE,
                    probability = TRUE, control = mkl_control(tol = 1e-9))
  out <- performance(tuned)
  expect_equal(out$estimate[1], tuned$best$accuracy)
  expect_output(print(out), "optimistic")
  expect_equal(summary(tuned), out)
  set.seed(1)
  cv <- cv_mkl(d$x, d$y, learner = learner_svm(cost = tuned$best$cost), folds = 3,
               keep = "predictions", probability = TRUE, control = mkl_control(tol = 1e-9))
  expect_equal(choose_threshold(tuned), choose_threshold(cv), tolerance = 1e-5)
  expect_equal(roc_data(tuned), roc_data(cv), tolerance = 1e-5)
  expect_equal(calibration(tuned, bins = 4), calibration(cv, bins = 4), tolerance = 1e-5)
  expect_equal(performance(tuned, type = "pooled")$lower,
               performance(cv, type = "pooled")$lower, tolerance = 1e-5)
  nested <- tune_mkl(d$x, d$y, grid = list(cost = c(0.1, 10)), folds = 2, predictions = TRUE,
                     outer = resample_cv(3))
  expect_equal(performance(nested)$estimate, nested$outer$summary$mean)
  expect_output(print(performance(nested)), "Outer splits")
  expect_equal(choose_threshold(nested)$n, 60)
  plain <- tune_mkl(d$x, d$y, grid = list(cost = c(0.1, 10)), folds = 2)
  expect_mkl_error(roc_data(plain), "predictions = TRUE", "object")
  expect_mkl_error(choose_threshold(plain), "predictions = TRUE", "object")
})

test_that("it prints, and bad arguments are refused in words", {
  cv <- kept_cv("two")
  expect_snapshot({
    performance(cv)
    performance(cv, c("accuracy", "sensitivity", "auc"), type = "pooled")
  })
  lost <- cv
  lost$predictions <- NULL
  expect_mkl_error(performance(lost, type = "pooled"), "keep = \"predictions\"")
  expect_mkl_error(performance(cv, "f1"), "one of \"accuracy\"", "metrics")
  expect_mkl_error(performance(cv, level = 95), "in \\(0, 1\\)", "level")
  expect_mkl_error(performance(cv, type = "pooled", times = 1), "at least 10", "times")
  expect_mkl_error(performance(kept_cv("repeated"), "brier", type = "pooled"),
                   "probability = TRUE", "object")
  expect_mkl_error(performance(iris), "tune_mkl\\(\\), or a fit", "object")
  expect_mkl_error(performance(cv, metric = "auc"), "Did you mean `metrics`")
  d <- two_class(60)
  fit <- mkl(d$x, d$y)
  expect_mkl_error(performance(fit), "missing", "newdata")
  expect_mkl_error(performance(fit, d$x), "missing", "y")
  expect_mkl_error(performance(fit, d$x, d$y[-1]), "60 rows", "y")
  expect_mkl_error(metric_interval(d$y, list(class = d$y)), "at least one measure", "metrics")
})

test_that("ROC data are class against rest", {
  cv <- kept_cv("three")
  roc <- roc_data(cv)
  expect_named(roc, c("class", "threshold", "sensitivity", "specificity"))
  area <- function(one) {
    x <- 1 - one$specificity
    sum(diff(x) * (one$sensitivity[-1] + one$sensitivity[-nrow(one)]) / 2)
  }
  areas <- vapply(split(as.data.frame(roc), roc$class), area, 0)
  expect_equal(areas, attr(roc, "auc"))
  p <- cv$predictions
  decision <- as.matrix(p[grep("^decision", names(p))])
  colnames(decision) <- sub("decision.", "", colnames(decision), fixed = TRUE)
  expect_equal(mean(areas),
               compute_metrics(p$truth, list(decision = decision), "auc_rest")[[1]])
  one <- roc[roc$class == "setosa", ][4, ]
  scores <- multikernel:::rest_scores(decision, levels(p$truth))[, "setosa"]
  expect_equal(one$sensitivity, mean(scores[p$truth == "setosa"] >= one$threshold))
  expect_equal(one$specificity, mean(scores[p$truth != "setosa"] < one$threshold))
  two <- kept_cv("two")
  expect_equal(attr(roc_data(two), "auc")[["virginica"]],
               performance(two, "auc", type = "pooled")$estimate)
  d <- two_class(60)
  fit <- mkl(d$x, d$y)
  expect_identical(levels(roc_data(fit, d$x, d$y)$class), "yes")
  expect_mkl_error(roc_data(kept_cv("numbers")), "classification", "object")
  expect_mkl_error(roc_data(fit, d$x, rep("no", 60)), "one class", "object")
})
