# What a piece of code is, as text, and which names it takes from its surroundings. Both walk along
# the left side of a call in a loop: a sum of 20,000 terms is nested 20,000 levels deep.

is_missing_argument <- function(list, i) {
  identical(list[[i]], quote(expr = ))  # nolint: spaces_inside_linter.
}

# Deeper nesting than this, other than along a sum, is not followed.
nesting_limit <- function() 200L

# list(tokens, constants): the code in prefix order without references to source files, and the
# values in it, such as functions that do.call() puts there.
code_tokens <- function(code) {
  tokens <- list()
  constants <- list()
  stack <- list(code)
  top <- 1L
  while (top > 0L) {
    parts <- list()
    own <- "missing"
    if (!is_missing_argument(stack, top)) {
      e <- stack[[top]]
      parts <- code_parts(e)
      own <- code_token(e, parts)
      if (is.null(own)) {
        constants <- c(constants, list(e))
        own <- "value"
      }
    }
    tokens[[length(tokens) + 1L]] <- own
    top <- top - 1L
    stack[top + seq_along(parts)] <- rev(unname(parts))
    top <- top + length(parts)
  }
  list(tokens = unlist(tokens), constants = constants)
}

code_parts <- function(e) {
  if (!is.call(e) && (!is.pairlist(e) || is.null(e))) return(list())
  parts <- as.list(e)
  # The fourth part of `function` is its source.
  if (identical(parts[[1L]], quote(`function`))) parts[seq_len(min(3L, length(parts)))] else parts
}

# NULL for values.
code_token <- function(e, parts) {
  if (is.symbol(e)) return(c("name", symbol_text(as.character(e))))
  if (is.call(e) || (is.pairlist(e) && !is.null(e))) {
    return(c("call", length(parts), symbol_text(names(parts) %||% "")))
  }
  NULL
}

# ---- names from outside --------------------------------------------------------------------------

# The names that code takes from outside: list(variables, parameters, functions, strings, qualified,
# special). `is_term(name)` tells the kernels of a formula: names in their named arguments are
# `parameters`, which are no columns.
#
# A name counts as local after it has been given a value on every path; when in doubt it is one from
# outside, as a result that is computed twice does less harm than one that is not true any more.
names_from_outside <- function(code, is_term = function(name) FALSE) {
  kinds <- c("variables", "parameters", "functions", "strings", "qualified")
  found <- new.env(parent = emptyenv())
  for (kind in kinds) found[[kind]] <- new.env(parent = emptyenv())
  found$special <- list()
  found$is_term <- is_term
  found$inside_term <- FALSE
  scan_code(code, character(), found, 0L)
  out <- lapply(mget(kinds, envir = found), function(set) sort_text(names(set)))
  c(out, list(special = found$special))
}

note_name <- function(found, kind, names) {
  for (name in names[nzchar(names)]) assign(name, TRUE, envir = found[[kind]])
}

# Returns the names that are bound after the code has run.
scan_code <- function(e, bound, found, depth) {
  if (depth > nesting_limit()) {
    found$special <- c(found$special, list(quote(`code that is nested deeply`())))
    return(bound)
  }
  after <- NULL
  repeat {
    if (!is.call(e)) {
      scan_leaf(e, bound, found)
      return(after %||% bound)
    }
    special <- scan_syntax(e, bound, found, depth + 1L)
    if (!is.null(special)) return(after %||% special)
    # What the arguments of a call assign does not count as bound after it.
    after <- after %||% bound
    scan_head(e, bound, found, depth + 1L)
    scan_arguments(e, bound, found, depth + 1L)
    if (!goes_on_left(e)) return(after)
    e <- e[[2L]]
  }
}

# Whether the first argument of a call is left to the loop of scan_code().
goes_on_left <- function(e) {
  length(e) > 1L && !nzchar(names(e)[2L] %||% "") && !is_missing_argument(e, 2L)
}

