need_mlr3 <- function() {
  skip_if_not_installed("mlr3", "0.16.0")
  skip_if_not_installed("paradox", "1.0.0")
}

test_that("every method has a learner, with its own parameters only", {
  need_mlr3()
  register_mlr3()
  expect_true(all(c("classif.easymkl", "classif.lmkl", "regr.simplemkl") %in%
                    mlr3::mlr_learners$keys()))
  expect_false("regr.easymkl" %in% mlr3::mlr_learners$keys())
  for (stem in mlr3_methods("classif")) {
    learner <- mlr3::lrn(paste0("classif.", stem))
    expect_identical(learner$label, learner_called(stem)$label)
    expect_identical("weights" %in% learner$properties, learner_called(stem)$costs)
    # parameters that are of use in classification, and no other learner's
    wanted <- setdiff(learner_parameters(learner_called(stem)), c("weights", "nu"))
    found <- intersect(learner$param_set$ids(), learners_parameters())
    expect_true(all(found %in% wanted), label = stem)
    expect_true(all(setdiff(wanted, c("epsilon", "step")) %in% found), label = stem)
  }
})

test_that("types, bounds, choices and defaults are those of the constructors", {
  need_mlr3()
  set <- function(stem) mlr3_method_parameters("classif", stem)
  easy <- set("easymkl")
  expect_identical(easy$lower[["lambda"]], 0)
  expect_identical(easy$upper[["lambda"]], 1)
  expect_identical(easy$default$lambda, 0.1)
  expect_identical(easy$levels$norm, c("two", "sum"))
  boost <- set("mkboost")
  expect_identical(boost$class[["trials"]], "ParamInt")
  expect_identical(boost$levels$variant, c("D1", "D2", "S1", "S2"))
  expect_gt(boost$lower[["cost"]], 0)
  expect_identical(set("multik_mhks")$upper[["lambda"]], Inf)
  expect_identical(set("lmkl")$class[["gating_on"]], "ParamUty")
  expect_true("threads" %in% easy$ids(tags = "threads"))
  expect_error(mlr3::lrn("classif.easymkl", lambda = 2), "lambda")
  expect_error(mlr3::lrn("classif.easymkl", trials = 2), "trials")
})

test_that("fits are those of the direct call", {
  need_mlr3()
  data <- three_class()
  task <- mlr3::as_task_classif(data, target = "Species")
  learner <- mlr3::lrn("classif.easymkl", lambda = 0.3, threads = 2)
  learner$train(task)
  direct <- easymkl(data[task$feature_names], data$Species, lambda = 0.3)
  expect_identical(kernel_weights(learner$model), kernel_weights(direct))
  expect_identical(learner$model$control$threads, 2L)
  expect_setequal(learner$selected_features(), task$feature_names)
  d <- numbers()
  regression <- mlr3::as_task_regr(data.frame(d$x, y = d$y), target = "y")
  kernels <- do.call(kernel_set, lapply(regression$feature_names, function(name) {
    kernel_rbf(sigma = 1, on = name)
  }))
  sparse <- mlr3::lrn("regr.simplemkl", kernels = kernels)
  sparse$train(regression)
  weights <- sparse$importance()
  expect_setequal(sparse$selected_features(), names(weights)[weights > 0])
  expect_mkl_error(mlr3::lrn("classif.cka")$selected_features(), "no model", "model")
})

test_that("the tests of mlr3 itself pass", {
  need_mlr3()
  skip_on_cran()
  skip_if_not_installed("checkmate")
  skip_if_not_installed("lgr")
  skip_if_not_installed("withr")
  helpers <- list.files(system.file("testthat", package = "mlr3"), "^helper.*[.][rR]$",
                        full.names = TRUE)
  skip_if(length(helpers) == 0L, "mlr3 was installed without its tests")
  where <- new.env(parent = globalenv())
  for (package in c("mlr3", "testthat", "checkmate")) {
    for (name in getNamespaceExports(package)) {
      assign(name, getExportedValue(package, name), envir = where)
    }
  }
  for (file in helpers) sys.source(file, where)
  logger <- getExportedValue("lgr", "get_logger")("mlr3")
  threshold <- logger$threshold
  withr::defer(logger$set_threshold(threshold))
  logger$set_threshold("warn")
  for (id in c("classif.easymkl", "regr.simplemkl")) {
    learner <- mlr3::lrn(id, importance = "permutation")
    # Each fit is also made in another process, which takes seconds: as few of them as there can be.
    result <- where$run_autotest(learner, N = 20, check_replicable = FALSE,
                                 predict_types = "response")
    expect_true(result, info = if (!isTRUE(result)) result$error)
  }
})
