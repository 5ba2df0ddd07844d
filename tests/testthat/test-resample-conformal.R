# Conformal prediction: definitions written out, and coverage by simulation.

drawn_numbers <- function(n) {
  x <- matrix(stats::rnorm(2 * n), n, dimnames = list(NULL, c("a", "b")))
  list(x = x, y = x[, 1] + x[, 2]^2 + stats::rexp(n))
}

drawn_classes <- function(n) {
  y <- factor(sample(letters[1:3], n, TRUE))
  list(x = cbind(a = stats::rnorm(n) + (y == "b"), b = stats::rnorm(n) + 1.5 * (y == "c")), y = y)
}

plain <- learner_svm(cost = 1)

test_that("split intervals add the right order statistic of the residuals", {
  d <- with_seed(1, drawn_numbers(80))
  fit <- mkl(d$x[1:40, ], d$y[1:40], learner = plain)
  held <- 41:70
  out <- conformal(fit, d$x[held, ], d$y[held], level = 0.8)
  residuals <- sort(abs(d$y[held] - predict(fit, d$x[held, ])))
  new <- d$x[71:80, ]
  expect_equal(predict(out, new), cbind(
    fit = predict(fit, new), lower = predict(fit, new) - residuals[25],
    upper = predict(fit, new) + residuals[25] # ceiling(0.8 * 31)
  ))
  expect_equal(predict(out, new, level = 0.5)[, "upper"], predict(fit, new) + residuals[16])
  expect_equal(predict(out, new, level = 30 / 31)[, "upper"], predict(fit, new) + residuals[30])
  # 100 * 0.55 is a little more than 55 in floating point
  expect_identical(multikernel:::upper_rank(99, 0.55), 55)
  expect_true(all(predict(out, new, level = 0.99)[, "upper"] == Inf))
})

test_that("split sets hold the classes whose score is small enough", {
  d <- with_seed(2, drawn_classes(150))
  train <- 1:60
  held <- 61:120
  new <- d$x[121:150, ]
  plain_fit <- mkl(d$x[train, ], d$y[train], learner = plain)
  fit <- mkl(d$x[train, ], d$y[train], learner = plain, probability = TRUE)
  own <- cbind(1:60, as.integer(d$y[held]))
  limit <- function(strange) sort(strange[own])[ceiling(0.9 * 61)]
  p <- predict(fit, d$x[held, ], type = "prob")
  expect_equal(predict(conformal(fit, d$x[held, ], d$y[held]), new),
               1 - predict(fit, new, type = "prob") <= limit(1 - p))
  # the sum of all probabilities that are not smaller
  adaptive <- function(p) t(apply(p, 1, function(row) vapply(row, function(one) {
    sum(row[row >= one])
  }, 0)))
  expect_equal(predict(conformal(fit, d$x[held, ], d$y[held], score = "adaptive"), new),
               adaptive(predict(fit, new, type = "prob")) <= limit(adaptive(p)))
  # without probabilities: votes and decision values
  votes <- function(x) {
    multikernel:::rest_scores(predict(plain_fit, x, type = "decision"), letters[1:3])
  }
  expect_equal(predict(conformal(plain_fit, d$x[held, ], d$y[held]), new),
               -votes(new) <= limit(-votes(d$x[held, ])))
})

test_that("two classes need no probabilities", {
  d <- with_seed(3, two_class(90))
  train <- 1:45
  fit <- mkl(d$x[train, ], d$y[train])
  out <- predict(conformal(fit, d$x[46:80, ], d$y[46:80]), d$x[81:90, ])
  f <- predict(fit, d$x[46:80, ], type = "decision")
  limit <- sort(ifelse(d$y[46:80] == "yes", -f, f))[ceiling(0.9 * 36)]
  new <- predict(fit, d$x[81:90, ], type = "decision")
  expect_identical(out, cbind(no = new <= limit, yes = -new <= limit))
})

test_that("cross intervals are those of CV+", {
  d <- with_seed(4, drawn_numbers(40))
  fold <- rep(1:4, 10)
  fit <- mkl(d$x, d$y, learner = plain)
  out <- conformal(fit, d$x, d$y, method = "cross", folds = fold)
  new <- with_seed(5, drawn_numbers(6))$x
  fits <- lapply(1:4, function(f) mkl(d$x[fold != f, ], d$y[fold != f], learner = plain))
  residual <- vapply(1:40, function(i) {
    abs(d$y[i] - predict(fits[[fold[i]]], d$x[i, , drop = FALSE]))
  }, 0)
  bounds <- t(vapply(1:6, function(j) {
    each <- vapply(fits, predict, 0, new[j, , drop = FALSE])[fold]
    c(sort(each - residual)[floor(0.1 * 41)], sort(each + residual)[ceiling(0.9 * 41)])
  }, numeric(2)))
  expect_equal(predict(out, new), cbind(
    fit = predict(fit, new), lower = bounds[, 1], upper = bounds[, 2]
  ))
})

