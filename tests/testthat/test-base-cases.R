# A fit for each task, to data with row names; `form` makes the data of them.
named_rows <- function(n = 40) {
  d <- two_class(n)
  rownames(d$x) <- rownames(d$data) <- paste0("case", seq_len(n))
  d
}

test_that("predictions of all types carry the names of the rows, in every form of data", {
  d <- named_rows()
  labels <- rownames(d$x)
  set.seed(1)
  fits <- list(
    formula = list(mkl(class ~ ., d$data, probability = TRUE), d$data),
    data = list(mkl(d$data[1:3], d$y, probability = TRUE), d$data),
    matrix = list(mkl(d$x, d$y, probability = TRUE), d$x)
  )
  K <- tcrossprod(d$x) # nolint: object_name_linter.
  fits$kernels <- list(mkl(list(a = K, b = K^2), d$y, learner = learner_average(),
                           probability = TRUE), list(a = K, b = K^2))
  for (one in fits) {
    fit <- one[[1]]
    expect_named(fitted(fit), labels)
    expect_identical(names(support(fit)), labels[support(fit)])
    some <- if (is.list(one[[2]]) && !is.data.frame(one[[2]])) {
      lapply(one[[2]], function(k) k[c(9, 3), ])
    } else {
      one[[2]][c(9, 3), ]
    }
    for (type in c("class", "decision")) {
      expect_named(predict(fit, type = type), labels)
      expect_named(predict(fit, some, type = type), c("case9", "case3"))
    }
    expect_identical(rownames(predict(fit, type = "prob")), labels)
    expect_identical(rownames(predict(fit, some, type = "prob")), c("case9", "case3"))
  }
  # another order of the names changes nothing but the names
  expect_identical(bare(fitted(fits$matrix[[1]])), fitted(mkl(d$x |> unname(), d$y)))
})

test_that("names are those of lm(): of all data frames, of matrices with row names", {
  line <- lm(mpg ~ wt, mtcars)
  fit <- mkl(mpg ~ wt, mtcars)
  expect_identical(names(fitted(fit)), names(fitted(line)))
  expect_identical(names(residuals(fit)), names(residuals(line)))
  plain <- data.frame(wt = c(2, NA, 3))
  expect_identical(names(predict(fit, plain)), names(predict(line, plain)))
  expect_identical(names(predict(fit, mtcars[5:4, ])), names(predict(line, mtcars[5:4, ])))
  expect_true(is.na(predict(fit, plain)[["2"]]))
  d <- two_class()
  expect_null(names(fitted(mkl(d$x, d$y))))
  expect_null(names(support(mkl(d$x, d$y))))
  expect_null(names(predict(mkl(d$x, d$y), d$x[0, ])))
})

test_that("rows that are left out keep their names, or lose them with their values", {
  data <- mtcars
  data$wt[c(2, 7)] <- NA
  fit <- mkl(mpg ~ wt, data)
  expect_identical(names(fitted(fit)), rownames(mtcars)[-c(2, 7)])
  expect_identical(names(support(fit)), rownames(mtcars)[support(fit)])
  excluded <- mkl(mpg ~ wt, data, na.action = na.exclude)
  line <- lm(mpg ~ wt, data, na.action = na.exclude)
  expect_identical(names(residuals(excluded)), names(residuals(line)))
  expect_identical(which(is.na(residuals(excluded))), which(is.na(residuals(line))))
  expect_equal(residuals(excluded), data$mpg - fitted(excluded))
})

