# What can be asked of a fit.

#' Kernel weights of a fitted model
#'
#' @description
#' `kernel_weights()` returns the weight of each kernel in the decision function; `coef()` returns
#' the same.
#'
#' @details
#' The weights are the \eqn{d_m} of \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b,}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b,}
#' for kernels after normalization. Compare them between kernels only if the kernels are on
#' the same scale, as under `normalize = "trace"`.
#'
#' # Choosing the form
#' A fit with one model returns a named vector. A fit with several models (three or more classes)
#' returns a data frame in long form, because each model has its own weights.
#'
#' @param object A fit of [mkl()].
#' @param ... Not used; misspelled arguments raise an error.
#' @return A named numeric vector, or a data frame with the columns `pair`, `kernel` and
#'   `weight`.
#' @inherit learner_average references
#' @family functions for fitted models
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- mkl(Species ~ ., two, learner = learner_average())
#' kernel_weights(fit)
#' head(kernel_weights(mkl(Species ~ ., iris, learner = learner_average())))
#' @param by `"kernel"`, or `"view"` for the sum over the kernels of each of [views()]; in a fit
#'   without views, over the kernels on the same columns.
#' @export
kernel_weights <- function(object, ...) UseMethod("kernel_weights")

#' @rdname kernel_weights
#' @export
kernel_weights.mkl <- function(object, by = c("kernel", "view"), ...) {
  object <- check_fit(object)
  check_dots(...)
  by <- check_choice(by, "by", c("kernel", "view"))
  names <- item_names(object$kernels)
  weights <- lapply(object$models, function(model) model$weights[seq_along(names)])
  if (by == "view") {
    views <- kernel_groups(object)
    names <- unique(views)
    weights <- lapply(weights, function(w) {
      vapply(names, function(view) sum(w[views == view]), 0, USE.NAMES = FALSE)
    })
  }
  if (length(weights) == 1L) return(stats::setNames(weights[[1L]], names))
  out <- data.frame(
    pair = rep(model_names(object), each = length(names)),
    kernel = rep(names, length(weights)), weight = unlist(weights)
  )
  stats::setNames(out, c("pair", by, "weight"))
}

# What each kernel sees: its view, or the columns that it was given by `on`, those of a product
# joined by `:`; "all" where nothing is said.
kernel_groups <- function(object) {
  each <- vapply(object$kernels, function(item) {
    groups <- item_views(item)
    if (is.null(groups)) {
      groups <- unique(unlist(lapply(item$factors %||% list(item), function(one) one$group)))
    }
    if (length(groups)) paste(groups, collapse = ":") else "all"
  }, "")
  rep(each, item_counts(object$kernels))
}

# Names of the views that a kernel sees; NULL where there are none.
item_views <- function(item) {
  unique(unlist(lapply(item$factors %||% list(item), function(one) one$view)))
}

#' @export
kernel_weights.default <- function(object, ...) stop_no_fit(object)

stop_no_fit <- function(object) stop_must("object", "a fit of mkl()", object)

#' @importFrom stats coef
#' @export
coef.mkl <- function(object, ...) {
  check_dots(..., called = "coef()")
  kernel_weights(object)
}

#' Convergence diagnostics of a fit: support vectors, objective, duality gap
#'
#' @description
#' `support()` returns the support vectors. `converged()` is `TRUE` if the solver reached its
#' tolerance. `objective()` returns the final value of the objective function of the learner (for
#' support vector machines that of the dual problem; `NaN` for [learner_lda()] and
#' [learner_knn()]). `duality_gap()` is an upper bound of the distance of this value from the
#' optimum. `objective_path()` returns the values after each iteration; learners that solve a
#' single problem have none.
#'
#' @details
#' For a dual objective \eqn{D(\alpha)} and the primal objective \eqn{P} of the same solution,
#' the gap is \deqn{P - D(\alpha) \ge 0,}{
#'   P - D(alpha) >= 0,} which is zero only at the optimum. All of these are computed on the full
#' problem, without shrinking.
#'
#' For regression the objective and the gap refer to the standardized response, unless the model
#' was fitted with `scale_response = FALSE`.
#'
#' Learners with a parameter `gap` ([simplemkl()], [silpmkl()], [levelmkl()], [glmkl()],
#' [lpmkl()]) and [gmkl()] return the relative gap instead: the distance between their upper and
#' lower bounds, divided by the absolute value of the objective.
#'
#' # Choosing a tolerance
#' If the gap is large compared to the objective, lower `tol` in [mkl_control()], or `gap` of the
#' learner where it has one.
#'
#' @param object A fit of [mkl()].
#' @param ... Not used; misspelled arguments raise an error.
#' @return `support()`: positions of the rows, in the original data, that have a non-zero
#'   coefficient in some model, named by the rows if these have names. `objective_path()`: a
#'   numeric vector, or a named list of vectors for several models. The others: one value, or a
#'   vector named by model; `duality_gap()` is `NaN` for learners without a dual problem, such as
#'   [mkboost()].
#' @references
#' Bottou, L. and Lin, C.-J. (2007). Support vector machine solvers. In *Large Scale Kernel
#' Machines*, 1-28. MIT Press.
#' @family functions for fitted models
#' @name fit-report
#' @examples
#' fit <- mkl(Species ~ ., droplevels(iris[51:150, ]))
#' support(fit)
#' converged(fit)
#' objective(fit)
#' duality_gap(fit)
#' length(objective_path(fit))
NULL

