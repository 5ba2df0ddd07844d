# The response: which task it asks for, and its numbers for the core.

task_names <- function() c("classification", "regression", "one_class")

# list(task, y: class codes from 0 or numbers, levels: all levels, classes: those that occur)
encode_response <- function(y, task, argument = "y") {
  task <- response_task(y, task, argument)
  if (task == "one_class") return(list(task = task, y = numeric()))
  if (task == "regression") return(list(task = task, y = encode_numbers(y, argument)))
  encode_classes(y, argument)
}

# A factor may keep missing values as a level of their own, as addNA() does: missing all the same.
without_missing_level <- function(y) {
  if (!is.factor(y) || !anyNA(levels(y))) return(y)
  factor(y, levels = levels(y)[!is.na(levels(y))])
}

response_task <- function(y, task, argument) {
  if (!is.null(task)) task <- check_choice(task, "task", task_names())
  if (is.null(y)) {
    if (is.null(task) || task == "one_class") return("one_class")
    stop_mkl(
      "response_error", argument, "`task` is \"", task, "\", which needs a response, but `",
      argument, "` is not given."
    )
  }
  check_response(y, argument)
  natural <- natural_task(y)
  if (is.null(task) || task == natural) return(natural)
  switch(task,
    one_class = stop_mkl(
      "response_error", "task", "`task` is \"one_class\", which takes no response: leave out `",
      argument, "`, or write a one-sided formula."
    ),
    regression = if (!is.numeric(y)) stop_mkl(
      "response_error", argument, "`task` is \"regression\", which needs a numeric `", argument,
      "`, not ", describe_response(y), "."
    ),
    classification = check_discrete(y, argument)
  )
  task
}

check_response <- function(y, argument) {
  fine <- is.factor(y) || is.character(y) || is.logical(y) ||
    (is.numeric(y) && !inherits(y, c("Date", "POSIXt", "difftime", "integer64")))
  if (!fine || (length(dim(y)) == 2L && ncol(y) != 1L)) {
    stop_mkl(
      "response_error", argument, "`", argument, "` must be a factor, character, logical or ",
      "numeric vector, not ", describe(y), "."
    )
  }
}

# Numbers that are -1/1 or 0/1 are labels; any other numbers are measurements.
natural_task <- function(y) {
  if (!is.numeric(y)) return("classification")
  values <- if (length(y)) unique(y[!is.na(y)]) else y
  coded <- length(values) == 2L && (all(values %in% c(-1, 1)) || all(values %in% c(0, 1)))
  if (coded) "classification" else "regression"
}

check_discrete <- function(y, argument) {
  values <- unique(y[!is.na(y)])
  odd <- values[!is.finite(values) | values != round(values)]
  if (length(odd)) {
    stop_mkl(
      "response_error", argument, "`task` is \"classification\", but `", argument, "` holds ",
      plural(length(values), "different number"), " such as ", format_number(odd[1L]),
      ", which are no class labels. Use cut() or factor() first."
    )
  }
}

describe_response <- function(y) {
  if (is.factor(y)) "a factor" else paste0("a ", typeof(y), " vector")
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
  y
}

# A numeric response with mean 0 and standard deviation 1, so that `cost` and `epsilon` mean the
# same in all units. Rounding to a thousandth of the solver's tolerance hides the last digits, which
# differ between units: they would send the solver along other steps, to another solution within
# that tolerance.
standardize_response <- function(response, costs, argument, tol) {
  if (response$task != "regression") return(response)
  response$scaling <- response_scaling(response$y, costs)
  unit <- 2^round(log2(tol / 1024)) # a power of two: rounding to it is exact
  response$y <- round(apply_scaling(matrix(response$y), response$scaling)[, 1L] / unit) * unit
  if (!all_finite_cpp(matrix(response$y))) {
    stop_mkl(
      "response_error", argument, "The differences of values of `", argument, "` are beyond the ",
      "range of numbers. Divide it by its largest value first."
    )
  }
  response
}

# Weighted mean and standard deviation: a row of weight 2 counts as two rows, and one of weight 0,
# whose response may be a code for "unknown", does not count. With weights of 1 it is sd(). Values
# are divided by the largest first, as their squares may leave the range of numbers.
response_scaling <- function(y, weights) {
  counted <- weights > 0
  y <- y[counted]
  weights <- weights[counted]
  unit <- max(abs(y))
  if (unit == 0) return(list(center = 0, scale = 1))
  center <- sum(weights * (y / unit)) / sum(weights)
  n <- length(y)
  freedom <- max(sum(weights) - 1, sum(weights) * (n - 1) / n)
  spread <- sqrt(sum(weights * (y / unit - center)^2) / freedom)
  # A spread that is mere rounding of a constant is none.
  constant <- n < 2L || spread <= 16 * .Machine$double.eps * abs(center)
  list(center = center * unit, scale = if (constant) 1 else spread * unit)
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
    task = "classification", y = match(codes, used) - 1, levels = levels(y),
    classes = levels(y)[used], ordered = is.ordered(y)
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
  if (response$task == "classification") {
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
  if (response$task != "classification") {
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
