# From the kernels of a user to what the core reads, once the training rows are known:
# columns become positions, width rules numbers, functions matrices.

# `x`: the (scaled) training rows; `view`: list(variables, features, names), see frame.R;
# `rows`: positions of the training rows in what the user gave, of `n_input` rows.
resolve_kernels <- function(kernels, x, view, normalize, rows, n_input) {
  seen <- new.env(parent = emptyenv())
  check_matrix_names(unclass(kernels))
  lapply(unclass(kernels), function(item) {
    out <- resolve_item(item, x, view, seen, rows, n_input)
    steps <- item$normalize %||% normalize
    out$normalize <- steps[steps != "none"] # a step may come twice
    out
  })
}

resolve_item <- function(item, x, view, seen, rows, n_input) {
  if (item$family == "label_based") {
    stop_kernel(
      item$name, "needs labels, which there are in mkl() and, as `y`, in kernel_matrix() only."
    )
  }
  out <- list(family = item$family, name = item$name, count = item$count,
              normalize = character())
  if (item$family == "product") {
    out$factors <- lapply(item$factors, resolve_item, x, view, seen, rows, n_input)
    return(out)
  }
  if (item$family == "precomputed") {
    out$matrix <- training_block(item, rows, n_input)
    out$labels <- item$labels
    return(out)
  }
  columns <- resolve_columns(item, view, ncol(x))
  out["columns"] <- list(columns)
  if (isTRUE(item$nonnegative)) {
    out$nonnegative <- TRUE
    check_nonnegative(x, columns, item$name)
  }
  if (item$family == "function") {
    out$family <- "precomputed"
    out$evaluate <- item$evaluate
    out$matrix <- check_symmetric(call_kernel(item, x, x, columns), item$name)
    return(out)
  }
  out$parameters <- core_parameters(item, x, columns, seen)
  out
}

# predict() finds new matrices by name. Items of a set have different names, but factors of
# products keep their own: the same name must then mean the same matrix.
check_matrix_names <- function(items) {
  families <- vapply(items, function(item) item$family, "")
  if (!any(families %in% c("precomputed", "product"))) return(invisible())
  items <- do.call(base::c, lapply(items, function(item) item$factors %||% list(item)))
  items <- Filter(function(item) item$family == "precomputed", items)
  names <- vapply(items, function(item) item$name, "")
  for (i in which(duplicated(names))) {
    if (!identical(items[[i]]$matrix, items[[match(names[i], names)]]$matrix)) {
      stop_kernel(names[i], "names two different matrices. Give them different names.")
    }
  }
  check_row_order(Filter(function(item) !is.null(item$labels), items))
}

# Matrices that name their rows must mean the same row by the same position.
check_row_order <- function(items) {
  for (item in items[-1L]) {
    first <- items[[1L]]
    place <- match(item$labels, first$labels)
    moved <- which(!is.na(place) & place != seq_along(place))
    if (length(moved)) {
      stop_kernel(
        item$name, "has the row named \"", item$labels[moved[1L]], "\" at position ", moved[1L],
        ", but `", first$name, "` has it at position ", place[moved[1L]], "."
      )
    }
  }
}

training_block <- function(item, rows, n_input) {
  if (nrow(item$matrix) != n_input) {
    stop_kernel(
      item$name, "has ", plural(nrow(item$matrix), "row"), ", but the data have ", n_input, "."
    )
  }
  if (is_all(rows, n_input)) item$matrix else item$matrix[rows, rows, drop = FALSE]
}

resolve_columns <- function(item, view, p) {
  if (p == 0L) {
    stop_kernel(item$name, "needs columns of data, but only kernel matrices were given.")
  }
  on <- item$on
  if (is.null(on)) {
    if (is.null(view$features)) return(NULL)
    return(unlist(view$variables[view$features], use.names = FALSE))
  }
  if (inherits(on, "formula")) on <- formula_columns(on, view)
  found <- if (is.numeric(on)) positions_on(on, view, p) else names_on(on, view)
  if (is.list(found)) found <- unlist(found, use.names = FALSE)
  if (anyNA(found)) {
    missing <- on[is.na(found)][1L]
    known <- unique(c(names(view$variables), view$names))
    hint <- if (is.character(missing)) did_you_mean(missing, known) else ""
    stop_kernel(
      item$name, "is asked to see column ", describe(missing), ", but the data have ",
      if (is.numeric(missing)) plural(length(view$variables %||% seq_len(p)), "column")
      else "no column of that name", ".", hint
    )
  }
  twice <- anyDuplicated(found)
  if (twice) {
    stop_kernel(item$name, "is asked to see column `", view$names[found[twice]], "` twice.")
  }
  found
}

