# A fingerprint says what a result depends on: two values with the same one give the same results in
# every session, and it differs as soon as anything differs that a result may depend on. Values
# count by their content. A function is its code and, name by name, what that code finds in the
# environments around it, at any depth; a formula likewise. Functions of packages are known by the
# version of the package. What cannot be known, such as what get() or an external pointer stand for,
# is reported.

# list(hash, unknown): `unknown` says in words what could not be looked into.
fingerprint <- function(x, columns = character()) {
  state <- new.env(parent = emptyenv())
  state$tokens <- list()
  state$unknown <- character()
  state$places <- list() # environments that have been met
  state$met <- list() # for each of them the numbers of its bindings that have been met
  state$queue <- list() # bindings that are still to be looked at
  state$count <- 0L
  tryCatch({
    put_value(state, x, columns = columns)
    while (length(state$queue)) {
      waiting <- state$queue
      state$queue <- list()
      for (one in waiting) put_binding(state, one$name, one$place)
    }
  }, error = function(e) {
    put_unknown(state, paste0("a value that cannot be read (", conditionMessage(e), ")"))
  })
  list(hash = text_hash(unlist(state$tokens)), unknown = unique(state$unknown))
}

# The same for equal values in any session of R.
content_hash <- function(x) fingerprint(x)$hash

text_hash <- function(text) bytes_hash(serialize(text, NULL, xdr = TRUE, version = 2L))

# The first 14 bytes of what serialize() returns tell the version of R.
bytes_hash <- function(serialized) substr(sha256_cpp(serialized, 14L), 1L, 32L)

put <- function(state, ...) {
  state$tokens[[length(state$tokens) + 1L]] <- c(...)
}

put_unknown <- function(state, what) {
  state$unknown <- c(state$unknown, what)
  put(state, "unknown")
}

# ---- values --------------------------------------------------------------------------------------

put_value <- function(state, x, depth = 0L, columns = character()) {
  if (depth > nesting_limit()) return(put_unknown(state, "lists that are nested deeply"))
  if (inherits(x, "connection")) return(put_unknown(state, "a connection"))
  if (inherits(x, "mkl_control")) x[c("threads", "verbose")] <- NULL # these change no result
  if (inherits(x, "mkl_learner") && is.character(x$package)) {
    put_package(state, x$package, "learner")
  }
  put(state, typeof(x))
  switch(typeof(x),
    `NULL` = NULL,
    logical = , integer = , double = , complex = , raw = put(state, vector_hash(x)),
    character = put(state, text_hash(plain_text(as.vector(x)))),
    list = , expression = put_list(state, as.list(unclass(x)), depth, columns),
    symbol = , language = , pairlist = put_code(state, x, depth, columns),
    closure = , builtin = , special = put_function(state, x, depth),
    environment = put_environment(state, x),
    S4 = NULL,
    externalptr = put_unknown(state, "an external pointer"),
    put_unknown(state, paste("an object of type", typeof(x)))
  )
  put_attributes(state, x, depth)
}

put_list <- function(state, x, depth, columns) {
  put(state, length(x))
  for (i in seq_along(x)) {
    if (is_missing_argument(x, i)) {
      put(state, "none")
    } else {
      put_value(state, x[[i]], depth + 1L, columns)
    }
  }
}

vector_hash <- function(x) {
  attributes(x) <- NULL
  bytes_hash(serialize(x, NULL, xdr = TRUE, version = 2L))
}

# Those that tell of the session and not of the value are left out. Packages that read files attach
# pointers of their own to data frames.
put_attributes <- function(state, x, depth) {
  own <- attributes(if (is.language(x) && !inherits(x, "formula")) NULL else x)
  own <- own[setdiff(names(own), c("srcref", "srcfile", "wholeSrcref", ".Environment"))]
  if (is.data.frame(x)) own <- Filter(function(value) typeof(value) != "externalptr", own)
  own <- own[sort_text(as.character(names(own)))]
  put(state, "attributes", names(own))
  for (value in own) put_value(state, value, depth + 1L)
}

# A formula takes names from its environment that are no columns of the data.
put_code <- function(state, x, depth, columns) {
  put_tokens(state, x, depth)
  env <- attr(x, ".Environment")
  if (!is.environment(env)) return(invisible())
  attributes(x) <- NULL
  used <- names_from_outside(x, is_term = is_constructor)
  used$variables <- union(setdiff(used$variables, c(columns, ".")), used$parameters)
  put_names(state, used, env)
}

put_tokens <- function(state, code, depth) {
  code <- code_tokens(code)
  put(state, "code", text_hash(code$tokens))
  for (value in code$constants) put_value(state, value, depth + 1L)
}

