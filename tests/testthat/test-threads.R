# The number of threads changes nothing, not even the last bit; the instruction set next to
# nothing.

d <- hard_rows(300, 5)
y <- d$x[, 1] + sin(2 * d$x[, 2])
three <- factor(c("a", "b", "c")[1 + (d$x[, 1] > 0.4) + (d$x[, 2] > 0)])

all_kernels <- function() {
  kernel_set(
    kernel_linear(), kernel_polynomial(1:3, scale = 0.3), kernel_rbf(2^(-2:3)),
    kernel_rbf("median"), kernel_laplacian(c(1, 4)), kernel_matern(c(1 / 2, 3 / 2, 5 / 2), 1.5),
    kernel_rational_quadratic(1, c(0.5, 2)), kernel_cauchy(1),
    kernel_sigmoid(0.1, 0.2), kernel_anova(0.5, 1:2),
    kernel_chisq(0.5, on = 4:5), kernel_intersection(on = 4:5), kernel_rbf(1, on = 2:3),
    kernel_rbf(1) * kernel_linear(on = 1), kernel_rbf_bags(9, 3, seed = 4)
  )
}
normalizers <- list(
  "none", "trace", "unit_trace", "cosine", "center", c("center", "trace"), c("cosine", "center"),
  c("center", "cosine")
)
x <- d$x[1:300, ]
x[, 4:5] <- abs(x[, 4:5])

# Polynomials of odd degree, sigmoids and intersections may have a zero or negative diagonal.
with_diagonal <- function(normalize) {
  kernels <- all_kernels()
  if ("cosine" %in% normalize) kernels <- kernels[!grepl("sigmoid|linear", names(kernels))]
  kernels
}

test_that("kernel matrices are identical for 1, 2 and 3 threads", {
  x <- x[1:200, ]
  z <- x[1:140, ] + 0.25
  for (normalize in normalizers) {
    kernels <- with_diagonal(normalize)
    get <- function(threads, ...) {
      kernel_matrix(kernels, x, ..., normalize = normalize,
                    control = mkl_control(threads = threads))
    }
    square <- get(1)
    cross <- get(1, z = z)
    expect_identical(get(2), square)
    expect_identical(get(3), square)
    expect_identical(get(2, z = z), cross)
    expect_identical(get(3, z = z), cross)
  }
})

test_that("instruction sets agree on kernel matrices to 1e-12", {
  # odd sizes: every remainder of tiles, strips and vector widths
  for (n in c(1:9, 31, 33, 127, 130, 261)) {
    part <- x[seq_len(n), , drop = FALSE]
    z <- x[seq_len(1 + n %% 7), , drop = FALSE] + 0.25
    kernels <- all_kernels()
    if (n == 1) kernels <- kernels[!grepl("median", names(kernels))]
    get <- function(simd, ...) {
      kernel_matrix(kernels, part, ..., control = mkl_control(simd = simd))
    }
    for (level in simd_levels()) {
      expect_close <- function(a, b) {
        gap <- mapply(function(a, b) max(abs(a - b)) / max(abs(a)), a, b)
        expect_lte(max(gap), 1e-12, label = paste(level, n, names(which.max(gap))))
      }
      expect_close(get("auto"), get(level))
      expect_close(get("auto", z = z), get(level, z = z))
    }
  }
})

test_that("narrow Gaussians agree relative to each value", {
  for (p in c(2, 16, 40)) {
    wide <- with_seed(p, matrix(rnorm(90 * p), 90))
    K <- lapply(simd_levels(), function(level) {
      kernel_matrix(kernel_rbf(2^(-3:4)), wide, control = mkl_control(simd = level))
    })
    for (m in names(K[[1]])) {
      a <- K[[1]][[m]]
      for (other in K[-1]) {
        expect_lte(max(abs(a - other[[m]]) / pmax(a, 1e-290)), 1e-12, label = m)
      }
    }
  }
})

learners <- function() {
  list(
    svm = learner_svm(5, weights = c(0.2, 0.5, 0.3), nu = 0.2),
    average = learner_average(5, nu = 0.2),
    random = learner_random(5, nu = 0.2), best = learner_best(5, folds = 3)
  )
}
kernels <- kernel_set(kernel_rbf(c(1, 2)), kernel_polynomial(2))

fit_with <- function(threads, learner, response, ...) {
  set.seed(1)
  mkl(x, response, kernels = kernels, learner = learner, ...,
      control = mkl_control(threads = threads))
}

test_that("every learner fits and predicts the same for 1, 2 and 3 threads, in every task", {
  tasks <- list(two = d$y, several = three, regression = y, one_class = NULL)
  for (task in names(tasks)) {
    for (learner in learners()) {
      if (task == "one_class" && learner$name == "best") next
      one <- fit_with(1, learner, tasks[[task]])
      for (threads in 2:3) {
        more <- fit_with(threads, learner, tasks[[task]])
        expect_identical(essence(more), essence(one))
        expect_identical(predict(more, x[1:200, ], type = "decision"),
                         predict(one, x[1:200, ], type = "decision"))
      }
    }
  }
})

test_that("probabilities and both reductions are the same for 1, 2 and 3 threads", {
  for (multiclass in c("one_vs_one", "one_vs_rest")) {
    one <- fit_with(1, learner_average(), three, probability = TRUE, multiclass = multiclass)
    for (threads in 2:3) {
      more <- fit_with(threads, learner_average(), three, probability = TRUE,
                       multiclass = multiclass)
      expect_identical(essence(more), essence(one))
      expect_identical(predict(more, x, type = "prob"), predict(one, x, type = "prob"))
    }
  }
})

test_that("threads that share a tight memory budget still agree", {
  # room for a matrix or two of 300 x 300: which thread gets it is a matter of chance
  for (memory in c(1e5, 1e6, 1.5e6)) {
    fit <- function(threads) {
      set.seed(1)
      essence(mkl(x, three, kernels = kernels, learner = learner_best(5, folds = 3),
                  control = mkl_control(threads = threads, memory = memory)))
    }
    one <- fit(1)
    for (repetition in 1:3) expect_equal(fit(3), one, tolerance = 1e-9)
  }
})

test_that("more threads than rows, and a fit of two rows", {
  few <- fit_with(3, learner_average(), NULL)
  expect_true(converged(few))
  tiny <- mkl(x[1:2, ], factor(c("a", "b")), control = mkl_control(threads = 8))
  expect_identical(essence(tiny), essence(mkl(x[1:2, ], factor(c("a", "b")))))
})
