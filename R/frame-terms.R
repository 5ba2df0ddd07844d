# Kernel terms of a formula: rbf(x1, x2, sigma = 1), linear(.), precomputed(K), and products
# of them by `:`.

# list(formula: all columns as plain terms, kernels: set or NULL, plain: labels of the plain
# terms, precomputed: named list of expressions for new matrices)
parse_formula <- function(formula, data) {
  rhs <- formula[[length(formula)]]
  if (!has_kernel_term(rhs)) return(list(formula = formula))
  scope <- list(
    env = environment(formula), data = data,
    features = feature_names(formula, data)
  )
  parts <- flatten_sum(rhs)
  is_kernel <- vapply(parts, has_kernel_term, NA)
  kernels <- lapply(parts[is_kernel], parse_kernel_term, scope)
  plain <- parts[!is_kernel]
  expressions <- c(
    unlist(lapply(plain, expand_columns, scope)),
    unlist(lapply(kernels, function(k) k$columns))
  )
  list(
    formula = columns_formula(formula, expressions),
    kernels = do.call(kernel_set, lapply(kernels, function(k) k$kernels)),
    plain = vapply(unlist(lapply(plain, expand_columns, scope)), label_of, ""),
    precomputed = unlist(lapply(kernels, function(k) k$precomputed), recursive = FALSE)
  )
}

feature_names <- function(formula, data) {
  response <- if (length(formula) == 3L) all.vars(formula[[2L]])
  setdiff(names(data), response)
}

operators <- c("+", "-", "*", ":", "(", "^", "/", "%in%")

call_name <- function(e) {
  if (is.call(e) && is.symbol(e[[1L]])) as.character(e[[1L]]) else ""
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

# The summands. An intercept (1, 0, - 1) means nothing to a kernel machine.
flatten_sum <- function(e) {
  name <- call_name(e)
  if (name == "+") return(do.call(base::c, lapply(as.list(e)[-1L], flatten_sum)))
  if (name == "(") return(flatten_sum(e[[2L]]))
  if (name == "-" && is.numeric(e[[length(e)]])) {
    return(if (length(e) == 3L) flatten_sum(e[[2L]]) else list())
  }
  if (is.numeric(e)) return(list())
  if (name == "offset") stop_offset()
  list(e)
}

parse_kernel_term <- function(e, scope) {
  name <- call_name(e)
  if (name == "(") return(parse_kernel_term(e[[2L]], scope))
  if (name == ":") {
    sides <- lapply(as.list(e)[-1L], parse_kernel_term, scope)
    return(list(
      kernels = do.call(kernel_product, lapply(sides, function(s) s$kernels)),
      columns = unlist(lapply(sides, function(s) s$columns)),
      precomputed = unlist(lapply(sides, function(s) s$precomputed), recursive = FALSE)
    ))
  }
  if (!is_constructor(name)) {
    stop_mkl(
      "formula_error", "formula", "The term ", label_of(e), " mixes kernels in a way that has ",
      "no meaning. Kernel terms are joined by `+` and multiplied by `:`, as in ",
      "rbf(x1, sigma = 1) + rbf(x1, sigma = 1):linear(x2)."
    )
  }
  if (name == "precomputed") parse_precomputed(e, scope) else parse_constructor(e, name, scope)
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
  expressions <- unlist(lapply(columns, expand_columns, scope))
  values <- lapply(arguments[named], evaluate_parameter, scope, e)
  labels <- unique(vapply(expressions, label_of, ""))
  everything <- identical(labels, scope$features) && is_dot(columns)
  kernels <- do.call(find_constructor(name), c(values, list(on = labels)))
  if (everything) kernels <- relabel_all(kernels, name, values, find_constructor(name))
  list(kernels = kernels, columns = expressions)
}

is_dot <- function(columns) length(columns) == 1L && identical(columns[[1L]], quote(.))

# linear(.) is called `linear`, not by a list of all columns.
relabel_all <- function(kernels, name, values, constructor) {
  items <- unclass(kernels)
  short <- unclass(do.call(constructor, values))
  for (i in seq_along(items)) items[[i]]$name <- short[[i]]$name
  new_kernels(items)
}

evaluate_parameter <- function(argument, scope, e) {
  tryCatch(eval(argument, scope$env), error = function(err) {
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
  value <- tryCatch(eval(matrix, as.list(scope$data), scope$env), error = function(err) {
    stop_mkl("formula_error", "formula", "The term ", label_of(e), " cannot be evaluated: ",
             conditionMessage(err))
  })
  values <- lapply(arguments[named], evaluate_parameter, scope, e)
  values$name <- values$name %||% label_of(matrix)
  kernels <- do.call(kernel_precomputed, c(list(value), values))
  list(kernels = kernels, precomputed = stats::setNames(list(matrix), values$name))
}

# Symbols and calls of the columns of an expression, `.` expanded.
expand_columns <- function(e, scope) {
  if (identical(e, quote(.)) && is.null(scope$data)) {
    stop_mkl("formula_error", "formula", "The formula has a `.`, which needs `data`.")
  }
  if (is.symbol(e) && !identical(e, quote(.))) return(list(e))
  if (identical(e, quote(.))) return(lapply(scope$features, as.name))
  if (call_name(e) == "-" && length(e) == 2L) {
    stop_mkl(
      "formula_error", "formula", "The term ", label_of(e), " takes away a column from nothing. ",
      "Name the columns that a kernel sees, or take some from all of them: rbf(. - x2)."
    )
  }
  known <- as.list(scope$data)[scope$features]
  empty <- as.data.frame(lapply(known, function(column) 0), optional = TRUE)
  formula <- stats::as.formula(call("~", e), env = scope$env)
  terms <- quiet_terms(formula, if (length(known)) empty)
  if (!is.null(attr(terms, "offset"))) stop_offset()
  lapply(attr(terms, "term.labels"), str2lang)
}

# The name that model.frame() gives to the variable of this expression.
label_of <- function(e) {
  if (is.symbol(e)) return(as.character(e))
  if (call_name(e) == ":") return(paste(label_of(e[[2L]]), label_of(e[[3L]]), sep = ":"))
  paste(deparse(e, width.cutoff = 500L, backtick = TRUE), collapse = " ")
}

columns_formula <- function(formula, expressions) {
  rhs <- if (length(expressions)) {
    Reduce(function(a, b) call("+", a, b), unique(expressions))
  } else {
    1
  }
  formula[[length(formula)]] <- rhs
  formula
}
