test_that("pairs have the p-values of the tests on their differences", {
  values <- made_scores()
  bm <- made_benchmark(values)
  ways <- list(
    "5x2cv_f" = function(x, y) test_5x2cv_f(x, y)$p.value,
    "5x2cv_t" = function(x, y) test_5x2cv_t(x, y)$p.value,
    paired_t = function(x, y) t.test(x, y, paired = TRUE)$p.value,
    corrected_t = function(x, y) test_corrected_t(x, y, ratio = 0.5)$p.value
  )
  for (test in names(ways)) {
    pairs <- compare_learners(bm, test = test)$pairs
    expect_identical(nrow(pairs), 9L)
    for (i in seq_len(nrow(pairs))) {
      v <- values[[pairs$data[i]]]
      x <- v[, pairs$learner[i]]
      y <- v[, pairs$other[i]]
      expect_equal(pairs$p_value[i], ways[[test]](x, y))
      expect_equal(pairs$difference[i], mean(x - y))
      expect_identical(pairs$significant[i], pairs$p_value[i] < 0.05)
      expect_identical(
        pairs$better[i],
        if (!pairs$significant[i]) NA_character_ else {
          if (mean(x) > mean(y)) pairs$learner[i] else pairs$other[i]
        }
      )
    }
  }
  adjusted <- compare_learners(bm, adjust = "holm")$pairs
  plain <- compare_learners(bm)$pairs
  expect_equal(
    adjusted$p_value[1:3], p.adjust(plain$p_value[1:3], "holm")
  )
})

test_that("the order of the cells does not matter", {
  bm <- made_benchmark(made_scores())
  mixed <- bm
  mixed$results <- bm$results[rev(seq_len(nrow(bm$results))), ]
  for (test in c("5x2cv_f", "5x2cv_t", "corrected_t", "paired_t")) {
    expect_equal(
      compare_learners(mixed, test = test)$pairs, compare_learners(bm, test = test)$pairs
    )
  }
})

test_that("wins, ties, losses and Wilcoxon's test count data sets", {
  values <- made_scores()
  cmp <- compare_learners(made_benchmark(values), test = "paired_t")
  means <- t(vapply(values, colMeans, numeric(3)))
  expect_equal(cmp$mean, means)
  for (i in seq_len(nrow(cmp$overall))) {
    row <- cmp$overall[i, ]
    d <- means[, row$learner] - means[, row$other]
    expect_equal(c(row$wins, row$ties, row$losses), c(sum(d > 0), sum(d == 0), sum(d < 0)))
    expect_equal(row$wilcoxon, wilcox.test(d)$p.value)
    own <- cmp$pairs[cmp$pairs$learner == row$learner & cmp$pairs$other == row$other, ]
    expect_equal(row$win, sum(own$significant & own$difference > 0))
    expect_equal(row$tie, sum(!own$significant))
  }
  expect_equal(unname(cmp$rank[1, ]), c(2, 1, 3))
  expect_equal(cmp$ranks$ranks, c(b = 1, a = 2, c = 3))
})

test_that("the counts of Gonen and Alpaydin (2008), Table 1, come out as printed", {
  table <- cbind(
    mkl = c(81.99, 73.32, 75.78, 93.68, 63.39, 72.62, 98.86, 80.29, 90.46, 95.50),
    lmkl = c(83.84, 73.92, 79.44, 93.33, 64.87, 72.89, 98.69, 79.57, 91.41, 95.98),
    svm = c(59.18, 74.58, 78.33, 86.15, 64.78, 70.04, 76.91, 73.86, 85.98, 95.08),
    three = c(81.39, 75.09, 77.00, 87.86, 64.78, 73.98, 78.92, 77.14, 91.18, 94.34)
  )
  rownames(table) <- paste0("d", 1:10)
  flat <- lapply(rownames(table), function(d) table[rep(d, 10), , drop = FALSE])
  cmp <- compare_learners(made_benchmark(stats::setNames(flat, rownames(table))))
  pick <- function(a, b) cmp$overall[cmp$overall$learner == a & cmp$overall$other == b, ]
  expect_equal(unlist(pick("mkl", "lmkl")[c("losses", "ties", "wins")]), c(7, 0, 3),
               ignore_attr = TRUE)
  expect_equal(unlist(pick("svm", "three")[c("losses", "ties", "wins")]), c(7, 1, 2),
               ignore_attr = TRUE)
  expect_gt(pick("mkl", "lmkl")$wilcoxon, 0.05)
  expect_lt(pick("svm", "three")$wilcoxon, 0.05)
})

test_that("smaller is better where the measure says so", {
  values <- made_scores()
  up <- compare_learners(made_benchmark(values))
  down <- compare_learners(made_benchmark(lapply(values, function(v) 1 - v), larger = FALSE))
  expect_equal(down$pairs$better, up$pairs$better)
  expect_equal(down$rank, up$rank)
  expect_equal(down$overall[3:9], up$overall[3:9])
})

