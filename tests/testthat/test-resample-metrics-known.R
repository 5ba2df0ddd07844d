# Ready-made measures against their definitions written out, and against yardstick.

draws <- function(levels, n = 80, seed = 1) {
  with_seed(seed, {
    truth <- factor(sample(levels, n, TRUE), levels)
    said <- ifelse(runif(n) < 0.6, as.character(truth), sample(levels, n, TRUE))
    scores <- round(matrix(rexp(n * length(levels)), n, dimnames = list(NULL, levels)), 1) + 0.1
    scores[cbind(seq_len(n), as.integer(truth))] <- scores[cbind(seq_len(n), as.integer(truth))] + 1
    list(class = factor(said, levels), truth = truth, prob = scores / rowSums(scores))
  })
}

counted <- c("f1", "sensitivity", "specificity", "precision", "recall", "mcc", "kappa")

test_that("measures of two classes are those of the table of counts", {
  d <- draws(c("no", "yes"))
  tp <- sum(d$truth == "yes" & d$class == "yes")
  tn <- sum(d$truth == "no" & d$class == "no")
  fp <- sum(d$truth == "no" & d$class == "yes")
  fn <- sum(d$truth == "yes" & d$class == "no")
  agree <- (tp + tn) / 80
  chance <- ((tp + fp) / 80) * ((tp + fn) / 80) + ((tn + fp) / 80) * ((tn + fn) / 80)
  expect_equal(compute_metrics(d$truth, d, counted), c(
    f1 = tp / (tp + (fp + fn) / 2), sensitivity = tp / (tp + fn), specificity = tn / (tn + fp),
    precision = tp / (tp + fp), recall = tp / (tp + fn),
    mcc = stats::cor(d$truth == "yes", d$class == "yes"), kappa = (agree - chance) / (1 - chance)
  ))
  # the other level is positive when the levels are turned round
  turned <- lapply(d[c("class", "truth")], factor, c("yes", "no"))
  expect_equal(compute_metrics(turned$truth, turned, "sensitivity"),
               c(sensitivity = tn / (tn + fp)))
})

test_that("functions of counts agree with the measures of rows", {
  d <- draws(c("no", "yes"), seed = 2)
  counts <- multikernel:::class_counts(d$truth, d$class, NULL)
  functions <- multikernel:::count_measures()
  expect_equal(
    vapply(functions, function(f) do.call(f, counts), 0),
    compute_metrics(d$truth, d, names(functions))
  )
})

test_that("measures of several classes are means over the classes", {
  d <- draws(c("a", "b", "c"))
  each <- vapply(levels(d$truth), function(level) {
    truth <- d$truth == level
    class <- d$class == level
    c(sensitivity = mean(class[truth]), specificity = mean(!class[!truth]),
      precision = mean(truth[class]))
  }, numeric(3))
  expect_equal(compute_metrics(d$truth, d, rownames(each)), rowMeans(each))
  # R_K is the correlation of the two indicator matrices, with covariances summed over classes
  x <- stats::model.matrix(~ d$truth - 1)
  y <- stats::model.matrix(~ d$class - 1)
  sum_cov <- function(a, b) sum(diag(stats::cov(a, b)))
  expect_equal(compute_metrics(d$truth, d, "mcc"),
               c(mcc = sum_cov(x, y) / sqrt(sum_cov(x, x) * sum_cov(y, y))))
})

test_that("areas are those of their definitions", {
  d <- draws(c("no", "yes"), seed = 3)
  score <- d$prob[, "yes"]
  # precision at the rank of each threshold, times what the recall grows by
  area <- last <- 0
  for (t in sort(unique(score), decreasing = TRUE)) {
    recall <- mean(score[d$truth == "yes"] >= t)
    area <- area + (recall - last) * mean(d$truth[score >= t] == "yes")
    last <- recall
  }
  expect_equal(compute_metrics(d$truth, list(decision = score), c("pr_auc", "auc_rest")), c(
    pr_auc = area, compute_metrics(d$truth, list(decision = score), "auc")
  ), ignore_attr = TRUE)
  three <- draws(c("a", "b", "c"), seed = 4)
  each <- vapply(levels(three$truth), function(level) {
    own <- factor(three$truth == level)
    compute_metrics(own, list(decision = three$prob[, level]), c("auc", "pr_auc"))
  }, numeric(2))
  expect_equal(compute_metrics(three$truth, three, c("auc_rest", "pr_auc")),
               c(auc_rest = mean(each["auc", ]), pr_auc = mean(each["pr_auc", ])))
})

test_that("yardstick gives the same", {
  skip_if_not_installed("yardstick")
  theirs <- list(
    f1 = yardstick::f_meas_vec, sensitivity = yardstick::sensitivity_vec,
    specificity = yardstick::specificity_vec, precision = yardstick::precision_vec,
    recall = yardstick::recall_vec, mcc = yardstick::mcc_vec, kappa = yardstick::kap_vec
  )
  two <- draws(c("no", "yes"), seed = 5)
  three <- draws(c("a", "b", "c"), seed = 6)
  for (name in names(theirs)) {
    expect_equal(compute_metrics(two$truth, two, name)[[1]],
                 theirs[[name]](two$truth, two$class, event_level = "second"))
    expect_equal(compute_metrics(three$truth, three, name)[[1]],
                 theirs[[name]](three$truth, three$class))
  }
  area <- yardstick::average_precision_vec
  expect_equal(compute_metrics(two$truth, list(decision = two$prob[, 2]), "pr_auc")[[1]],
               area(two$truth, two$prob[, 2], event_level = "second"))
  expect_equal(compute_metrics(three$truth, three, "pr_auc")[[1]],
               area(three$truth, three$prob, estimator = "macro"))
  expect_equal(compute_metrics(three$truth, three, "auc_rest")[[1]],
               yardstick::roc_auc_vec(three$truth, three$prob, estimator = "macro"))
  expect_equal(compute_metrics(mtcars$mpg, list(response = mtcars$qsec), "r2")[[1]],
               yardstick::rsq_trad_vec(mtcars$mpg, mtcars$qsec))
})

