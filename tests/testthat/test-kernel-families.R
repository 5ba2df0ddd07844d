# Each constructor against its formula, written out for one pair of rows.

pair <- rbind(c(0.5, 1, 2), c(1.5, 0.25, 0))
value <- function(kernel) kernel_matrix(kernel, pair)[1, 2]
d2 <- sum((pair[1, ] - pair[2, ])^2)
d1 <- sum(abs(pair[1, ] - pair[2, ]))
dot <- sum(pair[1, ] * pair[2, ])

test_that("kernels of the inner product", {
  expect_equal(value(kernel_linear()), dot)
  expect_equal(value(kernel_polynomial(3, scale = 0.5, offset = 2)), (0.5 * dot + 2)^3)
  expect_equal(value(kernel_sigmoid(0.3, -0.2)), tanh(0.3 * dot - 0.2))
})

test_that("kernels of the distance", {
  expect_equal(value(kernel_rbf(1.3)), exp(-d2 / (2 * 1.3^2)))
  expect_equal(value(kernel_rbf(gamma = 0.7)), exp(-0.7 * d2))
  expect_equal(value(kernel_laplacian(2)), exp(-d1 / 2))
  r <- sqrt(d2) / 1.5
  expect_equal(value(kernel_matern(1 / 2, 1.5)), exp(-r))
  expect_equal(value(kernel_matern(3 / 2, 1.5)), (1 + sqrt(3) * r) * exp(-sqrt(3) * r))
  smooth <- (1 + sqrt(5) * r + 5 * r^2 / 3) * exp(-sqrt(5) * r)
  expect_equal(value(kernel_matern(5 / 2, 1.5)), smooth)
  expect_equal(value(kernel_rational_quadratic(1.5, 2)), (1 + d2 / (4 * 1.5^2))^-2)
  expect_equal(value(kernel_anova(0.4, 2)), sum(exp(-0.4 * (pair[1, ] - pair[2, ])^2))^2)
})

test_that("kernels of histograms", {
  total <- pair[1, ] + pair[2, ]
  expect_equal(value(kernel_chisq(0.6)), exp(-0.6 * sum((pair[1, ] - pair[2, ])^2 / total)))
  expect_equal(value(kernel_intersection()), sum(pmin(pair[1, ], pair[2, ])))
  expect_equal(kernel_matrix(kernel_chisq(1), matrix(0, 2, 2)), matrix(1, 2, 2))
})

test_that("rules for widths", {
  x <- two_class(30)$x
  distances <- as.matrix(dist(x))
  expect_rule <- function(rule, sigma) {
    expect_equal(kernel_matrix(kernel_rbf(rule), x), kernel_matrix(kernel_rbf(sigma), x),
                 tolerance = 1e-8)
  }
  lower <- distances[lower.tri(distances)]
  expect_rule("median", median(lower))
  expect_rule("mean_distance", mean(distances))
  diag(distances) <- Inf
  expect_rule("nearest", mean(apply(distances, 1, min)) / sqrt(2))
  expect_equal(
    kernel_matrix(kernel_matern(3 / 2), x), kernel_matrix(kernel_matern(3 / 2, median(lower)), x),
    tolerance = 1e-8
  )
})

test_that("bags depend on the seed only", {
  x <- two_class(12)$x
  a <- kernel_matrix(kernel_rbf_bags(5, 2, seed = 3), x)
  b <- kernel_matrix(kernel_rbf_bags(5, 2, seed = 3), x)
  expect_length(a, 5L)
  expect_identical(a, b)
  expect_identical(kernel_matrix(kernel_rbf_bags(7, 2, seed = 3), x)[1:5], a)
  expect_false(isTRUE(all.equal(a, kernel_matrix(kernel_rbf_bags(5, 2, seed = 4), x))))
  for (K in a) {
    expect_equal(diag(K), rep(1, 12))
    expect_true(isSymmetric(K) && all(K > 0) && all(K <= 1))
  }
  # a bag may be larger than the number of columns: features are drawn with replacement
  expect_length(kernel_matrix(kernel_rbf_bags(3, 50, seed = 1), x), 3L)
})

test_that("each parameter is checked", {
  bad_number <- list(-1, NA_real_, NaN, Inf, "a", NULL, list(1), numeric())
  cases <- list(
    list(kernel_rbf, "gamma", c(bad_number[-6], 0)),
    list(kernel_rbf, "sigma", c(bad_number[-6], 0)),
    list(kernel_cauchy, "sigma", c(bad_number, 0)),
    list(kernel_rational_quadratic, "sigma", c(bad_number, 0)),
    list(kernel_laplacian, "sigma", c(bad_number, 0)),
    list(kernel_polynomial, "degree", c(bad_number, 0, 1.5, 1001)),
    list(kernel_polynomial, "scale", c(bad_number, 0)),
    list(kernel_polynomial, "offset", bad_number),
    list(kernel_sigmoid, "scale", c(bad_number, 0)),
    list(kernel_sigmoid, "offset", bad_number[-1]),
    list(kernel_matern, "nu", c(bad_number, 1)),
    list(kernel_matern, "sigma", c(bad_number, 0)),
    list(kernel_rational_quadratic, "alpha", c(bad_number, 0)),
    list(kernel_anova, "sigma", c(bad_number, 0)),
    list(kernel_anova, "degree", c(bad_number, 0, 1.5)),
    list(kernel_chisq, "gamma", c(bad_number, 0)),
    list(kernel_rbf_bags, "n", c(bad_number, 0, 1.5, list(c(1, 2))))
  )
  for (case in cases) {
    for (i in seq_along(case[[3]])) {
      arguments <- stats::setNames(case[[3]][i], case[[2]])
      pattern <- paste0("`", case[[2]], "` must be")
      expect_mkl_error(do.call(case[[1]], arguments), pattern, case[[2]])
    }
  }
  for (name in c("max_features", "beta", "seed")) {
    arguments <- c(list(n = 2), stats::setNames(list(-1), name))
    expect_mkl_error(do.call(kernel_rbf_bags, arguments), argument = name)
  }
  expect_mkl_error(kernel_rbf_bags(2, beta = "often"), "\"random\"", "beta")
  expect_mkl_error(kernel_rbf_bags(2, max_features = 2e9), argument = "max_features")
})

test_that("columns and normalisers are checked", {
  for (on in list(NA, character(), 0, 1.5, -1, list(1), y ~ x, c("a", "a"), TRUE, 3e9, Inf)) {
    expect_mkl_error(kernel_linear(on = on), argument = "on")
  }
  for (normalize in list("mean", 1, NA_character_, character())) {
    expect_mkl_error(kernel_linear(normalize = normalize), argument = "normalize")
  }
  expect_mkl_error(kernel_linear(normalize = "tracee"), "Did you mean \"trace\"")
  expect_mkl_error(kernel_rbf(sgma = 1), "Did you mean `sigma`")
})

test_that("kernel_rbf() without a width takes the median, as its siblings do", {
  x <- two_class(30)$x
  expect_identical(kernel_matrix(kernel_rbf(), x), kernel_matrix(kernel_rbf("median"), x))
  expect_identical(formals(kernel_rbf)$sigma, formals(kernel_matern)$sigma)
  expect_identical(kernel_rbf(gamma = 2), kernel_rbf(NULL, gamma = 2))
})