test_that("a reference leaves its pairs only", {
  bm <- made_benchmark(made_scores())
  cmp <- compare_learners(bm, reference = "b")
  expect_true(all(cmp$pairs$other == "b"))
  expect_identical(nrow(cmp$pairs), 6L)
  all <- compare_learners(bm)$pairs
  same <- all[all$learner == "a" & all$other == "b", ]
  expect_equal(cmp$pairs$p_value[cmp$pairs$learner == "a"], same$p_value)
})

test_that("failed cells leave their pairs without a 5x2cv test, and others with fewer splits", {
  bm <- made_benchmark(made_scores())
  bm$results$score[2] <- NA
  bm$summary <- summarise_cells(bm$results, "score")
  cmp <- compare_learners(bm)
  lost <- cmp$pairs$data == "first" & (cmp$pairs$learner == "a" | cmp$pairs$other == "a")
  expect_identical(is.na(cmp$pairs$p_value), lost)
  # no test, no tie
  counts <- rowSums(cmp$overall[c("win", "tie", "loss")])
  expect_equal(counts, ifelse(cmp$overall$learner == "a", 2, 3), ignore_attr = TRUE)
  t <- compare_learners(bm, test = "paired_t")$pairs
  v <- made_scores()$first[-2, ]
  expect_equal(t$p_value[1], t.test(v[, "a"], v[, "b"], paired = TRUE)$p.value)
  expect_no_error(format(cmp, "latex"))
})

test_that("auto takes the F test for five by two and the corrected one otherwise", {
  expect_identical(compare_learners(made_benchmark(made_scores()))$test, "5x2cv_f")
  ten <- made_benchmark(made_scores(), "cv", repeats = 1, folds = 10)
  expect_identical(compare_learners(ten)$test, "corrected_t")
})

test_that("signs and places stand where they belong", {
  bm <- made_benchmark(made_scores())
  cmp <- compare_learners(bm, test = "paired_t", reference = "a")
  signs <- significance_signs(cmp)
  for (d in rownames(signs)) {
    for (l in c("b", "c")) {
      row <- cmp$pairs[cmp$pairs$data == d & cmp$pairs$learner == l, ]
      want <- if (!row$significant) "" else if (row$difference > 0) "+" else "-"
      expect_identical(signs[d, l], want)
    }
  }
  expect_true(all(signs[, "a"] == ""))
  best <- significance_signs(compare_learners(bm, test = "paired_t"))
  expect_true(all(best[, "b"] == "" & best[, "c"] == "-"))
})

test_that("tables are written in four formats", {
  cmp <- compare_learners(made_benchmark(made_scores()), test = "paired_t")
  expect_snapshot({
    print(cmp)
    print(compare_learners(made_benchmark(made_scores()[1]), reference = "a", adjust = "holm"))
    writeLines(format(cmp, "markdown"))
    writeLines(format(compare_learners(made_benchmark(made_scores()), reference = "a"), "latex",
                      percent = TRUE, digits = 1))
    writeLines(format(cmp, "html", sd = FALSE))
  })
})

test_that("special characters do not break a table", {
  values <- list("a_b|c<d&e" = made_scores()$first)
  colnames(values[[1]]) <- c("50%", "x_y", "~z")
  bm <- made_benchmark(values)
  cell <- function(format) paste(format(compare_learners(bm), format), collapse = "\n")
  expect_match(cell("latex"), "a\\_b\\textbar{}c\\textless{}d\\&e", fixed = TRUE)
  expect_identical(
    latex_style()$escape(c("\\{x}^2", "")),
    c("\\textbackslash{}\\{x\\}\\textasciicircum{}2", "")
  )
  expect_match(cell("latex"), "50\\%", fixed = TRUE)
  expect_match(cell("html"), "a_b|c&lt;d&amp;e", fixed = TRUE)
  expect_match(cell("markdown"), "a\\_b\\|c\\<d&e", fixed = TRUE)
})

test_that("a real benchmark goes in", {
  set.seed(1)
  bm <- benchmark_mkl(
    list(flowers = Species ~ .), list(flowers = droplevels(iris[51:150, ])),
    list(learner_svm(), learner_average()), metrics = c("accuracy", "error")
  )
  a <- compare_learners(bm)
  b <- compare_learners(bm, metric = "error")
  expect_equal(a$pairs$p_value, b$pairs$p_value)
  expect_equal(a$pairs$better, b$pairs$better)
  made <- made_benchmark(made_scores())
  expect_equal(critical_difference(made)$ranks, compare_learners(made)$ranks$ranks)
})

test_that("bad arguments are named", {
  bm <- made_benchmark(made_scores())
  expect_snapshot(error = TRUE, {
    compare_learners(1)
    compare_learners(bm, metric = "scor")
    compare_learners(bm, test = "t")
    compare_learners(
      made_benchmark(made_scores(), "10-fold cross-validation", repeats = 1, folds = 10),
      test = "5x2cv_f"
    )
    compare_learners(bm, reference = "d")
    compare_learners(bm, level = 2)
    compare_learners(bm, adjust = "bonferoni")
    compare_learners(bm, refrence = "a")
    compare_learners(made_benchmark(list(one = made_scores()[[1]][, 1, drop = FALSE])))
    format(compare_learners(bm), "word")
    format(compare_learners(bm), digits = -1)
  })
})
