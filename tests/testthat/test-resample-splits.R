# Splits: parts, strata, groups.

y3 <- factor(rep(c("a", "b", "c"), c(31, 17, 5)))

expect_partition <- function(splits, n) {
  for (s in splits) {
    expect_identical(sort(c(s$train, s$test)), seq_len(n))
  }
}

test_that("folds cover all rows once per repeat, with classes in proportion", {
  set.seed(1)
  splits <- resample_splits(resample_cv(4, repeats = 3), y3)
  expect_length(splits, 12L)
  expect_partition(splits, 53L)
  expect_named(splits[[1]], c("id", "repeat", "fold", "train", "test"))
  expect_identical(splits[[6]][1:3], list(id = "repeat2_fold2", `repeat` = 2L, fold = 2L))
  for (r in 1:3) {
    test <- lapply(splits[4 * r - 3:0], function(s) s$test)
    expect_identical(sort(unlist(test)), 1:53)
    expect_lte(diff(range(lengths(test))), 1L)
    counts <- vapply(test, function(rows) tabulate(y3[rows], 3), numeric(3))
    expect_true(all(apply(counts, 1, function(x) diff(range(x))) <= 1))
  }
  expect_false(identical(splits[[1]]$test, splits[[5]]$test))
})

test_that("set.seed() governs the splits, and nothing else does", {
  for (plan in list(resample_cv(5), resample_5x2(), resample_holdout(0.3, 3),
                    resample_bootstrap(3), resample_cv(3, group = rep(1:9, 7)[1:53]))) {
    set.seed(4)
    a <- resample_splits(plan, y3)
    set.seed(4)
    expect_identical(a, resample_splits(plan, y3))
    expect_false(identical(a, resample_splits(plan, y3)))
  }
})

test_that("stratification can be left out, and rows are then drawn from all alike", {
  set.seed(2)
  y <- factor(rep(c("a", "b"), c(90, 10)))
  share <- function(stratify) {
    vapply(1:200, function(i) {
      sum(resample_splits(resample_cv(2, stratify = stratify), y)[[1]]$test > 90)
    }, 0)
  }
  expect_identical(unique(share(TRUE)), 5)
  # hypergeometric: 10 of 100, 50 drawn
  loose <- share(FALSE)
  expect_gt(stats::var(loose), 1)
  expect_lt(abs(mean(loose) - 5), 0.5)
  # every row is as likely as any other to be in a fold
  hits <- tabulate(unlist(lapply(1:400, function(i) {
    resample_splits(resample_cv(4), y3)[[1]]$test
  })), 53)
  expect_gt(stats::chisq.test(hits)$p.value, 1e-4)
})

test_that("a numeric response is stratified by its order", {
  set.seed(3)
  y <- stats::rexp(100)
  for (s in resample_splits(resample_cv(5), y)) {
    group <- cut(rank(y)[s$test], c(0, 20, 40, 60, 80, 100))
    expect_identical(as.vector(table(group)), rep(4L, 5))
  }
  # few different numbers are strata themselves
  counts <- rep(1:3, c(10, 20, 30))
  test <- resample_splits(resample_cv(10), counts)[[1]]$test
  expect_identical(tabulate(counts[test], 3), 1:3)
})

test_that("holdout gives the asked share of each class", {
  set.seed(5)
  for (p in c(0.2, 0.5, 0.77)) {
    for (s in resample_splits(resample_holdout(p, 5), y3)) {
      expect_partition(list(s), 53L)
      expect_length(s$train, floor(53 * p + 0.5))
      expect_true(all(abs(tabulate(y3[s$train], 3) - p * c(31, 17, 5)) < 1))
    }
  }
  expect_length(resample_splits(resample_holdout(40, 1), y3)[[1]]$train, 40L)
  splits <- resample_splits(resample_holdout(0.5, 12), y3)
  expect_identical(splits[[3]][1:3], list(id = "split03", `repeat` = 3L, fold = 1L))
})

test_that("bootstrap draws n rows, by class, and tests on the rest", {
  set.seed(6)
  for (s in resample_splits(resample_bootstrap(10), y3)) {
    expect_length(s$train, 53L)
    expect_identical(tabulate(y3[s$train], 3), c(31L, 17L, 5L))
    expect_identical(s$test, setdiff(1:53, s$train))
  }
})

test_that("groups stay together in every plan", {
  set.seed(7)
  group <- sample(letters[1:12], 53, replace = TRUE)
  plans <- list(
    resample_cv(4, group = group), resample_cv(12, group = group),
    resample_holdout(0.6, 4, group = group), resample_holdout(0.95, 2, group = group),
    resample_bootstrap(4, group = group), resample_5x2(group = group)
  )
  for (plan in plans) {
    for (s in resample_splits(plan, y3)) {
      expect_length(intersect(group[s$train], group[s$test]), 0L)
      expect_gt(length(s$test), 0L)
      expect_identical(sort(unique(c(s$train, s$test))), 1:53)
    }
  }
  expect_identical(
    {
      set.seed(1)
      resample_splits(resample_cv(3), y3, group = group)
    },
    {
      set.seed(1)
      resample_splits(resample_cv(3, group = group), y3)
    }
  )
  # equal groups are dealt out evenly, classes too
  even <- rep(1:20, each = 5)
  y <- factor(rep(c("a", "b"), each = 50))
  for (s in resample_splits(resample_cv(5, group = even), y)) {
    expect_identical(as.vector(table(y[s$test])), c(10L, 10L))
  }
})
