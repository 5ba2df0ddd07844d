# Kernels that are copies, 0, constant or of another size beside two plain ones: for every convex
# learner and task, what they must not change.

plain_kernels <- function(x) {
  list(a = gauss(x, x, 1), b = tcrossprod(x[, 1:2]) + gauss(x, x, 3))
}

odd_tasks <- function(n = 45) {
  d <- hard_rows(n, p = 3)
  list(
    classes = list(k = plain_kernels(d$x), y = d$y),
    regression = list(k = plain_kernels(d$x), y = drop(d$x %*% c(1, -1, 0.5)) + sin(3 * d$x[, 1])),
    several = list(k = plain_kernels(d$x), y = factor(rep(1:3, length.out = n))),
    one_class = list(k = plain_kernels(d$x), y = NULL)
  )
}

# Weights with a sum of 1: a copy of a kernel is of no use.
sparse_learners <- function() convex_learners(cost = 2, gap = 1e-5)

# Weights that a norm spreads: copies share alike.
spread_learners <- function() {
  list(
    lp_near_1 = learner_lpmkl(p = 1.2, cost = 2, gap = 1e-5),
    lp_2 = learner_lpmkl(p = 2, cost = 2, gap = 1e-5),
    lp_8 = learner_lpmkl(p = 8, cost = 2, gap = 1e-5),
    gmkl = learner_gmkl(cost = 2, regularizer = "l2", solver = "projected", tolerance = 1e-5),
    gmkl_spg = learner_gmkl(cost = 2, regularizer = "l2", solver = "spg", tolerance = 1e-5)
  )
}

fit_odd <- function(task, learner, more = list(), normalize = "none") {
  mkl(c(task$k, more), task$y, learner = learner, normalize = normalize,
      control = mkl_control(tol = 1e-6))
}

# Of one kernel, in all models of a fit.
weight_of <- function(fit, name) {
  w <- coef(fit)
  if (is.data.frame(w)) w$weight[w$kernel == name] else unname(w[name])
}

test_that("sums of weights: copies, 0 and constants leave the optimum where it is", {
  tasks <- odd_tasks()
  n <- 45
  for (name in names(tasks)) {
    task <- tasks[[name]]
    odd <- list(copies = list(c = task$k$a, d = task$k$a), zero = list(c = matrix(0, n, n)),
                tiny = list(c = 1e-12 * task$k$b))
    # the sum of the coefficients is 0 except with one class: the constant only moves the bias
    if (name != "one_class") odd$constant <- list(c = matrix(1, n, n))
    for (method in names(sparse_learners())) {
      learner <- sparse_learners()[[method]]
      alone <- fit_odd(task, learner)
      for (what in names(odd)) {
        label <- paste(method, name, what)
        fit <- fit_odd(task, learner, odd[[what]])
        expect_true(all(converged(fit)), label = label)
        expect_equal(sum(objective(fit)), sum(objective(alone)), tolerance = 1e-4, label = label)
        # the weight of `b` does not depend on how `a` is written, nor on what does not count
        if (what != "tiny") {
          expect_equal(
            weight_of(fit, "b"), weight_of(alone, "b"), tolerance = 0.05, label = label
          )
        }
      }
    }
  }
})

test_that("norms of weights: copies share alike, 0 gets nothing", {
  tasks <- odd_tasks()
  for (name in names(tasks)) {
    task <- tasks[[name]]
    for (method in names(spread_learners())) {
      learner <- spread_learners()[[method]]
      label <- paste(method, name)
      copied <- fit_odd(task, learner, list(c = task$k$a))
      expect_true(all(converged(copied)), label = label)
      expect_true(all(weight_of(copied, "a") > 0), label = label)
      expect_equal(
        weight_of(copied, "c"), weight_of(copied, "a"), tolerance = 1e-3, label = label
      )
      nothing <- fit_odd(task, learner, list(c = matrix(0, 45, 45)))
      alone <- fit_odd(task, learner)
      expect_equal(sum(objective(nothing)), sum(objective(alone)), tolerance = 1e-4, label = label)
      expect_lte(max(weight_of(nothing, "c")), 1e-4, label = label)
    }
  }
})

