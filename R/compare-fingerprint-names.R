# From the names that code uses to what they stand for, see R/compare-fingerprint.R.

# Names of packages that come with R; their functions stay what they are.
base_packages <- function() {
  c(
    "base", "compiler", "datasets", "graphics", "grDevices", "grid", "methods", "parallel",
    "splines", "stats", "stats4", "tcltk", "tools", "utils",
    "multikernel" # its version is part of every key
  )
}

# Namespaces, attached packages and their imports; not those that pkgload::load_all() has made,
# whose version does not change with their code.
is_package_place <- function(env) {
  if (identical(env, baseenv())) return(TRUE)
  if (isNamespace(env)) return(!exists(".__DEVTOOLS__", env, inherits = FALSE) || is_own(env))
  name <- attr(env, "name")
  if (!is.character(name) || length(name) != 1L) return(FALSE)
  if (grepl("^(imports:|Autoloads$|tools:)", name)) return(TRUE)
  startsWith(name, "package:") && !is_developed(package_of(env))
}

is_own <- function(env) identical(env, topenv())

is_developed <- function(package) {
  package != "multikernel" && isNamespaceLoaded(package) &&
    exists(".__DEVTOOLS__", asNamespace(package), inherits = FALSE)
}

package_of <- function(env) sub("^(package|imports|namespace):", "", environmentName(env))

put_package <- function(state, package, name) {
  if (package %in% base_packages()) return(invisible())
  known <- state$versions[[package]]
  if (is.null(known)) known <- state$versions[[package]] <- package_version_text(package)
  put(state, "package", package, known, symbol_text(name))
}

# A package that comes from no repository may be installed again with the same version.
package_version_text <- function(package) {
  about <- suppressWarnings(
    utils::packageDescription(package, fields = c("Version", "Repository", "Built"))
  )
  if (!is.list(about)) return("none")
  c(about$Version, if (is.na(about$Repository)) about$Built)
}

# The environment that a name is found in, or NULL.
find_place <- function(name, env, mode = "any") {
  while (!identical(env, emptyenv())) {
    # Looking for a function computes arguments that have not been used so far, which may fail.
    here <- tryCatch(
      exists(name, envir = env, mode = mode, inherits = FALSE), error = function(e) FALSE
    )
    if (here) return(env)
    env <- parent.env(env)
  }
  NULL
}

put_names <- function(state, used, env) {
  for (name in used$variables) put_name(state, name, env, "any")
  for (name in used$functions) put_name(state, name, env, "function")
  for (name in used$qualified) put_qualified(state, name)
  hidden <- c(used$strings, short_texts(used$variables, env))
  for (name in hidden_functions(used$functions, unique(hidden), env)) {
    put_name(state, name, env, if (startsWith(name, ".__T__")) "any" else "function")
  }
  for (call in used$special) put_special(state, call, env)
  # lapply(names, get) and do.call("get", ...)
  evasive <- c(lookups(), settings(), readers(), ".GlobalEnv")
  for (name in intersect(c(used$variables, hidden), evasive)) {
    put_special(state, call(name), env)
  }
}

put_name <- function(state, name, env, mode) {
  place <- find_place(name, env, mode)
  if (is.null(place)) return(if (mode == "any") put(state, "no", symbol_text(name)))
  if (!is_package_place(place)) {
    put(state, symbol_text(name))
    return(meet_binding(state, name, place))
  }
  package <- package_of(place)
  if (startsWith(environmentName(place), "imports:")) {
    value <- get(name, place, inherits = FALSE)
    home <- if (is.function(value) && !is.primitive(value)) topenv(environment(value))
    package <- if (is.null(home)) package else package_of(home)
  }
  put_package(state, package, name)
}

put_qualified <- function(state, name) {
  package <- sub("::.*", "", name)
  name <- sub(".*::", "", name)
  if (is_developed(package) && exists(name, asNamespace(package), inherits = FALSE)) {
    return(meet_binding(state, name, asNamespace(package)))
  }
  put_package(state, package, name)
}

# Values of variables that might be names of functions, as do.call(which, ...) takes them.
short_texts <- function(names, env) {
  unlist(lapply(names, function(name) {
    place <- find_place(name, env)
    if (is.null(place) || name == "..." || is_package_place(place)) return(NULL)
    value <- tryCatch(get(name, place, inherits = FALSE), error = function(e) NULL)
    if (is.character(value) && length(value) <= 10L) value[!is.na(value) & nzchar(value)]
  }))
}

