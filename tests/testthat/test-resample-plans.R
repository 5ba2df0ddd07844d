# Plans: those of the user and of others, what they print, bad ones.

y3 <- factor(rep(c("a", "b", "c"), c(31, 17, 5)))

test_that("folds of the user are taken as they are", {
  fold <- c(3, 1, 1, NA, 3, 7)
  splits <- resample_splits(resample_folds(fold), y = NULL, n = 6)
  expect_identical(lapply(splits, `[[`, "test"), list(2:3, c(1L, 5L), 6L))
  expect_identical(splits[[1]]$train, c(1L, 4L, 5L, 6L))
  expect_identical(vapply(splits, `[[`, "", "id"), c("fold1", "fold3", "fold7"))
  expect_identical(resample_splits(c(1L, 2L, 1L), 1:3), resample_splits(resample_folds(c(1, 2, 1)),
                                                                      1:3))
  by_name <- resample_splits(factor(c("u", "v", "u")), 1:3)
  expect_identical(by_name[[2]]$test, 2L)
  # splits that were drawn before
  set.seed(1)
  drawn <- resample_splits(resample_cv(3, repeats = 2), y3)
  expect_identical(resample_splits(drawn, y3), drawn)
})

test_that("objects of rsample are taken", {
  skip_if_not_installed("rsample")
  set.seed(1)
  folds <- rsample::vfold_cv(iris, v = 3, repeats = 2, strata = "Species")
  splits <- resample_splits(folds, iris$Species)
  for (i in 1:6) {
    expect_identical(splits[[i]]$train, as.integer(folds$splits[[i]]))
    expect_identical(splits[[i]]$test, as.integer(folds$splits[[i]], data = "assessment"))
  }
  expect_identical(vapply(splits, `[[`, 1L, "repeat"), rep(1:2, each = 3))
  expect_identical(vapply(splits, `[[`, 1L, "fold"), rep(1:3, 2))
  expect_identical(splits[[4]]$id, "Repeat2_Fold1")
  boot <- resample_splits(rsample::bootstraps(iris, 3), iris$Species)
  expect_length(boot[[1]]$train, 150L)
  expect_length(intersect(boot[[1]]$train, boot[[1]]$test), 0L)
  one <- rsample::initial_split(iris)
  expect_identical(resample_splits(one, iris$Species)[[1]]$train, as.integer(one))
  expect_mkl_error(resample_splits(folds, 1:10), "150 rows, but the data have 10")
  expect_snapshot(print(multikernel:::as_resample(folds)))
})

test_that("plans print themselves", {
  expect_snapshot({
    resample_cv()
    resample_cv(5, repeats = 3, stratify = FALSE)
    resample_5x2(group = c(1, 1, 2, 2, 3))
    resample_holdout(0.7, 5)
    resample_holdout(100)
    resample_bootstrap(10)
    resample_folds(c(1, 2, 2, 1))
  })
})

test_that("bad plans are refused in words", {
  expect_snapshot(error = TRUE, {
    resample_cv(1)
    resample_cv(5, repeated = 2)
    resample_cv(5, stratify = NA)
    resample_cv(5, group = c(1, NA))
    resample_cv(5, group = list(1))
    resample_holdout(1)
    resample_holdout(2.5)
    resample_holdout(0.5, times = 0)
    resample_bootstrap("many")
    resample_folds(c(1, 1.5))
    resample_folds(c(1, 1))
    resample_folds(NA)
    resample_folds(matrix(1:4, 2))
    resample_splits(5, y3)
    resample_splits(resample_cv(60), y3)
    resample_splits(resample_cv(3), y3, group = 1:4)
    resample_splits(resample_cv(3, group = rep(1:2, 27)[1:53]), y3)
    resample_splits(resample_holdout(60), y3)
    resample_splits(resample_holdout(0.5, group = rep(1, 53)), y3)
    resample_splits(resample_folds(c(1, 2)), y3)
    resample_splits(resample_bootstrap(1, group = rep(1, 53)), y3)
    resample_splits(list(list(train = 1:5, test = 54)), y3)
    resample_splits(list(list(train = 1:5, test = integer())), y3)
  })
})

test_that("rows are counted by the response or by n, and both must agree", {
  expect_length(resample_splits(resample_cv(3), n = 9), 3L)
  expect_mkl_error(resample_splits(resample_cv(3)), argument = "n")
  expect_mkl_error(resample_splits(resample_cv(3), y3, n = 10), "53, not 10", "n")
  # a data frame is no response: its length is the number of its columns
  expect_mkl_error(resample_splits(resample_cv(3), iris), "data frame", "y")
})
