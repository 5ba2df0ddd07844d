test_that("a function kernel fits and predicts like the kernel it copies", {
  d <- two_class()
  f <- kernel_function(function(x, z) (tcrossprod(x, z) + 1)^2, on = c("v1", "v3"))
  strict <- mkl_control(tol = 1e-9)
  copy <- mkl(d$x, d$y, kernels = f, control = strict)
  original <- mkl(d$x, d$y, kernels = kernel_polynomial(2, on = c("v1", "v3")), control = strict)
  expect_equal(predict(copy, d$x[1:9, ], type = "decision"),
               predict(original, d$x[1:9, ], type = "decision"), tolerance = 1e-6)
  expect_length(predict(copy, d$x[0, ]), 0L)
  cosine <- mkl(d$x, d$y, kernels = f, normalize = "cosine")
  expect_equal(
    predict(cosine, d$x[1:9, ], type = "decision"), predict(cosine, type = "decision")[1:9],
    tolerance = 1e-6
  )
})

test_that("a function sees scaled columns", {
  d <- two_class()
  seen <- NULL
  mkl(d$x * 1000, d$y, kernels = kernel_function(function(x, z) {
    seen <<- x
    tcrossprod(x, z)
  }))
  expect_equal(colMeans(seen), c(v1 = 0, v2 = 0, v3 = 0))
  expect_equal(apply(seen, 2, sd), c(v1 = 1, v2 = 1, v3 = 1))
})

test_that("a function that misbehaves is named", {
  d <- two_class(20)
  fit <- function(f) mkl(d$x, d$y, kernels = kernel_function(f, name = "mine"))
  expect_mkl_error(fit(function(x, z) stop("out of luck")), "`mine` failed.*out of luck", "mine")
  expect_mkl_error(fit(function(x, z) 1:3), "numeric matrix")
  expect_mkl_error(fit(function(x, z) matrix(0, 2, 2)), "20 x 20, not 2 x 2")
  expect_mkl_error(fit(function(x, z) matrix(NaN, nrow(x), nrow(z))), "entry \\[1, 1\\] is NaN")
  expect_mkl_error(fit(function(x, z) outer(seq_len(nrow(x)), rep(1, nrow(z)))), "symmetric")
  expect_mkl_error(kernel_function("rbf"), "a function of two matrices", "f")
  good <- kernel_function(function(x, z) {
    if (nrow(x) == 2) stop("not for new rows")
    tcrossprod(x, z)
  })
  expect_mkl_error(predict(mkl(d$x, d$y, kernels = good), d$x[1:2, ]), "not for new rows")
})

test_that("precomputed matrices are checked", {
  K <- diag(4)
  expect_identical(names(kernel_precomputed(K)), "K")
  expect_identical(names(kernel_precomputed(K, name = "texts")), "texts")
  expect_mkl_error(kernel_precomputed(matrix(0, 2, 3)), "square, not 2 x 3")
  expect_mkl_error(kernel_precomputed(1:4), "numeric matrix")
  expect_mkl_error(kernel_precomputed(matrix("a", 2, 2)), "numeric matrix")
  K[2, 3] <- 0.5
  expect_mkl_error(kernel_precomputed(K), "entry \\[3, 2\\] is 0 but \\[2, 3\\] is 0.5|\\[2, 3\\]")
  K[2, 3] <- 1e-12
  expect_s3_class(kernel_precomputed(K), "mkl_kernels")
  K[2, 3] <- K[3, 2] <- NaN
  expect_mkl_error(kernel_precomputed(K), "entry \\[3, 2\\] is NaN")
  expect_s3_class(kernel_precomputed(matrix(1L, 2, 2)), "mkl_kernels")
})

test_that("a list of matrices is fitted and predicted, in any order of names", {
  d <- two_class()
  x <- scale(d$x)
  a <- tcrossprod(x)
  b <- gauss(x, x, 1)
  # tight, because the matrices differ in their last bits
  control <- mkl_control(tol = 1e-10)
  fit <- mkl(list(lin = a, rad = b), d$y, learner = learner_average(), control = control)
  data_fit <- mkl(d$x, d$y, kernels = kernel_set(kernel_linear(), kernel_rbf(1)),
                  learner = learner_average(), control = control)
  new <- 5:12
  expected <- predict(data_fit, d$x[new, ], type = "decision")
  expect_equal(predict(fit, list(lin = a[new, ], rad = b[new, ]), type = "decision"), expected,
               tolerance = 1e-6)
  expect_identical(
    predict(fit, list(rad = b[new, ], lin = a[new, ]), type = "decision"),
    predict(fit, list(lin = a[new, ], rad = b[new, ]), type = "decision")
  )
  expect_identical(
    predict(fit, list(a[new, ], b[new, ]), type = "decision"),
    predict(fit, list(lin = a[new, ], rad = b[new, ]), type = "decision")
  )
  expect_length(predict(fit, list(lin = a[0, ], rad = b[0, ])), 0L)
})

