# Label-based kernels, written out in R for two classes. `x` as it is.
square_of <- function(x, sign, kernel, beta, normalize = "none") {
  k <- kernel_matrix(kernel, x, normalize = normalize)
  star <- unname((1 + outer(sign, sign) * exp(-beta * as.matrix(dist(x))^2 / ncol(x))) * k)
  list(plain = k, star = star, square = star %*% star)
}

lb_rows <- function(n = 50) {
  data <- two_class(n)
  list(x = scale(data$x), y = data$y, sign = ifelse(as.integer(data$y) == 2, 1, -1))
}

test_that("kernel_matrix() gives the square, and the mean of both labels for new rows", {
  d <- lb_rows()
  kernel <- kernel_polynomial(2)
  parts <- square_of(d$x, d$sign, kernel, 3)
  expect_equal(
    kernel_matrix(kernel_label_based(kernel, 3), d$x, y = d$y), parts$square, tolerance = 1e-12
  )
  z <- d$x[1:6, ] + 0.2
  k <- kernel_matrix(kernel, d$x, z)
  g <- exp(-3 * (outer(rowSums(z^2), rowSums(d$x^2), `+`) - 2 * tcrossprod(z, d$x)) / ncol(z))
  row <- function(label) ((1 + label * sweep(g, 2, d$sign, `*`)) * k) %*% parts$star
  expect_equal(
    kernel_matrix(kernel_label_based(kernel, 3), d$x, z, y = d$y), (row(1) + row(-1)) / 2,
    tolerance = 1e-10
  )
})

test_that("normalisers act before the labels and on the square", {
  d <- lb_rows()
  parts <- square_of(d$x, d$sign, kernel_linear(), 1, "trace")
  k <- kernel_matrix(kernel_label_based(kernel_linear(), 1), d$x, y = d$y, normalize = "trace")
  expect_equal(k, parts$square * nrow(d$x) / sum(diag(parts$square)), tolerance = 1e-12)
  expect_equal(mean(diag(k)), 1)
})

test_that("sets, several values of beta, weights, other codings of the labels", {
  d <- lb_rows()
  kernels <- c(kernel_label_based(kernel_rbf(sigma = 1:2), c(1, 5)), kernel_linear())
  expect_identical(
    names(kernels),
    c("label_based(rbf(sigma=1), beta=1)", "label_based(rbf(sigma=2), beta=1)",
      "label_based(rbf(sigma=1), beta=5)", "label_based(rbf(sigma=2), beta=5)", "linear")
  )
  all <- kernel_matrix(kernels, d$x, y = d$sign)
  expect_named(all, names(kernels))
  expect_equal(all[[4]], square_of(d$x, d$sign, kernel_rbf(2), 5)$square, tolerance = 1e-12)
  expect_identical(all$linear, kernel_matrix(kernel_linear(), d$x))
  weights <- c(1, 0, 2, 0, -1)
  expect_equal(
    kernel_matrix(kernels, d$x, y = d$y == levels(d$y)[2], weights = weights),
    Reduce(`+`, Map(`*`, weights, all)), tolerance = 1e-12
  )
})

