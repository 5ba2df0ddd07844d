# What all learners share: names for them, the default, parameters.

decide <- function(fit, ...) predict(fit, ..., type = "decision")

test_that("a learner can be given by name, wherever one is asked for", {
  d <- two_class(40)
  expect_identical(decide(mkl(d$x, d$y, learner = "easymkl")),
                   decide(mkl(d$x, d$y, learner = learner_easymkl())))
  fold <- rep(1:2, 20)
  cv <- function(learner) cv_mkl(d$x, d$y, learner = learner, folds = fold)$summary
  expect_equal(cv("average"), cv(learner_average()))
  tuned <- function(learner) {
    tune_mkl(d$x, d$y, learner = learner, grid = list(cost = 1:2), folds = fold)$summary
  }
  expect_equal(tuned("average"), tuned(learner_average()))
  named <- benchmark_mkl(list(d = list(x = d$x, y = d$y)), learners = c("svm", "average"),
                         folds = 2, metrics = "accuracy", seed = 1)
  built <- benchmark_mkl(list(d = list(x = d$x, y = d$y)), metrics = "accuracy", seed = 1,
                         learners = list(learner_svm(), learner_average()), folds = 2)
  expect_identical(named$summary, built$summary)
  expect_mkl_error(mkl(d$x, d$y, learner = "easymlk"), argument = "learner")
})

test_that("without a learner, one kernel gets an SVM and several get SimpleMKL", {
  d <- two_class(40)
  two <- kernel_set(kernel_rbf(1), kernel_linear())
  expect_s3_class(mkl(d$x, d$y), "mkl_svm")
  expect_s3_class(mkl(d$x, d$y, kernels = kernel_linear()), "mkl_svm")
  expect_s3_class(mkl(d$x, d$y, kernels = two), "mkl_simplemkl")
  expect_s3_class(mkl(d$x, d$y, kernels = kernel_rbf(1:3)), "mkl_simplemkl")
  expect_s3_class(mkl(class ~ rbf(v1, sigma = 1) + linear(v2), d$data), "mkl_simplemkl")
  K <- tcrossprod(d$x)
  expect_s3_class(mkl(list(a = K), d$y), "mkl_svm")
  expect_s3_class(mkl(list(a = K, b = K^2), d$y), "mkl_simplemkl")
  expect_identical(cv_mkl(d$x, d$y, kernels = two, folds = 2)$learner, learner_simplemkl())
  expect_identical(cv_mkl(d$x, d$y, folds = 2)$learner, learner_svm())
})

test_that("the frameworks have the default of mkl()", {
  d <- two_class(40)$data
  columns <- setdiff(names(d), "class")
  expected <- decide(mkl(class ~ ., d))
  by_terms <- class ~ rbf(v1, sigma = 1) + linear(v2)
  if (requireNamespace("parsnip", quietly = TRUE)) {
    spec <- parsnip::set_engine(multi_kernel("classification"), "multikernel", probability = FALSE)
    expect_identical(decide(parsnip::fit(spec, class ~ ., d)$fit), expected)
    expect_s3_class(parsnip::fit(spec, by_terms, d)$fit, "mkl_simplemkl")
  }
  if (requireNamespace("mlr3", quietly = TRUE)) {
    task <- mlr3::as_task_classif(d, target = "class")
    learner <- mlr3::lrn("classif.multikernel")
    expect_identical(decide(learner$train(task)$model), expected)
  }
  if (requireNamespace("caret", quietly = TRUE)) {
    trained <- caret::train(d[columns], d$class, method = caret_mkl(grid = list()),
                            trControl = caret::trainControl("none"))
    expect_identical(bare(decide(trained$finalModel)), bare(expected)) # caret names rows anew
  }
})

test_that("named methods and mkl() with their learner have the same defaults", {
  d <- two_class(40)
  # columns in other units, so that standardizing makes a difference
  x <- d$x * rep(c(1, 20, 0.1), each = 40)
  pairs <- list(mhks = mhks, multik_mhks = multik_mhks, cca_mhks = cca_mhks, komd = komd,
                easymkl = easymkl, simplemkl = simplemkl, lb_svm = lb_svm, mkboost = mkboost)
  for (stem in names(pairs)) {
    set.seed(1)
    named <- decide(pairs[[stem]](x, d$y))
    set.seed(1)
    expect_identical(named, decide(mkl(x, d$y, learner = stem)), label = stem)
  }
})

test_that("benchmark_mkl() understands folds and repeats as cv_mkl() does", {
  d <- two_class(40)
  run <- function(...) {
    benchmark_mkl(list(d = list(x = d$x, y = d$y)), learners = "svm", ..., metrics = "accuracy",
                  seed = 1)$results
  }
  expect_identical(run(folds = 4), run(resamples = resample_cv(4)))
  expect_identical(run(folds = 3, repeats = 2), run(resamples = resample_cv(3, 2)))
  expect_identical(run(folds = rep(1:2, 20)), run(resamples = resample_folds(rep(1:2, 20))))
  expect_identical(run(), run(resamples = resample_5x2()))
  expect_mkl_error(run(folds = 3, resamples = resample_cv(4)), argument = "folds")
  expect_mkl_error(run(repeats = 3), argument = "folds")
})

test_that("one-class fits expect a tenth of outliers by default", {
  for (stem in learner_names()) {
    constructor <- get(paste0("learner_", stem))
    if (!is.null(formals(constructor)$nu)) expect_identical(formals(constructor)$nu, 0.1)
  }
  set.seed(1)
  fit <- mkl(matrix(rnorm(400), 200), control = mkl_control(tol = 1e-8))
  expect_lte(mean(decide(fit) < -1e-6), 0.1)
  expect_gte(length(support(fit)), 20)
})
