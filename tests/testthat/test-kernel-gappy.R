# Subsequences of k letters, each once for every window of g letters that has it.
gappy_of <- function(a, b, k, g, alphabet = NULL) {
  picks <- utils::combn(g, k)
  word_kernel(a, b, function(text) {
    found <- windows(text, g, alphabet)
    unlist(lapply(seq_len(nrow(found)), function(i) {
      unique(join_rows(matrix(found[i, ][t(picks)], ncol(picks))))
    }))
  })
}

test_that("kernel_gappy() is its definition, for training and for new cases", {
  letters <- c("A", "C", "G", "T")
  x <- c(random_dna(8, 20), "", "AC", "ACGNNACGT", "AAAAAA")
  z <- c(random_dna(4, 25, seed = 2), "TTTTTT", "", "WWWWWWWW")
  for (k in 1:4) {
    for (g in k:6) {
      expect_equal(kernel_matrix(kernel_gappy(k, g), x), gappy_of(x, x, k, g), tolerance = 1e-12)
      expected <- gappy_of(z, x, k, g, letters)
      expect_equal(kernel_matrix(kernel_gappy(k, g, "dna"), x, z), expected, tolerance = 1e-12)
    }
  }
  own <- diag(gappy_of(x, x, 3, 5))
  expect_equal(
    kernel_matrix(kernel_gappy(3, 5, normalize = "cosine"), x),
    cosine_of(gappy_of(x, x, 3, 5), own, own), tolerance = 1e-12
  )
})

test_that("letters are characters, and words of many letters are exact", {
  skip_if_not(l10n_info()$`UTF-8`)
  x <- c("\u00fc\u65e5A\u00fcA\u65e5", "A\u65e5\u00fcA", "\u00dc\u65e5a\u00dcA")
  expect_equal(kernel_matrix(kernel_gappy(3, 4), x), gappy_of(x, x, 3, 4))
  low <- tolower(x)
  expect_equal(kernel_matrix(kernel_gappy(3, 4, ignore_case = TRUE), x), gappy_of(low, low, 3, 4))
  long <- random_dna(5, 60)
  expect_equal(kernel_matrix(kernel_gappy(39, 40), long), gappy_of(long, long, 39, 40))
})

test_that("without gaps it is the spectrum kernel", {
  x <- random_dna(10, 40)
  expect_identical(kernel_matrix(kernel_gappy(4, 4), x), kernel_matrix(kernel_spectrum(4), x))
})

test_that("fits, formulas, grids and threads work as for other kernels", {
  skip_if_not_installed("withr")
  x <- c(random_dna(30, 20), "", "AC")
  new <- c(random_dna(5, 22, seed = 3), "")
  expect_sequence_fit(kernel_gappy(3, 5, normalize = "cosine"), x, new)
  expect_named(kernel_matrix(kernel_gappy(2, 3:4), x), c("gappy(k=2, g=3)", "gappy(k=2, g=4)"))
  expect_same_threads(kernel_gappy(3:4, 5:6, normalize = "cosine"), rep(x, 5), x)
  data <- data.frame(seq = x, y = rep(c("a", "b"), 16))
  fit <- mkl(y ~ gappy(seq, k = 2), data)
  expect_length(predict(fit, data[1:4, ]), 4)
})

test_that("arguments are checked", {
  expect_mkl_error(kernel_gappy(0), argument = "k")
  expect_mkl_error(kernel_gappy(3, 2), argument = "g")
  expect_mkl_error(kernel_gappy(3, 101), argument = "g")
  expect_mkl_error(kernel_gappy(3, 4, ""), argument = "alphabet")
  expect_mkl_error(kernel_matrix(kernel_gappy(10, 50), "ACGT"), "at most 100000", "g")
})
