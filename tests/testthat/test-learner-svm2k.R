views <- function(n = 40) {
  d <- hard_rows(n, p = 4)
  k <- list(a = gauss(d$x[, 1:2], d$x[, 1:2], 1), b = gauss(d$x[, 3:4], d$x[, 3:4], 1.5))
  list(x = d$x, y = d$y, sign = signs(d$y), k = k)
}

# The dual of the two-view problem, all of its variables and constraints, by quadprog.
svm2k_dual <- function(k, y, cost, coupling, epsilon) {
  n <- length(y)
  zero <- matrix(0, n, n)
  one <- diag(n)
  to_a <- cbind(diag(y), zero, -one, one)
  to_b <- cbind(zero, diag(y), one, -one)
  h <- t(to_a) %*% k$a %*% to_a + t(to_b) %*% k$b %*% to_b
  linear <- c(rep(1, 2 * n), rep(-epsilon, 2 * n))
  sums <- rbind(colSums(to_a), colSums(to_b))
  upper <- c(rep(cost, 2 * n), rep(coupling, 2 * n))
  solved <- quadprog::solve.QP(
    h + diag(1e-6, 4 * n), linear, cbind(t(sums), diag(4 * n), -diag(4 * n)),
    c(0, 0, rep(0, 4 * n), -upper), meq = 2
  )
  -solved$value
}

# The primal objective, written out.
svm2k_primal <- function(fit, d, cost, coupling, epsilon) {
  b <- matrix(0, length(d$y), 2)
  b[support(fit), ] <- 2 * fit$models[[1]]$state$coefficients
  norms <- sum(b[, 1] * (d$k$a %*% b[, 1])) + sum(b[, 2] * (d$k$b %*% b[, 2]))
  # of the two biases only the sum is stored: the best difference is searched
  loss <- function(difference) {
    bias <- fit$models[[1]]$state$bias + c(difference, -difference)
    f <- d$k$a %*% b[, 1] + bias[1]
    g <- d$k$b %*% b[, 2] + bias[2]
    cost * sum(pmax(1 - d$sign * f, 0) + pmax(1 - d$sign * g, 0)) +
      coupling * sum(pmax(abs(f - g) - epsilon, 0))
  }
  norms / 2 + stats::optimize(loss, c(-5, 5), tol = 1e-10)$objective
}

test_that("primal and dual meet, and quadprog finds the same value", {
  skip_if_not_installed("quadprog")
  d <- views()
  for (case in list(c(1, 0.5, 0.1), c(5, 5, 0), c(0.5, 0.1, 0.3), c(100, 10, 0.1))) {
    fit <- svm2k(d$k, d$y, cost = case[1], coupling = case[2], epsilon = case[3])
    expect_true(converged(fit))
    primal <- svm2k_primal(fit, d, case[1], case[2], case[3])
    expect_equal(primal, objective(fit), tolerance = 1e-6)
    oracle <- svm2k_dual(d$k, d$sign, case[1], case[2], case[3])
    expect_equal(objective(fit), oracle, tolerance = 2e-4)
  }
})

test_that("the path ends at the optimum, which every point before it nears", {
  d <- views()
  fit <- svm2k(d$k, d$y, cost = 5)
  path <- objective_path(fit)
  expect_gt(length(path), 3L)
  expect_equal(tail(path, 1), objective(fit), tolerance = 1e-12)
  # an interior point method gains digits at every step, if not at each of the first ones
  off <- abs(path - objective(fit)) / objective(fit)
  expect_lt(off[length(off) - 1L], 1e-6)
  expect_gt(off[1], 0.1)
  expect_length(suppressWarnings(svm2k(iris[1:4], iris$Species) |> objective_path()), 3L)
})

test_that("without coupling it is the mean of two support vector machines", {
  d <- views(60)
  fit <- svm2k(d$k, d$y, cost = 2, coupling = 0)
  alone <- lapply(d$k, function(k) {
    mkl(list(k), d$y, learner = learner_svm(cost = 2), control = mkl_control(tol = 1e-8))
  })
  expect_equal(objective(fit), objective(alone$a) + objective(alone$b), tolerance = 1e-6)
  mean_of_two <- (predict(alone$a, type = "decision") + predict(alone$b, type = "decision")) / 2
  expect_equal(predict(fit, type = "decision"), mean_of_two, tolerance = 1e-3)
})

