# Kernels that compare the variables of a table one by one: kernel_clinical(), kernel_overlap().
#
# They read the same columns as all other kernels, where a category is a block of indicators: the
# frame knows the blocks (`variables`, `indicator`) and which levels have an order. A type of
# features of its own for tables would need a second copy of the data beside the indicators whenever
# another kernel sees the same view, and rules of its own for missing values, views, formulas and
# imputation. What they learn from the training rows, ranges above all, are parameters of the
# resolved kernel (src/features/table.hpp); only differences over ranges and equality matter, so
# that they do not depend on whether columns are standardized. Where all kernels ask for equality
# alone, the indicators of large factors are sparse (R/frame-sparse.R).

table_kinds <- c(number = 0, category = 1, rank = 2)

# The layout of all columns that a kernel sees: list(columns, parameters).
clinical_layout <- function(item, part, columns) {
  variables <- table_variables(part, columns)
  kinds <- vapply(variables, function(one) one$kind, "")
  x <- as.matrix(part$x) # of sparse features
  limits <- Map(function(one, kind) table_limits(x[, one$columns, drop = FALSE], kind),
                variables, kinds)
  lay_out(variables, kinds, matrix(as.double(unlist(limits)), 2L))
}

# Categories alone, where a kernel that names no columns finds some; values of numbers are
# categories too, as codes are.
overlap_layout <- function(item, part, columns) {
  variables <- table_variables(part, columns)
  categories <- vapply(variables, function(one) one$category, NA)
  if (is.null(item$on) && any(categories)) variables <- variables[categories]
  kinds <- vapply(variables, function(one) if (one$kind == "number") "number" else "category", "")
  lay_out(variables, kinds, matrix(0, 2L, length(variables)))
}

# `limits`: the lowest and the highest value of each variable.
lay_out <- function(variables, kinds, limits) {
  list(
    columns = unlist(lapply(variables, function(one) one$columns), use.names = FALSE),
    parameters = list(
      kinds = unname(table_kinds[kinds]),
      sizes = as.double(lengths(lapply(variables, function(one) one$columns))),
      lows = limits[1L, ], ranges = limits[2L, ] - limits[1L, ]
    )
  )
}

# The least and largest value of a number, or rank of the levels that occur.
table_limits <- function(x, kind) {
  if (kind == "category" || length(x) == 0L) return(c(0, 0))
  if (kind == "number") return(range(x))
  found <- which(colSums(x) > 0)
  if (length(found)) range(found) else c(0, 0)
}

# The variables behind the columns that a kernel sees (NULL: all): list(columns, kind, category) for
# each. An indicator without the others of its block is a number.
table_variables <- function(part, columns) {
  frame <- part$frame
  p <- ncol(part$x)
  columns <- columns %||% seq_len(p)
  indicator <- rep_len(frame$blueprint$indicator %||% FALSE, p)
  encoders <- frame$blueprint$encoders
  terms <- frame$variables %||% as.list(seq_len(p))
  out <- Map(function(own, encoder) {
    own <- as.integer(own)
    if (length(own) && all(indicator[own]) && all(own %in% columns)) {
      kind <- if (isTRUE(encoder$ordered)) "rank" else "category"
      return(list(list(columns = own, kind = kind, category = TRUE)))
    }
    lapply(own[own %in% columns], function(one) {
      list(columns = one, kind = "number", category = indicator[one] || isTRUE(encoder$flag))
    })
  }, unname(terms), unname(encoders[match(names(terms) %||% rep("", length(terms)),
                                          names(encoders))] %||% vector("list", length(terms))))
  do.call(base::c, out)
}

has_categories <- function(frame) {
  any(vapply(frame$blueprint$encoders, function(one) one$type == "factor", NA))
}

# Factors that only these kernels see may have unknown levels in new data: such a level is equal to
# none of the fit, which is all that they ask. Other kernels would take the row for one without any
# category, so that there an unknown level is an error.
open_levels <- function(frame, kernels) {
  if (is.null(frame$blueprint$encoders) && !is_view_features(frame$x)) return(frame)
  items <- Filter(function(item) item$family != "precomputed", single_items(kernels))
  if (!any(vapply(items, is_table_item, NA))) return(frame)
  if (!is_view_features(frame$x)) {
    frame$blueprint <- open_encoders(frame$blueprint, frame, items, ncol(frame$x))
    return(frame)
  }
  for (view in number_views(frame$x)) {
    own <- Filter(function(item) identical(item$view, view), items)
    frame$blueprint$views[[view]] <- open_encoders(
      frame$blueprint$views[[view]], frame$views[[view]], own, ncol(frame$x$views[[view]])
    )
  }
  frame
}

is_table_item <- function(item) isTRUE(item$table) && is.null(item$beta)

open_encoders <- function(blueprint, frame, items, p) {
  seen <- function(items) {
    unlist(lapply(items, function(item) resolve_columns(item, frame, p) %||% seq_len(p)))
  }
  tables <- vapply(items, is_table_item, NA)
  if (!any(tables) || is.null(blueprint$encoders)) return(blueprint)
  alone <- setdiff(seen(items[tables]), seen(items[!tables]))
  terms <- blueprint$groups %||% as.list(seq_along(blueprint$encoders))
  for (e in seq_along(blueprint$encoders)) {
    if (blueprint$encoders[[e]]$type != "factor") next
    own <- unlist(frame$variables[vapply(terms, function(term) e %in% term, NA)])
    if (length(own) && all(own %in% alone)) blueprint$encoders[[e]]$open <- TRUE
  }
  blueprint
}
