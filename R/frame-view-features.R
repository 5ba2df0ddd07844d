# Frames of views: every view is a frame of its own, and `x` holds the columns of all of them.
#
# `view_features` are what the core reads (src/features/views.hpp) and what a fit stores:
#   type     "views"
#   views    named list: the columns of each view, a matrix, sparse features or raw features
#   names    of the views
#   present  cases x views, 1 where a case has a view
#   missing  what is done about views and values that are missing: "available", "impute", "omit"
#
# A frame has besides: `views`, the frames of the views without their `x`. `names` and `variables`
# are those of the columns of numbers, all views together: `mrna$g1`, and `mrna` for all of that
# view; learners that look at columns see them so.

new_view_features <- function(views, present, missing = NULL) {
  storage.mode(present) <- "double"
  dimnames(present) <- NULL
  structure(class = "view_features", list(
    type = "views", views = views, names = names(views), present = present, missing = missing
  ))
}

is_view_features <- function(x) inherits(x, "view_features")

# Of those that a fit stores: the core looks at the values of each.
is_whole_views <- function(x) {
  is_table <- function(view) !is_view_features(view) && is_features(view)
  is.list(x$views) && all(vapply(x$views, is_table, NA)) && identical(names(x$views), x$names) &&
    is.matrix(x$present) && all(x$present %in% 0:1) && ncol(x$present) == length(x$views) &&
    all(vapply(x$views, nrow, 0L) == nrow(x$present))
}

# Those of numbers.
number_views <- function(x) names(x$views)[!vapply(x$views, is_raw, NA)]

has_view <- function(x, view) x$present[, match(view, x$names)] == 1

#' @export
dim.view_features <- function(x) {
  columns <- sum(vapply(x$views[number_views(x)], ncol, 0L))
  c(nrow(x$present), if (columns > 0L) columns else length(x$views))
}

#' @export
dimnames.view_features <- function(x) NULL

pick_views <- function(x, views) {
  if (identical(x$names, views)) return(x)
  at <- match(views, x$names)
  x$views <- x$views[at]
  x$names <- x$names[at]
  x$present <- x$present[, at, drop = FALSE]
  x
}

# Rows alone.
#' @export
`[.view_features` <- function(x, i, j, ..., drop = FALSE) {
  x$views <- lapply(x$views, function(view) view[i, , drop = FALSE])
  x$present <- x$present[i, , drop = FALSE]
  x
}

# The columns of all views side by side, for learners that see columns.
#' @export
as.matrix.view_features <- function(x, ...) {
  raw <- setdiff(names(x$views), number_views(x))
  if (length(raw)) {
    stop_mkl(
      "data_error", raw[1L], "View `", raw[1L], "` is ", raw_words[[x$views[[raw[1L]]]$type]],
      ", and the learner needs columns of numbers: leave it out, or use a learner for several ",
      "kernels such as average()."
    )
  }
  do.call(cbind, lapply(unname(x$views), as.matrix))
}

# The frame ----------------------------------------------------------------------------------------

#' @export
as_frame.views <- function(x, second = NULL, # nolint: object_name_linter.
                           max_levels = many_levels) {
  frame <- with_response(frame_views(x, "x", max_levels), match_response(second, attr(x, "cases")))
  frame$cases <- attr(x, "cases")
  frame
}

frame_views <- function(x, argument, max_levels = many_levels) {
  check_view_columns(x, argument)
  frames <- Map(view_frame, unclass(x)[names(x)], paste0(argument, "$", names(x)), max_levels)
  join_frames(frames, attr(x, "present"), attr(x, "scale"))
}

check_view_columns <- function(x, argument) {
  columns <- vapply(unclass(x)[names(x)], NCOL, 0L)
  if (all(columns > 0L)) return(invisible())
  stop_mkl(
    "data_error", argument, "View `", names(x)[columns == 0L][1L], "` of `", argument,
    "` must have at least one column, not 0."
  )
}