test_that("mkl() on label-based kernels is the learner on their matrices", {
  d <- lb_rows(60)
  z <- d$x[1:9, ] + 0.1
  control <- mkl_control(tol = 1e-9)
  plain <- kernel_set(kernel_rbf(sigma = c(0.8, 2)))
  kernels <- kernel_label_based(plain, 4)
  matrices <- kernel_matrix(kernels, d$x, y = d$y, normalize = "trace")
  fresh <- kernel_matrix(kernels, d$x, z, y = d$y, normalize = "trace")
  learners <- list(
    learner_average(cost = 2), learner_easymkl(lambda = 0.3), learner_lpmkl(p = 2, cost = 2),
    learner_svm(cost = 2, weights = c(0.3, 0.7)), learner_multik_mhks(c = 1, lambda = 1),
    learner_komd(weights = c(1, 2))
  )
  for (learner in learners) {
    fit <- mkl(d$x, d$y, learner = learner, kernels = kernels, scale = FALSE, control = control)
    # the matrices are normalised already
    given <- mkl(matrices, d$y, learner = learner, normalize = "none", control = control)
    expect_equal(objective(fit), objective(given), tolerance = 1e-6, label = learner$name)
    expect_equal(
      predict(fit, z, type = "decision"), predict(given, fresh, type = "decision"),
      tolerance = 1e-5, label = learner$name
    )
    expect_equal(unname(coef(fit)), unname(coef(given)), tolerance = 1e-5, label = learner$name)
    expect_named(coef(fit), names(kernels))
    expect_equal(
      unname(rowMeans(predict(fit, z, type = "decision", both = TRUE))),
      predict(fit, z, type = "decision")
    )
  }
})

test_that("lb_svm() and lbmkl() are learners on label-based kernels", {
  two <- droplevels(iris[51:150, ])
  fit <- lb_svm(Species ~ ., two, kernels = kernel_rbf(2), beta = 3, cost = 5)
  same <- mkl(Species ~ ., two, learner = learner_svm(cost = 5),
              kernels = kernel_label_based(kernel_rbf(2), 3))
  expect_identical(predict(fit, two, type = "decision"), predict(same, two, type = "decision"))
  fit <- lbmkl(Species ~ ., two, kernels = kernel_rbf(sigma = 1:3), beta = 3)
  same <- mkl(Species ~ ., two, learner = learner_simplemkl(),
              kernels = kernel_label_based(kernel_rbf(sigma = 1:3), 3))
  expect_identical(unname(coef(fit)), unname(coef(same)))
  expect_output(print(same), "on label-based kernels")
})

test_that("plain and label-based kernels mix", {
  d <- lb_rows(60)
  kernels <- c(kernel_linear(), kernel_label_based(kernel_rbf(1.5), 2), kernel_rbf(3))
  control <- mkl_control(tol = 1e-9)
  fit <- mkl(d$x, d$y, learner = learner_average(), kernels = kernels, scale = FALSE,
             control = control)
  matrices <- kernel_matrix(kernels, d$x, y = d$y, normalize = "trace")
  given <- mkl(matrices, d$y, learner = learner_average(), normalize = "none", control = control)
  expect_equal(objective(fit), objective(given), tolerance = 1e-7)
  expect_equal(
    predict(fit, d$x[1:5, ], type = "decision"),
    predict(given, kernel_matrix(kernels, d$x, d$x[1:5, ], y = d$y, normalize = "trace"),
            type = "decision"),
    tolerance = 1e-5
  )
})

test_that("both limits of beta", {
  d <- lb_rows()
  # 0: rows of different classes have nothing in common
  zero <- kernel_matrix(kernel_label_based(kernel_rbf(1), 0), d$x, y = d$y)
  expect_true(all(zero[outer(d$sign, d$sign) < 0] == 0))
  # infinity: the diagonal is doubled and nothing else
  k <- kernel_matrix(kernel_rbf(1), d$x)
  far <- k + diag(diag(k))
  expect_equal(kernel_matrix(kernel_label_based(kernel_rbf(1), 1e9), d$x, y = d$y), far %*% far)
})

