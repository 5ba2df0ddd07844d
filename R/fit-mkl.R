#' Fit a support vector machine or multiple kernel learning model
#'
#' Main fitting function of the package. It fits a learner with one or several kernels to data
#' given as a formula with a data frame, a matrix, kernel matrices or several sources of data.
#' `predict()` then takes new data in the same form, before scaling.
#'
#' @details
#' Most fits are \deqn{f(x) = \sum_i \beta_i \sum_m d_m k_m(x_i, x) + b}{
#'   f(x) = sum_i beta_i sum_m d_m k_m(x_i, x) + b} with coefficients \eqn{\beta} of the support
#' vectors, weights \eqn{d} of the kernels and bias \eqn{b}. The `learner` determines how they are
#' estimated. The help pages of learners with another form describe it.
#'
#' # Forms of the data
#' * **Formula and data frame.** Plain terms are features for `kernels`. Terms such as `rbf(x1,
#'   x2, sigma = 1)`, `linear(.)` or `precomputed(K)` are kernels on their columns; the name of a
#'   term is that of a constructor without `kernel_`. Parameters must be named, `.` stands for all
#'   columns except the response, and `:` multiplies two kernel terms.
#' * **Matrix or data frame `x`, and `y`.** A sparse matrix of the package Matrix stays sparse,
#'   also with `scale = TRUE`, when all kernels are computed from dot products or Euclidean
#'   distances ([kernel_linear()], [kernel_polynomial()], [kernel_sigmoid()], [kernel_rbf()],
#'   [kernel_matern()] and others); for other kernels it is made dense, with a message if that
#'   takes more than 500 MB. A symmetric matrix that could be a kernel matrix is treated as
#'   features, with a warning: use `list(K = x)` for a kernel matrix or `as.data.frame(x)` for
#'   features.
#' * **Named list of kernel matrices, and `y`.** `predict()` then takes a named list of matrices
#'   of new by training rows. A `kernelMatrix` of the package kernlab is such a list of one.
#'   Indexing drops its class: use `list(K1 = G[i, i])`, or `kernlab::as.kernelMatrix(G[i, i])`.
#' * **[views()], or a named list of views, and `y`.** Several sources of data, each with its own
#'   kernels; cases are matched by name and may lack views. A list is treated as kernel matrices
#'   if all its elements are square matrices whose size is the length of `y`; any other list is
#'   treated as views.
#' * A one-sided formula, or no `y`, requests novelty detection (a one-class fit).
#'
#' Factors and text become full indicator columns. Text with more than `max_levels` values, and
#' factors or text with a different value in each of at least 10 rows, are treated as identifiers
#' or free text and raise an error: leave the column out, as in `y ~ . - id`, or use a kernel for
#' text, as in `spectrum(notes, k = 3)`, see [kernel_spectrum()]. For factors with more than
#' `max_levels` levels there is a message.
#'
#' # The task
#' Factor, character, logical, and numbers that are -1/1 or 0/1 are classes; the second level
#' is the positive one, and all these codings of the same classes give the same fit. Other numbers
#' lead to regression. `task` overrides this. Classes given as text are sorted by their Unicode
#' code points, capital letters first, so that fits are the same in every locale; use a factor to
#' choose the order.
#'
#' # Choosing parameters
#' * Without `kernels`, learners of one kernel ([learner_svm()], [komd()], [lb_svm()]) use a
#'   Gaussian of width `sqrt(p)` for p columns. Most others use five widths around it, a linear
#'   kernel and polynomials of degree 2 and 3. Methods whose paper specifies the kernels use
#'   those, see their help pages. With `scale = FALSE` widths are estimated from the data, see
#'   [kernel_rbf()].
#' * To change the learner of a fit: `update(fit, learner = learner_svm(cost = 10))`. For fits of
#'   named methods such as [easymkl()], `update()` also changes the parameters of the method, as
#'   in `update(fit, lambda = 0.5)`.
#' * `class_weights = "balanced"` gives every class the same total cost, which is useful with rare
#'   classes: an observation of class c costs \eqn{C \min_k n_k / n_c}{C min(n_k) / n_c} with the
#'   class sizes \eqn{n_k} of the two-class problem. The cost of the rarer class is unchanged and
#'   that of the other class is reduced. (Raising the cost of the rare class instead would make a
#'   model fit its few observations exactly.)
#' * `multiclass = "one_vs_one"` fits one model for each pair of classes and lets them vote;
#'   `"one_vs_rest"` fits one model for each class against all others: fewer models, each on all
#'   rows.
#' * `probability = TRUE` calibrates decision values by Platt's method on inner
#'   cross-validation, which takes about five more fits.
#'
#' # Parallel processing
#' With three or more classes a fit consists of independent models. With a plan of the package
#' future that has several workers, such as `future::plan(future::multisession)`, the models are
#' distributed over the workers, with one thread each. A worker receives the columns, or the
#' kernel matrices, of all rows. Results are identical to the last digit. Sending the data takes
#' time: short fits are faster without a plan.
#'
#' # Long fits
#' The time of a fit is estimated as \deqn{c \, M n^k}{c M n^k} for n rows and M kernels, with a
#' constant c and a power k (2 or 3) for each learner, plus the time of the kernel matrices. The
#' estimate is rough: hard problems and high costs take many times as long. Above ten seconds,
#' interactive sessions show one message with the size of the problem and the estimate (class
#' `multikernel_long_fit`) and a progress bar; in scripts use `progressr::with_progress()`.
#' `options(multikernel.progress = FALSE)` turns off both. Above ten minutes the message also
#' gives the estimated time with `approximate = nystrom(500)`, see [nystrom()]. Ctrl-C stops a fit
#' within a second, also in worker processes on the same computer. Exceeding a limit of
#' [setTimeLimit()] raises an error that [tryCatch()] can catch.
#'
#' # Random numbers
#' Use [set.seed()] to reproduce fits that draw random numbers: stochastic learners and
#' `probability = TRUE`. Other fits do not change the state of the random number generator.
#'
#' @param x Data or model formula: a formula, a matrix, a data frame, text, [views()] or a list of
#'   views, or a list of kernel matrices.
#' @param data For a formula: a data frame with its variables, [views()] whose names are used as
#'   terms, or [row_blocks()] of files or tables that do not fit into memory.
#' @param y Response, one value for each row, if `x` is not a formula; `NULL` for novelty
#'   detection (one-class fits).
#' @param learner Method to fit: a learner such as [learner_svm()], or its name, `"svm"`. `NULL`
#'   (default): [learner_svm()] for one kernel and [learner_simplemkl()] for several.
#' @param kernels Kernels that the learner combines, see [kernel_set()]; `NULL` for the default
#'   kernels of the learner. [learner_lda()] and [learner_knn()] use none.
#' @param normalize How kernel matrices are normalized, for kernels without a normalizer of their
#'   own: any of `"none"`, `"trace"`, `"unit_trace"`, `"cosine"`, `"center"` (see
#'   [kernel_matrix()]); `NULL` for the default of the learner.
#' @param scale `TRUE` (default) standardizes numeric predictors with the means and standard
#'   deviations of the training rows, which are also applied to new data. Indicators of factors
#'   are not standardized, nor are columns used by kernels that need the original values, such as
#'   [kernel_chisq()] and [kernel_tanimoto()].
#' @param scale_response For regression, `TRUE` standardizes the response with the mean and
#'   standard deviation of the training rows, so that the effect of `cost` and `epsilon` does not
#'   depend on its units; predictions and fitted values are in the original units. `FALSE` fits
#'   the response without standardization: `epsilon` is then in its units. Not used for other
#'   tasks.
#' @param task Type of problem: `"classification"`, `"regression"` or `"one_class"`; `NULL` to
#'   take it from the response.
#' @param multiclass Reduction to two-class problems for three or more classes: `"one_vs_one"` or
#'   `"one_vs_rest"`.
#' @param class_weights Factors that multiply the cost of each class: a numeric vector named by
#'   the classes (1 for classes not named), or `"balanced"`. With three or more classes
#'   `"balanced"` applies to each pair; with one class against the rest all classes have the same
#'   total cost, and the observations of the rarer side have the factor 1 on average.
#' @param weights Observation weights, which multiply the cost of each row: a non-negative numeric
#'   vector; for [row_blocks()] also the name of a column.
#' @param probability `TRUE` to calibrate class probabilities, which `predict(type = "prob")`
#'   requires.
#' @param na.action What to do with rows that have missing values: [stats::na.omit()] drops them,
#'   [stats::na.fail()] stops, [stats::na.exclude()] drops them and inserts `NA` at their
#'   positions in the fitted values.
#' @param new_levels How `predict()` treats rows with factor levels or text values that were not
#'   in the training data: `"error"`, or `"missing"` for a prediction of `NA` and a warning.
#' @param max_levels Maximum number of different values of a text column to be treated as
#'   categorical, and of levels of a factor without a message: a whole number, or `Inf`. See
#'   *Forms of the data*.
#' @param missing How cases that lack a view of [views()] are treated: `"available"` uses the
#'   views that are present, `"impute"` estimates a missing view from the training cases that are
#'   nearest in the others, `"omit"` leaves such cases out, with a message (and predicts `NA` for
#'   new ones). Single values that are missing in a view are replaced by the median, or the most
#'   frequent level, of the training cases, except under `"omit"`. `NULL` is `"available"`; but
#'   `"impute"` for learners that use the columns of all views together, or products of kernels,
#'   and `"omit"` for a data frame with text, series or graphs among its columns. For other data
#'   `na.action` is used. A case without any view raises an error, except with `"omit"`.
#' @param approximate `NULL` for exact kernel matrices, or an approximation of all kernels for
#'   large data: [nystrom()] or [random_features()].
#' @param control Computational settings (tolerance, threads, memory), see [mkl_control()].
#' @param ... The arguments listed here; misspelled arguments raise an error.
#' @return An object of class `mkl`, a list of plain R data that can be saved with [saveRDS()].
#'   Methods: [`predict()`][predict.mkl], [kernel_weights()], [support()], [converged()],
#'   [objective()], [`plot()`][plot.mkl], `print()`, `summary()`, `coef()`, `fitted()`,
#'   [`residuals()`][residuals.mkl], `nobs()`, `formula()` and `update()`.
#' @references
#' Gönen, M. and Alpaydın, E. (2011). Multiple kernel learning algorithms. *Journal of
#' Machine Learning Research* 12, 2211-2268.
#'
#' Platt, J. (2000). Probabilistic outputs for support vector machines and comparison to
#' regularized likelihood methods. In *Advances in Large Margin Classifiers*, 61-74. MIT
#' Press.
#'
#' Wu, T.-F., Lin, C.-J. and Weng, R. C. (2004). Probability estimates for multi-class
#' classification by pairwise coupling. *Journal of Machine Learning Research* 5, 975-1005.
#' @family fitting functions
#' @examples
#' fit <- mkl(Species ~ ., iris, learner = learner_svm(cost = 10))
#' fit
#' predict(fit, iris[c(1, 51, 101), ])
#'
#' # kernels as terms: each says which columns it sees
#' mkl(Species ~ rbf(Sepal.Length, Sepal.Width, sigma = 1) + linear(.), iris,
#'   learner = learner_average()
#' )
#'
#' # matrix and response, regression
#' fit <- mkl(as.matrix(mtcars[, -1]), mtcars$mpg, kernels = kernel_linear())
#' cor(fitted(fit), mtcars$mpg)
#' @export
mkl <- function(x, ...) {
  if (missing(x)) stop_no_input()
  UseMethod("mkl")
}

