test_that("one kernel gets all the weight, and the seed decides which", {
  d <- two_class()
  kernels <- kernel_rbf(2^(-2:2))
  chosen <- vapply(1:12, function(seed) {
    set.seed(seed)
    weights <- coef(mkl(d$x, d$y, kernels = kernels, learner = learner_random()))
    expect_identical(sort(unname(weights)), c(0, 0, 0, 0, 1))
    which.max(weights)
  }, 1L)
  expect_gt(length(unique(chosen)), 1L)
})

test_that("the fit is that of the kernel drawn", {
  d <- two_class()
  kernels <- kernel_rbf(2^(-2:2))
  set.seed(3)
  fit <- mkl(d$x, d$y, kernels = kernels, learner = learner_random())
  alone <- mkl(d$x, d$y, kernels = kernels[which.max(coef(fit))], normalize = "trace")
  expect_equal(predict(fit, d$x, type = "decision"), predict(alone, d$x, type = "decision"),
               tolerance = 1e-3)
  expect_mkl_error(learner_random(cost = NA), argument = "cost")
})

test_that("all pairs of classes share the draw", {
  kernels <- kernel_rbf(2^(-2:2))
  for (seed in 1:4) {
    set.seed(seed)
    long <- kernel_weights(mkl(Species ~ ., three_class(), kernels = kernels,
                               learner = learner_random()))
    expect_length(unique(long$kernel[long$weight == 1]), 1L)
  }
})
