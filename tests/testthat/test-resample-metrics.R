# Measures against sums written out.

truth <- factor(c("a", "b", "b", "a", "b", "a", "b"), c("a", "b"))
class <- factor(c("a", "b", "a", "b", "b", "a", "b"), c("a", "b"))
decision <- c(-1, 2, -0.5, 0.3, 0.3, -0.5, 1)
prob <- cbind(a = c(0.9, 0.1, 0.6, 0.4, 0.4, 0.6, 0.3), b = c(0.1, 0.9, 0.4, 0.6, 0.6, 0.4, 0.7))
pieces <- list(class = class, decision = decision, prob = prob, support = 0.4, fit_time = 1.5)

# Share of pairs in the right order, ties as one half.
share <- function(up, down) mean(outer(up, down, ">") + 0.5 * outer(up, down, "=="))

test_that("two classes, by direct computation", {
  out <- compute_metrics(truth, pieces, c(
    "accuracy", "error", "balanced_accuracy", "auc", "log_loss", "brier", "f1", "support",
    "fit_time"
  ))
  wins <- 0
  for (i in which(truth == "b")) {
    for (j in which(truth == "a")) {
      wins <- wins + (decision[i] > decision[j]) + 0.5 * (decision[i] == decision[j])
    }
  }
  p <- prob[, "b"]
  y <- as.numeric(truth == "b")
  expect_equal(out, c(
    accuracy = 5 / 7, error = 2 / 7, balanced_accuracy = (2 / 3 + 3 / 4) / 2,
    auc = wins / 12, log_loss = -mean(y * log(p) + (1 - y) * log(1 - p)), brier = mean((p - y)^2),
    f1 = 2 * 3 / (2 * 3 + 1 + 1), support = 0.4, fit_time = 1.5
  ))
})

test_that("several classes, by direct computation", {
  set.seed(1)
  levels <- c("x", "y", "z")
  truth <- factor(sample(levels, 40, TRUE), levels)
  class <- factor(sample(levels, 40, TRUE), levels)
  # rounded, so that there are ties
  prob <- round(matrix(stats::rexp(120), 40, 3, dimnames = list(NULL, levels)), 1) + 0.1
  prob <- prob / rowSums(prob)
  out <- compute_metrics(truth, list(class = class, prob = prob),
                         c("balanced_accuracy", "f1", "log_loss", "brier", "auc"))
  f1 <- recall <- numeric()
  for (level in levels) {
    hit <- sum(truth == level & class == level)
    precision <- hit / sum(class == level)
    recall[level] <- hit / sum(truth == level)
    f1[level] <- 2 * precision * recall[level] / (precision + recall[level])
  }
  hit <- outer(as.character(truth), levels, "==")
  # Hand and Till: the mean over ordered pairs of the chance that the class ranks first
  a <- numeric()
  for (i in levels) {
    for (j in setdiff(levels, i)) {
      pi <- prob[truth == i, i]
      pj <- prob[truth == j, i]
      a <- c(a, share(pi, pj))
    }
  }
  expect_equal(out, c(
    balanced_accuracy = mean(recall), f1 = mean(f1),
    log_loss = -mean(log(prob[cbind(1:40, as.integer(truth))])),
    brier = sum((prob - hit)^2) / 80, auc = mean(a)
  ))
})

