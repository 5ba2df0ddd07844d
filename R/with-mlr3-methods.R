# One learner of mlr3 for each method of this package, such as `classif.easymkl`: with its own
# parameters, whose types, bounds, choices and defaults are read off the constructor of the learner.

# Methods with a function of their own. The baselines (svm, lda and so on) have names that other
# packages of mlr3 use; `classif.multikernel` has them all.
mlr3_methods <- function(type) {
  named <- Filter(has_front_door, learner_names())
  task <- task_called(type, "mlr3")
  sort(named[vapply(named, function(stem) task %in% learner_called(stem)$tasks, NA)])
}

has_front_door <- function(stem) {
  found <- get0(stem, topenv(), mode = "function", inherits = FALSE)
  !is.null(found) && "front_door" %in% all.names(body(found))
}

register_mlr3_methods <- function(dictionary) {
  for (type in c("classif", "regr")) {
    for (stem in mlr3_methods(type)) {
      dictionary$add(paste0(type, ".", stem), mlr3_method_maker(type, stem))
    }
  }
}

mlr3_method_maker <- function(type, stem) {
  force(type)
  force(stem)
  function() mlr3_method_class(type, stem)$new()
}

# The generator of the class, made once.
mlr3_method_class <- function(type, stem) {
  key <- paste0(type, ".", stem)
  if (is.null(mlr3_classes[[key]])) mlr3_classes[[key]] <- mlr3_method_generator(type, stem)
  mlr3_classes[[key]]
}

mlr3_method_generator <- function(type, stem) {
  learner <- learner_called(stem)
  properties <- c(
    if (type == "classif") c("twoclass", "multiclass"), if (learner$costs) "weights", "importance",
    "selected_features"
  )
  R6::R6Class(
    paste0("Learner", if (type == "classif") "Classif" else "Regr", "MKL_", stem),
    parent_env = environment(),
    inherit = if (type == "classif") mlr3::LearnerClassif else mlr3::LearnerRegr,
    public = list(
      initialize = function() {
        super$initialize(
          id = paste0(type, ".", stem), param_set = mlr3_method_parameters(type, stem),
          predict_types = c("response", if (type == "classif") "prob"),
          feature_types = c("logical", "integer", "numeric", "character", "factor", "ordered"),
          properties = properties, packages = "multikernel", label = learner$label,
          man = "multikernel::mlr3_multikernel"
        )
      },
      importance = function() mlr3_importance(self),
      selected_features = function() mlr3_selected(self)
    ),
    private = list(
      .train = function(task) mlr3_train(self, private, task, stem),
      .predict = function(task) mlr3_predict(self, task)
    )
  )
}

# Features that a model uses: those with a weight if each kernel sees one, else all of them.
mlr3_selected <- function(self) {
  if (is.null(self$model)) {
    stop_mkl("argument_error", "model", "The learner has no model yet: call its method train().")
  }
  weights <- feature_weights(self$model)
  if (is.character(weights)) self$model$frame$names else names(weights)[weights > 0]
}

# ---- parameters ----------------------------------------------------------------------------------

# Those of the learner, without those that the task does not use, and the arguments of mkl() that
# classif.multikernel has. `threads` is one that mlr3 sets itself.
mlr3_method_parameters <- function(type, stem) {
  shared <- mlr3_parameters(type)
  learner <- learner_called(stem)
  unused <- vapply(learner$used_for, function(tasks) !task_called(type, "mlr3") %in% tasks, NA)
  own <- setdiff(learner_parameters(learner), c(names(unused)[unused], "weights"))
  others <- setdiff(shared$ids(), c("learner", learners_parameters()))
  defaults <- formals(get(paste0("learner_", stem)))
  domains <- c(
    lapply(stats::setNames(own, own), function(name) mlr3_domain(stem, name, defaults)),
    list(threads = paradox::p_int(1, default = 1L, tags = c("train", "threads")))
  )
  ours <- do.call(paradox::ps, domains)
  paradox::ps_union(list(ours, shared$clone(deep = TRUE)$subset(others)))
}

# Type, bounds, choices and default of one parameter, by what its constructor accepts.
mlr3_domain <- function(stem, name, defaults) {
  accepts <- function(value) accepted_by(stem, name, value)
  # A default that is a call of another function, such as that of `base`, counts as none.
  default <- tryCatch(eval(defaults[[name]], list(c = base::c), baseenv()),
                      error = function(e) NULL)
  choices <- more_values()[[stem]][[name]]
  if (is.null(choices) && is.character(default) && length(default) > 1L) choices <- default
  if (!is.null(choices)) return(paradox::p_fct(choices, default = choices[1L], tags = "train"))
  number <- is.numeric(default) || is.null(default) && accepts(5) && !accepts("a")
  if (!number) {
    return(paradox::p_uty(default = default, tags = "train"))
  }
  lower <- if (accepts(-1)) -Inf else if (accepts(0)) 0 else if (accepts(1e-9)) 1e-9 else 1
  upper <- if (accepts(2) || accepts(1e6)) Inf else if (accepts(1)) 1 else 1 - 1e-9
  whole <- !accepts(lower + 0.5) && (accepts(lower + 1) || accepts(lower + 2))
  arguments <- list(lower = lower, upper = upper, tags = "train")
  if (is.null(default)) arguments$special_vals <- list(NULL) else arguments$default <- default
  do.call(if (whole && upper == Inf) paradox::p_int else paradox::p_dbl, arguments)
}

accepted_by <- function(stem, name, value) {
  tryCatch({
    do.call(paste0("learner_", stem), stats::setNames(list(value), name), envir = topenv())
    TRUE
  }, multikernel_error = function(e) FALSE)
}
