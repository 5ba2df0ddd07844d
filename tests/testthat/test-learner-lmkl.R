test_that("the decision is the dense sum of equation (8)", {
  d <- two_class(70)
  new <- two_class(90)$x[71:90, ]
  for (gating in c("softmax", "sigmoid", "rbf")) {
    fit <- suppressWarnings(
      seeded(d$x, d$y, kernels = three_kernels(), cost = 5, gating = gating)
    )
    x <- scale(d$x)
    z <- scale(new, attr(x, "scaled:center"), attr(x, "scaled:scale"))
    state <- fit$models[[1]]$state
    vectors <- x[fit$kept[state$rows], , drop = FALSE]
    # the trace is that of all training rows
    k <- lapply(three_matrices(rbind(z, x), x), function(k) k[1:20, fit$kept[state$rows]])
    f <- rowSums(vapply(1:3, function(m) {
      drop(eta_of(state, z)[, m] * (k[[m]] %*% state$coefficients[, m]))
    }, numeric(20))) + state$bias
    expect_equal(decide(fit, new), f, tolerance = 1e-8)
    # coefficients are alpha_i y_i eta_m(x_i)
    alpha <- state$coefficients / eta_of(state, vectors)
    expect_equal(alpha[, 1], alpha[, 3], tolerance = 1e-8)
    expect_lte(max(abs(alpha)), 5 + 1e-8)
    expect_lt(abs(sum(alpha[, 1])), 1e-8)
  }
})

test_that("the fit is the SVM on its locally combined kernel, and its gradient that of J", {
  d <- two_class(50)
  x <- unclass(scale(d$x))
  attr(x, "scaled:center") <- attr(x, "scaled:scale") <- NULL
  k <- three_matrices(x)
  svm <- function(eta) {
    mkl(list(local_kernel(k, eta)), d$y, learner = learner_svm(3), control = strict)
  }
  for (gating in c("softmax", "sigmoid", "rbf")) {
    fit <- suppressWarnings(seeded(
      d$x, d$y, kernels = three_kernels(), cost = 3, gating = gating, gating_on = c("v3", "v1"),
      iterations = 2, restarts = 1, penalty = 0.05, control = strict
    ))
    state <- fit$models[[1]]$state
    expect_equal(state$columns, c(3, 1))
    alone <- svm(eta_of(state, x))
    ridge <- ridge_of(state, objective(svm(matrix(neutral_weight(gating), 50, 3))), 0.05)
    expect_equal(objective(fit), objective(alone) + ridge(state$parameters), tolerance = 1e-7)
    expect_equal(decide(fit), decide(alone), tolerance = 1e-5)
    expect_identical(support(fit), support(alone))
    gradient <- vapply(seq_along(state$parameters), function(i) {
      value <- vapply(c(-1e-5, 1e-5), function(h) {
        moved <- state
        moved$parameters[i] <- moved$parameters[i] + h
        objective(svm(eta_of(moved, x))) + ridge(moved$parameters)
      }, 0)
      diff(value) / 2e-5
    }, 0)
    expect_equal(summary(fit)$models$gradient, sqrt(sum(gradient^2)), tolerance = 1e-3)
  }
})

test_that("the objective never rises under the line search", {
  d <- two_class(80)
  for (gating in c("softmax", "sigmoid", "rbf")) {
    for (cost in c(0.3, 30)) {
      path <- objective_path(suppressWarnings(seeded(d$x, d$y, cost = cost, gating = gating)))
      # more exact solutions of the SVM on the way may raise its value by what was missing
      expect_true(all(diff(path) <= 1e-4 * abs(path[-1])))
      expect_lte(length(path), 501)
    }
  }
})

test_that("each preset has its own limit of steps", {
  expect_identical(learner_lmkl()$parameters$iterations, 500)
  expect_identical(learner_lmkl()$parameters$penalty, 0.01)
  expect_identical(learner_lmkl(preset = "paper")$parameters$iterations, 50)
  expect_identical(learner_lmkl(preset = "paper")$parameters$penalty, 0)
  expect_identical(learner_lmkl(preset = "paper")$parameters$gating_rank, 0)
  expect_identical(learner_lmkl(preset = "paper", iterations = 7)$parameters$iterations, 7)
})

