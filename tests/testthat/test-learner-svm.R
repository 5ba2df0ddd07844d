decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-8)

test_that("classification is that of libsvm", {
  skip_if_not_installed("e1071")
  d <- two_class(120)
  for (cost in c(0.5, 10)) {
    fit <- mkl(d$x, d$y, learner = learner_svm(cost), kernels = kernel_rbf(gamma = 0.3),
               control = strict)
    peer <- e1071::svm(d$x, d$y, cost = cost, gamma = 0.3, tolerance = 1e-8)
    theirs <- attr(predict(peer, d$x, decision.values = TRUE), "decision.values")
    sign <- if (colnames(theirs) == "yes/no") 1 else -1
    expect_equal(decide(fit), sign * as.vector(theirs), tolerance = 1e-5)
    expect_identical(support(fit), sort(peer$index))
  }
})

test_that("regression is that of libsvm", {
  skip_if_not_installed("e1071")
  d <- numbers(80)
  fit <- mkl(d$x, d$y, learner = learner_svm(5, epsilon = 0.05), kernels = kernel_rbf(gamma = 0.3),
             control = strict)
  peer <- e1071::svm(d$x, d$y, cost = 5, gamma = 0.3, epsilon = 0.05, tolerance = 1e-8)
  expect_equal(fitted(fit), unname(predict(peer, d$x)), tolerance = 1e-5)
})

test_that("one-class is that of libsvm", {
  skip_if_not_installed("e1071")
  d <- two_class(80)
  fit <- mkl(d$x, learner = learner_svm(nu = 0.3), kernels = kernel_rbf(gamma = 0.3),
             control = strict)
  peer <- e1071::svm(d$x, type = "one-classification", nu = 0.3, gamma = 0.3, tolerance = 1e-8)
  theirs <- attr(predict(peer, d$x, decision.values = TRUE), "decision.values")
  ours <- decide(fit)
  # libsvm scales its solution by n * nu
  expect_gt(cor(ours, as.vector(theirs)), 1 - 1e-6)
  clear <- abs(theirs) > 1e-3 * max(abs(theirs))
  expect_identical((ours >= 0)[clear], (theirs >= 0)[clear])
})

test_that("several classes and class weights are those of libsvm", {
  skip_if_not_installed("e1071")
  data <- three_class()
  weights <- c(setosa = 1, versicolor = 2, virginica = 0.5)
  fit <- mkl(Species ~ ., data, learner = learner_svm(3), kernels = kernel_rbf(gamma = 0.25),
             class_weights = weights, control = strict)
  peer <- e1071::svm(Species ~ ., data, cost = 3, gamma = 0.25, class.weights = weights,
                     tolerance = 1e-8)
  expect_identical(as.character(predict(fit, data)), as.character(predict(peer, data)))
  theirs <- attr(predict(peer, data, decision.values = TRUE), "decision.values")
  ours <- decide(fit, data)
  expect_equal(unname(abs(ours[, "virginica/versicolor"])),
               unname(abs(theirs[, grep("versicolor.*virginica|virginica.*versicolor",
                                        colnames(theirs))])), tolerance = 1e-4)
})

test_that("probabilities are close to those of libsvm", {
  skip_if_not_installed("e1071")
  d <- two_class(200)
  set.seed(1)
  fit <- mkl(d$x, d$y, probability = TRUE, kernels = kernel_rbf(gamma = 0.3))
  peer <- e1071::svm(d$x, d$y, gamma = 0.3, probability = TRUE)
  theirs <- attr(predict(peer, d$x, probability = TRUE), "probabilities")[, "yes"]
  expect_lt(mean(abs(predict(fit, d$x, type = "prob")[, "yes"] - theirs)), 0.1)
})

test_that("fixed weights are a weighted sum of kernels", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_linear())
  fit <- mkl(d$x, d$y, kernels = kernels, learner = learner_svm(weights = c(0.7, 0.3)),
             control = strict)
  x <- scale(d$x)
  K <- 0.7 * gauss(x, x, 1) + 0.3 * tcrossprod(x)
  expect_equal(decide(fit), decide(mkl(list(K), d$y, control = strict)), tolerance = 1e-5)
  expect_equal(kernel_weights(fit), c("rbf(sigma=1)" = 0.7, linear = 0.3))
  named <- mkl(d$x, d$y, kernels = kernels, control = strict,
               learner = learner_svm(weights = c(linear = 0.3, "rbf(sigma=1)" = 0.7)))
  expect_identical(decide(named), decide(fit))
})

test_that("several kernels need weights", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_linear())
  expect_snapshot(error = TRUE, {
    mkl(d$x, d$y, kernels = kernels, learner = "svm")
    mkl(d$x, d$y, kernels = kernels, learner = learner_svm(weights = 1))
    mkl(d$x, d$y, kernels = kernels, learner = learner_svm(weights = c(a = 1, linear = 1)))
  })
})

test_that("parameters are checked", {
  bad <- list(
    cost = list(0, -1, NA, NaN, NULL, Inf, "a", c(1, 2), TRUE),
    epsilon = list(-1, NA, NaN, NULL, Inf, "a", c(1, 2)),
    nu = list(0, -1, 1.1, NA, NaN, NULL, "a", c(0.1, 0.2)),
    weights = list(-1, NA_real_, "a", c(0, 0), list(1), Inf)
  )
  for (name in names(bad)) {
    for (i in seq_along(bad[[name]])) {
      arguments <- stats::setNames(bad[[name]][i], name)
      expect_mkl_error(do.call(learner_svm, arguments), argument = name)
    }
  }
  expect_mkl_error(learner_svm(C = 10), argument = "C")
  expect_mkl_error(learner_svm(costs = 10), "Did you mean `cost`")
})