# The frame of views from those of each. `scale`: by view, TRUE, FALSE or NA.
join_frames <- function(frames, present, scale) {
  parts <- lapply(frames, function(frame) frame$x)
  numbers <- frames[!vapply(parts, is_raw, NA)]
  widths <- vapply(numbers, function(frame) ncol(frame$x), 0L)
  list(
    x = new_view_features(parts, present),
    views = lapply(frames, `[[<-`, "x", NULL),
    names = unlist(Map(function(frame, name) {
      paste0(name, "$", frame$names %||% seq_len(ncol(frame$x)), recycle0 = TRUE)
    }, numbers, names(numbers)), use.names = FALSE),
    variables = spans(widths),
    blueprint = new_blueprint(
      "views", views = lapply(frames, function(frame) frame$blueprint),
      columns = vapply(parts, ncol, 0L), scale_views = scale, indicator = FALSE
    )
  )
}

# Some of the views alone: those that kernels see. Others must not count among the views of a case.
keep_views <- function(frame, views) {
  frame$x <- pick_views(frame$x, views)
  frame$views <- frame$views[views]
  for (field in c("views", "columns", "scale_views")) {
    frame$blueprint[[field]] <- frame$blueprint[[field]][views]
  }
  kept <- number_views(frame$x)
  columns <- frame$variables[kept]
  frame$names <- frame$names[unlist(columns, use.names = FALSE)]
  frame$variables <- spans(lengths(columns))
  frame
}

# The frame as if one of its views had never been given.
without_view <- function(frame, view) {
  frame <- keep_views(frame, setdiff(frame$x$names, view))
  frame$blueprint$loose <- setdiff(frame$blueprint$loose, view)
  frame$x$reduced <- TRUE # cases may have no view left
  frame
}

view_frame <- function(x, argument, max_levels) {
  if (inherits(x, "sparseMatrix")) return(frame_sparse(x, argument))
  if (is.data.frame(x)) return(frame_data(x, argument, max_levels))
  if (is.matrix(x)) return(frame_matrix(x, argument))
  frame_raw(x, argument)
}

#' @export
variable_names.frame_views <- function(blueprint) names(blueprint$views)

#' @export
as_new_data.frame_views <- function(blueprint, x) x

#' @export
bake_frame.frame_views <- function(blueprint, newdata, argument = "newdata") {
  known <- names(blueprint$views)
  newdata <- as_views(newdata, argument, known)
  found <- intersect(known, names(newdata))
  if (length(found) == 0L) stop_no_view(argument, known)
  n <- nrow(newdata)
  given <- attr(newdata, "present")
  parts <- Map(function(view, name) {
    if (!name %in% found || (n > 0L && !any(given[, name]))) {
      return(absent_view(view, blueprint$columns[[name]], n))
    }
    fill <- identical(blueprint$new_levels, "missing") && !identical(blueprint$missing, "omit")
    view$new_levels <- if (fill) "fill" else blueprint$new_levels
    bake_view(view, newdata[[name]], paste0(argument, "$", name))
  }, blueprint$views, known)
  present <- matrix(FALSE, n, length(known))
  present[, match(found, known)] <- given[, found]
  new_view_features(parts, present, blueprint$missing)
}

# A table may come as the matrix that as.data.frame() makes of it, and a matrix as a table.
bake_view <- function(blueprint, x, argument) {
  if (inherits(blueprint, "frame_data") && is.matrix(x)) x <- as.data.frame(x)
  bake_frame(blueprint, x, argument)
}

# The columns of a view that no case has.
absent_view <- function(blueprint, columns, n) {
  if (inherits(blueprint, "frame_raw")) {
    return(new_raw(blueprint$reads, if (blueprint$reads == "strings") {
      rep(NA_character_, n)
    } else vector("list", n)))
  }
  if (is_sparse_form(blueprint)) {
    return(new_sparse(n, rep(1L, columns + 1L), integer(), numeric(), NULL))
  }
  matrix(NA_real_, n, columns)
}

# Values -------------------------------------------------------------------------------------------

