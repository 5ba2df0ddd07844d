# Data frames with a column of text beside others.
need_spectrum <- function() skip_if(is.null(find_constructor("spectrum")), "no kernel reads text")

words <- function(n) {
  vapply(seq_len(n), function(k) {
    place <- floor(abs(sin(12.9898 * k + 78.233 * seq_len(12))) * 43758.5453) %% 4
    paste(c(c("a", "c", "g", "t")[1 + place], if (k %% 2) "acgacg" else "ttatta"), collapse = "")
  }, "")
}

d <- two_class(60)
table <- data.frame(d$x, dna = words(60))
y <- factor(rep(c("no", "yes"), 30))
decide <- function(fit, ...) predict(fit, ..., type = "decision")

test_that("text that no kernel reads is an error that names spectrum() and how to leave it out", {
  expect_mkl_error(mkl(table, y), "kernel_spectrum[(]3, on = \"dna\"", "dna")
  expect_mkl_error(mkl(table, y, kernels = kernel_linear()), "kernel_spectrum", "dna")
  expect_mkl_error(mkl(y ~ ., cbind(table, y = y)), "y ~ . - dna.*spectrum[(]dna, k = 3", "dna")
  names(table)[4] <- "my dna"
  expect_mkl_error(mkl(y ~ ., cbind(table, y = y)), "spectrum[(]`my dna`, k = 3", "my dna")
})

test_that("a text column is a view of its own", {
  need_spectrum()
  kernels <- kernel_set(kernel_linear(on = c("v1", "v2")), kernel_spectrum(3, on = "dna"))
  fits <- list(
    mkl(table, y, learner = "average", kernels = kernels),
    mkl(y ~ linear(v1, v2) + spectrum(dna, k = 3), cbind(table, y = y), learner = "average"),
    mkl(views(columns = table[1:2], dna = table$dna), y, learner = "average", kernels = kernels)
  )
  for (fit in fits[1:2]) {
    expect_identical(unname(decide(fit, table)), unname(decide(fits[[1]], table)))
    expect_identical(decide(fit, table[c("dna", "v2", "v3", "v1")]), decide(fit, table))
    expect_mkl_error(predict(fit, table[1:3]), "`dna`")
    expect_mkl_error(predict(fit, transform(table, dna = v1)), argument = "newdata$dna")
    expect_length(predict(fit, table[0, ]), 0)
    expect_identical(unname(decide(fit, table[7, ])), unname(decide(fit, table))[7])
  }
  expect_equal(
    unname(decide(fits[[3]], list(columns = table[1:2], dna = table$dna))),
    unname(decide(fits[[1]], table)),
    tolerance = 1e-10
  )
})

test_that("missing text is a missing value, or an absent view", {
  need_spectrum()
  holes <- table
  holes$dna[c(3, 8)] <- NA
  kernels <- kernel_set(kernel_linear(on = c("v1", "v2")), kernel_spectrum(3, on = "dna"))
  expect_message(
    omit <- mkl(holes, y, learner = "average", kernels = kernels), "2 of 60 cases",
    class = "multikernel_lost_cases"
  )
  expect_identical(unname(which(is.na(predict(omit, holes)))), c(3L, 8L))
  for (missing in c("available", "impute")) {
    fit <- mkl(holes, y, learner = "average", kernels = kernels, missing = missing)
    expect_identical(nobs(fit), 60L)
    expect_false(anyNA(predict(fit, holes)))
  }
})

test_that("text alone, text of few values, and resampling", {
  need_spectrum()
  alone <- mkl(table$dna, y)
  expect_identical(unname(coef(alone)), 1)
  expect_identical(predict(alone, table$dna[1:3]), bare(fitted(alone))[1:3])
  expect_mkl_error(predict(alone, 1:3), "text like the training data", "newdata")
  named <- stats::setNames(table$dna, paste0("p", 1:60))
  expect_named(predict(mkl(named, y), named[2:3]), c("p2", "p3"))
  few <- data.frame(d$x, kind = rep(c("aca", "ttt", "gca"), 20))
  fit <- mkl(
    few, y, learner = "average",
    kernels = kernel_set(kernel_spectrum(2, on = "kind"), kernel_linear(on = "v1"))
  )
  expect_length(predict(fit, few), 60)
  cv <- cv_mkl(
    y ~ spectrum(dna, k = 3) + linear(v1), cbind(table, y = y), learner = "average",
    folds = rep(c(1, 1, 2, 2), 15)
  )
  expect_true(all(is.finite(cv$results$accuracy)))
  default <- mkl(views(dna = table$dna, numbers = d$x), y)
  expect_identical(names(kernel_weights(default, by = "view")), c("dna", "numbers"))
})

test_that("text goes to the core as UTF-8, and views of text print their letters", {
  expect_output(print(views(a = words(4))), "text of 18 letters")
})