test_that("the gap is held against the objective, however small the cost", {
  d <- views()
  for (cost in c(1e-8, 1e-4, 1e4)) {
    fit <- svm2k(d$k, d$y, cost = cost, coupling = cost)
    expect_true(converged(fit))
    expect_lte(duality_gap(fit), 1e-3 * objective(fit))
  }
  expect_warning(
    fit <- svm2k(d$k, d$y, control = mkl_control(tol = 1e-300)),
    "`tol` = 1e-300 of the primal value: after .* the duality gap is",
    class = "multikernel_not_converged"
  )
  expect_false(converged(fit))
})

test_that("zero and constant kernels leave the other view, indefinite ones warn", {
  d <- views()
  n <- length(d$y)
  alone <- mkl(d$k["b"], d$y, learner = learner_svm(1), normalize = "none",
               control = mkl_control(tol = 1e-8))
  # no function at all, or one that is constant: the best constant for that view
  rest <- 2 * min(table(d$y))
  for (flat in list(matrix(0, n, n), matrix(1, n, n))) {
    fit <- svm2k(list(flat, d$k$b), d$y, coupling = 0, normalize = "none")
    expect_true(converged(fit))
    expect_equal(objective(fit), objective(alone) + rest, tolerance = 1e-6)
  }
  for (bad in list(d$k$a - 0.5 * diag(n), -d$k$a)) {
    suppressWarnings(expect_warning(
      fit <- svm2k(list(bad, d$k$b), d$y, normalize = "none"), class = "multikernel_indefinite"
    ), classes = "multikernel_not_converged")
    expect_true(all(is.finite(predict(fit, type = "decision"))))
  }
})

test_that("coupling brings the two functions together", {
  d <- views(60)
  apart <- function(coupling) {
    fit <- svm2k(d$k, d$y, cost = 1, coupling = coupling, epsilon = 0)
    b <- matrix(0, 60, 2)
    b[support(fit), ] <- fit$models[[1]]$state$coefficients
    difference <- d$k$a %*% b[, 1] - d$k$b %*% b[, 2]
    sum(abs(difference - stats::median(difference)))
  }
  expect_lt(apart(1), apart(0.1))
  expect_lt(apart(10), apart(1))
})

test_that("new rows, several classes, weights, probabilities, storage, threads", {
  kernels <- kernel_set(
    sepal = kernel_rbf(sigma = 1, on = 1:2), petal = kernel_rbf(sigma = 1, on = 3:4)
  )
  fit <- svm2k(Species ~ ., iris, kernels = kernels)
  expect_equal(predict(fit, iris, type = "decision"), predict(fit, type = "decision"),
               tolerance = 1e-8)
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.85)
  more <- update(fit, control = mkl_control(threads = 3))
  expect_identical(essence(fit)$models, essence(more)$models)
  again <- unserialize(serialize(fit, NULL))
  expect_identical(predict(again, iris), predict(fit, iris))
  two <- droplevels(iris[51:150, ])
  # a row of weight 2 is the row given twice
  weighted <- svm2k(Species ~ ., two, kernels = kernels, scale = FALSE,
                    weights = rep(c(2, 1), c(10, 90)))
  repeated <- svm2k(Species ~ ., two[c(1:10, 1:100), ], kernels = kernels, scale = FALSE)
  expect_equal(predict(weighted, two, type = "decision"),
               predict(repeated, two, type = "decision"), tolerance = 1e-5)
  set.seed(1)
  probable <- svm2k(Species ~ ., two, kernels = kernels, probability = TRUE)
  expect_equal(bare(rowSums(predict(probable, two[1:5, ], type = "prob"))), rep(1, 5))
})

test_that("errors say what to do", {
  d <- views()
  expect_snapshot(error = TRUE, {
    svm2k(d$k[1], d$y)
    svm2k(d$x, d$y, kernels = kernel_rbf(sigma = 1:3))
    svm2k(d$k, seq_along(d$y) + 0.5)
    learner_svm2k(coupling = -1)
    learner_svm2k(epsilon = NA)
    learner_svm2k(cost = Inf)
  })
})
