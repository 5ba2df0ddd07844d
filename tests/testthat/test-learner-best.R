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

test_that("one class: the smallest width that still accepts rows left out", {
  set.seed(5)
  x <- matrix(rnorm(300), 100)
  widths <- 2^(-5:4)
  for (nu in c(0.05, 0.3)) {
    set.seed(6)
    fit <- mkl(x, kernels = kernel_rbf(widths), learner = learner_best(nu = nu))
    rejected <- objective_path(fit)
    consistent <- rejected <= nu + 2 * sqrt(nu * (1 - nu) / 100)
    expect_true(any(consistent) && !all(consistent))
    expect_identical(which(coef(fit) == 1), c(which(consistent)[1]), ignore_attr = TRUE)
  }
  # twice the kernel is the same kernel, where nothing brings it to its size
  doubled <- lapply(kernel_matrix(kernel_rbf(widths), x), function(k) 2 * k)
  set.seed(6)
  again <- mkl(doubled, NULL, normalize = "none", learner = learner_best(nu = 0.3))
  expect_identical(unname(coef(again)), unname(coef(fit)))
})

test_that("one class: the least rejections where no kernel is consistent", {
  x <- diag(40) # no row is like another
  set.seed(1)
  fit <- mkl(x, kernels = kernel_rbf(c(0.05, 0.1)), scale = FALSE, learner = learner_best(nu = 0.1))
  expect_gt(min(objective_path(fit)), 0.1 + 2 * sqrt(0.1 * 0.9 / 40))
  expect_identical(unname(coef(fit)), c(1, 0))
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
  plain <- mkl(d$x, d$y, kernels = kernels, learner = learner_best(cost = 10),
               scale_response = FALSE)
  set.seed(3)
  # the tolerance of the solver is absolute: it cannot be met at this scale
  huge <- suppressWarnings(mkl(d$x, d$y * 1e100, kernels = kernels, scale_response = FALSE,
              learner = learner_best(cost = 1e101, epsilon = 1e99)))
  expect_true(all(is.finite(objective_path(huge))))
  expect_identical(coef(huge), coef(plain))
  expect_equal(objective_path(huge) / 1e100, objective_path(plain), tolerance = 1e-2)
})

test_that("weights count in the inner fits and in the criterion", {
  rows <- rare_rows(120, seed = 2, share = 0.15)
  kernels <- kernel_rbf(c(0.3, 1, 4))
  w <- rep(c(1, 2, 0.5), 40)
  # by hand, on the folds that the core draws
  errors <- function(metric, weights) {
    set.seed(9)
    fit <- mkl(rows$x, rows$y, kernels = kernels, weights = weights,
               learner = learner_best(folds = 3, metric = metric))
    list(loss = objective_path(fit), chosen = which(coef(fit) == 1))
  }
  plain <- errors(NULL, NULL)
  expect_identical(plain, errors("accuracy", NULL))
  expect_identical(errors(NULL, w), errors("balanced_accuracy", w))
  expect_false(identical(errors("accuracy", w)$loss, errors("balanced_accuracy", w)$loss))
  expect_false(identical(errors("accuracy", w)$loss, plain$loss))
  # weights of 2 are rows that come twice: the criterion is the same for all weights times 3
  expect_equal(errors("accuracy", 3 * w)$loss, errors("accuracy", w)$loss, tolerance = 0.2)
  # a kernel that calls everything by the name of the larger class is wrong about half of them
  narrow <- errors("balanced_accuracy", NULL)$loss[1]
  expect_equal(narrow, 0.5, tolerance = 0.1)
  expect_lt(errors("accuracy", NULL)$loss[1], 0.2)
})

test_that("a rare class is not given up for the error rate", {
  new <- rare_rows(2000, seed = 100)
  for (seed in 1:3) {
    rows <- rare_rows(300, seed)
    set.seed(1)
    fit <- mkl(rows$x, rows$y, learner = learner_best(), class_weights = "balanced")
    expect_gt(balanced_accuracy(fit, new), 0.75)
  }
})

test_that("the metric is checked", {
  for (metric in list("auc", 1, NA, c("accuracy", "accuracy"))) {
    expect_mkl_error(learner_best(metric = metric), argument = "metric")
  }
  expect_match(format(learner_best(metric = "accuracy")), "metric = \"accuracy\"", fixed = TRUE)
  expect_no_match(format(learner_best()), "metric")
})
