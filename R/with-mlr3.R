# Interface to mlr3: two learners in its dictionary that fit all methods; those of single methods
# are in R/with-mlr3-methods.R. Their R6 classes inherit from classes of mlr3, which is suggested
# only, so they are made when they are first asked for.

#' Use multikernel learners with mlr3
#'
#' Learners for the package mlr3 are added to its dictionary when mlr3 is loaded:
#' `classif.multikernel` and `regr.multikernel` for all learners, and one for each method that has a
#' function of its own, such as `classif.easymkl` and `regr.simplemkl`. They are created by
#' `mlr3::lrn("classif.easymkl")`.
#'
#' @details
#' The learners of single methods have the parameters of this method only, with types, bounds,
#' choices and defaults, and `threads`, which `mlr3::set_threads()` sets. The parameter set of
#' `classif.multikernel` and `regr.multikernel` contains
#' * `learner`: a learner or its name, such as `"easymkl"`; the default is that of [mkl()];
#' * the parameters of all learners (`cost`, `lambda`, `trials` and so on). Parameters that the
#'   learner does not have are ignored, with one message in a session, so that a grid can contain
#'   several learners;
#' * `importance`: `"weights"` (the default) or `"permutation"`, see below;
#' * the arguments of [mkl()]: `kernels`, `normalize`, `scale`, `scale_response` (regression),
#'   `multiclass`, `class_weights` (classification), `na.action`, `new_levels`, `max_levels` and
#'   `control`.
#'
#' The model inside, `learner$model`, is a fit of [mkl()],
#' \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b.}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b.} The predict type `"prob"` calibrates
#' probabilities, which takes about five more fits; the predicted class is always based on the
#' decision values, see [predict.mkl()]. Observation weights are used by learners with a cost. Two
#' or more classes and numeric, logical, text and factor columns are supported; missing values are
#' not, use the pipelines of mlr3 for these.
#'
#' `learner$importance()` gives the importance of each feature, the largest first. With
#' `importance = "permutation"` it is computed at the end of the training as permutation
#' importance with five-fold cross-validation, see [importance()], which takes five more fits.
#' With `"weights"` it is available for fits in which every kernel uses a single feature, such as
#' those with `kernels = c(kernel_rbf(on = "age"), kernel_linear(on = "dose"))`. It is the sum of
#' the absolute weights of the kernels \eqn{M_j} on feature \eqn{j}, averaged over the models,
#' \deqn{I_j = \sum_{m \in M_j} |d_m|.}{I_j = sum over m in M_j of |d_m|.}
#' The weight of a kernel on several features cannot be attributed to single features: such fits,
#' and learners without kernels, raise an error. `learner$selected_features()` of the learners of
#' single methods gives the features with a positive weight, and all features for such fits.
#'
#' # Choosing parameters
#' Ranges are specified for tuning: `cost = to_tune(0.01, 100, logscale = TRUE)` for a parameter,
#' `learner = to_tune(p_fct(c("svm", "easymkl")))` for the learner.
#'
#' @references
#' Bischl, B., Sonabend, R., Kotthoff, L. and Lang, M., editors (2024). *Applied Machine Learning
#' Using mlr3 in R*. CRC Press.
#' @family frameworks
#' @name mlr3_multikernel
#' @aliases mlr_learners_classif.multikernel mlr_learners_regr.multikernel
#' @examples
#' if (requireNamespace("mlr3", quietly = TRUE)) {
#'   learner <- mlr3::lrn("classif.easymkl", lambda = 0.2)
#'   task <- mlr3::as_task_classif(iris, target = "Species")
#'   learner$train(task, row_ids = seq(1, 150, 2))
#'   print(learner$predict(task, row_ids = seq(2, 150, 2))$score())
#'   learner$model
#' }
NULL

utils::globalVariables(c("self", "private", "super")) # names that R6 puts before its methods

register_mlr3 <- function() {
  dictionary <- mlr3::mlr_learners
  dictionary$add("classif.multikernel", mlr3_maker("classif"))
  dictionary$add("regr.multikernel", mlr3_maker("regr"))
  register_mlr3_methods(dictionary)
}

