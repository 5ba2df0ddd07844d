# Fits on random features against the exact solver on the matrices of these features, which are read
# off the fits: the decision values of a model with one coefficient of 1 are a feature.

features_of <- function(fit, x, kernel = 1L) {
  state <- fit$models[[1]]$state
  states <- lapply(seq_len(state$columns[kernel]), function(j) {
    state$coefficients <- replace(numeric(state$columns[kernel]), j, 1)
    state$columns <- replace(0 * state$columns, kernel, state$columns[kernel])
    state$bias <- 0
    list(state = state)
  })
  x <- multikernel:::scaled_rows(fit, as_rows(x), list(), FALSE)$x
  multikernel:::core_decision(replace_models(fit, states), x, list(), seq_len(nrow(x)))
}
replace_models <- function(fit, models) {
  fit$models <- models
  fit
}
as_rows <- function(x) if (is.matrix(x)) unname(x) else x

d <- hard_rows(200, 3)
x <- scale(d$x)
kernels <- kernel_set(kernel_rbf(c(0.5, 1)), kernel_linear(), kernel_laplacian(1))
tight <- mkl_control(tol = 1e-7)
near_fit <- function(learner, y, set, count = 50, seed = 1, ...) {
  with_seed(seed, mkl(x, y, kernels = set, learner = learner, approximate = random_features(count),
                      scale = FALSE, control = tight, ...))
}
# A learner that gives all kernels a weight, so that all features can be read.
matrices_of <- function(set, normalize, y, count = 50, seed = 1) {
  fit <- near_fit(learner_average(), y, set, count, seed, normalize = normalize)
  lapply(seq_along(fit$models[[1]]$weights), function(m) tcrossprod(features_of(fit, x, m)))
}
normal <- function(learner) {
  if (identical(learner$normalize, "none")) "trace" else learner$normalize
}
pair_of_fits <- function(learner, y, set = kernels, ...) {
  matrices <- matrices_of(set, normal(learner), d$y)
  with_seed(1, exact <- mkl(matrices, y, learner = learner, normalize = "none", control = tight,
                            ...))
  list(exact = exact, near = near_fit(learner, y, set, normalize = normal(learner), ...))
}

test_that("each learner finds the solution on the matrices of the features", {
  for (learner in approximable_learners()) {
    fits <- pair_of_fits(learner, d$y, if (takes_one(learner)) kernel_rbf(1) else kernels)
    expect_same_solution(fits)
    expect_equal(unname(kernel_weights(fits$near)), unname(kernel_weights(fits$exact)),
                 tolerance = 2e-3, label = format(learner))
  }
  expect_mkl_error(mkl(x, d$y, learner = "lmkl", approximate = random_features(10)),
                   "learner_svm\\(\\)", "approximate")
})

test_that("the objective is that of a solver of another package, and of the stored model", {
  skip_if_not_installed("quadprog")
  fit <- near_fit(learner_svm(10), d$y, kernel_rbf(1))
  z <- features_of(fit, x)
  s <- signs(d$y)
  q <- tcrossprod(s * z)
  a <- quadprog::solve.QP(
    q + diag(1e-9, 200), rep(1, 200), cbind(s, diag(200), -diag(200)), rep(c(0, -10), c(201, 200)),
    meq = 1
  )$solution
  expect_equal(unname(objective(fit)), sum(a) - sum(a * (q %*% a)) / 2, tolerance = 1e-7)
  v <- fit$models[[1]]$state$coefficients
  slack <- pmax(0, 1 - s * (z %*% v + fit$models[[1]]$state$bias))
  expect_equal(unname(objective(fit)), sum(v^2) / 2 + 10 * sum(slack), tolerance = 1e-7)
})

