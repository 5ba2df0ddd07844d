# Fingerprints: 0/1 and counts, dense and sparse.

tanimoto <- function(a, b) {
  if (all(a == 0) && all(b == 0)) return(1)
  sum(a * b) / (sum(a^2) + sum(b^2) - sum(a * b))
}

fingerprints <- function(n, seed, values = 1, p = 24) {
  x <- with_seed(seed, matrix(rbinom(n * p, 1, 0.3) * sample(values, n * p, TRUE), n))
  x[c(2, 5), ] <- 0
  colnames(x) <- paste0("bit", seq_len(p))
  x
}

test_that("kernel_tanimoto() is its formula for bits and counts, zeros included", {
  for (values in list(1, 1:5)) {
    x <- fingerprints(60, 1, values)
    z <- fingerprints(9, 2, values)
    expect_definition(kernel_tanimoto(), tanimoto, x, z)
  }
  expect_identical(diag(kernel_matrix(kernel_tanimoto(), x)), rep(1, 60))
  expect_identical(kernel_matrix(kernel_tanimoto(), x[c(2, 5), ]), matrix(1, 2, 2))
  expect_identical(kernel_matrix(kernel_tanimoto(), x[1, , drop = FALSE]), matrix(1))
})

test_that("0/1 data give the Jaccard index", {
  x <- fingerprints(20, 3)[-c(2, 5), ]
  jaccard <- 1 - as.matrix(stats::dist(x, method = "binary"))
  expect_equal(kernel_matrix(kernel_tanimoto(), x), unname(jaccard), tolerance = 1e-14)
})

test_that("sparse fingerprints give the same and stay sparse", {
  skip_if_not_installed("Matrix")
  x <- fingerprints(60, 1, 1:5)
  z <- fingerprints(9, 2, 1:5)
  sparse <- function(x) Matrix::Matrix(x, sparse = TRUE)
  expect_no_message(k <- kernel_matrix(kernel_tanimoto(), sparse(x)))
  expect_identical(k, kernel_matrix(kernel_tanimoto(), x))
  expect_identical(
    kernel_matrix(kernel_tanimoto(), sparse(x), sparse(z)), kernel_matrix(kernel_tanimoto(), x, z)
  )
  y <- factor(x[, 1] + x[, 2] > 1)
  expect_no_message(fit <- mkl(sparse(x), y, kernels = kernel_tanimoto()))
  expect_s3_class(fit$train, "sparse_features")
  dense <- mkl(x, y, kernels = kernel_tanimoto())
  expect_equal(
    predict(fit, sparse(z), type = "decision"), predict(dense, z, type = "decision"),
    tolerance = 1e-8
  )
})

test_that("fits, products, normalizers, views and stored fits work", {
  x <- fingerprints(60, 1)
  z <- fingerprints(9, 2)
  y <- factor(x[, 1] + x[, 2] + x[, 3] > 1)
  k <- kernel_by_pairs(tanimoto, x)
  expect_equal(kernel_matrix(kernel_tanimoto() * kernel_tanimoto(), x), k^2, tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_tanimoto(normalize = "cosine"), x), k, tolerance = 1e-12)
  centered <- sweep(sweep(k, 1, rowMeans(k)), 2, colMeans(k)) + mean(k)
  expect_equal(kernel_matrix(kernel_tanimoto(), x, normalize = "center"), centered,
               tolerance = 1e-12)
  some <- kernel_tanimoto(on = c("bit3", "bit1"))
  expect_equal(kernel_matrix(some, x), kernel_by_pairs(tanimoto, x[, c(1, 3)]), tolerance = 1e-12)
  # the fit sees fingerprints as they are, not standardized
  fit <- mkl(x, y, kernels = kernel_tanimoto())
  expect_equal(fitted(fit), fitted(mkl(x, y, kernels = kernel_tanimoto(), scale = FALSE)))
  expect_true(all(fit$train %in% 0:1))
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), z, type = "decision"), predict(fit, z, type = "decision"))
  both <- views(fp = x, size = matrix(rowSums(x), dimnames = list(NULL, "n")))
  weighed <- easymkl(both, y, kernels = list(fp = kernel_tanimoto(), size = kernel_rbf(1)))
  expect_identical(unname(weighed$train$views$fp), unname(x[weighed$kept, , drop = FALSE]))
  term <- mkl(y ~ tanimoto(.), data.frame(x, y = y))
  expect_equal(
    unname(predict(term, data.frame(z), type = "decision")),
    unname(predict(fit, z, type = "decision")), tolerance = 1e-8
  )
})

test_that("bad fingerprints are errors that name the row and column", {
  x <- fingerprints(10, 1)
  x[4, 2] <- -1
  rownames(x) <- paste0("mol", 1:10)
  expect_snapshot(error = TRUE, {
    kernel_matrix(kernel_tanimoto(), unname(x))
    mkl(x, gl(2, 5), kernels = kernel_tanimoto())
    kernel_tanimoto(typo = 1)
  })
  x[4, 2] <- NA
  expect_error(kernel_matrix(kernel_tanimoto(), x), "mol4", class = "multikernel_error")
  expect_error(kernel_matrix(kernel_tanimoto(), c("a", "b")), class = "multikernel_error")
})
