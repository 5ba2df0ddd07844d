# Missing and infinite values of the columns of a frame, and their scaling.

# Which rows are complete. Infinite values are an error at once: no rule can drop them
# without hiding a mistake. `label`: what messages call a row, see row_labels().
complete_rows <- function(x, argument, label = row_labels()) UseMethod("complete_rows")

#' @export
complete_rows.default <- function(x, argument, label = row_labels()) {
  found <- complete_rows_cpp(x)
  place <- found$infinite
  if (length(place)) stop_infinite(argument, x, place, x[place[1L], place[2L]], label)
  found$complete
}

# `place`: row and column.
stop_infinite <- function(argument, x, place, value, label) {
  stop_mkl(
    "data_error", argument, "`", argument, "` must be finite; ", label(place[1L]), " of column ",
    column_name(x, place[2L]), " is ", format_number(value), "."
  )
}

column_name <- function(x, column) {
  if (is.null(colnames(x))) column else paste0("`", colnames(x)[column], "`")
}

check_complete <- function(x, argument, label = row_labels(unit = row_unit(x))) {
  complete <- complete_rows(x, argument, label)
  if (!all(complete)) stop_missing(x, complete, argument, label)
}

row_unit <- function(x) if (is_raw(x) || is_view_features(x)) "case" else "row"

stop_missing <- function(x, complete, argument, label) {
  row <- which(!complete)[1L]
  views <- is_view_features(x)
  column <- if (!views && !is_raw(x)) which(is.na(as.matrix(x[row, , drop = FALSE])))[1L]
  stop_mkl(
    "data_error", argument, "`", argument, "` has ",
    if (views) "cases that lack views or values: " else "missing values in ",
    plural(sum(!complete), row_unit(x)), "; the first is ", label(row),
    if (!is.null(column)) paste(" of column", column_name(x, column)), "."
  )
}

# Scaling ------------------------------------------------------------------------------------------

# list(x, scaling): the training rows (NULL: all) of a frame, with `scale` the z-scores of their
# numeric columns; indicators of factors stay 0 and 1, and so do columns that a kernel needs raw
# (frame$raw, see R/kernel-domain.R).
training_columns <- function(frame, rows, scale) UseMethod("training_columns", frame$x)

training_columns.default <- function(frame, rows, scale) {
  keep <- unscaled_columns(frame$blueprint$indicator, frame$raw)
  if (!scale || ncol(frame$x) == 0L || all(keep)) {
    return(list(x = if (is.null(rows)) frame$x else frame$x[rows, , drop = FALSE]))
  }
  scaling <- column_scaling(frame$x, rows, keep)
  list(x = apply_scaling(frame$x, scaling, rows, isTRUE(frame$own)), scaling = scaling)
}

# list(center, scale) of the columns at the given rows; `keep`: columns that are left as they are.
column_scaling <- function(x, rows, keep) UseMethod("column_scaling")

#' @export
column_scaling.default <- function(x, rows, keep) column_scaling_cpp(x, rows, keep)

# Row and column of the first value that is not finite once it is standardized.
first_overflow <- function(x, rows, scaling) UseMethod("first_overflow")

#' @export
first_overflow.default <- function(x, rows, scaling) {
  overflow_cpp(x, rows, scaling$center, scaling$scale)
}

# Of two sets of columns, flags or one flag for all; `raw` may be NULL.
unscaled_columns <- function(indicator, raw) if (is.null(raw)) indicator else indicator | raw

# The given rows (NULL: all) of x, standardized. `own`: nobody else holds x, so that all of it can
# be standardized in place.
apply_scaling <- function(x, scaling, rows = NULL, own = FALSE) UseMethod("apply_scaling")

#' @export
apply_scaling.default <- function(x, scaling, rows = NULL, own = FALSE) {
  if (is.null(scaling) || length(x) == 0L) {
    return(if (is.null(rows)) x else x[rows, , drop = FALSE])
  }
  scale_columns_cpp(x, rows, scaling$center, scaling$scale, own)
}

# One value for each column, repeated down its n rows; faster than rep(each = ).
by_column <- function(values, n) rep.int(values, rep.int(n, length(values)))

# Some of the new rows (NULL: all), standardized like the training rows. They may lie so far from
# these that their scaled values are no numbers any more.
scale_new <- function(x, frame, rows = NULL, own = FALSE) UseMethod("scale_new")

scale_new.default <- function(x, frame, rows = NULL, own = FALSE) {
  scaling <- if (!is.null(frame$center)) frame[c("center", "scale")]
  place <- if (!is.null(scaling)) first_overflow(x, rows, scaling)
  if (length(place)) {
    stop_mkl(
      "data_error", "newdata", "Column ", column_name(x, place[2L]), " of `newdata` holds ",
      format_number(x[place[1L], place[2L]]), ", which is beyond the range of numbers when it is ",
      "scaled as the training rows were."
    )
  }
  apply_scaling(x, scaling, rows, own)
}
