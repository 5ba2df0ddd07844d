# Tuning against one resampling for each point.

exact <- mkl_control(tol = 1e-9)

expect_same_as_cv <- function(tuned, learners, ..., splits, tolerance = 1e-7) {
  for (i in seq_along(learners)) {
    set.seed(7)
    cv <- cv_mkl(..., learner = learners[[i]], resamples = splits,
                 metrics = names(tuned$metrics))
    own <- tuned$results[tuned$results$point == i, ]
    for (metric in names(tuned$metrics)) {
      expect_equal(own[[metric]], cv$results[[metric]], tolerance = tolerance)
    }
    expect_equal(tuned$summary[[names(tuned$metrics)[1]]][i], cv$summary$mean[1],
                 tolerance = tolerance)
  }
}

d <- hard_rows(90, 4)
splits <- with_seed(1, resample_splits(resample_cv(3), d$y))
measures <- c("accuracy", "auc", "support")

tune_here <- function(..., x = d$x, y = d$y, resamples = splits, metrics = measures) {
  set.seed(7)
  tune_mkl(x, y, ..., resamples = resamples, metrics = metrics)
}

test_that("a path of costs gives the fits of its points", {
  costs <- c(10, 0.1, 1, 100)
  tuned <- tune_here(learner = learner_svm(), grid = list(cost = costs), control = exact)
  expect_same_as_cv(tuned, lapply(costs, learner_svm), d$x, d$y, control = exact, splits = splits)
  tuned <- tune_here(learner = learner_average(), grid = list(cost = costs), control = exact)
  expect_same_as_cv(tuned, lapply(costs, learner_average), d$x, d$y, control = exact,
                    splits = splits)
})

test_that("trials of a boosted fit are those of fits by themselves", {
  trials <- c(12, 3, 7)
  tuned <- tune_here(learner = learner_mkboost("S1"), grid = list(trials = trials))
  expect_same_as_cv(tuned, lapply(trials, function(t) learner_mkboost("S1", trials = t)), d$x, d$y,
                    splits = splits, tolerance = 1e-12)
  # probabilities are calibrated for each number of trials
  tuned <- tune_here(learner = learner_mkboost("D2"), grid = list(trials = trials),
                     metrics = "log_loss")
  expect_same_as_cv(tuned, lapply(trials, function(t) learner_mkboost("D2", trials = t)), d$x, d$y,
                    splits = splits, tolerance = 1e-12)
})

test_that("a grid of (c, lambda) gives the fits of its points", {
  grid <- expand.grid(c = c(0.1, 2), lambda = c(0.5, 0.05), rank = c(5, 8))
  tuned <- tune_here(learner = learner_multik_mhks(), grid = grid)
  learners <- Map(function(c, lambda, rank) learner_multik_mhks(c, lambda, rank), grid$c,
                  grid$lambda, grid$rank)
  expect_same_as_cv(tuned, learners, d$x, d$y, splits = splits)
  tuned <- tune_here(learner = learner_mhks(), grid = list(c = c(0.1, 2)))
  expect_same_as_cv(tuned, lapply(c(0.1, 2), learner_mhks), d$x, d$y, splits = splits)
})

test_that("all other learners share kernels without a change", {
  # a mixture of tasks: several classes too
  data <- three_class(60)
  x <- as.matrix(data[1:4]) + outer(sin(1:60), 1:4 / 3)
  folds <- rep(1:2, 30)
  cases <- list(
    list(learner_easymkl(), "lambda", c(0.2, 0.8)), list(learner_komd(), "lambda", c(0.2, 0.8)),
    list(learner_lbmkl(), "beta", c(2, 8)), list(learner_best(), "cost", c(1, 20)),
    list(learner_random(), "cost", c(1, 20))
  )
  for (case in cases) {
    tuned <- tune_here(x = x, y = data$Species, learner = case[[1]], resamples = folds,
                       grid = stats::setNames(list(case[[3]]), case[[2]]), control = exact)
    learners <- lapply(case[[3]], function(value) {
      multikernel:::change_learner(case[[1]], stats::setNames(list(value), case[[2]]))
    })
    expect_same_as_cv(tuned, learners, x, data$Species, splits = folds, control = exact)
  }
})

test_that("convex multiple kernel learning along the costs ends at the same optimum", {
  costs <- c(20, 0.5, 3)
  kernels <- c(kernel_rbf(c(0.5, 2)), kernel_linear())
  for (learner in convex_learners(gap = 1e-7)) {
    tuned <- tune_here(learner = learner, grid = list(cost = costs), kernels = kernels,
                       metrics = c("accuracy", "auc"))
    learners <- lapply(costs, function(cost) {
      multikernel:::change_learner(learner, list(cost = cost))
    })
    expect_same_as_cv(tuned, learners, d$x, d$y, splits = splits, kernels = kernels)
  }
})

test_that("a grid of EasyMKL shares its passes without a change of any digit", {
  finals <- list("komd", learner_svm(cost = 1), learner_svm(cost = 50))
  grid <- list(lambda = c(0.8, 0.2), norm = c("two", "sum"), final = finals)
  tuned <- tune_here(learner = learner_easymkl(), grid = grid, metrics = c("auc", "support"))
  points <- expand.grid(lambda = 1:2, norm = 1:2, final = 1:3)
  learners <- Map(function(l, m, f) learner_easymkl(grid$lambda[l], grid$norm[m], finals[[f]]),
                  points$lambda, points$norm, points$final)
  expect_same_as_cv(tuned, learners, d$x, d$y, splits = splits, tolerance = 0)
})