test_that("matrices alone: the distance is that of their mean", {
  d <- lb_rows(40)
  new <- 31:40
  train <- 1:30
  k <- kernel_matrix(kernel_set(a = kernel_rbf(1.5), b = kernel_polynomial(2)), d$x)
  own <- lapply(k, function(m) m[train, train])
  fresh <- lapply(k, function(m) structure(m[new, train], diagonal = diag(m)[new]))
  scaled <- lapply(k, function(m) m / mean(diag(m)[train]))
  average <- Reduce(`+`, scaled) / 2
  squared <- outer(diag(average), diag(average), `+`) - 2 * average
  sign <- d$sign[train]
  for (beta in c(0, 3, 1e9)) {
    fit <- lb_svm(own["a"], d$y[train], beta = beta, control = mkl_control(tol = 1e-9))
    alone <- scaled$a
    near <- exp(-beta * (outer(diag(alone), diag(alone), `+`) - 2 * alone))
    star <- ((1 + outer(sign, sign) * near[train, train]) * alone[train, train])
    square <- star %*% star
    svm <- mkl(list(square * 30 / sum(diag(square))), d$y[train], learner = learner_svm(1),
               control = mkl_control(tol = 1e-9))
    expect_equal(objective(fit), objective(svm), tolerance = 1e-7)
  }
  # two kernels, one distance; both labels need the new rows' similarity to themselves
  lb <- lbmkl(own, d$y[train], beta = 3, cost = 2, control = mkl_control(tol = 1e-9))
  weights <- coef(lb)
  near <- exp(-3 * squared)
  stars <- lapply(scaled, function(m) {
    (1 + outer(sign, sign) * near[train, train]) * m[train, train]
  })
  squares <- lapply(stars, function(s) s %*% s * 30 / sum(s^2))
  svm <- mkl(squares, d$y[train], learner = learner_svm(cost = 2, weights = unname(weights)),
             normalize = "none", control = mkl_control(tol = 1e-9))
  expect_equal(objective(lb), objective(svm), tolerance = 1e-5)
  beta <- numeric(30)
  beta[support(svm)] <- svm$models[[1]]$state$coefficients
  score <- function(label) {
    parts <- Map(function(m, s, w) {
      row <- (1 + label * sweep(near[new, train], 2, sign, `*`)) * m[new, train]
      w * 30 / sum(s^2) * drop(row %*% s %*% beta)
    }, scaled, stars, weights)
    Reduce(`+`, parts) + svm$models[[1]]$state$bias
  }
  both <- predict(lb, fresh, type = "decision", both = TRUE)
  expect_equal(unname(both[, 1]), unname(score(1)), tolerance = 1e-4)
  expect_equal(unname(both[, 2]), unname(score(-1)), tolerance = 1e-4)
  # without them the mean of the scores, which needs none
  bare <- lapply(fresh, function(m) `attr<-`(m, "diagonal", NULL))
  expect_equal(predict(lb, bare, type = "decision"), unname(rowMeans(both)), tolerance = 1e-9)
  expect_snapshot(error = TRUE, predict(lb, bare, type = "decision", both = TRUE))
})

test_that("label-based matrices keep their names for predict(), with missing rows and storage", {
  d <- lb_rows(40)
  k <- kernel_matrix(kernel_rbf(1.5), d$x)
  y <- d$y
  y[3] <- NA
  sharp <- mkl(d$x, y, kernels = kernel_label_based(kernel_precomputed(k), c(1, 4)),
               learner = learner_average(), scale = FALSE)
  expect_named(coef(sharp), c("label_based(k, beta=1)", "label_based(k, beta=4)"))
  direct <- mkl(d$x, y, kernels = kernel_label_based(kernel_rbf(1.5), c(1, 4)),
                learner = learner_average(), scale = FALSE)
  expect_equal(
    predict(sharp, d$x[1:4, ], type = "decision", precomputed = list(k = k[1:4, ])),
    predict(direct, d$x[1:4, ], type = "decision"), tolerance = 1e-8
  )
  alone <- mkl(list(k = k), y, learner = learner_lb_svm(beta = 2))
  file <- withr::local_tempfile()
  saveRDS(alone, file)
  fresh <- list(k = structure(k[1:4, ], diagonal = rep(1, 4)))
  expect_identical(
    predict(readRDS(file), fresh, type = "decision", both = TRUE),
    predict(alone, fresh, type = "decision", both = TRUE)
  )
  # rows 1, 2 and 4 are training rows; row 3, without a class, was dropped
  expect_equal(predict(alone, fresh, type = "decision")[-3], alone$decision[1:3, 1])
})

