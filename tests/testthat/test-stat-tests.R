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
  expect_identical(test_wilcoxon(x, x)$p.value, 1)
})

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

# Table 2 and Table 6 of Demsar (2006): AUC of C4.5 with and without tuned parameters.
demsar <- function() {
  auc <- rbind(
    c(.763, .768, .771, .798), c(.599, .591, .590, .569), c(.954, .971, .968, .967),
    c(.628, .661, .654, .657), c(.882, .888, .886, .898), c(.936, .931, .916, .931),
    c(.661, .668, .609, .685), c(.583, .583, .563, .625), c(.775, .838, .866, .875),
    c(1, 1, 1, 1), c(.940, .962, .965, .962), c(.619, .666, .614, .669),
    # The third and fourth differ in a digit that the table does not show, by their ranks.
    c(.972, .981, .9751, .975), c(.957, .978, .946, .970)
  )
  colnames(auc) <- c("C4.5", "m", "cf", "m+cf")
  auc
}

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
    unname(test_friedman(demsar(), maximize = FALSE)$estimate),
    5 - unname(test_friedman(demsar())$estimate)
  )
})

test_that("quantiles are those of the tables of Demsar (2006)", {
  nemenyi <- c(1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
  expect_equal(round(vapply(2:10, function(k) rank_quantile(0.05, k, "nemenyi"), 0), 2),
               round(nemenyi, 2), tolerance = 0.004)
  dunn <- c(1.960, 2.241, 2.394, 2.498, 2.576, 2.638)
  expect_equal(vapply(2:7, function(k) rank_quantile(0.05, k, "bonferroni_dunn"), 0), dunn,
               tolerance = 5e-4)
})

test_that("groups and p-values of critical_difference() agree", {
  cd <- critical_difference(demsar())
  expect_identical(names(cd$ranks), c("m+cf", "m", "cf", "C4.5"))
  joined <- outer(names(cd$ranks), names(cd$ranks), Vectorize(function(a, b) {
    any(vapply(cd$groups, function(g) all(c(a, b) %in% g), NA))
  }))
  diag(joined) <- TRUE
  expect_identical(unname(cd$p_values > cd$level), joined)
  # at exactly the critical difference the p-value is the level
  expect_equal(ptukey(cd$difference / sqrt(20 / 84) * sqrt(2), 4, Inf, lower.tail = FALSE), 0.05,
               tolerance = 1e-6)
  one <- critical_difference(demsar(), test = "bonferroni_dunn", control = "C4.5")
  # Only C4.5+m+cf differs, as in the paper: 1.179 is more than 1.16, and 1.143 is not.
  expect_identical(one$groups, list(c("m", "cf", "C4.5")))
  z <- (3.142857 - 2) / sqrt(20 / 84)
  expect_equal(one$p_values["m", "C4.5"], 3 * 2 * pnorm(-z), tolerance = 1e-5)
  expect_true(is.na(one$p_values["m", "cf"]))
})

test_that("results print", {
  expect_snapshot({
    test_5x2cv_f(paired()$x, paired()$y)
    critical_difference(demsar())
    critical_difference(demsar(), test = "bonferroni_dunn", control = "C4.5")
  })
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
    test_wilcoxon(x, alternative = "more")
    test_wilcoxon(x, zeros = "keep")
    test_friedman(x)
    test_friedman(cbind(1:3, c(1, NA, 2)))
    critical_difference(demsar(), level = 1)
    critical_difference(demsar(), control = "m")
    critical_difference(demsar(), test = "bonferroni_dunn", control = "M")
  })
})
