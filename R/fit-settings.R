# The arguments of mkl() besides the data, as one object that is checked once. Their names and
# defaults are those in the signature of mkl.formula(), where they are documented.

setting_defaults <- computed_once(function() {
  known <- formals(mkl.formula)
  known[setdiff(names(known), c("x", "data", "..."))]
})

setting_names <- function() names(setting_defaults())

# What each of them is checked by, if it is: functions that return the checked value.
setting_checks <- list(
  learner = function(x) if (!is.null(x)) check_learner(x),
  kernels = function(x) if (!is.null(x)) check_kernels(x),
  control = function(x) check_control(x),
  approximate = function(x) check_approximation(x),
  new_levels = function(x) check_new_levels(x),
  max_levels = function(x) check_max_levels(x),
  missing = function(x) {
    if (!is.null(x)) check_choice(x, "missing", c("available", "impute", "omit"))
  },
  multiclass = function(x) check_choice(x, "multiclass", c("one_vs_one", "one_vs_rest")),
  normalize = function(x) check_normalize(x),
  scale = function(x) check_flag(x, "scale"),
  scale_response = function(x) check_flag(x, "scale_response"),
  probability = function(x) check_flag(x, "probability"),
  na.action = function(x) check_na_action(x)
)

# All settings with their defaults.
usual_settings <- computed_once(function() {
  out <- check_settings_in(lapply(setting_defaults(), eval, envir = topenv()))
  structure(out, class = "mkl_settings")
})

check_settings_in <- function(given) {
  for (name in intersect(names(setting_checks), names(given))) {
    given[name] <- list(setting_checks[[name]](given[[name]]))
  }
  given
}

# `given`: a named list; arguments that are not in it have their defaults. What only the data can
# tell, as whether a task suits the response, is checked in prepare_fit().
new_settings <- function(given = list()) {
  twice <- names(given)[duplicated(names(given))]
  if (length(twice)) {
    stop_mkl("argument_error", twice[1L], "`", twice[1L], "` is given more than once.")
  }
  out <- usual_settings()
  out[names(given)] <- check_settings_in(given)
  out
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