test_that("kernels, normalisers and scaling can be tuned", {
  sets <- list(rbf = kernel_rbf(2), more = c(kernel_rbf(2), kernel_linear()))
  tuned <- tune_here(
    learner = learner_average(), control = exact,
    grid = list(kernels = sets, scale = c(TRUE, FALSE), cost = c(1, 10))
  )
  expect_identical(nrow(tuned$summary), 8L)
  set.seed(7)
  cv <- cv_mkl(d$x, d$y, learner = learner_average(10), kernels = sets$more, scale = FALSE,
               resamples = splits, metrics = measures, control = exact)
  row <- with(tuned$summary, kernels == "more" & !scale & cost == 10)
  expect_equal(tuned$summary$auc[row], cv$summary$mean[2])
  fit <- refit(tuned, point = which(row))
  direct <- mkl(d$x, d$y, learner = learner_average(10), kernels = sets$more, scale = FALSE,
                control = exact)
  expect_identical(essence(fit), essence(direct))
})

test_that("random search is governed by set.seed()", {
  run <- function(seed) {
    set.seed(seed)
    tune_mkl(d$x, d$y, grid = list(cost = tune_range(0.01, 100)), search = "random", n = 4,
             folds = 3)$summary
  }
  expect_identical(run(1), run(1))
  expect_false(identical(run(1)$cost, run(2)$cost))
  expect_identical(nrow(run(1)), 4L)
})

test_that("points that fail are marked and the others go on", {
  x <- d$x
  x[d$y == "a", ] <- 1 # one class has no distances of its own, but the whole has
  x[, ] <- round(x[, ] / 10)
  grid <- list(kernels = list(fine = kernel_linear(), bad = kernel_rbf("median")))
  expect_warning(
    tuned <- tune_mkl(x, d$y, grid = grid, folds = rep(1:2, 45), scale = FALSE),
    "2 fits of 4 failed", class = "multikernel_failed_fits"
  )
  expect_match(tuned$results$failure[3], "finds no width")
  expect_true(is.na(tuned$summary$accuracy[2]))
  expect_identical(tuned$best$point, 1L)
  expect_snapshot(error = TRUE, {
    tune_mkl(x, d$y, grid = list(kernels = kernel_rbf("median")), folds = rep(1:2, 45),
             scale = FALSE)
  })
})

test_that("it prints, and bad arguments are refused in words", {
  set.seed(1)
  tuned <- tune_mkl(Species ~ ., iris, folds = 3, outer = resample_cv(2),
                    grid = list(cost = 10^(-1:2), kernels = list(a = kernel_rbf(1),
                                                                 b = kernel_linear())))
  tuned$results$fit_time <- 0.001
  expect_snapshot(print(tuned))
  halved <- tune_mkl(Species ~ ., iris, folds = 3, grid = list(cost = 10^(-2:2)),
                     search = "halving")
  halved$results$fit_time <- 0.001
  expect_snapshot(print(halved, n = 2))
  expect_snapshot(error = TRUE, {
    tune_mkl(Species ~ ., iris, grid = list(cst = 1))
    tune_mkl(Species ~ ., iris, grid = list(cost = 1), search = "all")
    tune_mkl(Species ~ ., iris, grid = list(cost = 1), eta = 1)
    tune_mkl(Species ~ ., iris, grid = list(cost = 1), outter = resample_cv(3))
    tune_mkl(Species ~ ., iris, grid = list(cost = 1), outer = 3)
    tune_mkl(Species ~ ., iris, grid = list(cost = 1),
             metrics = list(cost = function(truth, estimate) 1))
    tune_mkl(Species ~ ., iris, kernels = function(id) kernel_rbf(id), grid = list(id = 1:2))
    tune_mkl(Species ~ ., iris, kernels = function(n) kernel_rbf(n), grid = list(n = 1:2))
    best_params(1)
    best_params(tuned, n = 0)
    best_params(tuned, metric = "acc")
    best_params(tuned, k = 2)
    refit_other(1)
    refit(tuned, point = 99)
  })
})

test_that("the measure \"error\" is one like any other", {
  set.seed(1)
  d <- two_class()$data
  tuned <- tune_mkl(class ~ ., d, grid = list(cost = c(0.1, 10)), folds = 3,
                    metrics = c("error", "accuracy"))
  expect_identical(anyDuplicated(names(tuned$results)), 0L)
  expect_equal(tuned$summary$error, 1 - tuned$summary$accuracy)
  expect_equal(tuned$best$error, min(tuned$summary$error))
})

test_that("points of a path predict as they do alone, also with all coefficients at their bounds", {
  d <- droplevels(iris[51:150, ])
  folds <- rep(1:5, 20)
  run <- function(costs) {
    tune_mkl(Species ~ ., d, kernels = kernel_rbf(8), grid = list(cost = costs),
             resamples = folds)$summary
  }
  path <- run(c(0.01, 0.03, 0.1, 1))
  alone <- vapply(path$cost, function(cost) run(cost)$accuracy, 0)
  expect_equal(path$accuracy, alone)
})
