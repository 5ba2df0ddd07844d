# Identifiers, many levels, and levels that new data have and the fit has not.

decide <- function(fit, ...) predict(fit, ..., type = "decision")

with_column <- function(values, n = 60) {
  d <- two_class(n)
  cbind(d$data, extra = values)
}

test_that("identifiers are an error that names them and says what to do", {
  ids <- paste0("patient", 1:60)
  for (data in list(with_column(ids), with_column(factor(ids)), with_column(ordered(ids)))) {
    expect_mkl_error(mkl(class ~ ., data), "`extra` of `data` has a different value.*60 rows",
                     "extra", "multikernel_data_error")
    expect_mkl_error(mkl(data[-4], data$class), "`extra` of `x`", "extra")
    expect_mkl_error(cv_mkl(class ~ ., data, folds = 2), "y ~ . - extra", "extra")
    expect_mkl_error(tune_mkl(class ~ ., data, folds = 2, grid = list(cost = 1)), "extra")
    expect_mkl_error(
      benchmark_mkl(class ~ ., data, list(learner_svm()), resample_cv(2)), "extra"
    )
    expect_mkl_error(mkl(class ~ rbf(v1, sigma = 1) + linear(extra), data), "extra")
    expect_mkl_error(kernel_matrix(kernel_linear(), data[-4]), "extra")
    expect_identical(decide(mkl(class ~ . - extra, data), data[-5]),
                     decide(mkl(class ~ ., data[-5]), data[-5]))
  }
  expect_snapshot(error = TRUE, {
    mkl(class ~ ., with_column(ids))
    mkl(with_column(ids)[-4], two_class()$y)
    mkl(class ~ ., transform(with_column(ids), `my name` = ids, check.names = FALSE))
  })
})

test_that("missing values do not hide an identifier", {
  ids <- paste0("note ", 1:60)
  ids[1:40] <- NA
  expect_mkl_error(mkl(class ~ ., with_column(ids)), "each of the 20 rows", "extra")
})

test_that("categories are no identifiers", {
  few <- rep(c("a", "b"), 30)
  expect_no_message(mkl(class ~ ., with_column(few)))
  # one repeated value, and data of few rows
  expect_no_error(suppressMessages(mkl(class ~ ., with_column(factor(c("p1", paste0("p", 1:59)))))))
  small <- data.frame(y = c(1.5, 2, 4), g = c("a", "b", "c"))
  expect_no_error(mkl(y ~ g, small))
  expect_no_error(mkl(y ~ ., data.frame(y = sqrt(1:9), g = letters[1:9])))
  expect_mkl_error(mkl(y ~ ., data.frame(y = sqrt(1:10), g = letters[1:10])), argument = "g")
})

test_that("a training part may hold every value once", {
  group <- rep(sprintf("g%02d", 1:15), 2)
  d <- two_class(30)
  data <- cbind(d$data, group = group)
  folds <- rep(1:2, each = 15)
  expect_no_error(cv_mkl(class ~ scale(v1) + group, data, folds = folds))
  expect_no_error(cv_mkl(class ~ v1 + group, data, folds = folds))
})

test_that("more than 50 levels are mentioned, once", {
  data <- with_column(factor(rep(sprintf("city%02d", 1:51), length.out = 120)), 120)
  message <- expect_message(mkl(class ~ ., data), class = "multikernel_many_levels")
  expect_match(conditionMessage(message), "`extra` \\(51 levels\\) of `data`.*51 in all")
  expect_s3_class(message, "multikernel_message")
  expect_identical(message$columns, "extra")
  expect_message(mkl(data[-4], data$class), "`extra` \\(51 levels\\) of `x`")
  fifty <- with_column(rep(sprintf("city%02d", 1:50), length.out = 120), 120)
  expect_no_message(mkl(class ~ ., fifty))
  count <- function(code) {
    seen <- 0L
    withCallingHandlers(code, multikernel_many_levels = function(m) {
      seen <<- seen + 1L
      invokeRestart("muffleMessage")
    })
    seen
  }
  formula <- class ~ scale(v1) + extra
  expect_identical(count(cv_mkl(formula, data, folds = 3)), 1L)
  expect_identical(count(tune_mkl(formula, data, folds = 2, grid = list(cost = 1:2))), 1L)
  expect_identical(count(cv_mkl(data[-4], data$class, folds = 3)), 1L)
  expect_identical(
    count(benchmark_mkl(formula, data, list(learner_svm()), resample_cv(2))), 1L
  )
  fit <- suppressMessages(mkl(formula, data))
  expect_identical(count(predict(fit, data)), 0L)
})

