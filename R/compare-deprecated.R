# Names that are kept for one version. Both are also functions of packages that are often attached
# (caret, testthat): objects that are not ours are handed on to these.

#' Deprecated functions
#'
#' `best()` was renamed to [best_params()] and `compare()` to [compare_learners()], because other
#' packages export functions with the old names. The old names give a message of class
#' `multikernel_deprecated` once in a session and will be removed in the next version.
#'
#' @param object A result of [tune_mkl()].
#' @param x A benchmark of [benchmark_mkl()].
#' @param ... Arguments of the new function.
#' @return The result of the new function.
#' @keywords internal
#' @name multikernel-deprecated
#' @examples
#' set.seed(1)
#' tuned <- tune_mkl(Species ~ ., iris, grid = list(cost = c(1, 10)), folds = 3)
#' identical(suppressMessages(best(tuned)), best_params(tuned))
NULL

#' @rdname multikernel-deprecated
#' @export
best <- function(object, ...) {
  if (missing(object) || !inherits(object, "mkl_tune")) {
    other <- other_function("best", "caret")
    if (!is.null(other)) return(if (missing(object)) other(...) else other(object, ...))
  }
  say_deprecated("best()", "best_params()")
  best_params(object, ...)
}

#' @rdname multikernel-deprecated
#' @export
compare <- function(x, ...) {
  other <- if (!inherits(x, "mkl_benchmark")) other_function("compare", "testthat")
  if (!is.null(other)) return(other(x, ...))
  say_deprecated("compare()", "compare_learners()")
  compare_learners(x, ...)
}

# The function of a package that is attached and may have been masked by ours.
other_function <- function(name, package) {
  if (!paste0("package:", package) %in% search()) return(NULL)
  getExportedValue(package, name)
}

say_deprecated <- function(old, new) {
  inform_once(
    paste("deprecated", old), "deprecated", old, " is now called ", new, ". The old name will be ",
    "removed in the next version of multikernel."
  )
}
