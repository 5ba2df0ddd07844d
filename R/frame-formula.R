# Formulas. Plain terms are features; terms such as rbf(x1, x2, sigma = 1) are kernels on
# their columns. All columns, of both sorts, go through one model frame, so that
# transformations, factors and new data are treated alike.

# `known`: encoders of the same variables in more rows, whose levels count here too.
frame_formula <- function(formula, data, known = NULL) {
  data <- check_data(data)
  # The columns of a part are those of all rows, whose kernel terms have been taken apart.
  parsed <- if (is.null(known)) parse_formula(formula, data) else list(formula = formula)
  check_variables(parsed$formula, data)
  terms <- quiet_terms(parsed$formula, data)
  if (!is.null(attr(terms, "offset"))) stop_offset()
  model <- tryCatch(
    stats::model.frame(terms, data, na.action = stats::na.pass),
    error = function(e) stop_mkl("formula_error", "formula", "The formula cannot be evaluated: ",
                                 conditionMessage(e))
  )
  terms <- attr(model, "terms")
  response <- attr(terms, "response")
  if (response) check_response(model[[1L]], "response")
  groups <- term_groups(terms, response)
  if (any(unlist(groups) == 0L)) stop_response_feature(names(model)[1L])
  if (length(groups) == 0L && is.null(parsed$kernels)) {
    stop_mkl("formula_error", "formula", "The formula names no feature. Write for instance y ~ .")
  }
  features <- if (response) as.list(model)[-1L] else as.list(model)
  encoded <- encode_columns(features, names(features), "data", nrow(model), known)
  built <- build_terms(encoded$x, encoded$variables, encoded$indicator, groups)
  plain <- if (is.null(parsed$kernels) || length(parsed$plain) == 0L) NULL else parsed$plain
  list(
    x = built$x, y = if (response) without_missing_level(model[[1L]]), names = colnames(built$x),
    variables = built$variables, features = intersect_labels(plain, names(built$variables)),
    kernels = parsed$kernels, plain = parsed$plain, n = nrow(model) %||% 0L,
    one_sided = response == 0L,
    columns = light_formula(stats::formula(terms), data),
    # In a part of the rows all that is not among the data is a constant.
    blueprint = formula_blueprint(
      terms, encoded, groups, built$indicator, data, parsed, formula,
      if (is.null(known)) nrow(model) %||% 0L else -1L
    )
  )
}

check_data <- function(data) {
  if (is.null(data)) return(NULL)
  if (!is.data.frame(data) && !(is.list(data) && !is.object(data)) && !is.environment(data)) {
    stop_must("data", "a data frame", data, "data_error")
  }
  if (is.data.frame(data)) check_unique_names(names(data), "data")
  symbol_columns(if (is.environment(data)) as.list(data) else data)
}

stop_offset <- function() {
  stop_mkl(
    "formula_error", "formula", "The formula has an offset(), which a kernel machine does not ",
    "use. Subtract it from the response instead: y - o ~ x."
  )
}

stop_response_feature <- function(name) {
  stop_mkl(
    "formula_error", "formula", "The formula has its response, `", name, "`, among the features: ",
    "leave it out on the right."
  )
}

quiet_terms <- function(formula, data) {
  # Names for the `.`; a list may hold all sorts of things besides.
  if (!"." %in% all.vars(formula)) data <- NULL
  if (!is.null(data) && !is.data.frame(data)) data <- data[lengths(data) > 0L]
  tryCatch(
    if (is.null(data)) stats::terms(formula) else stats::terms(formula, data = data),
    error = function(e) stop_mkl("formula_error", "formula", "The formula is not valid: ",
                                 conditionMessage(e))
  )
}

intersect_labels <- function(plain, known) if (is.null(plain)) NULL else intersect(plain, known)

