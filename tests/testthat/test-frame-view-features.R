d <- three_views()
v <- make_views(d)
fit <- mkl(v, d$y, learner = "average")

test_that("columns of every view go by name, in any order; others are ignored", {
  moved <- views(
    words = cbind(extra = 1, d$words[, 6:1]), rna = d$rna[, c(3, 1, 4, 2)],
    table = cbind(other = "x", d$table[3:1]), more = d$rna
  )
  expect_identical(predict(fit, moved, type = "decision"), predict(fit, v, type = "decision"))
  expect_identical(
    predict(fit, unclass(moved)[1:3], type = "decision"), predict(fit, v, type = "decision")
  )
})

test_that("missing columns are an error that names view and column", {
  bad <- function(view, column) {
    parts <- d[c("rna", "table", "words")]
    names <- colnames(parts[[view]])
    colnames(parts[[view]])[names == column] <- "other"
    parts
  }
  expect_mkl_error(
    predict(fit, bad("rna", "g2")), "newdata\\$rna` lacks the column `g2`", "newdata$rna"
  )
  expect_mkl_error(
    predict(fit, bad("table", "age")), "newdata\\$table` lacks the column `age`", "newdata$table"
  )
  expect_mkl_error(
    predict(fit, bad("words", "w6")), "newdata\\$words` lacks the column `w6`", "newdata$words"
  )
  expect_mkl_error(predict(fit, list(none = d$rna)), "none of the views of the fit", "newdata")
  expect_mkl_error(predict(fit, d$rna), "views\\(\\) like the training data", "newdata")
})

test_that("views without names of columns go by position", {
  parts <- lapply(d[c("rna", "words")], unname)
  fit <- mkl(parts, d$y, learner = "average")
  expect_identical(predict(fit, parts), bare(fitted(fit)))
  expect_identical(
    bare(predict(fit, d[c("rna", "words")], type = "decision")), predict(
      fit, parts, type = "decision"
    )
  )
  expect_mkl_error(
    predict(fit, list(rna = parts$rna[, 1:3], words = parts$words)),
    "3 columns, but the fit was made with 4",
    "newdata$rna"
  )
})

test_that("new data may be a data frame with a column for each view, by position", {
  frame <- as.data.frame(v)
  expect_identical(predict(fit, frame, type = "decision"), predict(fit, v, type = "decision"))
  frame$when <- as.Date("2020-01-01") # no view of the fit
  frame$rna <- frame$rna[, 4:1]
  frame$table <- NULL
  whole <- predict(fit, frame, type = "decision")
  rownames(frame$rna) <- rownames(d$rna)
  rownames(frame$words) <- rev(rownames(d$words))
  expect_identical(predict(fit, frame, type = "decision"), whole)
  expect_identical(whole, predict(fit, v[, c("rna", "words")], type = "decision"))
})

test_that("a view may be absent in new data, and there may be one case or none", {
  part <- predict(fit, views(rna = d$rna), type = "decision")
  expect_length(part, 60)
  expect_identical(names(part), rownames(d$rna))
  expect_identical(
    part[[7]], predict(fit, views(rna = d$rna[7, , drop = FALSE]), type = "decision")[[1]]
  )
  expect_length(predict(fit, v[0, ]), 0)
  holes <- make_views(d, list(table = 1:60, words = 1:60))
  expect_identical(predict(fit, holes, type = "decision"), part)
})

test_that("a case without any view is an error of its own class", {
  nobody <- make_views(d, list(rna = 4:5, table = 4:5, words = 4:5))
  e <- expect_mkl_error(
    predict(fit, nobody), "2 cases without any of the views", "newdata", "multikernel_data_error"
  )
  expect_identical(e$cases, 4:5)
  expect_mkl_error(mkl(nobody, d$y, learner = "average"), "2 cases without any of the views", "x")
  omitted <- suppressMessages(mkl(nobody, d$y, learner = "average", missing = "omit"))
  expect_identical(nobs(omitted), 58L)
  expect_identical(unname(which(is.na(predict(omitted, nobody)))), 4:5)
})

test_that("infinite values are an error that names the view", {
  bad <- d$rna
  bad[3, 2] <- Inf
  expect_mkl_error(mkl(views(rna = bad), d$y), "g2", "x$rna")
  expect_mkl_error(predict(fit, views(rna = bad)), "g2", "newdata$rna")
})

test_that("each view is standardized, but not columns of 0 and 1, indicators and sparse counts", {
  skip_if_not_installed("Matrix")
  sparse <- make_views(d, sparse = TRUE)
  fit <- mkl(sparse, d$y, learner = "average")
  center <- fit$frame$center
  expect_equal(center$rna, unname(colMeans(d$rna)))
  expect_equal(center$table, c(mean(d$table$age), 0, 0, 0, 0))
  expect_null(center$words)
  expect_equal(fit$frame$scale$rna, unname(apply(d$rna, 2, sd)))
  asked <- mkl(
    make_views(d, sparse = TRUE, scale = c(rna = FALSE, words = TRUE)), d$y, learner = "average"
  )
  expect_null(asked$frame$center$rna)
  expect_equal(asked$frame$center$words, unname(colMeans(d$words)))
  expect_identical(
    mkl(make_views(d, scale = list(rna = FALSE)), d$y)$frame$scale_views[["rna"]],
    FALSE
  )
  none <- mkl(sparse, d$y, learner = "average", scale = FALSE)
  expect_length(Filter(Negate(is.null), none$frame$center), 0)
})

