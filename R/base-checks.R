# Small checks of arguments. Each returns its value in the type that the core wants
# or stops with a message of the form "`cost` must be <expected>, not <found>."

`%||%` <- function(a, b) if (is.null(a)) b else a

stop_must <- function(argument, expected, found, kind = "argument_error") {
  stop_mkl(kind, argument, "`", argument, "` must be ", expected, ", not ", describe(found), ".")
}

# One number within a range. Bounds are closed unless `open` says so.
check_number <- function(x, argument, lower = -Inf, upper = Inf, open = c(FALSE, FALSE),
                         whole = FALSE, infinite = FALSE) {
  if (!is_number(x) || !in_range(x, lower, upper, open, whole, infinite)) {
    stop_must(argument, describe_range(lower, upper, open, whole), x)
  }
  as.double(x)
}

check_count <- function(x, argument) {
  if (is.null(x)) NULL else check_number(x, argument, 1, whole = TRUE)
}

# One or more numbers, all of them within a range (a parameter that spans a grid).
check_numbers <- function(x, argument, lower = -Inf, upper = Inf, open = c(FALSE, FALSE),
                          whole = FALSE) {
  expected <- function() describe_range(lower, upper, open, whole)
  if (!is.numeric(x) || is.object(x) || length(x) == 0L) {
    stop_must(argument, paste(expected(), "or a vector of such numbers"), x)
  }
  good <- vapply(x, in_range, logical(1), lower, upper, open, whole, FALSE)
  if (!all(good)) {
    bad <- which(!good)[1L]
    place <- if (length(x) > 1L) paste0(" (element ", bad, ")") else ""
    stop_mkl(
      "argument_error", argument, "`", argument, "` must be ", expected(), ", not ",
      describe(x[[bad]]), place, "."
    )
  }
  as.double(x)
}

is_all <- function(rows, n) length(rows) == n && identical(as.integer(rows), seq_len(n))

check_flag <- function(x, argument) {
  if (!is.logical(x) || length(x) != 1L || is.na(x)) stop_must(argument, "TRUE or FALSE", x)
  as.vector(x)
}

check_choice <- function(x, argument, choices) {
  if (identical(x, choices)) return(choices[[1L]])
  if (!is_text(x) || !x %in% choices) {
    stop_mkl(
      "argument_error", argument, "`", argument, "` must be one of ", quote_all(choices), ", not ",
      describe(x), ".", if (is_text(x)) did_you_mean(x, choices)
    )
  }
  x
}

# One value of `x` for each of n rows.
check_each_row <- function(x, argument, n, kind = "argument_error") {
  if (length(x) == n) return(invisible())
  stop_mkl(
    kind, argument, "`", argument, "` must have one value for each of the ", n, " rows, not ",
    length(x), "."
  )
}

check_class <- function(x, argument, class, expected) {
  if (!inherits(x, class)) stop_must(argument, expected, x)
  x
}

normalizer_names <- function() c("none", "trace", "unit_trace", "cosine", "center")

check_normalize <- function(x) {
  if (is.null(x)) return(NULL)
  if (!is.character(x) || length(x) == 0L || anyNA(x)) {
    stop_must("normalize", paste("any of", quote_all(normalizer_names())), x)
  }
  for (one in x) check_choice(one, "normalize", normalizer_names())
  x
}

# Arguments that nobody knows: an error with a suggestion. `known` are the arguments
# of the function that calls check_dots(), `.learner` is the one of the call (with a dot, so that an
# argument `learner` of the user is seen in `...`), `taken` are names that `...` may have. Nothing
# in `...` is evaluated.
check_dots <- function(..., known = names(formals(sys.function(sys.parent()))),
                       called = caller_name(sys.call(sys.parent())), .learner = NULL,
                       taken = character()) {
  frame <- sys.parent()
  check_exact(frame, called)
  if (...length() == 0L) return(invisible())
  written <- as.list(substitute(list(...)))[-1L]
  given <- names(written) %||% rep("", ...length())
  odd <- which(!given %in% taken)[1L]
  if (is.na(odd)) return(invisible())
  known <- setdiff(known, "...")
  if (!nzchar(given[odd])) {
    stop_mkl(
      "argument_error", "...", "An argument without a name is left over. Name it: one of ",
      paste0("`", known, "`", collapse = ", "), "."
    )
  }
  stop_unknown(given[odd], written[[odd]], called, known, .learner)
}

# Where an argument belongs that a function does not know is a matter of the functions above this
# layer: R/resample-misplaced.R stores its `explain()` here.
misplaced <- new.env(parent = emptyenv())

# Is a parameter elsewhere known by this name? Asked for functions that specify a fit; for others an
# unknown name is a misspelling.
stop_unknown <- function(name, value, called, known, learner = NULL, inside = FALSE) {
  specifies <- grepl("^(mkl|mkl_control|[a-z]+_mkl|learner_.*|kernel_.*)\\(\\)$", called) || inside
  found <- if (specifies) {
    learner <- tryCatch(learner, error = function(e) NULL)
    misplaced$explain(name, value, called, known, learner, inside)
  } else {
    ""
  }
  stop_mkl("argument_error", name, if (nzchar(found)) found else paste0(
    "`", name, "` is not an argument of ", called, ".", did_you_mean(name, known, "`")
  ))
}

