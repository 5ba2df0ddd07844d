# J over the simplex on a grid, each value by quadprog: nowhere lower, and as low at the weights.
grid_check <- function(learner, matrices, d, grid) {
  y <- signs(d$y)
  fit <- mkl(matrices, d$y, learner = learner, control = mkl_control(tol = 1e-6))
  j <- apply(grid, 1, function(w) svm_value(combine(matrices, w), y, learner$parameters$cost))
  expect_true(converged(fit))
  expect_lte(objective(fit), min(j) * (1 + 1e-4))
  at_weights <- svm_value(combine(matrices, coef(fit)), y, learner$parameters$cost)
  expect_equal(objective(fit), at_weights, tolerance = 1e-5)
  # the grid comes near the optimum: the fit cannot lie far below it
  expect_gte(objective(fit), min(j) * (1 - 0.01))
}

test_that("two and three kernels: the optimum of a fine grid", {
  skip_if_not_installed("quadprog")
  d <- hard_rows(40, p = 3)
  two <- few_matrices(d$x, 2)
  three <- few_matrices(d$x, 3)
  w <- seq(0, 1, 0.02)
  pairs <- cbind(w, 1 - w)
  triples <- subset(expand.grid(a = seq(0, 1, 0.1), b = seq(0, 1, 0.1)), a + b <= 1 + 1e-9)
  triples$c <- pmax(1 - triples$a - triples$b, 0)
  for (learner in convex_learners(cost = 2)) {
    grid_check(learner, two, d, pairs)
    grid_check(learner, three, d, as.matrix(triples))
  }
})

test_that("the squared hinge: the optimum of a fine grid, and a gap that bounds it", {
  skip_if_not_installed("quadprog")
  d <- hard_rows(40, p = 3)
  y <- signs(d$y)
  two <- few_matrices(d$x, 2)
  w <- seq(0, 1, 0.02)
  for (direction in c("newton", "gradient")) for (cost in c(0.1, 2)) {
    fit <- simplemkl(two, d$y, cost = cost, gap = 1e-6, direction = direction,
                     loss = "squared_hinge")
    value <- function(w) squared_hinge_dual(combine(two, w), y, rep(cost, 40))$value
    j <- apply(cbind(w, 1 - w), 1, value)
    expect_true(converged(fit))
    expect_lte(objective(fit), min(j) * (1 + 1e-4))
    expect_gte(objective(fit), min(j) * (1 - 0.01))
    expect_equal(objective(fit), value(coef(fit)), tolerance = 1e-6)
    # The bound from below, from the coefficients alone.
    b <- signed_coefficients(fit)
    below <- sum(y * b) - sum(b^2) / (4 * cost) - max(quadratic_forms(two, b)) / 2
    expect_lte((objective(fit) - below) / objective(fit), 2e-6)
    expect_gte(duality_gap(fit), (objective(fit) - below) / objective(fit) - 1e-9)
  }
})

# At the optimum S_m is the same for all kernels with a weight and not larger for the others. J is
# flat: for solvers that bound it by cuts a gap of 1e-5 leaves the derivatives a percent apart.
expect_optimal <- function(fit, matrices) {
  d <- unname(coef(fit))
  forms <- quadratic_forms(matrices, signed_coefficients(fit))
  expect_equal(sum(d), 1, tolerance = 1e-9)
  expect_gte(min(d), 0)
  expect_lte(max(forms) / min(forms[d > 1e-3]) - 1, 0.02)
}

test_that("the optimality conditions hold for every task and solver", {
  d <- hard_rows(80, p = 3)
  matrices <- few_matrices(d$x, 6)
  responses <- list(d$y, drop(sin(d$x[, 1]) + d$x[, 2]), NULL)
  for (y in responses) {
    for (learner in convex_learners(cost = 5, gap = 1e-5)) {
      fit <- mkl(matrices, y, learner = learner)
      expect_true(converged(fit), label = learner$name)
      expect_lte(duality_gap(fit), 1e-5)
      expect_optimal(fit, matrices)
      path <- objective_path(fit)
      expect_true(all(diff(path) <= 1e-4 * abs(path[-1])))
    }
  }
})