test_that("several classes and probabilities", {
  set.seed(1)
  fit <- mkl(Species ~ ., iris, kernels = kernel_label_based(kernel_rbf(2), 4),
             learner = learner_svm(cost = 10), probability = TRUE)
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.88)
  expect_equal(bare(rowSums(predict(fit, iris[c(1, 60, 120), ], type = "prob"))), rep(1, 3))
  # a random kernel: the same draw as without labels
  set.seed(2)
  one <- mkl(Species ~ ., iris, kernels = kernel_label_based(kernel_rbf(1:3), 4),
             learner = learner_random())
  set.seed(2)
  two <- mkl(Species ~ ., iris, kernels = kernel_rbf(1:3), learner = learner_random())
  expect_identical(kernel_weights(one)$weight, kernel_weights(two)$weight)
})

test_that("sparse features give what dense ones give", {
  skip_if_not_installed("Matrix")
  d <- lb_rows()
  d$x[abs(d$x) < 0.5] <- 0
  sparse <- methods::as(d$x, "CsparseMatrix")
  kernels <- kernel_label_based(c(kernel_rbf(sigma = 1), kernel_linear()), beta = 2)
  dense <- mkl(d$x, d$y, kernels = kernels, learner = learner_average(cost = 1))
  fit <- mkl(sparse, d$y, kernels = kernels, learner = learner_average(cost = 1))
  expect_equal(
    predict(fit, sparse, type = "decision", both = TRUE),
    predict(dense, d$x, type = "decision", both = TRUE), tolerance = 1e-2
  )
  expect_equal(
    kernel_matrix(kernels, sparse, y = d$y), kernel_matrix(kernels, d$x, y = d$y),
    tolerance = 1e-12
  )
})

test_that("points of a learner are as if they were fitted alone", {
  d <- lb_rows()
  tight <- mkl_control(tol = 1e-8)
  kernels <- kernel_label_based(kernel_rbf(sigma = 1), beta = 2)
  score <- function(costs) {
    set.seed(1)
    tune_mkl(d$x, d$y, kernels = kernels, learner = learner_average(), grid = list(cost = costs),
             folds = 3, control = tight)$results$accuracy
  }
  expect_equal(score(c(0.1, 10)), c(score(0.1), score(10)))
})

test_that("errors say where label-based kernels do not work", {
  d <- lb_rows(30)
  k <- kernel_label_based(kernel_rbf(1), 4)
  expect_snapshot(error = TRUE, {
    kernel_label_based(kernel_rbf(1), -1)
    kernel_label_based(kernel_rbf(1), NaN)
    kernel_label_based(kernel_rbf(1), "4")
    kernel_label_based(kernel_rbf)
    kernel_label_based("rbf")
    kernel_label_based(k)
    kernel_label_based(kernel_rbf_bags(5, 2, seed = 1))
    k * kernel_linear()
    kernel_matrix(k, d$x)
    kernel_matrix(k, d$x, y = d$y[-1])
    kernel_matrix(k, d$x, y = rep(c("a", "b", "c"), 10))
    kernel_matrix(k, d$x, y = rep("a", 30))
    kernel_matrix(k, d$x, y = seq_len(30) / 7)
    kernel_matrix(k, d$x, y = replace(d$y, 4, NA))
    kernel_matrix(kernel_rbf(1), d$x, y = d$y)
    kernel_matrix(k, d$x, y = d$y, normalize = "center")
    mkl(d$x, d$x[, 1], kernels = k)
    mkl(d$x, kernels = k)
    mkl(d$x, d$y, kernels = k, learner = learner_best())
    mkl(d$x, d$y, kernels = k, learner = learner_mkboost())
    mkl(d$x, d$y, kernels = k, learner = learner_lmkl())
    lbmkl(d$x, d$y, kernels = k)
    lb_svm(d$x, d$y, kernels = k)
    multik_mhks_path(d$x, d$y, kernels = k)
    empirical_map(k, d$x)
  })
})
