# What a piece of code uses: its variables, its functions, and what it takes from the environment
# of a formula.

# The names in a piece of code that `visit(part, keep)` hands to `keep()`; it returns the parts of
# its argument that are to be visited too, from left to right. A loop, because a sum of n terms is
# nested n deep.
walk_code <- function(e, visit) {
  found <- list()
  keep <- function(names) found[[length(found) + 1L]] <<- names
  stack <- list(e)
  top <- 1L
  while (top > 0L) {
    parts <- visit(stack[[top]], keep)
    top <- top - 1L
    # An empty argument, as in x[1, ], cannot be handled like a value.
    parts <- parts[vapply(parts, is_code, NA)]
    for (i in rev(seq_along(parts))) {
      top <- top + 1L
      stack[[top]] <- parts[[i]]
    }
  }
  unique(as.character(unlist(found)))
}

is_code <- function(e) {
  is.call(e) || is.character(e) || (is.pairlist(e) && length(e) > 0L) ||
    (is.symbol(e) && nzchar(as.character(e)))
}

# Names of the variables of an expression. What stands behind `$` and `@` is no variable, nor are
# the names of a package and of its function, and what a function inside of the expression has of
# its own.
variables_in <- function(e) {
  if (is.symbol(e)) return(as.character(e))
  # Without these the answer is that of base R, which is quicker.
  odd <- c("$", "@", "::", ":::", "function")
  if (!any(odd %in% all.names(e, unique = TRUE))) return(all.vars(e))
  walk_code(e, function(part, keep) {
    if (!is.call(part)) {
      keep(all.vars(part))
      return(list())
    }
    called <- call_name(part)
    if (called %in% c("$", "@")) return(list(part[[2L]]))
    if (called %in% c("::", ":::")) return(list())
    if (called == "function") {
      inside <- Filter(is_code, c(as.list(part[[2L]]), part[[3L]]))
      used <- unlist(lapply(inside, variables_in))
      keep(setdiff(used, c(names(part[[2L]]), assigned_in(part[[3L]]))))
      return(list())
    }
    if (is.symbol(part[[1L]])) as.list(part)[-1L] else as.list(part)
  })
}

# Those of one expression or of a list of them, most of which are symbols where there are many.
variables_of <- function(expressions) {
  unique(as.character(unlist(lapply(as_expressions(expressions), variables_in))))
}

as_expressions <- function(x) if (is.list(x)) x else if (is.null(x)) list() else list(x)

# Names that a piece of code gives values to.
assigned_in <- function(e) {
  walk_code(e, function(part, keep) {
    if (!is.call(part)) return(list())
    own <- call_name(part) %in% c("<-", "=", "for") && is.symbol(part[[2L]])
    if (own) keep(as.character(part[[2L]]))
    as.list(part)
  })
}

# Names of the functions that it calls, and strings, which sapply(x, "f") takes for such names.
functions_in <- function(e) {
  walk_code(e, function(part, keep) {
    nested <- is.call(part) || is.pairlist(part)
    skipped <- nested && call_name(part) %in% c("::", ":::")
    keep(if (is.character(part)) strings_of(part) else if (nested && !skipped) call_name(part))
    if (nested && !skipped) as.list(part) else list()
  })
}

# What expressions take from the environment of their formula, other than columns of data: values
# that are not one for each of the n rows, and functions. These keep of their own environments what
# they use.
surroundings <- function(expressions, env, data, n) {
  values <- outside_values(expressions, env, data)
  constant <- vapply(values, function(v) NROW(v) != n || (is.atomic(v) && length(v) == 1L), NA)
  list(
    values = lapply(values[constant], function(v) if (is.function(v)) trim_function(v) else v),
    functions = own_functions(expressions, env)
  )
}

# Values within functions: a name may be that of both.
surroundings_env <- function(around, parent) {
  list2env(around$values, parent = list2env(as.list(around$functions), parent = parent))
}

# The functions that expressions call and that base R does not have: those that the environment
# of a formula holds, and those of a package that made the formula.
own_functions <- function(expressions, env) {
  calls <- Filter(Negate(is.symbol), as_expressions(expressions))
  called <- unique(as.character(unlist(lapply(calls, functions_in))))
  called <- called[nzchar(called)]
  found <- stats::setNames(lapply(called, own_function, env = env), called)
  lapply(found[lengths(found) > 0L], trim_function)
}

own_function <- function(name, env) {
  while (!identical(env, emptyenv()) && !identical(env, .BaseNamespaceEnv)) {
    found <- get0(name, env, mode = "function", inherits = FALSE)
    if (!is.null(found) || identical(env, globalenv())) return(found)
    env <- parent.env(env)
  }
  NULL
}

# An environment with no more of that of a formula than its expressions use.
light_env <- function(expressions, env, data) {
  around <- list(
    values = outside_values(expressions, env, data), functions = own_functions(expressions, env)
  )
  surroundings_env(around, globalenv())
}

# Values of the variables that are no columns of the data.
outside_values <- function(expressions, env, data) {
  outside <- setdiff(variables_of(expressions), names(data))
  stats::setNames(lapply(outside, get0, envir = env), outside)
}
