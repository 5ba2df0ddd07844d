# Why one case has the prediction that it has: explain_case().

#' Explain a single prediction: contributions of views, kernels and training cases
#'
#' Decomposes the decision value of one case into exact contributions of views or kernels, and of
#' training cases.
#'
#' @details
#' The decision value of a kernel method is a sum over kernels and training cases,
#' \deqn{f(x) = b + \sum_i \sum_m \beta_i d_m k_m(x_i, x).}{f(x) = b + sum_i sum_m beta_i d_m
#' k_m(x_i, x).} Summed over the training cases \eqn{i} it gives the contributions of the kernels
#' \eqn{m} (or of the views, the sums over their kernels); summed over the kernels it gives the
#' contributions of the training cases. Both sums are equal to \eqn{f(x) - b}, up to rounding.
#'
#' A training case contributes in favor of its own class (or toward larger values, for regression,
#' if its response is above the tube); the contribution increases with its similarity to the case
#' and with its coefficient. Only support vectors contribute. With kernels that have negative
#' values, such as the linear kernel on standardized columns, dissimilar cases contribute in the
#' opposite direction.
#'
#' Learners that vote ([learner_mkboost()], [learner_cca_mhks()] with votes) have contributions of
#' kernels only, and so have fits with `approximate`, which do not use the training cases
#' directly. [learner_gmkl()] with a product of kernels has contributions of training cases only,
#' and [learner_lda()] contributions of views only. For learners that are not support vector
#' machines, such as [learner_cca_mhks()], the contributions of single cases can be large and
#' cancel out; their signs are then not informative about the class of a case.
#'
#' # Choosing models
#' With three or more classes the models that involve the predicted class are explained, that is
#' its pairs with the other classes; use `models` to select others.
#'
#' @param object A fit of [mkl()].
#' @param case One case, in the form of the training data: a data frame or matrix with one row, or
#'   [views()] with one case.
#' @param by Contributions by `"view"` or `"kernel"`; the default is `"view"` for fits to
#'   [views()].
#' @param models Names of the models to be explained (column names of `predict(type =
#'   "decision")`); `NULL` for those of the predicted class.
#' @param ... Not used; misspelled arguments raise an error.
#' @return An object of class `mkl_case`, a list with
#'   * `prediction`: of [`predict()`][predict.mkl]; `decision` and `constant`: by model;
#'   * `terms`: a data frame with the columns `model` (where there are several), `term` and
#'     `contribution`, the largest first; `NULL` if the learner has none;
#'   * `cases`: a data frame with `model`, `case` (the name or the row of the training case),
#'     `response` and `contribution`, the largest first; `NULL` if the learner has none;
#'   * `by`, `toward` (the outcomes favored by negative and positive contributions, by model) and
#'     `learner`.
#' @inherit kernel_weights references
#' @family explanations
#' @examples
#' train <- seq(1, 150, 2)
#' flowers <- function(rows) views(sepal = iris[rows, 1:2], petal = iris[rows, 3:4])
#' fit <- simplemkl(flowers(train), droplevels(iris$Species[train]))
#' why <- explain_case(fit, flowers(84))
#' why
#' head(why$cases)
#' plot(why)
#' @export
explain_case <- function(object, case, ...) UseMethod("explain_case")

#' @export
explain_case.default <- function(object, case, ...) stop_no_fit(object)

