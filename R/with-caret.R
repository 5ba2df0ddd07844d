# Interface to caret: the list that its train() takes as a method.

#' Use multikernel learners with caret
#'
#' Creates a custom `method` for `train()` of the package caret: any learner of this package, with
#' the parameters to be tuned.
#'
#' @details
#' The final model, `train(...)$finalModel`, is a fit of [mkl()],
#' \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b.}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b.} Probabilities are calibrated if
#' `trainControl(classProbs = TRUE)` requests them, which takes about five more fits for each; the
#' predicted class is always based on the decision values, see [predict.mkl()]. The `weights` of
#' `train()` are those of [mkl()], for learners with a cost.
#'
#' [tune_mkl()] does the same in less time, because points of a grid share their kernel matrices.
#'
#' # Choosing a grid
#' `tuneLength = k` uses k evenly spaced values of each parameter, or k points of a
#' [tune_range()]; with `search = "random"` it draws k points. `tuneGrid` overrides both. `grid =
#' list()` tunes nothing. Ties are resolved in favor of the first point: points are sorted by
#' their parameters, and a smaller cost is the simpler model.
#'
#' @param learner A learner or its name; `NULL` for the default of [mkl()], [learner_svm()] if
#'   `kernels` is a function.
#' @param grid Tuning grid: named list of values of parameters of the learner, of arguments of
#'   `kernels` if that is a function, or of `normalize`, `scale` and `multiclass`; the values are
#'   numbers, strings, or a [tune_range()]. `NULL` for `paper_grid(learner)`, see [paper_grid()].
#' @param kernels Kernels, or a function that returns them for parameters in `grid`; `NULL` for
#'   the default of [mkl()].
#' @param ... Further arguments of [mkl()] and parameters of the learner, the same for all points.
#'   Not those in `grid`, and not `weights`, `task` and `probability`, which `train()` sets.
#' @return A list with the elements required by caret: `label`, `library`, `type`, `parameters`,
#'   `grid`, `fit`, `predict`, `prob`, `levels`, `sort`, `predictors`, `tags`.
#' @references
#' Kuhn, M. (2008). Building predictive models in R using the caret package. *Journal of
#' Statistical Software* 28(5).
#' @family frameworks
#' @examples
#' method <- caret_mkl(learner_svm(),
#'   kernels = function(sigma) kernel_rbf(sigma), grid = list(sigma = c(1, 2), cost = c(1, 10))
#' )
#' method$parameters
#' if (requireNamespace("caret", quietly = TRUE)) {
#'   set.seed(1)
#'   caret::train(iris[1:4], iris$Species, method = method,
#'     tuneGrid = data.frame(sigma = 2, cost = c(1, 10)),
#'     trControl = caret::trainControl("cv", number = 2)
#'   )
#' }
#' @export
caret_mkl <- function(learner = NULL, grid = NULL, kernels = NULL, ...) {
  check_exact()
  maker <- if (is_kernel_maker(kernels)) kernels
  learner <- choose_learner(learner, if (is.null(maker)) kernels)
  fixed <- list(...)
  check_values(fixed, learner)
  if (is.null(maker) && !is.null(kernels)) fixed$kernels <- check_kernels(kernels)
  grid <- check_caret_grid(grid %||% paper_grid(learner), learner, maker)
  check_fixed(fixed, names(grid), maker)
  list(
    label = learner$label, library = "multikernel",
    type = framework_tasks("caret")[intersect(names(framework_tasks("caret")), learner$tasks)],
    parameters = caret_parameters(grid), grid = caret_grid(grid), loop = NULL,
    fit = caret_fit(learner, maker, fixed, names(grid)),
    predict = function(modelFit, newdata, preProc = NULL, submodels = NULL) { # nolint
      framework_values(stats::predict(modelFit, newdata))
    },
    prob = function(modelFit, newdata, preProc = NULL, submodels = NULL) { # nolint
      framework_values(stats::predict(modelFit, newdata, type = "prob"))
    },
    levels = function(x) x$levels,
    sort = function(x) x[do.call(order, unname(as.list(x))), , drop = FALSE],
    predictors = function(x, ...) x$frame$names,
    tags = c("Kernel Method", "Multiple Kernel Learning")
  )
}

