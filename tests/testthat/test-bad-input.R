# Bad input: an error that names argument, kernel and position, or a right result. The texts
# are in the snapshot. Grouped as data, response, kernels, parameters, life cycle.

d <- two_class(40)
decide <- function(fit, ...) predict(fit, ..., type = "decision")

# x ----------------------------------------------------------------------------------------

test_that("x: missing and infinite values", {
  x <- d$x
  x[2, 1] <- NaN
  expect_identical(nobs(mkl(x, d$y)), 39L)
  expect_snapshot(error = TRUE, mkl(x, d$y, na.action = na.fail))
  x[] <- NA
  expect_snapshot(error = TRUE, mkl(x, d$y))
  x <- d$x
  x[2, 1] <- Inf
  expect_snapshot(error = TRUE, mkl(x, d$y))
  x[2, 1] <- -Inf
  expect_snapshot(error = TRUE, mkl(class ~ ., data.frame(x, class = d$y)))
})

test_that("x: no rows, one row, no columns, one column", {
  expect_snapshot(error = TRUE, {
    mkl(d$x[0, ], d$y[0])
    mkl(class ~ ., d$data[0, ])
    mkl(d$x[1, , drop = FALSE], d$y[1])
    mkl(d$x[, 0], d$y)
    mkl(d$data[0], d$y)
    mkl(class ~ ., d$data["class"])
  })
  one <- mkl(d$x[, 1, drop = FALSE], d$y)
  expect_equal(decide(one, d$x), decide(one))
  expect_equal(predict(mkl(d$x[1, , drop = FALSE], 3, kernels = kernel_rbf(1)), d$x[1:2, ])[1], 3)
})

test_that("x: constant columns and duplicates", {
  constant <- matrix(7, 40, 2)
  fit <- mkl(constant, d$y)
  expect_equal(length(unique(fitted(fit))), 1L)
  expect_snapshot(error = TRUE, mkl(constant, d$y, kernels = kernel_rbf("median")))
  twice <- mkl(d$x[rep(1:40, 2), ], d$y[rep(1:40, 2)])
  expect_true(converged(twice))
  contradictory <- mkl(d$x[rep(1:40, 2), ], factor(rep(c("a", "b"), each = 40)))
  expect_true(converged(contradictory))
  expect_true(all(is.finite(decide(contradictory))))
})

test_that("x: units of 1e200 and 1e-200", {
  strict <- mkl_control(tol = 1e-9)
  reference <- decide(mkl(d$x, d$y, control = strict))
  expect_equal(decide(mkl(d$x * 1e200, d$y, control = strict)), reference, tolerance = 1e-6)
  expect_equal(decide(mkl(d$x * 1e-200, d$y, control = strict)), reference, tolerance = 1e-6)
  expect_snapshot(error = TRUE, {
    mkl(d$x * 1e200, d$y, scale = FALSE, kernels = kernel_linear())
    mkl(d$x * 1e200, d$y, scale = FALSE) # a width by the median distance
    predict(mkl(d$x, d$y, kernels = kernel_polynomial(3)), d$x * 1e200)
  })
})

test_that("x: types of columns", {
  expect_snapshot(error = TRUE, {
    mkl(matrix("a", 40, 2), d$y)
    mkl(matrix(1i, 40, 2), d$y)
    mkl(data.frame(a = 1:40 + 1i), d$y)
    mkl(data.frame(when = Sys.Date() + 1:40), d$y)
    mkl(data.frame(when = Sys.time() + 1:40), d$y)
    mkl(data.frame(a = I(as.list(1:40))), d$y)
    mkl(y ~ when, data.frame(y = d$y, when = Sys.Date() + 1:40))
    mkl(1:40, d$y)
    mkl(letters, d$y)
    mkl(class ~ ., d$x)
  })
  expect_s3_class(mkl(matrix(1:80, 40), d$y), "mkl")
  expect_s3_class(mkl(d$x > 0, d$y), "mkl")
  expect_s3_class(mkl(data.frame(a = rep(c("u", "v"), 20)), d$y), "mkl")
})

test_that("x: columns of nothing but missing values", {
  for (column in list(NA, NA_real_, NA_character_, factor(NA), NaN)) {
    data <- data.frame(d$x, empty = column)
    for (fit in list(function() mkl(data, d$y), function() mkl(y ~ ., cbind(data, y = d$y)))) {
      expect_mkl_error(fit(), "no row without a missing value")
    }
  }
})