test_that("multiclass auc reads pairs and classes of a fit", {
  data <- three_class()
  train <- seq(1, 90, 3)
  new <- data[-train, ]
  fit <- mkl(Species ~ Sepal.Length + Sepal.Width, data[train, ])
  d <- predict(fit, new, type = "decision")
  direct <- mean(vapply(colnames(d), function(pair) {
    both <- strsplit(pair, "/")[[1]]
    share(d[new$Species == both[1], pair], d[new$Species == both[2], pair])
  }, 0))
  expect_equal(compute_metrics(new$Species, list(decision = d), "auc"), c(auc = direct))
  rest <- mkl(Species ~ Sepal.Length + Sepal.Width, data[train, ], multiclass = "one_vs_rest")
  d <- predict(rest, new, type = "decision")
  a <- numeric()
  for (i in colnames(d)) {
    for (j in setdiff(colnames(d), i)) {
      a <- c(a, share(d[new$Species == i, i], d[new$Species == j, i]))
    }
  }
  expect_equal(compute_metrics(new$Species, list(decision = d), "auc"), c(auc = mean(a)))
  # a class without test rows is left out
  two <- new[new$Species != "setosa", ]
  d <- predict(fit, two, type = "decision")
  pair <- grep("versicolor/virginica|virginica/versicolor", colnames(d))
  positive <- two$Species == strsplit(colnames(d)[pair], "/")[[1]][1]
  expect_equal(compute_metrics(two$Species, list(decision = d), "auc")[[1]],
               share(d[positive, pair], d[!positive, pair]))
})

test_that("regression and one class", {
  out <- compute_metrics(c(1, 2, 4), list(response = c(1, 3, 2)), c("rmse", "mae"))
  expect_equal(out, c(rmse = sqrt(5 / 3), mae = 1))
  out <- compute_metrics(rep(TRUE, 4), list(class = c(TRUE, FALSE, TRUE, TRUE)),
                         c("accuracy", "error"))
  expect_equal(out, c(accuracy = 0.75, error = 0.25))
})

test_that("rows that are not known on either side are left out", {
  some <- pieces
  some$class[1] <- NA
  some$decision[2] <- NA
  some$prob[3, ] <- NA
  short <- truth
  short[7] <- NA
  metrics <- c("accuracy", "auc", "log_loss")
  keep <- function(i) list(class = class[i], decision = decision[i], prob = prob[i, ])
  expect_equal(compute_metrics(short, some, metrics), c(
    compute_metrics(truth[2:6], keep(2:6), "accuracy"),
    compute_metrics(truth[c(1, 3:6)], keep(c(1, 3:6)), "auc"),
    compute_metrics(truth[c(1:2, 4:6)], keep(c(1:2, 4:6)), "log_loss")
  ))
  expect_identical(
    compute_metrics(truth, list(class = class[NA]), "accuracy"),
    structure(c(accuracy = NA_real_),
              reasons = c(accuracy = "no row has both a response and a prediction"))
  )
  expect_identical(
    compute_metrics(truth[c(1, 4)], keep(c(1, 4)), "auc"),
    structure(c(auc = NA_real_), reasons = c(auc = "the rows have one class"))
  )
})

test_that("a class that training did not know counts as wrong, with probability zero", {
  unknown <- factor(c("a", "c"), c("a", "b", "c"))
  two <- list(class = class[1:2], prob = prob[1:2, ])
  out <- compute_metrics(unknown, two, c("accuracy", "log_loss", "brier"))
  expect_equal(out[["accuracy"]], 0.5)
  expect_equal(out[["log_loss"]], -(log(0.9) + log(1e-15)) / 2)
  expect_equal(out[["brier"]], (0.1^2 + 0.1^2 + 0.1^2 + 0.9^2 + 1) / 4)
})

test_that("text is taken for classes", {
  expect_equal(
    compute_metrics(as.character(truth), list(class = as.character(class)), c("accuracy", "f1")),
    compute_metrics(truth, list(class = class), c("accuracy", "f1"))
  )
})

test_that("levels without rows change no measure", {
  all <- c("accuracy", "balanced_accuracy", "auc", "f1", "log_loss", "brier")
  expected <- compute_metrics(truth, pieces, all)
  for (levels in list(c("a", "b", "zero"), c("zero", "a", "b"))) {
    wide <- pieces
    wide$class <- factor(as.character(class), levels)
    wide$classes <- c("a", "b")
    expect_equal(compute_metrics(factor(as.character(truth), levels), wide, all), expected)
  }
  # the same in a cross-validation: the positive class may be neither the last nor the second level
  for (rows in list(1:100, 51:150)) {
    part <- iris[rows, ]
    run <- function(data) {
      set.seed(1)
      cv_mkl(Species ~ Sepal.Width + Sepal.Length, data, folds = 4, metrics = all)$results[all]
    }
    expect_equal(run(part), run(droplevels(part)))
    expect_false(anyNA(run(part)))
  }
})

