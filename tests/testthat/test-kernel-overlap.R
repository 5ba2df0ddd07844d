overlap <- function(a, b) mean(vapply(seq_along(a), function(v) {
  identical(as.character(a[[v]]), as.character(b[[v]]))
}, NA))

answers <- function(n, seed, levels = 3, p = 4) {
  with_seed(seed, as.data.frame(stats::setNames(lapply(seq_len(p), function(v) {
    factor(sample(letters[seq_len(levels)], n, TRUE), letters[seq_len(levels)])
  }), paste0("q", seq_len(p)))))
}

test_that("kernel_overlap() is the share of equal categories", {
  x <- answers(40, 1)
  expect_definition(kernel_overlap(), overlap, x, answers(9, 2))
  # text, ordered factors and flags are categories, numbers are not unless they are named
  mixed <- data.frame(
    x[1:2], word = as.character(x$q3), grade = factor(x$q4, letters[3:1], ordered = TRUE),
    flag = x$q1 == x$q2, age = seq(20, 59)
  )
  expect_equal(kernel_matrix(kernel_overlap(), mixed), kernel_by_pairs(overlap, mixed[1:5]),
               tolerance = 1e-12)
  mixed$age <- rep(c(1.5, 2), 20)
  some <- c("age", "grade", "flag")
  expect_equal(kernel_matrix(kernel_overlap(on = some), mixed),
               kernel_by_pairs(overlap, mixed[some]), tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_overlap(on = ~ q1 + q2), mixed),
               kernel_by_pairs(overlap, mixed[1:2]), tolerance = 1e-12)
  # a matrix holds codes
  codes <- data.matrix(x)
  expect_equal(kernel_matrix(kernel_overlap(), codes), kernel_matrix(kernel_overlap(), x),
               tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_overlap(), codes + 0.25), kernel_matrix(kernel_overlap(), x),
               tolerance = 1e-12)
  # an indicator without the others of its factor is a category of two values
  expect_equal(kernel_matrix(kernel_overlap(on = "q1a"), x),
               outer(x$q1 == "a", x$q1 == "a", `==`) + 0)
})

test_that("kerntools gives the same", {
  x <- answers(20, 4)
  expect_equal(kernel_matrix(kernel_overlap(), x), unname(kerntools("Dirac")(x)), tolerance = 1e-12)
})

test_that("levels that the fit did not see equal nothing", {
  x <- answers(40, 1, levels = 2)
  z <- answers(9, 2, levels = 5)
  expect_equal(kernel_matrix(kernel_overlap(), x, z), kernel_by_pairs(overlap, z, x),
               tolerance = 1e-12)
  cosine <- kernel_overlap(normalize = "cosine")
  expect_equal(kernel_matrix(cosine, x, z), kernel_by_pairs(overlap, z, x), tolerance = 1e-12)
  y <- factor(x$q1 == x$q2)
  fit <- mkl(x, y, kernels = kernel_overlap())
  expect_false(anyNA(predict(fit, z)))
  expect_warning(
    missing <- predict(fit, z, new_levels = "missing"), class = "multikernel_new_levels"
  )
  expect_identical(is.na(unname(missing)), rowSums(data.matrix(z) > 2) > 0)
  # where another kernel sees the factor, an unknown level is an error
  both <- kernel_set(kernel_overlap(), kernel_rbf(1, on = "q1"))
  fit <- mkl(x, y, kernels = both, learner = "average")
  expect_error(predict(fit, z), "q1", class = "multikernel_error")
  z$q1 <- x$q1[1:9]
  expect_false(anyNA(predict(fit, z)))
  expect_error(kernel_matrix(kernel_rbf(1), x, answers(9, 2, 5)), class = "multikernel_error")
})

