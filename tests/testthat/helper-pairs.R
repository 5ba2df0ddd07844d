# k(rows of a, rows of b), pair by pair; rows of data frames as lists.
kernel_by_pairs <- function(f, a, b = a) {
  row <- function(x, i) if (is.data.frame(x)) x[i, , drop = FALSE] else x[i, ]
  out <- matrix(0, nrow(a), nrow(b))
  for (i in seq_len(nrow(a))) for (j in seq_len(nrow(b))) out[i, j] <- f(row(a, i), row(b, j))
  out
}

# A kernel is its definition f on x, and between z and x; symmetric and positive semi-definite; the
# same with several threads and with columns in another order.
expect_definition <- function(kernel, f, x, z, tolerance = 1e-12) {
  k <- kernel_matrix(kernel, x, control = mkl_control(threads = 1))
  expect_lte(max(abs(k - kernel_by_pairs(f, x))), tolerance)
  expect_identical(k, t(k))
  expect_gt(min(eigen(k, TRUE, TRUE)$values), -1e-10)
  cross <- kernel_matrix(kernel, x, z, control = mkl_control(threads = 1))
  expect_lte(max(abs(cross - kernel_by_pairs(f, z, x))), tolerance)
  four <- mkl_control(threads = 4)
  expect_identical(kernel_matrix(kernel, x, control = four), k)
  expect_identical(kernel_matrix(kernel, x, z, control = four), cross)
  turned <- rev(seq_len(ncol(x)))
  expect_equal(kernel_matrix(kernel, x[, turned, drop = FALSE], z), cross, tolerance = 1e-12)
}

# A function of kerntools, an oracle where it is installed; the package does not suggest it.
kerntools <- function(name) {
  skip_if_not_installed("kerntools")
  getExportedValue("kerntools", name)
}
