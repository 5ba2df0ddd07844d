# The solver against quadprog, and its answers against the optimality conditions themselves.

smo <- function(K, linear, lower, upper, total = 0, start = numeric(), ...) {
  multikernel:::smo_cpp(K, linear, lower, upper, total, start, core(...))
}

# C-SVC in signed coefficients.
svc <- function(K, y, cost, ...) {
  smo(K, y, ifelse(y > 0, 0, -cost), ifelse(y > 0, cost, 0), ...)
}

# The maximum of linear'b - b'Kb/2 over the same set.
quadprog_value <- function(K, linear, lower, upper, total = 0) {
  n <- nrow(K)
  -quadprog::solve.QP(K, linear, cbind(1, diag(n), -diag(n)), c(total, lower, -upper),
                      meq = 1)$value
}

# All that makes a point optimal, from K and the point alone.
expect_optimal <- function(result, K, linear, lower, upper, total = 0, tol) {
  beta <- result$beta
  # rounding of the sum of n products
  slack <- 1e-12 * max(abs(K)) * max(1, sum(abs(beta)))
  expect_true(result$converged)
  expect_gte(min(beta - lower), 0)
  expect_gte(min(upper - beta), 0)
  expect_lte(abs(sum(beta) - total), 1e-12 * max(1, sum(abs(beta)), length(beta)))
  gradient <- drop(K %*% beta) - linear
  up <- suppressWarnings(min(gradient[beta < upper]))
  low <- suppressWarnings(max(gradient[beta > lower]))
  violation <- max(low - up, 0)
  expect_lte(violation, tol + slack)
  expect_lte(abs(result$violation - violation), slack)
  expect_equal(result$objective, sum(linear * beta) - sum(beta * (K %*% beta)) / 2,
               tolerance = 1e-10)
  # the bias is minus the gradient of the free ones, or lies between the bounded ones
  free <- beta > lower & beta < upper
  if (any(free)) expect_lte(abs(result$bias + mean(gradient[free])), slack + 1e-12)
  else if (is.finite(up) && is.finite(low)) expect_equal(result$bias, -(up + low) / 2)
  slope <- gradient + result$bias
  gap <- sum(ifelse(slope > 0, slope * (beta - lower), slope * (beta - upper)))
  expect_lte(abs(result$gap - gap), slack * max(1, upper - lower) * length(beta))
}

# Matrices that quadprog can factor: the ridge is part of the problem, for both.
ridge <- function(K) K + 1e-6 * mean(diag(K)) * diag(nrow(K))

problems <- function() {
  out <- list()
  for (n in c(2:19, 60, 200)) {
    d <- hard_rows(n + 2, 3, seed = n)
    d$y[1:2] <- levels(d$y)
    keep <- seq_len(n)
    out[[paste("random", n)]] <- list(
      K = ridge(gauss(d$x[keep, , drop = FALSE], d$x[keep, , drop = FALSE], 1)),
      y = signs(d$y[keep])
    )
  }
  out
}

real_problems <- function() {
  sonar <- sonar_rows(seq(1, 208, length.out = 200))
  spam <- spam_rows(180)
  list(
    sonar_rbf = list(K = ridge(gauss(sonar$x, sonar$x, 5)), y = signs(sonar$y)),
    sonar_linear = list(K = ridge(tcrossprod(sonar$x)), y = signs(sonar$y)),
    spam_rbf = list(K = ridge(gauss(spam$x, spam$x, 5)), y = signs(spam$y)),
    spam_poly = list(K = ridge((tcrossprod(spam$x) / 57 + 1)^2), y = signs(spam$y))
  )
}

check_svc <- function(problems) {
  for (p in problems) {
    for (cost in c(1, 10, 100)) {
      lower <- ifelse(p$y > 0, 0, -cost)
      upper <- ifelse(p$y > 0, cost, 0)
      best <- quadprog_value(p$K, p$y, lower, upper)
      result <- smo(p$K, p$y, lower, upper, tol = 1e-10)
      expect_equal(result$objective, best, tolerance = 1e-9)
      expect_optimal(result, p$K, p$y, lower, upper, tol = 1e-10)
      expect_lte(abs(result$gap), 1e-7 * max(1, best))
    }
  }
}

test_that("the dual is that of quadprog, for every remainder of the vector width", {
  skip_if_not_installed("quadprog")
  check_svc(problems())
})

test_that("the dual is that of quadprog on real data", {
  skip_if_not_installed("quadprog")
  skip_if_not_installed("mlbench")
  skip_if_not_installed("kernlab")
  check_svc(real_problems())
})

