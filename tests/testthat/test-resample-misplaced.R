test_that("arguments that belong elsewhere are told their place, in every form of the call", {
  d <- two_class()
  expect_snapshot(error = TRUE, transform = without_learners, {
    mkl(d$x, d$y, cost = 10)
    mkl(class ~ ., d$data, C = 10, learner = learner_simplemkl())
    mkl(d$data[1:3], d$y, threads = 2)
    mkl(list(K = tcrossprod(d$x)), d$y, tol = 1e-6)
    mkl(d$x, d$y, tolerance = 1e-6, learner = learner_lmkl())
    mkl(d$x, d$y, sigma = 2)
    mkl(d$x, d$y, gamma = 0.5)
    mkl(d$x, d$y, degree = 3)
    mkl(d$x, d$y, lambda = 0.2)
    mkl(d$x, d$y, folds = 5)
    mkl(d$x, d$y, grid = list(cost = 1:2))
    mkl(d$x, d$y, kernel = "radial")
    mkl(d$x, d$y, kernel = kernel_linear())
    mkl(d$x, d$y, class.weights = "balanced")
    mkl(d$x, d$y, seed = 1)
    mkl(d$x, d$y, wheight = 1)
    easymkl(d$x, d$y, C = 1)
    easymkl(d$x, d$y, threads = 2)
    simplemkl(class ~ ., d$data, C = 2)
    komd(class ~ ., d$data, sigma = 2)
    cv_mkl(class ~ ., d$data, cost = 10)
    cv_mkl(d$x, d$y, grid = list(cost = 1))
    tune_mkl(d$x, d$y, threads = 2)
    tune_mkl(d$x, d$y, grid = list(sigma = 1:2))
    tune_mkl(d$x, d$y, grid = list(C = 1:2))
    tune_mkl(d$x, d$y, grid = list(lambda = 1:2))
    benchmark_mkl(class ~ ., d$data, list(learner_lda(), learner_svm()), cost = 10)
    benchmark_mkl(class ~ ., d$data, list(list(learner_svm(), cost = 10)))
    benchmark_mkl(class ~ ., d$data, learner_svm(), threads = 2)
    learner_svm(sigma = 2)
    learner_svm(threads = 2)
    learner_svm(kernels = kernel_rbf(1))
    learner_average(C = 3)
    mkl_control(cost = 2)
    kernel_rbf(cost = 2)
  })
})

test_that("every parameter of every learner, kernel and control is found", {
  d <- two_class()
  call_with <- function(name, ...) {
    tryCatch(do.call(mkl, c(list(d$x, d$y, ...), stats::setNames(list(1), name))),
             multikernel_error = conditionMessage)
  }
  own <- setting_names()
  for (stem in learner_names()) {
    learner <- get(paste0("learner_", stem))()
    for (name in setdiff(learner_parameters(learner), c(own, "x"))) {
      expected <- paste0("learner = learner_", stem, "(", name)
      expect_match(call_with(name, learner = learner), expected, fixed = TRUE)
    }
  }
  for (name in setdiff(names(formals(mkl_control)), "...")) {
    expect_match(call_with(name), paste0("control = mkl_control(", name, " = 1)"), fixed = TRUE)
  }
  for (name in c("sigma", "degree", "offset", "gamma", "alpha")) {
    expect_match(call_with(name), "belongs to a kernel: kernels = kernel_", fixed = TRUE)
  }
  expect_identical(tryCatch(mkl(d$x, d$y, cost = 10), error = function(e) e$argument), "cost")
  # an argument `learner` is not taken for one of the check itself
  expect_mkl_error(kernel_rbf(1, learner = 2), "learner", "learner")
  expect_mkl_error(predict(mkl(d$x, d$y), d$x, learner = 2), "learner", "learner")
  # what the suggestion says works
  expect_s3_class(mkl(d$x, d$y, learner = learner_svm(cost = 10)), "mkl")
})

test_that("frameworks say where arguments belong", {
  skip_if_not_installed("parsnip", "1.0.0")
  d <- two_class()
  fit <- function(...) {
    spec <- parsnip::set_engine(multi_kernel("classification", learner = "svm"), "multikernel", ...)
    parsnip::fit(spec, class ~ ., d$data)
  }
  expect_snapshot(error = TRUE, transform = without_learners, {
    multi_kernel("classification", lambda = 0.2)
    multi_kernel("classification", threads = 2)
    multi_kernel("classification", C = 2)
    multi_kernel("classification", lamda = 2)
    fit(threads = 2)
    fit(sigma = 2)
    caret_mkl("svm", tol = 2)
    caret_mkl("svm", lambda = 2)
  })
  skip_if_not_installed("mlr3")
  expect_mkl_error(mlr3::lrn("classif.multikernel", threads = 2), "control = mkl_control(threads",
                   "threads", fixed = TRUE)
  expect_mkl_error(mlr3::lrn("regr.multikernel", sigma = 2), "kernel_rbf", "sigma")
  expect_mkl_error(mlr3::lrn("regr.multikernel", C = 2), "`C` is called `cost`", "C")
  learner <- mlr3::lrn("regr.multikernel", cost = 2, id = "mine")
  expect_identical(learner$id, "mine")
})

