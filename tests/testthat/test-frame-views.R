d <- three_views(20)

test_that("views() keeps its sources, the cases and which of them lack a view", {
  v <- make_views(d, list(rna = 3:4))
  expect_s3_class(v, "views")
  expect_identical(dim(v), c(20L, 3L))
  expect_identical(dimnames(v), list(rownames(d$rna), c("rna", "table", "words")))
  expect_identical(unname(colSums(attr(v, "present"))), c(18, 20, 20))
  expect_snapshot(print(v))
  expect_snapshot(print(views(
    text = c("acgt", "ac", NA), kind = factor(c("a", "b", "a")), size = c(1, 2, 3)
  )))
})

test_that("cases are matched by name, in any order, and their union is taken", {
  a <- d$rna[c(3, 1, 2), ]
  b <- d$words[c(4, 2, 3), ]
  v <- views(a = a, b = b)
  expect_identical(rownames(v), c("case3", "case1", "case2", "case4"))
  expect_identical(
    unname(attr(v, "present")), cbind(c(TRUE, TRUE, TRUE, FALSE), c(TRUE, FALSE, TRUE, TRUE))
  )
  expect_identical(v$a["case1", ], d$rna["case1", ])
  expect_identical(unname(v$b[4, ]), unname(d$words[4, ]))
  expect_true(all(is.na(v$b[2, ])))
  text <- c(case2 = "ac", case4 = "gt")
  expect_identical(unname(views(a = a, text = text)$text), c(NA, NA, "ac", "gt"))
})

test_that("sparse matrices are matched by name too", {
  skip_if_not_installed("Matrix")
  b <- Matrix::Matrix(d$words[c(4, 2, 3), ], sparse = TRUE)
  v <- views(a = d$rna[c(3, 1, 2), ], b = b)
  expect_equal(unname(as.matrix(v$b)), unname(rbind(d$words[3, ], 0, d$words[2, ], d$words[4, ])))
  expect_identical(unname(attr(v, "present")[, "b"]), c(TRUE, FALSE, TRUE, TRUE))
})

test_that("views without names of cases go by position", {
  plain <- unname(d$rna[1:3, ])
  v <- views(a = plain, b = d$words[3:1, ])
  expect_identical(unname(v$b[1, ]), unname(d$words[3, ]))
  expect_mkl_error(views(a = plain, b = d$words[1:4, ]), "`b` has 4 rows and `a` has 3", "x")
})

test_that("what are no views is an error that says why", {
  expect_mkl_error(views(), "at least one view", "x")
  expect_mkl_error(views(d$rna), "needs a name", "x")
  expect_mkl_error(views(a = d$rna, a = d$words), "several views named `a`", "x")
  expect_mkl_error(views(a = function(x) x), argument = "x$a")
  expect_mkl_error(views(a = d$rna[c(1, 1), ], b = d$words), "several cases named `case1`", "x$a")
  expect_mkl_error(views(a = d$rna[1:3, ], b = d$words[4:6, ]), "no case in common", "x")
  expect_mkl_error(views(a = d$rna, scale = c(b = TRUE)), "must name views", "scale")
  expect_mkl_error(views(a = d$rna, scale = c(a = NA)), argument = "scale$a")
})

test_that("cases and views are picked, and given as a data frame", {
  v <- make_views(d)
  part <- v[c("case3", "case1"), c("words", "rna")]
  expect_identical(rownames(part), c("case3", "case1"))
  expect_identical(names(part), c("words", "rna"))
  expect_identical(part$rna, d$rna[c(3, 1), ])
  expect_identical(names(v["rna"]), "rna")
  expect_identical(dim(v[0, ]), c(0L, 3L))
  expect_mkl_error(v["nobody", ], argument = "i")
  expect_mkl_error(v[, "nothing"], argument = "j")
  frame <- as.data.frame(v)
  expect_identical(dim(frame), c(20L, 3L))
  expect_identical(colnames(frame$rna), colnames(d$rna))
  expect_s3_class(frame$table, "data.frame")
})

test_that("a response that names its cases is matched by these names", {
  v <- make_views(d)
  y <- stats::setNames(d$y, rownames(d$rna))
  plain <- mkl(v, d$y, learner = "average")
  expect_identical(coef(mkl(v, rev(y), learner = "average")), coef(plain))
  expect_identical(fitted(mkl(v, rev(y), learner = "average")), fitted(plain))
  expect_mkl_error(mkl(v, y[c(1:19, 1)], learner = "average"), "no value for the case", "y")
  other <- stats::setNames(d$y, paste0("row", 1:20))
  expect_identical(coef(mkl(v, other, learner = "average")), coef(plain))
})

