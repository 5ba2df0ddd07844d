centered <- function(K) {
  H <- diag(nrow(K)) - 1 / nrow(K)
  H %*% K %*% H
}

test_that("a linear kernel gives ordinary principal components", {
  d <- fusion_data(30)
  pca <- kernel_pca(kernel_linear(), d$x, normalize = "none")
  plain <- prcomp(d$x, scale. = TRUE)
  expect_equal(pca$values / 29, plain$sdev^2, tolerance = 1e-10)
  expect_equal(unname(abs(pca$scores)), unname(abs(plain$x)), tolerance = 1e-8)
  expect_equal(pca$share, plain$sdev^2 / sum(plain$sdev^2), tolerance = 1e-10)
  new <- two_class(40, 4)$x[31:40, ]
  expect_equal(unname(abs(predict(pca, new))), unname(abs(predict(plain, new))), tolerance = 1e-8)
})

test_that("components are eigenvectors of the centered sum of kernels", {
  d <- fusion_data()
  K <- normalized_kernels(d)
  given <- c(0.1, 0, 0.7, 0.2)
  pca <- kernel_pca(d$kernels, d$x, weights = given, components = 5)
  e <- eigen(centered(sum_kernels(K, given)), TRUE)
  expect_equal(pca$values, e$values[1:5], tolerance = 1e-9)
  expect_equal(abs(unname(crossprod(pca$vectors, e$vectors[, 1:5]))), diag(5), tolerance = 1e-7)
  expect_equal(unname(tcrossprod(pca$scores)), unname(
    e$vectors[, 1:5] %*% diag(e$values[1:5]) %*% t(e$vectors[, 1:5])
  ), tolerance = 1e-8)
  fused <- fuse_kernels(d$kernels, d$x)
  for (one in list(kernel_pca(fused, components = 5), kernel_pca(d$kernels, d$x, 5))) {
    expect_equal(one$values, eigen(centered(fused$matrix), TRUE)$values[1:5], tolerance = 1e-9)
    expect_equal(unname(predict(one, d$x)), unname(one$scores), tolerance = 1e-7)
  }
  raw <- kernel_pca(d$kernels, d$x, weights = given, center = FALSE, normalize = "trace")
  x <- scale(d$x)
  R <- lapply(kernel_matrix(d$kernels, x), function(K) K / mean(diag(K)))
  expect_equal(unname(tcrossprod(raw$scores)), unname(sum_kernels(R, given)), tolerance = 1e-7)
})

test_that("new rows have the inner products of the kernel", {
  d <- fusion_data(34)
  train <- d$x[1:24, ]
  new <- d$x[25:34, ]
  pca <- kernel_pca(kernel_rbf(1), train, normalize = "none", scale = FALSE)
  K <- gauss(train, train, 1)
  cross <- gauss(new, train, 1)
  moved <- cross - rowMeans(cross) - rep(rowMeans(K), each = 10) + mean(K)
  expect_equal(unname(tcrossprod(predict(pca, new), pca$scores)), moved, tolerance = 1e-8)
  # The same from kernel matrices.
  by_matrix <- kernel_pca(list(K = K), normalize = "none")
  expect_equal(unname(abs(predict(by_matrix, list(K = cross)))), unname(abs(predict(pca, new))),
               tolerance = 1e-6)
  new[2, 1] <- NA
  expect_true(all(is.na(predict(pca, new)[2, ])))
  expect_false(anyNA(predict(pca, new)[-2, ]))
})

test_that("views, names of cases and missing rows are kept", {
  d <- fusion_data()
  rownames(d$x) <- paste0("case", 1:24)
  both <- views(a = d$x[, 1:2], b = d$x[, 3:4])
  pca <- kernel_pca(both, components = 2)
  expect_identical(rownames(pca$scores), rownames(d$x))
  expect_equal(predict(pca, both), pca$scores, tolerance = 1e-7)
  d$x[3, 2] <- NA
  part <- kernel_pca(kernel_rbf(1), d$x, 2)
  expect_identical(nobs(part), 23L)
  expect_equal(predict(part, d$x)[-3, ], part$scores, tolerance = 1e-7, ignore_attr = TRUE)
})

test_that("the importance is the distance of the subspaces without a variable", {
  d <- fusion_data(30)
  x <- cbind(d$x, flat = 1e-9 * d$x[, 1])
  pca <- kernel_pca(kernel_linear(), x, scale = FALSE, normalize = "none")
  set.seed(3)
  found <- importance(pca, x, repeats = 3)
  expect_identical(found$term[5], "flat")
  expect_lt(found$estimate[5], 1e-6)
  expect_gt(found$estimate[1], 0.1)
  # One permutation, by prcomp().
  set.seed(4)
  one <- importance(pca, x, components = 1, repeats = 1)
  set.seed(4)
  expected <- vapply(1:5, function(j) {
    moved <- x
    moved[, j] <- x[sample.int(30), j]
    a <- prcomp(x)$x[, 1]
    b <- prcomp(moved)$x[, 1]
    sqrt(max(0, 1 - sum(a * b)^2 / sum(a^2) / sum(b^2)))
  }, 0)
  expect_equal(one$estimate[match(colnames(x), one$term)], expected, tolerance = 1e-5)
  both <- views(a = d$x[, 1:2], b = d$x[, 3:4])
  set.seed(5)
  by_view <- importance(kernel_pca(both), both, by = "view", repeats = 2)
  expect_setequal(by_view$term, c("a", "b"))
  by_column <- importance(kernel_pca(both), both, repeats = 1)
  expect_setequal(by_column$term, c("a$v1", "a$v2", "b$v3", "b$v4"))
  expect_output(print(by_view), "distance of the first 2 components")
  expect_mkl_error(importance(pca, x[30:1, ]), "same order", "data")
  expect_mkl_error(importance(pca, x[1:9, ]), "30 rows", "data")
  expect_mkl_error(importance(pca), argument = "data")
  expect_mkl_error(importance(pca, x, by = "view"), argument = "by")
  matrix <- kernel_pca(tcrossprod(x))
  expect_mkl_error(importance(matrix, list(K1 = tcrossprod(x))), "kernel matrices")
})

test_that("threads and storage do not matter, bad arguments are named", {
  d <- fusion_data()
  pca <- kernel_pca(d$kernels, d$x)
  several <- kernel_pca(d$kernels, d$x, control = mkl_control(threads = 2))
  expect_identical(several$scores, pca$scores)
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(pca, file)
  expect_identical(predict(readRDS(file), d$x), predict(pca, d$x))
  expect_output(print(pca), "share of the variance")
  expect_output(print(summary(pca)), "cumulative")
  expect_mkl_error(kernel_pca(d$kernels, d$x, components = 0), argument = "components")
  expect_mkl_error(kernel_pca(d$kernels, d$x, weights = c(1, 2)), argument = "weights")
  expect_mkl_error(kernel_pca(d$kernels, d$x, weights = -1), argument = "weights")
  expect_mkl_error(kernel_pca(d$kernels, d$x, center = 2), argument = "center")
  expect_mkl_error(kernel_pca(matrix(1, 5, 5), normalize = "none"), "alike")
})
