#' Control parameters: tolerance, threads and memory
#'
#' Settings that determine how a model is computed, such as the tolerance of the solver, the
#' number of threads and the memory for kernel matrices. Parameters of the model, such as the
#' cost, are arguments of the learner.
#'
#' @details
#' The solver stops when no pair of coefficients violates the optimality conditions by more
#' than `tol`: with \eqn{g} the gradient of the dual problem,
#' \deqn{\max_{i \in I_{up}} -g_i \; - \; \min_{j \in I_{low}} -g_j \le \mathrm{tol}.}{
#'   max_(i in I_up) -g_i - min_(j in I_low) -g_j <= tol.}
#'
#' # Choosing parameters
#' * `tol = 1e-3` is accurate enough for most predictions. Lower it to 1e-6 when objectives of
#'   several methods are compared.
#' * `memory` limits the size of stored kernel matrices. If they need more, parts are recomputed
#'   instead of being stored, and the fit takes longer. The result is the same within the
#'   tolerance of the solver; its last digits may differ because sums are formed in another order.
#'   Support vector machines on one kernel, or on a fixed sum of kernels, compute rows of a matrix
#'   of more than 32 MB on demand at first, and all of it only if most rows are asked for.
#' * `threads` never changes a result, not even in its last digit.
#'
#' @param tol Tolerance of the stopping rule, a positive number. It is relative to labels of -1
#'   and 1 in classification, to the largest deviation of the response from its mean, if that is
#'   below 1, in regression, and to the mean diagonal of the kernel matrix in novelty detection.
#'   Multiplying a kernel by a number and dividing the cost by it does not change the fit.
#' @param max_iter Maximum number of solver iterations. `NULL` (default) is a limit that is not
#'   reached in practice (1e8). A fit that reaches the limit gives a warning of class
#'   `multikernel_not_converged`.
#' @param threads Number of threads of one fit. Worker processes of a plan of the package future
#'   always use one thread.
#' @param memory Maximum memory for kernel matrices: a string such as `"2GB"` or `"500MB"`, or a
#'   number of bytes.
#' @param verbose `TRUE` prints the progress of the solver to stderr.
#' @param simd Instruction set: `"auto"` (default) uses AVX-512 on Intel processors since Ice
#'   Lake, where it is known to be faster, and otherwise AVX2 if the processor supports it.
#'   `"baseline"`, `"avx2"` and `"avx512"` force one of them; only `"baseline"` is available on
#'   Windows and on processors other than x86-64.
#' @param shrinking `TRUE` temporarily removes coefficients at a bound from the problem, which
#'   saves time. The result is checked on the full problem in either case.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A list of class `mkl_control`.
#' @references
#' Fan, R.-E., Chen, P.-H. and Lin, C.-J. (2005). Working set selection using second order
#' information for training support vector machines. *Journal of Machine Learning Research*
#' 6, 1889-1918.
#' @family fitting functions
#' @examples
#' mkl_control(tol = 1e-6, memory = "500MB")
#' fit <- mkl(Species ~ ., iris, control = mkl_control(tol = 1e-6, threads = 2))
#' all(converged(fit))
#' @export
mkl_control <- function(tol = 1e-3, max_iter = NULL, threads = 1, memory = "2GB",
                        verbose = FALSE, simd = c("auto", "baseline", "avx2", "avx512"),
                        shrinking = TRUE, ...) {
  check_dots(...)
  out <- list(
    tol = check_number(tol, "tol", 0, open = c(TRUE, FALSE)),
    max_iter = check_number(max_iter %||% 1e8, "max_iter", 1, whole = TRUE, infinite = TRUE),
    threads = as.integer(check_number(threads, "threads", 1, 1024, whole = TRUE)),
    memory = parse_memory(memory),
    verbose = check_flag(verbose, "verbose"),
    simd = check_choice(simd, "simd", c("auto", "baseline", "avx2", "avx512")),
    shrinking = check_flag(shrinking, "shrinking")
  )
  class(out) <- "mkl_control"
  out
}

# "2GB" -> 2 * 1024^3 bytes.
parse_memory <- function(memory) {
  expected <- "a string such as \"2GB\" or \"500MB\", or a positive number of bytes"
  if (identical(memory, "2GB")) return(2 * 1024^3) # the default, read in each call
  if (is_number(memory) && is.finite(memory) && memory > 0) return(as.double(memory))
  if (!is_text(memory)) stop_must("memory", expected, memory)
  found <- regexpr("^ *([0-9]+[.]?[0-9]*) *([kKmMgGtT]?)[iI]?[bB]? *\\z", memory, perl = TRUE)
  if (found != 1L) stop_must("memory", expected, memory)
  first <- attr(found, "capture.start")
  part <- substring(memory, first, first + attr(found, "capture.length") - 1L)
  unit <- match(tolower(part[2L]), c("", "k", "m", "g", "t"))
  bytes <- as.double(part[1L]) * 1024^(unit - 1)
  if (bytes <= 0) stop_must("memory", expected, memory)
  bytes
}

check_control <- function(control) {
  check_class(control, "control", "mkl_control", "made by mkl_control()")
}

# The list that the core receives.
core_control <- function(control, seed = 1) {
  if (control$simd == "auto") {
    # Lets a whole run be forced to one instruction set, as the tests do.
    control$simd <- Sys.getenv("MULTIKERNEL_SIMD", "auto")
  }
  c(unclass(limit_threads(control)), list(seed = as.double(seed)))
}

#' @export
format.mkl_control <- function(x, ...) {
  memory <- if (x$memory >= 1024^3) {
    paste0(format_number(x$memory / 1024^3), "GB")
  } else {
    paste0(format_number(x$memory / 1024^2), "MB")
  }
  paste0(
    "mkl_control(tol = ", format_number(x$tol), ", max_iter = ", format_number(x$max_iter),
    ", threads = ", x$threads, ", memory = \"", memory, "\", verbose = ", x$verbose,
    ", simd = \"", x$simd, "\", shrinking = ", x$shrinking, ")"
  )
}

#' @export
print.mkl_control <- function(x, ...) {
  cat(strwrap(format(x), width = 80, exdent = 12), sep = "\n")
  invisible(x)
}
