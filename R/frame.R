# From data to a numeric matrix, and from new data to the same columns again.
#
# A *frame* is list(x, y, variables, features, names, kernels, blueprint, n):
#   x          numeric matrix, not yet scaled, NA where a value is missing
#   y          the response as given, or NULL
#   variables  named list: which columns of x belong to a variable of the user
#              (NULL: each column is its own variable)
#   features   variables that a kernel without `on` sees (NULL: all)
#   kernels    kernels written as terms of a formula, or NULL
#   blueprint  what bake_frame() needs to do the same to new data: plain R data

frame_matrix <- function(x, argument = "x") {
  if (!(is.numeric(x) || is.logical(x))) {
    stop_must(argument, "a numeric matrix", x, "data_error")
  }
  names <- colnames(x)
  # Names that leave columns without one identify nothing: columns go by position then.
  if (anyNA(names) || !all(nzchar(names))) {
    names <- NULL
    colnames(x) <- NULL
  }
  check_unique_names(names, argument)
  if (!is.double(x)) storage.mode(x) <- "double"
  if (is.object(x)) x <- unclass(x)
  if (!is.null(rownames(x))) rownames(x) <- NULL
  list(
    x = x, names = names,
    blueprint = list(type = "matrix", names = names, p = ncol(x), indicator = FALSE)
  )
}

frame_data <- function(x, argument = "x") {
  check_unique_names(names(x), argument)
  encoded <- encode_columns(as.list(x), names(x), argument, nrow(x))
  blueprint <- list(
    type = "data", names = names(x), encoders = encoded$encoders, indicator = encoded$indicator
  )
  list(
    x = encoded$x, variables = encoded$variables, names = colnames(encoded$x),
    blueprint = blueprint
  )
}

# Features without a response: what kernel_matrix() and predict() on a matrix take.
features_frame <- function(x, argument) {
  if (inherits(x, "Matrix")) x <- dense_matrix(x, argument)
  if (is.data.frame(x)) return(frame_data(x, argument))
  if (!is.matrix(x)) stop_must(argument, "a numeric matrix or a data frame", x, "data_error")
  frame_matrix(x, argument)
}

dense_matrix <- function(x, argument) {
  if (!requireNamespace("Matrix", quietly = TRUE)) {
    stop_mkl("data_error", argument, "`", argument, "` is sparse: install the package Matrix.")
  }
  as.matrix(x)
}

check_unique_names <- function(names, argument, what = "column") {
  if (!anyDuplicated(names)) return(invisible())
  stop_mkl(
    "data_error", argument, "`", argument, "` has several ", what, "s named ",
    tick_all(unique(names[duplicated(names)])), "."
  )
}

# Encoding of columns -------------------------------------------------------------------------

# An encoder remembers how a column became numbers: list(type = "numeric" | "factor", levels,
# width). All indicators of a factor are kept: kernels need no contrasts.
encode_columns <- function(columns, names, argument, n, known = NULL) {
  encoders <- Map(function(column, name) new_encoder(column, name, argument), columns, names)
  names(encoders) <- names
  if (!is.null(known)) encoders <- Map(wider_encoder, encoders, known[match(names, names(known))])
  apply_encoders(encoders, columns, names, argument, n)
}

apply_encoders <- function(encoders, columns, names, argument, n) {
  blocks <- Map(function(column, name, encoder) {
    apply_encoder(encoder, column, name, argument)
  }, columns, names, encoders)
  widths <- vapply(blocks, ncol, 0L)
  last <- cumsum(widths)
  x <- if (length(blocks)) do.call(cbind, unname(blocks)) else matrix(0, n, 0L)
  list(
    x = x, encoders = encoders,
    variables = stats::setNames(
      Map(function(l, w) seq.int(l - w + 1L, length.out = w), last, widths), names
    ),
    indicator = rep(vapply(encoders, function(e) e$type == "factor", NA), widths)
  )
}

# The encoder of a factor, or one that knows all its levels and others.
wider_encoder <- function(encoder, known) {
  if (encoder$type == "factor" && !is.null(known) && all(encoder$levels %in% known$levels)) {
    encoder$levels <- known$levels
  }
  encoder
}

new_encoder <- function(column, name, argument) {
  if (is.factor(column)) return(list(type = "factor", levels = levels(column)))
  if (is.character(column) && !is.matrix(column)) {
    return(list(type = "factor", levels = sorted_values(column)))
  }
  check_numeric_column(column, name, argument)
  list(type = "numeric", width = NCOL(column))
}

check_numeric_column <- function(column, name, argument) {
  if (length(dim(column)) > 2L) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` is an array with ",
      length(dim(column)), " dimensions. Give its slices as columns of their own."
    )
  }
  unfit <- inherits(column, c("Date", "POSIXt", "difftime", "integer64")) ||
    !(is.numeric(column) || is.logical(column))
  if (unfit) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` is of class \"",
      class(column)[1L], "\", which is neither a number nor a category. ",
      "Convert it first, for instance with as.numeric(), or leave it out."
    )
  }
}

