test_that("one kernel gives a matrix, several a named list", {
  x <- two_class(20)$x
  K <- kernel_matrix(kernel_rbf(1.5), x)
  expect_equal(K, gauss(x, x, 1.5), tolerance = 1e-12)
  both <- kernel_matrix(kernel_set(kernel_rbf(1.5), kernel_linear()), x)
  expect_named(both, c("rbf(sigma=1.5)", "linear"))
  expect_equal(both$linear, tcrossprod(x), ignore_attr = TRUE, tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_rbf(gamma = 0.5), x), gauss(x, x, 1), tolerance = 1e-12)
})

test_that("z gives rows of new by training", {
  x <- two_class(20)$x
  z <- x[3:5, ]
  expect_equal(kernel_matrix(kernel_rbf(2), x, z), gauss(z, x, 2), tolerance = 1e-12)
  expect_identical(dim(kernel_matrix(kernel_rbf(2), x, x[0, ])), c(0L, 20L))
})

test_that("columns of z are matched by name", {
  x <- two_class(20)$x
  z <- x[3:5, 3:1]
  expect_equal(kernel_matrix(kernel_linear(on = 1:2), x, z), tcrossprod(x[3:5, 1:2], x[, 1:2]),
               ignore_attr = TRUE)
})

test_that("normalisers do what their names say", {
  x <- two_class(15)$x
  K <- kernel_matrix(kernel_polynomial(2), x)
  same <- function(normalize, value) {
    expect_equal(kernel_matrix(kernel_polynomial(2), x, normalize = normalize), value,
                 tolerance = 1e-10)
  }
  same("trace", K / mean(diag(K)))
  same("unit_trace", K / sum(diag(K)))
  same("cosine", K / sqrt(outer(diag(K), diag(K))))
  centre <- diag(15) - 1 / 15
  same("center", centre %*% K %*% centre)
  centred <- centre %*% K %*% centre
  same(c("center", "trace"), centred / mean(diag(centred)))
  # a step may come twice: angles between centred rows, centred again
  angles <- centred / sqrt(outer(diag(centred), diag(centred)))
  same(c("center", "cosine", "center"), centre %*% angles %*% centre)
  same(c("none", "trace", "none"), K / mean(diag(K)))
})

test_that("an R function gives the same as the kernel it copies, normalised and not", {
  x <- two_class(15)$x
  z <- two_class(19)$x[16:19, ]
  f <- kernel_function(function(x, z) (tcrossprod(x, z) + 1)^2)
  steps <- list("none", "trace", "unit_trace", "cosine", "center", c("center", "cosine"))
  for (normalize in steps) {
    expect_equal(kernel_matrix(f, x, normalize = normalize),
                 kernel_matrix(kernel_polynomial(2), x, normalize = normalize), tolerance = 1e-10)
    expect_equal(kernel_matrix(f, x, z, normalize = normalize),
                 kernel_matrix(kernel_polynomial(2), x, z, normalize = normalize),
                 tolerance = 1e-10)
  }
  expect_equal(
    kernel_matrix(f * kernel_rbf(1), x, z, "trace"),
    kernel_matrix(kernel_polynomial(2) * kernel_rbf(1), x, z, "trace"), tolerance = 1e-10
  )
})

test_that("products are products", {
  x <- two_class(12)$x
  expect_equal(
    kernel_matrix(kernel_rbf(1, on = 1) * kernel_linear(on = 2:3), x),
    gauss(x[, 1, drop = FALSE], x[, 1, drop = FALSE], 1) * tcrossprod(x[, 2:3]),
    ignore_attr = TRUE, tolerance = 1e-12
  )
})

test_that("a result larger than the memory is refused before it is computed", {
  expect_mkl_error(
    kernel_matrix(kernel_rbf_bags(1e6, seed = 1), two_class(50)$x), "GB, more than", "memory"
  )
})

test_that("inputs are not modified", {
  x <- two_class(10)$x
  before <- x + 0
  kernel_matrix(kernel_rbf(1), x, normalize = "center")
  expect_identical(x, before)
})

test_that("missing and infinite values are named", {
  x <- two_class(10)$x
  x[3, 2] <- NA
  expect_mkl_error(kernel_matrix(kernel_linear(), x), "row 3 of column `v2`")
  x[3, 2] <- Inf
  expect_mkl_error(kernel_matrix(kernel_linear(), x), "row 3 of column `v2` is Inf")
})
