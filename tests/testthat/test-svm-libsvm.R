# Whole fits against e1071 (libsvm): same kernel, cost and tolerance.

skip_if_not_installed("e1071")

decide <- function(fit, ...) predict(fit, ..., type = "decision")

# linear'b - b'Kb/2 of any solution, by our own matrix on its support.
dual_value <- function(x, rows, coefficients, gamma) {
  K <- kernel_matrix(kernel_rbf(gamma = gamma), x[rows, , drop = FALSE])
  sum(abs(coefficients)) - sum(coefficients * (K %*% coefficients)) / 2
}

peer_decision <- function(peer, x, positive) {
  values <- attr(predict(peer, x, decision.values = TRUE), "decision.values")
  sign <- if (startsWith(colnames(values), paste0(positive, "/"))) 1 else -1
  sign * unname(values[, 1])
}

# Objective to 1e-5, decision values as close as the tolerance of both makes them.
expect_libsvm <- function(d, cost, gamma, within = 0.02) {
  positive <- levels(d$y)[2]
  peer <- e1071::svm(d$x, d$y, scale = FALSE, gamma = gamma, cost = cost, tolerance = 1e-3,
                     cachesize = 400)
  fit <- mkl(d$x, d$y, scale = FALSE, kernels = kernel_rbf(gamma = gamma),
             learner = learner_svm(cost))
  expect_true(converged(fit))
  theirs <- dual_value(d$x, peer$index, drop(peer$coefs), gamma)
  label <- sprintf("relative difference of the duals, n = %d, C = %g", nrow(d$x), cost)
  expect_lte(abs(objective(fit) - theirs) / theirs, 1e-5, label = label)
  state <- fit$models[[1]]$state
  ours <- dual_value(d$x, support(fit), state$coefficients, gamma)
  expect_equal(objective(fit), ours, tolerance = 1e-9)
  a <- decide(fit)
  b <- peer_decision(peer, d$x, positive)
  expect_lte(max(abs(a - b)), within * max(1, max(abs(b))))
  expect_gte(mean((a >= 0) == (b >= 0)), 0.995)
}

test_that("spam, 1000 and 2000 rows", {
  skip_if_not_installed("kernlab")
  for (n in c(1000, 2000)) {
    d <- spam_rows(n)
    for (cost in c(1, 10, 100)) expect_libsvm(d, cost, 1 / 57)
  }
})

test_that("spam, all 4601 rows", {
  skip_on_cran()
  skip_if_not_installed("kernlab")
  d <- spam_rows(4601)
  for (cost in c(1, 10, 100)) expect_libsvm(d, cost, 1 / 57)
})

test_that("a hard set: a tilted chessboard with wrong labels", {
  d <- with_seed(2, {
    x <- matrix(rnorm(10000), 1000)
    side <- sin(2 * x[, 1]) * sin(2 * x[, 2]) + 0.3 * x[, 3] > 0
    list(x = x, y = factor(ifelse(side != (runif(1000) < 0.15), "in", "out")))
  })
  for (cost in c(1, 10, 100)) expect_libsvm(d, cost, 0.1)
})

test_that("one width after the other, narrow to wide", {
  d <- hard_rows(300, 4)
  for (gamma in 4^(-4:2)) expect_libsvm(d, 10, gamma)
})

test_that("regression, for several tubes and costs", {
  d <- with_seed(3, {
    x <- matrix(runif(300 * 3, -2, 2), 300)
    list(x = x, y = sin(2 * x[, 1]) + x[, 2]^2 + 0.2 * rnorm(300))
  })
  K <- gauss(d$x, d$x, 1)
  for (cost in c(1, 100)) {
    for (epsilon in c(0, 0.1, 0.5)) {
      peer <- e1071::svm(d$x, d$y, scale = FALSE, gamma = 0.5, cost = cost, epsilon = epsilon,
                         tolerance = 1e-6)
      fit <- mkl(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1), control = mkl_control(1e-6),
                 scale_response = FALSE, learner = learner_svm(cost, epsilon = epsilon))
      b <- numeric(300)
      b[peer$index] <- peer$coefs
      dual <- sum(d$y * b) - epsilon * sum(abs(b)) - sum(b * (K %*% b)) / 2
      expect_equal(objective(fit), dual, tolerance = 1e-6)
      expect_equal(fitted(fit), unname(predict(peer, d$x)), tolerance = 1e-4)
      new <- d$x[1:20, ] + 0.1
      expect_equal(predict(fit, new), unname(predict(peer, new)), tolerance = 1e-4)
    }
  }
})

