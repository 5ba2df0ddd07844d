test_that("two kernels: the optimum on the unit circle of the norm", {
  skip_if_not_installed("quadprog")
  d <- hard_rows(40, p = 3)
  matrices <- few_matrices(d$x, 2)
  y <- signs(d$y)
  for (p in c(1.2, 2, 5)) {
    fit <- lpmkl(matrices, d$y, p = p, cost = 2, gap = 1e-5, control = mkl_control(tol = 1e-6))
    expect_equal(sum(coef(fit)^p), 1, tolerance = 1e-9)
    w <- seq(0, 1, 0.02)
    j <- apply(cbind(w, (1 - w^p)^(1 / p)), 1, function(d) {
      svm_value(combine(matrices, d), y, 2)
    })
    expect_lte(objective(fit), min(j) * (1 + 1e-5))
    expect_gte(objective(fit), min(j) * (1 - 2e-3))
  }
})

test_that("stationarity: the p-1st power of a weight is proportional to its form", {
  d <- hard_rows(80, p = 3)
  matrices <- few_matrices(d$x, 6)
  for (p in c(1.5, 2, 4)) {
    fit <- lpmkl(matrices, d$y, p = p, cost = 5, gap = 1e-7, control = mkl_control(tol = 1e-8))
    forms <- unname(quadratic_forms(matrices, signed_coefficients(fit)))
    weights <- forms^(1 / (p - 1))
    expect_equal(unname(coef(fit)), weights / sum(weights^p)^(1 / p), tolerance = 1e-2)
  }
})

test_that("p near 1 is glmkl(), a large p the sum of all kernels", {
  d <- hard_rows(80, p = 3)
  matrices <- few_matrices(d$x, 4)
  sparse <- glmkl(matrices, d$y, cost = 2, gap = 1e-5)
  distance <- function(p) {
    fit <- lpmkl(matrices, d$y, p = p, cost = 2, gap = 1e-5)
    abs(objective(fit) / objective(sparse) - 1)
  }
  expect_lte(distance(1), 1e-4)
  expect_lte(distance(1.001), 2e-3)
  expect_lt(distance(1.01), distance(1.3))
  even <- lpmkl(matrices, d$y, p = 200, cost = 2, gap = 1e-5)
  expect_equal(unname(coef(even)), rep(1, 4), tolerance = 0.02)
  sum_of_all <- mkl(list(combine(matrices, rep(1, 4))), d$y, learner = learner_svm(cost = 2))
  expect_equal(objective(even), objective(sum_of_all), tolerance = 5e-3)
})

# The bound by the dual norm of the forms, from the coefficients alone.
own_gap <- function(fit, matrices, y, cost, p) {
  forms <- pmax(quadratic_forms(matrices, signed_coefficients(fit)), 0)
  q <- p / (p - 1)
  largest <- if (p == 1) max(forms) else max(forms) * sum((forms / max(forms))^q)^(1 / q)
  bounds <- bounds_of(fit, matrices, y, cost)
  below <- bounds[["below"]] + (max(forms) - largest) / 2
  (bounds[["above"]] - below) / objective(fit)
}

test_that("every norm is reached, with kernels that have no form too", {
  d <- hard_rows(70, p = 3)
  matrices <- few_matrices(d$x, 6)
  matrices <- c(matrices, list(0 * matrices[[1]], 1e-9 * matrices[[2]]))
  for (p in c(1, 1.001, 1.01, 1.1, 1.5, 3, 50, 1000, 1e6)) {
    for (cost in c(0.1, 100)) {
      fit <- lpmkl(matrices, d$y, p = p, cost = cost, gap = 1e-4, normalize = "none")
      what <- paste("p", p, "cost", cost)
      expect_true(converged(fit), label = what)
      expect_lte(own_gap(fit, matrices, signs(d$y), cost, p), 1e-3, label = what)
      expect_equal(sum(coef(fit)^p), 1, tolerance = 1e-6)
      if (p < 100) expect_identical(unname(coef(fit)[7]), 0)
    }
  }
})

test_that("a search that starts from another cost reaches the same, for any norm", {
  d <- hard_rows(60, p = 3)
  for (p in c(1.01, 2, 200, 5000)) {
    learners <- lapply(c(1e-2, 1e3, 1), function(cost) learner_lpmkl(p, cost, gap = 1e-4))
    # so narrow a kernel, and so wide a one, that nothing is left of its weight for small p
    gamma <- c(1e-9, 0.1, 1, 1e4)
    warm <- fit_in_turn(d$x, d$y, learners, gamma)
    for (k in 2:3) {
      cold <- fit_in_turn(d$x, d$y, learners[k], gamma)[[1]]
      expect_true(warm[[k]]$report$converged)
      expect_equal(warm[[k]]$report$objective, cold$report$objective, tolerance = 3e-4)
    }
  }
})

test_that("regression, one class, several classes", {
  d <- hard_rows(60, p = 3)
  matrices <- few_matrices(d$x, 3)
  y <- drop(sin(d$x[, 1]) + d$x[, 2])
  for (response in list(y, NULL)) {
    fit <- lpmkl(matrices, response, p = 2, gap = 1e-4)
    expect_true(converged(fit))
    expect_equal(sum(coef(fit)^2), 1, tolerance = 1e-9)
  }
  fit <- lpmkl(Species ~ ., iris, kernels = kernel_rbf(sigma = 2^(-1:1)))
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.95)
})

test_that("parameters are checked", {
  expect_snapshot(error = TRUE, {
    learner_lpmkl(p = 0.5)
    learner_lpmkl(p = Inf)
    learner_lpmkl(p = c(1, 2))
    learner_glmkl(p = 2)
  })
})