test_that("text with more than 50 values is no category, and the error says what to do", {
  text <- rep(sprintf("note %02d", 1:51), length.out = 120)
  data <- with_column(text, 120)
  expect_mkl_error(
    mkl(class ~ ., data), "51 different values in 120 rows.*y ~ [.] - extra.*spectrum[(]extra",
    "extra"
  )
  expect_mkl_error(mkl(data[-4], data$class), "kernel_spectrum[(]3, on = \"extra\"", "extra")
  expect_mkl_error(cv_mkl(data[-4], data$class, folds = 2), "kernel_spectrum", "extra")
  expect_mkl_error(kernel_matrix(kernel_linear(), data[-4]), "kernel_spectrum", "extra")
  table <- views(a = data[1:3], b = data[5])
  expect_mkl_error(mkl(table, data$class), "kernel_spectrum", "extra")
  fifty <- with_column(rep(sprintf("city%02d", 1:50), length.out = 120), 120)
  expect_no_message(mkl(class ~ ., fifty))
})

test_that("max_levels says how many values of text are categories", {
  data <- with_column(rep(sprintf("note %02d", 1:51), length.out = 120), 120)
  twin <- data
  twin$extra <- factor(twin$extra)
  table <- function(data) views(a = data[1:3], b = data[5])
  # more than it allows: an error that names it; as many: categories, as those of a factor are
  tight <- function(...) expect_mkl_error(..., "more than `max_levels = 50` allows", "extra")
  wide <- suppressMessages(mkl(class ~ ., twin))
  same <- function(fit) expect_equal(
    unname(fit$decision), unname(wide$decision), tolerance = 1e-10
  )
  tight(mkl(class ~ ., data))
  tight(mkl(class ~ ., data, max_levels = 50))
  tight(mkl(data[-4], data$class))
  tight(mkl(table(data), data$class))
  for (levels in c(51, Inf)) {
    expect_no_message(fit <- mkl(class ~ ., data, max_levels = levels))
    same(fit)
    same(mkl(data[-4], data$class, max_levels = levels))
    same(mkl(class ~ ., data, learner = "svm", max_levels = levels))
  }
  expect_identical(predict(fit, data), fitted(fit))
  expect_no_error(mkl(table(data), data$class, max_levels = 51))
  expect_no_error(mkl(list(a = data[1:3], b = data[5]), data$class, max_levels = 51))
  expect_no_error(mkl(class ~ clinical(b), views(
    class = data$class, b = data[5]
  ), max_levels = 51))
  expect_no_error(easymkl(class ~ ., data, max_levels = 51))
  expect_no_error(update(wide, data = data, max_levels = 51))
  matrix_of <- function(x, ...) kernel_matrix(kernel_rbf(1), x, ...)
  tight(matrix_of(data[c(1:3, 5)]))
  tight(matrix_of(table(data), max_levels = 50))
  expected <- suppressMessages(matrix_of(twin[c(1:3, 5)]))
  expect_equal(matrix_of(data[c(1:3, 5)], max_levels = 51), expected, tolerance = 1e-12)
  expect_no_error(matrix_of(list(a = data[1:3], b = data[5]), max_levels = Inf))
  expect_mkl_error(matrix_of(data[1:3], max_levels = 0), "`max_levels`")
  # a smaller number counts too, for text and for the message about factors
  few <- with_column(rep(letters[1:4], 30), 120)
  expect_no_error(mkl(class ~ ., few, max_levels = 4))
  expect_mkl_error(mkl(class ~ ., few, max_levels = 3),
                   "4 different values in 120 rows, more than `max_levels = 3`", "extra")
  expect_mkl_error(mkl(few[-4], few$class, max_levels = 3), "max_levels = 3", "extra")
  few$extra <- factor(few$extra)
  expect_message(mkl(class ~ ., few, max_levels = 3), class = "multikernel_many_levels")
  expect_no_message(mkl(class ~ ., twin, max_levels = 51))
  # text that a kernel reads has any number of values, and identifiers are none at any number
  expect_no_error(mkl(class ~ spectrum(extra, k = 2), data, max_levels = 1))
  ids <- with_column(paste0("p", 1:60))
  error <- expect_mkl_error(mkl(class ~ ., ids, max_levels = Inf), "each of the 60 rows", "extra")
  expect_no_match(conditionMessage(error), "max_levels")
})

