test_that("kernel_cauchy() is its formula, for training and for new rows", {
  x <- two_class(20)$x
  z <- two_class(27)$x[21:27, ]
  d2 <- function(a, b) outer(rowSums(a^2), rowSums(b^2), `+`) - 2 * tcrossprod(a, b)
  expect_equal(kernel_matrix(kernel_cauchy(1.5), x), unname(1 / (1 + d2(x, x) / 1.5^2)))
  expect_equal(kernel_matrix(kernel_cauchy(1.5), x, z), unname(1 / (1 + d2(z, x) / 1.5^2)))
})

test_that("kernel_cauchy() is a rational quadratic kernel", {
  x <- two_class(20)$x
  expect_equal(
    kernel_matrix(kernel_cauchy(2), x),
    kernel_matrix(kernel_rational_quadratic(2 / sqrt(2), 1), x)
  )
})

test_that("kernel_cauchy() works as a formula term and checks its width", {
  fit <- mkl(Species ~ cauchy(Petal.Length, Petal.Width, sigma = 1), iris)
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.9)
  expect_error(kernel_cauchy(0), class = "multikernel_error")
})
