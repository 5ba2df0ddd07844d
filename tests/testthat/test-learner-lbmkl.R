# Label-based kernels, written out in R for a two-class problem.
label_based <- function(x, y, kernel, beta, normalize = "trace") {
  k <- kernel_matrix(kernel, x, normalize = normalize)
  g <- exp(-beta * as.matrix(dist(x))^2 / ncol(x))
  star <- unname((1 + outer(y, y) * g) * k)
  square <- star %*% star
  factor <- nrow(x) / sum(diag(square))
  list(plain = k, near = unname(g), star = star, square = square * factor, factor = factor)
}

lb_data <- function(n = 60) {
  data <- two_class(n)
  list(x = scale(data$x), y = data$y, sign = ifelse(as.integer(data$y) == 2, 1, -1))
}

test_that("lb_svm() is an SVM on the square, with the product's extension to new rows", {
  d <- lb_data()
  parts <- label_based(d$x, d$sign, kernel_rbf(1.5), 3)
  control <- mkl_control(tol = 1e-9)
  fit <- lb_svm(d$x, d$y, kernels = kernel_rbf(1.5), beta = 3, cost = 2, scale = FALSE,
                control = control)
  svm <- mkl(list(k = parts$square), d$y, learner = learner_svm(cost = 2), control = control)
  expect_equal(objective(fit), objective(svm), tolerance = 1e-7)
  beta <- numeric(nrow(d$x))
  beta[support(svm)] <- svm$models[[1]]$state$coefficients
  z <- d$x[1:7, ] + 0.1
  k <- kernel_matrix(kernel_rbf(1.5), d$x, z, normalize = "trace")
  distance <- outer(rowSums(z^2), rowSums(d$x^2), `+`) - 2 * tcrossprod(z, d$x)
  g <- exp(-3 * distance / ncol(z))
  score <- function(label) {
    row <- (1 + label * sweep(g, 2, d$sign, `*`)) * k
    drop(row %*% parts$star %*% beta) * parts$factor + svm$models[[1]]$state$bias
  }
  both <- predict(fit, z, type = "decision", both = TRUE)
  expect_equal(unname(both[, 1]), score(1), tolerance = 1e-5)
  expect_equal(unname(both[, 2]), score(-1), tolerance = 1e-5)
  expect_equal(predict(fit, z, type = "decision"), unname(rowMeans(both)), tolerance = 1e-9)
})

test_that("lbmkl() is multiple kernel learning on the squares", {
  d <- lb_data()
  kernels <- kernel_rbf(sigma = c(0.7, 1.5, 4))
  squares <- lapply(c(0.7, 1.5, 4), function(s) label_based(d$x, d$sign, kernel_rbf(s), 2)$square)
  fit <- lbmkl(d$x, d$y, kernels = kernels, beta = 2, cost = 5, scale = FALSE,
               base = learner_simplemkl(gap = 1e-4), control = mkl_control(tol = 1e-7))
  expect_true(converged(fit))
  expect_lte(duality_gap(fit), 1e-4)
  expect_equal(sum(kernel_weights(fit)), 1, tolerance = 1e-8)
  expect_named(kernel_weights(fit), names(kernels))
  # J(d) on the simplex is nowhere lower
  j <- function(w) {
    objective(mkl(squares, d$y, learner = learner_svm(cost = 5, weights = w),
                  control = mkl_control(tol = 1e-7)))
  }
  set.seed(1)
  tried <- replicate(30, {
    w <- rexp(3)
    j(w / sum(w))
  })
  expect_true(all(tried >= objective(fit) * (1 - 1e-3)))
  expect_equal(j(unname(kernel_weights(fit))), objective(fit), tolerance = 1e-5)
})

test_that("any learner of kernel weights can be the base", {
  d <- lb_data()
  kernels <- kernel_rbf(sigma = c(0.7, 4))
  squares <- lapply(c(0.7, 4), function(s) label_based(d$x, d$sign, kernel_rbf(s), 2)$square)
  bases <- list(learner_silpmkl(gap = 1e-4), learner_lpmkl(p = 2, gap = 1e-4), learner_average())
  for (base in bases) {
    fit <- lbmkl(d$x, d$y, kernels = kernels, beta = 2, cost = 5, scale = FALSE, base = base)
    base$parameters$cost <- 5
    direct <- mkl(squares, d$y, learner = base, normalize = "none")
    expect_equal(objective(fit), objective(direct), tolerance = 1e-3)
    expect_equal(unname(coef(fit)), unname(coef(direct)), tolerance = 1e-2)
  }
  expect_snapshot(error = TRUE, {
    learner_lbmkl(base = "simplemkl")
    learner_lbmkl(base = learner_svm())
  })
})

