# Levels of factors and text: too many of them at the fit, unknown ones in new data.

# From this number of rows on a column without any repeated value is taken for an identifier. In
# fewer rows a category may well have different values by chance.
identifier_rows <- 10L

# The default of `max_levels`.
many_levels <- 50

check_max_levels <- function(x) {
  if (is_number(x) && isTRUE(x >= 1 && x == round(x))) return(as.double(x))
  stop_must("max_levels", "a whole number >= 1, or Inf", x)
}

# That among arguments of mkl(), which is needed before these are checked.
asked_levels <- function(given) check_max_levels(given[["max_levels"]] %||% many_levels)

# Identifiers are an error: as indicators they put all rows at the same distance from each other,
# so that nothing can be learned from them. Text with many values is no category either, but many
# levels of a factor may be meant: a message. Many is more than `max_levels`.
check_levels <- function(encoders, columns, argument, max_levels) {
  factors <- which(vapply(encoders, function(e) e$type == "factor", NA))
  identifier <- factors[vapply(columns[factors], is_identifier, NA)]
  counts <- vapply(encoders[factors], function(e) length(e$levels), 0L)
  text <- factors[vapply(columns[factors], is.character, NA) & counts > max_levels]
  identifier <- sort(union(identifier, text))
  names <- names(encoders)
  if (length(identifier)) {
    stop_identifier(names[identifier], columns[[identifier[1L]]], argument, max_levels)
  }
  large <- counts > max_levels
  if (!any(large)) return(invisible())
  shown <- paste0("`", names[factors][large], "` (", counts[large], " levels)")
  inform_mkl(
    "many_levels", if (sum(large) > 1L) "Columns " else "Column ", list_some(shown, 5L), " of `",
    argument, "`: each level becomes an indicator column, ", sum(counts[large]), " in all. ",
    "Merge rare levels or leave the column out if that is not what you want.",
    data = list(columns = names[factors][large], levels = unname(counts[large]))
  )
}

is_identifier <- function(column) {
  filled <- column[!is.na(column)]
  length(filled) >= identifier_rows && !anyDuplicated(filled)
}

stop_identifier <- function(names, column, argument, max_levels = many_levels) {
  several <- length(names) > 1L
  shown <- vapply(utils::head(names, 3L), function(n) deparse(as.name(n), backtick = TRUE), "")
  formula <- argument == "data"
  without <- if (formula) {
    paste0("y ~ . - ", paste(shown, collapse = " - "))
  } else {
    paste0(argument, "[names(", argument, ") != \"", names[1L], "\"]")
  }
  own_view <- grepl("$", argument, fixed = TRUE)
  kernel <- function(family, first = "", last = first) {
    if (own_view) return(paste0("kernel_", family, "()"))
    if (formula) return(paste0(family, "(", shown[1L], last, ")"))
    paste0("kernel_", family, "(", first, "on = \"", names[1L], "\")")
  }
  them <- if (several) "them" else "it"
  limited <- !is.list(column) && !is_identifier(column)
  use <- if (is.list(column)) {
    paste0(
      ". A kernel reads such data as they are: give ", if (own_view) "them as a view with ",
      kernel("alignment"), " for series or ",
      kernel("subtree"), " for graphs, or leave ", them, " out, for instance by ", without, "."
    )
  } else {
    paste0(
      if (limited) paste0(", more than `max_levels = ", format_number(max_levels), "` allows"),
      ", as an identifier or free text has: nothing can be learned from indicators of such ",
      "values. Leave ", them, " out, for instance by ", without, ", ",
      if (own_view) "give " else "read ", them, " as ", if (own_view) "a view with " else "text, ",
      kernel("spectrum", "3, ", ", k = 3"), ", ", if (!limited) "or ", "make ", them,
      " numeric or a factor with fewer levels",
      if (limited) ", or raise `max_levels` of mkl() if these are categories", "."
    )
  }
  stop_mkl(
    "data_error", names[1L], if (several) "Columns " else "Column ", tick_all(names), " of `",
    argument, "` ", if (several) "have" else "has", " ", count_values(column), use
  )
}

