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
  if (!is.null(state$rotation)) z <- z %*% state$rotation
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

# The weight of each of three kernels under equal weights.
neutral_weight <- function(gating) if (gating == "sigmoid") 1 / 2 else 1 / 3

# The penalty of the gating model as a function of its parameters; `value` is the SVM's at equal
# weights.
ridge_of <- function(state, value, penalty) {
  neutral <- 0 * state$parameters
  q <- nrow(neutral) - 1
  if (state$gating == "rbf") neutral[q + 1, ] <- -log(max(1, q))
  function(parameters) penalty / 2 * abs(value) * sum((parameters - neutral)^2)
}

decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-9)

# The matrices of linear, polynomial and Gaussian kernels, brought to mean diagonal 1.
three_kernels <- function() {
  kernel_set(kernel_linear(), kernel_polynomial(2), kernel_rbf(1.5))
}
three_matrices <- function(x, z = x) {
  unit <- function(k, diagonal) k / mean(diagonal)
  list(
    unit(tcrossprod(x, z), rowSums(z^2)), unit((tcrossprod(x, z) + 1)^2, (rowSums(z^2) + 1)^2),
    gauss(x, z, 1.5)
  )
}
local_kernel <- function(matrices, eta, eta_z = eta) {
  Reduce(`+`, lapply(seq_along(matrices), function(m) {
    eta[, m] * matrices[[m]] * rep(eta_z[, m], each = nrow(eta))
  }))
}
