# Learners that work on the columns of the data instead of on kernels, and compute in R: baselines
# of other packages, under the same roof as all others. Such a learner is made by
# new_feature_learner(), and its file holds methods of
#   train_features()  training rows to a list of states, one for each model
#   feature_score()   state and rows to decision values
#   score_probability()  decision values to probabilities
#   is_whole_state()  whether a stored state is one of such a model
#   feature_terms()   the same as sums over groups of columns, if contribution_groups() has a method
# A state is seen by the file of its learner alone.
# Two classes have one model, whose decision value is positive for the second class. Several classes
# have one model for each, and the largest value wins: no reduction to pairs is needed.

# `package`: the one that it needs.
new_feature_learner <- function(name, label, parameters, constructor, grid, package) {
  learner <- new_learner(
    name = name, like = "features", label = label, parameters = parameters,
    constructor = constructor, core = NULL, tasks = "classification", takes = kernel_limits(0, 0),
    kernels = NULL, normalize = "none", costs = FALSE, stochastic = FALSE, path = character(),
    grid = grid, stopping = stop_at_tol(), margins = FALSE, linear = FALSE, product = FALSE,
    labels_inside = FALSE, approximate = FALSE, used_for = list(), work = NULL
  )
  learner$package <- package
  learner
}

is_feature_learner <- function(learner) inherits(learner, "mkl_learner_features")

# `y`: class codes from 0. list(states, kept): `kept` are the rows that prediction needs.
train_features <- function(learner, x, y, classes) UseMethod("train_features")

# `train`: the rows that were kept. A vector, one value for each row of x.
feature_score <- function(learner, state, x, train) UseMethod("feature_score")

# `columns`, `rows`: of the rows that were kept.
is_whole_state <- function(learner, state, columns, rows) UseMethod("is_whole_state")

# list(values, constant): what each group of columns contributes at the rows of x, and the rest.
feature_terms <- function(learner, state, x, groups) UseMethod("feature_terms")

# A matrix with one column for each class.
score_probability <- function(learner, decision) UseMethod("score_probability")

# No kernels: the empty set. Kernels that the user gave for other learners are not looked at.
no_kernels <- function(frame, learner) {
  if (ncol(frame$x) == 0L) {
    stop_mkl(
      "data_error", data_name(frame$blueprint),
      "learner_", learner$name, "() works on columns of data, but ",
      if (!has_columns(frame$blueprint) || length(frame$kernels)) {
        "only kernel matrices were given."
      } else {
        "there are none."
      }
    )
  }
  new_kernels(list())
}

#' @export
learner_core.mkl_learner_features <- function(learner, items, frame) {
  need_package(learner$package, paste0("learner_", learner$name, "() needs"))
  learner$parameters
}

#' @export
scores_in_core.mkl_learner_features <- function(learner) FALSE

#' @export
fit_core.mkl_learner_features <- function(learners, x, problem, items, parameters, control) {
  lapply(learners, fit_features, x, problem)
}

fit_features <- function(learner, x, problem) {
  trained <- train_features(learner, x, as.integer(problem$y), problem$classes)
  pairs <- if (problem$classes == 2L) list(c(1L, 0L)) else {
    lapply(seq_len(problem$classes) - 1L, function(code) c(code, -1L))
  }
  models <- Map(function(state, pair) {
    list(
      positive = pair[1L], negative = pair[2L], weights = numeric(), platt = numeric(),
      report = closed_form_report(), state = state
    )
  }, trained$states, pairs)
  train <- x[trained$kept, , drop = FALSE]
  list(
    models = models, kept = trained$kept, normalizers = list(), multiclass = "native",
    probability = TRUE, decision = feature_decision(learner, models, x, train)
  )
}

# Nothing is iterated, and there is no objective.
closed_form_report <- function() {
  list(
    converged = TRUE, iterations = 0, objective = NaN, gap = NaN, violation = 0,
    indefinite = FALSE, seconds = 0, path = numeric()
  )
}

each_state <- function(learner, models, train, f) {
  lapply(models, function(model) {
    state <- model$state
    if (!isTRUE(is_whole_state(learner, state, ncol(train), nrow(train)))) {
      stop_damaged("a model is not whole")
    }
    f(state)
  })
}

feature_decision <- function(learner, models, x, train) {
  x <- unname(x)
  scores <- each_state(learner, models, train, function(state) {
    feature_score(learner, state, x, unname(train))
  })
  matrix(vapply(scores, as.double, numeric(nrow(x))), nrow(x), length(models))
}

#' @export
core_decision.mkl_features <- function(object, x, blocks, take) {
  feature_decision(object$learner, object$models, x, object$train)
}

#' @export
core_terms.mkl_features <- function(object, x, blocks, take, groups) {
  force(groups) # an error for learners without terms
  each_state(object$learner, object$models, object$train, function(state) {
    feature_terms(object$learner, state, x, groups)
  })
}

# All rows that were kept.
#' @export
model_facts.mkl_features <- function(object) {
  rep(list(list(rows = seq_along(object$kept))), length(object$models))
}

#' @export
class_probability.mkl_features <- function(object, decision) {
  score_probability(object$learner, decision)
}

# What a function of the package computes; its errors say whose they are.
from_package <- function(called, expr) {
  catch_error(expr, error = function(e) {
    stop_mkl("data_error", "x", called, " failed: ", conditionMessage(e), ".")
  })
}