test_that("max_levels goes through resampling, tuning, benchmarks and frameworks", {
  data <- with_column(rep(sprintf("note %02d", 1:51), length.out = 120), 120)
  runs <- list(
    function(...) cv_mkl(class ~ ., data, learner = "svm", folds = 2, ...),
    function(...) cv_mkl(data[-4], data$class, learner = "svm", folds = 2, ...),
    function(...) tune_mkl(class ~ ., data, learner = "svm", folds = 2, grid = list(cost = 1), ...),
    function(...) benchmark_mkl(class ~ ., data, list(learner_svm()), resample_cv(2), ...)
  )
  for (run in runs) {
    expect_mkl_error(run(), "max_levels = 50", "extra")
    expect_no_error(run(max_levels = 51))
    expect_mkl_error(run(max_levels = 0), argument = "max_levels")
  }
  expect_mkl_error(
    benchmark_mkl(class ~ ., data, list(list(learner_svm(), max_levels = 51)), resample_cv(2)),
    argument = "max_levels"
  )
  method <- caret_mkl(learner_svm(), grid = list(), max_levels = 51)
  expect_no_error(
    method$fit(data[-4], data$class, wts = NULL, param = list(), classProbs = FALSE)
  )
})

test_that("max_levels is a parameter of the learners for mlr3", {
  skip_if_not_installed("mlr3")
  data <- with_column(rep(sprintf("note %02d", 1:51), length.out = 120), 120)
  task <- mlr3::as_task_classif(data, target = "class")
  learner <- mlr3::lrn("classif.multikernel", learner = "svm", max_levels = 51)
  expect_no_error(learner$train(task))
  learner$param_set$values$max_levels <- Inf
  expect_no_error(learner$train(task))
  learner$param_set$values$max_levels <- NULL
  expect_error(learner$train(task), "max_levels = 50")
})

test_that("max_levels must be a whole number or Inf", {
  d <- two_class()
  for (wrong in list(0, -1, 2.5, NA, NaN, "50", c(1, 2), NULL, TRUE, -Inf)) {
    expect_mkl_error(mkl(class ~ ., d$data, max_levels = wrong), argument = "max_levels")
    if (!is.null(wrong)) {
      expect_mkl_error(mkl(d$data[-4], d$data$class, max_levels = wrong), argument = "max_levels")
    }
  }
})

test_that("fits by other frameworks mention many levels once", {
  skip_if_not_installed("parsnip")
  data <- with_column(factor(rep(sprintf("town%02d", 1:51), length.out = 120)), 120)
  names(data)[5] <- "town"
  spec <- parsnip::set_engine(
    multi_kernel("classification", learner = "svm"), "multikernel", probability = FALSE
  )
  expect_message(parsnip::fit(spec, class ~ ., data), class = "multikernel_many_levels")
  expect_no_message(parsnip::fit(spec, class ~ ., data[1:110, ]))
  ids <- with_column(paste0("p", 1:60))
  expect_mkl_error(parsnip::fit(spec, class ~ ., ids), argument = "extra")
  method <- caret_mkl(learner_svm(), grid = list())
  train <- function(x) method$fit(x, ids$class, wts = NULL, param = list(), classProbs = FALSE)
  expect_mkl_error(train(ids[-4]), argument = "extra")
})

# New levels --------------------------------------------------------------------------------------

two_factors <- function() {
  d <- two_class()
  data <- data.frame(d$data, f = rep(c("a", "b"), 30), g = factor(rep(c("x", "y", "z"), 20)))
  new <- data[1:6, ]
  new$f[c(2, 4)] <- c("zebra", "yak")
  new$g <- as.character(new$g)
  new$g[5] <- "w"
  list(data = data, new = new)
}

test_that("the error lists all unknown levels of all columns", {
  t <- two_factors()
  fit <- mkl(class ~ ., t$data)
  expect_snapshot(error = TRUE, predict(fit, t$new))
  error <- expect_mkl_error(predict(fit, t$new), argument = "f")
  expect_identical(error$levels, list(f = c("zebra", "yak"), g = "w"))
  expect_mkl_error(predict(mkl(t$data[-4], t$data$class), t$new), "\"zebra\", \"yak\".*\"w\"")
  many <- t$data
  many$f <- paste0("level", 1:60)
  text <- conditionMessage(expect_mkl_error(predict(fit, many)))
  expect_match(text, "\"level20\" and 40 more")
})

