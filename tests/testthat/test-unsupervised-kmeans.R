three_groups <- function(n = 30) {
  group <- rep(1:3, length.out = n)
  x <- two_class(n, 4)$x * 0.3
  x[, 1] <- x[, 1] + 3 * (group == 1)
  x[, 2] <- x[, 2] + 3 * (group == 2)
  x[, 3] <- x[, 3] + 3 * (group == 3)
  x[, 4] <- x[, 4] + 3 * (group == 1)
  list(x = x, group = group, kernels = kernel_set(kernel_rbf(1), kernel_linear(), kernel_rbf(
    0.7, on = 3:4
  )))
}

# The alternation of Gonen & Margolin (2014), written out.
alternate <- function(K, k, steps) {
  m <- length(K)
  d <- rep(1 / m, m)
  for (step in seq_len(steps)) {
    H <- eigen(sum_kernels(K, d^2), TRUE)$vectors[, 1:k]
    t <- vapply(K, function(one) sum(diag(one)) - sum(H * (one %*% H)), 0)
    d <- (1 / t) / sum(1 / t)
  }
  whole <- sum_kernels(K, d^2)
  list(d = d, objective = sum(diag(whole)) - sum(eigen(whole, TRUE)$values[1:k]))
}

test_that("global weights are those of the alternating steps", {
  d <- three_groups()
  found <- kernel_kmeans(d$kernels, d$x, 3, control = mkl_control(tol = 1e-6))
  K <- normalized_kernels(d)
  expected <- alternate(K, 3, 200)
  expect_equal(unname(found$weights), unname(expected$d), tolerance = 1e-4)
  expect_equal(found$objective, expected$objective, tolerance = 1e-7)
  expect_true(found$converged)
  expect_true(all(diff(found$path) <= 1e-12))
  expect_identical(found$cluster, as.integer(d$group))
  # H is the relaxed optimum for the weights.
  whole <- sum_kernels(K, found$weights^2)
  expect_equal(found$values, eigen(whole, TRUE)$values[1:3], tolerance = 1e-9)
  expect_equal(unname(crossprod(found$embedding)), diag(3), tolerance = 1e-10)
})

test_that("the clusters are those of k-means on the unit rows of H", {
  d <- three_groups()
  found <- kernel_kmeans(d$kernels, d$x, 4, weights = "equal")
  rows <- found$embedding / sqrt(rowSums(found$embedding^2))
  best <- with_seed(1, kmeans(rows, 4, nstart = 50))
  expect_equal(found$within, best$tot.withinss, tolerance = 1e-8)
  expect_identical(unname(found$weights), rep(1 / 3, 3))
  expect_identical(found$size, tabulate(found$cluster, 4))
  expect_equal(sum(tidy(found)$within), found$within, tolerance = 1e-10)
})

test_that("localized weights solve their quadratic program", {
  skip_if_not_installed("quadprog")
  d <- three_groups(15)
  K <- normalized_kernels(d)
  found <- kernel_kmeans(d$kernels, d$x, 3, weights = "localized",
                         control = mkl_control(tol = 1e-4, max_iter = 2000))
  expect_true(found$converged)
  expect_equal(unname(rowSums(found$weights)), rep(1, 15), tolerance = 1e-12)
  expect_true(all(found$weights >= 0))
  A <- diag(15) - tcrossprod(found$embedding)
  blocks <- matrix(0, 45, 45)
  for (m in 1:3) blocks[15 * (m - 1) + 1:15, 15 * (m - 1) + 1:15] <- A * K[[m]]
  sums <- t(do.call(cbind, rep(list(diag(15)), 3)))
  best <- quadprog::solve.QP(2 * blocks + diag(1e-9, 45), numeric(45), cbind(sums, diag(45)),
                             c(rep(1, 15), numeric(45)), 15)$solution
  value <- function(w) drop(w %*% blocks %*% w)
  expect_equal(value(as.vector(found$weights)), value(best), tolerance = 1e-4)
  expect_equal(found$objective, value(as.vector(found$weights)), tolerance = 1e-8)
  expect_true(all(diff(found$path) <= 1e-9))
  global <- kernel_kmeans(d$kernels, d$x, 3)
  expect_lt(found$objective, global$objective)
})

test_that("new rows go to the cluster of their neighbors", {
  d <- three_groups(42)
  found <- kernel_kmeans(d$kernels, d$x[1:30, ], 3)
  expect_identical(predict(found), found$cluster)
  expect_identical(predict(found, d$x[1:30, ]), found$cluster)
  expect_identical(predict(found, d$x[31:42, ]), as.integer(d$group[31:42]))
  new <- d$x[31:33, ]
  new[2, 2] <- NA
  expect_identical(is.na(predict(found, new)), c(FALSE, TRUE, FALSE))
  local <- kernel_kmeans(d$kernels, d$x[1:30, ], 3, weights = "localized")
  expect_identical(predict(local), local$cluster)
  expect_mkl_error(predict(local, d$x), "training rows only")
})

test_that("one kernel, one cluster and rank-deficient kernels are handled", {
  d <- three_groups()
  one <- kernel_kmeans(kernel_rbf(1), d$x, 3)
  expect_identical(unname(one$weights), 1)
  expect_identical(one$iterations, 0)
  single <- kernel_kmeans(d$kernels, d$x, 1)
  expect_identical(single$cluster, rep(1L, 30))
  # A kernel of rank 1 is all explained.
  flat <- tcrossprod(d$group - mean(d$group))
  found <- kernel_kmeans(list(flat = flat, rbf = gauss(d$x, d$x, 1)), clusters = 3)
  expect_equal(unname(found$weights), c(1, 0), tolerance = 1e-6)
  expect_identical(length(unique(found$cluster)), 3L)
  same <- kernel_kmeans(matrix(1, 5, 5) + diag(5), clusters = 5, normalize = "none")
  expect_identical(same$cluster, 1:5)
})

test_that("threads, memory, seeds and storage do not matter", {
  d <- three_groups()
  for (weights in c("global", "localized")) {
    fit <- function(...) {
      set.seed(1)
      kernel_kmeans(d$kernels, d$x, 3, weights = weights, control = mkl_control(...))
    }
    found <- fit()
    expect_identical(fit(threads = 2)$weights, found$weights)
    expect_equal(fit(memory = 1e-5)$weights, found$weights, tolerance = 1e-6)
  }
  expect_output(print(found), "localized; mean weights")
  expect_output(print(summary(found)), "within")
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(found, file)
  expect_identical(predict(readRDS(file)), found$cluster)
})

test_that("bad arguments are named and unfinished alternations reported", {
  d <- three_groups()
  expect_mkl_error(kernel_kmeans(d$kernels, d$x), argument = "clusters")
  expect_mkl_error(kernel_kmeans(d$kernels, d$x, 31), argument = "clusters")
  expect_mkl_error(kernel_kmeans(d$kernels, d$x, 0), argument = "clusters")
  expect_mkl_error(kernel_kmeans(d$kernels, d$x, 3, weights = "none"), argument = "weights")
  expect_mkl_error(kernel_kmeans(d$kernels, d$x, 3, starts = 0), argument = "starts")
  expect_warning(
    kernel_kmeans(d$kernels, d$x, 3, control = mkl_control(tol = 1e-9, max_iter = 1)),
    class = "multikernel_not_converged"
  )
})