test_that("models with several columns, one-class fits and other predictions are named too", {
  rows <- c(2, 70, 130)
  fit <- mkl(Species ~ ., iris)
  expect_identical(rownames(predict(fit, iris[rows, ], type = "decision")), c("2", "70", "130"))
  usual <- mkl(~ wt + hp, mtcars)
  for (type in c("class", "decision")) {
    expect_named(predict(usual, mtcars[3:4, ], type = type), rownames(mtcars)[3:4])
  }
  local <- lmkl(mpg ~ wt + hp, mtcars, kernels = rep(kernel_linear(), 2), iterations = 5) |>
    suppressWarnings()
  expect_identical(rownames(gating_weights(local, mtcars[5:6, ])), rownames(mtcars)[5:6])
  x <- as.matrix(mtcars[c("wt", "hp")])
  map <- empirical_map(kernel_rbf("median"), x)
  expect_identical(rownames(predict(map)), rownames(mtcars))
  expect_identical(rownames(predict(map, x[3:2, ])), rownames(mtcars)[3:2])
  path <- multik_mhks_path(factor(am) ~ wt + hp, mtcars, c = 1, lambda = 1:2)
  expect_identical(dimnames(predict(path))[[1]], rownames(mtcars))
  expect_identical(dimnames(predict(path, mtcars[3, ], "decision"))[[1]], rownames(mtcars)[3])
  views <- nmcca(list(x, as.matrix(mtcars[c("qsec", "drat")])))
  expect_identical(rownames(predict(views)[[2]]), rownames(mtcars))
})

test_that("long predictions are named without a cost", {
  fit <- mkl(mpg ~ wt, mtcars)
  cases <- new_cases(data.frame(wt = numeric(1e6)))
  values <- numeric(1e6)
  spent <- min(replicate(3, system.time(name_cases(values, cases))[["user.self"]]))
  expect_lt(spent, 0.1) # as.character() of a million numbers, done at once, takes longer
  expect_identical(names(name_cases(values, cases))[1e6], "1000000")
})

test_that("residuals are those of the response", {
  fit <- mkl(mpg ~ wt, mtcars)
  expect_equal(residuals(fit), setNames(mtcars$mpg, rownames(mtcars)) - predict(fit, mtcars))
  for (scale in c(1e-3, 1e3)) {
    changed <- mkl(mpg ~ wt, transform(mtcars, mpg = mpg * scale + 5))
    expect_equal(unname(residuals(changed)), mtcars$mpg * scale + 5 - bare(fitted(changed)))
  }
  two <- droplevels(iris[51:150, ])
  set.seed(1)
  fit <- mkl(Species ~ ., two, probability = TRUE)
  p <- predict(fit, two, type = "prob")[, 2]
  expect_equal(residuals(fit), (two$Species == "virginica") - p, tolerance = 1e-6)
  # as those of glm() on its own probabilities
  several <- mkl(Species ~ ., iris, learner = learner_lda())
  indicator <- unname(outer(as.character(iris$Species), levels(iris$Species), "==") + 0)
  expect_equal(residuals(several), indicator - predict(several, type = "prob"))
  expect_snapshot(error = TRUE, {
    residuals(mkl(Species ~ ., two))
    residuals(mkl(~ wt, mtcars))
    residuals(fit, type = "deviance")
    residuals(fit, tpye = "response")
  })
})

test_that("augment() of the training rows knows the response", {
  fit <- mkl(mpg ~ wt, mtcars)
  expect_identical(augment(fit)$.resid, unname(residuals(fit)))
  classes <- mkl(Species ~ ., iris)
  expect_identical(mean(augment(classes)$.correct), mean(fitted(classes) == iris$Species))
})