scan_arguments <- function(e, bound, found, depth) {
  named <- nzchar(names(e) %||% rep("", length(e)))
  is_term <- any(named) && found$is_term(call_name(e))
  for (i in seq_along(e)[-1L]) {
    if (is_missing_argument(e, i) || (i == 2L && goes_on_left(e))) next
    was <- found$inside_term
    found$inside_term <- was || (named[i] && is_term)
    scan_code(e[[i]], bound, found, depth)
    found$inside_term <- was
  }
}

scan_leaf <- function(e, bound, found) {
  if (is.symbol(e)) scan_symbol(e, bound, found)
  if (is.character(e)) note_name(found, "strings", e[!is.na(e)])
}

scan_symbol <- function(e, bound, found) {
  name <- as.character(e)
  if (grepl("^[.][.][0-9]+$", name)) name <- "..."
  if (name %in% bound) return(invisible())
  note_name(found, if (found$inside_term) "parameters" else "variables", name)
}

# The function of a call.
scan_head <- function(e, bound, found, depth) {
  head <- e[[1L]]
  name <- if (is.symbol(head)) as.character(head) else if (is.character(head)) head[1L]
  if (call_name(head) %in% c("::", ":::")) name <- as.character(head[[3L]])
  if (!is.null(name) && name %in% special_calls()) found$special <- c(found$special, list(e))
  # A local variable of that name may be no function: R then looks further outside.
  if (is.symbol(head) || is.character(head)) return(note_name(found, "functions", name))
  scan_code(head, bound, found, depth)
}

# Calls that R treats by rules of their own. The names bound after them, or NULL for other calls.
scan_syntax <- function(e, bound, found, depth) {
  scan <- function(part, names = bound) scan_code(part, names, found, depth)
  name <- call_name(e)
  if (name %in% c("{", "(")) {
    for (part in as.list(e)[-1L]) bound <- scan(part, bound)
    return(bound)
  }
  switch(name,
    `function` = scan_function(e, bound, found, depth),
    `<-` = , `=` = , `<<-` = scan_assignment(e, bound, found, depth),
    `if` = {
      bound <- scan(e[[2L]])
      branches <- lapply(as.list(e)[-(1:2)], scan, bound)
      if (length(branches) == 2L) intersect(branches[[1L]], branches[[2L]]) else bound
    },
    `for` = {
      scan(e[[3L]])
      scan(e[[4L]], c(bound, as.character(e[[2L]])))
      bound
    },
    `while` = , `repeat` = {
      for (part in as.list(e)[-1L]) scan(part)
      bound
    },
    `$` = , `@` = {
      note_name(found, "functions", name)
      scan(e[[2L]])
      bound
    },
    `::` = , `:::` = {
      note_name(found, "qualified", paste0(e[[2L]], "::", e[[3L]]))
      bound
    },
    NULL
  )
}

scan_function <- function(e, bound, found, depth) {
  inside <- c(bound, names(e[[2L]]))
  defaults <- as.list(e[[2L]])
  for (i in seq_along(defaults)) {
    if (!is_missing_argument(defaults, i)) scan_code(defaults[[i]], inside, found, depth)
  }
  scan_code(e[[3L]], inside, found, depth)
  bound
}

# `names(x)[2] <- v` reads x and calls `names<-` and `[<-`.
scan_assignment <- function(e, bound, found, depth) {
  scan_code(e[[3L]], bound, found, depth)
  target <- e[[2L]]
  while (is.call(target)) {
    name <- call_name(target)
    if (nzchar(name)) note_name(found, "functions", paste0(name, "<-"))
    parts <- if (name %in% c("$", "@")) list() else as.list(target)[-(1:2)]
    for (i in seq_along(parts)) {
      if (!is_missing_argument(parts, i)) scan_code(parts[[i]], bound, found, depth)
    }
    target <- target[[2L]]
    if (!is.call(target)) scan_code(target, bound, found, depth)
  }
  outer <- call_name(e) == "<<-"
  if (outer) scan_code(target, bound, found, depth)
  if (outer) bound else c(bound, as.character(target))
}
