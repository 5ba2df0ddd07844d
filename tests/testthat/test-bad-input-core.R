# The table of test-bad-input.R at the compiled entries, behind the checks of R: an error that names
# argument, kernel and position, or a right result. test-fuzz.R tries the rest by chance.

d <- two_class(24)
codes <- as.double(d$y == "yes")
gram <- gauss(d$x, d$x, 1)

problem_of <- function(...) {
  utils::modifyList(list(
    task = "classification", y = codes, classes = 2, weights = rep(1, 24),
    multiclass = "one_vs_one", probability = FALSE
  ), list(...))
}
rbf <- function(gamma = 0.5, ...) {
  list(family = "rbf", name = "mine", parameters = list(gamma = gamma), ...)
}
stored <- function(matrix, ...) list(family = "precomputed", name = "mine", matrix = matrix, ...)

baselines <- c("svm", "average", "random", "best")
learner_of <- function(name, ...) {
  one_point(name, utils::modifyList(
    c(list(cost = 1, epsilon = 0.1, nu = 0.5), if (name == "best") list(folds = 3)), list(...)
  ))
}
fit <- function(x = d$x, problem = problem_of(), kernels = list(rbf()), learner = "average",
                control = core()) {
  if (is.character(learner)) learner <- learner_of(learner)
  fit_point(x, problem, kernels, learner, control)
}
on_matrix <- function(matrix, ...) {
  fit(matrix(0, nrow(matrix), 0), kernels = list(stored(matrix, ...)))
}

# The same for each of the four baselines.
expect_refused <- function(pattern, ...) {
  for (name in baselines) {
    expect_error(
      fit(..., learner = name), pattern, class = "multikernel_core_error", label = name
    )
  }
}
expect_right <- function(...) {
  for (name in baselines) {
    out <- fit(..., learner = name)
    expect_true(all(is.finite(unlist(lapply(out$models, function(m) m$state$coefficients)))))
    expect_true(all(is.finite(unlist(out$decision))), label = name)
  }
}

test_that("x at the core", {
  at <- function(value) replace(d$x, 26, value)
  expect_refused("`x` must be finite, not NaN in row 2, column 2", x = at(NaN))
  expect_refused("`x` must be finite, not NaN in row 2, column 2", x = at(NA))
  expect_refused("`x` must be finite, not Inf in row 2, column 2", x = at(Inf))
  expect_refused("`x` must be finite, not -Inf in row 2, column 2", x = at(-Inf))
  expect_refused("`x` must be a matrix of at least one row", x = d$x[0, ])
  expect_refused("`weights` must be of length 23, not of length 24", x = d$x[-1, ])
  expect_refused("`x` must be a matrix of at least one column, not of none", x = d$x[, 0])
  expect_refused("mine.* not finite", x = d$x * 1e200,
                 kernels = list(list(family = "linear", name = "mine")))
  expect_refused("`x` must be a numeric matrix of doubles, not text", x = matrix("a", 24, 2))
  expect_refused("`x` must be a numeric matrix of doubles, not positions", x = matrix(1:48, 24))
  expect_right(x = d$x[, 1, drop = FALSE])
  expect_right(x = matrix(7, 24, 2))
  expect_right(x = d$x[rep(1:12, 2), ])
  expect_right(x = d$x * 1e-200)
  expect_right(x = d$x * 1e200)
  one <- list(task = "regression", y = 3, classes = 0, weights = 1)
  expect_right(x = d$x[1, , drop = FALSE], problem = do.call(problem_of, one))
})

test_that("y and weights at the core", {
  expect_refused("`y` must be class codes from 0 to 1, not NaN at position 3",
                 problem = problem_of(y = replace(codes, 3, NaN)))
  expect_refused("`y` must be class codes from 0 to 1, not 0.5",
                 problem = problem_of(y = replace(codes, 3, 0.5)))
  expect_refused("`y` must be class codes from 0 to 1, not 2",
                 problem = problem_of(y = replace(codes, 3, 2)))
  expect_refused("`y` must be class codes from 0 to 1, not -1", problem = problem_of(y = codes - 1))
  expect_refused("`y` must be of two classes", problem = problem_of(y = rep(1, 24)))
  expect_refused("`y` must be of two classes", problem = problem_of(classes = 3))
  expect_refused("`y` must be of length 24, not of length 23", problem = problem_of(y = codes[-1]))
  expect_refused("`y` must be a numeric vector", problem = problem_of(y = as.character(codes)))
  expect_refused("`classes` must be at least 2, not 1", problem = problem_of(classes = 1))
  expect_refused("`y` must be finite, not Inf at position 2",
                 problem = problem_of(task = "regression", y = replace(codes, 2, Inf)))
  for (value in c(NaN, -1, Inf)) {
    expect_refused("`weights` must be finite and >= 0.*position 4",
                   problem = problem_of(weights = replace(rep(1, 24), 4, value)))
  }
  expect_refused("`weights` must be of length 24", problem = problem_of(weights = 1))
  expect_refused("`task` must be", problem = problem_of(task = "ranking"))
  expect_refused("`multiclass` must be", problem = problem_of(multiclass = "all"))
  expect_refused("`probability` must be", problem = problem_of(probability = NA))
  expect_right(problem = problem_of(y = rep(c(0, 1), c(23, 1))))
  expect_right(problem = problem_of(y = rep(c(0, 1), c(1, 23)), probability = TRUE))
})