test_that("cross sets count the cases that are less strange", {
  d <- with_seed(6, drawn_classes(60))
  fold <- rep(1:3, 20)
  fit <- mkl(d$x, d$y, learner = plain, probability = TRUE)
  set.seed(1)
  out <- conformal(fit, d$x, d$y, method = "cross", folds = fold)
  new <- with_seed(7, drawn_classes(5))$x
  strange <- lapply(out$parts, function(part) 1 - predict(part$fit, new, type = "prob"))
  own <- lapply(1:3, function(f) {
    p <- predict(out$parts[[f]]$fit, d$x[fold == f, ], type = "prob")
    1 - p[cbind(1:20, as.integer(d$y[fold == f]))]
  })
  expected <- matrix(NA, 5, 3, dimnames = list(NULL, letters[1:3]))
  for (i in 1:5) for (k in 1:3) {
    count <- sum(vapply(1:3, function(f) sum(own[[f]] < strange[[f]][i, k]), 0))
    expected[i, k] <- count < 0.9 * 61
  }
  expect_identical(predict(out, new), expected)
})

test_that("cross takes every form of data, with the other arguments of the call", {
  d <- two_class(48)
  fold <- rep(1:3, 16)
  width <- 2
  run <- function(fit, ...) conformal(fit, ..., method = "cross", folds = fold)
  scores <- function(out) unlist(lapply(out$parts, function(part) part$scores))
  by_matrix <- run(mkl(d$x, d$y, kernels = kernel_rbf(width), scale = FALSE), d$x, d$y)
  by_formula <- run(mkl(class ~ ., d$data, kernels = kernel_rbf(width), scale = FALSE), d$data)
  expect_equal(scores(by_formula), scores(by_matrix))
  k <- list(k = gauss(d$x, d$x, 2))
  by_kernel <- run(mkl(k, d$y), k, d$y)
  expect_equal(scores(by_kernel), scores(by_matrix), tolerance = 1e-3)
  new <- structure(k$k[1:4, ], diagonal = rep(1, 4))
  expect_identical(dim(predict(by_kernel, list(k = new))), c(4L, 2L))
  # a named method: its learner, parameters and scaling
  named <- mhks(d$x, d$y, c = 0.5)
  general <- mkl(d$x, d$y, learner = learner_mhks(c = 0.5))
  expect_equal(scores(run(named, d$x, d$y)), scores(run(general, d$x, d$y)))
  parts <- views(a = d$x[, 1:2], b = d$x[, 3, drop = FALSE])
  fit <- easymkl(parts, d$y, lambda = 0.1)
  out <- run(fit, parts, d$y)
  expect_identical(out$n, 48L)
  expect_identical(colnames(predict(out, parts[1:3, ])), c("no", "yes"))
  split <- conformal(fit, parts[25:48, ], d$y[25:48])
  expect_identical(dim(predict(split, parts[1:3, ])), c(3L, 2L))
})

test_that("names and missing values of cases come back, and results can be saved", {
  fit <- mkl(mpg ~ wt + hp, mtcars[1:20, ])
  out <- conformal(fit, mtcars[21:32, ], level = 0.8)
  new <- mtcars[1:4, ]
  new$wt[2] <- NA
  found <- predict(out, new)
  expect_identical(rownames(found), rownames(new))
  expect_identical(unname(is.na(found[, "lower"])), c(FALSE, TRUE, FALSE, FALSE))
  cross <- conformal(fit, mtcars[1:20, ], method = "cross", folds = rep(1:4, 5))
  expect_identical(unname(is.na(predict(cross, new)[, "upper"])), c(FALSE, TRUE, FALSE, FALSE))
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(cross, file)
  expect_identical(predict(readRDS(file), new), predict(cross, new))
  set.seed(3)
  first <- conformal(fit, mtcars[1:20, ], method = "cross", folds = 4)
  set.seed(3)
  again <- conformal(fit, mtcars[1:20, ], method = "cross", folds = 4)
  expect_identical(predict(again, new), predict(first, new))
})

# Two standard errors of the share of covered cases, one new case for each draw.
expect_coverage <- function(covered, level) {
  n <- length(covered)
  testthat::expect_lt(abs(mean(covered) - level), 2 * sqrt(level * (1 - level) / n))
}

