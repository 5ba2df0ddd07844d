decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-9)

three_kernels <- function() {
  kernel_set(kernel_linear(), kernel_rbf("mean_distance"), kernel_polynomial(2))
}

test_that("full maps give the machine on the sum of the kernels", {
  d <- two_class(70)
  z <- two_class(90)$x[71:90, ]
  responses <- list(d$y, drop(d$x[, 1] + d$x[, 2]^2), NULL)
  for (y in responses) {
    fit <- svm_concatenated(d$x, y, cost = 2, control = strict)
    sum_fit <- mkl(
      d$x, y, learner = learner_svm(cost = 2, weights = c(1, 1, 1)), kernels = three_kernels(),
      normalize = "trace", control = strict
    )
    expect_equal(objective(fit), objective(sum_fit), tolerance = 1e-7)
    expect_equal(decide(fit), decide(sum_fit), tolerance = 1e-5)
    expect_equal(decide(fit, z), decide(sum_fit, z), tolerance = 1e-5)
    expect_identical(support(fit), support(sum_fit))
    expect_equal(unname(coef(fit)), c(1, 1, 1))
  }
  average <- mkl(
    d$x, d$y, learner = learner_average(cost = 6), kernels = three_kernels(), control = strict
  )
  fit <- svm_concatenated(d$x, d$y, cost = 2, control = strict)
  expect_equal(decide(fit, z), decide(average, z), tolerance = 1e-5)
})

# A linear machine on the long vectors, by empirical_map() and learner_svm().
long_vectors <- function(x, z, ...) {
  maps <- lapply(1:3, function(m) empirical_map(three_kernels()[m], x, normalize = "trace", ...))
  list(
    train = do.call(cbind, lapply(maps, predict)), new = do.call(cbind, lapply(maps, predict, z))
  )
}

test_that("maps of low rank and of landmarks give the linear machine on their coordinates", {
  d <- two_class(70)
  x <- scale(d$x)[, ]
  z <- x[c(3, 50, 7), ] + 0.1
  cases <- list(
    list(rank = 3), list(landmarks = 12), list(rank = 4, landmarks = 20),
    list(landmarks = 500, rank = 5)
  )
  for (case in cases) {
    rows <- case
    if (!is.null(rows$landmarks)) {
      count <- min(rows$landmarks, 70)
      rows$landmarks <- floor((seq_len(count) - 1) * 70 / count) + 1
    }
    v <- do.call(long_vectors, c(list(x, z), rows))
    expected <- mkl(
      v$train, d$y, learner = learner_svm(cost = 3), kernels = kernel_linear(), scale = FALSE,
      control = strict
    )
    fit <- do.call(
      svm_concatenated,
      c(list(x, d$y, cost = 3, scale = FALSE, control = strict), case)
    )
    expect_equal(objective(fit), objective(expected), tolerance = 1e-6)
    expect_equal(decide(fit, z), decide(expected, v$new), tolerance = 1e-4)
    expect_equal(decide(fit, x), decide(fit), tolerance = 1e-6)
    # It differs from the sum of the kernels.
    whole <- svm_concatenated(x, d$y, cost = 3, scale = FALSE, control = strict)
    expect_gt(max(abs(decide(fit) - decide(whole))), 1e-3)
  }
})

test_that("negative eigenvalues are dropped", {
  d <- two_class(40)
  K <- tcrossprod(scale(d$x)) + diag(40)
  e <- eigen(K, symmetric = TRUE)
  values <- e$values
  values[35:40] <- -0.5
  bad <- e$vectors %*% (values * t(e$vectors))
  good <- e$vectors %*% (pmax(values, 0) * t(e$vectors))
  bad <- (bad + t(bad)) / 2
  good <- (good + t(good)) / 2
  expect_no_warning(
    fit <- svm_concatenated(list(k = bad), d$y, normalize = "none", control = strict)
  )
  expected <- mkl(list(k = good), d$y, learner = learner_svm(1), control = strict)
  expect_equal(decide(fit), decide(expected), tolerance = 1e-5)
  expect_equal(decide(fit, list(k = bad)), decide(fit), tolerance = 1e-6)
})

test_that("memory and threads change nothing", {
  d <- two_class(120)
  fit <- svm_concatenated(d$x, d$y, landmarks = 30)
  expect_identical(
    essence(svm_concatenated(d$x, d$y, landmarks = 30, control = mkl_control(threads = 3))),
    essence(fit)
  )
  tight <- svm_concatenated(d$x, d$y, landmarks = 30, control = strict)
  small <- svm_concatenated(
    d$x, d$y, landmarks = 30, control = mkl_control(tol = 1e-9, memory = "20kB")
  )
  expect_equal(decide(small), decide(tight), tolerance = 1e-6)
})

test_that("several classes, probabilities and a saved fit", {
  fit <- svm_concatenated(Species ~ ., iris, cost = 10, probability = TRUE)
  expect_gt(mean(fitted(fit) == iris$Species), 0.95)
  expect_equal(bare(rowSums(predict(fit, iris[1:4, ], type = "prob"))), rep(1, 4))
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(decide(readRDS(file), iris), decide(fit, iris))
  unlink(file)
})

test_that("bad input is refused", {
  d <- two_class(30)
  expect_snapshot(error = TRUE, {
    learner_svm_concatenated(cost = 0)
    learner_svm_concatenated(rank = 0)
    learner_svm_concatenated(landmarks = 2.5)
    learner_svm_concatenated(nu = 2)
    svm_concatenated(d$x, d$y, landmark = 3)
    svm_concatenated(list(k = matrix(0, 30, 30)), d$y, normalize = "none")
  })
  expect_snapshot(print(learner_svm_concatenated(cost = 3, landmarks = 50)))
})