test_that("matrices at the core", {
  at <- function(i, j, value) {
    gram[i, j] <- value
    gram
  }
  entries <- list(
    fit = on_matrix,
    gram = function(matrix, ...) {
      multikernel:::gram_cpp(matrix(0, nrow(matrix), 0), matrix(0, 0, 0),
                             list(stored(matrix, ...)), list(), numeric(), core())
    }
  )
  for (entry in names(entries)) {
    refused <- function(pattern, ...) {
      expect_error(
        entries[[entry]](...), pattern, class = "multikernel_core_error", label = entry
      )
    }
    refused("`mine` must be finite, not NaN in row 3, column 2", at(3, 2, NaN))
    refused("`mine` must be finite, not Inf in row 3, column 2", at(3, 2, Inf))
    refused("`mine` must be symmetric, not 9 in row 3, column 2 and .* in row 2, column 3",
            at(3, 2, 9))
    refused("`mine` must be 24 x 24, not 24 x 23", gram[, -1])
    refused("`mine` cannot be normalised by \"cosine\": .* example 4 .* is 0", at(4, 4, 0),
            normalize = "cosine")
    refused("`mine` cannot be normalised by its trace: it is 0", 0 * gram, normalize = "trace")
    refused("`mine` cannot be normalised by its trace: it is -", -gram, normalize = "unit_trace")
    refused("`normalize` must be", gram, normalize = "traces")
    refused("`normalize` must be strings", gram, normalize = 1)
  }
  smaller <- list(stored(gram[-1, -1]))
  expect_error(fit(matrix(0, 24, 0), kernels = smaller), "`mine` must be 24 x 24")
  expect_error(on_matrix(matrix(1L, 24, 24)), "`matrix` must be a numeric matrix of doubles")
  expect_silent(on_matrix(at(3, 2, gram[2, 3] + 1e-12))) # rounding
  for (matrix in list(0 * gram, 0 * gram + 1, outer(codes, codes), 1e12 * gram, 1e-12 * gram)) {
    expect_true(all(is.finite(on_matrix(matrix)$decision)))
  }
  flagged <- on_matrix(sin(outer(1:24, 1:24)))$models[[1]]$report
  expect_true(flagged$indefinite)
})

test_that("kernels at the core", {
  refused <- function(pattern, kernel) {
    expect_error(fit(kernels = list(kernel)), pattern, class = "multikernel_core_error")
    expect_error(
      multikernel:::gram_cpp(d$x, d$x[0, ], list(kernel), list(), numeric(), core()), pattern
    )
  }
  expect_error(fit(kernels = list()), "`kernels` must be at least one kernel")
  for (value in list(0, -1, Inf, NaN, 1:2, "wide", list(1))) refused("`gamma` must be", rbf(value))
  for (value in list(0, -1, Inf, NaN, 1e-200)) {
    for (family in c("laplacian", "rational_quadratic", "cauchy", "matern")) {
      if (family == "laplacian" && identical(value, 1e-200)) next
      if (family == "matern" && identical(value, 1e-200)) next
      refused("`sigma` must be", list(family = family, name = "mine", parameters = list(
        sigma = value, alpha = 1, nu = 0.5
      )))
    }
  }
  for (value in list(0, -1, 1.5, 1001, Inf, NaN)) {
    refused("`degree` must be a whole number from 1 to 1000", list(
      family = "polynomial", name = "mine", parameters = list(degree = value, scale = 1, offset = 1)
    ))
  }
  refused("`nu` must be 1/2, 3/2 or 5/2", list(
    family = "matern", name = "mine", parameters = list(nu = 1, sigma = 1)
  ))
  refused("`family` must be the name of a kernel", list(family = "wave", name = "mine"))
  refused("`columns` must be positions from 1 to 3, not 4", rbf(columns = 4L))
  for (value in list(0L, -1L, NA_integer_, 1, 1.5, NaN, NA, "v1")) {
    refused("`columns` must be a vector of positions", rbf(columns = value))
  }
  refused("`factors` must be", list(family = "product", name = "mine", factors = list()))
  bags <- function(...) {
    list(family = "rbf_bags", name = "mine", parameters = utils::modifyList(
      list(count = 3, max_features = 2, beta = 1, seed = 1), list(...)
    ))
  }
  for (value in c(0, -1, 1.5, Inf, NaN)) {
    refused("`count` must be", bags(count = value))
    refused("`max_features` must be", bags(max_features = value))
  }
  refused("`max_features` must be a whole number from 1 to 1e\\+06", bags(max_features = 2e9))
  for (value in c(0, -1, Inf)) refused("`beta` must be", bags(beta = value))
  for (value in c(-1, 1e300, NaN, Inf)) refused("`seed` must be", bags(seed = value))
  expect_length(fit(kernels = list(bags(max_features = 50)))$models[[1]]$weights, 3L)
})

