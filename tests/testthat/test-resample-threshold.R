# Thresholds against all candidates tried one by one.

two_cv <- local({
  memory <- new.env()
  function(...) {
    key <- paste0("cv", paste(names(list(...)), list(...), collapse = ""))
    if (is.null(memory[[key]])) {
      set.seed(1)
      data <- droplevels(iris[51:150, c(1, 2, 5)])
      memory[[key]] <- cv_mkl(Species ~ ., data, folds = 5, keep = "predictions", ...)
    }
    memory[[key]]
  }
})

# The measure when the positive class is predicted from each threshold on.
tried <- function(cv, metric, thresholds, score = cv$predictions$decision) {
  vapply(thresholds, function(t) {
    said <- factor(ifelse(score >= t, "virginica", "versicolor"), levels(cv$predictions$truth))
    compute_metrics(cv$predictions$truth, list(class = said), metric)[[1]]
  }, 0, USE.NAMES = FALSE)
}

test_that("the measure is best at the chosen threshold", {
  cv <- two_cv()
  score <- sort(unique(cv$predictions$decision))
  candidates <- c(-Inf, (score[-1] + score[-length(score)]) / 2, Inf)
  for (metric in c("accuracy", "error", "balanced_accuracy", "f1", "mcc", "kappa")) {
    chosen <- choose_threshold(cv, metric)
    values <- tried(cv, metric, candidates)
    best <- if (metric == "error") min(values) else max(values, na.rm = TRUE)
    expect_equal(chosen$value, best)
    expect_equal(tried(cv, metric, chosen$threshold), best)
    expect_equal(chosen$usual, tried(cv, metric, 0))
    expect_equal(chosen$curve$value, values)
    # the nearest to 0 of those that are equally good
    equal <- candidates[!is.na(values) & abs(values - best) < 1e-12]
    expect_equal(min(abs(equal)), abs(chosen$threshold[["decision"]]))
  }
  own <- choose_threshold(cv, list(hits = function(truth, estimate) sum(truth == estimate)))
  expect_equal(own$threshold, choose_threshold(cv, "accuracy")$threshold)
})

test_that("a sensitivity or specificity is reached at the least price of the other", {
  cv <- two_cv()
  for (least in c(0.5, 0.9, 1)) {
    chosen <- choose_threshold(cv, sensitivity = least)
    ok <- chosen$curve[chosen$curve$sensitivity >= least, ]
    expect_equal(chosen$value, max(ok$specificity))
    expect_gte(tried(cv, "sensitivity", chosen$threshold), least)
    expect_equal(tried(cv, "specificity", chosen$threshold), chosen$value)
    chosen <- choose_threshold(cv, specificity = least)
    expect_gte(tried(cv, "specificity", chosen$threshold), least)
    ok <- chosen$curve[chosen$curve$specificity >= least, ]
    expect_equal(chosen$value, max(ok$sensitivity))
  }
})

test_that("ties go to the default threshold, and a value at a threshold is positive", {
  cv <- two_cv()
  cv$predictions <- data.frame(
    truth = factor(c("a", "b", "a", "b")), decision = c(-4, -3, -1, 2)
  )
  chosen <- choose_threshold(cv, "accuracy") # 3 of 4 at -3.5 and at 0.5
  expect_equal(chosen$threshold, c(decision = 0.5))
  expect_equal(chosen$curve$value, c(2, 3, 2, 3, 2) / 4)
  cv$predictions$decision <- c(-2, 0, -1, 0)
  expect_identical(choose_threshold(cv, "accuracy")$usual, 1)
})

test_that("costs are those of the errors", {
  cv <- two_cv()
  cost <- function(t) {
    said <- cv$predictions$decision >= t
    true <- cv$predictions$truth == "virginica"
    mean(2 * (said & !true) + 7 * (!said & true))
  }
  chosen <- choose_threshold(cv, costs = c(false_negative = 7, false_positive = 2))
  expect_equal(chosen$value, cost(chosen$threshold))
  expect_equal(chosen$value, min(vapply(chosen$curve$threshold, cost, 0)))
  # errors of one kind alone cost something: none of them is made
  all <- choose_threshold(cv, costs = c(false_positive = 0, false_negative = 1))
  expect_identical(all$value, 0)
})

test_that("predict() takes numbers, probabilities and chosen thresholds", {
  data <- droplevels(iris[51:150, c(1, 2, 5)])
  fit <- mkl(Species ~ ., data, probability = TRUE)
  decision <- predict(fit, type = "decision")
  p <- predict(fit, type = "prob")[, 2]
  as_class <- function(positive) {
    structure(factor(levels(data$Species)[1 + positive], levels(data$Species)),
              names = names(positive))
  }
  expect_identical(predict(fit, threshold = 0), predict(fit))
  expect_identical(predict(fit, threshold = 0.4), as_class(decision >= 0.4))
  expect_identical(predict(fit, data, threshold = c(decision = -0.4)), as_class(
    predict(fit, data, type = "decision") >= -0.4
  ))
  expect_identical(predict(fit, threshold = c(prob = 0.3)), as_class(p >= 0.3))
  # a value exactly at the threshold is positive, as 0 is by default
  at <- predict(fit, threshold = decision[[5]])
  expect_identical(as.character(at[5]), "virginica")
  expect_true(all(predict(fit, threshold = -Inf) == "virginica"))
  expect_true(all(predict(fit, threshold = Inf) == "versicolor"))
  chosen <- choose_threshold(two_cv(probability = TRUE), sensitivity = 0.9, on = "prob")
  expect_named(chosen$threshold, "prob")
  expect_identical(predict(fit, threshold = chosen), as_class(p >= chosen$threshold))
  # rows without a value have no class
  some <- data
  some[3, 1] <- NA
  expect_identical(which(is.na(predict(fit, some, threshold = c(prob = 0.3)))), c(`53` = 3L))
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(list(fit, chosen), file)
  back <- readRDS(file)
  expect_identical(predict(back[[1]], data, threshold = back[[2]]),
                   predict(fit, data, threshold = chosen))
})

