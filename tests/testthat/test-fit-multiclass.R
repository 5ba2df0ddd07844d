# The two-class problems of one fit, in this process and in others.

under <- function(strategy, ..., code) {
  old <- suppressWarnings(future::plan(strategy, ...))
  on.exit(future::plan(old))
  force(code)
}

flowers <- three_class(60)

# A fit without what the clock says.
timeless <- function(fit) {
  fit$seconds <- NULL
  fit$models <- lapply(fit$models, function(model) {
    model$report$seconds <- NULL
    model
  })
  fit
}

fit_flowers <- function(learner, ..., kernels = NULL) {
  set.seed(4)
  timeless(suppressWarnings(mkl(Species ~ ., flowers, learner = learner, kernels = kernels, ...)))
}

# Every kind of model, both reductions, probabilities, normalisers that need all rows.
all_fits <- function() {
  two <- kernel_set(kernel_rbf(1), kernel_linear())
  one <- kernel_rbf(1)
  list(
    fit_flowers(learner_svm(), probability = TRUE),
    fit_flowers(learner_svm(), multiclass = "one_vs_rest", probability = TRUE),
    fit_flowers(learner_simplemkl(), multiclass = "one_vs_rest"),
    fit_flowers(learner_silpmkl()),
    fit_flowers(learner_gmkl(), kernels = two),
    fit_flowers(learner_average(), normalize = "center"),
    fit_flowers(learner_average(), normalize = "cosine", weights = rep(1:2, 30)),
    fit_flowers(learner_easymkl(), kernels = kernel_rbf_bags(600, 3, seed = 1)),
    fit_flowers(learner_simplemkl(), approximate = nystrom(20), probability = TRUE),
    fit_flowers(learner_easymkl(), kernels = two, approximate = nystrom(20)),
    fit_flowers(learner_mkboost(trials = 5), probability = TRUE),
    fit_flowers(learner_lbmkl(), kernels = two),
    fit_flowers(learner_lmkl(iterations = 3, restarts = 1), kernels = two),
    fit_flowers(learner_multik_mhks()),
    fit_flowers(learner_svm2k(), kernels = two),
    fit_flowers(learner_cca_mhks("vote"), kernels = two),
    timeless(simplemkl(list(
      a = tcrossprod(as.matrix(flowers[1:2])), b = tcrossprod(as.matrix(flowers[3:4]))
    ), flowers$Species)),
    multik_mhks_path(Species ~ ., flowers, c = 1:2, lambda = 1, kernels = one)$models
  )
}
here <- all_fits()

test_that("pairs of classes are fitted by workers, with the same result", {
  skip_unless_installed()
  skip_if_not_installed("future")
  clean <- function(fits) {
    path <- length(fits)
    # the path of MultiK-MHKS is a list of lists of models
    fits[[path]] <- rapply(fits[[path]], function(x) x, how = "unlist")
    fits[[path]] <- fits[[path]][!grepl("seconds", names(fits[[path]]))]
    fits
  }
  under(future::multisession, workers = 2, code = {
    there <- all_fits()
    expect_identical(clean(there), clean(here))
    expect_identical(predict(there[[1]], iris, "prob"), predict(here[[1]], iris, "prob"))
    # what a worker cannot do is the same error as here
    wrong <- flowers
    wrong$Sepal.Width[3] <- 1e200
    error <- expect_mkl_error(
      mkl(Species ~ ., wrong, scale = FALSE, kernels = kernel_polynomial(3)), "polynomial",
      class = "multikernel_core_error"
    )
    expect_match(conditionMessage(error), "Sepal|row|kernel")
    # and so are warnings, for all models at once
    expect_warning(
      mkl(Species ~ ., flowers, control = mkl_control(max_iter = 2)), "versicolor/setosa",
      class = "multikernel_not_converged"
    )
    # refits of a tuning go the same way
    tuned <- tune_mkl(Species ~ ., flowers, grid = list(cost = c(1, 10)), folds = 2)
    expect_identical(
      timeless(refit(tuned, point = 2))$models, fit_flowers(learner_svm(cost = 10))$models
    )
  })
  under(future::cluster, workers = c("localhost", "localhost"), code = {
    expect_identical(fit_flowers(learner_svm(), probability = TRUE), here[[1]])
  })
})

