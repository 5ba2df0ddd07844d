decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-10)

test_that("it is the algorithm of the paper, written out", {
  d <- two_class()
  new <- two_class(75)$x[61:75, ]
  for (rho in c(0.3, 0.99)) {
    fit <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1), c = 0.5, rho = rho)
    peer <- plain_mhks(list(gauss(d$x, d$x, 1)), signs(d$y), c = 0.5, lambda = 0, rho = rho)
    expect_equal(decide(fit), peer$decision, tolerance = 1e-8)
    expect_equal(decide(fit, new), peer$predict(list(gauss(new, d$x, 1))), tolerance = 1e-8)
    expect_equal(objective_path(fit), peer$path, tolerance = 1e-10)
    expect_identical(report_values(fit, "iterations", "numeric"), length(peer$path) - 1)
  }
})

test_that("it is MultiK-MHKS with one view, whatever lambda", {
  d <- two_class()
  fit <- mhks(d$x, d$y, scale = FALSE)
  for (lambda in c(0, 3)) {
    one <- multik_mhks(d$x, d$y, scale = FALSE, kernels = kernel_linear(), lambda = lambda)
    expect_identical(decide(one), decide(fit))
  }
})

test_that("the criterion falls at every step and ends in a stationary point", {
  d <- two_class()
  y <- signs(d$y)
  for (rho in c(0.01, 0.3, 0.5, 0.7, 0.99, 0.999)) {
    fit <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1), rho = rho, control = strict)
    expect_lte(max(diff(objective_path(fit))), 0)
    expect_true(converged(fit))
    K <- gauss(d$x, d$x, 1)
    f <- decide(fit)
    state <- fit$models[[1]]$state
    expect_equal(drop(K %*% state$coefficients) + state$bias, f, tolerance = 1e-8)
    # the gradient in w gives the margins that w was found for: c coefficients = y (1 + b - y f)
    b <- drop(state$coefficients) * y / 16 + y * f - 1
    expect_gt(min(b), 0)
    expect_lt(abs(sum(y * (1 + b - y * f))), 1e-6) # the gradient in the constant
    expect_lt(max(y * f - 1 - b), 1e-4) # no margin is left to raise
    value <- sum((y * f - 1 - b)^2) + sum(state$coefficients * (f - state$bias)) / 16
    expect_equal(objective(fit), value, tolerance = 1e-6)
  }
})

test_that("the margins never fall, so the minimum over both is only a bound", {
  skip_if_not_installed("quadprog")
  d <- two_class(40)
  y <- signs(d$y)
  Y <- y * cbind(d$x, 1)
  # min ||Yw - 1 - b||^2 + c ||w~||^2 over (w, b), b >= 0
  A <- cbind(Y, -diag(40))
  D <- crossprod(A) + diag(c(rep(1 / 16, 3), 0, rep(1e-9, 40)))
  best <- quadprog::solve.QP(D, colSums(A), rbind(matrix(0, 4, 40), diag(40)), rep(0, 40))
  least <- 2 * best$value + 40
  for (rho in c(0.1, 0.5, 0.99)) {
    fit <- mhks(d$x, d$y, scale = FALSE, rho = rho, control = strict)
    expect_gte(objective(fit), least - 1e-6)
    expect_lt(objective(fit), 1.1 * least)
  }
})

test_that("c = 0 with a singular matrix is least squares", {
  d <- two_class(30)
  x <- cbind(d$x, d$x[, 1], 1) # a column twice and a constant
  fit <- mhks(x, d$y, c = 0, scale = FALSE)
  same <- mhks(d$x, d$y, scale = FALSE, c = 0)
  expect_true(converged(fit))
  expect_equal(decide(fit), decide(same), tolerance = 1e-7)
  # more columns than rows: every row gets its margin
  wide <- mhks(d$x[1:10, ], d$y[1:10], scale = FALSE, kernels = kernel_rbf(0.5), c = 0)
  expect_equal(decide(wide) * signs(d$y[1:10]), rep(1 + 1e-6, 10), tolerance = 1e-6)
})

test_that("rank and landmarks approximate the fit", {
  d <- two_class(120)
  fit <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(2))
  expect_equal(decide(mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(2), landmarks = 120)),
               decide(fit))
  expect_equal(decide(mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(2), rank = 120)),
               decide(fit))
  error <- function(...) {
    max(abs(decide(mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(2), ...)) - decide(fit)))
  }
  expect_gt(error(rank = 3), error(rank = 60))
  expect_lt(error(rank = 90), 0.01)
  expect_gt(error(landmarks = 5), error(landmarks = 90))
  small <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(2), landmarks = 20)
  expect_identical(support(small), as.integer(0:19 * 6 + 1))
  expect_identical(nrow(small$train), 20L)
  expect_equal(decide(small, d$x), decide(small), tolerance = 1e-8)
  # by the map, written out
  phi <- predict(empirical_map(kernel_rbf(2), d$x, landmarks = 20, rank = 8))
  both <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(2), landmarks = 20, rank = 8)
  expect_equal(decide(both), decide(mhks(phi, d$y, scale = FALSE)), tolerance = 1e-7)
})

