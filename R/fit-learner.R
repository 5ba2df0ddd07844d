# Learners. A learner is a specification: its name, its parameters, and its traits, which are what
# the rest of the package needs to know of it. A new learner is one file R/learner-<stem>.R with its
# constructor, built on new_learner(); the same file holds a method of learner_core() where the core
# takes other parameters than the user gives, and methods for the class `mkl_<stem>` of its fits.

# Every trait must be given: a learner that forgot one would get that of another without a word.
# `name`: that of its constructor, without `learner_`; `like`: the names of learners whose methods
#   it shares.
# `core`: name of the learner in the core; NULL if it computes in R.
# `takes`: how many kernels, see kernel_limits().
# `kernels`: function(p, scaled, variables) that makes them when the user names none, for `p`
#   columns, z-scored or not, and the names or positions of the variables behind them.
# `normalize`: normalizer of kernels when neither the user nor a kernel says.
# `costs`: TRUE if weights of rows and classes act on the fit.
# `stochastic`: TRUE if the fit draws random numbers.
# `path`: parameters along which a grid costs little more than one fit. Points that differ in
#   nothing else belong together: results may depend on their neighbors within `tol`.
# `grid`: list of values of the parameters that tune_mkl() tries; NULL if the user must give them.
# `stopping`: what ends the solver, see stop_at_tol().
# `margins`: TRUE if f(x) = -1 and f(x) = 1 mean something: the margins of a hinge loss, or the
#   targets of least squares. Votes, probabilities and scores without a unit have no such lines.
# `linear`: TRUE if the decision function is a sum over kernels, each with coefficients of its own.
# `product`: TRUE if it multiplies kernels, so that a case needs the views of all of them.
# `labels_inside`: TRUE if rows are held out inside of the fit, which labels must not reach.
# `approximate`: TRUE if it can be fitted to features in the place of matrices, see
#   R/fit-approximate.R: its core reads sums of kernels by row evaluators and quadratic forms only.
# `used_for`: for parameters that not every task uses, the tasks that do; none if no task does.
# `work`: nanoseconds for each kernel and each power of the rows, and that power, measured on one
#   core with the defaults; NULL if unknown.
new_learner <- function(name, like, label, parameters, constructor, core, tasks, takes, kernels,
                        normalize, costs, stochastic, path, grid, stopping, margins, linear,
                        product, labels_inside, approximate, used_for, work) {
  given <- names(match.call())[-1L]
  traits <- names(formals())
  if (!all(traits %in% given)) {
    stop_mkl(
      "argument_error", setdiff(traits, given)[1L], "new_learner() needs ",
      tick_all(setdiff(traits, given)), "."
    )
  }
  learner <- mget(traits, environment())
  class(learner) <- c(paste0("mkl_learner_", c(name, like)), "mkl_learner")
  learner
}

# The number of kernels that a learner can take. `hint`: what to do with another number of them.
kernel_limits <- function(min = 1, max = Inf, hint = "") list(min = min, max = max, hint = hint)

# The name, the entry of the report that is compared with it, that in words, and what to raise when
# it was not reached. `target`: NULL for the tolerance of mkl_control(). `relative`: whether
# duality_gap() is relative to the objective. `unit`: what the target is a share of.
stop_at_tol <- function() {
  list(
    name = "tol", target = NULL, unit = "", measure = "violation", words = "largest violation",
    remedy = "`max_iter` in mkl_control()", relative = FALSE
  )
}

stop_at_gap <- function(gap) {
  list(
    name = "gap", target = gap, unit = "", measure = "gap", words = "relative duality gap",
    remedy = "`iterations`", relative = TRUE
  )
}

stopping_rule <- function(learner, control) {
  rule <- learner$stopping
  if (is.null(rule$target)) rule$target <- control[[rule$name]]
  rule
}

# Fits store a learner of this package by name and parameters, so that they stay small and hold no
# code; fits of version 0.2.0 know no more either. Its constructor gives it back its traits.
stored_learner <- function(learner) {
  if (!identical(environment(learner$constructor), topenv())) return(learner)
  learner[traits_not_stored()] <- NULL
  inner <- vapply(learner$parameters, inherits, NA, "mkl_learner")
  learner$parameters[inner] <- lapply(learner$parameters[inner], stored_learner)
  learner
}

traits_not_stored <- computed_once(function() {
  setdiff(names(formals(new_learner)), c("name", "label", "parameters"))
})

