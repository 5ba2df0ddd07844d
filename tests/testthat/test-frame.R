decide <- function(fit, ...) predict(fit, ..., type = "decision")

test_that("formula, data frame and matrix give the same fit", {
  d <- two_class()
  by_formula <- mkl(class ~ ., d$data)
  by_data <- mkl(d$data[1:3], d$y)
  by_matrix <- mkl(d$x, d$y)
  expect_equal(bare(decide(by_formula)), bare(decide(by_matrix)))
  expect_equal(bare(decide(by_data)), bare(decide(by_matrix)))
  expect_equal(bare(decide(by_formula, d$data)), bare(decide(by_matrix, d$x)))
  expect_equal(bare(decide(mkl(class ~ v1 + v2 + v3, d$data))), bare(decide(by_matrix)))
  expect_equal(bare(decide(mkl(class ~ . - v2, d$data))), bare(decide(mkl(d$x[, -2], d$y))))
})

test_that("variables may come from the environment of the formula", {
  d <- two_class()
  a <- d$x[, 1]
  b <- d$x[, 2]
  y <- d$y
  fit <- mkl(y ~ a + b)
  expect_equal(bare(decide(fit, data.frame(b = b, a = a))), bare(decide(mkl(d$x[, 1:2], y))))
  expect_mkl_error(predict(fit, data.frame(a = a)), "lacks the column `b`")
})

test_that("single values of the workspace are kept with the fit", {
  d <- two_class()
  fit <- local({
    power <- 2
    mkl(class ~ I(v1^power) + v2, d$data)
  })
  expect_equal(decide(fit, d$data), decide(fit))
})

test_that("terms are transformed as the formula says, with training statistics", {
  d <- two_class()
  shift <- transform(d$data, v1 = v1 + 10)
  fit <- mkl(class ~ log(v1) + v2:v3 + poly(v3, 2), shift, kernels = kernel_linear())
  x <- cbind(log(shift$v1), poly(shift$v3, 2), shift$v2 * shift$v3)
  direct <- mkl(x, d$y, kernels = kernel_linear())
  expect_equal(bare(decide(fit)), bare(decide(direct)), tolerance = 1e-4)
  expect_equal(decide(fit, shift[7:9, ]), decide(fit)[7:9])
})

test_that("the response may be transformed", {
  d <- numbers()
  d$data$out <- exp(d$data$out)
  fit <- mkl(log(out) ~ v1 + v2, d$data)
  expect_equal(bare(fitted(fit)), bare(fitted(mkl(d$x[, 1:2], log(d$data$out)))))
})

test_that("factors and text become full indicators that are not scaled", {
  d <- two_class()
  f <- factor(rep(c("a", "b", "c"), 20))
  data <- data.frame(v1 = d$x[, 1], f = f, class = d$y)
  fit <- mkl(class ~ ., data)
  expect_identical(ncol(fit$train), 4L)
  expect_setequal(unique(as.vector(fit$train[, 2:4])), c(0, 1))
  text <- transform(data, f = as.character(f))
  expect_equal(decide(mkl(class ~ ., text)), decide(fit))
  expect_equal(decide(fit, text), decide(fit))
  expect_equal(decide(mkl(data[1:2], d$y)), decide(fit))
  interaction <- mkl(class ~ f:v1, data)
  expect_identical(ncol(interaction$train), 3L)
  expect_equal(decide(interaction, data[5:9, ]), decide(interaction)[5:9])
})

test_that("logical and integer columns are numbers", {
  d <- two_class()
  data <- data.frame(a = d$x[, 1] > 0, b = as.integer(round(5 * d$x[, 2])))
  x <- cbind(a = as.numeric(data$a), b = as.numeric(data$b))
  expect_equal(bare(decide(mkl(data, d$y))), bare(decide(mkl(x, d$y))))
})

test_that("columns are matched by name and further ones ignored", {
  d <- two_class()
  fit <- mkl(class ~ ., d$data)
  shuffled <- cbind(other = "x", d$data[c(3, 1, 2)])
  expect_identical(decide(fit, shuffled), decide(fit, d$data))
  by_matrix <- mkl(d$x, d$y)
  expect_identical(decide(by_matrix, cbind(d$x[, 3:1], w = NA)), decide(by_matrix, d$x))
  expect_identical(bare(decide(by_matrix, shuffled)), bare(decide(by_matrix, d$x)))
  expect_identical(decide(by_matrix, unname(d$x)), decide(by_matrix, d$x))
  expect_equal(decide(mkl(d$data[1:3], d$y), d$x[, 3:1]), decide(by_matrix, d$x))
})

test_that("new data that do not fit are refused by name", {
  d <- two_class()
  data <- data.frame(d$data, f = rep(c("a", "b"), 30))
  fit <- mkl(class ~ ., data)
  expect_mkl_error(predict(fit, data[c("v1", "f")]), "lacks the columns `v2`, `v3`", "newdata")
  new <- data[1:3, ]
  new$f[2] <- "zebra"
  expect_mkl_error(predict(fit, new), "Column `f`.*\"zebra\" \\(first in row 2\\)", "f")
  new <- transform(data[1:3, ], v1 = "high")
  expect_mkl_error(predict(fit, new), "numeric at the fit", "v1")
  expect_mkl_error(predict(mkl(d$x, d$y), d$x[, 1:2]), "lacks the column `v3`")
  expect_mkl_error(predict(mkl(unname(d$x), d$y), unname(d$x)[, 1:2]), "2 columns.*made with 3")
  expect_mkl_error(predict(mkl(d$x, d$y), 1:3), "like the training data")
  expect_mkl_error(predict(fit, NULL), "NULL")
})

