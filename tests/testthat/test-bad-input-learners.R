# Bad input to the baselines and to the learners of the papers: every parameter out of range, NaN,
# NA, NULL, of length 2 or of another type is an error that names it; degenerate data end in finite
# decision values or in an error of the package. The texts of single learners are in the snapshots
# of their own tests.

wrong <- list(
  learner_mkboost = list(
    variant = no_choice(), trials = no_count(2e6), sampling = no_number(0, -0.1, 1.1, Inf),
    decay = no_number(0, -1, 1.1, Inf), cost = no_number(0, -1, Inf)
  ),
  learner_komd = list(
    lambda = no_number(-1e-9, 1 + 1e-9, Inf),
    weights = list(NaN, NA, -1, 0, "1", TRUE, list(1), Inf, c(1, NA), sum, character())
  ),
  learner_easymkl = list(
    lambda = no_number(-1e-9, 1 + 1e-9, Inf), norm = no_choice(),
    final = list("svm", NULL, NA, 1, learner_komd(), learner_svm(weights = 1:2), learner_svm)
  ),
  learner_lbmkl = list(
    beta = no_number(-1e-9, Inf), cost = no_number(0, -1, Inf),
    base = list(NULL, "simplemkl", learner_simplemkl, learner_mkboost(), learner_lbmkl(), 1, NA)
  ),
  learner_lb_svm = list(beta = no_number(-1e-9, Inf), cost = no_number(0, -1, Inf)),
  learner_lmkl = list(
    cost = no_number(0, -1, Inf), gating = no_choice(), preset = no_choice(),
    gating_on = list(NA, 0, -1, 1.5, TRUE, list(1), y ~ x, c("a", "a"), character(), sum),
    iterations = no_count(2e6, null = FALSE), restarts = no_count(2e6, null = FALSE),
    step = no_number(0, -1, Inf), tolerance = no_number(-1e-9, Inf),
    epsilon = no_number(-1e-9, Inf), nu = no_number(0, 1.1, Inf)
  ),
  learner_mhks = list(
    c = no_number(-1e-9, Inf), rho = no_number(0, 1, -1, Inf), margin = no_number(-1e-9, Inf),
    rank = no_count(null = FALSE), landmarks = no_count(null = FALSE)
  ),
  learner_multik_mhks = list(
    c = no_number(-1e-9, Inf), lambda = no_number(-1e-9, Inf), rho = no_number(0, 1, Inf),
    margin = no_number(-1, Inf), rank = no_count(null = FALSE), landmarks = no_count(null = FALSE)
  )
)

test_that("every parameter is checked, by the learner and by its front door", {
  expect_parameters_checked(wrong)
})

test_that("every parameter of the baselines and of the control is checked", {
  cost <- no_number(0, -1, Inf)
  epsilon <- no_number(-1e-9, Inf)
  nu <- no_number(0, -1, 1.1, Inf)
  flag <- list(NA, NULL, 1, "TRUE", c(TRUE, FALSE), list(TRUE))
  plain <- list(
    learner_svm = list(
      cost = cost, epsilon = epsilon, nu = nu,
      weights = list(NaN, NA, -1, 0, "1", TRUE, list(1), Inf, c(1, NA), sum, character(), c(0, 0))
    ),
    learner_average = list(cost = cost, epsilon = epsilon, nu = nu),
    learner_random = list(cost = cost, epsilon = epsilon, nu = nu),
    learner_best = list(cost = cost, epsilon = epsilon, nu = nu, folds = no_count(1)),
    mkl_control = list(
      tol = no_number(0, -1, Inf), max_iter = no_number(0, -1, 1.5, null = FALSE),
      threads = no_count(1e9), verbose = flag, shrinking = flag, simd = no_choice(),
      memory = list(0, -1, NaN, NA, Inf, "lots", TRUE, list(1), NULL, 1:2, sum)
    )
  )
  for (constructor in names(plain)) {
    for (name in names(plain[[constructor]])) {
      for (value in plain[[constructor]][[name]]) {
        found <- blamed(constructor, stats::setNames(list(value), name))
        expect_identical(found, name, label = paste(constructor, name, deparse1(value)))
      }
    }
    expect_identical(blamed(constructor, list(unheard_of = 1)), "unheard_of")
  }
})

