# Several sources of data of the same cases: views().
#
# `views` is a list of the data of each view, with a row for each case: numeric matrices, sparse
# matrices, data frames, text, or lists of series or graphs. Rows of cases that lack the view are
# missing values, in sparse matrices empty. Attributes:
#   cases    names of the cases, or NULL
#   present  cases x views: TRUE where a case has the view
#   scale    named by view: TRUE or FALSE as the user asked, NA for the default

#' Views: combine several sources of data (multi-view, multi-omics)
#'
#' Combines several sources of data (views) on the same cases: matrices, sparse matrices, data
#' frames, text, time series, graphs. Every fitting function accepts the result, or a named list
#' of such data, as `x` or `data`. Each view has its own scaling and its own kernels, and cases
#' may lack views.
#'
#' @details
#' **Cases** are matched by name, in any order, if all views have names of cases (row names, or
#' the names of a vector or list); a case is in the result if any view contains it. Otherwise
#' cases are matched by position, and views must have equal numbers of rows; the same name in
#' different rows of two views then raises an error. A response `y` and `weights` with the names
#' of the cases are also matched by name; without names they must be in the order of `rownames()`
#' of the views. A row in which all values are missing is a case that lacks the view. **Columns**
#' are matched by name at prediction, within each view, or by position if they have no names.
#'
#' A list of square matrices of one size is treated as kernel matrices; any other list of data as
#' views. Use `views()` or [kernel_precomputed()] to specify which of the two is meant.
#'
#' With M views that are used by kernels and \eqn{a_{im}} = 1 if case i has view m, else 0, the
#' kernel of view m is
#' \deqn{k(i, j) = s_i\, a_{im}\, k_m(i, j)\, a_{jm}\, s_j, \qquad s_i = \sqrt{M / \sum_m a_{im}}
#'   }{k(i, j) = s_i a_im k_m(i, j) a_jm s_j,  s_i = sqrt(M / sum_m a_im)}
#' under `missing = "available"` (see [mkl()]): a view that a case lacks contributes nothing, and
#' the others get a larger weight. The kernel remains positive semi-definite.
#'
#' # Scaling
#' Numeric columns are standardized with the mean and standard deviation of the training cases
#' that have the view. Columns of 0 and 1, indicators of factors, sparse matrices and text are not
#' standardized. Neither are columns used by kernels that need the original values, such as
#' [kernel_tanimoto()], [kernel_chisq()], [kernel_aitchison()] and user-defined functions: other
#' kernels on these columns, if any, then use the original values as well, with a message. `scale`
#' overrides this for single views; `scale = FALSE` in [mkl()] turns off all standardization.
#'
#' # Default kernels
#' Without `kernels`, each view has the default kernels of the learner; the default for a data
#' frame with factors or text is [kernel_clinical()], which compares numeric, ordinal and
#' categorical variables one by one. With `kernels`, views that no kernel uses are ignored, and a
#' case must have at least one of the others; `missing = "impute"` still uses ignored views to
#' find near cases.
#'
#' @param ... Views, as named arguments: a numeric matrix, a sparse matrix of the package Matrix,
#'   a data frame, a character vector (text, sequences), a factor or a numeric vector (one
#'   column), or a list of series or graphs.
#' @param scale Whether numeric columns are standardized: one logical value for all views, or a
#'   named logical vector or list for some of them; see below for the default.
#' @return An object of class `views`, a list of the views. `x[i, ]` selects cases, `x["a"]`
#'   selects views, `x$a <- ` replaces, adds or (with `NULL`) removes a view; [as.data.frame()]
#'   returns a data frame with a column (a matrix, or a table that has factors or text) for each
#'   view.
#' @references
#' Lanckriet, G. R. G., De Bie, T., Cristianini, N., Jordan, M. I. and Noble, W. S. (2004). A
#' statistical framework for genomic data fusion. *Bioinformatics* 20, 2626-2635.
#' @family fitting functions
#' @examples
#' size <- as.matrix(iris[c(1:100), 1:2])
#' petal <- as.matrix(iris[c(1:90), 3:4]) # the last ten cases lack this view
#' plants <- views(size = size, petal = petal)
#' plants
#' fit <- easymkl(plants, factor(iris$Species[1:100]))
#' kernel_weights(fit, by = "view")
#' predict(fit, views(size = size[95:100, ]))
#' @export
views <- function(..., scale = NULL) {
  parts <- list(...)
  new_views(parts, scale)
}