test_that("a class that no training row has is left out of the order of the rows", {
  data <- three_class()
  # one class is in fold 1 alone: the fit for fold 1 knows the two others
  for (rare in levels(data$Species)) {
    fold <- ifelse(data$Species == rare, 1, rep(1:2, 45))
    cv <- cv_mkl(Species ~ Sepal.Length + Sepal.Width, data, folds = fold, predictions = TRUE,
                 metrics = c("auc", "f1"))
    own <- cv$predictions[cv$predictions$id == "fold1", ]
    known <- setdiff(levels(data$Species), rare)
    expect_equal(cv$results$auc[1], share(
      own$decision[own$truth == known[2]], own$decision[own$truth == known[1]]
    ))
    f1 <- vapply(levels(data$Species), function(level) {
      2 * sum(own$truth == level & own$estimate == level) /
        (sum(own$truth == level) + sum(own$estimate == level))
    }, 0)
    expect_equal(cv$results$f1[1], mean(f1))
  }
  three <- factor(c("a", "b", "c"))
  expect_mkl_error(compute_metrics(three, list(decision = 1:3), "auc"), "3 classes", "prediction")
  expect_equal(
    compute_metrics(three, list(decision = 1:3, classes = c("b", "a")), "auc"), c(auc = 0)
  )
  # neither true nor called positive: there is nothing to measure
  none <- factor(c("a", "a"), c("a", "b"))
  expect_identical(
    compute_metrics(none, list(class = none), "f1"),
    structure(c(f1 = NA_real_), reasons = c(f1 = "no row is or is predicted as positive"))
  )
})

test_that("own functions get what they need, under their names", {
  set <- mkl_metrics(
    "accuracy", hits = function(truth, estimate) sum(truth == estimate),
    wide = mkl_metric(function(truth, estimate) diff(range(estimate)), needs = "decision",
                      larger = FALSE)
  )
  expect_equal(compute_metrics(truth, pieces, set), c(accuracy = 5 / 7, hits = 5, wide = 3))
  expect_identical(vapply(set, `[[`, NA, "larger"), c(accuracy = TRUE, hits = TRUE, wide = FALSE))
  both <- compute_metrics(truth, pieces, list("error", hits = set$hits))
  expect_equal(both, c(error = 2 / 7, hits = 5))
  # for regression a bare function gets the numbers
  expect_equal(
    compute_metrics(1:3, list(response = c(1, 2, 5)), list(worst = function(truth, estimate) {
      max(abs(truth - estimate))
    })), c(worst = 2)
  )
})

test_that("sets print, and bad ones are refused in words", {
  expect_snapshot({
    mkl_metrics()
    mkl_metrics("auc", mine = function(truth, estimate) 0)
  })
  expect_snapshot(error = TRUE, {
    mkl_metrics("acuracy")
    mkl_metrics(3)
    mkl_metrics(function(truth, estimate) 1)
    mkl_metrics("auc", "auc")
    mkl_metrics(character())
    mkl_metrics(fold = function(truth, estimate) 1)
    mkl_metric("auc")
    mkl_metric(mean, needs = "probability")
    compute_metrics(truth, class, "accuracy")
    compute_metrics(truth, list(class = class), "auc")
    compute_metrics(truth, list(class = class[1:3]), "accuracy")
    compute_metrics(truth, pieces, list(two = function(truth, estimate) 1:2))
    compute_metrics(truth, pieces, list(mine = function(truth, estimate) stop("no such thing")))
  })
})

