# Terms of formulas, of a few columns and of very many.

wide <- function(n, p) {
  i <- seq_len(n)
  x <- vapply(seq_len(p), function(j) sin(i * (j + 0.37)), numeric(n))
  colnames(x) <- paste0("x", seq_len(p))
  list(x = x, data = data.frame(x, y = factor(rep(c("a", "b"), length.out = n))))
}

decide <- function(fit, ...) predict(fit, ..., type = "decision")

labels_of <- function(formula, data) {
  scope <- list(env = environment(formula), data = data, features = feature_names(formula, data))
  set_labels(expand_terms(formula[[length(formula)]], scope))
}

test_that("terms are those of stats::terms()", {
  data <- data.frame(y = 1, a = 1, b = 1, c = 1, d = 1)
  formulas <- list(
    y ~ ., y ~ . - a, y ~ a * b - a, y ~ (a + b)^2 - b:a, log(y) ~ ., y ~ a + b - (a + c),
    y ~ b:a + a, y ~ a / b + d, y ~ a %in% b, y ~ . - (a - b), y ~ a - a + a, y ~ -1 + a,
    y ~ 0 + . + a:b, y ~ (.)^2, y ~ log(a) + I(b^2):c, ~ a + (b + (c - b)), y ~ +a, y ~ -a + .,
    y ~ c + b * a + a:b:c, y ~ a + b - b + log(b)
  )
  for (formula in formulas) {
    expect_identical(
      labels_of(formula, data), attr(stats::terms(formula, data = data), "term.labels"),
      info = deparse(formula)
    )
  }
})

test_that("terms of random formulas are those of stats::terms()", {
  data <- data.frame(y = 1, a = 1, b = 1, c = 1, d = 1)
  leaves <- c("a", "b", "c", "d", "log(a)", "I(b^2)", ".", "1")
  grow <- function(depth) {
    if (depth == 0L) return(sample(leaves, 1L))
    operator <- sample(c("+", "+", "+", "-", "*", ":"), 1L)
    paste0("(", grow(depth - 1L), ") ", operator, " (", grow(depth - 1L), ")")
  }
  set.seed(1)
  for (i in 1:300) {
    formula <- stats::as.formula(paste("y ~", grow(sample(3L, 1L))))
    known <- tryCatch(attr(stats::terms(formula, data = data), "term.labels"),
                      error = function(e) NULL)
    if (!is.null(known)) expect_identical(labels_of(formula, data), known, info = deparse(formula))
  }
})

test_that("20,000 columns are fitted, predicted, updated and stored", {
  w <- wide(12, 20000)
  fit <- mkl(y ~ ., w$data)
  expect_identical(bare(decide(fit, w$data)), decide(mkl(w$x, w$data$y), w$x))
  expect_identical(all.vars(formula(fit)), c("y", colnames(w$x)))
  less <- update(fit, . ~ . - x3)
  expect_identical(colnames(less$train), colnames(w$x)[-3])
  file <- withr::local_tempfile()
  saveRDS(less, file, compress = FALSE)
  expect_identical(decide(readRDS(file), w$data), decide(less, w$data))
  expect_output(print(less), "19999 columns")
})

test_that("2,000 columns work in every form of a formula", {
  w <- wide(20, 2000)
  reference <- decide(mkl(w$x, w$data$y), w$x)
  long <- stats::as.formula(paste("y ~", paste(colnames(w$x), collapse = " + ")))
  fit <- mkl(long, w$data)
  expect_identical(bare(decide(fit, w$data)), reference)
  expect_identical(all.vars(formula(fit)), c("y", colnames(w$x)))
  expect_identical(colnames(update(fit, . ~ . - x1)$train), colnames(w$x)[-1])
  expect_identical(bare(decide(mkl(y ~ . - x3, w$data))), decide(mkl(w$x[, -3], w$data$y)))
  wider <- transform(w$data, more = 1)
  expect_identical(ncol(update(fit, . ~ ., data = wider)$train), 2000L)
  by_terms <- mkl(y ~ rbf(., sigma = 40) + linear(. - x3), w$data, learner = learner_average())
  direct <- mkl(w$x, w$data$y, learner = learner_average(),
                kernels = c(kernel_rbf(40), kernel_linear(on = ~ . - x3)))
  expect_equal(bare(decide(by_terms, w$data)), decide(direct, w$x))
  set.seed(1)
  by_formula <- cv_mkl(y ~ ., w$data, folds = 2)
  set.seed(1)
  by_matrix <- cv_mkl(w$x, w$data$y, folds = 2)
  expect_identical(by_formula$summary, by_matrix$summary)
  wave <- transform(w$data[1:2000], y = seq_len(20))
  expect_equal(bare(fitted(mkl(log(y) ~ ., wave))), fitted(mkl(w$x, log(1:20))))
})

test_that("what a formula takes away need not be a column of numbers, but must exist", {
  d <- two_class()$data
  day <- transform(d, day = as.Date("2020-01-01") + 1:60)
  fit <- mkl(class ~ . - day, day)
  expect_identical(decide(fit, d), decide(mkl(class ~ ., d), d))
  expect_mkl_error(mkl(class ~ . - dya, day), "Did you mean `day`", "dya")
})

test_that("a column that is named like a term is not taken for it", {
  d <- two_class()$data
  d[["exp(v1)"]] <- -d$v2
  expect_identical(decide(mkl(class ~ ., d), d), decide(mkl(d[-4], d$class), d))
  expect_mkl_error(mkl(class ~ . + exp(v1), d), "both a column that is named `exp\\(v1\\)`")
})

test_that("kernel terms cannot be taken away", {
  d <- two_class()$data
  expect_mkl_error(mkl(class ~ rbf(v1, sigma = 1) - linear(v2), d), "mixes kernels")
  fit <- mkl(class ~ rbf(v1, sigma = 1) + . - v2, d, kernels = kernel_linear(),
             learner = learner_average())
  direct <- mkl(class ~ rbf(v1, sigma = 1) + linear(v1, v3), d, learner = learner_average())
  expect_equal(decide(fit, d), decide(direct, d))
})

test_that("deeply nested code is gone through", {
  deep <- Reduce(function(a, b) call("+", a, b), lapply(paste0("x", 1:2000), as.name))
  expect_identical(variables_in(call("$", call("I", deep), quote(b))), paste0("x", 1:2000))
  expect_setequal(functions_in(call("f", deep)), c("f", "+"))
  expect_identical(assigned_in(call("{", deep, quote(a <- 1))), "a")
  expect_identical(variables_in(quote(x[1, ] + function(u, v) u)), "x")
})
