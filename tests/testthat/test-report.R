skip_if_not_installed("ggplot2")
skip_if(!capabilities("cairo"), "R was built without cairo")

page_of <- function(fit, ...) {
  file <- withr::local_tempfile(fileext = ".html")
  expect_identical(report(fit, ..., file = file), file)
  expect_lt(file.size(file), 2e6)
  paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
}

ids <- function(page) {
  found <- regmatches(page, gregexpr("<section id=\"[a-z]+\"", page))[[1]]
  sub("<section id=\"(.*)\"", "\\1", found)
}

# What a page must not ask a network for: the only addresses are names of SVG.
expect_alone <- function(page) {
  links <- regmatches(page, gregexpr("(https?:)?//[a-z][^\"<> ]*", page))[[1]]
  expect_identical(setdiff(links, c("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")),
                   character())
  expect_no_match(page, "<script|<link|@import|src=")
}

expect_unique_names <- function(page) {
  names <- regmatches(page, gregexpr(" id=\"[^\"]*\"", page))[[1]]
  expect_identical(anyDuplicated(names), 0L)
  used <- regmatches(page, gregexpr("(href=\"#|url\\(#)[^\")]*", page))[[1]]
  used <- sub(".*#", "", used)
  expect_true(all(used %in% sub(" id=\"(.*)\"", "\\1", names)))
}

test_that("a page of two classes has all sections and the numbers of the resampling", {
  d <- two_class(80)$data
  set.seed(1)
  fit <- mkl(class ~ ., d, learner = learner_average(), probability = TRUE)
  set.seed(2)
  page <- page_of(fit, d, resamples = 4)
  expect_identical(
    ids(page), c(
      "data", "model", "importance", "performance", "calibration", "thresholds", "making", "use"
    )
  )
  expect_match(page, "Importance of the predictors", fixed = TRUE)
  expect_alone(page)
  expect_unique_names(page)
  set.seed(2)
  cv <- cv_mkl(
    class ~ ., d, learner = learner_average(), folds = 4, metrics = report_metrics(fit),
    predictions = TRUE, probability = TRUE
  )
  measures <- performance(cv)
  for (i in seq_len(nrow(measures))) {
    expect_match(page, paste0(">", format_measure(measures$estimate[i]), "</td>"), fixed = TRUE)
    expect_match(page, paste0(
      ">", format_measure(measures$lower[i]), " to ", format_measure(measures$upper[i]), "</td>"
    ), fixed = TRUE)
  }
  area <- attr(roc_data(cv), "auc")
  expect_match(page, sprintf("area %.3f", area), fixed = TRUE)
  # the same page of a result that was made before, but for the date and how Cairo counts
  plain <- function(page) {
    gsub("(surface|image)[0-9]+", "\\1", sub("Made by multikernel.*", "", page))
  }
  page <- page_of(fit, d, cv = cv, importance = FALSE)
  set.seed(2)
  expect_identical(plain(page_of(fit, d, resamples = 4, importance = FALSE)), plain(page))
  expect_no_match(page, "Importance of")
})

test_that("importance is measured on the splits of the performance", {
  d <- three_class(60)
  v <- views(sepal = as.matrix(d[1:2]), petal = as.matrix(d[3:4]))
  fit <- simplemkl(v, d$Species)
  accuracy <- function(cv) cv$summary$mean[cv$summary$metric == "accuracy"]
  for (keep in list("splits", "predictions")) {
    cv <- cv_mkl(v, d$Species, learner = "simplemkl", folds = 3, repeats = 2, keep = keep)
    lost <- report_importance(fit, v, d$Species, cv, environment())
    expect_equal(attr(lost, "baseline"), accuracy(cv), label = keep)
    expect_identical(attr(lost, "method"), "drop")
    expect_match(loss_figure(lost), paste0("with all of them: ", format_measure(accuracy(cv))))
  }
  plan <- cv_mkl(v, d$Species, learner = "simplemkl", resamples = resample_bootstrap(2))
  expect_identical(report_splits(plan), plan$resample)
  # columns, also those of learners without kernels
  cv <- cv_mkl(Species ~ ., d, learner = "simplemkl", folds = 3, keep = "splits")
  lost <- report_importance(simplemkl(Species ~ ., d), d, NULL, cv, environment())
  expect_equal(attr(lost, "baseline"), accuracy(cv))
  expect_setequal(lost$term, names(d)[1:4])
  expect_match(loss_figure(lost), "permuted among the test cases")
  wide <- mkl(matrix(with_seed(1, rnorm(30 * 61)), 30), rep(1:2, 15))
  expect_null(report_importance(wide, NULL, NULL, cv, environment()))
})

