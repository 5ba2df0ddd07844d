# Matrices within data frames: their columns go by name.

decide <- function(fit, ...) predict(fit, ..., type = "decision")

# A matrix with columns of very different meaning, and the same data with them in another order.
spectra <- function() {
  d <- two_class()
  m <- cbind(a = d$x[, 1], mass = 5 + 100 * d$x[, 2], c = exp(d$x[, 3]))
  data <- data.frame(y = d$y, w = d$x[, 2])
  data$m <- m
  turned <- data
  turned$m <- m[, c("c", "a", "mass")]
  list(data = data, turned = turned, m = m)
}

renamed <- function(data) {
  colnames(data$m)[colnames(data$m) == "mass"] <- "maas"
  data
}

test_that("matrix columns go by name in every form of the data", {
  s <- spectra()
  formulas <- list(
    y ~ ., y ~ m + w, y ~ poly(m, 2), y ~ scale(m), y ~ cbind(m, w), y ~ I(m^2), y ~ log(abs(m)),
    y ~ m:w, y ~ rbf(m, sigma = 1), y ~ linear(scale(m)), y ~ rbf(., sigma = 2)
  )
  fits <- c(lapply(formulas, mkl, s$data), list(
    mkl(s$data[-1], s$data$y), mkl(s$data["m"], s$data$y),
    mkl(s$data[-1], s$data$y, kernels = kernel_rbf(1, on = "m")),
    mkl(s$data[-1], s$data$y, kernels = kernel_set(kernel_rbf(1, on = "ma"), kernel_linear(on = 2)),
        learner = learner_average())
  ))
  for (fit in fits) {
    about <- deparse(fit$call)
    expect_equal(decide(fit, s$data), decide(fit), info = about, tolerance = 1e-8)
    expect_identical(decide(fit, s$turned), decide(fit, s$data), info = about)
    error <- expect_mkl_error(predict(fit, renamed(s$turned)), argument = "m")
    expect_match(conditionMessage(error), "Column `m` of `newdata` lacks the column `mass`")
    expect_match(conditionMessage(error), "Did you mean `maas`?", fixed = TRUE)
  }
})

test_that("further columns of a matrix are ignored, missing ones are named", {
  s <- spectra()
  fit <- mkl(y ~ m, s$data)
  more <- s$turned
  more$m <- cbind(zero = 0, more$m)
  expect_identical(decide(fit, more), decide(fit, s$data))
  more$m <- s$m[, 1:2]
  expect_mkl_error(predict(fit, more), "lacks the column `c`", "m")
  twice <- s$data
  colnames(twice$m) <- c("a", "a", "c")
  expect_mkl_error(mkl(y ~ m, twice), "several columns named `a`", "m")
  expect_mkl_error(mkl(twice[-1], twice$y), "several columns named `a`", "m")
})

test_that("matrices without names go by position", {
  s <- spectra()
  bare <- s$data
  bare$m <- unname(s$m)
  wide <- bare
  wide$m <- cbind(bare$m, 1)
  for (form in c("formula", "columns")) {
    fit <- function(data) if (form == "formula") mkl(y ~ ., data) else mkl(data[-1], data$y)
    expect_identical(decide(fit(s$data), bare), decide(fit(s$data), s$data))
    expect_identical(decide(fit(bare), s$data), decide(fit(s$data), s$data))
    expect_mkl_error(predict(fit(bare), wide), "has width 4, but 3 at the fit", "m")
    expect_mkl_error(predict(fit(s$data), wide), "has width 4, but 3 at the fit", "m")
    # names that leave a column without one identify nothing
    partly <- s$turned
    colnames(partly$m)[1] <- ""
    expect_false(identical(decide(fit(s$data), partly), decide(fit(s$data), s$data)))
  }
  expect_mkl_error(predict(mkl(y ~ poly(m, 2), bare), wide), "has width 4, but 3", "m")
})

test_that("a matrix without columns adds none", {
  d <- two_class()$data
  d$m <- matrix(0, 60, 0)
  expect_identical(decide(mkl(class ~ ., d), d), decide(mkl(class ~ . - m, d), d))
})

test_that("matrices of the workspace go by name too", {
  s <- spectra()
  y <- s$data$y
  m <- s$m
  fit <- mkl(y ~ scale(m))
  expect_identical(decide(fit, list(m = m[, 3:1])), decide(fit, list(m = m)))
  expect_mkl_error(predict(fit, list(m = m[, c(1, 2)])), "lacks the column `c`", "m")
})

test_that("what a function makes of new rows must have the columns of the fit", {
  d <- two_class()
  data <- data.frame(y = d$y, v = d$x[, 1], f = rep(c("a", "b", "c"), 20))
  fit <- mkl(y ~ v + model.matrix(~ f - 1), data)
  expect_equal(decide(fit, data[60:1, ]), decide(fit)[60:1])
  other <- transform(data, f = c(a = "a", b = "b", c = "z")[f])
  expect_mkl_error(predict(fit, other), "lacks the column `fc`")
  other <- rbind(data, transform(data[1, ], f = "z"))
  expect_mkl_error(predict(fit, other), "has the column `fz`, unknown at the fit")
})

test_that("resampling, kernel_matrix() and gating weights use names", {
  s <- spectra()
  fit <- suppressWarnings(lmkl(y ~ linear(m) + rbf(m, sigma = 1), s$data, iterations = 3))
  expect_identical(gating_weights(fit, s$turned), gating_weights(fit, s$data))
  expect_identical(
    kernel_matrix(kernel_linear(), s$data[-1], s$turned[-1]),
    kernel_matrix(kernel_linear(), s$data[-1], s$data[-1])
  )
  set.seed(1)
  one <- cv_mkl(y ~ scale(m), s$data, folds = 3)
  set.seed(1)
  two <- cv_mkl(y ~ scale(m), s$turned, folds = 3)
  expect_equal(one$summary, two$summary, tolerance = 1e-6)
})