test_that("regression and one class agree with an SVM at the weights, and no weights are better", {
  d <- hard_rows(60, p = 3)
  matrices <- few_matrices(d$x, 4)
  y <- drop(sin(d$x[, 1]) + d$x[, 2])
  set.seed(2)
  other <- t(replicate(20, {
    w <- rexp(4)
    w / sum(w)
  }))
  for (response in list(y, NULL)) {
    fit <- simplemkl(matrices, response, cost = 3, gap = 1e-5, epsilon = 0.05, nu = 0.3,
                     control = mkl_control(tol = 1e-6))
    j <- function(w) {
      objective(mkl(matrices, response, control = mkl_control(tol = 1e-7),
                    learner = learner_svm(cost = 3, epsilon = 0.05, nu = 0.3, weights = w)))
    }
    expect_equal(j(unname(coef(fit))), objective(fit), tolerance = 1e-4)
    tried <- apply(other, 1, j)
    expect_true(all(tried >= objective(fit) - 1e-4 * abs(objective(fit))))
  }
})

test_that("one kernel is the support vector machine", {
  d <- hard_rows(70)
  svm <- mkl(d$x, d$y, kernels = kernel_rbf(2), learner = learner_svm(cost = 3))
  for (learner in convex_learners(cost = 3)) {
    fit <- mkl(d$x, d$y, kernels = kernel_rbf(2), learner = learner)
    expect_equal(objective(fit), objective(svm), tolerance = 1e-3)
    expect_equal(unname(coef(fit)), 1)
  }
})

test_that("duplicate, zero, constant and tiny kernels are no trouble", {
  d <- hard_rows(60, p = 3)
  k <- few_matrices(d$x, 3)
  n <- 60
  plain <- simplemkl(k, d$y, cost = 2, gap = 1e-4)
  with <- function(...) {
    lapply(convex_learners(cost = 2), function(learner) {
      mkl(c(k, list(...)), d$y, learner = learner, normalize = "none")
    })
  }
  same <- function(fits) {
    for (fit in fits) {
      expect_true(converged(fit))
      expect_equal(objective(fit), objective(plain), tolerance = 3e-4)
    }
  }
  same(with(k[[1]], k[[1]], k[[3]]))
  same(with(matrix(0, n, n)))
  # the constant kernel only moves the bias, which is free
  same(with(matrix(1, n, n)))
  same(with(1e-12 * k[[2]]))
  twice <- lapply(convex_learners(), function(l) mkl(list(k[[1]], k[[1]]), d$y, learner = l))
  alone <- mkl(k[1], d$y, learner = learner_svm(1))
  for (fit in twice) expect_equal(objective(fit), objective(alone), tolerance = 1e-3)
})

# A small cost puts all weight on one kernel, a larger one most of it on a narrower kernel. Solvers
# by cuts begin anew at every cost.
test_that("weights of 0 at the start of a search return", {
  d <- hard_rows(80, p = 3)
  gamma <- 2^(-8:4)
  for (name in c("newton", "gradient", "glmkl")) {
    learners <- lapply(c(0.1, 10), function(cost) convex_learners(cost, gap = 1e-6)[[name]])
    warm <- fit_in_turn(d$x, d$y, learners, gamma)
    cold <- fit_in_turn(d$x, d$y, learners[2], gamma)[[1]]
    returned <- warm[[1]]$weights == 0 & warm[[2]]$weights > 0.05
    expect_true(any(returned), label = name)
    expect_true(warm[[2]]$report$converged, label = name)
    expect_equal(warm[[2]]$report$objective, cold$report$objective, tolerance = 1e-5)
    # and what is of no use is exactly 0
    if (name != "glmkl") expect_identical(sum(warm[[2]]$weights > 0), 2L, label = name)
  }
})

