#' Multiple kernel learning and support vector machines
#'
#' Support vector machines and multiple kernel learning for classification, regression and novelty
#' detection, with one interface for all methods. Kernels are objects that can be joined,
#' multiplied and restricted to columns. Learners specify how a model is fitted. Fitted models
#' have the same methods whatever the learner.
#'
#' @details
#' # Overview
#' * **Kernels.** [kernel_rbf()], [kernel_linear()], [kernel_polynomial()] and others define
#'   kernels, [kernel_set()] joins them, [kernel_matrix()] computes their matrices.
#' * **Learners.** One kernel: [learner_svm()] and [komd()]. Baselines for several kernels:
#'   [learner_average()], [learner_best()], [learner_random()]; baselines without kernels:
#'   [learner_lda()], [learner_knn()]. Kernel weights are learned by [easymkl()], [simplemkl()],
#'   [silpmkl()], [levelmkl()], [glmkl()], [lpmkl()] and [gmkl()]; in [lmkl()] they depend on the
#'   position in input space. [mkboost()] is a boosting method; [lbmkl()] and [lb_svm()] use
#'   kernels modified by the labels. [multik_mhks()], [cca_mhks()] and [svm2k()] penalize
#'   disagreement between views. Further methods: [mhks()] and [svm_concatenated()].
#'   `learner_<name>()` is the specification of `<name>()`.
#' * **Fits.** [mkl()] takes a formula with data, a matrix or data frame with a response, or
#'   a list of kernel matrices; [`predict()`][predict.mkl] gives classes, probabilities and
#'   decision values.
#' * **Model inspection.** [kernel_weights()], [support()], [converged()], [objective()],
#'   [duality_gap()], [`plot()`][plot.mkl], [`autoplot()`][autoplot.mkl], [tidy()];
#'   [boosting_path()] and [gating_weights()] for specific learners.
#' * **Resampling, tuning and comparison.** [cv_mkl()] and [tune_mkl()] for resampling and tuning,
#'   [benchmark_mkl()] for several learners and data sets, [compare_learners()] for significance
#'   tests and tables. The tests are also available separately: [test_5x2cv_f()] and others.
#' * **Other packages.** [multi_kernel()] for parsnip, [mlr3_multikernel] for mlr3, [caret_mkl()].
#' * **Computation.** [mkl_control()] sets tolerance, threads and memory.
#'
#' Most fits have the form \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b.}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b.} The help pages of learners with another form
#' (votes, weights that depend on x, products, coefficients for each kernel) describe it.
#'
#' # Conditions
#' Errors inherit from `multikernel_error`, warnings from `multikernel_warning`. A solver that
#' does not reach its tolerance warns with class `multikernel_not_converged`, a kernel that
#' is not positive semi-definite with `multikernel_indefinite`.
#'
#' @references
#' Gönen, M. and Alpaydın, E. (2011). Multiple kernel learning algorithms. *Journal of
#' Machine Learning Research* 12, 2211-2268.
#' @examples
#' fit <- mkl(Species ~ ., iris, learner = learner_average(cost = 10))
#' fit
#' mean(predict(fit, iris) == iris$Species)
#' @keywords internal
#' @useDynLib multikernel, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom RcppParallel RcppParallelLibs
"_PACKAGE"