test_that("all tasks, weights and classes are those of exact fits", {
  svm <- learner_svm(10)
  expect_same_solution(pair_of_fits(svm, d$x[, 1]^2 + d$x[, 2], kernel_rbf(1)))
  expect_same_solution(pair_of_fits(learner_svm(nu = 0.2), NULL, kernel_rbf(1), task = "one_class"))
  expect_same_solution(pair_of_fits(svm, d$y, kernel_rbf(1), weights = rep(c(0, 1, 3, 1), 50)))
  expect_same_solution(pair_of_fits(svm, d$y, kernel_rbf(1), class_weights = "balanced"))
  three <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
  for (reduction in c("one_vs_one", "one_vs_rest")) {
    expect_same_solution(pair_of_fits(svm, three, kernel_rbf(1), multiclass = reduction))
  }
  fits <- pair_of_fits(svm, three, kernel_rbf(1), probability = TRUE)
  expect_equal(predict(fits$near, type = "prob"), predict(fits$exact, type = "prob"),
               tolerance = 1e-4)
})

test_that("the features of a linear kernel are its columns", {
  fit <- near_fit(learner_svm(1), d$y, kernel_linear(), count = 2)
  exact <- mkl(x, d$y, kernels = kernel_linear(), learner = learner_svm(1), scale = FALSE,
               control = tight)
  expect_equal(unname(objective(fit)), unname(objective(exact)), tolerance = 1e-7)
  expect_equal(predict(fit, x, type = "decision"), predict(exact, x, type = "decision"),
               tolerance = 1e-5)
  expect_lt(fit$approximation$error, 1e-13)
  expect_identical(fit$models[[1]]$state$columns, as.double(ncol(x)))
})

test_that("the features are those of the kernels of R, and their error is measured", {
  set <- kernel_set(
    kernel_rbf(0.7), kernel_laplacian(1.5), kernel_cauchy(1.2),
    kernel_matern(nu = 2.5, sigma = 1.3), kernel_rational_quadratic(sigma = 1.1, alpha = 0.6),
    kernel_rbf(0.5, on = 1) * kernel_matern(on = 2)
  )
  exact <- kernel_matrix(set, x, normalize = "none")
  near <- matrices_of(set, "none", d$y, count = 300)
  relative <- function(a, b) sqrt(sum((a - b)^2) / sum(b^2))
  found <- mapply(relative, near, exact)
  expect_lt(max(found), 0.3)
  few <- near_fit(learner_average(), d$y, set, 300, normalize = "none")
  expect_equal(unname(few$approximation$error), unname(found), tolerance = 1e-6)
  expect_identical(names(few$approximation$error), names(kernel_weights(few)))
  fewer <- near_fit(learner_average(), d$y, set, 30, normalize = "none")
  ratio <- mean(fewer$approximation$error / few$approximation$error)
  expect_true(ratio > sqrt(10) / 1.5 && ratio < sqrt(10) * 1.5)
  text <- capture.output(print(few), print(summary(few)))
  expect_match(text, "random features, 300 for each kernel", all = FALSE)
  expect_match(text, "Frobenius", all = FALSE)
})

test_that("seed and not threads decide", {
  y <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
  fit <- function(threads, seed = 1) {
    with_seed(seed, mkl(x, y, learner = "simplemkl", kernels = kernels, probability = TRUE,
                        approximate = random_features(40),
                        control = mkl_control(threads = threads)))
  }
  one <- fit(1)
  two <- fit(2)
  expect_identical(essence(two), essence(one))
  expect_identical(predict(two, x + 0.1, type = "prob"), predict(one, x + 0.1, type = "prob"))
  expect_false(identical(essence(fit(1, 2)), essence(one)))
})

test_that("predictions of all types agree with each other and in a fresh process", {
  y <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
  fit <- near_fit("simplemkl", y, kernels, probability = TRUE)
  expect_length(fit$kept, 0)
  expect_length(support(fit), 0)
  expect_identical(dim(fit$train), c(0L, ncol(x)))
  expect_equal(predict(fit, x, type = "decision"), predict(fit, type = "decision"),
               tolerance = 1e-12, ignore_attr = TRUE)
  expect_identical(unname(predict(fit, x)), unname(predict(fit)))
  expect_equal(rowSums(predict(fit, x, type = "prob")), rep(1, 200), ignore_attr = TRUE)
  # one row at a time
  single <- lapply(1:9, function(i) predict(fit, x[i, , drop = FALSE], type = "decision"))
  together <- predict(fit, x, type = "decision")[1:9, ]
  expect_identical(unname(do.call(rbind, single)), unname(together))
  expect_identical(dim(predict(fit, x[0, ], type = "decision")), c(0L, 3L))
  skip_unless_installed()
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(list(fit = fit, x = x + 0.1), file)
  there <- run_fresh(c(sprintf("s <- readRDS(%s)", deparse(file)),
                       "predict(s$fit, s$x, type = 'prob')"))
  expect_identical(there, predict(fit, x + 0.1, type = "prob"))
})

