# From data to a numeric matrix, and from new data to the same columns again.
#
# A *frame* is list(x, y, variables, features, names, kernels, spec, blueprint, n):
#   x          numeric matrix, not yet scaled, NA where a value is missing
#   y          the response as given, or NULL
#   variables  named list: which columns of x belong to a variable of the user
#              (NULL: each column is its own variable)
#   features   variables that a kernel without `on` sees (NULL: all)
#   kernels    kernels written as terms of a formula, or NULL
#   spec       for a formula that computes columns: what frame_spec() needs to do so again for a
#              part of the rows
#   blueprint  what bake_frame() needs to do the same to new data: plain R data

frame_matrix <- function(x, argument = "x") {
  if (!(is.numeric(x) || is.logical(x))) {
    stop_must(argument, "a numeric matrix", x, "data_error")
  }
  # Without a name for each column they go by position.
  names <- full_names(x)
  if (is.null(names) && !is.null(colnames(x))) colnames(x) <- NULL
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
  columns <- dense_columns(as.list(x), argument)
  encoded <- encode_columns(columns, names(x), argument, nrow(x))
  blueprint <- list(
    type = "data", names = names(x), encoders = encoded$encoders, indicator = encoded$indicator,
    matrices = matrix_shapes(columns)
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

check_unique_names <- function(names, argument, what = "column") {
  if (!anyDuplicated(names)) return(invisible())
  stop_mkl(
    "data_error", argument, "`", argument, "` has several ", what, "s named ",
    tick_all(unique(names[duplicated(names)])), "."
  )
}

# New data --------------------------------------------------------------------------------------

# The same columns from new data: matched by name where the fit had names.
bake_frame <- function(blueprint, newdata, argument = "newdata") {
  new_levels <- blueprint$new_levels %||% "error"
  switch(blueprint$type,
    matrix = bake_matrix(blueprint, newdata, argument),
    data = bake_data(blueprint, newdata, argument, new_levels),
    formula = bake_formula(blueprint, newdata, argument, new_levels)
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

bake_data <- function(blueprint, newdata, argument, new_levels) {
  if (inherits(newdata, "Matrix")) newdata <- dense_matrix(newdata, argument)
  if (is.matrix(newdata) && !is.null(colnames(newdata))) newdata <- as.data.frame(newdata)
  if (!is.data.frame(newdata)) {
    stop_must(argument, "a data frame like the training data", newdata, "data_error")
  }
  columns <- dense_columns(as.list(pick_columns(newdata, blueprint$names, argument)), argument)
  columns <- align_columns(columns, blueprint$matrices, argument)
  names <- blueprint$names
  apply_encoders(blueprint$encoders, columns, names, argument, nrow(newdata), new_levels)$x
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