positions_on <- function(on, view, p) {
  if (is.null(view$variables)) return(ifelse(on <= p, on, NA_integer_))
  if (any(on > length(view$variables))) return(ifelse(on <= length(view$variables), on, NA))
  view$variables[on]
}

# A variable of the user (a factor stands for all its indicators), else a matrix column.
names_on <- function(on, view) {
  on <- as_known(on, c(names(view$variables), view$names))
  direct <- match(on, view$names)
  if (is.null(view$variables)) return(direct)
  whole <- match(on, names(view$variables))
  lost <- is.na(whole) & is.na(direct)
  terms <- identical(view$blueprint$type, "formula")
  if (terms && any(lost)) {
    whole[lost] <- match(sorted_label(on[lost]), sorted_label(names(view$variables)))
  }
  if (anyNA(whole) && anyNA(direct[is.na(whole)])) return(ifelse(is.na(whole), direct, whole))
  Map(function(w, d) if (is.na(w)) d else view$variables[[w]], whole, direct)
}

# x2:x1 is the interaction x1:x2.
sorted_label <- function(labels) {
  vapply(strsplit(labels, ":", fixed = TRUE), function(parts) {
    paste(sort_text(parts), collapse = ":")
  }, "")
}

formula_columns <- function(on, view) {
  known <- names(view$variables) %||% view$names
  if (is.null(known)) {
    stop_mkl("argument_error", "on", "`on` is a formula, but the data have no column names.")
  }
  scope <- list(env = baseenv(), data = list(), features = symbol_names(known))
  tryCatch(
    set_labels(expand_terms(on[[2L]], scope)),
    multikernel_formula_error = function(e) {
      stop_mkl("argument_error", "on", "`on` is no valid formula: ", conditionMessage(e))
    }
  )
}

check_nonnegative <- function(x, columns, name) {
  part <- if (is.null(columns)) x else x[, columns, drop = FALSE]
  if (length(part) && min(part) < 0) {
    worst <- which.min(part) - 1L
    column <- worst %/% nrow(part) + 1L
    stop_kernel(
      name, "needs data without negative values, but row ", worst %% nrow(part) + 1L,
      " of column ", colnames(part)[column] %||% column, " is ", format_number(min(part)),
      ". Use `scale = FALSE` with data that are counts or shares."
    )
  }
}

# Numbers for the core. Rules are resolved once per (rule, columns).
core_parameters <- function(item, x, columns, seen) {
  parameters <- item$parameters
  rule <- if (is.null(item$width)) NULL else parameters[[item$width]]
  if (is.character(rule)) {
    key <- paste(c(rule, columns), collapse = " ")
    if (is.null(seen[[key]])) seen[[key]] <- with_core(width_cpp(x, columns, rule))
    parameters[[item$width]] <- check_rule(seen[[key]], rule, item)
  }
  out <- if (is.null(item$core)) parameters else item$core(parameters)
  numbers <- unlist(out)
  if (any(is.infinite(numbers)) || any(numbers == 0 & names(numbers) == "gamma")) {
    stop_kernel(item$name, "has a width outside of the range of numbers.")
  }
  out
}

check_rule <- function(sigma, rule, item) {
  if (!is.finite(sigma) || sigma <= 0) {
    stop_kernel(
      item$name, "finds no width by the rule \"", rule, "\": it gives ", format_number(sigma),
      ", as the rows do not differ enough. Give a number instead."
    )
  }
  sigma
}

# Functions of the user -------------------------------------------------------------------

