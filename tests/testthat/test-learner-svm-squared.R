# The squared loss: least-squares support vector machines and kernel ridge regression with a bias.

d <- hard_rows(70, 3)
x <- scale(d$x)
number <- x[, 1]^2 + x[, 2] + 0.1 * with_seed(1, rnorm(70))
weights <- rep(c(1, 0, 3, 0.5, 2), 14)
k <- unname(kernel_matrix(kernel_rbf(0.7), x))
squared <- function(cost, ...) learner_svm(cost, ..., loss = "squared")
decide <- function(fit, ...) unname(as.vector(predict(fit, ..., type = "decision")))
tight <- mkl_control(tol = 1e-8)

# The linear system of Suykens & Vandewalle (1999), on rows with a cost.
bordered <- function(k, y, costs) {
  some <- costs > 0
  a <- rbind(c(0, rep(1, sum(some))), cbind(1, k[some, some] + diag(1 / costs[some])))
  s <- solve(a, c(0, y[some]))
  b <- replace(numeric(length(y)), which(some), s[-1])
  list(b = b, bias = s[1], f = drop(k %*% b) + s[1])
}

test_that("classification and regression solve the linear system", {
  for (cost in c(0.01, 1, 100)) {
    for (w in list(rep(1, 70), weights)) {
      fit <- mkl(list(k = k), d$y, learner = squared(cost), weights = w, control = tight)
      known <- bordered(k, signs(d$y), cost * w)
      expect_true(converged(fit))
      expect_equal(signed_coefficients(fit), known$b, tolerance = 1e-8)
      expect_equal(decide(fit), known$f, tolerance = 1e-8)
      fit <- mkl(list(k = k), number, learner = squared(cost), weights = w,
                 scale_response = FALSE, control = tight)
      known <- bordered(k, number, cost * w)
      expect_equal(decide(fit), known$f, tolerance = 1e-8)
      # Both problems at this solution.
      error <- number - known$f
      primal <- sum(known$b * (k %*% known$b)) / 2 + cost * sum(w * error^2) / 2
      expect_equal(unname(objective(fit)), primal, tolerance = 1e-9)
      expect_lt(duality_gap(fit), 1e-9 * primal)
      expect_gte(duality_gap(fit), 0)
    }
  }
})

test_that("a linear kernel is ridge regression", {
  fit <- mkl(x, number, learner = squared(2), kernels = kernel_linear(), scale = FALSE,
             scale_response = FALSE)
  z <- scale(x, scale = FALSE)
  beta <- solve(crossprod(z) + diag(1 / 2, 3), crossprod(z, number - mean(number)))
  new <- x[1:5, ] + 1
  expected <- mean(number) + drop(sweep(new, 2, colMeans(x)) %*% beta)
  expect_equal(unname(predict(fit, new)), unname(expected), tolerance = 1e-8)
})

test_that("the dual is that of a quadratic program", {
  skip_if_not_installed("quadprog")
  value <- function(d) {
    solved <- quadprog::solve.QP(d * k + diag(1 / 3, 70), signs(d_labels), cbind(rep(1, 70)), 0, 1)
    -solved$value
  }
  d_labels <- d$y
  for (scale in c(0.5, 2)) {
    fit <- mkl(list(k = scale * k), d$y, learner = squared(3), control = tight)
    expect_equal(unname(objective(fit)), value(scale), tolerance = 1e-8)
  }
  # The form that learners of weights descend by.
  fit <- mkl(list(k = k), d$y, learner = squared(3), control = tight)
  slope <- (value(1 + 1e-4) - value(1 - 1e-4)) / 2e-4
  b <- signed_coefficients(fit)
  expect_equal(-sum(b * (k %*% b)) / 2, slope, tolerance = 1e-5)
})