test_that("one kernel is the SVM, for every task", {
  d <- two_class()
  r <- numbers()
  kernel <- kernel_rbf(1.3)
  same <- function(x, y, ...) {
    fit <- lmkl(x, y, kernels = kernel, control = strict, ...)
    svm <- mkl(x, y, kernels = kernel, normalize = "trace", control = strict,
               learner = learner_svm(...))
    expect_equal(objective(fit), objective(svm), tolerance = 1e-7)
    expect_equal(decide(fit), decide(svm), tolerance = 1e-5)
    expect_equal(decide(fit, x[1:9, ]), decide(svm, x[1:9, ]), tolerance = 1e-5)
    expect_equal(predict(fit, x), predict(svm, x), tolerance = 1e-6)
    expect_identical(unname(coef(fit)), 1)
    expect_length(objective_path(fit), 1L)
  }
  same(d$x, d$y, cost = 4)
  same(r$x, r$y, cost = 4, epsilon = 0.05)
  same(d$x, NULL, nu = 0.3)
})

test_that("constant gating is the SVM with squared weights", {
  d <- two_class()
  x <- cbind(d$x, same = 2)
  kernels <- kernel_set(kernel_rbf(1), kernel_linear(on = 1:3))
  for (on in list("same", ~1)) {
    fit <- seeded(x, d$y, kernels = kernels, gating_on = on, cost = 2, control = strict,
                  penalty = 0)
    eta <- gating_weights(fit, x)
    expect_equal(unname(eta), matrix(coef(fit), nrow(x), 2, byrow = TRUE))
    svm <- mkl(x, d$y, kernels = kernels, normalize = "trace", control = strict,
               learner = learner_svm(2, weights = unname(eta[1, ]^2)))
    expect_equal(objective(fit), objective(svm), tolerance = 1e-7)
    expect_equal(decide(fit, x), decide(svm, x), tolerance = 1e-5)
  }
})

test_that("three lines part the toy data of the paper", {
  train <- gauss4(400, 1)
  test <- gauss4(2000, 2)
  accuracy <- function(fit) mean(predict(fit, test) == test$y)
  one <- accuracy(mkl(y ~ ., train, kernels = kernel_linear(), learner = learner_svm(10)))
  fit <- seeded(y ~ ., train, kernels = lines_of(3), cost = 10)
  expect_gt(accuracy(fit), 0.87)
  expect_gt(accuracy(fit), one + 0.03)
  expect_lt(length(support(fit)) / 400, 0.35)
  expect_gt(accuracy(seeded(y ~ ., train, kernels = c(kernel_linear(), kernel_polynomial(2)),
                            cost = 10)), 0.87)
})

test_that("a descent that ends at its limit says so", {
  d <- two_class()
  expect_warning(fit <- seeded(d$x, d$y, iterations = 2), "still changing after 2 iterations",
                 class = "multikernel_not_converged")
  expect_false(converged(fit))
  expect_output(print(fit), "NOT converged")
  expect_warning(fit <- seeded(Species ~ ., three_class(), iterations = 1), "in [123] of 3 models",
                 class = "multikernel_not_converged")
  expect_named(converged(fit), names(objective(fit)))
  expect_no_warning(fit <- seeded(d$x, d$y, tolerance = 0.1))
  expect_true(converged(fit))
  expect_false(summary(suppressWarnings(seeded(d$x, d$y, iterations = 2)))$models$converged)
  stuck <- mkl_control(max_iter = 2)
  expect_false(converged(suppressWarnings(seeded(d$x, d$y, tolerance = 0.1, control = stuck))))
})

test_that("the best start is kept", {
  train <- gauss4(150, 3)
  best <- vapply(c(1, 2, 6), function(restarts) {
    objective(suppressWarnings(
      seeded(y ~ ., train, kernels = lines_of(3), cost = 10, restarts = restarts)
    ))
  }, 0)
  expect_true(all(diff(best) <= 0))
})

