test_that("types have the shapes of base R", {
  d <- two_class()
  set.seed(1)
  fit <- mkl(class ~ ., d$data, probability = TRUE)
  expect_s3_class(predict(fit, d$data), "factor")
  expect_identical(levels(predict(fit, d$data)), c("no", "yes"))
  decision <- predict(fit, d$data, type = "decision")
  expect_true(is.numeric(decision) && is.null(dim(decision)))
  expect_identical(bare(predict(fit, d$data) == "yes"), bare(decision >= 0))
  prob <- predict(fit, d$data, type = "prob")
  expect_identical(dim(prob), c(60L, 2L))
  expect_identical(colnames(prob), c("no", "yes"))
  expect_equal(bare(rowSums(prob)), rep(1, 60))
  expect_gt(cor(prob[, "yes"], decision, method = "spearman"), 0.999)
})

test_that("several classes give named columns", {
  data <- three_class()
  set.seed(1)
  fit <- mkl(Species ~ ., data, probability = TRUE)
  expect_identical(
    colnames(predict(fit, data, type = "decision")),
    c("versicolor/setosa", "virginica/setosa", "virginica/versicolor")
  )
  prob <- predict(fit, data[1:7, ], type = "prob")
  expect_identical(colnames(prob), levels(data$Species))
  expect_equal(bare(rowSums(prob)), rep(1, 7))
  expect_gt(mean(levels(data$Species)[max.col(predict(fit, data, type = "prob"))] ==
                   predict(fit, data)), 0.9)
  rest <- mkl(Species ~ ., data, multiclass = "one_vs_rest")
  expect_identical(colnames(predict(rest, data, type = "decision")), levels(data$Species))
})

test_that("regression gives numbers, one-class logicals", {
  d <- numbers()
  fit <- mkl(d$x, d$y, learner = learner_svm(100))
  expect_equal(predict(fit, d$x), predict(fit, d$x, type = "decision"))
  expect_gt(cor(predict(fit, d$x), d$y), 0.9)
  one <- mkl(d$x, learner = learner_svm(nu = 0.2))
  inside <- predict(one, d$x)
  expect_type(inside, "logical")
  expect_lte(mean(!inside), 0.3)
  expect_false(predict(one, matrix(100, 1, 3)))
  expect_identical(inside, predict(one, d$x, type = "decision") >= 0)
})

test_that("without new data the training rows are predicted", {
  data <- three_class()
  fit <- mkl(Species ~ ., data)
  expect_identical(predict(fit), fitted(fit))
  expect_identical(predict(fit), predict(fit, data))
  expect_equal(predict(fit, type = "decision"), predict(fit, data, type = "decision"),
               tolerance = 1e-6)
})

test_that("no row, one row and all rows agree", {
  data <- three_class()
  set.seed(1)
  fit <- mkl(Species ~ ., data, probability = TRUE)
  all <- predict(fit, data, type = "decision")
  one <- do.call(rbind, lapply(c(2, 50), function(i) predict(fit, data[i, ], type = "decision")))
  expect_equal(one, all[c(2, 50), ], tolerance = 1e-10)
  expect_length(predict(fit, data[0, ]), 0L)
  expect_identical(levels(predict(fit, data[0, ])), levels(data$Species))
  expect_identical(dim(predict(fit, data[0, ], type = "prob")), c(0L, 3L))
  expect_identical(dim(predict(fit, data[0, ], type = "decision")), c(0L, 3L))
})

test_that("a fit without support vectors predicts its bias", {
  d <- numbers(30)
  flat <- rep(2, 30)
  picky <- kernel_function(function(x, z) {
    if (nrow(z) == 0) stop("no rows")
    tcrossprod(x, z)
  })
  for (kernels in list(kernel_rbf(1), picky, kernel_rbf(1) * picky)) {
    for (normalize in c("none", "trace", "cosine", "center")) {
      fit <- mkl(d$x, flat, kernels = kernels, normalize = normalize)
      expect_identical(support(fit), integer())
      expect_equal(predict(fit, d$x[1:3, ]), c(2, 2, 2))
      expect_output(print(fit), "0 of 30 rows")
    }
  }
  K <- tcrossprod(d$x) + 1
  new <- structure(K[1:3, ], diagonal = diag(K)[1:3])
  fit <- mkl(list(K = K), flat, normalize = "cosine")
  expect_equal(predict(fit, list(K = new)), c(2, 2, 2))
})

