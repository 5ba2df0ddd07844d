# A 10 x 10 grid by tune_mkl() against a hundred resamplings by cv_mkl(), one for each point, on the
# same splits: what sharing kernel matrices, starts along the costs and paths of learners gains.
# Ten of the hundred, spread over the grid, are timed and their mean is multiplied.
#   Rscript tools/bench/tune.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

describe_run()
folds <- if (quick) 3 else 5

# `grid`: two parameters of ten values each. `fixed`: other arguments of both functions.
compare_grid <- function(label, data, learner, grid, bar, kernels = NULL, fixed = list()) {
  set.seed(1)
  splits <- resample_splits(resample_cv(folds), data$y)
  common <- c(list(data$x, data$y, resamples = splits), fixed)
  whole <- function() {
    set.seed(2)
    own <- list(learner = learner, grid = grid)
    do.call(tune_mkl, c(common, own, if (is.function(kernels)) list(kernels = kernels)))
  }
  table <- expand.grid(lapply(grid, seq_along))
  single <- function(i) {
    point <- Map(function(values, k) values[[k]], grid, table[i, ])
    own <- point[intersect(names(point), names(learner$parameters))]
    arguments <- list(learner = multikernel:::change_learner(learner, own))
    if (is.function(kernels)) {
      arguments$kernels <- do.call(kernels, point[names(formals(kernels))])
    }
    set.seed(2)
    do.call(cv_mkl, c(common, arguments))
  }
  rows <- round(seq(1, nrow(table), length.out = if (quick) 5 else 10))
  alone <- lapply(rows, single)
  peer <- mean(vapply(rows, function(i) time_of(function() single(i), repeats = 1), 0))
  ours <- time_of(whole, repeats = 2)
  tuned <- whole()
  worst <- max(mapply(function(cv, i) {
    abs(cv$summary$mean - unlist(tuned$summary[i, cv$summary$metric]))
  }, alone, rows))
  row(label, ours, nrow(table) * peer, bar, sprintf("largest difference %.1g", worst))
}

spam <- spam_data(if (quick) 200 else 500)
boosted <- spam_data(if (quick) 100 else 200)
hard <- hard_data(if (quick) 150 else 400)
costs <- 2^seq(-3, 8, length.out = 10)

header(
  sprintf("10 x 10 grid, %d folds, one thread", folds),
  "ours: tune_mkl(); peer: 100 x cv_mkl() of one point on the same splits"
)
compare_grid(
  "learner_svm: sigma x cost", spam, learner_svm(), list(sigma = 2^seq(-1, 5, length.out = 10),
                                                         cost = costs),
  2, kernels = function(sigma) kernel_rbf(sigma)
)
compare_grid(
  "learner_average, 17 kernels: cost x epsilon", list(x = spam$x, y = rowSums(spam$x[, 1:5])),
  learner_average(), list(cost = costs, epsilon = seq(0.05, 0.5, 0.05)), 3,
  fixed = list(kernels = c(kernel_rbf(2^(-6:7)), kernel_polynomial(1:3)))
)
compare_grid(
  "learner_mkboost: trials x sampling", boosted, learner_mkboost(),
  list(trials = seq(20, 200, 20), sampling = seq(0.05, 0.5, 0.05)), 5
)
compare_grid(
  "learner_multik_mhks: c x lambda", hard, learner_multik_mhks(),
  list(c = 2^seq(-4, 4, length.out = 10), lambda = 2^seq(-4, 4, length.out = 10)), 15,
  fixed = list(scale = FALSE)
)
# Each lambda has two problems of its own to solve, which are most of the work with few kernels.
compare_grid(
  "learner_easymkl, 3 kernels: lambda x sigma", hard, learner_easymkl(),
  list(lambda = seq(0, 0.9, 0.1), sigma = 2^seq(-1, 4, length.out = 10)), 1.2,
  kernels = function(sigma) kernel_rbf(sigma * c(0.5, 1, 2))
)
compare_grid(
  "learner_easymkl, 100 kernels: lambda x final cost", hard, learner_easymkl(),
  list(lambda = seq(0, 0.9, 0.1), final = lapply(costs, learner_svm)), 4,
  fixed = list(kernels = kernel_rbf_bags(100, max_features = 5, beta = 1, seed = 1))
)
compare_grid(
  "learner_simplemkl: cost x gap", hard, learner_simplemkl(),
  list(cost = 2^seq(-2, 4, length.out = 10), gap = 10^seq(-1, -2, length.out = 10)), 3
)
finish()