test_that("columns are scaled unless told otherwise, as under mkl()", {
  d <- two_class()
  x <- d$x %*% diag(c(10, 1, 0.1))
  expect_null(mhks(x, d$y, scale = FALSE)$frame$center)
  by_hand <- mhks(scale(x), d$y, scale = FALSE)
  expect_equal(decide(mhks(x, d$y)), decide(by_hand), tolerance = 1e-8)
  expect_equal(decide(mkl(x, d$y, learner = "mhks")), decide(by_hand), tolerance = 1e-8)
  expect_equal(decide(mkl(x, d$y, learner = learner_mhks())), decide(mhks(x, d$y, scale = TRUE)))
})

test_that("several classes, probabilities, precomputed kernels and formulas", {
  data <- three_class()
  x <- as.matrix(data[1:4])
  fit <- mhks(Species ~ ., data, scale = FALSE, kernels = kernel_rbf(1))
  expect_gt(mean(fitted(fit) == data$Species), 0.9)
  expect_length(objective_path(fit), 3L)
  pair <- data$Species != "setosa"
  alone <- mhks(x[pair, ], droplevels(data$Species[pair]), scale = FALSE, kernels = kernel_rbf(1))
  expect_equal(unname(decide(fit)[pair, "virginica/versicolor"]), decide(alone), tolerance = 1e-8)
  rest <- mhks(Species ~ ., data, scale = FALSE, kernels = kernel_rbf(1),
               multiclass = "one_vs_rest")
  expect_gt(mean(fitted(rest) == data$Species), 0.9)

  K <- gauss(x, x, 1)
  by_matrix <- mhks(list(K), data$Species)
  expect_equal(unname(decide(by_matrix)), unname(decide(fit)), tolerance = 1e-7)
  expect_equal(bare(predict(by_matrix, list(K[1:5, ]))), bare(predict(fit, data[1:5, ])))

  set.seed(1)
  prob <- predict(mhks(Species ~ ., data, scale = FALSE, kernels = kernel_rbf(1),
                       probability = TRUE), data,
                  type = "prob")
  expect_equal(bare(rowSums(prob)), rep(1, nrow(data)))
  expect_gt(mean(levels(data$Species)[max.col(prob)] == data$Species), 0.9)
})

test_that("threads change nothing, and a stored fit predicts the same", {
  d <- hard_rows(150, 4)
  fit_by <- function(threads) {
    mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1), control = mkl_control(threads = threads))
  }
  one <- fit_by(1)
  for (threads in 2:3) expect_identical(essence(fit_by(threads)), essence(one))
  file <- withr::local_tempfile()
  saveRDS(one, file)
  expect_identical(decide(readRDS(file), d$x[1:9, ]), decide(one, d$x[1:9, ]))
})

test_that("an iteration limit is reported", {
  d <- two_class()
  expect_warning(
    fit <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1),
                control = mkl_control(tol = 1e-12, max_iter = 3)),
    "after 3 iterations", class = "multikernel_not_converged"
  )
  expect_false(converged(fit))
  expect_length(objective_path(fit), 4L)
})

test_that("bad arguments are named", {
  bad <- list(
    c = list(-1, NA, NaN, NULL, Inf, "a", c(1, 2)),
    rho = list(0, 1, -1, NA, NULL, "a", c(0.1, 0.2)),
    margin = list(-1, NA, Inf, NULL, "a"),
    rank = list(0, -1, 1.5, NA, "a", Inf, 1:2),
    landmarks = list(0, -1, 1.5, NA, "a", Inf, 1:2)
  )
  for (name in names(bad)) {
    for (i in seq_along(bad[[name]])) {
      arguments <- stats::setNames(bad[[name]][i], name)
      expect_mkl_error(do.call(learner_mhks, arguments), argument = name)
      expect_mkl_error(do.call(learner_multik_mhks, arguments), argument = name)
    }
  }
  d <- two_class(20)
  expect_mkl_error(learner_mhks(lambda = 1), argument = "lambda")
  expect_snapshot(error = TRUE, transform = without_learners, {
    mhks(d$x, d$y, cost = 1)
    mhks(d$x, d$y, kernels = kernel_rbf(1:2))
    mhks(d$x, d$y, weights = rep(1:2, 10))
    mhks(d$x, d$x[, 1])
    mhks(d$x * 1e200, d$y, scale = FALSE)
    mhks(list(matrix(0, 20, 20)), d$y)
  })
})

test_that("it prints and plots itself", {
  expect_snapshot(print(learner_mhks(rank = 10)))
  d <- two_class(30, 2)
  fit <- mhks(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1))
  withr::local_pdf(NULL)
  expect_identical(plot(fit), fit)
  expect_identical(plot(fit, "boundary", data = d$x), fit)
  expect_identical(plot(fit, "weights", main = "a"), fit)
  plot(mhks(Species ~ ., three_class()))
  expect_mkl_error(plot(fit, "gating"), argument = "what")
})
