#' Support vector machine on the best single kernel
#'
#' Chooses one kernel of the set by cross-validation on the training rows.
#'
#' @details
#' \deqn{m^* = \arg\min_m \mathrm{CV}(K_m), \quad K = K_{m^*},}
#' with the cross-validated error rate (classification) or the root of the mean squared error
#' (regression); the first of equally good kernels is taken. The folds are drawn once, stratified by
#' class, and shared by all kernels; [set.seed()] governs them. With three and more classes each
#' pair of classes chooses for itself. A one-class problem has no response to be wrong about, so
#' that no kernel is the best: it is refused.
#'
#' # Choosing parameters
#' More `folds` make the choice steadier and slower: each kernel costs `folds` fits. For
#' `cost` see [learner_svm()].
#'
#' @param folds Number of folds, at least 2.
#' @inheritParams learner_svm
#' @inherit learner_svm return
#' @inherit learner_average references
#' @family learners
#' @examples
#' set.seed(1)
#' fit <- mkl(Species ~ ., droplevels(iris[51:150, ]), learner = learner_best(folds = 3))
#' kernel_weights(fit)
#' @export
learner_best <- function(cost = 1, folds = 5, epsilon = 0.1, nu = 0.5, ...) {
  check_dots(...)
  parameters <- svm_parameters(cost, epsilon, nu)
  parameters$folds <- check_number(folds, "folds", 2, whole = TRUE)
  new_learner(
    "best", parameters, "Best single kernel by cross-validation",
    tasks = c("classification", "regression"), stochastic = TRUE
  )
}
