#' Support vector machine on the concatenated feature maps of several kernels
#'
#' @description
#' Maps the rows by the [empirical_map()] of each kernel, concatenates the coordinates, and trains
#' one linear support vector machine on them: the baseline SVM2 of Wang, Chen and Sun (2008).
#' `svm_concatenated()` fits it; `learner_svm_concatenated()` is the specification for [mkl()].
#'
#' @details
#' With maps \eqn{\phi_m} the concatenated vector is \eqn{\phi(x) = (\phi_1(x)', \dots,
#' \phi_M(x)')'}, and the kernel of the support vector machine, solved as in [learner_svm()], is
#' \deqn{K(x, z) = \phi(x)'\phi(z) = \sum_m \phi_m(x)'\phi_m(z).}{
#'   K(x, z) = phi(x)'phi(z) = sum_m phi_m(x)'phi_m(z).}
#' Full maps have \eqn{\phi_m(x)'\phi_m(z) = K_m(x, z)}, so that the fit equals [learner_svm()] with
#' all weights 1, or [learner_average()] at M times the cost, which need no maps. It differs if
#' maps are not full: with `rank` or `landmarks`, which give a low-rank approximation for many
#' rows, and for kernels that are not positive semi-definite, whose negative eigenvalues are
#' dropped. With `landmarks` the solver takes time that is linear in the number of rows, and so has
#' `approximate = ` [nystrom()] or [random_features()], whose features then are the maps.
#'
#' # Choosing parameters
#' * `landmarks`: a few hundred for more than a few thousand rows. Full maps require an
#'   eigendecomposition for each kernel, and time grows with the third power of the number of
#'   rows.
#' * `rank`: drops the small eigenvalues, which gives smoother functions.
#' * `cost`: as for [learner_svm()]. Kernels are divided by their mean diagonal by default, so that
#'   each has the same share of the length of the vectors.
#'
#' The default kernels are those of the paper: linear, Gaussian with the mean distance as width,
#' polynomial of degree 2.
#'
#' @inheritParams mhks
#' @inheritParams learner_svm
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_svm_concatenated()` `...` is not used.
#' @param rank Maximum number of dimensions of each map; `NULL` for all.
#' @param landmarks Number of rows, evenly spaced in the data, from which the maps are computed;
#'   `NULL` for all rows.
#' @return `svm_concatenated()`: a fit of class `mkl_svm_concatenated` and `mkl`, see [mkl()]; its
#'   [kernel_weights()] are all 1. `learner_svm_concatenated()`: a learner, class `mkl_learner`.
#' @references
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family learners
#' @examples
#' train <- c(1:35, 51:85, 101:135)
#' fit <- svm_concatenated(Species ~ ., iris[train, ], cost = 10)
#' mean(predict(fit, iris[-train, ]) == iris$Species[-train])
#'
#' # the same kernels, mapped by 20 of the rows
#' few <- svm_concatenated(Species ~ ., iris[train, ], cost = 10, landmarks = 20)
#' mean(predict(few, iris[-train, ]) == iris$Species[-train])
#' @rdname svm_concatenated
#' @order 2
#' @export
learner_svm_concatenated <- function(cost = 1, rank = NULL, landmarks = NULL, epsilon = 0.1,
                                     nu = 0.1, ...) {
  check_dots(...)
  svm <- svm_parameters(cost, epsilon, nu)
  map <- list(rank = check_count(rank, "rank"), landmarks = check_count(landmarks, "landmarks"))
  svm_learner(
    name = "svm_concatenated", label = "Support vector machine on the feature spaces side by side",
    parameters = c(svm["cost"], map, svm[c("epsilon", "nu")]),
    constructor = learner_svm_concatenated, core = "svm_concatenated", kernels = three_views,
    normalize = "trace", stochastic = FALSE, path = character(), labels_inside = FALSE,
    approximate = TRUE, work = c(5, 2)
  )
}

#' @rdname svm_concatenated
#' @order 1
#' @export
svm_concatenated <- named_method(learner_svm_concatenated)
