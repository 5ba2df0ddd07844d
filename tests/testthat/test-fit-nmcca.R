views <- with_seed(5, {
  shared <- matrix(rnorm(60 * 2), 60)
  lapply(c(a = 3, b = 5, c = 4), function(p) {
    shared %*% matrix(rnorm(2 * p), 2) + matrix(rnorm(60 * p), 60)
  })
})

# The stacked problem: (1/m) S'S w = nu B w.
stacked <- function(views, kappa) {
  S <- do.call(cbind, views)
  owner <- rep(seq_along(views), vapply(views, ncol, 0L))
  B <- crossprod(S) * outer(owner, owner, "==") + kappa * diag(ncol(S))
  list(A = crossprod(S) / length(views), B = B, S = S)
}

test_that("the constraint, the eigenvalue equation and the value of the problem hold", {
  for (kappa in c(0, 0.5, 20)) {
    fit <- nmcca(views, kappa = kappa)
    p <- stacked(views, kappa)
    W <- do.call(rbind, fit$weights)
    q <- length(fit$agreement)
    expect_identical(q, 12L)
    expect_equal(crossprod(W, p$B %*% W), diag(q), tolerance = 1e-9)
    expect_lt(max(abs(p$A %*% W - p$B %*% W %*% diag(fit$agreement))), 1e-8)
    expect_lt(fit$violation, 1e-10)
    expect_false(is.unsorted(rev(fit$agreement)))
    expect_true(all(fit$agreement > 0 & fit$agreement <= 1 + 1e-12))
    mean <- Reduce(`+`, fit$projections) / 3
    value <- sum(vapply(fit$projections, function(P) sum((P - mean)^2), 0)) + kappa * sum(W^2)
    expect_equal(value, sum(1 - fit$agreement), tolerance = 1e-9)
  }
})

test_that("it is the solution of the problem that a Cholesky factor makes an ordinary one", {
  for (kappa in c(0, 3)) {
    p <- stacked(views, kappa)
    R <- chol(p$B)
    e <- eigen(backsolve(R, t(backsolve(R, p$A, transpose = TRUE)), transpose = TRUE), TRUE)
    theirs <- backsolve(R, e$vectors)
    fit <- nmcca(views, kappa = kappa, components = 6)
    ours <- do.call(rbind, fit$weights)
    expect_equal(fit$agreement, e$values[1:6], tolerance = 1e-10)
    sign <- sign(colSums(ours * theirs[, 1:6]))
    expect_equal(unname(ours), theirs[, 1:6] %*% diag(sign), tolerance = 1e-7)
    expect_true(all(apply(ours, 2, function(w) w[which.max(abs(w))] > 0)))
  }
})

test_that("no other projection is better", {
  fit <- nmcca(views, components = 2, kappa = 0.5)
  p <- stacked(views, 0.5)
  value <- function(W) sum(diag(crossprod(W, (p$B - p$A) %*% W)))
  best <- value(do.call(rbind, fit$weights))
  for (seed in 1:20) {
    W <- with_seed(seed, do.call(rbind, fit$weights) + 0.3 * matrix(rnorm(24), 12))
    W <- W %*% solve(chol(crossprod(W, p$B %*% W)))
    expect_gte(value(W), best)
  }
})

test_that("identical views project identically", {
  same <- nmcca(list(views$b, views$b), components = 5)
  expect_equal(same$weights[[1]], same$weights[[2]], tolerance = 1e-9)
  expect_equal(same$agreement, rep(1, 5), tolerance = 1e-10)
  ridge <- nmcca(list(views$b, views$b, views$b), components = 3, kappa = 7)
  expect_equal(ridge$weights[[1]], ridge$weights[[3]], tolerance = 1e-9)
  expect_equal(ridge$projections[[1]], ridge$projections[[2]], tolerance = 1e-9)
})

test_that("two views give the canonical correlations", {
  fit <- nmcca(views[1:2], center = TRUE)
  theirs <- stats::cancor(views$a, views$b)
  expect_equal(2 * fit$agreement[1:3] - 1, theirs$cor, tolerance = 1e-9)
})