test_that("both limits of beta", {
  d <- lb_data()
  # 0: the labels leak; a training row under its own label is always right
  leak <- lb_svm(d$x, d$y, kernels = kernel_rbf(1.5), beta = 0, cost = 10, scale = FALSE)
  parts <- label_based(d$x, d$sign, kernel_rbf(1.5), 0)
  own <- predict(leak, d$x, type = "decision", both = TRUE)
  expect_true(all(ifelse(d$sign > 0, own[, 1], -own[, 2]) > 0))
  expect_true(all(parts$star[outer(d$sign, d$sign) < 0] == 0))
  # infinity: the diagonal is doubled and nothing else
  far <- label_based(d$x, d$sign, kernel_rbf(1.5), 1e8)
  expect_equal(far$star, far$plain + diag(diag(far$plain)))
  fit <- lb_svm(d$x, d$y, kernels = kernel_rbf(1.5), beta = 1e8, scale = FALSE)
  svm <- mkl(list(far$square), d$y, learner = learner_svm(1))
  expect_equal(objective(fit), objective(svm), tolerance = 1e-4)
})

test_that("with beta 0 own labels separate even contradictory rows, predictions do not", {
  two <- droplevels(iris[51:150, ])
  twin <- two[1, ]
  twin$Species[] <- "virginica"
  two <- rbind(two, twin)
  own <- ifelse(two$Species == "virginica", 1, -1)
  x <- scale(two[1:4])
  expect_true(all(label_based(x, own, kernel_rbf(2), 0)$square[own > 0, own < 0] == 0))
  for (fitter in list(lb_svm, lbmkl)) {
    fit <- fitter(Species ~ ., two, beta = 0, cost = 100)
    both <- predict(fit, two, type = "decision", both = TRUE)
    expect_true(all(own * ifelse(own > 0, both[, "f+"], both[, "f-"]) > 0))
    # equal rows get equal predictions: one of them is wrong
    predicted <- predict(fit, two)
    expect_identical(predicted[[1]], predicted[[101]])
    expect_lte(mean(predicted == two$Species), 100 / 101)
    expect_identical(fitted(fit), predicted)
  }
  # a kernel that is not definite within the classes: x and -x in both of them
  x <- cbind(c(-1, 1, -2, 2))
  y <- factor(c("a", "a", "b", "b"))
  fit <- lb_svm(x, y, kernels = kernel_linear(), beta = 0, cost = 100, scale = FALSE)
  both <- predict(fit, x, type = "decision", both = TRUE)
  expect_lt(min(c(-1, -1, 1, 1) * both[cbind(1:4, c(2, 2, 1, 1))]), 1e-8)
})

test_that("several classes, probabilities, threads, storage", {
  fit <- lbmkl(Species ~ ., iris, kernels = kernel_rbf(sigma = c(1, 3)), beta = 4)
  expect_gt(mean(predict(fit, iris) == iris$Species), 0.9)
  expect_identical(levels(factor(kernel_weights(fit)$kernel)), c("rbf(sigma=1)", "rbf(sigma=3)"))
  expect_identical(ncol(predict(fit, iris[1:2, ], type = "decision", both = TRUE)), 6L)
  two <- lbmkl(Species ~ ., iris, kernels = kernel_rbf(sigma = c(1, 3)), beta = 4,
               control = mkl_control(threads = 2))
  expect_identical(predict(fit, iris, type = "decision"), predict(two, iris, type = "decision"))
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), iris[1:9, ]), predict(fit, iris[1:9, ]))
  set.seed(1)
  probable <- lb_svm(Species ~ ., droplevels(iris[51:150, ]), probability = TRUE)
  expect_equal(bare(rowSums(predict(probable, iris[51:60, ], type = "prob"))), rep(1, 10))
  expect_output(print(fit), "Label-based multiple kernel learning")
})

