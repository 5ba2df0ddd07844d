# All k-mers of an alphabet within m substitutions of each k-mer of a text.
mismatch_of <- function(a, b, k, m, alphabet) {
  all <- as.matrix(expand.grid(rep(list(alphabet), k), stringsAsFactors = FALSE))
  word_kernel(a, b, function(text) {
    found <- windows(text, k, alphabet)
    unlist(lapply(seq_len(nrow(found)), function(i) {
      differ <- rowSums(all != rep(found[i, ], each = nrow(all)))
      join_rows(all[differ <= m, , drop = FALSE])
    }))
  })
}

test_that("kernel_mismatch() is its definition, for training and for new cases", {
  letters <- c("A", "C", "G", "T")
  x <- c(random_dna(6, 18), "", "AC", "ACGNNACGT", "acgtacgt")
  z <- c(random_dna(4, 25, seed = 2), "TTTTTT", "")
  for (k in 1:4) {
    for (m in 0:min(k, 2)) {
      kernel <- kernel_mismatch(k, m, "dna")
      expected <- mismatch_of(x, x, k, m, letters)
      expect_equal(kernel_matrix(kernel, x), expected, tolerance = 1e-12)
      crossed <- mismatch_of(z, x, k, m, letters)
      expect_equal(kernel_matrix(kernel, x, z), crossed, tolerance = 1e-12)
      own <- diag(expected)
      cosine <- kernel_matrix(kernel_mismatch(k, m, "dna", normalize = "cosine"), x)
      expect_equal(cosine, cosine_of(expected, own, own), tolerance = 1e-12)
    }
  }
})

test_that("without mismatches it is the spectrum kernel", {
  x <- random_dna(10, 40)
  expect_identical(
    kernel_matrix(kernel_mismatch(5, 0, "dna"), x), kernel_matrix(kernel_spectrum(5, "dna"), x)
  )
})

test_that("the alphabet is that of the training cases unless it is given", {
  skip_if_not(l10n_info()$`UTF-8`)
  x <- c("AbCa\u00fc", "\u00fcbA", "CCCC", "aaa")
  z <- c("AbWb", "\u00fc\u00fcb")
  known <- c("A", "C", "a", "b", "\u00fc")
  expect_equal(kernel_matrix(kernel_mismatch(2, 1), x, z), mismatch_of(z, x, 2, 1, known))
  expect_equal(
    kernel_matrix(kernel_mismatch(2, 1, ignore_case = TRUE), x, z),
    mismatch_of(tolower(z), tolower(x), 2, 1, c("a", "b", "c", "\u00fc"))
  )
  y <- factor(c("p", "q", "p", "q"))
  fit <- mkl(x, y, kernels = kernel_mismatch(2, 1), learner = learner_svm(cost = 0.01))
  given <- mkl(x, y, kernels = kernel_mismatch(2, 1, known), learner = learner_svm(cost = 0.01))
  expect_identical(predict(fit, z, type = "decision"), predict(given, z, type = "decision"))
  expect_mkl_error(kernel_matrix(kernel_mismatch(2, 1), c("", "")), "alphabet")
  expect_mkl_error(kernel_matrix(kernel_mismatch(2, 1), diag(2)), "needs text")
})

test_that("fits, formulas, grids and threads work as for other kernels", {
  skip_if_not_installed("withr")
  x <- c(random_dna(30, 20), "", "AC")
  new <- c(random_dna(5, 22, seed = 3), "")
  expect_sequence_fit(kernel_mismatch(3, 1, normalize = "cosine"), x, new)
  expect_named(
    kernel_matrix(kernel_mismatch(3:4, 0:1), x),
    c("mismatch(k=3, m=0)", "mismatch(k=4, m=0)", "mismatch(k=3, m=1)", "mismatch(k=4, m=1)")
  )
  expect_same_threads(kernel_mismatch(4, 1:2, normalize = "cosine"), rep(x, 5), x)
  data <- data.frame(seq = x, y = rep(c("a", "b"), 16))
  fit <- mkl(y ~ mismatch(seq, k = 3, m = 1), data)
  expect_length(predict(fit, data[1:4, ]), 4)
})

test_that("arguments are checked", {
  expect_mkl_error(kernel_mismatch(0), argument = "k")
  expect_mkl_error(kernel_mismatch(3, 4), argument = "m")
  expect_mkl_error(kernel_mismatch(3, -1), argument = "m")
  expect_mkl_error(kernel_mismatch(3, 0.5), argument = "m")
  expect_mkl_error(kernel_mismatch(3, 1, NA), argument = "alphabet")
  many <- expect_mkl_error(
    kernel_matrix(kernel_mismatch(20, 6, "dna"), "ACGT"), "at most 100000", "m"
  )
  expect_match(many$found, "^6, which gives 3.24485e\\+07$")
})

test_that("training sequences without letters are an error that names the kernel", {
  expect_mkl_error(
    kernel_matrix(kernel_mismatch(3), c("", "")), "finds no letters", "mismatch(k=3)"
  )
})
