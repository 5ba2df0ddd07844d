gram_data <- function(n = 30) {
  d <- two_class(n, 3)
  list(x = d$x, y = d$y, sign = ifelse(d$y == "yes", 1, -1),
       kernels = kernel_set(kernel_rbf(0.4), kernel_rbf(1), kernel_rbf(3), kernel_linear()))
}

# R^2 / rho^2 by quadratic programs of quadprog.
ratio_at <- function(matrices, weights, sign) {
  K <- Reduce(`+`, Map(`*`, matrices, weights))
  n <- nrow(K)
  ridge <- diag(1e-10 * mean(diag(K)), n)
  a <- quadprog::solve.QP(2 * K + ridge, diag(K), cbind(1, diag(n)), c(1, numeric(n)), 1)$solution
  Q <- K * tcrossprod(sign)
  g <- quadprog::solve.QP(2 * Q + ridge, numeric(n), cbind(sign > 0, sign < 0, diag(n)),
                          c(1, 1, numeric(n)), 2)$solution
  (sum(a * diag(K)) - drop(a %*% K %*% a)) / drop(g %*% Q %*% g)
}

test_that("no weights have a smaller ratio of radius and margin", {
  skip_if_not_installed("quadprog")
  d <- gram_data()
  fit <- gram(d$x, d$y, kernels = d$kernels, tolerance = 1e-3)
  expect_true(all(converged(fit)))
  K <- lapply(kernel_matrix(d$kernels, scale(d$x)), function(K) K / mean(diag(K)))
  expect_equal(ratio_at(K, coef(fit), d$sign), unname(objective(fit)), tolerance = 2e-3)
  found <- ratio_at(K, coef(fit), d$sign)
  tried <- with_seed(1, replicate(40, {
    w <- rexp(4)^2
    ratio_at(K, w / sum(w), d$sign)
  }))
  alone <- vapply(1:3, function(m) ratio_at(K, as.numeric(1:4 == m), d$sign), 0)
  expect_true(all(c(tried, alone) >= found * (1 - 2e-3)))
  # From softmax variables by optim(), without derivatives.
  best <- optim(numeric(4), function(b) ratio_at(K, exp(b) / sum(exp(b)), d$sign),
                control = list(maxit = 400))$value
  expect_gte(best, found * (1 - 2e-3))
  expect_lte(found, best * (1 + 2e-3))
})

test_that("the model is that of learner_svm() on the weighted sum", {
  d <- gram_data()
  fit <- gram(d$x, d$y, kernels = d$kernels, cost = 3)
  svm <- mkl(d$x, d$y, kernels = d$kernels, normalize = "trace",
             learner = learner_svm(3, weights = unname(coef(fit))))
  expect_equal(predict(fit, d$x, type = "decision"), predict(svm, d$x, type = "decision"),
               tolerance = 1e-8)
})

test_that("scales of kernels, threads and storage do not matter", {
  d <- gram_data()
  K <- kernel_matrix(d$kernels, scale(d$x))
  names(K) <- letters[1:4]
  fit <- gram(K, d$y, normalize = "none", tolerance = 1e-3)
  scaled <- gram(Map(`*`, K, c(1, 10, 0.1, 2)), d$y, normalize = "none", tolerance = 1e-3)
  expect_equal(unname(objective(scaled)), unname(objective(fit)), tolerance = 2e-3)
  one <- gram(d$x, d$y, kernels = d$kernels)
  two <- gram(d$x, d$y, kernels = d$kernels, control = mkl_control(threads = 2))
  expect_identical(coef(one), coef(two))
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(one, file)
  expect_identical(predict(readRDS(file), d$x), predict(one, d$x))
  several <- gram(Species ~ ., three_class(60), kernels = kernel_rbf(c(0.3, 1)))
  expect_identical(nrow(kernel_weights(several)), 6L)
})

test_that("a search that is cut short knows it, overlapping classes are an error", {
  d <- gram_data()
  expect_warning(
    gram(d$x, d$y, kernels = d$kernels, tolerance = 1e-6, iterations = 1),
    class = "multikernel_not_converged"
  )
  x <- matrix(c(-1, 1, -2, 2, 0.5, -0.5))
  expect_mkl_error(gram(x, rep(c("a", "b"), 3), kernels = kernel_linear()), "overlap")
  expect_mkl_error(learner_gram(cost = 0), argument = "cost")
  expect_mkl_error(learner_gram(tolerance = 0), argument = "tolerance")
  expect_mkl_error(learner_gram(iterations = 0), argument = "iterations")
  expect_mkl_error(gram(d$x, d$x[, 1], kernels = d$kernels), "cannot do the task")
})
