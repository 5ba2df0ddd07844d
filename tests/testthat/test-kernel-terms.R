decide <- function(fit, ...) predict(fit, ..., type = "decision")
average <- function(formula, data, ...) mkl(formula, data, learner = learner_average(), ...)

test_that("terms are kernels on their columns", {
  d <- two_class()
  fit <- average(class ~ rbf(v1, v2, sigma = 1) + linear(.) + polynomial(v3, degree = 2), d$data)
  expect_named(kernel_weights(fit),
               c("rbf(v1, v2, sigma=1)", "linear", "polynomial(v3, degree=2)"))
  direct <- mkl(d$x, d$y, learner = learner_average(), kernels = kernel_set(
    kernel_rbf(1, on = 1:2), kernel_linear(), kernel_polynomial(2, on = 3)
  ))
  expect_equal(bare(decide(fit)), bare(decide(direct)))
  expect_equal(bare(decide(fit, d$data[8:3, ])), bare(decide(direct)[8:3]))
})

test_that("one term needs no further kernels", {
  d <- two_class()
  expect_equal(bare(decide(mkl(class ~ rbf(., sigma = 2), d$data))),
               bare(decide(mkl(d$x, d$y, kernels = kernel_rbf(2)))))
})

test_that("grids, rules, transformations and dots work inside terms", {
  d <- two_class()
  width <- 3
  fit <- average(class ~ rbf(. - v2, sigma = c(1, width)) + rbf(exp(v1), sigma = "median"), d$data)
  expect_length(coef(fit), 3L)
  direct <- mkl(cbind(d$x, e = exp(d$x[, 1])), d$y, learner = learner_average(),
                kernels = c(kernel_rbf(c(1, 3), on = c(1, 3)), kernel_rbf("median", on = 4)))
  expect_equal(bare(decide(fit)), bare(decide(direct)), tolerance = 1e-6)
  expect_equal(decide(fit, d$data), decide(fit))
})

test_that("a colon multiplies", {
  d <- two_class()
  fit <- mkl(class ~ rbf(v1, sigma = 1):linear(v2, v3), d$data)
  direct <- mkl(d$x, d$y, kernels = kernel_rbf(1, on = 1) * kernel_linear(on = 2:3))
  expect_equal(bare(decide(fit)), bare(decide(direct)))
  expect_identical(names(coef(fit)), "rbf(v1, sigma=1):linear(v2, v3)")
})

test_that("factors may be columns of a term", {
  fit <- average(Species ~ linear(Sepal.Width) + rbf(size, sigma = 1),
                 transform(three_class(), size = cut(Sepal.Length, c(0, 5, 6, 9))))
  expect_identical(ncol(fit$train), 4L)
})

test_that("precomputed() finds new matrices in the new data only", {
  d <- two_class()
  K <- tcrossprod(d$x)
  fit <- average(class ~ rbf(., sigma = 1) + precomputed(K), d$data)
  new <- d$data[1:5, ]
  expect_mkl_error(predict(fit, new), "precomputed = list")
  new$K <- K[1:5, ]
  expect_equal(decide(fit, new), decide(fit)[1:5], tolerance = 1e-6)
  expect_equal(decide(fit, d$data[1:5, ], precomputed = list(K = K[1:5, ])), decide(fit, new))
  alone <- mkl(class ~ precomputed(K), d$data)
  expect_equal(bare(decide(alone, list(K = K[2:3, ]))), bare(decide(alone)[2:3]), tolerance = 1e-6)
})

# Constructors of kernels for text, graphs and the like see other columns.
reads_numbers <- function(constructor) {
  if ("graph" %in% names(formals(constructor))) return(FALSE)
  kernels <- tryCatch(unclass(constructor()), error = function(e) NULL)
  is.null(kernels) || "numbers" %in% kernels[[1L]]$reads
}

