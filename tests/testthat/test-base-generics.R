# What a child says after `packages` have been attached in this order: what each verb gives for our
# objects, and which of our functions are not those that a user finds by their name.
attach_child <- function(packages) {
  start_child(attach = FALSE, c(
    sprintf("for (p in %s) suppressWarnings(suppressMessages(library(p, character.only = TRUE)))",
            paste(deparse(packages), collapse = "")),
    "tryCatch({",
    "fit <- mkl(mpg ~ wt + hp, mtcars, learner = learner_average())",
    "set.seed(1)",
    "tuned <- tune_mkl(mpg ~ wt, mtcars, grid = list(cost = c(1, 10)), folds = 2)",
    "say('tidy', class(tidy(fit)), nrow(tidy(fit)) == length(kernel_weights(fit)))",
    "say('glance', class(glance(fit)), glance(fit)$nobs)",
    "say('augment', class(augment(fit, mtcars)), '.resid' %in% names(augment(fit, mtcars)))",
    "say('refit', inherits(refit(tuned), 'mkl'))",
    "say('best_params', class(best_params(tuned)))",
    "if (isNamespaceLoaded('ggplot2')) say('autoplot', inherits(autoplot(fit), 'ggplot'))",
    "ours <- getNamespaceExports('multikernel')",
    "other <- Filter(function(name) {",
    "  !identical(get(name), getExportedValue('multikernel', name))",
    "}, ours)",
    "hidden <- Filter(function(name) {",
    "  functions <- lapply(search(), function(place) {",
    "    get0(name, as.environment(place), mode = 'function', inherits = FALSE)",
    "  })",
    "  functions <- Filter(is.function, functions)",
    "  !all(vapply(functions, identical, NA, get(name, 'package:multikernel')))",
    "}, ours)",
    "say('clash', sort(union(other, hidden)))",
    "}, error = function(e) say('error', conditionMessage(e)))",
    "say('done')"
  ))
}

test_that("other packages may be attached before or after, and mask no generic", {
  skip_on_cran()
  expected <- c(
    "tidy data.frame TRUE", "glance data.frame 32", "augment data.frame TRUE", "refit TRUE",
    "best_params data.frame"
  )
  for (package in c("generics", "broom", "ggplot2", "caret", "testthat", "kernlab", "dplyr")) {
    if (!requireNamespace(package, quietly = TRUE)) next
    children <- list(
      attach_child(c(package, "multikernel")), attach_child(c("multikernel", package))
    )
    for (child in children) {
      said <- trimws(await(child, "done", 60))
      expect_identical(said[1:5], expected, label = package)
      plot <- grep("^autoplot", said, value = TRUE)
      if (package %in% c("ggplot2", "caret")) expect_identical(plot, "autoplot TRUE")
      # calibration(), whose methods caret's generic has too.
      clash <- if (package == "caret") " calibration" else ""
      expect_identical(said[length(said) - 1L], paste0("clash", clash), label = package)
    }
  }
})

test_that("the shared generics are those of the other package once it is loaded", {
  skip_if_not_installed("generics")
  loadNamespace("generics")
  for (name in c("tidy", "glance", "augment", "refit")) {
    expect_identical(getExportedValue("multikernel", name), getExportedValue("generics", name))
  }
  skip_if_not_installed("ggplot2")
  loadNamespace("ggplot2")
  expect_identical(getExportedValue("multikernel", "autoplot"), ggplot2::autoplot)
})

test_that("without the other package the generics are our own, and say what to install", {
  own <- function(x, ...) "own"
  absent <- shared_generic("tidy", "no.such.package", own)
  expect_identical(absent(), own)
  unknown <- shared_generic("no_such_generic", "stats", own)
  expect_identical(unknown(), own)
  expect_identical(shared_generic("predict", "stats", own)(), stats::predict)
  expect_mkl_error(refit_other(1), "result of tune_mkl", "object")
  expect_error(refit_other(structure(1, class = "alien")), "refit")
})
