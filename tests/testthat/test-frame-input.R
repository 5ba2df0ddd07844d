# Sparse data that become dense, and kernel matrices that are taken for features.

decide <- function(fit, ...) predict(fit, ..., type = "decision")

counted <- function(code, class) {
  seen <- 0L
  handler <- function(c) {
    seen <<- seen + 1L
    restart <- if (inherits(c, "message")) "muffleMessage" else "muffleWarning"
    invokeRestart(restart)
  }
  handlers <- stats::setNames(list(handler), class)
  do.call(withCallingHandlers, c(list(quote(code)), handlers), quote = FALSE)
  seen
}

# Another limit for the size of what is made dense, within a test.
local_dense_limit <- function(bytes, env = parent.frame()) {
  place <- asNamespace("multikernel")
  known <- place$dense_limit
  put <- function(value) {
    unlockBinding("dense_limit", place)
    assign("dense_limit", value, place)
    lockBinding("dense_limit", place)
  }
  put(function() bytes)
  withr::defer(put(known), envir = env)
}

test_that("large sparse matrices are mentioned when they become dense", {
  skip_if_not_installed("Matrix")
  d <- two_class()
  x <- d$x
  x[abs(x) < 0.3] <- 0
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  laplacian <- kernel_laplacian(2)
  fit <- mkl(sparse, d$y, kernels = laplacian)
  expect_no_message(predict(fit, sparse))
  bytes <- 8 * 60 * 3
  local_dense_limit(bytes)
  expect_no_message(mkl(sparse, d$y, kernels = laplacian))
  local_dense_limit(bytes - 1)
  message <- expect_message(
    mkl(sparse, d$y, kernels = laplacian), class = "multikernel_dense"
  )
  expect_identical(message$bytes, bytes)
  expect_match(conditionMessage(message), "`x` is sparse and is made dense")
  expect_message(predict(fit, sparse), "`newdata` is sparse", class = "multikernel_dense")
  expect_message(mkl(Matrix::Diagonal(60), d$y, kernels = laplacian), class = "multikernel_dense")
  expect_message(kernel_matrix(laplacian, sparse), class = "multikernel_dense")
  expect_no_message(mkl(x, d$y))
  dense_messages <- function(expr) counted(expr, "multikernel_dense")
  expect_identical(dense_messages(cv_mkl(sparse, d$y, kernels = laplacian, folds = 3)), 1L)
  expect_identical(dense_messages(
    tune_mkl(sparse, d$y, kernels = laplacian, folds = 2, grid = list(cost = 1:2))
  ), 1L)
  # The default kernels leave them sparse.
  tasks <- list(one = list(x = sparse, y = d$y))
  expect_identical(dense_messages(
    benchmark_mkl(tasks, learners = list(learner_svm()), resamples = resample_cv(2))
  ), 0L)
})

test_that("sparse matrices may be columns of a data frame", {
  skip_if_not_installed("Matrix")
  d <- two_class()
  dense <- data.frame(y = d$y)
  dense$m <- d$x
  sparse <- dense
  sparse$m <- Matrix::Matrix(d$x, sparse = TRUE)
  turned <- sparse
  turned$m <- sparse$m[, 3:1]
  for (form in c("formula", "columns")) {
    fit <- function(data) if (form == "formula") mkl(y ~ ., data) else mkl(data["m"], data$y)
    expect_identical(decide(fit(sparse), sparse), decide(fit(dense), dense))
    expect_identical(decide(fit(sparse), turned), decide(fit(dense), dense))
  }
  expect_no_message(mkl(y ~ ., sparse))
  local_dense_limit(8 * 60 * 3 - 1)
  expect_message(mkl(y ~ ., sparse), "`data` is sparse", class = "multikernel_dense")
  expect_message(mkl(sparse["m"], d$y), "`x` is sparse", class = "multikernel_dense")
  fit <- suppressMessages(mkl(y ~ ., sparse))
  expect_message(predict(fit, sparse), "`newdata` is sparse", class = "multikernel_dense")
  expect_identical(
    counted(cv_mkl(y ~ m + I(m[, 1]^2), sparse, folds = 3), "multikernel_dense"), 1L
  )
  expect_no_message(mkl(y ~ ., dense))
})

test_that("a formula fit takes a sparse matrix of new rows", {
  skip_if_not_installed("Matrix")
  d <- two_class()
  fit <- mkl(class ~ ., d$data)
  expect_identical(decide(fit, Matrix::Matrix(d$x, sparse = TRUE)), bare(decide(fit, d$data)))
})

