log_ratio <- function(x) log(x) - mean(log(x))
aitchison <- function(a, b) sum(log_ratio(a) * log_ratio(b))

compositions <- function(n, seed, p = 20) {
  x <- with_seed(seed, matrix(rexp(n * p)^2, n))
  colnames(x) <- paste0("part", seq_len(p))
  x / rowSums(x)
}

test_that("kernel_aitchison() is its formula, with and without a width", {
  x <- compositions(60, 1)
  z <- compositions(9, 2)
  gauss <- function(a, b) exp(-sum((log_ratio(a) - log_ratio(b))^2) / (2 * 3^2))
  expect_definition(kernel_aitchison(), aitchison, x, z, tolerance = 1e-11)
  expect_definition(kernel_aitchison(3), gauss, x, z)
  more <- kernel_aitchison(pseudocount = 0.5)
  expect_definition(more, function(a, b) aitchison(a + 0.5, b + 0.5), round(10 * x), round(10 * z),
                    tolerance = 1e-11)
  # only ratios matter, and the parts are those that are seen
  expect_equal(kernel_matrix(kernel_aitchison(), x * (1:60)), kernel_matrix(kernel_aitchison(), x),
               tolerance = 1e-10)
  expect_equal(kernel_matrix(kernel_aitchison(on = c("part7", "part2", "part9")), x),
               kernel_by_pairs(aitchison, x[, c(2, 7, 9)]), tolerance = 1e-11)
  expect_identical(kernel_matrix(kernel_aitchison(), x[, 1, drop = FALSE]), matrix(0, 60, 60))
  expect_equal(kernel_matrix(kernel_aitchison(), x[1, , drop = FALSE]),
               matrix(aitchison(x[1, ], x[1, ])), tolerance = 1e-12)
})

test_that("kerntools gives the same", {
  x <- compositions(20, 4)
  expect_equal(kernel_matrix(kernel_aitchison(1 / sqrt(2 * 0.01)), x),
               unname(kerntools("Aitchison")(x, g = 0.01)), tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_aitchison(), x), unname(kerntools("cLinear")(x)),
               tolerance = 1e-12)
})

test_that("width rules and grids see log ratios", {
  x <- compositions(30, 1)
  ratios <- t(apply(x + 0.1, 1, log_ratio))
  expect_equal(
    kernel_matrix(kernel_aitchison("median", pseudocount = 0.1), x),
    kernel_matrix(kernel_rbf("median"), ratios), tolerance = 1e-12
  )
  grid <- kernel_aitchison(c("median", "nearest"), pseudocount = c(0.1, 1))
  expect_length(grid, 4)
  expect_equal(
    kernel_matrix(grid, x)[[4]],
    kernel_matrix(kernel_rbf("nearest"), t(apply(x + 1, 1, log_ratio))), tolerance = 1e-12
  )
})

test_that("fits see parts as they are, predict for new rows, and can be stored", {
  x <- compositions(60, 1, p = 6)
  z <- compositions(9, 2, p = 6)
  y <- factor(x[, 1] > x[, 2])
  fit <- mkl(x, y, kernels = kernel_aitchison("median"))
  expect_identical(fit$train, x[fit$kept, ])
  expect_gt(mean(predict(fit, z) == (z[, 1] > z[, 2])), 0.8)
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), z, type = "decision"), predict(fit, z, type = "decision"))
  expect_identical(predict(fit, z[, 6:1], type = "decision"), predict(fit, z, type = "decision"))
  term <- mkl(y ~ aitchison(., sigma = "median"), data.frame(x, y = y))
  expect_equal(unname(term$decision), unname(fit$decision), tolerance = 1e-6)
})

test_that("zeros, negative and missing parts are errors that name case and column", {
  x <- compositions(10, 1, p = 3)
  rownames(x) <- paste0("sample", 1:10)
  x[4, 2] <- 0
  y <- gl(2, 5)
  expect_snapshot(error = TRUE, {
    mkl(x, y, kernels = kernel_aitchison())
    kernel_matrix(kernel_aitchison(), unname(x))
    mkl(-x, y, kernels = kernel_aitchison(pseudocount = 1))
    predict(mkl(x + 1, y, kernels = kernel_aitchison()), x)
    kernel_aitchison(sigma = 0)
    kernel_aitchison(pseudocount = -1)
  })
  # the row of the data, where others are left out
  x[1, 1] <- NA
  expect_error(mkl(x, y, kernels = kernel_aitchison()), "\"sample4\"", class = "multikernel_error")
  fit <- suppressMessages(mkl(
    views(a = x, b = x + 1), y, learner = "average", missing = "omit",
    kernels = list(a = kernel_aitchison(pseudocount = 0.1), b = kernel_aitchison())
  ))
  expect_length(fitted(fit), 9)
})
