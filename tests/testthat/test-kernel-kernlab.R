# As kernlab computes it, with no step in common with our core. From one matrix of all rows, as
# kernlab 0.9 fails on two with a tanhdot().
kernlab_gram <- function(kernel, x, z = x) {
  both <- as.double(kernlab::kernelMatrix(kernel, unname(rbind(x, z))))
  n <- nrow(x) + nrow(z)
  matrix(both, n, n)[seq_len(nrow(x)), nrow(x) + seq_len(nrow(z)), drop = FALSE]
}

twins <- function() {
  list(
    rbf = kernlab::rbfdot(0.3), poly = kernlab::polydot(3, 0.5, 2), linear = kernlab::vanilladot(),
    tanh = kernlab::tanhdot(0.2, -0.5), laplace = kernlab::laplacedot(0.7),
    anova = kernlab::anovadot(0.4, 2)
  )
}

test_that("kernels of kernlab with a twin here become that twin, to the last digits", {
  skip_if_not_installed("kernlab")
  d <- two_class(12)
  z <- two_class(20)$x[13:20, ]
  expected <- list(
    rbf = "rbf(gamma=0.3)", poly = "polynomial(degree=3, scale=0.5, offset=2)", linear = "linear",
    tanh = "sigmoid(scale=0.2, offset=-0.5)", laplace = "matern(nu=0.5, sigma=1.429)",
    anova = "anova(sigma=0.4, degree=2)"
  )
  for (name in names(expected)) {
    kernel <- twins()[[name]]
    expect_identical(names(kernel_set(kernel)), expected[[name]])
    # kernlab rounds distances to nine decimals before it takes their root.
    tolerance <- if (name == "laplace") 1e-4 else 1e-12
    expect_equal(kernel_matrix(kernel, d$x), kernlab_gram(kernel, d$x), tolerance = tolerance)
    expect_equal(kernel_matrix(kernel, d$x, z), kernlab_gram(kernel, z, d$x), tolerance = tolerance)
  }
  euclidean <- as.matrix(dist(d$x))
  expect_equal(
    kernel_matrix(kernlab::laplacedot(0.7), d$x), unname(exp(-0.7 * euclidean)), tolerance = 1e-12
  )
})

test_that("other kernels of kernlab are evaluated by it", {
  skip_if_not_installed("kernlab")
  d <- two_class(12)
  x <- abs(d$x)
  own <- function(x, y) sum(pmin(x, y))
  class(own) <- "kernel"
  others <- list(
    kernlab::besseldot(1, 1, 2), kernlab::splinedot(), kernlab::polydot(2, 1, -1),
    kernlab::polydot(2, -1, 1), kernlab::tanhdot(-0.5, 1), kernlab::anovadot(1, 1.5), own
  )
  names <- c(
    "besseldot(sigma=1, order=1, degree=2)", "splinedot", "polydot(degree=2, scale=1, offset=-1)",
    "polydot(degree=2, scale=-1, offset=1)", "tanhdot(scale=-0.5, offset=1)",
    "anovadot(sigma=1, degree=1.5)", "kernel"
  )
  expect_identical(names(do.call(kernel_set, others)), names)
  for (kernel in others) {
    expect_equal(kernel_matrix(kernel, x), kernlab_gram(kernel, x), tolerance = 1e-12)
    expect_equal(
      kernel_matrix(kernel, x, x[3, , drop = FALSE]), kernlab_gram(kernel, x[3, , drop = FALSE], x),
      tolerance = 1e-12
    )
  }
  expect_equal(kernel_matrix(own, x)[2, 5], sum(pmin(x[2, ], x[5, ])))
})