test_that("every constructor with columns is a term", {
  d <- two_class(30)
  constructors <- grep("^kernel_", getNamespaceExports("multikernel"), value = TRUE)
  constructors <- Filter(function(name) {
    f <- getExportedValue("multikernel", name)
    "on" %in% names(formals(f)) && name != "kernel_function" && reads_numbers(f)
  }, constructors)
  expect_gt(length(constructors), 8L)
  shifted <- transform(d$data, v1 = v1 + 9, v2 = v2 + 9, v3 = v3 + 9)
  shifted$text <- random_dna(30, 8)
  for (name in sub("^kernel_", "", constructors)) {
    constructor <- getExportedValue("multikernel", paste0("kernel_", name))
    arguments <- names(formals(constructor))
    # those with arguments that must be given are kernels of numbers
    reads <- tryCatch(unclass(constructor())[[1L]]$reads, error = function(e) "numbers")
    term <- paste0(
      name, if (identical(reads, "strings")) "(text" else "(v1, v2",
      if ("sigma" %in% arguments) ", sigma = 1", if ("n" %in% arguments) ", n = 3", ")"
    )
    formula <- stats::as.formula(paste("class ~", term))
    fit <- suppressWarnings(average(formula, shifted, scale = FALSE))
    expect_s3_class(fit, "mkl")
  }
})

test_that("plain terms besides kernel terms need kernels of their own", {
  d <- two_class()
  expect_snapshot(error = TRUE, mkl(class ~ v3 + rbf(v1, v2, sigma = 1), d$data))
  fit <- average(class ~ v3 + rbf(v1, v2, sigma = 1), d$data, kernels = kernel_linear())
  direct <- mkl(d$x, d$y, learner = learner_average(),
                kernels = kernel_set(kernel_linear(on = 3), kernel_rbf(1, on = 1:2)))
  expect_equal(bare(decide(fit)), bare(decide(direct)))
})

test_that("terms that have no meaning are refused with advice", {
  d <- two_class()
  expect_snapshot(error = TRUE, {
    mkl(class ~ v1 + offset(v2), d$data)
    mkl(class ~ linear(v1) + offset(v2), d$data)
    mkl(class ~ linear(v1) * rbf(v2, sigma = 1), d$data)
    mkl(class ~ polynomial(v1, 2), d$data)
    mkl(class ~ linear(), d$data)
    mkl(class ~ linear(on = "v1", v2), d$data)
    mkl(class ~ rbf(v1, sigma = nowhere), d$data)
    mkl(class ~ rbf(v1, sgima = 1), d$data)
    mkl(class ~ rbf(w1, sigma = 1), d$data)
    mkl(class ~ vv1, d$data)
    mkl(class ~ 1, d$data)
    mkl(class ~ precomputed(nowhere), d$data)
  })
})

test_that("an intercept means nothing", {
  d <- two_class()
  expect_equal(decide(mkl(class ~ . - 1, d$data)), decide(mkl(class ~ ., d$data)))
  expect_equal(decide(mkl(class ~ linear(.) + 0, d$data)), decide(mkl(class ~ linear(.), d$data)))
})

test_that("functions of the package that are no constructors are plain terms", {
  d <- two_class()
  set <- function(v) v^2
  expect_equal(decide(mkl(class ~ set(v1) + v2, d$data)), decide(mkl(class ~ I(v1^2) + v2, d$data)))
})

test_that("an interaction is the same in any order", {
  d <- two_class()$data
  one <- mkl(class ~ rbf(v1, v2, v1:v2, sigma = 1), d)
  two <- mkl(class ~ rbf(v1, v2, v2:v1, sigma = 1), d)
  expect_equal(predict(two, d, type = "decision"), predict(one, d, type = "decision"))
  expect_no_error(mkl(class ~ linear(v1) + rbf(v2 * v1, sigma = 1), d, learner = learner_average()))
})

test_that("what a kernel term would drop is an error", {
  d <- two_class()$data
  expect_mkl_error(mkl(class ~ linear(v1, offset(v2)), d), "offset")
  expect_mkl_error(mkl(class ~ rbf(v1, -v2, sigma = 1), d), "-v2 takes away")
  expect_no_error(mkl(class ~ rbf(. - v2, sigma = 1), d))
})

test_that("functions of a precomputed() term are those of the fit", {
  d <- two_class()
  far <- as.matrix(dist(d$x))
  dimnames(far) <- NULL
  fit <- local({
    near <- function(far) exp(-far)
    mkl(class ~ precomputed(near(far)), d$data)
  })
  near <- function(far) far # not this one
  expect_equal(
    bare(predict(fit, list(far = far), type = "decision")), bare(predict(fit, type = "decision"))
  )
  expect_mkl_error(predict(fit, list(far = "a")), "cannot be evaluated for the new rows", "newdata")
})

test_that("names of columns with colons are no interactions", {
  d <- two_class()
  x <- as.data.frame(d$x)
  names(x)[1:2] <- c("10:12", "13:14")
  expect_mkl_error(mkl(x, d$y, kernels = kernel_linear(on = "12:10")), "no column of that name")
})
