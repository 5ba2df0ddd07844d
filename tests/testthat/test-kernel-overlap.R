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
