#' k-nearest neighbors as a baseline
#'
#' k-nearest-neighbor classification as in [class::knn()], with the interface of the learners of
#' this package, for comparisons with kernel methods in [mkl()] and [benchmark_mkl()]. It uses the
#' columns of the data and no kernels.
#'
#' @details
#' A row is classified by the `k` training rows at the smallest Euclidean distance, including all
#' rows at the same distance as the last of them. The share of class \eqn{c} among these neighbors
#' \eqn{N(x)} is
#' \deqn{s_c(x) = \frac{1}{|N(x)|} \sum_{i \in N(x)} 1[y_i = c].}{
#'   s_c(x) = (number of i in N(x) with y_i = c) / |N(x)|.}
#' `predict(type = "decision")` gives \eqn{s_2 - s_1} for two classes and the shares themselves for
#' several, which are compared directly: `multiclass` is not used. `predict(type = "prob")` gives
#' the shares, with or without `probability = TRUE`. With two classes a tie is assigned to the
#' second class, like a decision value of 0 for all learners of this package; with several classes
#' to the first of the tied classes. [class::knn()] breaks ties at random.
#'
#' * `fitted()` counts each training row among its own neighbors.
#' * Arguments of [mkl()] about kernels (`kernels`, `normalize`) are not used, and of kernel terms
#'   in a formula only the columns are used. Kernel matrices without columns raise an error: the
#'   distance that they induce requires the similarity of new rows to themselves, which such
#'   matrices do not contain.
#' * Observation weights and class weights raise an error.
#'
#' # Choosing parameters
#' * `k`: 1 to 15 by cross-validation; odd values avoid ties of two classes. More neighbors give
#'   smoother boundaries.
#' * `scale` of [mkl()]: distances depend on it. `TRUE`, the default, gives all columns the same
#'   influence.
#'
#' @param k Number of neighbors, a positive integer; larger values give smoother boundaries.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A learner, class `mkl_learner`.
#' @references
#' Venables, W. N. and Ripley, B. D. (2002). *Modern Applied Statistics with S*, section 12.3.
#' Springer.
#' @family learners
#' @examples
#' if (requireNamespace("class", quietly = TRUE)) {
#'   train <- c(1:35, 51:85, 101:135)
#'   fit <- mkl(Species ~ ., iris[train, ], learner = learner_knn(k = 7))
#'   print(fit)
#'   print(table(predict(fit, iris[-train, ]), iris$Species[-train]))
#'   predict(fit, iris[c(51, 134), ], type = "prob")
#' }
#' @export
learner_knn <- function(k = 5, ...) {
  check_dots(...)
  k <- check_number(k, "k", 1, whole = TRUE)
  new_feature_learner(
    "knn", "Nearest neighbours", list(k = k), learner_knn, grid = list(k = seq(1, 15, 2)),
    package = "class"
  )
}

#' @export
train_features.mkl_learner_knn <- function(learner, x, y, classes) {
  k <- learner$parameters$k
  if (k > length(y)) {
    stop_must("k", paste0("at most the number of training rows, ", length(y)), k)
  }
  positive <- if (classes == 2L) 1L else seq_len(classes) - 1L
  states <- lapply(positive, function(code) {
    list(
      type = "knn", k = k, labels = ifelse(y == code, 1, -1), two = classes == 2L,
      rows = seq_along(y)
    )
  })
  list(states = states, kept = seq_along(y))
}

#' @export
is_whole_state.mkl_learner_knn <- function(learner, state, columns, rows) {
  is.double(state$labels) && length(state$labels) == rows && all(abs(state$labels) %in% 1) &&
    is.numeric(state$k) && length(state$k) == 1L && state$k %in% seq_len(rows) &&
    is.logical(state$two) && length(state$two) == 1L && !is.na(state$two)
}

#' @export
feature_score.mkl_learner_knn <- function(learner, state, x, train) {
  share <- neighbour_share(train, x, state$labels > 0, state$k)
  if (state$two) 2 * share - 1 else share
}

# The share of TRUE among the nearest neighbors.
neighbour_share <- function(train, x, labels, k) {
  need_package("class", "Fits of learner_knn() need")
  if (nrow(x) == 0L) return(numeric())
  # knn() draws lots in ties. The share of the winner is the same whoever wins, and the random
  # numbers of the session stay as they were.
  state <- save_generator()
  on.exit(restore_generator(state))
  winner <- from_package("class::knn()", {
    class::knn(train, x, factor(labels, levels = c(FALSE, TRUE)), k = k, prob = TRUE)
  })
  share <- attr(winner, "prob")
  ifelse(winner == "TRUE", share, 1 - share)
}

#' @export
score_probability.mkl_learner_knn <- function(learner, decision) {
  if (ncol(decision) == 1L) cbind((1 - decision) / 2, (1 + decision) / 2) else decision
}
