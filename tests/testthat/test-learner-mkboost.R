decide <- function(fit, ...) predict(fit, ..., type = "decision")

boost <- function(..., seed = 1) {
  set.seed(seed)
  mkboost(...)
}

few_kernels <- function() kernel_set(kernel_rbf(2^(-1:2)), kernel_polynomial(1:2))

# Outputs -1 / 1 of every base classifier on the rows of x, from the stored state and the kernel
# matrices: one column for each classifier.
base_outputs <- function(fit, x, model = 1) {
  state <- fit$models[[model]]$state
  first <- cumsum(c(0, state$length))
  center <- fit$frame$center
  scaled <- sweep(sweep(x, 2, center), 2, fit$frame$scale, "/")
  K <- kernel_matrix(few_kernels(), fit$train, scaled)
  vapply(seq_along(state$kernel), function(k) {
    part <- seq_len(state$length[k]) + first[k]
    f <- K[[state$kernel[k]]][, state$rows[part], drop = FALSE] %*% state$coefficients[part]
    ifelse(drop(f) + state$bias[k] >= 0, 1, -1)
  }, numeric(nrow(x)))
}

half_log <- function(e, n) {
  e <- pmin(pmax(e, 0.5 / n), 1 - 0.5 / n)
  0.5 * log((1 - e) / e)
}

# AdaBoost written out: D, errors, weights and decision values from the base classifiers alone.
replay <- function(fit, x, y) {
  state <- fit$models[[1]]$state
  h <- base_outputs(fit, x)
  n <- nrow(x)
  D <- rep(1 / n, n)
  out <- list(error = numeric(), alpha = numeric(), training = numeric(), total = numeric())
  f <- numeric(n)
  for (t in seq_along(state$alpha)) {
    own <- which(state$trial == t)
    errors <- colSums(D * (h[, own, drop = FALSE] != y))
    votes <- if (fit$learner$parameters$variant %in% c("D2", "S2")) half_log(errors, n) else 1
    expect_equal(state$vote[own], rep_len(votes, length(own)), tolerance = 1e-10)
    output <- ifelse(drop(h[, own, drop = FALSE] %*% rep_len(votes, length(own))) >= 0, 1, -1)
    error <- sum(D[output != y])
    alpha <- if (error >= 0.5) 0 else half_log(error, n)
    f <- f + alpha * output
    D <- if (error >= 0.5) rep(1 / n, n) else D * exp(-alpha * y * output)
    D <- D / sum(D)
    out$total[t] <- sum(D)
    out$least[t] <- min(D)
    out$error[t] <- error
    out$alpha[t] <- alpha
    out$training[t] <- mean(ifelse(f >= 0, 1, -1) != y)
    out$loss[t] <- mean(exp(-y * f))
  }
  out$f <- f
  out
}

test_that("the trials are those of AdaBoost, and D stays a distribution", {
  d <- two_class(90)
  for (variant in c("D1", "D2", "S1", "S2")) {
    fit <- boost(d$x, d$y, variant = variant, trials = 25, kernels = few_kernels())
    again <- replay(fit, d$x, signs(d$y))
    path <- boosting_path(fit)
    expect_equal(path$error, again$error, tolerance = 1e-10)
    expect_equal(path$weight, again$alpha, tolerance = 1e-10)
    expect_equal(path$training_error, again$training, tolerance = 1e-10)
    expect_equal(decide(fit), again$f, tolerance = 1e-10)
    expect_equal(objective_path(fit), again$loss, tolerance = 1e-10)
    expect_equal(again$total, rep(1, 25), tolerance = 1e-12)
    expect_true(all(again$least > 0))
  }
})

test_that("the best kernel of a trial is the one of least error, the first of equals", {
  d <- two_class(60)
  kernels <- kernel_set(a = kernel_rbf(1), b = kernel_rbf(1), c = kernel_rbf(50))
  fit <- boost(d$x, d$y, trials = 10, kernels = kernels)
  expect_false("b" %in% boosting_path(fit)$kernel)
  expect_true("a" %in% boosting_path(fit)$kernel)
})

test_that("the training error is below its bounds", {
  d <- hard_rows(150, 4)
  plain_fits <- 0
  for (variant in c("D1", "D2", "S1", "S2")) {
    fit <- boost(d$x, d$y, variant = variant, trials = 40, cost = 5)
    path <- boosting_path(fit)
    expect_true(all(path$training_error <= objective_path(fit) + 1e-12))
    plain <- path$weight > 0 & path$error > 0.5 / 150
    if (all(plain)) {
      plain_fits <- plain_fits + 1
      product <- cumprod(2 * sqrt(path$error * (1 - path$error)))
      expect_true(all(path$training_error <= product + 1e-12))
      expect_equal(objective_path(fit), product, tolerance = 1e-8)
    }
  }
  # the product bounds nothing once errors are clipped or trials discarded: most fits had none
  expect_gte(plain_fits, 3)
})

