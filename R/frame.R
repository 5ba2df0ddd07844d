# From data to a numeric matrix, and from new data to the same columns again.
#
# A *frame* is list(x, own, y, variables, features, names, kernels, remake, cases, blueprint, n):
#   x          numeric matrix or sparse features (R/frame-sparse.R), not yet scaled, NA where a
#              value is missing
#   own        TRUE if x was made for this frame, and the frame for one fit: x is then standardized
#              in place
#   y          the response as given, or NULL
#   variables  named list: which columns of x belong to a variable of the user
#              (NULL: each column is its own variable)
#   features   variables that a kernel without `on` sees (NULL: all)
#   kernels    kernels written as terms of a formula, or NULL
#   remake     for a formula that computes columns: list(spec, data), what frame_spec() needs to do
#              so again for a part of the rows
#   cases      names of the rows
#   blueprint  what bake_frame() needs to do the same to new data: plain R data, kept in the fit.
#              Its class is the form of the data: `frame_formula`, `frame_data` (a data frame),
#              `frame_matrix` or `frame_kernels` (a list of kernel matrices), and `frame`.

# The frame of data in any form. `second`: the data frame of a formula, else the response.
# `max_levels`: see check_levels().
as_frame <- function(x, second = NULL, max_levels = many_levels) UseMethod("as_frame")

#' @export
as_frame.matrix <- function(x, second = NULL, max_levels = many_levels) {
  warn_kernel_matrix(x)
  complete_frame(frame_matrix(x), x, second)
}

#' @export
as_frame.Matrix <- function(x, second = NULL, max_levels = many_levels) {
  as_frame(dense_matrix(x, "x"), second)
}

#' @export
as_frame.data.frame <- function(x, second = NULL, max_levels = many_levels) {
  complete_frame(frame_table(x, "x", max_levels = max_levels), x, second)
}

#' @export
as_frame.default <- function(x, second = NULL, max_levels = many_levels) {
  if (is.matrix(x)) as_frame.matrix(x, second) else stop_input(x)
}

# With the names of the rows of x and the response y.
complete_frame <- function(frame, x, y) with_response(with_cases(frame, x), y)

with_response <- function(frame, y) {
  if (inherits(y, "formula")) stop_must("y", "a vector with one value for each row", y)
  if (!is.null(y)) {
    check_response(y, "y")
    check_each_row(y, "y", nrow(frame$x), "response_error")
    frame$y <- without_missing_level(y)
  }
  frame
}

new_blueprint <- function(form, ...) {
  structure(list(...), class = c(paste0("frame_", form), "frame"))
}

frame_matrix <- function(x, argument = "x") {
  if (!(is.numeric(x) || is.logical(x))) {
    stop_must(argument, "a numeric matrix", x, "data_error")
  }
  # Without a name for each column they go by position.
  names <- full_names(x)
  check_unique_names(names, argument)
  plain <- plain_columns(x, names)
  list(
    x = plain$x, own = plain$own, names = names,
    blueprint = new_blueprint("matrix", names = names, p = ncol(x), indicator = FALSE)
  )
}

# A matrix of doubles with names of columns alone: list(x, own), where `own` says that x is a copy.
plain_columns <- function(x, names) {
  wanted <- if (!is.null(names)) list(NULL, names)
  own <- !is.double(x) || is.object(x) || !identical(dimnames(x), wanted)
  if (!is.double(x)) storage.mode(x) <- "double"
  if (is.object(x)) x <- unclass(x)
  if (own) dimnames(x) <- wanted
  list(x = x, own = own)
}

frame_data <- function(x, argument = "x", max_levels = many_levels) {
  check_unique_names(names(x), argument)
  columns <- dense_columns(as.list(x), argument)
  encoded <- encode_columns(
    columns, names(x), argument, nrow(x), sparse = TRUE, max_levels = max_levels
  )
  blueprint <- new_blueprint(
    "data", names = names(x), encoders = encoded$encoders, indicator = encoded$indicator,
    matrices = matrix_shapes(columns)
  )
  if (inherits(encoded$x, "sparse_features")) blueprint$sparse <- TRUE
  list(
    x = encoded$x, own = TRUE, variables = encoded$variables, names = colnames(encoded$x),
    blueprint = blueprint
  )
}

