spectrum_of <- function(a, b, k, alphabet = NULL) {
  word_kernel(a, b, function(text) join_rows(windows(text, k, alphabet)))
}

test_that("kernel_spectrum() counts k-mers, for training and for new cases", {
  x <- c(random_dna(25, 40), "", "AC", "ACG", "AAAAAAAAAA")
  z <- c(random_dna(9, 55, seed = 2), "TTTTTTTTT", "", "GTQQQ")
  for (k in c(1, 2, 3, 4, 7, 40)) {
    expect_equal(kernel_matrix(kernel_spectrum(k), x), spectrum_of(x, x, k), tolerance = 1e-12)
    expect_equal(kernel_matrix(kernel_spectrum(k), x, z), spectrum_of(z, x, k), tolerance = 1e-12)
    dna <- kernel_spectrum(k, alphabet = "dna")
    letters <- c("A", "C", "G", "T")
    expect_equal(kernel_matrix(dna, x, z), spectrum_of(z, x, k, letters), tolerance = 1e-12)
  }
})

test_that("k-mers of any length are exact", {
  x <- c(random_dna(6, 100), random_dna(3, 150, seed = 4))
  x <- c(x, paste0("T", substr(x, 2, 90)), paste0(substr(x, 1, 89), "T"))
  for (k in c(31, 32, 33, 64, 65, 89, 90)) {
    for (alphabet in list(NULL, "dna", "protein")) {
      k_matrix <- kernel_matrix(kernel_spectrum(k, alphabet), x)
      expect_identical(k_matrix, spectrum_of(x, x, k))
    }
  }
})

test_that("cosine normalization leaves cases without k-mers at 0 and knows unseen k-mers", {
  x <- c(random_dna(10, 20), "", "AC")
  z <- c(random_dna(4, 30, seed = 3), "WWWWW", "A", "ACGWWWW")
  own <- function(a) diag(spectrum_of(a, a, 3))
  kernel <- kernel_spectrum(3, normalize = "cosine")
  expected <- cosine_of(spectrum_of(x, x, 3), own(x), own(x))
  expect_equal(kernel_matrix(kernel, x), expected, tolerance = 1e-12)
  crossed <- cosine_of(spectrum_of(z, x, 3), own(z), own(x))
  expect_equal(kernel_matrix(kernel, x, z), crossed, tolerance = 1e-12)
  expect_identical(kernel_matrix(kernel, x)[11, ], numeric(12))
  expect_identical(kernel_matrix(kernel, x, z)[5:6, ], matrix(0, 2, 12))
  # the mean diagonal is that of cosine
  both <- kernel_matrix(kernel_spectrum(3, normalize = c("cosine", "trace")), x)
  expect_equal(both, expected * 12 / 10, tolerance = 1e-12)
  centered <- kernel_matrix(kernel_spectrum(3, normalize = c("cosine", "center")), x)
  h <- diag(12) - 1 / 12
  expect_equal(centered, h %*% expected %*% h, tolerance = 1e-12)
})

test_that("letters outside the alphabet leave out the k-mers that hold them", {
  x <- c("ACGNACGT", "NNNN", "ACgTACGT", "acgt", "AC-GT")
  letters <- c("A", "C", "G", "T")
  expect_equal(kernel_matrix(kernel_spectrum(3, "dna"), x), spectrum_of(x, x, 3, letters))
  expect_equal(kernel_matrix(kernel_spectrum(3, "ACGT"), x), spectrum_of(x, x, 3, letters))
  expect_equal(kernel_matrix(kernel_spectrum(3, letters), x), spectrum_of(x, x, 3, letters))
  upper <- toupper(x)
  expect_equal(
    kernel_matrix(kernel_spectrum(3, "dna", ignore_case = TRUE), x),
    spectrum_of(upper, upper, 3, letters)
  )
  folded <- kernel_matrix(kernel_spectrum(3, ignore_case = TRUE), x)
  expect_equal(folded, spectrum_of(upper, upper, 3))
  expect_identical(kernel_matrix(kernel_spectrum(1, "A"), "AAB")[[1]], 4)
  amino <- c("MKVLA", "MKXLA", "BMKV")
  known <- strsplit("ACDEFGHIKLMNPQRSTVWY", "")[[1]]
  protein <- kernel_matrix(kernel_spectrum(2, "protein"), amino)
  expect_equal(protein, spectrum_of(amino, amino, 2, known))
  expect_equal(
    kernel_matrix(kernel_spectrum(2, "rna"), c("ACGU", "ACGT")), matrix(c(3, 2, 2, 2), 2)
  )
})