new_views <- function(parts, scale = NULL, argument = "x") {
  if (length(parts) == 0L) stop_mkl("data_error", argument, "There must be at least one view.")
  check_view_names(parts, argument)
  parts <- Map(view_data, parts, paste0(argument, "$", names(parts)))
  cases <- lapply(parts, view_cases)
  if (any(vapply(cases, is.null, NA))) {
    check_same_rows(parts, argument)
    check_case_positions(cases, argument)
    all <- Find(Negate(is.null), cases)
    place <- NULL
  } else {
    all <- joined_cases(cases, argument)
    place <- lapply(cases, function(own) match(all, own))
    parts <- Map(take_cases, parts, place)
  }
  present <- vapply(names(parts), function(v) {
    there <- !absent_rows(parts[[v]])
    if (is.null(place)) there else there & !is.na(place[[v]])
  }, logical(view_rows(parts[[1L]])))
  dim(present) <- c(view_rows(parts[[1L]]), length(parts))
  colnames(present) <- names(parts)
  structure(
    parts, class = c("views", "list"), cases = all, present = present,
    scale = view_scale(scale, names(parts))
  )
}

check_view_names <- function(parts, argument) {
  names <- names(parts) %||% rep("", length(parts))
  if (anyNA(names) || !all(nzchar(names))) {
    stop_mkl(
      "data_error", argument, "Each view of `", argument, "` needs a name, as in ",
      "views(first = x1, second = x2); view ", which(is.na(names) | !nzchar(names))[1L],
      " has none."
    )
  }
  check_unique_names(names, argument, "view")
}

# A view in the form that is kept.
view_data <- function(x, argument) {
  if (inherits(x, "sparseMatrix")) {
    check_sparse_input(argument)
    return(x)
  }
  if (inherits(x, "Matrix")) return(dense_matrix(x, argument))
  if (is.factor(x)) return(data.frame(value = x, row.names = names(x)))
  if (is.data.frame(x)) return(as.data.frame(x))
  if (!is.null(raw_type(x)) || is_absent_list(x)) return(x)
  if (is.numeric(x) || is.logical(x)) {
    if (is.matrix(x)) return(x)
    if (is.null(dim(x))) return(matrix(as.double(x), dimnames = list(names(x), "value")))
  }
  stop_must(
    argument, "a matrix, a data frame, text, or a list of series or graphs", x, "data_error"
  )
}

view_rows <- function(x) if (is.null(dim(x))) length(x) else nrow(x)

view_cases <- function(x) {
  if (is.data.frame(x)) {
    return(if (.row_names_info(x) > 0L) as.character(attr(x, "row.names")))
  }
  if (is.null(dim(x))) names(x) else rownames(x)
}

check_same_rows <- function(parts, argument) {
  rows <- vapply(parts, view_rows, 0L)
  odd <- which(rows != rows[1L])
  if (length(odd) == 0L) return(invisible())
  series <- all(vapply(parts, NCOL, 0L) == 1L & !vapply(parts, is.character, NA))
  stop_mkl(
    "data_error", argument, "The views of `", argument, "` go by position, as not all of them ",
    "name their cases, but `", names(parts)[odd[1L]], "` has ", plural(rows[odd[1L]], "row"),
    " and `", names(parts)[1L], "` has ", rows[1L], ". Give all of them row names.",
    if (series) " If the list is one view with a series for each case, give views(series = x)."
  )
}

# Views that go by position must not name the same case in different rows.
check_case_positions <- function(cases, argument) {
  moved <- first_moved(Filter(Negate(is.null), cases))
  if (is.null(moved)) return(invisible())
  stop_mkl(
    "data_error", argument, "The views of `", argument, "` go by position, as `",
    names(cases)[vapply(cases, is.null, NA)][1L], "` does not name its cases, but `",
    moved$names[1L], "` has \"", moved$case, "\" in row ", moved$rows[1L], " and `",
    moved$names[2L], "` in row ", moved$rows[2L], ". Give all of them row names, or none."
  )
}

# The names of all cases, in the order in which they are met.
joined_cases <- function(cases, argument) {
  for (v in names(cases)) check_unique_names(cases[[v]], paste0(argument, "$", v), "case")
  all <- unique(unlist(cases, use.names = FALSE))
  several <- length(cases) > 1L && sum(lengths(cases)) == length(all)
  if (several) {
    stop_mkl(
      "data_error", argument, "The views of `", argument, "` have no case in common: `",
      names(cases)[1L], "` has \"", cases[[1L]][1L], "\", `", names(cases)[2L], "` \"",
      cases[[2L]][1L], "\". Take the row names away if the views go by position."
    )
  }
  all
}

