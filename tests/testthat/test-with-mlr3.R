need_mlr3 <- function() {
  skip_if_not_installed("mlr3", "0.16.0")
  skip_if_not_installed("paradox", "1.0.0")
}

classif <- function(...) mlr3::lrn("classif.multikernel", ...)

iris_task <- function() mlr3::as_task_classif(three_class(), target = "Species", id = "iris")

test_that("the learners are in the dictionary and describe themselves", {
  need_mlr3()
  register_mlr3()
  expect_true(all(c("classif.multikernel", "regr.multikernel") %in% mlr3::mlr_learners$keys()))
  learner <- classif()
  expect_s3_class(learner, "LearnerClassif")
  expect_setequal(learner$properties, c("twoclass", "multiclass", "weights", "importance"))
  expect_true("multikernel" %in% learner$packages)
  expect_s3_class(mlr3::lrn("regr.multikernel"), "LearnerRegr")
  # every parameter of every learner can be set
  wanted <- unlist(lapply(learner_names(), function(stem) {
    learner_parameters(get(paste0("learner_", stem))())
  }))
  expect_setequal(setdiff(wanted, learner$param_set$ids()), "weights")
})

test_that("training and prediction are those of the direct call", {
  need_mlr3()
  data <- three_class()
  train <- seq(1, 90, 2)
  test <- seq(2, 90, 2)
  learner <- classif(learner = "easymkl", lambda = 0.3, predict_type = "prob")
  set.seed(1)
  learner$train(iris_task(), train)
  set.seed(1)
  columns <- data[train, iris_task()$feature_names] # mlr3 sorts them
  direct <- easymkl(columns, data$Species[train], lambda = 0.3, probability = TRUE)
  found <- learner$predict(iris_task(), test)
  expect_identical(as.character(found$response), as.character(predict(direct, data[test, ])))
  expect_identical(found$prob, bare(predict(direct, data[test, ], type = "prob")))
  expect_s3_class(learner$model, "mkl_easymkl")
  expect_identical(predict(learner, data[test, ]), found$response)
})

test_that("two classes with either positive class", {
  need_mlr3()
  d <- two_class()
  direct <- mkl(d$data[1:3], d$y)
  for (positive in c("no", "yes")) {
    task <- mlr3::as_task_classif(d$data, target = "class", positive = positive)
    learner <- classif(learner = "svm")$train(task)
    expect_identical(
      as.character(learner$predict(task)$response), as.character(predict(direct, d$data))
    )
  }
})

test_that("regression, weights, kernels and other arguments reach the fit", {
  need_mlr3()
  d <- numbers()
  data <- data.frame(d$x, y = d$y, w = rep(c(1, 4), 25))
  task <- mlr3::as_task_regr(data, target = "y")
  role <- if ("weights_learner" %in% names(task$col_roles)) "weights_learner" else "weight"
  task$set_col_roles("w", role)
  learner <- mlr3::lrn(
    "regr.multikernel", learner = learner_svm(cost = 3), kernels = kernel_rbf(gamma = 0.2),
    scale = FALSE, epsilon = 0.02
  )
  learner$train(task)
  direct <- mkl(
    data[1:3], data$y, learner = learner_svm(cost = 3, epsilon = 0.02),
    kernels = kernel_rbf(gamma = 0.2), scale = FALSE, weights = data$w
  )
  expect_identical(learner$predict(task)$response, bare(predict(direct, data)))
  plain <- mkl(
    data[1:3], data$y, learner = learner_svm(cost = 3, epsilon = 0.02),
    kernels = kernel_rbf(gamma = 0.2), scale = FALSE
  )
  expect_false(isTRUE(all.equal(predict(plain, data), predict(direct, data))))
})

