test_that("memory is read from strings and numbers", {
  expect_equal(mkl_control(memory = "2GB")$memory, 2 * 1024^3)
  expect_equal(mkl_control(memory = "500MB")$memory, 500 * 1024^2)
  expect_equal(mkl_control(memory = " 1.5 gb ")$memory, 1.5 * 1024^3)
  expect_equal(mkl_control(memory = "64k")$memory, 64 * 1024)
  expect_equal(mkl_control(memory = 1e9)$memory, 1e9)
})

test_that("defaults are those of the help page", {
  control <- mkl_control()
  expect_s3_class(control, "mkl_control")
  expect_equal(control$tol, 1e-3)
  expect_equal(control$max_iter, 1e8)
  expect_identical(control$threads, 1L)
  expect_identical(control$simd, "auto")
  expect_true(control$shrinking)
  expect_equal(mkl_control(max_iter = Inf)$max_iter, Inf)
})

test_that("a control prints as the call that makes it", {
  expect_output(print(mkl_control(tol = 1e-6)), "tol = 1e-06")
  expect_identical(eval(str2lang(format(mkl_control()))), mkl_control())
})

test_that("each argument is checked", {
  bad <- list(
    tol = list(0, -1, NA, NaN, NULL, "a", c(1, 2), Inf),
    max_iter = list(0, -1, 1.5, NA, "a", c(1, 2)),
    threads = list(0, 1.5, NA, "two", c(1, 2), 1e9),
    memory = list(0, -1, NA, "much", "", c("1GB", "2GB"), list(), "0GB", "1G\n"),
    verbose = list(NA, 1, "yes", c(TRUE, FALSE), NULL),
    simd = list("sse", NA, 1, c("avx2", "auto")),
    shrinking = list(NA, "no", NULL)
  )
  for (name in names(bad)) {
    for (value in bad[[name]]) {
      arguments <- stats::setNames(list(value), name)
      expect_mkl_error(do.call(mkl_control, arguments), paste0("`", name, "` must be"), name)
    }
  }
})

test_that("misspelt arguments get a suggestion", {
  expect_mkl_error(mkl_control(threads = 2, tol = 1, tolerance = 3), "tolerance")
  expect_mkl_error(mkl_control(shrinkng = FALSE), "Did you mean `shrinking`", "shrinkng")
})

test_that("threads, memory and instruction set do not change a fit", {
  d <- two_class()
  kernels <- kernel_set(kernel_rbf(1), kernel_polynomial(2))
  decide <- function(...) {
    fit <- mkl(d$x, d$y, kernels = kernels, learner = learner_average(),
               control = mkl_control(...))
    predict(fit, d$x, type = "decision")
  }
  reference <- decide(tol = 1e-9)
  expect_identical(decide(tol = 1e-9, threads = 2), reference)
  expect_equal(decide(tol = 1e-9, memory = "10kB"), reference, tolerance = 1e-6)
  expect_equal(decide(tol = 1e-9, simd = "baseline"), reference, tolerance = 1e-6)
  expect_equal(decide(tol = 1e-9, shrinking = FALSE), reference, tolerance = 1e-6)
})
