# Methods for the generics of butcher, which is suggested only: they are registered when it is
# loaded.

#' Reduce the size of a fit with butcher
#'
#' Methods for the package butcher: `butcher()` removes parts of a fit that `predict()` does not
#' need, to reduce its size in memory and in files.
#'
#' @details
#' The decision values of new rows, \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b,}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b,} need
#' the support vectors \eqn{x_i}, the coefficients \eqn{\beta_i} and the weights \eqn{d_m}. These
#' are kept, and predictions of new rows are identical. The following parts are removed:
#' * `axe_call()`: the call, so that `update()` is no longer possible;
#' * `axe_ctrl()`: the objective by iteration, so that [objective_path()] is empty;
#' * `axe_data()`: the response and the names of the training rows, so that `residuals()` is no
#'   longer possible. A fit contains no rows other than those that `predict()` needs;
#' * `axe_env()`: unused variables in the environments of functions given to [kernel_function()].
#'   Functions that look up names at run time are not changed;
#' * `axe_fitted()`: the fitted values of the training rows, so that `fitted()` and `predict()`
#'   without new data are no longer possible.
#'
#' # Choosing what to remove
#' `butcher()` does all five. To keep the information about the fit, use `axe_fitted()` alone,
#' which saves most. With `verbose = TRUE` the saved size is reported.
#'
#' @return The fit with the class `butchered_mkl_<learner>` before its own.
#' @references
#' Kuhn, M. and Silge, J. (2022). *Tidy Modeling with R*. O'Reilly.
#' @family frameworks
#' @name axe-mkl
#' @aliases axe_call.mkl axe_ctrl.mkl axe_data.mkl axe_env.mkl axe_fitted.mkl
#' @examples
#' if (requireNamespace("butcher", quietly = TRUE)) {
#'   fit <- mkl(Species ~ ., iris)
#'   small <- butcher::butcher(fit)
#'   print(c(before = object.size(fit), after = object.size(small)))
#'   identical(predict(fit, iris), predict(small, iris))
#' }
NULL

#' @rawNamespace S3method(butcher::axe_call, mkl)
axe_call.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, "update()", verbose, function(x) list(call = call("dummy_call")))
}

#' @rawNamespace S3method(butcher::axe_ctrl, mkl)
axe_ctrl.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, "objective_path()", verbose, function(x) {
    list(models = lapply(x$models, function(model) {
      model$report$path <- numeric()
      model
    }))
  })
}

#' @rawNamespace S3method(butcher::axe_data, mkl)
axe_data.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, "residuals()", verbose, function(x) list(y = NULL, cases = NULL))
}

#' @rawNamespace S3method(butcher::axe_env, mkl)
axe_env.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, character(), verbose, function(x) list(kernels = lapply(x$kernels, trim_kernel)))
}

#' @rawNamespace S3method(butcher::axe_fitted, mkl)
axe_fitted.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, "fitted()", verbose, function(x) list(decision = NULL))
}

# What all of them do with the elements that they change: the class and the list of what does not
# work any more, in the form that butcher gives them. `change`: from the fit to these elements.
axed <- function(x, disabled, verbose, change) {
  x <- check_fit(x)
  changes <- change(x)
  out <- x
  out[names(changes)] <- changes
  if (!identical(out, x)) {
    out <- seal_fit(out)
    if (length(disabled)) {
      attr(out, "butcher_disabled") <- union(attr(x, "butcher_disabled"), disabled)
    }
    if (!any(grepl("butcher", class(out)))) {
      class(out) <- c(paste0("butchered_", class(out)[1L]), class(out))
    }
  }
  if (isTRUE(verbose)) {
    message(
      "Memory released: ",
      format(structure(utils::object.size(x) - utils::object.size(out), class = "object_size"),
             units = "auto"),
      if (length(disabled)) paste0("; disabled: ", paste(disabled, collapse = ", "))
    )
  }
  out
}

trim_kernel <- function(item) {
  if (!is.null(item$factors)) item$factors <- lapply(item$factors, trim_kernel)
  if (is.function(item$evaluate)) item$evaluate <- trim_function(item$evaluate)
  item
}
