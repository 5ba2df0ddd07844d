# Kernel terms of a formula: rbf(x1, x2, sigma = 1), linear(.), precomputed(K), and products
# of them by `:`.

#' @export
as_frame.formula <- function(x, second = NULL, max_levels = many_levels) {
  if (is_views(second)) return(frame_view_formula(x, second, max_levels))
  with_cases(frame_formula(x, second, max_levels), second)
}

# Terms name views: rbf(mrna), linear(.) for all; terms that are no kernels name views that get the
# default kernels.
frame_view_formula <- function(formula, data, max_levels) {
  env <- environment(formula)
  response <- if (length(formula) == 3L) formula[[2L]]
  listed <- stats::setNames(unclass(data)[names(data)], symbol_names(names(data)))
  parsed <- parse_formula(formula, listed)
  check_variables(c(as_expressions(response), parsed$set$variables), env, listed)
  spec <- term_groups(parsed$set)
  used <- unique(variables_of(spec$variables))
  plain <- all(vapply(spec$variables, is.symbol, NA)) && all(lengths(spec$groups) == 1L)
  if (!plain || !all(used %in% names(listed))) {
    stop_mkl(
      "formula_error", "formula", "With views as `data` the terms of a formula name views, as in ",
      "y ~ rbf(", names(data)[1L], ") + ", names(data)[2L], ". Compute columns before."
    )
  }
  y <- if (!is.null(response)) {
    catch_error(eval(response, lapply(listed, single_column), env), error = function(e) {
      stop_mkl(
        "formula_error", "formula", "The response cannot be evaluated: ", conditionMessage(e)
      )
    })
  }
  picked <- if (length(used)) data[as_known(used, names(data))] else data
  frame <- as_frame(picked, y, max_levels)
  frame[c("kernels", "plain")] <- parsed[c("kernels", "plain")]
  frame$blueprint <- c(frame$blueprint, list(
    precomputed = parsed$precomputed, formula = plain_formula(formula), response = response
  ))
  class(frame$blueprint) <- c("frame_view_formula", class(new_blueprint("views")))
  frame
}

# A view that was a vector.
single_column <- function(x) {
  if (length(dim(x)) == 2L && ncol(x) == 1L && !inherits(x, "Matrix")) x[, 1L] else x
}

plain_formula <- function(formula) {
  attributes(formula) <- list(class = "formula", .Environment = globalenv())
  formula
}

#' @export
stored_formula.frame_view_formula <- function(blueprint) blueprint$formula

# A view of one column, never a variable of the workspace.
#' @export
find_response.frame_view_formula <- function(blueprint, data) {
  if (!is.list(data) || !is.symbol(blueprint$response)) return(NULL)
  name <- as_known(as.character(blueprint$response), names(data))
  if (!name %in% names(data)) return(NULL)
  single_column(unclass(data)[[name]])
}

#' @export
response_name.frame_view_formula <- function(blueprint) "response"

#' @export
data_name.frame_view_formula <- function(blueprint) "data"

frame_formula <- function(formula, data, max_levels = many_levels) {
  data <- check_data(data)
  parsed <- parse_formula(formula, data)
  raw <- raw_terms(parsed, data)
  parsed$set$terms <- Filter(function(term) !any(term %in% raw), parsed$set$terms)
  spec <- formula_spec(formula, parsed, data)
  frame <- frame_spec(spec, data, max_levels = max_levels)
  if (length(parsed$plain)) frame$features <- intersect(parsed$plain, names(frame$variables))
  frame[c("kernels", "plain")] <- parsed[c("kernels", "plain")]
  facts <- formula_facts(formula, parsed, spec, data, frame$n)
  frame$blueprint[names(facts)] <- facts
  if (length(raw)) return(mix_formula(frame, raw, data, environment(formula)))
  # Resampling makes the columns anew for each training part if the terms compute something.
  if (!all(vapply(spec$variables, is.symbol, NA))) {
    spec$env <- light_env(c(spec$variables, spec$response), spec$env, data)
    frame$remake <- list(spec = spec, data = data)
  }
  frame
}

