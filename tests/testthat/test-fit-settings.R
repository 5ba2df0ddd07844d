# The arguments of mkl() as one object.

test_that("names and defaults are those of mkl.formula()", {
  settings <- new_settings()
  expect_named(settings, setdiff(names(formals(mkl.formula)), c("x", "data", "...")))
  expect_identical(settings$multiclass, "one_vs_one")
  expect_identical(settings$na.action, "omit")
  expect_null(settings$kernels)
})

test_that("settings are checked once and can be changed", {
  settings <- new_settings(list(scale = FALSE, kernels = list(kernel_rbf(1), kernel_linear())))
  expect_false(settings$scale)
  expect_s3_class(settings$kernels, "mkl_kernels")
  expect_identical(change_settings(settings, list())[], settings[])
  expect_null(change_settings(settings, list(kernels = NULL))$kernels)
  expect_error(change_settings(settings, list(scale = 2)), class = "multikernel_argument_error")
  expect_error(new_settings(list(scale = TRUE, scale = TRUE)), "more than once")
})
