#' Support vector machine on one randomly selected kernel
#'
#' Fits a support vector machine to a kernel drawn at random, without using the data: a lower
#' baseline for methods that select kernels.
#'
#' @details
#' One index is drawn uniformly, \deqn{m \sim U\{1, \dots, M\}, \quad K = K_m,}{
#'   m ~ U(1, ..., M),  K = K_m,} and
#' [learner_svm()] is fitted to that kernel. All pairs of classes of a fit use the same kernel.
#' Use [set.seed()] to reproduce the draw.
#'
#' # Choosing parameters
#' See [learner_svm()]. Repeat the fit with several seeds to see how much the choice of the kernel
#' matters for the data.
#'
#' @inheritParams learner_svm
#' @inherit learner_svm return
#' @inherit learner_average references
#' @family learners
#' @examples
#' set.seed(1)
#' fit <- mkl(Species ~ ., droplevels(iris[51:150, ]), learner = learner_random())
#' kernel_weights(fit)
#' @export
learner_random <- function(cost = 4, epsilon = 0.1, nu = 0.1, ...) {
  check_dots(...)
  svm_learner(
    name = "random", label = "One kernel at random",
    parameters = svm_parameters(cost, epsilon, nu), constructor = learner_random, core = "random",
    kernels = spread_kernels, normalize = "trace", stochastic = TRUE, path = "cost",
    labels_inside = FALSE, approximate = TRUE, work = c(1, 2)
  )
}