test_that("a learner prints itself", {
  expect_snapshot(print(learner_svm(cost = 10, weights = c(0.5, 0.5))))
})

test_that("the squared hinge is that of LIBLINEAR", {
  skip_if_not_installed("LiblineaR")
  # LIBLINEAR has no bias that costs nothing. With the mirror image of each row the best bias is 0.
  d <- two_class(60)
  x <- rbind(d$x, -d$x)
  y <- factor(c(as.character(d$y), ifelse(d$y == "yes", "no", "yes")), levels = c("yes", "no"))
  for (cost in c(0.01, 1, 20)) {
    fit <- mkl(x, y, learner = learner_svm(cost, loss = "squared_hinge"),
               kernels = kernel_linear(), scale = FALSE, control = strict)
    peer <- LiblineaR::LiblineaR(x, y, type = 2, cost = cost, bias = FALSE, epsilon = 1e-10)
    theirs <- drop(x %*% peer$W[1, seq_len(ncol(x))])
    if (peer$ClassNames[1] != "yes") theirs <- -theirs
    ours <- decide(fit)
    expect_equal(abs(ours), abs(theirs), tolerance = 1e-6)
    expect_true(cor(ours, theirs)^2 > 1 - 1e-10)
    expect_lt(abs(mean(ours)), 1e-7)
    loss <- pmax(0, 1 - ifelse(y == "yes", 1, -1) * theirs)
    expect_equal(objective(fit), sum(peer$W^2) / 2 + cost * sum(loss^2), tolerance = 1e-8)
  }
})

test_that("the squared hinge is that of quadprog, with weights, in any order and any units", {
  skip_if_not_installed("quadprog")
  d <- two_class(70)
  y <- ifelse(d$y == levels(d$y)[2], 1, -1)
  weights <- rep(c(1, 2.5, 0.5), length.out = 70)
  learner <- learner_svm(3, loss = "squared_hinge")
  fit <- mkl(d$x, d$y, learner = learner, kernels = kernel_rbf(gamma = 0.3), weights = weights,
             scale = FALSE, control = strict)
  k <- unname(kernel_matrix(kernel_rbf(gamma = 0.3), d$x))
  theirs <- squared_hinge_dual(k, y, 3 * weights)
  expect_equal(objective(fit), theirs$value, tolerance = 1e-8)
  expect_equal(signed_coefficients(fit), y * theirs$a, tolerance = 1e-6)
  expect_true(converged(fit))
  expect_true(duality_gap(fit) >= 0 && duality_gap(fit) < 1e-6 * objective(fit))
  f <- decide(fit)
  expect_equal(y * signed_coefficients(fit), 2 * 3 * weights * pmax(0, 1 - y * f),
               tolerance = 1e-6)

  longer <- mkl(d$x, d$y, learner = learner, kernels = kernel_rbf(gamma = 0.3), weights = weights,
                scale = FALSE, control = mkl_control(tol = 1e-10, max_iter = 1e9))
  expect_equal(decide(longer), f, tolerance = 1e-7)
  order <- rev(seq_len(70))
  turned <- mkl(d$x[order, ], d$y[order], learner = learner, kernels = kernel_rbf(gamma = 0.3),
                weights = weights[order], scale = FALSE, control = strict)
  expect_equal(decide(turned), f[order], tolerance = 1e-6)
  # The kernel in other units, and the cost in theirs.
  other <- mkl(list(k = 1e4 * k), d$y, learner = learner_svm(3e-4, loss = "squared_hinge"),
               weights = weights, control = strict)
  expect_equal(decide(other), f, tolerance = 1e-5)
})

test_that("the squared hinge is tuned, averaged, kept and refused where it has no meaning", {
  d <- two_class(60)
  learner <- learner_average(2, loss = "squared_hinge")
  kernels <- kernel_set(kernel_rbf(gamma = 0.3), kernel_linear())
  fit <- mkl(d$x, d$y, learner = learner, kernels = kernels)
  fixed <- mkl(d$x, d$y, kernels = kernels, normalize = "trace",
               learner = learner_svm(2, weights = c(0.5, 0.5), loss = "squared_hinge"))
  expect_equal(decide(fit), decide(fixed), tolerance = 1e-3)
  expect_false(isTRUE(all.equal(
    decide(fit), decide(mkl(d$x, d$y, learner = learner_average(2), kernels = kernels))
  )))
  expect_match(format(learner), "nu = 0.1, loss = \"squared_hinge\")", fixed = TRUE)
  expect_identical(learner_svm(loss = "hinge"), learner_svm())
  set.seed(2)
  tuned <- tune_mkl(d$x, d$y, learner = learner_svm(), kernels = kernel_rbf(gamma = 0.3), folds = 3,
                    grid = list(cost = c(0.1, 1), loss = c("hinge", "squared_hinge")))
  expect_identical(nrow(tuned$results), 12L)
  expect_error(mkl(d$x, drop(d$x[, 1]), learner = learner), class = "multikernel_argument_error")
  expect_snapshot(error = TRUE, {
    mkl(d$x, drop(d$x[, 1]), learner = learner)
    mkl(d$x, learner = learner_svm(loss = "squared_hinge"))
    learner_svm(loss = "logistic")
  })
})
