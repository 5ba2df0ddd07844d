# S of Mariette & Villa-Vialaneix (2018), row pair by row pair.
neighborhood_products <- function(matrices, neighbors) {
  n <- nrow(matrices[[1L]])
  W <- matrix(0, n, n)
  for (K in matrices) {
    far <- outer(diag(K), diag(K), `+`) - 2 * K
    diag(far) <- Inf
    A <- matrix(0, n, n)
    for (i in seq_len(n)) A[i, order(far[i, ])[seq_len(neighbors)]] <- 1
    W <- W + pmax(A, t(A))
  }
  S <- matrix(0, length(matrices), length(matrices))
  for (k in seq_along(matrices)) {
    for (l in seq_along(matrices)) {
      for (i in seq_len(n)) {
        for (j in which(W[i, ] > 0)) {
          S[k, l] <- S[k, l] + W[i, j] * sum((matrices[[k]][, i] - matrices[[k]][, j]) *
                                               (matrices[[l]][, i] - matrices[[l]][, j]))
        }
      }
    }
  }
  S
}

test_that("STATIS weights are the leading eigenvector of the cosines", {
  d <- fusion_data()
  fused <- fuse_kernels(d$kernels, d$x)
  K <- normalized_kernels(d)
  flat <- vapply(K, as.vector, numeric(24^2))
  C <- crossprod(sweep(flat, 2, sqrt(colSums(flat^2)), `/`))
  expect_equal(unname(fused$similarity), unname(C), tolerance = 1e-10)
  v <- eigen(C, TRUE)$vectors[, 1]
  expect_equal(unname(fused$weights), v / sum(v), tolerance = 1e-10)
  expect_equal(fused$objective, eigen(C, TRUE)$values[1], tolerance = 1e-10)
  expect_lt(fused$gap, 1e-12)
  expect_equal(unname(fused$matrix), unname(sum_kernels(K, v / sum(v))), tolerance = 1e-10)
  expect_true(fused$converged)
})

test_that("the graph products are those of the paper, with ties and without", {
  d <- fusion_data()
  for (neighbors in c(1, 5)) {
    fused <- fuse_kernels(d$kernels, d$x, "sparse-umkl", neighbors = neighbors)
    expect_equal(unname(fused$graph), neighborhood_products(normalized_kernels(d), neighbors),
                 tolerance = 1e-9)
  }
})

test_that("sparse UMKL solves its quadratic program", {
  skip_if_not_installed("quadprog")
  d <- fusion_data(30)
  solve_simplex <- function(S) {
    m <- nrow(S)
    S <- S / mean(diag(S))
    quadprog::solve.QP(2 * S + diag(1e-11, m), numeric(m), cbind(1, diag(m)), c(1, numeric(m)),
                       1)$solution
  }
  fused <- fuse_kernels(d$kernels, d$x, "sparse-umkl")
  expect_equal(unname(fused$weights), solve_simplex(fused$graph), tolerance = 1e-6)
  expect_equal(fused$objective, drop(fused$weights %*% fused$graph %*% fused$weights))
  expect_lt(fused$gap, 1e-9)
  # Matrices with entries of both signs, and solutions with several weights.
  control <- core_control(mkl_control())
  with_seed(1, for (m in c(2, 5, 9)) {
    A <- crossprod(matrix(rnorm(m * (m + 2)), m + 2))
    found <- fusion_weights_cpp(A, "sparse-umkl", 1000, control)
    expect_equal(found$weights, solve_simplex(A), tolerance = 1e-6)
    expect_lt(found$gap, 1e-9)
  })
})

# The minimum over all supports: on each one the smallest eigenvector, if it is positive.
best_on_sphere <- function(S) {
  best <- Inf
  for (code in seq_len(2^nrow(S) - 1)) {
    rows <- which(bitwAnd(code, 2^(seq_len(nrow(S)) - 1)) > 0)
    e <- eigen(S[rows, rows, drop = FALSE], TRUE)
    v <- e$vectors[, length(rows)]
    v <- v * sign(sum(v))
    if (all(v >= 0)) best <- min(best, e$values[length(rows)])
  }
  best
}

test_that("full UMKL finds the minimum over all supports", {
  control <- core_control(mkl_control())
  with_seed(2, for (m in c(2, 3, 6, 8)) {
    for (kind in 1:2) {
      A <- crossprod(matrix(rnorm(m * (m + 1)), m + 1))
      if (kind == 2) A <- abs(A) + diag(m)
      found <- fusion_weights_cpp(A, "full-umkl", 1e5, control)
      expect_equal(found$objective, best_on_sphere(A), tolerance = 1e-8)
      expect_lt(found$gap, 1e-8)
      v <- found$weights / sqrt(sum(found$weights^2))
      expect_equal(drop(v %*% A %*% v), found$objective, tolerance = 1e-8)
    }
  })
  # A search that is cut short knows it.
  A <- with_seed(3, crossprod(matrix(rnorm(12 * 13), 13)))
  short <- fusion_weights_cpp(A, "full-umkl", 1, control)
  expect_gte(short$gap * mean(diag(A)), short$objective - best_on_sphere(A) - 1e-8)
  d <- fusion_data()
  fused <- fuse_kernels(d$kernels, d$x, "full-umkl")
  expect_equal(fused$objective, best_on_sphere(fused$graph), tolerance = 1e-8)
})

