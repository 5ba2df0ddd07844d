decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-7)

# gamma of a two-class fit, in the order of the rows; rows of the negative class come as positive
# numbers too.
gamma_of <- function(fit, n = fit$n) {
  state <- fit$models[[1]]$state
  gamma <- numeric(n)
  gamma[fit$kept[state$rows]] <- abs(state$coefficients)
  gamma
}

komd_value <- function(gamma, K, y, lambda) {
  beta <- y * gamma
  (1 - lambda) * drop(beta %*% K %*% beta) + lambda * sum(gamma^2)
}

# The minimum by quadprog, with a ridge that makes the matrix definite in its eyes.
by_quadprog <- function(K, y, lambda, ridge = 1e-9) {
  n <- length(y)
  Q <- 2 * ((1 - lambda) * K * tcrossprod(y) + (lambda + ridge) * diag(n))
  A <- cbind(y > 0, y < 0, diag(n))
  gamma <- quadprog::solve.QP(Q, numeric(n), A, c(1, 1, numeric(n)), meq = 2)$solution
  pmax(gamma, 0)
}

sets <- function() {
  sonar <- sonar_rows(c(1:40, 120:160))
  pair <- droplevels(iris[51:150, ])
  list(
    sonar = list(K = gauss(sonar$x, sonar$x, 6), y = sonar$y),
    iris = list(K = gauss(scale(pair[1:4]), scale(pair[1:4]), 1), y = pair$Species),
    linear = list(K = tcrossprod(as.matrix(pair[1:4])), y = pair$Species)
  )
}

test_that("the minimum is that of quadprog", {
  skip_if_not_installed("quadprog")
  skip_if_not_installed("mlbench")
  for (set in sets()) {
    y <- signs(set$y)
    size <- mean(diag(set$K))
    for (lambda in c(0, 0.1, 0.5, 1)) {
      fit <- suppressWarnings(
        komd(list(k = set$K), set$y, lambda = lambda, control = strict),
        classes = "multikernel_not_converged"
      )
      ours <- komd_value(gamma_of(fit), set$K, y, lambda)
      theirs <- komd_value(by_quadprog(set$K, y, lambda), set$K, y, lambda)
      expect_equal(objective(fit), ours, tolerance = 1e-9)
      expect_lte(ours, theirs + 1e-7 * size)
      expect_equal(ours, theirs, tolerance = 1e-5)
      expect_lte(duality_gap(fit), 1e-8 * size)
      expect_gte(duality_gap(fit), 0)
      # the hulls of the linear kernel overlap: there is no distance to find
      expect_identical(unname(converged(fit)), objective(fit) > duality_gap(fit))
      expect_identical(unname(converged(fit)), theirs > 1e-7 * size)
      if (lambda > 0) {
        expect_equal(gamma_of(fit), by_quadprog(set$K, y, lambda), tolerance = 1e-4)
      }
    }
  }
})

test_that("gamma is a distribution over each class", {
  d <- two_class(80)
  for (lambda in c(0, 0.3, 1)) {
    fit <- komd(d$x, d$y, lambda = lambda)
    gamma <- gamma_of(fit)
    expect_equal(c(tapply(gamma, d$y, sum)), c(no = 1, yes = 1), tolerance = 1e-12)
    state <- fit$models[[1]]$state
    expect_identical(state$coefficients > 0, (d$y == "yes")[fit$kept[state$rows]])
  }
})

test_that("lambda = 1 gives the class means", {
  d <- two_class(50)
  fit <- komd(d$x, d$y, lambda = 1)
  expect_equal(gamma_of(fit), as.vector(1 / table(d$y)[d$y]), tolerance = 1e-14)
  expect_equal(objective(fit), sum(1 / table(d$y)))
  x <- scale(d$x)
  K <- gauss(x, x, sqrt(3))
  beta <- signs(d$y) * gamma_of(fit)
  f <- drop(K %*% beta)
  expect_equal(decide(fit), f - 0.5 * sum(abs(beta) * f), tolerance = 1e-10)
  expect_identical(support(fit), 1:50)
})