# Functions of the user that code may call though they are not among its names: those that a string
# names, and methods of the functions that it calls, of S3 and of S4.
hidden_functions <- function(called, strings, env) {
  there <- character()
  groups <- c(called, "Ops", "Math", "Summary", "Complex")
  while (!identical(env, emptyenv())) {
    if (!is_package_place(env)) there <- c(there, ls(env, all.names = TRUE))
    env <- parent.env(env)
  }
  there <- unique(there)
  dotted <- there[grepl(".", there, fixed = TRUE)]
  is_method <- vapply(strsplit(dotted, ".", fixed = TRUE), function(parts) {
    any(Reduce(function(a, b) paste(a, b, sep = "."), parts, accumulate = TRUE) %in% groups)
  }, NA)
  table <- sub("^[.]__T__(.*):.*$", "\\1", dotted)
  is_method <- is_method | (table != dotted & table %in% groups)
  sort_text(c(intersect(strings, there), dotted[is_method]))
}

# ---- what cannot be known ------------------------------------------------------------------------

# Functions that find values by other means than names in the code, or outside of R.
special_calls <- function() c(lookups(), settings(), places(), evasions())

# What stands in with(e, ...) is looked up in the environments around e too.
places <- function() c("with", "within", "local")

lookups <- function() c("get", "get0", "exists", "dynGet", "getAnywhere", "mget")

settings <- function() c("getOption", "Sys.getenv")

# Those that are often handed on to other functions.
readers <- function() c("eval", "evalq", "readRDS", "readLines", "source", "read.csv", "fread")

evasions <- function() {
  c(
    readers(), "eval.parent", "eval_tidy", "environment", "parent.env", "parent.frame",
    "sys.frame", "sys.frames", "globalenv", "as.environment", "pos.to.env", "topenv", "attach",
    "parse", "str2lang", "str2expression", "as.formula", "reformulate", "sys.source", "options",
    "load", "dget", "data", "readline", "readBin", "readChar", "scan", "read.table", "read.csv2",
    "read.delim", "read.delim2", "read.fwf", "file", "gzfile", "bzfile", "xzfile", "url", "pipe",
    "fifo", "socketConnection", "system", "system2", "read_csv", "read_tsv", "read_rds", "fromJSON",
    ".Call", ".External", ".External2", ".C", ".Fortran", "dyn.load", "getNativeSymbolInfo",
    "code that is nested deeply"
  )
}

put_special <- function(state, call, env) {
  name <- special_name(call, env)
  if (is.null(name)) return(invisible()) # a function of the user
  given <- as.list(call)[-1L]
  if (name %in% c(lookups(), settings()) && is_written(name, given)) {
    return(put_written(state, name, given[[1L]], env))
  }
  if (name %in% places() && !is_place_call(name, given, env)) return(invisible())
  plain <- name %in% c("code that is nested deeply", ".GlobalEnv")
  put_unknown(state, if (plain) name else paste0("a call of ", name, "()"))
}

# The name of the function of R or of a package that is called, NULL for one of the user.
special_name <- function(call, env) {
  head <- call[[1L]]
  if (is.call(head)) return(as.character(head[[3L]]))
  name <- as.character(head)
  place <- find_place(name, env, "function")
  if (is.null(place) || is_package_place(place)) name
}

# A lookup or a setting with a name that is written there is as good as the name itself.
is_written <- function(name, given) {
  labels <- names(given) %||% rep("", length(given))
  text <- length(given) > 0L && is.character(given[[1L]]) && length(given[[1L]]) == 1L
  text && labels[1L] %in% c("", "x") &&
    (name %in% settings() || all(labels[-1L] %in% c("mode", "inherits", "ifnotfound")))
}

put_written <- function(state, name, text, env) {
  if (name == "getOption") return(put_value(state, getOption(text)))
  if (name == "Sys.getenv") return(put_value(state, Sys.getenv(text, NA)))
  put_name(state, text, env, "any")
  put_name(state, text, env, "function")
}

# Whether with() or local() evaluates code in an environment other than that of the function.
is_place_call <- function(name, given, env) {
  if (name == "local") return(length(given) > 1L)
  first <- if (length(given) && is.symbol(given[[1L]])) as.character(given[[1L]]) else ""
  place <- if (nzchar(first)) find_place(first, env)
  if (is.null(place)) return(FALSE)
  is.environment(tryCatch(get(first, place, inherits = FALSE), error = function(e) NULL))
}