call_kernel <- function(item, x, z, columns) {
  # No rows on one side, as in a fit without support vectors: a function need not bear that.
  if (nrow(x) == 0L || nrow(z) == 0L) return(matrix(0, nrow(x), nrow(z)))
  if (!is.null(columns)) {
    x <- x[, columns, drop = FALSE]
    z <- z[, columns, drop = FALSE]
  }
  value <- catch_error(item$evaluate(x, z), error = function(e) {
    stop_kernel(item$name, "failed in its function: ", conditionMessage(e))
  })
  value <- plain_matrix(value, item$name)
  if (nrow(value) != nrow(x) || ncol(value) != nrow(z)) {
    stop_kernel(
      item$name, "must return a matrix of ", nrow(x), " x ", nrow(z), ", not ", nrow(value),
      " x ", ncol(value), "."
    )
  }
  check_finite(value, item$name)
}

# New rows ----------------------------------------------------------------------------------

# Puts the new-by-kept blocks into resolved items. `blocks`: named list of n_new x n_input
# matrices for precomputed kernels; `take`: which of their rows to use; `columns`: which of
# their columns are the kept training rows.
new_blocks <- function(items, x, train, blocks = list(), take = NULL, columns = NULL) {
  fill <- function(item, cosine) {
    cosine <- cosine || "cosine" %in% item$normalize
    if (item$family == "product") {
      item$factors <- lapply(item$factors, fill, cosine)
      return(item)
    }
    if (item$family != "precomputed") return(item)
    if (!is.null(item$near)) {
      item$matrix <- near_block(item$near, blocks, take, columns)
      if (cosine) item$diagonal <- rep(1, length(take))
    } else if (!is.null(item$evaluate)) {
      item$matrix <- call_kernel(item, x, train, item$columns)
      if (cosine) item$diagonal <- function_diagonal(item, x)
    } else {
      block <- blocks[[item$name]]
      item$matrix <- unname(block[take, columns, drop = FALSE])
      if (cosine) item$diagonal <- block_diagonal(block, item$name)[take]
    }
    item
  }
  lapply(items, fill, cosine = FALSE)
}

function_diagonal <- function(item, x) {
  vapply(seq_len(nrow(x)), function(i) {
    row <- x[i, , drop = FALSE]
    call_kernel(item, row, row, item$columns)[[1L]]
  }, 0)
}

block_diagonal <- function(block, name, why = "is normalised by \"cosine\"") {
  diagonal <- attr(block, "diagonal")
  if (!is.numeric(diagonal) || length(diagonal) != nrow(block)) {
    stop_kernel(
      name, why, ", so its new matrix needs an attribute \"diagonal\" ",
      "with the ", nrow(block), " similarities of the new rows to themselves, not ",
      describe(diagonal), "."
    )
  }
  as.double(diagonal)
}

# What a fit keeps of its kernels: everything but the matrices.
strip_kernels <- function(items, kept) {
  strip <- function(item, cosine) {
    cosine <- cosine || "cosine" %in% item$normalize
    if (item$family == "product") item$factors <- lapply(item$factors, strip, cosine)
    if (!is.null(item$matrix)) {
      if (cosine) item$train_diagonal <- diag(item$matrix)[kept]
      item$matrix <- NULL
    }
    if (!is.null(item$near)) item$near$diagonal <- item$near$diagonal[kept]
    item
  }
  lapply(items, strip, cosine = FALSE)
}

# The items as the core reads them: without what only the R side uses.
core_items <- function(items) {
  lapply(items, function(item) {
    item$evaluate <- NULL
    item$nonnegative <- NULL
    item$helper <- NULL
    item$near <- NULL
    item$labels <- NULL
    if (!is.null(item$factors)) item$factors <- core_items(item$factors)
    item
  })
}

# What precomputed kernels call the training rows: a list by name.
precomputed_labels <- function(items) {
  items <- do.call(base::c, lapply(items, function(item) item$factors %||% list(item)))
  stats::setNames(
    lapply(items, function(item) item$labels), vapply(items, function(item) item$name, "")
  )
}

# Names of the kernels for which predict() needs a matrix from the user.
precomputed_names <- function(items) {
  unique(unlist(lapply(items, function(item) {
    if (item$family == "product") return(precomputed_names(item$factors))
    own <- !is.null(item$evaluate) || !is.null(item$near)
    if (item$family == "precomputed" && !own) item$name
  }))) %||% character()
}