complete_learner <- function(learner) {
  if (!is.null(learner$constructor)) return(learner)
  if (!is.null(learner$base)) return(complete_learner(learner$base))
  names <- sub("mkl_", "", class(learner), fixed = TRUE)
  constructor <- get(Find(function(name) exists(name, topenv()), names))
  known <- intersect(names(learner$parameters), constructor_parameters(constructor))
  do.call(constructor, learner$parameters[known])
}

learner_of <- function(fit) complete_learner(fit$learner)

# The parameters that every learner on top of the SVM shares. `loss` is one of them if it is not the
# default of its task.
svm_parameters <- function(cost, epsilon, nu, loss = "hinge") {
  loss <- check_choice(loss, "loss", c("hinge", "squared_hinge", "squared"))
  c(
    list(
      cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE)),
      epsilon = check_number(epsilon, "epsilon", 0),
      nu = check_number(nu, "nu", 0, 1, open = c(TRUE, FALSE))
    ),
    if (loss != "hinge") list(loss = loss)
  )
}

# The tasks of a learner with these parameters.
svm_tasks <- function(parameters) {
  switch(parameters$loss %||% "hinge",
    hinge = task_names(),
    squared_hinge = "classification",
    squared = c("classification", "regression")
  )
}

# The tasks that use them.
svm_used_for <- computed_once(function() {
  names <- c("cost", "epsilon", "nu")
  lapply(stats::setNames(names, names), function(name) {
    tasks_with(function(traits) name %in% traits$parameters)
  })
})

# The traits that learners on top of the SVM share.
svm_learner <- function(..., parameters, tasks = svm_tasks(parameters),
                        grid = list(cost = 10^(-2:3)), stopping = stop_at_tol()) {
  new_learner(
    ..., like = NULL, parameters = parameters, tasks = tasks, takes = kernel_limits(), costs = TRUE,
    grid = grid, stopping = stopping, margins = TRUE, linear = TRUE, product = FALSE,
    used_for = svm_used_for()
  )
}

# A learner, or its name without `learner_`.
check_learner <- function(learner) {
  if (is.character(learner)) {
    learner <- learner_called(check_choice(learner, "learner", learner_names()))
  }
  if (is.function(learner)) {
    stop_mkl(
      "argument_error", "learner", "`learner` must be a learner, not a function. ",
      "Call the constructor: learner = learner_svm()."
    )
  }
  complete_learner(
    check_class(learner, "learner", "mkl_learner", "made by a constructor such as learner_svm()")
  )
}

# With the defaults of its constructor; made once.
learner_called <- function(name) {
  made <- made_learners[[name]]
  if (is.null(made)) made <- made_learners[[name]] <- get(paste0("learner_", name))()
  made
}

made_learners <- new.env(parent = emptyenv())

learner_names <- function() {
  sort(sub("^learner_", "", grep("^learner_", getNamespaceExports(topenv()), value = TRUE)))
}

constructor_parameters <- function(constructor) setdiff(names(formals(constructor)), "...")

learner_parameters <- function(learner) constructor_parameters(learner$constructor)

# `learner`, or without one the default for these kernels (sets or NULL): one that learns weights
# where there is something to weigh.
choose_learner <- function(learner, ...) {
  if (!is.null(learner)) return(check_learner(learner))
  given <- Filter(Negate(is.null), list(...))
  counts <- unlist(lapply(given, function(set) item_counts(unclass(check_kernels(set)))))
  learner_called(if (sum(counts) > 1) "simplemkl" else "svm")
}

# list of parameters for the core; the place for checks that need the kernels.
learner_core <- function(learner, items, frame) UseMethod("learner_core")

#' @export
learner_core.mkl_learner <- function(learner, items, frame) {
  Filter(Negate(is.null), learner$parameters)
}

# What holds for every learner before it is fitted.
check_use <- function(learner, items, costs) {
  if (!learner$costs && any(costs != 1)) {
    stop_mkl(
      "argument_error", "weights", "learner_", learner$name, "() has no cost that ",
      "`weights` and `class_weights` could change. Leave them out."
    )
  }
  count <- sum(item_counts(items))
  limits <- learner$takes
  if (length(items) && (count < limits$min || count > limits$max)) {
    range <- unique(c(limits$min, limits$max))
    stop_mkl(
      "argument_error", "kernels", "learner_", learner$name, "() takes ",
      if (limits$max == 1) "one kernel" else paste(paste(range, collapse = " to "), "kernels"),
      ", not ", format_number(count, 15L), ". ", limits$hint
    )
  }
}

