# Importance where the truth is known.

# Two views that matter, the first more, and one of noise.
known <- function(n, seed) {
  with_seed(seed, {
    strong <- matrix(rnorm(2 * n), n, dimnames = list(NULL, c("a", "b")))
    weak <- matrix(rnorm(2 * n), n, dimnames = list(NULL, c("a", "b")))
    noise <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("a", "b", "c")))
    score <- 2 * strong[, 1] + 0.8 * weak[, 1] + 0.3 * rnorm(n)
    list(
      data = views(strong = strong, weak = weak, noise = noise), score = score,
      y = factor(ifelse(score > 0, "yes", "no"))
    )
  })
}
train <- known(150, 1)
test <- known(300, 2)
fit <- simplemkl(train$data, train$y)
value <- function(x, term) x$estimate[match(term, x$term)]
error <- function(x, term) x$se[match(term, x$term)]

test_that("permutation orders views by what they are worth, and noise is worth nothing", {
  set.seed(1)
  found <- importance(fit, test$data, test$y, metric = "auc")
  expect_s3_class(found, c("mkl_importance", "data.frame"), exact = TRUE)
  expect_identical(found$term, c("strong", "weak", "noise"))
  expect_gt(value(found, "strong"), 3 * value(found, "weak"))
  expect_gt(value(found, "weak"), 2 * error(found, "weak"))
  expect_lte(abs(value(found, "noise")), 2 * error(found, "noise") + 1e-12)
  baseline <- compute_metrics(
    test$y,
    list(decision = predict(fit, test$data, type = "decision"), classes = fit$classes), "auc"
  )
  expect_equal(attr(found, "baseline"), unname(baseline))
})

test_that("dropping orders views by what they are worth", {
  set.seed(1)
  found <- importance(
    fit, train$data, train$y, method = "drop", metric = "auc", resamples = resample_cv(4)
  )
  expect_identical(found$term[1], "strong")
  expect_gt(value(found, "strong"), 2 * error(found, "strong"))
  expect_lte(abs(value(found, "noise")), 2 * error(found, "noise"))
  # the estimates are those of the same splits by hand
  set.seed(1)
  all <- cv_mkl(train$data, train$y, learner = learner_simplemkl(), folds = 4, metrics = "auc")
  expect_equal(attr(found, "baseline"), all$summary$mean)
  set.seed(1)
  without <- cv_mkl(
    train$data[c("weak", "noise")], train$y, learner = learner_simplemkl(), folds = 4,
    metrics = "auc"
  )
  lost <- all$results$auc - without$results$auc
  expect_equal(value(found, "strong"), mean(lost))
  q <- mean(all$results$n_test) / mean(all$results$n_train)
  expect_equal(error(found, "strong"), sqrt((1 / 4 + q) * var(lost)))
})

# Some cases lack a view; all have one besides.
gaps <- function(d, n = 150) {
  strong <- d$data[["strong"]]
  weak <- d$data[["weak"]]
  strong[seq(1, n, 4), ] <- NA
  weak[seq(2, n, 6), ] <- NA
  views(strong = strong, weak = weak, noise = d$data[["noise"]])
}

# The same by cross-validations of the data with and without each view.
expect_drops <- function(data, y, learner, kernels = NULL, ...) {
  label <- learner$name
  set.seed(1)
  found <- importance(
    mkl(data, y, learner = learner, kernels = kernels, ...), data, y, method = "drop",
    metric = "auc", resamples = resample_cv(3)
  )
  by_hand <- function(views) {
    set.seed(1)
    if (is.list(kernels)) kernels <- kernels[views]
    cv_mkl(data[views], y, learner = learner, kernels = kernels, folds = 3, metrics = "auc",
           ...)$results$auc
  }
  all <- by_hand(names(data))
  for (view in names(data)) {
    lost <- mean(all - by_hand(setdiff(names(data), view)))
    testthat::expect_equal(value(found, view), lost, label = paste(label, view))
  }
}

