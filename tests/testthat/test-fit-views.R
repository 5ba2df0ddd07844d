d <- three_views()
v <- make_views(d)
holes <- make_views(d, some_absent())

# The learner with few iterations; its kernels where the default would take long.
quick <- function(stem) {
  make <- get(paste0("learner_", stem))
  short <- list(
    lmkl = list(restarts = 1, iterations = 5), mkboost = list(trials = 5),
    gmkl = list(iterations = 20),
    lbmkl = list(), mhks = list(), cca_mhks = list()
  )
  do.call(make, as.list(short[[stem]]))
}

kernels_for <- function(learner) {
  if (learner$takes$max == 0 || uses_one_kernel(learner)) return(NULL)
  sets <- list(rna = kernel_rbf(2), table = kernel_linear(), words = kernel_linear())
  sets[seq_len(min(3, learner$takes$max))]
}

fit_quick <- function(x, y, stem, ...) {
  learner <- quick(stem)
  if (is_feature_learner(learner)) skip_if_not_installed(learner$package)
  set.seed(1)
  suppressWarnings(
    mkl(x, y, learner = learner, kernels = kernels_for(learner), ...), "multikernel_not_converged"
  )
}

moved <- function(v) {
  views(
    words = v$words[, 6:1], table = v$table[c(3, 1, 2)], rna = v$rna[, c(2, 4, 3, 1)]
  )
}

for (stem in learner_names()) local({
  stem <- stem
  test_that(paste0("views in another order give the same predictions: ", stem), {
    fit <- fit_quick(v, d$y, stem)
    type <- "decision"
    whole <- predict(fit, v, type = type)
    expect_identical(names(whole), rownames(d$rna))
    expect_identical(predict(fit, moved(v), type = type), whole)
    expect_identical(predict(fit, v[c(9, 4), ], type = type), whole[c(9, 4)])
    expect_identical(names(fitted(fit)), rownames(d$rna))
    again <- unserialize(serialize(fit, NULL))
    expect_identical(predict(again, v[1:3, ], type = type), whole[1:3])
  })
  test_that(paste0("cases that lack views: ", stem), {
    for (missing in c("available", "impute", "omit")) {
      sees_all <- quick(stem)$takes$max == 0 || uses_one_kernel(quick(stem))
      if (missing == "available" && sees_all) {
        expect_mkl_error(fit_quick(holes, d$y, stem, missing = missing), "impute", "missing")
        next
      }
      fit <- suppressMessages(fit_quick(holes, d$y, stem, missing = missing))
      found <- predict(fit, holes, type = "decision")
      used <- attr(holes, "present")[, names(fit$frame$views)] # svm2k sees two of them
      lost <- missing == "omit" & rowSums(used) < ncol(used)
      expect_identical(unname(is.na(found)), unname(lost))
      if (missing == "omit") next
      part <- predict(fit, holes[4, c("table", "words")], type = "decision")
      expect_false(anyNA(part))
    }
  })
})

test_that("a product of kernels needs all views", {
  learner <- learner_gmkl(combine = "product", iterations = 5)
  kernels <- kernel_rbf(c(2, 4))
  expect_mkl_error(
    mkl(holes, d$y, learner = learner, kernels = kernels, missing = "available"), "impute",
    "missing"
  )
  # New cases may lack a view, too.
  expect_mkl_error(
    mkl(make_views(d), d$y, learner = learner, kernels = kernels, missing = "available"), "impute",
    "missing"
  )
  fit <- suppressWarnings(mkl(holes, d$y, learner = learner, kernels = kernels))
  expect_identical(fit$frame$missing, "impute")
  expect_false(anyNA(predict(fit, holes)))
})

test_that("the default learner weighs the views, and prints them", {
  fit <- mkl(v, d$y)
  expect_s3_class(fit, "mkl_simplemkl")
  expect_snapshot(cat(head(capture.output(print(fit)), 4), sep = "\n"))
  expect_identical(names(kernel_weights(fit, by = "view")), c("rna", "table", "words"))
  expect_equal(sum(kernel_weights(fit, by = "view")), sum(coef(fit)))
  several <- mkl(v, d$kinds, learner = "average")
  table <- kernel_weights(several, by = "view")
  expect_named(table, c("pair", "view", "weight"))
  expect_identical(nrow(table), 9L)
})

