test_that("benchmarks and comparisons have tidy forms", {
  bm <- made_benchmark(made_scores())
  bm$metrics <- list(score = list(larger = TRUE), error = list(larger = FALSE))
  bm$results$error <- 1 - bm$results$score
  bm$summary <- summarise_cells(bm$results, c("score", "error"))
  long <- tidy(bm)
  expect_identical(nrow(long), 2L * nrow(bm$results))
  expect_equal(long$value[long$metric == "error"], bm$results$error)
  expect_identical(long$learner[long$metric == "score"], bm$results$learner)
  row <- glance(bm)
  expect_identical(row$data_sets, 3L)
  expect_identical(row$cells, 90L)
  expect_identical(row$best, "b")
  cmp <- compare_learners(bm)
  expect_identical(tidy(cmp), cmp$pairs)
  expect_identical(glance(cmp)$significant, sum(cmp$pairs$significant))
  expect_equal(glance(cmp)$p_value, cmp$ranks$friedman$p.value)
  expect_true(is.na(glance(compare_learners(made_benchmark(made_scores()[1])))$friedman))
})

test_that("cross-validations and tunings have tidy forms", {
  set.seed(1)
  d <- two_class()$data
  cv <- cv_mkl(class ~ ., d, folds = 4, metrics = c("accuracy", "auc"))
  long <- tidy(cv)
  expect_identical(nrow(long), 8L)
  expect_equal(long$value[long$metric == "auc"], cv$results$auc)
  expect_equal(glance(cv)$accuracy, mean(cv$results$accuracy))
  expect_identical(glance(cv)$splits, 4L)
  tuned <- tune_mkl(class ~ ., d, grid = list(cost = c(0.1, 1, 10)), folds = 3)
  long <- tidy(tuned)
  expect_identical(nrow(long), 6L)
  expect_equal(long$mean[long$metric == "auc"], tuned$summary$auc)
  expect_equal(long$se[long$metric == "accuracy"], tuned$summary$accuracy_se)
  expect_equal(glance(tuned)$cost, tuned$best$cost)
  expect_identical(glance(tuned)$points, 3L)
})

test_that("a benchmark without any result has a row too", {
  bm <- made_benchmark(made_scores())
  bm$results$score <- NA_real_
  bm$results$failure <- "no"
  bm$summary <- summarise_cells(bm$results, "score")
  expect_identical(glance(bm)$best, NA_character_)
  expect_identical(glance(bm)$failures, 90L)
})

test_that("a critical difference has tidy forms", {
  cd <- critical_difference(demsar())
  pairs <- tidy(cd)
  expect_identical(nrow(pairs), 6L)
  for (i in 1:6) {
    a <- pairs$learner[i]
    b <- pairs$other[i]
    expect_equal(pairs$difference[i], cd$ranks[[b]] - cd$ranks[[a]])
    expect_identical(pairs$p_value[i], cd$p_values[a, b])
    together <- any(vapply(cd$groups, function(g) all(c(a, b) %in% g), NA))
    expect_identical(pairs$significant[i], !together)
  }
  one <- tidy(critical_difference(demsar(), test = "bonferroni_dunn", reference = "C4.5"))
  expect_identical(one$significant, c(TRUE, FALSE, FALSE))
  expect_true(all(one$other == "C4.5"))
  row <- glance(cd)
  expect_identical(row$difference, cd$difference)
  expect_identical(row$data_sets, 14L)
  expect_identical(row$p_value, cd$friedman$p.value)
})
