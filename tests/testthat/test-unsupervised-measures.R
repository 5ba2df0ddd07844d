measure_data <- function(n = 30) {
  d <- two_class(n, 4)
  x <- scale(d$x)
  list(x = d$x, y = d$y, sign = ifelse(d$y == "yes", 1, -1),
       kernels = kernel_set(kernel_rbf(0.5), kernel_rbf(2), kernel_linear(), kernel_polynomial(2)),
       K = kernel_matrix(kernel_set(kernel_rbf(0.5), kernel_rbf(2), kernel_linear(),
                                    kernel_polynomial(2)), x))
}

cosine_of <- function(a, b) sum(a * b) / sqrt(sum(a^2) * sum(b^2))

test_that("alignments, spectral ratio and dimension are their formulas", {
  d <- measure_data()
  found <- kernel_measures(d$kernels, d$x, d$y, normalize = "none", ridge = 0.02)
  target <- tcrossprod(d$sign)
  H <- diag(30) - 1 / 30
  each <- function(f) unname(vapply(d$K, f, 0))
  expect_equal(found$alignment, each(function(K) cosine_of(K, target)), tolerance = 1e-10)
  expect_equal(found$centered_alignment,
               each(function(K) cosine_of(H %*% K %*% H, H %*% target %*% H)), tolerance = 1e-10)
  expect_equal(found$spectral_ratio, each(function(K) sum(diag(K)) / norm(K, "F")))
  expect_equal(found$effective_dimension, each(function(K) {
    values <- eigen(K, TRUE)$values
    sum(values / (values + 0.02 * sum(values)))
  }), tolerance = 1e-8)
  expect_identical(found$kernel, names(d$kernels))
  none <- kernel_measures(d$kernels, d$x)
  expect_named(none, c("kernel", "radius", "radius_error", "spectral_ratio", "effective_dimension"))
})

test_that("radius and margin solve their quadratic programs", {
  skip_if_not_installed("quadprog")
  d <- measure_data()
  found <- kernel_measures(d$kernels, d$x, d$y, c("radius", "margin"), normalize = "none",
                           control = mkl_control(tol = 1e-5))
  expect_named(found, c("kernel", "radius", "radius_error", "margin", "margin_error"))
  for (m in 1:4) {
    K <- d$K[[m]]
    ridge <- diag(1e-10 * mean(diag(K)), 30)
    a <- quadprog::solve.QP(2 * K + ridge, diag(K), cbind(1, diag(30)), c(1, numeric(30)),
                            1)$solution
    a <- pmax(a, 0) / sum(pmax(a, 0)) # quadprog is not exact where K is singular
    radius <- sqrt(sum(a * diag(K)) - drop(a %*% K %*% a))
    expect_equal(found$radius[m], radius, tolerance = 1e-4)
    expect_gte(found$radius[m] + found$radius_error[m], radius * (1 - 1e-9))
    Q <- K * tcrossprod(d$sign)
    g <- quadprog::solve.QP(2 * Q + ridge, numeric(30), cbind(d$sign > 0, d$sign < 0, diag(30)),
                            c(1, 1, numeric(30)), 2)$solution
    margin <- sqrt(max(0, drop(g %*% Q %*% g)))
    if (margin < 1e-3) expect_equal(found$margin[m], 0, tolerance = 1e-3)
    else expect_equal(found$margin[m], margin, tolerance = 1e-3)
  }
  expect_gt(sum(found$margin > 0.1), 1)
})

test_that("overlapping classes have no margin, two points their distance", {
  x <- matrix(c(0, 3, 0, 4), 2)
  two <- kernel_measures(kernel_linear(), x, c("a", "b"), normalize = "none", scale = FALSE)
  expect_equal(two$margin, 5, tolerance = 1e-6)
  expect_equal(two$radius, 2.5, tolerance = 1e-6)
  x <- matrix(c(-1, 1, -2, 2, 0.5, -0.5))
  mixed <- kernel_measures(kernel_linear(), x, rep(c("a", "b"), 3), normalize = "none",
                           scale = FALSE)
  expect_identical(mixed$margin, 0)
})

test_that("several classes and numbers have targets of their own", {
  d <- three_class(30)
  found <- kernel_measures(kernel_rbf(1), d[1:4], d$Species, normalize = "none")
  expect_null(found$margin)
  K <- kernel_matrix(kernel_rbf(1), scale(d[1:4]))
  target <- ifelse(outer(d$Species, d$Species, `==`), 1, -0.5)
  expect_equal(found$alignment, cosine_of(K, target), tolerance = 1e-10)
  y <- d$Sepal.Length^2
  numbers <- kernel_measures(kernel_rbf(1), d[2:4], y, normalize = "none")
  K <- kernel_matrix(kernel_rbf(1), scale(d[2:4]))
  expect_equal(numbers$alignment, cosine_of(K, tcrossprod(y - mean(y))), tolerance = 1e-10)
  flat <- kernel_measures(list(K = matrix(1, 4, 4)), y = c(0, 1, 0, 1))
  expect_identical(flat$centered_alignment, 0)
  expect_equal(flat$spectral_ratio, 1)
})

test_that("memory and threads do not change the measures", {
  d <- measure_data()
  found <- kernel_measures(d$kernels, d$x, d$y)
  expect_identical(kernel_measures(d$kernels, d$x, d$y, control = mkl_control(threads = 2)), found)
  small <- kernel_measures(d$kernels, d$x, d$y, control = mkl_control(memory = 1e-5))
  expect_equal(small, found, tolerance = 1e-5)
})

test_that("bad arguments are named", {
  d <- measure_data()
  expect_mkl_error(kernel_measures(d$kernels, d$x, d$y, "size"), argument = "measures")
  expect_mkl_error(kernel_measures(d$kernels, d$x, measures = "margin"), argument = "y")
  expect_mkl_error(kernel_measures(d$kernels, d$x, d$y[-1]), argument = "y")
  expect_mkl_error(kernel_measures(d$kernels, d$x, d$y, ridge = 0), argument = "ridge")
  expect_mkl_error(kernel_measures(d$kernels, d$x, rep(1.5, 30)), argument = "y")
  expect_mkl_error(kernel_measures(d$kernels, d$x, d$x[, 1] + 9, "margin"), argument = "measures")
})

test_that("alignments of pairs are cosines of the matrices", {
  d <- measure_data()
  H <- diag(30) - 1 / 30
  moved <- lapply(d$K, function(K) H %*% K %*% H)
  pairs <- function(K) outer(1:4, 1:4, Vectorize(function(i, j) cosine_of(K[[i]], K[[j]])))
  A <- kernel_alignment_matrix(d$kernels, d$x)
  expect_equal(matrix(A, 4), pairs(moved), tolerance = 1e-10)
  expect_equal(matrix(kernel_alignment_matrix(d$kernels, d$x, center = FALSE), 4), pairs(d$K),
               tolerance = 1e-10)
  expect_identical(rownames(A), names(d$kernels))
  expect_identical(nrow(tidy(A)), 6L)
  expect_identical(tidy(A)$alignment[2], A[3, 1])
  expect_output(print(A), "4 kernels")
  small <- kernel_alignment_matrix(d$kernels, d$x, control = mkl_control(memory = 1e-5))
  expect_equal(small, A, tolerance = 1e-10)
  expect_mkl_error(kernel_alignment_matrix(d$kernels, d$x, center = 1:2), argument = "center")
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(A))
  expect_equal(ggplot2::ggplot_build(autoplot(A))$plot$data$value, as.vector(A))
})