# Makes a learner of mlr3. lrn() hands it the arguments that it names: those that belong elsewhere,
# such as `threads`, are refused with the place that they belong to.
mlr3_maker <- function(task_type) {
  force(task_type)
  maker <- function() {
    given <- as.list(match.call())[-1L]
    for (name in names(given)) stop_value(name, given[[name]], character(), learner_simplemkl())
    mlr3_class(task_type)$new()
  }
  elsewhere <- c(names(argument_synonyms()), unlist(lapply(homes(), function(home) home$names)))
  own <- c(
    framework_arguments(), learners_parameters(), "learner", "id", "predict_type", "predict_sets",
    "timeout", "task_type", "parallel_predict", "encapsulate", "fallback", "n"
  )
  elsewhere <- setdiff(elsewhere, own)
  no_default <- list(quote(expr = ))  # nolint: spaces_inside_linter.
  formals(maker) <- stats::setNames(rep(no_default, length(elsewhere)), elsewhere)
  maker
}

mlr3_classes <- new.env(parent = emptyenv())

# The generator of the class, made once.
mlr3_class <- function(type) {
  if (is.null(mlr3_classes[[type]])) mlr3_classes[[type]] <- mlr3_generator(type)
  mlr3_classes[[type]]
}

# Methods find `type` in the environment of this call.
mlr3_generator <- function(type) {
  force(type)
  R6::R6Class(
    if (type == "classif") "LearnerClassifMKL" else "LearnerRegrMKL", parent_env = environment(),
    inherit = if (type == "classif") mlr3::LearnerClassif else mlr3::LearnerRegr,
    public = list(initialize = function() {
      super$initialize(
        id = paste0(type, ".multikernel"), param_set = mlr3_parameters(type),
        predict_types = c("response", if (type == "classif") "prob"),
        feature_types = c("logical", "integer", "numeric", "character", "factor", "ordered"),
        properties = c(if (type == "classif") c("twoclass", "multiclass"), "weights", "importance"),
        packages = "multikernel", label = "Multiple Kernel Learning",
        man = "multikernel::mlr3_multikernel"
      )
    }, importance = function() mlr3_importance(self)),
    private = list(
      .train = function(task) mlr3_train(self, private, task),
      .predict = function(task) mlr3_predict(self, task)
    )
  )
}

mlr3_parameters <- function(type) {
  ours <- c("kernels", "normalize", "na.action", "control", if (type == "classif") "class_weights")
  anything <- lapply(stats::setNames(ours, ours), function(name) paradox::p_uty(tags = "train"))
  choices <- list(
    learner = paradox::p_uty(default = NULL, tags = "train", custom_check = mlr3_check_learner),
    scale = paradox::p_lgl(default = TRUE, tags = "train"),
    scale_response = if (type == "regr") paradox::p_lgl(default = TRUE, tags = "train"),
    importance = paradox::p_fct(
      c("weights", "permutation"), default = "weights", tags = "train"
    ),
    new_levels = paradox::p_fct(c("error", "missing"), default = "error", tags = "train"),
    max_levels = paradox::p_dbl(1, special_vals = list(Inf), default = 50, tags = "train"),
    multiclass = if (type == "classif") {
      paradox::p_fct(
        c("one_vs_one", "one_vs_rest"), default = "one_vs_one", tags = "train"
      )
    }
  )
  do.call(paradox::ps, c(Filter(Negate(is.null), choices), mlr3_learner_parameters(), anything))
}

# TRUE, or what is wrong: the form that paradox asks for.
mlr3_check_learner <- function(x) {
  tryCatch(
    {
      choose_learner(x)
      TRUE
    },
    multikernel_error = function(e) conditionMessage(e)
  )
}

# The union of the parameters of all learners. Those that are one number in each of them become
# numbers, the others anything: the constructor of the learner checks the value. Upper ends are left
# to it too, as a name such as `lambda` has another range in another learner.
mlr3_learner_parameters <- function() {
  formals <- do.call(base::c, lapply(learner_names(), function(stem) {
    as.list(formals(get(paste0("learner_", stem))))
  }))
  formals <- formals[!names(formals) %in% c("...", framework_arguments())]
  whole <- c("trials", "iterations", "folds", "k")
  lapply(split(formals, names(formals)), function(defaults) {
    if (names(defaults)[1L] %in% whole) return(paradox::p_int(lower = 1, tags = "train"))
    numbers <- vapply(defaults, function(d) is.numeric(d) || is.call(d) && is_number(eval(d)), NA)
    if (all(numbers)) paradox::p_dbl(lower = 0, tags = "train") else paradox::p_uty(tags = "train")
  })
}