# A case can be used if it has a view; if values may not be missing, all views and all values.
#' @export
complete_rows.view_features <- function(x, argument, label = row_labels(unit = "case")) {
  alone <- which(rowSums(x$present) == 0)
  if (length(alone) && !identical(x$missing, "omit") && !isTRUE(x$reduced)) {
    stop_no_views(alone, x, argument, label)
  }
  whole <- vapply(names(x$views), function(view) {
    has <- has_view(x, view)
    rows <- which(has)
    has[has] <- complete_rows(
      x$views[[view]][has, , drop = FALSE], paste0(argument, "$", view),
      function(row) label(rows[row])
    )
    has
  }, logical(nrow(x)))
  if (identical(x$missing, "omit")) return(rowSums(matrix(whole, nrow(x))) == length(x$views))
  rowSums(x$present) > 0
}

stop_no_views <- function(cases, x, argument, label) {
  stop_mkl(
    "data_error", argument, "`", argument, "` has ", plural(length(cases), "case"), " without any ",
    "of the views ", tick_all(x$names), "; the first is ", label(cases[1L]), ". Leave ",
    if (length(cases) > 1L) "them" else "it", " out", if (argument != "newdata") {
      ", or use `missing = \"omit\"`"
    }, ".", data = list(cases = cases)
  )
}

# What the training rows say about each view: list(fill, center, scale), each a list by view.
learn_views <- function(x, frame, scale) {
  each <- lapply(stats::setNames(nm = number_views(x)), function(view) {
    has <- has_view(x, view)
    part <- x$views[[view]]
    if (!all(has)) part <- part[has, , drop = FALSE]
    indicator <- rep_len(frame$views[[view]]$blueprint$indicator %||% FALSE, ncol(part))
    values <- if (is.matrix(part)) column_values_cpp(part)
    fill <- if (is.matrix(part)) {
      usual_values(part, values$middle, indicator, frame$views[[view]])
    } else if (isTRUE(frame$blueprint$views[[view]]$sparse)) {
      usual_entries(part, indicator, frame$views[[view]])
    }
    scaled <- scale && frame$blueprint$scale_views[[view]] && nrow(part) > 0L && ncol(part) > 0L
    if (!scaled) return(list(fill = fill))
    part <- fill_values(part, fill)
    binary <- if (!isTRUE(frame$asked_scale[[view]])) values$binary
    keep <- unscaled_columns(indicator, frame$views[[view]]$raw) | (binary %||% FALSE)
    c(list(fill = fill), if (!all(keep)) column_scaling(part, NULL, keep))
  })
  pick <- function(name) lapply(each, function(one) one[[name]])
  list(fill = pick("fill"), center = pick("center"), scale = pick("scale"))
}

# Medians of the columns; for the indicators of a category those of its most frequent level.
usual_values <- function(x, middle, indicator, frame) {
  for (columns in frame$variables) {
    if (!all(indicator[columns])) next
    counts <- colSums(x[, columns, drop = FALSE], na.rm = TRUE)
    middle[columns] <- as.double(seq_along(columns) == which.max(counts))
  }
  middle
}

fill_values <- function(x, fill) {
  if (!is.matrix(x)) {
    if (!inherits(x, "sparse_features")) return(x)
    lost <- which(is.na(x$values))
    x$values[lost] <- if (is.null(fill)) 0 else fill[entry_columns(x)[lost]]
    return(if (is.null(fill)) x else drop_zeros(x))
  }
  lost <- which(is.na(x))
  if (length(lost)) x[lost] <- fill[(lost - 1L) %/% nrow(x) + 1L]
  x
}

# Views as the core reads them: values filled in and scaled, and zeros, empty text and the like for
# cases that lack a view, where nothing sees them.
settle_parts <- function(x, learnt) {
  x$views <- Map(function(part, view) {
    absent <- which(!has_view(x, view))
    if (is_raw(part)) return(fill_raw(part, absent))
    part <- fill_values(part, learnt$fill[[view]])
    center <- learnt$center[[view]]
    if (!is.null(center)) {
      part <- apply_scaling(part, list(center = center, scale = learnt$scale[[view]]))
    }
    if (length(absent) && is.matrix(part)) part[absent, ] <- 0
    part
  }, x$views, names(x$views))
  x
}

fill_raw <- function(x, absent) {
  x$values[absent] <- empty_raw(x$type)
  x
}