# The given rows of a view; NA for cases that it does not have.
take_cases <- function(x, place) {
  if (!inherits(x, "sparseMatrix")) {
    out <- if (is.null(dim(x))) x[place] else x[place, , drop = FALSE]
    if (is.list(x) && is.null(dim(x))) out[is.na(place)] <- list(NULL)
    return(out)
  }
  known <- which(!is.na(place))
  out <- Matrix::sparseMatrix(
    i = integer(), j = integer(), x = numeric(), dims = c(length(place), ncol(x)),
    dimnames = list(NULL, colnames(x))
  )
  if (length(known) == 0L) return(out)
  pick <- Matrix::sparseMatrix(
    i = known, j = place[known], x = 1, dims = c(length(place), nrow(x))
  )
  out <- pick %*% x
  colnames(out) <- colnames(x)
  out
}

# Rows without any value. An empty row of a sparse matrix is a row of zeros, not a missing one.
absent_rows <- function(x) {
  if (inherits(x, "sparseMatrix")) return(rep(FALSE, nrow(x)))
  if (is.data.frame(x)) {
    columns <- lapply(x, function(column) if (is.null(dim(column))) is.na(column) else {
      rowSums(!is.na(column)) == 0
    })
    return(Reduce(`&`, columns, rep(length(x) > 0L, nrow(x))))
  }
  if (is.matrix(x)) return(ncol(x) > 0L & rowSums(!is.na(x)) == 0)
  if (is.list(x)) vapply(x, is_absent, NA) else is.na(x)
}

view_scale <- function(scale, names) {
  out <- stats::setNames(rep(NA, length(names)), names)
  if (is.null(scale)) return(out)
  if (is.null(names(scale)) && length(scale) == 1L) {
    scale <- stats::setNames(rep(list(scale[[1L]]), length(names)), names)
  }
  check_unique_names(names(scale), "scale", "value")
  unknown <- setdiff(names(scale) %||% "", names)
  if (length(unknown)) {
    stop_mkl(
      "argument_error", "scale", "`scale` must name views (", tick_all(names), "), not ",
      quote_all(unknown), "."
    )
  }
  for (v in names(scale)) out[v] <- check_flag(scale[[v]], paste0("scale$", v))
  out
}

is_views <- function(x) inherits(x, "views")

# Data of other forms that may hold views: lists, and data frames with a column for each view, whose
# rows go by position. `known`: names of the views that are looked for; others are left out, as they
# may be anything.
as_views <- function(x, argument, known) {
  if (is_views(x)) return(x)
  if (!is.data.frame(x) && !(is.list(x) && !is.object(x))) {
    stop_must(argument, "views() like the training data", x, "data_error")
  }
  found <- intersect(known, names(x))
  if (length(found) == 0L) stop_no_view(argument, known)
  check_unique_names(names(x)[names(x) %in% known], argument, "view")
  parts <- lapply(unclass(x)[found], plain_column)
  if (!is.data.frame(x)) return(new_views(parts, argument = argument))
  out <- new_views(lapply(parts, without_case_names), argument = argument)
  attr(out, "cases") <- as.character(attr(x, "row.names"))
  out
}

stop_no_view <- function(argument, known) {
  stop_mkl(
    "data_error", argument, "`", argument, "` has none of the views of the fit: ",
    tick_all(known), "."
  )
}

without_case_names <- function(x) {
  if (is.data.frame(x)) {
    attr(x, "row.names") <- .set_row_names(nrow(x))
  } else if (is.null(dim(x))) {
    names(x) <- NULL
  } else {
    rownames(x) <- NULL
  }
  x
}

# A column as it was before I() or a list column of tibble.
plain_column <- function(x) {
  if (inherits(x, "AsIs")) class(x) <- setdiff(class(x), "AsIs")
  if (is.list(x) && !is.data.frame(x)) x <- unclass(x)
  x
}

# A response that names its cases goes by these names, as views do; one that names none of them goes
# by position. So do other values of the cases.
match_response <- function(y, cases, argument = "y", class = "response_error") {
  names <- if (is.null(dim(y))) names(y) else rownames(y)
  if (is.null(cases) || !any(names %in% cases)) return(y)
  place <- match(cases, names)
  if (anyNA(place)) {
    stop_mkl(
      class, argument, "`", argument, "` has no value for the case \"", cases[is.na(place)][1L],
      "\", but names others. Give one for each case, or take the names away if `", argument,
      "` goes by position."
    )
  }
  check_unique_names(names[names %in% cases], argument, "value")
  if (is.null(dim(y))) y[place] else y[place, , drop = FALSE]
}

# Methods ------------------------------------------------------------------------------------------

#' @export
dim.views <- function(x) c(nrow(attr(x, "present")), length(unclass(x)))