test_that("unknown levels may count as missing", {
  t <- two_factors()
  known <- c(1, 3, 6)
  fits <- list(
    mkl(class ~ ., t$data), mkl(t$data[-4], t$data$class), mkl(class ~ scale(v1) + f:g, t$data),
    mkl(class ~ rbf(v1, f, sigma = 1) + linear(g), t$data, learner = learner_average()),
    easymkl(class ~ ., t$data), mkl(class ~ ., t$data, learner = learner_knn())
  )
  for (fit in fits) {
    expect_mkl_error(predict(fit, t$new), "\"zebra\", \"yak\"")
    warned <- expect_warning(
      out <- decide(fit, t$new, new_levels = "missing"), class = "multikernel_new_levels"
    )
    expect_identical(warned$rows, c(2L, 4L, 5L))
    expect_identical(which(is.na(bare(out))), c(2L, 4L, 5L))
    expect_identical(out[known], decide(fit, t$new[known, ]))
    classes <- suppressWarnings(predict(fit, t$new, new_levels = "missing"))
    expect_identical(classes[known], predict(fit, t$new[known, ]))
  }
  expect_snapshot(out <- predict(fits[[1]], t$new, new_levels = "missing"))
  expect_no_warning(predict(fits[[1]], t$data, new_levels = "missing"))
  expect_mkl_error(predict(fits[[1]], t$new, new_levels = "NA"), argument = "new_levels")
})

test_that("the fit says what is done by default", {
  t <- two_factors()
  fit <- mkl(class ~ ., t$data, new_levels = "missing")
  expect_warning(out <- predict(fit, t$new), class = "multikernel_new_levels")
  expect_identical(which(is.na(bare(out))), c(2L, 4L, 5L))
  expect_mkl_error(predict(fit, t$new, new_levels = "error"), "zebra")
  expect_mkl_error(mkl(class ~ ., t$data, new_levels = "none"), argument = "new_levels")
  count <- 0L
  withCallingHandlers(
    out <- augment(mkl(class ~ ., t$data, probability = TRUE), t$new, new_levels = "missing"),
    multikernel_new_levels = function(w) {
      count <<- count + 1L
      invokeRestart("muffleWarning")
    }
  )
  expect_identical(count, 1L)
  expect_identical(which(is.na(out$.fitted)), c(2L, 4L, 5L))
  numbers <- mkl(v1 ~ v2 + f, t$data, new_levels = "missing")
  expect_identical(which(is.na(bare(suppressWarnings(predict(numbers, t$new))))), c(2L, 4L))
  expect_no_error(cv_mkl(class ~ ., t$data, folds = 2, new_levels = "missing"))
})

test_that("gating weights and grids of fits know unknown levels", {
  t <- two_factors()
  fit <- suppressWarnings(lmkl(class ~ linear(v1) + linear(f), t$data, iterations = 3))
  expect_mkl_error(gating_weights(fit, t$new), "zebra")
  expect_warning(eta <- gating_weights(fit, t$new, new_levels = "missing"), "2 rows are NA")
  expect_identical(which(is.na(bare(eta[, 1]))), c(2L, 4L))
  map <- empirical_map(kernel_rbf(1), t$data[c("v1", "f")])
  expect_mkl_error(predict(map, t$new), "zebra")
  expect_warning(out <- predict(map, t$new, new_levels = "missing"), "2 rows are NA")
  expect_identical(which(is.na(bare(out[, 1]))), c(2L, 4L))
  path <- suppressWarnings(multik_mhks_path(
    t$data[c("v1", "f")], t$data$class, c = 1, lambda = 1
  ))
  expect_mkl_error(predict(path, t$new), "zebra")
  expect_warning(out <- predict(path, t$new, new_levels = "missing"), "2 rows are NA")
  expect_identical(which(is.na(bare(out))), c(2L, 4L))
})

test_that("parsnip, mlr3 and caret pass it on", {
  t <- two_factors()
  skip_if_not_installed("parsnip")
  spec <- parsnip::set_engine(
    multi_kernel("classification", learner = "svm"), "multikernel", probability = FALSE,
    new_levels = "missing"
  )
  fit <- parsnip::fit(spec, class ~ v1 + f, t$data)
  expect_warning(out <- predict(fit, t$new), class = "multikernel_new_levels")
  expect_identical(which(is.na(out$.pred_class)), c(2L, 4L))
  method <- caret_mkl(learner_svm(), grid = list(), new_levels = "missing")
  fit <- method$fit(t$data[c("v1", "f")], t$data$class, wts = NULL, param = list(),
                    classProbs = FALSE)
  expect_warning(out <- method$predict(fit, t$new), class = "multikernel_new_levels")
  expect_identical(which(is.na(bare(out))), c(2L, 4L))
  skip_if_not_installed("mlr3")
  learner <- mlr3::lrn("classif.multikernel", learner = "svm", new_levels = "missing")
  task <- mlr3::as_task_classif(t$data[c("v1", "f", "class")], target = "class")
  learner$train(task)
  suppressMessages(
    expect_warning(out <- learner$predict_newdata(t$new), class = "multikernel_new_levels")
  )
  expect_identical(which(is.na(out$response)), c(2L, 4L))
})
