# Contributions of kernels and views to decision values: predict(type = "terms").

# list(names, of): the groups whose contributions are asked for, and that of each kernel. An error
# for learners whose decision is no sum.
contribution_groups <- function(object, by) UseMethod("contribution_groups")

#' @export
contribution_groups.mkl <- function(object, by) {
  of <- if (by == "kernel") item_names(object$kernels) else kernel_groups(object)
  names <- if (by == "kernel") of else unique(of)
  list(names = names, of = if (by == "kernel") seq_along(of) else match(of, names))
}

#' @export
contribution_groups.mkl_features <- function(object, by) {
  stop_mkl(
    "argument_error", "type", "The decision value of ", object$learner$label, " is no sum over ",
    "kernels or views: it has no terms. importance() tells what the fit uses."
  )
}

new_contributions <- function(object, newdata, precomputed, groups) {
  new <- new_rows(object, newdata, precomputed)
  rows <- scaled_rows(object, new$x, new$blocks, makes_columns(object$frame), new$cases)
  terms <- if (length(rows$take)) core_terms(object, rows$x, new$blocks, rows$take, groups)
  shape_terms(object, terms, groups, rows, new$cases)
}

# The fit holds the training rows, as the kernels saw them, if all are support vectors.
training_terms <- function(object, groups) {
  if (nrow(object$train) != object$n || length(precomputed_names(object$kernels))) {
    stop_mkl(
      "argument_error", "newdata", "The fit keeps the decision values of its training rows, not ",
      "the contributions that they are made of. Give the rows as `newdata`."
    )
  }
  at <- object$kept
  rows <- list(take = at, n = object$n)
  if (!is.null(object$rows) && object$na_action == "exclude") {
    rows <- list(take = object$rows[at], n = object$n_input)
  }
  terms <- core_terms(object, object$train, list(), seq_len(object$n), groups)
  shape_terms(object, terms, groups, rows, training_cases(object))
}

# For each model list(values, constant): the contributions of each group (columns) at the rows of x,
# complete and standardized. The rest as for core_decision(); `groups`: see contribution_groups().
core_terms <- function(object, x, blocks, take, groups) UseMethod("core_terms")

#' @export
core_terms.default <- function(object, x, blocks, take, groups) {
  call_core(object, x, blocks, take, function(items, control) {
    predict_terms_cpp(
      x, object$train, items, object$normalizers, object$models, groups$of,
      length(groups$names), control
    )
  })
}

# cases x groups, or cases x groups x models, with the attribute "constant": in the units of the
# response, so that the terms of a row and the constant add up to its decision value.
shape_terms <- function(object, terms, groups, rows, cases) {
  scaling <- object$response_scaling %||% list(center = 0, scale = 1)
  count <- length(object$models)
  out <- array(NA_real_, c(rows$n, length(groups$names), count))
  constant <- rep(NA_real_, count)
  for (m in seq_along(terms)) {
    out[rows$take, , m] <- terms[[m]]$values * scaling$scale
    constant[m] <- terms[[m]]$constant * scaling$scale + scaling$center
  }
  named <- length(cases) == rows$n && rows$n > 0L
  names <- list(if (named) as.character(cases), groups$names, model_names(object))
  if (count == 1L) {
    dim(out) <- dim(out)[1:2]
    names <- names[1:2]
  }
  dimnames(out) <- names
  structure(out, constant = stats::setNames(constant, model_names(object)))
}
