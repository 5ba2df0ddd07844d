# The optimum itself is checked for all convex solvers together in test-learner-simplemkl.R.

test_that("the lower bound of the cuts is one: more iterations never open the gap", {
  d <- hard_rows(80, p = 4)
  kernels <- kernel_rbf(sigma = 2^(-2:4))
  gaps <- vapply(c(2, 5, 10, 20), function(iterations) {
    fit <- suppressWarnings(silpmkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-9,
                                    iterations = iterations))
    duality_gap(fit)
  }, 0)
  expect_true(all(diff(gaps) <= 1e-12))
  optimum <- objective(simplemkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-6))
  fit <- suppressWarnings(silpmkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-9,
                                  iterations = 4))
  expect_lte(objective(fit) * (1 - duality_gap(fit)), optimum * (1 + 1e-6))
  expect_gte(objective(fit), optimum * (1 - 1e-5))
})

test_that("parameters are checked", {
  expect_snapshot(error = TRUE, {
    silpmkl(iris[1:100, 1:4], iris$Species[1:100], gap = -1)
    learner_silpmkl(cost = "1")
    learner_silpmkl(iterations = 0)
  })
})
