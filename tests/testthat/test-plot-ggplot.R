test_that("the generic of ggplot2 finds our methods, and ours finds its methods", {
  skip_if_not_installed("ggplot2")
  fit <- mkl(class ~ ., two_class()$data, learner = learner_average())
  expect_identical(
    ggplot2::layer_data(ggplot2::autoplot(fit)), ggplot2::layer_data(autoplot(fit))
  )
  registerS3method("autoplot", "stranger", function(object, ...) "found", asNamespace("ggplot2"))
  expect_identical(autoplot(structure(1, class = "stranger")), "found")
  expect_error(autoplot(structure(1, class = "alien")), "alien")
})

test_that("a machine without ggplot2 gets a message that says what to do", {
  expect_mkl_error(
    hand_on("autoplot", 1, package = "a.package.that.is.not.there"), "install the package"
  )
})

test_that("colours of groups differ, whatever their number", {
  for (count in c(1, 8, 9, 20)) expect_identical(anyDuplicated(group_colours(count)), 0L)
})