# The slopes of a problem without labels are as large as its kernels.
test_that("one class: the unit of the kernels does not matter", {
  d <- hard_rows(50, p = 3)
  matrices <- few_matrices(d$x, 3)
  for (learner in c(convex_learners(gap = 1e-3), list(lpmkl = learner_lpmkl(gap = 1e-3)))) {
    fit <- function(unit) {
      mkl(lapply(matrices, function(k) unit * k), learner = learner, normalize = "none")
    }
    one <- fit(1)
    for (unit in c(1e-12, 1e-5, 1e60)) {
      other <- fit(unit)
      expect_true(converged(other), label = learner$name)
      expect_equal(objective(other) / unit, objective(one), tolerance = 2e-3)
    }
  }
})

test_that("indefinite kernels end with a warning", {
  d <- hard_rows(50)
  bent <- function(k) k - 0.5 * diag(50)
  matrices <- list(bent(gauss(d$x, d$x, 4)), bent(gauss(d$x, d$x, 3)))
  for (learner in convex_learners()) {
    # some also miss their gap there, and say so
    suppressWarnings(expect_warning(
      fit <- mkl(matrices, d$y, learner = learner, normalize = "none"),
      class = "multikernel_indefinite"
    ), classes = "multikernel_not_converged")
    expect_true(all(is.finite(predict(fit, type = "decision"))))
  }
})

test_that("a limit of iterations is told", {
  d <- hard_rows(80)
  kernels <- kernel_rbf(sigma = 2^(-2:3))
  expect_snapshot({
    fit <- simplemkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-6, iterations = 2)
    fit <- levelmkl(d$x, d$y, kernels = kernels, cost = 10, gap = 1e-6, iterations = 2)
  }, transform = hide_reached)
  expect_false(converged(fit))
  expect_gt(duality_gap(fit), 1e-6)
})

test_that("threads, budget, storage, formulas and several classes", {
  kernels <- kernel_rbf(sigma = c(0.5, 1, 4))
  for (learner in convex_learners(cost = 4, gap = 1e-3)) {
    fit <- mkl(Species ~ ., iris, kernels = kernels, learner = learner)
    more <- mkl(Species ~ ., iris, kernels = kernels, learner = learner,
                control = mkl_control(threads = 3))
    expect_identical(essence(fit)$models, essence(more)$models)
    tight <- mkl(Species ~ ., iris, kernels = kernels, learner = learner,
                 control = mkl_control(memory = "10KB"))
    expect_equal(objective(tight), objective(fit), tolerance = 2e-3)
    expect_gt(mean(predict(fit, iris) == iris$Species), 0.95)
    expect_identical(dim(coef(fit)), c(9L, 3L))
    again <- unserialize(serialize(fit, NULL))
    expect_identical(predict(again, iris), predict(fit, iris))
  }
})

test_that("parameters are checked", {
  expect_snapshot(error = TRUE, {
    learner_simplemkl(cost = 0)
    learner_simplemkl(gap = 0)
    learner_simplemkl(direction = "newtn")
    learner_simplemkl(iterations = 1.5)
    learner_simplemkl(gap = NA)
    learner_simplemkl(tolerance = 1)
  })
})

test_that("balanced classes do not make it learn a rare class by heart", {
  new <- rare_rows(2000, seed = 100)
  learners <- list(
    svm = learner_svm(), simple = learner_simplemkl(), silp = learner_silpmkl(),
    lp = learner_lpmkl(p = 2), best = learner_best()
  )
  scores <- vapply(1:3, function(seed) {
    rows <- rare_rows(300, seed)
    vapply(learners, function(learner) {
      balanced_accuracy(mkl(rows$x, rows$y, learner = learner, class_weights = "balanced"), new)
    }, 0)
  }, numeric(length(learners)))
  mean_scores <- rowMeans(scores)
  expect_gt(mean_scores[["svm"]], 0.8)
  expect_gt(min(mean_scores), 0.78)
  expect_lt(mean_scores[["svm"]] - mean_scores[["simple"]], 0.05)
})
