bray_curtis <- function(a, b) {
  if (all(a == 0) && all(b == 0)) return(1)
  1 - sum(abs(a - b)) / sum(a + b)
}

abundances <- function(n, seed, p = 12) {
  x <- with_seed(seed, matrix(rpois(n * p, 0.8) * rexp(n * p), n))
  x[3, ] <- 0
  colnames(x) <- paste0("taxon", seq_len(p))
  x
}

test_that("kernel_bray_curtis() is its formula, rows of zeros included", {
  x <- rbind(abundances(50, 1), 0)
  expect_definition(kernel_bray_curtis(), bray_curtis, x, abundances(9, 2))
  k <- kernel_matrix(kernel_bray_curtis(), x)
  expect_identical(c(k[3, 51], k[1, 51]), c(1, 0))
})

test_that("kerntools gives the same", {
  x <- abundances(20, 4)[-3, ]
  expect_equal(kernel_matrix(kernel_bray_curtis(), x), unname(kerntools("BrayCurtis")(x)),
               tolerance = 1e-12)
})

test_that("sparse counts stay sparse for all kernels of minima", {
  skip_if_not_installed("Matrix")
  x <- abundances(50, 1)
  z <- abundances(9, 2)
  sparse <- function(x) Matrix::Matrix(x, sparse = TRUE)
  for (kernel in list(kernel_bray_curtis(), kernel_intersection(), kernel_intersection(on = 4:2))) {
    expect_no_message(k <- kernel_matrix(kernel, sparse(x), sparse(z)))
    expect_equal(k, kernel_matrix(kernel, x, z), tolerance = 1e-14)
  }
  # columns that the kernel sees are not standardized
  fit <- mkl(sparse(x), factor(x[, 1] > 0), kernels = kernel_bray_curtis())
  expect_s3_class(fit$train, "sparse_features")
  expect_equal(
    predict(fit, sparse(z), type = "decision"),
    predict(mkl(x, factor(x[, 1] > 0), kernels = kernel_bray_curtis()), z, type = "decision"),
    tolerance = 1e-8
  )
  # other columns are, as in a dense matrix
  both <- kernel_set(kernel_bray_curtis(on = 1:6), kernel_rbf(1, on = 7:12))
  fit <- mkl(sparse(x), factor(x[, 1] > 0), learner = "average", kernels = both)
  expect_identical(fit$frame$center[1:6], rep(0, 6))
  dense <- mkl(x, factor(x[, 1] > 0), learner = "average", kernels = both)
  expect_equal(
    predict(fit, sparse(z), type = "decision"), predict(dense, z, type = "decision"),
    tolerance = 1e-8
  )
  negative <- x
  negative[7, 4] <- -1
  expect_snapshot(error = TRUE, {
    mkl(sparse(negative), factor(x[, 1] > 0), kernels = kernel_bray_curtis())
  })
})

test_that("kernels of one fit get raw or standardized columns as each of them needs", {
  x <- cbind(abundances(60, 1), long = with_seed(5, rnorm(60, 100, 20)))
  y <- factor(x[, 1] > 0)
  kernels <- kernel_set(kernel_bray_curtis(on = 1:12), kernel_rbf(1, on = "long"))
  expect_no_message(fit <- mkl(x, y, learner = "average", kernels = kernels))
  expect_identical(fit$train[, 1:12], x[fit$kept, 1:12])
  expect_equal(fit$frame$center[[13]], mean(x[, 13]))
  same <- mkl(cbind(x[, 1:12], scale(x[, 13])), y, learner = "average", scale = FALSE,
              kernels = kernel_set(kernel_bray_curtis(on = 1:12), kernel_rbf(1, on = 13)))
  expect_equal(fitted(fit), fitted(same))
  expect_equal(unname(fit$decision), unname(same$decision), tolerance = 1e-6)
  expect_message(
    mkl(x, y, kernels = kernel_set(kernel_bray_curtis(on = 1:12), kernel_rbf(1))),
    class = "multikernel_raw_columns"
  )
  # views: a column each, and what the user asks for wins
  v <- views(counts = x[, 1:12], size = x[, 13, drop = FALSE])
  fit <- easymkl(v, y, kernels = list(counts = kernel_chisq(), size = kernel_rbf(1)))
  expect_null(fit$frame$center$counts)
  expect_equal(fit$frame$center$size, mean(x[, 13]))
  expect_error(
    easymkl(views(counts = x[, 1:12], scale = TRUE), y, kernels = list(counts = kernel_chisq())),
    class = "multikernel_error"
  )
})
