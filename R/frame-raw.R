# Raw data: texts (sequences, names of nodes), series and graphs, one per case. Kernels read them as
# they are, see src/features/raw.hpp.
#
# `raw_features` are what the core reads, and what a fit stores:
#   type    "strings", "series" or "graphs"
#   values  one for each case: texts in UTF-8, or a list of what read_one_series() and
#           read_one_graph() give; for a missing one NA or NULL

new_raw <- function(type, values) structure(
  class = "raw_features", list(type = type, values = values)
)

# What raw data are, in words.
raw_words <- c(strings = "text", series = "series", graphs = "graphs")

# The type of a vector of raw data, or NULL if it is none.
raw_type <- function(x) {
  if (is.character(x) && is.null(dim(x))) return("strings")
  if (!is.list(x) || !is.null(dim(x)) || (is.object(x) && !inherits(x, "AsIs"))) return(NULL)
  there <- Filter(Negate(is_absent), x)
  if (length(there) == 0L) return(NULL)
  if (all(vapply(there, is_series, NA))) return("series")
  if (all(vapply(there, is_graph, NA))) "graphs"
}

# An element of a list of series or graphs that stands for a case without one.
is_absent <- function(x) is.null(x) || (is.logical(x) && length(x) == 1L && is.na(x))

# A list for cases none of which has a series or a graph.
is_absent_list <- function(x) {
  is.list(x) && !is.object(x) && length(x) > 0L && all(vapply(x, is_absent, NA))
}

is_series <- function(x) is.numeric(x) && length(dim(x)) <= 2L

is_graph <- function(x) inherits(x, "igraph") || (is.list(x) && !is.null(x[["adjacency"]]))

# A list that is the data itself, where lists hold views or kernel matrices otherwise: of graphs, or
# of series without names, as views need names.
is_raw_list <- function(x) {
  type <- raw_type(x)
  if (!identical(type, "series")) return(identical(type, "graphs"))
  square <- vapply(x, function(one) is.matrix(one) && nrow(one) == ncol(one), NA)
  is.null(names(x)) && !all(square)
}

is_raw <- function(x) inherits(x, "raw_features")

# `argument`: the name of the data in messages.
as_raw <- function(x, argument) {
  type <- raw_type(x)
  if (is.null(type)) stop_must(argument, paste(raw_words, collapse = " or "), x, "data_error")
  new_raw(type, switch(type,
    strings = check_encoding(plain_text(x), argument),
    series = read_list(x, argument, read_one_series),
    graphs = read_list(x, argument, read_one_graph)
  ))
}

# Text as the core reads it: bytes that are no text in any encoding have no letters.
check_encoding <- function(x, argument) {
  if (is_ascii_cpp(x)) return(unname(x))
  odd <- which(!validUTF8(x) | Encoding(x) == "bytes")
  if (length(odd)) {
    stop_mkl(
      "data_error", argument, "`", argument, "` must be text in a known encoding; ",
      row_labels(names(x), "case")(odd[1L]), " has bytes that are none."
    )
  }
  unname(x)
}

# What `read` makes of each element; it gets a function that raises an error about this element.
read_list <- function(x, argument, read) {
  cases <- names(x)
  lapply(seq_along(x), function(i) {
    if (is_absent(x[[i]])) return(NULL)
    case <- if (is.null(cases)) i else paste0("\"", cases[i], "\"")
    read(x[[i]], function(...) {
      stop_mkl("data_error", argument, "Case ", case, " of `", argument, "` ", ...)
    })
  })
}

# What stands for missing data where no kernel sees them.
empty_raw <- function(type) {
  switch(type,
    strings = "",
    series = list(list(x = matrix(0, 0L, 0L))),
    graphs = list(list(nodes = 0, from = integer(), to = integer()))
  )
}

#' @export
dim.raw_features <- function(x) c(length(x$values), 1L)

#' @export
dimnames.raw_features <- function(x) NULL

# Rows alone.
#' @export
`[.raw_features` <- function(x, i, j, ..., drop = FALSE) {
  x$values <- x$values[i]
  x
}

# Frames -------------------------------------------------------------------------------------------

#' @export
as_frame.character <- function(x, second = NULL, max_levels = many_levels) {
  frame <- with_response(frame_raw(x, "x"), second)
  frame$cases <- names(x)
  frame
}

frame_raw <- function(x, argument) {
  if (is.factor(x)) x <- as.character(x) # text that was read with stringsAsFactors = TRUE
  label <- row_labels(names(x), "case")
  x <- as_raw(x, argument)
  channels <- if (x$type == "series") check_channels(x, argument, label)
  list(x = x, blueprint = new_blueprint(
    "raw", reads = x$type, channels = channels, p = 1L, indicator = FALSE
  ))
}

#' @export
bake_frame.frame_raw <- function(blueprint, newdata, argument = "newdata") {
  if (is.list(newdata) && all(vapply(newdata, is_absent, NA)) && blueprint$reads != "strings") {
    return(new_raw(blueprint$reads, vector("list", length(newdata))))
  }
  if (is.factor(newdata) && blueprint$reads == "strings") newdata <- as.character(newdata)
  if (identical(raw_type(newdata), blueprint$reads)) {
    label <- row_labels(names(newdata), "case")
    newdata <- as_raw(newdata, argument)
    if (newdata$type == "series") check_channels(newdata, argument, label, blueprint$channels)
    return(newdata)
  }
  stop_must(
    argument, paste(raw_words[[blueprint$reads]], "like the training data"), newdata, "data_error"
  )
}

#' @export
makes_columns.frame_raw <- function(blueprint) FALSE

# Values -------------------------------------------------------------------------------------------

#' @export
complete_rows.raw_features <- function(x, argument, label = row_labels()) {
  if (is.list(x$values)) lengths(x$values) > 0L else !is.na(x$values)
}

# There is nothing to scale.
#' @export
column_scaling.raw_features <- function(x, rows, keep) list()

#' @export
apply_scaling.raw_features <- function(x, scaling, rows = NULL, own = FALSE) {
  if (is.null(rows)) x else x[rows, , drop = FALSE]
}

#' @export
first_overflow.raw_features <- function(x, rows, scaling) NULL
