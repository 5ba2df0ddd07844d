# The sums of the papers, term by term.
weighted_degree_of <- function(a, b, d, shift = 0, alphabet = NULL) {
  one <- function(x, z) {
    x <- split_letters(x)
    z <- split_letters(z)
    l <- length(x)
    same <- function(p, q, j) {
      u <- x[p + seq_len(j) - 1]
      v <- z[q + seq_len(j) - 1]
      all(u == v) && (is.null(alphabet) || all(u %in% alphabet))
    }
    total <- 0
    for (j in seq_len(min(d, l))) {
      beta <- 2 * (d - j + 1) / (d * (d + 1))
      for (s in 0:shift) {
        delta <- 1 / (2 * (s + 1))
        for (i in seq_len(max(0, l - j + 1 - s))) {
          total <- total + beta * delta * (same(i + s, i, j) + same(i, i + s, j))
        }
      }
    }
    total
  }
  outer(seq_along(a), seq_along(b), Vectorize(function(i, j) one(a[i], b[j])))
}

test_that("kernel_weighted_degree() is its definition, for training and for new cases", {
  x <- c(random_dna(7, 12), strrep("A", 12), strrep("N", 12))
  z <- c(random_dna(3, 12, seed = 2), x[2])
  for (d in c(1, 2, 5, 12, 20)) {
    plain <- kernel_matrix(kernel_weighted_degree(d), x)
    expect_equal(plain, weighted_degree_of(x, x, d), tolerance = 1e-12)
    for (shift in c(1, 3, 11)) {
      kernel <- kernel_weighted_degree(d, shift)
      expect_equal(kernel_matrix(kernel, x), weighted_degree_of(x, x, d, shift), tolerance = 1e-12)
      expected <- weighted_degree_of(z, x, d, shift)
      expect_equal(kernel_matrix(kernel, x, z), expected, tolerance = 1e-12)
    }
  }
  expect_identical(
    kernel_matrix(kernel_weighted_degree(3, 11), x), kernel_matrix(kernel_weighted_degree(3, 50), x)
  )
})

test_that("letters outside of the alphabet match nothing", {
  x <- c("ACGNACGT", "ACGNACGA", "NNNNNNNN", "acgtacgt")
  letters <- c("A", "C", "G", "T")
  expected <- weighted_degree_of(x, x, 3, 1, letters)
  expect_equal(kernel_matrix(kernel_weighted_degree(3, 1, "dna"), x), expected, tolerance = 1e-12)
  own <- diag(expected)
  expect_equal(
    kernel_matrix(kernel_weighted_degree(3, 1, "dna", normalize = "cosine"), x),
    cosine_of(expected, own, own), tolerance = 1e-12
  )
  upper <- toupper(x)
  expect_equal(
    kernel_matrix(kernel_weighted_degree(3, 1, ignore_case = TRUE), x),
    weighted_degree_of(upper, upper, 3, 1), tolerance = 1e-12
  )
  skip_if_not(l10n_info()$`UTF-8`)
  wide <- c("\u00fc\u65e5A", "\u00fcAA")
  expect_equal(kernel_matrix(kernel_weighted_degree(2), wide), weighted_degree_of(wide, wide, 2))
})

test_that("the kernel is positive semi-definite with any shift", {
  x <- random_dna(40, 20, letters = c("A", "B"))
  for (shift in c(1, 2, 5, 19)) {
    values <- eigen(kernel_matrix(kernel_weighted_degree(4, shift), x), TRUE, TRUE)$values
    expect_gt(min(values), -1e-10 * max(values))
  }
})

test_that("a sequence of another length is an error that names the case", {
  kernel <- kernel_weighted_degree(2)
  x <- c("ACGT", "ACGA", "TTTT")
  expect_mkl_error(
    kernel_matrix(kernel, c(x, "ACG")), "sequences of 4 letters.*case 4 has 3 letters",
    "weighted_degree(d=2)"
  )
  expect_mkl_error(kernel_matrix(kernel, x, c("ACGT", "ACGTA")), "case 2")
  expect_mkl_error(kernel_matrix(kernel, x, ""), "case 1")
  expect_mkl_error(kernel_matrix(kernel, c("", "A")), "empty")
  expect_mkl_error(kernel_matrix(kernel, diag(2)), "needs text")
  fit <- mkl(x, factor(c("a", "b", "a")), kernels = kernel)
  expect_mkl_error(predict(fit, c("ACGT", "ACG")), "case 2")
  both <- views(seq = c("ACGT", NA, "ACG"), number = cbind(a = 1:3))
  two <- kernel_set(kernel_weighted_degree(2, on = "seq"), kernel_rbf(1, on = "number"))
  expect_mkl_error(kernel_matrix(two, both), "case 3")
})

test_that("cases may lack the view, at training and at prediction", {
  x <- random_dna(12, 10)
  x[3] <- NA
  both <- views(dna = x, number = cbind(a = cos(1:12)))
  y <- factor(rep(c("a", "b"), 6))
  fit <- mkl(both, y, learner = learner_average(), kernels = list(
    dna = kernel_weighted_degree(3), number = kernel_rbf(1)
  ))
  expect_true(all(is.finite(predict(fit, both, type = "decision"))))
  expect_true(all(is.finite(predict(fit, views(number = cbind(a = c(0, 1))), type = "decision"))))
})

test_that("fits, formulas, grids and threads work as for other kernels", {
  skip_if_not_installed("withr")
  x <- random_dna(30, 20)
  new <- random_dna(5, 20, seed = 3)
  expect_sequence_fit(kernel_weighted_degree(4, 2, normalize = "cosine"), x, new)
  expect_named(
    kernel_matrix(kernel_weighted_degree(2:3, 0:1), x),
    paste0("weighted_degree(d=", c(2, 3, 2, 3), ", shift=", c(0, 0, 1, 1), ")")
  )
  expect_same_threads(kernel_weighted_degree(4, 0:3, normalize = "cosine"), rep(x, 6), x)
  k <- kernel_matrix(kernel_weighted_degree(7, 3), x)
  expect_identical(k, t(k))
  data <- data.frame(seq = x, y = rep(c("a", "b"), 15))
  fit <- mkl(y ~ weighted_degree(seq, d = 3, shift = 1), data)
  expect_length(predict(fit, data[1:4, ]), 4)
})

test_that("arguments are checked", {
  expect_mkl_error(kernel_weighted_degree(0), argument = "d")
  expect_mkl_error(kernel_weighted_degree(101), argument = "d")
  expect_mkl_error(kernel_weighted_degree(2, -1), argument = "shift")
  expect_mkl_error(kernel_weighted_degree(2, 0, 5), argument = "alphabet")
})