test_that("regression, one class and several classes, with the names of the cases in all types", {
  new <- v[c("case9", "case4"), ]
  number <- mkl(v, d$number, learner = "average")
  expect_named(predict(number, new), c("case9", "case4"))
  expect_named(residuals(number), rownames(d$rna))
  one <- mkl(v, learner = "average")
  expect_named(predict(one, new), c("case9", "case4"))
  set.seed(1)
  kinds <- mkl(v, d$kinds, learner = "average", probability = TRUE)
  expect_named(predict(kinds, new), c("case9", "case4"))
  for (type in c("prob", "decision")) {
    expect_identical(rownames(predict(kinds, new, type = type)), c("case9", "case4"))
  }
  expect_true(all(names(support(kinds)) %in% rownames(d$rna)))
})

test_that("a list of views is what views() makes of it, everywhere", {
  plain <- d[c("rna", "table", "words")]
  fit <- easymkl(plain, d$y)
  expect_identical(coef(fit), coef(easymkl(v, d$y)))
  expect_identical(predict(fit, plain), predict(fit, v))
  expect_identical(simplemkl(plain, d$y)$frame$columns, simplemkl(v, d$y)$frame$columns)
  K <- kernel_matrix(kernel_linear(), plain[c("rna", "words")])
  expect_named(K, c("rna.linear", "words.linear"))
})

test_that("the gate of an absent view is closed", {
  set.seed(1)
  fit <- suppressWarnings(lmkl(holes, d$y, kernels = list(
    rna = kernel_linear(), table = kernel_linear(), words = kernel_linear()
  ), restarts = 1, iterations = 5))
  gates <- gating_weights(fit, holes)
  present <- attr(holes, "present")
  expect_identical(rownames(gates), rownames(d$rna))
  expect_true(all(gates[!present] == 0))
  expect_true(all(gates[present] > 0))
  expect_equal(unname(rowSums(gates)), rep(1, 60))
})

test_that("resampling, tuning and benchmarks take views", {
  fold <- rep(1:3, 20)
  cv <- cv_mkl(holes, d$y, learner = "average", folds = fold)
  expect_true(all(is.finite(cv$results$accuracy)))
  formula <- cv_mkl(d$y ~ rbf(rna, sigma = 1) + linear(words), v, learner = "average", folds = fold)
  expect_true(all(is.finite(formula$results$accuracy)))
  tuned <- tune_mkl(
    holes, d$y, learner = "easymkl", grid = list(lambda = c(0.1, 0.9)), folds = fold
  )
  best <- refit(tuned)
  expect_s3_class(best, "mkl_easymkl")
  expect_length(predict(best, holes), 60)
  bench <- benchmark_mkl(
    list(views = list(x = holes, y = d$y)), learners = c("average", "easymkl"), folds = fold,
    seed = 1
  )
  expect_identical(nrow(bench$results), 6L)
  formulas <- benchmark_mkl(
    d$y ~ rna + words, data = v, learners = "average", folds = fold, seed = 1
  )
  expect_true(all(is.finite(formulas$results$accuracy)))
})

test_that("update(), augment() and tidy() take fits to views", {
  fit <- easymkl(v, d$y, lambda = 0.2)
  other <- update(fit, lambda = 0.7)
  expect_identical(coef(other), coef(easymkl(v, d$y, lambda = 0.7)))
  shown <- augment(fit, v, response = d$y)
  expect_identical(rownames(shown), rownames(d$rna))
  expect_true(all(c("rna", ".fitted", ".decision", ".correct") %in% names(shown)))
  expect_identical(augment(fit, views(rna = d$rna))$.fitted, bare(predict(fit, views(rna = d$rna))))
  expect_identical(nrow(tidy(fit)), length(coef(fit)))
})

test_that("results are the same for one thread and four, to the last bit", {
  for (missing in c("available", "impute")) {
    fits <- lapply(c(1, 4), function(threads) {
      mkl(
        holes, d$y, learner = "simplemkl", missing = missing,
        control = mkl_control(threads = threads)
      )
    })
    states <- lapply(fits, function(fit) lapply(fit$models, function(model) model$state))
    expect_identical(states[[1]], states[[2]])
    expect_identical(
      predict(fits[[1]], holes, type = "decision"), predict(fits[[2]], holes, type = "decision")
    )
  }
})