#' @rdname explain_case
#' @export
explain_case.mkl <- function(object, case, by = c("view", "kernel"), models = NULL, ...) {
  object <- check_fit(object)
  check_dots(...)
  if (missing(case) || is.null(case)) {
    stop_mkl("argument_error", "case", "`case` must be a case to explain.")
  }
  usual <- if (is.null(object$frame$views)) "kernel" else "view"
  by <- if (missing(by)) usual else check_choice(by, "by", c("view", "kernel"))
  case <- as_new_form(object$frame, case)
  decision <- one_decision(object, case)
  chosen <- explained_models(object, decision, models)
  parts <- list(
    terms = or_reason(case_terms(object, case, by, chosen)),
    cases = or_reason(case_amounts(object, case, chosen))
  )
  reasons <- Filter(function(part) inherits(part, "error"), parts)
  if (length(reasons) == 2L) stop(reasons[[1L]])
  parts[names(reasons)] <- list(NULL)
  names <- model_names(object)
  structure(class = "mkl_case", list(
    prediction = shape_prediction(object, decision, default_type(object)),
    decision = stats::setNames(decision[1L, chosen], names[chosen]),
    constant = attr(parts$terms, "constant") %||% attr(parts$cases, "constant"),
    terms = plain_frame(parts$terms), cases = plain_frame(parts$cases), by = by,
    toward = lapply(stats::setNames(object$models[chosen], names[chosen]), pulls, object),
    learner = object$learner$label
  ))
}

# Decision values of the case, one for each model.
one_decision <- function(object, case) {
  decision <- new_decision(object, case, NULL)
  if (nrow(decision) != 1L) {
    stop_mkl("data_error", "case", "`case` must be one case, not ", nrow(decision), ".")
  }
  if (anyNA(decision)) {
    stop_mkl("data_error", "case", "`case` has missing values, so that there is no prediction.")
  }
  decision
}

# A part of the explanation, or the error that says why there is none.
or_reason <- function(expr) {
  tryCatch(expr, multikernel_error = function(e) {
    if (!isTRUE(e$argument %in% c("type", "object", "by"))) stop(e)
    e
  })
}

# Without the attributes that are of use here only.
plain_frame <- function(x) {
  attr(x, "constant") <- NULL
  x
}

# Positions of the models to explain.
explained_models <- function(object, decision, models) {
  names <- model_names(object)
  if (!is.null(models)) {
    if (is.null(names)) {
      stop_mkl("argument_error", "models", "`models` has no use: the fit has one model.")
    }
    return(vapply(models, function(one) {
      match(check_choice(one, "models", names), names)
    }, 0L, USE.NAMES = FALSE))
  }
  if (is.null(names)) return(1L)
  winner <- match(as.character(shape_class(object, decision)), object$classes) - 1L
  which(vapply(object$models, function(model) winner %in% c(model$positive, model$negative), NA))
}

# What negative and positive contributions pull to.
pulls <- function(model, object) {
  if (is.null(object$classes)) {
    return(if (task_traits(object$task)$response) c("smaller", "larger") else c("odd", "usual"))
  }
  positive <- object$classes[model$positive + 1L]
  if (model$negative < 0) return(c(paste("not", positive), positive))
  c(object$classes[model$negative + 1L], positive)
}

# Contributions of views or kernels in long form, with the attribute "constant".
case_terms <- function(object, case, by, chosen) {
  terms <- new_contributions(object, case, NULL, contribution_groups(object, by))
  constant <- attr(terms, "constant")[chosen]
  names <- dimnames(terms)[[2L]]
  terms <- matrix(terms, length(names))
  structure(stack_models(object, chosen, function(m) {
    data.frame(term = names, contribution = terms[, m])
  }), constant = constant)
}

# Amounts of the training cases.
case_amounts <- function(object, case, chosen) {
  if (!is.null(object$approximation)) {
    stop_mkl(
      "argument_error", "object", "The decision value of a fit with `approximate` is a sum over ",
      if (object$approximation$method == "random_features") {
        "random features, not over training cases."
      } else {
        "landmarks, which stand for other training cases too."
      }
    )
  }
  new <- new_rows(object, case, NULL)
  rows <- scaled_rows(object, new$x, new$blocks, makes_columns(object$frame), new$cases)
  amounts <- row_amounts(object, rows$x, new$blocks, rows$take)
  scale <- object$response_scaling$scale %||% 1
  facts <- model_facts(object)
  center <- object$response_scaling$center %||% 0
  constant <- vapply(facts[chosen], function(one) one$bias, 0) * scale + center
  used <- if (is.null(object$rows)) object$kept else object$rows[object$kept]
  label <- object$cases[used] %||% used
  response <- training_labels(object)[object$kept]
  structure(stack_models(object, chosen, function(m) {
    at <- facts[[m]]$rows
    out <- data.frame(case = label[at], contribution = scale * amounts[[m]][1L, at])
    if (length(response)) out <- cbind(out["case"], response = response[at], out["contribution"])
    out[out$contribution != 0, ]
  }), constant = constant)
}

