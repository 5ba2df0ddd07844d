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
#' * **Learners.** [learner_svm()] for one kernel, [learner_average()], [learner_best()] and
#'   [learner_random()] for sets.
#' * **Fits.** [mkl()] takes a formula with data, a matrix or data frame with a response, or
#'   a list of kernel matrices; [`predict()`][predict.mkl] gives classes, probabilities and
#'   decision values.
#' * **Questions.** [kernel_weights()], [support()], [converged()], [objective()],
#'   [duality_gap()], [`plot()`][plot.mkl], [`autoplot()`][autoplot.mkl], [tidy()].
#' * **Choice and comparison.** [cv_mkl()] and [tune_mkl()] by resampling, [benchmark_mkl()] over
#'   learners and data sets, [compare()] with tests and tables.
#' * **Computation.** [mkl_control()] sets accuracy, threads and memory.
#'
#' Every fit has the form \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b.}
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
