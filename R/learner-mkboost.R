#' Multiple kernel boosting (MKBoost)
#'
#' @description
#' AdaBoost with support vector machines as base classifiers, one for each kernel: every trial
#' trains them on a small sample of the rows, in which rows that are hard to classify have larger
#' probabilities, and keeps the best one or a vote of all. `mkboost()` fits it;
#' `learner_mkboost()` is the specification for [mkl()].
#'
#' @details
#' Trial \eqn{t} draws a sample of rows from the distribution \eqn{D_t}, trains a support vector
#' machine \eqn{h_t^j} with outputs -1 and 1 for each kernel \eqn{j}, and measures its error on
#' all rows (equation 2.4 of the paper),
#' \deqn{\epsilon_t^j = \sum_{i=1}^N D_t(i) \, [h_t^j(x_i) \ne y_i].}{
#'   epsilon[t, j] = sum_i D_t(i) [h_tj(x_i) != y_i].}
#' The variants differ in how the classifier \eqn{h_t} of the trial is formed:
#' * `"D1"` uses the one with the smallest error (2.5, algorithm 1).
#' * `"D2"` uses the vote \eqn{h_t = \mathrm{sign} \sum_j \alpha_t^j h_t^j}{h_t = sign sum_j
#'   alpha_tj h_tj} with \eqn{\alpha_t^j = \frac12 \ln \frac{1 -
#'   \epsilon_t^j}{\epsilon_t^j}}{alpha_tj = log((1 - epsilon_tj) / epsilon_tj) / 2} (2.8 and 2.9,
#'   algorithm 2).
#' * `"S1"` and `"S2"` are the same on a sample of the kernels (algorithms 3 and 4): kernel
#'   \eqn{j} is included with probability \eqn{S_t(j)}, which starts at 1 and decreases with its
#'   errors, \eqn{S_{t+1}(j) = S_t(j) \, \beta^{\epsilon_t^j}} (2.10), where \eqn{\beta} is
#'   `decay`.
#'
#' With the error \eqn{\epsilon_t} of \eqn{h_t} (2.6) and
#' \eqn{\alpha_t = \frac12 \ln \frac{1 - \epsilon_t}{\epsilon_t}}{alpha_t = log((1 - epsilon_t) /
#' epsilon_t) / 2}, the distribution becomes \eqn{D_{t+1}(i) \propto D_t(i) \exp(-\alpha_t y_i
#' h_t(x_i))}{D_(t+1)(i) proportional to D_t(i) exp(-alpha_t y_i h_t(x_i))}, and the decision
#' value is
#' \deqn{f(x) = \sum_{t=1}^T \alpha_t h_t(x)}{
#'   f(x) = sum_t alpha_t h_t(x)} (2.1 and 2.7).
#'
#' [objective()] returns the exponential loss \eqn{\frac1N \sum_i \exp(-y_i f(x_i))}{(1/N) sum_i
#' exp(-y_i f(x_i))}. It is never below the training error, and equals \eqn{\prod_t 2
#' \sqrt{\epsilon_t (1 - \epsilon_t)}}{prod_t 2 sqrt(epsilon_t (1 - epsilon_t))} as long as no
#' error was clipped and no trial discarded. `coef()` returns the share of each kernel in the sum
#' of the \eqn{\alpha_t}; with votes the weight of a trial is divided in proportion to the
#' absolute weights of the votes.
#'
#' # Details not specified in the paper
#' * The width of a Gaussian kernel is sigma in \eqn{\exp(-d^2 / (2 \sigma^2))}{exp(-d^2 / (2
#'   sigma^2))}.
#' * `round(sampling * n)` rows are drawn with replacement; a row that is drawn twice counts twice.
#' * A sample with rows of one class only is redrawn; after 100 attempts one row is replaced by a
#'   row of the missing class.
#' * Errors are clipped to \eqn{[1/(2N), 1 - 1/(2N)]} before taking logarithms.
#' * A trial with an error of 1/2 or more is discarded: it has weight 0 and \eqn{D} starts again
#'   from the uniform distribution.
#' * In D2 and S2 a support vector machine with an error above 1/2 votes with its negative weight.
#' * \eqn{S} is updated only for the kernels that were included, then divided by its maximum. If
#'   no kernel is drawn, the one with the largest \eqn{S} is used.
#' * Ties go to the first kernel; a sum of 0 is the positive class.
#' * The solver of a support vector machine stops after a million iterations, or after `max_iter`
#'   of [mkl_control()] if given, because it can take hours on features that are not scaled.
#' * Rows and kernels are drawn from separate random number streams, so that S1 with `decay = 1`
#'   equals D1.
#' * Observation weights and class weights multiply the cost of the support vector machines, not
#'   \eqn{D}.
#' * Several classes: one-against-one by default, as in the paper; see `multiclass` in [mkl()].
#' * With `approximate` of [mkl()] a support vector machine is fitted to the features of its
#'   sample, in time linear in the number of rows; its outputs for all rows come from the features,
#'   too.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `trials`: accuracy rises quickly up to about 50 and little after 200. One fit gives the
#'   predictions for all smaller numbers: `predict(fit, newdata, trials = t)` uses the first t
#'   trials only. Without `newdata` it returns predictions for the training rows, which are stored
#'   in the fit, except for fits on kernel matrices.
#' * `sampling`: 0.2 to 0.4; larger samples give more accurate and slower base classifiers.
#' * `variant`: S1 and S2 are faster than D1 and D2 and as accurate in most comparisons. The
#'   models of D1 and S1 are easier to interpret.
#' * `cost`: 50 as in the paper, which does not vary it. Lower it if the data are noisy: the linear
#'   kernel then also fits faster.
#' * Kernels are not normalized by default. Without `kernels` those of the paper are used:
#'   Gaussians of width \eqn{2^{-6}, \dots, 2^7} and polynomials of degree 1 to 3, on standardized
#'   columns.
#'
#' Use [set.seed()] to reproduce the random draws; they do not depend on the number of threads.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_mkboost()` `...` is not used.
#' @param variant Variant of the algorithm: `"D1"`, `"D2"`, `"S1"` or `"S2"`, see below.
#' @param trials Number of boosting trials.
#' @param sampling Sample size of a trial as a share of the rows, in (0, 1].
#' @param decay Decay factor of the sampling probability of kernels with errors, in (0, 1];
#'   smaller values exclude inaccurate kernels sooner. Used by S1 and S2.
#' @param cost Cost of errors of the support vector machines, a positive number; larger values fit
#'   their samples more closely.
#' @return `mkboost()`: a fit of class `mkl_mkboost` and `mkl`, see [mkl()]; [boosting_path()]
#'   returns its trials. `learner_mkboost()`: a learner, class `mkl_learner`.
#' @references
#' Xia, H. and Hoi, S. C. H. (2013). MKBoost: a framework of multiple kernel boosting. *IEEE
#' Transactions on Knowledge and Data Engineering* 25, 1574-1586.
#'
#' Freund, Y. and Schapire, R. E. (1997). A decision-theoretic generalization of on-line learning
#' and an application to boosting. *Journal of Computer and System Sciences* 55, 119-139.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' fit <- mkboost(Species ~ ., two, variant = "S1", trials = 30)
#' fit
#' mean(predict(fit, two) == two$Species)
#' # the same model after its first trials
#' for (t in c(1, 5, 30)) print(mean(predict(fit, two, trials = t) == two$Species))
#' @rdname mkboost
#' @order 2
#' @export
learner_mkboost <- function(variant = "D1", trials = 100, sampling = 0.2, decay = 2^-5, cost = 50,
                            ...) {
  check_dots(...)
  variant <- check_choice(variant, "variant", c("D1", "D2", "S1", "S2"))
  above_zero <- c(TRUE, FALSE)
  parameters <- list(
    variant = variant,
    trials = check_number(trials, "trials", 1, 1e6, whole = TRUE),
    sampling = check_number(sampling, "sampling", 0, 1, open = above_zero),
    decay = check_number(decay, "decay", 0, 1, open = above_zero),
    cost = check_number(cost, "cost", 0, open = above_zero)
  )
  new_learner(
    name = "mkboost", like = NULL, label = paste0("Multiple kernel boosting, MKBoost-", variant),
    parameters = parameters, constructor = learner_mkboost, core = "mkboost",
    tasks = "classification", takes = kernel_limits(), kernels = boosting_kernels,
    normalize = "none", costs = TRUE, stochastic = TRUE, path = "trials",
    grid = list(trials = seq(20, 200, 20), sampling = c(0.05, 0.1, 0.2, 0.3, 0.4, 0.5)),
    stopping = stop_at_tol(), margins = FALSE, linear = FALSE, product = FALSE,
    labels_inside = FALSE, approximate = TRUE, used_for = list(), work = c(60, 2)
  )
}

