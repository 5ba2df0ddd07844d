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
  # Deprecated names, for one version, and calibration(), whose methods caret's generic has too.
  clashes <- c(caret = " best calibration", testthat = " compare")
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
      clash <- if (package %in% names(clashes)) clashes[[package]] else ""
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

test_that("old names work, with one message in a session", {
  set.seed(1)
  tuned <- tune_mkl(Species ~ ., iris, grid = list(cost = c(1, 10)), folds = 2)
  bm <- made_benchmark(made_scores())
  old <- mget(ls(said), envir = said)
  withr::defer(list2env(old, envir = said))
  rm(list = ls(said), envir = said)
  expect_message(points <- multikernel::best(tuned, n = 2), "best_params()",
                 class = "multikernel_deprecated")
  expect_identical(points, best_params(tuned, n = 2))
  expect_silent(multikernel::best(tuned))
  expect_message(out <- multikernel::compare(bm), "compare_learners()",
                 class = "multikernel_deprecated")
  expect_identical(out, compare_learners(bm))
  expect_silent(multikernel::compare(bm))
})

test_that("old names hand objects of others on to the packages that have these functions", {
  # testthat is attached here
  expect_s3_class(multikernel::compare(1, 2), "comparison")
  expect_null(other_function("best", "no.such.package"))
  # train() of caret attaches it
  if (!"package:caret" %in% search()) {
    expect_mkl_error(multikernel::best(1), "result of tune_mkl", "object")
  }
})
