# What a formula takes from its surroundings, at the fit and for new data.

d <- two_class(60)$data
d$v2 <- abs(d$v2) + 0.1

same_rows <- function(fit, data) {
  expect_equal(predict(fit, data, type = "decision"), predict(fit, type = "decision"),
               tolerance = 1e-10)
}

test_that("functions of the surroundings stay with the fit", {
  local_fit <- function() {
    power <- 2
    bend <- function(x) x^power
    mkl(class ~ bend(v1) + log(v2), d)
  }
  fit <- local_fit()
  same_rows(fit, d)
  # another function of that name, where predict() is called, changes nothing
  bend <- function(x) -x^3
  same_rows(fit, d)
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  same_rows(readRDS(file), d)
  expect_false(any(c("log", "list") %in% names(fit$frame$constants)))
})

test_that("values that are not one for each row stay with the fit", {
  breaks <- c(-Inf, 0, Inf)
  knots <- c(-0.5, 0.5)
  same_rows(mkl(class ~ cut(v1, breaks) + v2, d), d)
  same_rows(mkl(class ~ splines::ns(v1, knots = knots), d), d)
  same_rows(mkl(class ~ rbf(cut(v1, breaks), v2, sigma = 1), d), d)
  outside <- d$v3 # one for each row: a column, which new data must have
  fit <- mkl(class ~ v1 + outside, d)
  expect_mkl_error(predict(fit, d), "lacks the column `outside`")
})

test_that("what stands behind $ is no variable", {
  fit <- mkl(d$class ~ d$v1)
  expect_identical(nobs(fit), 60L)
  expect_mkl_error(predict(fit, d), "lacks the column `d`")
  found <- variables_in(quote(a$b + f(x, y@z) + sapply(w, stats::sd)))
  expect_setequal(found, c("a", "x", "y", "w"))
})

test_that("functions are found wherever they are called", {
  d$bend <- d$v1
  fit <- local({
    bend <- function(x) x^2
    ops <- list(cube = function(x) x^3)
    mkl(class ~ bend(bend) + ops$cube(v2) + sapply(v3, function(v) v + 1), d)
  })
  same_rows(fit, d)
  # functions that a package imports
  formula <- class ~ setNames(v1, NULL)
  environment(formula) <- new.env(parent = asNamespace("multikernel"))
  expect_identical(own_function("mapvalues", new.env()), NULL)
  imported <- ls(parent.env(asNamespace("multikernel")))[1]
  expect_true(is.function(own_function(imported, environment(formula))))
  expect_null(own_function("log", environment(formula)))
})

test_that("data may be an environment with other things in it", {
  place <- list2env(d)
  place$other <- 1:7
  place$bend <- function(x) x^2
  expect_equal(bare(predict(mkl(class ~ v1 + v2, place), type = "decision")),
               bare(predict(mkl(class ~ v1 + v2, d), type = "decision")))
})

test_that("results do not carry what a formula does not use", {
  tuned <- local({
    large <- rnorm(1e5)
    tune_mkl(class ~ v1 + log(v2), d, learner = learner_svm(), grid = list(cost = 1:2), folds = 2)
  })
  expect_lt(length(serialize(tuned, NULL)), 4e5)
})

test_that("arrays are no columns", {
  d$cube <- array(0, c(60, 2, 2))
  expect_mkl_error(mkl(class ~ cube, d), "an array with 3 dimensions", "cube")
})

test_that("a further column of new data does not stand in for a value of the fit", {
  fit <- local({
    power <- 2
    mkl(class ~ I(v1^power) + v2, d)
  })
  same_rows(fit, transform(d, power = 7))
})

test_that("functions inside of a formula may have variables of their own", {
  outside <- 2
  twice <- function(v) 2 * v
  fits <- list(
    mkl(class ~ sapply(v1, function(v) {
      own <- v * 2
      for (i in 1:2) own <- own + i
      own
    }), d),
    mkl(class ~ sapply(v1, function(v, k = outside, f = twice) f(v) * k), d),
    mkl(class ~ sapply(v1, "twice") + v2, d)
  )
  outside <- 3
  twice <- function(v) -v
  for (fit in fits) same_rows(fit, d)
  expect_setequal(variables_in(quote(function(v, k = a) {
    b <- v
    b + k + z
  })), c("a", "z"))
})

test_that("a name may be that of a value and of a function", {
  fit <- local({
    bend <- function(v) v^2
    local({
      bend <- 3
      mkl(class ~ I(v1 * bend) + bend(v2), d)
    })
  })
  same_rows(fit, d)
})

test_that("functions bring no more along than they use", {
  fit <- local({
    large <- rnorm(1e5)
    power <- 2
    half <- function(v) v / 2
    bend <- function(v) half(v)^power
    mkl(class ~ bend(v1) + v2, d)
  })
  same_rows(fit, d)
  expect_lt(length(serialize(fit, NULL)), 2e5)
})

test_that("the response of new rows is found by the functions and values of the fit", {
  fit <- local({
    cut_at <- 0.2
    high <- function(v) factor(v > cut_at + median(v) - median(v), labels = c("low", "high"))
    mkl(high(v3) ~ v1 + v2, d)
  })
  expect_identical(as.character(true_response(fit, d, NULL)), ifelse(d$v3 > 0.2, "high", "low"))
  expect_true(is.null(true_response(fit, d[c("v1", "v2")], NULL)))
})

test_that("matrices in a list whose row names contradict each other are an error", {
  d <- three_views(20)
  sources <- list(y = d$y, rna = d$rna, words = d$words[20:1, ])
  expect_mkl_error(
    mkl(y ~ linear(rna) + linear(words), sources, learner = "average"),
    "`rna` has the case \"case20\" in row 20 and `words` in row 1.*views[(]rna = ", "words"
  )
  sources$words <- unname(sources$words)
  expect_s3_class(mkl(y ~ linear(rna) + linear(words), sources, learner = "average"), "mkl")
})

test_that("a column of series or graphs says which kernels read it", {
  data <- data.frame(y = rep(c("a", "b"), 10), z = 1:20)
  data$growth <- lapply(1:20, function(i) sin(i + 1:5))
  expect_mkl_error(mkl(y ~ ., data), "alignment[(]growth[)] for series", "growth")
})

test_that("a data frame within a data frame says to give views", {
  d <- three_views(20)
  data <- as.data.frame(make_views(d))
  expect_mkl_error(mkl(data, d$y), "is a data frame. Give the sources as views[(][)]", "table")
  data$y <- d$y
  expect_mkl_error(mkl(y ~ ., data), "Give the sources as views[(][)]", "formula")
})

test_that("the response of new rows does not come from an attached package", {
  names(d)[names(d) == "class"] <- "outcome"
  fit <- mkl(outcome ~ v1 + v2, d)
  attach(list(outcome = d$outcome), name = "data_of_a_package", warn.conflicts = FALSE)
  on.exit(detach("data_of_a_package", character.only = TRUE))
  expect_null(find_response(fit$frame, d[c("v1", "v2")]))
  expect_identical(find_response(fit$frame, d), d$outcome)
  truth <- mkl(I(v1 > pi - 3) ~ v2, d)
  expect_equal(as.vector(find_response(truth$frame, d)), d$v1 > pi - 3)
})
