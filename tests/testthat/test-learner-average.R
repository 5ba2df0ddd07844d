test_that("the average is an SVM with equal weights on kernels of equal trace", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_polynomial(3), kernel_linear())
  control <- mkl_control(tol = 1e-8)
  average <- mkl(d$x, d$y, kernels = kernels, learner = learner_average(2), control = control)
  fixed <- mkl(d$x, d$y, kernels = kernels, normalize = "trace", control = control,
               learner = learner_svm(2, weights = rep(1 / 3, 3)))
  expect_equal(predict(average, d$x, type = "decision"), predict(fixed, d$x, type = "decision"),
               tolerance = 1e-5)
  expect_equal(unname(coef(average)), rep(1 / 3, 3))
  expect_equal(objective(average), objective(fixed), tolerance = 1e-6)
})

test_that("many kernels are streamed", {
  d <- two_class()
  fit <- mkl(d$x, d$y, kernels = kernel_rbf_bags(500, 2, seed = 1), learner = learner_average(),
             control = mkl_control(memory = "1MB"))
  expect_length(coef(fit), 500L)
  expect_equal(predict(fit, d$x, type = "decision"), predict(fit, type = "decision"),
               tolerance = 1e-6)
})

test_that("all tasks are possible", {
  d <- numbers()
  expect_gt(cor(fitted(mkl(d$x, d$y, learner = learner_average(10))), d$y), 0.8)
  expect_type(fitted(mkl(d$x, learner = learner_average(nu = 0.2))), "logical")
  expect_s3_class(fitted(mkl(Species ~ ., three_class(), learner = learner_average())), "factor")
})

test_that("parameters are checked", {
  expect_mkl_error(learner_average(cost = 0), argument = "cost")
  expect_mkl_error(learner_average(weights = 1), argument = "weights")
  expect_output(print(learner_average()), "learner_average\\(cost = 4")
})
