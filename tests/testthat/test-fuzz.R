# Random calls of the compiled entries: right ones with a few things broken. See helper-fuzz.R.

# One right call of an entry: list(function, arguments).
right_calls <- list(
  fit = function() {
    n <- sample(2:12, 1)
    p <- sample(1:4, 1)
    task <- pick(c("classification", "regression", "one_class"))
    classes <- pick(2:3)
    y <- switch(task, classification = as.double(rep_len(0:(classes - 1), n)),
                regression = rnorm(n), one_class = numeric())
    kernels <- replicate(pick(1:3), random_kernel(n, p), simplify = FALSE)
    learner <- pick(list(
      one_point("average", list(cost = 1, epsilon = 0.1, nu = 0.5)),
      one_point("random", list(cost = 100)),
      one_point("best", list(cost = 1, folds = 3)),
      one_point(pick(c("simplemkl", "silpmkl", "levelmkl", "glmkl", "lpmkl")), list(
        cost = 10^runif(1, -3, 3), gap = 1e-4, iterations = 50, p = pick(c(1, 1.01, 2, 500)),
        level = pick(c(0.01, 0.5, 0.99)), direction = pick(c("newton", "gradient"))
      )),
      one_point("gmkl", list(
        cost = 1, iterations = 20, combine = pick(c("sum", "product")),
        regularizer = pick(c("l1", "l2")), solver = pick(c("spg", "projected"))
      )),
      one_point("svm2k", list(cost = 1, coupling = 1, epsilon = 0.1)),
      one_point("svm", list(cost = 1, weights = rep(1, length(kernels))))
    ))
    problem <- list(task = task, y = as.double(y), classes = as.double(classes),
                    weights = rep(1, n),
                    multiclass = pick(c("one_vs_one", "one_vs_rest")),
                    probability = pick(c(TRUE, FALSE)))
    list(multikernel:::fit_cpp, list(matrix(abs(rnorm(n * p)), n), problem, kernels, learner,
                                     random_control()))
  },
  predict = function() {
    n <- sample(2:12, 1)
    p <- sample(1:4, 1)
    kernels <- replicate(pick(1:2), random_kernel(n, p), simplify = FALSE)
    x <- matrix(abs(rnorm(n * p)), n)
    problem <- list(task = "classification", y = rep_len(c(0, 1), n), classes = 2,
                    weights = rep(1, n), multiclass = "one_vs_one", probability = TRUE)
    fit <- tryCatch(fit_point(
      x, problem, kernels, one_point("average", list(cost = 1)), core()
    ), error = function(e) NULL)
    if (is.null(fit)) return(NULL)
    normalizers <- fit$normalizers
    list(multikernel:::predict_cpp, list(
      x, x[fit$kept, , drop = FALSE], lapply(kernels, function(kernel) {
        if (!is.null(kernel$matrix)) {
          kernel$matrix <- kernel$matrix[, fit$kept, drop = FALSE]
          kernel$train_diagonal <- kernel$train_diagonal[fit$kept]
        }
        kernel
      }), normalizers, fit$models, random_control()
    ))
  },
  join = function() {
    n <- sample(6:12, 1)
    kernels <- replicate(pick(1:2), random_kernel(n, 2), simplify = FALSE)
    x <- matrix(abs(rnorm(n * 2)), n)
    problem <- list(task = "classification", y = rep_len(c(0, 1, 2), n),
                    classes = 3,
                    weights = rep(1, n), multiclass = "one_vs_one", probability = FALSE)
    parts <- tryCatch(lapply(list(1L, 2:3), function(pairs) {
      multikernel:::fit_cpp(
        x, c(problem, list(pairs = pairs)), kernels, one_point("average", list(cost = 1)), core()
      )
    }), error = function(e) NULL)
    if (is.null(parts)) return(NULL)
    list(joined_numbers, list(x, kernels, parts, random_control()))
  },
  gram = function() {
    n <- sample(1:12, 1)
    p <- sample(0:4, 1)
    kernels <- replicate(pick(1:3), random_kernel(n, p), simplify = FALSE)
    x <- matrix(abs(rnorm(n * p)), n)
    if (runif(1) < 0.5) fresh <- list()
    else fresh <- kernels
    list(multikernel:::gram_cpp, list(x, x, kernels, fresh, numeric(), random_control()))
  },
  text = function() {
    n <- sample(1:8, 1)
    letters <- function() paste(sample(c("A", "B", "C"), 4, TRUE), collapse = "")
    x <- list(type = "strings", values = replicate(n, letters()))
    kernels <- replicate(pick(1:2), random_raw(), simplify = FALSE)
    kernels <- lapply(kernels, function(kernel) {
      c(kernel, list(name = kernel$family, normalize = pick(list(character(), "cosine"))))
    })
    list(multikernel:::gram_cpp, list(x, x, kernels, kernels, numeric(), random_control()))
  },
  smo = function() {
    n <- sample(0:15, 1)
    K <- tcrossprod(matrix(rnorm(n * 3), n))
    list(multikernel:::smo_cpp, list(K, sign(rnorm(n)), -runif(n), runif(n), 0,
                                     pick(list(numeric(), rnorm(n))), random_control()))
  },
  width = function() {
    list(multikernel:::width_cpp, list(
      matrix(rnorm(12), pick(c(2, 3, 6))), pick(list(NULL, 1L, 1:2)),
      pick(c("median", "nearest", "mean_distance"))
    ))
  },
  vote = function() random_pairs(multikernel:::vote_cpp),
  probability = function() random_pairs(multikernel:::probability_cpp)
)