test_that("new matrices of the wrong shape, count or name are refused", {
  d <- two_class()
  a <- tcrossprod(d$x)
  fit <- mkl(list(one = a, two = a), d$y, learner = learner_average())
  expect_mkl_error(predict(fit, list(one = a)), "2 kernel matrices.*not 1")
  expect_mkl_error(predict(fit, list(one = a, too = a)), "lacks the kernel `two`")
  expect_mkl_error(predict(fit, list(one = a, two = a[, 1:9])), "60 training rows, not 9")
  expect_mkl_error(predict(fit, list(one = a, two = a[1:3, ])), "3 new rows")
  expect_mkl_error(predict(fit, a), "named list")
  a[1, 2] <- Inf
  expect_mkl_error(predict(fit, list(one = a, two = a)), "\\[1, 2\\] is Inf")
})

test_that("a missing value in a new matrix gives NA in its place", {
  d <- two_class()
  a <- tcrossprod(d$x)
  fit <- mkl(list(a = a), d$y)
  new <- a[1:4, ]
  new[3, 10] <- NA
  expect_identical(is.na(predict(fit, new)), c(FALSE, FALSE, TRUE, FALSE))
})

test_that("matrices and columns mix", {
  d <- two_class()
  K <- tcrossprod(d$x)
  fit <- mkl(d$x, d$y, kernels = kernel_set(kernel_rbf(1), kernel_precomputed(K)),
             learner = learner_average())
  expect_equal(predict(fit, d$x[1:5, ], precomputed = list(K = K[1:5, ]), type = "decision"),
               predict(fit, type = "decision")[1:5], tolerance = 1e-6)
  expect_mkl_error(predict(fit, d$x[1:5, ]), "precomputed = list\\(K = \\)")
  expect_mkl_error(mkl(list(K), d$y, kernels = kernel_rbf(1)), "needs columns")
})

test_that("a matrix may be a factor of several products", {
  d <- two_class()
  K <- tcrossprod(d$x)
  fit <- mkl(d$x, d$y, kernels = kernel_precomputed(K) * kernel_rbf(1:2),
             learner = learner_average())
  expect_equal(predict(fit, d$x[1:5, ], precomputed = list(K = K[1:5, ]), type = "decision"),
               predict(fit, type = "decision")[1:5], tolerance = 1e-6)
  other <- kernel_precomputed(2 * K, name = "K") * kernel_rbf(1)
  expect_mkl_error(
    mkl(d$x, d$y, kernels = c(kernel_precomputed(K) * kernel_rbf(1), other)),
    "two different matrices"
  )
})

test_that("cosine of a matrix needs the similarity of new rows to themselves", {
  d <- two_class()
  K <- tcrossprod(d$x) + 1
  fit <- mkl(list(K = K), d$y, normalize = "cosine")
  new <- K[1:5, ]
  expect_mkl_error(predict(fit, list(K = new)), "attribute \"diagonal\"")
  attr(new, "diagonal") <- diag(K)[1:5]
  expect_equal(predict(fit, list(K = new), type = "decision"),
               predict(fit, type = "decision")[1:5], tolerance = 1e-6)
})

test_that("names of columns say which training row is which", {
  d <- two_class(30)
  ids <- sprintf("case%02d", 1:30)
  a <- tcrossprod(d$x)
  b <- gauss(d$x, d$x, 1)
  dimnames(a) <- dimnames(b) <- list(ids, ids)
  fit <- mkl(list(a = a, b = b), d$y, learner = learner_average())
  decide <- function(a, b) predict(fit, list(a = a, b = b), type = "decision")
  right <- decide(a[1:5, ], b[1:5, ])
  expect_equal(right, predict(fit, type = "decision")[1:5], tolerance = 1e-6)
  expect_identical(decide(a[1:5, 30:1], b[1:5, c(2:30, 1)]), right)
  # without names, or with names of another kind, the order counts
  expect_identical(decide(unname(a[1:5, ]), b[1:5, ]), right)
  expect_identical(decide(`colnames<-`(a[1:5, ], paste0("V", 1:30)), b[1:5, ]), right)
  expect_mkl_error(decide(`colnames<-`(a[1:5, ], c(ids[1:29], "x")), b[1:5, ]),
                   "no column for the training row \"case30\"", "a")
  expect_mkl_error(mkl(list(a = a, b = b[30:1, 30:1]), d$y, learner = learner_average()),
                   "`b` has the row named \"case30\" at position 1, but `a` has it at position 30",
                   "b")
  # rows that are left out at the fit, cosine, columns besides
  y <- d$y
  y[4] <- NA
  part <- mkl(d$x, y, kernels = kernel_set(kernel_rbf(1), kernel_precomputed(b)),
              normalize = "cosine", learner = learner_average())
  new <- structure(b[1:5, ], diagonal = rep(1, 5))
  mixed <- structure(b[1:5, 30:1], diagonal = rep(1, 5))
  expect_identical(predict(part, d$x[1:5, ], precomputed = mixed, type = "decision"),
                   predict(part, d$x[1:5, ], precomputed = list(b = new), type = "decision"))
})
