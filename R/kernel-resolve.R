# From the kernels of a user to what the core reads, once the training rows are known:
# columns become positions, width rules numbers, functions matrices.

# `x`: the (scaled) training rows; `frame`: see frame.R;
# `rows`: positions of the training rows in what the user gave, of `n_input` rows.
# `labels`: whether there are labels for label-based kernels.
resolve_kernels <- function(kernels, x, frame, normalize, rows, n_input, labels = FALSE) {
  seen <- new.env(parent = emptyenv())
  items <- unclass(new_kernels(unclass(kernels))) # `[<-` of R may have made names equal
  check_matrix_names(items)
  lapply(items, function(item) {
    if (!labels && !is.null(item$beta)) {
      stop_kernel(
        item$name, "needs labels, which there are in mkl() and, as `y`, in kernel_matrix() only."
      )
    }
    out <- resolve_item(item, x, frame, seen, rows, n_input)
    out$beta <- item$beta
    steps <- item$normalize %||% normalize
    out$normalize <- steps[steps != "none"] # a step may come twice
    out
  })
}

resolve_item <- function(item, x, frame, seen, rows, n_input) {
  out <- list(family = item$family, name = item$name, count = item$count,
              normalize = character())
  if (item$family == "product") {
    out$factors <- lapply(item$factors, resolve_item, x, frame, seen, rows, n_input)
    return(out)
  }
  if (item$family == "precomputed") {
    check_case_order(item, frame$cases)
    out$matrix <- training_block(item, rows, n_input)
    out$labels <- item$labels
    return(out)
  }
  out$view <- item$view
  if (!is.null(item$view)) out$at <- match(item$view, x$names)
  else if (!is.null(item$on)) out$group <- paste(on_label(item$on), collapse = ", ")
  part <- item_cases(item, x, frame)
  check_reads(item, part$x)
  columns <- resolve_columns(item, part$frame, ncol(part$x))
  if (!is.null(item$learn)) {
    learnt <- item$learn(item, part, columns)
    item$parameters <- learnt$parameters
    columns <- learnt$columns %||% columns
  }
  out["columns"] <- list(columns)
  out$nonnegative <- if (isTRUE(item$nonnegative)) TRUE
  out$positive <- if (isTRUE(item$positive)) TRUE
  if (item$family == "function") {
    out$family <- "precomputed"
    out$evaluate <- item$evaluate
    out$matrix <- check_symmetric(call_on_cases(item, x, x, columns), item$name)
    return(out)
  }
  label <- row_labels(frame$cases, row_unit(x))
  check_cases(item, part, columns, function(row) label(rows[row]))
  out$parameters <- c(core_parameters(item, part$x, columns, seen), item$constants)
  out
}

