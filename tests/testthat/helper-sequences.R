# Sequences, and kernels of them by their definitions.

random_dna <- function(n, length, seed = 1, letters = c("A", "C", "G", "T")) {
  i <- seq_len(n * length) + 1000 * seed
  draws <- abs(sin(i * 12.9898 + seed) * 43758.5453) %% 1
  chosen <- letters[1 + floor(draws * length(letters))]
  apply(matrix(chosen, n), 1, paste, collapse = "")
}

split_letters <- function(x) strsplit(enc2utf8(x), "")[[1]]

# The windows of g letters, as rows of a matrix, without those that hold other letters.
windows <- function(x, g, alphabet = NULL) {
  letters <- split_letters(x)
  n <- length(letters) - g + 1
  if (n < 1) return(matrix("", 0, g))
  out <- matrix(letters[outer(seq_len(n), seq_len(g), `+`) - 1], n)
  if (is.null(alphabet)) return(out)
  out[rowSums(matrix(out %in% alphabet, n)) == g, , drop = FALSE]
}

# K[i, j] = sum over words of count_w(a_i) count_w(b_j), for words_of(text): its words, repeated as
# often as they count.
word_kernel <- function(a, b, words_of) {
  counts <- function(x) lapply(x, function(text) table(words_of(text)))
  a <- counts(a)
  b <- counts(b)
  out <- matrix(0, length(a), length(b))
  for (i in seq_along(a)) {
    for (j in seq_along(b)) {
      shared <- intersect(names(a[[i]]), names(b[[j]]))
      out[i, j] <- sum(as.numeric(a[[i]][shared]) * as.numeric(b[[j]][shared]))
    }
  }
  out
}

# Words that do not depend on the encoding of their letters.
join_rows <- function(m) apply(m, 1, function(row) paste(utf8ToInt(paste(row, collapse = "")),
                                                         collapse = "."))

# Cosine normalization where k(x, x) may be 0.
cosine_of <- function(k, own_rows, own_columns) {
  inverse <- function(own) ifelse(own > 0, 1 / sqrt(own), 0)
  k * outer(inverse(own_rows), inverse(own_columns))
}

# One thread and four give the same bits.
expect_same_threads <- function(kernels, x, z = NULL) {
  one <- kernel_matrix(kernels, x, z, control = mkl_control(threads = 1))
  expect_identical(kernel_matrix(kernels, x, z, control = mkl_control(threads = 4)), one)
}

# A fit by the kernel has the decision values of a fit by its matrix, also after it was stored, with
# the texts of the support vectors alone.
expect_sequence_fit <- function(kernel, x, new) {
  y <- factor(rep(c("a", "b"), length.out = length(x)))
  fit <- mkl(x, y, kernels = kernel, learner = learner_svm(cost = 0.1))
  matrices <- list(K = kernel_matrix(kernel, x))
  by_matrix <- mkl(matrices, y, learner = learner_svm(cost = 0.1))
  cross <- kernel_matrix(kernel, x, new)
  expected <- predict(by_matrix, list(K = cross), type = "decision")
  values <- predict(fit, new, type = "decision")
  expect_equal(values, expected, ignore_attr = TRUE, tolerance = 1e-10)
  file <- withr::local_tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), new, type = "decision"), values)
  invisible(fit)
}
