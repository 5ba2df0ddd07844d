# Formulas. Plain terms are features; terms such as rbf(x1, x2, sigma = 1) are kernels on
# their columns. All columns, of both sorts, are variables of one list, so that transformations,
# factors and new data are treated alike.

check_data <- function(data) {
  if (is.null(data)) return(NULL)
  if (is_row_blocks(data)) {
    stop_mkl(
      "data_error", "data", "row_blocks() are data for mkl() and the named methods only: other ",
      "functions need all rows in memory."
    )
  }
  if (!is.data.frame(data) && !(is.list(data) && !is.object(data)) && !is.environment(data)) {
    stop_must("data", "a data frame", data, "data_error")
  }
  if (is.data.frame(data)) check_unique_names(names(data), "data")
  symbol_columns(if (is.environment(data)) as.list(data) else data)
}

stop_offset <- function() {
  stop_mkl(
    "formula_error", "formula", "The formula has an offset(), which a kernel method does not ",
    "use. Subtract it from the response instead: y - o ~ x."
  )
}

# What the columns are made of: list(response, variables, groups, env), see term_groups().
formula_spec <- function(formula, parsed, data) {
  response <- if (length(formula) == 3L) formula[[2L]]
  env <- environment(formula)
  check_variables(c(as_expressions(response), parsed$set$variables), env, data)
  spec <- term_groups(parsed$set)
  if (length(spec$groups) == 0L && is.null(parsed$kernels)) {
    stop_mkl("formula_error", "formula", "The formula names no feature. Write for instance y ~ .")
  }
  if (!is.null(response) && label_of(response) %in% names(spec$variables)) {
    stop_mkl(
      "formula_error", "formula", "The formula has its response, `", label_of(response),
      "`, among the features: leave it out on the right."
    )
  }
  c(spec, list(response = response, env = env))
}

# Variables that exist nowhere: said before their evaluation says it less clearly.
check_variables <- function(expressions, env, data) {
  for (name in setdiff(variables_of(expressions), c(".", names(data)))) {
    if (!exists(name, envir = env)) {
      stop_mkl(
        "formula_error", name, "The formula uses `", name, "`, which is ",
        if (is.null(data)) "not defined." else "no column of `data`.",
        did_you_mean(name, names(data), "`")
      )
    }
  }
}

# `known`: encoders of the same variables in more rows, whose levels count here too. In such a part
# of the rows all that is not among the data is a constant.
frame_spec <- function(spec, data, known = NULL, max_levels = many_levels) {
  failed <- function(...) {
    stop_mkl("formula_error", "formula", "The formula cannot be evaluated: ", ...)
  }
  expressions <- c(as_expressions(spec$response), spec$variables)
  if (!is.null(spec$response)) names(expressions)[1L] <- label_of(spec$response)
  values <- evaluate_variables(expressions, data, spec$env, failed, "data")
  if (!is.data.frame(data)) check_matrix_rows(values)
  n <- if (length(values)) NROW(values[[1L]]) else if (is.data.frame(data)) nrow(data) else 0L
  response <- if (!is.null(spec$response)) values[[1L]]
  if (!is.null(spec$response)) {
    check_response(response, "response")
    values <- values[-1L]
  }
  # Columns that are computed may have to be made anew for parts of the rows, see split_frame().
  plain <- is.null(known) && all(vapply(spec$variables, is.symbol, NA))
  encoded <- encode_columns(
    values, names(spec$variables), "data", n, known, spec$groups, plain, max_levels
  )
  around <- surroundings(spec$variables, spec$env, data, if (is.null(known)) n else -1L)
  names <- setdiff(variables_of(spec$variables), names(around$values))
  out <- list(
    x = encoded$x, own = TRUE, y = without_missing_level(response), names = colnames(encoded$x),
    variables = encoded$variables, n = n, one_sided = is.null(spec$response),
    blueprint = new_blueprint(
      "formula", variables = prediction_calls(spec$variables, values), names = names,
      surroundings = around, encoders = encoded$encoders, groups = spec$groups,
      indicator = encoded$indicator, matrices = matrix_shapes(raw_columns(names, data, spec$env))
    )
  )
  if (inherits(encoded$x, "sparse_features")) out$blueprint$sparse <- TRUE
  out
}

