# What the package offers for every fit, on approximated fits of the learners that have models or
# maps of their own.

d <- hard_rows(150, 3)
x <- scale(d$x)
three <- factor(c("a", "b", "c")[1 + (x[, 1] > 0.4) + (x[, 2] > 0)])
two <- kernel_rbf(c(0.5, 1))
learners <- list(
  learner_mkboost("D2", trials = 4), learner_mkboost("S1", trials = 4),
  learner_svm_concatenated(10), learner_multik_mhks(), learner_average(5, loss = "squared"),
  learner_simplemkl(5, loss = "squared")
)
ways <- list(nystrom(20), random_features(20))
fit_seeded <- function(...) with_seed(1, mkl(x, three, kernels = two, scale = FALSE, ...))

test_that("classes, probabilities, terms, storage and threads are those of every fit", {
  for (learner in learners) {
    for (way in ways) {
      for (reduction in c("one_vs_one", "one_vs_rest")) {
        fit <- function(threads) {
          fit_seeded(learner = learner, approximate = way, multiclass = reduction,
                     probability = TRUE, control = mkl_control(threads = threads))
        }
        one <- fit(1)
        expect_identical(essence(fit(3)), essence(one), label = format(learner))
        decision <- predict(one, x, type = "decision")
        expect_equal(decision, predict(one, type = "decision"), tolerance = 1e-7,
                     ignore_attr = TRUE)
        expect_gt(mean(predict(one, x) == three), 0.5)
        prob <- predict(one, x[1:9, ], type = "prob")
        expect_equal(unname(rowSums(prob)), rep(1, 9))
        file <- tempfile(fileext = ".rds")
        saveRDS(one, file)
        expect_identical(predict(readRDS(file), x[1:9, ], type = "prob"), prob)
      }
      binary <- with_seed(1, mkl(x, d$y, kernels = two, learner = learner, approximate = way))
      terms <- predict(binary, x[1:9, ], type = "terms")
      expect_equal(unname(rowSums(terms)) + attr(terms, "constant"),
                   unname(predict(binary, x[1:9, ], type = "decision")), tolerance = 1e-7)
    }
  }
})

test_that("weights, resampling, tuning and other trials work", {
  for (way in ways) {
    for (learner in learners) {
      if (learner$costs) {
        fit <- fit_seeded(learner = learner, approximate = way, class_weights = "balanced")
        plain <- fit_seeded(learner = learner, approximate = way)
        expect_false(identical(fit$decision, plain$decision), label = format(learner))
      }
      with_seed(1, cv <- cv_mkl(x, d$y, learner = learner, kernels = two, folds = 3,
                                approximate = way))
      expect_gt(cv$summary$mean[1], 0.5)
    }
    boosted <- with_seed(1, mkl(x, d$y, learner = learners[[1]], kernels = two, approximate = way))
    shorter <- with_seed(1, mkl(x, d$y, learner = learner_mkboost("D2", trials = 2), kernels = two,
                                approximate = way))
    expect_identical(predict(boosted, x, type = "decision", trials = 2),
                     predict(shorter, x, type = "decision"))
    expect_identical(nrow(boosting_path(boosted)), 4L)
    with_seed(1, tuned <- tune_mkl(
      x, d$y, learner = learner_mkboost("D1", trials = 4), kernels = two, folds = 2,
      grid = list(trials = c(2, 4)), approximate = way
    ))
    expect_identical(nrow(tuned$summary), 2L)
  }
})

test_that("learners with an approximation of their own take one at a time", {
  near <- nystrom(20)
  expect_mkl_error(mkl(x, d$y, learner = learner_mhks(landmarks = 5), approximate = near),
                   "approximation of its own", "landmarks")
  expect_mkl_error(
    mkl(x, d$y, learner = learner_svm_concatenated(rank = 5), approximate = near),
    "approximation of its own", "rank"
  )
})

test_that("landmarks of svm_concatenated() give the svm on the same features", {
  rows <- hard_rows(1200, 3)
  z <- scale(rows$x)
  tight <- mkl_control(tol = 1e-6)
  own <- mkl(z, rows$y, learner = learner_svm_concatenated(5, landmarks = 24), kernels = two,
             control = tight)
  # Evenly spaced rows, as these landmarks are.
  known <- mkl(z, rows$y, learner = learner_svm(5, weights = c(1, 1)), kernels = two,
               normalize = "trace", control = tight,
               approximate = nystrom(landmarks = support(own)))
  expect_equal(objective(own), objective(known), tolerance = 1e-6)
  expect_equal(predict(own, z, type = "decision"), predict(known, z, type = "decision"),
               tolerance = 1e-4)
})
