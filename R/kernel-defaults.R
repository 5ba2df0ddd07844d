# Kernels that learners use when the user names none: functions of the number of columns `p`, of
# whether these are z-scored, and of the names or positions of the variables behind them.

# Gaussian kernels from narrow to wide, a linear one and polynomials.
spread_kernels <- function(p, scaled, variables) {
  widths <- if (scaled) sqrt(p) * 2^(-2:2) else c("nearest", "median")
  kernel_set(
    kernel_rbf(sigma = widths), kernel_linear(), kernel_polynomial(2:3, scale = 1 / p)
  )
}

one_gaussian <- function(p, scaled, variables) {
  kernel_rbf(sigma = if (scaled) sqrt(p) else "median")
}

linear_kernel <- function(p, scaled, variables) kernel_linear()

two_views <- function(p, scaled, variables) {
  kernel_set(one_gaussian(p, scaled, variables), kernel_linear())
}

# The kernels of Wang, Chen and Sun (2008).
three_views <- function(p, scaled, variables) {
  kernel_set(kernel_linear(), kernel_rbf("mean_distance"), kernel_polynomial(2))
}

# One Gaussian kernel for each variable.
variable_kernels <- function(p, scaled, variables) {
  do.call(kernel_set, lapply(variables, function(one) {
    kernel_rbf(sigma = if (scaled) 1 else "median", on = one)
  }))
}

# The kernels of Xia and Hoi (2013).
boosting_kernels <- function(p, scaled, variables) {
  kernel_set(kernel_rbf(sigma = 2^(-6:7)), kernel_polynomial(1:3))
}

gating_kernels <- function(p, scaled, variables) {
  kernel_set(
    kernel_linear(), kernel_polynomial(2, scale = 1 / p), one_gaussian(p, scaled, variables)
  )
}

# The kernels of Gönen and Alpaydın (2008).
gating_kernels_of_paper <- function(p, scaled, variables) {
  kernel_set(kernel_linear(), kernel_polynomial(2), kernel_rbf("nearest"))
}
