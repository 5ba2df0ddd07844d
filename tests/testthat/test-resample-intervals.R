# Intervals against other packages and against their definitions.

two_sided <- function(n = 60, seed = 1) {
  with_seed(seed, {
    positive <- sample(rep(c(TRUE, FALSE), length.out = n))
    list(positive = positive, score = round(rnorm(n) + positive, 1))
  })
}

as_truth <- function(positive) factor(ifelse(positive, "yes", "no"), c("no", "yes"))

test_that("Wilson's interval is that of prop.test()", {
  for (level in c(0.8, 0.95)) {
    for (x in c(0, 1, 7, 20)) {
      theirs <- suppressWarnings(stats::prop.test(x, 20, conf.level = level, correct = FALSE))
      ours <- multikernel:::wilson_interval(x, 20, level)
      expect_equal(unlist(ours, use.names = FALSE), as.vector(theirs$conf.int))
    }
  }
})

test_that("DeLong's variance is that of placements, also with ties", {
  d <- two_sided()
  up <- d$score[d$positive]
  down <- d$score[!d$positive]
  wins <- outer(up, down, ">") + 0.5 * outer(up, down, "==")
  variance <- stats::var(rowMeans(wins)) / length(up) + stats::var(colMeans(wins)) / length(down)
  out <- metric_interval(as_truth(d$positive), list(decision = d$score), "auc", level = 0.9)
  expect_equal(out$se^2, variance)
  expect_equal(c(out$estimate, out$lower, out$upper),
               mean(wins) + c(0, -1, 1) * stats::qnorm(0.95) * sqrt(variance))
  expect_identical(out$method, "DeLong")
  skip_if_not_installed("pROC")
  curve <- pROC::roc(d$positive, d$score, quiet = TRUE, direction = "<")
  expect_equal(variance, as.vector(pROC::var(curve)))
  expect_equal(c(out$lower, out$estimate, out$upper),
               as.vector(pROC::ci.auc(curve, conf.level = 0.9)))
})

test_that("proportions have Wilson's interval of their own counts", {
  d <- two_sided(seed = 2)
  truth <- as_truth(d$positive)
  class <- as_truth(d$score > 0.4)
  measures <- c("accuracy", "error", "sensitivity", "recall", "specificity", "precision")
  out <- metric_interval(truth, list(class = class), measures)
  right <- truth == class
  counts <- list(
    accuracy = right, error = !right, sensitivity = right[truth == "yes"],
    recall = right[truth == "yes"], specificity = right[truth == "no"],
    precision = right[class == "yes"]
  )
  expect_equal(out$estimate, vapply(counts, mean, 0, USE.NAMES = FALSE))
  expect_equal(out$n, unname(lengths(counts)))
  for (i in seq_along(counts)) {
    theirs <- stats::prop.test(sum(counts[[i]]), length(counts[[i]]), correct = FALSE)$conf.int
    expect_equal(c(out$lower[i], out$upper[i]), as.vector(theirs))
  }
  expect_equal(out$estimate, unname(compute_metrics(truth, list(class = class), measures)))
})

test_that("other measures have percentiles of samples of the cases", {
  y <- mtcars$mpg
  response <- fitted(stats::lm(mpg ~ wt, mtcars))
  set.seed(7)
  out <- metric_interval(y, list(response = response), "rmse", level = 0.8, times = 50)
  set.seed(7)
  values <- replicate(50, {
    rows <- sample.int(32, replace = TRUE)
    sqrt(mean((y[rows] - response[rows])^2))
  })
  expect_equal(c(out$lower, out$upper), stats::quantile(values, c(0.1, 0.9), names = FALSE))
  expect_equal(out$se, stats::sd(values))
  expect_identical(out$method, "bootstrap")
  # several classes: no proportion and no single curve
  d <- with_seed(1, list(truth = factor(sample(letters[1:3], 40, TRUE)),
                         class = factor(sample(letters[1:3], 40, TRUE))))
  expect_identical(metric_interval(d$truth, d, "sensitivity", times = 20)$method, "bootstrap")
})

test_that("intervals that do not exist are NA, with the reason", {
  truth <- as_truth(c(TRUE, TRUE, FALSE, FALSE))
  out <- metric_interval(truth, list(decision = 4:1), "auc")
  expect_identical(out$estimate, 1)
  expect_true(is.na(out$lower) && is.na(out$upper))
  expect_match(out$note, "variance at zero")
  out <- metric_interval(truth[1:3], list(decision = c(3, 1, 2)), "auc")
  expect_match(out$note, "a single row")
  out <- metric_interval(truth[1:2], list(decision = 1:2), "auc")
  expect_match(out$note, "one class")
  expect_true(is.na(out$estimate) && !is.nan(out$estimate))
})

test_that("pooled intervals cover the accuracy about as often as they say", {
  covered <- with_seed(3, mean(replicate(2000, {
    ci <- multikernel:::wilson_interval(stats::rbinom(1, 40, 0.8), 40, 0.9)
    ci$lower <= 0.8 && 0.8 <= ci$upper
  })))
  expect_gt(covered, 0.87)
  expect_lt(covered, 0.95)
})