test_that("they fit, in sets, on columns and with names, as their twins do", {
  skip_if_not_installed("kernlab")
  d <- two_class()
  theirs <- mkl(d$x, d$y, kernels = kernlab::rbfdot(0.3), scale = FALSE)
  ours <- mkl(d$x, d$y, kernels = kernel_rbf(gamma = 0.3), scale = FALSE)
  expect_identical(
    predict(theirs, d$x, type = "decision"), predict(ours, d$x, type = "decision")
  )
  set <- list(kernlab::rbfdot(0.3), smooth = kernlab::splinedot(), kernel_linear())
  expect_identical(
    names(kernel_weights(mkl(d$x, d$y, kernels = set, learner = learner_average()))),
    c("rbf(gamma=0.3)", "smooth", "linear")
  )
  some <- kernel_function(kernlab::rbfdot(0.3), on = c("v1", "v3"), normalize = "cosine")
  expect_identical(some, kernel_rbf(gamma = 0.3, on = c("v1", "v3"), normalize = "cosine"))
  expect_identical(
    names(kernel_function(kernlab::splinedot(), on = "v2", name = "mine")), "mine(v2)"
  )
  expect_identical(
    names(kernel_product(kernlab::rbfdot(1), kernel_linear())), "rbf(gamma=1):linear"
  )
  # on new rows, from a file, on one row
  fit <- mkl(d$x, d$y, kernels = list(kernlab::besseldot()), normalize = "cosine")
  file <- tempfile()
  saveRDS(fit, file)
  expect_equal(
    predict(readRDS(file), d$x[7, , drop = FALSE], type = "decision"),
    predict(fit, type = "decision")[7], tolerance = 1e-8
  )
})

test_that("resampling, tuning, maps and label-based kernels take them", {
  skip_if_not_installed("kernlab")
  d <- two_class(40)
  strict <- mkl_control(tol = 1e-8)
  set.seed(1)
  theirs <- cv_mkl(d$x, d$y, kernels = kernlab::rbfdot(0.3), folds = 3, control = strict)
  set.seed(1)
  ours <- cv_mkl(d$x, d$y, kernels = kernel_rbf(gamma = 0.3), folds = 3, control = strict)
  expect_identical(theirs$summary, ours$summary)
  set.seed(1)
  tuned <- tune_mkl(
    d$x, d$y, kernels = kernlab::rbfdot(0.3), grid = list(cost = c(1, 10)), folds = 3
  )
  expect_identical(nrow(tidy(tuned)) > 0L, TRUE)
  expect_equal(
    predict(empirical_map(kernlab::rbfdot(0.3), d$x), d$x),
    predict(empirical_map(kernel_rbf(gamma = 0.3), d$x), d$x)
  )
  expect_identical(
    kernel_label_based(kernlab::vanilladot()), kernel_label_based(kernel_linear())
  )
})

test_that("a kernelMatrix is a kernel, not a table of columns", {
  skip_if_not_installed("kernlab")
  d <- two_class()
  gram <- kernlab::kernelMatrix(kernlab::rbfdot(0.3), d$x)
  fit <- mkl(gram, d$y)
  plain <- mkl(list(K1 = matrix(as.double(gram), nrow(gram))), d$y)
  expect_identical(fitted(fit), fitted(plain))
  new <- kernlab::kernelMatrix(kernlab::rbfdot(0.3), d$x[1:5, ], d$x)
  expect_equal(
    predict(fit, new, type = "decision"), predict(fit, type = "decision")[1:5], tolerance = 1e-6
  )
  expect_identical(names(kernel_set(gram)), "K1")
})

test_that("c() that begins with a kernel of kernlab makes a list that is understood", {
  skip_if_not_installed("kernlab")
  ours <- c(kernel_linear(), kernel_polynomial(2:3))
  mixed <- c(kernlab::rbfdot(1), ours)
  expect_type(mixed, "list")
  expected <- kernel_set(kernlab::rbfdot(1), ours)
  expect_identical(kernel_set(mixed), expected)
  d <- two_class()
  learner <- learner_average()
  expect_identical(
    fitted(mkl(d$x, d$y, learner = learner, kernels = mixed)),
    fitted(mkl(d$x, d$y, learner = learner, kernels = expected))
  )
  expect_identical(names(kernel_set(c(wide = kernlab::rbfdot(1), ours)))[1], "wide")
})

test_that("what cannot be a kernel of rows is named", {
  skip_if_not_installed("kernlab")
  expect_snapshot(error = TRUE, {
    kernel_set(kernlab::stringdot())
    kernel_set(kernlab::rbfdot(c(1, 2)))
    kernel_set(kernlab::polydot(degree = NA))
    mkl(Species ~ ., iris, kernels = kernlab::rbfdot)
  })
})
