# The response: its numbers for the core, and the costs of its rows.

# list(task, y: class codes from 0 or numbers, levels: all levels, classes: those that occur)
encode_response <- function(y, task, argument = "y") {
  task <- response_task(y, task, argument)
  c(list(task = task), task_traits(task)$encode(y, argument))
}

# A factor may keep missing values as a level of their own, as addNA() does: missing all the same.
without_missing_level <- function(y) {
  if (!is.factor(y) || !anyNA(levels(y))) return(y)
  factor(y, levels = levels(y)[!is.na(levels(y))])
}

check_response <- function(y, argument) {
  fine <- is.factor(y) || is.character(y) || is.logical(y) ||
    (is.numeric(y) && !inherits(y, c("Date", "POSIXt", "difftime", "integer64")))
  if (!fine || (length(dim(y)) == 2L && ncol(y) != 1L)) {
    stop_must(argument, "a factor, character, logical or numeric vector", y, "response_error")
  }
}

encode_numbers <- function(y, argument) {
  y <- as.double(y)
  if (any(is.infinite(y))) {
    row <- which(is.infinite(y))[1L]
    stop_mkl(
      "response_error", argument, "`", argument, "` must be finite; element ", row, " is ",
      format_number(y[row]), "."
    )
  }
  list(y = y)
}

# A numeric response with mean 0 and standard deviation 1, so that `cost` and `epsilon` mean the
# same in all units. Rounding to a thousandth of the solver's tolerance hides the last digits, which
# differ between units: they would send the solver along other steps, to another solution within
# that tolerance.
standardize_response <- function(response, costs, argument, tol) {
  if (!task_traits(response$task)$standardize) return(response)
  scaled <- response_scaling_cpp(response$y, costs, tol)
  response$scaling <- scaled[c("center", "scale")]
  response$y <- scaled$y
  if (!all_finite_cpp(matrix(response$y))) {
    stop_mkl(
      "response_error", argument, "The differences of values of `", argument, "` are beyond the ",
      "range of numbers. Divide it by its largest value first."
    )
  }
  response
}

# From values of the fitted function to the units of the response.
unscale_response <- function(values, scaling) {
  if (is.null(scaling) || is.null(values)) values else values * scaling$scale + scaling$center
}

encode_classes <- function(y, argument) {
  y <- plain_factor(y)
  codes <- as.integer(y)
  used <- which(tabulate(codes, nlevels(y)) > 0L)
  if (length(used) < 2L) {
    stop_mkl(
      "response_error", argument, "`", argument, "` must hold at least two classes, but it holds ",
      if (length(used)) paste("only", quote_all(levels(y)[used])) else "none", "."
    )
  }
  list(
    y = match(codes, used) - 1, levels = levels(y), classes = levels(y)[used],
    ordered = is.ordered(y)
  )
}

# Observation and class weights ------------------------------------------------------------------

# One factor of the cost per training row. With balanced classes an attribute "balance" holds the
# factors of the classes: the core scales them within each two-class problem.
cost_weights <- function(weights, class_weights, response, rows, n_input) {
  out <- rep(1, length(rows))
  if (is.null(weights) && is.null(class_weights)) return(out)
  if (!is.null(weights)) out <- check_weights(weights, n_input)[rows]
  balance <- NULL
  if (!is.null(class_weights)) {
    factors <- class_factors(class_weights, response)
    out <- out * factors[response$y + 1]
    if (identical(class_weights, "balanced")) balance <- factors
  }
  if (task_traits(response$task)$classes) {
    total <- tapply(out, factor(response$y, seq_along(response$classes) - 1), sum)
    if (any(total <= 0)) {
      stop_mkl(
        "argument_error", "weights", "`weights` leaves class ",
        quote_all(response$classes[total <= 0]), " without any row of positive weight."
      )
    }
  } else if (sum(out) <= 0) {
    stop_mkl("argument_error", "weights", "`weights` must not all be zero.")
  }
  attr(out, "balance") <- balance
  out
}

check_weights <- function(weights, n) {
  if (!is.numeric(weights) || is.object(weights) || length(weights) != n) {
    stop_must("weights", paste("a numeric vector of length", n), weights)
  }
  bad <- which(!is.finite(weights) | weights < 0)
  if (length(bad)) {
    stop_mkl(
      "argument_error", "weights", "`weights` must be finite and non-negative; element ",
      bad[1L], " is ", format_number(weights[bad[1L]]), "."
    )
  }
  as.double(weights)
}

class_factors <- function(class_weights, response) {
  if (!task_traits(response$task)$classes) {
    stop_mkl("argument_error", "class_weights", "`class_weights` is for classification, but the ",
             "task is \"", response$task, "\".")
  }
  classes <- response$classes
  if (identical(class_weights, "balanced")) {
    counts <- tabulate(response$y + 1, length(classes))
    return(sum(counts) / (length(classes) * counts))
  }
  if (!is.numeric(class_weights) || is.null(names(class_weights))) {
    stop_must(
      "class_weights", "\"balanced\" or a numeric vector named by the classes", class_weights
    )
  }
  unknown <- setdiff(names(class_weights), response$levels)
  if (length(unknown)) {
    stop_mkl(
      "argument_error", "class_weights", "`class_weights` names ", quote_all(unknown),
      ", but the classes are ", quote_all(response$levels), "."
    )
  }
  if (anyDuplicated(names(class_weights))) {
    stop_mkl("argument_error", "class_weights", "`class_weights` names a class twice.")
  }
  check_numbers(unname(class_weights), "class_weights", 0, open = c(TRUE, FALSE))
  out <- stats::setNames(rep(1, length(classes)), classes)
  shared <- intersect(names(class_weights), classes)
  out[shared] <- class_weights[shared]
  unname(out)
}