mlr3_train <- function(self, private, task, learner = NULL) {
  values <- self$param_set$get_values(tags = "train")
  learner <- learner %||% values$learner
  values <- mlr3_threads(values)
  permute <- identical(values$importance, "permutation")
  values[c("learner", "importance")] <- NULL
  values$task <- task_called(task$task_type, "mlr3")
  values$probability <- self$predict_type == "prob"
  if ("weights" %in% self$properties) values$weights <- mlr3_weights(private, task)
  x <- mlr3_columns(task)
  y <- task$truth()
  fit <- framework_fit(x, y, learner = learner, values = values, drop = TRUE)
  if (!permute) return(fit)
  fit$importance <- permuted_features(fit, x, y, values)
  seal_fit(fit)
}

# The parameter `threads` of the learners of single methods belongs to `control`.
mlr3_threads <- function(values) {
  if (is.null(values$threads)) return(values)
  values$control <- values$control %||% mkl_control()
  values$control$threads <- as.integer(values$threads)
  values$threads <- NULL
  values
}

# Importance of the features by permutation within five folds. `values`: the settings of the fit,
# which its call does not have.
permuted_features <- function(fit, x, y, values) {
  settings <- Filter(Negate(is.null), values[intersect(names(values), framework_arguments())])
  fit$call <- as.call(c(list(quote(mkl), x = quote(x), y = quote(y)), settings))
  lost <- importance(seal_fit(fit), x, y, by = "column", repeats = 5, resamples = resample_cv(5))
  stats::setNames(lost$estimate, lost$term)[names(x)]
}

# mlr3 1.0 asks its own method, which knows whether the user wants weights to be used.
mlr3_weights <- function(private, task) {
  if (is.function(private$.get_weights)) return(private$.get_weights(task))
  if ("weights" %in% task$properties) task$weights$weight
}

mlr3_columns <- function(task) {
  as.data.frame(task$data(cols = task$feature_names), optional = TRUE)
}

mlr3_predict <- function(self, task) {
  new <- mlr3_columns(task)
  out <- list(response = without_cases(stats::predict(self$model, new)))
  if (self$predict_type == "prob") {
    out$prob <- without_cases(without_repeats(stats::predict(self$model, new, type = "prob")))
  }
  out
}

mlr3_importance <- function(self) {
  if (is.null(self$model)) {
    stop_mkl("argument_error", "model", "The learner has no model yet: call its method train().")
  }
  weights <- self$model$importance %||% feature_weights(self$model)
  if (is.character(weights)) stop_mkl("argument_error", "model", weights)
  sort(weights, decreasing = TRUE)
}

# Weight of each feature of a fit whose kernels see one feature each, or a text that says why there
# is none.
feature_weights <- function(x) {
  if (length(x$kernels) == 0L) return(no_weights(x))
  owner <- names(x$frame$indicator)
  seen <- lapply(x$kernels, function(item) {
    parts <- item$factors %||% list(item)
    unique(owner[unlist(lapply(parts, function(one) one$columns %||% seq_along(owner)))])
  })
  wide <- which(lengths(seen) != 1L)
  if (length(wide)) {
    return(paste0(
      "Kernel `", x$kernels[[wide[1L]]]$name, "` sees ", length(seen[[wide[1L]]]), " features: ",
      "their importance is defined only if each kernel sees one feature, as kernel_rbf(on = ",
      "\"", owner[1L], "\") does. Train with `importance = \"permutation\"` for any kernels."
    ))
  }
  weights <- Reduce(`+`, lapply(x$models, function(model) abs(model$weights))) / length(x$models)
  own <- rep(unlist(seen), item_counts(x$kernels))
  vapply(stats::setNames(nm = x$frame$names), function(name) {
    sum(weights[seq_along(own)][own == name])
  }, 0)
}
