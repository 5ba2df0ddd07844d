# A decision value taken apart: by kernels and by training cases, both adding up to it.

d <- two_class(60)
new <- two_class(75)$x[61:75, ]
three <- factor(rep(c("a", "b", "c"), 20))
set <- kernel_set(kernel_rbf(1, on = c("v1", "v2")), kernel_rbf(2, on = "v3"), kernel_linear())
one <- new[4, , drop = FALSE]

expect_adds_up <- function(why, decision, label) {
  names <- names(why$decision)
  for (m in seq_along(why$decision)) {
    for (part in c("terms", "cases")) {
      table <- why[[part]]
      if (is.null(table)) next
      own <- if (is.null(names)) table else table[table$model == names[m], ]
      found <- sum(own$contribution) + why$constant[[m]]
      expect_lt(abs(found - decision[[m]]) / max(1, abs(decision)), 1e-10,
                label = paste(label, part))
    }
  }
}

test_that("terms and cases add up to the decision value, for every learner that has them", {
  votes <- "mkboost"
  for (name in setdiff(learner_names(), c("knn", "lda"))) {
    make <- getExportedValue("multikernel", paste0("learner_", name))
    learner <- if (name %in% c("svm", "komd")) make(weights = c(0.2, 0, 0.8)) else make()
    kernels <- set[seq_len(min(3, learner$takes$max))]
    for (task in learner$tasks) {
      if (name == "gmkl" && task == "one_class") next
      y <- switch(task, classification = d$y, regression = 9 + 4 * numbers(60)$y)
      set.seed(1)
      fit <- suppressWarnings(mkl(d$x, y, kernels = kernels, learner = learner))
      why <- explain_case(fit, one)
      expect_identical(is.null(why$cases), name %in% votes, label = name)
      expect_adds_up(why, predict(fit, one, type = "decision"), paste(name, task))
      expect_output(print(why), "<mkl_case>")
    }
  }
})

test_that("the amounts are those of the expansion", {
  fit <- mkl(d$x, d$y, kernels = set, learner = learner_average(), scale = FALSE,
             normalize = "none")
  why <- explain_case(fit, one)
  facts <- model_facts(fit)[[1L]]
  rows <- fit$kept[facts$rows]
  fresh <- lapply(kernel_matrix(set, d$x, z = one), unclass)
  K <- Reduce(`+`, Map(function(k, w) k[, rows] * w, fresh, coef(fit)))
  expect_equal(
    why$cases$contribution[match(rows, why$cases$case)], as.vector(K) * facts$coefficients,
    tolerance = 1e-12
  )
  expect_identical(why$cases$response, as.character(d$y)[why$cases$case])
  expect_false(is.unsorted(-abs(why$cases$contribution)))
  expect_equal(why$terms$contribution, unname(
    predict(fit, one, type = "terms")[1, why$terms$term]
  ))
  # a Gaussian kernel: support vectors pull to their own class
  near <- explain_case(mkl(d$x, d$y, kernels = kernel_rbf(1)), one)
  expect_identical(near$toward[[1]], c("no", "yes"))
  expect_identical(near$cases$response == "yes", near$cases$contribution > 0)
})

test_that("a product of kernels has cases, votes have terms, label-based kernels both", {
  product <- gmkl(
    d$x, d$y, kernels = kernel_set(kernel_rbf(1), kernel_rbf(2)), combine = "product"
  )
  why <- explain_case(product, one)
  expect_null(why$terms)
  expect_adds_up(why, predict(product, one, type = "decision"), "product")
  votes <- cca_mhks(d$x, d$y, kernels = set, combine = "vote")
  why <- explain_case(votes, one)
  expect_null(why$cases)
  expect_adds_up(why, predict(votes, one, type = "decision"), "votes")
  labelled <- lbmkl(d$x, d$y)
  expect_adds_up(explain_case(labelled, one), predict(labelled, one, type = "decision"), "labels")
  skip_if_not_installed("MASS")
  lda <- mkl(d$x, d$y, learner = learner_lda())
  why <- explain_case(lda, one, by = "view")
  expect_null(why$cases)
  expect_adds_up(why, predict(lda, one, type = "decision"), "lda")
  skip_if_not_installed("class")
  knn <- mkl(d$x, d$y, learner = learner_knn())
  expect_mkl_error(explain_case(knn, one), "no sum")
})

test_that("several classes: the models of the predicted class, or others by name", {
  fit <- lmkl(d$x, three, kernels = set)
  why <- explain_case(fit, one)
  winner <- as.character(predict(fit, one))
  expect_length(why$decision, 2L)
  expect_true(all(grepl(winner, names(why$decision), fixed = TRUE)))
  decision <- predict(fit, one, type = "decision")
  expect_adds_up(why, decision[, names(why$decision)], "pairs")
  all <- explain_case(fit, one, models = colnames(decision))
  expect_identical(names(all$decision), colnames(decision))
  rest <- explain_case(mkl(d$x, three, kernels = set, multiclass = "one_vs_rest"), one)
  expect_length(rest$decision, 1L)
  expect_identical(rest$toward[[1]], paste0(c("not ", ""), names(rest$decision)))
})

