# Classed conditions. Every error of the package inherits from `multikernel_error`
# and carries the name of the argument it speaks about, so that callers can react
# to a kind of problem without reading its text.

stop_mkl <- function(kind, argument, ..., data = list()) {
  stop(structure(
    class = c(paste0("multikernel_", kind), "multikernel_error", "error", "condition"),
    c(list(message = paste0(...), call = NULL, argument = argument), data)
  ))
}

warn_mkl <- function(kind, ..., data = list()) {
  warning(structure(
    class = c(paste0("multikernel_", kind), "multikernel_warning", "warning", "condition"),
    c(list(message = paste0(...), call = NULL), data)
  ))
}

# For what is done as asked, but may not be what was meant.
inform_mkl <- function(kind, ..., data = list()) {
  message(structure(
    class = c(paste0("multikernel_", kind), "multikernel_message", "message", "condition"),
    c(list(message = paste0(..., "\n"), call = NULL), data)
  ))
}

# Messages that were given in this session.
said <- new.env(parent = emptyenv())

# A message that is given once in a session; `key` tells it from others.
inform_once <- function(key, kind, ...) {
  if (isTRUE(said[[key]])) return(invisible())
  assign(key, TRUE, envir = said)
  inform_mkl(kind, ...)
}

# Runs a call into the compiled core and gives its exceptions our own class.
# R interrupts are no errors and pass through untouched.
with_core <- function(expr) {
  tryCatch(expr, `C++Error` = function(e) {
    text <- conditionMessage(e)
    if (grepl("bad_alloc", text, fixed = TRUE)) {
      text <- paste(
        "The machine has not enough memory for this call;",
        "lower `memory` in mkl_control() or use fewer rows or kernels."
      )
    }
    stop_mkl("core_error", core_argument(text), text)
  })
}

# The core names the argument in back-ticks; the first one is taken.
core_argument <- function(text) {
  found <- regmatches(text, regexpr("`[^`]+`", text))
  if (length(found) == 0L) NA_character_ else gsub("`", "", found, fixed = TRUE)
}

# tryCatch(error = ) for code that is not ours. Time limits pass: they end the whole call, not the
# part of it that happened to run, and R raises them once only.
catch_error <- function(expr, error) {
  tryCatch(expr, error = function(e) if (is_time_limit(e)) stop(e) else error(e))
}

# The errors of setTimeLimit() and setSessionTimeLimit() have no class, only a translated text.
is_time_limit <- function(e) {
  texts <- c(
    "reached elapsed time limit", "reached CPU time limit", "reached session elapsed time limit",
    "reached session CPU time limit"
  )
  any(startsWith(conditionMessage(e), c(texts, gettext(texts, domain = "R"))))
}