apply_encoder <- function(encoder, column, name, argument) {
  if (encoder$type == "factor") return(encode_factor(encoder$levels, column, name, argument))
  if (is.factor(column) || is.character(column)) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` is ",
      if (is.factor(column)) "a factor" else "text", ", but it was numeric at the fit."
    )
  }
  check_numeric_column(column, name, argument)
  if (NCOL(column) != encoder$width) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` has width ", NCOL(column),
      ", but ", encoder$width, " at the fit."
    )
  }
  labels <- name
  if (is.matrix(column)) labels <- paste0(name, colnames(column) %||% seq_len(ncol(column)))
  matrix(as.double(column), ncol = NCOL(column), dimnames = list(NULL, labels))
}

encode_factor <- function(levels, column, name, argument) {
  values <- as.character(column)
  code <- match(values, levels)
  unknown <- is.na(code) & !is.na(values)
  if (any(unknown)) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` holds ",
      quote_all(unique(values[unknown])), " (first in row ", which(unknown)[1L],
      "), unknown at the fit, where it held ", quote_all(levels), "."
    )
  }
  # Without any level (a column of nothing but NA) a missing value must still be seen.
  if (length(levels) == 0L) {
    return(matrix(NA_real_, length(code), 1L, dimnames = list(NULL, name)))
  }
  out <- matrix(0, length(code), length(levels), dimnames = list(NULL, paste0(name, levels)))
  out[cbind(seq_along(code), code)[!is.na(code), , drop = FALSE]] <- 1
  out[is.na(code), ] <- NA_real_
  out
}

# New data --------------------------------------------------------------------------------------

# The same columns from new data: matched by name where the fit had names.
bake_frame <- function(blueprint, newdata, argument = "newdata") {
  switch(blueprint$type,
    matrix = bake_matrix(blueprint, newdata, argument),
    data = bake_data(blueprint, newdata, argument),
    formula = bake_formula(blueprint, newdata, argument)
  )
}

bake_matrix <- function(blueprint, newdata, argument) {
  if (is.data.frame(newdata)) {
    if (!is.null(blueprint$names)) newdata <- pick_columns(newdata, blueprint$names, argument)
    newdata <- numeric_columns(newdata, argument)
  } else {
    if (inherits(newdata, "Matrix")) newdata <- dense_matrix(newdata, argument)
    if (!is.matrix(newdata)) {
      stop_must(argument, "a matrix or data frame like the training data", newdata, "data_error")
    }
    if (!is.numeric(newdata) && !is.logical(newdata)) {
      stop_must(argument, "a numeric matrix", newdata, "data_error")
    }
    if (!is.null(blueprint$names) && !is.null(colnames(newdata))) {
      newdata <- pick_columns(newdata, blueprint$names, argument)
    }
  }
  if (ncol(newdata) != blueprint$p) {
    stop_mkl(
      "data_error", argument, "`", argument, "` has ", plural(ncol(newdata), "column"),
      ", but the fit was made with ", blueprint$p, "."
    )
  }
  matrix(as.double(newdata), nrow(newdata), ncol(newdata), dimnames = list(NULL, blueprint$names))
}

# Columns of numbers alone: a factor would become several columns, in places of others.
numeric_columns <- function(data, argument) {
  blocks <- Map(function(column, name) {
    apply_encoder(list(type = "numeric", width = NCOL(column)), column, name, argument)
  }, as.list(data), names(data))
  if (length(blocks)) do.call(cbind, unname(blocks)) else matrix(0, nrow(data), 0L)
}

bake_data <- function(blueprint, newdata, argument) {
  if (inherits(newdata, "Matrix")) newdata <- dense_matrix(newdata, argument)
  if (is.matrix(newdata) && !is.null(colnames(newdata))) newdata <- as.data.frame(newdata)
  if (!is.data.frame(newdata)) {
    stop_must(argument, "a data frame like the training data", newdata, "data_error")
  }
  columns <- as.list(pick_columns(newdata, blueprint$names, argument))
  apply_encoders(blueprint$encoders, columns, blueprint$names, argument, nrow(newdata))$x
}

# Columns by name, in the order of the fit; extra columns are ignored.
pick_columns <- function(newdata, names, argument) {
  check_columns(names, colnames(newdata), argument)
  newdata[, match(names, colnames(newdata)), drop = FALSE]
}

check_columns <- function(wanted, found, argument, what = "column") {
  missing <- setdiff(wanted, found)
  if (length(missing)) {
    stop_mkl(
      "data_error", argument, "`", argument, "` lacks ",
      "the ", what, if (length(missing) > 1L) "s", " ", tick_all(missing),
      " of the fit.", did_you_mean(missing[1L], setdiff(found, wanted), "`")
    )
  }
  check_unique_names(found[found %in% wanted], argument, what)
}

# Missing and infinite values --------------------------------------------------------------------

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
# Returns the scaled matrix too, so that x is gone through as few times as possible.
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
