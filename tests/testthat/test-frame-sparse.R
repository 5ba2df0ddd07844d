# Sparse data against the same data as a dense matrix.

# `far`: of a column whose values lie close together. Unscaled ones lose digits, dense or not.
sparse_data <- function(n = 60, p = 25, seed = 1, far = 1e4) {
  withr::local_seed(seed)
  x <- matrix(stats::rbinom(n * p, 4, 0.1) * stats::rnorm(n * p), n, p)
  x[3L, ] <- 0
  x[, 2L] <- 0
  x[, 5L] <- far + stats::runif(n)
  x[, 6L] <- 3
  colnames(x) <- paste0("v", seq_len(p))
  list(x = x, sparse = Matrix::Matrix(x, sparse = TRUE),
       y = factor(ifelse(x[, 1L] + x[, 7L] - x[, 8L] > 0, "b", "a")))
}

sparse_kernels <- function() {
  kernel_set(
    kernel_linear(), kernel_polynomial(2, scale = 0.1), kernel_sigmoid(scale = 0.01),
    kernel_rbf("median"), kernel_rbf(3, on = c("v7", "v1")),
    kernel_product(kernel_linear(), kernel_rbf(9)), kernel_rbf_bags(3, max_features = 4, seed = 1)
  )
}

decide <- function(fit, ...) predict(fit, ..., type = "decision")

test_that("fits and predictions are those of the dense matrix", {
  skip_if_not_installed("Matrix")
  for (learner in list(learner_average(), learner_simplemkl(), learner_easymkl())) {
    for (scale in c(TRUE, FALSE)) {
      d <- sparse_data(far = if (scale) 1e4 else 1)
      new <- sparse_data(20, seed = 2, far = if (scale) 1e4 else 1)
      new$sparse[1L, 4L] <- NA
      new$x[1L, 4L] <- NA
      fit <- function(x) mkl(
        x, d$y, learner = learner, kernels = sparse_kernels(), scale = scale,
        normalize = "trace", control = mkl_control(tol = 1e-10)
      )
      one <- suppressWarnings(fit(d$sparse))
      two <- suppressWarnings(fit(d$x))
      expect_s3_class(one$train, "sparse_features")
      expect_equal(kernel_weights(one), kernel_weights(two), tolerance = 1e-8)
      expect_equal(decide(one), decide(two), tolerance = 1e-8)
      expected <- decide(two, new$x)
      # Columns go by name; further columns are ignored.
      turned <- cbind(new$sparse[, rev(colnames(new$x))], more = 1)
      for (x in list(new$sparse, turned, new$x, as.data.frame(new$x))) {
        expect_equal(unname(decide(one, x)), unname(expected), tolerance = 1e-8)
      }
      expect_identical(is.na(expected[[1L]]), TRUE)
    }
  }
})

test_that("kernel matrices are those of the dense matrix", {
  skip_if_not_installed("Matrix")
  d <- sparse_data(far = 1)
  kernels <- sparse_kernels()
  expect_equal(kernel_matrix(kernels, d$sparse), kernel_matrix(kernels, d$x), tolerance = 1e-12)
  normalize <- c("trace", "center")
  expect_equal(
    kernel_matrix(kernels, d$sparse, d$sparse[1:7, ], normalize),
    kernel_matrix(kernels, d$x, d$x[1:7, ], normalize), tolerance = 1e-8
  )
})

test_that("cross-validation, weights, classes and missing values work on sparse data", {
  skip_if_not_installed("Matrix")
  d <- sparse_data()
  d$sparse[5L, 9L] <- NA
  d$x[5L, 9L] <- NA
  score <- function(x) {
    withr::local_seed(1)
    cv_mkl(x, d$y, kernels = kernel_linear(), resamples = resample_bootstrap(3))$summary
  }
  expect_equal(score(d$sparse), score(d$x))
  y <- factor(rep(c("a", "b", "c"), 20))
  fit <- function(x) {
    mkl(x, y, kernels = kernel_linear(), probability = TRUE, control = mkl_control(tol = 1e-10))
  }
  withr::local_seed(1)
  one <- fit(d$sparse)
  withr::local_seed(1)
  two <- fit(d$x)
  expect_equal(predict(one, d$sparse, "prob"), predict(two, d$x, "prob"), tolerance = 1e-6)
  expect_error(
    mkl(d$sparse, y, kernels = kernel_linear(), na.action = na.fail),
    "row 5 of column `v9`", class = "multikernel_data_error"
  )
  d$sparse[7L, 3L] <- Inf
  expect_error(
    mkl(d$sparse, y, kernels = kernel_linear()), "row 7 of column `v3` is Inf",
    class = "multikernel_data_error"
  )
})

test_that("sparse matrices of all classes are taken", {
  skip_if_not_installed("Matrix")
  d <- sparse_data()
  pattern <- methods::as(d$sparse != 0, "nMatrix")
  expected <- kernel_matrix(kernel_linear(), 1 * (d$x != 0))
  for (x in list(pattern, methods::as(pattern, "lMatrix"), methods::as(pattern, "TsparseMatrix"))) {
    expect_equal(kernel_matrix(kernel_linear(), x), expected)
  }
  expect_equal(kernel_matrix(kernel_linear(), Matrix::Diagonal(4)), diag(4))
})

test_that("other kernels and learners see the dense matrix", {
  skip_if_not_installed("Matrix")
  d <- sparse_data()
  for (kernels in list(kernel_laplacian(2), kernel_set(kernel_linear(), kernel_anova(1)))) {
    one <- mkl(d$sparse, d$y, kernels = kernels)
    expect_true(is.matrix(one$train))
    expect_identical(decide(one, d$sparse), decide(mkl(d$x, d$y, kernels = kernels), d$x))
    expect_identical(kernel_matrix(kernels, d$sparse), kernel_matrix(kernels, d$x))
  }
})

test_that("large sparse data take no dense memory", {
  skip_if_not_installed("Matrix")
  n <- 2000
  p <- 20000
  withr::local_seed(1)
  x <- Matrix::rsparsematrix(n, p, 0.005)
  y <- factor(ifelse(Matrix::rowSums(x[, 1:2000]) > 0, "b", "a"))
  dense <- 8 * n * p
  gc(reset = TRUE)
  before <- sum(gc()[, 2L]) * 2^20
  fit <- expect_no_message(mkl(x, y, kernels = kernel_linear()), class = "multikernel_dense")
  peak <- sum(gc()[, 6L]) * 2^20 - before
  expect_lt(peak, dense / 2)
  expect_lt(as.numeric(utils::object.size(fit)), dense / 10)
  expect_lt(mean(predict(fit, x) != y), 0.2)
  stored <- unserialize(serialize(fit, NULL))
  expect_identical(decide(stored, x[1:9, ]), decide(fit, x[1:9, ]))
})
