#' Predictions of a kernel machine
#'
#' Classes, probabilities, decision values or numbers for new data, in the types of base R:
#' one result for each row, in the same order, `NA` where a row has a missing value. Results are
#' named by the rows: always for data frames, as [stats::predict.lm()] does, and for matrices with
#' row names.
#'
#' @details
#' For most learners the decision value is \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b;}
#' \eqn{f(x) \ge 0} predicts the positive class, which is the second level.
#'
#' New data are matched to the columns of the fit by name; further columns are ignored.
#' Missing columns are an error that names them, and so are unknown factor levels unless
#' `new_levels` says otherwise. Columns of a matrix within a data frame go by name too, if it has
#' names at the fit and in the new data.
#'
#' A fit stores the version of the package and a digest of its parts. A fit that has lost or changed
#' a part since it was made, or that a later version made, is an error of class
#' `multikernel_fit_error`. The digest sees types, sizes and names of all parts, and the values of
#' short vectors; of long ones some. Fits of version 0.1.0 have no digest: only the sizes of their
#' parts are compared with each other.
#'
#' # Choosing the type
#' * `"class"`: a factor with the levels of the response, ordered if that was. With three and more
#'   classes pairs vote, and the sum of decision values breaks ties. For one-class fits: `TRUE` for
#'   rows that look like the training rows.
#' * `"prob"`: a matrix with one column for each level, from Platt's calibration and, for
#'   several classes, pairwise coupling. It needs a fit with `probability = TRUE`. The class
#'   of the highest probability can differ from `"class"` for rows near a boundary, because
#'   calibration moves the threshold; `"class"` is always the vote of the decision values.
#' * `"decision"`: a numeric vector, or a matrix with one column for each model, named
#'   `b/a` for the pair with positive class b and negative class a, or by the class for one
#'   against the rest.
#' * `"response"`: numbers, for regression.
#'
#' @param object A fit of [mkl()].
#' @param newdata New data in the form of the training data: a data frame, a matrix, or a
#'   named list of n_new x n_train matrices for fits on kernel matrices. Without it, the
#'   predictions for the training rows are given.
#' @param type What to give; the default is `"class"`, or `"response"` for regression.
#' @param precomputed For fits that mix columns and [kernel_precomputed()]: a named list of
#'   n_new x n_train matrices.
#' @param new_levels What to do with rows whose factors or text have values that are unknown at the
#'   fit: `"error"`, or `"missing"` to treat these values as missing, so that the predictions are
#'   `NA`, with a warning that names rows and levels. The default is the argument `new_levels` of
#'   [mkl()].
#' @param ... Arguments of the learner: `trials` for fits of [mkboost()], `both` for those of
#'   [lbmkl()]. A misspelt one is an error.
#' @return A factor, a logical vector, a numeric vector or a numeric matrix, by the type.
#' @inherit mkl references
#' @family fitting functions
#' @examples
#' train <- c(1:35, 51:85, 101:135)
#' fit <- mkl(Species ~ ., iris[train, ], probability = TRUE)
#' new <- iris[-train, ]
#' table(predict(fit, new), new$Species)
#' round(predict(fit, new[1:3, ], type = "prob"), 2)
#' predict(fit, new[1:3, ], type = "decision")
#' @importFrom stats predict
#' @export
predict.mkl <- function(object, newdata, type = c("class", "prob", "decision", "response"),
                        precomputed = NULL, new_levels = c("error", "missing"), ...) {
  check_exact()
  check_fit(object)
  type <- if (missing(type)) default_type(object) else check_type(type, object)
  object <- prepare_models(object, list(type = type, training = missing(newdata)), ...)
  if (!is.null(precomputed)) check_precomputed(object, missing(newdata))
  if (missing(newdata) && is.null(precomputed)) {
    return(shape_prediction(object, training_decision(object), type, training_cases(object)))
  }
  if (missing(newdata)) newdata <- list()
  if (!missing(new_levels)) object$frame$new_levels <- check_new_levels(new_levels)
  decision <- new_decision(object, newdata, precomputed)
  shape_prediction(object, decision, type, new_cases(newdata, precomputed))
}

