test_that("a function is called when its package is loaded, now or later", {
  calls <- 0L
  when_loaded("stats", function() calls <<- calls + 1L)
  expect_identical(calls, 1L)
  # a package that cannot be loaded yet: its hook waits
  before <- length(getHook(packageEvent("no.such.package", "onLoad")))
  when_loaded("no.such.package", function() calls <<- calls + 10L)
  hooks <- getHook(packageEvent("no.such.package", "onLoad"))
  withr::defer(setHook(packageEvent("no.such.package", "onLoad"), NULL, "replace"))
  expect_length(hooks, before + 1L)
  hooks[[length(hooks)]]("no.such.package", tempdir())
  expect_identical(calls, 11L)
})

test_that("a package that is missing is named", {
  expect_mkl_error(
    need_package("no.such.package", "multi_kernel() needs"), "install.packages", "no.such.package",
    "multikernel_missing_package"
  )
})

test_that("parameters of the learner and arguments of mkl() are told apart", {
  d <- two_class()
  direct <- mkl(d$x, d$y, learner = learner_svm(cost = 7), kernels = kernel_linear(),
                weights = rep(1:2, 30))
  fit <- framework_fit(d$x, d$y, learner = "svm", values = list(
    cost = 7, kernels = kernel_linear(), weights = rep(1:2, 30), normalize = NULL
  ))
  expect_identical(fit$learner, direct$learner)
  expect_identical(fit$decision, direct$decision)
  changed <- framework_fit(d$x, d$y, learner = learner_easymkl(lambda = 0.3), values = list(
    weights = rep(1, 60)
  ))
  expect_identical(changed$learner$parameters$lambda, 0.3)
  expect_mkl_error(framework_fit(d$x, d$y, learner = "svn", values = list()),
                   "Did you mean \"svm\"", "learner")
  expect_snapshot(error = TRUE, transform = without_learners, {
    framework_fit(d$x, d$y, learner = 3, values = list())
    framework_fit(d$x, d$y, learner = "svm", values = list(lambda = 1))
    framework_fit(d$x, d$y, learner = "easymkl", values = list(lamda = 1))
    framework_fit(d$x, d$y, learner = "svm", values = list(3))
    framework_fit(d$x, d$y, learner = "svm", values = list(cost = 1, cost = 2))
    framework_fit(d$x, d$y, learner = "svm", values = list(cost = -1))
  })
})