test_that("dropping a view is fitting to data that never had it, also where views are missing", {
  part <- gaps(train)
  expect_drops(part, train$y, learner_average())
  # the other views must not be imputed with its help
  expect_drops(part, train$y, learner_average(), missing = "impute")
  kernels <- list(strong = kernel_rbf(1:2), weak = kernel_linear(), noise = kernel_rbf(2))
  expect_drops(part, train$y, learner_average(), kernels)
  # learners of the columns of all views
  expect_drops(train$data, train$y, learner_svm())
  skip_if_not_installed("MASS")
  expect_drops(train$data, train$y, learner_lda())
})

test_that("a view is dropped on the cases that have another one", {
  alone <- train$data[["weak"]]
  alone[1:40, ] <- NA
  noise <- train$data[["noise"]]
  noise[1:40, ] <- NA
  part <- views(strong = train$data[["strong"]], weak = alone, noise = noise)
  fold <- rep(1:3, 50)
  found <- importance(
    mkl(part, train$y, learner = learner_average()), part, train$y, method = "drop",
    metric = "auc", resamples = fold
  )
  by_hand <- function(views, rows) {
    cv_mkl(part[rows, views], train$y[rows], learner = learner_average(), folds = fold[rows],
           metrics = "auc")$results$auc
  }
  lost <- by_hand(names(part), 41:150) - by_hand(c("weak", "noise"), 41:150)
  expect_equal(value(found, "strong"), mean(lost))
  lost <- by_hand(names(part), 1:150) - by_hand(c("strong", "noise"), 1:150)
  expect_equal(value(found, "weak"), mean(lost))
})

test_that("the order of the columns of the data has no part in the result", {
  x <- as.matrix(mtcars[, c("wt", "hp", "qsec")])
  both <- function(fit, data, other, y) {
    lapply(list(data, other), function(data) {
      set.seed(1)
      as.data.frame(importance(fit, data, y, by = "column", repeats = 3))
    })
  }
  found <- both(mkl(x, mtcars$mpg), x, cbind(x[, 3:1], more = 1), mtcars$mpg)
  expect_equal(found[[2]], found[[1]], ignore_attr = "baseline")
  found <- both(mkl(mpg ~ wt + hp, mtcars), mtcars, mtcars[11:1], NULL)
  expect_equal(found[[2]], found[[1]])
  strong <- test$data[["strong"]]
  other <- views(
    noise = test$data[["noise"]][, 3:1], weak = test$data[["weak"]],
    strong = cbind(more = 0, strong[, 2:1])
  )
  found <- both(fit, test$data, other, test$y)
  expect_equal(found[[2]], found[[1]])
})

test_that("permutations within resamples are those of the fits of the splits", {
  kernels <- lapply(train$data[1:3], function(v) kernel_linear())
  one <- mkl(train$data, train$y, kernels = kernels, learner = learner_average())
  fold <- rep(1:3, 50)
  set.seed(1)
  found <- importance(one, train$data, train$y, metric = "auc", repeats = 25, resamples = fold)
  by_hand <- vapply(1:3, function(k) {
    own <- mkl(train$data[fold != k, ], train$y[fold != k], kernels = kernels,
               learner = learner_average())
    set.seed(k)
    out <- importance(own, train$data[fold == k, ], train$y[fold == k], metric = "auc",
                      repeats = 100)
    c(attr(out, "baseline"), value(out, c("strong", "weak", "noise")))
  }, numeric(4))
  expect_equal(attr(found, "baseline"), mean(by_hand[1, ]))
  expect_equal(value(found, c("strong", "weak", "noise")), rowMeans(by_hand[-1, ]),
               tolerance = 0.03)
  expect_lte(abs(value(found, "noise")), 3 * error(found, "noise"))
  expect_output(print(found), "150 cases, 3 splits")
  expect_match(top_importance(found, 5)$subtitle, "; permuted, 3 splits; lines")
  # noise that a fit has learnt by heart looks useful on its training rows
  wild <- with_seed(4, matrix(rnorm(60 * 4), 60, dimnames = list(NULL, letters[1:4])))
  coin <- factor(rep(c("no", "yes"), 30))
  fit <- mkl(wild, coin, kernels = kernel_rbf(0.5))
  set.seed(1)
  expect_true(all(importance(fit, wild, coin)$estimate > 0.1))
  set.seed(1)
  honest <- importance(fit, wild, coin, resamples = resample_cv(5))
  expect_true(all(abs(honest$estimate) < 2 * honest$se + 0.02))
  # a formula, and the seed alone decides
  cars <- mkl(mpg ~ wt + log(hp), mtcars)
  set.seed(2)
  first <- importance(cars, mtcars, repeats = 2, resamples = resample_cv(4))
  expect_setequal(first$term, c("wt", "hp"))
  set.seed(2)
  expect_identical(importance(cars, mtcars, repeats = 2, resamples = resample_cv(4)), first)
})

