# Three small views of the same cases: numbers, a table with a factor, counts in a sparse matrix.
three_views <- function(n = 60) {
  i <- seq_len(n)
  class <- rep(c(-1, 1), length.out = n)
  wave <- function(j) sin(i * (j + 0.37)) + cos(i^2 * 0.11 * j)
  rna <- vapply(1:4, function(j) 5 * wave(j) + class * (j < 3) + 10, numeric(n))
  table <- data.frame(
    age = 50 + 8 * wave(5) + 2 * class,
    stage = factor(c("a", "b", "c")[1 + (i * 7 + (class > 0)) %% 3]),
    flag = as.numeric(wave(6) + 0.5 * class > 0)
  )
  words <- pmax(round(vapply(7:12, wave, numeric(n)) + 0.7 * class), 0)
  cases <- paste0("case", i)
  dimnames(rna) <- list(cases, paste0("g", 1:4))
  rownames(table) <- cases
  dimnames(words) <- list(cases, paste0("w", 1:6))
  y <- factor(ifelse(class > 0, "yes", "no"))
  list(
    rna = rna, table = table, words = words, y = y, number = class + 0.3 * wave(3),
    kinds = factor(c("u", "v", "w")[1 + (i + (class > 0)) %% 3])
  )
}

# The same as views(); `absent`: cases that lack the view, by name of the view. `sparse`: whether
# the words are a sparse matrix.
make_views <- function(d, absent = list(), sparse = FALSE, ...) {
  parts <- d[c("rna", "table", "words")]
  for (view in names(absent)) parts[[view]][absent[[view]], ] <- NA
  if (sparse) parts$words <- Matrix::Matrix(parts$words, sparse = TRUE)
  do.call(views, c(parts, list(...)))
}

some_absent <- function(n = 60) {
  i <- seq_len(n)
  list(rna = which(i %% 5 == 0 & i != 35), table = which(i %% 7 == 0), words = which(i %% 11 == 3))
}
