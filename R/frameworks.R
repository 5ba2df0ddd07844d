# What the doors for other frameworks (parsnip, mlr3, caret) share. Their packages are suggested
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

need_package <- function(package, what) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  stop_mkl(
    "missing_package", package, what, " needs the package ", package, ": install.packages(\"",
    package, "\")."
  )
}

# The arguments of mkl() besides the data and the learner. `weights` means those of rows here,
# though learner_svm() has a parameter of that name.
framework_arguments <- function() {
  setdiff(names(formals(mkl_fit)), c("frame", "call", "...", "learner"))
}

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
    recent <- !is.null(messages_seen[[key]]) && as.double(Sys.time()) - messages_seen[[key]] < 60
    messages_seen[[key]] <- as.double(Sys.time())
    if (recent) tryInvokeRestart("muffleMessage")
  })
}

messages_seen <- new.env(parent = emptyenv())

# do.call() leaves the data themselves in the call; names stand for them.
framework_call <- function(fit) {
  if (fit$frame$type != "formula") {
    return(call("mkl", x = quote(x), y = quote(y), learner = fit$learner))
  }
  call("mkl", x = full_formula(fit$frame), data = quote(data), learner = fit$learner)
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
  called <- paste0("learner_", learner_stem(learner), "()")
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
  called <- paste0("learner_", learner_stem(learner), "()")
  inform_once(
    paste("dropped", called, paste(others, collapse = " ")), "dropped_parameter",
    tick_all(others), if (length(others) == 1L) " is" else " are", " not used: ", called,
    " has no such parameter."
  )
  values[setdiff(names(values), others)]
}