test_that("probabilities that cannot be read are refused", {
  truth <- factor(c("a", "b", "a"))
  p <- cbind(a = c(0.9, 0.2, 0.7), b = c(0.1, 0.8, 0.3))
  both <- c("log_loss", "brier")
  right <- compute_metrics(truth, list(prob = p), both)
  expect_equal(right[["log_loss"]], -mean(log(c(0.9, 0.8, 0.7))))
  expect_equal(compute_metrics(truth, list(prob = as.data.frame(p)), both), right)
  for (bad in list(unname(p), p[, "b"], `colnames<-`(p, c("x", "y")))) {
    expect_mkl_error(compute_metrics(truth, list(prob = bad), both), "`prob` of `prediction`")
  }
  expect_mkl_error(compute_metrics(truth, list(class = truth)), "at least one measure", "metrics")
})

test_that("the positive class of F1 is that of the truth", {
  truth <- factor(c("a", "b", "b", "a", "b"))
  said <- c("a", "b", "a", "b", "b")
  for (levels in list(c("a", "b"), c("b", "a"))) {
    expect_equal(compute_metrics(truth, list(class = factor(said, levels)), "f1"), c(f1 = 2 / 3))
  }
})

test_that("a class named like a pair of classes is ranked by its own column", {
  truth <- factor(rep(c("A", "B", "C"), 10))
  scores <- with_seed(1, matrix(rnorm(90), 30, dimnames = list(NULL, levels(truth))))
  prob <- exp(scores) / rowSums(exp(scores))
  plain <- compute_metrics(truth, list(decision = scores, prob = prob), c("auc", "brier"))
  for (third in c("A/B", "B/A", "B / A", "")) {
    levels(truth) <- colnames(scores) <- colnames(prob) <- c("A", "B", third)
    expect_equal(
      compute_metrics(truth, list(decision = scores, prob = prob), c("auc", "brier")), plain
    )
    # a class that the fit does not have does not turn the columns into pairs
    more <- factor(truth, c("A", "B", third, "new"))
    more[1] <- "new"
    expect_equal(
      compute_metrics(more, list(decision = scores, classes = levels(truth)), "auc"),
      compute_metrics(truth[-1], list(decision = scores[-1, ]), "auc")
    )
  }
})

test_that("probabilities that are no probabilities of these classes are refused", {
  truth <- factor(c("not ok", "ok", "ok"))
  p <- cbind(`not ok` = c(0.9, 0.2, 0.3), ok = c(0.1, 0.8, 0.7))
  score <- function(prob, truth) compute_metrics(truth, list(prob = prob), "log_loss")
  right <- score(p, truth)
  expect_mkl_error(score(data.frame(p), truth), "no column for the class \"not ok\".*\"not.ok\"")
  expect_mkl_error(score(data.frame(p), as.character(truth)), "no column for the class")
  expect_mkl_error(score(p[, "ok", drop = FALSE], truth), "row 1, 0.1, sums to 0.1")
  expect_mkl_error(score(p - 0.5, truth), "must hold probabilities")
  expect_equal(score(round(p, 2), truth), right)
  # rows without one of the classes, rows of a class that the fit lacks, rows without a prediction
  expect_equal(score(p[2:3, ], factor(c("ok", "ok"))), c(log_loss = -mean(log(c(0.8, 0.7)))))
  expect_gt(score(p, factor(c("not ok", "ok", "new"), c("not ok", "ok", "new"))), 10)
  expect_equal(score(rbind(p, NA), truth[c(1:3, 3)]), right)
})

test_that("levels that no row has do not change F1", {
  truth <- factor(c("a", "b", "b", "a", "b"))
  said <- factor(c("a", "b", "a", "b", "b"))
  f1 <- function(truth) compute_metrics(truth, list(class = said), "f1")
  expect_equal(f1(truth), c(f1 = 2 / 3))
  expect_equal(f1(factor(truth, c("a", "b", "c"))), f1(truth))
  expect_equal(f1(factor(truth, c("c", "a", "b"))), f1(truth))
})