test_that("missing values give NA of the same length in every type", {
  data <- three_class()
  set.seed(1)
  fit <- mkl(Species ~ ., data, probability = TRUE)
  new <- data[1:6, ]
  new[2, 1] <- NA
  new[5, 3] <- NaN
  for (type in c("class", "prob", "decision")) {
    out <- predict(fit, new, type = type)
    missing <- if (is.matrix(out)) rowSums(is.na(out)) == ncol(out) else is.na(out)
    expect_identical(bare(which(missing)), c(2L, 5L))
    expect_identical(NROW(out), 6L)
  }
  new[] <- lapply(new, function(column) replace(column, TRUE, NA))
  expect_true(all(is.na(predict(fit, new))))
})

test_that("types that a fit does not have are refused", {
  d <- numbers()
  fit <- mkl(d$x, d$y)
  labels <- mkl(d$x, d$y > 0)
  expect_snapshot(error = TRUE, {
    predict(fit, d$x, type = "class")
    predict(labels, d$x, type = "response")
    predict(labels, d$x, type = "prob")
    predict(labels, d$x, type = "probability")
    predict(labels, d$x, tpye = "class")
    mkl(d$x, d$y, probability = TRUE)
  })
})

test_that("an infinite value is named", {
  d <- two_class()
  fit <- mkl(class ~ ., d$data)
  new <- d$data[1:4, ]
  new$v2[3] <- -Inf
  expect_mkl_error(predict(fit, new), "row 3 of column `v2` is -Inf", "newdata")
})

test_that("matrices of new rows are never ignored", {
  d <- two_class()
  k <- tcrossprod(d$x)
  dimnames(k) <- NULL
  part <- list(k = k[1:3, ])
  alone <- mkl(class ~ precomputed(k), d$data)
  right <- predict(alone, type = "decision")[1:3]
  expect_equal(bare(predict(alone, precomputed = part, type = "decision")), bare(right))
  expect_equal(bare(predict(alone, part, type = "decision")), bare(right))
  expect_equal(predict(alone, d$data[1:3, ], precomputed = part, type = "decision"), right)
  expect_mkl_error(predict(alone, d$data[1:4, ], precomputed = part), "3 new rows.* have 4")
  mixed <- mkl(class ~ precomputed(k) + linear(v1), d$data, learner = learner_average())
  expect_mkl_error(predict(mixed, precomputed = part), "also sees columns", "newdata")
  matrices <- mkl(list(k = k), d$y)
  expect_mkl_error(predict(matrices, precomputed = part), "as `newdata`", "precomputed")
  expect_mkl_error(predict(mkl(class ~ v1, d$data), d$data, precomputed = part), "has none",
                   "precomputed")
  none <- mkl(d$data[0], d$y, kernels = kernel_precomputed(k, name = "k"))
  expect_equal(predict(none, d$data[1:3, 0], precomputed = part, type = "decision"), right)
})

test_that("zero new rows by a matrix are zero predictions", {
  d <- two_class()
  k <- tcrossprod(d$x)
  dimnames(k) <- NULL
  fit <- mkl(class ~ precomputed(k), d$data)
  expect_length(predict(fit, list(k = k[0, , drop = FALSE])), 0)
})

test_that("new rows beyond the range of scaled numbers are named", {
  x <- matrix(sin(1:20), 10) * 1e-300
  fit <- mkl(x, rep(1:0, 5))
  far <- matrix(1e10, 1, 2)
  expect_mkl_error(predict(fit, far), "Column 1 of `newdata` holds 1e\\+10", "newdata")
})

test_that("pairs of classes with slashes have names of their own", {
  y <- factor(rep(c("a", "c", "a/b", "b/c"), 15), levels = c("c", "b/c", "a", "a/b"))
  fit <- mkl(two_class(60)$x, y, learner = learner_average())
  expect_false(anyDuplicated(colnames(predict(fit, type = "decision"))) > 0)
  expect_equal(c(tapply(tidy(fit)$share, tidy(fit)$model, sum)), rep(1, 6), ignore_attr = TRUE)
  # each pair is ranked by its own column
  decision <- predict(fit, type = "decision")
  area <- mean(apply(combn(levels(y), 2), 2, function(pair) {
    rows <- y %in% pair
    rank_auc(y[rows] == pair[2], decision[rows, paste(pair[2], "/", pair[1])])
  }))
  expect_equal(compute_metrics(y, list(decision = decision), "auc"), c(auc = area))
})