test_that("a letter is a character in every encoding", {
  skip_if_not(l10n_info()$`UTF-8`)
  japanese <- "\u65e5\u672c\u8a9e\u65e5\u672c"
  x <- c("gr\u00fc\u00dfe", "Gr\u00fc\u00dfe", japanese, "\U1f600\U1f601\U1f600")
  expect_equal(kernel_matrix(kernel_spectrum(2), x), spectrum_of(x, x, 2))
  expect_identical(diag(kernel_matrix(kernel_spectrum(1), x)), c(5, 5, 9, 5))
  latin <- iconv(x[1:2], "UTF-8", "latin1")
  expect_identical(Encoding(latin), c("latin1", "latin1"))
  two <- kernel_spectrum(2)
  expect_identical(kernel_matrix(two, latin), kernel_matrix(two, x[1:2]))
  expect_identical(kernel_matrix(two, x, latin), kernel_matrix(two, x, x[1:2]))
  found <- kernel_matrix(kernel_spectrum(1, alphabet = "\u00fc\u672c"), x)
  expect_equal(found, spectrum_of(x, x, 1, c("\u00fc", "\u672c")))
  foreign <- kernel_spectrum(1, alphabet = iconv("\u00fc\u00df", "UTF-8", "latin1"))
  expect_identical(kernel_matrix(foreign, latin), matrix(2, 2, 2))
  big <- "\u00dcB\u00c9R \u00d8\u0152 \u0391\u03a9 \u042f\u0416 \u0178\u0141"
  upper <- kernel_matrix(kernel_spectrum(3, ignore_case = TRUE), big, tolower(big))
  expect_identical(upper, kernel_matrix(kernel_spectrum(3), big, big))
})

test_that("lower and upper case of Latin, Greek and Cyrillic are those of R", {
  skip_if_not(l10n_info()$`UTF-8`)
  codes <- c(1:0x17f, 0x386:0x3ce, 0x400:0x4bf)
  codes <- setdiff(codes, c(0x130, 0x131, 0x138, 0x149, 0x17f, 0x387, 0x38b, 0x38d, 0x3a2, 0x3c2))
  letters <- vapply(codes, intToUtf8, "")
  same <- letters != tolower(letters)
  both <- kernel_matrix(
    kernel_spectrum(1, ignore_case = TRUE), paste(letters[same], collapse = ""), letters
  )
  expect_equal(as.vector(both), as.double(tolower(letters) %in% tolower(letters[same])))
})

test_that("text that is none is an error which names the case", {
  bytes <- c("ACGT", "AC\xff\xfe", "ACG")
  Encoding(bytes) <- "bytes"
  wrong <- function(argument, ...) {
    expect_mkl_error(kernel_matrix(kernel_spectrum(2), ...), "case 2", argument,
                     "multikernel_data_error")
  }
  wrong("x", bytes)
  wrong("x", c("AC", NA, "GT"))
  wrong("z", "ACGT", c("AC", NA))
  expect_mkl_error(kernel_matrix(kernel_spectrum(2), matrix(1:4, 2)), "text")
  expect_mkl_error(kernel_matrix(kernel_linear(), c("AC", "GT")), "numbers")
  expect_mkl_error(mkl(y ~ spectrum(v), data.frame(v = 1:4, y = gl(2, 2))), "text", "data$v",
                   "multikernel_data_error")
})

test_that("arguments are checked", {
  for (bad in list(0, 101, 1.5, NA, "3", numeric())) {
    expect_mkl_error(kernel_spectrum(bad), argument = "k", class = "multikernel_argument_error")
  }
  for (bad in list(1, NA_character_, "", character(), c("AC", "GT"))) {
    expect_mkl_error(kernel_spectrum(2, bad), argument = "alphabet")
  }
  expect_mkl_error(kernel_spectrum(2, ignore_case = NA), argument = "ignore_case")
  expect_mkl_error(kernel_spectrum(2, K = 3))
  expect_identical(
    names(kernel_spectrum(2:3, "dna")),
    c("spectrum(k=2, alphabet=dna)", "spectrum(k=3, alphabet=dna)")
  )
  expect_identical(names(kernel_spectrum(2, ignore_case = TRUE)), "spectrum(k=2, ignore_case=TRUE)")
})