test_that("edge cases: one level, one row, one column, all rows different", {
  one <- data.frame(a = factor(rep("only", 5)), b = factor(letters[1:5]))
  expect_equal(kernel_matrix(kernel_overlap(), one), diag(5) / 2 + 0.5)
  expect_identical(kernel_matrix(kernel_overlap(), one[1, ]), matrix(1))
  expect_equal(kernel_matrix(kernel_overlap(on = "b"), one), diag(5))
  expect_equal(kernel_matrix(kernel_overlap(), one["a"], data.frame(a = "new")), matrix(0, 1, 5))
  one$a[3] <- NA
  expect_error(kernel_matrix(kernel_overlap(), one), "row 3", class = "multikernel_error")
})

test_that("formulas, interactions, views, products and stored fits", {
  x <- answers(60, 1)
  z <- answers(9, 2)
  y <- factor(x$q1 == x$q2)
  same <- function(a, b) expect_equal(
    unname(predict(a, z, type = "decision")), unname(predict(b, z, type = "decision")),
    tolerance = 1e-8
  )
  fit <- mkl(x, y, kernels = kernel_overlap(on = c("q1", "q2")))
  same(mkl(y ~ overlap(q2, q1), data.frame(x, y = y)), fit)
  pairs <- kernel_by_pairs(function(a, b) {
    (identical(a$q1, b$q1) && identical(a$q2, b$q2)) + 0
  }, x)
  crossed <- mkl(y ~ overlap(q1:q2), data.frame(x, y = y))
  expect_equal(unname(crossed$decision), unname(mkl(list(K = pairs), y)$decision), tolerance = 1e-6)
  expect_equal(kernel_matrix(kernel_overlap(on = "q1") * kernel_overlap(on = "q2"), x), pairs,
               tolerance = 1e-12)
  v <- views(a = x, b = matrix(seq(0, 1, length.out = 60)))
  seen <- mkl(v, y, learner = "average", kernels = list(a = kernel_overlap(), b = kernel_linear()))
  unseen <- views(a = answers(9, 2, levels = 5), b = matrix(0, 9, 1))
  expect_false(anyNA(predict(seen, unseen)))
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), z), predict(fit, z))
})

# Indicators of large factors are sparse where kernel_overlap() alone reads them. `size` levels.
large <- function(n, seed, size = 300) with_seed(seed, data.frame(
  f = factor(paste0("l", sample(size, n, TRUE)), paste0("l", seq_len(size))),
  g = factor(sample(letters[1:3], n, TRUE), letters[1:3]), v = sample(4, n, TRUE) + 0.5
))

# Shares of equal values of the columns of two tables, without a loop over pairs.
shares <- function(a, b, columns) Reduce(`+`, lapply(columns, function(v) {
  outer(as.character(a[[v]]), as.character(b[[v]]), `==`)
})) / length(columns)

# Code with indicators that are dense whatever their size.
with_dense <- function(code) with_function("sparse_cells", function() Inf, code)

test_that("large factors make no indicator matrix", {
  x <- large(20000, 1, 2000)
  z <- large(50, 2, 2200)
  dense <- 8 * nrow(x) * 2000
  y <- factor(x$g == "a")
  fit <- suppressMessages(mkl(
    x, y, kernels = kernel_overlap(), learner = "average", approximate = nystrom(20)
  ))
  expect_lt(as.numeric(object.size(fit)), dense / 20)
  frame <- suppressMessages(as_frame(x, y))
  expect_s3_class(frame$x, "sparse_features")
  expect_lt(as.numeric(object.size(frame$x)), dense / 20)
  expect_false(anyNA(predict(fit, z)))
  expect_lt(as.numeric(object.size(bake_frame(fit$frame, x))), dense / 20)
  fit <- suppressMessages(mkl(x[1:1500, ], y[1:1500], kernels = kernel_overlap()))
  expect_s3_class(fit$train, "sparse_features")
  expect_lt(as.numeric(object.size(fit)), 8 * 1500 * 2000 / 20)
})

