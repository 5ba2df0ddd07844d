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

# The traits of a learner of a user: an SVM on the average of linear and Gaussian kernels.
own_learner <- function(cost = 1, ...) {
  new_learner(
    name = "own", like = NULL, label = "Learner of a user", parameters = list(cost = cost),
    constructor = own_learner, core = "average", tasks = c("classification", "regression"),
    takes = kernel_limits(), normalize = "trace", costs = TRUE, stochastic = FALSE,
    kernels = function(p, scaled, variables) kernel_set(kernel_linear(), kernel_rbf(sqrt(p))),
    path = "cost", grid = list(cost = c(1, 10)), stopping = stop_at_tol(),
    margins = TRUE, linear = TRUE, product = FALSE, labels_inside = FALSE, approximate = TRUE,
    used_for = list(), work = NULL
  )
}

test_that("a learner must say all of its traits", {
  traits <- names(formals(new_learner))
  given <- unclass(learner_svm())
  expect_identical(do.call(new_learner, given), learner_svm())
  for (trait in traits) {
    expect_mkl_error(do.call(new_learner, given[names(given) != trait]),
                     paste0("new_learner\\(\\) needs `", trait, "`"), trait)
  }
  for (stem in learner_names()) {
    learner <- get(paste0("learner_", stem))()
    expect_identical(learner$name, stem)
    expect_true(all(traits %in% names(learner)), label = stem)
    expect_identical(is.null(learner$work), is.null(learner$core), label = stem)
  }
})

test_that("learners that the package does not know work like its own", {
  d <- two_class(40)
  fit <- mkl(d$x, d$y, learner = own_learner(cost = 2))
  expect_s3_class(fit, "mkl_own")
  kernels <- kernel_set(kernel_linear(), kernel_rbf(sqrt(3)))
  expect_identical(decide(fit), decide(mkl(d$x, d$y, kernels = kernels,
                                           learner = learner_average(cost = 2))))
  expect_output(print(fit), "learner_own\\(cost = 2\\)")
  tuned <- tune_mkl(d$x, d$y, learner = own_learner(), folds = 2)
  expect_true(tuned$best$cost %in% c(1, 10))
  expect_mkl_error(mkl(d$x, task = "one_class", learner = own_learner()), "cannot do", "learner")
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(decide(readRDS(file), d$x), decide(fit, d$x))
  expect_output(print(readRDS(file)), "Learner of a user")
})

test_that("fits store learners without code and give them back complete", {
  d <- two_class(40)
  two <- kernel_rbf(1:2)
  learners <- list(
    learner_easymkl(final = learner_svm(cost = 3)), learner_lbmkl(base = learner_lpmkl(p = 3)),
    learner_lmkl(gating = ~v1, iterations = 2), learner_gmkl("product"), learner_svm2k(cost = 2)
  )
  for (learner in learners) {
    fit <- suppressWarnings(mkl(class ~ ., d$data, learner = learner, kernels = two))
    expect_lt(length(serialize(fit$learner, NULL)), 3000)
    expect_identical(learner_of(fit), learner)
    expect_identical(format(fit$learner), format(learner))
    again <- suppressWarnings(mkl(class ~ ., d$data, learner = fit$learner, kernels = two))
    expect_identical(again$learner, fit$learner)
  }
})