#' @rdname mkl
#' @export
mkl.formula <- function(x, data = NULL, ..., learner = NULL, kernels = NULL,
                        normalize = NULL, scale = TRUE, scale_response = TRUE, task = NULL,
                        multiclass = c("one_vs_one", "one_vs_rest"), class_weights = NULL,
                        weights = NULL, probability = FALSE, na.action = stats::na.omit,
                        new_levels = c("error", "missing"), max_levels = 50,
                        missing = NULL, approximate = NULL, control = mkl_control()) {
  check_dots(
    ..., known = setting_names(), called = "mkl()", .learner = choose_learner(learner)
  )
  settings <- new_settings(mget(setting_names(), environment()))
  if (is_row_blocks(data)) return(fit_row_blocks(x, data, settings, mkl_call(match.call())))
  mkl_fit(as_frame(x, data, settings$max_levels), settings, mkl_call(match.call()))
}

#' @rdname mkl
#' @export
mkl.matrix <- function(x, y = NULL, ...) {
  fit_frame(as_frame(x, y, asked_levels(list(...))), match.call(), ...)
}

#' @rdname mkl
#' @export
mkl.data.frame <- mkl.matrix

#' @rdname mkl
#' @export
mkl.Matrix <- mkl.matrix

#' @rdname mkl
#' @export
mkl.list <- mkl.matrix

#' @export
mkl.character <- mkl.matrix

#' @rdname mkl
#' @export
mkl.kernelMatrix <- mkl.matrix # nolint: object_name_linter.

#' @export
mkl.default <- function(x, ...) stop_input(x)

# mkl() on a frame, with the arguments of mkl() in the dots. Its own go by position, as R would take
# an argument `c` in the dots for `call`.
fit_frame <- function(.frame, .call, ...) {
  check_dots(
    ..., known = setting_names(), taken = setting_names(), called = "mkl()",
    .learner = choose_learner(list(...)$learner)
  )
  mkl_fit(.frame, new_settings(list(...)), mkl_call(.call))
}

# The call as the user wrote it: of the generic, not of its method.
mkl_call <- function(call) {
  call[[1L]] <- quote(mkl)
  call
}