test_that("thresholds have the shares of the test cases", {
  d <- two_class(80)$data
  set.seed(1)
  cv <- cv_mkl(class ~ ., d, folds = 4, predictions = TRUE)
  table <- threshold_table(cv, "decision")
  p <- cv$predictions
  for (i in seq_len(nrow(table))) {
    called <- p$decision >= table$threshold[i]
    yes <- p$truth == "yes"
    expect_equal(table$sensitivity[i], mean(called[yes]))
    expect_equal(table$specificity[i], mean(!called[!yes]))
    if (any(called)) expect_equal(table$precision[i], mean(yes[called]))
    if (!all(called)) expect_equal(table$npv[i], mean(!yes[!called]))
    expect_equal(table$called[i], mean(called))
  }
  expect_true(0 %in% table$threshold)
  expect_identical(sum(nzchar(table$mark)), 1L)
})

test_that("views that cases lack, several classes and names that look like HTML", {
  d <- three_class(60)
  petal <- as.matrix(d[3:4])
  petal[51:60, ] <- NA
  v <- do.call(views, stats::setNames(
    list(as.matrix(d[1:2]), petal), c("<b>size</b> & more", "petal \"x\"")
  ))
  y <- factor(paste0("<script>", d$Species))
  fit <- simplemkl(v, y)
  page <- page_of(fit, v, y, resamples = 3, title = "A <title>")
  expect_identical(ids(page), c("data", "model", "importance", "performance", "making", "use"))
  expect_alone(page)
  expect_unique_names(page)
  expect_match(page, "&lt;b&gt;size&lt;/b&gt; &amp; more", fixed = TRUE)
  expect_match(page, "petal &quot;x&quot;", fixed = TRUE)
  expect_match(page, "&lt;script&gt;setosa", fixed = TRUE)
  expect_match(page, "<title>A &lt;title&gt;</title>", fixed = TRUE)
  expect_match(page, "50 of 60 cases have all views", fixed = TRUE)
  expect_match(page, "Loss of accuracy", fixed = TRUE)
  expect_no_match(page_of(fit, v, y, resamples = 3, importance = FALSE), "Loss of accuracy")
})

test_that("views as a list and data frames with text are described too", {
  d <- three_class(45)
  parts <- list(sepal = as.matrix(d[1:2]), petal = as.matrix(d[3:4]))
  page <- page_of(mkl(parts, d$Species), parts, d$Species, resamples = 3)
  expect_match(page, "<td>sepal</td><td>numeric, 2 columns</td>", fixed = TRUE)
  expect_match(page, "Importance of the views", fixed = TRUE)
  d$dna <- with_seed(1, vapply(1:45, function(i) {
    paste(sample(c("A", "C", "G", "T"), 12, TRUE), collapse = "")
  }, ""))
  fit <- mkl(Species ~ rbf(Petal.Width) + spectrum(dna, k = 2), d)
  page <- page_of(fit, d, resamples = 3)
  expect_match(page, "2 predictors: Petal.Width, dna", fixed = TRUE)
  expect_match(page, "Importance of the predictors", fixed = TRUE)
  expect_match(page, "permuted among the test cases", fixed = TRUE)
})

test_that("regression, novelty detection and fits without kernels", {
  set.seed(1)
  page <- page_of(mkl(mpg ~ wt + hp, mtcars), mtcars, resamples = 3)
  expect_identical(ids(page), c("data", "model", "importance", "performance", "making", "use"))
  expect_match(page, "Regression of mpg", fixed = TRUE)
  expect_match(page, format_number(stats::sd(mtcars$mpg), 3), fixed = TRUE)
  page <- page_of(mkl(~ wt + hp, mtcars), mtcars, resamples = 3)
  expect_match(page, "Novelty detection", fixed = TRUE)
  skip_if_not_installed("MASS")
  d <- two_class()
  page <- page_of(mkl(d$x, d$y, learner = "lda"), d$x, d$y, resamples = 3)
  expect_match(page, "Linear", ignore.case = TRUE)
  expect_no_match(page, "Weights of the kernels")
})

