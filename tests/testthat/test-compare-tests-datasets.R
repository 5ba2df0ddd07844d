# The papers' own numbers where they are known, else the definition or base R.

test_that("test_wilcoxon() agrees with wilcox.test() where that is exact", {
  x <- c(.763, .599, .954, .628, .882, .936, .661, .583, .775, .940)
  y <- x + c(5, -8, 17, 33, 6, -4, 7, 1, 63, 22) / 1000
  for (side in c("two.sided", "less", "greater")) {
    ours <- test_wilcoxon(x, y, side)
    peer <- wilcox.test(round(x - y, 6), alternative = side, exact = TRUE)
    expect_equal(ours$statistic[[1]], peer$statistic[[1]])
    expect_equal(ours$p.value, peer$p.value)
  }
})

test_that("test_wilcoxon() is exact with ties: all signs enumerated", {
  d <- c(1, 1, -2, 3, 3, 3, -4, 5, 0)
  r <- rank(abs(d[d != 0]))
  signs <- as.matrix(expand.grid(rep(list(0:1), 8)))
  sums <- drop(signs %*% r)
  value <- sum(r[d[d != 0] > 0])
  expect_equal(test_wilcoxon(d, alternative = "greater")$p.value, mean(sums >= value))
  expect_equal(test_wilcoxon(d, alternative = "less")$p.value, mean(sums <= value))
  expect_equal(
    test_wilcoxon(d)$p.value, min(1, 2 * min(mean(sums >= value), mean(sums <= value)))
  )
})

test_that("test_wilcoxon() for many data sets agrees with the normal approximation of R", {
  x <- sin(1:300) + 0.07
  expect_equal(test_wilcoxon(x)$p.value, wilcox.test(x)$p.value, tolerance = 1e-8)
})

test_that("ties are seen through binary fractions", {
  expect_equal(
    test_wilcoxon(c(.95, .63, .50, .81), c(.92, .60, .53, .70))$rank_sums,
    c(plus = 8, minus = 2)
  )
})

test_that("the example of Demsar (2006) comes out as printed", {
  auc <- demsar()
  w <- test_wilcoxon(auc[, "m"], auc[, "C4.5"], zeros = "split")
  expect_equal(w$rank_sums, c(plus = 93, minus = 12))
  expect_lt(w$p.value, 0.05)
  chisq <- test_friedman(auc)
  expect_equal(round(chisq$estimate, 3), c(C4.5 = 3.143, m = 2, cf = 2.893, "m+cf" = 1.964))
  expect_equal(round(critical_difference(auc)$difference, 2), 1.25)
  expect_equal(round(critical_difference(auc, level = 0.1)$difference, 2), 1.12)
  # 9.28 and 3.69 in the paper, from the formula without the correction for ties.
  plain <- 12 * 14 / 20 * sum((chisq$estimate - 2.5)^2)
  expect_equal(round(plain, 2), 9.28)
  expect_equal(round(13 * plain / (14 * 3 - plain), 2), 3.69)
})

test_that("the signed rank tests of Gonen and Alpaydin (2008), Table 1, come out as printed", {
  mkl <- c(81.99, 73.32, 75.78, 93.68, 63.39, 72.62, 98.86, 80.29, 90.46, 95.50)
  lmkl <- c(83.84, 73.92, 79.44, 93.33, 64.87, 72.89, 98.69, 79.57, 91.41, 95.98)
  mkl_sv <- c(93.39, 84.89, 87.89, 64.10, 93.57, 80.39, 57.68, 89.57, 57.47, 58.11)
  lmkl_sv <- c(83.97, 80.90, 81.44, 53.33, 92.52, 73.63, 56.69, 90.00, 58.24, 42.95)
  svm <- c(59.18, 74.58, 78.33, 86.15, 64.78, 70.04, 76.91, 73.86, 85.98, 95.08)
  three <- c(81.39, 75.09, 77.00, 87.86, 64.78, 73.98, 78.92, 77.14, 91.18, 94.34)
  svm_sv <- c(93.99, 97.09, 67.00, 36.58, 85.65, 100, 78.68, 68.41, 77.43, 13.11)
  three_sv <- c(54.03, 57.21, 58.44, 49.06, 78.35, 53.09, 52.53, 60.43, 34.93, 21.89)
  expect_gt(test_wilcoxon(lmkl, mkl)$p.value, 0.05) # printed as a tie
  expect_lt(test_wilcoxon(lmkl_sv, mkl_sv)$p.value, 0.05) # a win
  expect_lt(test_wilcoxon(three, svm)$p.value, 0.05) # a win
  expect_gt(test_wilcoxon(three, svm)$parameter, 8) # one tie is left out
  expect_gt(test_wilcoxon(three_sv, svm_sv)$p.value, 0.05) # a tie
})

test_that("test_friedman() agrees with friedman.test(), with ties too", {
  for (x in list(demsar(), matrix(sin(1:40), 8), matrix(round(2 * sin(1:40)), 8))) {
    expect_equal(
      test_friedman(x)$p.value, friedman.test(x)$p.value
    )
    expect_equal(test_friedman(x)$statistic[[1]], friedman.test(x)$statistic[[1]])
  }
  f <- test_friedman(demsar(), "F")
  chisq <- friedman.test(demsar())$statistic[[1]]
  expect_equal(f$statistic[["F"]], 13 * chisq / (14 * 3 - chisq))
  expect_equal(f$p.value, pf(f$statistic[["F"]], 3, 39, lower.tail = FALSE))
  expect_equal(
    unname(test_friedman(demsar(), larger = FALSE)$estimate),
    5 - unname(test_friedman(demsar())$estimate)
  )
})

test_that("no difference gives p = 1", {
  expect_identical(test_wilcoxon(1:10 / 10, 1:10 / 10)$p.value, 1)
})

test_that("bad input is named", {
  x <- c(.12, .10, .14, .11, .13, .09, .12, .12, .10, .13)
  expect_snapshot(error = TRUE, {
    test_wilcoxon(x, alternative = "more")
    test_wilcoxon(x, zeros = "keep")
    test_friedman(x)
    test_friedman(cbind(1:3, c(1, NA, 2)))
  })
})

test_that("scores that are no numbers are refused by every test", {
  for (bad in list(c(1, NA, 2), c(1, Inf, 2), "a", NULL)) {
    expect_mkl_error(test_wilcoxon(bad), argument = "x")
    expect_mkl_error(test_wilcoxon(1:3, c(1, NA, 2)), argument = "y")
    expect_mkl_error(test_paired_t(bad), argument = "x")
  }
  table <- data.frame(x = c(0.95, 0.63, 0.5, 0.81))
  expect_equal(test_wilcoxon(table)$p.value, test_wilcoxon(table$x)$p.value)
})
