# Centered kernel alignment against its formulas and against another solver.

centered <- function(k) {
  h <- diag(nrow(k)) - 1 / nrow(k)
  h %*% k %*% h
}

# Other values of `p` give other data.
cka_data <- function(n = 40, p = 3) {
  d <- two_class(n, p)
  kernels <- c(kernel_rbf(c(0.5, 1, 3)), kernel_linear(), kernel_polynomial(2))
  matrices <- lapply(seq_along(kernels), function(m) {
    kernel_matrix(kernels[m], scale(d$x), normalize = "trace")
  })
  list(x = d$x, y = d$y, sign = ifelse(d$y == levels(d$y)[2], 1, -1), kernels = kernels,
       matrices = lapply(matrices, unclass))
}

# rho, a and M of the paper.
alignment_terms <- function(matrices, y) {
  kc <- lapply(matrices, centered)
  y <- y - mean(y)
  a <- vapply(kc, function(k) drop(y %*% k %*% y), 0)
  products <- outer(seq_along(kc), seq_along(kc),
                    Vectorize(function(k, l) sum(kc[[k]] * kc[[l]])))
  list(a = a, M = products, rho = a / (sqrt(diag(products)) * sum(y^2)))
}

test_that("independent weights are the alignments of the formula", {
  d <- cka_data()
  for (response in list(list(d$y, d$sign), list(d$x[, 1] + d$x[, 2]^2, d$x[, 1] + d$x[, 2]^2))) {
    fit <- cka(d$x, response[[1]], kernels = d$kernels, method = "independent")
    rho <- alignment_terms(d$matrices, response[[2]])$rho
    # A numeric response is standardized and rounded to a share of the tolerance.
    expect_equal(unname(coef(fit)), pmax(rho, 0) / sum(pmax(rho, 0)), tolerance = 1e-6)
  }
})

test_that("alignf solves its quadratic program", {
  skip_if_not_installed("quadprog")
  for (p in 2:6) {
    d <- cka_data(p = p)
    terms <- alignment_terms(d$matrices, d$sign)
    unit <- 1 / sqrt(diag(terms$M))
    correlations <- terms$M * outer(unit, unit)
    solved <- quadprog::solve.QP(correlations, terms$rho, diag(length(unit)), rep(0, length(unit)))
    v <- solved$solution * unit
    fit <- cka(d$x, d$y, kernels = d$kernels)
    expect_true(converged(fit))
    expect_equal(unname(coef(fit)), v / sum(v), tolerance = 1e-6)
  }
})

test_that("no other weights have a larger alignment", {
  d <- cka_data()
  terms <- alignment_terms(d$matrices, d$sign)
  aligned <- function(w) sum(w * terms$a) / sqrt(drop(w %*% terms$M %*% w))
  best <- aligned(coef(cka(d$x, d$y, kernels = d$kernels)))
  tried <- with_seed(1, replicate(500, aligned(rexp(length(terms$a))^3)))
  expect_true(all(tried <= best * (1 + 1e-9)))
  expect_true(all(diag(length(terms$a)) %*% terms$a / sqrt(diag(terms$M)) <= best * (1 + 1e-9)))
})

test_that("the model is that of learner_svm() on the weighted sum", {
  d <- cka_data()
  for (method in c("alignf", "independent")) {
    fit <- cka(d$x, d$y, kernels = d$kernels, method = method, cost = 3)
    svm <- mkl(d$x, d$y, kernels = d$kernels, normalize = "trace",
               learner = learner_svm(3, weights = unname(coef(fit))))
    expect_equal(predict(fit, d$x, type = "decision"), predict(svm, d$x, type = "decision"),
                 tolerance = 1e-10)
  }
})

test_that("scales of kernels and orders of rows and kernels do not matter", {
  d <- cka_data()
  names(d$matrices) <- letters[seq_along(d$matrices)]
  fit <- cka(d$matrices, d$y)
  scaled <- Map(`*`, d$matrices, 10^(-2:2))
  expect_equal(coef(cka(scaled, d$y)), coef(fit), tolerance = 1e-8)
  # Unnormalized kernels: the same sum up to a factor.
  raw <- cka(scaled, d$y, normalize = "none")
  expect_equal(unname(coef(raw) * 10^(-2:2) / sum(coef(raw) * 10^(-2:2))), unname(coef(fit)),
               tolerance = 1e-8)
  expect_equal(coef(cka(rev(d$matrices), d$y)), rev(coef(fit)), tolerance = 1e-8)
  order <- with_seed(2, sample(40))
  mixed <- cka(lapply(d$matrices, function(k) k[order, order]), d$y[order])
  expect_equal(coef(mixed), coef(fit), tolerance = 1e-8)
})

