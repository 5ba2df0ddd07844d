#' Predict from a fitted model: classes, probabilities, decision values
#'
#' Predicted classes, class probabilities, decision values or numeric responses for new data.
#' There is one result for each row, in the same order, and `NA` for rows with missing values.
#' Results are named by the rows for data frames, as in [stats::predict.lm()], and for matrices
#' with row names.
#'
#' @details
#' For most learners the decision value is \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b;}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b;}
#' \eqn{f(x) \ge 0} predicts the positive class, which is the second level.
#'
#' New data are matched to the columns of the training data by name; additional columns are
#' ignored. Missing columns raise an error that names them, and so do unknown factor levels unless
#' `new_levels = "missing"`. Columns of a matrix within a data frame are also matched by name if
#' it has column names in both the training and the new data.
#'
#' A fit stores the version of the package and a digest of its parts. A fit that has been modified
#' or damaged, or was created by a later version of the package, raises an error of class
#' `multikernel_fit_error`. The digest covers types, sizes and names of all parts, the values of
#' short vectors and some values of long ones. Fits of version 0.1.0 have no digest: for these
#' only the sizes of the parts are checked.
#'
#' # Choosing the type of prediction
#' * `"class"`: a factor with the levels of the response, ordered if the response was. With three
#'   or more classes the pairwise models vote, and the sum of decision values breaks ties. For
#'   one-class fits: `TRUE` for rows that are similar to the training rows.
#' * `"prob"`: a matrix with one column for each level, from Platt's calibration and, for several
#'   classes, pairwise coupling. It needs a fit with `probability = TRUE`. For rows near a
#'   boundary the class with the highest probability can differ from `"class"`, because
#'   calibration shifts the threshold; `"class"` is always based on the decision values. For two
#'   classes `threshold` changes the threshold.
#' * `"decision"`: a numeric vector, or a matrix with one column for each model, named `b/a` for
#'   the pair with positive class b and negative class a, or by the class for one-against-rest.
#' * `"response"`: a numeric vector, for regression.
#' * `"terms"`: the contribution of each kernel, or each view (`by = "view"`), to the decision
#'   value, see below.
#'
#' # Contributions of kernels and views
#' The decision value of most learners is a sum over the kernels,
#' \deqn{f(x) = b + \sum_m f_m(x), \qquad f_m(x) = d_m \sum_i \beta_i k_m(x_i, x),}{f(x) = b +
#' sum_m f_m(x), f_m(x) = d_m sum_i beta_i k_m(x_i, x),} and `type = "terms"` gives the
#' \eqn{f_m(x)}, exactly: `rowSums(terms) + attr(terms, "constant")` is the decision value, up to
#' rounding. With several models (three and more classes) the terms are an array of cases by kernels
#' by models, and the constant is a vector with one number for each model. For regression the
#' contributions are in the units of the response. A view that a case lacks contributes 0 under
#' `missing = "available"`.
#'
#' * [learner_lmkl()]: \eqn{f_m(x) = \eta_m(x) \sum_i \beta_i \eta_m(x_i) k_m(x_i, x)}{f_m(x) =
#'   eta_m(x) sum_i beta_i eta_m(x_i) k_m(x_i, x)}, with the gating weights of the row.
#' * [learner_mkboost()]: the weight \eqn{\alpha_t}{alpha_t} of a trial, with the sign of its
#'   prediction, is divided among the kernels that voted for this prediction, in proportion to
#'   their votes.
#' * [learner_cca_mhks()] with votes: the contribution of a kernel is its vote and its share of
#'   the tie-breaking term.
#' * [learner_lda()] has terms by view; [learner_gmkl()] with a product of kernels and
#'   [learner_knn()] have none, because their decision value is not a sum over kernels; `type =
#'   "terms"` raises an error.
#'
#' A large contribution shows what the model used for this case, not what causes the response.
#' Correlated kernels can substitute for each other. Contributions depend on the origin of the
#' feature space: a nearly constant kernel contributes the same amount to all cases. Compare cases
#' with each other, or center the kernels with `normalize = "center"`.
#'
#' @param object A fit of [mkl()].
#' @param newdata New data in the form of the training data: a data frame, a matrix, or a named
#'   list of n_new x n_train matrices for fits on kernel matrices; or [row_blocks()], which are
#'   read block by block. If missing, predictions for the training rows are returned.
#' @param type Type of prediction, see below; the default is `"class"`, or `"response"` for
#'   regression.
#' @param precomputed Kernel matrices of the new rows, for fits that combine columns and
#'   [kernel_precomputed()]: a named list of n_new x n_train matrices.
#' @param new_levels How rows with factor levels or text values that were not in the training data
#'   are treated: `"error"`, or `"missing"` to treat these values as missing, so that the
#'   predictions are `NA`, with a warning that names rows and levels. The default is the argument
#'   `new_levels` of [mkl()].
#' @param by For `type = "terms"`: contributions by `"kernel"`, or by `"view"`, the sums over the
#'   kernels of each view; a kernel on several views has a column of its own for the combination,
#'   `a:b`.
#' @param threshold Classification threshold for two-class fits: the positive class (the second
#'   level) is predicted for decision values of at least this threshold; the default is 0. `c(prob
#'   = 0.3)` is a threshold on the probability of the positive class, for fits with `probability =
#'   TRUE`; `c(decision = -0.2)` is the same as `-0.2`. The result of [choose_threshold()] can be
#'   used, too. Lower thresholds increase sensitivity at the cost of more false positives.
#' @param ... Arguments of the learner: `trials` for fits of [mkboost()], `both` for those of
#'   [lbmkl()]. Misspelled arguments raise an error.
#' @return A factor, a logical vector, a numeric vector or a numeric matrix, depending on `type`;
#'   for `"terms"` a matrix or array with the attribute `"constant"`.
#' @inherit mkl references
#' @family fitting functions
#' @examples
#' train <- c(1:35, 51:85, 101:135)
#' fit <- mkl(Species ~ ., iris[train, ], probability = TRUE)
#' new <- iris[-train, ]
#' table(predict(fit, new), new$Species)
#' round(predict(fit, new[1:3, ], type = "prob"), 2)
#' predict(fit, new[1:3, ], type = "decision")
#'
#' # what two groups of columns contribute to each decision value
#' cars <- mkl(mpg ~ rbf(wt, hp) + linear(am, gear), mtcars)
#' terms <- predict(cars, mtcars[1:3, ], type = "terms")
#' terms
#' rowSums(terms) + attr(terms, "constant")
#'
#' # two classes: more readily "virginica"
#' two <- mkl(Species ~ ., droplevels(iris[51:150, ]), probability = TRUE)
#' table(predict(two), predict(two, threshold = c(prob = 0.2)))
#' @importFrom stats predict
#' @export
predict.mkl <- function(object, newdata, type = c("class", "prob", "decision", "response", "terms"),
                        precomputed = NULL, new_levels = c("error", "missing"),
                        by = c("kernel", "view"), threshold = NULL, ...) {
  check_exact()
  object <- check_fit(object)
  type <- if (missing(type)) default_type(object) else check_type(type, object)
  if (!missing(by) && type != "terms") {
    stop_mkl("argument_error", "by", "`by` goes with `type = \"terms\"`, not with \"", type, "\".")
  }
  if (!is.null(threshold)) threshold <- check_threshold(threshold, object, type)
  object <- prepare_models(object, list(type = type, training = missing(newdata)), ...)
  if (!is.null(precomputed)) check_precomputed(object, missing(newdata))
  groups <- if (type == "terms") {
    contribution_groups(object, check_choice(by, "by", c("kernel", "view")))
  }
  if (missing(newdata) && is.null(precomputed)) {
    if (type == "terms") return(training_terms(object, groups))
    decision <- training_decision(object)
    return(shape_prediction(object, decision, type, training_cases(object), threshold))
  }
  if (!missing(new_levels)) object$frame$new_levels <- check_new_levels(new_levels)
  if (!missing(newdata) && is_row_blocks(newdata)) {
    if (type == "terms") {
      stop_must("type", "\"class\", \"decision\" or \"response\" for row_blocks()", type)
    }
    return(shape_prediction(object, predict_blocks(object, newdata), type, NULL, threshold))
  }
  newdata <- if (missing(newdata)) list() else as_new_form(object$frame, newdata)
  if (type == "terms") return(new_contributions(object, newdata, precomputed, groups))
  decision <- new_decision(object, newdata, precomputed)
  shape_prediction(object, decision, type, new_cases(newdata, precomputed), threshold)
}