test_that("views, lost rows, names of cases and a butchered response", {
  x <- d$x
  rownames(x) <- paste0("case", 1:60)
  sources <- views(one = x[, 1:2], two = x[1:50, 3, drop = FALSE])
  fit <- mkl(sources, d$y, learner = learner_average())
  fresh <- one
  rownames(fresh) <- "new"
  why <- explain_case(fit, views(one = fresh[, 1:2, drop = FALSE]))
  expect_identical(why$by, "view")
  expect_identical(why$terms$contribution[why$terms$term == "two"], 0)
  expect_true(all(why$cases$case %in% rownames(x)))
  gap <- d$data
  gap$v1[3] <- NA
  lost <- mkl(class ~ ., gap, kernels = kernel_rbf(1))
  why <- explain_case(lost, d$data[70 - 61 + 1, ])
  expect_false(3 %in% why$cases$case)
  expect_identical(why$cases$response, as.character(d$y)[as.integer(why$cases$case)])
})

test_that("explanations do not depend on threads, print and plot", {
  fit <- mkl(d$x, three, kernels = set)
  why <- explain_case(fit, one)
  fit$control$threads <- 4
  expect_identical(explain_case(seal_fit(fit), one), why)
  single <- explain_case(mkl(d$x, d$y, kernels = set), one)
  expect_output(print(single, limit = 2), "Training cases that pull to yes .*the largest 2")
  file <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(file, 12, 9)
  on.exit(grDevices::dev.off())
  expect_identical(plot(single), single)
  expect_identical(plot(why, limit = 3), why)
  skip_if_not_installed("ggplot2")
  bars <- autoplot(single, "terms")$data
  expect_identical(bars$contribution, single$terms$contribution)
  expect_s3_class(autoplot(why, limit = 4), "ggplot")
  expect_mkl_error(autoplot(single, "rows"), argument = "what")
})

test_that("of many models the closest are drawn, and titles speak of classes", {
  five <- factor(rep(letters[1:5], 12))
  why <- explain_case(mkl(d$x, five, kernels = set), one, models = NULL)
  expect_length(why$decision, 4)
  names <- names(why$decision)[sort(order(abs(why$decision))[1:2])]
  expect_setequal(case_bars(why, "both", NULL, 2L)$model, names)
  expect_match(case_note(why, 2L), paste0("closest to 0 of 4 models: ", names[1], " "))
  expect_no_match(case_note(why, 4L), "closest")
  expect_identical(nrow(case_bars(why, "cases", NULL)), 3L * 3L)
  six <- explain_case(mkl(d$x, factor(rep(letters[1:6], 10)), kernels = set), one)
  said <- utils::capture.output(print(six, limit = 1))
  expect_match(said[length(said)], "... and 1 model with decision values farther from 0")
  far <- names(which.max(abs(six$decision)))
  expect_identical(sum(grepl(": decision value", said)), 4L)
  expect_false(any(startsWith(said, paste0(far, ": "))))
  expect_false(any(grepl("farther", utils::capture.output(print(why)))))
  usual <- explain_case(mkl(d$x, kernels = set), one)
  expect_match(case_title(usual), "Prediction: (usual|odd)$")
  number <- explain_case(mkl(d$x, as.numeric(d$y), kernels = set), one)
  expect_null(case_note(number))
  grDevices::pdf(NULL, 5, 3)
  on.exit(grDevices::dev.off())
  expect_identical(plot(why), why)
  expect_identical(graphics::par("mfrow"), c(1L, 1L))
})

test_that("names of pairs of long classes keep both classes", {
  long <- factor(three, labels = paste("a class whose long name ends in", c("x", "y", "z")))
  why <- explain_case(mkl(d$x, long, kernels = set), one)
  short <- short_models(why, 24L)
  expect_true(all(nchar(short) <= 30L))
  ends <- strsplit(short, " / ", fixed = TRUE)
  expect_true(all(lengths(ends) == 2L))
  last <- function(text) substring(text, nchar(text))
  for (m in seq_along(short)) {
    expect_identical(last(ends[[m]]), last(why$toward[[m]][2:1]))
  }
  rest <- explain_case(mkl(d$x, long, kernels = set, multiclass = "one_vs_rest"), one)
  expect_match(short_models(rest, 24L), "[xyz]$")
  # names that are short enough stay
  few <- explain_case(mkl(d$x, three, kernels = set), one, models = "b/a")
  expect_identical(short_models(few, 24L), "b/a")
})

test_that("ticks of narrow panels are 0 and round numbers inside", {
  expect_equal(end_ticks(c(-0.043, 0.0216)), c(0, -0.04, 0.02))
  expect_equal(end_ticks(c(-0.1, 0.3)), c(0, 0.3))
  expect_equal(end_ticks(c(0, 0)), 0)
})

test_that("bad arguments are errors that name them", {
  expect_mkl_error(explain_case(mkl(mpg ~ wt, mtcars), NULL), "a case to explain", "case")
  fit <- mkl(d$x, d$y, kernels = set)
  expect_mkl_error(explain_case(3, one), argument = "object")
  expect_mkl_error(explain_case(fit), argument = "case")
  expect_mkl_error(explain_case(fit, new), "one case, not 15", "case")
  gap <- one
  gap[1] <- NA
  expect_mkl_error(explain_case(fit, gap), "missing values", "case")
  expect_mkl_error(explain_case(fit, one, by = "rows"), argument = "by")
  expect_mkl_error(explain_case(fit, one, models = "b/a"), "no use", "models")
  several <- mkl(d$x, three, kernels = set)
  expect_mkl_error(explain_case(several, one, models = "b/b"), argument = "models")
  expect_mkl_error(explain_case(fit, one, whatever = 1), argument = "whatever")
  expect_mkl_error(print(explain_case(fit, one), limit = 0), argument = "limit")
})