test_that("equal kernels share their weight and leave the sum as it is", {
  d <- cka_data()
  names(d$matrices) <- letters[seq_along(d$matrices)]
  fit <- cka(d$matrices, d$y)
  top <- names(which.max(coef(fit)))
  twice <- cka(c(d$matrices, list(twin = d$matrices[[top]])), d$y)
  expect_equal(coef(twice)[[top]], coef(twice)[["twin"]], tolerance = 1e-5)
  expect_equal(coef(twice)[[top]] + coef(twice)[["twin"]], coef(fit)[[top]], tolerance = 1e-6)
})

test_that("one kernel, constant, indefinite and opposed kernels are handled", {
  d <- cka_data()
  expect_identical(unname(coef(cka(d$matrices[1], d$y))), 1)
  set <- list(good = d$matrices[[2]], constant = matrix(3, 40, 40))
  for (method in c("alignf", "independent")) {
    fit <- cka(set, d$y, method = method)
    expect_identical(coef(fit), c(good = 1, constant = 0))
    alone <- cka(set["constant"], d$y, method = method)
    expect_identical(unname(coef(alone)), 1)
  }
  odd <- with_seed(3, matrix(rnorm(1600), 40))
  set$indefinite <- (odd + t(odd)) / 8 + diag(40)
  fit <- suppressWarnings(cka(set, d$y))
  expect_true(all(coef(fit) >= 0))
  expect_equal(sum(coef(fit)), 1)
  # Opposed kernels get no weight; if all are opposed, none is preferred.
  target <- tcrossprod(d$sign)
  set <- list(good = d$matrices[[2]], opposed = diag(40) - target / 20)
  expect_identical(suppressWarnings(coef(cka(set, d$y, method = "independent")))[["opposed"]], 0)
  against <- suppressWarnings(cka(list(a = set$opposed, b = diag(40) - target / 10), d$y))
  expect_identical(coef(against), c(a = 0.5, b = 0.5))
})

test_that("there is no path of an objective", {
  d <- cka_data()
  expect_identical(objective_path(cka(d$x, d$y, kernels = d$kernels)), numeric())
})

test_that("weights of rows act like copies of rows", {
  d <- cka_data(30)
  weights <- rep(1:3, 10)
  rows <- rep(seq_len(30), weights)
  for (method in c("alignf", "independent")) {
    one <- cka(d$x, d$y, kernels = d$kernels, weights = weights, method = method, scale = FALSE,
               normalize = "none", control = mkl_control(tol = 1e-8))
    copied <- cka(d$x[rows, ], d$y[rows], kernels = d$kernels, method = method, scale = FALSE,
                  normalize = "none", control = mkl_control(tol = 1e-8))
    expect_equal(coef(one), coef(copied), tolerance = 1e-8)
    expect_equal(predict(one, d$x, type = "decision"), predict(copied, d$x, type = "decision"),
                 tolerance = 1e-5)
  }
})

test_that("memory and threads do not change the fit", {
  d <- cka_data()
  fit <- cka(d$x, d$y, kernels = d$kernels)
  for (memory in c(0.05, 0.01)) {
    small <- cka(d$x, d$y, kernels = d$kernels, control = mkl_control(memory = memory))
    expect_equal(coef(small), coef(fit), tolerance = 1e-8)
  }
  several <- cka(d$x, d$y, kernels = d$kernels, control = mkl_control(threads = 3))
  expect_identical(coef(several), coef(fit))
})

test_that("pairs of classes have weights of their own, and fits can be stored", {
  fit <- cka(Species ~ ., iris, kernels = kernel_rbf(c(0.3, 1, 3)))
  expect_identical(nrow(kernel_weights(fit)), 9L)
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.95)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), iris), predict(fit, iris))
  set.seed(1)
  expect_gt(cv_mkl(Species ~ ., iris, learner = "cka", folds = 3)$summary$mean[1], 0.9)
})

test_that("bad arguments are named", {
  d <- cka_data()
  expect_mkl_error(learner_cka(method = "best"), argument = "method")
  expect_mkl_error(learner_cka(cost = -1), argument = "cost")
  expect_mkl_error(cka(d$x, task = "one_class"), "cannot do the task", "learner")
  expect_mkl_error(cka(d$x, d$y, nu = 0.1), argument = "nu")
})
