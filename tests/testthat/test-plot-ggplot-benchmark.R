skip_if_not_installed("ggplot2")

layers <- function(plot) ggplot2::ggplot_build(plot)$data

test_that("dots are the values, intervals those of the corrected t test", {
  values <- made_scores()
  bm <- made_benchmark(values)
  plot <- autoplot(bm)
  parts <- layers(plot)
  expect_equal(sort(parts[[1]]$x), sort(unlist(values, use.names = FALSE)))
  frame <- benchmark_intervals(bm, "score", 0.05)
  for (i in seq_len(nrow(frame))) {
    v <- values[[as.character(frame$group[i])]][, as.character(frame$learner[i])]
    expect_equal(frame$mean[i], mean(v))
    half <- qt(0.975, 9) * sd(v) * sqrt(1 / 10 + 1 / 2)
    expect_equal(c(frame$low[i], frame$high[i]), mean(v) + c(-half, half))
    # zero is at the end of the interval exactly when the test of the mean says so
    p <- test_corrected_t(v - frame$low[i], ratio = 0.5)$p.value
    expect_equal(p, 0.05)
  }
  expect_identical(nlevels(frame$group), 3L)
  expect_match(plot$labels$x, "larger is better")
})

test_that("intervals end where the measure does", {
  bm <- made_benchmark(list(one = cbind(a = rep(c(0.8, 1), 5), b = rep(0:1, 5))))
  bm$metrics$score$range <- 0:1
  frame <- benchmark_intervals(bm, "score", 0.05)
  half <- qt(0.975, 9) * sd(rep(c(0.8, 1), 5)) * sqrt(1 / 10 + 1 / 2)
  expect_equal(frame$low, c(0.9 - half, 0))
  expect_equal(frame$high, c(1, 1))
  expect_identical(mkl_metrics("accuracy")$accuracy$range, c(0, 1))
  expect_identical(mkl_metrics("rmse")$rmse$range, c(0, Inf))
})

test_that("missing values and single splits do not stop the picture", {
  bm <- made_benchmark(made_scores())
  bm$results$score[1:10] <- NA
  bm$summary <- summarise_cells(bm$results, "score")
  expect_no_error(layers(autoplot(bm)))
  one <- made_benchmark(lapply(made_scores(), function(v) v[1, , drop = FALSE]), repeats = 1,
                        folds = 1)
  expect_no_error(layers(autoplot(one)))
  expect_true(all(is.na(benchmark_intervals(one, "score", 0.05)$low)))
})

test_that("the diagram of ranks has a line for each learner and a bar for each group", {
  bm <- made_benchmark(made_scores())
  cd <- critical_difference(bm)
  places <- rank_places(cd)
  expect_equal(places$rank, unname(cd$ranks))
  expect_identical(anyDuplicated(places[c("y", "side")]), 0L)
  bars <- rank_bars(cd)
  expect_identical(nrow(bars), length(cd$groups))
  expect_true(all(bars$y > max(places$y))) # bars are above all horizontal lines
  for (g in seq_along(cd$groups)) {
    inside <- cd$ranks >= bars$from[g] & cd$ranks <= bars$to[g]
    expect_setequal(names(cd$ranks)[inside], cd$groups[[g]])
  }
  expect_no_error(layers(autoplot(bm, "ranks")))
  expect_no_error(layers(autoplot(critical_difference(
    cbind(a = 1:9, b = 2:10), test = "bonferroni_dunn"
  ))))
  expect_equal(layers(autoplot(compare_learners(bm))), layers(autoplot(bm, "ranks")))
  one <- compare_learners(made_benchmark(made_scores()[1]))
  expect_mkl_error(autoplot(one), "no mean ranks", "object")
})

test_that("lines of the diagram do not cross", {
  set.seed(2)
  x <- matrix(rnorm(90), 10, dimnames = list(NULL, letters[1:9]))
  places <- rank_places(critical_difference(x))
  # A horizontal line at the left runs from its rank outwards; no vertical line may reach below it
  # there.
  for (i in seq_len(nrow(places))) {
    left <- places$side[i] > 0.5
    passed <- if (left) places$rank < places$rank[i] else places$rank > places$rank[i]
    expect_true(all(places$y[passed] > places$y[i]))
  }
})

test_that("pictures look as they did", {
  bm <- made_benchmark(made_scores())
  expect_picture("dots", autoplot(bm))
  expect_picture("ranks", autoplot(bm, "ranks"))
  expect_picture("reference", autoplot(
    critical_difference(demsar(), test = "bonferroni_dunn", reference = "C4.5")
  ))
})

test_that("bad arguments are named", {
  bm <- made_benchmark(made_scores())
  expect_snapshot(error = TRUE, {
    autoplot(bm, "rank")
    autoplot(bm, metric = "auc")
    autoplot(bm, level = 0)
    autoplot(bm, lvel = 0)
  })
})