test_that("the paper's setting takes its fixed steps", {
  train <- gauss4(100, 4)
  fit <- with_seed(1, lmkl(y ~ ., train, cost = 10, preset = "paper"))
  expect_length(objective_path(fit), 51L)
  expect_length(objective_path(update(fit, iterations = 7)), 8L)
  expect_true(converged(fit))
  state <- fit$models[[1]]$state
  expect_equal(state$scale, c(1, 1))
  expect_equal(state$center, c(0, 0))
  expect_identical(fit$learner$parameters$restarts, 1)
  steps <- unique(lapply(fit$kernels, function(item) item$normalize))
  expect_identical(steps, list("unit_trace"))
  expect_match(names(coef(fit))[3], "nearest")
  # a step moves the parameters by its length times the gradient
  one <- seeded(y ~ ., train, cost = 10, preset = "paper", iterations = 1, step = 1e-5,
                control = strict)
  norm <- one$models[[1]]$state$gradient_norm
  expect_equal(-diff(objective_path(one)), 1e-5 * norm^2, tolerance = 1e-2)
})

test_that("regression, one-class and several classes work", {
  r <- numbers(80)
  fit <- suppressWarnings(seeded(r$x, r$y, cost = 10, kernels = lines_of(2)))
  line <- mkl(r$x, r$y, kernels = kernel_linear(), learner = learner_svm(10))
  expect_lt(mean((fitted(fit) - r$y)^2), 0.8 * mean((fitted(line) - r$y)^2))
  expect_equal(predict(fit, r$x), fitted(fit), tolerance = 1e-8)

  d <- two_class(100)
  fit <- suppressWarnings(seeded(d$x, NULL, nu = 0.2))
  expect_lte(mean(!fitted(fit)), 0.2 + 0.03)
  expect_gte(length(support(fit)), 20)

  data <- three_class()
  for (multiclass in c("one_vs_one", "one_vs_rest")) {
    fit <- suppressWarnings(
      seeded(Species ~ ., data, multiclass = multiclass, cost = 10, restarts = 1)
    )
    expect_gt(mean(predict(fit, data) == data$Species), 0.93)
    eta <- gating_weights(fit, data)
    expect_named(eta, colnames(decide(fit, data)))
    expect_identical(dim(eta[[1]]), c(90L, 3L))
    expect_named(objective_path(fit), names(eta))
  }
})

test_that("probabilities, weights of rows and of classes are possible", {
  d <- two_class(100)
  fit <- suppressWarnings(
    seeded(d$x, d$y, probability = TRUE, restarts = 1, iterations = 5, kernels = lines_of(2))
  )
  p <- predict(fit, d$x, type = "prob")
  expect_equal(rowSums(p), rep(1, 100))
  expect_gt(cor(p[, "yes"], decide(fit)), 0.9)
  weights <- rep(c(1, 0), c(80, 20))
  fit <- suppressWarnings(seeded(d$x, d$y, weights = weights, class_weights = "balanced"))
  expect_lte(max(support(fit)), 80)
})

test_that("the gating model sees the columns it is told to", {
  d <- two_class()
  data <- transform(d$data, group = factor(ifelse(v3 > 0, "a", "b")))
  sees <- function(on, formula = class ~ ., ...) {
    kernels <- kernel_set(kernel_rbf(1), kernel_linear())
    fit <- seeded(formula, data, gating_on = on, kernels = kernels, restarts = 1, iterations = 2,
                  control = mkl_control(tol = 1e-2), ...)
    fit$models[[1]]$state$columns
  }
  quiet <- function(...) suppressWarnings(sees(...))
  expect_equal(quiet(NULL), 1:5)
  expect_equal(quiet("v2"), 2)
  expect_equal(quiet("group"), 4:5)
  expect_equal(quiet("groupb"), 5)
  expect_equal(quiet(c(4, 1)), c(4, 5, 1))
  expect_equal(quiet(~ v1 + group), c(1, 4, 5))
  expect_equal(quiet(~ . - group), 1:3)
  formula <- suppressWarnings(
    seeded(class ~ ., data, gating = ~ v3 + v1, restarts = 1, iterations = 2)
  )
  expect_equal(formula$models[[1]]$state$columns, c(3, 1))
  expect_identical(formula$learner$parameters$gating, "softmax")
  # a row that differs in other columns only has the same weights
  other <- data[c(7, 7), ]
  other$v2[2] <- 9
  eta <- gating_weights(formula, other)
  expect_identical(eta[1, ], eta[2, ])
  # positions in a matrix
  fit <- suppressWarnings(seeded(unname(d$x), d$y, gating_on = 2, restarts = 1))
  expect_equal(fit$models[[1]]$state$columns, 2)
})