test_that("learners of weights reach the least objective", {
  matrices <- few_matrices(x, 4)
  for (y in list(d$y, number)) {
    fit <- mkl(matrices, y, learner = learner_simplemkl(1, gap = 1e-6, loss = "squared"),
               scale_response = FALSE)
    labels <- if (is.factor(y)) signs(y) else y
    value <- function(d) {
      k <- combine(matrices, d)
      s <- bordered(k, labels, rep(1, 70))
      list(objective = sum(labels * s$b) / 2, forms = quadratic_forms(matrices, s$b))
    }
    at <- value(coef(fit))
    expect_true(converged(fit))
    expect_equal(unname(objective(fit)), at$objective, tolerance = 1e-6)
    # On the simplex no form is larger than those of kernels with a weight.
    expect_lte(max(at$forms), sum(coef(fit) * at$forms) + 4e-6 * at$objective)
    gradient <- mkl(matrices, y, scale_response = FALSE, learner = learner_simplemkl(
      1, gap = 1e-6, direction = "gradient", loss = "squared"
    ))
    expect_equal(objective(gradient), objective(fit), tolerance = 3e-6)
  }
  mean_fit <- mkl(matrices, d$y, learner = learner_average(2, loss = "squared"), control = tight)
  known <- bordered(Reduce(`+`, matrices) / 4, signs(d$y), rep(2, 70))
  expect_equal(decide(mean_fit), known$f, tolerance = 1e-8)
})

test_that("without room for a copy of the matrix the solution is the same", {
  control <- function(memory) mkl_control(tol = 1e-6, memory = memory)
  for (y in list(d$y, number)) {
    fits <- lapply(c("1GB", "45KB", "1KB"), function(memory) {
      mkl(x, y, learner = squared(5), kernels = kernel_rbf(0.7), control = control(memory))
    })
    for (fit in fits[-1]) {
      expect_true(converged(fit))
      expect_equal(decide(fit), decide(fits[[1]]), tolerance = 1e-4)
    }
  }
})

test_that("an indefinite kernel ends at a stationary point and says so", {
  bad <- k - diag(0.8, 70)
  expect_warning(
    fit <- mkl(list(k = bad), d$y, learner = squared(10)), class = "multikernel_indefinite"
  )
  expect_true(all(is.finite(decide(fit))))
})

test_that("units of the response change nothing", {
  one <- mkl(x, number, learner = squared(1), kernels = kernel_rbf(0.7))
  other <- mkl(x, 1000 * number - 5, learner = squared(1), kernels = kernel_rbf(0.7))
  expect_equal(predict(other, x), 1000 * predict(one, x) - 5, tolerance = 1e-8)
  tiny <- mkl(x, 1e-9 * number, learner = squared(1), kernels = kernel_rbf(0.7),
              scale_response = FALSE)
  known <- bordered(k, 1e-9 * number, rep(1, 70))
  expect_equal(decide(tiny) * 1e9, known$f * 1e9, tolerance = 1e-4)
})

test_that("several classes, probabilities, weights of classes and threads work", {
  three <- three_class()
  fit <- function(threads = 1, ...) {
    with_seed(1, mkl(Species ~ ., three, learner = squared(5), kernels = kernel_rbf(0.5), ...,
                     control = mkl_control(threads = threads)))
  }
  for (reduction in c("one_vs_one", "one_vs_rest")) {
    one <- fit(1, multiclass = reduction, probability = TRUE, class_weights = "balanced")
    expect_identical(essence(fit(4, multiclass = reduction, probability = TRUE,
                                 class_weights = "balanced")), essence(one))
    expect_gt(mean(predict(one, three) == three$Species), 0.9)
    expect_equal(unname(rowSums(predict(one, three, type = "prob"))), rep(1, nrow(three)))
  }
  tuned <- tune_mkl(x, number, learner = squared(1), kernels = kernel_rbf(0.7), folds = 3,
                    grid = list(cost = c(0.1, 10)))
  expect_identical(nrow(tuned$summary), 2L)
  expect_match(format(squared(1)), "loss = \"squared\")", fixed = TRUE)
})

test_that("novelty detection has another loss", {
  expect_mkl_error(mkl(x, learner = squared(1)), "squared", "loss")
})

