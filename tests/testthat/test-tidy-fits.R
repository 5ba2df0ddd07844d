pairs_fit <- function(...) mkl(Species ~ ., three_class(), learner = learner_average(), ...)

test_that("tidy() gives weights, support vectors and the path", {
  d <- two_class()
  fit <- mkl(class ~ ., d$data, learner = learner_average())
  weights <- tidy(fit)
  expect_identical(weights$term, names(kernel_weights(fit)))
  expect_identical(weights$estimate, unname(kernel_weights(fit)))
  expect_equal(sum(weights$share), 1)
  support <- tidy(fit, "support")
  expect_identical(bare(support$row), bare(support(fit)))
  # the decision value of a row is the sum over support vectors, plus the bias
  k <- kernel_matrix(learner_average()$kernels(3, TRUE), scale(d$x), normalize = "trace",
                     weights = rep(1 / nrow(weights), nrow(weights)))
  f <- drop(k[, support$row] %*% support$coefficient)
  expect_lt(sd(f - predict(fit, type = "decision")), 1e-8)
  path <- tidy(suppressWarnings(lmkl(class ~ v1 + v2, d$data)), "path")
  expect_named(path, c("step", "objective"))
  expect_gt(nrow(path), 1)
})

test_that("fits with several models have a column for them", {
  fit <- pairs_fit()
  for (what in c("weights", "support")) {
    out <- tidy(fit, what)
    expect_identical(names(out)[1], "model")
    expect_identical(unique(out$model), names(objective(fit)))
  }
  expect_equal(unname(tapply(tidy(fit)$share, tidy(fit)$model, sum)), rep(1, 3),
               ignore_attr = TRUE)
})

test_that("the gap of several models is relative where theirs are", {
  fit <- pairs_fit()
  expect_equal(glance(fit)$gap, sum(duality_gap(fit)))
  expect_output(print(fit), "[0-9], duality gap .* \\(of all models together\\)")
  relative <- mkl(Species ~ ., three_class(), learner = learner_simplemkl(gap = 1e-2))
  expect_gt(sum(duality_gap(relative)), 1e-2)
  gap <- sum(duality_gap(relative) * objective(relative)) / sum(objective(relative))
  expect_equal(glance(relative)$gap, gap)
  expect_lte(gap, 1e-2)
  expect_output(print(relative), "relative duality gap")
})

test_that("tidy() of label-based fits has one row for each support vector and kernel", {
  sets <- list(kernel_rbf(c(0.5, 1)), c(kernel_label_based(kernel_rbf(1)), kernel_linear()))
  learners <- list(learner_lbmkl(), learner_average())
  for (i in 1:2) {
    for (data in list(droplevels(iris[51:150, ]), iris)) {
      fit <- mkl(Species ~ ., data, kernels = sets[[i]], learner = learners[[i]])
      support <- tidy(fit, "support")
      rows <- vapply(model_facts(fit), function(f) length(f$rows), 0L)
      expect_identical(nrow(support), 2L * sum(rows))
      expect_identical(unique(support$term), unique(tidy(fit, "weights")$term))
      expect_false(anyDuplicated(support[setdiff(names(support), "coefficient")]) > 0L)
    }
  }
})

test_that("tidy() of support vectors counts rows of the data as given", {
  d <- two_class()$data
  d$v1[c(2, 5)] <- NA
  fit <- mkl(class ~ ., d)
  expect_identical(bare(tidy(fit, "support")$row), bare(support(fit)))
  expect_false(any(c(2, 5) %in% tidy(fit, "support")$row))
})

test_that("glance() is one row that agrees with the questions to a fit", {
  for (fit in list(mkl(class ~ ., two_class()$data), pairs_fit(), mkl(out ~ ., numbers()$data))) {
    row <- glance(fit)
    expect_identical(nrow(row), 1L)
    expect_identical(row$nobs, nobs(fit))
    expect_equal(row$objective, sum(objective(fit)))
    expect_equal(row$support, length(support(fit)))
    expect_identical(row$converged, all(converged(fit)))
  }
})

test_that("augment() adds predictions to the data", {
  d <- two_class()$data
  fit <- mkl(class ~ ., d, probability = TRUE)
  out <- augment(fit, d)
  expect_identical(out[names(d)], d)
  expect_identical(out$.fitted, bare(predict(fit, d)))
  expect_identical(out$.decision, bare(predict(fit, d, type = "decision")))
  expect_equal(cbind(out$.prob_no, out$.prob_yes), unname(predict(fit, d, type = "prob")))
  expect_identical(out$.correct, predict(fit, d) == d$class)
  expect_identical(augment(fit, out), out)
  expect_identical(bare(augment(fit)$.decision), bare(predict(fit, type = "decision")))
})

test_that("augment() takes all forms of data", {
  d <- two_class()
  by_matrix <- augment(mkl(d$x, d$y), d$x, response = d$y)
  by_frame <- augment(mkl(d$data[1:3], d$y), d$data[1:3], response = d$y)
  expect_equal(by_matrix, by_frame)
  expect_named(augment(mkl(unname(d$x), d$y), unname(d$x)),
               c("V1", "V2", "V3", ".fitted", ".decision"))
  k <- gauss(d$x, d$x, 1)
  expect_named(augment(mkl(list(K = k), d$y), list(K = k)), c(".fitted", ".decision"))
  r <- numbers()
  fit <- mkl(r$x, r$y)
  expect_equal(augment(fit, r$x, response = r$y)$.resid, r$y - predict(fit, r$x))
  fit <- pairs_fit()
  expect_true(".decision_versicolor/setosa" %in% names(augment(fit, iris)))
  one <- mkl(d$x)
  expect_identical(augment(one, d$x)$.fitted, predict(one, d$x))
})

test_that("rows with missing values stay", {
  d <- two_class()$data
  fit <- mkl(class ~ ., d)
  d$v1[3] <- NA
  out <- augment(fit, d)
  expect_identical(nrow(out), nrow(d))
  expect_true(is.na(out$.fitted[3]) && is.na(out$.correct[3]))
})

test_that("the generics of other packages find our methods, and ours find theirs", {
  skip_if_not_installed("generics")
  fit <- mkl(class ~ ., two_class()$data)
  expect_identical(generics::tidy(fit), tidy(fit))
  expect_identical(generics::glance(fit), glance(fit))
  expect_identical(generics::augment(fit), augment(fit))
  registerS3method("tidy", "stranger", function(x, ...) "found", asNamespace("generics"))
  expect_identical(tidy(structure(1, class = "stranger")), "found")
  expect_error(glance(structure(1, class = "alien")), "glance")
})

test_that("bad input is named", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  expect_snapshot(error = TRUE, {
    tidy(fit, "weight")
    tidy(fit, wat = 1)
    augment(fit, d$x, response = d$y[1:3])
    hand_on("tidy", 1:3, package = "a.package.that.is.not.there")
  })
})

test_that("columns that are lists or matrices stay so in augment()", {
  wide <- mtcars
  wide$list <- lapply(seq_len(32), seq_len)
  wide$matrix <- cbind(a = 1:32, b = 32:1)
  fit <- mkl(mpg ~ wt, mtcars)
  out <- augment(fit, wide)
  expect_identical(out[names(wide)], wide)
  expect_identical(out$.fitted, bare(predict(fit, mtcars)))
})