# Matrices of new rows: is there a use for them, and do they say all about these rows?
check_precomputed <- function(object, alone) {
  if (length(precomputed_names(object$kernels)) == 0L) {
    stop_mkl(
      "data_error", "precomputed", "`precomputed` holds kernel matrices, but the fit has none. ",
      "Leave it out."
    )
  }
  if (!has_columns(object$frame)) {
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

default_type <- function(object) task_traits(object$task)$types[1L]

check_type <- function(type, object) {
  type <- check_choice(type, "type", c("class", "prob", "decision", "response", "terms"))
  possible <- c(task_traits(object$task)$types, "terms")
  if (!type %in% possible) {
    expected <- paste0("one of ", quote_all(possible), " for the task \"", object$task, "\"")
    stop_must("type", expected, type)
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
  new <- new_rows(object, newdata, precomputed)
  decision_values(object, new$x, new$blocks, makes_columns(object$frame), new$cases)
}

# list(x, blocks, cases): the columns, not yet scaled, the kernel matrices and the names of new
# rows.
new_rows <- function(object, newdata, precomputed) {
  if (is.null(newdata)) {
    stop_mkl("data_error", "newdata", "`newdata` is NULL. Leave it out to get the training rows.")
  }
  blocks <- find_blocks(object, newdata, precomputed)
  empty <- length(newdata) == 0L && ncol(object$train) == 0L && length(blocks)
  x <- if (!empty) bake_frame(object$frame, newdata)
  # Where there are no columns, the matrices say how many rows there are, unless a table does.
  if (is.null(x) || (ncol(x) == 0L && is.null(dim(newdata)))) {
    x <- matrix(0, nrow(blocks[[1L]]), 0L)
  }
  cases <- new_cases(newdata, precomputed)
  for (name in names(blocks)) {
    check_case_order(list(name = name, labels = attr(blocks[[name]], "cases")), cases)
  }
  list(x = x, blocks = blocks, cases = cases)
}

# Decision values at the rows of x, not yet scaled; NA where something is missing. Those of
# regression are in the units of the response. `own`: nobody else holds x, see apply_scaling();
# `cases`: names of the rows, for messages.
decision_values <- function(object, x, blocks, own = FALSE, cases = NULL) {
  rows <- scaled_rows(object, x, blocks, own, cases)
  out <- matrix(NA_real_, rows$n, length(object$models))
  if (length(rows$take)) out[rows$take, ] <- core_decision(object, rows$x, blocks, rows$take)
  unscale_response(out, object$response_scaling)
}

# list(x, take, n): which of the n rows are complete, and these as kernels see them.
scaled_rows <- function(object, x, blocks, own, cases = NULL) {
  label <- row_labels(cases, row_unit(x))
  n <- nrow(x)
  if (is_view_features(x)) {
    x <- pick_views(x, names(object$frame$views))
    x$missing <- object$frame$missing
  }
  complete <- if (ncol(x)) complete_rows(x, "newdata", label) else rep(TRUE, n)
  for (name in names(blocks)) {
    if (nrow(blocks[[name]]) != n) {
      stop_kernel(name, "has ", nrow(blocks[[name]]), " new rows, but the data have ", n, ".")
    }
    complete <- complete & complete_block(blocks[[name]], name)
  }
  take <- which(complete)
  if (length(take)) {
    x <- scale_new(x, object$frame, if (!all(complete)) take, own)
    check_ranges(object$kernels, x, function(row) label(take[row]))
  }
  list(x = x, take = take, n = n)
}

# Decision values at the rows of x, complete and standardized, a column for each model. `take`:
# which rows of the blocks these are.
core_decision <- function(object, x, blocks, take) UseMethod("core_decision")

#' @export
core_decision.default <- function(object, x, blocks, take) {
  call_core(object, x, blocks, take, function(items, control) {
    predict_cpp(x, object$train, items, object$normalizers, object$models, control)
  })
}

# f(items, control) with the kernels of a fit as the core takes them for new rows.
call_core <- function(object, x, blocks, take, f) {
  columns <- object$kept
  if (!is.null(object$rows)) columns <- object$rows[columns]
  items <- new_blocks(object$kernels, x, object$train, blocks, take, columns)
  control <- core_control(object$control, object$seed)
  with_kernel_progress(control, sum(item_counts(items)), "predict()", function(control) {
    f(core_items(items), control)
  })
}

# Matrices of new by training rows for precomputed kernels: checked, in a list by name.
find_blocks <- function(object, newdata, precomputed) {
  names <- precomputed_names(object$kernels)
  if (length(names) == 0L) return(list())
  given <- new_matrices(object$frame, newdata, precomputed, names)
  if (is.null(given$blocks)) {
    stop_mkl(
      "data_error", "precomputed", "The fit uses kernel matrices: give those of the new rows, ",
      "precomputed = list(", names[1L], " = ), as n_new x ", object$n_input, " matrices."
    )
  }
  check_blocks(
    given$blocks, names, object$n_input, given$argument, precomputed_labels(object$kernels)
  )
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
  attr(plain, "cases") <- rownames(block)
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
  found <- complete_rows_cpp(block)
  place <- found$infinite
  if (length(place)) stop_entry(name, block, place[1L] + (place[2L] - 1) * nrow(block))
  found$complete
}

# From decision values to what the user asked for -------------------------------------------------

# `cases`: names of the rows, or NULL; `threshold`: as check_threshold() gives it, or NULL.
shape_prediction <- function(object, decision, type, cases = NULL, threshold = NULL) {
  out <- switch(type,
    decision = shape_decision(object, decision),
    response = decision[, 1L],
    class = if (is.null(object$classes)) decision[, 1L] >= 0 else {
      shape_class(object, decision, threshold)
    },
    prob = shape_probability(object, decision)
  )
  name_cases(out, cases)
}

shape_decision <- function(object, decision) {
  if (ncol(decision) == 1L) return(decision[, 1L])
  dimnames(decision) <- list(NULL, model_names(object))
  decision
}

shape_class <- function(object, decision, threshold = NULL) {
  if (!is.null(threshold)) return(threshold_class(object, decision, threshold))
  known <- !is.na(decision[, 1L])
  code <- rep(NA_integer_, nrow(decision))
  if (ncol(decision) == 1L) {
    code[known] <- as.integer(decision[known, 1L] >= 0)
  } else if (any(known)) {
    code[known] <- vote_cpp(
      decision[known, , drop = FALSE], object$models, length(object$classes)
    )
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
  probability_cpp(decision, object$models, length(object$classes))
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