test_that("a normaliser undoes the size of a kernel before it counts as a copy", {
  tasks <- odd_tasks()
  for (name in names(tasks)) {
    task <- tasks[[name]]
    for (normalize in c("trace", "unit_trace", "cosine")) {
      learner <- learner_simplemkl(cost = 2, gap = 1e-5)
      alone <- fit_odd(task, learner, normalize = normalize)
      for (size in c(1e-12, 1e12)) {
        label <- paste(name, normalize, size)
        fit <- fit_odd(task, learner, list(c = size * task$k$a), normalize)
        expect_true(all(converged(fit)), label = label)
        expect_equal(sum(objective(fit)), sum(objective(alone)), tolerance = 1e-4, label = label)
        again <- fit_odd(task, learner, list(c = task$k$a), normalize)
        expect_equal(coef(fit), coef(again), tolerance = 1e-4, label = label)
      }
    }
  }
})

test_that("rows that contradict one another do not make a kernel indefinite", {
  x <- rbind(two_class(10)$x, two_class(10)$x)
  y <- rep(c("a", "b"), each = 10)
  for (door in list(simplemkl, glmkl, silpmkl, levelmkl, lpmkl)) {
    expect_no_warning(fit <- door(x, y, kernels = kernel_rbf(1:2)))
    expect_lt(duality_gap(fit), 1e-9)
  }
})

test_that("K times s with the cost divided by s is the same problem", {
  d <- hard_rows(60, p = 3)
  k <- plain_kernels(d$x)
  steps <- function(fit) fit$models[[1]]$report$iterations
  learners <- list(
    svm = function(s) learner_svm(cost = 10 / s, weights = c(0.5, 0.5)),
    newton = function(s) learner_simplemkl(cost = 10 / s, gap = 1e-5),
    gradient = function(s) learner_simplemkl(cost = 10 / s, gap = 1e-5, direction = "gradient"),
    glmkl = function(s) learner_glmkl(cost = 10 / s, gap = 1e-5),
    gmkl = function(s) learner_gmkl(cost = 10 / s, lambda = 1 / s, tolerance = 1e-4)
  )
  for (name in names(learners)) {
    plain <- mkl(k, d$y, learner = learners[[name]](1), normalize = "none")
    for (s in c(1e-150, 1e-20, 1e20, 1e150)) {
      label <- paste(name, "at", s)
      fit <- mkl(lapply(k, `*`, s), d$y, learner = learners[[name]](s), normalize = "none")
      expect_true(converged(fit), label = label)
      expect_equal(objective(fit) * s, objective(plain), tolerance = 1e-3, label = label)
      expect_equal(coef(fit), coef(plain), tolerance = 0.02, label = label)
      expect_lte(steps(fit), 1.3 * steps(plain) + 5, label = label)
    }
  }
})

test_that("sizes that no solver resolves are not reported as solved", {
  set.seed(1)
  x <- matrix(rnorm(240), 60)
  y <- factor(x[, 1] + 0.5 * rnorm(60) > 0)
  k <- list(1e-150 * gauss(x, x, 1), gauss(x, x, 2), 1e150 * tcrossprod(x))
  reached <- objective(mkl(k[2], y, normalize = "none"))
  for (learner in convex_learners(gap = 1e-2, iterations = 20)) {
    fit <- suppressWarnings(mkl(k, y, learner = learner, normalize = "none",
                                control = mkl_control(max_iter = 1e5)))
    expect_true(!converged(fit) || objective(fit) * (1 - duality_gap(fit)) <= 1.001 * reached)
    expect_true(!converged(fit) || abs(sum(coef(fit)) - 1) < 1e-12)
  }
})
