# What values kernels are defined for, and whether they see them standardized. A kernel declares
# both to new_kernel(): `nonnegative` or `positive`, and `scaling`,
#   "standard"  columns of numbers are standardized where the fit does so,
#   "raw"       the kernel sees the values as they are, since zeros and proportions matter,
#   "any"       the values of the kernel do not depend on it.

# The items within a set, factors of products one by one.
single_items <- function(kernels) {
  do.call(base::c, lapply(unclass(kernels), function(item) item$factors %||% list(item)))
}

# The times of a series keep their common scale.
needs_raw <- function(item) {
  identical(item$scaling, "raw") || isTRUE(item$nonnegative) || identical(item$reads[1L], "series")
}

# `frame$raw`: columns that are not standardized, as a kernel on them needs raw values. Other
# kernels on the same columns see them like that too, as there is one copy of the data.
settle_raw <- function(frame, kernels, scale) {
  if (!scale || isTRUE(frame$blueprint$flat)) return(frame)
  items <- Filter(function(item) item$family != "precomputed", single_items(kernels))
  if (!is_view_features(frame$x)) return(keep_raw(frame, items, ncol(frame$x), frame))
  asked <- frame$asked_scale
  for (view in number_views(frame$x)) {
    if (isTRUE(asked[[view]])) next
    own <- Filter(function(item) identical(item$view, view), items)
    p <- ncol(frame$x$views[[view]])
    frame$views[[view]] <- keep_raw(frame$views[[view]], own, p, frame, view)
  }
  frame
}

# `sub`: the frame itself, or that of a view.
keep_raw <- function(sub, items, p, frame, view = NULL) {
  seen <- function(items) {
    out <- logical(p)
    for (item in items) out[resolve_columns(item, sub, p) %||% seq_len(p)] <- TRUE
    out
  }
  # In a view of its own, a function of the user is given the data as they are.
  raw <- vapply(items, function(item) {
    needs_raw(item) || (!is.null(view) && item$family == "function")
  }, NA)
  if (!any(raw)) return(sub)
  sub$raw <- seen(items[raw])
  others <- Filter(function(item) !identical(item$scaling, "any"), items[!raw])
  both <- which(sub$raw & seen(others))
  if (length(both)) {
    names <- if (is.null(sub$names)) both else paste0("`", sub$names[both], "`")
    inform_mkl(
      "raw_columns", "Kernel `", items[raw][[1L]]$name, "` needs columns as they are, so that ",
      list_some(names, 3L), " of `", paste(c(data_name(frame$blueprint), view), collapse = "$"),
      "` ", if (length(both) > 1L) "are" else "is", " not standardized for other kernels either.",
      data = list(columns = sub$names[both] %||% both)
    )
  }
  sub
}

# Values that a kernel is not defined for ----------------------------------------------------------

# In new rows, as kernels see them. `label`: what messages call a row, see row_labels().
check_ranges <- function(items, x, label = row_labels()) {
  for (item in single_items(items)) check_cases(item, item_cases(item, x), item$columns, label)
}

# `part`: what the item sees, list(x, rows), see item_cases().
check_cases <- function(item, part, columns, label) {
  own <- if (is.null(part$rows)) label else function(row) label(part$rows[row])
  check_domain(item, part$x, columns, own)
  check_nodes(item, part$x, own)
  check_length(item, part$x, own)
}

check_domain <- function(item, x, columns, label) {
  if (!isTRUE(item$positive) && !isTRUE(item$nonnegative)) return(invisible())
  positive <- isTRUE(item$positive) && !isTRUE(as.list(item$parameters)$pseudocount > 0)
  worst <- smallest_value(x, columns)
  if (is.null(worst) || worst$value > 0 || (!positive && worst$value == 0)) return(invisible())
  stop_kernel(
    item$name, if (positive) "needs positive values" else "needs data without negative values",
    ", but ", label(worst$row), " of column ", worst$column, " is ",
    format_number(worst$value), ".",
    if (positive && worst$value == 0) {
      " The logarithm of zero is not defined: give a `pseudocount`, or replace zeros before."
    } else " Use it with data that are counts, shares or 0 and 1."
  )
}

smallest_value <- function(x, columns) {
  if (inherits(x, "sparse_features")) return(smallest_entry(x, columns))
  part <- if (is.null(columns)) x else x[, columns, drop = FALSE]
  if (length(part) == 0L) return(NULL)
  place <- which.min(part) - 1L
  column <- place %/% nrow(part) + 1L
  list(
    value = part[place + 1L], row = place %% nrow(part) + 1L,
    column = colnames(part)[column] %||% (columns %||% seq_len(ncol(part)))[column]
  )
}

# Of the stored entries; others are 0.
smallest_entry <- function(x, columns) {
  at <- entry_columns(x)
  seen <- if (is.null(columns)) seq_along(at) else which(at %in% columns)
  if (length(seen) == 0L) return(NULL)
  place <- seen[which.min(x$values[seen])]
  list(
    value = x$values[place], row = x$positions[place], column = x$labels[at[place]] %||% at[place]
  )
}
