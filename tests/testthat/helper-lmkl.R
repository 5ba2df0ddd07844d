# Fits and formulas of localized multiple kernel learning.

lines_of <- function(count) rep(kernel_linear(), count)

seeded <- function(..., seed = 1) with_seed(seed, lmkl(...))

# The toy data of the paper, section 4.1.
gauss4 <- function(n, seed) {
  with_seed(seed, {
    component <- sample(4, n, TRUE)
    centre <- rbind(c(-3, 1), c(1, 1), c(-1, -2.2), c(3, -2.2))[component, ]
    spread <- sqrt(cbind(0.8, c(2, 2, 4, 4)[component]))
    x <- centre + matrix(rnorm(2 * n), n) * spread
    data.frame(x1 = x[, 1], x2 = x[, 2], y = factor(ifelse(component < 3, "p", "n")))
  })
}

# eta from the stored parameters, for rows on the scale of the fit.
eta_of <- function(state, x) {
  z <- sweep(sweep(x[, state$columns, drop = FALSE], 2, state$center), 2, state$scale, "/")
  q <- ncol(z)
  v <- state$parameters
  a <- if (state$gating == "rbf") {
    vapply(seq_len(ncol(v)), function(m) {
      -exp(v[q + 1, m]) * rowSums(sweep(z, 2, v[seq_len(q), m])^2)
    }, numeric(nrow(z)))
  } else {
    cbind(z, 1) %*% v
  }
  a <- matrix(a, nrow(z))
  if (state$gating == "sigmoid") return(1 / (1 + exp(-a)))
  a <- exp(a - apply(a, 1, max))
  a / rowSums(a)
}
