# Approximated fits against the exact solver on the approximated matrices, which are written out.

low_rank <- function(k, rows) {
  inner <- k[rows, rows]
  root <- suppressWarnings(chol(inner, pivot = TRUE, tol = 1e-11 * max(diag(inner))))
  keep <- seq_len(attr(root, "rank"))
  used <- rows[attr(root, "pivot")[keep]]
  z <- t(backsolve(root[keep, keep, drop = FALSE], t(k[, used, drop = FALSE]), transpose = TRUE))
  tcrossprod(z)
}

d <- hard_rows(240, 3)
x <- scale(d$x)
landmarks <- seq(5, 240, by = 6)
kernels <- kernel_set(kernel_rbf(c(0.5, 1, 2)), kernel_linear(), kernel_laplacian(1))
tight <- mkl_control(tol = 1e-7)
exact_matrices <- function(set, normalize) {
  matrices <- kernel_matrix(set, x, normalize = normalize)
  if (is.matrix(matrices)) matrices <- list(matrices)
  lapply(matrices, function(k) unname(low_rank(k, landmarks)))
}
normal <- function(learner) {
  if (identical(learner$normalize, "none")) "trace" else learner$normalize
}
pair_of_fits <- function(learner, y, set = kernels, ...) {
  with_seed(1, exact <- mkl(exact_matrices(set, normal(learner)), y, learner = learner,
                            normalize = "none", control = tight, ...))
  with_seed(1, near <- mkl(x, y, kernels = set, learner = learner, normalize = normal(learner),
                           approximate = nystrom(landmarks = landmarks), control = tight, ...))
  list(exact = exact, near = near)
}

test_that("each learner finds the solution on the approximated matrices", {
  learners <- approximable_learners()
  expect_setequal(vapply(learners, function(l) l$name, ""), able_learners())
  for (learner in learners) {
    fits <- pair_of_fits(learner, d$y, if (takes_one(learner)) kernel_rbf(1) else kernels)
    expect_same_solution(fits, 2e-6)
    expect_equal(unname(kernel_weights(fits$near)), unname(kernel_weights(fits$exact)),
                 tolerance = 2e-3, label = format(learner))
  }
  # The others say so, and name those that can.
  for (name in setdiff(learner_names(), able_learners())) {
    expect_mkl_error(
      mkl(x, d$y, learner = name, approximate = nystrom(10)), "learner_svm\\(\\)", "approximate"
    )
  }
})

test_that("all tasks, weights and classes are those of exact fits", {
  svm <- learner_svm(10)
  expect_same_solution(pair_of_fits(svm, d$x[, 1]^2 + d$x[, 2], kernel_rbf(1)))
  expect_same_solution(pair_of_fits(learner_simplemkl(5, gap = 1e-6), d$x[, 1]^2), 2e-6)
  expect_same_solution(pair_of_fits(learner_svm(nu = 0.2), NULL, kernel_rbf(1), task = "one_class"))
  weights <- rep(c(0, 1, 3), 80)
  expect_same_solution(pair_of_fits(svm, d$y, kernel_rbf(1), weights = weights))
  expect_same_solution(pair_of_fits(svm, d$y, kernel_rbf(1), class_weights = "balanced"))
  squared <- learner_svm(10, loss = "squared_hinge")
  expect_same_solution(pair_of_fits(squared, d$y, kernel_rbf(1), weights = weights))
  expect_same_solution(pair_of_fits(learner_mkboost(trials = 5), d$y, weights = weights))
  three <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
  for (reduction in c("one_vs_one", "one_vs_rest")) {
    fits <- pair_of_fits(svm, three, kernel_rbf(1), multiclass = reduction)
    expect_same_solution(fits)
  }
  fits <- pair_of_fits(svm, three, kernel_rbf(1), probability = TRUE)
  expect_equal(predict(fits$near, type = "prob"), predict(fits$exact, type = "prob"),
               tolerance = 1e-4)
})

test_that("all rows as landmarks give the exact fit", {
  few <- seq(1, 240, by = 4)
  for (learner in approximable_learners()) {
    set <- if (takes_one(learner)) kernel_rbf(1) else kernel_rbf(c(0.5, 1))
    fit <- function(...) {
      with_seed(1, mkl(x[few, ], d$y[few], learner = learner, kernels = set, control = tight, ...))
    }
    exact <- fit()
    near <- fit(approximate = nystrom(60))
    expect_equal(objective(near), objective(exact), tolerance = 2e-6, label = format(learner))
    expect_equal(predict(near, x, type = "decision"), predict(exact, x, type = "decision"),
                 tolerance = 1e-3, label = format(learner))
    expect_lt(max(near$approximation$error), 1e-9)
  }
})

