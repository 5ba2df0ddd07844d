# Fits of lmkl() that report convergence are at a stationary point of their objective.

convergence_data <- function() {
  crabs <- MASS::crabs
  pima <- MASS::Pima.tr
  list(
    crabs = list(x = as.matrix(crabs[4:8]), y = crabs$sex),
    pima = list(x = as.matrix(pima[1:7]), y = pima$type),
    number = list(x = as.matrix(pima[c(1:4, 6:7)]), y = drop(scale(pima$bmi))),
    one_class = list(x = as.matrix(crabs[4:8]), y = NULL)
  )
}
convergence_kernels <- list(
  default = NULL, copies = lines_of(3), widths = kernel_rbf(sigma = c(1, 4))
)

# The fit, in other units or another order of the rows if `variant` says so, and whether it warned.
fit_variant <- function(data, variant, ...) {
  x <- data$x
  rows <- seq_len(nrow(x))
  if (variant == "order") rows <- with_seed(7, sample(rows))
  if (variant == "units") x <- x * rep(10^(seq_len(ncol(x)) %% 3 - 1), each = nrow(x))
  warned <- FALSE
  fit <- withCallingHandlers(
    seeded(x[rows, ], data$y[rows], nu = 0.2, scale = variant != "units", ...),
    multikernel_not_converged = function(w) {
      warned <<- TRUE
      invokeRestart("muffleWarning")
    }
  )
  list(fit = fit, warned = warned)
}

test_that("no converged fit is 1 % above what ten times the iterations find; others warn", {
  skip_if_not_installed("MASS")
  variants <- c("plain", "order", "units")
  results <- list()
  for (data in convergence_data()) {
    for (kernels in convergence_kernels) {
      for (gating in c("softmax", "sigmoid", "rbf")) {
        variant <- variants[length(results) %% 3 + 1]
        call <- list(data, variant, gating = gating)
        if (!is.null(kernels)) call$kernels <- kernels
        once <- do.call(fit_variant, call)
        more <- do.call(fit_variant, c(call, iterations = 5000, tolerance = 1e-8))
        expect_identical(once$warned, !converged(once$fit))
        best <- objective(more$fit)
        results[[length(results) + 1]] <- data.frame(
          converged = converged(once$fit), above = (objective(once$fit) - best) / abs(best)
        )
      }
    }
    variants <- c(variants[-1], variants[1])
  }
  results <- do.call(rbind, results)
  expect_lte(max(results$above[results$converged]), 0.01)
  expect_gte(mean(results$converged), 0.8)
})

test_that("another optimizer finds nothing below a converged fit", {
  d <- two_class(60)
  x <- scale(d$x)
  kernels <- kernel_set(kernel_linear(), kernel_rbf(1))
  matrices <- three_matrices(x)[c(1, 3)]
  matrices[[2]] <- gauss(x, x, 1)
  fit <- seeded(d$x, d$y, kernels = kernels, gating_on = "v2", cost = 3, control = strict)
  expect_true(converged(fit))
  state <- fit$models[[1]]$state
  svm <- function(eta) {
    objective(mkl(list(local_kernel(matrices, eta)), d$y, learner = learner_svm(3)))
  }
  ridge <- ridge_of(state, svm(matrix(1 / 2, 60, 2)), 0.01)
  value <- function(v) {
    state$parameters[] <- v
    svm(eta_of(state, x)) + ridge(state$parameters)
  }
  expect_equal(value(state$parameters), objective(fit), tolerance = 1e-3)
  found <- stats::optim(c(state$parameters), value, control = list(maxit = 80))
  expect_gt(found$value, 0.995 * objective(fit))
})

test_that("every start counts, and the summary says how far apart they ended", {
  train <- gauss4(120, 3)
  fit <- suppressWarnings(seeded(y ~ ., train, kernels = lines_of(3), cost = 10, restarts = 4))
  state <- fit$models[[1]]$state
  expect_length(state$starts, 4)
  expect_equal(min(state$starts), objective(fit))
  expect_identical(converged(fit), all(state$open == 0))
  expect_equal(summary(fit)$models$spread, diff(range(state$starts)) / min(state$starts))
  few <- suppressWarnings(seeded(y ~ ., train, kernels = lines_of(3), iterations = 3))
  expect_equal(few$models[[1]]$state$open, rep(1, 3))
})

test_that("a smaller tolerance goes on where a larger one ended", {
  d <- two_class()
  path <- function(tolerance) {
    objective_path(suppressWarnings(seeded(d$x, d$y, restarts = 1, tolerance = tolerance)))
  }
  short <- path(1e-2)
  long <- path(1e-5)
  expect_gt(length(long), length(short))
  expect_equal(long[seq_along(short)], short, tolerance = 1e-3)
})

test_that("a larger penalty brings the weights together", {
  d <- two_class()
  spread <- vapply(c(1e-3, 0.1, 10), function(penalty) {
    fit <- suppressWarnings(seeded(d$x, d$y, penalty = penalty))
    mean(abs(gating_weights(fit, d$x) - 1 / 3))
  }, 0)
  expect_true(all(diff(spread) < 0))
  expect_lt(spread[3], 0.02)
})
