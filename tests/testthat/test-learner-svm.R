decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-8)

test_that("classification is that of libsvm", {
  skip_if_not_installed("e1071")
  d <- two_class(120)
  for (cost in c(0.5, 10)) {
    fit <- mkl(d$x, d$y, learner = learner_svm(cost), kernels = kernel_rbf(gamma = 0.3),
               control = strict)
    peer <- e1071::svm(d$x, d$y, cost = cost, gamma = 0.3, tolerance = 1e-8)
    theirs <- attr(predict(peer, d$x, decision.values = TRUE), "decision.values")
    sign <- if (colnames(theirs) == "yes/no") 1 else -1
    expect_equal(decide(fit), sign * as.vector(theirs), tolerance = 1e-5)
    expect_identical(support(fit), sort(peer$index))
  }
})

test_that("regression is that of libsvm", {
  skip_if_not_installed("e1071")
  d <- numbers(80)
  fit <- mkl(d$x, d$y, learner = learner_svm(5, epsilon = 0.05), kernels = kernel_rbf(gamma = 0.3),
             control = strict)
  peer <- e1071::svm(d$x, d$y, cost = 5, gamma = 0.3, epsilon = 0.05, tolerance = 1e-8)
  expect_equal(fitted(fit), unname(predict(peer, d$x)), tolerance = 1e-5)
})

test_that("one-class is that of libsvm", {
  skip_if_not_installed("e1071")
  d <- two_class(80)
  fit <- mkl(d$x, learner = learner_svm(nu = 0.3), kernels = kernel_rbf(gamma = 0.3),
             control = strict)
  peer <- e1071::svm(d$x, type = "one-classification", nu = 0.3, gamma = 0.3, tolerance = 1e-8)
  theirs <- attr(predict(peer, d$x, decision.values = TRUE), "decision.values")
  ours <- decide(fit)
  # libsvm scales its solution by n * nu
  expect_gt(cor(ours, as.vector(theirs)), 1 - 1e-6)
  clear <- abs(theirs) > 1e-3 * max(abs(theirs))
  expect_identical((ours >= 0)[clear], (theirs >= 0)[clear])
})

test_that("several classes and class weights are those of libsvm", {
  skip_if_not_installed("e1071")
  data <- three_class()
  weights <- c(setosa = 1, versicolor = 2, virginica = 0.5)
  fit <- mkl(Species ~ ., data, learner = learner_svm(3), kernels = kernel_rbf(gamma = 0.25),
             class_weights = weights, control = strict)
  peer <- e1071::svm(Species ~ ., data, cost = 3, gamma = 0.25, class.weights = weights,
                     tolerance = 1e-8)
  expect_identical(as.character(predict(fit, data)), as.character(predict(peer, data)))
  theirs <- attr(predict(peer, data, decision.values = TRUE), "decision.values")
  ours <- decide(fit, data)
  expect_equal(unname(abs(ours[, "virginica/versicolor"])),
               unname(abs(theirs[, grep("versicolor.*virginica|virginica.*versicolor",
                                        colnames(theirs))])), tolerance = 1e-4)
})

test_that("probabilities are close to those of libsvm", {
  skip_if_not_installed("e1071")
  d <- two_class(200)
  set.seed(1)
  fit <- mkl(d$x, d$y, probability = TRUE, kernels = kernel_rbf(gamma = 0.3))
  peer <- e1071::svm(d$x, d$y, gamma = 0.3, probability = TRUE)
  theirs <- attr(predict(peer, d$x, probability = TRUE), "probabilities")[, "yes"]
  expect_lt(mean(abs(predict(fit, d$x, type = "prob")[, "yes"] - theirs)), 0.1)
})

test_that("fixed weights are a weighted sum of kernels", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_linear())
  fit <- mkl(d$x, d$y, kernels = kernels, learner = learner_svm(weights = c(0.7, 0.3)),
             control = strict)
  x <- scale(d$x)
  K <- 0.7 * gauss(x, x, 1) + 0.3 * tcrossprod(x)
  expect_equal(decide(fit), decide(mkl(list(K), d$y, control = strict)), tolerance = 1e-5)
  expect_equal(kernel_weights(fit), c("rbf(sigma=1)" = 0.7, linear = 0.3))
  named <- mkl(d$x, d$y, kernels = kernels, control = strict,
               learner = learner_svm(weights = c(linear = 0.3, "rbf(sigma=1)" = 0.7)))
  expect_identical(decide(named), decide(fit))
})

test_that("several kernels need weights", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_linear())
  expect_snapshot(error = TRUE, {
    mkl(d$x, d$y, kernels = kernels, learner = "svm")
    mkl(d$x, d$y, kernels = kernels, learner = learner_svm(weights = 1))
    mkl(d$x, d$y, kernels = kernels, learner = learner_svm(weights = c(a = 1, linear = 1)))
  })
})

test_that("parameters are checked", {
  bad <- list(
    cost = list(0, -1, NA, NaN, NULL, Inf, "a", c(1, 2), TRUE),
    epsilon = list(-1, NA, NaN, NULL, Inf, "a", c(1, 2)),
    nu = list(0, -1, 1.1, NA, NaN, NULL, "a", c(0.1, 0.2)),
    weights = list(-1, NA_real_, "a", c(0, 0), list(1), Inf)
  )
  for (name in names(bad)) {
    for (i in seq_along(bad[[name]])) {
      arguments <- stats::setNames(bad[[name]][i], name)
      expect_mkl_error(do.call(learner_svm, arguments), argument = name)
    }
  }
  expect_mkl_error(learner_svm(C = 10), argument = "C")
  expect_mkl_error(learner_svm(costs = 10), "Did you mean `cost`")
})

test_that("a learner prints itself", {
  expect_snapshot(print(learner_svm(cost = 10, weights = c(0.5, 0.5))))
})