#' @rdname fit-report
#' @export
support <- function(object, ...) UseMethod("support")

#' @export
support.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(...)
  rows <- object$kept[support_positions(object)]
  rows <- sort(if (is.null(object$rows)) rows else object$rows[rows])
  name_cases(rows, object$cases[rows])
}

# Positions in `kept`. Not checked, for fits that were just made.
support_positions <- function(object) {
  sort(unique(unlist(lapply(model_facts(object), function(facts) facts$rows))))
}

# What the models of a fit say of themselves: a list for each with `rows` (positions in `kept`),
# `coefficients`, `bias` and what their learner adds.
model_facts <- function(object) UseMethod("model_facts")

#' @export
model_facts.mkl <- function(object) model_facts_cpp(object$models)

#' @export
support.default <- function(object, ...) stop_no_fit(object)

# One entry of the report of each model.
report_values <- function(object, what, type) {
  out <- vapply(object$models, function(model) {
    as.vector(model$report[[what]], mode = type)
  }, vector(type, 1L))
  stats::setNames(out, model_names(object))
}

#' @rdname fit-report
#' @export
converged <- function(object, ...) UseMethod("converged")

#' @export
converged.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(...)
  models_converged(object)
}

# Not checked, for fits that were just made.
models_converged <- function(object) UseMethod("models_converged")

#' @export
models_converged.mkl <- function(object) report_values(object, "converged", "logical")

#' @export
converged.default <- function(object, ...) stop_no_fit(object)

#' @rdname fit-report
#' @export
objective <- function(object, ...) UseMethod("objective")

#' @export
objective.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(...)
  report_values(object, "objective", "numeric")
}

#' @export
objective.default <- function(object, ...) stop_no_fit(object)

#' @rdname fit-report
#' @export
duality_gap <- function(object, ...) UseMethod("duality_gap")

#' @export
duality_gap.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(...)
  report_values(object, "gap", "numeric")
}

#' @export
duality_gap.default <- function(object, ...) stop_no_fit(object)

# Whether duality_gap() is relative to the objective.
has_relative_gap <- function(fit) {
  learner_of(fit)$stopping$relative
}

# That of all models as one problem, whose objective is the sum of theirs.
total_gap <- function(fit) {
  gaps <- duality_gap(fit)
  if (!has_relative_gap(fit) || length(gaps) == 1L) return(sum(gaps))
  sizes <- abs(objective(fit))
  if (sum(sizes) > 0) sum(gaps * sizes) / sum(sizes) else max(gaps)
}

#' @rdname fit-report
#' @export
objective_path <- function(object, ...) UseMethod("objective_path")

#' @export
objective_path.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(...)
  paths <- lapply(object$models, function(model) as.double(model$report$path))
  if (length(paths) == 1L) paths[[1L]] else stats::setNames(paths, model_names(object))
}

#' @export
objective_path.default <- function(object, ...) stop_no_fit(object)

#' @importFrom stats fitted
#' @export
fitted.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(..., called = "fitted()")
  shape_prediction(
    object, training_decision(object), default_type(object), training_cases(object)
  )
}

