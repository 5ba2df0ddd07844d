# What happens to a fit between its making and its last use.

d <- hard_rows(120, 4)
y <- d$x[, 1] + sin(2 * d$x[, 2])
three <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
decide <- function(fit, ...) predict(fit, ..., type = "decision")

every_fit <- function() {
  kernels <- kernel_set(kernel_rbf(c(1, 2)), kernel_polynomial(2))
  average <- learner_average(3, nu = 0.2)
  list(
    two = mkl(d$x, d$y, kernels = kernels, learner = average),
    several = mkl(d$x, three, kernels = kernels, learner = average),
    rest = mkl(d$x, three, kernels = kernels, learner = average, multiclass = "one_vs_rest"),
    regression = mkl(d$x, y, kernels = kernels, learner = average),
    one_class = mkl(d$x, kernels = kernels, learner = average),
    bags = mkl(d$x, d$y, kernels = kernel_rbf_bags(30, 3, seed = 1), learner = average),
    center = mkl(d$x, three, normalize = c("center", "cosine")),
    product = mkl(d$x, d$y, kernels = kernel_rbf(1) * kernel_linear(on = 1:2))
  )
}

test_that("a fit made twice is the same, number by number", {
  expect_identical(lapply(every_fit(), essence), lapply(every_fit(), essence))
})

test_that("nothing that goes in is changed", {
  x <- d$x
  data <- data.frame(x, f = rep(c("u", "v"), 60), y = d$y)
  K <- gauss(x, x, 1)
  block <- K[1:5, ]
  weights <- rep(1:2, 60)
  arguments <- list(x, data, K, block, weights, y)
  copy <- unserialize(serialize(arguments, NULL))
  fit <- mkl(x, d$y, weights = weights, normalize = "center")
  predict(fit, x)
  predict(mkl(y ~ ., data), data)
  by_matrix <- mkl(list(K = K), y, normalize = c("trace", "center"))
  kept <- unserialize(serialize(by_matrix, NULL))
  predict(by_matrix, list(K = block))
  kernel_matrix(kernel_rbf(1), x, x[1:4, ], normalize = c("cosine", "center"))
  multikernel:::smo_cpp(K, signs(d$y), rep(-1, 120), rep(1, 120), 0, rep(0.5, 120), core())
  expect_identical(list(x, data, K, block, weights, y), copy)
  expect_identical(arguments, copy)
  expect_identical(serialize(by_matrix, NULL), serialize(kept, NULL))
})

test_that("no row, one row and all rows at a time are the same as a batch", {
  new <- d$x + 0.1
  fits <- every_fit()
  for (name in names(fits)) {
    fit <- fits[[name]]
    all <- decide(fit, new)
    size <- max(abs(all))
    pick <- function(values, i) if (is.matrix(values)) values[i, , drop = FALSE] else values[i]
    single <- lapply(1:120, function(i) decide(fit, new[i, , drop = FALSE]))
    single <- if (is.matrix(all)) do.call(rbind, single) else unlist(single)
    expect_lte(max(abs(single - all)), 1e-12 * size, label = name)
    for (rows in list(1:7, 40:120, c(5, 5, 3), 120:1)) {
      expect_lte(max(abs(decide(fit, new[rows, ]) - pick(all, rows))), 1e-12 * size, label = name)
    }
    expect_identical(NROW(decide(fit, new[0, ])), 0L)
    expect_identical(predict(fit, new[7, , drop = FALSE]), predict(fit, new)[7])
  }
})

test_that("training rows are predicted as they were fitted", {
  for (fit in every_fit()) expect_equal(decide(fit, d$x), decide(fit), tolerance = 1e-8)
})

