# setTimeLimit(): an ordinary error, within a second, that no part of the package takes for its own.

skip_on_cran()

set.seed(1)
x <- matrix(rnorm(6000 * 300), 6000)
y <- factor(ifelse(x[, 1] + rnorm(6000) > 0, "a", "b"))
one <- kernel_anova(1)
slow <- kernel_anova(2^(-5:5))

# Evaluates `expr` with a limit that it cannot keep; gives the condition that comes of it.
limited <- function(expr, limit = setTimeLimit, seconds = 0.3) {
  on.exit(setTimeLimit())
  started <- proc.time()[["elapsed"]]
  out <- tryCatch(
    {
      limit(elapsed = seconds)
      expr
      "finished"
    },
    error = identity, interrupt = identity
  )
  setSessionTimeLimit()
  setTimeLimit()
  expect_lt(proc.time()[["elapsed"]] - started, seconds + 1)
  out
}

# R looks at the limit of the session when the next computation starts.
session_limit <- function(elapsed) {
  setSessionTimeLimit(elapsed = elapsed)
  setTimeLimit()
}

expect_time_limit <- function(expr, ..., text = "reached elapsed time limit") {
  out <- limited(expr, ...)
  expect_s3_class(out, "error")
  expect_match(conditionMessage(out), text)
  expect_false(inherits(out, "multikernel_error"))
}

for (threads in 1:2) {
  control <- mkl_control(threads = threads)

  test_that(paste("fits, predictions, kernel matrices and maps,", threads, "threads"), {
    expect_time_limit(mkl(x, y, kernels = slow, learner = learner_average(), control = control))
    expect_time_limit(kernel_matrix(one, x, control = control))
    expect_time_limit(empirical_map(kernel_rbf(10), x[1:3000, ], control = control))
    fit <- mkl(x[1:300, ], y[1:300], kernels = slow, learner = learner_average(),
               control = control)
    expect_time_limit(predict(fit, x[rep(1:6000, 5), ]))
    # what was computed before the limit is gone, and the next fit is as good as ever
    expect_identical(
      predict(mkl(x[1:300, ], y[1:300], control = control), x[301:310, ]),
      predict(mkl(x[1:300, ], y[1:300]), x[301:310, ])
    )
  })
}

test_that("factors and products of large matrices are computed in pieces", {
  squared <- learner_average(loss = "squared")
  expect_time_limit(mkl(x, y, kernels = kernel_linear(), learner = squared), seconds = 1)
  wide <- x[rep(1:6000, 3), ]
  expect_time_limit(mkl(wide, rep(y, 3), kernels = kernel_rbf(c(10, 20)), learner = squared,
                        approximate = random_features(1500)), seconds = 1)
  some <- x[1:3000, 1:5]
  expect_time_limit(svm2k(some, y[1:3000], kernels = kernel_rbf(c(1, 3))), seconds = 1.5)
  views <- list(x[1:3000, ] %*% matrix(rnorm(300 * 1500), 300), matrix(rnorm(3000 * 1500), 3000))
  expect_time_limit(nmcca(views), seconds = 0.8)
  expect_time_limit(empirical_map(kernel_rbf(1), x[1:6000, 1:5], landmarks = 1500), seconds = 2)
})

test_that("cross-validation, tuning and benchmarks end as a whole", {
  expect_time_limit(cv_mkl(x[1:2000, ], y[1:2000], kernels = slow, learner = learner_average()))
  # a point or cell that fails is a part of the result: the time limit is no such failure
  expect_time_limit(tune_mkl(
    x[1:2000, ], y[1:2000], kernels = slow, learner = learner_average(),
    grid = list(cost = c(0.1, 1, 10))
  ))
  expect_time_limit(benchmark_mkl(
    tasks = list(one = list(x = x[1:2000, ], y = y[1:2000])),
    learners = list(average = list(learner = learner_average(), kernels = slow))
  ))
})

test_that("functions of the user and of other packages", {
  waiting <- kernel_function(function(x, z) {
    stop <- proc.time()[["elapsed"]] + 5
    while (proc.time()[["elapsed"]] < stop) sum(x)
    tcrossprod(x, z)
  })
  expect_time_limit(mkl(x[1:50, ], y[1:50], kernels = waiting))
  expect_time_limit(tune_mkl(
    x[1:50, ], y[1:50], kernels = waiting, learner = learner_svm(), grid = list(cost = 1:2)
  ))
})

test_that("the limit of the session, and that of R.utils", {
  expect_time_limit(
    kernel_matrix(one, x), limit = session_limit, text = "reached session elapsed time limit"
  )
  skip_if_not_installed("R.utils")
  out <- tryCatch(
    R.utils::withTimeout(kernel_matrix(one, x), timeout = 0.3), TimeoutException = identity
  )
  expect_s3_class(out, "TimeoutException")
})