test_that("ordered responses come back ordered", {
  data <- mtcars
  data$size <- cut(data$wt, c(0, 2.5, 3.4, 9), c("small", "medium", "large"), ordered_result = TRUE)
  learners <- list(learner_svm(), learner_knn(), learner_simplemkl(), learner_mkboost(trials = 5))
  for (learner in learners) {
    set.seed(1)
    fit <- mkl(size ~ hp + disp, data, learner = learner)
    for (out in list(fitted(fit), predict(fit, data), augment(fit, data)$.fitted)) {
      expect_s3_class(out, "ordered")
      expect_identical(levels(out), levels(data$size))
    }
  }
  expect_identical(colnames(predict(fit, data, type = "decision"))[1], "medium/small")
  cv <- cv_mkl(size ~ hp + disp, data, folds = 3, predictions = TRUE)
  expect_s3_class(cv$predictions$estimate, "ordered")
  out <- expect_silent(augment(cv))
  expect_s3_class(out$.fitted, "ordered")
  expect_identical(mean(out$.correct), mean(as.character(out$.fitted) == as.character(out$.truth)))
  plain <- mkl(factor(size, ordered = FALSE) ~ hp + disp, data)
  expect_false(is.ordered(fitted(plain)))
})

test_that("frameworks get predictions without names, and ordered responses", {
  data <- mtcars[c("wt", "hp")]
  data$size <- cut(data$wt, c(0, 2.5, 3.4, 9), c("small", "medium", "large"), ordered_result = TRUE)
  skip_if_not_installed("parsnip", "1.0.0")
  spec <- parsnip::set_engine(
    multi_kernel("classification", learner = "svm"), "multikernel", probability = FALSE
  )
  fit <- parsnip::fit(spec, size ~ hp + wt, data)
  out <- predict(fit, data)
  expect_null(names(out$.pred_class))
  expect_s3_class(parsnip::extract_fit_engine(fit) |> fitted(), "ordered")
  if (utils::packageVersion("parsnip") >= "1.2.0") expect_s3_class(out$.pred_class, "ordered")
  numbers <- parsnip::fit(multi_kernel("regression", learner = "svm"), wt ~ hp, data)
  expect_null(names(predict(numbers, data)$.pred))
  skip_if_not_installed("mlr3")
  task <- mlr3::as_task_regr(data[c("wt", "hp")], target = "wt")
  learner <- mlr3::lrn("regr.multikernel", learner = "svm")$train(task)
  expect_null(names(learner$predict(task)$response))
})

test_that("update(learner = ) works on fits of every named method", {
  two <- droplevels(iris[51:150, ])
  expected <- mkl(Species ~ ., two, learner = learner_svm(cost = 10), kernels = kernel_rbf(2))
  methods <- list(
    cca_mhks, easymkl, gmkl, komd, lb_svm, lbmkl, levelmkl, lmkl, lpmkl, glmkl, mhks, mkboost,
    multik_mhks, silpmkl, simplemkl, svm_concatenated, svm2k
  )
  set.seed(1)
  for (method in methods) {
    arguments <- list(quote(Species ~ .), quote(two), kernels = quote(rep(kernel_rbf(2), 1)))
    if (identical(method, svm2k)) arguments$kernels <- quote(rep(kernel_rbf(2), 2))
    own <- names(formals(method))
    if ("iterations" %in% own) arguments$iterations <- 3
    if ("trials" %in% own) arguments$trials <- 3
    fit <- suppressWarnings(eval(as.call(c(list(method), arguments))))
    changed <- update(fit, learner = learner_svm(cost = 10), kernels = kernel_rbf(2), scale = TRUE)
    expect_identical(predict(changed, two, type = "decision"),
                     predict(expected, two, type = "decision"))
    expect_identical(changed$call[[1]], quote(mkl))
  }
  # by name, with a parameter of its own, and with the data prepared as before
  fit <- multikernel::easymkl(Species ~ ., two, lambda = 0.5, kernels = kernel_rbf(2))
  changed <- update(fit, learner = learner_svm(cost = 10))
  expect_identical(fitted(changed), fitted(expected))
  expect_identical(update(fit, lambda = 0.3)$learner$parameters$lambda, 0.3)
  raw <- update(mhks(Species ~ ., two, kernels = kernel_rbf(2), scale = FALSE),
                learner = learner_svm())
  expect_null(raw$frame$center)
  expect_mkl_error(update(fit, cost = 2), "cost", "cost")
})
