#' Linear discriminant analysis as a baseline
#'
#' Linear discriminant analysis as in [MASS::lda()], with the interface of the learners of this
#' package, for comparisons with kernel methods in [mkl()] and [benchmark_mkl()]. It uses the
#' columns of the data and no kernels.
#'
#' @details
#' With class means \eqn{\mu_c}, priors \eqn{\pi_c} and the pooled covariance matrix \eqn{\Sigma},
#' the decision value of class \eqn{c} is
#' \deqn{\delta_c(x) = x' \Sigma^{-1} \mu_c - \frac12 \mu_c' \Sigma^{-1} \mu_c + \log \pi_c.}{
#'   delta_c(x) = x' Sigma^-1 mu_c - mu_c' Sigma^-1 mu_c / 2 + log pi_c.}
#' With two classes it is the difference, second minus first: the logarithm of the odds. Several
#' classes are compared directly, without a reduction to pairs: `multiclass` is not used, and
#' `predict(type = "decision")` has one column for each class, up to a constant that all classes
#' share. `predict(type = "prob")` gives the posterior probabilities, with or without
#' `probability = TRUE`.
#'
#' * Arguments of [mkl()] about kernels (`kernels`, `normalize`) are not used, and of kernel terms
#'   in a formula only the columns are used. Kernel matrices without columns raise an error.
#' * Constant columns are dropped, and so are directions without variance, such as the sum of all
#'   indicators of a factor. A column that is constant within each class, but differs between
#'   classes, raises an error: it separates the classes perfectly.
#' * Observation weights and class weights raise an error; see `prior`.
#'
#' # Choosing parameters
#' `prior = "equal"` gives rare classes the same weight as others; `"proportions"` gives fewer
#' errors in total. The result does not depend on scaling, except for rounding errors.
#'
#' @param prior Prior probabilities of the classes: `"proportions"` for the class frequencies of
#'   the training rows, or `"equal"`.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A learner, class `mkl_learner`.
#' @references
#' Venables, W. N. and Ripley, B. D. (2002). *Modern Applied Statistics with S*, section 12.1.
#' Springer.
#' @family learners
#' @examples
#' if (requireNamespace("MASS", quietly = TRUE)) {
#'   train <- c(1:35, 51:85, 101:135)
#'   fit <- mkl(Species ~ ., iris[train, ], learner = learner_lda())
#'   print(fit)
#'   print(table(predict(fit, iris[-train, ]), iris$Species[-train]))
#'   round(predict(fit, iris[c(51, 134), ], type = "prob"), 3)
#' }
#' @export
learner_lda <- function(prior = c("proportions", "equal"), ...) {
  check_dots(...)
  prior <- check_choice(prior, "prior", c("proportions", "equal"))
  new_feature_learner(
    "lda", "Linear discriminant analysis", list(prior = prior), learner_lda,
    grid = list(prior = c("proportions", "equal")), package = "MASS"
  )
}

#' @export
train_features.mkl_learner_lda <- function(learner, x, y, classes) {
  varies <- apply(unname(x), 2L, function(column) any(column != column[1L]))
  if (!any(varies)) {
    stop_mkl("data_error", "x", "learner_lda() needs a column that is not constant, but all are.")
  }
  check_within(x, y, varies)
  group <- factor(y, levels = seq_len(classes) - 1L)
  prior <- tabulate(group, classes) / length(y)
  if (learner$parameters$prior == "equal") prior <- rep(1 / classes, classes)
  fit <- with_lda(MASS::lda(unname(x[, varies, drop = FALSE]), group, prior = prior))
  scores <- lda_scores(fit, varies)
  if (classes == 2L) scores <- list(Map(`-`, scores[[2L]], scores[[1L]]))
  states <- lapply(scores, function(score) c(list(type = "lda"), score))
  list(states = states, kept = integer())
}

# lda() divides by the spread within classes and takes one below 1e-4 for none.
check_within <- function(x, y, varies) {
  centred <- unname(x - apply(x, 2L, function(column) stats::ave(column, y)))
  spread <- sqrt(colMeans(centred^2))
  flat <- which(varies & spread < 1e-4)
  if (length(flat)) {
    stop_mkl(
      "data_error", "x", "learner_lda() cannot use column ", column_name(x, flat[1L]),
      ", which is (next to) constant within each class: its standard deviation there is ",
      format_number(spread[flat[1L]], 2L), ". Leave it out."
    )
  }
}

# Directions without variance are left out by lda(), which says so each time.
with_lda <- function(expr) {
  withCallingHandlers(
    from_package("MASS::lda()", expr), warning = function(w) {
      if (grepl("collinear", conditionMessage(w), fixed = TRUE)) tryInvokeRestart("muffleWarning")
    }
  )
}

# The discriminant functions: for each class the weights of all columns and a constant.
lda_scores <- function(fit, varies) {
  middle <- colSums(fit$prior * fit$means)
  projected <- (fit$means - rep(middle, each = nrow(fit$means))) %*% fit$scaling
  lapply(seq_along(fit$prior), function(class) {
    direction <- drop(fit$scaling %*% projected[class, ])
    weights <- numeric(length(varies))
    weights[varies] <- direction
    list(
      direction = weights,
      bias = log(fit$prior[[class]]) - sum(projected[class, ]^2) / 2 - sum(middle * direction)
    )
  })
}

#' @export
is_whole_state.mkl_learner_lda <- function(learner, state, columns, rows) {
  numbers <- c(state$direction, state$bias)
  is.double(state$direction) && length(state$direction) == columns && is.double(numbers) &&
    length(numbers) == columns + 1L && all(is.finite(numbers))
}

#' @export
feature_score.mkl_learner_lda <- function(learner, state, x, train) {
  drop(x %*% state$direction) + state$bias
}

# The views of the columns, or the columns of the data as one.
#' @export
contribution_groups.mkl_lda <- function(object, by) {
  if (by == "kernel") {
    stop_mkl(
      "argument_error", "by", "learner_lda() works on columns, not on kernels: use `by = \"view\"`."
    )
  }
  widths <- if (isTRUE(object$frame$flat)) object$frame$columns else c(all = ncol(object$train))
  list(names = names(widths), of = rep(seq_along(widths), widths))
}

#' @export
feature_terms.mkl_learner_lda <- function(learner, state, x, groups) {
  values <- vapply(seq_along(groups$names), function(group) {
    at <- groups$of == group
    drop(x[, at, drop = FALSE] %*% state$direction[at])
  }, numeric(nrow(x)))
  list(values = matrix(values, nrow(x)), constant = state$bias)
}

#' @export
score_probability.mkl_learner_lda <- function(learner, decision) {
  if (ncol(decision) == 1L) decision <- cbind(0, decision)
  odds <- exp(decision - do.call(pmax, as.data.frame(decision)))
  odds / rowSums(odds)
}