#' @rdname mkboost
#' @order 1
#' @export
mkboost <- named_method(learner_mkboost)

# predict(trials = t): the core stops after the number of trials in the state of each model.
#' @export
prepare_models.mkl_mkboost <- function(object, request, ..., trials = NULL) {
  check_dots(..., known = c(predict_arguments(), "trials"), called = "predict()")
  all <- length(model_facts(object)[[1L]]$alpha)
  trials <- check_number(trials %||% all, "trials", 1, all, whole = TRUE)
  if (trials == all) return(object)
  if (request$type == "prob") {
    stop_mkl(
      "argument_error", "trials", "Probabilities are calibrated for all ", all, " trials of the ",
      "fit: leave `trials` out, or fit again with `trials = ", trials, "`."
    )
  }
  for (m in seq_along(object$models)) object$models[[m]]$trials <- trials
  if (request$training) object$decision <- training_trials(object, trials)
  object
}

# Decision values of the training rows after the first trials. The fit holds all of these rows, as
# the SVMs saw them, but no kernel matrices.
training_trials <- function(object, trials) {
  if (nrow(object$train) != object$n || length(precomputed_names(object$kernels))) {
    stop_mkl(
      "argument_error", "newdata", "The fit keeps the predictions of all of its trials for its ",
      "training rows, not those of ", trials, ". Give the rows as `newdata`."
    )
  }
  core_decision(object, object$train, list(), seq_len(object$n))
}