test_that("one-class, for several nu", {
  d <- hard_rows(300, 3)
  K <- gauss(d$x, d$x, 1)
  for (nu in c(0.02, 0.2, 0.7)) {
    peer <- e1071::svm(d$x, NULL, scale = FALSE, type = "one-classification", gamma = 0.5,
                       nu = nu, tolerance = 1e-8)
    fit <- mkl(d$x, scale = FALSE, kernels = kernel_rbf(1), learner = learner_svm(nu = nu),
               control = mkl_control(tol = 1e-8))
    b <- numeric(300)
    b[peer$index] <- peer$coefs
    expect_equal(sum(b), nu * 300, tolerance = 1e-6)
    expect_equal(objective(fit), -sum(b * (K %*% b)) / 2, tolerance = 1e-7)
    values <- attr(predict(peer, d$x, decision.values = TRUE), "decision.values")
    expect_equal(decide(fit), unname(values[, 1]), tolerance = 1e-4)
    # the meaning of nu
    expect_lte(mean(decide(fit) < -1e-6), nu + 1e-9)
    expect_gte(mean(seq_len(300) %in% support(fit)), nu - 1e-9)
  }
})

# Four classes of shapes that overlap, 18 columns, like the vehicle silhouettes.
vehicle_like <- function(n = 400) {
  with_seed(7, {
    class <- rep(1:4, length.out = n)
    centers <- matrix(rnorm(4 * 18), 4)
    centers[2, ] <- centers[1, ] + 0.3 * rnorm(18)
    x <- centers[class, ] + matrix(rnorm(n * 18), n) %*% diag(seq(0.5, 2, length.out = 18))
    list(x = x, y = factor(c("bus", "opel", "saab", "van")[class]))
  })
}

test_that("several classes, one against one", {
  sets <- list(list(x = as.matrix(iris[, 1:4]), y = iris$Species), vehicle_like())
  for (d in sets) {
    for (cost in c(1, 20)) {
      gamma <- 1 / ncol(d$x)
      peer <- e1071::svm(d$x, d$y, cost = cost, gamma = gamma)
      fit <- mkl(d$x, d$y, learner = learner_svm(cost), kernels = kernel_rbf(gamma = gamma))
      new <- with_seed(1, d$x + 0.1 * rnorm(length(d$x)))
      for (data in list(d$x, new)) {
        theirs <- as.character(predict(peer, data))
        expect_gte(mean(as.character(predict(fit, data)) == theirs), 0.99)
      }
    }
  }
})

test_that("class weights are class.weights", {
  d <- hard_rows(300, 4)
  for (weights in list(c(a = 1, b = 5), c(a = 0.1, b = 1), c(a = 3))) {
    peer <- e1071::svm(d$x, d$y, scale = FALSE, gamma = 0.2, cost = 2, class.weights = weights,
                       tolerance = 1e-6)
    fit <- mkl(d$x, d$y, scale = FALSE, kernels = kernel_rbf(gamma = 0.2), class_weights = weights,
               learner = learner_svm(2), control = mkl_control(tol = 1e-6))
    expect_equal(objective(fit), dual_value(d$x, peer$index, drop(peer$coefs), 0.2),
                 tolerance = 1e-7)
    expect_equal(decide(fit), peer_decision(peer, d$x, "b"), tolerance = 1e-3)
  }
})

test_that("weights of rows are copies of rows, in every task", {
  d <- hard_rows(60, 3)
  y <- d$x[, 1] + sin(d$x[, 2])
  copies <- rep(c(1, 3, 0, 2), 15)
  again <- rep(1:60, copies)
  strict <- mkl_control(tol = 1e-9)
  fit <- function(...) {
    mkl(..., scale = FALSE, kernels = kernel_rbf(1), learner = learner_svm(3, nu = 0.3),
        control = strict)
  }
  for (response in list(d$y, y, NULL)) {
    weighted <- fit(d$x, response, weights = copies)
    repeated <- fit(d$x[again, ], response[again])
    expect_equal(objective(weighted), objective(repeated), tolerance = 1e-7)
    expect_equal(decide(weighted, d$x), decide(repeated, d$x), tolerance = 1e-5)
    # and libsvm agrees on the copies
    target <- response[again]
    if (is.numeric(target)) target <- as.vector(scale(target))
    peer <- e1071::svm(d$x[again, ], target, scale = FALSE, gamma = 0.5, cost = 3,
                       nu = 0.3, tolerance = 1e-8,
                       type = if (is.null(response)) "one-classification")
    values <- attr(predict(peer, d$x, decision.values = TRUE), "decision.values")
    expect_gt(abs(cor(decide(weighted, d$x), as.vector(values))), 1 - 1e-6)
  }
})
