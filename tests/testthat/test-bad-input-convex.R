# Bad input to the methods that the papers compare with: every parameter out of range, NaN, NA,
# NULL, of length 2 or of another type is an error that names it; degenerate data and kernels end in
# finite decision values or in an error of the package.

shared <- list(
  cost = no_number(0, -1, Inf), gap = no_number(0, -1, Inf), epsilon = no_number(-1e-9, Inf),
  nu = no_number(0, 1.1, Inf), iterations = no_count()
)
wrong <- list(
  learner_simplemkl = c(shared, list(direction = no_choice())),
  learner_silpmkl = shared,
  learner_levelmkl = c(shared, list(level = no_number(0, 1, -0.1, Inf))),
  learner_glmkl = shared,
  learner_lpmkl = c(shared, list(p = no_number(0.999, 0, -2, Inf))),
  learner_gmkl = c(shared[c("cost", "epsilon", "nu", "iterations")], list(
    combine = no_choice(), regularizer = no_choice(), solver = no_choice(),
    lambda = no_number(0, -1, Inf), tolerance = no_number(0, -1, Inf)
  )),
  learner_svm2k = list(
    cost = no_number(0, -1, Inf), coupling = no_number(-1e-9, Inf), epsilon = no_number(-1e-9, Inf)
  ),
  learner_cca_mhks = list(
    combine = no_choice(), c = no_number(-1e-9, Inf), components = no_count(null = FALSE),
    kappa = no_number(-1e-9, Inf), rank = no_count(null = FALSE),
    landmarks = no_count(null = FALSE), rho = no_number(0, 1, -1, Inf),
    margin = no_number(-1e-9, Inf)
  ),
  learner_svm_concatenated = c(shared[c("cost", "epsilon", "nu")], list(
    rank = no_count(null = FALSE), landmarks = no_count(null = FALSE)
  )),
  learner_knn = list(k = no_count()),
  learner_lda = list(prior = no_choice())
)

test_that("every parameter is checked, by the learner and by its front door", {
  expect_parameters_checked(wrong)
})

# Degenerate data ----------------------------------------------------------------------------------

# Learners of all tasks, and those of two kernels and of classes alone.
every_task <- list(
  newton = learner_simplemkl(), gradient = learner_simplemkl(direction = "gradient"),
  silpmkl = learner_silpmkl(), levelmkl = learner_levelmkl(), glmkl = learner_glmkl(),
  lpmkl = learner_lpmkl(), nearly_1 = learner_lpmkl(p = 1.01), nearly_max = learner_lpmkl(p = 1e6),
  sum = learner_gmkl(regularizer = "l2"), projected = learner_gmkl("sum", "l2", "projected"),
  svm_concatenated = learner_svm_concatenated()
)
classes_only <- list(
  l1 = learner_gmkl(), svm2k = learner_svm2k(), apart = learner_svm2k(coupling = 0),
  cca_mhks = learner_cca_mhks(), vote = learner_cca_mhks("vote")
)
two_kernels <- function() kernel_set(kernel_rbf(1), kernel_linear())

# "fine" if decision values, as fitted and as of new rows, weights and the report are finite;
# "error" after an error of the package.
outcome <- function(learner, x, y, ...) {
  tryCatch(
    suppressWarnings({
      fit <- mkl(x, y, learner = learner, ...)
      new <- if (is.list(x)) numeric() else predict(fit, x, type = "decision")
      report <- fit$models[[1]]$report
      all_of_it <- c(new, fit$decision, coef(fit), report$objective, report$path)
      if (all(is.finite(all_of_it))) "fine" else "not finite"
    }, classes = "multikernel_warning"),
    multikernel_error = function(e) "error"
  )
}

# In classification, regression and one-class problems.
expect_survival <- function(x, y, ..., response = seq_along(y) / length(y), must = TRUE) {
  allowed <- c("fine", if (!must) "error")
  for (learner in c(every_task, classes_only)) {
    expect_true(outcome(learner, x, y, ...) %in% allowed, label = format(learner))
  }
  for (learner in every_task) {
    expect_true(outcome(learner, x, response, ...) %in% allowed, label = format(learner))
    expect_true(outcome(learner, x, NULL, ...) %in% allowed, label = format(learner))
  }
}

test_that("degenerate columns and rows are survived", {
  d <- two_class(30)
  k <- two_kernels()
  expect_survival(cbind(d$x[, 1], 7, d$x[, 1]), d$y, kernels = k)
  expect_survival(d$x[rep(1:15, 2), ], d$y[rep(1:15, 2)], kernels = k)
  expect_survival(d$x[rep(1:15, 2), ], factor(rep(1:0, each = 15)), kernels = k) # contradictions
  expect_survival(d$x[, 1, drop = FALSE], d$y, kernels = k)
  expect_survival(rbind(d$x[1:2, ]), factor(c("a", "b")), kernels = k)
  expect_survival(d$x, factor(replace(rep("a", 30), 7, "b")), kernels = k)
  expect_survival(d$x, d$y, kernels = k, response = rep(3, 30))
  expect_survival(matrix(0, 10, 2), factor(rep(1:0, 5)), kernels = k, must = FALSE)
})

test_that("units of 1e150 and 1e-150 are survived, of response, columns and kernels", {
  d <- two_class(20)
  k <- two_kernels()
  expect_survival(d$x * 1e-150, d$y, kernels = k)
  expect_survival(d$x * 1e150, d$y, kernels = k)
  expect_survival(d$x, d$y, kernels = k, response = d$x[, 1] * 1e-150)
  expect_survival(d$x, d$y, kernels = k, response = d$x[, 1] * 1e150, must = FALSE)
  expect_survival(d$x * 1e200, d$y, kernels = k, scale = FALSE, must = FALSE)
  expect_survival(cbind(d$x, d$x[, 1] * 1e9), d$y, kernels = k, scale = FALSE)
})

test_that("odd kernel matrices are survived", {
  d <- two_class(16)
  k <- tcrossprod(d$x)
  odd <- list(k, k - 3 * diag(16), -k, matrix(1, 16, 16), k * 1e-100, diag(16))
  for (normalize in c("none", "trace")) {
    # 1e60 without normalization is survived too, but takes a minute
    for (matrix in c(odd, list(k * if (normalize == "none") 1e30 else 1e60))) {
      expect_survival(list(a = matrix, b = k), d$y, normalize = normalize, must = FALSE)
    }
  }
  for (learner in c(every_task, classes_only)) {
    fit <- function(bad) mkl(list(a = bad, b = k), d$y, learner = learner)
    expect_mkl_error(fit(replace(k, 2, 100)), "symmetric")
    expect_mkl_error(fit(replace(k, 2, NaN)), "finite")
  }
})
