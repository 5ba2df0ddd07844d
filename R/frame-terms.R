# Kernel terms of a formula: rbf(x1, x2, sigma = 1), linear(.), precomputed(K), and products
# of them by `:`.

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
  values <- lapply(arguments[named], evaluate_parameter, scope, e)
  labels <- set_labels(set)
  everything <- identical(labels, scope$features) && is_dot(columns)
  kernels <- do.call(find_constructor(name), c(values, list(on = labels)))
  if (everything) kernels <- relabel_all(kernels, name, values, find_constructor(name))
  list(kernels = kernels, set = set)
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
  catch_error(eval(argument, scope$env), error = function(err) {
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
  value <- catch_error(eval(matrix, as.list(scope$data), scope$env), error = function(err) {
    stop_mkl("formula_error", "formula", "The term ", label_of(e), " cannot be evaluated: ",
             conditionMessage(err))
  })
  values <- lapply(arguments[named], evaluate_parameter, scope, e)
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