# Matrices of new rows: is there a use for them, and do they say all about these rows?
check_precomputed <- function(object, alone) {
  if (length(precomputed_names(object$kernels)) == 0L) {
    stop_mkl(
      "data_error", "precomputed", "`precomputed` holds kernel matrices, but the fit has none. ",
      "Leave it out."
    )
  }
  if (object$frame$type == "precomputed") {
    stop_mkl(
      "data_error", "precomputed", "The fit has kernel matrices alone: give those of the new rows ",
      "as `newdata`, not as `precomputed`."
    )
  }
  if (alone && ncol(object$train) > 0L) {
    stop_mkl(
      "data_error", "newdata", "The fit also sees columns of the data: give those of the new rows ",
      "as `newdata`, beside `precomputed`."
    )
  }
}

# The fit as it is to predict, for learners whose predict() has arguments of its own. `request`: the
# type, and whether the training rows are asked for.
prepare_models <- function(object, request, ...) UseMethod("prepare_models")

#' @export
prepare_models.mkl <- function(object, request, ...) {
  check_dots(..., known = predict_arguments(), called = "predict.mkl()")
  object
}

predict_arguments <- function() names(formals(predict.mkl))

default_type <- function(object) if (object$task == "regression") "response" else "class"

check_type <- function(type, object) {
  type <- check_choice(type, "type", c("class", "prob", "decision", "response"))
  possible <- switch(object$task,
    classification = c("class", "prob", "decision"),
    regression = c("response", "decision"),
    one_class = c("class", "decision")
  )
  if (!type %in% possible) {
    stop_mkl(
      "argument_error", "type", "`type` must be one of ", quote_all(possible),
      " for the task \"", object$task, "\", not \"", type, "\"."
    )
  }
  if (type == "prob" && !object$probability) {
    stop_mkl(
      "argument_error", "type", "`type` is \"prob\", but the fit has no probabilities. ",
      "Fit it with `probability = TRUE`."
    )
  }
  type
}

training_decision <- function(object) {
  decision <- stored_decision(object)
  if (object$na_action != "exclude" || is.null(object$rows)) return(decision)
  out <- matrix(NA_real_, object$n_input, ncol(decision))
  out[object$rows, ] <- decision
  out
}

# Decision values of the training rows, which axe_fitted() takes away.
stored_decision <- function(object) {
  if (!is.null(object$decision)) return(object$decision)
  stop_mkl(
    "argument_error", "newdata", "This fit holds no values for its training rows any more: they ",
    "were removed. Give the rows as `newdata`."
  )
}

new_decision <- function(object, newdata, precomputed) {
  if (is.null(newdata)) {
    stop_mkl("data_error", "newdata", "`newdata` is NULL. Leave it out to get the training rows.")
  }
  blocks <- find_blocks(object, newdata, precomputed)
  plain <- object$frame$type == "precomputed"
  empty <- length(newdata) == 0L && ncol(object$train) == 0L && length(blocks)
  x <- if (!plain && !empty) bake_frame(object$frame, newdata)
  # Where there are no columns, the matrices say how many rows there are, unless a table does.
  if (is.null(x) || (ncol(x) == 0L && is.null(dim(newdata)))) {
    x <- matrix(0, nrow(blocks[[1L]]), 0L)
  }
  decision_values(object, x, blocks)
}

# Decision values at the rows of x, not yet scaled; NA where something is missing. Those of
# regression are in the units of the response.
decision_values <- function(object, x, blocks) {
  n <- nrow(x)
  complete <- if (ncol(x)) complete_rows(x, "newdata") else rep(TRUE, n)
  for (name in names(blocks)) {
    if (nrow(blocks[[name]]) != n) {
      stop_kernel(name, "has ", nrow(blocks[[name]]), " new rows, but the data have ", n, ".")
    }
    complete <- complete & complete_block(blocks[[name]], name)
  }
  out <- matrix(NA_real_, n, length(object$models))
  take <- which(complete)
  if (length(take)) out[take, ] <- core_decision(object, x[take, , drop = FALSE], blocks, take)
  unscale_response(out, object$response_scaling)
}