# For each model a matrix of new rows by training rows that the fit kept.
row_amounts <- function(object, x, blocks, take) UseMethod("row_amounts")

#' @export
row_amounts.default <- function(object, x, blocks, take) {
  call_core(object, x, blocks, take, function(items, control) {
    predict_rows_cpp(x, object$train, items, object$normalizers, object$models, control)
  })
}

#' @export
row_amounts.mkl_features <- function(object, x, blocks, take) {
  stop_mkl(
    "argument_error", "object", "The decision value of ", object$learner$label, " is no sum over ",
    "training cases."
  )
}

# Classes or numbers of the training rows; NULL if the fit has lost them.
training_labels <- function(object) {
  if (is.null(object$y) || is.null(object$classes)) return(object$y)
  as.character(class_factor(object, object$y))
}

# Tables of several models below each other, each with the largest contributions first.
stack_models <- function(object, chosen, make) {
  names <- model_names(object)
  tables <- lapply(chosen, function(m) {
    table <- make(m)
    table <- table[order(-abs(table$contribution), method = "radix"), ]
    if (is.null(names)) table else cbind(model = rep(names[m], nrow(table)), table)
  })
  stack_tables(tables)
}

# Printing -----------------------------------------------------------------------------------------

#' @export
print.mkl_case <- function(x, limit = 5, digits = 3, ...) {
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  cat("<mkl_case> ", x$learner, ": predicts ", format(unname(x$prediction), digits = digits),
      "\n", sep = "")
  most <- 4L
  shown <- sort(utils::head(order(abs(x$decision)), most))
  for (m in shown) print_model_case(x, m, limit, digits)
  if (length(x$decision) > most) {
    cat("... and ", plural(length(x$decision) - most, "model"), " with decision values farther ",
        "from 0\n", sep = "")
  }
  invisible(x)
}

print_model_case <- function(x, m, limit, digits) {
  of_model <- function(table) {
    if (is.null(table$model)) table else table[table$model == names(x$decision)[m], -1L]
  }
  number <- function(value) format_number(value, digits)
  title <- if (length(names(x$decision))) paste0(names(x$decision)[m], ": ") else ""
  cat(title, "decision value ", number(x$decision[[m]]), ", of which ", number(x$constant[[m]]),
      " constant\n", sep = "")
  if (!is.null(x$terms)) {
    terms <- of_model(x$terms)
    cat("Contributions of the ", x$by, "s", left_out(nrow(terms), 2 * limit), ":\n", sep = "")
    print(format_numbers(utils::head(terms, 2 * limit), digits), row.names = FALSE)
  }
  if (is.null(x$cases)) return(invisible())
  cases <- of_model(x$cases)
  for (side in 2:1) {
    own <- cases[if (side == 2L) cases$contribution > 0 else cases$contribution < 0, ]
    if (nrow(own) == 0L) {
      cat("No training case pulls to ", x$toward[[m]][side], "\n", sep = "")
      next
    }
    cat("Training cases that pull to ", x$toward[[m]][side], " (", nrow(own), ", together ",
        number(sum(own$contribution)), ")", left_out(nrow(own), limit), ":\n", sep = "")
    print(format_numbers(utils::head(own, limit), digits), row.names = FALSE)
  }
}

left_out <- function(count, limit) if (count > limit) paste0(", the largest ", limit) else ""