test_that("parameters of learners and of the control at the core", {
  wrong <- list(
    cost = list(0, -1, NaN, NA_real_, Inf, 1e301, 1:2, numeric(), "a", list(1)),
    epsilon = list(-1, NaN, Inf, 1:2, "a"),
    nu = list(0, -1, 1.1, NaN, Inf, c(0.1, 0.2), "a")
  )
  for (name in baselines) {
    for (parameter in names(wrong)) {
      for (value in wrong[[parameter]]) {
        learner <- learner_of(name)
        learner$points[[1]][[parameter]] <- value
        expect_error(fit(learner = learner), paste0("`", parameter, "` must be"),
                     class = "multikernel_core_error",
                     label = paste(name, parameter, deparse1(value)))
      }
    }
  }
  for (value in list(1, 0, 2.5, NaN, Inf, 2:3, "a")) {
    expect_error(fit(learner = learner_of("best", folds = value)), "`folds` must be")
  }
  for (value in list(-1, NaN, Inf, c(1, 1), "a")) {
    expect_error(fit(learner = learner_of("svm", weights = value)), "`weights` must be")
  }
  expect_error(fit(learner = learner_of("none")), "learner")
  control <- list(
    tol = list(0, -1, NaN, 1:2, "a", NULL), max_iter = list(0, -1, NaN, "a", NULL),
    threads = list(0, -1, 1.5, NaN, 1e9, "a", NULL), memory = list(-1, NaN, "2GB", NULL),
    verbose = list(2, NA, "a", NULL), shrinking = list(2, NA, "a", NULL),
    simd = list("sse9", 1, character(), NULL), seed = list(-1, NaN, Inf, 1e300, "a", NULL)
  )
  for (name in names(control)) {
    for (value in control[[name]]) {
      changed <- core()
      changed[name] <- list(value)
      expect_error(fit(control = changed), paste0("`", name, "` must be"),
                   class = "multikernel_core_error", label = paste(name, deparse1(value)))
    }
  }
})

test_that("what the learners cannot do is refused by the core too", {
  one <- problem_of(task = "one_class", y = numeric(), classes = 0)
  for (name in baselines) {
    expect_true(fit(problem = one, learner = name)$models[[1]]$report$converged)
  }
  expect_error(fit(kernels = list(rbf(), rbf(1)), learner = "svm"), "one number for each of the 2")
  expect_error(fit(learner = list(name = "svm", points = list())), "`points` must be one at least")
  expect_error(fit(learner = c(learner_of("svm"), passes = 1)), "`passes` must be a function")
})

test_that("an iteration limit at the core is a flag", {
  for (name in baselines) {
    stopped <- fit(learner = learner_of(name, cost = 100), control = core(max_iter = 1))
    report <- stopped$models[[1]]$report
    expect_false(report$converged)
    expect_gt(report$violation, 1e-3)
  }
})