# What the variables of a formula are before its functions are applied to them.
raw_columns <- function(names, data, env) {
  outside <- setdiff(names, names(data))
  c(as.list(data)[setdiff(names, outside)], mget(outside, env, inherits = TRUE))
}

# Values of expressions, as model.frame() finds them, which copies its list for every variable.
evaluate_variables <- function(expressions, data, env, failed, argument) {
  data <- as.list(data)
  values <- vector("list", length(expressions))
  symbols <- vapply(expressions, is.symbol, NA)
  place <- rep(NA_integer_, length(expressions))
  place[symbols] <- match(vapply(expressions[symbols], as.character, ""), names(data))
  values[!is.na(place)] <- data[place[!is.na(place)]]
  if (anyNA(place)) {
    where <- list2env(data[nzchar(names(data) %||% character())], parent = env)
    values[is.na(place)] <- catch_error(
      lapply(expressions[is.na(place)], eval, where),
      error = function(e) failed(conditionMessage(e))
    )
  }
  names(values) <- names(expressions)
  values <- dense_columns(values, argument)
  check_values_of(values, failed)
  values
}

# Each must be a vector, a factor or a matrix, with as many rows as the first.
check_values_of <- function(values, failed) {
  rows <- vapply(values, NROW, 0L)
  unfit <- which(!vapply(values, function(v) is.atomic(v) && !is.null(v), NA))
  if (length(unfit)) {
    column <- values[[unfit[1L]]]
    if (!is.null(raw_type(column))) stop_identifier(names(values)[unfit[1L]], column, "data")
    failed("`", names(values)[unfit[1L]], "` is ", describe(column),
           ", not a vector, a factor or a matrix.",
           if (is.data.frame(column)) " Give the sources as views() in place of `data`.")
  }
  other <- which(rows != rows[1L])
  if (length(other)) {
    failed("`", names(values)[other[1L]], "` has ", plural(rows[[other[1L]]], "row"), ", but `",
           names(values)[1L], "` has ", rows[[1L]], ".")
  }
}

# Matrices that are no columns of one data frame must not name the same case in different rows.
check_matrix_rows <- function(values) {
  named <- Filter(function(value) is.matrix(value) && !is.null(rownames(value)), values)
  moved <- first_moved(lapply(named, rownames))
  if (is.null(moved)) return(invisible())
  stop_mkl(
    "data_error", moved$names[2L], "`", moved$names[1L], "` has the case \"", moved$case,
    "\" in row ", moved$rows[1L], " and `", moved$names[2L], "` in row ", moved$rows[2L],
    ", but the variables of a formula go by position. Give views(", moved$names[1L], " = , ",
    moved$names[2L], " = ) as `data` to match cases by name, or take the row names away."
  )
}

# The calls for new rows: poly(x, 2) and scale(x) with what they found in the training rows.
prediction_calls <- function(expressions, values) {
  calls <- which(!vapply(expressions, is.symbol, NA))
  expressions[calls] <- Map(
    function(e, value) stats::makepredictcall(value, e), expressions[calls], values[calls]
  )
  unname(expressions)
}

# What belongs to the formula rather than to its columns. The environment of the formula is not
# kept: it may hold half of a workspace, see surroundings().
formula_facts <- function(formula, parsed, spec, data, n) {
  env <- environment(formula)
  side <- length(formula)
  # Many terms are stored once, as names of columns, see full_formula().
  long <- length(spec$groups) > 1000L
  dot <- is.null(parsed$kernels) && (long || "." %in% all.vars(formula[[side]]))
  if (dot) formula[[side]] <- quote(.)
  attributes(formula) <- list(class = "formula", .Environment = globalenv())
  list(
    precomputed = parsed$precomputed,
    block_functions = own_functions(unname(parsed$precomputed), env),
    response = spec$response,
    response_surroundings = surroundings(spec$response, env, data, n),
    formula = formula, dot = dot
  )
}

# Methods ------------------------------------------------------------------------------------------