test_that("sparse indicators give the definition", {
  skip_if_not_installed("Matrix")
  x <- large(400, 1)
  z <- large(30, 2, 320)
  matrix_of <- function(...) suppressMessages(kernel_matrix(...))
  known <- shares(x, x, 1:2)
  expect_equal(matrix_of(kernel_overlap(), x), known, tolerance = 1e-12)
  expect_equal(matrix_of(kernel_overlap(), x, z), shares(z, x, 1:2),
               tolerance = 1e-12)
  expect_equal(matrix_of(kernel_overlap(on = c("f", "v")), x, z),
               shares(z, x, c(1, 3)), tolerance = 1e-12)
  product <- kernel_overlap(on = "f") * kernel_overlap(on = "g")
  expect_equal(matrix_of(product, x, z), shares(z, x, 1) * shares(z, x, 2), tolerance = 1e-12)
  mean <- mean(diag(known))
  expect_equal(matrix_of(kernel_overlap(normalize = "trace"), x), known / mean, tolerance = 1e-12)
  centre <- diag(400) - 1 / 400
  expect_equal(matrix_of(kernel_overlap(normalize = "center"), x), centre %*% known %*% centre,
               tolerance = 1e-10)
  expect_equal(matrix_of(kernel_overlap(on = "fl7"), x),
               outer(x$f == "l7", x$f == "l7", `==`) + 0)
  # an rbf beside it reads the indicators
  beside <- matrix_of(kernel_set(kernel_overlap(), kernel_rbf(2, on = "f")), x)
  expect_equal(beside[[1]], known, tolerance = 1e-12)
  expect_equal(beside[[2]], exp(-outer(x$f, x$f, `!=`) * 2 / (2 * 2^2)), tolerance = 1e-12)
  # sparse matrices hold codes, as others do
  codes <- cbind(f = as.integer(x$f) - 1L, g = as.integer(x$g) - 1L) + 0
  expect_equal(matrix_of(kernel_overlap(), Matrix::Matrix(codes, sparse = TRUE)), known,
               tolerance = 1e-12)
  # views
  v <- views(a = x[1:2], b = matrix(seq(0, 1, length.out = 400)))
  kernels <- list(a = kernel_overlap(), b = kernel_rbf(1))
  expect_equal(matrix_of(kernels, v)[[1]], known, tolerance = 1e-12)
})

test_that("fits with sparse indicators are those of the matrix", {
  x <- large(400, 1)
  z <- large(30, 2)
  x$y <- with_seed(3, factor(sample(c("p", "q"), 400, TRUE)))
  K <- shares(x, x, 1:2)
  cross <- shares(z, x, 1:2)
  oracle <- mkl(list(K = K), x$y, learner = learner_average())
  wanted <- unname(predict(oracle, list(K = cross), "decision"))
  quiet <- suppressMessages
  fits <- list(
    quiet(mkl(x[1:3], x$y, learner = "average", kernels = kernel_overlap())),
    quiet(mkl(y ~ f + g, x, learner = "average", kernels = kernel_overlap())),
    quiet(mkl(y ~ overlap(f, g), x, learner = "average")),
    quiet(mkl(views(a = x[1:2]), x$y, learner = "average", kernels = kernel_overlap()))
  )
  for (fit in fits) {
    new <- if (inherits(fit$frame, "frame_views")) views(a = z[1:2]) else z
    expect_equal(unname(predict(fit, new, "decision")), wanted, tolerance = 1e-5)
  }
  for (fit in fits[1:3]) expect_s3_class(fit$train, "sparse_features")
  # unknown levels, and a kernel that needs indicators of the same factor
  z$f <- as.character(z$f)
  z$f[4] <- "new"
  expect_false(anyNA(predict(fits[[1]], z)))
  lost <- quiet(suppressWarnings(predict(fits[[1]], z, new_levels = "missing")))
  expect_identical(which(is.na(unname(lost))), 4L)
  both <- kernel_set(kernel_overlap(), kernel_rbf(1, on = "f"))
  fit <- quiet(mkl(x[1:3], x$y, learner = "average", kernels = both))
  expect_true(is.matrix(fit$train))
  expect_error(predict(fit, z), "unknown at the fit", class = "multikernel_error")
  expect_false(anyNA(predict(fit, z[-4, ])))
})

