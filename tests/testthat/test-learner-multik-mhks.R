decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-10)
paper_kernels <- kernel_set(kernel_linear(), kernel_rbf("mean_distance"), kernel_polynomial(2))

test_that("it is the algorithm of the paper, written out", {
  d <- two_class()
  y <- signs(d$y)
  new <- two_class(75)$x[61:75, ]
  training <- kernel_matrix(paper_kernels, d$x)
  fresh <- kernel_matrix(paper_kernels, d$x, new)
  for (lambda in c(0, 1 / 16, 4)) {
    fit <- multik_mhks(d$x, d$y, scale = FALSE, lambda = lambda)
    peer <- plain_mhks(training, y, lambda = lambda)
    expect_equal(decide(fit), peer$decision, tolerance = 1e-8)
    expect_equal(decide(fit, new), peer$predict(fresh), tolerance = 1e-8)
    expect_equal(objective_path(fit), peer$path, tolerance = 1e-10)
  }
  expect_equal(unname(coef(fit)), rep(1 / 3, 3))
  expect_named(coef(fit), c("linear", "rbf(sigma=mean_distance)", "polynomial(degree=2)"))
})

test_that("lambda = 0 is the mean of single machines", {
  d <- two_class()
  # a tolerance that all of them reach at the same step: they stop by the sum of their criteria
  one <- function(k) {
    mhks(d$x, d$y, scale = FALSE, kernels = paper_kernels[k], control = strict)
  }
  fit <- multik_mhks(d$x, d$y, scale = FALSE, lambda = 0, control = strict)
  expect_equal(decide(fit), rowMeans(vapply(1:3, function(k) decide(one(k)), numeric(60))),
               tolerance = 1e-4)
})

test_that("a large lambda makes the views agree", {
  d <- two_class()
  spread <- function(lambda) {
    fit <- multik_mhks(d$x, d$y, scale = FALSE, lambda = lambda)
    state <- fit$models[[1]]$state
    K <- kernel_matrix(paper_kernels, d$x)
    outputs <- mapply(function(K, a) 3 * drop(K %*% a), K, asplit(state$coefficients, 2))
    sum(apply(scale(outputs, scale = FALSE), 1, stats::var))
  }
  expect_lt(spread(16), spread(0) / 4)
})

test_that("the criterion falls at every step for any rho", {
  d <- two_class()
  for (rho in c(0.01, 0.3, 0.5, 0.7, 0.99, 0.999)) {
    fit <- multik_mhks(d$x, d$y, scale = FALSE, rho = rho, lambda = 1,
                       control = mkl_control(tol = 1e-6))
    expect_lte(max(diff(objective_path(fit))), 0)
  }
})

test_that("it ends in a stationary point: the joint minimum for its margins", {
  d <- two_class(40)
  y <- signs(d$y)
  kernels <- kernel_set(kernel_rbf(1), kernel_linear())
  K <- kernel_matrix(kernels, d$x)
  peer <- plain_mhks(K, y, c = 0.5, lambda = 2, tol = 1e-12)
  fit <- multik_mhks(d$x, d$y, scale = FALSE, kernels = kernels, c = 0.5, lambda = 2,
                     control = mkl_control(tol = 1e-12))
  expect_equal(decide(fit), peer$decision, tolerance = 1e-6)
  outputs <- mapply(`%*%`, peer$Y, peer$w)
  b <- do.call(cbind, peer$b)
  gradients <- lapply(1:2, function(l) {
    size <- ncol(peer$Y[[l]])
    crossprod(peer$Y[[l]], outputs[, l] - 1 - b[, l] + 2 * (outputs[, l] - rowMeans(outputs))) +
      0.5 * peer$w[[l]] * c(rep(1, size - 1), 0)
  })
  expect_lt(max(abs(unlist(gradients))), 1e-4)
  expect_gte(min(b), 1e-6)
  expect_lt(max(outputs - 1 - b), 1e-4) # no margin is left to raise

  # all weights at once, for these margins: minimise ||A w - t||^2 + w' R w
  half <- sqrt(2) / 2 # two views differ from their mean by half their difference
  A <- rbind(
    cbind(peer$Y[[1]], matrix(0, 40, ncol(peer$Y[[2]]))),
    cbind(matrix(0, 40, ncol(peer$Y[[1]])), peer$Y[[2]]),
    half * sqrt(2) * cbind(peer$Y[[1]], -peer$Y[[2]])
  )
  R <- diag(0.5 * c(rep(1, ncol(peer$Y[[1]]) - 1), 0, rep(1, ncol(peer$Y[[2]]) - 1), 0))
  w <- solve(crossprod(A) + R, crossprod(A, c(1 + b, rep(0, 40))))
  best <- sum((A %*% w - c(1 + b, rep(0, 40)))^2) + sum(w * (R %*% w))
  expect_equal(objective(fit), best, tolerance = 1e-7)

  skip_if_not_installed("quadprog")
  # weights and margins at once: only a bound, as margins never fall
  count <- ncol(A)
  all <- cbind(A, rbind(-diag(80), matrix(0, 40, 80)))
  D <- crossprod(all) + rbind(cbind(R, matrix(0, count, 80)), matrix(0, 80, count + 80))
  D <- D + 1e-9 * diag(count + 80)
  target <- c(rep(1, 80), rep(0, 40))
  joint <- quadprog::solve.QP(D, drop(crossprod(all, target)),
                              rbind(matrix(0, count, 80), diag(80)), rep(0, 80))
  expect_gte(objective(fit), 2 * joint$value + 80 - 1e-6)
  expect_lt(objective(fit), 1.2 * (2 * joint$value + 80))
})