#' @export
data_name.frame_formula <- function(blueprint) "data"

#' @export
response_name.frame_formula <- function(blueprint) "response"

#' @export
stored_formula.frame_formula <- function(blueprint) full_formula(blueprint)

#' @export
variable_names.frame_formula <- function(blueprint) names(blueprint$encoders)

# x2:x1 is the interaction x1:x2.
#' @export
match_terms.frame_formula <- function(blueprint, terms, known) {
  sorted <- function(labels) {
    vapply(strsplit(labels, ":", fixed = TRUE), function(parts) {
      paste(sort_text(parts), collapse = ":")
    }, "")
  }
  match(sorted(terms), sorted(known))
}

# Never from the workspace, where the training rows may still live, nor from a package that happens
# to have data of the name of the response.
#' @export
find_response.frame_formula <- function(blueprint, data) {
  around <- blueprint$response_surroundings
  known <- c(symbol_names(names(data)), names(around$values))
  constants <- vapply(setdiff(variables_in(blueprint$response), known), function(name) {
    is.vector(get0(name, baseenv()))
  }, NA)
  if (!all(constants)) return(NULL)
  env <- surroundings_env(around, parent.env(globalenv()))
  catch_error(eval(blueprint$response, symbol_columns(as.list(data)), env),
              error = function(e) NULL)
}

# Matrices that the terms precomputed() find in the new data, besides those that are given.
#' @export
new_matrices.frame_formula <- function(blueprint, newdata, precomputed, names) {
  precomputed <- NextMethod()$blocks
  # A matrix that a formula names has the name that its symbol has in this locale.
  lost <- !names(precomputed) %in% names
  names(precomputed)[lost] <- symbol_names(names(precomputed)[lost])
  found <- lapply(blueprint$precomputed, eval_block, newdata, blueprint$block_functions)
  found <- Filter(Negate(is.null), found)
  blocks <- c(precomputed, found[!names(found) %in% names(precomputed)])
  list(blocks = if (length(blocks)) blocks, argument = "precomputed")
}

# The term precomputed(K) finds the new K in the new data, never in the workspace, where the
# training matrix of that name still lives. Functions are those of the fit, or of packages.
eval_block <- function(expression, newdata, functions) {
  newdata <- symbol_columns(newdata)
  if (!all(variables_in(expression) %in% names(newdata))) return(NULL)
  functions <- list2env(as.list(functions), parent = parent.env(globalenv()))
  catch_error(eval(expression, as.list(newdata), functions), error = function(e) {
    stop_mkl("data_error", "newdata", "The term precomputed(", label_of(expression), ") cannot be ",
             "evaluated for the new rows: ", conditionMessage(e))
  })
}

#' @export
bake_frame.frame_formula <- function(blueprint, newdata, argument = "newdata") {
  if (inherits(newdata, "Matrix")) newdata <- dense_matrix(newdata, argument)
  if (is.matrix(newdata) && !is.null(colnames(newdata))) newdata <- as.data.frame(newdata)
  if (!is.list(newdata) || (is.object(newdata) && !is.data.frame(newdata))) {
    stop_must(argument, "a data frame like the training data", newdata, "data_error")
  }
  newdata <- symbol_columns(newdata)
  blueprint$names <- symbol_names(blueprint$names)
  check_columns(blueprint$names, names(newdata), argument)
  # Further columns are left out: one might have the name of a value that the fit keeps.
  columns <- align_columns(as.list(newdata)[blueprint$names], blueprint$matrices, argument)
  names <- names(blueprint$encoders)
  values <- evaluate_variables(
    stats::setNames(blueprint$variables, names), columns,
    surroundings_env(blueprint$surroundings, globalenv()), function(...) {
      stop_mkl("data_error", argument, "`", argument, "` does not fit the formula: ", ...)
    }, argument
  )
  n <- if (is.data.frame(newdata)) nrow(newdata) else max(0L, vapply(values, NROW, 0L))
  apply_encoders(
    blueprint$encoders, values, names, argument, n, blueprint$groups,
    blueprint$new_levels %||% "error", isTRUE(blueprint$sparse)
  )$x
}