test_that("votes order rows such that the class of the largest score is the predicted one", {
  data <- three_class()
  fit <- mkl(Species ~ Sepal.Length + Sepal.Width, data)
  decision <- predict(fit, type = "decision")
  scores <- multikernel:::rest_scores(decision, levels(data$Species))
  expect_identical(levels(data$Species)[max.col(scores)], as.character(fitted(fit)))
  each <- vapply(levels(data$Species), function(level) {
    up <- scores[data$Species == level, level]
    down <- scores[data$Species != level, level]
    mean(outer(up, down, ">") + 0.5 * outer(up, down, "=="))
  }, 0)
  expect_equal(compute_metrics(data$Species, list(decision = decision), "auc_rest")[[1]],
               mean(each))
})

test_that("sums of decision values order classes with equally many votes", {
  # each class wins one of its two pairs
  decision <- cbind(`b/a` = c(0.5, 3), `c/a` = c(-1, -1), `c/b` = c(2, 0.5))
  scores <- multikernel:::rest_scores(decision, c("a", "b", "c"))
  sums <- cbind(a = c(0.5, -2), b = c(-1.5, 2.5), c = c(1, -0.5))
  expect_equal(scores, 1 + sums / (2 * (abs(sums) + 1)))
})

test_that("concordance counts pairs", {
  for (seed in 1:20) {
    d <- with_seed(seed, {
      n <- sample(3:40, 1)
      truth <- round(rnorm(n), seed %% 3)
      list(truth = truth, response = round(truth + rnorm(n), 1))
    })
    if (length(unique(d$truth)) == 1) next
    up <- outer(d$truth, d$truth, "<")
    share <- outer(d$response, d$response, "<") + 0.5 * outer(d$response, d$response, "==")
    expect_equal(compute_metrics(d$truth, d, "concordance"), c(concordance = mean(share[up])))
  }
  skip_if_not_installed("survival")
  theirs <- survival::concordance(mpg ~ qsec, mtcars)$concordance
  ours <- compute_metrics(mtcars$mpg, list(response = mtcars$qsec), "concordance")
  expect_equal(ours[[1]], theirs)
})

test_that("r2 is 1, 0 and less", {
  y <- mtcars$mpg
  r2 <- function(response) compute_metrics(y, list(response = response), "r2")[[1]]
  line <- stats::lm(mpg ~ wt, mtcars)
  expect_equal(r2(fitted(line)), summary(line)$r.squared)
  expect_equal(r2(rep(mean(y), 32)), 0)
  expect_lt(r2(-y), 0)
})

test_that("what the rows do not define is NA with a reason, never NaN", {
  one <- factor(rep("no", 5), c("no", "yes"))
  measures <- c(counted, "auc", "auc_rest", "pr_auc")
  out <- compute_metrics(one, list(class = one, decision = 1:5), measures)
  lost <- setdiff(measures, "specificity")
  expect_true(all(is.na(out[lost])) && !any(is.nan(out)))
  expect_identical(out[["specificity"]], 1)
  expect_named(attr(out, "reasons"), lost)
  expect_true(all(nzchar(attr(out, "reasons"))))
  out <- compute_metrics(rep(1, 4), list(response = 1:4), c("r2", "concordance", "rmse"))
  expect_identical(unname(is.na(out)), c(TRUE, TRUE, FALSE))
  expect_match(attr(out, "reasons")[["r2"]], "same response")
  own <- compute_metrics(one, list(class = one), list(mine = function(truth, estimate) 0 / 0))
  expect_identical(attr(own, "reasons"), c(mine = "the measure gave NaN"))
  # a class without rows is left out of the mean
  truth <- factor(c("a", "a", "b"), c("a", "b", "c"))
  said <- factor(c("a", "b", "b"), c("a", "b", "c"))
  expect_equal(
    compute_metrics(truth, list(class = said, classes = levels(truth)),
                    c("sensitivity", "precision")),
    c(sensitivity = (1 / 2 + 1) / 2, precision = (1 + 1 / 2) / 2)
  )
})

test_that("cross-validation takes all measures", {
  set.seed(1)
  known <- mkl_metrics()
  for_classes <- names(Filter(function(m) "classification" %in% m$tasks, known))
  cv <- cv_mkl(Species ~ ., three_class(), folds = 3, metrics = for_classes)
  expect_identical(cv$summary$metric, for_classes)
  expect_false(anyNA(cv$summary$mean))
  cv <- cv_mkl(mpg ~ wt + hp, mtcars, folds = 4, metrics = c("r2", "concordance"))
  expect_true(all(cv$results$concordance > 0.5 & cv$results$r2 < 1))
})