test_that("dropping a kernel is fitting without it", {
  set <- kernel_set(kernel_rbf(1, on = "wt"), kernel_linear(on = "hp"))
  fit <- mkl(mpg ~ wt + hp, mtcars, kernels = set, learner = learner_average())
  set.seed(3)
  found <- importance(
    fit, mtcars, by = "kernel", method = "drop", resamples = resample_cv(3)
  )
  by_hand <- function(kernels) {
    set.seed(3)
    cv_mkl(mpg ~ wt + hp, mtcars, kernels = kernels, learner = learner_average(), folds = 3)
  }
  lost <- by_hand(set[2])$results$rmse - by_hand(set)$results$rmse
  expect_equal(value(found, names(set)[1]), mean(lost))
})

test_that("a view that comes twice is shared by permutation and free to drop", {
  twice <- function(d) views(
    strong = d$data[["strong"]], again = d$data[["strong"]], weak = d$data[["weak"]]
  )
  both <- mkl(twice(train), train$y, learner = learner_average())
  once <- mkl(train$data[c("strong", "weak")], train$y, learner = learner_average())
  set.seed(2)
  shared <- importance(both, twice(test), test$y, metric = "auc", repeats = 20)
  set.seed(2)
  whole <- importance(once, test$data[c("strong", "weak")], test$y, metric = "auc", repeats = 20)
  bound <- 3 * max(shared$se)
  expect_lt(abs(value(shared, "strong") - value(shared, "again")), bound)
  expect_lt(value(shared, "strong"), 0.7 * value(whole, "strong"))
  set.seed(2)
  dropped <- importance(
    both, twice(train), train$y, method = "drop", metric = "auc", resamples = resample_cv(4)
  )
  expect_lt(abs(value(dropped, "again")), 0.05)
})

test_that("a permutation does what it says", {
  # a view, with its presence; a column; the contributions of a kernel
  kernels <- lapply(train$data[1:3], function(v) kernel_linear())
  linear <- mkl(train$data, train$score, kernels = kernels, learner = learner_average())
  order <- with_seed(5, sample(300))
  decision <- function(data) predict(linear, data, type = "decision")
  moved <- test$data
  moved[["weak"]] <- moved[["weak"]][order, ]
  cases <- open_views(linear, test$data)
  expect_equal(drop(cases$permuted("weak", order)), bare(decision(moved)), ignore_attr = TRUE)
  kernels <- open_kernels(linear, test$data)
  expect_equal(drop(kernels$decision()), bare(decision(test$data)), tolerance = 1e-12)
  # linear kernels of one view each: the same as the view
  expect_equal(kernels$permuted(2L, order), cases$permuted("weak", order), tolerance = 1e-10)
  columns <- open_columns(linear, test$data)
  expect_identical(names(columns$sources)[1:3], c("strong$a", "strong$b", "weak$a"))
  moved <- test$data
  moved[["weak"]][, 1] <- moved[["weak"]][order, 1]
  expect_equal(
    drop(columns$permuted(columns$sources[["weak$a"]], order)), bare(decision(moved)),
    ignore_attr = TRUE
  )
})