test_that("learners with probabilities of their own, and with arguments, take thresholds", {
  d <- two_class(60)
  boosted <- mkboost(d$x, d$y, trials = 5, probability = TRUE)
  p <- predict(boosted, d$x, type = "prob")[, 2]
  expect_identical(unname(predict(boosted, d$x, threshold = c(prob = 0.3)) == "yes"),
                   unname(p >= 0.3))
  expect_identical(predict(boosted, d$x, trials = 2, threshold = 0),
                   predict(boosted, d$x, trials = 2))
})

test_that("thresholds that make no sense are refused", {
  d <- two_class(60)
  fit <- mkl(d$x, d$y)
  expect_mkl_error(predict(fit, threshold = "a"), "one number", "threshold")
  expect_mkl_error(predict(fit, threshold = 1:2), "one number", "threshold")
  expect_mkl_error(predict(fit, threshold = NA_real_), "one number", "threshold")
  expect_mkl_error(predict(fit, threshold = c(p = 1)), "one of \"decision\", \"prob\"", "threshold")
  expect_mkl_error(predict(fit, threshold = c(prob = 0.5)), "probability = TRUE")
  expect_mkl_error(predict(fit, type = "decision", threshold = 1), "type", "threshold")
  expect_mkl_error(predict(fit, threshold = choose_threshold(two_cv())), "versicolor", "threshold")
  three <- mkl(Species ~ ., iris)
  expect_mkl_error(predict(three, threshold = 1), "3 classes", "threshold")
  expect_mkl_error(predict(mkl(mpg ~ wt, mtcars), threshold = 1), "response", "threshold")
  cv <- two_cv()
  expect_mkl_error(choose_threshold(fit), "cv_mkl", "object")
  expect_mkl_error(choose_threshold(cv, "auc"), "predicted classes", "metric")
  expect_mkl_error(choose_threshold(cv, "f1", sensitivity = 0.5), "Only one", "sensitivity")
  expect_mkl_error(choose_threshold(cv, sensitivity = 2), "in \\(0, 1\\]", "sensitivity")
  expect_mkl_error(choose_threshold(cv, costs = c(1, 2)), "false_positive", "costs")
  expect_mkl_error(choose_threshold(cv, on = "prob"), "probability = TRUE", "on")
  set.seed(1)
  several <- cv_mkl(Species ~ ., three_class(), folds = 2, keep = "predictions")
  expect_mkl_error(choose_threshold(several), "3 classes", "object")
  lost <- cv
  lost$predictions <- NULL
  expect_mkl_error(choose_threshold(lost), "keep = \"predictions\"")
})

test_that("predictions are kept with the names of the cases, for repeats and several classes", {
  d <- two_class(40)
  x <- d$x
  rownames(x) <- paste0("case", 40:1)
  set.seed(1)
  cv <- cv_mkl(x, d$y, folds = 4, repeats = 2, keep = "predictions")
  p <- cv$predictions
  expect_identical(p$case, rownames(x)[p$row])
  expect_identical(as.vector(table(p$case)), rep(2L, 40))
  expect_identical(p$truth, d$y[p$row])
  expect_identical(augment(cv)$case, p$case)
  set.seed(1)
  expect_equal(cv_mkl(x, d$y, folds = 4, repeats = 2, predictions = TRUE)$predictions, p)
  expect_null(cv_mkl(d$x, d$y, folds = 4, keep = "predictions")$predictions$case)
  flowers <- views(a = as.matrix(iris[1:2]), b = iris[3:4])
  cv <- cv_mkl(flowers, iris$Species, folds = 3, keep = "predictions", learner = learner_average())
  expect_identical(sort(cv$predictions$row), 1:150)
  expect_mkl_error(cv_mkl(d$x, d$y, keep = "fits"), "one of \"predictions\"", "keep")
  expect_mkl_error(cv_mkl(d$x, d$y, keep = TRUE), "any of", "keep")
})

test_that("thresholds print and are drawn", {
  cv <- two_cv()
  chosen <- choose_threshold(cv, sensitivity = 0.9)
  expect_snapshot(chosen)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(chosen, main = "x"), chosen)
  expect_identical(plot(roc_data(cv)), roc_data(cv))
  expect_identical(plot(roc_data(cv), main = "x", xlab = "y"), roc_data(cv))
  skip_if_not_installed("ggplot2")
  parts <- ggplot2::ggplot_build(autoplot(chosen))$data
  finite <- chosen$curve[is.finite(chosen$curve$threshold), ]
  expect_equal(parts[[1]]$y[parts[[1]]$group == 1], finite$sensitivity)
  expect_equal(parts[[2]]$xintercept, chosen$threshold[["decision"]])
  curve <- ggplot2::ggplot_build(autoplot(roc_data(cv)))$data[[2]]
  expect_equal(curve$y, roc_data(cv)$sensitivity)
})