test_that("clones, resampling and saved models", {
  need_mlr3()
  task <- iris_task()
  learner <- classif(learner = "svm", cost = 5)$train(task)
  other <- learner$clone(deep = TRUE)
  other$param_set$values$cost <- 7
  expect_identical(learner$param_set$values$cost, 5)
  file <- tempfile()
  saveRDS(learner, file)
  expect_identical(
    as.character(readRDS(file)$predict(task)$response), as.character(learner$predict(task)$response)
  )
  set.seed(1)
  quiet <- utils::capture.output(
    result <- mlr3::resample(task, classif(learner = "svm"), mlr3::rsmp("cv", folds = 2))
  )
  expect_gt(result$aggregate(mlr3::msr("classif.acc")), 0.8)
})

test_that("parameters are checked", {
  need_mlr3()
  expect_error(classif(learner = "svmm"), "Did you mean \"svm\"", fixed = TRUE)
  expect_error(classif(cost = -1), "cost")
  expect_error(classif(scale = 3), "scale")
  weighted <- three_class()
  weighted$w <- rep(1:2, 45)
  task <- mlr3::as_task_classif(weighted, target = "Species")
  role <- if ("weights_learner" %in% names(task$col_roles)) "weights_learner" else "weight"
  task$set_col_roles("w", role)
  expect_error(classif(learner = "lda")$train(task), "no cost")
})

test_that("importance by permutation is that of importance() on the training rows", {
  need_mlr3()
  d <- with_seed(1, data.frame(a = rnorm(60), b = rnorm(60), c = rnorm(60)))
  d$y <- with_seed(2, 2 * d$b + 0.2 * rnorm(60))
  task <- mlr3::as_task_regr(d, target = "y")
  regression <- function(...) mlr3::lrn("regr.multikernel", importance = "permutation", ...)
  set.seed(3)
  learner <- regression(kernels = kernel_linear(), learner = "svm", cost = 7)$train(task)
  found <- learner$importance()
  expect_identical(names(found)[1], "b")
  expect_gt(found[["b"]], 1)
  expect_lt(max(abs(found[-1])), 0.1)
  # with the settings of the learner
  direct <- mkl(d[1:3], d$y, learner = learner_svm(cost = 7), kernels = kernel_linear())
  set.seed(3)
  wanted <- importance(direct, d[1:3], d$y, repeats = 5, resamples = resample_cv(5))
  expect_equal(found, sort(stats::setNames(wanted$estimate, wanted$term), decreasing = TRUE))
  # any learner, several classes, weights of the rows, storage
  set.seed(4)
  many <- classif(learner = "knn", importance = "permutation")$train(iris_task())
  expect_match(names(many$importance())[1], "Petal")
  file <- tempfile()
  saveRDS(many, file)
  expect_identical(readRDS(file)$importance(), many$importance())
  expect_length(many$predict(iris_task())$response, 90)
  expect_error(classif(importance = "gini"), "importance")
})

test_that("importance is the weight of the kernels of each feature", {
  need_mlr3()
  d <- transform(two_class()$data, group = factor(rep(c("a", "b", "c"), 20)))
  task <- mlr3::as_task_classif(d, target = "class")
  set <- c(
    kernel_rbf(c(1, 2), on = "v1"), kernel_linear(on = "v3"), kernel_linear(on = "group"),
    kernel_product(kernel_rbf(1, on = "v1"), kernel_linear(on = "v1"))
  )
  learner <- classif(learner = "easymkl", kernels = set)$train(task)
  w <- unname(kernel_weights(learner$model))
  wanted <- c(v1 = sum(w[c(1, 2, 5)]), v3 = w[3], group = w[4], v2 = 0)
  expect_equal(learner$importance(), sort(wanted, decreasing = TRUE))
  several <- classif(learner = "average", kernels = kernel_linear(on = "Sepal.Width"))
  expect_equal(sum(several$train(iris_task())$importance()), 1)
  expect_mkl_error(classif()$importance(), "train", "model")
  expect_mkl_error(
    classif(learner = "svm")$train(task)$importance(), "sees 4 features", "model"
  )
  expect_mkl_error(classif(learner = "lda")$train(task)$importance(), "no kernels", "model")
})