test_that("a view is permuted among the cases that have it", {
  strong <- test$data[["strong"]]
  weak <- test$data[["weak"]]
  weak[1:100, ] <- NA
  strong[201:300, ] <- NA
  noise <- test$data[["noise"]]
  noise[c(1:50, 201:250), ] <- NA
  part <- function(weak) views(strong = strong, weak = weak, noise = noise)
  data <- part(weak)
  order <- with_seed(6, sample(300))
  moved <- weak
  moved[101:300, ] <- weak[order[order > 100], ]
  expected <- predict(fit, part(moved), type = "decision")
  expect_equal(drop(open_views(fit, data)$permuted("weak", order)), bare(expected))
  columns <- open_columns(fit, data)
  both <- columns$permuted(list("weak", 1L), order)
  half <- weak
  half[, 1] <- moved[, 1]
  expect_equal(drop(both), bare(predict(fit, part(half), type = "decision")))
  # cases with this view alone still have a prediction
  for (by in c("view", "kernel", "column")) {
    found <- importance(fit, data, test$y, by = by, repeats = 2)
    expect_false(anyNA(found$estimate), label = by)
  }
  kernels <- open_kernels(fit, data)
  of <- which(kernel_groups(fit) == "weak" & kernel_weights(fit) > 0)[1L]
  expect_identical(kernels$permuted(of, order)[1:100, ], kernels$decision()[1:100, ])
})

test_that("the response comes from the data, never from the workspace", {
  cars <- mkl(mpg ~ wt + hp, mtcars)
  mpg <- rep(0, 32)
  expect_mkl_error(importance(cars, mtcars[c("wt", "hp")]), "missing", "y")
  expect_mkl_error(importance(cars, mtcars, y = rep("a", 32)), "numeric", "y")
  expect_mkl_error(importance(cars, mtcars[1, ]), "at least 2", "data")
  expect_identical(importance(cars, mtcars, repeats = 1)$se, rep(NA_real_, 2))
})

test_that("data frames, formulas, matrices, kernel matrices and single classes", {
  cars <- mkl(mpg ~ wt + log(hp), mtcars)
  set.seed(1)
  found <- importance(cars, mtcars, repeats = 3)
  expect_setequal(found$term, c("wt", "hp"))
  expect_identical(attr(found, "metric"), "rmse")
  expect_true(all(found$estimate > 0))
  set.seed(1)
  expect_identical(importance(cars, mtcars, mtcars$mpg, repeats = 3), found)

  x <- as.matrix(mtcars[, c("wt", "hp", "qsec")])
  set.seed(1)
  by_matrix <- importance(mkl(x, mtcars$mpg), x, mtcars$mpg, repeats = 3)
  expect_setequal(by_matrix$term, colnames(x))

  K <- unclass(kernel_matrix(kernel_set(kernel_rbf(1), kernel_linear()), scale(x)))
  stored <- mkl(K, mtcars$mpg, learner = learner_average())
  set.seed(1)
  by_kernel <- importance(stored, K, mtcars$mpg, repeats = 3)
  expect_identical(attr(by_kernel, "by"), "kernel")
  expect_setequal(by_kernel$term, names(K))
  set.seed(1)
  dropped <- importance(
    stored, K, mtcars$mpg, by = "kernel", method = "drop", resamples = resample_cv(3)
  )
  expect_setequal(dropped$term, names(K))

  one <- mkl(x, learner = learner_svm(nu = 0.2))
  set.seed(1)
  expect_identical(nrow(importance(one, x, repeats = 2)), 3L)
})

test_that("factors of one column and classes move as one", {
  d <- data.frame(group = factor(rep(c("a", "b", "c"), 20)), x = rep(c(1, 2), 30))
  d$y <- factor(ifelse(d$group == "a", "in", "out"))
  fit <- mkl(y ~ ., d)
  set.seed(1)
  found <- importance(fit, d, repeats = 4)
  expect_identical(found$term, c("group", "x"))
  expect_gt(found$estimate[1], 0.2)
})