test_that("x: names at predict", {
  x <- d$x
  colnames(x) <- c("a", "b", "a")
  expect_snapshot(error = TRUE, mkl(x, d$y))
  fit <- mkl(d$x, d$y)
  expect_identical(decide(fit, d$x[, 3:1]), decide(fit, d$x))
  doubled <- cbind(d$x, d$x[, 1, drop = FALSE])
  expect_snapshot(error = TRUE, {
    predict(fit, doubled)
    predict(fit, d$x[, 1:2])
    predict(mkl(class ~ ., d$data), d$data["v1"])
  })
  # a data frame for a fit to a matrix: by name too, and never by the number of columns alone
  others <- stats::setNames(d$data[1:3], c("a", "b", "c"))
  expect_snapshot(error = TRUE, {
    predict(fit, others)
    predict(fit, cbind(d$data[1:3], d$data["v1"]))
    predict(mkl(d$x[, 1:2], d$y), transform(d$data, v2 = "high"))
    predict(mkl(unname(d$x[, 1:2]), d$y), data.frame(f = c("u", "v")))
  })
  expect_identical(bare(decide(fit, d$data[3:1])), decide(fit, d$x))
  expect_identical(bare(decide(mkl(unname(d$x), d$y), others)), decide(fit, d$x))
})

# y ----------------------------------------------------------------------------------------

test_that("y: missing values, one class, wrong length", {
  y <- d$y
  y[3] <- NA
  expect_identical(nobs(mkl(d$x, y)), 39L)
  expect_snapshot(error = TRUE, {
    mkl(d$x, y, na.action = na.fail)
    mkl(d$x, rep("yes", 40))
    mkl(d$x, factor(rep("yes", 40), levels = c("no", "yes")))
    mkl(d$x, rep(NA, 40))
    mkl(d$x, d$y[1:39])
    mkl(d$x, as.list(d$y))
    mkl(d$x, matrix(1, 40, 2))
    mkl(d$x, Sys.Date() + 1:40)
    mkl(cbind(v1, v2) ~ v3, d$data)
    mkl(d$x, c(Inf, seq_len(39)))
  })
})

test_that("y: the response among the features", {
  expect_snapshot(error = TRUE, {
    mkl(class ~ class + v1, d$data)
    mkl(class ~ . + class, d$data)
    mkl(class ~ linear(v1, class), d$data)
  })
})

test_that("y: continuous values where classes are asked", {
  expect_snapshot(error = TRUE, mkl(d$x, d$x[, 1], task = "classification"))
})

test_that("y: empty level, class with one example, extreme imbalance", {
  expect_identical(
    decide(mkl(d$x, factor(d$y, levels = c("no", "never", "yes")))), decide(mkl(d$x, d$y))
  )
  y <- factor(c("rare", rep("common", 39)))
  fit <- mkl(d$x, y, class_weights = "balanced")
  expect_true(converged(fit))
  three <- mkl(d$x, factor(c("rare", rep(c("a", "b"), length.out = 39))))
  expect_length(three$models, 3L)
  # missing values that a factor holds as a level, and an empty string as a class
  y <- d$y
  y[3] <- NA
  set.seed(1)
  held <- mkl(d$x, addNA(y), probability = TRUE)
  expect_identical(nobs(held), 39L)
  expect_identical(decide(held), decide(mkl(d$x, y)))
  expect_identical(colnames(predict(held, d$x, type = "prob")), c("no", "yes"))
  expect_identical(nobs(mkl(class ~ ., transform(d$data, class = addNA(y)))), 39L)
  set.seed(1)
  blank <- mkl(d$x, ifelse(d$y == "no", "", "yes"), probability = TRUE)
  set.seed(1)
  expect_identical(unname(predict(blank, d$x, type = "prob")),
                   unname(predict(mkl(d$x, d$y, probability = TRUE), d$x, type = "prob")))
})

# kernels ----------------------------------------------------------------------------------

test_that("kernels: empty, one, identical, zero", {
  expect_snapshot(error = TRUE, {
    mkl(list(), d$y)
    mkl(d$x, d$y, kernels = list())
    mkl(d$x, d$y, kernels = kernel_rbf(1)[0])
    mkl(d$x, d$y, kernels = "rbf")
  })
  one <- mkl(d$x, d$y, kernels = kernel_rbf(1), learner = learner_average())
  same <- mkl(d$x, d$y, kernels = kernel_rbf(c(1, 1)), learner = learner_average())
  expect_equal(decide(same), decide(one), tolerance = 1e-6)
  zero <- mkl(list(zero = matrix(0, 40, 40)), d$y)
  expect_equal(length(unique(decide(zero))), 1L)
})

