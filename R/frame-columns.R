# Columns of data frames as numbers: factors become indicators, matrices stay blocks. All of them
# are written into one matrix at once, the only copy of the data.
#
# An encoder remembers how a column became numbers: list(type = "numeric" | "factor", levels,
# width, names), the latter two for a matrix. All indicators of a factor are kept: kernels need no
# contrasts. Kernels that compare the variables of a table (R/kernel-table.R) find categories by
# their blocks of indicators, and two notes: `ordered` for levels with an order, `flag` for TRUE and
# FALSE. `open`: unknown levels are no error, see open_levels().

# A *block* is a column on its way into the matrix: list(values, labels, levels, indicator). The
# values are numbers (a vector or a matrix), or for `levels` > 0 codes of a factor with so many
# levels. `labels` names the columns that they become.

# `known`: encoders of the same columns in more rows, whose levels count here too. `groups`: which
# columns make a term, see term_groups(); NULL for one term each. `sparse`: whether the columns may
# become sparse features, which they do if most of them are indicators of large factors.
encode_columns <- function(columns, names, argument, n, known = NULL, groups = NULL,
                           sparse = FALSE, max_levels = many_levels) {
  encoders <- Map(function(column, name) new_encoder(column, name, argument), columns, names)
  names(encoders) <- names
  if (is.null(known)) {
    check_levels(encoders, columns, argument, max_levels)
  } else {
    encoders <- Map(wider_encoder, encoders, known[match(names, names(known))])
  }
  apply_encoders(encoders, columns, names, argument, n, groups, sparse = if (sparse) NA else FALSE)
}

# `sparse`: NA to find out from the columns.
apply_encoders <- function(encoders, columns, names, argument, n, groups = NULL,
                           new_levels = "error", sparse = FALSE) {
  codes <- factor_codes(encoders, columns, names, argument, new_levels)
  blocks <- Map(function(column, name, encoder, code) {
    if (encoder$type == "factor") return(factor_block(encoder$levels, code, name))
    numeric_block(encoder, column, name, argument)
  }, columns, names, encoders, codes)
  if (length(columns)) n <- NROW(columns[[1L]])
  terms <- names
  if (!is.null(groups)) {
    blocks <- lapply(groups, function(group) product_block(blocks[group], n))
    terms <- term_labels(names, groups)
  }
  widths <- vapply(blocks, function(block) length(block$labels), 0L)
  if (is.na(sparse)) sparse <- mostly_zero(blocks, n)
  list(
    x = if (sparse) sparse_blocks(blocks, n) else bind_blocks(blocks, n), encoders = encoders,
    variables = stats::setNames(spans(widths), terms),
    indicator = rep(vapply(blocks, function(block) block$indicator, NA), widths)
  )
}

# Positions of the columns of blocks that stand side by side, named as their widths are.
spans <- function(widths) {
  Map(function(last, width) seq.int(last - width + 1L, length.out = width), cumsum(widths), widths)
}

bind_blocks <- function(blocks, n) {
  bind_columns_cpp(
    lapply(unname(blocks), function(block) block$values),
    vapply(blocks, function(block) block$levels, 0L), n,
    as.character(unlist(lapply(blocks, function(block) block$labels)))
  )
}

# All products of the columns of some blocks, for an interaction.
product_block <- function(blocks, n) {
  if (length(blocks) == 1L) return(blocks[[1L]])
  x <- Reduce(column_products, lapply(blocks, function(block) bind_blocks(list(block), n)))
  indicator <- all(vapply(blocks, function(block) block$indicator, NA))
  list(values = x, labels = colnames(x), levels = 0L, indicator = indicator)
}

column_products <- function(a, b) {
  left <- rep(seq_len(ncol(a)), ncol(b))
  right <- rep(seq_len(ncol(b)), each = ncol(a))
  out <- a[, left, drop = FALSE] * b[, right, drop = FALSE]
  colnames(out) <- paste(colnames(a)[left], colnames(b)[right], sep = ":")
  out
}

factor_block <- function(levels, code, name) {
  # Without any level (a column of nothing but NA) a missing value must still be seen.
  none <- length(levels) == 0L
  list(
    values = if (none) rep(NA_real_, length(code)) else code, levels = length(levels),
    labels = if (none) name else paste0(name, levels), indicator = TRUE
  )
}

