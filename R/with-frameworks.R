# What the interfaces to other frameworks (parsnip, mlr3, caret) share. Their packages are suggested
# only; parsnip and mlr3 keep registers of models, in which ours is entered when they are loaded.

.onLoad <- function(libname, pkgname) { # nolint: object_name_linter.
  share_generics(topenv())
  when_loaded("parsnip", register_parsnip)
  when_loaded("mlr3", register_mlr3)
}

# Calls `register` now if the package is loaded, else as soon as it is.
when_loaded <- function(package, register) {
  if (isNamespaceLoaded(package)) return(register())
  setHook(packageEvent(package, "onLoad"), function(...) register())
}

# The arguments of mkl() besides the data and the learner. `weights` means those of rows here,
# though learner_svm() has a parameter of that name.
framework_arguments <- function() setdiff(setting_names(), "learner")

# mkl() with its arguments and the parameters of the learner in one list, `values`; NULL means the
# default. `x`: formula or columns. `drop`: TRUE to leave out parameters of other learners.
framework_fit <- function(x, ..., learner, values, drop = FALSE) {
  terms <- if (inherits(x, "formula")) parse_formula(x, list(...)[[1L]])$kernels
  learner <- choose_learner(learner, values$kernels, terms)
  values <- Filter(Negate(is.null), values)
  if (drop) values <- drop_parameters(values, learner)
  values <- check_values(values, learner)
  own <- framework_arguments()
  learner <- change_learner(learner, values[setdiff(names(values), own)])
  arguments <- c(list(x, ..., learner = learner), values[intersect(names(values), own)])
  fit <- messages_once(do.call(mkl, arguments))
  fit$call <- framework_call(fit)
  fit
}

# Predictions as frameworks expect them: without names, probabilities as a data frame.
framework_values <- function(values) {
  values <- without_cases(values)
  if (is.matrix(values)) as.data.frame(values) else values
}

# Resampling by another package fits to many parts of the same rows. A message about columns is
# shown again only after a minute without it.
messages_once <- function(expr) {
  withCallingHandlers(expr, multikernel_message = function(m) {
    key <- paste(c(class(m)[1L], m$columns), collapse = " ")
    if (was_said(key, within = 60)) tryInvokeRestart("muffleMessage")
  })
}

# do.call() leaves the data themselves in the call; names stand for them.
framework_call <- function(fit) {
  formula <- stored_formula(fit$frame)
  if (is.null(formula)) return(call("mkl", x = quote(x), y = quote(y), learner = fit$learner))
  call("mkl", x = formula, data = quote(data), learner = fit$learner)
}

check_values <- function(values, learner) {
  names <- names(values) %||% rep("", length(values))
  known <- c(learner_parameters(learner), framework_arguments())
  unknown <- setdiff(names, known)
  if (length(unknown)) {
    stop_value(unknown[1L], values[[match(unknown[1L], names)]], known, learner)
  }
  check_unique_names(names, "...", "argument")
  values
}

stop_value <- function(name, value, known, learner) {
  called <- paste0("learner_", learner$name, "()")
  found <- where_it_belongs(name, value, called, known, learner, inside = TRUE)
  stop_mkl("argument_error", name, if (!nzchar(name)) {
    "An argument without a name is left over."
  } else if (nzchar(found)) {
    found
  } else {
    paste0(
      "`", name, "` is neither a parameter of ", called, " nor an argument of mkl().",
      did_you_mean(name, known, "`")
    )
  })
}

# A framework tries several learners with the same parameters: those that a learner does not have
# are left out, with one message for each learner in a session. Names that no learner has stay, and
# are refused.
drop_parameters <- function(values, learner) {
  known <- c(learner_parameters(learner), framework_arguments())
  others <- Filter(function(name) nzchar(name) && length(learners_with(name)),
                   setdiff(names(values), known))
  if (length(others) == 0L) return(values)
  called <- paste0("learner_", learner$name, "()")
  inform_once(
    paste("dropped", called, paste(others, collapse = " ")), "dropped_parameter",
    tick_all(others), if (length(others) == 1L) " is" else " are", " not used: ", called,
    " has no such parameter."
  )
  values[setdiff(names(values), others)]
}