test_that("split predictions cover as often as they say", {
  set.seed(11)
  train <- drawn_numbers(40)
  fit <- mkl(train$x, train$y, learner = plain)
  covered <- replicate(400, {
    d <- drawn_numbers(20) # 19 to calibrate: 0.9 * 20 is whole, the coverage exactly 0.9
    bounds <- predict(conformal(fit, d$x[-20, ], d$y[-20]), d$x[20, , drop = FALSE])
    bounds[, "lower"] <= d$y[20] && d$y[20] <= bounds[, "upper"]
  })
  expect_coverage(covered, 0.9)
  train <- drawn_classes(60)
  fit <- mkl(train$x, train$y, learner = plain)
  covered <- replicate(400, {
    d <- drawn_classes(20)
    sets <- predict(conformal(fit, d$x[-20, ], d$y[-20], level = 0.8), d$x[20, , drop = FALSE])
    sets[, as.character(d$y[20])]
  })
  expect_coverage(covered, 0.8)
})

test_that("cross predictions cover as often as they say", {
  set.seed(12)
  line <- mkl_control(tol = 1e-2)
  covered <- replicate(100, {
    d <- drawn_numbers(30)
    fit <- mkl(d$x, d$y, learner = plain, control = line)
    out <- conformal(fit, d$x, d$y, method = "cross", folds = 5)
    new <- drawn_numbers(20)
    bounds <- predict(out, new$x)
    mean(bounds[, "lower"] <= new$y & new$y <= bounds[, "upper"])
  })
  expect_lt(abs(mean(covered) - 0.9), 2 * max(stats::sd(covered) / 10, 0.015))
  covered <- replicate(60, {
    d <- drawn_classes(30)
    out <- conformal(mkl(d$x, d$y, learner = plain), d$x, d$y, method = "cross", folds = 5)
    new <- drawn_classes(20)
    mean(predict(out, new$x)[cbind(1:20, as.integer(new$y))])
  })
  expect_lt(abs(mean(covered) - 0.9), 2 * max(stats::sd(covered) / sqrt(60), 0.015))
})

test_that("no new case has no prediction, in the right shape", {
  d <- two_class(40)
  none <- d$x[0, ]
  numbers <- conformal(mkl(d$x, d$x[, 1]), d$x, d$x[, 1], method = "cross", folds = 2)
  expect_identical(dim(predict(numbers, none)), c(0L, 3L))
  fit <- mkl(d$x, d$y, probability = TRUE)
  sets <- conformal(fit, d$x, d$y, score = "adaptive")
  expect_identical(dim(predict(sets, none)), c(0L, 2L))
})

test_that("a class that the fit of a fold lacks is no stranger than its own cases", {
  scores <- list(c(0.1, Inf), c(0.2, 0.3))
  one <- list(matrix(0.1, 1, 1, dimnames = list(NULL, "a")),
              matrix(c(0.1, 0.25), 1, dimnames = list(NULL, c("a", "b"))))
  # b: 1 case of the first fold and 1 of the second are less strange
  expect_true(cross_sets(one, scores, 0.5, c("a", "b"))[, "b"])
  expect_false(cross_sets(one, scores, 0.4, c("a", "b"))[, "b"])
})

test_that("it prints, and bad arguments are refused in words", {
  d <- two_class(60)
  fit <- mkl(d$x, d$y)
  expect_snapshot({
    conformal(fit, d$x, d$y)
    conformal(fit, d$x[1:5, ], d$y[1:5])
    conformal(mkl(mpg ~ wt, mtcars), mtcars, method = "cross", folds = rep(1:2, 16))
  })
  expect_mkl_error(conformal(fit, d$x), "missing", "y")
  # not the training rows
  expect_mkl_error(conformal(fit, y = d$y), "missing", "data")
  expect_mkl_error(conformal(fit, NULL, d$y), "missing", "data")
  expect_mkl_error(conformal(fit, d$x, d$y, level = 0), "in \\(0, 1\\)", "level")
  expect_mkl_error(conformal(fit, d$x, d$y, method = "jackknife"), "one of", "method")
  expect_mkl_error(conformal(fit, d$x, d$y, score = "adaptive"), "probability = TRUE", "score")
  expect_mkl_error(conformal(fit, d$x, d$y, folds = 5), "no effect", "folds")
  expect_mkl_error(conformal(fit, d$x, d$y[-1]), "60 rows", "y")
  expect_mkl_error(conformal(fit, d$x, factor(rep(NA, 60), levels(d$y))), "no row has both", "data")
  expect_mkl_error(conformal(mkl(d$x), d$x), "one_class", "object")
  expect_mkl_error(conformal(iris, d$x), class = "multikernel_error")
  expect_mkl_error(predict(conformal(fit, d$x, d$y)), "missing", "newdata")
  by_formula <- mkl(mpg ~ wt, mtcars)
  expect_mkl_error(conformal(by_formula, mtcars, mtcars$mpg, method = "cross"), "no effect", "y")
})