test_that("tune_mkl() compares learners, each with the parameters that it has", {
  two <- droplevels(iris[51:150, ])
  set.seed(1)
  expect_message(
    tuned <- tune_mkl(Species ~ ., two, folds = 3, grid = list(
      learner = c("svm", "easymkl", "knn"), cost = c(1, 10), lambda = c(0.1, 0.5)
    )),
    "learner_svm() does not have `lambda`; learner_easymkl() does not have `cost`;", fixed = TRUE,
    class = "multikernel_dropped_parameter"
  )
  table <- tuned$summary
  expect_identical(table$learner, c("svm", "easymkl", "knn", "svm", "easymkl"))
  expect_identical(table$cost, c(1, NA, NA, 10, NA))
  expect_identical(table$lambda, c(NA, 0.1, NA, NA, 0.5))
  # the same values as for each learner by itself on the same splits
  set.seed(1)
  alone <- tune_mkl(Species ~ ., two, folds = 3, learner = learner_easymkl(),
                    grid = list(lambda = c(0.1, 0.5)))
  expect_equal(table$accuracy[c(2, 5)], alone$summary$accuracy)
  set.seed(1)
  alone <- tune_mkl(Species ~ ., two, folds = 3, grid = list(cost = c(1, 10)))
  expect_equal(table$accuracy[c(1, 4)], alone$summary$accuracy)
  expect_identical(learner_of(refit(tuned)), tuned$learner)
  expect_identical(glance(tuned)$learner, tuned$learner$name)
  expect_output(print(tuned), "<mkl_tune> 3 learners", fixed = TRUE)
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_s3_class(autoplot(tuned), "ggplot")
    expect_s3_class(autoplot(tuned, parameters = c("cost", "learner")), "ggplot")
  }
})

test_that("learners in a grid may be objects, in a data frame or drawn at random", {
  d <- two_class()
  set.seed(1)
  objects <- tune_mkl(class ~ ., d$data, folds = 2, grid = list(
    learner = list(soft = learner_svm(0.1), hard = learner_svm(100), near = learner_knn(3))
  ))
  expect_identical(objects$summary$learner, c("soft", "hard", "near"))
  expect_identical(learner_of(refit(objects, point = 3)), learner_knn(3))
  expect_identical(refit(objects, point = 2)$learner$parameters$cost, 100)
  points <- data.frame(learner = c("svm", "knn"), cost = c(1, 5), k = c(1, 3))
  table <- suppressMessages(tune_mkl(class ~ ., d$data, folds = 2, grid = points))$summary
  expect_identical(table$cost, c(1, NA))
  expect_identical(table$k, c(NA, 3))
  drawn <- suppressMessages(tune_mkl(
    class ~ ., d$data, folds = 2, search = "random", n = 6,
    grid = list(learner = c("svm", "knn"), cost = tune_range(0.1, 10))
  ))
  expect_identical(sum(drawn$summary$learner == "knn"), 1L)
  expect_true(all(is.na(drawn$summary$cost) == (drawn$summary$learner == "knn")))
  expect_mkl_error(tune_mkl(class ~ ., d$data, grid = list(learner = c("svm", "smv"))), "svm")
  expect_mkl_error(tune_mkl(class ~ ., d$data, grid = list(learner = "svm", lambda = 1)), "lambda")
})

test_that("a benchmark may tune over learners", {
  d <- two_class()
  set.seed(1)
  expect_message(
    bm <- benchmark_mkl(class ~ ., d$data, list(tuned = list(
      learner_svm(), grid = list(learner = c("svm", "knn"), cost = c(1, 10)), folds = 2
    )), resamples = resample_cv(2)),
    class = "multikernel_dropped_parameter"
  )
  expect_match(bm$results$chosen, "^learner=(svm, cost=[0-9]+|knn)$")
})

test_that("parsnip and mlr3 drop parameters of other learners, with one message", {
  skip_if_not_installed("parsnip", "1.0.0")
  d <- two_class()
  forget <- function() rm(list = grep("^dropped", ls(said), value = TRUE), envir = said)
  fit <- function(learner) {
    spec <- parsnip::set_engine(
      multi_kernel("classification", learner = learner, cost = 7), "multikernel",
      lambda = 0.3, probability = FALSE
    )
    parsnip::extract_fit_engine(parsnip::fit(spec, class ~ ., d$data))
  }
  forget()
  expect_message(out <- fit("svm"), "`lambda` is not used: learner_svm()", fixed = TRUE,
                 class = "multikernel_dropped_parameter")
  expect_identical(out$learner$parameters$cost, 7)
  expect_silent(fit("svm"))
  expect_message(out <- fit("easymkl"), "`cost` is not used", class = "multikernel_message")
  expect_identical(out$learner$parameters$lambda, 0.3)
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_classif(d$data, target = "class")
  learner <- mlr3::lrn("classif.multikernel", learner = "svm", lambda = 0.3, cost = 7)
  forget()
  expect_message(learner$train(task), "`lambda` is not used", class = "multikernel_message")
  expect_silent(learner$train(task))
  expect_identical(learner$model$learner$parameters$cost, 7)
})
