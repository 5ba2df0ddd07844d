# A grid of (c, lambda) for MultiK-MHKS, fitted in one call.

#' Regularization path of MultiK-MHKS: a grid of parameters in one fit
#'
#' Fits [multik_mhks()] for all pairs of `c` and `lambda` from one eigendecomposition for each
#' kernel: a grid of 81 pairs takes about as long as one fit.
#'
#' @details
#' With \eqn{Y_l = U S V'}, the step of equation (9),
#' \deqn{\big( (1 + \lambda \tfrac{m-1}{m}) Y_l'Y_l + c \tilde I \big)^{-1} Y_l' t,}{
#'   ((1 + lambda (m - 1) / m) Y_l'Y_l + c I~)^-1 Y_l' t,}
#' needs only \eqn{U't} and factors that depend on \eqn{S}, \eqn{c} and \eqn{\lambda}. All pairs
#' are iterated together, each until convergence, and every result equals that of a separate fit,
#' up to rounding.
#'
#' # Choosing parameters
#' The default is the grid of the paper. Compare `predict(path, newdata)` with the classes of rows
#' that were not used in training, choose the best pair, and extract its fit with `grid_fit(path,
#' c, lambda)`.
#'
#' @inheritParams multik_mhks
#' @param x,... Data and settings, as for [multik_mhks()].
#' @param c,lambda Values of the ridge penalty and of the penalty on disagreement, non-negative
#'   numbers; all pairs are fitted.
#' @param object A result of `multik_mhks_path()`.
#' @param newdata New data, as for [`predict()`][predict.mkl]; the training rows by default.
#' @param type Type of prediction: `"class"` or `"decision"`.
#' @param precomputed,new_levels See [`predict()`][predict.mkl].
#' @return `multik_mhks_path()`: an object of class `mkl_mhks_grid`. Its element `grid` is a data
#'   frame with one row for each pair: `c`, `lambda` and, over all pairs of classes, the sum of the
#'   objectives and of the iterations and whether all converged.
#'
#'   `predict()`: an array of rows by `c` by `lambda`, of classes as text or of decision values; for
#'   decision values of several classes an array of rows by models by `c` by `lambda`.
#'
#'   `grid_fit()`: the fit of one pair, as [multik_mhks()] gives it.
#' @inherit multik_mhks references
#' @family learners
#' @examples
#' train <- c(1:35, 51:85, 101:135)
#' path <- multik_mhks_path(Species ~ ., iris[train, ], c = 2^c(-4, 0, 4), lambda = 2^c(-4, 0, 4))
#' path
#' classes <- predict(path, iris[-train, ])
#' apply(classes, 2:3, function(p) mean(p == iris$Species[-train]))
#' grid_fit(path, c = 1, lambda = 1 / 16)
#' @export
multik_mhks_path <- function(x, ..., c = 2^(-4:4), lambda = 2^(-4:4), rank = NULL,
                             landmarks = NULL, rho = 0.99, margin = 1e-6) {
  c <- check_grid(c, "c")
  lambda <- check_grid(lambda, "lambda")
  learner <- learner_multik_mhks(c[1L], lambda[1L], rank, landmarks, rho, margin)
  learner$pairs <- expand.grid(c = c, lambda = lambda, KEEP.OUT.ATTRS = FALSE)
  class(learner) <- c("mkl_learner_mhks_grid", class(learner))
  fit <- front_door(learner, x, ...)
  new_mhks_grid(fit, c, lambda)
}

check_grid <- function(x, argument) {
  x <- check_numbers(x, argument, 0)
  if (anyDuplicated(x)) {
    stop_mkl(
      "argument_error", argument, "`", argument, "` has the value ",
      format_number(x[duplicated(x)][1L]), " more than once."
    )
  }
  x
}

# All models of all pairs, one after the other; their names tell the pairs apart in warnings.
#' @export
scores_in_core.mkl_learner_mhks_grid <- function(learner) FALSE

#' @export
fit_core.mkl_learner_mhks_grid <- function(learners, x, problem, items, parameters, control) {
  grid <- learners[[1L]]$pairs
  points <- Map(function(c, lambda) {
    utils::modifyList(parameters[[1L]], list(c = c, lambda = lambda))
  }, grid$c, grid$lambda)
  fits <- fit_core.mkl_learner(learners, x, problem, items, points, control)
  names <- paste0("c = ", format_number(grid$c), ", lambda = ", format_number(grid$lambda))
  models <- Map(function(fit, name) {
    lapply(fit$models, function(model) c(model, name = name))
  }, fits, names)
  out <- fits[[1L]]
  out$models <- do.call(base::c, unname(models))
  out$decision <- do.call(cbind, lapply(fits, function(fit) fit$decision))
  list(out)
}

