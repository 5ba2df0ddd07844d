#' Multiple kernel learning by heuristic weights
#'
#' @description
#' Computes kernel weights by a simple rule and fits one support vector machine to the weighted sum
#' of the kernels: `fheuristic()` uses the alignment of each kernel with the response, `pwmk()` the
#' accuracy of each kernel alone. `learner_fheuristic()` and `learner_pwmk()` are the specifications
#' for [mkl()].
#'
#' @details
#' The weights of M kernels are not optimized together:
#' * `fheuristic()`, classification (Qiu and Lane 2009):
#'   \deqn{d_m = \frac{A_m}{\sum_h A_h}, \quad A_m = \frac{y'K_my}{n \|K_m\|}}{
#'     d_m = A_m / sum_h A_h,  A_m = y'K_m y / (n ||K_m||)}
#'   with classes -1 and 1: the alignment of the kernel and \eqn{yy'}{yy'}, not centered. The
#'   kernels are computed in blocks of rows, 64 at a time, so that memory does not depend on M.
#' * `fheuristic()`, regression: \deqn{d_m = \frac{\sum_h e_h - e_m}{(M - 1) \sum_h e_h}}{
#'     d_m = (sum_h e_h - e_m) / ((M - 1) sum_h e_h)} with the mean squared error \eqn{e_m} of a
#'   support vector regression on kernel m alone.
#' * `pwmk()` (Tanabe and others 2008): \deqn{d_m = \frac{\pi_m - \delta}{\sum_h (\pi_h - \delta)}}{
#'     d_m = (p_m - delta) / sum_h (p_h - delta)} with the accuracy \eqn{\pi_m}{p_m} of a support
#'   vector machine on kernel m alone and the `threshold` \eqn{\delta}{delta}. Negative differences
#'   count as 0.
#'
#' # Details not specified in the papers
#' * Errors and accuracies are those on rows that are left out, by inner cross-validation with
#'   `folds` folds, drawn from R's random numbers. If observations have different weights, the
#'   accuracy is the mean of the accuracies of the two classes.
#' * If no kernel has a positive score, all get the same weight.
#' * An observation of weight 2 counts as two in the alignment. With several classes each pair of
#'   classes has its own weights.
#'
#' # Choosing parameters
#' * `fheuristic()` is fast and keeps all kernels; [cka()] with `method = "independent"` is the same
#'   with centered kernels, and accounts for unequal sizes of classes.
#' * `threshold`: not more than the smallest accuracy, to keep all kernels; larger values leave
#'   kernels out.
#' * `cost`: by cross-validation, as for [learner_svm()].
#'
#' @inheritParams cka
#' @inheritParams learner_best
#' @param folds Number of folds of the inner cross-validation: for `pwmk()`, and regression with
#'   `fheuristic()`.
#' @param threshold Accuracy at which a kernel has the weight 0, a number from 0 to 1.
#' @return `fheuristic()`, `pwmk()`: a fit of class `mkl_fheuristic` or `mkl_pwmk`, and `mkl`, see
#'   [mkl()]. `learner_fheuristic()`, `learner_pwmk()`: a learner, class `mkl_learner`.
#' @references
#' Qiu, S. and Lane, T. (2009). A framework for multiple kernel support vector regression and its
#' applications to siRNA efficacy prediction. *IEEE/ACM Transactions on Computational Biology and
#' Bioinformatics* 6, 190-199.
#'
#' Tanabe, H., Ho, T. B., Nguyen, C. H. and Kawasaki, S. (2008). Simple but effective methods for
#' combining kernels in computational biology. In *IEEE International Conference on Research,
#' Innovation and Vision for the Future*, 71-78.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' kernel_weights(fheuristic(Species ~ ., two, kernels = kernel_rbf(2^(-2:3))))
#' set.seed(1)
#' kernel_weights(pwmk(Species ~ ., two, kernels = kernel_rbf(2^(-2:3)), threshold = 0.8))
#' @rdname fheuristic
#' @order 2
#' @export
learner_fheuristic <- function(cost = 1, epsilon = 0.1, folds = 5, ...) {
  check_dots(...)
  parameters <- c(
    svm_parameters(cost, epsilon, nu = 1)[c("cost", "epsilon")],
    list(folds = check_number(folds, "folds", 2, whole = TRUE))
  )
  svm_learner(
    name = "fheuristic", label = "Weights by alignment (F-heuristic)", parameters = parameters,
    constructor = learner_fheuristic, core = "fheuristic",
    tasks = c("classification", "regression"), kernels = spread_kernels, normalize = "trace",
    stochastic = TRUE, path = character(), labels_inside = FALSE, approximate = FALSE,
    work = c(10, 2)
  )
}

#' @rdname fheuristic
#' @order 1
#' @export
fheuristic <- named_method(learner_fheuristic)

#' @rdname fheuristic
#' @order 4
#' @export
learner_pwmk <- function(cost = 1, folds = 5, threshold = 0.5, ...) {
  check_dots(...)
  parameters <- list(
    cost = svm_parameters(cost, epsilon = 0.1, nu = 1)$cost,
    folds = check_number(folds, "folds", 2, whole = TRUE),
    threshold = check_number(threshold, "threshold", 0, 1)
  )
  svm_learner(
    name = "pwmk", label = "Weights by accuracy (PWMK)", parameters = parameters,
    constructor = learner_pwmk, core = "pwmk", tasks = "classification", kernels = spread_kernels,
    normalize = "trace", stochastic = TRUE, path = character(), labels_inside = TRUE,
    approximate = FALSE, work = c(12, 2)
  )
}

#' @rdname fheuristic
#' @order 3
#' @export
pwmk <- named_method(learner_pwmk)