test_that("sparse vectors of a data frame are counted", {
  skip_if_not_installed("sparsevctrs")
  d <- two_class()
  data <- d$data
  data$s <- sparsevctrs::sparse_double(c(1, 2), c(3L, 7L), 60L)
  expect_equal(decide(mkl(class ~ ., data), data),
               decide(mkl(class ~ ., transform(data, s = as.vector(s) + 0)), data))
  local_dense_limit(100)
  message <- expect_message(mkl(class ~ ., data), class = "multikernel_dense")
  expect_identical(message$bytes, 480)
})

# Kernel matrices ----------------------------------------------------------------------------------

test_that("a kernel matrix without its list is warned about", {
  d <- two_class(40)
  x <- d$x
  rownames(x) <- paste0("r", 1:40)
  grams <- list(
    tcrossprod(x), tcrossprod(unname(x)), unname(gauss(x, x, 1)), as.matrix(dist(x)),
    as.matrix(dist(unname(x)))
  )
  for (gram in grams) {
    expect_warning(mkl(gram, d$y), class = "multikernel_kernel_matrix")
    expect_identical(counted(easymkl(gram, d$y), "multikernel_kernel_matrix"), 1L)
    expect_identical(counted(cv_mkl(gram, d$y, folds = 3), "multikernel_kernel_matrix"), 1L)
    expect_identical(counted(
      tune_mkl(gram, d$y, folds = 2, grid = list(cost = 1:2)), "multikernel_kernel_matrix"
    ), 1L)
    expect_identical(counted(benchmark_mkl(
      list(one = list(x = gram, y = d$y)), learners = list(learner_svm(), learner_average()),
      resamples = resample_cv(2)
    ), "multikernel_kernel_matrix"), 1L)
    expect_no_warning(mkl(as.data.frame(gram), d$y))
  }
  expect_snapshot(fit <- mkl(grams[[1]], d$y))
  expect_snapshot(fit <- mkl(grams[[4]], d$y))
})

test_that("the fit on such a matrix is that on features", {
  d <- two_class(40)
  gram <- tcrossprod(d$x)
  fit <- suppressWarnings(mkl(gram, d$y), classes = "multikernel_kernel_matrix")
  expect_identical(decide(fit), bare(decide(mkl(as.data.frame(gram), d$y))))
})

test_that("square matrices of features are no kernel matrices", {
  d <- two_class(40, 40)
  expect_no_warning(mkl(d$x, d$y))
  expect_no_warning(mkl(unname(d$x), d$y))
  same <- d$x
  rownames(same) <- colnames(same)
  expect_no_warning(mkl(same, d$y))
  # indicators of rows, and neighbors in a graph
  expect_no_warning(mkl(diag(40), d$y))
  ring <- outer(1:40, 1:40, function(i, j) as.numeric(abs(i - j) %in% c(1, 39)))
  expect_no_warning(mkl(ring, d$y))
  symmetric <- d$x + t(d$x)
  expect_no_warning(mkl(unname(symmetric), d$y))
  # a wrong name, or one wrong entry, in a kernel matrix of some hundred rows
  gram <- tcrossprod(two_class(300)$x)
  odd <- gram
  odd[280, 290] <- odd[280, 290] + 0.1
  expect_false(is_symmetric(odd))
  odd[290, 280] <- odd[280, 290]
  odd[7, 9] <- odd[9, 7] <- NA
  expect_true(is_symmetric(odd))
  expect_true(is_symmetric(gram))
})

test_that("kernel matrices of kernlab are such in resampling too", {
  skip_if_not_installed("kernlab")
  d <- two_class(40)
  gram <- kernlab::kernelMatrix(kernlab::rbfdot(0.5), unname(d$x))
  folds <- rep(1:2, 20)
  expect_no_warning(by_class <- cv_mkl(gram, d$y, folds = folds))
  by_list <- cv_mkl(list(K = gauss(d$x, d$x, 1)), d$y, folds = folds)
  expect_equal(by_class$results$accuracy, by_list$results$accuracy)
  expect_identical(
    decide(mkl(gram, d$y)), decide(mkl(list(K1 = matrix(as.double(gram), 40)), d$y))
  )
})

test_that("objects of distances are an error with advice", {
  d <- two_class(40)
  expect_mkl_error(mkl(dist(d$x), d$y), "holds distances.*list\\(K = exp", "x")
  expect_mkl_error(cv_mkl(dist(d$x), d$y, folds = 2), "holds distances", "x")
})