# caret keeps points in a data frame: values that fit into a column.
check_caret_grid <- function(grid, learner, maker) {
  if (is.list(grid) && length(grid) == 0L && length(required_arguments(maker)) == 0L) return(grid)
  grid <- as.list(check_grid_names(grid, list(learner), maker))
  odd <- names(grid)[!vapply(grid, fits_column, NA)]
  if (length(odd)) {
    stop_mkl(
      "argument_error", "grid", "`grid` must have numbers, strings or a tune_range() for `",
      odd[1L], "`, not ", describe(grid[[odd[1L]]]), "."
    )
  }
  grid
}

# What is tuned, or what train() decides, cannot be given beside it: one of the two would be lost.
check_fixed <- function(fixed, tuned, maker) {
  elsewhere <- c(
    weights = "Give the weights of rows to train().",
    task = "train() takes it from the response.",
    probability = "Ask for it by trainControl(classProbs = TRUE)."
  )
  if (!is.null(maker)) elsewhere["kernels"] <- "The function in caret_mkl() makes them."
  elsewhere[tuned] <- "It is a parameter of `grid`: leave it out, or give a `grid` without it."
  taken <- intersect(names(fixed), names(elsewhere))
  if (length(taken)) {
    stop_mkl(
      "argument_error", taken[1L], "`", taken[1L], "` cannot be fixed here. ", elsewhere[taken[1L]]
    )
  }
}

fits_column <- function(values) {
  if (inherits(values, "mkl_range")) return(TRUE)
  is.atomic(values) && !is.object(values) && length(values) > 0L && !anyNA(values)
}

caret_parameters <- function(grid) {
  # The name that caret has for models without parameters.
  if (length(grid) == 0L) {
    return(data.frame(parameter = "parameter", class = "character", label = "parameter"))
  }
  class <- vapply(grid, function(values) {
    if (inherits(values, "mkl_range") || is.numeric(values)) "numeric" else class(values)[1L]
  }, "")
  data.frame(parameter = names(grid), class = unname(class), label = names(grid))
}

caret_grid <- function(grid) {
  force(grid)
  function(x, y, len = NULL, search = "grid") {
    if (length(grid) == 0L) return(data.frame(parameter = "none"))
    len <- len %||% 3
    if (search == "random") {
      points <- sample_points(grid, vapply(grid, inherits, NA, "mkl_range"), len)
      return(unique(as.data.frame(lapply(points, unlist), optional = TRUE)))
    }
    values <- lapply(grid, spread_values, len)
    expand.grid(values, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  }
}

spread_values <- function(values, len) {
  if (inherits(values, "mkl_range")) {
    return(unique(range_values(values, seq(0, 1, length.out = max(2, len)))))
  }
  if (len >= length(values)) return(values)
  if (len == 1) return(values[(length(values) + 1L) %/% 2L])
  values[round(seq(1, length(values), length.out = len))]
}

caret_fit <- function(learner, maker, fixed, tuned) {
  list(learner, maker, fixed, tuned) # forced, as caret calls the function much later
  function(x, y, wts, param, lev, last, classProbs, ...) { # nolint: object_name_linter.
    check_fixed(list(...), tuned, maker)
    point <- build_point(as.list(param)[tuned], learner, maker)
    values <- c(list(...), fixed)
    values[names(point$arguments)] <- point$arguments
    values$weights <- wts
    values$task <- task_called(if (is.factor(y)) "Classification" else "Regression", "caret")
    values$probability <- is.factor(y) && isTRUE(classProbs)
    if (!is.matrix(x)) x <- as.data.frame(x, optional = TRUE)
    framework_fit(x, y, learner = point$learner, values = values)
  }
}