# `fit` holds the models of all pairs; here they are sorted by pair.
new_mhks_grid <- function(fit, c, lambda) {
  grid <- fit$learner$pairs
  count <- length(fit$models) / nrow(grid)
  owner <- rep(seq_len(nrow(grid)), each = count)
  fit$models <- lapply(fit$models, function(model) model[names(model) != "name"])
  models <- unname(split(fit$models, owner))
  decision <- lapply(seq_len(nrow(grid)), function(k) fit$decision[, owner == k, drop = FALSE])
  reports <- function(models, what) vapply(models, function(m) as.double(m$report[[what]]), 0)
  grid$objective <- vapply(models, function(m) sum(reports(m, "objective")), 0)
  grid$iterations <- vapply(models, function(m) sum(reports(m, "iterations")), 0)
  grid$converged <- vapply(models, function(m) all(reports(m, "converged") == 1), NA)
  fit$learner$pairs <- NULL
  class(fit$learner) <- class(fit$learner)[-1L]
  fit$models <- fit$decision <- fit$seal <- NULL
  seal_fit(structure(
    class = "mkl_mhks_grid",
    list(
      grid = grid, c = c, lambda = lambda, models = models, decision = decision, fit = fit,
      call = fit$call
    )
  ))
}

#' @rdname multik_mhks_path
#' @export
grid_fit <- function(object, c, lambda, ...) {
  check_dots(...)
  check_class(object, "object", "mkl_mhks_grid", "made by multik_mhks_path()")
  check_other_seal(object)
  find <- function(value, values, argument) {
    value <- check_number(value, argument, 0)
    at <- which(abs(values - value) <= 1e-8 * value)
    if (length(at) != 1L) {
      known <- paste(format_number(values), collapse = ", ")
      stop_must(argument, paste0("a value of the grid (", known, ")"), value)
    }
    at
  }
  row <- find(c, object$c, "c") + length(object$c) * (find(lambda, object$lambda, "lambda") - 1)
  point_fit(object, row)
}

# The fit of one row of the grid, complete.
point_fit <- function(object, row) {
  fit <- object$fit
  fit$learner$parameters[c("c", "lambda")] <- object$grid[row, c("c", "lambda")]
  fit$models <- object$models[[row]]
  fit$decision <- object$decision[[row]]
  # As a call of its own, so that update() makes this fit again.
  fit$call[[1L]] <- quote(multik_mhks)
  fit$call$c <- object$grid$c[row]
  fit$call$lambda <- object$grid$lambda[row]
  seal_fit(fit)
}

#' @rdname multik_mhks_path
#' @export
predict.mkl_mhks_grid <- function(object, newdata, type = c("class", "decision"),
                                  precomputed = NULL, new_levels = c("error", "missing"), ...) {
  check_other_seal(object)
  check_dots(..., called = "predict()")
  if (!missing(new_levels)) object$fit$frame$new_levels <- check_new_levels(new_levels)
  type <- check_choice(type, "type", c("class", "decision"))
  count <- length(object$models[[1L]])
  values <- if (missing(newdata)) {
    do.call(cbind, lapply(seq_along(object$models), function(k) {
      training_decision(point_fit(object, k))
    }))
  } else {
    grid_decision(object, newdata, precomputed)
  }
  cases <- if (missing(newdata)) training_cases(object$fit) else new_cases(newdata, precomputed)
  n <- nrow(values)
  sizes <- c(length(object$c), length(object$lambda))
  labels <- list(
    if (length(cases) == n && n > 0L) as.character(cases),
    c = format_number(object$c, 15L), lambda = format_number(object$lambda, 15L)
  )
  if (type == "class") {
    classes <- vapply(seq_along(object$models), function(k) {
      fit <- point_fit(object, k)
      columns <- (k - 1L) * count + seq_len(count)
      as.character(shape_class(fit, values[, columns, drop = FALSE]))
    }, character(n))
    return(array(classes, c(n, sizes), labels))
  }
  if (count == 1L) return(array(values, c(n, sizes), labels))
  names <- model_names(point_fit(object, 1L))
  array(values, c(n, count, sizes), append(labels, list(names), 1L))
}

# Decision values of all models of the grid.
grid_decision <- function(object, newdata, precomputed) {
  fit <- object$fit
  fit$models <- do.call(c, object$models)
  new_decision(fit, newdata, precomputed)
}

#' @export
print.mkl_mhks_grid <- function(x, ...) {
  cat(x$fit$learner$label, " on a grid: ", describe_task(point_fit(x, 1L)), "\n", sep = "")
  cat("  c:      ", paste(format_number(x$c), collapse = ", "), "\n", sep = "")
  cat("  lambda: ", paste(format_number(x$lambda), collapse = ", "), "\n", sep = "")
  cat("Data:    ", describe_training(x$fit), "\n", sep = "")
  cat("Kernels: ", paste(item_names(x$fit$kernels), collapse = ", "), "\n", sep = "")
  cat("Solver:  ", sum(x$grid$converged), " of ", nrow(x$grid), " pairs converged, in ",
      min(x$grid$iterations), " to ", max(x$grid$iterations), " iterations\n", sep = "")
  invisible(x)
}
