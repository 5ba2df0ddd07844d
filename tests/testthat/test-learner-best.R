test_that("the useful kernel is chosen", {
  d <- two_class(100)
  x <- cbind(d$x, noise = sin(seq_len(100)^1.7))
  kernels <- kernel_set(kernel_rbf(1, on = "noise"), kernel_rbf(1, on = c("v1", "v2")))
  set.seed(1)
  fit <- mkl(x, d$y, kernels = kernels, learner = learner_best(cost = 10, folds = 4))
  expect_equal(unname(coef(fit)), c(0, 1))
  alone <- mkl(x, d$y, kernels = kernels[2], normalize = "trace", learner = learner_svm(10))
  expect_equal(predict(fit, x, type = "decision"), predict(alone, x, type = "decision"),
               tolerance = 1e-3)
})

test_that("regression is possible", {
  d <- numbers()
  set.seed(1)
  fit <- mkl(d$x, d$y, kernels = c(kernel_rbf(0.01), kernel_rbf(2)), learner = learner_best(10))
  expect_equal(unname(coef(fit)), c(0, 1))
})

test_that("a one-class problem is refused, as nothing says which kernel is best", {
  x <- two_class(30)$x
  expect_mkl_error(mkl(x, learner = learner_best()), "only \"classification\"", "learner")
  expect_no_match(capture.output(print(learner_best())), "one_class")
})

test_that("each pair of classes chooses for itself", {
  set.seed(2)
  fit <- mkl(Species ~ ., three_class(), learner = learner_best(folds = 3))
  chosen <- kernel_weights(fit)
  expect_identical(as.vector(tapply(chosen$weight, chosen$pair, sum)), c(1, 1, 1))
  expect_setequal(chosen$weight, c(0, 1))
})

test_that("folds are checked", {
  for (folds in list(1, 0, NA, 2.5, "a", c(2, 3), NULL)) {
    expect_mkl_error(do.call(learner_best, list(folds = folds)), argument = "folds")
  }
})

test_that("huge numbers are weighed as small ones are", {
  d <- numbers(40)
  kernels <- kernel_set(kernel_rbf(sigma = 1, on = 3), kernel_rbf(sigma = 1))
  set.seed(3)
  plain <- mkl(d$x, d$y, kernels = kernels, learner = learner_best(cost = 10))
  set.seed(3)
  # the tolerance of the solver is absolute: it cannot be met at this scale
  huge <- suppressWarnings(mkl(d$x, d$y * 1e100, kernels = kernels,
              learner = learner_best(cost = 1e101, epsilon = 1e99)))
  expect_true(all(is.finite(objective_path(huge))))
  expect_identical(coef(huge), coef(plain))
  expect_equal(objective_path(huge) / 1e100, objective_path(plain), tolerance = 1e-2)
})
