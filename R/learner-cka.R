#' Multiple kernel learning by centered kernel alignment (CKA)
#'
#' @description
#' Computes kernel weights from the centered alignment of the kernels with the response, without
#' training a model, and fits one support vector machine to the weighted sum of the kernels.
#' `cka()` fits it; `learner_cka()` is the specification for [mkl()].
#'
#' @details
#' Let \eqn{K_m^c} be the kernel matrix centered in its feature space and \eqn{y} the response minus
#' its mean (classes are -1 and 1). The alignment of a kernel with the response is the cosine
#' \deqn{\rho_m = \frac{\langle K_m^c, yy' \rangle}{\|K_m^c\| \, \|yy'\|},}{
#'   rho_m = <Kc_m, yy'> / (||Kc_m|| ||yy'||),}
#' with inner products and norms over all entries of the matrices (Frobenius). It is 1 if the
#' centered kernel is a multiple of \eqn{yy'}, and 0 if it is uncorrelated with the response.
#' * `method = "independent"`: the weight of each kernel is \eqn{\rho_m}, or 0 where it is negative.
#' * `method = "alignf"`: the weights that maximize the alignment of the weighted sum,
#'   \deqn{\max_{d \ge 0} \frac{d'a}{\sqrt{d'Md}}, \quad a_m = \langle K_m^c, yy' \rangle, \quad
#'     M_{kl} = \langle K_k^c, K_l^c \rangle.}{
#'     max d'a / sqrt(d'M d) over d >= 0, a_m = <Kc_m, yy'>, M_kl = <Kc_k, Kc_l>.}
#'   It is proportional to the solution of the quadratic program
#'   \eqn{\min_{v \ge 0} v'Mv - 2a'v}{min v'Mv - 2a'v over v >= 0}, which is solved by an interior
#'   point method. Kernels that do not improve the alignment get the weight 0.
#'
#' Weights are scaled to the sum 1, and the support vector machine of [learner_svm()] is fitted on
#' \eqn{\sum_m d_m K_m}{sum_m d_m K_m}. A fit has converged if that model has and if the alignment
#' of the sum is within a relative tolerance `tol` of [mkl_control()] of its maximum. With `method
#' = "independent"`, [kernel_weights()] are the positive alignments, scaled to the sum 1.
#'
#' # Details not specified in the paper
#' * An observation of weight 2 counts as two observations, in the alignment and in the
#'   support vector machine.
#' * If no kernel has a positive alignment, all get the same weight.
#' * With several classes each pair of classes has its own weights.
#' * With `"alignf"` identical kernels share their weight.
#'
#' Novelty detection raises an error, because there is no response to align the kernels with.
#'
#' # Choosing parameters
#' * `method`: `"alignf"` accounts for redundant kernels and drops uninformative ones;
#'   `"independent"` keeps every kernel that is aligned with the response, is faster with many
#'   kernels, and is less prone to overfitting.
#' * `cost`: by cross-validation, as for [learner_svm()].
#' * Kernels are divided by their mean diagonal by default, which makes weights comparable.
#'
#' @inheritParams learner_svm
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_cka()` `...` is not used.
#' @param method How weights are computed: `"alignf"` maximizes the alignment of the weighted sum,
#'   `"independent"` uses the alignment of each kernel separately.
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
#' @rdname cka
#' @order 2
#' @export
learner_cka <- function(method = c("alignf", "independent"), cost = 1, epsilon = 0.1, ...) {
  check_dots(...)
  svm <- svm_parameters(cost, epsilon, nu = 1)
  method <- check_choice(method, "method", c("alignf", "independent"))
  svm_learner(
    name = "cka", label = "Centered kernel alignment",
    parameters = c(list(method = method), svm[c("cost", "epsilon")]), constructor = learner_cka,
    core = "cka", tasks = c("classification", "regression"), kernels = spread_kernels,
    normalize = "trace", stochastic = FALSE, path = character(), labels_inside = FALSE,
    approximate = FALSE, work = c(15, 2)
  )
}

#' @rdname cka
#' @order 1
#' @export
cka <- named_method(learner_cka)