test_that("new rows are compared by the same kernels and weights", {
  d <- fusion_data(30)
  train <- d$x[1:24, ]
  for (method in c("statis", "sparse-umkl", "average")) {
    fused <- fuse_kernels(d$kernels, train, method)
    expect_equal(unname(predict(fused, train)), unname(fused$matrix), tolerance = 1e-8)
    expect_identical(dim(predict(fused, d$x[25:30, ])), c(6L, 24L))
  }
  expect_identical(unname(fused$weights), rep(0.25, 4))
  # One row after the other, and the kernel of a sum of features.
  new <- predict(fused, d$x[25:30, ])
  expect_equal(unname(predict(fused, d$x[26, , drop = FALSE])[1, ]), unname(new[2, ]),
               tolerance = 1e-10)
  linear <- fuse_kernels(kernel_linear(), train, "average", normalize = "center", scale = FALSE)
  moved <- function(x) sweep(x, 2, colMeans(train))
  expect_equal(unname(predict(linear, d$x[25:30, ])),
               unname(tcrossprod(moved(d$x[25:30, ]), moved(train))), tolerance = 1e-10)
})

test_that("kernel matrices, views and formulas are accepted", {
  d <- fusion_data()
  matrices <- kernel_matrix(d$kernels, scale(d$x))
  names(matrices) <- letters[1:4]
  whole <- fuse_kernels(d$kernels, d$x)
  fused <- fuse_kernels(matrices)
  expect_equal(unname(fused$weights), unname(whole$weights), tolerance = 1e-10)
  expect_equal(unname(fused$matrix), unname(whole$matrix), tolerance = 1e-8)
  new <- lapply(matrices, function(K) K[1:3, ])
  expect_equal(unname(predict(fused, new)), unname(fused$matrix[1:3, ]), tolerance = 1e-8)
  both <- views(a = d$x[, 1:2], b = d$x[, 3:4])
  by_view <- fuse_kernels(list(a = kernel_rbf(1), b = kernel_linear()), both)
  expect_identical(length(by_view$weights), 2L)
  expect_equal(unname(predict(by_view, both)), unname(by_view$matrix), tolerance = 1e-8)
  expect_s3_class(fuse_kernels(both), "mkl_fusion")
  formula <- fuse_kernels(~ rbf(v1, v2, sigma = 1) + linear(v3, v4), as.data.frame(d$x))
  expect_identical(length(formula$weights), 2L)
  expect_identical(unname(fuse_kernels(matrices[[1]])$weights), 1)
})

test_that("threads, memory and storage do not matter", {
  d <- fusion_data()
  fused <- fuse_kernels(d$kernels, d$x, "sparse-umkl")
  several <- fuse_kernels(d$kernels, d$x, "sparse-umkl", control = mkl_control(threads = 2))
  expect_identical(several$graph, fused$graph)
  expect_identical(several$weights, fused$weights)
  small <- fuse_kernels(d$kernels, d$x, "sparse-umkl", control = mkl_control(memory = 8 * 24^2))
  expect_equal(small$graph, fused$graph, tolerance = 1e-10)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(fused, file)
  expect_identical(predict(readRDS(file), d$x), predict(fused, d$x))
  fused$weights[1] <- 2
  expect_mkl_error(predict(fused, d$x), "damaged")
})

test_that("results are printed and summarized", {
  d <- fusion_data()
  fused <- fuse_kernels(d$kernels, d$x)
  expect_output(print(fused), "4 kernels, 24 rows, method \"statis\"", fixed = TRUE)
  expect_output(print(summary(fused)), "agreement")
  expect_identical(kernel_weights(fused), fused$weights)
  expect_identical(coef(fused), fused$weights)
  expect_identical(nobs(fused), 24L)
})

test_that("bad arguments are named", {
  d <- fusion_data()
  expect_mkl_error(fuse_kernels(d$kernels, d$x, "mean"), argument = "method")
  expect_mkl_error(fuse_kernels(d$kernels), argument = "x")
  expect_mkl_error(fuse_kernels(), argument = "x")
  expect_mkl_error(fuse_kernels(d$kernels, d$x, "full-umkl", neighbors = 24),
                   argument = "neighbors")
  expect_mkl_error(fuse_kernels(d$kernels, d$x, "full-umkl", neighbors = 0), argument = "neighbors")
  expect_mkl_error(fuse_kernels(d$kernels, d$x, normalize = "best"), argument = "normalize")
  expect_mkl_error(fuse_kernels(d$kernels, d$x, neighbours = 3))
  expect_mkl_error(fuse_kernels(v1 ~ v2, as.data.frame(d$x)), argument = "kernels")
})