put_function <- function(state, f, depth) {
  if (is.primitive(f)) return(put(state, deparse(f)))
  arguments <- as.list(formals(f))
  put(state, symbol_text(names(arguments)))
  code <- as.call(c(quote(`function`), list(formals(f)), list(body(f))))
  put_tokens(state, code, depth)
  env <- environment(f)
  if (is_package_place(env)) return(put_package(state, package_of(env), "function"))
  used <- names_from_outside(code)
  made_by <- package_of(topenv(env))
  # A function that a package made may look around in the frames that it comes from, not beyond.
  if (length(used$special) && is_package_place(topenv(env)) && made_by != "multikernel") {
    used$special <- list()
    used$variables <- union(used$variables, frame_names(env))
  }
  put_names(state, used, env)
}

frame_names <- function(env) {
  out <- character()
  while (!is_package_place(env) && !identical(env, emptyenv()) && !identical(env, globalenv())) {
    out <- union(out, ls(env, all.names = TRUE))
    env <- parent.env(env)
  }
  sort_text(out)
}

# ---- environments --------------------------------------------------------------------------------

# All values in it. Those that R or a package owns are known by their names.
put_environment <- function(state, env) {
  if (identical(env, globalenv()) || identical(env, emptyenv()) || is_package_place(env)) {
    return(put(state, environmentName(env)))
  }
  met <- bindings_met(state, env)
  if (!is.null(met[["/whole"]])) return(put(state, "seen", met[["/whole"]]))
  state$count <- state$count + 1L
  met[["/whole"]] <- state$count
  if (exists(".refClassDef", env, inherits = FALSE)) return(put_reference_object(state, env))
  for (name in sort_text(setdiff(ls(env, all.names = TRUE), own_names_of_r6(env)))) {
    put(state, symbol_text(name))
    meet_binding(state, name, env)
  }
}

# What the package R6 adds to objects and classes: a method that looks around, and the environment
# that a class was defined in, of which its methods use what they name.
own_names_of_r6 <- function(env) {
  if (inherits(env, "R6ClassGenerator")) return("parent_env")
  if (!exists(".__enclos_env__", env, inherits = FALSE)) return(NULL)
  clone <- get0("clone", env, inherits = FALSE)
  if (is.function(clone) && identical(names(formals(clone)), "deep")) "clone"
}

# Objects of reference classes get their methods when these are first called, so that all that is in
# the environment depends on what has been done with it: fields and the methods of the class count.
put_reference_object <- function(state, env) {
  class <- get(".refClassDef", env, inherits = FALSE)
  put(state, as.character(attr(class, "className")))
  for (field in sort_text(names(attr(class, "fieldClasses")))) {
    put(state, symbol_text(field))
    meet_binding(state, field, env)
  }
  methods <- as.list(attr(class, "refMethods"))
  own <- Filter(function(f) package_of(topenv(environment(f))) != "methods", methods)
  for (name in sort_text(names(own))) {
    put(state, symbol_text(name))
    put_function(state, own[[name]], 0L)
  }
}

# The numbers of the bindings of an environment that have been met, by name.
bindings_met <- function(state, env) {
  for (i in seq_along(state$places)) {
    if (identical(state$places[[i]], env)) return(state$met[[i]])
  }
  met <- new.env(parent = emptyenv())
  state$places <- c(state$places, list(env))
  state$met <- c(state$met, list(met))
  met
}

# A binding is looked at once, later on; here the number that it got. This ends for functions and
# environments that contain each other too.
meet_binding <- function(state, name, env) {
  met <- bindings_met(state, env)
  key <- paste0("=", name)
  if (is.null(met[[key]])) {
    state$count <- state$count + 1L
    met[[key]] <- state$count
    state$queue[[length(state$queue) + 1L]] <- list(name = name, place = env)
  }
  put(state, "binding", met[[key]])
}

put_binding <- function(state, name, env) {
  put(state, "value of", bindings_met(state, env)[[paste0("=", name)]])
  if (name != "..." && bindingIsActive(as.name(name), env)) {
    # Not in all versions of R that the package runs with.
    behind <- get0("activeBindingFunction", baseenv(), mode = "function")
    if (is.null(behind)) return(put_unknown(state, "an active binding"))
    return(put_value(state, behind(as.name(name), env)))
  }
  # An argument without a value, or one whose value cannot be computed, gives NULL.
  value <- tryCatch(
    suppressWarnings(
      if (name == "...") eval(quote(list(...)), env) else list(get(name, env, inherits = FALSE))
    ),
    error = function(e) NULL
  )
  if (is.null(value)) return(put(state, "none"))
  put_value(state, if (name == "...") value else value[[1L]])
}