test_that("kernels: not finite, not symmetric, not square, sizes differ", {
  K <- tcrossprod(d$x)
  bad <- function(i, j, value) {
    K[i, j] <- value
    K
  }
  expect_snapshot(error = TRUE, {
    mkl(list(fine = K, text = bad(3, 2, NaN)), d$y)
    mkl(list(text = bad(3, 2, Inf)), d$y)
    mkl(list(text = bad(3, 2, 99)), d$y)
    mkl(d$x, d$y, kernels = kernel_precomputed(K[, 1:9], name = "text"))
    mkl(list(a = K, b = K[1:9, 1:9]), d$y)
    mkl(list(a = K[1:9, 1:9]), d$y)
    mkl(list(a = K, a = K), d$y)
    mkl(list(a = 1:3), d$y)
    mkl(d$x, d$y, kernels = kernel_precomputed(K[1:9, 1:9], name = "mine"))
  })
})

test_that("kernels: integer storage, rank one, all ones, traces far apart", {
  K <- matrix(as.integer(round(tcrossprod(d$x) * 10)), 40)
  expect_equal(decide(mkl(list(K), d$y)), decide(mkl(list(K * 1), d$y)))
  v <- d$x[, 1]
  expect_true(converged(mkl(list(outer(v, v)), d$y)))
  expect_true(converged(mkl(list(matrix(1, 40, 40)), d$y)))
  strict <- mkl_control(tol = 1e-9)
  far <- mkl(list(a = tcrossprod(d$x), b = 1e12 * gauss(d$x, d$x, 1)), d$y,
             learner = learner_average(), control = strict)
  near <- mkl(list(a = tcrossprod(d$x), b = gauss(d$x, d$x, 1)), d$y, learner = learner_average(),
              control = strict)
  expect_equal(decide(far), decide(near), tolerance = 1e-4)
})

test_that("kernels: zero diagonal under normalisation", {
  K <- tcrossprod(d$x)
  K[4, ] <- K[, 4] <- 0
  expect_snapshot(error = TRUE, {
    mkl(list(text = K), d$y, normalize = "cosine")
    mkl(list(text = 0 * K), d$y, normalize = "trace")
    mkl(list(text = -K), d$y, learner = learner_average())
    predict(mkl(d$x, d$y, kernels = kernel_linear(normalize = "cosine"), scale = FALSE),
            rbind(d$x[1, ], 0))
  })
})

test_that("kernels: indefinite", {
  K <- sin(outer(1:40, 1:40))
  expect_snapshot(fit <- mkl(list(text = K), d$y))
  expect_true(all(is.finite(decide(fit))))
})

test_that("kernels: new matrices of wrong shape, count or order", {
  K <- tcrossprod(d$x)
  fit <- mkl(list(a = K, b = K), d$y, learner = learner_average())
  expect_snapshot(error = TRUE, {
    predict(fit, list(a = K[1:3, ]))
    predict(fit, list(a = K[1:3, ], b = K[1:3, 1:5]))
    predict(fit, list(a = K[1:3, ], b = K[1:2, ]))
    predict(fit, list(a = K[1:3, ], c = K[1:3, ]))
    predict(fit, K[1:3, ])
  })
  expect_identical(decide(fit, list(b = K[1:3, ], a = K[1:3, ])),
                   decide(fit, list(a = K[1:3, ], b = K[1:3, ])))
})

test_that("kernels: widths out of range and overflow", {
  expect_snapshot(error = TRUE, {
    kernel_rbf(0)
    kernel_rbf(c(1, -1))
    kernel_rbf(Inf)
    kernel_rbf(NaN)
    kernel_rbf("mode")
    kernel_rbf(1, gamma = 1)
    mkl(d$x, d$y, kernels = kernel_rbf(1e-200))
  })
  expect_snapshot(error = TRUE, {
    mkl(d$x * 100, d$y, kernels = kernel_polynomial(400), scale = FALSE)
    kernel_polynomial(1001)
    kernel_linear(on = 3e9)
    kernel_linear(on = Inf)
  })
})