test_that("grids, products and sums have the values of their parts", {
  x <- random_dna(20, 30)
  grid <- kernel_matrix(kernel_spectrum(1:4), x)
  expect_named(grid, paste0("spectrum(k=", 1:4, ")"))
  for (k in 1:4) expect_identical(grid[[k]], kernel_matrix(kernel_spectrum(k), x))
  product <- kernel_matrix(kernel_spectrum(2) * kernel_spectrum(3), x)
  expect_identical(product, grid[[2]] * grid[[3]])
  expect_equal(kernel_matrix(kernel_spectrum(1:4), x, weights = c(1, 0.5, 2, 3)),
               grid[[1]] + 0.5 * grid[[2]] + 2 * grid[[3]] + 3 * grid[[4]])
  data <- data.frame(seq = x, number = sin(1:20))
  both <- kernel_matrix(kernel_spectrum(2, on = "seq") * kernel_rbf(1, on = "number"), data)
  expect_equal(both, grid[[2]] * kernel_matrix(kernel_rbf(1), matrix(data$number)))
  expect_same_threads(kernel_set(kernel_spectrum(1:4), kernel_spectrum(3, normalize = "cosine")),
                      rep(x, 15), rep(x, 8))
})

test_that("fits take text as data, in data frames, views and formulas", {
  x <- random_dna(40, 30)
  substr(x[seq(1, 40, 2)], 5, 10) <- "TATAAT"
  y <- factor(rep(c("yes", "no"), 20))
  data <- data.frame(seq = x, number = sin(1:40), y = y)
  kernel <- kernel_spectrum(4, normalize = "cosine")
  new <- random_dna(7, 33, seed = 9)
  fit <- mkl(x, y, kernels = kernel)
  expect_gt(mean(fitted(fit) == y), 0.9)
  values <- predict(fit, new, type = "decision")
  by_formula <- mkl(y ~ spectrum(seq, k = 4, normalize = "cosine"), data)
  by_view <- mkl(views(dna = x), y, kernels = list(dna = kernel))
  expect_equal(bare(predict(by_formula, data.frame(seq = new), type = "decision")), bare(values))
  expect_equal(bare(predict(by_view, views(dna = new), type = "decision")), bare(values))
  several <- easymkl(y ~ spectrum(seq, k = 2:4) + rbf(number), data)
  expect_length(kernel_weights(several), 4)
  expect_length(predict(several, data[1:3, ]), 3)
  automatic <- mkl(views(dna = x, numbers = cbind(a = sin(1:40))), y, learner = learner_average())
  expect_true("dna.spectrum(k=3)" %in% names(kernel_weights(automatic)))
})

test_that("cases may lack a view of text", {
  x <- random_dna(20, 25)
  x[c(3, 8)] <- NA
  y <- factor(rep(c("yes", "no"), 10))
  both <- views(dna = x, number = cbind(a = cos(1:20)))
  fit <- mkl(both, y, learner = learner_average(), kernels = list(
    dna = kernel_spectrum(2, normalize = "cosine"), number = kernel_rbf(1)
  ))
  expect_true(all(is.finite(predict(fit, both, type = "decision"))))
  expect_true(all(is.finite(predict(fit, views(number = cbind(a = c(0, 1))), type = "decision"))))
})

test_that("fits predict new cases after they were stored, and keep the rows that they need", {
  skip_if_not_installed("withr")
  x <- c(random_dna(50, 30), "", "AC")
  new <- c(random_dna(8, 40, seed = 5), "", "WWWW")
  expect_sequence_fit(kernel_spectrum(3, "dna", normalize = "cosine"), x, new)
  easy <- random_dna(60, 30)
  substr(easy[1:30], 1, 25) <- strrep("A", 25)
  small <- mkl(
    easy, factor(rep(c("a", "b"), each = 30)), kernels = kernel_spectrum(3, normalize = "cosine"),
    learner = learner_svm(cost = 10)
  )
  expect_lt(length(small$train$values), 60)
})

test_that("names of alphabets are known in upper case too", {
  x <- c("acgt", "ACGTDNA", "NNACGU")
  expect_identical(
    kernel_matrix(kernel_spectrum(2, alphabet = "DNA"), x),
    kernel_matrix(kernel_spectrum(2, alphabet = "dna"), x)
  )
  expect_identical(names(kernel_spectrum(2, alphabet = "RNA")), "spectrum(k=2, alphabet=rna)")
})

test_that("kerntools gives the same", {
  x <- c(random_dna(30, 60), random_dna(3, 900, seed = 5), strrep("A", 400))
  for (k in 1:4) {
    theirs <- unname(unclass(kerntools("Spectrum")(x, alphabet = c("A", "C", "G", "T"), l = k)))
    expect_identical(kernel_matrix(kernel_spectrum(k, "dna"), x), theirs)
  }
})