test_that("rows with missing values are dropped at the fit and NA at predict", {
  d <- two_class()
  data <- d$data
  data$v2[4] <- NA
  data$class[9] <- NA
  fit <- mkl(class ~ ., data)
  expect_equal(nobs(fit), 58L)
  expect_length(fitted(fit), 58L)
  expect_equal(decide(fit), decide(mkl(class ~ ., d$data[-c(4, 9), ])))
  expect_false(any(c(4, 9) %in% support(fit)))
  new <- decide(fit, data)
  expect_identical(bare(which(is.na(new))), 4L)
  expect_identical(bare(which(is.na(predict(fit, data)))), 4L)
  excluded <- mkl(class ~ ., data, na.action = na.exclude)
  expect_length(fitted(excluded), 60L)
  expect_identical(bare(which(is.na(fitted(excluded)))), c(4L, 9L))
  expect_mkl_error(mkl(class ~ ., data[-9, ], na.action = na.fail), "row 4 of column `v2`")
  expect_mkl_error(mkl(class ~ ., data[-4, ], na.action = "na.fail"), "missing value in row 8")
  expect_mkl_error(mkl(class ~ ., data, na.action = na.pass), argument = "na.action")
})

test_that("a matrix of kernels follows dropped rows", {
  d <- two_class()
  K <- tcrossprod(d$x)
  y <- d$y
  y[5] <- NA
  fit <- mkl(list(K = K), y)
  expect_equal(decide(fit), decide(mkl(list(K = K[-5, -5]), y[-5])))
  expect_equal(decide(fit, list(K = K[1:3, ])), decide(fit)[1:3])
})

test_that("scaling is that of the training rows and survives extreme units", {
  d <- two_class()
  strict <- mkl_control(tol = 1e-8)
  reference <- decide(mkl(d$x, d$y, control = strict), d$x[1:5, ])
  for (unit in c(1e-200, 1e-3, 1e6, 1e200)) {
    fit <- mkl(d$x * unit, d$y, control = strict)
    expect_equal(decide(fit, d$x[1:5, ] * unit), reference, tolerance = 1e-6)
  }
  expect_null(mkl(d$x, d$y, scale = FALSE)$frame$center)
  expect_equal(decide(mkl(scale(d$x), d$y, scale = FALSE, kernels = kernel_rbf(1))),
               decide(mkl(d$x, d$y, kernels = kernel_rbf(1))), tolerance = 1e-6)
})

test_that("constant columns do no harm", {
  d <- two_class()
  fit <- mkl(cbind(d$x, k = 0.1), d$y, kernels = kernel_rbf(1))
  plain <- mkl(d$x, d$y, kernels = kernel_rbf(1))
  expect_equal(decide(fit), decide(plain), tolerance = 1e-6)
  expect_equal(decide(fit, cbind(d$x, k = 0.1)), decide(plain), tolerance = 1e-6)
})

test_that("names and levels outside of ASCII work", {
  # elsewhere R itself cannot hold such names in a formula
  skip_if_not(l10n_info()[["UTF-8"]])
  d <- two_class()
  data <- data.frame(d$x, check.names = FALSE)
  names(data) <- c("gr\u00f6\u00dfe", "\u6f22", "my col")
  seasons <- c("hiver", "\u00e9t\u00e9")
  data$y <- factor(seasons[as.integer(d$y)], levels = seasons)
  fit <- mkl(y ~ ., data)
  expect_equal(bare(decide(fit, data)), bare(decide(mkl(d$x, d$y))), tolerance = 1e-6)
  expect_identical(levels(predict(fit, data)), levels(data$y))
})

test_that("tibbles are data frames", {
  skip_if_not_installed("tibble")
  d <- two_class()
  data <- tibble::as_tibble(d$data)
  fit <- mkl(class ~ ., data)
  expect_equal(decide(fit, data), decide(mkl(class ~ ., d$data)))
  expect_equal(decide(mkl(data[1:3], d$y), data), decide(fit))
})

test_that("sparse matrices are made dense for kernels that need it", {
  skip_if_not_installed("Matrix")
  d <- two_class()
  x <- d$x
  x[abs(x) < 0.3] <- 0
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  kernels <- kernel_laplacian(2)
  fit <- mkl(sparse, d$y, kernels = kernels)
  expect_equal(decide(fit, sparse), decide(mkl(x, d$y, kernels = kernels), x))
})

test_that("fits and predictions leave the data of the user as they were", {
  d <- numbers()
  colnames(d$x) <- letters[seq_len(ncol(d$x))]
  forms <- list(
    matrix = d$x, unnamed = unname(d$x), integer = round(d$x), data = as.data.frame(d$x)
  )
  storage.mode(forms$integer) <- "integer"
  for (name in names(forms)) {
    x <- forms[[name]]
    before <- unserialize(serialize(x, NULL))
    fit <- mkl(x, d$y)
    found <- predict(fit, x)
    expect_identical(x, before, info = name)
    expect_identical(mkl(x, d$y)$train, fit$train, info = name)
    expect_identical(predict(fit, x), found, info = name)
  }
  frame <- data.frame(d$x, y = d$y)
  before <- unserialize(serialize(frame, NULL))
  tuned <- tune_mkl(y ~ ., frame, grid = list(cost = c(1, 4)), folds = 3)
  expect_identical(refit(tuned)$train, refit(tuned)$train)
  expect_identical(frame, before)
})
