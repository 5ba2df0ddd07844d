# What a function takes from the place where it was defined.

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

# Variables that a function uses of the functions it was made in; those of the workspace are left
# out, as they may be anything.
captured <- function(f, env) {
  wanted <- setdiff(all.names(body(f), unique = TRUE), names(formals(f)))
  out <- list()
  while (!identical(env, globalenv()) && !identical(env, emptyenv()) && !isNamespace(env)) {
    here <- setdiff(intersect(wanted, ls(env, all.names = TRUE)), names(out))
    out <- c(out, mget(here, envir = env))
    env <- parent.env(env)
  }
  if (length(out)) out[order(plain_text(names(out)), method = "radix")] else out
}

# A function without arguments whose value never changes: it is computed by the first call.
computed_once <- function(f) {
  value <- NULL
  function() {
    if (is.null(value)) value <<- f()
    value
  }
}
