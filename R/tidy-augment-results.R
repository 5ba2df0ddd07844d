# augment() of resampling results: one row for each test row of each split, with what was predicted
# by a fit that did not see it.

#' Out-of-fold predictions of resampling, tuning and benchmark results
#'
#' `augment()` of a result of [cv_mkl()], [tune_mkl()] or [benchmark_mkl()] returns the
#' predictions for the test rows of all splits, each from a fit to the training part of its split.
#' The call must have had `predictions = TRUE`; see [tidiers] for fits.
#'
#' @details
#' A row is the prediction \deqn{f_s(x_i), \quad i \in \mathrm{test}(s)}{
#'   f_s(x_i),  i in test(s)} for row i of the data by
#' the fit of split s. With several repeats a row of the data occurs several times, with a
#' bootstrap it may be missing. The performance on a split can be computed from its rows, for
#' instance `tapply(a$.correct, a$id, mean, na.rm = TRUE)` for the accuracy. Rows whose response
#' is missing are kept, with `NA` in `.truth`.
#'
#' # Choosing the predictions
#' * For a tuning result the default is the best point; use `point` for another one. These
#'   predictions were used to select the point; use `outer = TRUE` for those of the outer splits,
#'   which were not.
#' * For a benchmark of data sets with different classes there is text in `.truth` and `.fitted`,
#'   and `NA` in the columns of classes that a data set does not have. Select one data set with
#'   `tasks` to obtain factors.
#'
#' @param x A result with predictions.
#' @param data The data frame (or matrix) of the call: its columns are added before those of the
#'   predictions. Without it rows are identified only by their number, `row`.
#' @param point Number of the point, as in the column `point` of the results; `NULL` for the best.
#' @param outer `TRUE` for the outer splits of a nested cross-validation, each predicted with the
#'   parameters that were chosen within its training part.
#' @param tasks Names of data sets; `NULL` for all of them.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A data frame with the columns
#' * `data` and `learner` for a benchmark (and `chosen`, what a tuning chose, if there was one),
#'   `point` and its parameters for a tuning;
#' * `id`, `repeat` and `fold` of the split, `row`, the number of the row in the data, and for a
#'   cross-validation of cases with names `case`;
#' * the columns of `data`, if given;
#' * `.truth`, the response, and `.fitted`, what was predicted;
#' * for classification `.decision` (one column for each model if there are several),
#'   `.prob_<class>` if a measure needed probabilities, and `.correct`; for regression `.resid`.
#'
#' Splits whose fit failed are left out.
#' @inherit cv_mkl references
#' @family resampling
#' @name augment-results
#' @examples
#' set.seed(1)
#' cv <- cv_mkl(Species ~ ., iris, folds = 5, predictions = TRUE)
#' out <- augment(cv, iris)
#' head(out[!out$.correct, ])
#' tapply(out$.correct, out$fold, mean)
#'
#' # parameters chosen anew for each outer split
#' nested <- tune_mkl(mpg ~ wt + hp, mtcars, grid = list(cost = c(1, 100)), folds = 3,
#'   outer = resample_cv(3), predictions = TRUE
#' )
#' head(augment(nested, outer = TRUE))
NULL

#' @rdname augment-results
#' @export
#' @rawNamespace S3method(generics::augment, mkl_cv)
augment.mkl_cv <- function(x, data = NULL, ...) {
  check_dots(...)
  check_kept(x$predictions, "cv_mkl()", "x")
  augmented(x$predictions, split_keys(x$results), data, x$n)
}

#' @rdname augment-results
#' @export
#' @rawNamespace S3method(generics::augment, mkl_tune)
augment.mkl_tune <- function(x, data = NULL, ..., point = NULL, outer = FALSE) {
  check_dots(...)
  outer <- check_flag(outer, "outer")
  check_kept(x$predictions, "tune_mkl()", "x")
  if (outer) {
    if (is.null(x$outer)) {
      stop_mkl(
        "argument_error", "outer", "`outer` is TRUE, but the tuning has no outer splits. ",
        "Call tune_mkl() with `outer`, for instance resample_cv(5)."
      )
    }
    if (!is.null(point)) {
      stop_mkl(
        "argument_error", "point", "`point` cannot be chosen with `outer = TRUE`: each outer ",
        "split has the point that was chosen within its training part."
      )
    }
    keys <- split_keys(x$outer$results, c("point", point_parameters(x)))
    return(augmented(x$outer$predictions, keys, data, x$n))
  }
  point <- check_number(point %||% x$best$point, "point", 1, length(x$points), whole = TRUE)
  predictions <- x$predictions[x$predictions$point == point, names(x$predictions) != "point"]
  if (nrow(predictions) == 0L) {
    stop_mkl(
      "argument_error", "point", "`point` ", format_number(point), " has no predictions: ",
      "all of its fits failed, see the column `failure` of the results."
    )
  }
  own <- x$results[x$results$point == point, ]
  own <- own[!duplicated(own$id), ]
  augmented(predictions, split_keys(own, c("point", point_parameters(x))), data, x$n)
}