new_encoder <- function(column, name, argument) {
  if (is.factor(column)) {
    return(c(list(type = "factor", levels = levels(column)), if (is.ordered(column)) {
      list(ordered = TRUE)
    }))
  }
  if (is.character(column) && !is.matrix(column)) {
    return(list(type = "factor", levels = sorted_values(column)))
  }
  check_numeric_column(column, name, argument)
  if (!is.matrix(column)) {
    return(c(list(type = "numeric", width = 1L), if (is.logical(column)) list(flag = TRUE)))
  }
  # A function may name two columns alike, cbind(a, a): they go by position then.
  names <- full_names(column)
  list(type = "numeric", width = ncol(column), names = if (!anyDuplicated(names)) names)
}

# The encoder of a factor, or one that knows all its levels and others.
wider_encoder <- function(encoder, known) {
  if (encoder$type == "factor" && !is.null(known) && all(encoder$levels %in% known$levels)) {
    encoder$levels <- known$levels
  }
  encoder
}

check_numeric_column <- function(column, name, argument) {
  if (length(dim(column)) > 2L) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` is an array with ",
      length(dim(column)), " dimensions. Give its slices as columns of their own."
    )
  }
  if (is.data.frame(column)) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` is a data frame. Give the ",
      "sources as views(), or its columns one by one."
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

numeric_block <- function(encoder, column, name, argument) {
  if (is.factor(column) || is.character(column)) {
    stop_mkl(
      "data_error", name, "Column `", name, "` of `", argument, "` is ",
      if (is.factor(column)) "a factor" else "text", ", but it was numeric at the fit."
    )
  }
  check_numeric_column(column, name, argument)
  column <- align_matrix(column, encoder, name, argument, further = FALSE)
  labels <- name
  if (is.matrix(column)) {
    own <- encoder$names %||% colnames(column) %||% seq_len(ncol(column))
    labels <- paste0(name, own, recycle0 = TRUE)
  }
  if (is.object(column)) column <- matrix(as.double(column), NROW(column), NCOL(column))
  list(values = column, labels = labels, levels = 0L, indicator = FALSE)
}

# Columns of numbers alone: a factor would become several columns, in places of others.
numeric_columns <- function(data, argument) {
  blocks <- Map(function(column, name) {
    numeric_block(list(width = NCOL(column)), column, name, argument)
  }, as.list(data), names(data))
  bind_blocks(blocks, nrow(data))
}

# Matrices within data frames --------------------------------------------------------------------

# Names of the columns of a matrix if all of them have one: others identify nothing.
full_names <- function(x) {
  names <- colnames(x)
  if (anyNA(names) || !all(nzchar(names))) NULL else names
}

# The columns that are matrices: list(width, names) for each, by name.
matrix_shapes <- function(columns) {
  columns <- columns[vapply(columns, function(column) length(dim(column)) == 2L, NA)]
  Map(function(column, name) {
    names <- full_names(column)
    check_unique_names(names, name)
    list(width = ncol(column), names = names)
  }, columns, names(columns))
}

# Matrices of new data in the shape that they had at the fit. This comes before terms are evaluated:
# scale(m) and poly(m, 2) keep their values by position.
align_columns <- function(columns, shapes, argument) {
  for (name in names(shapes)) {
    columns[[name]] <- align_matrix(columns[[name]], shapes[[name]], name, argument)
  }
  columns
}

# Columns of a matrix go by name where the fit and the new data have names, else by position.
# `further`: columns that the fit does not know are ignored, as those of data frames are.
align_matrix <- function(column, shape, name, argument, further = TRUE, what = "Column") {
  given <- full_names(column)
  within <- paste0(what, " `", name, "` of `", argument, "` ")
  by_name <- !is.null(shape$names) && !is.null(given)
  if (by_name && identical(given, shape$names)) return(column)
  if (by_name) {
    missing <- setdiff(shape$names, given)
    if (length(missing)) {
      stop_mkl(
        "data_error", name, within, "lacks the column", if (length(missing) > 1L) "s", " ",
        tick_all(missing), " that it had at the fit.",
        did_you_mean(missing[1L], setdiff(given, shape$names), "`")
      )
    }
    check_unique_names(given[given %in% shape$names], name)
    extra <- setdiff(given, shape$names)
    if (further || length(extra) == 0L) return(column[, match(shape$names, given), drop = FALSE])
    stop_mkl(
      "data_error", name, within, "has the column", if (length(extra) > 1L) "s", " ",
      tick_all(extra), ", unknown at the fit."
    )
  }
  if (NCOL(column) != shape$width) {
    stop_mkl(
      "data_error", name, within, "has width ", NCOL(column), ", but ", shape$width,
      " at the fit."
    )
  }
  column
}
