# Random calls of the learners of the papers in the core, and of what belongs to them. See
# helper-fuzz.R.

fuzz_learner <- function(kernels) {
  count <- length(kernels)
  pick(list(
    one_point("mkboost", list(
      variant = pick(c("D1", "D2", "S1", "S2")), trials = pick(c(1, 4)), cost = 10,
      sampling = pick(c(0.1, 0.5, 1)), decay = pick(c(0.03, 1))
    )),
    one_point("komd", list(lambda = pick(c(0, 0.1, 1)), weights = rep(1, count))),
    one_point("easymkl", list(
      lambda = pick(c(0, 0.5, 1)), norm = pick(c("two", "sum")), final = pick(c("komd", "svm")),
      cost = 1
    )),
    one_point("lmkl", list(
      cost = 1, gating = pick(c("softmax", "sigmoid", "rbf")), iterations = pick(c(1, 5)),
      restarts = pick(c(1, 2)), step = 0.01, tolerance = 1e-4, epsilon = 0.1, nu = 0.5,
      standardize = pick(c(0, 1)), line_search = pick(c(0, 1))
    )),
    one_point("mhks", list(
      c = pick(c(0, 1)), lambda = pick(c(0, 1)), rho = 0.99, margin = 1e-6,
      rank = pick(list(NULL, 2)), landmarks = pick(list(NULL, 3))
    )),
    one_point("cca_mhks", list(
      combine = pick(c("concatenate", "vote")), c = pick(c(0, 1)), kappa = pick(c(0, 0.1)),
      components = pick(list(NULL, 2)), rho = 0.99, margin = 1e-6, rank = pick(list(NULL, 2)),
      landmarks = pick(list(NULL, 3))
    )),
    one_point("svm_concatenated", list(
      cost = pick(c(0.1, 100)), epsilon = 0.1, nu = 0.5, rank = pick(list(NULL, 2)),
      landmarks = pick(list(NULL, 3))
    ))
  ))
}

fuzz_problem <- function(n, task = "classification") {
  classes <- pick(2:3)
  y <- switch(task, classification = as.double(rep_len(0:(classes - 1), n)), regression = rnorm(n),
              one_class = numeric())
  list(task = task, y = as.double(y), classes = as.double(classes),
       weights = rep(1, n),
       multiclass = pick(c("one_vs_one", "one_vs_rest")), probability = pick(c(TRUE, FALSE)))
}

fuzz_size <- function() list(n = sample(2:12, 1), p = sample(1:4, 1))

learner_calls <- list(
  fit = function() {
    size <- fuzz_size()
    kernels <- replicate(pick(c(1, 2, 4)), random_kernel(size$n, size$p), simplify = FALSE)
    kernels <- lapply(kernels, function(kernel) if (runif(1) < 0.8) kernel else {
      list(family = "label_based", name = "sharp", kernel = kernel, beta = 2, normalize = "trace")
    })
    list(multikernel:::fit_cpp, list(
      matrix(abs(rnorm(size$n * size$p)), size$n), fuzz_problem(size$n), kernels,
      fuzz_learner(kernels), random_control()
    ))
  },
  # A fit of each kind, kept whole, with its state damaged.
  predict = function() {
    size <- fuzz_size()
    kernels <- replicate(pick(c(1, 2)), random_kernel(size$n, size$p), simplify = FALSE)
    x <- matrix(abs(rnorm(size$n * size$p)), size$n)
    problem <- fuzz_problem(size$n)
    fit <- tryCatch(suppressWarnings(
      fit_point(x, problem, kernels, fuzz_learner(kernels), core())
    ), error = function(e) NULL)
    if (is.null(fit)) return(NULL)
    kept <- fit$kept
    kernels <- lapply(kernels, function(kernel) {
      if (!is.null(kernel$matrix)) {
        kernel$matrix <- kernel$matrix[, kept, drop = FALSE]
        kernel$train_diagonal <- kernel$train_diagonal[kept]
      }
      kernel
    })
    list(multikernel:::predict_cpp, list(
      x, x[kept, , drop = FALSE], kernels, fit$normalizers, fit$models,
      random_control()
    ))
  },
  grid = function() {
    size <- fuzz_size()
    kernels <- replicate(pick(1:2), random_kernel(size$n, size$p), simplify = FALSE)
    name <- pick(c("average", "simplemkl", "easymkl", "mkboost", "mhks"))
    learner <- list(name = name, points = lapply(c(1, 4, 2), function(value) {
      list(cost = value, gap = 0.01, iterations = 20, lambda = 1 / value, final = "svm", c = value,
           trials = value)
    }))
    list(multikernel:::fit_cpp, list(
      matrix(abs(rnorm(size$n * size$p)), size$n), fuzz_problem(size$n), kernels, learner,
      random_control()
    ))
  },
  map = function() {
    size <- fuzz_size()
    list(multikernel:::empirical_map_cpp, list(
      matrix(abs(rnorm(size$n * size$p)), size$n),
      list(random_kernel(size$n, size$p)), pick(list(integer(), 1L, 1:2)), pick(0:3),
      random_control()
    ))
  },
  nmcca = function() {
    n <- sample(1:8, 1)
    views <- replicate(pick(1:3), matrix(rnorm(n * pick(1:4)), n), simplify = FALSE)
    list(multikernel:::nmcca_cpp, list(views, pick(0:3), pick(c(0, 0.1)), random_control()))
  },
  label = function() {
    n <- sample(1:8, 1)
    square <- function() tcrossprod(matrix(rnorm(n * 2), n))
    count <- pick(1:2)
    many <- function(f) replicate(count, f(), simplify = FALSE)
    list(multikernel:::label_based_cpp, list(
      many(square), many(square), rep_len(c(-1, 1), n),
      pick(list(list(), many(function() matrix(rnorm(3 * n), 3)))),
      rep(pick(c(TRUE, FALSE)), count),
      random_control()
    ))
  },
  gating = function() {
    p <- pick(1:3)
    kernels <- pick(1:3)
    x <- matrix(rnorm(6 * p), 6)
    fit <- tryCatch(suppressWarnings(fit_point(
      x, list(task = "regression", y = rnorm(6), classes = 0, weights = rep(1, 6),
              multiclass = "one_vs_one", probability = FALSE),
      replicate(kernels, list(family = "linear", name = "k", normalize = "trace"),
                simplify = FALSE),
      one_point("lmkl", list(
        cost = 1, epsilon = 0.1, iterations = 2, gating = pick(c("softmax", "sigmoid", "rbf"))
      )), core()
    )), error = function(e) NULL)
    if (is.null(fit)) return(NULL)
    list(multikernel:::gating_cpp, list(x, fit$models[[1]]["state"]))
  },
  block = function() {
    size <- fuzz_size()
    kernels <- replicate(pick(1:3), random_kernel(size$n, size$p), simplify = FALSE)
    count <- sum(vapply(kernels, function(k) if (k$family == "rbf_bags") 3 else 1, 0))
    what <- pick(c("sum", "forms"))
    list(multikernel:::easymkl_block_cpp, list(
      what, matrix(abs(rnorm(size$n * size$p)), size$n), kernels, seq_len(size$n),
      runif(if (what == "sum") count else size$n), random_control()
    ))
  }
)

test_that("random calls of the learners end in a finite result or an ordinary error", {
  share <- c(fit = 4, predict = 3, grid = 1, map = 1, nmcca = 1, label = 0.5, gating = 0.5,
             block = 1)
  expect_robust(learner_calls, share, fuzz_seconds(9))
})