test_that("settings of the fit reach the resampling, also those of named methods", {
  d <- two_class()
  set <- kernel_rbf(c(1, 3))
  fit <- easymkl(d$x, d$y, lambda = 0.7, kernels = set, scale = FALSE)
  set.seed(1)
  cv <- resample_fit(fit, d$x, d$y, resample_cv(3), list(), environment())
  set.seed(1)
  direct <- cv_mkl(
    d$x, d$y, learner = learner_easymkl(0.7), kernels = set, scale = FALSE, folds = 3,
    metrics = report_metrics(fit)
  )
  names <- names(direct$metrics)
  expect_identical(cv$results[names], direct$results[names])
  # kernels that are gone
  made <- local({
    gone <- kernel_rbf(2)
    mkl(d$x, d$y, kernels = gone)
  })
  expect_mkl_error(
    report(made, d$x, d$y, file = withr::local_tempfile()), "cannot be evaluated.*Give `cv`",
    "object"
  )
})

test_that("one split, and a result without predictions", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  set.seed(1)
  page <- page_of(fit, d$x, d$y, resamples = resample_holdout(0.3, 1))
  expect_match(page, "95 % interval [0-9]")
  cv <- cv_mkl(d$x, d$y, folds = 3)
  page <- page_of(fit, d$x, d$y, cv = cv)
  expect_match(page, "kept no predictions", fixed = TRUE)
  expect_identical(ids(page), c("data", "model", "importance", "performance", "making", "use"))
})

test_that("splits without errors do not make a measure certain", {
  d <- data.frame(x = c(1:20, 101:120) / 10, y = factor(rep(c("a", "b"), each = 20)))
  set.seed(1)
  cv <- cv_mkl(y ~ x, d, folds = 4, predictions = TRUE, metrics = c("accuracy", "auc", "brier"),
    probability = TRUE
  )
  measures <- report_measures(cv)
  expect_identical(measures$estimate[1:2], c(1, 1))
  wilson <- stats::prop.test(40, 40, correct = FALSE)$conf.int
  expect_equal(c(measures$lower[1], measures$upper[1]), as.vector(wilson))
  expect_true(is.na(measures$lower[2]) && is.na(measures$upper[2]))
  splits <- performance(cv)
  expect_identical(measures$lower[3], splits$lower[3])
  cv$predictions <- NULL
  expect_identical(is.na(report_measures(cv)$lower), c(TRUE, TRUE, FALSE))
})

test_that("bad arguments are named, before anything is fitted", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  expect_mkl_error(report(1), "mkl", "object")
  expect_mkl_error(report(fit), "training data", "data")
  expect_mkl_error(report(fit, d$x, d$y, file = 1), "name of a file", "file")
  expect_mkl_error(report(fit, d$x, d$y, file = "/no/such/folder/fit.html"), "folder", "file")
  expect_mkl_error(report(fit, d$x, d$y, file = tempdir()), "folder", "file")
  file <- withr::local_tempfile()
  expect_mkl_error(report(fit, d$x, d$y, file = file, title = 1:2), "one text", "title")
  expect_mkl_error(report(fit, d$x, d$y, file = file, cv = 1), "cv_mkl", "cv")
  numeric <- cv_mkl(mpg ~ wt, mtcars, folds = 2)
  expect_mkl_error(report(fit, d$x, d$y, file = file, cv = numeric), "regression", "cv")
  cv <- cv_mkl(d$x, d$y, folds = 2)
  expect_mkl_error(report(fit, d$x, d$y, file = file, cv = cv, metrics = "auc"), "no effect", "cv")
  expect_mkl_error(report(fit, d$x, d$y, file = file, colour = 1), "colour")
  expect_false(file.exists(file))
})

test_that("a template is filled once, and files of a drawing keep apart", {
  expect_identical(fill_template("a {{x}} b {{y}}", list(x = "{{y}}", y = "1")), "a {{y}} b 1")
  plot <- ggplot2::ggplot(mtcars, ggplot2::aes(wt, mpg)) + ggplot2::geom_point()
  two <- paste(html_figure(plot, "one", "first"), html_figure(plot, "two", "<second>"))
  expect_unique_names(two)
  expect_match(two, "&lt;second&gt;", fixed = TRUE)
  expect_no_match(two, "<second>", fixed = TRUE)
})
