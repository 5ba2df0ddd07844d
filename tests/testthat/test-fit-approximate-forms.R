# The three forms that features are held in: the memory forces each of them, and each has to give
# the solution of the exact solver on the matrix of the features, written out.

d <- hard_rows(900, 3)
x <- scale(d$x)
landmarks <- seq(7, 900, by = 30)
n_landmarks <- length(landmarks)
kernel <- kernel_rbf(1)
whole <- kernel_matrix(kernel, x)
# K_nL K_LL^-1 K_Ln; the landmarks are different rows.
z <- whole[, landmarks] %*% backsolve(chol(whole[landmarks, landmarks]), diag(n_landmarks))
matrix_of_features <- tcrossprod(z)
bytes <- 1.1 * 8 * 900 * n_landmarks
memory <- c(double = 2 * bytes, single = 0.7 * bytes, anew = 0.4 * bytes)

near_fit <- function(form, learner, y = d$y, threads = 1, approximate = NULL, ...) {
  control <- mkl_control(tol = 1e-7, memory = memory[[form]], threads = threads)
  fit <- with_seed(1, mkl(
    x, y, kernels = kernel, learner = learner, scale = FALSE, control = control,
    approximate = if (is.null(approximate)) nystrom(landmarks = landmarks) else approximate, ...
  ))
  expect_identical(fit$approximation$form, form)
  fit
}

test_that("each form has the solution of the exact solver on the matrix of its features", {
  problems <- list(
    list(learner_svm(10), d$y), list(learner_svm(10, loss = "squared_hinge"), d$y),
    list(learner_svm(10), d$x[, 1]^2 + d$x[, 2]), list(learner_simplemkl(1, gap = 1e-7), d$y)
  )
  for (problem in problems) {
    exact <- mkl(list(k = matrix_of_features), problem[[2]], learner = problem[[1]],
                 normalize = "none", control = mkl_control(tol = 1e-7))
    for (form in names(memory)) {
      fit <- near_fit(form, problem[[1]], problem[[2]], normalize = "none")
      expect_same_solution(list(exact = exact, near = fit))
    }
  }
})

test_that("predictions, contributions and fitted values agree in each form", {
  for (approximate in list(nystrom(landmarks = landmarks), random_features(30))) {
    decisions <- lapply(names(memory), function(form) {
      fit <- near_fit(form, learner_svm(10), approximate = approximate)
      known <- as.vector(predict(fit, type = "decision"))
      expect_equal(as.vector(predict(fit, x, type = "decision")), known, tolerance = 1e-5)
      expect_equal(as.vector(fitted(fit)), as.vector(predict(fit)))
      terms <- predict(fit, x[1:9, ], type = "terms")
      expect_equal(unname(rowSums(terms) + attr(terms, "constant")), known[1:9], tolerance = 1e-5)
      known
    })
    expect_equal(decisions[[2]], decisions[[1]], tolerance = 1e-3)
    expect_equal(decisions[[3]], decisions[[1]], tolerance = 1e-3)
  }
})

test_that("one thread and two give the same bits in each form", {
  for (form in names(memory)) {
    for (approximate in list(nystrom(30, "rpcholesky"), random_features(30))) {
      fits <- lapply(1:2, function(threads) {
        near_fit(form, learner_svm(10), threads = threads, approximate = approximate)
      })
      expect_identical(essence(fits[[2]]), essence(fits[[1]]))
    }
  }
})

test_that("the summary says how the features were held", {
  said <- c(
    double = "stored in double precision", single = "stored in single precision",
    anew = "computed anew in each pass"
  )
  for (form in names(memory)) {
    fit <- near_fit(form, learner_svm(1))
    expect_match(capture.output(summary(fit)), said[[form]], fixed = TRUE, all = FALSE)
  }
})

test_that("folds and tuning work on features made anew", {
  control <- mkl_control(memory = memory[["anew"]])
  scores <- lapply(list(control, mkl_control()), function(control) {
    with_seed(4, cv_mkl(x, d$y, learner = learner_svm(10), kernels = kernel, folds = 3,
                        approximate = nystrom(30), control = control))$summary$mean[1]
  })
  expect_equal(scores[[1]], scores[[2]], tolerance = 0.01)
})

test_that("the forms agree for narrow kernels and for wide ones", {
  # The wide one has landmarks that are nearly sums of others.
  for (sigma in c(0.2, 30)) {
    objectives <- vapply(names(memory), function(form) {
      control <- mkl_control(tol = 1e-6, memory = memory[[form]])
      objective(mkl(x, d$y, kernels = kernel_rbf(sigma), learner = learner_svm(10),
                    control = control, approximate = nystrom(landmarks = landmarks)))
    }, 0)
    expect_equal(unname(objectives), rep(objectives[[1]], 3), tolerance = 1e-5)
  }
})