test_that("the seed alone decides, whatever the number of workers", {
  set.seed(7)
  one <- importance(fit, test$data, test$y, repeats = 4)
  set.seed(7)
  expect_identical(importance(fit, test$data, test$y, repeats = 4), one)
  set.seed(8)
  expect_false(identical(importance(fit, test$data, test$y, repeats = 4), one))
  skip_if_not_installed("future")
  skip_on_os("windows")
  old <- future::plan(future::multicore, workers = 2)
  on.exit(future::plan(old))
  set.seed(7)
  expect_identical(importance(fit, test$data, test$y, repeats = 4), one)
})

test_that("probabilities are needed where the measure needs them", {
  expect_mkl_error(
    importance(fit, test$data, test$y, metric = "brier"), "needs probabilities", "metric"
  )
})

test_that("importance prints, tidies and plots", {
  set.seed(1)
  found <- importance(fit, test$data, test$y, repeats = 3)
  expect_output(print(found), "loss of accuracy by view, permutation")
  expect_output(print(found), "300 cases, 3 permutations")
  tidied <- tidy(found)
  expect_identical(names(tidied), c("term", "estimate", "std.error", "by", "method", "metric"))
  expect_identical(tidied$estimate, found$estimate)
  expect_s3_class(found[1:2, ], "mkl_importance")
  expect_identical(attr(found[1:2, ], "by"), "view")
  expect_false(inherits(found[, 1:2], "mkl_importance"))
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  skip_if_not_installed("ggplot2")
  plot <- autoplot(found, limit = 2)
  expect_s3_class(plot, "ggplot")
  expect_identical(as.character(plot$data$term), found$term[1:2])
  expect_equal(plot$data$high, (found$estimate + found$se)[1:2])
  expect_match(plot$labels$subtitle, paste0("^Largest 2 of ", nrow(found), " views; "))
  expect_match(autoplot(found)$labels$subtitle, "^accuracy with all.*standard error$")
  once <- importance(fit, test$data, test$y, repeats = 1)
  expect_match(autoplot(once)$labels$subtitle, "permuted 1 time$")
})

test_that("bad arguments are errors that name them", {
  ask <- function(...) importance(fit, test$data, test$y, ...)
  expect_mkl_error(importance(fit), "must hold the cases", "data")
  expect_mkl_error(importance(3), argument = "object")
  expect_mkl_error(ask(by = "rows"), argument = "by")
  expect_mkl_error(ask(method = "shuffle"), argument = "method")
  expect_mkl_error(ask(metric = "acuracy"), argument = "metric")
  expect_mkl_error(ask(metric = c("auc", "accuracy")), "one measure", "metric")
  expect_mkl_error(ask(metric = "support"), "of the predictions", "metric")
  expect_mkl_error(ask(repeats = 0), argument = "repeats")
  K <- list(k = unclass(kernel_matrix(kernel_rbf(1), scale(as.matrix(mtcars[2:4])))))
  stored <- mkl(K, mtcars$mpg)
  expect_mkl_error(
    importance(stored, K, mtcars$mpg, resamples = resample_cv(3)), "with rows", "resamples"
  )
  expect_mkl_error(ask(method = "drop", repeats = 3), "has no effect", "repeats")
  expect_mkl_error(ask(method = "drop", by = "column"), "views and kernels", "by")
  expect_mkl_error(ask(repeat_ = 3), argument = "repeat_")
  expect_mkl_error(importance(fit, test$data), "missing", "y")
  expect_mkl_error(importance(fit, test$data, test$y[-1]), "300 rows", "y")
  expect_mkl_error(importance(fit, test$data, method = "drop"), "missing", "y")
  plain <- mkl(mpg ~ wt, mtcars)
  expect_mkl_error(importance(plain, mtcars, by = "view"), "not made on views", "by")
  expect_mkl_error(
    importance(plain, mtcars, by = "kernel", method = "drop"), "nothing would be left", "by"
  )
  expect_mkl_error(importance(plain, mtcars["wt"]), "missing", "y")
  skip_if_not_installed("class")
  knn <- mkl(train$data, train$y, learner = learner_knn())
  expect_mkl_error(
    importance(knn, train$data, train$y, by = "kernel", method = "drop"), "sees columns", "by"
  )
  set.seed(1)
  expect_identical(importance(knn, test$data, test$y, repeats = 3)$term[1], "strong")
})