# Columns that kernel terms read as raw data.
raw_terms <- function(parsed, data) {
  raw <- if (!is.null(parsed$kernels)) raw_columns_of(parsed$kernels, data)
  shared <- Filter(function(term) length(term) > 1L && any(term %in% raw), parsed$set$terms)
  if (length(shared)) {
    stop_mkl("formula_error", "formula", "Column `", intersect(shared[[1L]], raw)[1L], "` is read ",
             "as text by a kernel and cannot be part of an interaction.")
  }
  raw
}

# A frame of a formula some of whose kernel terms read raw columns.
mix_formula <- function(frame, raw, data, env) {
  values <- lapply(stats::setNames(nm = raw), function(name) {
    as.list(data)[[name]] %||% get(name, envir = env)
  })
  mixed <- mix_frames(if (ncol(frame$x)) frame, values, "data")
  mixed[c("y", "kernels", "plain", "features")] <- frame[c("y", "kernels", "plain", "features")]
  mixed$blueprint$formula_of <- frame$blueprint
  mixed
}

#' @export
stored_formula.frame_mixed <- function(blueprint) {
  if (!is.null(blueprint$formula_of)) full_formula(blueprint$formula_of)
}

#' @export
find_response.frame_mixed <- function(blueprint, data) {
  if (!is.null(blueprint$formula_of)) find_response(blueprint$formula_of, data)
}

#' @export
data_name.frame_mixed <- function(blueprint) if (is.null(blueprint$formula_of)) "x" else "data"

#' @export
response_name.frame_mixed <- function(blueprint) {
  if (is.null(blueprint$formula_of)) "y" else "response"
}

# list(set: the terms of all columns, see R/frame-expand.R; kernels: set or NULL; plain: labels of
# the plain terms; precomputed: named list of expressions for new matrices)
parse_formula <- function(formula, data) {
  sum <- sum_parts(formula[[length(formula)]])
  scope <- list(env = environment(formula), data = data, features = feature_names(formula, data))
  is_kernel <- vapply(sum$parts, has_kernel_term, NA)
  if (!any(is_kernel)) return(list(set = expand_sum(sum$parts, sum$plus, scope)))
  if (!all(sum$plus[is_kernel])) stop_mixed(call("-", sum$parts[is_kernel & !sum$plus][[1L]]))
  kernels <- lapply(sum$parts[is_kernel], parse_kernel_term, scope)
  plain <- expand_sum(sum$parts[!is_kernel], sum$plus[!is_kernel], scope)
  list(
    set = join_terms(c(list(plain), lapply(kernels, function(k) k$set))),
    kernels = do.call(kernel_set, lapply(kernels, function(k) k$kernels)),
    plain = set_labels(plain),
    precomputed = unlist(lapply(kernels, function(k) k$precomputed), recursive = FALSE)
  )
}

set_labels <- function(set) {
  found <- term_groups(set)
  term_labels(names(found$variables), found$groups)
}

feature_names <- function(formula, data) {
  response <- if (length(formula) == 3L) all.vars(formula[[2L]])
  # A list may hold all sorts of things besides columns.
  if (!is.data.frame(data)) data <- data[lengths(data) > 0L]
  setdiff(names(data), c(response, ""))
}

is_constructor <- function(name) {
  nzchar(name) && (name == "precomputed" || !is.null(find_constructor(name)))
}

# Looks through the operators of a formula only: log(linear(x)) is a plain term.
has_kernel_term <- function(e) {
  name <- call_name(e)
  if (name %in% operators) return(any(vapply(as.list(e)[-1L], has_kernel_term, NA)))
  is_constructor(name)
}

