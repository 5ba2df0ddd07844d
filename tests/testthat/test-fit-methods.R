test_that("weights are named, or long for several models", {
  d <- two_class()
  fit <- mkl(d$x, d$y, kernels = c(kernel_rbf(1), kernel_linear()), learner = learner_average())
  expect_equal(kernel_weights(fit), c("rbf(sigma=1)" = 0.5, linear = 0.5))
  expect_identical(coef(fit), kernel_weights(fit))
  expect_mkl_error(coef(fit, complete = TRUE), "not an argument of coef()", "complete")
  long <- kernel_weights(mkl(Species ~ ., three_class(), learner = learner_average()))
  expect_s3_class(long, "data.frame")
  expect_named(long, c("pair", "kernel", "weight"))
  expect_identical(nrow(long), 24L)
})

test_that("reports have one value, or one for each model", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  expect_true(converged(fit))
  expect_gt(objective(fit), 0)
  expect_gte(duality_gap(fit), 0)
  expect_type(objective_path(fit), "double")
  many <- mkl(Species ~ ., three_class())
  expect_named(converged(many), c("versicolor/setosa", "virginica/setosa", "virginica/versicolor"))
  expect_named(objective_path(many), names(objective(many)))
})

test_that("support gives rows of the data", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  expect_true(all(support(fit) %in% 1:60))
  expect_false(is.unsorted(support(fit)))
  # without the other rows the solution is the same
  full <- mkl(d$x, d$y, scale = FALSE, kernels = kernel_rbf(1), control = mkl_control(tol = 1e-8))
  again <- mkl(d$x[support(full), ], d$y[support(full)], scale = FALSE, kernels = kernel_rbf(1),
               control = mkl_control(tol = 1e-8))
  expect_equal(predict(again, d$x, type = "decision"), predict(full, d$x, type = "decision"),
               tolerance = 1e-4)
})

test_that("nobs, fitted and formula answer", {
  d <- two_class()
  fit <- mkl(class ~ v1 + v2, d$data)
  expect_identical(nobs(fit), 60L)
  expect_length(fitted(fit), 60L)
  expect_equal(formula(fit), class ~ v1 + v2, ignore_attr = TRUE)
  expect_mkl_error(formula(mkl(d$x, d$y)), "not made by a formula")
  expect_mkl_error(fitted(fit, type = "prob"), "not an argument of fitted()", "type")
  expect_mkl_error(summary(fit, models = 1), "not an argument of summary()", "models")
})

test_that("update changes arguments and formula", {
  d <- two_class()
  fit <- mkl(class ~ ., d$data)
  expect_equal(learner_of(update(fit, learner = learner_svm(cost = 5))), learner_svm(cost = 5))
  expect_identical(ncol(update(fit, . ~ . - v3)$train), 2L)
  expect_identical(
    predict(update(fit, . ~ v1), d$data, type = "decision"),
    predict(mkl(class ~ v1, d$data), d$data, type = "decision")
  )
  expect_type(update(fit, scale = FALSE, evaluate = FALSE), "language")
  by_matrix <- mkl(d$x, d$y)
  expect_null(update(by_matrix, scale = FALSE)$frame$center)
})

test_that("print and summary say what matters", {
  d <- two_class()
  fit <- mkl(class ~ ., d$data, learner = learner_average(cost = 10))
  out <- paste(capture.output(print(fit)), collapse = "\n")
  for (text in c("Average of the kernels", "yes \\(positive\\)", "cost = 10", "60 rows",
                 "Kernels: 8", "and 2 more", "Support:", "converged after", "objective",
                 "duality gap")) {
    expect_match(out, text)
  }
  out <- paste(capture.output(print(summary(fit))), collapse = "\n")
  for (text in c("Call: mkl", "tolerance 0.001", "iterations", "polynomial")) {
    expect_match(out, text)
  }
  expect_output(print(summary(mkl(Species ~ ., three_class()))), "virginica/setosa")
  expect_output(print(mkl(numbers()$x, numbers()$y)), "regression")
  expect_output(print(mkl(numbers()$x)), "one-class")
})

test_that("questions to something else are refused", {
  model <- lm(mpg ~ wt, mtcars)
  for (f in list(kernel_weights, support, converged, objective, objective_path, duality_gap)) {
    expect_mkl_error(f(model), "fit of mkl\\(\\), not an object of class \"lm\"", "object")
  }
})

test_that("plots are drawn", {
  d <- two_class()
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  before <- graphics::par("mar")
  two <- mkl(class ~ v1 + v2, d$data)
  expect_identical(plot(two), two)
  expect_no_error(plot(two, data = d$data))
  expect_no_error(plot(mkl(unname(d$x[, 1:2]), d$y), data = unname(d$x[, 1:2]), response = d$y))
  expect_no_error(plot(mkl(d$data[c("v1", "v2")], d$y, learner = learner_average()), "boundary"))
  expect_no_error(plot(mkl(Species ~ ., three_class(), learner = learner_average())))
  expect_identical(graphics::par("mar"), before)
  expect_mkl_error(plot(mkl(class ~ ., d$data), "boundary"), "exactly two numeric columns")
  expect_mkl_error(plot(mkl(Species ~ ., three_class()), "boundary"), "two-class")
  expect_mkl_error(plot(two, "all"), argument = "what")
})

test_that("without views, kernels on the same columns are one group", {
  mice <- data.frame(y = rep(c("a", "b"), 10))
  set.seed(3)
  mice$gene <- matrix(rnorm(60), 20)
  mice$lipid <- matrix(rnorm(40), 20)
  kernels <- kernel_set(
    kernel_rbf(1:2, on = "gene"), kernel_linear(on = "lipid"), kernel_rbf(3),
    kernel_linear(on = "gene") * kernel_rbf(1, on = "lipid")
  )
  fit <- mkl(y ~ ., mice, learner = "average", kernels = kernels)
  expect_equal(
    kernel_weights(fit, by = "view"),
    c(gene = 0.4, lipid = 0.2, all = 0.2, "gene:lipid" = 0.2)
  )
  terms <- predict(fit, mice, type = "terms", by = "view")
  expect_equal(
    rowSums(terms) + attr(terms, "constant"), predict(fit, mice, type = "decision"),
    ignore_attr = TRUE
  )
})
