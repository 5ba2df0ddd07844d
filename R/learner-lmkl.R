#' Localized multiple kernel learning (LMKL)
#'
#' @description
#' A support vector machine whose kernel weights depend on the position in input space: a gating
#' model, learned together with the support vector machine, determines the weight of each kernel
#' at each point. Several copies of one simple kernel can then represent a boundary that consists
#' of several pieces. `lmkl()` fits it; `learner_lmkl()` is the specification for [mkl()].
#'
#' @details
#' With weights \eqn{\eta_m(x)} that depend on \eqn{x}, the decision function is
#' \deqn{f(x) = \sum_{m=1}^p \eta_m(x) \langle w_m, \Phi_m(x) \rangle + b
#'   = \sum_i \sum_m \alpha_i y_i \, \eta_m(x) K_m(x, x_i) \, \eta_m(x_i) + b,}{
#'   f(x) = sum_m eta_m(x) <w_m, Phi_m(x)> + b
#'   = sum_i sum_m alpha_i y_i eta_m(x) K_m(x, x_i) eta_m(x_i) + b,}
#' equations (4) and (8) of the paper: the support vector machine of [learner_svm()] on the
#' locally combined kernel
#' \deqn{K_\eta(x, z) = \sum_m \eta_m(x) K_m(x, z) \, \eta_m(z).}{
#'   K_eta(x, z) = sum_m eta_m(x) K_m(x, z) eta_m(z).}
#' The gating model is one of
#' * `"softmax"` (the paper): \eqn{\eta_m(x) \propto \exp(v_m' x + v_{m0})}{eta_m(x) proportional
#'   to exp(v_m'x + v_m0)}, with sum 1: regions with straight borders;
#' * `"sigmoid"`: \eqn{\eta_m(x) = 1 / (1 + \exp(-v_m' x - v_{m0}))}{eta_m(x) = 1 / (1 +
#'   exp(-v_m'x - v_m0))}: each kernel has an independent weight, several can be close to 1 at the
#'   same point;
#' * `"rbf"`: \eqn{\eta_m(x) \propto \exp(-e^{s_m} \|x - c_m\|^2)}{eta_m(x) proportional to
#'   exp(-exp(s_m) ||x - c_m||^2)}, with sum 1: regions around centers.
#'
#' Let \eqn{J(v)} be the optimal value of the SVM, problem (7) for two classes, for gating
#' parameters \eqn{v}. Algorithm 1 alternates between solving it and a descent step on \eqn{v}, each
#' SVM starting from the coefficients of the one before. `lmkl()` minimizes
#' \deqn{J(v) + \frac{\lambda}{2} \, |J(v_0)| \, \|v - v_0\|^2,}{
#'   J(v) + lambda / 2 * |J(v0)| * ||v - v0||^2,}
#' where \eqn{\lambda} is `penalty` and \eqn{v_0} gives equal weights everywhere (for `"rbf"`: all
#' centers at the mean). Regression and one-class fits use the problems of [learner_svm()]
#' (section 3.2 of the paper); several classes are reduced to two.
#'
#' [objective()] is the value of this objective at the end and [objective_path()] its values after
#' each iteration, for the start that was kept. `coef()` returns the mean of each \eqn{\eta_m}
#' over the training rows; [gating_weights()] returns \eqn{\eta} at any rows.
#'
#' # Convergence
#' * A start has converged when the norm of the gradient is at most `tolerance` times its value at
#'   the start (or times 1 % of the objective, if that is more). The SVM is solved more exactly
#'   until its duality gap no longer matters for this test.
#' * \eqn{J} has kinks, where the gradient is discontinuous and does not become small. A start
#'   ends when its relative decrease is below 1e-5 in 25 iterations; it has converged if the
#'   shortest convex combination of nearby gradients is at most `100 * tolerance` (relative, as
#'   above).
#' * [converged()] is true when the SVM and **every** start have converged, because a start that
#'   has not converged may still reach a lower value than the one that is kept. Otherwise there is
#'   a warning of class `multikernel_not_converged`.
#' * The objective is not convex: the solution is a local minimum, from which small random
#'   perturbations did not escape. `summary()` shows the norm of the gradient (`gradient`) and the
#'   relative difference between the best and the worst start (`spread`). Increase `restarts` if
#'   it is large.
#'
#' # Details not specified in the paper
#' `preset` selects one of two settings:
#'
#' | | `"default"` | `"paper"` |
#' |---|---|---|
#' | kernels are normalized to | mean diagonal 1 (`"trace"`) | trace 1 (`"unit_trace"`) |
#' | columns of the gating model | mean 0, variance 1 | as they are |
#' | more columns than half the rows | two principal coordinates | as they are |
#' | penalty | 0.01 | 0 |
#' | step | L-BFGS with a Wolfe line search | fixed, `step` |
#' | end | gradient, or 500 iterations | 50 iterations |
#' | starts | 3 | 1 |
#' | kernels if none are given | linear, quadratic, Gaussian | the same, as in section 4 |
#'
#' * The best of `restarts` starts is kept. A start draws the parameters of the gating model
#'   uniformly between -0.1 and 0.1, and the centers of `"rbf"` near training rows.
#' * The line search satisfies the weak Wolfe conditions and changes the parameters by at most 2
#'   (Euclidean norm) in an iteration. The objective falls in each of them, as section 2 of the
#'   paper requires; with the fixed step of its experiments it can oscillate.
#' * Without a penalty the gating weights can degenerate: as a weight approaches 0, so does the
#'   gradient, even far from a minimum. The penalty keeps the gating parameters finite.
#' * With about as many columns as rows, a gating model on all columns can single out each
#'   training row. It then uses the first two principal coordinates of the standardized columns
#'   instead, each with variance 1 on the training rows; the loadings are stored in the fit. On
#'   three sets of gene expression data (colon, leukemia, prostate) the mean test accuracy is
#'   above that of [learner_average()]; on all columns and without a penalty it was equal or
#'   below.
#' * With `scale = TRUE`, the default of [mkl()], numeric columns are standardized first, in both
#'   presets.
#' * Under `preset = "paper"` kernels have trace 1, so that `cost` has the effect of `cost / n` on
#'   kernels of mean diagonal 1. With a few hundred rows and a cost up to 100, one kernel then
#'   dominates everywhere; this is the minimum of \eqn{J} and not caused by the step length.
#'   `normalize = "trace"` in addition to the preset avoids this. The results are in the file
#'   `experiments/README.md` of the installed package.
#' * Observation weights and class weights multiply the cost, as for [learner_svm()].
#' * Predictions evaluate \eqn{K_m(x, x_i)} only where neither \eqn{\eta_m(x)} nor
#'   \eqn{\eta_m(x_i)} is 0 (section 3.1).
#'
#' # Choosing parameters
#' * `kernels`: a few simple kernels, or copies of one, such as `kernels = rep(kernel_linear(),
#'   3)`. Start with 2 or 3; each adds parameters to the gating model, and localizing a Gaussian
#'   kernel rarely improves the fit.
#' * `cost`: as for [learner_svm()]; the paper tries 0.01, 0.1, 1, 10 and 100.
#' * `gating_on`: with many columns, or with columns that only some kernels should use, select the
#'   few columns that describe the position in input space. `~ 1` is a gating model without
#'   columns: fixed weights, learned.
#' * `penalty`: values between 1e-4 (sharp regions) and 0.1 (nearly equal weights), chosen by
#'   cross-validation.
#' * `restarts`: increase it if fits with different seeds differ.
#' * `tolerance` and `iterations`: after a warning increase `iterations`, or, if the objective has
#'   stopped at a kink, `penalty` or `tolerance`. Most of the decrease occurs in the first
#'   iterations, as `plot(fit, "path")` shows: `iterations = 50` is often sufficient.
#'
#' The gating model needs columns. To combine kernel matrices, give the columns as well:
#' `lmkl(columns, y, kernels = kernel_precomputed(K))`.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, or a matrix or data frame
#'   and `y`; then any other argument of [mkl()]. For `learner_lmkl()` `...` is not used.
#' @param cost Cost of errors on the training rows, a positive number; larger values fit the
#'   training rows more closely. Not used by one-class fits.
#' @param gating Form of the gating model: `"softmax"`, `"sigmoid"` or `"rbf"`. A one-sided
#'   formula, such as `gating = ~ x1 + x2`, is short for `"softmax"` on these columns.
#' @param gating_on Predictors of the gating model: names, positions or a one-sided formula; all
#'   columns by default.
#' @param preset Settings of the optimization: `"default"` or `"paper"`, see below.
#' @param iterations Maximum number of iterations of each start (exact number for `preset =
#'   "paper"`); `NULL` for 500 (default) or 50 (paper).
#' @param restarts Number of random starts, of which the best is kept; `NULL` for 3 (default) or 1
#'   (paper).
#' @param step Length of the fixed step of `preset = "paper"`; not used by the line search.
#' @param tolerance Tolerance of the stopping rule: norm of the gradient relative to its initial
#'   value; not used with the fixed step.
#' @param epsilon Half-width of the epsilon-insensitive tube for regression: smaller errors have
#'   no cost. A non-negative number, in standard deviations of the response.
#' @param nu Upper bound on the share of training rows treated as outliers in one-class fits, in
#'   (0, 1]. Not used otherwise.
#' @param penalty Ridge penalty on the parameters of the gating model; larger values give more
#'   even weights. A non-negative number; `NULL` for 0.01 (default) or 0 (paper).
#' @param gating_rank Number of principal coordinates that replace the columns in the gating
#'   model; 0 for the columns themselves. `NULL`: 2 if there are more columns than half the
#'   training rows of a model, otherwise 0; always 0 for `preset = "paper"`.
#' @return `lmkl()`: a fit of class `mkl_lmkl` and `mkl`, see [mkl()]; also see [gating_weights()]
#'   and [`plot()`][plot.mkl_lmkl]. `learner_lmkl()`: a learner, class `mkl_learner`.
#' @references
#' Gönen, M. and Alpaydın, E. (2008). Localized multiple kernel learning. In *Proceedings of the
#' 25th International Conference on Machine Learning*, 352-359.
#'
#' Gönen, M. and Alpaydın, E. (2013). Localized algorithms for multiple kernel learning. *Pattern
#' Recognition* 46, 795-807.
#' @family learners
#' @examples
#' # three linear kernels, each for a part of the plane
#' set.seed(1)
#' x <- cbind(a = runif(200, -3, 3), b = runif(200, -3, 3))
#' y <- factor(ifelse(x[, "b"] > abs(x[, "a"]) - 1, "above", "below"))
#' fit <- lmkl(x, y, kernels = rep(kernel_linear(), 3), cost = 10)
#' fit
#' mean(fitted(fit) == y)
#' # one linear kernel cannot
#' mean(fitted(mkl(x, y, kernels = kernel_linear())) == y)
#'
#' # kernels on different columns, gating on two of them
#' two <- droplevels(iris[51:150, ])
#' lmkl(Species ~ rbf(Petal.Length, Petal.Width, sigma = 1) + linear(.), two,
#'   gating = ~ Petal.Length + Petal.Width, restarts = 1
#' )
#' @rdname lmkl
#' @order 2
#' @export
learner_lmkl <- function(cost = 1, gating = "softmax", gating_on = NULL,
                         preset = c("default", "paper"), iterations = NULL, restarts = NULL,
                         step = 0.01, tolerance = 1e-4, epsilon = 0.1, nu = 0.1, penalty = NULL,
                         gating_rank = NULL, ...) {
  check_dots(...)
  if (inherits(gating, "formula")) {
    if (!is.null(gating_on)) {
      stop_mkl(
        "argument_error", "gating_on", "`gating` is a formula of columns already, so `gating_on` ",
        "cannot be used. Name the model instead, as gating = \"softmax\"."
      )
    }
    gating_on <- gating
    gating <- "softmax"
  }
  preset <- check_choice(preset, "preset", c("default", "paper"))
  above_zero <- c(TRUE, FALSE)
  svm <- svm_parameters(cost, epsilon, nu)
  parameters <- list(
    cost = svm$cost,
    gating = check_choice(gating, "gating", c("softmax", "sigmoid", "rbf")),
    gating_on = about_gating(check_on(gating_on)),
    preset = preset,
    iterations = check_number(
      iterations %||% if (preset == "paper") 50 else 500, "iterations", 1, 1e6, whole = TRUE
    ),
    restarts = check_number(
      restarts %||% if (preset == "paper") 1 else 3, "restarts", 1, 1e6, whole = TRUE
    ),
    step = check_number(step, "step", 0, open = above_zero),
    tolerance = check_number(tolerance, "tolerance", 0),
    epsilon = svm$epsilon, nu = svm$nu,
    penalty = check_number(penalty %||% if (preset == "paper") 0 else 1e-2, "penalty", 0),
    gating_rank = check_rank(gating_rank, preset)
  )
  paper <- preset == "paper"
  new_learner(
    name = "lmkl", like = NULL, label = "Localized multiple kernel learning",
    parameters = parameters, constructor = learner_lmkl, core = "lmkl", tasks = task_names(),
    takes = kernel_limits(), kernels = if (paper) gating_kernels_of_paper else gating_kernels,
    normalize = if (paper) "unit_trace" else "trace", costs = TRUE, stochastic = TRUE,
    path = character(), grid = list(cost = 10^(-2:2)), stopping = stop_at_tol(), margins = TRUE,
    linear = FALSE, product = FALSE, labels_inside = FALSE, approximate = FALSE, work = c(200, 2),
    used_for = c(
      svm_used_for(), if (paper) list(tolerance = character()) else list(step = character())
    )
  )
}