test_that("S variants with decay 1 are the D variants", {
  d <- two_class(80)
  same <- c("alpha", "error", "tried", "training_error", "kernel", "vote", "rows", "coefficients")
  for (kind in 1:2) {
    det <- boost(d$x, d$y, variant = paste0("D", kind), trials = 20)
    sto <- boost(d$x, d$y, variant = paste0("S", kind), trials = 20, decay = 1)
    expect_identical(sto$models[[1]]$state[same], det$models[[1]]$state[same])
    expect_identical(sto$decision, det$decision)
    less <- boost(d$x, d$y, variant = paste0("S", kind), trials = 20, decay = 2^-5)
    expect_lt(sum(boosting_path(less)$tried), sum(boosting_path(det)$tried))
    expect_identical(boosting_path(less)$tried[1], 17L)
  }
})

test_that("a trial without error has a finite weight", {
  x <- matrix(c(1:20, 101:120), 40, 1)
  y <- factor(rep(c("a", "b"), each = 20))
  fit <- boost(x, y, trials = 5, kernels = kernel_linear())
  path <- boosting_path(fit)
  expect_equal(path$error, rep(0, 5))
  expect_equal(path$weight, rep(0.5 * log(79), 5))
  expect_equal(path$training_error, rep(0, 5))
  expect_identical(fitted(fit), y)
})

test_that("samples with one class only are mended", {
  x <- matrix(sin(1:60), 60, 1)
  x[60] <- 5
  y <- factor(c(rep("common", 59), "rare"))
  # samples of 3 rows almost never hold the rare one
  fit <- boost(x, y, trials = 10, sampling = 0.05, kernels = kernel_rbf(1))
  expect_true(all(is.finite(decide(fit))))
  expect_true(60L %in% support(fit))
  # a sample of one row becomes one of two
  expect_s3_class(boost(x, y, trials = 3, sampling = 0.001), "mkl_mkboost")
})

test_that("trials no better than chance are discarded and D starts again", {
  y <- factor(with_seed(3, sample(c("a", "b"), 40, TRUE)))
  x <- with_seed(4, matrix(rnorm(80), 40))
  fit <- boost(x, y, trials = 40, sampling = 0.05, kernels = few_kernels())
  path <- boosting_path(fit)
  expect_true(any(path$error >= 0.5))
  expect_identical(path$weight == 0, path$error >= 0.5)
  again <- replay(fit, x, signs(y))
  expect_equal(path$error, again$error, tolerance = 1e-10)
  expect_equal(decide(fit), again$f, tolerance = 1e-10)
  expect_true(all(path$training_error <= objective_path(fit)))
})

test_that("a fit can be cut at any trial", {
  d <- two_class(70)
  new <- d$x[1:30, ] + 0.1
  for (variant in c("D1", "S2")) {
    fit <- boost(d$x, d$y, variant = variant, trials = 12)
    for (t in c(1, 5, 12)) {
      short <- boost(d$x, d$y, variant = variant, trials = t)
      expect_identical(decide(fit, new, trials = t), decide(short, new))
      expect_identical(predict(fit, new, trials = t), predict(short, new))
      # the training rows too, which the fit holds
      expect_identical(predict(fit, trials = t), fitted(short))
      expect_equal(decide(fit, trials = t), decide(short), tolerance = 1e-12)
      expect_identical(short$train, fit$train)
    }
    expect_identical(predict(fit, trials = 12), predict(fit))
    expect_identical(predict(fit, new, trials = NULL), predict(fit, new))
  }
  data <- replace(d$data, 1, replace(d$data$v1, 5, NA))
  holes <- boost(class ~ ., data, trials = 6, na.action = stats::na.exclude)
  expect_identical(bare(which(is.na(predict(holes, trials = 2)))), 5L)
  expect_equal(decide(holes, trials = 2), decide(holes, data, trials = 2), tolerance = 1e-12)
  several <- boost(Species ~ ., three_class(), trials = 6)
  expect_equal(decide(several, trials = 2), decide(several, three_class(), trials = 2),
               tolerance = 1e-12)
  # but no kernel matrix
  K <- kernel_matrix(few_kernels(), scale(d$x))
  expect_mkl_error(predict(boost(K, d$y, trials = 6), trials = 3), "newdata", "newdata")
  for (bad in list(0, 13, 1.5, NA, "a", c(1, 2), -1, TRUE)) {
    expect_mkl_error(predict(fit, new, trials = bad), argument = "trials")
  }
  expect_mkl_error(predict(fit, new, trial = 3), "Did you mean `trials`", "trial")
  expect_mkl_error(predict(fit, new, tpye = "class"), "Did you mean `type`", "tpye")
  expect_mkl_error(predict(mkl(d$x, d$y), new, trials = 3), argument = "trials")
})