#' Residuals of a fit
#'
#' Differences between the observed and the fitted responses of the training rows.
#'
#' @details
#' For regression these are \deqn{r_i = y_i - f(x_i).}{r_i = y_i - f(x_i).} For classification the
#' fit needs probabilities: the residual is \eqn{1 - p} for the class of the row and \eqn{-p} for
#' the others, as for [stats::glm()] with `type = "response"`. Residuals of a fit without
#' probabilities, or of a one-class fit, are not defined and raise an error.
#'
#' # Choosing the rows
#' Residuals of the training rows are smaller than those of new rows. For new rows use
#' [`augment()`][tidiers] with `newdata`, or subtract the result of [`predict()`][predict.mkl]
#' from the response.
#'
#' @param object A fit of [mkl()].
#' @param type `"response"`, the only type.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A numeric vector, named as `fitted(object)` is; for two classes the residuals of the
#'   second level; for several classes a matrix with one column for each level.
#' @inherit mkl references
#' @family functions for fitted models
#' @examples
#' fit <- mkl(mpg ~ wt + hp, mtcars)
#' head(residuals(fit))
#' all.equal(residuals(fit), setNames(mtcars$mpg, rownames(mtcars)) - fitted(fit))
#' @importFrom stats residuals
#' @export
residuals.mkl <- function(object, type = "response", ...) {
  object <- check_fit(object)
  check_dots(..., called = "residuals()")
  check_choice(type, "type", "response")
  if (!task_traits(object$task)$response) {
    stop_mkl("argument_error", "object", "A one-class fit has no response, and so no residuals.")
  }
  truth <- stored_response(object)
  if (is.null(truth)) {
    stop_mkl("argument_error", "object", "The response was removed from this fit: compute ",
             "y - predict(object, newdata).")
  }
  if (is.null(object$classes)) return(truth - fitted(object))
  class_residuals(object, truth)
}

class_residuals <- function(object, truth) {
  if (!object$probability) {
    stop_mkl(
      "argument_error", "object", "Residuals of a classification are differences from ",
      "probabilities, which this fit does not have. Fit it with `probability = TRUE`, or compare ",
      "fitted(object) with the response."
    )
  }
  out <- -shape_prediction(object, training_decision(object), "prob", training_cases(object))
  own <- cbind(seq_along(truth), as.integer(truth))
  own <- own[!is.na(truth), , drop = FALSE]
  out[own] <- out[own] + 1
  if (ncol(out) == 2L) out[, 2L] else out
}

#' @importFrom stats nobs
#' @export
nobs.mkl <- function(object, ...) check_fit(object)$n

#' @importFrom stats formula
#' @export
formula.mkl <- function(x, ...) {
  x <- check_fit(x)
  # Its own environment is not stored, so that fits stay small.
  formula <- formula_of(x)
  environment(formula) <- parent.frame()
  formula
}

formula_of <- function(x) {
  stored_formula(x$frame) %||%
    stop_mkl("argument_error", "x", "The fit was not made by a formula.")
}

#' @importFrom stats update
#' @export
update.mkl <- function(object, formula., ..., evaluate = TRUE) {
  object <- check_fit(object)
  call <- call_of(object, "update()")
  if (!missing(formula.)) {
    call$x <- update_terms(formula_of(object), formula.)
    environment(call$x) <- parent.frame()
  }
  changes <- as.list(substitute(list(...)))[-1L]
  if ("learner" %in% names(changes)) call <- general_call(call)
  if (length(changes) && (is.null(names(changes)) || !all(nzchar(names(changes))))) {
    stop_mkl("argument_error", "...", "update() needs the names of the arguments to change.")
  }
  for (name in names(changes)) call[name] <- changes[name]
  if (evaluate) eval(call, parent.frame()) else call
}

# The call that made a fit. `who` needs it.
call_of <- function(object, who) {
  if (!identical(object$call, quote(dummy_call()))) return(object$call)
  stop_mkl(
    "argument_error", "object", "The call was taken out of the fit by butcher: ", who, " needs ",
    "a fit that has it."
  )
}

# The call of mkl() instead of that of a named method such as easymkl(), whose own parameters are
# those of its learner.
general_call <- function(call) {
  method <- call[[1L]]
  if (is.call(method)) method <- method[[3L]] # multikernel::easymkl
  if (!is.function(method)) method <- get0(as.character(method), topenv(), mode = "function")
  own <- names(formals(method))
  if (is.null(own) || identical(method, mkl)) return(call)
  call[[1L]] <- quote(mkl)
  for (name in setdiff(intersect(own, names(call)), c("x", "...", "scale"))) call[[name]] <- NULL
  # The data stay as they were prepared.
  scale <- formals(method)$scale
  if (is.logical(scale) && is.null(call$scale) && !identical(scale, setting_defaults()$scale)) {
    call$scale <- scale
  }
  call
}