test_that("lists are views unless they hold square matrices of one size", {
  fit <- mkl(d[c("rna", "words")], d$y, learner = "average")
  expect_identical(names(fit$frame$views), c("rna", "words"))
  expect_output(print(fit), "2 views [(]rna, words[)]")
  K <- tcrossprod(scale(d$rna))
  expect_null(mkl(list(a = K), d$y)$frame$views)
  expect_output(print(mkl(list(a = K), d$y)), "20 rows, 1 kernel matrix")
  expect_output(print(mkl(list(a = K, b = K), d$y)), "20 rows, 2 kernel matrices")
  square <- d$rna[1:4, ]
  forced <- mkl(views(a = square), d$y[1:4], learner = "average")
  expect_identical(names(forced$frame$views), "a")
})

test_that("views are replaced, added and taken away", {
  v <- make_views(d, list(words = 3L))
  v$rna <- d$rna[20:1, ] + 1 # by name
  expect_identical(v$rna, d$rna + 1)
  expect_identical(unname(colSums(attr(v, "present"))), c(20, 20, 19))
  v[["text"]] <- rep(c("a", NA), 10)
  expect_identical(names(v), c("rna", "table", "words", "text"))
  expect_identical(sum(attr(v, "present")[, "text"]), 10L)
  v$table <- NULL
  expect_identical(dim(v), c(20L, 3L))
  expect_identical(names(mkl(v, d$y, learner = "average")$frame$views), names(v))
  v[["few"]] <- d$rna[1:5, ]
  expect_identical(which(attr(v, "present")[, "few"]), 1:5)
  expect_mkl_error(v$odd <- unname(d$rna)[1:5, ], "5 rows, but the views have 20 cases", "x$odd")
  expect_mkl_error(v[[""]] <- d$rna, argument = "i")
})

test_that("a view without columns and a named list of series are errors that say so", {
  expect_mkl_error(mkl(views(a = d$rna, b = d$rna[, 0]), d$y), "View `b` of `x`", "x")
  series <- stats::setNames(lapply(1:20, function(i) seq_len(i)), rownames(d$rna))
  expect_mkl_error(mkl(series, d$y), "views[(]series = x[)]", "x")
})

test_that("views by position that name the same case in different rows are an error", {
  bare_words <- unname(d$words)
  expect_mkl_error(
    views(a = d$rna, b = d$words[20:1, ], c = bare_words),
    "`c` does not name its cases, but `a` has \"case20\" in row 20 and `b` in row 1", "x"
  )
  expect_mkl_error(
    views(z = bare_words, a = d$rna[1:2, ], b = d$rna[1:2, ], c = d$rna[2:1, ]), "2 rows", "x"
  )
  agreed <- views(a = d$rna, b = d$words, c = bare_words)
  expect_identical(rownames(agreed), rownames(d$rna))
})

test_that("weights and kernel matrices that name their cases do not go by position", {
  v <- make_views(d)
  cases <- rownames(d$rna)
  w <- stats::setNames(rep(c(1, 0.2, 3, 0.7), 5), cases)
  weighted <- function(w) {
    mkl(v, d$y, learner = learner_svm(), kernels = list(rna = kernel_rbf(1)), weights = w)
  }
  expect_identical(
    predict(weighted(rev(w)), type = "decision"), predict(weighted(unname(w)), type = "decision")
  )
  expect_mkl_error(weighted(w[c(1:19, 1)]), "`weights` has no value for the case", "weights")
  K <- tcrossprod(d$words)
  with_matrix <- function(K) {
    mkl(v, d$y, learner = "average", kernels = kernel_set(
      kernel_precomputed(K, name = "K"), kernel_linear(on = "rna")
    ))
  }
  fit <- with_matrix(K)
  expect_mkl_error(with_matrix(K[20:1, 20:1]), "\"case20\" at position 1, but the data.*20", "K")
  new <- v[1:5, ]
  given <- predict(fit, new, precomputed = list(K = K[1:5, ]))
  expect_identical(given, predict(fit, new, precomputed = list(K = unname(K[1:5, ]))))
  expect_mkl_error(predict(fit, new, precomputed = list(K = K[5:1, ])), "\"case5\"", "K")
})

test_that("a list of matrices without names asks for names", {
  expect_mkl_error(mkl(list(d$rna, d$words), d$y), "needs a name, as in views", "x")
  expect_mkl_error(
    mkl(list(a = matrix(rnorm(400), 20)), d$y), "must be symmetric.*views[(]a = [)]", "a"
  )
  expect_mkl_error(views(a = d$rna, scale = c(a = TRUE, a = FALSE)), "several values", "scale")
})