test_that("a decimal comma in the session changes no fit, text or error", {
  texts <- function() {
    fit <- mkl(y ~ ., data.frame(d$x, y = y), kernels = kernel_rbf(c(0.5, 1.5)),
               learner = learner_average(0.25))
    set <- kernel_set(kernel_rbf(0.5), kernel_polynomial(2, scale = 0.1))
    c(
      sub("in [0-9.]+ s", "", capture.output(print(fit))), names(coef(fit)), names(set),
      capture.output(print(learner_svm(0.5)), print(mkl_control(tol = 0.5)), print(set)),
      tryCatch(learner_svm(-0.5), error = conditionMessage),
      tryCatch(kernel_matrix(kernel_chisq(), -abs(d$x)), error = conditionMessage)
    )
  }
  plain <- texts()
  old <- options(OutDec = ",")
  on.exit(options(old))
  with_comma <- texts()
  options(old)
  expect_identical(with_comma, plain)
})

test_that("fits without chance leave the random numbers alone, whatever the task", {
  set.seed(9)
  before <- .Random.seed
  fits <- every_fit()
  for (fit in fits) {
    decide(fit, d$x)
    fitted(fit)
  }
  kernel_matrix(kernel_rbf("median"), d$x)
  expect_identical(.Random.seed, before)
  rm(".Random.seed", envir = globalenv())
  on.exit(set.seed(1))
  mkl(d$x, d$y)
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
})

test_that("set.seed() governs everything that is drawn", {
  kernels <- kernel_rbf(2^(-3:3))
  draw <- list(
    random = function() coef(mkl(d$x, d$y, kernels = kernels, learner = learner_random())),
    probability = function() {
      predict(mkl(d$x, d$y, probability = TRUE), d$x, type = "prob")
    },
    several = function() {
      predict(mkl(d$x, three, probability = TRUE), d$x, type = "prob")
    },
    bags = function() {
      decide(mkl(d$x, d$y, kernels = kernel_rbf_bags(5), learner = learner_average()))
    },
    best = function() {
      objective_path(mkl(d$x, y, kernels = kernels, learner = learner_best(folds = 4)))
    }
  )
  for (name in names(draw)) {
    once <- function(seed) {
      set.seed(seed)
      draw[[name]]()
    }
    expect_identical(once(1), once(1), label = name)
    others <- lapply(2:6, once)
    expect_false(all(vapply(others, identical, NA, once(1))), label = name)
  }
})

# Fits of the learners of the papers, on three classes.
paper_fits <- function() {
  kernels <- kernel_set(kernel_rbf(c(1, 2)), kernel_polynomial(2))
  fit <- function(door, ...) {
    set.seed(1)
    suppressWarnings(door(d$x, three, kernels = kernels, ...))
  }
  list(
    D1 = fit(mkboost, trials = 5), S2 = fit(mkboost, variant = "S2", trials = 5),
    komd = fit(komd, weights = 1:3), easymkl = fit(easymkl),
    svm = fit(easymkl, final = learner_svm(5)), lbmkl = fit(lbmkl),
    lmkl = fit(lmkl, iterations = 3), sigmoid = fit(lmkl, gating = "sigmoid", iterations = 3),
    rbf = fit(lmkl, gating = "rbf", iterations = 3), multik = fit(multik_mhks)
  )
}

test_that("learners of the papers: made twice, single rows, training rows, a fresh process", {
  fits <- paper_fits()
  expect_identical(lapply(paper_fits(), essence), lapply(fits, essence))
  new <- d$x[1:25, ] + 0.1
  for (name in names(fits)) {
    fit <- fits[[name]]
    all <- decide(fit, new)
    single <- do.call(rbind, lapply(1:25, function(i) decide(fit, new[i, , drop = FALSE])))
    expect_lte(max(abs(single - all)), 1e-12 * max(abs(all)), label = name)
    expect_identical(dim(decide(fit, new[0, ])), c(0L, 3L))
    expect_equal(decide(fit, d$x), decide(fit), tolerance = 1e-8, label = name)
  }
  skip_unless_installed()
  files <- withr::local_tempfile(pattern = c("fits", "new"))
  saveRDS(fits, files[1])
  saveRDS(new, files[2])
  fresh <- run_fresh(c(
    sprintf("fits <- readRDS(%s)", deparse(files[1])),
    sprintf("new <- readRDS(%s)", deparse(files[2])),
    "lapply(fits, function(fit) predict(fit, new, type = 'decision'))"
  ))
  expect_identical(fresh, lapply(fits, function(fit) decide(fit, new)))
})