#' @rdname lmkl
#' @order 1
#' @export
lmkl <- named_method(learner_lmkl)

# NULL: the core decides. The paper's gating model sees the columns.
check_rank <- function(rank, preset) {
  if (is.null(rank)) return(if (preset == "paper") 0)
  check_number(rank, "gating_rank", 0, 1e6, whole = TRUE)
}

# Errors about `on`, the name of this argument for kernels, speak of `gating_on`.
about_gating <- function(expr) {
  tryCatch(expr, multikernel_error = function(e) {
    stop_mkl(
      "argument_error", "gating_on", gsub("`on`", "`gating_on`", conditionMessage(e), fixed = TRUE)
    )
  })
}

#' @export
learner_core.mkl_learner_lmkl <- function(learner, items, frame) {
  parameters <- learner$parameters
  columns <- gating_columns(parameters$gating_on, frame$frame, ncol(frame$x))
  if (ncol(frame$x) == 0L && length(columns) == 0L && is.null(parameters$gating_on)) {
    stop_mkl(
      "data_error", "x", "The gating model of lmkl() needs columns of data, but only kernel ",
      "matrices were given. Give the columns as `x` and the matrices as kernels: ",
      "lmkl(columns, y, kernels = kernel_precomputed(K)), or ask for weights that are the same ",
      "everywhere: gating_on = ~ 1."
    )
  }
  paper <- parameters$preset == "paper"
  rank <- parameters$gating_rank
  parameters[c("preset", "gating_on", "gating_rank")] <- NULL
  c(parameters, list(
    rank = rank, columns = as_positions(columns), standardize = !paper, line_search = !paper
  ))
}

