# Learners that work on the columns of the data instead of on kernels, and compute in R: baselines
# of other packages, under the same roof as all others. Such a learner is made by
# new_feature_learner(), and its file holds methods of
#   train_features()  training rows to a list of states, one for each model
#   feature_score()   state and rows to decision values
#   score_probability()  decision values to probabilities
# Two classes have one model, whose decision value is positive for the second class. Several classes
# have one model for each, and the largest value wins: no reduction to pairs is needed.

new_feature_learner <- function(name, parameters, label, package) {
  learner <- new_learner(name, parameters, label, tasks = "classification", normalize = "none")
  learner$package <- package
  class(learner) <- c(paste0("mkl_learner_", name), "mkl_learner_features", "mkl_learner")
  learner
}

is_feature_learner <- function(learner) inherits(learner, "mkl_learner_features")

#' @export
has_margins.mkl_learner_features <- function(learner) FALSE

# `y`: class codes from 0. list(states, kept): `kept` are the rows that prediction needs.
train_features <- function(learner, x, y, classes) UseMethod("train_features")

# `train`: the rows that were kept. A vector, one value for each row of x.
feature_score <- function(learner, state, x, train) UseMethod("feature_score")

# A matrix with one column for each class.
score_probability <- function(learner, decision) UseMethod("score_probability")

# No kernels: the empty set. Kernels that the user gave for other learners are not looked at.
no_kernels <- function(frame, learner) {
  if (ncol(frame$x) == 0L) {
    stop_mkl(
      "data_error", data_name(frame), "learner_", learner$name, "() works on columns of data, but ",
      if (frame$blueprint$type == "precomputed" || length(frame$kernels)) {
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
  refuse_costs(learner, frame$costs)
  if (!requireNamespace(learner$package, quietly = TRUE)) {
    stop_mkl(
      "missing_package", learner$package, "learner_", learner$name, "() needs the package ",
      learner$package, ": install.packages(\"", learner$package, "\")."
    )
  }
  learner$parameters
}

#' @export
fit_core.mkl_learner_features <- function(learner, x, problem, items, parameters, control) {
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

feature_decision <- function(learner, models, x, train) {
  x <- unname(x)
  out <- vapply(models, function(model) {
    feature_score(learner, model$state, x, unname(train))
  }, numeric(nrow(x)))
  matrix(out, nrow(x), length(models))
}

#' @export
core_decision.mkl_features <- function(object, x, blocks, take) {
  x <- scale_new(x, object$frame)
  feature_decision(object$learner, object$models, x, object$train)
}

#' @export
class_probability.mkl_features <- function(object, decision) {
  score_probability(object$learner, decision)
}