test_that("contributions add up, with views that cases lack too", {
  parts <- views(one = x[, 1, drop = FALSE], two = x[, -1, drop = FALSE])
  three <- factor(cut(x[, 1], 3, labels = c("u", "v", "w")))
  add_up <- function(fit, data) {
    for (by in c("kernel", "view")) {
      terms <- predict(fit, data, type = "terms", by = by)
      decision <- as.matrix(predict(fit, data, type = "decision"))
      constant <- rep(attr(terms, "constant"), each = nrow(decision))
      sums <- apply(array(terms, c(dim(terms), 1)[1:3]), c(1, 3), sum) + constant
      expect_lt(max(abs(sums - decision)), 1e-10 * max(1, abs(decision)))
    }
  }
  for (y in list(d$y, three, x[, 1])) {
    add_up(simplemkl(parts, y, kernels = kernels, approximate = random_features(30)), parts)
  }
  holes <- x
  holes[1:20, 1] <- NA
  holes[30:60, -1] <- NA
  lacking <- views(one = holes[, 1, drop = FALSE], two = holes[, -1, drop = FALSE])
  fit_lacking <- function(approximate = NULL) {
    with_seed(1, simplemkl(lacking, d$y, kernels = kernel_rbf(0.5), missing = "available",
                           scale = FALSE, approximate = approximate, control = tight))
  }
  fit <- fit_lacking(random_features(1000))
  add_up(fit, lacking)
  terms <- predict(fit, lacking, type = "terms", by = "view")
  expect_true(all(terms[1:20, "one"] == 0) && all(terms[30:60, "two"] == 0))
  expect_true(all(terms[-(1:20), "one"] != 0))
  exact <- fit_lacking()
  expect_equal(predict(fit, lacking, type = "decision"), predict(exact, lacking, type = "decision"),
               tolerance = 0.2)
  why <- explain_case(fit, views(one = x[1, 1, drop = FALSE], two = x[1, -1, drop = FALSE]))
  expect_null(why$cases)
  expect_equal(sum(why$terms$contribution) + why$constant, unname(why$decision))
})

test_that("models of different features are evaluated together as if each were alone", {
  fits <- list(near_fit("simplemkl", d$y, kernels, 20), near_fit("average", d$y, kernels, 20, 2),
               near_fit("average", d$y, kernels, 32), near_fit("simplemkl", d$x[, 1], kernels, 20))
  of <- function(fit) multikernel:::core_decision(fit, unname(x), list(), 1:200)
  all <- do.call(c, lapply(fits, function(fit) fit$models))
  expect_identical(of(replace_models(fits[[1]], all)), do.call(cbind, lapply(fits, of)))
})

test_that("updates, resampling, tuning and other processes work as for exact fits", {
  fit <- mkl(x, d$y, kernels = kernel_rbf(1), learner = learner_svm(10),
             approximate = random_features(100))
  more <- update(fit, approximate = random_features(6400))
  expect_lt(more$approximation$error, 0.3 * fit$approximation$error)
  with_seed(1, cv <- cv_mkl(x, d$y, learner = learner_svm(10), folds = 3, keep = "predictions",
                            approximate = random_features(300)))
  expect_gt(cv$summary$mean[1], 0.7)
  with_seed(1, tuned <- tune_mkl(x, d$y, learner = "svm", grid = list(cost = c(1, 10)), folds = 2,
                                 approximate = random_features(60)))
  expect_identical(nrow(tuned$summary), 2L)
  skip_on_cran()
  skip_if_not_installed("future")
  y <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
  for (approximate in list(random_features(40), nystrom(40))) {
    fit <- function() with_seed(1, mkl(x, y, learner = learner_svm(5), approximate = approximate))
    here <- fit()
    old <- future::plan(future::multisession, workers = 2)
    there <- tryCatch(fit(), finally = future::plan(old))
    expect_identical(essence(there), essence(here))
    expect_identical(there$approximation, here$approximation)
  }
})