# The descent has reasons of its own to end early, and remedies of its own.
#' @export
scores_in_core.mkl_learner_lmkl <- function(learner) FALSE

#' @export
fit_core.mkl_learner_lmkl <- function(learners, x, problem, items, parameters, control) {
  Map(warn_gating, NextMethod(), parameters)
}

warn_gating <- function(result, parameters) {
  facts <- model_facts_cpp(result$models)
  open <- Filter(function(model) model$descended == 0, facts)
  if (length(open)) {
    ends <- unlist(lapply(open, function(model) model$open))
    several <- length(result$models) > 1L
    limit <- any(ends == 1)
    warn_mkl(
      "not_converged", "The gating model has not converged in ", sum(ends > 0), " of ",
      plural(length(ends), "start"),
      if (several) paste0(", in ", length(open), " of ", length(result$models), " models"), ": ",
      if (limit) paste0("still changing after ", plural(parameters$iterations, "iteration")),
      if (limit && any(ends == 2)) ", or ",
      if (any(ends == 2)) "no further progress although the gradient is not small",
      ". Raise ", if (limit) "`iterations`, ", "`penalty` or `tolerance`."
    )
  }
  result
}

#' @export
models_converged.mkl_lmkl <- function(object) {
  descended <- vapply(model_facts(object), function(facts) facts$descended == 1, NA)
  NextMethod() & descended
}

# The certificate of the descent beside that of the SVM, and how far apart the starts ended.
#' @export
summary.mkl_lmkl <- function(object, ...) {
  object <- check_fit(object)
  out <- NextMethod()
  facts <- model_facts(object)
  out$models$gradient <- vapply(facts, function(model) model$gradient_norm, 0)
  out$models$spread <- vapply(facts, function(model) {
    starts <- model$starts
    if (length(starts) == 0L) NA_real_ else diff(range(starts)) / max(abs(min(starts)), 1e-300)
  }, 0)
  out
}

# Positions of the gating columns in the matrix of the fit; NULL for all.
gating_columns <- function(on, frame, p) {
  if (is.null(on)) return(NULL)
  if (inherits(on, "formula")) {
    if (length(all.vars(on)) == 0L) return(integer())
    on <- about_gating(formula_columns(on, frame))
  }
  find_columns(on, frame, p, function(...) {
    stop_mkl("argument_error", "gating_on", "The gating model ", ...)
  })
}
