#' Support vector machine on one kernel drawn at random
#'
#' The floor for every method that claims to choose kernels: it does not look at the data.
#'
#' @details
#' One index is drawn uniformly, \deqn{m \sim U\{1, \dots, M\}, \quad K = K_m,}{
#'   m ~ U(1, ..., M),  K = K_m,} and
#' [learner_svm()] is fitted on that kernel. All pairs of classes of a fit share the draw, which
#' [set.seed()] governs.
#'
#' # Choosing parameters
#' See [learner_svm()]. Repeat the fit with several seeds to see how much the choice of a
#' kernel matters for the data at hand.
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
  new_learner(
    name = "random", like = NULL, label = "One kernel at random",
    parameters = svm_parameters(cost, epsilon, nu), constructor = learner_random,
    core = "random", tasks = task_names(), takes = kernel_limits(), kernels = spread_kernels,
    normalize = "trace", costs = TRUE, stochastic = TRUE, path = "cost",
    grid = list(cost = 10^(-2:3)), stopping = stop_at_tol(), margins = TRUE, linear = TRUE,
    labels_inside = FALSE, approximate = TRUE, used_for = svm_used_for(), work = c(1, 2)
  )
}
