# Calibration against its definitions, and on probabilities that are right by construction.

# A cross-validation with the given out-of-fold probabilities.
with_probabilities <- function(p, positive) {
  set.seed(1)
  x <- cbind(position = seq_along(p))
  y <- factor(ifelse(positive, "yes", "no"), c("no", "yes"))
  cv <- cv_mkl(x, y, folds = 2, keep = "predictions", learner = learner_lda())
  rows <- cv$predictions$row
  cv$predictions$prob.no <- 1 - p[rows]
  cv$predictions$prob.yes <- p[rows]
  cv
}

sample_rows <- function(n, distort = identity) {
  with_seed(5, {
    p <- stats::runif(n)
    list(p = p, positive = stats::runif(n) < distort(p))
  })
}

test_that("bins hold means, shares and Wilson intervals", {
  d <- sample_rows(200)
  out <- calibration(with_probabilities(d$p, d$positive), bins = 4, level = 0.9)
  edges <- stats::quantile(d$p, 0:4 / 4, names = FALSE)
  group <- cut(d$p, edges, include.lowest = TRUE, right = FALSE)
  expect_equal(out$bins$from, edges[-5])
  expect_equal(out$bins$n, as.vector(table(group)))
  expect_equal(out$bins$predicted, as.vector(tapply(d$p, group, mean)))
  expect_equal(out$bins$observed, as.vector(tapply(d$positive, group, mean)))
  theirs <- stats::prop.test(sum(d$positive[group == levels(group)[2]]), 50, conf.level = 0.9,
                             correct = FALSE)$conf.int
  expect_equal(c(out$bins$lower[2], out$bins$upper[2]), as.vector(theirs))
  gap <- tapply(d$positive - d$p, group, mean)
  expect_equal(out$summary$ece, sum(table(group) / 200 * abs(gap)))
  equal <- calibration(with_probabilities(d$p, d$positive), bins = 5, breaks = "equal")
  expect_equal(equal$bins$to, 1:5 / 5)
  expect_equal(equal$bins$n, as.vector(table(cut(d$p, 0:5 / 5))))
})

test_that("slope and intercept are those of the logistic regression on the logit", {
  d <- sample_rows(300)
  out <- calibration(with_probabilities(d$p, d$positive))$summary
  theirs <- stats::glm(positive ~ stats::qlogis(p), stats::binomial(), d)
  expect_equal(c(out$intercept, out$slope), unname(stats::coef(theirs)))
  # probabilities that are right: 0 and 1 within two standard errors
  error <- summary(theirs)$coefficients[, 2]
  expect_true(all(abs(c(out$intercept, out$slope) - 0:1) < 2 * error))
  # half as extreme as they should be, and shifted
  d <- sample_rows(4000, function(p) stats::plogis(0.7 + 2 * stats::qlogis(p)))
  out <- calibration(with_probabilities(d$p, d$positive))$summary
  expect_equal(c(out$intercept, out$slope), c(0.7, 2), tolerance = 0.1)
  expect_gt(out$ece, 0.1)
})

test_that("several classes are compared with the rest, and repeats do not shorten intervals", {
  set.seed(1)
  cv <- cv_mkl(Species ~ Sepal.Length + Sepal.Width, three_class(), folds = 3, repeats = 2,
               keep = "predictions", probability = TRUE)
  out <- calibration(cv, bins = 3)
  expect_identical(out$summary$class, levels(iris$Species))
  expect_identical(out$summary$n, rep(180L, 3))
  p <- cv$predictions
  own <- out$bins[out$bins$class == "virginica", ][2, ]
  rows <- p$prob.virginica >= own$from & p$prob.virginica < own$to
  expect_equal(own$n, sum(rows))
  hits <- sum(p$truth[rows] == "virginica")
  theirs <- stats::prop.test(hits / 2, sum(rows) / 2, correct = FALSE)$conf.int
  expect_equal(c(own$lower, own$upper), as.vector(theirs))
})

test_that("fits are judged on test data", {
  d <- two_class(100)
  train <- seq(1, 100, 2)
  fit <- mkl(class ~ ., d$data[train, ], probability = TRUE)
  out <- calibration(fit, d$data[-train, ], bins = 3)
  p <- predict(fit, d$data[-train, ], type = "prob")[, "yes"]
  expect_equal(sum(out$bins$n * out$bins$predicted) / 50, mean(p))
  expect_identical(out$summary$class, "yes")
})

test_that("the generic of caret finds the methods", {
  skip_if_not_installed("caret")
  d <- sample_rows(50)
  cv <- with_probabilities(d$p, d$positive)
  expect_identical(caret::calibration(cv), calibration(cv))
})

test_that("what is not defined is NA with a reason", {
  positive <- rep(c(FALSE, TRUE), each = 20)
  out <- calibration(with_probabilities(seq(0, 1, length.out = 40), positive))$summary
  expect_true(is.na(out$slope))
  expect_match(out$note, "separate the classes")
  same <- calibration(with_probabilities(rep(0.5, 40), positive))
  expect_identical(same$bins$n, 40L)
  expect_match(same$summary$note, "all probabilities are equal")
})

test_that("it prints, is drawn, and bad arguments are refused in words", {
  d <- sample_rows(200)
  cv <- with_probabilities(d$p, d$positive)
  out <- calibration(cv, bins = 5)
  expect_snapshot(out)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(out), out)
  expect_mkl_error(calibration(cv, bins = 0), "at least 1", "bins")
  expect_mkl_error(calibration(cv, breaks = "width"), "one of", "breaks")
  expect_mkl_error(calibration(cv, level = 1), "in \\(0, 1\\)", "level")
  expect_mkl_error(calibration(iris), "cv_mkl", "object")
  cv$predictions <- cv$predictions[setdiff(names(cv$predictions), c("prob.no", "prob.yes"))]
  expect_mkl_error(calibration(cv), "probability = TRUE", "object")
  fit <- mkl(mpg ~ wt, mtcars)
  expect_mkl_error(calibration(fit, mtcars), "classification", "object")
  skip_if_not_installed("ggplot2")
  parts <- ggplot2::ggplot_build(autoplot(out))$data
  expect_equal(parts[[4]]$y, out$bins$observed)
  expect_equal(parts[[2]]$ymax, out$bins$upper)
})

test_that("of many classes the worst calibrated are drawn", {
  classes <- paste("class with a long name", letters[1:11])
  summary <- data.frame(class = classes, ece = c(5, 11, 4, 1, 2, 3, 6:10) / 100)
  bins <- data.frame(
    class = rep(classes, each = 2), predicted = c(0.2, 0.8), observed = c(0.1, 0.9), lower = 0,
    upper = 1, n = 5
  )
  many <- structure(list(bins = bins, summary = summary, level = 0.95), class = "mkl_calibration")
  expect_identical(worst_calibrated(many, 2L)$summary$class, classes[c(2, 11)])
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(many, main = "x"), many)
  skip_if_not_installed("ggplot2")
  drawn <- autoplot(many)
  expect_identical(nlevels(drawn$data$class), 6L)
  expect_match(levels(drawn$data$class)[1], ":\n0.11", fixed = TRUE)
  expect_match(drawn$labels$subtitle, "6 of 11 classes")
  many$bins$class <- substring(many$bins$class, 24)
  many$summary$class <- letters[1:11]
  expect_identical(nlevels(autoplot(many)$data$class), 9L)
})