test_that("a stored fit is small and predicts the same in a fresh process", {
  skip_unless_installed()
  local({
    ballast <- rnorm(1e6)
    fit <- mkl(y ~ ., data.frame(d$x, y = three), probability = TRUE,
               kernels = kernel_rbf(c(1, 2)), learner = learner_average())
    # support vectors, coefficients, decision values; not 8 MB of what lay around
    expect_lt(length(serialize(fit, NULL)), 100000)
    files <- tempfile(c("fit", "new"), fileext = ".rds")
    on.exit(unlink(files))
    saveRDS(fit, files[1])
    saveRDS(data.frame(d$x), files[2])
    out <- run_fresh(c(
      sprintf("fit <- readRDS(%s)", deparse(files[1])),
      sprintf("new <- readRDS(%s)", deparse(files[2])),
      "list(predict(fit, new), predict(fit, new, type = 'prob'), capture.output(print(fit)))"
    ))
    new <- data.frame(d$x)
    expect_identical(out, list(predict(fit, new), predict(fit, new, type = "prob"),
                               capture.output(print(fit))))
  })
})

test_that("a fit does not grow with rows that it does not need", {
  size <- function(n) {
    x <- cbind(c(seq(-2, -1, length.out = n / 2), seq(1, 2, length.out = n / 2)))
    fit <- mkl(x, rep(c("a", "b"), each = n / 2), kernels = kernel_linear(), scale = FALSE)
    expect_lt(nrow(fit$train), 10)
    length(serialize(fit, NULL))
  }
  # what grows are the decision values, 8 bytes a row, and the classes, 4
  expect_lt(size(20000) - size(2000), 14 * 18000)
})

test_that("update() changes one argument and keeps the rest", {
  data <- data.frame(d$x, y = d$y)
  fit <- mkl(y ~ ., data, kernels = kernel_rbf(1))
  dear <- update(fit, learner = learner_svm(100))
  expect_identical(essence(dear), essence(
    mkl(y ~ ., data, kernels = kernel_rbf(1), learner = learner_svm(100))
  ))
  expect_identical(essence(update(fit)), essence(fit))
  less <- update(fit, . ~ . - X1)
  expect_identical(essence(less), essence(mkl(y ~ X2 + X3 + X4, data, kernels = kernel_rbf(1))))
  other <- update(fit, data = data[1:80, ])
  expect_identical(nobs(other), 80L)
  expect_identical(essence(update(less, kernels = NULL)), essence(mkl(y ~ X2 + X3 + X4, data)))
})

test_that("more rows than 46340, whose squares pass 2^31", {
  skip_on_cran()
  n <- 47000
  x <- with_seed(1, matrix(rnorm(2 * n), n))
  side <- x[, 1] + x[, 2] > 0
  x[side, ] <- x[side, ] + 0.5
  fit <- mkl(x, factor(side), kernels = kernel_linear(), scale = FALSE, learner = learner_svm(0.01),
             control = mkl_control(memory = "100MB"))
  expect_true(converged(fit))
  expect_gt(mean(predict(fit) == side), 0.99)
  expect_gt(max(support(fit)), 46341)
  # decision values of all rows, the last ones too, are those of the expansion written out
  state <- fit$models[[1]]$state
  w <- crossprod(fit$train[state$rows, ], state$coefficients)
  expect_equal(decide(fit), drop(x %*% w) + state$bias, tolerance = 1e-6)
  expect_equal(decide(fit, x[46990:n, ]), drop(x[46990:n, ] %*% w) + state$bias, tolerance = 1e-9)
})
