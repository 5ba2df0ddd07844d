# A fit made again on parts of its data: conformal(), importance(method = "drop") and report().

# list(x, more): the data and the settings of the fit, as cv_mkl() and open_source() take them.
# `envir`: where the call of the fit is evaluated.
refit_inputs <- function(object, data, y, envir, without = character(), hint = NULL) {
  settings <- call_settings(object, envir, without, hint)
  if (is.null(stored_formula(object$frame))) {
    if (is.null(y) && task_traits(object$task)$response) stop_no_response("data")
    return(list(x = data, more = c(list(y = y), settings)))
  }
  if (!is.null(y)) {
    stop_mkl(
      "argument_error", "y", "`y` has no effect when the fit is made again: its formula takes the ",
      "response from `data`."
    )
  }
  formula <- formula_of(object)
  environment(formula) <- envir
  list(x = formula, more = c(list(data = data), settings))
}

# The settings in the call of a fit, as update() evaluates them. `without`: those that are not
# wanted besides the learner; `hint`: a sentence on what else can be done.
call_settings <- function(object, envir, without, hint) {
  call <- object$call
  if (!is.call(call) || identical(call, quote(dummy_call()))) {
    stop_mkl(
      "argument_error", "object", "The fit cannot be made again: it needs to have its call.", hint
    )
  }
  call <- general_call(call)
  known <- setdiff(setting_names(), c("learner", without))
  lapply(as.list(call)[intersect(names(call), known)], function(one) {
    catch_error(eval(one, envir), error = function(e) {
      stop_mkl(
        "argument_error", "object", "The arguments in the call of the fit cannot be evaluated: ",
        conditionMessage(e), ".", hint
      )
    })
  })
}

# The learner of `opened`, see open_source(), fitted to the training rows of a split: list(fit,
# prediction), the latter for the test rows with what `needs` asks for.
refit_split <- function(opened, split, needs) {
  tryCatch(
    without_stalls(predict_group(
      list(list(learner = opened$learner, arguments = list())), split,
      split_frame(opened$source, split$train), opened$source, opened$settings, needs, FALSE
    )),
    multikernel_error = function(e) stop_in_split(e, split)
  )[[1L]]
}
