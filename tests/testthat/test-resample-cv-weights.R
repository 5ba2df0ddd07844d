# cv_mkl(keep = "weights"): the weights are those of the fits to the training parts.

d <- two_class(60)
set <- kernel_set(kernel_rbf(1, on = "v1"), kernel_rbf(2, on = "v2"), kernel_linear(on = "v3"))
run <- function(y, ...) {
  set.seed(1)
  suppressWarnings(cv_mkl(
    d$x, y, kernels = set, learner = learner_simplemkl(), folds = 3, keep = "weights", ...
  ))
}

test_that("weights are those of a fit to each training part", {
  folds <- rep(1:3, 20)
  cv <- suppressWarnings(cv_mkl(
    d$x, d$y, kernels = set, learner = learner_simplemkl(), resamples = folds, keep = "weights"
  ))
  expect_identical(
    names(cv$weights), c("id", "repeat", "fold", "kernel", "view", "weight")
  )
  for (k in 1:3) {
    part <- cv$weights[cv$weights$fold == k, ]
    fit <- simplemkl(d$x[folds != k, ], d$y[folds != k], kernels = set)
    expect_equal(stats::setNames(part$weight, part$kernel), coef(fit), tolerance = 1e-8)
  }
  expect_identical(tidy(cv, "weights"), cv$weights)
})

test_that("several models and views are told apart, and results are the same with and without", {
  three <- factor(rep(c("a", "b", "c"), 20))
  cv <- run(three)
  expect_identical(nrow(cv$weights), 3L * 3L * 3L)
  expect_setequal(cv$weights$pair, c("b/a", "c/a", "c/b"))
  fit <- mkl(d$x, three, kernels = set, learner = learner_simplemkl())
  expect_identical(weight_table(fit)[c("pair", "kernel", "weight")], kernel_weights(fit))
  set.seed(1)
  plain <- suppressWarnings(
    cv_mkl(d$x, three, kernels = set, learner = learner_simplemkl(), folds = 3)
  )
  timeless <- function(cv) cv$results[names(cv$results) != "fit_time"]
  expect_identical(timeless(cv), timeless(plain))
  expect_null(plain$weights)
  sources <- views(one = d$x[, 1:2], two = d$x[, 3, drop = FALSE])
  by_view <- cv_mkl(sources, d$y, folds = 3, keep = "weights")
  expect_setequal(by_view$weights$view, c("one", "two"))
})

test_that("the plot shows a dot for each split and the means", {
  skip_if_not_installed("ggplot2")
  cv <- run(d$y)
  plot <- autoplot(cv, "weights")
  expect_identical(nrow(ggplot2::layer_data(plot, 1L)), 9L)
  means <- ggplot2::layer_data(plot, 2L)$x
  expect_equal(sort(means), sort(as.vector(tapply(cv$weights$weight, cv$weights$kernel, mean))))
  expect_s3_class(autoplot(run(factor(rep(c("a", "b", "c"), 20))), "weights"), "ggplot")
  expect_s3_class(autoplot(cv), "ggplot")
})

test_that("many models are averaged within each split, and many kernels cut", {
  skip_if_not_installed("ggplot2")
  cv <- run(factor(rep(c("a", "b", "c", "d"), 15)))
  plot <- autoplot(cv, "weights")
  own <- cv$weights[cv$weights$kernel == cv$weights$kernel[1], ]
  dots <- plot$data[plot$data$kernel == own$kernel[1], ]
  expect_equal(sort(dots$weight), sort(as.vector(tapply(own$weight, own$fold, mean))))
  expect_match(plot$labels$subtitle, "mean over 6\\smodels")
  # The same fold of another repeat is another split.
  twice <- run(factor(rep(c("a", "b", "c", "d"), 15)), repeats = 2)
  expect_identical(nrow(autoplot(twice, "weights")$data), 2L * nrow(plot$data))
  cut <- gg_cv_weights(run(d$y), limit = 2)
  expect_identical(nlevels(cut$data$row), 2L)
  expect_match(cut$labels$subtitle, "^Largest 2 of 3;")
})

test_that("what is not there, or not known, is an error", {
  cv <- suppressWarnings(cv_mkl(d$x, d$y, folds = 3))
  expect_mkl_error(tidy(cv, "weights"), "keep = \"weights\"", "what")
  expect_mkl_error(tidy(cv, "all"), argument = "what")
  expect_mkl_error(cv_mkl(d$x, d$y, folds = 3, keep = "fits"), argument = "keep")
  skip_if_not_installed("ggplot2")
  expect_mkl_error(autoplot(cv, "weights"), "keep = \"weights\"", "what")
  skip_if_not_installed("class")
  expect_mkl_error(
    cv_mkl(d$x, d$y, learner = learner_knn(), folds = 3, keep = "weights"), "no kernels", "keep"
  )
})

test_that("the splits are kept if asked for, and give the same results again", {
  set.seed(1)
  cv <- cv_mkl(mpg ~ wt, mtcars, folds = 3, keep = "splits")
  set.seed(1)
  expect_identical(cv$splits, resample_splits(resample_cv(3), mtcars$mpg))
  again <- cv_mkl(mpg ~ wt, mtcars, resamples = cv$splits)
  expect_identical(again$results$rmse, cv$results$rmse)
  expect_null(cv_mkl(mpg ~ wt, mtcars, folds = 3)$splits)
})
