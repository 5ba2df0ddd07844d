# Nothing of the test part reaches the training part.

# Results of the fit of one split, without the predictions themselves: all that could tell.
traces <- function(data, formula, ..., train = 1:40, test = 41:60) {
  ns <- asNamespace("multikernel")
  seen <- NULL
  source <- ns$new_source(ns$frame_formula(formula, data), ns$fit_arguments(list(...), "test"),
                          formula, data)
  frame <- ns$split_frame(source, train, test)
  arguments <- ns$fit_arguments(list(...), "test")
  arguments$task <- source$task
  learner <- learner_average(cost = 5)
  prepared <- do.call(ns$prepare_fit, c(list(frame, learner), arguments, list(part = train)))
  essence(ns$fit_prepared(prepared, list(learner))[[1]])
}

test_that("altered test rows change no fit: scaling, width rules, normalisers, terms", {
  data <- two_class(60)$data
  altered <- data
  altered[41:60, 1:3] <- 100 + 7 * altered[60:41, 1:3]
  kernels <- c(kernel_rbf(c("median", "nearest", "mean_distance")), kernel_polynomial(2))
  for (normalize in c("trace", "cosine", "center", "unit_trace")) {
    expect_identical(traces(altered, class ~ ., kernels = kernels, normalize = normalize),
                     traces(data, class ~ ., kernels = kernels, normalize = normalize))
  }
  terms <- class ~ scale(v1) + poly(v2, 2) + I(v3 - mean(v3))
  expect_identical(traces(altered, terms, kernels = kernels),
                   traces(data, terms, kernels = kernels))
  # it can fail: altered training rows do show
  altered[1, 1] <- altered[1, 1] + 0.1
  expect_false(identical(traces(altered, class ~ ., kernels = kernels),
                         traces(data, class ~ ., kernels = kernels)))
})

test_that("results of a split depend on its test rows by their own predictions only", {
  data <- two_class(60)$data
  altered <- data
  altered[seq(3, 60, 3), 1:3] <- 50 - 3 * altered[seq(3, 60, 3), 1:3]
  run <- function(data, formula) {
    cv_mkl(formula, data, folds = rep(1:3, 20), learner = learner_average(), predictions = TRUE,
           kernels = kernel_rbf(c("median", "nearest")))$predictions
  }
  for (formula in list(class ~ ., class ~ scale(v1) + poly(v2, 2) + v3)) {
    before <- run(data, formula)
    after <- run(altered, formula)
    # rows 3, 6, ... are tested in fold 3 and train the others
    same <- before$id == "fold3"
    other <- altered
    other[6, 1:3] <- 1e3
    single <- run(other, formula)
    expect_identical(single$decision[same & before$row != 6], after$decision[same & after$row != 6])
    expect_false(identical(after$decision[!same], before$decision[!same]))
  }
})

test_that("the stored scaling is that of the training rows", {
  data <- two_class(60)$data
  ns <- asNamespace("multikernel")
  arguments <- ns$fit_arguments(list(kernels = kernel_rbf("median")), "test")
  source <- ns$new_source(ns$frame_formula(class ~ ., data), arguments, class ~ ., data)
  prepared <- do.call(ns$prepare_fit, c(
    list(source$frame, learner_svm()), arguments, list(part = c(5:30, 5L))
  ))
  part <- data[c(5:30, 5), 1:3]
  expect_equal(prepared$scaling$center, unname(colMeans(part)))
  expect_equal(prepared$scaling$scale, unname(vapply(part, stats::sd, 0)))
  x <- scale(part)
  expect_equal(prepared$items[[1]]$parameters$gamma,
               1 / (2 * stats::median(stats::dist(x))^2), tolerance = 1e-6)
})

test_that("levels that a training part lacks are no error", {
  data <- two_class(60)$data
  data$kind <- ifelse(seq_len(60) == 41, "rare", rep(c("u", "v"), 30))
  fold <- rep(1:2, c(40, 20))
  cv <- cv_mkl(class ~ ., data, folds = fold, predictions = TRUE)
  expect_false(anyNA(cv$predictions$estimate))
  cv <- cv_mkl(class ~ poly(v1, 2) + kind, data, folds = fold, predictions = TRUE)
  expect_false(anyNA(cv$predictions$estimate))
})