test_that("new rows at the core", {
  made <- fit()
  kept <- made$kept
  predict <- function(x = d$x, train = d$x[kept, ], kernels = list(rbf()), models = made$models) {
    multikernel:::predict_cpp(x, train, kernels, made$normalizers, models, core())
  }
  expect_equal(predict(), made$decision, tolerance = 1e-10)
  expect_identical(dim(predict(x = d$x[0, ])), c(0L, 1L))
  expect_equal(predict(x = d$x[7, , drop = FALSE]), made$decision[7, , drop = FALSE],
               tolerance = 1e-10)
  refused <- function(pattern, ...) {
    expect_error(predict(...), pattern, class = "multikernel_core_error")
  }
  refused("`x` must be finite, not NaN in row 2, column 1", x = replace(d$x, 2, NaN))
  refused("`train` must be finite", train = replace(d$x[kept, ], 2, Inf))
  refused("`x` must be of 3 columns, not of 2", x = d$x[, 1:2])
  refused("`models` must be of rows from 1 to 1", train = d$x[1, , drop = FALSE])
  refused("one weight per kernel, not 1|normalizers", kernels = list(rbf(), rbf(1)))
  refused("not finite: its features are beyond the range",
          x = d$x * 5e307, kernels = list(list(family = "linear", name = "mine")))
  matrix_fit <- on_matrix(gram)
  block <- function(matrix, ...) {
    multikernel:::predict_cpp(
      matrix(0, nrow(matrix), 0), matrix(0, length(matrix_fit$kept), 0),
      list(stored(matrix, ...)), matrix_fit$normalizers, matrix_fit$models, core()
    )
  }
  right <- gram[1:5, matrix_fit$kept]
  expect_equal(block(right), matrix_fit$decision[1:5, , drop = FALSE], tolerance = 1e-10)
  expect_error(block(right[, -1]), "`mine` must be 5 x", class = "multikernel_core_error")
  expect_error(block(replace(right, 1, NaN)), "`mine` must be finite, not NaN in row 1, column 1")
  expect_error(block(right, diagonal = 1), "`diagonal` must be of length 5")
})

test_that("the solver at its own entry", {
  y <- 2 * codes - 1
  smo <- function(k = gram, linear = y, lower = pmin(0, y), upper = pmax(0, y), total = 0,
                  start = numeric(), control = core()) {
    multikernel:::smo_cpp(k, linear, lower, upper, total, start, control)
  }
  expect_true(smo()$converged)
  refused <- function(pattern, ...) {
    expect_error(smo(...), pattern, class = "multikernel_core_error")
  }
  refused("`k` must be finite, not NaN in row 2, column 1", k = replace(gram, 2, NaN))
  refused("`k` must be square, not 24 x 23", k = gram[, -1])
  refused("of length 24", linear = y[-1])
  refused("`lower, upper` must be finite", upper = rep(NaN, 24))
  refused("`lower, upper` must be finite", upper = rep(Inf, 24))
  refused("lower <= upper", upper = rep(-2, 24))
  refused("`total` must be", total = 100)
  refused("`total` must be", total = NaN)
  refused("`start` must be", start = 1:3)
  refused("`start` must be", start = rep(NaN, 24))
  huge <- smo(k = gram * 1e308, upper = 1e10 * pmax(0, y), lower = 1e10 * pmin(0, y))
  expect_true(all(is.finite(unlist(huge))))
})

test_that("widths, votes and symmetry at their own entries", {
  for (rule in c("median", "nearest", "mean_distance")) {
    expect_error(multikernel:::width_cpp(replace(d$x, 3, NaN), NULL, rule), "`x` must be finite")
    expect_error(multikernel:::width_cpp(d$x[1, , drop = FALSE], NULL, rule), "at least two rows")
    expect_error(multikernel:::width_cpp(d$x * 1e200, NULL, rule), "range of numbers")
    expect_error(multikernel:::width_cpp(d$x, 4L, rule), "`columns` must be positions from 1 to 3")
  }
  expect_error(multikernel:::width_cpp(d$x, NULL, "mode"), "`rule` must be")
  models <- list(list(positive = 1L, negative = 0L, platt = c(-1, 0)))
  for (vote in c(multikernel:::vote_cpp, multikernel:::probability_cpp)) {
    expect_error(vote(matrix(NaN, 2, 1), models, 2L), "`decision` must be finite")
    expect_error(vote(matrix(0, 2, 2), models, 2L), "`decision` must be of one column per model")
    expect_error(vote(matrix(0, 2, 1), models, 1L), "`models` must be")
    expect_error(vote(matrix(0, 2, 1), models, 3L), "`models` must be")
    expect_error(vote(matrix(0, 2, 1), models, NA_integer_), "`models` must be")
  }
  expect_error(multikernel:::asymmetry_cpp(gram[, -1]), "`x` must be a square matrix")
  expect_identical(multikernel:::asymmetry_cpp(gram), integer())
  expect_identical(multikernel:::asymmetry_cpp(replace(gram, 3, 9)), c(3L, 1L))
})
