# Names of the cases: those of the rows of the data, as lm() has them. Rows of a data frame always
# have names; those of a matrix, or of a list of kernel matrices, where there are row names.

# As they are stored: text, or the whole numbers of a data frame. R makes text of these when it is
# looked at, so that a long prediction costs no more than before.
case_names <- function(x) {
  if (is.data.frame(x)) return(attr(x, "row.names"))
  if (length(dim(x)) == 2L) return(rownames(x))
  if (is.character(x)) return(names(x))
  if (!is.list(x)) return(NULL)
  for (one in x) if (length(dim(one)) == 2L && !is.null(rownames(one))) return(rownames(one))
  NULL
}

with_cases <- function(frame, data) {
  frame$cases <- case_names(data)
  frame
}

# The first position in `names` at which there is a case that `cases` has elsewhere; empty if there
# is none, or if either does not tell cases apart.
moved_case <- function(names, cases) {
  if (!is.character(names) || !is.character(cases)) return(integer())
  if (anyDuplicated(cases) || anyDuplicated(names)) return(integer())
  place <- match(names, cases)
  utils::head(which(!is.na(place) & place != seq_along(place)), 1L)
}

# The first case that two of some vectors of names, a named list, have in different positions:
# list(names, case, rows), or NULL.
first_moved <- function(cases) {
  for (b in seq_along(cases)) for (a in seq_len(b - 1L)) {
    moved <- moved_case(cases[[b]], cases[[a]])
    if (length(moved) == 0L) next
    case <- cases[[b]][moved]
    return(list(
      names = names(cases)[c(a, b)], case = case, rows = c(match(case, cases[[a]]), moved)
    ))
  }
}

# What messages call a row, as a function of its position: by its name where the data give one.
# `unit`: what it is called else, "case" where data are not in rows.
row_labels <- function(cases = NULL, unit = "row") {
  force(cases)
  function(row) {
    if (is.character(cases)) paste0("case \"", cases[row], "\"") else paste(unit, row)
  }
}

# Names of the new rows of predict().
new_cases <- function(newdata, precomputed = NULL) {
  if (is.matrix(precomputed)) precomputed <- list(precomputed)
  case_names(newdata) %||% case_names(precomputed)
}

# Names of the training rows, in the order of fitted values.
training_cases <- function(object) object$cases[fitted_rows(object)]

# The rows of the data that fitted values stand for: na.exclude() has a place for all of them.
fitted_rows <- function(object) {
  whole <- is.null(object$rows) || object$na_action == "exclude"
  if (whole) seq_len(object$n_input) else object$rows
}

# A vector or matrix with one value or row for each case.
name_cases <- function(values, cases) {
  if (is.null(cases) || length(cases) != NROW(values) || length(cases) == 0L) return(values)
  cases <- as.character(cases)
  if (is.matrix(values)) rownames(values) <- cases else names(values) <- cases
  values
}

# For frameworks and tables, whose rows have names of their own.
without_cases <- function(values) {
  if (is.matrix(values)) rownames(values) <- NULL else names(values) <- NULL
  values
}

# The response of the training rows, in the order of fitted values: numbers or a factor; NULL if the
# fit does not have it.
stored_response <- function(object) {
  if (is.null(object$y)) return(NULL)
  values <- object$y
  if (object$na_action == "exclude" && !is.null(object$rows)) {
    values <- values[match(seq_len(object$n_input), object$rows)]
  }
  if (is.null(object$classes)) values else class_factor(object, values)
}

# Codes from 0 of the classes that occur, as a factor like the response.
class_factor <- function(object, code) {
  factor(object$classes[code + 1L], levels = object$levels, ordered = isTRUE(object$ordered))
}