test_that("views of more columns than rows, and of linearly dependent columns", {
  wide <- with_seed(1, lapply(1:2, function(k) matrix(rnorm(10 * 30), 10)))
  fit <- nmcca(wide, components = 4, kappa = 1)
  W <- do.call(rbind, fit$weights)
  p <- stacked(wide, 1)
  expect_equal(crossprod(W, p$B %*% W), diag(4), tolerance = 1e-9)
  expect_lt(fit$violation, 1e-9)
  expect_equal(fit$agreement, Re(eigen(solve(p$B, p$A))$values[1:4]), tolerance = 1e-8)
  expect_lte(length(nmcca(wide)$agreement), 10L)
  twice <- nmcca(list(cbind(views$a, views$a), views$b))
  once <- nmcca(list(views$a, views$b))
  expect_equal(twice$agreement, once$agreement, tolerance = 1e-9)
  # three components are shared by both views; the others have the same agreement of 1/2 or less
  expect_equal(twice$projections[[2]][, 1:3], once$projections[[2]][, 1:3], tolerance = 1e-7)
})

test_that("new rows are projected as the training rows are", {
  fit <- nmcca(views, components = 3, kappa = 1, center = TRUE)
  expect_equal(predict(fit, views), predict(fit), tolerance = 1e-12)
  part <- lapply(views, function(view) view[4:6, ])
  expect_equal(predict(fit, part[3:1])$a, predict(fit)$a[4:6, ], tolerance = 1e-12)
  expect_equal(predict(fit, unname(part))$c, predict(fit)$c[4:6, ], tolerance = 1e-12)
  expect_identical(dim(predict(fit, lapply(views, function(v) v[0, ]))$b), c(0L, 3L))
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), part), predict(fit, part))
  expect_identical(nmcca(views, control = mkl_control(threads = 3))$weights, nmcca(views)$weights)
  expect_snapshot(print(fit))
})

test_that("it works on empirical maps", {
  d <- two_class()
  maps <- lapply(list(kernel_rbf(1), kernel_polynomial(2)), empirical_map, d$x)
  fit <- nmcca(lapply(maps, predict), components = 5, kappa = 0.1)
  expect_lt(fit$violation, 1e-8)
  new <- two_class(70)$x[61:70, ]
  expect_identical(dim(predict(fit, lapply(maps, predict, new))[[2]]), c(10L, 5L))
})

test_that("bad arguments are named", {
  expect_snapshot(error = TRUE, {
    nmcca(views$a)
    nmcca(list())
    nmcca(list(views$a, views$b[1:9, ]))
    nmcca(list(views$a, letters))
    nmcca(list(views$a, replace(views$b, 3, NA)))
    nmcca(list(views$a, replace(views$b, 3, Inf)))
    nmcca(list(u = views$a, u = views$b))
    nmcca(views, components = 0)
    nmcca(views, kappa = -1)
    nmcca(views, kapa = 1)
    nmcca(list(views$a * 1e200, views$b))
    predict(nmcca(views), views[1:2])
    predict(nmcca(unname(views)), unname(views[1:2]))
    predict(nmcca(views), lapply(views, function(v) v[, 1:2]))
  })
})

test_that("columns of new views go by name", {
  x <- as.matrix(iris[1:4])
  cca <- nmcca(list(sepal = x[, 1:2], petal = x[, 3:4]), center = TRUE)
  new <- list(sepal = x[1:5, 1:2], petal = x[1:5, 3:4])
  turned <- list(sepal = x[1:5, 2:1], petal = cbind(more = 0, x[1:5, 4:3]))
  expect_identical(predict(cca, turned), predict(cca, new))
  colnames(turned$petal)[2] <- "Petal.Breadth"
  expect_mkl_error(predict(cca, turned), "View `petal` of `newdata` lacks the column", "petal")
  expect_identical(predict(cca, lapply(new, unname)), predict(cca, new))
})