# predict() finds new matrices by name. Items of a set have different names, but factors of
# products keep their own: the same name must then mean the same matrix.
check_matrix_names <- function(items) {
  families <- vapply(items, function(item) item$family, "")
  if (!any(families %in% c("precomputed", "product"))) return(invisible())
  items <- Filter(function(item) item$family == "precomputed", single_items(items))
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

# The same against the names of the cases.
check_case_order <- function(item, cases) {
  moved <- moved_case(item$labels, cases)
  if (length(moved)) {
    stop_kernel(
      item$name, "has the row named \"", item$labels[moved], "\" at position ", moved,
      ", but the data have that case at position ", match(item$labels[moved], cases),
      ". Put its rows and columns into the order of the data."
    )
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

resolve_columns <- function(item, frame, p) {
  if (p == 0L) {
    stop_kernel(item$name, "needs columns of data, but only kernel matrices were given.")
  }
  on <- item$on
  if (is.null(on)) {
    if (is.null(frame$features)) return(NULL)
    return(unlist(frame$variables[frame$features], use.names = FALSE))
  }
  if (inherits(on, "formula")) on <- formula_columns(on, frame)
  found <- find_columns(on, frame, p, function(...) stop_kernel(item$name, ...))
  twice <- anyDuplicated(found)
  if (twice) {
    stop_kernel(item$name, "is asked to see column `", frame$names[found[twice]], "` twice.")
  }
  found
}

# Positions in the matrix of what is given by names or positions. `failed` gets the end of a
# sentence about a column that the data do not have.
find_columns <- function(on, frame, p, failed) {
  found <- if (is.numeric(on)) positions_on(on, frame, p) else names_on(on, frame)
  if (is.list(found)) found <- unlist(found, use.names = FALSE)
  if (!anyNA(found)) return(found)
  missing <- on[is.na(found)][1L]
  known <- unique(c(names(frame$variables), frame$names))
  failed(
    "is asked to see column ", describe(missing), ", but the data have ",
    if (is.numeric(missing)) plural(length(frame$variables %||% seq_len(p)), "column")
    else "no column of that name", ".", if (is.character(missing)) did_you_mean(missing, known)
  )
}

positions_on <- function(on, frame, p) {
  if (is.null(frame$variables)) return(ifelse(on <= p, on, NA_integer_))
  if (any(on > length(frame$variables))) return(ifelse(on <= length(frame$variables), on, NA))
  frame$variables[on]
}

# A variable of the user (a factor stands for all its indicators), else a matrix column.
names_on <- function(on, frame) {
  on <- as_known(on, c(names(frame$variables), frame$names))
  direct <- match(on, frame$names)
  if (is.null(frame$variables)) return(direct)
  whole <- match(on, names(frame$variables))
  lost <- is.na(whole) & is.na(direct)
  if (any(lost)) whole[lost] <- match_terms(frame$blueprint, on[lost], names(frame$variables))
  if (anyNA(whole) && anyNA(direct[is.na(whole)])) return(ifelse(is.na(whole), direct, whole))
  Map(function(w, d) if (is.na(w)) d else frame$variables[[w]], whole, direct)
}

formula_columns <- function(on, frame) {
  known <- names(frame$variables) %||% frame$names
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

# Numbers for the core. Rules are resolved once per (rule, columns).
core_parameters <- function(item, x, columns, seen) {
  parameters <- item$parameters
  rule <- if (is.null(item$width)) NULL else parameters[[item$width]]
  if (is.character(rule)) {
    rule <- item$rule %||% rule
    key <- paste(c(item$view, rule, if (!is.null(item$coordinates)) item$name, columns),
                 collapse = " ")
    if (is.null(seen[[key]])) {
      if (!is.null(item$coordinates)) {
        x <- item$coordinates(if (is.null(columns)) x else x[, columns, drop = FALSE], parameters)
        columns <- NULL
      }
      seen[[key]] <- width_cpp(x, as_positions(columns), rule)
    }
    parameters[[item$width]] <- check_rule(seen[[key]], parameters[[item$width]], item)
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
  x <- plain_data(x)
  z <- plain_data(z)
  value <- catch_error(item$evaluate(x, z), error = function(e) {
    stop_kernel(item$name, "failed in its function: ", conditionMessage(e))
  })
  value <- plain_matrix(value, item$name)
  rows <- c(NROW(x), NROW(z))
  if (!identical(dim(value), rows)) {
    stop_kernel(
      item$name, "must return a matrix of ", rows[1L], " x ", rows[2L], ", not ", nrow(value),
      " x ", ncol(value), "."
    )
  }
  check_finite(value, item$name)
}

# What a function of the user is given: a matrix, a character vector or a list of matrices.
plain_data <- function(x) {
  if (!is_raw(x)) return(x)
  if (x$type == "series") lapply(x$values, function(one) one$x) else x$values
}

# The same for the cases that have the view of the item; 0 for others. A function may fail on what
# stands for missing data.
call_on_cases <- function(item, x, z, columns) {
  left <- item_cases(item, x)
  right <- item_cases(item, z)
  value <- call_kernel(item, left$x, right$x, columns)
  if (is.null(left$rows) && is.null(right$rows)) return(value)
  out <- matrix(0, nrow(x), nrow(z))
  out[left$rows %||% seq_len(nrow(x)), right$rows %||% seq_len(nrow(z))] <- value
  out
}

# New rows ----------------------------------------------------------------------------------

# Puts the new-by-kept blocks into resolved items. `blocks`: named list of n_new x n_input
# matrices for precomputed kernels; `take`: which of their rows to use; `columns`: which of
# their columns are the kept training rows.
new_blocks <- function(items, x, train, blocks = list(), take = NULL, columns = NULL) {
  fill <- function(item, cosine) {
    cosine <- cosine || "cosine" %in% item$normalize
    if (!is.null(item$distance)) {
      item$distance$matrix <- distance_block(item$distance$near, blocks, take, columns)
      if (cosine) item$distance$diagonal <- numeric(length(take))
    }
    if (item$family == "product") {
      item$factors <- lapply(item$factors, fill, cosine)
      return(item)
    }
    if (item$family != "precomputed") return(item)
    if (!is.null(item$evaluate)) {
      item$matrix <- call_on_cases(item, x, train, item$columns)
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
    call_on_cases(item, row, row, item$columns)[[1L]]
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
    if (!is.null(item$distance)) {
      item$distance$matrix <- NULL
      item$distance$near$diagonal <- item$distance$near$diagonal[kept]
      if (cosine) item$distance$train_diagonal <- numeric(length(kept))
    }
    item
  }
  lapply(items, strip, cosine = FALSE)
}

# The items as the core reads them: without what only the R side uses. Integers are positions there,
# and doubles numbers.
core_items <- function(items) {
  known <- c(
    "family", "name", "parameters", "columns", "normalize", "factors", "matrix", "diagonal",
    "train_diagonal"
  )
  lapply(items, function(item) {
    out <- item[intersect(names(item), known)]
    out$columns <- as_positions(out$columns)
    if (!is.null(item$view)) out$view <- item$at
    if (!is.null(out$factors)) out$factors <- core_items(out$factors)
    if (is.null(item$beta)) return(out)
    list(
      family = "label_based", name = item$name, normalize = item$normalize, beta = item$beta,
      kernel = out, distance = if (!is.null(item$distance)) core_items(list(item$distance))[[1L]]
    )
  })
}

as_positions <- function(x) if (!is.null(x)) as.integer(x)

# What precomputed kernels call the training rows: a list by name.
precomputed_labels <- function(items) {
  items <- single_items(items)
  stats::setNames(
    lapply(items, function(item) item$labels), vapply(items, function(item) item$name, "")
  )
}

# Names of the kernels for which predict() needs a matrix from the user.
precomputed_names <- function(items) {
  unique(unlist(lapply(items, function(item) {
    if (item$family == "product") return(precomputed_names(item$factors))
    if (item$family == "precomputed" && is.null(item$evaluate)) item$name
  }))) %||% character()
}
