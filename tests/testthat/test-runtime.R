# The surroundings of a computation: memory that is not there, threads that fail, traces.

d <- hard_rows(150, 4)
three <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])

test_that("an error in one of several threads is an error of the package, and threads go on", {
  two <- mkl_control(threads = 2)
  # each pair of classes is fitted by a thread of its own, and finds values that are not finite
  for (learner in list(learner_svm(), learner_average(), learner_random(), learner_best())) {
    expect_mkl_error(
      mkl(d$x * 1e200, three, kernels = kernel_linear(), normalize = "none", scale = FALSE,
          learner = learner, control = two),
      "`linear` has values that are not finite", "linear"
    )
  }
  # a kernel that each thread finds wanting while it fills its part of the matrix
  expect_mkl_error(kernel_matrix(kernel_polynomial(900), 10 * d$x, control = two), "polynomial")
  expect_identical(essence(mkl(d$x, three, control = two)), essence(mkl(d$x, three)))
})

test_that("a lack of memory is an error of the package that leaves R usable", {
  skip_on_os(c("windows", "mac"))
  skip_unless_installed()
  said <- run_fresh(c(
    "set.seed(1)",
    "x <- matrix(rnorm(60000), 30000)",
    "y <- factor(x[, 1] > 0)",
    "greedy <- function(threads) mkl_control(memory = '100GB', threads = threads)",
    "said <- function(expr) tryCatch({ expr; 'no error' }, error = function(e) {",
    "  c(class(e)[1], conditionMessage(e))",
    "})",
    "list(",
    "  one = said(mkl(x, y, kernels = kernel_rbf(1), control = greedy(1))),",
    "  two = said(mkl(x, y, kernels = kernel_rbf(1), control = greedy(2))),",
    "  matrix = said(kernel_matrix(kernel_rbf(1), x, control = greedy(1))),",
    "  after = mean(fitted(mkl(x[1:200, ], y[1:200])) == y[1:200])",
    ")"
  ), before = "ulimit -v 4000000")
  for (fit in said[c("one", "two")]) {
    expect_identical(fit[1], "multikernel_core_error")
    expect_match(fit[2], "Not enough memory.*`memory` in mkl_control")
  }
  expect_match(said$matrix[2], "memory|allocate")
  expect_gt(said$after, 0.9)
})

test_that("verbose fits trace the solver on stderr, and say nothing otherwise", {
  skip_unless_installed()
  # text of the core goes past the connections of R: it is caught by the shell
  trace <- function(verbose) {
    file <- tempfile()
    on.exit(unlink(file))
    run_fresh(c(
      "x <- as.matrix(iris[, 1:4])",
      sprintf("fit <- mkl(x, iris[, 5], control = mkl_control(verbose = %s))", verbose),
      "NULL"
    ), before = paste("exec 2>", shQuote(file)))
    readLines(file)
  }
  loud <- grep("^smo: ", trace(TRUE), value = TRUE)
  expect_length(grep("converged after [0-9]+ iterations, objective .*, gap ", loud), 3L)
  expect_identical(trace(FALSE), character())
})
