# The optimum itself is checked for all convex solvers together in test-learner-simplemkl.R.

test_that("every level leads to the optimum", {
  d <- hard_rows(80, p = 4)
  kernels <- kernel_rbf(sigma = 2^(-2:4))
  optimum <- objective(simplemkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-6))
  for (level in c(0.1, 0.5, 0.9)) {
    fit <- levelmkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-3, level = level)
    expect_true(converged(fit))
    expect_lte(abs(objective(fit) / optimum - 1), 1e-3)
  }
})

test_that("parameters are checked", {
  expect_snapshot(error = TRUE, {
    learner_levelmkl(level = 0)
    learner_levelmkl(level = 1)
    learner_levelmkl(level = c(0.5, 0.9))
  })
})