test_that("fits are saved, read and reduced", {
  for (missing in c("available", "impute")) {
    fit <- mkl(holes, d$y, learner = "average", missing = missing)
    file <- withr::local_tempfile(fileext = ".rds")
    saveRDS(fit, file)
    expect_identical(
      predict(readRDS(file), holes, type = "decision"), predict(fit, holes, type = "decision")
    )
    skip_if_not_installed("butcher")
    expect_identical(
      predict(butcher::butcher(fit), holes, type = "decision"),
      predict(fit, holes, type = "decision")
    )
  }
})

test_that("a matrix among the columns of a data frame goes by the names of its columns", {
  frame <- data.frame(y = d$y, age = d$table$age)
  frame$rna <- d$rna
  frame$words <- d$words
  other <- frame[c("words", "age", "rna")]
  other$rna <- other$rna[, 4:1]
  other$words <- cbind(other$words[, c(6, 1, 3, 2, 5, 4)], extra = 1)
  kernels <- kernel_set(kernel_linear(on = "rna"), kernel_rbf(1, on = "words"))
  fits <- list(
    mkl(frame[-1], frame$y, learner = "average", kernels = kernels),
    mkl(y ~ ., frame, learner = "average", kernels = kernels),
    mkl(y ~ rbf(rna, sigma = 1) + linear(words, age), frame, learner = "average")
  )
  for (fit in fits) {
    expect_identical(predict(fit, other, type = "decision"), predict(fit, frame, type = "decision"))
    bad <- other
    colnames(bad$rna)[1] <- "renamed"
    expect_mkl_error(predict(fit, bad), "rna.*`g4`", "rna")
  }
})

for (stem in learner_names()) local({
  stem <- stem
  test_that(paste0("columns of a formula, a data frame and a matrix go by name: ", stem), {
    learner <- quick(stem)
    if (is_feature_learner(learner)) skip_if_not_installed(learner$package)
    frame <- data.frame(y = d$y, age = d$table$age)
    frame$rna <- d$rna
    other <- frame[c("rna", "age")]
    other$rna <- other$rna[, c(2, 4, 3, 1)]
    bad <- frame
    colnames(bad$rna)[2] <- "renamed"
    wide <- cbind(age = d$table$age, d$rna)
    fit <- function(...) {
      set.seed(1)
      suppressWarnings(mkl(..., learner = learner), "multikernel_not_converged")
    }
    check <- function(fit, data, moved, renamed, argument) {
      whole <- predict(fit, data, type = "decision")
      expect_identical(predict(fit, moved, type = "decision"), whole)
      expect_mkl_error(predict(fit, renamed), "g2", argument)
    }
    check(fit(y ~ ., frame), frame, other, bad, "rna")
    check(fit(frame[-1], d$y), frame, other, bad, "rna")
    renamed <- wide
    colnames(renamed)[3] <- "renamed"
    check(fit(wide, d$y), wide, wide[, c(4, 1, 5, 3, 2)], renamed, "newdata")
  })
})

