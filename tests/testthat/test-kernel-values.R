# Values of the kernels: against kernlab, against exp() of base R over many widths, and at the
# ends of the range of numbers.

x <- with_seed(1, matrix(rnorm(47 * 5), 47))
z <- with_seed(2, matrix(rnorm(13 * 5), 13))

# k(rows of a, rows of b), pair by pair.
by_pairs <- function(f, a, b) {
  out <- matrix(0, nrow(a), nrow(b))
  for (i in seq_len(nrow(a))) for (j in seq_len(nrow(b))) out[i, j] <- f(a[i, ], b[j, ])
  out
}

expect_kernel <- function(kernel, f, x., z., tolerance = 1e-12) {
  square <- kernel_matrix(kernel, x.)
  expect_lte(max(abs(square - by_pairs(f, x., x.))) / max(abs(square)), tolerance,
             label = names(kernel))
  expect_identical(square, t(square))
  cross <- kernel_matrix(kernel, x., z.)
  expect_lte(max(abs(cross - by_pairs(f, z., x.))) / max(abs(cross)), tolerance,
             label = names(kernel))
}

test_that("each family is its formula, for new rows too", {
  d2 <- function(a, b) sum((a - b)^2)
  expect_kernel(kernel_linear(), function(a, b) sum(a * b), x, z)
  expect_kernel(kernel_polynomial(4, 0.5, 2), function(a, b) (0.5 * sum(a * b) + 2)^4, x, z)
  expect_kernel(kernel_polynomial(3, 1, 0), function(a, b) sum(a * b)^3, x, z)
  expect_kernel(kernel_sigmoid(0.1, -0.3), function(a, b) tanh(0.1 * sum(a * b) - 0.3), x, z)
  expect_kernel(kernel_rbf(0.7), function(a, b) exp(-d2(a, b) / (2 * 0.7^2)), x, z)
  expect_kernel(kernel_rbf(gamma = 0.2), function(a, b) exp(-0.2 * d2(a, b)), x, z)
  expect_kernel(kernel_laplacian(3), function(a, b) exp(-sum(abs(a - b)) / 3), x, z)
  expect_kernel(kernel_matern(1 / 2, 2), function(a, b) exp(-sqrt(d2(a, b)) / 2), x, z)
  expect_kernel(kernel_matern(3 / 2, 2), function(a, b) {
    r <- sqrt(3 * d2(a, b)) / 2
    (1 + r) * exp(-r)
  }, x, z)
  expect_kernel(kernel_matern(5 / 2, 2), function(a, b) {
    r <- sqrt(5 * d2(a, b)) / 2
    (1 + r + r^2 / 3) * exp(-r)
  }, x, z)
  expect_kernel(kernel_rational_quadratic(1.5, 0.7), function(a, b) {
    (1 + d2(a, b) / (2 * 0.7 * 1.5^2))^-0.7
  }, x, z)
  expect_kernel(kernel_cauchy(1.5), function(a, b) 1 / (1 + d2(a, b) / 1.5^2), x, z)
  expect_kernel(kernel_anova(0.4, 3), function(a, b) sum(exp(-0.4 * (a - b)^2))^3, x, z)
  expect_kernel(kernel_chisq(0.6), function(a, b) {
    exp(-0.6 * sum(ifelse(a + b > 0, (a - b)^2 / (a + b), 0)))
  }, abs(round(x)), abs(round(z)))
  expect_kernel(kernel_intersection(), function(a, b) sum(pmin(a, b)), abs(x), abs(z))
  expect_kernel(kernel_rbf(1, on = c(4, 2)), function(a, b) exp(-d2(a[c(2, 4)], b[c(2, 4)]) / 2),
                x, z)
  expect_kernel(kernel_rbf(1) * kernel_polynomial(2) * kernel_linear(on = 3), function(a, b) {
    exp(-d2(a, b) / 2) * (sum(a * b) + 1)^2 * a[3] * b[3]
  }, x, z)
})

test_that("each family of kernlab gives the same", {
  skip_if_not_installed("kernlab")
  same <- function(kernel, theirs, cross = TRUE, tolerance = 1e-12) {
    for (p in c(1, 5, 33)) {
      a <- with_seed(p, matrix(rnorm(40 * p), 40))
      b <- with_seed(-p, matrix(rnorm(7 * p), 7))
      expect_equal(kernel_matrix(kernel, a), kernlab::kernelMatrix(theirs, a)@.Data,
                   tolerance = tolerance, ignore_attr = TRUE)
      if (!cross) next
      expect_equal(kernel_matrix(kernel, a, b), kernlab::kernelMatrix(theirs, b, a)@.Data,
                   tolerance = tolerance, ignore_attr = TRUE)
    }
  }
  same(kernel_linear(), kernlab::vanilladot())
  same(kernel_rbf(gamma = 0.15), kernlab::rbfdot(sigma = 0.15))
  same(kernel_polynomial(3, 0.2, 1.5), kernlab::polydot(3, 0.2, 1.5))
  # kernlab 0.9-32 fails on two matrices here
  same(kernel_sigmoid(0.1, 0.4), kernlab::tanhdot(0.1, 0.4), cross = FALSE)
  same(kernel_anova(0.6, 2), kernlab::anovadot(0.6, 2))
  # kernlab has the Euclidean distance here (Matern 1/2) and rounds its square to 9 places
  same(kernel_matern(1 / 2, 2), kernlab::laplacedot(sigma = 0.5), tolerance = 1e-8)
})

