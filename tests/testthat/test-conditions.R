test_that("errors of the core become errors of the package", {
  core <- function(text) {
    structure(list(message = text, call = NULL),
              class = c("std::invalid_argument", "C++Error", "error", "condition"))
  }
  error <- expect_error(
    multikernel:::with_core(stop(core("`cost` must be positive, not -1."))),
    class = "multikernel_core_error"
  )
  expect_identical(error$argument, "cost")
  expect_identical(conditionMessage(error), "`cost` must be positive, not -1.")
  expect_mkl_error(multikernel:::with_core(stop(core("std::bad_alloc"))), "not enough memory")
  expect_identical(multikernel:::with_core(1 + 1), 2)
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
