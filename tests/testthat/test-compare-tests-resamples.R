# The papers' own numbers where they are known, else the definition or base R.

paired <- function() {
  list(
    x = c(.12, .10, .14, .11, .13, .09, .12, .12, .10, .13),
    y = c(.15, .14, .15, .15, .17, .12, .16, .13, .15, .15)
  )
}

test_that("the 5x2cv tests follow their definitions", {
  d <- paired()
  p <- matrix(d$x - d$y, 5, byrow = TRUE)
  s2 <- apply(p, 1, function(r) sum((r - mean(r))^2))
  f <- test_5x2cv_f(d$x, d$y)
  expect_equal(f$statistic[["F"]], sum(p^2) / (2 * sum(s2)))
  expect_equal(f$p.value, 1 - pf(sum(p^2) / (2 * sum(s2)), 10, 5))
  t <- test_5x2cv_t(d$x, d$y)
  expect_equal(t$statistic[["t"]], p[1, 1] / sqrt(sum(s2) / 5))
  expect_equal(t$p.value, 2 * pt(-abs(t$statistic[["t"]]), 5))
  expect_equal(test_5x2cv_t(d$x, d$y, "less")$p.value, t$p.value / 2)
  expect_s3_class(f, "htest")
})

test_that("the 5x2cv tests take matrices, vectors and differences alike", {
  d <- paired()
  x <- matrix(d$x, 5, byrow = TRUE)
  y <- as.data.frame(matrix(d$y, 5, byrow = TRUE))
  for (test in list(test_5x2cv_f, test_5x2cv_t)) {
    value <- test(d$x, d$y)$p.value
    expect_equal(test(x, y)$p.value, value)
    expect_equal(test(x - as.matrix(y))$p.value, value)
  }
  # The F test does not know which learner is the first, nor the order of folds.
  expect_equal(test_5x2cv_f(y, x)$p.value, test_5x2cv_f(x, y)$p.value)
  expect_equal(test_5x2cv_f(x[5:1, 2:1], y[5:1, 2:1])$p.value, test_5x2cv_f(x, y)$p.value)
})

test_that("the F test does not reject equal learners more often than it says", {
  set.seed(1)
  p <- replicate(2000, test_5x2cv_f(rnorm(10))$p.value)
  # Numerator and denominator are not independent, which makes the test conservative.
  expect_lt(mean(p < 0.05), 0.05)
  expect_gt(mean(p < 0.05), 0.005)
})

test_that("the t tests agree with t.test()", {
  d <- paired()
  for (side in c("two.sided", "less", "greater")) {
    ours <- test_paired_t(d$x, d$y, side)
    peer <- t.test(d$x, d$y, side, paired = TRUE)
    expect_equal(ours$statistic, peer$statistic)
    expect_equal(ours$p.value, peer$p.value)
    expect_equal(ours$parameter, peer$parameter)
    pooled <- test_paired_t(d$x, d$y[1:7], side, paired = FALSE)
    peer <- t.test(d$x, d$y[1:7], side, var.equal = TRUE)
    expect_equal(pooled$statistic, peer$statistic)
    expect_equal(pooled$p.value, peer$p.value)
  }
  # The critical value 1.7341 of Wang, Chen and Sun (2008) is that of two samples of ten.
  expect_equal(round(qt(0.95, test_paired_t(d$x, d$y, paired = FALSE)$parameter[[1]]), 4), 1.7341)
})

test_that("the corrected t test widens the paired one by the overlap of training sets", {
  d <- paired()
  k <- 10
  plain <- test_paired_t(d$x, d$y)
  corrected <- test_corrected_t(d$x, d$y, ratio = 1 / 9)
  expect_equal(
    corrected$statistic[["t"]], plain$statistic[["t"]] * sqrt((1 / k) / (1 / k + 1 / 9))
  )
  expect_equal(corrected$p.value, 2 * pt(-abs(corrected$statistic[["t"]]), k - 1))
  expect_equal(test_corrected_t(d$x, d$y, ratio = 0)$p.value, plain$p.value)
})

test_that("no difference gives p = 1, a constant one p = 0", {
  x <- paired()$x
  tests <- list(
    test_5x2cv_f, test_5x2cv_t, test_paired_t, function(x, y) test_corrected_t(x, y, ratio = 0.5)
  )
  for (test in tests) {
    expect_identical(test(x, x)$p.value, 1)
    expect_identical(test(x, x + 0.1)$p.value, 0)
  }
})

test_that("results print", {
  expect_snapshot(test_5x2cv_f(paired()$x, paired()$y))
})

test_that("bad input is named", {
  x <- paired()$x
  expect_snapshot(error = TRUE, {
    test_5x2cv_f(x[1:9], x)
    test_5x2cv_t(x, matrix(x, 2, 5))
    test_paired_t(x, x[1:3])
    test_paired_t(c(x, NA))
    test_paired_t("a")
    test_paired_t(1)
    test_corrected_t(x, x)
    test_corrected_t(x, x, ratio = -1)
  })
})