test_that("views with kernels for raw values are left as they are unless views() asks", {
  counts <- views(words = d$words, rna = d$rna)
  kernels <- list(words = kernel_chisq(), rna = kernel_linear())
  fit <- mkl(counts, d$y, learner = "average", kernels = kernels)
  expect_null(fit$frame$center$words)
  expect_length(fit$frame$center$rna, 4)
  own <- list(words = kernel_function(function(x, z) tcrossprod(x, z)), rna = kernel_linear())
  expect_null(mkl(counts, d$y, learner = "average", kernels = own)$frame$center$words)
  asked <- views(words = d$words, rna = d$rna, scale = c(words = TRUE))
  expect_length(mkl(asked, d$y, learner = "average", kernels = own)$frame$center$words, 6)
})

test_that("sparse views become dense for kernels that need it, in new data too", {
  skip_if_not_installed("Matrix")
  sparse <- make_views(d, sparse = TRUE)
  kernels <- list(words = kernel_chisq(), rna = kernel_linear())
  fit <- mkl(sparse, d$y, learner = "average", kernels = kernels)
  same <- mkl(v, d$y, learner = "average", kernels = kernels)
  expect_identical(predict(fit, sparse, type = "decision"), predict(same, v, type = "decision"))
  expect_identical(
    predict(fit, views(rna = d$rna), type = "decision"),
    predict(same, views(rna = d$rna), type = "decision")
  )
  cv <- cv_mkl(sparse, d$y, learner = "average", kernels = kernels, folds = rep(c(1, 1, 2, 2), 15))
  expect_identical(
    cv$summary,
    cv_mkl(v, d$y, learner = "average", kernels = kernels, folds = rep(c(1, 1, 2, 2), 15))$summary
  )
})

test_that("unknown levels are one error for all of them, or missing values", {
  table <- cbind(d$table, site = rep(c("north", "south"), 30))
  fit <- mkl(views(rna = d$rna, table = table), d$y, learner = "average", kernels = kernel_linear())
  new <- table
  new$stage <- "z"
  new$site[2:3] <- "west"
  e <- expect_mkl_error(
    predict(fit, views(rna = d$rna, table = new)), "`stage`.*\"z\".*`site`.*\"west\""
  )
  expect_named(e$levels, c("stage", "site"))
  expect_warning(
    lost <- predict(fit, list(rna = d$rna, table = new), "decision", new_levels = "missing"),
    class = "multikernel_new_levels"
  )
  expect_false(anyNA(lost)) # the usual level stands in
})

test_that("unknown levels count as missing where missing values are filled in", {
  two <- views(rna = d$rna, table = d$table)
  fit <- mkl(two, d$y, kernels = list(rna = kernel_rbf(1), table = kernel_rbf(1)),
             new_levels = "missing")
  new <- views(rna = d$rna[1:3, ], table = transform(
    d$table[1:3, ], stage = factor(c("a", "other", "b"))
  ))
  expect_warning(found <- predict(fit, new, type = "decision"), "missing values in 1 row [(]2[)]")
  expect_false(anyNA(found))
})

test_that("a view of nothing but missing values is absent, whatever its type", {
  text <- stats::setNames(rep(c("acgt", "ggca", "ttac"), 20), rownames(d$rna))
  series <- stats::setNames(lapply(1:60, function(i) sin(i + seq_len(3 + i %% 4))), names(text))
  all <- views(rna = d$rna, text = text, series = series)
  fit <- mkl(all, d$y, learner = "average")
  alone <- predict(fit, views(rna = d$rna[1:2, ]), type = "decision")
  for (none in list(c(NA, NA), c(NA_character_, NA), list(NULL, NULL), list(NA, NA))) {
    found <- predict(fit, list(rna = d$rna[1:2, ], text = none, series = none), type = "decision")
    expect_identical(bare(found), bare(alone))
  }
  found <- predict(fit, list(rna = c(NA, NA), text = text[1:2]), type = "decision")
  expect_identical(bare(found), bare(predict(fit, list(text = text[1:2]), type = "decision")))
  expect_output(print(views(a = 1:2, b = list(NULL, NULL))), "2 absent")
})

test_that("columns of 0 and 1 are standardized where views() asks, dense and sparse alike", {
  skip_if_not_installed("Matrix")
  bits <- 1 * (d$words > 0)
  center <- function(x, ...) {
    v <- views(rna = d$rna, bits = x, ...)
    mkl(v, d$y, learner = "average", kernels = kernel_linear())$frame$center$bits
  }
  expect_null(center(bits))
  expect_equal(center(bits, scale = c(bits = TRUE)), unname(colMeans(bits)))
  sparse <- Matrix::Matrix(bits, sparse = TRUE)
  expect_equal(center(sparse, scale = c(bits = TRUE)), unname(colMeans(bits)))
  table <- views(rna = d$rna, table = d$table, scale = TRUE)
  fit <- mkl(table, d$y, learner = "average")
  expect_equal(fit$frame$center$table[c(2, 5)], c(0, mean(d$table$flag))) # not those of factors
})