test_that("bounds of the examples may differ, be zero, or fix a variable", {
  skip_if_not_installed("quadprog")
  for (seed in 1:6) {
    d <- hard_rows(70, 4, seed)
    K <- ridge(gauss(d$x, d$x, 1.5))
    y <- signs(d$y)
    bound <- with_seed(seed, sample(c(0, 0.3, 1, 5, 50), 70, TRUE) * runif(70))
    lower <- ifelse(y > 0, 0, -bound)
    upper <- ifelse(y > 0, bound, 0)
    upper[3] <- lower[3] <- 0.1 * y[3]
    result <- smo(K, y, lower, upper, tol = 1e-10)
    # quadprog does not like equal bounds as two inequalities: leave a hair
    expect_equal(result$objective, quadprog_value(K, y, lower, upper + 1e-13), tolerance = 1e-9)
    expect_optimal(result, K, y, lower, upper, tol = 1e-10)
    expect_identical(result$beta[3], 0.1 * y[3])
  }
})

test_that("regression is solved as the problem of two variables for each example", {
  skip_if_not_installed("quadprog")
  d <- numbers(70)
  K <- gauss(scale(d$x), scale(d$x), 1)
  for (cost in c(1, 10, 100)) {
    linear <- c(d$y - 0.1, d$y + 0.1)
    lower <- rep(c(0, -cost), each = 70)
    upper <- rep(c(cost, 0), each = 70)
    twice <- K[rep(1:70, 2), rep(1:70, 2)]
    both <- ridge(twice)
    result <- smo(both, linear, lower, upper, tol = 1e-10)
    expect_equal(result$objective, quadprog_value(both, linear, lower, upper), tolerance = 1e-9)
    expect_optimal(result, both, linear, lower, upper, tol = 1e-10)
    # and mkl(), which never forms the doubled matrix, solves the same problem
    fit <- mkl(list(K), d$y, learner = learner_svm(cost, epsilon = 0.1), scale_response = FALSE,
               control = mkl_control(tol = 1e-10))
    direct <- smo(twice, linear, lower, upper, tol = 1e-10)
    expect_equal(objective(fit), direct$objective, tolerance = 1e-9)
    expect_equal(fitted(fit), drop(twice %*% direct$beta)[1:70] + direct$bias, tolerance = 1e-8)
  }
})

test_that("one-class is solved with a total other than zero", {
  skip_if_not_installed("quadprog")
  d <- hard_rows(90, 3)
  K <- ridge(gauss(d$x, d$x, 1))
  for (nu in c(0.05, 0.3, 1)) {
    result <- smo(K, rep(0, 90), rep(0, 90), rep(1, 90), total = nu * 90, tol = 1e-10)
    expect_optimal(result, K, rep(0, 90), rep(0, 90), rep(1, 90), nu * 90, tol = 1e-10)
    if (nu < 1) {
      best <- quadprog_value(K, rep(0, 90), rep(0, 90), rep(1, 90), nu * 90)
      expect_equal(result$objective, best, tolerance = 1e-9)
    } else {
      expect_equal(result$beta, rep(1, 90), tolerance = 1e-12)
    }
    fit <- mkl(list(K), learner = learner_svm(nu = nu), control = mkl_control(tol = 1e-10))
    expect_equal(objective(fit), result$objective, tolerance = 1e-9)
  }
})

test_that("shrinking, with a copy of the matrix and without, changes no solution", {
  d <- hard_rows(600, 5)
  K <- kernel_matrix(kernel_rbf(2), d$x)
  y <- signs(d$y)
  for (cost in c(1, 100)) {
    plain <- svc(K, y, cost, shrinking = FALSE, tol = 1e-9)
    for (memory in c(0, 2^31)) {
      shrunk <- svc(K, y, cost, memory = memory, tol = 1e-9)
      expect_equal(shrunk$objective, plain$objective, tolerance = 1e-11)
      expect_equal(shrunk$beta, plain$beta, tolerance = 1e-4)
      expect_optimal(shrunk, K, y, ifelse(y > 0, 0, -cost), ifelse(y > 0, cost, 0), tol = 1e-9)
    }
    # at the usual tolerance too: the certificate is that of the full problem
    loose <- svc(K, y, cost)
    expect_optimal(loose, K, y, ifelse(y > 0, 0, -cost), ifelse(y > 0, cost, 0), tol = 1e-3)
    expect_equal(loose$objective, plain$objective, tolerance = 1e-5)
  }
})