test_that("tasks hold some of the pairs each; one worker, and two classes, stay here", {
  skip_unless_installed()
  skip_if_not_installed("future")
  # A core that says which pairs it was given, and where.
  report <- function(x, problem, kernels, learners, control) {
    pairs <- problem$pairs
    if (is.null(pairs)) pairs <- 0
    models <- lapply(pairs, function(p) {
      state <- list(type = "expansion", rows = 1:2, coefficients = c(1, 1), bias = 0, weights = 1)
      list(pair = p, pid = Sys.getpid(), threads = control$threads, state = state)
    })
    list(
      models = list(models), kept = c(2L, as.integer(3 + pairs[1])),
      normalizers = list(list(stages = list())),
      decision = list(matrix(pairs, 20, length(pairs), byrow = TRUE))
    )
  }
  run <- function(classes, multiclass = "one_vs_one") {
    problem <- list(classes = classes, multiclass = multiclass)
    multikernel:::fit_pairs(report, matrix(0, 20, 1), problem, list(), NULL, core(threads = 4))
  }
  of <- function(out, what) vapply(out$models[[1]], function(model) model[[what]], 0)
  expect_identical(of(run(5), "pair"), 0)
  under(future::multisession, workers = 2, code = {
    expect_identical(of(run(2), "pair"), 0)
    out <- run(5)
    expect_identical(of(out, "pair"), as.double(1:10))
    expect_identical(out$decision[[1]][7, ], as.double(1:10))
    expect_true(all(of(out, "threads") == 1))
    expect_false(Sys.getpid() %in% vapply(out$models[[1]], function(m) m$pid, 1L))
    # tasks of 3, 3, 3 and 1 pairs: rows 4, 7, 10, 13 and, in all of them, 2
    expect_identical(out$kept, c(2L, 4L, 7L, 10L, 13L))
    expect_identical(lapply(out$models[[1]], function(m) m$state$rows),
                     lapply(rep(2:5, c(3, 3, 3, 1)), function(last) c(1L, last)))
    expect_identical(of(run(7, "one_vs_rest"), "pair"), as.double(1:7))
    expect_identical(of(run(3), "pair"), as.double(1:3))
  })
  under(future::cluster, workers = "localhost", code = expect_identical(of(run(5), "pair"), 0))
})

test_that("the core refuses pairs that are not there", {
  x <- as.matrix(flowers[1:4])
  problem <- list(task = "classification", y = as.double(flowers$Species) - 1, classes = 3,
                  weights = rep(1, 60), multiclass = "one_vs_one", probability = FALSE)
  kernels <- list(list(family = "linear", name = "k"))
  fit <- function(...) {
    fit_point(
      x, c(problem, list(...)), kernels, one_point("average", list(cost = 1)), core()
    )
  }
  whole <- fit()
  part <- fit(pairs = 2L)
  expect_identical(part$models[[1]]$weights, whole$models[[2]]$weights)
  expect_true(all(is.nan(part$decision)))
  join <- function(part) {
    part$models <- list(part$models)
    part$decision <- list(part$decision)
    multikernel:::join_fits_cpp(x, kernels, list(part), core())
  }
  joined <- join(part)
  expect_identical(joined$decision[[1]], whole$decision[, 2, drop = FALSE])
  expect_identical(joined$models[[1]][[1]]$state, part$models[[1]]$state)
  for (bad in list(0L, 4L, 1.5, NA_integer_, NaN, -1L, integer(), c(1L, 9L), "a")) {
    expect_error(fit(pairs = bad), "`pairs`")
  }
  last <- length(part$models[[1]]$state$rows)
  part$models[[1]]$state$rows[last] <- 61L
  expect_error(join(part), "rows from 1 to")
})