test_that("missing values beside sparse indicators", {
  x <- large(400, 1)
  y <- with_seed(3, factor(sample(c("p", "q"), 400, TRUE)))
  holes <- x
  holes$f[c(2, 9)] <- NA
  quiet <- suppressMessages
  a <- quiet(mkl(holes, y, learner = "average", kernels = kernel_overlap()))
  b <- quiet(mkl(x[-c(2, 9), ], y[-c(2, 9)], learner = "average", kernels = kernel_overlap()))
  expect_equal(unname(a$decision), unname(b$decision), tolerance = 1e-10)
  expect_identical(which(is.na(unname(predict(a, holes[1:10, ])))), c(2L, 9L))
  expect_error(quiet(kernel_matrix(kernel_overlap(), holes)), "row 2", class = "multikernel_error")
  # in views the most frequent level stands in, and cases may lack the view
  most <- names(which.max(table(holes$f)))
  filled <- holes
  filled$f[c(2, 9)] <- most
  other <- matrix(seq(0, 1, length.out = 400), dimnames = list(1:400, "u"))
  fit <- function(table, ...) quiet(mkl(
    views(a = table, b = other), y, learner = "average",
    kernels = list(a = kernel_overlap(on = c("f", "g")), b = kernel_linear()), ...
  ))
  expect_equal(fit(holes)$decision, fit(filled)$decision, tolerance = 1e-10)
  expect_s3_class(fit(holes)$train$views$a, "sparse_features")
  new <- views(a = holes[1:10, ], b = other[1:10, , drop = FALSE])
  expect_equal(predict(fit(holes), new, "decision"),
               predict(fit(filled), views(a = filled[1:10, ], b = other[1:10, , drop = FALSE]),
                       "decision"), tolerance = 1e-10)
  part <- holes[31:400, ]
  for (missing in c("available", "impute", "omit")) {
    one <- fit(part, missing = missing)
    two <- with_dense(fit(part, missing = missing))
    expect_true(is.matrix(two$train$views$a))
    expect_equal(one$decision, two$decision, tolerance = 1e-10)
    expect_equal(predict(one, new, "decision"), predict(two, new, "decision"), tolerance = 1e-10)
    alone <- views(b = other[1:5, , drop = FALSE])
    expect_equal(predict(one, alone, "decision"), predict(two, alone, "decision"),
                 tolerance = 1e-10)
  }
})

test_that("resampling with sparse indicators is that with dense ones", {
  x <- large(400, 1)
  x$y <- with_seed(3, factor(sample(c("p", "q"), 400, TRUE)))
  scores <- function() with_seed(1, suppressMessages(cv_mkl(
    y ~ overlap(f, g), x, learner = "average", folds = 2
  )))$results$accuracy
  one <- scores()
  expect_true(all(is.finite(one)) && length(one) == 2L)
  expect_identical(one, with_dense(scores()))
})

test_that("functions of one kernel read large factors", {
  x <- large(400, 1)[1:2]
  z <- large(30, 2)[1:2]
  quiet <- suppressMessages
  # the default rank reproduces the kernel matrix
  gram <- function(kernel) tcrossprod(quiet(empirical_map(kernel, x))$training)
  differ <- 2 * (2 - shares(x, x, 1) - shares(x, x, 2))
  expect_equal(unname(gram(kernel_laplacian(2))), exp(-differ / 2), tolerance = 1e-6)
  expect_equal(unname(gram(kernel_overlap())), shares(x, x, 1:2), tolerance = 1e-6)
  expect_equal(quiet(kernel_matrix(kernel_laplacian(2), x, z)),
               exp(-(2 - shares(z, x, 1) - shares(z, x, 2))), tolerance = 1e-12)
  # learners that see columns
  y <- factor(x$g == "a")
  dense <- function(x) do.call(cbind, lapply(x, function(v) outer(v, levels(v), `==`) + 0))
  a <- quiet(mkl(x, y, learner = learner_knn(5)))
  b <- mkl(dense(x), y, learner = learner_knn(5), scale = FALSE)
  expect_identical(as.character(predict(a, z)), as.character(predict(b, dense(z))))
})