test_that("the weights are shares of the sum of alpha", {
  d <- two_class(70)
  fit <- boost(d$x, d$y, trials = 30)
  path <- boosting_path(fit)
  share <- tapply(path$weight, factor(path$kernel, names(coef(fit))), sum, default = 0)
  expect_equal(coef(fit), c(share) / sum(path$weight))
  expect_identical(names(coef(fit))[c(1, 14, 15, 17)], c(
    "rbf(sigma=0.01562)", "rbf(sigma=128)", "polynomial(degree=1)", "polynomial(degree=3)"
  ))
  expect_length(coef(fit), 17L)
  vote <- boost(d$x, d$y, variant = "D2", trials = 5)
  expect_equal(sum(coef(vote)), 1)
  expect_identical(unique(boosting_path(vote)$kernel), "vote")
  expect_identical(duality_gap(fit), NaN)
})

test_that("tidy() tells the machines apart", {
  d <- two_class(60)
  for (variant in c("D1", "S2")) {
    fit <- boost(d$x, d$y, variant = variant, trials = 4, kernels = few_kernels())
    vectors <- tidy(fit, "support")
    expect_named(vectors, c("row", "coefficient", "trial", "term"))
    # the first machine, by hand
    one <- vectors[vectors$trial == 1 & vectors$term == vectors$term[1], ]
    k <- kernel_matrix(few_kernels(), scale(d$x))[[vectors$term[1]]]
    f <- drop(k[, one$row] %*% one$coefficient) + fit$models[[1]]$state$bias[1]
    expect_identical(ifelse(f >= 0, 1, -1), base_outputs(fit, d$x)[, 1])
    expect_identical(sort(unique(vectors$row)), support(fit))
    expect_setequal(vectors$term, names(coef(fit))[coef(fit) > 0])
  }
  several <- tidy(boost(Species ~ ., three_class(), trials = 2), "support")
  expect_named(several, c("model", "row", "coefficient", "trial", "term"))
})

test_that("several classes are done one against one", {
  data <- three_class()
  fit <- boost(Species ~ ., data, trials = 8)
  path <- boosting_path(fit)
  expect_identical(dim(path), c(24L, 7L))
  expect_identical(unique(path$pair),
                   c("versicolor/setosa", "virginica/setosa", "virginica/versicolor"))
  expect_gt(mean(predict(fit, data) == data$Species), 0.9)
  pair <- droplevels(data[data$Species != "setosa", ])
  expect_identical(dim(decide(fit, data, trials = 3)), c(90L, 3L))
  rest <- boost(Species ~ ., data, trials = 8, multiclass = "one_vs_rest")
  expect_gt(mean(fitted(rest) == data$Species), 0.9)
  # the model of a pair sees the rows of that pair only, scaled by all
  alone <- boost(Species ~ ., pair, trials = 8, scale = FALSE)
  scaled <- boost(Species ~ ., data, trials = 8, scale = FALSE)
  expect_equal(decide(scaled, data)[, 3], decide(alone, data))
})

test_that("probabilities are calibrated for all trials", {
  d <- two_class(80)
  fit <- boost(d$x, d$y, trials = 10, probability = TRUE)
  p <- predict(fit, d$x, type = "prob")
  expect_equal(rowSums(p), rep(1, 80))
  expect_gt(mean((p[, "yes"] > 0.5) == (d$y == "yes")), 0.8)
  expect_mkl_error(predict(fit, d$x, type = "prob", trials = 5), "calibrated", "trials")
  many <- boost(Species ~ ., three_class(), trials = 5, probability = TRUE)
  expect_equal(bare(rowSums(predict(many, three_class(), type = "prob"))), rep(1, 90))
})

test_that("all forms of data give the same fit", {
  d <- two_class(60)
  kernels <- few_kernels()
  a <- boost(class ~ ., d$data, trials = 10, kernels = kernels)
  b <- boost(d$x, d$y, trials = 10, kernels = kernels)
  K <- kernel_matrix(kernels, scale(d$x))
  c <- boost(K, d$y, trials = 10)
  expect_identical(bare(decide(a)), bare(decide(b)))
  expect_equal(decide(c), decide(b), tolerance = 1e-10)
  expect_equal(coef(c), coef(b), tolerance = 1e-10)
  new <- kernel_matrix(kernels, scale(d$x), scale(d$x)[1:9, ])
  expect_equal(decide(c, new), decide(b, d$x[1:9, ]), tolerance = 1e-10)
  terms <- boost(class ~ rbf(v1, v2, sigma = 1) + linear(.), d$data, trials = 5)
  expect_named(coef(terms), c("rbf(v1, v2, sigma=1)", "linear"), ignore.order = TRUE)
})

