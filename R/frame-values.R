# Missing and infinite values of the columns of a frame, and their scaling.

# Which rows are complete. Infinite values are an error at once: no rule can drop them
# without hiding a mistake.
complete_rows <- function(x, argument) {
  if (all_finite_cpp(x)) return(rep(TRUE, nrow(x)))
  infinite <- which(is.infinite(x))
  if (length(infinite)) {
    place <- infinite[1L] - 1L
    column <- place %/% nrow(x) + 1L
    stop_mkl(
      "data_error", argument, "`", argument, "` must be finite; row ", place %% nrow(x) + 1L,
      " of column ", column_name(x, column), " is ", format_number(x[[place + 1L]]), "."
    )
  }
  rowSums(is.na(x)) == 0
}

column_name <- function(x, column) {
  if (is.null(colnames(x))) column else paste0("`", colnames(x)[column], "`")
}

check_complete <- function(x, argument) {
  complete <- complete_rows(x, argument)
  if (!all(complete)) stop_missing(x, complete, argument)
}

stop_missing <- function(x, complete, argument) {
  row <- which(!complete)[1L]
  column <- which(is.na(x[row, ]))[1L]
  stop_mkl(
    "data_error", argument, "`", argument, "` has missing values in ",
    plural(sum(!complete), "row"), "; the first is row ", row, " of column ",
    column_name(x, column), "."
  )
}

# Scaling ------------------------------------------------------------------------------------------

# z-scores of the numeric columns; indicators of factors stay 0 and 1. The usual two passes,
# and a careful one for columns whose squares leave the range of numbers.
# Returns the scaled matrix too, so that x is read as few times as possible.
fit_scaling <- function(x, indicator) {
  n <- nrow(x)
  center <- colMeans(x)
  centered <- x - by_column(center, n)
  spread <- sqrt(colSums(centered^2) / max(1, n - 1))
  odd <- which(!is.finite(center) | !is.finite(spread) | spread < 1e-140)
  for (j in odd) {
    unit <- max(abs(x[, j]))
    if (unit == 0) next
    column <- x[, j] / unit
    center[j] <- mean(column) * unit
    spread[j] <- sqrt(sum((column - mean(column))^2) / max(1, n - 1)) * unit
  }
  # A spread that is mere rounding of a constant says nothing about new rows.
  constant <- n < 2L | spread <= 16 * .Machine$double.eps * abs(center) | spread == 0
  spread[constant] <- 1
  moved <- odd
  if (any(indicator)) {
    center[indicator] <- 0
    spread[indicator] <- 1
    moved <- union(odd, which(indicator))
  }
  for (j in moved) centered[, j] <- x[, j] - center[j]
  list(
    x = centered / by_column(spread, n),
    scaling = list(center = unname(center), scale = unname(spread))
  )
}

apply_scaling <- function(x, scaling) {
  if (is.null(scaling) || length(x) == 0L) return(x)
  n <- nrow(x)
  (x - by_column(scaling$center, n)) / by_column(scaling$scale, n)
}

# One value for each column, repeated down its n rows; faster than rep(each = ).
by_column <- function(values, n) rep.int(values, rep.int(n, length(values)))