test_that("every argument of mkl(), predict() and kernel_matrix() is checked", {
  d <- two_class(20)
  flag <- list(NA, NULL, 1, "TRUE", c(TRUE, FALSE), list(TRUE))
  check <- function(f, given, wrong) {
    for (name in names(wrong)) {
      for (value in wrong[[name]]) {
        # an argument that is given already is replaced
        arguments <- c(given[names(given) != name], stats::setNames(list(value), name))
        expect_identical(blamed(f, arguments), name, label = paste(name, deparse1(value)[1]))
      }
    }
  }
  check(mkl, list(x = d$x, y = d$y), list(
    x = list(NULL, NA, 1, sum, 1i, Sys.Date()), # text is data
    y = list(list(1), 1i, sum, d$data, raw(20), 1:3),
    learner = list(NA, "svms", 1, learner_svm, list(), c("svm", "average")),
    kernels = list(NA, 1, "rbf", list(), list(1), d$data),
    normalize = list(NA, 1, "traces", character(), TRUE, list("trace")),
    scale = flag, scale_response = flag, probability = flag, task = no_choice()[-5],
    multiclass = no_choice(),
    class_weights = list(NA, 1, "even", c(yes = NA), c(yes = 0), c(yes = -1), c(yes = Inf),
                         c(yes = 1, yes = 2), TRUE, list(yes = 1)),
    weights = list(NA, 1, "a", rep(NaN, 20), rep(-1, 20), rep(Inf, 20), rep(0, 20), TRUE, list(1)),
    na.action = list(NULL, NA, "na.pass", stats::na.pass, 1, sum, c("omit", "fail")),
    control = list(NULL, NA, list(), list(tol = 1), 1)
  ))
  fit <- mkl(d$x, d$y)
  check(predict, list(object = fit), list(
    newdata = list(NULL, NA, 1, "a", list(), sum, 1:3, d$x[, 1]),
    type = list(NULL, NA, 1, "Class", c("class", "prob"), "prob", "response", character(), TRUE)
  ))
  check(kernel_matrix, list(kernels = kernel_rbf(1), x = d$x), list(
    kernels = list(NULL, NA, 1, "rbf", list(), sum),
    x = list(NULL, NA, 1, "a", list(), sum, d$x[, 1]),
    z = list(NA, 1, "a", list(), sum, d$x[, 1]),
    normalize = list(NA, 1, "traces", character(), TRUE),
    weights = list(NA, "a", numeric(), NaN, Inf, 1:2, TRUE, list(1)),
    y = list(d$y, 1), control = list(NULL, NA, list(), 1)
  ))
})

test_that("parameters of predict(), of grids, maps and views are checked", {
  d <- two_class(20)
  set.seed(1)
  boosted <- mkboost(d$x, d$y, trials = 3)
  for (value in no_count(4)) {
    if (is.null(value)) next # all trials
    expect_mkl_error(predict(boosted, d$x, trials = value), argument = "trials")
  }
  sharp <- lb_svm(d$x, d$y)
  for (value in list(NA, 1, "TRUE", NULL, c(TRUE, FALSE))) {
    expect_mkl_error(predict(sharp, d$x, type = "decision", both = value), argument = "both")
  }
  for (value in list(NaN, -1, Inf, "a", numeric(), c(1, NA), c(1, 1), NULL)) {
    expect_mkl_error(multik_mhks_path(d$x, d$y, c = value), argument = "c")
    expect_mkl_error(multik_mhks_path(d$x, d$y, lambda = value), argument = "lambda")
  }
  for (value in no_count(null = FALSE)) {
    expect_mkl_error(empirical_map(kernel_linear(), d$x, rank = value), argument = "rank")
    expect_mkl_error(nmcca(list(d$x), components = value), argument = "components")
  }
  for (value in no_number(-1, Inf)) {
    expect_mkl_error(nmcca(list(d$x), kappa = value), argument = "kappa")
  }
  for (value in list(0, c(1, 1), c(1, 21), "a", NaN, TRUE)) {
    expect_mkl_error(empirical_map(kernel_linear(), d$x, landmarks = value), argument = "landmarks")
  }
})

# Degenerate data ----------------------------------------------------------------------------------

