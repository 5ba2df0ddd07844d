#' Centered kernel alignment
#'
#' @description
#' Weighs kernels by how well they agree with the response, without training a model in between, and
#' fits one support vector machine on the weighted sum. `cka()` fits it; `learner_cka()` is the
#' specification for [mkl()].
#'
#' @details
#' Let \eqn{K_m^c} be the kernel matrix centered in its feature space and \eqn{y} the response minus
#' its mean (classes are -1 and 1). The alignment of a kernel with the response is the cosine
#' \deqn{\rho_m = \frac{\langle K_m^c, yy' \rangle}{\|K_m^c\| \, \|yy'\|},}{
#'   rho_m = <Kc_m, yy'> / (||Kc_m|| ||yy'||),}
#' with inner products and norms over all entries of the matrices (Frobenius). It is 1 if the
#' centered kernel is a multiple of \eqn{yy'}, and 0 if the kernel knows nothing of the response.
#' * `method = "independent"`: the weight of each kernel is \eqn{\rho_m}, or 0 where it is negative.
#' * `method = "alignf"`: the weights whose sum of kernels has the largest alignment,
#'   \deqn{\max_{d \ge 0} \frac{d'a}{\sqrt{d'Md}}, \quad a_m = \langle K_m^c, yy' \rangle, \quad
#'     M_{kl} = \langle K_k^c, K_l^c \rangle.}{
#'     max d'a / sqrt(d'M d) over d >= 0, a_m = <Kc_m, yy'>, M_kl = <Kc_k, Kc_l>.}
#'   It is proportional to the solution of the quadratic program
#'   \eqn{\min_{v \ge 0} v'Mv - 2a'v}{min v'Mv - 2a'v over v >= 0}, which is solved by an interior
#'   point method. Kernels that add nothing get the weight 0.
#'
#' Weights are scaled to the sum 1, and the support vector machine of [learner_svm()] is fitted on
#' \eqn{\sum_m d_m K_m}{sum_m d_m K_m}. A fit has converged if that model has and if the
#' alignment of the sum is within a share `tol` of [mkl_control()] of the largest possible one.
#' With `method = "independent"`, [kernel_weights()] are the positive alignments, scaled to the
#' sum 1.
#'
#' # What the paper leaves open
#' * An observation of weight 2 counts as two observations, in the alignment and in the
#'   support vector machine.
#' * If no kernel has a positive alignment, all get the same weight.
#' * Several classes: each pair of classes has weights of its own.
#' * With `"alignf"` equal kernels share their weight.
#'
#' Novelty detection has no response to align kernels with: that is an error.
#'
#' # Choosing parameters
#' * `method`: `"alignf"` takes account of kernels that say the same, and drops those that add
#'   nothing; `"independent"` keeps every kernel that agrees with the response, needs less time for
#'   many kernels, and is hard to overfit.
#' * `cost`: by cross-validation, as for [learner_svm()].
#' * Kernels are divided by their mean diagonal by default, which makes weights comparable.
#'
#' @inheritParams learner_svm
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. For `learner_cka()`
#'   the dots are not used.
#' @param method `"alignf"` for the weights of the largest alignment of the sum, `"independent"` for
#'   the alignment of each kernel by itself.
#' @return `cka()`: a fit of class `mkl_cka` and `mkl`, see [mkl()]. `learner_cka()`: a learner,
#'   class `mkl_learner`.
#' @references
#' Cortes, C., Mohri, M. and Rostamizadeh, A. (2012). Algorithms for learning kernels based on
#' centered alignment. *Journal of Machine Learning Research* 13, 795-828.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- cka(Species ~ ., two, kernels = kernel_rbf(sigma = 2^(-2:4)))
#' kernel_weights(fit)
#'
#' each <- cka(Species ~ ., two, kernels = kernel_rbf(sigma = 2^(-2:4)), method = "independent")
#' kernel_weights(each)
#' @export
cka <- function(x, ..., method = c("alignf", "independent"), cost = 1, epsilon = 0.1) {
  front_door(learner_cka(method, cost, epsilon), x, ...)
}

#' @rdname cka
#' @export
learner_cka <- function(method = c("alignf", "independent"), cost = 1, epsilon = 0.1, ...) {
  check_dots(...)
  svm <- svm_parameters(cost, epsilon, nu = 1)
  method <- check_choice(method, "method", c("alignf", "independent"))
  new_learner(
    name = "cka", like = NULL, label = "Centered kernel alignment",
    parameters = c(list(method = method), svm[c("cost", "epsilon")]), constructor = learner_cka,
    core = "cka", tasks = c("classification", "regression"), takes = kernel_limits(),
    kernels = spread_kernels, normalize = "trace", costs = TRUE, stochastic = FALSE,
    path = character(), grid = list(cost = 10^(-2:3)), stopping = stop_at_tol(), margins = TRUE,
    linear = TRUE, labels_inside = FALSE,
    approximate = FALSE, used_for = svm_used_for(), work = c(15, 2)
  )
}