test_that("sparse data have the features of dense ones", {
  skip_if_not_installed("Matrix")
  dense <- with_seed(4, matrix(rbinom(900, 1, 0.2) * runif(900), 90))
  y <- factor(rep(c("a", "b", "c"), 30))
  sparse <- Matrix::Matrix(dense, sparse = TRUE)
  fit <- function(x) {
    with_seed(2, mkl(x, y, kernels = kernel_set(kernel_rbf(0.5), kernel_linear()),
                     learner = learner_average(10), approximate = random_features(60),
                     control = tight))
  }
  expect_equal(predict(fit(sparse), sparse, type = "decision"),
               predict(fit(dense), dense, type = "decision"), tolerance = 1e-4)
})

test_that("a damaged fit is refused or predicts the same", {
  fit <- near_fit("simplemkl", d$y, kernels, count = 12)
  right <- predict(fit, x[1:3, ], type = "decision")
  bad <- function(change) {
    fit$models[[1]]$state <- change(fit$models[[1]]$state)
    predict(multikernel:::seal_fit(fit), x[1:3, ], type = "decision")
  }
  set <- function(name, value) function(s) utils::modifyList(s, stats::setNames(list(value), name))
  state <- fit$models[[1]]$state
  for (value in list(NULL, "a", NA_real_, Inf, -1, 0.5, 1e10, c(1, 2))) {
    for (name in c("seed", "count")) {
      if (identical(value, 1e10) && name == "seed") next
      expect_mkl_error(bad(set(name, value)), class = "multikernel_error")
    }
    if (identical(value, -1) || identical(value, 0.5) || identical(value, 1e10)) next
    expect_mkl_error(bad(set("bias", value)), class = "multikernel_error")
  }
  expect_mkl_error(bad(set("count", 14)), class = "multikernel_error")
  for (name in c("coefficients", "columns", "weights")) {
    full <- state[[name]]
    for (value in list(NULL, full[-1], c(full, 1), replace(full, 1, NA), replace(full, 1, Inf),
                       as.character(full), as.list(full), numeric())) {
      expect_mkl_error(bad(set(name, value)), class = "multikernel_error")
    }
  }
  expect_mkl_error(bad(set("columns", rev(state$columns))), class = "multikernel_error")
  expect_mkl_error(bad(set("columns", replace(state$columns, 1:2, state$columns[1] + c(1, -1)))),
                   class = "multikernel_error")
  expect_identical(bad(identity), right)
})

test_that("what has no random features is an error that names nystrom()", {
  fit <- function(...) mkl(x, d$y, approximate = random_features(10), ...)
  expect_mkl_error(fit(kernels = kernel_polynomial(2)), "`polynomial.*nystrom\\(\\)", "approximate")
  expect_mkl_error(fit(kernels = kernel_rbf(1) * kernel_linear()), "nystrom", "approximate")
  expect_mkl_error(mkl(list(k = tcrossprod(x)), d$y, approximate = random_features(10)), "nystrom",
                   "approximate")
  expect_mkl_error(fit(kernels = kernel_label_based(kernel_rbf(1))), "label-based", "approximate")
  expect_mkl_error(fit(normalize = "center"), "cosine", "approximate")
  expect_mkl_error(random_features(), "number of features", "count")
  for (count in list(0, -1, 1.5, NA, "a", c(1, 2), Inf)) {
    expect_mkl_error(random_features(count), argument = "count")
  }
  expect_output(print(random_features(10)), "random_features\\(10\\)")
  fit <- mkl(x, d$y, approximate = random_features(11))
  expect_identical(fit$models[[1]]$state$columns, 12)
  expect_mkl_error(predict(fit, type = "terms"), "newdata", "newdata")
})