# Reports of other processes are handed on as they are: nothing is computed from them.
joined_numbers <- function(...) {
  out <- multikernel:::join_fits_cpp(...)
  out$models <- lapply(out$models, function(models) {
    lapply(models, function(model) model[names(model) != "report"])
  })
  out
}

random_pairs <- function(f) {
  classes <- sample(2:5, 1)
  pairs <- which(lower.tri(diag(classes)), arr.ind = TRUE)
  if (runif(1) < 0.3 && classes > 2) pairs <- cbind(seq_len(classes), 0L)
  models <- lapply(seq_len(nrow(pairs)), function(i) {
    list(positive = pairs[i, 1] - 1L, negative = pairs[i, 2] - 1L, platt = rnorm(2))
  })
  list(f, list(matrix(rnorm(3 * length(models)), 3), models, classes))
}

test_that("random calls end in a finite result or an ordinary error", {
  share <- c(fit = 3, predict = 2, join = 1, gram = 1.5, text = 1, smo = 1, width = 0.5,
             vote = 0.5, probability = 0.5)
  expect_robust(right_calls, share, fuzz_seconds(10))
})

test_that("numbers of other processes must be finite", {
  set.seed(1)
  call <- NULL
  while (is.null(call) || length(call[[2]][[3]][[1]]$normalizers[[1]]$stages) == 0) {
    call <- right_calls$join()
  }
  join <- function(parts) do.call(call[[1]], replace(call[[2]], 3, list(parts)), quote = TRUE)
  parts <- call[[2]][[3]]
  expect_true(finite(join(parts)))
  broken <- parts
  broken[[1]]$normalizers <- Inf
  expect_error(join(broken), "normalizers")
  broken <- parts
  broken[[1]]$normalizers[[1]]$stages[[1]]$value <- NaN
  expect_error(join(broken), "finite|numbers")
  broken <- parts
  broken[[2]]$models[[1]][[1]]$weights[] <- Inf
  expect_error(join(broken), "weights")
})

# What is missing is named ---------------------------------------------------------------------