test_that("the certificate holds for a solution ten times more exact", {
  for (loss in c("hinge", "squared_hinge")) {
    fit <- function(tol) {
      mkl(x, d$y, learner = learner_svm(100, loss = loss), kernels = kernel_rbf(1),
          approximate = nystrom(landmarks = landmarks), control = mkl_control(tol = tol))
    }
    rough <- fit(1e-2)
    fine <- fit(1e-6)
    expect_lte(objective(rough), objective(fine) * (1 + 1e-9))
    expect_gte(objective(rough) + duality_gap(rough), objective(fine) * (1 - 1e-9))
    # The primal objective from the stored model alone.
    w <- fine$models[[1]]$state
    k <- kernel_matrix(kernel_rbf(1), x)
    norm <- sum(w$coefficients * (k[support(fine), support(fine)] %*% w$coefficients))
    slack <- pmax(0, 1 - signs(d$y) * predict(fine, type = "decision"))
    primal <- norm / 2 + 100 * sum(if (loss == "hinge") slack else slack^2)
    expect_equal(unname(primal), unname(objective(fine)), tolerance = 1e-6)
  }
})

test_that("the error of the approximation is the share of the trace that is left", {
  fit <- mkl(x, d$y, learner = "average", kernels = kernels, normalize = "cosine",
             approximate = nystrom(landmarks = landmarks))
  matrices <- kernel_matrix(kernels, x, normalize = "cosine")
  expected <- vapply(matrices, function(k) 1 - sum(diag(low_rank(k, landmarks))) / sum(diag(k)), 0)
  expect_equal(unname(fit$approximation$error), unname(expected), tolerance = 1e-6)
  expect_identical(names(fit$approximation$error), names(kernel_weights(fit)))
  expect_true(all(support(fit) %in% landmarks))
  text <- capture.output(print(fit), print(summary(fit)))
  expect_match(text, "Nystrom, 40 landmarks \\(rows\\)", all = FALSE)
  expect_match(text, "Relative error of the approximation", all = FALSE)
})

test_that("better choices of landmarks have smaller errors, and the seed decides", {
  clusters <- with_seed(2, rbind(
    matrix(rnorm(1200, 0, 0.05), 600), matrix(rnorm(60, 3, 0.3), 30), matrix(rnorm(60, -3, 0.3), 30)
  ))
  y <- factor(with_seed(3, sample(2, 660, TRUE)))
  error <- function(landmarks, seed = 1) {
    with_seed(seed, fit <- mkl(clusters, y, scale = FALSE, kernels = kernel_rbf(c(0.3, 0.6)),
                               learner = "average", approximate = nystrom(30, landmarks)))
    mean(fit$approximation$error)
  }
  uniform <- error("uniform")
  expect_lt(error("kmeans++"), 0.2 * uniform)
  expect_lt(error("rpcholesky"), 0.2 * uniform)
  expect_identical(error("rpcholesky"), error("rpcholesky"))
  expect_false(error("uniform", 2) == uniform)
})

test_that("threads and instruction sets change nothing", {
  y <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])
  fit <- function(threads, landmarks) {
    control <- mkl_control(threads = threads)
    with_seed(1, mkl(x, y, learner = "simplemkl", kernels = kernels,
                     approximate = nystrom(35, landmarks), control = control))
  }
  for (landmarks in c("uniform", "kmeans++", "rpcholesky")) {
    one <- fit(1, landmarks)
    expect_identical(essence(fit(4, landmarks)), essence(one))
  }
})

test_that("predictions, storage, updates and resampling work as for exact fits", {
  fit <- mkl(x, d$y, kernels = kernel_rbf(1), learner = learner_svm(10), approximate = nystrom(30))
  expect_equal(predict(fit, x, type = "decision"), predict(fit, type = "decision"),
               tolerance = 1e-9, ignore_attr = TRUE)
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), x[1:5, ]), predict(fit, x[1:5, ]))
  more <- update(fit, approximate = nystrom(60))
  expect_lt(more$approximation$error, fit$approximation$error)
  cv <- cv_mkl(x, d$y, learner = learner_svm(10), folds = 3, approximate = nystrom(40))
  expect_gt(cv$summary$mean[1], 0.7)
  part <- cv_mkl(x, d$y, folds = 3, approximate = nystrom(landmarks = landmarks))
  expect_gt(part$summary$mean[1], 0.7)
  with_seed(1, tuned <- tune_mkl(x, d$y, learner = "svm", grid = list(cost = c(1, 10)), folds = 2,
                                 approximate = nystrom(30)))
  expect_identical(nrow(tuned$summary), 2L)
  # Matrices instead of columns.
  k <- kernel_matrix(kernel_rbf(1), x)
  by_matrix <- mkl(list(k = k), d$y, approximate = nystrom(landmarks = landmarks))
  by_columns <- mkl(x, d$y, kernels = kernel_rbf(1), scale = FALSE,
                    approximate = nystrom(landmarks = landmarks))
  expect_equal(unname(predict(by_matrix, list(k = k), type = "decision")),
               unname(predict(by_columns, x, type = "decision")), tolerance = 1e-6)
})