#' @export
dimnames.views <- function(x) list(attr(x, "cases"), names(unclass(x)))

#' @export
`[.views` <- function(x, i, j, ...) {
  if (nargs() == 2L) {
    j <- i
    i <- TRUE
  }
  cases <- attr(x, "cases")
  rows <- seq_len(nrow(x))
  if (!missing(i)) rows <- if (is.character(i)) match(i, cases) else rows[i]
  if (anyNA(rows)) stop_mkl("argument_error", "i", "The views do not have all of these cases.")
  parts <- stats::setNames(unclass(x)[seq_along(unclass(x))], names(x))
  picked <- if (missing(j)) names(parts) else names(parts[j])
  if (anyNA(picked)) {
    stop_mkl("argument_error", "j", "The views are ", tick_all(names(parts)), ", not others.")
  }
  structure(
    lapply(parts[picked], take_cases, rows), class = class(x), cases = cases[rows],
    present = attr(x, "present")[rows, picked, drop = FALSE], scale = attr(x, "scale")[picked]
  )
}

# Another view in the place of one, a further one, or none.
#' @export
`[[<-.views` <- function(x, i, value) {
  if (is.numeric(i)) i <- names(x)[i]
  if (!is_text(i) || !nzchar(i)) stop_must("i", "the name of a view", i)
  if (is.null(value)) return(x[setdiff(names(x), i)])
  argument <- paste0("x$", i)
  value <- view_data(value, argument)
  cases <- attr(x, "cases")
  own <- if (!is.null(cases)) view_cases(value)
  known <- TRUE
  if (!is.null(own)) {
    check_unique_names(own, argument, "case")
    known <- cases %in% own
    value <- take_cases(value, match(cases, own))
  }
  if (view_rows(value) != nrow(x)) {
    stop_mkl(
      "data_error", argument, "`", argument, "` has ", plural(view_rows(value), "row"),
      ", but the views have ", plural(nrow(x), "case"), "."
    )
  }
  present <- attr(x, "present")
  scale <- attr(x, "scale")
  if (!i %in% names(x)) {
    present <- cbind(present, matrix(TRUE, nrow(x), 1L, dimnames = list(NULL, i)))
    scale[i] <- NA
  }
  present[, i] <- known & !absent_rows(value)
  parts <- stats::setNames(unclass(x)[seq_along(unclass(x))], names(x))
  parts[[i]] <- value
  structure(parts, class = class(x), cases = cases, present = present, scale = scale)
}

#' @export
`$<-.views` <- function(x, name, value) {
  x[[name]] <- value
  x
}

#' @export
as.data.frame.views <- function(x, row.names = NULL, ...) { # nolint: object_name_linter.
  out <- data.frame(row.names = row.names %||% attr(x, "cases") %||% seq_len(nrow(x)))
  for (v in names(x)) {
    one <- without_case_names(x[[v]])
    if (inherits(one, "Matrix")) one <- as.matrix(one)
    if (is.data.frame(one) && all(vapply(one, is.numeric, NA))) one <- as.matrix(one)
    out[[v]] <- if (is.list(one) && !is.data.frame(one)) I(one) else one
  }
  out
}

#' @export
print.views <- function(x, ...) {
  present <- colSums(attr(x, "present"))
  cat("<views> ", plural(nrow(x), "case"), ", ", plural(ncol(x), "view"), "\n", sep = "")
  if (ncol(x) == 0L) return(invisible(x))
  words <- vapply(unclass(x)[seq_len(ncol(x))], describe_view, "")
  lacking <- nrow(x) - present
  absent <- ifelse(lacking > 0, paste0("  ", lacking, " absent"), "")
  cat(trimws(paste0("  ", format(names(x)), "  ", format(words), absent), "right"), sep = "\n")
  invisible(x)
}

describe_view <- function(x) {
  type <- raw_type(x)
  if (inherits(x, "sparseMatrix")) return(paste0("sparse, ", plural(ncol(x), "column")))
  if (is.data.frame(x)) {
    kinds <- vapply(x, function(column) {
      if (is.numeric(column) || is.logical(column)) "number" else "category"
    }, "")
    return(paste0("table, ", plural(ncol(x), "column"), if (any(kinds == "category")) {
      paste0(" (", sum(kinds == "category"), " categorical)")
    }))
  }
  if (is.matrix(x)) return(paste0("numeric, ", plural(ncol(x), "column")))
  if (is.null(type)) return("nothing")
  if (type != "strings") return(raw_words[[type]])
  sizes <- nchar(x[!is.na(x)])
  if (length(sizes) == 0L) return("text")
  paste0("text of ", paste(unique(range(sizes)), collapse = " to "), " letters")
}
