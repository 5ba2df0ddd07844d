solve_ours <- function(h, linear, equality, right, lower, upper) {
  multikernel:::qp_cpp(h, linear, equality, right, lower, upper, core())
}

# The same by quadprog, which wants A'x >= b.
solve_theirs <- function(h, linear, equality, right, lower, upper) {
  n <- length(linear)
  below <- is.finite(lower)
  above <- is.finite(upper)
  quadprog::solve.QP(
    h, -linear, cbind(t(equality), diag(n)[, below], -diag(n)[, above]),
    c(right, lower[below], -upper[above]), meq = nrow(equality)
  )
}

test_that("random quadratic programmes: as quadprog", {
  skip_if_not_installed("quadprog")
  set.seed(4)
  for (trial in 1:30) {
    n <- sample(2:25, 1)
    m <- sample(0:min(n - 1, 4), 1)
    h <- crossprod(matrix(rnorm(n * n), n)) * 10^runif(1, -3, 3)
    linear <- rnorm(n) * 10^runif(1, -2, 2)
    equality <- matrix(rnorm(n * m), m, n)
    lower <- ifelse(runif(n) < 0.7, -runif(n), -Inf)
    upper <- ifelse(runif(n) < 0.7, runif(n), Inf)
    right <- drop(equality %*% (pmax(lower, -1) + pmin(upper, 1)) / 2)
    ours <- solve_ours(h, linear, equality, right, lower, upper)
    theirs <- solve_theirs(h, linear, equality, right, lower, upper)
    expect_true(ours$converged)
    expect_equal(ours$objective, theirs$value, tolerance = 1e-7)
    expect_true(all(ours$x >= lower & ours$x <= upper))
    expect_lte(max(abs(equality %*% ours$x - right), 0), 1e-6)
  }
})

test_that("linear programmes, degenerate ones too", {
  zero <- function(n) matrix(0, n, n)
  # min of c'x over the simplex is the least c, at a vertex or, with ties, on a face
  for (cost in list(c(3, 1, 2), c(1, 1, 2), c(1, 1, 1), c(-5, 0, 5))) {
    out <- solve_ours(zero(3), cost, matrix(1, 1, 3), 1, rep(0, 3), rep(Inf, 3))
    expect_true(out$converged)
    expect_equal(out$objective, min(cost), tolerance = 1e-7)
    expect_equal(sum(out$x), 1, tolerance = 1e-8)
  }
  # an equality twice; a feasible set of one point; bounds that meet
  twice <- solve_ours(diag(2), c(0, 0), matrix(1, 2, 2), c(1, 1), c(0, 0), c(1, 1))
  expect_equal(twice$x, c(0.5, 0.5), tolerance = 1e-6)
  point <- solve_ours(zero(2), c(1, 2), diag(2), c(0.25, 0.75), c(0, 0), c(1, 1))
  expect_equal(point$x, c(0.25, 0.75), tolerance = 1e-6)
  fixed <- solve_ours(diag(3), c(-1, -1, -1), matrix(1, 1, 3), 1, c(0.5, 0, 0), c(0.5, 1, 1))
  expect_equal(fixed$x, c(0.5, 0.25, 0.25), tolerance = 1e-6)
})

test_that("no equality at all, and a matrix without full rank", {
  out <- solve_ours(diag(2), c(-3, 0.5), matrix(0, 0, 2), numeric(), c(0, 0), c(1, 1))
  expect_equal(out$x, c(1, 0), tolerance = 1e-6)
  ones <- solve_ours(matrix(1, 3, 3), rep(-1, 3), matrix(0, 0, 3), numeric(), rep(0, 3), rep(2, 3))
  expect_equal(sum(ones$x), 1, tolerance = 1e-6)
})

test_that("a programme without a solution is not called solved", {
  empty <- solve_ours(diag(2), c(0, 0), matrix(1, 1, 2), 5, c(0, 0), c(1, 1))
  expect_false(empty$converged)
})