test_that("errors say what to do", {
  d <- lb_data()
  expect_snapshot(error = TRUE, {
    lb_svm(d$x, d$y, kernels = kernel_rbf(sigma = 1:2))
    lbmkl(d$x, d$y, normalize = "center")
    lbmkl(d$x, d$y, beta = -1)
    lbmkl(d$x, d$y, kernels = kernel_rbf_bags(10, 2, seed = 1))
    predict(lb_svm(d$x, d$y), d$x, both = TRUE)
    lbmkl(d$x, seq_along(d$y) + 0.5)
  })
})

test_that("a matrix may be one of the kernels if there are columns", {
  d <- lb_data()
  k <- kernel_matrix(kernel_rbf(1.5), d$x)
  plain <- lb_svm(d$x, d$y, kernels = kernel_rbf(1.5), scale = FALSE)
  given <- lb_svm(d$x, d$y, kernels = kernel_precomputed(k, name = "k"), scale = FALSE)
  expect_equal(objective(given), objective(plain))
  expect_equal(
    predict(given, d$x[1:5, ], type = "decision", precomputed = list(k = k[1:5, ])),
    predict(plain, d$x[1:5, ], type = "decision")
  )
})

test_that("the pictures show the eigenvectors of K, K* and K**", {
  d <- lb_data(40)
  fit <- lb_svm(d$x, d$y, kernels = kernel_rbf(1.5), beta = 3, scale = FALSE)
  parts <- label_based(d$x, d$sign, kernel_rbf(1.5), 3)
  shown <- eigen_panels(fit, 1)
  expect_identical(shown$class, 1L + (d$sign > 0))
  matrices <- list("K" = parts$plain, "K*" = parts$star, "K**" = parts$square)
  for (name in names(matrices)) {
    e <- eigen(matrices[[name]], symmetric = TRUE)
    expected <- e$vectors[, 1:2] %*% diag(sqrt(e$values[1:2]))
    panel <- shown$panels[[name]]
    expect_equal(abs(panel$points), abs(expected), tolerance = 1e-8)
    expect_equal(panel$share, e$values[1:2] / sum(pmax(e$values, 0)), tolerance = 1e-6)
  }
  # several kernels are added with their weights
  kernels <- kernel_rbf(sigma = c(0.7, 4))
  two <- lbmkl(d$x, d$y, kernels = kernels, beta = 3, base = learner_average(), scale = FALSE)
  squares <- lapply(c(0.7, 4), function(s) label_based(d$x, d$sign, kernel_rbf(s), 3)$square)
  mean <- (squares[[1]] + squares[[2]]) / 2
  expect_equal(eigen_panels(two, 1)$panels[["K**"]]$points^2,
               predict(empirical_map(mean, rank = 2))^2, tolerance = 1e-6)
})

test_that("an error about the task names the constructor", {
  d <- lb_data(40)
  expect_mkl_error(lb_svm(d$x, d$x[, 1]), "learner_lb_svm\\(\\) cannot do the task")
  expect_mkl_error(lbmkl(d$x, d$x[, 1]), "learner_lbmkl\\(\\) cannot do the task")
})

test_that("plot() of label-based fits", {
  withr::local_pdf(NULL)
  d <- lb_data(40)
  fit <- lb_svm(d$x[, 1:2], d$y, beta = 3)
  expect_named(eigen_panels(fit, 1)$panels, c("columns", "K", "K*", "K**"))
  expect_identical(plot(fit), fit)
  plot(fit, "weights")
  plot(fit, "boundary", data = d$x[, 1:2])
  expect_identical(support_points(fit)$class, 1L + (d$sign > 0))
  three <- lbmkl(Species ~ ., iris, kernels = kernel_rbf(sigma = c(1, 3)))
  plot(three, model = "virginica/setosa")
  expect_identical(eigen_panels(three, 2)$labels, c("setosa", "virginica"))
  expect_identical(table(eigen_panels(three, 2)$class)[["1"]], 50L)
  # plain kernels have no K*, and no part in the labels
  mixed <- mkl(d$x, d$y, learner = learner_average(), scale = FALSE,
               kernels = c(kernel_linear(), kernel_label_based(kernel_rbf(1), 2)))
  plot(mixed)
  k <- kernel_matrix(kernel_rbf(1), d$x)
  given <- lb_svm(list(k = k), d$y)
  plot(given) # weights
  expect_snapshot(error = TRUE, {
    plot(given, "eigen")
    plot(fit, "regions")
    plot(fit, model = 2)
    plot(three, model = "setosa")
  })
})
