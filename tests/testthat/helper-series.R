# Series and what kernels of series are, written out.

waves <- function(n = 12, channels = 1L) {
  lapply(seq_len(n), function(i) {
    time <- seq(0, 5, length.out = 8 + (i * 5) %% 7)
    values <- vapply(seq_len(channels), function(c) {
      sin(time * (1 + (i %% 2) / 2) * c + i / 5) + 0.1 * cos(i * time)
    }, time)
    if (channels == 1L) drop(values) else values
  })
}

wave_classes <- function(n = 12) factor(ifelse(seq_len(n) %% 2 == 0, "slow", "fast"))

# The recursion of Cuturi 2011 in logarithms.
log_alignment <- function(x, z, sigma, triangular = 0) {
  x <- as.matrix(x)
  z <- as.matrix(z)
  n <- nrow(x)
  m <- nrow(z)
  total <- matrix(-Inf, n + 1, m + 1)
  total[1, 1] <- 0
  for (i in seq_len(n)) {
    for (j in seq_len(m)) {
      w <- if (triangular > 0) max(0, 1 - abs(i - j) / triangular) else 1
      log_g <- log(w) - sum((x[i, ] - z[j, ])^2) / (2 * sigma^2)
      before <- c(total[i, j], total[i, j + 1], total[i + 1, j])
      top <- max(before)
      if (top == -Inf) next
      total[i + 1, j + 1] <- log_g - log(2 - exp(log_g)) + top + log(sum(exp(before - top)))
    }
  }
  total[n + 1, m + 1]
}

alignment_matrix <- function(x, z = x, sigma, triangular = 0) {
  own <- function(set) vapply(set, function(one) log_alignment(one, one, sigma, triangular), 0)
  cross <- vapply(x, function(b) {
    vapply(z, function(a) log_alignment(a, b, sigma, triangular), 0)
  }, numeric(length(z)))
  exp(matrix(cross, length(z)) - outer(own(z), own(x), `+`) / 2)
}

expect_psd <- function(k, tolerance = 1e-10) {
  values <- eigen((k + t(k)) / 2, symmetric = TRUE, only.values = TRUE)$values
  expect_gte(min(values), -tolerance * max(values))
}