#' Trials of a boosted fit: errors, weights and selected kernels
#'
#' Returns for each trial of [mkboost()] the selected kernel, its error and weight, and the
#' training error of the classifier up to this trial.
#'
#' @details
#' The columns `error` and `weight` are \eqn{\epsilon_t} and
#' \deqn{\alpha_t = \frac12 \ln \frac{1 - \epsilon_t}{\epsilon_t}}{
#'   alpha_t = log((1 - epsilon_t) / epsilon_t) / 2} of the paper (equation 2.6 and
#' algorithm 1), with the error kept within \eqn{[1/(2N), 1 - 1/(2N)]} in the logarithm. A trial of
#' weight 0 was discarded because its error was 1/2 or more.
#'
#' # Choosing the number of trials
#' The training error is not a stopping criterion: compare the accuracy of `predict(fit, newdata,
#' trials = t)` on rows that were not used in training.
#'
#' @param object A fit of [mkboost()].
#' @param ... Not used; misspelled arguments raise an error.
#' @return A data frame with one row for each trial, and for each pair of classes if there are
#'   several: `trial`, `pair` (with several models only), `tried` (number of kernels that were
#'   trained), `kernel` (name of the chosen one, `"vote"` for the variants D2 and S2), `error`,
#'   `weight`, and `training_error` (of the classifier up to this trial).
#' @inherit mkboost references
#' @family functions for fitted models
#' @examples
#' set.seed(1)
#' fit <- mkboost(Species ~ ., droplevels(iris[51:150, ]), trials = 10)
#' boosting_path(fit)
#' @export
boosting_path <- function(object, ...) UseMethod("boosting_path")

#' @export
boosting_path.mkl_mkboost <- function(object, ...) {
  object <- check_fit(object)
  check_dots(...)
  names <- item_names(object$kernels)
  vote <- object$learner$parameters$variant %in% c("D2", "S2")
  paths <- lapply(model_facts(object), function(facts) {
    trial <- seq_along(facts$alpha)
    data.frame(
      trial = trial, tried = as.integer(facts$tried),
      kernel = if (vote) "vote" else names[facts$kernel[match(trial, facts$trial)]],
      error = facts$error, weight = facts$alpha, training_error = facts$training_error
    )
  })
  if (length(paths) == 1L) return(paths[[1L]])
  out <- do.call(rbind, paths)
  pair <- rep(model_names(object), each = nrow(paths[[1L]]))
  cbind(out["trial"], pair = pair, out[-1L])
}

#' @export
boosting_path.default <- function(object, ...) {
  stop_must("object", "a fit of mkboost()", object)
}

# Matrix of kernels by trials: the share of a kernel in the weight of a trial, over all models.
kernel_usage <- function(object) {
  names <- item_names(object$kernels)
  models <- model_facts(object)
  trials <- length(models[[1L]]$alpha)
  usage <- matrix(0, length(names), trials, dimnames = list(names, NULL))
  for (model in models) {
    votes <- tapply(abs(model$vote), factor(model$trial, seq_len(trials)), sum)
    share <- model$alpha[model$trial] * abs(model$vote) / votes[model$trial]
    share[votes[model$trial] == 0] <- 0
    cell <- cbind(model$kernel, model$trial) # a kernel comes once in a trial
    usage[cell] <- usage[cell] + share / length(models)
  }
  usage
}

# The kernels that carried most, in their own order.
top_usage <- function(object, limit) {
  usage <- kernel_usage(object)
  usage[sort(utils::head(order(-rowSums(usage)), limit)), , drop = FALSE]
}
