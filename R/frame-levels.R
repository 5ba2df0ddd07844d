# Levels of factors and text: too many of them at the fit, unknown ones in new data.

# From this number of rows on a column without any repeated value is taken for an identifier. In
# fewer rows a category may well have different values by chance.
identifier_rows <- 10L

many_levels <- 50L

# Identifiers are an error: as indicators they put all rows at the same distance from each other,
# so that nothing can be learned from them. Many levels may be meant: a message.
check_levels <- function(encoders, columns, argument) {
  factors <- which(vapply(encoders, function(e) e$type == "factor", NA))
  identifier <- factors[vapply(columns[factors], is_identifier, NA)]
  names <- names(encoders)
  if (length(identifier)) stop_identifier(names[identifier], columns[[identifier[1L]]], argument)
  counts <- vapply(encoders[factors], function(e) length(e$levels), 0L)
  large <- counts > many_levels
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

stop_identifier <- function(names, column, argument) {
  several <- length(names) > 1L
  without <- if (argument == "data") {
    shown <- vapply(utils::head(names, 3L), function(n) deparse(as.name(n), backtick = TRUE), "")
    paste0("y ~ . - ", paste(shown, collapse = " - "))
  } else {
    paste0(argument, "[names(", argument, ") != \"", names[1L], "\"]")
  }
  stop_mkl(
    "data_error", names[1L], if (several) "Columns " else "Column ", tick_all(names), " of `",
    argument, "` ", if (several) "have" else "has", " a different value in each of the ",
    sum(!is.na(column)), " rows, as an identifier or free text has: nothing can be learned from ",
    "indicators of such values. Leave ", if (several) "them" else "it", " out, for instance by ",
    without, ", or make ", if (several) "them" else "it", " numeric or a factor with fewer levels."
  )
}

# Some of the texts, and how many more there are.
list_some <- function(x, limit) {
  paste0(
    paste(utils::head(x, limit), collapse = ", "),
    if (length(x) > limit) paste0(" and ", length(x) - limit, " more")
  )
}

# New data ----------------------------------------------------------------------------------------

check_new_levels <- function(x) check_choice(x, "new_levels", c("error", "missing"))

# Positions of the values of factors among the levels of the fit; a list with NULL for others.
# `new_levels`: "error", or "missing" to treat unknown levels as missing values.
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
    if (length(rows)) {
      unknown[[names[j]]] <- list(
        rows = rows, levels = unique(values[rows]), known = encoders[[j]]$levels
      )
    }
  }
  if (length(unknown) && new_levels == "error") stop_levels(unknown, argument)
  if (length(unknown)) warn_levels(unknown, argument)
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

warn_levels <- function(unknown, argument) {
  rows <- sort(unique(unlist(lapply(unknown, function(one) one$rows))))
  columns <- paste0(
    "`", names(unknown), "` (", vapply(unknown, function(one) quote_some(one$levels), ""), ")"
  )
  warn_mkl(
    "new_levels", "`", argument, "` holds levels that are unknown at the fit, in column",
    if (length(columns) > 1L) "s", " ", list_some(columns, 10L), ": the predictions for ",
    plural(length(rows), "row"), " are NA (", list_some(rows, 10L), ").",
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

indicators <- function(levels, code, name) {
  # Without any level (a column of nothing but NA) a missing value must still be seen.
  if (length(levels) == 0L) {
    return(matrix(NA_real_, length(code), 1L, dimnames = list(NULL, name)))
  }
  out <- matrix(0, length(code), length(levels), dimnames = list(NULL, paste0(name, levels)))
  out[cbind(seq_along(code), code)[!is.na(code), , drop = FALSE]] <- 1
  out[is.na(code), ] <- NA_real_
  out
}
