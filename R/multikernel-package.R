#' multikernel: kernel machines with one kernel or a million
#'
#' Support vector machines and multiple kernel learning behind one interface. Kernels are
#' objects that can be joined, multiplied and restricted to columns; learners are
#' specifications that fit them to data; fits answer the same questions whatever the learner.
#'
#' @details
#' # A tour
#' * **Kernels.** [kernel_rbf()], [kernel_linear()], [kernel_polynomial()] and others build
#'   them, [kernel_set()] joins them, [kernel_matrix()] shows their matrices.
#' * **Learners.** For one kernel [learner_svm()] and [komd()]. Baselines on a set:
#'   [learner_average()], [learner_best()], [learner_random()]; on the columns: [learner_lda()],
#'   [learner_knn()]. Weights are learned by [easymkl()], [simplemkl()], [silpmkl()], [levelmkl()],
#'   [glmkl()], [lpmkl()] and [gmkl()]; they change with the place in [lmkl()]. [mkboost()] boosts,
#'   [lbmkl()] and [lb_svm()] sharpen kernels by the labels. Views that must agree:
#'   [multik_mhks()], [cca_mhks()], [svm2k()]; further [mhks()] and [svm_concatenated()].
#'   `learner_<name>()` is the specification of `<name>()`.
#' * **Fits.** [mkl()] takes a formula with data, a matrix or data frame with a response, or
#'   a list of kernel matrices; [`predict()`][predict.mkl] gives classes, probabilities and
#'   decision values.
#' * **Questions.** [kernel_weights()], [support()], [converged()], [objective()],
#'   [duality_gap()], [`plot()`][plot.mkl], [`autoplot()`][autoplot.mkl], [tidy()];
#'   [boosting_path()] and [gating_weights()] of single learners.
#' * **Choice and comparison.** [cv_mkl()] and [tune_mkl()] by resampling, [benchmark_mkl()] over
#'   learners and data sets, [compare_learners()] with tests and tables; the tests by themselves:
#'   [test_5x2cv_f()] and others.
#' * **Other packages.** [multi_kernel()] for parsnip, [mlr3_multikernel] for mlr3, [caret_mkl()].
#' * **Computation.** [mkl_control()] sets accuracy, threads and memory.
#'
#' Most fits have the form \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b.}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b.} Learners with
#' another one (votes, weights that depend on x, products, coefficients for each kernel) say so on
#' their pages.
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