parse_kernel_term <- function(e, scope) {
  name <- call_name(e)
  if (name == "(") return(parse_kernel_term(e[[2L]], scope))
  if (name == ":") {
    sides <- lapply(as.list(e)[-1L], parse_kernel_term, scope)
    return(list(
      kernels = do.call(kernel_product, lapply(sides, function(s) s$kernels)),
      set = join_terms(lapply(sides, function(s) s$set)),
      precomputed = unlist(lapply(sides, function(s) s$precomputed), recursive = FALSE)
    ))
  }
  if (!is_constructor(name)) stop_mixed(e)
  if (name == "precomputed") parse_precomputed(e, scope) else parse_constructor(e, name, scope)
}

stop_mixed <- function(e) {
  stop_mkl(
    "formula_error", "formula", "The term ", label_of(e), " mixes kernels in a way that has ",
    "no meaning. Kernel terms are joined by `+` and multiplied by `:`, as in ",
    "rbf(x1, sigma = 1) + rbf(x1, sigma = 1):linear(x2)."
  )
}

parse_constructor <- function(e, name, scope) {
  arguments <- as.list(e)[-1L]
  named <- nzchar(names(arguments) %||% rep("", length(arguments)))
  columns <- arguments[!named]
  number <- Filter(function(a) !is.symbol(a) && !is.call(a), columns)
  if (length(number)) {
    known <- setdiff(names(formals(find_constructor(name))), c("on", "normalize", "..."))
    stop_mkl(
      "formula_error", "formula", "The term ", label_of(e), " has ", describe(number[[1L]]),
      " among its columns. Parameters need their names", if (length(known)) ": ",
      paste0("`", known, " =`", recycle0 = TRUE, collapse = ", "), "."
    )
  }
  if (length(columns) == 0L) {
    stop_mkl(
      "formula_error", "formula", "The term ", label_of(e), " names no column. ",
      "Write ", name, "(.) for all."
    )
  }
  if ("on" %in% names(arguments)) {
    stop_mkl("formula_error", "formula", "The term ", label_of(e), " gives its columns as ",
             "unnamed arguments, so `on` cannot be used.")
  }
  set <- join_terms(lapply(columns, expand_columns, scope))
  values <- lapply(arguments[named], evaluate_argument, scope, e)
  labels <- set_labels(set)
  everything <- identical(labels, scope$features) && is_dot(columns)
  kernels <- do.call(find_constructor(name), c(values, list(on = labels)))
  if (everything) {
    # linear(.) is called `linear`, not by a list of all columns.
    short <- unclass(do.call(find_constructor(name), values))
    names(kernels) <- vapply(short, function(item) item$name, "")
  }
  list(kernels = kernels, set = set)
}

is_dot <- function(columns) length(columns) == 1L && identical(columns[[1L]], quote(.))

# The value of an argument of the term `e`.
evaluate_argument <- function(argument, scope, e, data = scope$env) {
  catch_error(eval(argument, data, scope$env), error = function(err) {
    stop_mkl("formula_error", "formula", "The term ", label_of(e), " cannot be evaluated: ",
             conditionMessage(err))
  })
}

parse_precomputed <- function(e, scope) {
  arguments <- as.list(e)[-1L]
  named <- nzchar(names(arguments) %||% rep("", length(arguments)))
  if (sum(!named) != 1L) {
    stop_mkl("formula_error", "formula", "The term ", label_of(e), " must name one matrix.")
  }
  matrix <- arguments[!named][[1L]]
  value <- evaluate_argument(matrix, scope, e, as.list(scope$data))
  values <- lapply(arguments[named], evaluate_argument, scope, e)
  values$name <- values$name %||% label_of(matrix)
  kernels <- do.call(kernel_precomputed, c(list(value), values))
  list(
    kernels = kernels, set = new_terms(), precomputed = stats::setNames(list(matrix), values$name)
  )
}

# The terms of an argument of a kernel term.
expand_columns <- function(e, scope) {
  if (call_name(e) == "-" && length(e) == 2L) {
    stop_mkl(
      "formula_error", "formula", "The term ", label_of(e), " takes away a column from nothing. ",
      "Name the columns that a kernel sees, or take some from all of them: rbf(. - x2)."
    )
  }
  expand_terms(e, scope)
}
