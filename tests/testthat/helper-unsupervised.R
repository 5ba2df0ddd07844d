# Kernels without a response, and the normalization of fuse_kernels() written out.

fusion_data <- function(n = 24) {
  d <- two_class(n, 4)
  list(x = d$x, kernels = kernel_set(kernel_rbf(1), kernel_rbf(3), kernel_linear(),
                                     kernel_polynomial(2)))
}

center_trace <- function(K) {
  n <- nrow(K)
  H <- diag(n) - 1 / n
  K <- H %*% K %*% H
  K / mean(diag(K))
}

normalized_kernels <- function(d) {
  x <- scale(d$x)
  attributes(x) <- attributes(d$x)
  lapply(kernel_matrix(d$kernels, x), center_trace)
}

sum_kernels <- function(matrices, weights) Reduce(`+`, Map(`*`, matrices, weights))
