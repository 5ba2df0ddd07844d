# Methods for the generics of butcher, which is suggested only: they are registered when it is
# loaded.

#' Make a fit smaller
#'
#' Methods for the package butcher, whose `butcher()` takes away what `predict()` does not need, so
#' that a fit takes less room in memory and in a file.
#'
#' @details
#' The decision values of new rows, \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b,} need
#' the support vectors \eqn{x_i}, the coefficients \eqn{\beta_i} and the weights \eqn{d_m}. These
#' stay: predictions of new rows are the same to the last bit. What goes:
#' * `axe_call()`: the call, so that `update()` is not possible any more;
#' * `axe_ctrl()`: the traces of the solver, so that [objective_path()] is empty;
#' * `axe_data()`: nothing, as a fit holds no other rows than those that `predict()` needs;
#' * `axe_env()`: of the functions given to [kernel_function()] what they do not use of the
#'   functions they were made in. Those that look up names while they run are left alone;
#' * `axe_fitted()`: the values of the training rows, so that `fitted()` and `predict()`
#'   without new data are not possible any more.
#'
#' # Choosing what to take away
#' `butcher()` does all five. For fits that will be looked at, `axe_fitted()` alone saves most.
#' With `verbose = TRUE` they say how much was saved.
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
  axed(x, "update()", verbose, function(x) {
    x$call <- call("dummy_call")
    x
  })
}

#' @rawNamespace S3method(butcher::axe_ctrl, mkl)
axe_ctrl.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, "objective_path()", verbose, function(x) {
    x$models <- lapply(x$models, function(model) {
      model$report$path <- numeric()
      model
    })
    x
  })
}

#' @rawNamespace S3method(butcher::axe_data, mkl)
axe_data.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, character(), verbose, identity)
}

#' @rawNamespace S3method(butcher::axe_env, mkl)
axe_env.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, character(), verbose, function(x) {
    x$kernels <- lapply(x$kernels, trim_kernel)
    x
  })
}

#' @rawNamespace S3method(butcher::axe_fitted, mkl)
axe_fitted.mkl <- function(x, verbose = FALSE, ...) { # nolint: object_name_linter.
  axed(x, "fitted()", verbose, function(x) {
    x["decision"] <- list(NULL)
    x
  })
}

# What all of them do around their own change: the class and the list of what does not work any
# more, in the form that butcher gives them.
axed <- function(x, disabled, verbose, change) {
  out <- change(x)
  if (!identical(out, x)) {
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

# The same function in an environment with no more than it uses, and so are functions of the same
# place that it uses. One that finds variables by other means than their names is left as it is.
trim_function <- function(f) {
  env <- environment(f)
  if (is.primitive(f) || is.object(f) || identical(env, topenv(env))) return(f)
  at_home <- function(g) is.function(g) && identical(environment(g), env)
  found <- list()
  queue <- list(f)
  while (length(queue)) {
    if (is_evasive(queue[[1L]])) return(f)
    fresh <- captured_all(queue[[1L]], env)
    fresh <- fresh[setdiff(names(fresh), names(found))]
    found <- c(found, fresh)
    queue <- c(queue[-1L], Filter(at_home, fresh))
  }
  place <- new.env(parent = topenv(env))
  move <- function(g) {
    if (!at_home(g)) return(g)
    g <- utils::removeSource(g)
    environment(g) <- place
    g
  }
  list2env(lapply(found, move), place)
  move(f)
}

is_evasive <- function(f) {
  evasive <- c(
    "get", "get0", "mget", "exists", "eval", "evalq", "eval.parent", "environment", "parent.env",
    "parent.frame", "sys.function", "sys.call", "match.call", "match.fun", "do.call", "assign",
    "<<-", "local", "with", "ls", "Recall", "delayedAssign", "UseMethod", "NextMethod"
  )
  length(intersect(all.names(body(f)), evasive)) > 0L
}

# captured() skips names that are arguments too, which their default values may use from outside.
captured_all <- function(f, env) {
  defaults <- as.call(c(quote(list), Filter(is.language, as.list(formals(f)))))
  code <- call("{", body(f), defaults)
  # vapply(x, "h", 0) names a function by a string, and `h(x) <- 1` calls `h<-`.
  hidden <- c(strings_of(code), paste0(all.names(code, unique = TRUE), "<-"))
  hidden <- lapply(hidden[nzchar(hidden)], as.name)
  captured(as.function(list(as.call(c(quote(`{`), code, hidden))), envir = env), env)
}

# All strings in a piece of code.
strings_of <- function(code) {
  if (is.character(code)) return(code[!is.na(code)])
  if (!is.call(code) && !is.pairlist(code)) return(character())
  unlist(lapply(as.list(code), strings_of), use.names = FALSE)
}
