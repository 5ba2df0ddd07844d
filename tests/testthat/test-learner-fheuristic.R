heuristic_data <- function(n = 40) {
  d <- two_class(n, 3)
  list(x = d$x, y = d$y, sign = ifelse(d$y == "yes", 1, -1),
       kernels = kernel_set(kernel_rbf(0.4), kernel_rbf(2), kernel_linear(), kernel_polynomial(2)))
}

test_that("the weights are the alignments", {
  d <- heuristic_data()
  fit <- fheuristic(d$x, d$y, kernels = d$kernels)
  K <- kernel_matrix(d$kernels, scale(d$x))
  A <- vapply(K, function(K) drop(d$sign %*% K %*% d$sign) / (40 * norm(K, "F")), 0)
  expect_equal(unname(coef(fit)), unname(A / sum(A)), tolerance = 1e-10)
  measures <- kernel_measures(d$kernels, d$x, d$y, "alignment")$alignment
  expect_equal(unname(coef(fit)), measures / sum(measures), tolerance = 1e-10)
  svm <- mkl(d$x, d$y, kernels = d$kernels, normalize = "trace",
             learner = learner_svm(1, weights = unname(coef(fit))))
  expect_equal(predict(fit, d$x, type = "decision"), predict(svm, d$x, type = "decision"),
               tolerance = 1e-10)
})

test_that("memory, threads and many kernels do not change the weights", {
  d <- heuristic_data(20)
  kernels <- kernel_rbf(seq(0.2, 4, length.out = 150))
  fit <- fheuristic(d$x, d$y, kernels = kernels)
  small <- fheuristic(d$x, d$y, kernels = kernels, control = mkl_control(memory = 1e-5))
  expect_equal(coef(small), coef(fit), tolerance = 1e-10)
  two <- fheuristic(d$x, d$y, kernels = kernels, control = mkl_control(threads = 2))
  expect_identical(coef(two), coef(fit))
})

test_that("weights of rows act like copies of rows", {
  d <- heuristic_data(24)
  weights <- rep(1:3, 8)
  rows <- rep(1:24, weights)
  one <- fheuristic(d$x, d$y, kernels = d$kernels, weights = weights, scale = FALSE,
                    normalize = "none")
  copied <- fheuristic(d$x[rows, ], d$y[rows], kernels = d$kernels, scale = FALSE,
                       normalize = "none")
  expect_equal(coef(one), coef(copied), tolerance = 1e-10)
})

test_that("regression weights are those of the errors, PWMK those of the accuracies", {
  d <- heuristic_data()
  y <- drop(d$x[, 1] + 0.5 * d$x[, 2]^2)
  # The errors are those that learner_best() finds on the same folds.
  errors <- function(...) {
    set.seed(3)
    objective_path(mkl(d$x, ..., kernels = d$kernels, learner = learner_best(cost = 1)))
  }
  set.seed(3)
  fit <- fheuristic(d$x, y, kernels = d$kernels)
  e <- errors(y)^2
  expect_equal(unname(coef(fit)), unname(sum(e) - e) / (3 * sum(e)), tolerance = 1e-8)
  expect_equal(sum(coef(fit)), 1)
  a <- 1 - errors(d$y)
  for (threshold in c(0, 0.5, mean(a))) {
    set.seed(3)
    fit <- pwmk(d$x, d$y, kernels = d$kernels, threshold = threshold)
    expected <- pmax(a - threshold, 0)
    expect_equal(unname(coef(fit)), unname(expected / sum(expected)), tolerance = 1e-8)
  }
  set.seed(3)
  none <- pwmk(d$x, d$y, kernels = d$kernels, threshold = 1)
  if (max(a) < 1) expect_identical(unname(coef(none)), rep(0.25, 4))
})

test_that("several classes, storage, one kernel", {
  for (learner in c("fheuristic", "pwmk")) {
    set.seed(1)
    fit <- mkl(Species ~ ., three_class(60), learner = learner, kernels = kernel_rbf(c(0.3, 1)))
    expect_identical(nrow(kernel_weights(fit)), 6L)
    file <- tempfile()
    saveRDS(fit, file)
    expect_identical(predict(readRDS(file), iris), predict(fit, iris))
    unlink(file)
  }
  d <- heuristic_data()
  expect_identical(unname(coef(fheuristic(d$x, d$x[, 1], kernels = kernel_rbf(1)))), 1)
})

test_that("bad arguments are named", {
  d <- heuristic_data()
  expect_mkl_error(learner_fheuristic(cost = -1), argument = "cost")
  expect_mkl_error(learner_fheuristic(folds = 1), argument = "folds")
  expect_mkl_error(learner_pwmk(threshold = 2), argument = "threshold")
  expect_mkl_error(learner_pwmk(folds = 1.5), argument = "folds")
  expect_mkl_error(pwmk(d$x, d$x[, 1]), "cannot do the task")
  expect_mkl_error(fheuristic(d$x, task = "one_class"), "cannot do the task")
})