# Decision values at complete rows, a column for each model.
core_decision <- function(object, x, blocks, take) UseMethod("core_decision")

#' @export
core_decision.default <- function(object, x, blocks, take) {
  x <- scale_new(x, object$frame)
  check_ranges(object$kernels, x)
  columns <- object$kept
  if (!is.null(object$rows)) columns <- object$rows[columns]
  items <- new_blocks(object$kernels, x, object$train, blocks, take, columns)
  control <- core_control(object$control, object$seed)
  with_kernel_progress(control, sum(item_counts(items)), "predict()", function(control) {
    with_core(predict_cpp(
      x, object$train, nrow(object$train), nrow(x), core_items(items), object$normalizers,
      object$models, control
    ))
  })
}

# New rows may lie so far from the training rows that their scaled values are no numbers any more.
scale_new <- function(x, frame) {
  scaled <- apply_scaling(x, if (!is.null(frame$center)) frame)
  if (!all_finite_cpp(scaled)) {
    place <- arrayInd(which(!is.finite(scaled))[1L], dim(scaled))
    stop_mkl(
      "data_error", "newdata", "Column ", column_name(x, place[2L]), " of `newdata` holds ",
      format_number(x[place]), ", which is beyond the range of numbers when it is scaled as the ",
      "training rows were."
    )
  }
  scaled
}

check_ranges <- function(items, x) {
  for (item in items) {
    if (isTRUE(item$nonnegative)) check_nonnegative(x, item$columns, item$name)
    if (!is.null(item$factors)) check_ranges(item$factors, x)
  }
}

# Matrices of new by training rows for precomputed kernels: checked, in a list by name.
find_blocks <- function(object, newdata, precomputed) {
  names <- precomputed_names(object$kernels)
  if (length(names) == 0L) return(list())
  labels <- precomputed_labels(object$kernels)
  if (object$frame$type == "precomputed") {
    return(check_blocks(newdata, names, object$n_input, "newdata", labels))
  }
  if (is.matrix(precomputed) && length(names) == 1L) {
    precomputed <- stats::setNames(list(precomputed), names)
  }
  # A matrix that a formula names has the name that its symbol has in this locale.
  lost <- !names(precomputed) %in% names
  names(precomputed)[lost] <- symbol_names(names(precomputed)[lost])
  terms <- object$frame$precomputed
  found <- lapply(terms, eval_block, newdata, object$frame$block_functions)
  found <- Filter(Negate(is.null), found)
  found <- c(precomputed, found[!names(found) %in% names(precomputed)])
  if (length(found) == 0L) {
    stop_mkl(
      "data_error", "precomputed", "The fit uses kernel matrices: give those of the new rows, ",
      "precomputed = list(", names[1L], " = ), as n_new x ", object$n_input, " matrices."
    )
  }
  check_blocks(found, names, object$n_input, "precomputed", labels)
}

# The term precomputed(K) finds the new K in the new data, never in the workspace, where the
# training matrix of that name still lives. Functions are those of the fit, or of packages.
eval_block <- function(expression, newdata, functions) {
  newdata <- symbol_columns(newdata)
  if (!all(variables_in(expression) %in% names(newdata))) return(NULL)
  functions <- list2env(as.list(functions), parent = parent.env(globalenv()))
  catch_error(eval(expression, as.list(newdata), functions), error = function(e) {
    stop_mkl("data_error", "newdata", "The term precomputed(", label_of(expression), ") cannot be ",
             "evaluated for the new rows: ", conditionMessage(e))
  })
}