test_that("kernels are formula terms, or matrices beside the columns", {
  d <- two_class()
  fit <- suppressWarnings(
    seeded(class ~ rbf(v1, v2, sigma = 1) + linear(.), d$data, restarts = 2)
  )
  expect_named(coef(fit), c("rbf(v1, v2, sigma=1)", "linear"))
  expect_equal(decide(fit, d$data), decide(fit), tolerance = 1e-8)

  k <- tcrossprod(scale(d$x))
  kernels <- kernel_set(kernel_precomputed(k, name = "k"), kernel_rbf(1))
  direct <- kernel_set(kernel_linear(), kernel_rbf(1))
  stored <- suppressWarnings(seeded(d$x, d$y, kernels = kernels, cost = 2))
  fresh <- suppressWarnings(seeded(d$x, d$y, kernels = direct, cost = 2))
  expect_equal(objective(stored), objective(fresh), tolerance = 1e-6)
  expect_equal(decide(stored, d$x[1:5, ], precomputed = list(k = k[1:5, ])),
               decide(stored)[1:5], tolerance = 1e-8)
  expect_identical(dim(gating_weights(stored, d$x[1:5, ])), c(5L, 2L))

  alone <- seeded(list(a = k, b = gauss(d$x, d$x, 1)), d$y, gating_on = ~1)
  eta <- gating_weights(alone, list(a = k[1:4, ], b = k[1:4, ]))
  expect_equal(unname(eta), matrix(coef(alone), 4, 2, byrow = TRUE))
})

test_that("threads, memory and instruction sets do not change a fit", {
  data <- three_class(60)
  fit <- function(...) {
    suppressWarnings(seeded(Species ~ ., data, iterations = 4, control = mkl_control(...)))
  }
  one <- fit()
  expect_identical(essence(fit(threads = 2)), essence(one))
  expect_identical(essence(fit(memory = 1)), essence(one))
  two <- suppressWarnings(seeded(Species ~ ., data[data$Species != "setosa", ], iterations = 4))
  again <- suppressWarnings(seeded(Species ~ ., data[data$Species != "setosa", ], iterations = 4,
                                   control = mkl_control(threads = 2, memory = "10KB")))
  expect_identical(essence(again), essence(two))
})

test_that("the seed decides, and a fit can be saved", {
  d <- two_class()
  fit <- function(seed) {
    suppressWarnings(seeded(d$x, d$y, kernels = lines_of(3), restarts = 1, seed = seed))
  }
  one <- fit(1)
  expect_identical(essence(fit(1)), essence(one))
  expect_false(identical(fit(2)$models[[1]]$state$parameters, one$models[[1]]$state$parameters))
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(one, file)
  expect_lt(file.size(file), 2e4)
  back <- readRDS(file)
  expect_identical(decide(back, d$x), decide(one, d$x))
  expect_identical(gating_weights(back, d$x), gating_weights(one, d$x))
})

test_that("features of any size leave weights finite", {
  d <- two_class()
  for (size in c(1e-200, 1e200, 1e300)) {
    x <- cbind(d$x, big = size * d$x[, 3])
    fit <- function(...) {
      suppressWarnings(seeded(
        x, d$y, kernels = kernel_set(kernel_rbf(1, on = 1:3), kernel_linear(on = 1:3)), ...
      ))
    }
    for (gating in c("softmax", "sigmoid", "rbf")) {
      expect_true(all(is.finite(decide(fit(gating = gating), x))))
      expect_true(all(is.finite(decide(fit(gating = gating, scale = FALSE), x))))
    }
  }
  # all the weight on one kernel at a row far away
  fit <- suppressWarnings(seeded(d$x, d$y, kernels = kernel_set(kernel_rbf(1), kernel_rbf(2))))
  far <- rbind(d$x[1, ] + 1e8, d$x[1, ] - 1e8)
  eta <- gating_weights(fit, far)
  expect_true(all(eta %in% c(0, 1)))
  expect_equal(rowSums(eta), c(1, 1))
  expect_true(all(is.finite(decide(fit, far))))
})

