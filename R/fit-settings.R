# The arguments of mkl() besides the data, as one object that is checked once. Their names and
# defaults are those in the signature of mkl.formula(), where they are documented.

setting_defaults <- function() {
  known <- formals(mkl.formula)
  known[setdiff(names(known), c("x", "data", "..."))]
}

setting_names <- function() names(setting_defaults())

# `given`: a named list; arguments that are not in it have their defaults. What only the data can
# tell, as whether a task suits the response, is checked in prepare_fit().
new_settings <- function(given = list()) {
  twice <- names(given)[duplicated(names(given))]
  if (length(twice)) {
    stop_mkl("argument_error", twice[1L], "`", twice[1L], "` is given more than once.")
  }
  out <- lapply(setting_defaults(), eval, envir = topenv())
  out[names(given)] <- given
  if (!is.null(out$learner)) out$learner <- check_learner(out$learner)
  if (!is.null(out$kernels)) out$kernels <- check_kernels(out$kernels)
  out$control <- check_control(out$control)
  out["approximate"] <- list(check_approximation(out$approximate))
  out$new_levels <- check_new_levels(out$new_levels)
  out$max_levels <- check_max_levels(out$max_levels)
  if (!is.null(out$missing)) check_choice(out$missing, "missing", c("available", "impute", "omit"))
  out$multiclass <- check_choice(out$multiclass, "multiclass", c("one_vs_one", "one_vs_rest"))
  check_normalize(out$normalize)
  out$scale <- check_flag(out$scale, "scale")
  out$scale_response <- check_flag(out$scale_response, "scale_response")
  out$probability <- check_flag(out$probability, "probability")
  out$na.action <- check_na_action(out$na.action)
  structure(out, class = "mkl_settings")
}

# The same with other values of some arguments.
change_settings <- function(settings, changes) {
  settings <- unclass(settings)
  settings[names(changes)] <- changes
  new_settings(settings)
}

# From arguments of another function, which has `own` arguments itself and a learner apart.
given_settings <- function(given, called, own = character(), learner = NULL) {
  known <- setdiff(setting_names(), "learner")
  unknown <- setdiff(names(given) %||% rep("", length(given)), known)
  if (length(unknown)) {
    if (nzchar(unknown[1L])) {
      stop_unknown(unknown[1L], given[[unknown[1L]]], called, c(own, known), learner)
    }
    stop_mkl("argument_error", "", "An argument of ", called, " without a name is left over.")
  }
  new_settings(given)
}

check_na_action <- function(action) {
  known <- list(omit = stats::na.omit, fail = stats::na.fail, exclude = stats::na.exclude)
  if (is_text(action)) action <- sub("^na[.]", "", action)
  for (name in names(known)) {
    if (identical(action, name) || identical(action, known[[name]])) return(name)
  }
  stop_must("na.action", "na.omit, na.fail or na.exclude", action)
}