count_values <- function(column) {
  if (is.list(column)) return("a series or a graph in each row")
  filled <- column[!is.na(column)]
  count <- length(unique(filled))
  if (count == length(filled)) return(paste("a different value in each of the", count, "rows"))
  paste(count, "different values in", length(filled), "rows")
}

# New data ----------------------------------------------------------------------------------------

check_new_levels <- function(x) check_choice(x, "new_levels", c("error", "missing"))

# Positions of the values of factors among the levels of the fit; a list with NULL for others.
# `new_levels`: "error", or "missing" to treat unknown levels as missing values, or "fill" where
# missing values are replaced later on. Where an encoder is `open`, the code of an unknown level is
# 0 instead of an error.
factor_codes <- function(encoders, columns, names, argument, new_levels) {
  codes <- vector("list", length(encoders))
  unknown <- list()
  for (j in which(vapply(encoders, function(e) e$type == "factor", NA))) {
    if (NCOL(columns[[j]]) > 1L) {
      stop_mkl(
        "data_error", names[j], "Column `", names[j], "` of `", argument, "` has width ",
        NCOL(columns[[j]]), ", but 1 at the fit."
      )
    }
    values <- as.character(columns[[j]])
    codes[[j]] <- match(values, encoders[[j]]$levels)
    rows <- which(is.na(codes[[j]]) & !is.na(values))
    if (isTRUE(encoders[[j]]$open) && new_levels == "error") {
      codes[[j]][rows] <- 0L
    } else if (length(rows)) {
      unknown[[names[j]]] <- list(
        rows = rows, levels = unique(values[rows]), known = encoders[[j]]$levels
      )
    }
  }
  if (length(unknown) && new_levels == "error") stop_levels(unknown, argument)
  if (length(unknown)) warn_levels(unknown, argument, new_levels == "fill")
  codes
}

stop_levels <- function(unknown, argument) {
  columns <- Map(function(one, name) {
    paste0(
      "Column `", name, "` of `", argument, "` holds ", quote_some(one$levels), " (first in row ",
      one$rows[1L], "), unknown at the fit, where it held ", quote_all(one$known), "."
    )
  }, unknown, names(unknown))
  more <- length(columns) - 10L
  stop_mkl(
    "data_error", names(unknown)[1L], paste(utils::head(columns, 10L), collapse = " "),
    if (more > 0L) paste0(" So do ", plural(more, "further column"), "."),
    if (argument == "newdata") {
      " With `new_levels = \"missing\"` the predictions for such rows are NA."
    },
    data = list(levels = lapply(unknown, function(one) one$levels))
  )
}

warn_levels <- function(unknown, argument, filled) {
  rows <- sort(unique(unlist(lapply(unknown, function(one) one$rows))))
  columns <- paste0(
    "`", names(unknown), "` (", vapply(unknown, function(one) quote_some(one$levels), ""), ")"
  )
  warn_mkl(
    "new_levels", "`", argument, "` holds levels that are unknown at the fit, in column",
    if (length(columns) > 1L) "s", " ", list_some(columns, 10L), ": ",
    if (filled) "they count as missing values in " else "the predictions for ",
    plural(length(rows), "row"), if (!filled) " are NA", " (", list_some(rows, 10L), ").",
    data = list(rows = rows, levels = lapply(unknown, function(one) one$levels))
  )
}

# Further predictions for the same rows, about which all has been said.
without_repeats <- function(expr) {
  withCallingHandlers(
    expr, multikernel_new_levels = function(w) tryInvokeRestart("muffleWarning"),
    multikernel_message = function(m) tryInvokeRestart("muffleMessage")
  )
}

quote_some <- function(x) list_some(encodeString(x, quote = "\""), 20L)