# Names of the variables of an expression. What stands behind `$` and `@` is no variable, nor are
# the names of a package and of its function, and what a function inside of the expression has of
# its own.
variables_in <- function(e) {
  if (!is.call(e)) return(all.vars(e))
  called <- call_name(e)
  if (called %in% c("$", "@")) return(variables_in(e[[2L]]))
  if (called %in% c("::", ":::")) return(character())
  if (called == "function") {
    used <- unlist(lapply(c(as.list(e[[2L]]), e[[3L]]), variables_in))
    return(setdiff(used, c(names(e[[2L]]), assigned_in(e[[3L]]))))
  }
  parts <- if (is.symbol(e[[1L]])) as.list(e)[-1L] else as.list(e)
  unique(unlist(lapply(parts, variables_in)))
}

# Names that a piece of code gives values to.
assigned_in <- function(e) {
  if (!is.call(e)) return(character())
  own <- call_name(e) %in% c("<-", "=", "for") && is.symbol(e[[2L]])
  unique(c(if (own) as.character(e[[2L]]), unlist(lapply(as.list(e), assigned_in))))
}

# Names of the functions that it calls, and strings, which sapply(x, "f") takes for such names.
functions_in <- function(e) {
  if (is.character(e)) return(strings_of(e))
  nested <- is.call(e) || is.pairlist(e)
  if (!nested || call_name(e) %in% c("::", ":::")) return(character())
  unique(c(call_name(e), unlist(lapply(as.list(e), functions_in))))
}

# Variables that exist nowhere: said before model.frame() says it less clearly.
check_variables <- function(formula, data) {
  env <- environment(formula)
  for (name in setdiff(variables_in(formula), c(".", names(data)))) {
    if (!exists(name, envir = env)) {
      stop_mkl(
        "formula_error", name, "The formula uses `", name, "`, which is ",
        if (is.null(data)) "not defined." else "no column of `data`.",
        did_you_mean(name, names(data), "`")
      )
    }
  }
}

# For each term the positions of its variables (without the response) in the model frame.
term_groups <- function(terms, response) {
  factors <- attr(terms, "factors")
  if (length(factors) == 0L) return(list())
  lapply(seq_len(ncol(factors)), function(j) unname(which(factors[, j] > 0L)) - response)
}

# Columns of all terms: those of a variable, or all products for an interaction.
build_terms <- function(x, variables, indicator, groups) {
  blocks <- lapply(groups, function(group) {
    Reduce(column_products, lapply(group, function(g) x[, variables[[g]], drop = FALSE]))
  })
  labels <- vapply(groups, function(group) paste(names(variables)[group], collapse = ":"), "")
  widths <- vapply(blocks, ncol, 0L)
  last <- cumsum(widths)
  list(
    x = if (length(blocks)) do.call(cbind, blocks) else matrix(0, nrow(x), 0L),
    variables = stats::setNames(
      Map(function(l, w) seq.int(l - w + 1L, length.out = w), last, widths), labels
    ),
    indicator = unlist(Map(function(group, width) {
      rep(all(indicator[unlist(variables[group])]), width)
    }, groups, widths))
  )
}

column_products <- function(a, b) {
  left <- rep(seq_len(ncol(a)), ncol(b))
  right <- rep(seq_len(ncol(b)), each = ncol(a))
  out <- a[, left, drop = FALSE] * b[, right, drop = FALSE]
  colnames(out) <- paste(colnames(a)[left], colnames(b)[right], sep = ":")
  out
}