#' @rdname augment-results
#' @export
#' @rawNamespace S3method(generics::augment, mkl_benchmark)
augment.mkl_benchmark <- function(x, tasks = NULL, ...) {
  check_dots(...)
  check_kept(x$predictions, "benchmark_mkl()", "x")
  known <- unique(x$results$data)
  tasks <- tasks %||% known
  if (!is.character(tasks) || length(tasks) == 0L) {
    stop_must("tasks", "NULL or names of data sets", tasks)
  }
  for (name in tasks) check_choice(name, "tasks", known)
  cells <- which(x$results$data %in% tasks & !vapply(x$predictions, is.null, NA))
  if (length(cells) == 0L) {
    stop_mkl(
      "argument_error", "x", "`x` has no predictions for ", quote_all(tasks), ": all cells ended ",
      "with an error, see the column `failure` of the results."
    )
  }
  numbers <- vapply(x$predictions[cells], function(table) is.numeric(table$truth), NA)
  if (any(numbers) && !all(numbers)) {
    stop_mkl(
      "argument_error", "tasks", "`tasks` must name data sets of one kind, not of classes and of ",
      "numbers: ", quote_all(unique(x$results$data[cells])), "."
    )
  }
  first <- intersect(c("data", "learner", "chosen"), names(x$results))
  parts <- lapply(cells, function(i) {
    augmented(x$predictions[[i]], split_keys(x$results[i, ], first), NULL, NULL)
  })
  bind_tables(parts)
}

split_keys <- function(results, first = character()) {
  results[c(first, "id", "repeat", "fold")]
}

# Predictions as prediction_table() makes them, under the names of augment(), with what is known of
# their split before them.
augmented <- function(predictions, keys, data, n) {
  out <- predictions[setdiff(names(predictions), c("id", "row", "case"))]
  names(out) <- sub("^truth$", ".truth", names(out))
  names(out) <- sub("^estimate$", ".fitted", names(out))
  names(out) <- sub("^(decision|prob)$", ".\\1", sub("^(decision|prob)[.]", ".\\1_", names(out)))
  if (is.factor(out$.truth)) {
    out$.correct <- out$.fitted == out$.truth
  } else if (is.numeric(out$.truth)) {
    out$.resid <- as.double(out$.truth) - out$.fitted
  }
  first <- keys[match(predictions$id, keys$id), , drop = FALSE]
  first$row <- predictions$row
  first$case <- predictions$case
  out <- list(first, data_rows(data, predictions$row, n, c(names(first), names(out))), out)
  out <- do.call(base::c, lapply(out, as.list))
  columns_frame(out, nrow(predictions))
}

# Rows of the data that the user gives again.
data_rows <- function(data, rows, n, taken) {
  if (is.null(data)) return(list())
  if (!is.data.frame(data) && !is.matrix(data) && !inherits(data, "Matrix")) {
    stop_must("data", "the data frame or matrix of the call", data)
  }
  if (nrow(data) != n) {
    stop_must("data", paste("the data of the call, with", plural(n, "row")), nrow(data))
  }
  columns <- data_columns(data)
  clash <- intersect(names(columns), taken)
  if (length(clash)) {
    stop_mkl(
      "argument_error", "data", "`data` has a column `", clash[1L], "`, which is also a column of ",
      "the result. Give it another name, or leave `data` out and join by `row`."
    )
  }
  # A column may be a list, a matrix or a data frame: it stays one.
  lapply(columns, function(column) {
    if (length(dim(column)) == 2L) column[rows, , drop = FALSE] else column[rows]
  })
}

# Tables below each other. Columns that some lack are NA there; factors with different levels become
# text.
bind_tables <- function(tables) {
  mixed <- Filter(function(name) {
    length(unique(lapply(tables, function(table) levels(table[[name]])))) > 1L
  }, c(".truth", ".fitted"))
  tables <- lapply(tables, function(table) {
    table[mixed] <- lapply(table[mixed], as.character)
    table
  })
  out <- stack_tables(tables)
  last <- intersect(c(".correct", ".resid"), names(out))
  out[c(setdiff(names(out), last), last)]
}