test_that("threads, memory and storage change nothing", {
  data <- three_class()
  for (variant in c("D1", "S2")) {
    fit_on <- function(...) {
      boost(Species ~ ., data, variant = variant, trials = 10, probability = TRUE,
            control = mkl_control(...))
    }
    one <- fit_on(threads = 1)
    expect_identical(essence(fit_on(threads = 2)), essence(one))
    expect_identical(fit_on(memory = 1)$decision, one$decision)
    file <- tempfile()
    saveRDS(one, file)
    expect_identical(decide(readRDS(file), data), decide(one, data))
    unlink(file)
    expect_equal(decide(one, data), decide(one), ignore_attr = TRUE)
  }
})

test_that("the call of the user is kept", {
  d <- two_class(40)
  fit <- mkboost(d$x, d$y, trials = 2)
  expect_identical(as.character(fit$call[[1]]), "mkboost")
  set.seed(2)
  longer <- update(fit, trials = 4)
  expect_identical(nrow(boosting_path(longer)), 4L)
  expect_identical(fit$learner$parameters$trials, 2)
})

test_that("parameters are checked", {
  bad <- list(
    variant = list("D3", 1, NA_character_, NULL, c("D1", "D2")),
    trials = list(0, 1.5, -1, NA, NaN, Inf, "a", c(1, 2), NULL, 2e6),
    sampling = list(0, -0.1, 1.1, NA, "a", NULL, c(0.1, 0.2)),
    decay = list(0, 1.1, NA, "a", NULL), cost = list(0, -1, NA, Inf, "a", NULL)
  )
  for (name in names(bad)) {
    for (i in seq_along(bad[[name]])) {
      arguments <- stats::setNames(bad[[name]][i], name)
      expect_mkl_error(do.call(learner_mkboost, arguments), argument = name)
    }
  }
  d <- two_class(40)
  expect_mkl_error(mkboost(d$x, d$y, trial = 3), "of mkboost\\(\\). Did you mean `trials`")
  expect_mkl_error(mkboost(d$x, d$y, kernel = kernel_linear()), "is called `kernels`", "kernel")
  expect_mkl_error(mkboost(d$x, d$y, learner = learner_svm()), argument = "learner")
  expect_mkl_error(mkboost(), argument = "x")
  expect_mkl_error(learner_mkboost(C = 3), argument = "C")
  expect_mkl_error(mkboost(d$x, d$x[, 1]), "cannot do the task", "learner")
  expect_mkl_error(mkboost(d$x), "cannot do the task", "learner")
  expect_mkl_error(boosting_path(mkl(d$x, d$y)), "a fit of mkboost", "object")
  expect_snapshot(print(learner_mkboost("S1")))
})

test_that("kernels that overflow are named", {
  x <- matrix(c(1e200, -1e200, 1:18), 20, 1)
  y <- factor(rep(1:2, 10))
  kernels <- kernel_polynomial(2)
  expect_mkl_error(boost(x, y, trials = 3, scale = FALSE, kernels = kernels), "polynomial")
})

test_that("a broken state is refused", {
  d <- two_class(40)
  fit <- boost(d$x, d$y, trials = 3)
  broken <- list(
    length = function(s) c(-1, s$length[-1]), trial = function(s) s$trial * 100,
    kernel = function(s) s$kernel * NA, trials = function(s) NaN, n_kernels = function(s) 0,
    coefficients = function(s) s$coefficients[-1], bias = function(s) s$bias * Inf
  )
  for (name in names(broken)) {
    worse <- fit
    worse$models[[1]]$state[[name]] <- broken[[name]](fit$models[[1]]$state)
    expect_mkl_error(predict(worse, d$x))
  }
})

test_that("the path can be drawn", {
  d <- two_class(40)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mar")
  fit <- boost(d$x, d$y, trials = 5)
  expect_identical(plot(fit), fit)
  expect_identical(graphics::par("mar"), before)
  expect_identical(plot(fit, what = "weights", limit = 4), fit)
  expect_silent(plot(boost(Species ~ ., three_class(), variant = "S2", trials = 4)))
  flat <- boost(d$x[, 1:2], d$y, trials = 3)
  expect_silent(plot(flat, what = "boundary", data = d$x[, 1:2], response = d$y))
  expect_mkl_error(plot(fit, what = "path2"), argument = "what")
})
