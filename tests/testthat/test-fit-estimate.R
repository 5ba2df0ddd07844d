# Fits that take long: what they will cost, a message, progress.

set.seed(1)
x <- matrix(rnorm(6000 * 20), 6000)
y <- factor(ifelse(x[, 1] + rnorm(6000) > 0, "a", "b"))
some <- kernel_rbf(1:8)

# The message of a fit, which ends there.
announced <- function(expr, progress = TRUE) {
  old <- options(multikernel.progress = progress)
  on.exit(options(old))
  tryCatch(
    {
      setTimeLimit(elapsed = 0.5)
      expr
      "nothing"
    },
    multikernel_long_fit = identity, error = function(e) "nothing", finally = setTimeLimit()
  )
}

test_that("long fits say so: once, with size and estimate, if they are watched", {
  said <- announced(lmkl(x, y, kernels = some))
  expect_s3_class(said, c("multikernel_long_fit", "multikernel_message", "message"))
  expect_identical(said$rows, 6000L)
  expect_equal(said$kernels, 8)
  expect_gt(said$seconds, 10)
  expect_snapshot(cat(sub("about .*\\(", "about <time> (", conditionMessage(said))))
  # from every form of the data
  data <- data.frame(x, class = y)
  expect_s3_class(announced(lmkl(class ~ ., data, kernels = some)), "multikernel_long_fit")
  expect_s3_class(
    announced(multik_mhks(x[1:4000, ], y[1:4000], kernels = some)), "multikernel_long_fit"
  )
  # short fits, scripts, and users who do not want to know
  expect_identical(announced(mkl(x[1:200, ], y[1:200], kernels = some)), "nothing")
  expect_identical(announced(lmkl(x, y, kernels = some), progress = NULL), "nothing")
  expect_identical(announced(lmkl(x, y, kernels = some), progress = FALSE), "nothing")
  expect_silent(announced(suppressMessages(lmkl(x, y, kernels = some))))
  expect_identical(
    announced(cv_mkl(x, y, kernels = some, learner = learner_lmkl())), "nothing"
  ) # it has a bar of its own
})

test_that("long fits signal progress to progressr", {
  skip_if_not_installed("progressr")
  old <- options(progressr.enable = TRUE)
  on.exit({
    options(old)
    setTimeLimit()
  })
  steps <- function(expr) {
    steps <- 0
    tryCatch(
      withCallingHandlers(
        {
          setTimeLimit(elapsed = 5)
          expr
        },
        progression = function(p) {
          if (identical(p$type, "update")) steps <<- steps + p$amount
          tryInvokeRestart("muffleProgression")
        }
      ),
      error = function(e) NULL, finally = setTimeLimit()
    )
    steps
  }
  for (threads in 1:2) {
    seen <- steps(lmkl(x[1:4000, ], y[1:4000], kernels = some,
                       control = mkl_control(threads = threads)))
    expect_gt(seen, 0)
    expect_lt(seen, 100)
  }
  expect_identical(steps(mkl(x[1:200, ], y[1:200])), 0)
})

test_that("estimates grow as the work does", {
  estimate <- function(n, kernels = 5, classes = 2, learner = learner_simplemkl(), threads = 1,
                       probability = FALSE) {
    problem <- list(
      n = n, classes = classes, multiclass = "one_vs_one", probability = probability
    )
    multikernel:::estimate_seconds(list(learner), n, 10, kernels, problem, threads)
  }
  expect_equal(estimate(2000) / estimate(1000), 4)
  expect_equal(estimate(1000, kernels = 10) / estimate(1000), 2)
  cubic <- learner_lbmkl()
  expect_equal(estimate(2000, learner = cubic) / estimate(1000, learner = cubic), 8,
               tolerance = 0.2)
  expect_equal(estimate(1000, threads = 4), estimate(1000) / 4)
  expect_gt(estimate(1000, probability = TRUE), 4 * estimate(1000))
  expect_gt(estimate(1000, classes = 4), estimate(1000))
  format_duration <- multikernel:::format_duration
  expect_identical(
    vapply(c(12, 75, 119, 1000, 7300), format_duration, ""),
    c("10 seconds", "80 seconds", "2 minutes", "20 minutes", "2 hours")
  )
})

test_that("fits that look hopeless name an approximation with its time and memory", {
  problem <- list(classes = 2, multiclass = "one_vs_one", probability = FALSE)
  hint <- function(learner, n, kernels, seconds) {
    multikernel:::quicker_fit(list(learner), n, kernels, problem, seconds, 1)
  }
  svm <- learner_svm()
  # 8.8 bytes for each row and landmark; 2e-10 seconds for each row and pair of landmarks
  expect_match(
    hint(svm, 1e5, 1, 1e4),
    "`approximate = nystrom\\(500\\)` takes about 5 seconds and 0.4 GB; .* takes 80 GB"
  )
  expect_match(hint(svm, 1e6, 1, 1e6), "50 seconds and 4.4 GB \\(raise `memory`")
  expect_null(hint(svm, 1e5, 1, 500)) # not hopeless
  expect_null(hint(learner_lmkl(), 1e5, 1, 1e4)) # not able to
  expect_null(hint(svm, 1e5, 40, 1e4)) # not much quicker
  # The message of a fit, which ends there; of an approximated one, only its own time.
  n <- 120000
  one <- mkl_control(threads = 1)
  big <- matrix(rnorm(n), n)
  labels <- factor(rep(c("a", "b"), n / 2))
  said <- announced(mkl(big, labels, learner = "simplemkl", kernels = kernel_rbf(1:4),
                        control = one))
  expect_match(conditionMessage(said), "nystrom\\(500\\)")
  said <- announced(mkl(big, labels, learner = "simplemkl", kernels = kernel_rbf(1:4),
                        approximate = nystrom(1000), control = one))
  expect_gt(said$seconds, 10)
  expect_no_match(conditionMessage(said), "nystrom")
})