test_that("the bias is the middle of the scores of the two points", {
  d <- two_class(60)
  K <- gauss(scale(d$x), scale(d$x), 1)
  for (lambda in c(0, 0.2, 0.9)) {
    fit <- komd(list(k = K), d$y, lambda = lambda)
    beta <- signs(d$y) * gamma_of(fit)
    score <- drop(K %*% beta)
    upper <- sum((beta * score)[d$y == "yes"])
    lower <- -sum((beta * score)[d$y == "no"])
    expect_equal(fit$models[[1]]$state$bias, -(upper + lower) / 2, tolerance = 1e-9)
    expect_equal(decide(fit), score - (upper + lower) / 2, tolerance = 1e-9)
  }
})

test_that("no feasible point is better", {
  d <- two_class(40)
  K <- gauss(scale(d$x), scale(d$x), 2)
  y <- signs(d$y)
  for (lambda in c(0, 0.1, 0.8)) {
    fit <- komd(list(k = K), d$y, lambda = lambda)
    best <- objective(fit) - duality_gap(fit)
    for (seed in 1:50) {
      gamma <- with_seed(seed, rexp(40)^sample(1:6, 1))
      gamma <- gamma / ave(gamma, d$y, FUN = sum)
      expect_gte(komd_value(gamma, K, y, lambda), best)
      near <- 0.999 * gamma_of(fit) + 0.001 * gamma
      expect_gte(komd_value(near, K, y, lambda), best)
    }
  }
})

test_that("lambda = 0 is the machine without errors", {
  pair <- droplevels(iris[c(1:30, 51:80), ]) # separable
  K <- tcrossprod(as.matrix(pair[1:4]))
  hull <- komd(list(k = K), pair$Species, lambda = 0, control = strict)
  hard <- mkl(list(k = K), pair$Species, learner = learner_svm(cost = 1e6), control = strict)
  # the distance of the hulls is twice the margin
  expect_equal(sqrt(objective(hull)), 2 / sqrt(2 * objective(hard)), tolerance = 1e-4)
  expect_gt(cor(decide(hull), decide(hard)), 1 - 1e-5)
  expect_identical(bare(fitted(hull)), pair$Species)
})

test_that("fixed weights are a weighted sum of kernels", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_linear())
  fit <- komd(d$x, d$y, kernels = kernels, weights = c(linear = 0.3, "rbf(sigma=1)" = 0.7))
  K <- 0.7 * gauss(scale(d$x), scale(d$x), 1) + 0.3 * tcrossprod(scale(d$x))
  expect_equal(decide(fit), decide(komd(list(K), d$y)), tolerance = 1e-6)
  expect_equal(coef(fit), c("rbf(sigma=1)" = 0.7, linear = 0.3))
  expect_snapshot(error = TRUE, {
    komd(d$x, d$y, kernels = kernels)
    komd(d$x, d$y, kernels = kernels, weights = 1:3)
  })
})

test_that("order of rows and levels, threads, memory and shrinking do not matter", {
  d <- two_class(70)
  one <- komd(d$x, d$y)
  expect_identical(essence(komd(d$x, d$y, control = mkl_control(threads = 2))), essence(one))
  expect_equal(decide(komd(d$x, d$y, control = mkl_control(memory = 1))), decide(one),
               tolerance = 1e-4)
  expect_equal(decide(komd(d$x, d$y, control = mkl_control(shrinking = FALSE))), decide(one),
               tolerance = 1e-4)
  swapped <- komd(d$x, factor(d$y, c("yes", "no")))
  expect_equal(decide(swapped), -decide(one), tolerance = 1e-4)
  order <- rev(seq_len(70))
  expect_equal(decide(komd(d$x[order, ], d$y[order])), decide(one)[order], tolerance = 1e-4)
})

test_that("forms of data, several classes, probabilities and storage", {
  d <- two_class()
  a <- komd(class ~ ., d$data, control = strict)
  expect_identical(bare(decide(a)), bare(decide(komd(d$x, d$y, control = strict))))
  K <- gauss(scale(d$x), scale(d$x), sqrt(3))
  b <- komd(list(k = K), d$y, control = strict)
  expect_equal(bare(decide(a)), bare(decide(b)), tolerance = 1e-6)
  expect_equal(decide(b, list(k = K[1:5, ])), decide(b)[1:5], tolerance = 1e-10)
  expect_equal(decide(a, d$data), decide(a), tolerance = 1e-10)
  data <- three_class()
  set.seed(1)
  fit <- komd(Species ~ ., data, probability = TRUE)
  expect_gt(mean(predict(fit, data) == data$Species), 0.9)
  expect_equal(bare(rowSums(predict(fit, data, type = "prob"))), rep(1, 90))
  file <- tempfile()
  saveRDS(fit, file)
  expect_identical(decide(readRDS(file), data), decide(fit, data))
  unlink(file)
  expect_identical(as.character(a$call[[1]]), "komd")
  rest <- update(a, lambda = 0.9)
  expect_identical(rest$learner$parameters$lambda, 0.9)
})