test_that("kernels: an R function that throws, returns the wrong shape or NaN", {
  expect_snapshot(error = TRUE, {
    mkl(d$x, d$y, kernels = kernel_function(function(x, z) stop("no luck")))
    mkl(d$x, d$y, kernels = kernel_function(function(x, z) diag(3)))
    mkl(d$x, d$y, kernels = kernel_function(function(x, z) tcrossprod(x, z) * NaN))
    mkl(d$x, d$y, kernels = kernel_function(function(x, z) "a"))
    mkl(d$x, d$y, kernels = kernel_function(function(x) x))
  })
})

test_that("kernels: negative data where counts are needed", {
  expect_snapshot(error = TRUE, {
    mkl(d$x, d$y, kernels = kernel_chisq())
    predict(mkl(abs(d$x), d$y, kernels = kernel_intersection(), scale = FALSE), d$x)
  })
})

# parameters -------------------------------------------------------------------------------

test_that("parameters: out of range, NaN, NA, NULL, length 2, wrong type", {
  expect_snapshot(error = TRUE, {
    learner_svm(cost = 0)
    learner_svm(cost = NaN)
    learner_svm(cost = NA)
    learner_svm(cost = NULL)
    learner_svm(cost = 1:2)
    learner_svm(cost = "1")
    learner_svm(nu = 0)
    learner_svm(epsilon = -0.1)
    learner_best(folds = 1)
    mkl_control(tol = 0)
    mkl_control(threads = 1.5)
    mkl_control(memory = "lots")
    mkl_control(verbose = NA)
    mkl(d$x, d$y, scale = "yes")
    mkl(d$x, d$y, normalize = "traces")
    mkl(d$x, d$y, weights = 1:3)
    mkl(d$x, d$y, weights = rep(1e200, 40), learner = learner_average(1e200))
    mkl(d$x, d$x[, 1], weights = rep(1e200, 40), learner = learner_svm(1e200))
    mkl(d$x, d$y, learner = learner_svm(1e305))
    mkl(d$x, d$y, class_weights = c(never = 2))
    mkl(d$x, d$y, probability = 1)
  })
})

test_that("parameters: iteration limit reached", {
  expect_snapshot(
    fit <- mkl(d$x, d$y, learner = learner_svm(100), control = mkl_control(max_iter = 1)),
    transform = function(lines) {
      gsub("after [0-9]+ iter.* Raise", "after <number> iterations ... Raise", lines)
    }
  )
  expect_false(converged(fit))
})

test_that("parameters: unknown names", {
  expect_snapshot(error = TRUE, {
    learner_svm(csot = 1)
    kernel_rbf(sigmma = 1)
    mkl(d$x, d$y, kernal = kernel_rbf(1))
    mkl_control(tolerance = 1)
    predict(mkl(d$x, d$y), d$x, typo = "class")
  })
})

test_that("parameters: bags larger than the number of columns", {
  fit <- mkl(d$x, d$y, kernels = kernel_rbf_bags(5, max_features = 100, seed = 1),
             learner = learner_average())
  expect_true(converged(fit))
})

# life cycle -------------------------------------------------------------------------------

test_that("life cycle: wrong class given to predict and to questions", {
  expect_snapshot(error = TRUE, {
    predict(structure(list(), class = "mkl"), d$x)
    support(lm(dist ~ speed, cars))
  })
})

test_that("life cycle: a fit works in a fresh process", {
  skip_unless_installed()
  learners <- list(learner_svm(), learner_average(), learner_random(), learner_best(folds = 2))
  fits <- lapply(learners, function(learner) mkl(class ~ ., d$data, learner = learner))
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(list(fits = fits, new = d$data), file)
  out <- run_fresh(c(
    sprintf("saved <- readRDS(%s)", deparse(file)),
    "lapply(saved$fits, predict, saved$new, type = 'decision')"
  ))
  expect_identical(out, lapply(fits, decide, d$data))
})

test_that("life cycle: the decimal mark of the session changes nothing", {
  reference <- mkl(d$x, d$y)
  old <- options(OutDec = ",")
  on.exit(options(old))
  fit <- mkl(d$x, d$y)
  expect_identical(decide(fit), decide(reference))
  expect_identical(names(coef(fit)), names(coef(reference)))
  expect_no_match(capture.output(print(fit)), "[0-9],[0-9]")
})

test_that("life cycle: forked workers", {
  skip_on_os("windows")
  skip_on_cran()
  reference <- decide(mkl(d$x, d$y))
  out <- parallel::mclapply(1:2, function(i) decide(mkl(d$x, d$y)), mc.cores = 2)
  expect_identical(out, list(reference, reference))
})
