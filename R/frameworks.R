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
# default. `x`: formula or columns.
framework_fit <- function(x, ..., learner, values) {
  terms <- if (inherits(x, "formula")) parse_formula(x, list(...)[[1L]])$kernels
  learner <- choose_learner(learner, values$kernels, terms)
  values <- check_values(Filter(Negate(is.null), values), learner)
  own <- framework_arguments()
  learner <- change_learner(learner, values[setdiff(names(values), own)])
  fit <- do.call(mkl, c(list(x, ..., learner = learner), values[intersect(names(values), own)]))
  fit$call <- framework_call(fit)
  fit
}

# do.call() leaves the data themselves in the call; names stand for them.
framework_call <- function(fit) {
  formula <- fit$frame$formula
  if (is.null(formula)) return(call("mkl", x = quote(x), y = quote(y), learner = fit$learner))
  call("mkl", x = formula, data = quote(data), learner = fit$learner)
}

check_values <- function(values, learner) {
  names <- names(values) %||% rep("", length(values))
  known <- c(learner_parameters(learner), framework_arguments())
  unknown <- setdiff(names, known)
  if (length(unknown)) {
    stop_mkl("argument_error", unknown[1L], if (nzchar(unknown[1L])) {
      paste0(
        "`", unknown[1L], "` is neither a parameter of learner_", learner_stem(learner),
        "() nor an argument of mkl().", did_you_mean(unknown[1L], known, "`")
      )
    } else {
      "An argument without a name is left over."
    })
  }
  check_unique_names(names, "...", "argument")
  values
}