test_that("14 widths from one distance keep 12 digits of every value", {
  sigma <- 2^(-6:7)
  for (p in c(1, 3, 15, 16, 17, 50)) {
    # from nearly equal rows to far ones, so that all widths have values of all sizes
    a <- with_seed(p, {
      base <- matrix(rnorm(60 * p), 60)
      rbind(base, base + 10^runif(60, -4, 0) * rnorm(60 * p) / sqrt(p))
    })
    d2 <- by_pairs(function(u, v) sum((u - v)^2), a, a)
    for (level in simd_levels()) {
      K <- kernel_matrix(kernel_rbf(sigma), a, control = mkl_control(simd = level))
      for (m in seq_along(sigma)) {
        exact <- exp(-d2 / (2 * sigma[m]^2))
        seen <- exact > 1e-300
        gap <- max(abs(K[[m]] - exact)[seen] / exact[seen])
        expect_lte(gap, 1e-12, label = paste(level, "p", p, "sigma", sigma[m]))
        expect_lte(max(K[[m]][!seen], 0), 1e-290)
      }
    }
    # the same from a set in another order and alone
    expect_equal(kernel_matrix(kernel_rbf(sigma[5]), a), K[[5]], tolerance = 1e-12)
    expect_equal(kernel_matrix(kernel_rbf(rev(sigma)), a)[[10]], K[[5]], tolerance = 1e-12)
  }
})

test_that("rows far from the origin keep the digits of their distances", {
  a <- with_seed(3, matrix(rnorm(40 * 20), 40))
  for (shift in c(1e3, 1e6)) {
    moved <- a + shift
    d2 <- by_pairs(function(u, v) sum((u - v)^2), moved, moved)
    for (level in simd_levels()) {
      K <- kernel_matrix(kernel_rbf(3), moved, control = mkl_control(simd = level))
      expect_equal(K, exp(-d2 / 18), tolerance = 1e-11)
    }
  }
})

test_that("equal rows have similarity one, exactly", {
  a <- with_seed(4, matrix(rnorm(9 * 21, 100), 9))[rep(1:9, 3), ]
  same <- outer(rep(1:9, 3), rep(1:9, 3), `==`)
  kernels <- kernel_set(
    kernel_rbf(c(1e-3, 1)), kernel_laplacian(0.01), kernel_matern(c(1 / 2, 3 / 2, 5 / 2), 0.01),
    kernel_rational_quadratic(0.01), kernel_cauchy(0.01)
  )
  for (level in simd_levels()) {
    for (K in kernel_matrix(kernels, a, control = mkl_control(simd = level))) {
      expect_identical(unique(K[same]), 1)
    }
    for (K in kernel_matrix(kernels, a, a[1:5, ], control = mkl_control(simd = level))) {
      expect_identical(unique(K[same[1:5, ]]), 1)
    }
  }
})

test_that("features of 1e200 and 1e-200", {
  for (unit in c(1e200, 1e-200)) {
    a <- x * unit
    # widths in the same unit give the same kernel, or an error that says so
    expect_equal(kernel_matrix(kernel_laplacian(2 * unit), a),
                 kernel_matrix(kernel_laplacian(2), x), tolerance = 1e-12)
    expect_equal(kernel_matrix(kernel_chisq(1 / unit), abs(a)),
                 kernel_matrix(kernel_chisq(1), abs(x)), tolerance = 1e-12)
    for (kernel in list(kernel_rbf(1), kernel_matern(3 / 2, 1), kernel_rational_quadratic(1),
                        kernel_cauchy(1), kernel_laplacian(1), kernel_anova(1), kernel_chisq(1))) {
      K <- kernel_matrix(kernel, abs(a))
      expect_true(all(is.finite(K)))
      # infinitely far, or not different at all
      limit <- if (unit > 1) diag(diag(K)) else matrix(K[1, 1], 47, 47)
      expect_equal(K, limit, tolerance = 1e-12)
    }
  }
  expect_equal(kernel_matrix(kernel_intersection(), abs(x) * 1e200) / 1e200,
               kernel_matrix(kernel_intersection(), abs(x)), tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_linear(), x * 1e-150) / 1e-300,
               kernel_matrix(kernel_linear(), x), tolerance = 1e-12)
})

test_that("values that leave the range of numbers are an error that names the kernel", {
  overflow <- list(
    kernel_linear(), kernel_polynomial(2), kernel_sigmoid(1), kernel_rbf(1) * kernel_linear()
  )
  for (kernel in overflow) {
    expect_mkl_error(kernel_matrix(kernel, x * 1e200), sub("[(].*", "", names(kernel)))
    expect_mkl_error(kernel_matrix(kernel, x * 1e200, z * 1e200))
  }
  expect_mkl_error(kernel_matrix(kernel_polynomial(900), 10 * x), "polynomial")
  expect_mkl_error(kernel_matrix(kernel_anova(1, 900), cbind(x, x)), "anova")
  for (rule in c("median", "mean_distance", "nearest")) {
    expect_mkl_error(kernel_matrix(kernel_rbf(rule), x * 1e200), "range of numbers")
  }
})

test_that("extreme widths give the limits or an error, never NaN", {
  widths <- c(1e-308, 1e-200, 1e-160, 1e160, 1e200, 1e308)
  for (sigma in widths) {
    for (make in list(kernel_rbf, kernel_laplacian, kernel_rational_quadratic,
                      kernel_cauchy, function(sigma) kernel_rbf(gamma = sigma),
                      function(sigma) kernel_matern(1 / 2, sigma),
                      function(sigma) kernel_matern(5 / 2, sigma), kernel_anova)) {
      K <- tryCatch(kernel_matrix(make(sigma), x), multikernel_error = function(e) NULL)
      if (is.null(K)) next
      expect_true(all(is.finite(K)), label = names(make(sigma)))
      expect_equal(diag(K), rep(K[1, 1], 47))
    }
  }
})