test_that("scales of the kernel far from 1 are solved", {
  d <- two_class(40)
  K <- gauss(scale(d$x), scale(d$x), 1)
  for (scale in c(1e-100, 1e-8, 1e8, 1e100)) {
    # lambda = 0: the same gamma at any scale
    fit <- komd(list(k = scale * K), d$y, lambda = 0)
    expect_equal(objective(fit) / scale, objective(komd(list(k = K), d$y, lambda = 0)),
                 tolerance = 1e-4)
    expect_true(converged(fit))
  }
})

test_that("bad input is refused, hopeless problems end", {
  for (bad in list(-0.1, 1.1, NA, NaN, NULL, Inf, "a", c(0, 1))) {
    expect_mkl_error(learner_komd(lambda = bad), argument = "lambda")
  }
  for (bad in list(-1, NA_real_, "a", c(0, 0), Inf)) {
    expect_mkl_error(learner_komd(weights = bad), argument = "weights")
  }
  d <- two_class(40)
  expect_mkl_error(learner_komd(cost = 1), argument = "cost")
  expect_mkl_error(komd(d$x, d$y, lamda = 1), "Did you mean `lambda`", "lamda")
  expect_mkl_error(komd(d$x, d$x[, 1]), "learner_komd\\(\\) cannot do the task")
  expect_mkl_error(komd(d$x, d$y, class_weights = c(yes = 2)), "no cost", "weights")
  expect_mkl_error(mkl(d$x, d$y, learner = learner_komd(), weights = 1:40), "no cost", "weights")
  expect_warning(komd(d$x, d$y, control = mkl_control(max_iter = 3)),
                 class = "multikernel_not_converged")
  K <- gauss(d$x, d$x, 1) - 2 * diag(40)
  expect_warning(komd(list(k = K), d$y), class = "multikernel_indefinite")
  expect_true(all(is.finite(decide(komd(list(k = matrix(0, 40, 40)), d$y)))))
  one <- komd(d$x[c(1, which(d$y != d$y[1])[1]), ], d$y[c(1, which(d$y != d$y[1])[1])])
  expect_equal(gamma_of(one), c(1, 1))
  expect_snapshot(print(learner_komd(0.5)))
})

test_that("classes that overlap without regularization are told from noise", {
  overlapping <- MASS::Pima.tr
  fits <- list(
    function(lambda) komd(type ~ ., overlapping, lambda = lambda, kernels = kernel_linear()),
    function(lambda) {
      mkl(as.matrix(overlapping[1:7]), overlapping$type, kernels = kernel_linear(),
          learner = learner_komd(lambda))
    }
  )
  for (fit_at in fits) {
    for (lambda in c(0, 1e-9)) {
      expect_warning(fit <- fit_at(lambda), "classes overlap.*Raise `lambda`",
                     class = "multikernel_not_converged")
      expect_false(converged(fit))
      expect_gt(duality_gap(fit), abs(objective(fit)))
    }
    expect_no_warning(fit <- fit_at(0.1))
    expect_true(converged(fit))
    expect_lt(duality_gap(fit), objective(fit))
  }
  # of several pairs, the one that overlaps is named
  expect_warning(three <- komd(Species ~ ., iris, lambda = 0, kernels = kernel_linear()),
                 "classes overlap in \"virginica/versicolor\"")
  expect_identical(unname(converged(three)), c(TRUE, TRUE, FALSE))
  # classes that are merely near each other are not taken for classes that overlap
  x <- cbind(c(-1, -1, 1, 1), c(-1, 1, -1, 1)) * matrix(c(1e-5, 1), 4, 2, byrow = TRUE)
  near <- komd(list(k = tcrossprod(x)), c("a", "a", "b", "b"), lambda = 0)
  expect_true(converged(near))
  expect_equal(unname(objective(near)), 4e-10, tolerance = 1e-6)
})