test_that("repeated and dependent landmarks are left out", {
  twice <- rbind(x, x)
  y <- rep(d$y, 2)
  fit <- mkl(twice, y, kernels = kernel_rbf(1), approximate = nystrom(landmarks = c(1:30, 241:270)))
  same <- mkl(twice, y, kernels = kernel_rbf(1), approximate = nystrom(landmarks = 1:30))
  expect_equal(objective(fit), objective(same), tolerance = 1e-3)
  # A linear kernel of three columns has three features.
  linear <- mkl(x, d$y, kernels = kernel_linear(), approximate = nystrom(100), control = tight)
  expect_length(support(linear), 3)
  exact <- mkl(x, d$y, kernels = kernel_linear(), control = tight)
  expect_equal(objective(linear), objective(exact), tolerance = 1e-6)
})

test_that("the part of an indefinite kernel that is left out is told", {
  k <- with_seed(1, crossprod(matrix(rnorm(1600), 40)) / 40)
  k <- k - diag(0.5, 40)
  y <- factor(rep(c("a", "b"), 20))
  expect_warning(
    fit <- mkl(list(k = k), y, approximate = nystrom(landmarks = 1:20)), "leaves out a part",
    class = "multikernel_indefinite"
  )
  expect_gt(fit$approximation$error, 0.5)
  # neither a kernel of low rank nor one that was rounded
  low <- with_seed(2, tcrossprod(matrix(rnorm(80), 40)))
  for (matrix in list(low, round(low, 8))) {
    expect_no_warning(mkl(list(k = matrix), y, approximate = nystrom(20)))
  }
})

test_that("contributions of kernels and views add up for approximated fits", {
  parts <- views(one = x[, 1, drop = FALSE], two = x[, -1, drop = FALSE])
  three <- factor(cut(x[, 1], 3, labels = c("u", "v", "w")))
  for (y in list(d$y, three, x[, 1])) {
    fit <- simplemkl(parts, y, approximate = nystrom(30))
    for (by in c("kernel", "view")) {
      terms <- predict(fit, parts, type = "terms", by = by)
      decision <- as.matrix(predict(fit, parts, type = "decision"))
      constant <- rep(attr(terms, "constant"), each = nrow(x))
      sums <- apply(array(terms, c(dim(terms), 1)[1:3]), c(1, 3), sum) + constant
      expect_lt(max(abs(sums - decision)), 1e-10 * max(1, abs(decision)))
    }
  }
  # Landmarks are no training cases that pull.
  why <- explain_case(fit, views(one = x[1, 1, drop = FALSE], two = x[1, -1, drop = FALSE]))
  expect_null(why$cases)
  expect_equal(sum(why$terms$contribution) + why$constant, unname(why$decision))
  expect_output(print(why), "Contributions of the views")
})

test_that("what cannot be approximated is an error that says so", {
  fit <- function(...) mkl(x, d$y, ...)
  expect_mkl_error(fit(approximate = nystrom(241)), "at most", "m")
  expect_mkl_error(fit(approximate = nystrom(landmarks = c(3, 300))), "row numbers up to 240",
                   "landmarks")
  expect_mkl_error(fit(approximate = 100), "nystrom", "approximate")
  expect_mkl_error(fit(approximate = nystrom(9), normalize = "center"), "cosine", "approximate")
  expect_mkl_error(fit(approximate = nystrom(9), kernels = kernel_label_based(kernel_rbf(1))),
                   "label-based", "approximate")
  expect_mkl_error(nystrom(), "number of landmarks", "m")
  for (m in list(0, -1, 1.5, NA, "a", c(1, 2), Inf)) expect_mkl_error(nystrom(m), argument = "m")
  expect_mkl_error(nystrom(10, "best"), argument = "landmarks")
  expect_mkl_error(nystrom(landmarks = c(1, 1)), "more than once", "landmarks")
  expect_mkl_error(nystrom(landmarks = 0:3), argument = "landmarks")
  for (m in list(3, NA, c(4, 4), "four")) {
    expect_mkl_error(nystrom(m, landmarks = 1:4), argument = "m")
  }
  expect_identical(nystrom(4, landmarks = 1:4), nystrom(landmarks = 1:4))
  expect_output(print(nystrom(10)), "nystrom\\(10, landmarks = \"uniform\"\\)")
  expect_output(print(nystrom(landmarks = 1:3)), "3 rows")
})
