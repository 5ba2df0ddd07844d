# Classed conditions. Every error of the package inherits from `multikernel_error`
# and carries the name of the argument it is about, so that callers can react
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

# When messages were given in this session.
said <- new.env(parent = emptyenv())

# Notes that a message is given now; whether it was given before, `within` so many seconds. `key`
# identifies it.
was_said <- function(key, within = Inf) {
  last <- said[[key]]
  said[[key]] <- as.double(Sys.time())
  !is.null(last) && said[[key]] - last < within
}

# A message that is given once in a session.
inform_once <- function(key, kind, ...) {
  if (!was_said(key)) inform_mkl(kind, ...)
}

# The condition of an error of the compiled core, which calls this function; fields that it does not
# know are empty.
core_error <- function(message, argument, expected, found) {
  fields <- lapply(list(expected = expected, found = found), known_or_na)
  stop_mkl("core_error", known_or_na(argument), message, data = fields)
}

known_or_na <- function(text) if (nzchar(text)) text else NA_character_

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