doors <- list(
  svm = function(...) mkl(..., learner = learner_svm()),
  average = function(...) mkl(..., learner = learner_average()),
  random = function(...) mkl(..., learner = learner_random()),
  best = function(...) mkl(..., learner = learner_best(folds = 2)),
  D1 = function(...) mkboost(..., trials = 3),
  D2 = function(...) mkboost(..., variant = "D2", trials = 2),
  S1 = function(...) mkboost(..., variant = "S1", trials = 3, sampling = 0.01),
  S2 = function(...) mkboost(..., variant = "S2", trials = 2, sampling = 1),
  komd = komd, komd0 = function(...) komd(..., lambda = 0),
  komd1 = function(...) komd(..., lambda = 1),
  easymkl = easymkl, easymkl0 = function(...) easymkl(..., lambda = 0, norm = "sum"),
  easymkl1 = function(...) easymkl(..., lambda = 1, final = learner_svm()),
  lb_svm = lb_svm, leak = function(...) lbmkl(..., beta = 0),
  far = function(...) lbmkl(..., beta = 1e12),
  lmkl = function(...) lmkl(..., iterations = 3), paper = function(...) lmkl(..., preset = "paper"),
  sigmoid = function(...) lmkl(..., gating = "sigmoid", iterations = 3, restarts = 1),
  rbf = function(...) lmkl(..., gating = "rbf", iterations = 3, restarts = 1),
  mhks = mhks, singular = function(...) mhks(..., c = 0),
  multik_mhks = multik_mhks, free = function(...) multik_mhks(..., c = 0, lambda = 0)
)

# "fine" if the decision values of the training rows, fitted and as new ones, and the weights are
# finite; "error" after an error of the package. Convergence is not asked for.
outcome <- function(door, x, y, ...) {
  set.seed(1)
  tryCatch(
    suppressWarnings({
      fit <- door(x, y, ...)
      new <- if (is.list(x)) numeric() else predict(fit, x, type = "decision")
      if (all(is.finite(c(new, fit$decision, coef(fit))))) "fine" else "not finite"
    }, classes = "multikernel_warning"),
    multikernel_error = function(e) "error"
  )
}

# `must`: errors are not allowed either.
expect_survival <- function(x, y, ..., must = TRUE, skip = character()) {
  some <- setdiff(names(doors), skip)
  found <- vapply(doors[some], outcome, "", x, y, ...)
  wrong <- found[!found %in% c("fine", if (!must) "error")]
  expect_identical(wrong, found[0])
}

test_that("degenerate columns and rows are survived", {
  d <- two_class(30)
  expect_survival(cbind(d$x[, 1], 7, d$x[, 1]), d$y)          # constant and repeated columns
  # repeated rows, and contradictory ones; they have no nearest neighbour for a width
  expect_survival(d$x[rep(1:15, 2), ], d$y[rep(1:15, 2)], skip = "paper")
  expect_survival(d$x[rep(1:15, 2), ], rep(1:0, each = 15), skip = "paper")
  expect_survival(d$x[, 1, drop = FALSE], d$y)
  expect_survival(rbind(d$x[1:2, ]), c("a", "b"))              # two rows
  expect_survival(d$x, replace(rep("a", 30), 7, "b"))          # one row against all others
  expect_survival(matrix(0, 10, 2), rep(1:0, 5), must = FALSE) # nothing to learn from
})

test_that("units of 1e150 and 1e-150 are survived, beyond the range of numbers there is an error", {
  d <- two_class(20)
  expect_survival(d$x * 1e-150, d$y, scale = TRUE)
  expect_survival(d$x * 1e150, d$y, scale = TRUE)
  expect_survival(d$x * 1e200, d$y, scale = FALSE, must = FALSE)
  expect_survival(d$x * 1e-200, d$y, scale = FALSE, must = FALSE)
  # a column that dwarfs the others
  expect_survival(cbind(d$x, d$x[, 1] * 1e9), d$y, scale = FALSE)
})

test_that("odd kernel matrices are survived", {
  d <- two_class(16)
  k <- tcrossprod(d$x)
  indefinite <- k - 3 * diag(16)
  gated <- c("lmkl", "paper", "sigmoid", "rbf") # need columns
  single <- c("svm", "komd", "komd0", "komd1", "lb_svm", "mhks", "singular")
  for (matrix in list(k, indefinite, matrix(1, 16, 16), k * 1e-100, k * 1e60, diag(16))) {
    expect_survival(list(a = matrix), d$y, skip = gated)
    expect_survival(list(a = matrix, b = k, c = matrix), d$y, skip = c(gated, single))
  }
  expect_survival(list(a = 0 * k), d$y, skip = gated, must = FALSE)
  for (name in setdiff(names(doors), gated)) {
    expect_mkl_error(doors[[name]](list(a = replace(k, 2, 100)), d$y), "symmetric")
    expect_mkl_error(doors[[name]](list(a = replace(k, 2, NaN)), d$y), "finite")
  }
})

test_that("one class, missing classes and wrong tasks are named", {
  d <- two_class(20)
  for (name in names(doors)) {
    door <- doors[[name]]
    expect_mkl_error(door(d$x, rep("a", 20)), argument = "y")
    expect_mkl_error(door(d$x, rep(NA, 20)))
    expect_mkl_error(door(d$x, d$y[-1]), argument = "y")
    expect_mkl_error(door(replace(d$x, 3, Inf), d$y), argument = "x")
    if (!name %in% c("lmkl", "paper", "sigmoid", "rbf", "svm", "average", "random", "best")) {
      expect_mkl_error(door(d$x, d$x[, 1]), argument = "learner")
      expect_mkl_error(door(d$x), argument = "learner")
    }
  }
})