test_that("few rows stand for many on features, over costs and weights", {
  big <- hard_rows(900, 3, seed = 2)
  views <- scale(big$x)
  y <- views[, 1]^2 + sin(views[, 2])
  kernels <- kernel_rbf(c(0.3, 1, 3))
  landmarks <- seq(1, 900, by = 40)
  fits <- function(response, learner, approximate = nystrom(landmarks = landmarks), ...) {
    mkl(views, response, kernels = kernels, learner = learner, approximate = approximate,
        scale_response = FALSE, control = mkl_control(tol = 1e-8), ...)
  }
  # Z Z' by hand: the condensed rows must not change the problem, weights of rows included.
  matrices <- lapply(kernel_matrix(kernels, views, normalize = "trace"), function(k) {
    root <- chol(k[landmarks, landmarks] + diag(1e-12, length(landmarks)))
    unname(crossprod(backsolve(root, k[landmarks, ], transpose = TRUE)))
  })
  w <- rep(c(1, 0, 2), 300)
  for (cost in c(0.1, 50)) {
    near <- fits(y, learner_average(cost, loss = "squared"), weights = w)
    known <- bordered(Reduce(`+`, matrices) / 3, y, cost * w)
    expect_equal(decide(near), known$f, tolerance = 1e-6)
    expect_equal(unname(objective(near)), sum(y * known$b) / 2, tolerance = 1e-8)
    expect_lt(duality_gap(near), 1e-8 * objective(near))
    expect_equal(decide(near, views), decide(near), tolerance = 1e-7)
  }
  near <- fits(big$y, learner_simplemkl(1, gap = 1e-7, loss = "squared"))
  exact <- mkl(matrices, big$y, learner = learner_simplemkl(1, gap = 1e-7, loss = "squared"),
               normalize = "none", control = mkl_control(tol = 1e-8))
  expect_equal(unname(objective(near)), unname(objective(exact)), tolerance = 1e-6)
  expect_equal(unname(coef(near)), unname(coef(exact)), tolerance = 2e-3)
  # Several classes share the moments of their rows, and the folds of probabilities those of all.
  three <- factor(c("a", "b", "c")[1 + (views[, 1] > 0.4) + (views[, 2] > 0)])
  for (reduction in c("one_vs_one", "one_vs_rest")) {
    several <- function(...) {
      with_seed(1, mkl(
        ..., learner = learner_average(3, loss = "squared"), probability = TRUE,
        multiclass = reduction, weights = w, class_weights = c(a = 1, b = 3, c = 0.5),
        control = mkl_control(tol = 1e-8)
      ))
    }
    near <- several(views, three, kernels = kernels, normalize = "trace",
                    approximate = nystrom(landmarks = landmarks))
    exact <- several(matrices, three, normalize = "none")
    expect_equal(unname(objective(near)), unname(objective(exact)), tolerance = 1e-8)
    expect_equal(decide(near), decide(exact), tolerance = 1e-6)
    expect_equal(predict(near, type = "prob"), predict(exact, type = "prob"), tolerance = 1e-5)
  }
  # A path shares the pass over the rows: as if each cost were alone.
  with_seed(1, tuned <- tune_mkl(
    views, y, kernels = kernels, learner = learner_simplemkl(loss = "squared", gap = 1e-6),
    grid = list(cost = c(0.1, 1, 10)), folds = 3, approximate = nystrom(landmarks = landmarks)
  ))
  with_seed(1, alone <- cv_mkl(
    views, y, kernels = kernels, learner = learner_simplemkl(1, loss = "squared", gap = 1e-6),
    folds = 3, approximate = nystrom(landmarks = landmarks)
  ))
  expect_equal(tuned$summary$rmse[2], alone$summary$mean[alone$summary$metric == "rmse"],
               tolerance = 1e-4)
})

test_that("matrices that are formed late, or shared along a path, have a Cholesky factor", {
  set.seed(1)
  n <- 2200
  x <- matrix(rnorm(n * 5), n)
  z <- x[, 1]^2 + x[, 2] + 0.1 * rnorm(n)
  fit <- mkl(x, z, kernels = kernel_linear(), learner = learner_svm(1000, loss = "squared"))
  expect_true(converged(fit))
  expect_lt(duality_gap(fit), 1e-8 * objective(fit))
  expect_lt(fit$models[[1]]$report$iterations, 10)
})