# R completes the names of arguments that stand before `...`: `component` becomes `components`. What
# another version may read otherwise, and what is an error after the dots, is an error here too.
# Names are read off the call as it is written: those that a caller forwards by its own `...` are
# not in it, and R completes them unseen.
check_exact <- function(frame = sys.parent(), called = caller_name(sys.call(frame))) {
  written <- names(sys.call(frame))
  if (is.null(written)) return(invisible())
  own <- names(formals(sys.function(frame)))
  odd <- written[!written %in% c("", own)]
  if (length(odd) == 0L) return(invisible())
  before <- own[cumsum(own == "...") == 0L]
  open <- setdiff(before, written)
  for (name in odd) {
    meant <- open[startsWith(open, name)]
    if (length(meant)) {
      stop_mkl(
        "argument_error", name, "`", name, "` is not an argument of ", called,
        ". Did you mean `", meant[1L], "`?"
      )
    }
  }
}

# A package that is suggested only. `who` needs it, in words with the verb; `instead`: another way.
need_package <- function(package, who, instead = "") {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  stop_mkl(
    "missing_package", package, who, " the package ", package, ": install.packages(\"", package,
    "\").", instead
  )
}

did_you_mean <- function(x, choices, quote = "\"") {
  if (length(choices) == 0L) return("")
  distance <- utils::adist(x, choices, ignore.case = TRUE)[1L, ]
  near <- distance <= max(1, nchar(x) / 3) & distance < nchar(x)
  longer <- startsWith(choices, x) & nchar(x) > 2L
  shorter <- startsWith(rep(x, length(choices)), choices) & nchar(choices) > 2L
  near <- near | longer | shorter | letters_of(choices) == letters_of(x)
  if (!any(near)) return("")
  best <- which(near)[which.min(distance[near])]
  paste0(" Did you mean ", quote, choices[best], quote, "?")
}

# Two names of the same letters differ by a swap.
letters_of <- function(x) {
  vapply(strsplit(tolower(x), ""), function(one) paste(sort(one), collapse = ""), "")
}

caller_name <- function(call) {
  if (!is.symbol(call[[1L]])) return("this function")
  paste0(sub("^mkl[.]formula$", "mkl", as.character(call[[1L]])), "()")
}

is_text <- function(x) is.character(x) && length(x) == 1L && !is.na(x)

is_number <- function(x) {
  is.numeric(x) && !is.object(x) && length(x) == 1L
}

in_range <- function(x, lower, upper, open, whole, infinite) {
  !is.na(x) && (is.finite(x) || (infinite && x == Inf)) &&
    (if (open[1L]) x > lower else x >= lower) &&
    (if (open[2L]) x < upper else x <= upper) &&
    (!whole || x == round(x))
}

describe_range <- function(lower, upper, open, whole) {
  noun <- if (whole) "whole number" else "finite number"
  if (is.finite(lower) && is.finite(upper)) {
    return(paste0(
      "a ", sub("finite ", "", noun), " in ", if (open[1L]) "(" else "[", format_number(lower),
      ", ", format_number(upper), if (open[2L]) ")" else "]"
    ))
  }
  if (lower == 0 && open[1L]) return(paste("a positive", noun))
  if (lower == 0) return(paste("a non-negative", noun))
  if (is.finite(lower)) return(paste0("a ", noun, " of at least ", format_number(lower)))
  paste("a", noun)
}

# What was found, in words short enough for an error message.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.function(x)) return("a function")
  if (is.data.frame(x)) return(paste0("a data frame of ", nrow(x), " x ", ncol(x)))
  if (is.matrix(x)) {
    return(paste0(
      if (is.integer(x)) "an " else "a ", typeof(x), " matrix of ", nrow(x), " x ", ncol(x)
    ))
  }
  if (is.object(x)) return(paste0("an object of class \"", class(x)[1L], "\""))
  if (!is.atomic(x)) return(paste(if (is.environment(x)) "an" else "a", typeof(x)))
  if (length(x) == 1L) return(describe_scalar(x))
  kind <- if (is.double(x)) "numeric" else typeof(x)
  article <- if (kind == "integer") "an " else "a "
  paste0(article, kind, " vector of length ", length(x))
}

describe_scalar <- function(x) {
  if (is.na(x) && !is.nan(x)) return("NA")
  if (is.character(x)) return(encodeString(x, quote = "\""))
  if (is.numeric(x)) return(format_number(x, 15L))
  as.character(x)
}

# sprintf() ignores options(OutDec), which must never reach names and messages.
format_number <- function(x, digits = 4L) {
  out <- sprintf(paste0("%.", digits, "g"), as.double(x))
  out[is.nan(x)] <- "NaN"
  out
}

quote_all <- function(x, limit = 8L) {
  shown <- encodeString(utils::head(as.character(x), limit), quote = "\"")
  paste0(paste(shown, collapse = ", "), if (length(x) > limit) ", ...")
}

tick_all <- function(x) list_some(paste0("`", x, "`"), 8L)

# Some of the texts, and how many more there are.
list_some <- function(x, limit) {
  paste0(
    paste(utils::head(x, limit), collapse = ", "),
    if (length(x) > limit) paste0(" and ", length(x) - limit, " more")
  )
}

plural <- function(n, one, many = paste0(one, "s")) {
  paste(format(n, big.mark = "", scientific = FALSE), if (n == 1) one else many)
}
