# Learners. A learner is a specification: name (that of the C++ class in the registry),
# parameters, the tasks it can do. A new learner is one file R/learner-<stem>.R with its
# constructor, built on new_learner(); where the defaults below do not suit it, the same file
# holds methods of learner_core() and default_kernels(), and methods for the class
# `mkl_<stem>` of its fits.

# `normalize`: normaliser that the learner uses when neither the user nor a kernel says.
# `stochastic`: TRUE if the fit draws random numbers.
new_learner <- function(name, parameters, label, tasks = task_names(), stochastic = FALSE,
                        normalize = "trace") {
  structure(
    class = c(paste0("mkl_learner_", name), "mkl_learner"),
    list(
      name = name, parameters = parameters, tasks = tasks, label = label,
      stochastic = stochastic, normalize = normalize
    )
  )
}

# The parameters that every learner on top of the SVM shares.
svm_parameters <- function(cost, epsilon, nu) {
  list(
    cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE)),
    epsilon = check_number(epsilon, "epsilon", 0),
    nu = check_number(nu, "nu", 0, 1, open = c(TRUE, FALSE))
  )
}

# A learner, or its name without `learner_`.
check_learner <- function(learner) {
  if (is.character(learner)) {
    learner <- get(paste0("learner_", check_choice(learner, "learner", learner_names())))()
  }
  if (is.function(learner)) {
    stop_mkl(
      "argument_error", "learner", "`learner` must be a learner, not a function. ",
      "Call the constructor: learner = learner_svm()."
    )
  }
  check_class(learner, "learner", "mkl_learner", "made by a constructor such as learner_svm()")
}

# `learner`, or without one the default for these kernels (sets or NULL): one that learns weights
# where there is something to weigh.
choose_learner <- function(learner, ...) {
  if (!is.null(learner)) return(check_learner(learner))
  given <- Filter(Negate(is.null), list(...))
  counts <- unlist(lapply(given, function(set) {
    vapply(unclass(check_kernels(set)), function(item) as.double(item$count), 0)
  }))
  if (sum(counts) > 1) learner_simplemkl() else learner_svm()
}

# list of parameters for the core; the place for checks that need the kernels.
learner_core <- function(learner, items, frame) UseMethod("learner_core")

#' @export
learner_core.mkl_learner <- function(learner, items, frame) learner$parameters

# Fits on the resolved kernels; a learner that divides its work among processes has a method.
fit_core <- function(learner, x, problem, items, parameters, control) UseMethod("fit_core")

#' @export
fit_core.mkl_learner <- function(learner, x, problem, items, parameters, control) {
  if (pairs_elsewhere(problem)) {
    return(fit_shared(list(learner), x, problem, items, list(parameters), control)[[1L]])
  }
  fit_cpp(
    x, problem, core_items(items), list(name = core_name(learner), parameters = parameters),
    control
  )
}

# What ends the solver of a learner, for the warning when it did not get there: name and value of
# the parameter (and what it is a share of), the entry of the report that is compared with it, that
# in words, and what to raise.
stopping_rule <- function(learner, control) UseMethod("stopping_rule")

# Learners with a parameter `gap` end by it, the others by `tol`.
#' @export
stopping_rule.mkl_learner <- function(learner, control) {
  gap <- learner$parameters$gap
  if (is.null(gap)) {
    return(list(
      name = "tol", target = control$tol, measure = "violation", words = "largest violation",
      remedy = "`max_iter` in mkl_control()"
    ))
  }
  list(
    name = "gap", target = gap, measure = "gap", words = "relative duality gap",
    remedy = "`iterations`"
  )
}

# Whether f(x) = -1 and f(x) = 1 mean something: the margins of a hinge loss, or the targets of
# least squares. Votes, probabilities and scores without a unit have no such lines.
has_margins <- function(learner) UseMethod("has_margins")

#' @export
has_margins.mkl_learner <- function(learner) TRUE

# Name of the function that makes such a learner.
constructor_name <- function(learner) sub("\\(.*", "", format(learner))

# Name of the learner in the core, where it differs from that in R.
core_name <- function(learner) {
  if (learner$name == "multik_mhks") "mhks" else learner$name
}

# Fits several learners that differ in their parameters alone, to the same rows and kernels: a list
# of results as fit_core() gives them.
fit_many <- function(learners, x, problem, items, parameters, control) {
  UseMethod("fit_many", learners[[1L]])
}