test_that("missing values: rows are dropped at the fit and NA at predict()", {
  d <- two_class(25)
  x <- d$x
  x[3, 1] <- NA
  for (name in names(doors)) {
    set.seed(1)
    fit <- suppressWarnings(doors[[name]](x, d$y))
    expect_identical(nobs(fit), 24L)
    new <- predict(fit, x[1:5, ], type = "decision")
    expect_identical(which(is.na(new)), 3L, label = name)
  }
})

# Single cases -------------------------------------------------------------------------------------

test_that("a sample that rounds to no row, and trials without or with too many errors", {
  d <- two_class(20)
  set.seed(1)
  tiny <- mkboost(d$x, d$y, trials = 10, sampling = 1e-6)
  expect_true(all(is.finite(predict(tiny, d$x, type = "decision"))))
  # no error in any trial: weights are those of an error of 1 / (2n)
  apart <- mkboost(matrix(rep(c(-1, 1), 10)), rep(0:1, 10), trials = 4, kernels = kernel_linear())
  expect_equal(boosting_path(apart)$weight, rep(0.5 * log(39), 4))
  # half of the rows are errors in every trial
  noise <- mkboost(matrix(0, 20, 1), rep(0:1, 10), trials = 4, kernels = kernel_linear())
  expect_true(all(boosting_path(noise)$weight < 1e-12)) # but for rounding
  expect_true(all(abs(predict(noise, matrix(0, 2, 1), type = "decision")) < 1e-10))
})

test_that("gates that are all on one kernel leave that kernel alone", {
  d <- two_class(30)
  set.seed(1)
  kernels <- kernel_set(kernel_linear(), kernel_rbf(1))
  fit <- suppressWarnings(lmkl(d$x, d$y, kernels = kernels, iterations = 3, scale = FALSE))
  # far beyond the range of exp(): the first kernel everywhere
  state <- fit$models[[1]]$state
  state$parameters[] <- 0
  state$parameters[nrow(state$parameters), 1] <- 1e6
  fit$models[[1]]$state <- state
  fit <- multikernel:::seal_fit(fit)
  expect_identical(unname(gating_weights(fit, d$x)), cbind(rep(1, 30), rep(0, 30)))
  k <- kernel_matrix(kernel_linear(), d$x, normalize = "trace")
  vectors <- support(fit)
  expect_equal(
    predict(fit, d$x, type = "decision"),
    drop(k[, vectors] %*% state$coefficients[, 1]) + state$bias
  )
})

test_that("huge parameters are solved or refused", {
  d <- two_class(20)
  # TRUE if everything is finite or the package refuses
  sound <- function(door, ...) {
    tryCatch(suppressWarnings({
      fit <- door(d$x, d$y, ...)
      all(is.finite(c(fit$decision, objective_path(fit))))
    }), multikernel_error = function(e) TRUE)
  }
  short <- mkl_control(max_iter = 1e4)
  for (value in c(1e-300, 1e100, 1e308)) {
    # the change of a huge criterion is rounding: the iteration ends all the same
    expect_true(sound(multik_mhks, c = value))
    expect_true(sound(multik_mhks, lambda = value))
    expect_true(sound(lb_svm, cost = value, control = short))
    expect_true(sound(lb_svm, beta = value, control = short))
  }
})

test_that("lambda exactly 0 and 1, and bags larger than the columns", {
  d <- two_class(30)
  bags <- kernel_rbf_bags(20, max_features = 50, seed = 1)
  for (lambda in c(0, 1)) {
    fit <- easymkl(d$x, d$y, kernels = bags, lambda = lambda)
    expect_true(converged(fit))
    expect_equal(sum(coef(fit)^2), 1)
    expect_true(all(is.finite(predict(fit, d$x, type = "decision"))))
  }
  # lambda = 1: every row of a class has the same part, so the weights are distances of class means
  means <- vapply(seq_len(20), function(m) {
    y <- ifelse(d$y == "yes", 1 / sum(d$y == "yes"), -1 / sum(d$y == "no"))
    k <- kernel_matrix(bags, scale(d$x), normalize = "trace")[[m]]
    drop(y %*% k %*% y)
  }, 0)
  expect_equal(unname(coef(fit)), means / sqrt(sum(means^2)), tolerance = 1e-8)
})
