#' Support vector machine on the unweighted mean of the kernels
#'
#' Fits a support vector machine to the mean of all kernels. This is a strong baseline for
#' multiple kernel learning, and appropriate when every kernel of the set is informative.
#'
#' @details
#' \deqn{K = \frac1M \sum_{m=1}^M K_m}{
#'   K = (1/M) sum_m K_m}
#' is the kernel of a [learner_svm()] fit. Kernels are added up one by one and not stored, so that
#' a million kernels need the memory of one matrix.
#'
#' # Choosing parameters
#' Kernels are divided by their mean diagonal by default (`normalize = "trace"`): without
#' it, the kernel with the largest values dominates the average. For `cost` see
#' [learner_svm()].
#'
#' @inheritParams learner_svm
#' @inherit learner_svm return
#' @references
#' Gönen, M. and Alpaydın, E. (2011). Multiple kernel learning algorithms. *Journal of
#' Machine Learning Research* 12, 2211-2268.
#' @family learners
#' @examples
#' fit <- mkl(Species ~ ., iris, learner = learner_average(cost = 10))
#' fit
#' @export
learner_average <- function(cost = 4, epsilon = 0.1, nu = 0.1,
                            loss = c("hinge", "squared_hinge", "squared"), ...) {
  check_dots(...)
  parameters <- svm_parameters(cost, epsilon, nu, loss)
  svm_learner(
    name = "average", label = "Average of the kernels", parameters = parameters,
    constructor = learner_average, core = "average", kernels = spread_kernels, normalize = "trace",
    stochastic = FALSE, path = "cost", labels_inside = FALSE, approximate = TRUE, work = c(1, 2)
  )
}
