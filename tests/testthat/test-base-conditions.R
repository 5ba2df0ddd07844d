test_that("errors of the core have the class of the package and tell what was expected", {
  error <- expect_error(
    multikernel:::asymmetry_cpp(matrix(0, 2, 3)), class = "multikernel_core_error"
  )
  expect_s3_class(error, "multikernel_error")
  expect_identical(conditionMessage(error), "`x` must be a square matrix, not 2 x 3.")
  expect_identical(
    unclass(error)[c("argument", "expected", "found")],
    list(argument = "x", expected = "a square matrix", found = "2 x 3")
  )
  # a sentence of its own
  map <- function() {
    multikernel:::gram_cpp(
      matrix(1e308, 2, 1), matrix(0, 0, 1), list(list(
        family = "linear", name = "far", normalize = "trace"
      )), list(), numeric(), core()
    )
  }
  error <- expect_error(map(), "`far` cannot be normalised", class = "multikernel_core_error")
  expect_identical(error$argument, "far")
  expect_identical(error$expected, NA_character_)
})

test_that("conditions carry class and argument", {
  error <- tryCatch(learner_svm(cost = -1), error = identity)
  expect_identical(
    class(error), c("multikernel_argument_error", "multikernel_error", "error", "condition")
  )
  expect_identical(error$argument, "cost")
  expect_identical(conditionMessage(error), "`cost` must be a positive finite number, not -1.")
})

test_that("what was found is described in words", {
  describe <- multikernel:::describe
  expect_identical(describe(NULL), "NULL")
  expect_identical(describe(NA), "NA")
  expect_identical(describe(NaN), "NaN")
  expect_identical(describe("a"), "\"a\"")
  expect_identical(describe(c(1, 2)), "a numeric vector of length 2")
  expect_identical(describe(1:2), "an integer vector of length 2")
  expect_identical(describe(list()), "a list")
  expect_identical(describe(mean), "a function")
  expect_identical(describe(quote(a)), "a symbol")
  expect_identical(describe(iris), "a data frame of 150 x 5")
  expect_identical(describe(diag(2)), "a double matrix of 2 x 2")
  expect_identical(describe(Sys.Date()), "an object of class \"Date\"")
})