check_blocks <- function(blocks, names, n, argument, labels) {
  if (is.matrix(blocks) && length(names) == 1L) blocks <- stats::setNames(list(blocks), names)
  if (!is.list(blocks) || is.data.frame(blocks)) {
    stop_must(argument, "a named list of kernel matrices", blocks, "data_error")
  }
  if (length(blocks) != length(names)) {
    stop_mkl(
      "data_error", argument, "`", argument, "` must hold ",
      plural(length(names), "kernel matrix", "kernel matrices"),
      " (", tick_all(names), "), not ", length(blocks), "."
    )
  }
  given <- names(blocks)
  if (!is.null(given)) {
    check_columns(names, given, argument, "kernel")
    blocks <- blocks[names]
  }
  out <- Map(function(block, name) check_block(block, name, n, labels[[name]]), blocks, names)
  stats::setNames(out, names)
}

check_block <- function(block, name, n, labels) {
  diagonal <- attr(block, "diagonal")
  given <- colnames(block)
  plain <- plain_matrix(block, name)
  if (ncol(plain) != n) {
    stop_kernel(
      name, "must have one column for each of the ", n, " training rows, not ", ncol(plain), "."
    )
  }
  plain <- order_columns(plain, given, labels, name)
  attr(plain, "diagonal") <- diagonal
  plain
}

# Columns that are named like the training rows go by name; names of another kind say nothing.
order_columns <- function(block, given, labels, name) {
  if (is.null(labels) || !any(given %in% labels) || identical(given, labels)) return(block)
  place <- match(labels, given)
  if (anyNA(place)) {
    stop_kernel(
      name, "has no column for the training row \"", labels[is.na(place)][1L], "\", but others ",
      "are named like training rows. Take the names away if the order is that of the fit."
    )
  }
  block[, place, drop = FALSE]
}

complete_block <- function(block, name) {
  if (all_finite_cpp(block)) return(rep(TRUE, nrow(block)))
  infinite <- which(is.infinite(block))
  if (length(infinite)) stop_entry(name, block, infinite[1L])
  rowSums(is.na(block)) == 0
}

# From decision values to what the user asked for -------------------------------------------------

# `cases`: names of the rows, or NULL.
shape_prediction <- function(object, decision, type, cases = NULL) {
  out <- switch(type,
    decision = shape_decision(object, decision),
    response = decision[, 1L],
    class = if (object$task == "one_class") decision[, 1L] >= 0 else shape_class(object, decision),
    prob = shape_probability(object, decision)
  )
  name_cases(out, cases)
}

shape_decision <- function(object, decision) {
  if (ncol(decision) == 1L) return(decision[, 1L])
  dimnames(decision) <- list(NULL, model_names(object))
  decision
}

shape_class <- function(object, decision) {
  known <- !is.na(decision[, 1L])
  code <- rep(NA_integer_, nrow(decision))
  if (ncol(decision) == 1L) {
    code[known] <- as.integer(decision[known, 1L] >= 0)
  } else if (any(known)) {
    code[known] <- with_core(vote_cpp(
      decision[known, , drop = FALSE], object$models, length(object$classes)
    ))
  }
  class_factor(object, code)
}

# Levels without training rows have probability 0.
shape_probability <- function(object, decision) {
  known <- !is.na(decision[, 1L])
  out <- matrix(0, nrow(decision), length(object$levels), dimnames = list(NULL, object$levels))
  out[!known, ] <- NA_real_
  if (any(known)) {
    # by position: a level may be the empty string, which names no column
    columns <- match(object$classes, object$levels)
    out[known, columns] <- class_probability(object, decision[known, , drop = FALSE])
  }
  out
}

# A column for each class that occurs.
class_probability <- function(object, decision) UseMethod("class_probability")

#' @export
class_probability.mkl <- function(object, decision) {
  with_core(probability_cpp(decision, object$models, length(object$classes)))
}

# Names of the models of a fit with several; NULL for one.
model_names <- function(object) {
  if (length(object$models) == 1L) return(NULL)
  name <- function(model, between) {
    if (!is.null(model$name)) return(model$name)
    positive <- object$classes[model$positive + 1L]
    if (model$negative < 0) return(positive)
    paste0(positive, between, object$classes[model$negative + 1L])
  }
  names <- vapply(object$models, name, "", between = "/")
  # Classes with a slash in their names may give two pairs the same one.
  if (anyDuplicated(names)) names <- vapply(object$models, name, "", between = " / ")
  names
}