# The environment of the formula is not kept: it may hold half of a workspace, see surroundings().
formula_blueprint <- function(terms, encoded, groups, indicator, data, parsed, formula, n) {
  # With plain terms the stored formula has its `.` expanded, as update() needs it.
  if (is.null(parsed$kernels)) formula <- stats::formula(terms)
  attributes(formula) <- list(class = "formula", .Environment = globalenv())
  env <- environment(terms)
  response <- if (attr(terms, "response")) attr(terms, "variables")[[2L]]
  terms <- stats::delete.response(terms)
  variables <- attr(terms, "variables")
  around <- surroundings(variables, env, data, n)
  attr(terms, ".Environment") <- globalenv()
  list(
    type = "formula", terms = terms, names = setdiff(variables_in(variables), names(around$values)),
    surroundings = around, encoders = encoded$encoders, groups = groups, indicator = indicator,
    precomputed = parsed$precomputed,
    block_functions = unlist(
      lapply(unname(parsed$precomputed), own_functions, env = environment(parsed$formula))
    ),
    response = response, response_surroundings = surroundings(response, env, data, n),
    formula = formula
  )
}

# What an expression takes from the environment of its formula, other than columns of data: values
# that are not one for each of the n rows, and functions. These keep of their own environments what
# they use.
surroundings <- function(e, env, data, n) {
  outside <- setdiff(variables_in(e), names(data))
  values <- stats::setNames(lapply(outside, get0, envir = env), outside)
  constant <- vapply(values, function(v) NROW(v) != n || (is.atomic(v) && length(v) == 1L), NA)
  list(
    values = lapply(values[constant], function(v) if (is.function(v)) trim_function(v) else v),
    functions = own_functions(e, env)
  )
}

# Values within functions: a name may be that of both.
surroundings_env <- function(around, parent) {
  list2env(around$values, parent = list2env(as.list(around$functions), parent = parent))
}

# The functions that an expression calls and that base R does not have: those that the environment
# of a formula holds, and those of a package that made the formula.
own_functions <- function(e, env) {
  called <- functions_in(e)
  called <- called[nzchar(called)]
  found <- stats::setNames(lapply(called, own_function, env = env), called)
  lapply(found[lengths(found) > 0L], trim_function)
}

own_function <- function(name, env) {
  while (!identical(env, emptyenv()) && !identical(env, .BaseNamespaceEnv)) {
    if (exists(name, env, mode = "function", inherits = FALSE)) {
      return(get(name, env, mode = "function", inherits = FALSE))
    }
    if (identical(env, globalenv())) return(NULL)
    env <- parent.env(env)
  }
  NULL
}

# A formula with no more of its environment than it uses.
light_formula <- function(formula, data) {
  env <- environment(formula)
  outside <- setdiff(variables_in(formula), names(data))
  values <- stats::setNames(lapply(outside, get0, envir = env), outside)
  around <- list(values = values, functions = own_functions(formula, env))
  environment(formula) <- surroundings_env(around, globalenv())
  formula
}

bake_formula <- function(blueprint, newdata, argument) {
  if (is.matrix(newdata) && !is.null(colnames(newdata))) newdata <- as.data.frame(newdata)
  if (!is.list(newdata) || (is.object(newdata) && !is.data.frame(newdata))) {
    stop_must(argument, "a data frame like the training data", newdata, "data_error")
  }
  newdata <- symbol_columns(newdata)
  blueprint$names <- symbol_names(blueprint$names)
  check_columns(blueprint$names, names(newdata), argument)
  terms <- blueprint$terms
  attr(terms, ".Environment") <- surroundings_env(blueprint$surroundings, globalenv())
  # Further columns are left out: one might have the name of a value that the fit keeps.
  columns <- as.list(newdata)[blueprint$names]
  model <- tryCatch(
    stats::model.frame(terms, columns, na.action = stats::na.pass),
    error = function(e) stop_mkl("data_error", argument, "`", argument, "` does not fit the ",
                                 "formula: ", conditionMessage(e))
  )
  names <- names(blueprint$encoders)
  blocks <- Map(function(column, name, encoder) {
    apply_encoder(encoder, column, name, argument)
  }, as.list(model), names, blueprint$encoders)
  n <- if (is.data.frame(newdata)) nrow(newdata) else nrow(model)
  bound <- bind_blocks(blocks, names, blueprint$encoders, n)
  build_terms(bound$x, bound$variables, bound$indicator, blueprint$groups)$x
}