test_that("the result does not depend on the basis of an eigenspace", {
  # columns that are each other's mirror images: eigenvalues come in pairs
  x <- as.matrix(expand.grid(a = -2:2, b = -2:2))
  y <- factor(ifelse(x[, 1] + 2 * x[, 2] + 0.3 > 0, "p", "n"))
  turn <- matrix(c(0.6, 0.8, -0.8, 0.6), 2)
  expect_equal(decide(multik_mhks(x %*% turn, y, scale = FALSE)),
               decide(multik_mhks(x, y, scale = FALSE)), tolerance = 1e-8)
})

test_that("rank, landmarks and c = 0", {
  d <- two_class(90)
  full <- multik_mhks(d$x, d$y, scale = FALSE)
  expect_equal(decide(multik_mhks(d$x, d$y, scale = FALSE, landmarks = 90, rank = 90)),
               decide(full))
  near <- multik_mhks(d$x, d$y, scale = FALSE, landmarks = 70)
  expect_lt(max(abs(decide(near) - decide(full))), 0.05)
  expect_equal(decide(near, d$x), decide(near), tolerance = 1e-8)
  small <- multik_mhks(d$x, d$y, scale = FALSE, landmarks = 30, rank = 5)
  expect_length(support(small), 30L)
  free <- multik_mhks(d$x, d$y, scale = FALSE, c = 0,
                      kernels = kernel_set(kernel_linear(), kernel_polynomial(2)))
  expect_true(converged(free))
  expect_equal(decide(free, d$x), decide(free), tolerance = 1e-6)
})

test_that("several classes, probabilities, precomputed kernels and formulas", {
  data <- three_class()
  x <- as.matrix(data[1:4])
  fit <- multik_mhks(Species ~ ., data, scale = FALSE)
  expect_gt(mean(fitted(fit) == data$Species), 0.95)
  expect_identical(nrow(coef(fit)), 9L)
  # the width is that of all rows, so that of a pair alone would differ
  K <- kernel_matrix(paper_kernels, x)
  by_matrix <- multik_mhks(K, data$Species)
  expect_equal(unname(decide(by_matrix)), unname(decide(fit)), tolerance = 1e-7)
  blocks <- lapply(K, function(K) K[1:7, ])
  expect_equal(bare(decide(by_matrix, blocks)), bare(decide(fit, data[1:7, ])), tolerance = 1e-7)
  terms <- multik_mhks(
    Species ~ linear(.) + rbf(., sigma = "mean_distance") + polynomial(., degree = 2), data,
    scale = FALSE
  )
  expect_equal(decide(terms), decide(fit), tolerance = 1e-10)
  set.seed(1)
  likely <- multik_mhks(Species ~ ., data, scale = FALSE, probability = TRUE,
                        multiclass = "one_vs_rest")
  prob <- predict(likely, data, type = "prob")
  expect_equal(bare(rowSums(prob)), rep(1, nrow(data)))
  expect_gt(mean(levels(data$Species)[max.col(prob)] == data$Species), 0.9)
})

test_that("sonar is classified as well as in the paper", {
  skip_on_cran()
  skip_if_not_installed("mlbench")
  Sonar <- NULL
  utils::data("Sonar", package = "mlbench", envir = environment())
  accuracy <- vapply(1:10, function(seed) {
    train <- with_seed(seed, sample(208, 100))
    fit <- multik_mhks(Class ~ ., Sonar[train, ])
    mean(predict(fit, Sonar[-train, ]) == Sonar$Class[-train])
  }, 0)
  # 80.65 % in the paper, with parameters chosen for each split
  expect_gt(mean(accuracy), 0.77)
})

test_that("threads change nothing, and a stored fit predicts the same", {
  d <- hard_rows(150, 4)
  fit_by <- function(threads, ...) {
    multik_mhks(d$x, d$y, scale = FALSE, ..., control = mkl_control(threads = threads))
  }
  for (landmarks in list(NULL, 40)) {
    one <- fit_by(1, landmarks = landmarks)
    for (threads in 2:3) {
      expect_identical(essence(fit_by(threads, landmarks = landmarks)), essence(one))
    }
  }
  file <- withr::local_tempfile()
  saveRDS(one, file)
  expect_identical(decide(readRDS(file), d$x[1:9, ]), decide(one, d$x[1:9, ]))
})

# A grid -------------------------------------------------------------------------------------------

test_that("bad arguments are named, and a learner prints itself", {
  for (lambda in list(-1, NA, NaN, NULL, Inf, "a", c(1, 2))) {
    expect_mkl_error(learner_multik_mhks(lambda = lambda), argument = "lambda")
  }
  expect_snapshot(print(learner_multik_mhks(landmarks = 100)))
  d <- two_class(30, 2)
  fit <- multik_mhks(d$x, d$y, scale = FALSE)
  withr::local_pdf(NULL)
  expect_identical(plot(fit), fit)
  expect_identical(plot(fit, "boundary"), fit)
})