test_that("parsnip, caret and mlr3 match columns by name, within matrices too", {
  frame <- data.frame(y = d$y, age = d$table$age)
  frame$rna <- d$rna
  other <- frame[c("rna", "age", "y")]
  other$rna <- other$rna[, 4:1]
  bad <- other
  colnames(bad$rna)[1] <- "renamed"
  kernels <- kernel_set(kernel_linear(on = "rna"), kernel_rbf(1, on = "age"))
  if (requireNamespace("parsnip", quietly = TRUE)) {
    spec <- parsnip::set_engine(
      multi_kernel("classification", learner = "average"), "multikernel", kernels = kernels,
      probability = FALSE
    )
    fit <- parsnip::fit(spec, y ~ ., frame)
    expect_identical(
      predict(fit, other, type = "raw"), predict(fit, frame, type = "raw")
    )
    expect_mkl_error(predict(fit, bad), "g4", "rna")
    by_xy <- parsnip::fit_xy(spec, frame[-1], frame$y)
    expect_identical(predict(by_xy, other), predict(by_xy, frame))
    expect_mkl_error(predict(by_xy, bad), "g4", "rna")
  }
  if (suppressWarnings(requireNamespace("caret", quietly = TRUE))) {
    method <- caret_mkl("average", kernels = kernels, grid = list())
    fit <- suppressWarnings(caret::train(
      frame[c("age", "rna")], frame$y, method = method, trControl = caret::trainControl("none")
    ))
    expect_identical(predict(fit, other), predict(fit, frame))
    expect_mkl_error(predict(fit, bad), "g4", "rna")
  }
  skip_if_not_installed("mlr3", "0.16.0")
  wide <- data.frame(y = d$y, d$rna, age = d$table$age)
  task <- mlr3::as_task_classif(wide, target = "y", id = "wide")
  learner <- mlr3::lrn("classif.multikernel", learner = "average", kernels = list(
    kernel_linear(on = colnames(d$rna)), kernel_rbf(1, on = "age")
  ))
  learner$train(task)
  expect_identical(
    learner$predict_newdata(wide[6:1])$response, learner$predict_newdata(wide)$response
  )
  names(wide)[names(wide) == "g2"] <- "renamed"
  expect_error(learner$predict_newdata(wide), "g2") # by mlr3 itself
})

test_that("`missing` on data that are not views is announced", {
  d <- three_views()
  expect_message(
    mkl(d$rna, d$y, missing = "impute"), "no effect", class = "multikernel_missing_unused"
  )
  expect_silent(mkl(d$rna, d$y, missing = "omit"))
})

test_that("the response of new cases goes by the names of the cases, as that of training does", {
  fit <- easymkl(v, d$y)
  new <- v[c(40, 3:20), ]
  y <- stats::setNames(d$y, rownames(d$rna))
  right <- d$y[c(40, 3:20)]
  scores <- list(
    function(y) performance(fit, new, y)$estimate,
    function(y) augment(fit, new, response = y)$.correct,
    function(y) roc_data(fit, new, y),
    function(y) {
      set.seed(1)
      importance(fit, new, y, by = "view", repeats = 2)
    }
  )
  for (score in scores) expect_identical(score(rev(y)), score(right))
  expect_identical(augment(fit, response = rev(y))$.correct, augment(fit, response = d$y)$.correct)
  expect_mkl_error(performance(fit, new, y[5:60]), "no value for the case", "y")
  # A response that is one of the views.
  inside <- views(rna = d$rna, out = 1 * (d$y == "yes"))
  formula <- easymkl(out ~ rbf(rna, sigma = 1), inside)
  expect_identical(
    performance(formula, inside[1:20, ])$estimate,
    performance(formula, inside[1:20, ], 1 * (d$y == "yes")[1:20])$estimate
  )
})

test_that("folds and groups that name the cases go by these names", {
  fold <- stats::setNames(rep(1:3, c(10, 20, 30)), rownames(d$rna))
  scores <- function(...) cv_mkl(v, d$y, learner = "average", metrics = "accuracy", ...)$results
  expect_identical(scores(folds = rev(fold))$accuracy, scores(folds = unname(fold))$accuracy)
  group <- stats::setNames(rep(1:20, each = 3), rownames(d$rna))
  grouped <- function(group) {
    set.seed(1)
    scores(resamples = resample_cv(4, group = group))$accuracy
  }
  expect_identical(grouped(rev(group)), grouped(unname(group)))
  expect_mkl_error(scores(folds = fold[c(1:59, 1)]), "no value for the case", "fold")
  tuned <- function(folds) {
    tune_mkl(v, d$y, learner = "easymkl", grid = list(lambda = c(0.1, 0.9)), folds = folds)$results
  }
  expect_identical(tuned(rev(fold))$accuracy, tuned(unname(fold))$accuracy)
  bench <- function(folds) {
    benchmark_mkl(
      list(a = list(x = v, y = d$y)), learners = "average", folds = folds, seed = 1
    )$results
  }
  expect_identical(bench(rev(fold))$accuracy, bench(unname(fold))$accuracy)
})
