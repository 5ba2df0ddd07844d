# Nothing of the test part reaches the training part.

# Results of the fit of one split, without the predictions themselves: all that could tell.
traces <- function(data, formula, ..., train = 1:40) {
  ns <- asNamespace("multikernel")
  seen <- NULL
  source <- ns$new_source(ns$as_frame(formula, data), ns$given_settings(list(...), "test"))
  frame <- ns$split_frame(source, train)
  settings <- ns$given_settings(list(...), "test")
  settings$task <- source$task
  learner <- learner_average(cost = 5)
  prepared <- ns$prepare_fit(frame, learner, settings, train)
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
  settings <- ns$given_settings(list(kernels = kernel_rbf("median")), "test")
  source <- ns$new_source(ns$as_frame(class ~ ., data), settings)
  prepared <- ns$prepare_fit(source$frame, learner_svm(), settings, c(5:30, 5L))
  part <- data[c(5:30, 5), 1:3]
  expect_equal(prepared$frame$blueprint$center, unname(colMeans(part)))
  expect_equal(prepared$frame$blueprint$scale, unname(vapply(part, stats::sd, 0)))
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

test_that("terms that are computed may use all that mkl() takes", {
  d <- two_class(60)$data
  d$v2 <- abs(d$v2) + 0.1
  d$few <- c(7, rep(1:3, length.out = 59))
  outside <- d$v2
  same <- function(a, b) expect_equal(a$results$accuracy, b$results$accuracy)
  folds <- list(list(train = 1:40, test = 41:60), list(train = 21:60, test = 1:20))
  run <- function(formula, data = d) {
    cv_mkl(formula, data, learner = learner_average(), resamples = folds, metrics = "accuracy")
  }
  # a vector beside the data
  same(run(class ~ v1 + log(outside)), run(class ~ v1 + log(v2)))
  # a level that a training part lacks
  same(run(class ~ v1 + factor(few)), run(class ~ v1 + few, transform(d, few = factor(few))))
  # text stays text for the functions of a formula
  text <- transform(d, few = as.character(few))
  same(run(class ~ v1 + as.numeric(few), text), run(class ~ v1 + few))
  same(run(class ~ v1 + few + log(v2), text),
       run(class ~ v1 + few + log(v2), transform(d, few = factor(few))))
  # a constant that happens to be as long as a training part
  reference <- seq_len(40)
  same(run(class ~ I(v1 - mean(reference))), run(class ~ I(v1 - 20.5)))
  # a matrix among the data, beside a computed column
  k <- exp(-as.matrix(dist(d$v1)))
  dimnames(k) <- NULL
  same(run(class ~ precomputed(k) + linear(log(v2)), c(as.list(d), list(k = k))),
       run(class ~ precomputed(k) + linear(w), transform(d, w = log(v2))))
})

test_that("a split whose columns cannot be made is named, or fails alone", {
  d <- two_class(60)$data
  expect_mkl_error(cv_mkl(class ~ v1 + cut(v2, 3), d, folds = 3), "In split \"fold1\": Column")
  expect_error(
    tune_mkl(class ~ v1 + cut(v2, 3), d, learner = learner_svm(), grid = list(cost = 1:2),
             folds = 3), "Every point failed.*In split", class = "multikernel_tuning_error"
  )
})

test_that("rows that a split leaves out are not missing data", {
  d <- two_class(60)$data
  part <- list(list(train = 1:30, test = 31:45))
  cv <- cv_mkl(class ~ scale(v1) + v2, d, resamples = part, na.action = na.fail)
  expect_equal(cv$results$accuracy,
               cv_mkl(class ~ v1 + v2, d, resamples = part)$results$accuracy)
  # nor need there be any besides the training rows
  all <- list(list(train = 1:60, test = 1:60))
  expect_no_error(cv_mkl(class ~ splines::ns(v1, 3) + poly(v2, 2), d, resamples = all))
})

test_that("a column that only all rows together have is an error, not missing data", {
  d <- two_class(60)$data
  d$place <- rev(seq_len(60))
  lookup <- sin(1:60) # as long as the data, but no column of them
  expect_mkl_error(cv_mkl(class ~ v1 + I(lookup[place]), d, folds = 3),
                   "In split .*is missing in row .*compute that column before", "formula")
})

test_that("a function of the user that is named like a kernel is one in each split", {
  d <- two_class(60)$data
  cauchy <- function(v) sin(v)
  folds <- list(list(train = 1:40, test = 41:60))
  one <- cv_mkl(class ~ rbf(cauchy(v1), v2, sigma = 1), d, resamples = folds)
  two <- cv_mkl(class ~ rbf(sine, v2, sigma = 1), transform(d, sine = sin(v1)), resamples = folds)
  expect_equal(one$results$accuracy, two$results$accuracy)
})

test_that("learners of one kind with other default kernels or normalizers are prepared apart", {
  d <- two_class(40)
  fold <- rep(1:2, 20)
  tuned <- tune_mkl(d$x, d$y, learner = learner_gmkl(), grid = list(combine = c("sum", "product")),
                    folds = fold, metrics = "auc")
  alone <- vapply(c("sum", "product"), function(combine) {
    cv_mkl(d$x, d$y, learner = learner_gmkl(combine), folds = fold, metrics = "auc")$summary$mean
  }, 0)
  expect_equal(tuned$summary$auc, unname(alone))
})