test_that("a missing entry of a list is named", {
  x <- matrix(abs(rnorm(12)), 6)
  problem <- list(task = "classification", y = rep(c(0, 1), 3), classes = 2,
                  weights = rep(1, 6), multiclass = "one_vs_one", probability = FALSE)
  kernels <- list(list(family = "rbf", name = "k", parameters = list(gamma = 1)))
  learner <- one_point("svm", list(cost = 1, weights = 1))
  fit <- function(x. = x, problem. = problem, kernels. = kernels, learner. = learner,
                  control = core()) {
    fit_point(x., problem., kernels., learner., control)
  }
  result <- fit()
  for (name in names(problem)) {
    expect_error(fit(problem. = problem[names(problem) != name]), paste0("`", name, "`"))
  }
  for (name in names(learner)) {
    expect_error(fit(learner. = learner[names(learner) != name]), paste0("`", name, "`"))
  }
  for (name in names(core())) {
    expect_error(fit(control = core()[names(core()) != name]), paste0("`", name, "`"))
  }
  for (name in c("family", "name")) {
    broken <- kernels
    broken[[1]][[name]] <- NULL
    expect_error(fit(kernels. = broken), paste0("`", name, "`"))
  }
  kernels[[1]]$parameters <- list(sigma = 1)
  expect_error(fit(kernels. = kernels), "`gamma`")
  kernels[[1]] <- list(family = "product", name = "k")
  expect_error(fit(kernels. = kernels), "`factors`")
  kernels[[1]] <- list(family = "precomputed", name = "k")
  expect_error(fit(kernels. = kernels), "`matrix`")

  models <- lapply(result$models, function(model) c(model[c("positive", "negative")],
                                                    list(platt = c(-1, 0))))
  for (name in names(models[[1]])) {
    broken <- list(models[[1]][names(models[[1]]) != name])
    expect_error(multikernel:::probability_cpp(matrix(0, 2, 1), broken, 2L),
                 paste0("`", name, "`"))
  }
  kernels <- list(list(family = "rbf", name = "k", parameters = list(gamma = 1)))
  predict <- function(models) {
    multikernel:::predict_cpp(x, x[result$kept, ], kernels,
                              result$normalizers, models, core())
  }
  expect_silent(predict(result$models))
  broken <- result$models
  broken[[1]]$state <- NULL
  expect_error(predict(broken), "`state`")
  for (name in names(result$models[[1]]$state)) {
    broken <- result$models
    broken[[1]]$state[[name]] <- NULL
    expect_error(predict(broken), paste0("`", name, "`"))
  }
})

test_that("parts of a stored fit that do not belong together are refused", {
  x <- matrix(abs(rnorm(16)), 8)
  kernels <- list(list(family = "rbf", name = "k", parameters = list(gamma = 1),
                       normalize = c("center", "trace")))
  problem <- list(task = "classification", y = rep(c(0, 1), 4), classes = 2,
                  weights = rep(1, 8), multiclass = "one_vs_one", probability = FALSE)
  fit <- fit_point(x, problem, kernels, one_point("average", list(cost = 1)), core())
  predict <- function(normalizers = fit$normalizers, models = fit$models, train = x) {
    multikernel:::predict_cpp(x, train, kernels, normalizers, models, core())
  }
  expect_identical(dim(predict()), c(8L, 1L))
  expect_error(predict(normalizers = list()), "normalizers")
  short <- fit$normalizers
  short[[1]]$stages <- short[[1]]$stages[1]
  expect_error(predict(normalizers = short), "normalizers")
  small <- fit$normalizers
  small[[1]]$stages[[1]]$means <- small[[1]]$stages[[1]]$means[-1, , drop = FALSE]
  expect_error(predict(normalizers = small), "normalizers")
  expect_error(predict(train = x[1:5, ]), "normalizers|rows")
  models <- fit$models
  models[[1]]$state$rows <- models[[1]]$state$rows + 100L
  expect_error(predict(models = models), "rows from 1 to 8")
  models <- fit$models
  models[[1]]$state$coefficients <- models[[1]]$state$coefficients[-1]
  expect_error(predict(models = models), "coefficients")
  models <- fit$models
  models[[1]]$state$bias <- NaN
  expect_error(predict(models = models), "bias")
})