#' @export
fit_many.mkl_learner <- function(learners, x, problem, items, parameters, control) {
  if (has_own_fit(learners[[1L]])) {
    return(Map(function(learner, parameters) {
      fit_core(learner, x, problem, items, parameters, control)
    }, learners, parameters))
  }
  fit_shared(learners, x, problem, items, parameters, control)
}

# Kernel matrices are computed once; a learner along a path of costs starts from the one before.
fit_shared <- function(learners, x, problem, items, parameters, control) {
  specified <- Map(function(learner, parameters) {
    list(name = core_name(learner), parameters = parameters)
  }, learners, parameters)
  split_results(fit_pairs(fit_many_cpp, x, problem, core_items(items), specified, control))
}

split_results <- function(out) {
  Map(function(models, decision) {
    list(models = models, kept = out$kept, normalizers = out$normalizers, decision = decision)
  }, out$models, out$decision)
}

# A learner with a method of fit_core() of its own is fitted by it.
has_own_fit <- function(learner) {
  own <- setdiff(class(learner), "mkl_learner")
  found <- lapply(own, function(class) utils::getS3method("fit_core", class, optional = TRUE))
  any(lengths(found) > 0L)
}

# Parameters along which a grid of this learner costs little more than one fit. Points of a grid
# that differ in nothing else belong together: results may depend on their neighbours within `tol`.
path_parameters <- function(learner) UseMethod("path_parameters")

#' @export
path_parameters.mkl_learner <- function(learner) character()

# For learners without a cost, on which weights of rows and classes could act.
refuse_costs <- function(learner, costs) {
  if (any(costs != 1)) {
    stop_mkl(
      "argument_error", "weights", "learner_", learner$name, "() has no cost that ",
      "`weights` and `class_weights` could change. Leave them out."
    )
  }
}

# What a front door such as komd() does: mkl() with its learner. `call` is its match.call(), which
# the fit keeps; `own` are its arguments.
front_door <- function(call, own, learner, x, ...) {
  known <- c(own, "data", "y", names(formals(mkl_fit)))
  known <- setdiff(known, c("...", "frame", "call", "learner"))
  unknown <- setdiff(names(call), c("", known))
  if (length(unknown)) {
    stop_unknown(unknown[1L], call[[unknown[1L]]], caller_name(call), known, learner, inside = TRUE)
  }
  fit <- mkl(x, ..., learner = learner)
  fit$call <- call
  fit
}

# The kernels that the core gets, for learners that add some of their own to those of the user.
# Added ones carry `helper = TRUE` and are not shown.
learner_items <- function(learner, items, x, control) UseMethod("learner_items")

#' @export
learner_items.mkl_learner <- function(learner, items, x, control) items

# Kernels when the user names none. `p` columns, z-scored or not.
default_kernels <- function(learner, p, scaled) UseMethod("default_kernels")

# The same for learners that look at the single columns of the data.
frame_kernels <- function(learner, frame, scaled) UseMethod("frame_kernels")

#' @export
frame_kernels.mkl_learner <- function(learner, frame, scaled) {
  default_kernels(learner, ncol(frame$x), scaled)
}

#' @export
default_kernels.mkl_learner <- function(learner, p, scaled) {
  widths <- if (scaled) sqrt(p) * 2^(-2:2) else c("nearest", "median")
  kernel_set(
    kernel_rbf(sigma = widths), kernel_linear(), kernel_polynomial(2:3, scale = 1 / p)
  )
}

#' @export
format.mkl_learner <- function(x, task = NULL, ...) {
  shown <- Filter(Negate(is.null), x$parameters)
  if (!is.null(task)) shown <- shown[setdiff(names(shown), unused_parameters(task))]
  values <- vapply(shown, format_value, "")
  inside <- if (length(values)) paste(names(values), "=", values, collapse = ", ") else ""
  paste0("learner_", x$name, "(", inside, ")")
}

# Parameters that a task does not use, to be left out when a fit is printed.
unused_parameters <- function(task) {
  c(
    if (task != "regression") "epsilon",
    if (task != "one_class") "nu",
    if (task == "one_class") "cost"
  )
}

format_value <- function(x) {
  if (inherits(x, "mkl_learner")) return(format(x))
  text <- if (is.numeric(x)) format_number(x) else if (is.character(x)) dQuote(x, FALSE) else {
    as.character(x)
  }
  if (length(text) == 1L) return(text)
  if (length(text) > 6L) text <- c(text[1:5], "...")
  paste0("c(", paste(text, collapse = ", "), ")")
}

#' @export
print.mkl_learner <- function(x, ...) {
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