test_that("a kernel is not evaluated at rows where its gate is shut", {
  d <- two_class(60)
  kernels <- kernel_set(kernel_linear(), kernel_polynomial(2))
  fit <- suppressWarnings(seeded(d$x, d$y, kernels = kernels, restarts = 1))
  # far from the border of the regions, on either side; squares are out of the range of numbers
  v <- fit$models[[1]]$state$parameters
  way <- sign(v[1:3, 1] - v[1:3, 2])
  far <- rbind(1, -1) %*% t(1e200 * way)
  eta <- gating_weights(fit, far)
  expect_equal(unname(eta), rbind(c(1, 0), c(0, 1)))
  expect_true(is.finite(decide(fit, far[1, , drop = FALSE])))
  expect_mkl_error(decide(fit, far), "new row 2 is not finite")
})

test_that("bad arguments are named", {
  bad <- list(
    cost = list(0, -1, NA, "a", c(1, 2), NULL), gating = list("max", 1, NA, c("softmax", "rbf")),
    preset = list("papers", 1, NA), iterations = list(0, 1.5, NA, "a"),
    restarts = list(0, -1, 2.5, NA), penalty = list(-1, NA, "a", Inf),
    gating_rank = list(-1, 1.5, NA, "a"), step = list(0, -1, NA, Inf),
    tolerance = list(-1, NA, "a"),
    epsilon = list(-1, NA), nu = list(0, 2, NA),
    gating_on = list(0, 1.5, NA, TRUE, c(1, 1), y ~ x, character())
  )
  for (name in names(bad)) {
    for (i in seq_along(bad[[name]])) {
      arguments <- stats::setNames(bad[[name]][i], name)
      expect_mkl_error(do.call(learner_lmkl, arguments), argument = name)
    }
  }
  d <- two_class()
  expect_mkl_error(learner_lmkl(gating = ~v1, gating_on = "v2"), argument = "gating_on")
  expect_mkl_error(learner_lmkl(iteratons = 2), "Did you mean `iterations`")
  expect_mkl_error(lmkl(d$x, d$y, restart = 2), "Did you mean `restarts`")
  expect_mkl_error(gating_weights(mkl(d$x, d$y), d$x), "fit of lmkl", argument = "object")
  fit <- suppressWarnings(seeded(d$x, d$y, restarts = 1, iterations = 2))
  expect_mkl_error(gating_weights(fit), argument = "newdata")
  expect_mkl_error(gating_weights(fit, d$x[, 1:2]), argument = "newdata")
  expect_mkl_error(gating_weights(fit, d$x, type = 1), argument = "type")
  expect_snapshot(error = TRUE, {
    lmkl(d$x, d$y, gating_on = "v4")
    lmkl(d$x, d$y, gating_on = c(1, 7))
    lmkl(unname(d$x), d$y, gating_on = ~v1)
    lmkl(list(tcrossprod(d$x)), d$y)
  })
})

test_that("the core refuses a gating model that does not fit its data", {
  d <- two_class()
  fit <- suppressWarnings(seeded(d$x, d$y, restarts = 1, iterations = 2))
  state <- fit$models[[1]]$state
  gating <- function(x, state) multikernel:::gating_cpp(x, list(state = state))
  expect_mkl_error(gating(d$x[, 1:2], state), argument = "columns")
  expect_mkl_error(gating(replace(d$x, 5, NaN), state), argument = "x")
  expect_mkl_error(gating(d$x, list()))
  state$center <- 1
  expect_mkl_error(gating(d$x, state), argument = "state")
})

test_that("a learner prints what it uses", {
  expect_snapshot({
    learner_lmkl(cost = 10, gating_on = ~ a + b)
    learner_lmkl(gating = "rbf", gating_on = c("a", "b"), preset = "paper")
  })
})
