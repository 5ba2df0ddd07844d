# Data frames with columns of raw data: text, series, graphs. Each such column is a view, and all
# others together are the view `columns`.
#
# Text is raw if it has many different values, or if a kernel reads it. Raw columns that no kernel
# reads are an error: as indicators of their values nothing could be learned from them.

# `text`: names of columns that are to be read as text, however few values they have.
frame_table <- function(x, argument, text = character(), max_levels = many_levels) {
  raw <- names(x)[vapply(as.list(x), is_raw_column, NA, max_levels)]
  raw <- union(raw, text)
  if (length(raw) == 0L) {
    frame <- frame_data(x, argument, max_levels)
    text <- vapply(as.list(x), function(column) is.character(column) || is.factor(column), NA)
    if (any(text)) frame[c("given", "max_levels")] <- list(x, max_levels)
    return(frame)
  }
  rest <- x[setdiff(names(x), raw)]
  base <- if (length(rest)) frame_data(rest, argument, max_levels)
  frame <- mix_frames(base, as.list(x)[raw], argument)
  frame$blueprint$loose <- setdiff(raw, text)
  frame$max_levels <- max_levels
  frame
}

is_raw_column <- function(x, max_levels) {
  x <- plain_column(x)
  type <- raw_type(x)
  if (!identical(type, "strings")) return(!is.null(type))
  is_identifier(x) || length(unique(x[!is.na(x)])) > max_levels
}

# `base`: the frame of the other columns, or NULL.
mix_frames <- function(base, raw, argument) {
  raw <- lapply(raw, plain_column)
  frames <- c(
    list(columns = base)[!is.null(base)],
    Map(function(x, name) frame_raw(x, paste0(argument, "$", name)), raw, names(raw))
  )
  check_unique_names(names(frames), argument)
  present <- matrix(TRUE, nrow(frames[[1L]]$x), length(frames))
  whole <- vapply(frames[names(raw)], function(f) complete_rows(f$x, argument), present[, 1L])
  present[, match(names(raw), names(frames))] <- whole
  scale <- stats::setNames(rep(NA, length(frames)), names(frames))
  frame <- join_frames(frames, present, scale)
  class(frame$blueprint) <- c("frame_mixed", class(frame$blueprint))
  frame$y <- base$y
  frame
}

#' @export
variable_names.frame_mixed <- function(blueprint) {
  base <- blueprint$views$columns
  c(if (!is.null(base)) variable_names(base), setdiff(names(blueprint$views), "columns"))
}

#' @export
as_new_form.frame_mixed <- function(blueprint, newdata) newdata

#' @export
bake_frame.frame_mixed <- function(blueprint, newdata, argument = "newdata") {
  if (!is.list(newdata)) {
    stop_must(argument, "a data frame like the training data", newdata, "data_error")
  }
  raw <- setdiff(names(blueprint$views), "columns")
  check_columns(raw, names(newdata), argument)
  parts <- lapply(stats::setNames(nm = names(blueprint$views)), function(name) {
    view <- blueprint$views[[name]]
    view$new_levels <- blueprint$new_levels
    if (name == "columns") return(bake_frame(view, newdata, argument))
    bake_frame(view, plain_column(newdata[[name]]), paste0(argument, "$", name))
  })
  present <- matrix(TRUE, nrow(parts[[1L]]), length(parts))
  for (name in raw) present[, match(name, names(parts))] <- complete_rows(parts[[name]], argument)
  new_view_features(parts, present, blueprint$missing)
}

# Raw columns that no kernel reads.
check_loose <- function(frame, seen) {
  loose <- setdiff(frame$blueprint$loose, seen)
  if (length(loose) == 0L) return(invisible())
  values <- frame$x$views[[loose[1L]]]$values
  stop_identifier(loose, values, data_name(frame$blueprint), frame$max_levels)
}