test_that("a warm start ends where a cold one does", {
  d <- hard_rows(300, 4)
  K <- kernel_matrix(kernel_rbf(1.5), d$x)
  y <- signs(d$y)
  cold <- svc(K, y, 10, tol = 1e-9)
  starts <- list(
    solved = cold$beta, other_cost = svc(K, y, 1)$beta, half = cold$beta / 2,
    infeasible = with_seed(1, rnorm(300, sd = 30)), corner = 10 * pmax(y, 0)
  )
  for (start in starts) {
    warm <- svc(K, y, 10, start = start, tol = 1e-9)
    expect_equal(warm$objective, cold$objective, tolerance = 1e-11)
    expect_optimal(warm, K, y, ifelse(y > 0, 0, -10), ifelse(y > 0, 10, 0), tol = 1e-9)
  }
  again <- svc(K, y, 10, start = cold$beta, tol = 1e-8)
  expect_lte(again$iterations, 2)
  expect_lt(svc(K, y, 10, start = svc(K, y, 9)$beta)$iterations, svc(K, y, 10)$iterations)
  expect_error(svc(K, y, 10, start = rep(0, 299)), "start")
  expect_error(svc(K, y, 10, start = rep(NaN, 300)), "start")
})

test_that("an indefinite matrix ends, at a stationary point, with a flag", {
  n <- 80
  indefinite <- list(
    sin(outer(1:n, 1:n)), -diag(n), tanh(outer(1:n, 1:n, function(i, j) sin(i * j) - 1)),
    1 - diag(n), sin(outer(1:n, 1:n)) * 1e6
  )
  y <- rep(c(-1, 1), length.out = n)
  for (K in indefinite) {
    for (cost in c(1, 100)) {
      result <- svc(K, y, cost, max_iter = 1e6)
      expect_true(result$indefinite)
      expect_true(all(is.finite(unlist(result))))
      expect_lte(max(abs(result$beta)), cost)
      expect_lte(abs(sum(result$beta)), 1e-9 * cost * n)
      expect_identical(result$converged, result$violation <= 1e-3)
    }
  }
  expect_false(svc(diag(n), y, 1)$indefinite)
  expect_false(svc(matrix(1, n, n), y, 1)$indefinite)
})

test_that("an iteration limit is kept and told", {
  d <- hard_rows(200, 4)
  K <- kernel_matrix(kernel_rbf(1.5), d$x)
  y <- signs(d$y)
  for (limit in c(1, 7, 150)) {
    result <- svc(K, y, 10, max_iter = limit)
    expect_identical(result$iterations, limit)
    expect_false(result$converged)
    gradient <- drop(K %*% result$beta) - y
    low <- max(gradient[result$beta > ifelse(y > 0, 0, -10)])
    up <- min(gradient[result$beta < ifelse(y > 0, 10, 0)])
    expect_equal(result$violation, low - up)
    expect_equal(sum(result$beta), 0)
  }
  values <- vapply(c(1, 10, 100, 1000), function(i) svc(K, y, 10, max_iter = i)$objective, 0)
  expect_false(is.unsorted(values, strictly = TRUE))
})

test_that("threads and instruction sets give the same solution", {
  d <- hard_rows(307, 5)
  K <- kernel_matrix(kernel_rbf(2), d$x)
  y <- signs(d$y)
  one <- svc(K, y, 10, tol = 1e-10)
  expect_identical(svc(K, y, 10, tol = 1e-10, threads = 2L), one)
  for (simd in simd_levels()) {
    other <- svc(K, y, 10, tol = 1e-10, simd = simd)
    expect_equal(other$objective, one$objective, tolerance = 1e-9)
    expect_equal(other$bias, one$bias, tolerance = 1e-6)
  }
})

test_that("the smallest problems", {
  expect_identical(smo(matrix(2), 1, 0, 5)$beta, 0)
  expect_equal(smo(matrix(2), 1, 0, 5, total = 3)$beta, 3)
  two <- smo(diag(2), c(1, -1), c(0, -9), c(9, 0), tol = 1e-10)
  expect_equal(two$beta, c(1, -1))
  expect_equal(two$objective, 1)
  # equal rows with different labels: all at the bound, bias in the middle
  same <- smo(matrix(1, 2, 2), c(1, -1), c(0, -3), c(3, 0))
  expect_equal(same$beta, c(3, -3))
  expect_equal(same$bias, 0)
  expect_error(smo(diag(2), c(1, -1), c(0, 0), c(9, 9), total = 20), "total")
  expect_error(smo(diag(2), c(1, -1), c(1, 0), c(0, 9)), "lower <= upper")
})

test_that("a warm start that misses its bounds by rounding does not move the bias", {
  # With a small cost all coefficients are at their bounds, and any that seems free would set the
  # bias alone.
  d <- two_class(40)
  K <- gauss(d$x, d$x, 3)
  y <- rep(c(1, -1), 20)
  for (cost in c(0.01, 0.03, 0.07)) {
    cold <- svc(K, y, cost)
    expect_true(all(abs(cold$beta) == cost))
    for (i in c(1, 2, 40)) {
      start <- cold$beta
      start[i] <- start[i] * (1 - 2e-16)
      expect_equal(svc(K, y, cost, start = start)$bias, cold$bias, tolerance = 1e-12)
    }
  }
})