# Features without a response: what kernel_matrix() and predict() on a matrix take.
features_frame <- function(x, argument, max_levels = many_levels) {
  if (is.list(x) && !is.object(x) && !is_raw_list(x)) {
    x <- new_views(lapply(x, plain_column), argument = argument)
  }
  if (is_views(x)) return(frame_views(x, argument, max_levels))
  if (!is.null(raw_type(x))) return(frame_raw(x, argument))
  if (inherits(x, "Matrix")) x <- dense_matrix(x, argument)
  if (is.data.frame(x)) return(frame_table(x, argument, max_levels = max_levels))
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

# Methods of the forms -----------------------------------------------------------------------------

# What messages call the data and the response.
data_name <- function(blueprint) UseMethod("data_name")

#' @export
data_name.frame <- function(blueprint) "x"

response_name <- function(blueprint) UseMethod("response_name")

#' @export
response_name.frame <- function(blueprint) "y"

# Whether there are columns of data, and not kernel matrices alone.
has_columns <- function(blueprint) UseMethod("has_columns")

#' @export
has_columns.frame <- function(blueprint) TRUE

# Matrices of new by training rows as the user gives them: list(blocks: NULL for none, argument).
new_matrices <- function(blueprint, newdata, precomputed, names) UseMethod("new_matrices")

#' @export
new_matrices.frame <- function(blueprint, newdata, precomputed, names) {
  if (is.matrix(precomputed) && length(names) == 1L) {
    precomputed <- stats::setNames(list(precomputed), names)
  }
  list(blocks = if (length(precomputed)) precomputed, argument = "precomputed")
}

# The formula of a fit; NULL if it was not made by one.
stored_formula <- function(blueprint) UseMethod("stored_formula")

#' @export
stored_formula.frame <- function(blueprint) NULL

# The response of other rows, if the data hold it.
find_response <- function(blueprint, data) UseMethod("find_response")

#' @export
find_response.frame <- function(blueprint, data) NULL

# Names of the variables that new data have.
variable_names <- function(blueprint) UseMethod("variable_names")

#' @export
variable_names.frame <- function(blueprint) blueprint$names

# Rows of a matrix, with the names of the variables, as new data.
as_new_data <- function(blueprint, x) UseMethod("as_new_data")

#' @export
as_new_data.frame <- function(blueprint, x) as.data.frame(x)

#' @export
as_new_data.frame_matrix <- function(blueprint, x) {
  if (is.null(blueprint$names)) colnames(x) <- NULL
  x
}

# New data in a form that names its rows as the fit does.
as_new_form <- function(blueprint, newdata) UseMethod("as_new_form")

#' @export
as_new_form.frame <- function(blueprint, newdata) newdata

#' @export
as_new_form.frame_views <- function(blueprint, newdata) {
  as_views(newdata, "newdata", names(blueprint$views))
}

# Positions of terms among the known ones, where other spellings mean the same.
match_terms <- function(blueprint, terms, known) UseMethod("match_terms")

#' @export
match_terms.frame <- function(blueprint, terms, known) match(terms, known)

# Whether bake_frame() gives a matrix that nobody else holds.
makes_columns <- function(blueprint) UseMethod("makes_columns")

#' @export
makes_columns.frame <- function(blueprint) TRUE

#' @export
makes_columns.frame_matrix <- function(blueprint) FALSE

# The blueprint of a fit of an earlier version, which names its form by `type`.
current_blueprint <- function(blueprint) {
  if (inherits(blueprint, "frame")) return(blueprint)
  form <- c(precomputed = "kernels")[blueprint$type]
  class(blueprint) <- class(new_blueprint(if (is.na(form)) blueprint$type else form))
  blueprint$type <- NULL
  # Version 0.1.0 held a terms object in place of the variables.
  if (is.null(blueprint$variables) && !is.null(blueprint$terms)) {
    calls <- attr(blueprint$terms, "predvars") %||% attr(blueprint$terms, "variables")
    blueprint$variables <- as.list(calls)[-1L]
  }
  blueprint
}

# New data --------------------------------------------------------------------------------------

# The same columns from new data, matched by name where the fit had names: a matrix, or NULL for
# data without columns.
bake_frame <- function(blueprint, newdata, argument = "newdata") UseMethod("bake_frame")

#' @export
bake_frame.frame_matrix <- function(blueprint, newdata, argument = "newdata") {
  if (inherits(newdata, "Matrix")) newdata <- dense_matrix(newdata, argument)
  if (!is.matrix(newdata) && !is.data.frame(newdata)) {
    stop_must(argument, "a matrix or data frame like the training data", newdata, "data_error")
  }
  if (is.matrix(newdata) && !is.numeric(newdata) && !is.logical(newdata)) {
    stop_must(argument, "a numeric matrix", newdata, "data_error")
  }
  newdata <- pick_columns(newdata, blueprint$names, argument)
  if (is.data.frame(newdata)) newdata <- numeric_columns(newdata, argument)
  check_column_count(ncol(newdata), blueprint$p, argument)
  plain_columns(newdata, blueprint$names)$x
}

check_column_count <- function(found, p, argument) {
  if (found == p) return(invisible())
  stop_mkl(
    "data_error", argument, "`", argument, "` has ", plural(found, "column"),
    ", but the fit was made with ", p, "."
  )
}

#' @export
bake_frame.frame_data <- function(blueprint, newdata, argument = "newdata") {
  if (inherits(newdata, "Matrix")) newdata <- dense_matrix(newdata, argument)
  if (is.matrix(newdata) && !is.null(colnames(newdata))) newdata <- as.data.frame(newdata)
  if (!is.data.frame(newdata)) {
    stop_must(argument, "a data frame like the training data", newdata, "data_error")
  }
  columns <- dense_columns(as.list(pick_columns(newdata, blueprint$names, argument)), argument)
  columns <- align_columns(columns, blueprint$matrices, argument)
  names <- blueprint$names
  apply_encoders(
    blueprint$encoders, columns, names, argument, nrow(newdata),
    new_levels = blueprint$new_levels %||% "error", sparse = isTRUE(blueprint$sparse)
  )$x
}

# Columns by name, in the order of the fit; extra columns are ignored. Without names they go by
# position.
pick_columns <- function(newdata, names, argument) {
  if (is.null(names) || is.null(colnames(newdata))) return(newdata)
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
