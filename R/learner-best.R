#' Support vector machine on the best kernel chosen by cross-validation
#'
#' Selects one kernel of the set by cross-validation on the training rows and fits a support
#' vector machine with it.
#'
#' @details
#' \deqn{m^* = \arg\min_m \mathrm{CV}(K_m), \quad K = K_{m^*},}{
#'   m* = argmin_m CV(K_m),  K = K_(m*),}
#' where CV is the cross-validated error of `metric` (classification) or the root mean squared error
#' (regression). Ties are resolved in favor of the first kernel. The folds are drawn once,
#' stratified by class, and shared by all kernels; use [set.seed()] to reproduce them. With three
#' or more classes each pair of classes selects its own kernel. [objective_path()] returns the
#' error of each kernel.
#'
#' `weights` and `class_weights` of [mkl()] are used in the inner fits and in the criterion: with
#' observation weights \eqn{w_i} the error rate is
#' \deqn{\sum_i w_i [\hat y_i \ne y_i] / \sum_i w_i,}{sum(w_i [yhat_i != y_i]) / sum(w_i),}
#' and 1 minus the balanced accuracy is the mean of this rate over the two classes.
#'
#' One-class problems have no response, so that there is no classification error. The selected
#' kernel is the most complex kernel that is *consistent* (Tax and Müller 2004): among the kernels
#' that reject at most \eqn{\nu + 2\sqrt{\nu (1 - \nu) / n}}{nu + 2 sqrt(nu (1 - nu) / n)} of the
#' held-out rows, the one with the smallest \eqn{\|w\|^2} of its model relative to the mean of its
#' diagonal. If no kernel is consistent, the one that rejects the fewest rows is selected.
#'
#' # Choosing parameters
#' More `folds` make the selection more stable and slower: each kernel requires `folds` fits. For
#' `cost` see [learner_svm()].
#'
#' With rare classes use `class_weights = "balanced"` or `metric = "balanced_accuracy"`: by
#' accuracy, a kernel that assigns every observation to the larger class can be the best one.
#'
#' @param folds Number of folds of the inner cross-validation, at least 2.
#' @param metric Measure by which the kernel is selected in classification: `"accuracy"` or
#'   `"balanced_accuracy"`. With the default, `NULL`, it is the balanced accuracy if observations
#'   or classes are weighted, and the accuracy otherwise.
#' @inheritParams learner_svm
#' @inherit learner_svm return
#' @references
#' Gönen, M. and Alpaydın, E. (2011). Multiple kernel learning algorithms. *Journal of Machine
#' Learning Research* 12, 2211-2268.
#'
#' Tax, D. M. J. and Müller, K.-R. (2004). A consistency-based model selection for one-class
#' classification. *Proceedings of the 17th International Conference on Pattern Recognition* 3,
#' 363-366.
#' @family learners
#' @examples
#' set.seed(1)
#' fit <- mkl(Species ~ ., droplevels(iris[51:150, ]), learner = learner_best(folds = 3))
#' kernel_weights(fit)
#'
#' # one class: the smallest width that still accepts rows left out
#' fit <- mkl(as.matrix(iris[1:50, 1:4]), kernels = kernel_rbf(2^(-3:3)),
#'            learner = learner_best(nu = 0.1))
#' kernel_weights(fit)
#' @export
learner_best <- function(cost = 4, folds = 5, epsilon = 0.1, nu = 0.1, metric = NULL, ...) {
  check_dots(...)
  metrics <- c("accuracy", "balanced_accuracy")
  parameters <- c(svm_parameters(cost, epsilon, nu), list(
    folds = check_number(folds, "folds", 2, whole = TRUE),
    metric = if (!is.null(metric)) check_choice(metric, "metric", metrics)
  ))
  svm_learner(
    name = "best", label = "Best single kernel by cross-validation", parameters = parameters,
    constructor = learner_best, core = "best", kernels = spread_kernels, normalize = "trace",
    stochastic = TRUE, path = character(), labels_inside = TRUE, approximate = TRUE,
    work = c(12, 2)
  )
}