# Fits learners that differ in their parameters alone (points) to the resolved kernels: a result for
# each. A learner that divides its work among processes has a method.
fit_core <- function(learners, x, problem, items, parameters, control) {
  UseMethod("fit_core", learners[[1L]])
}

# `passes`: of EasyMKL, how it passes over the kernels in other processes.
#' @export
fit_core.mkl_learner <- function(learners, x, problem, items, parameters, control, passes = NULL) {
  points <- list(name = learners[[1L]]$core, points = unname(parameters), passes = passes)
  out <- fit_pairs(fit_cpp, x, problem, core_items(items), points, control)
  Map(function(models, decision) {
    list(
      models = models, kept = out$kept, normalizers = out$normalizers, decision = decision,
      approximation_error = out$approximation_error, approximation_form = out$approximation_form
    )
  }, out$models, out$decision)
}

# Whether the core alone can fit a learner and apply it to other rows: FALSE where a method of
# fit_core() or of models_converged() has a part in it.
scores_in_core <- function(learner) UseMethod("scores_in_core")

#' @export
scores_in_core.mkl_learner <- function(learner) TRUE

# Name of the function that makes such a learner.
constructor_name <- function(learner) sub("\\(.*", "", format(learner))

# A named method such as komd(): its arguments are those of mkl() and those of its learner.
named_method <- function(constructor) {
  parameters <- constructor_parameters(constructor)
  given <- lapply(stats::setNames(nm = parameters), as.name)
  learner <- as.call(c(substitute(constructor), given))
  body <- call("front_door", learner, quote(x), quote(...))
  arguments <- formals(function(x, ...) NULL)
  as.function(c(arguments, formals(constructor)[parameters], body), environment(constructor))
}

# What a named method such as komd() does: mkl() with its learner. The fit keeps the call of the
# function that calls front_door(), whose arguments are known too.
front_door <- function(learner, x, ...) {
  force(learner)
  caller <- sys.parent()
  method <- sys.function(caller)
  call <- match.call(method, sys.call(caller), envir = parent.frame(2L))
  known <- setdiff(c(names(formals(method)), "data", "y", setting_names()), c("...", "learner"))
  unknown <- setdiff(names(call), c("", known))
  if (length(unknown)) {
    stop_unknown(unknown[1L], call[[unknown[1L]]], caller_name(call), known, learner, inside = TRUE)
  }
  fit <- mkl(x, ..., learner = learner)
  fit$call <- call
  fit
}

# The kernels that a learner makes of those of the user.
learner_items <- function(learner, items) UseMethod("learner_items")

#' @export
learner_items.mkl_learner <- function(learner, items) items

#' @export
format.mkl_learner <- function(x, task = NULL, ...) {
  learner <- complete_learner(x)
  unused <- vapply(learner$used_for, function(tasks) {
    length(tasks) == 0L || !is.null(task) && !task %in% tasks
  }, NA)
  shown <- learner$parameters[setdiff(names(learner$parameters), names(which(unused)))]
  shown <- Filter(Negate(is.null), shown)
  values <- vapply(shown, format_value, "")
  inside <- if (length(values)) paste(names(values), "=", values, collapse = ", ") else ""
  paste0("learner_", learner$name, "(", inside, ")")
}

format_value <- function(x) {
  if (inherits(x, "mkl_learner")) return(format(x))
  if (inherits(x, "formula")) return(deparse1(x))
  text <- if (is.numeric(x)) format_number(x) else if (is.character(x)) dQuote(x, FALSE) else {
    as.character(x)
  }
  if (length(text) == 1L) return(text)
  if (length(text) > 6L) text <- c(text[1:5], "...")
  paste0("c(", paste(text, collapse = ", "), ")")
}

#' @export
print.mkl_learner <- function(x, ...) {
  x <- complete_learner(x)
  cat("<mkl_learner> ", x$label, "\n", sep = "")
  cat("  ", format(x), "\n", sep = "")
  cat("  tasks: ", paste(x$tasks, collapse = ", "), "\n", sep = "")
  if (is_feature_learner(x)) {
    cat("  works on columns, not on kernels\n")
  } else {
    cat("  kernels normalised by default: ", paste(x$normalize, collapse = ", "), "\n", sep = "")
  }
  invisible(x)
}
