#' Multiple kernel boosting
#'
#' @description
#' AdaBoost whose base classifiers are support vector machines, one for each kernel: every trial
#' trains them on a small sample of the rows, weighted towards those that are hard to classify,
#' and keeps the best or a vote of all. `mkboost()` fits it; `learner_mkboost()` is the
#' specification for [mkl()].
#'
#' @details
#' Trial \eqn{t} draws a sample of rows by the distribution \eqn{D_t}, trains a machine
#' \eqn{h_t^j} with outputs -1 and 1 for each kernel \eqn{j}, and measures its error on all rows
#' (equation 2.4 of the paper),
#' \deqn{\epsilon_t^j = \sum_{i=1}^N D_t(i) \, [h_t^j(x_i) \ne y_i].}
#' The variants form the classifier \eqn{h_t} of the trial from them:
#' * `"D1"` takes the one of the smallest error (2.5, algorithm 1).
#' * `"D2"` takes the vote \eqn{h_t = \mathrm{sign} \sum_j \alpha_t^j h_t^j} with
#'   \eqn{\alpha_t^j = \frac12 \ln \frac{1 - \epsilon_t^j}{\epsilon_t^j}} (2.8 and 2.9,
#'   algorithm 2).
#' * `"S1"` and `"S2"` are the same on a sample of the kernels (algorithms 3 and 4): kernel
#'   \eqn{j} takes part with probability \eqn{S_t(j)}, which starts at 1 and falls with its errors,
#'   \eqn{S_{t+1}(j) = S_t(j) \, \beta^{\epsilon_t^j}} (2.10), where \eqn{\beta} is `decay`.
#'
#' With the error \eqn{\epsilon_t} of \eqn{h_t} (2.6) and
#' \eqn{\alpha_t = \frac12 \ln \frac{1 - \epsilon_t}{\epsilon_t}}, the distribution becomes
#' \eqn{D_{t+1}(i) \propto D_t(i) \exp(-\alpha_t y_i h_t(x_i))}, and the decision value is
#' \deqn{f(x) = \sum_{t=1}^T \alpha_t h_t(x)} (2.1 and 2.7).
#'
#' The objective that [objective()] gives is the exponential loss
#' \eqn{\frac1N \sum_i \exp(-y_i f(x_i))}. It is never below the training error, and equals
#' \eqn{\prod_t 2 \sqrt{\epsilon_t (1 - \epsilon_t)}} as long as no error was clipped and no trial
#' discarded. `coef()` gives the share of each kernel in the sum of the \eqn{\alpha_t}; a trial of
#' votes is shared out in proportion to their sizes.
#'
#' # What the paper leaves open
#' * The width of a Gaussian kernel is sigma in \eqn{\exp(-d^2 / (2 \sigma^2))}.
#' * `round(sampling * n)` rows are drawn with replacement; a row that is drawn twice counts twice.
#' * A sample with rows of one class only is drawn again; after 100 tries one row of the missing
#'   class takes the place of another.
#' * Errors are kept within \eqn{[1/(2N), 1 - 1/(2N)]} before the logarithm.
#' * A trial with an error of 1/2 or more is discarded: it has weight 0 and \eqn{D} starts again
#'   from the uniform distribution.
#' * In D2 and S2 a machine with an error above 1/2 votes with its negative weight.
#' * \eqn{S} is updated for the kernels that took part only, then divided by its maximum. If no
#'   kernel is drawn, the one of the largest \eqn{S} is used.
#' * Ties go to the first kernel; a sum of 0 is the positive class.
#' * A machine ends after a million steps, converged or not, unless `max_iter` of [mkl_control()]
#'   says otherwise: features that were not scaled could keep it busy for hours.
#' * Rows and kernels are drawn from random numbers of their own, so that S1 with `decay = 1` is D1.
#' * Weights of rows and classes multiply the cost of the machines, not \eqn{D}.
#' * Several classes: one against one, as in the paper, unless `multiclass` says otherwise.
#'
#' For classes only: a numeric response or one class is an error.
#'
#' # Choosing parameters
#' * `trials`: accuracy rises quickly up to about 50 and little after 200. One fit serves for all
#'   smaller numbers: `predict(fit, newdata, trials = t)` uses the first t only. Without `newdata`
#'   it gives those of the training rows, all of which the fit holds; not so on kernel matrices.
#' * `sampling`: 0.2 to 0.4; larger samples make better and slower machines.
#' * `variant`: S1 and S2 are faster than D1 and D2 and as accurate in most
#'   comparisons. D1 and S1 give a model that is easier to read.
#' * `cost`: 50 as in the paper, which does not vary it. Lower it if the data are noisy: the linear
#'   kernel then also fits faster.
#' * Kernels are not normalised by default. Without `kernels` those of the paper are used:
#'   Gaussians of width \eqn{2^{-6}, \dots, 2^7} and polynomials of degree 1 to 3, on columns of
#'   mean 0 and variance 1.
#'
#' [set.seed()] governs the draws; the number of threads does not change them.
#'
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_mkboost()` the dots are not used.
#' @param variant `"D1"`, `"D2"`, `"S1"` or `"S2"`, see below.
#' @param trials Number of boosting trials.
#' @param sampling Share of the rows in the sample of a trial, in (0, 1].
#' @param decay Decay of the probability of kernels with errors, in (0, 1]; used by S1 and S2.
#' @param cost Positive number: the cost of the support vector machines.
#' @return `mkboost()`: a fit of class `mkl_mkboost` and `mkl`, see [mkl()]; [boosting_path()] tells
#'   its story. `learner_mkboost()`: a learner, class `mkl_learner`.
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
#' @export
mkboost <- function(x, ..., variant = "D1", trials = 100, sampling = 0.2, decay = 2^-5,
                    cost = 50) {
  learner <- learner_mkboost(variant, trials, sampling, decay, cost)
  front_door(match.call(), names(formals(mkboost)), learner, x, ...)
}

#' @rdname mkboost
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
    "mkboost", parameters, paste0("Multiple kernel boosting, MKBoost-", variant),
    tasks = "classification", stochastic = TRUE, normalize = "none"
  )
}

#' @export
default_kernels.mkl_learner_mkboost <- function(learner, p, scaled) {
  kernel_set(kernel_rbf(sigma = 2^(-6:7)), kernel_polynomial(1:3))
}

#' @export
path_parameters.mkl_learner_mkboost <- function(learner) "trials"

#' @export
has_margins.mkl_learner_mkboost <- function(learner) FALSE

# Fits that differ in `trials` alone are the first trials of the longest. Probabilities are
# calibrated for all trials of a fit, so with them each is fitted.
#' @export
fit_many.mkl_learner_mkboost <- function(learners, x, problem, items, parameters, control) {
  if (problem$probability) return(fit_shared(learners, x, problem, items, parameters, control))
  trials <- vapply(parameters, function(p) p$trials, 0)
  results <- vector("list", length(learners))
  rest <- lapply(parameters, function(p) p[names(p) != "trials"])
  groups <- split_identical(rest)
  longest <- vapply(groups, function(g) g[which.max(trials[g])], 1L)
  fitted <- fit_shared(learners[longest], x, problem, items, parameters[longest], control)
  for (k in seq_along(groups)) {
    results[groups[[k]]] <- lapply(groups[[k]], function(i) first_trials(fitted[[k]], trials[i]))
  }
  results
}

# The result of a fit as if it had ended after trial `t`; decision values of the training rows,
# which are not known then, are left out.
first_trials <- function(result, t) {
  if (t == length(result$models[[1L]]$state$alpha)) return(result)
  result$models <- lapply(result$models, function(model) {
    s <- model$state
    used <- which(s$trial <= t)
    entries <- seq_len(sum(s$length[used]))
    by_trial <- c("alpha", "error", "tried", "training_error")
    by_machine <- c("trial", "kernel", "vote", "bias", "length")
    s[by_trial] <- lapply(s[by_trial], `[`, seq_len(t))
    s[by_machine] <- lapply(s[by_machine], `[`, used)
    s[c("rows", "coefficients")] <- lapply(s[c("rows", "coefficients")], `[`, entries)
    s$trials <- t
    model$state <- s
    model
  })
  result["decision"] <- list(NULL)
  result
}

# predict(trials = t): the core stops after the number of trials in the state of each model.
#' @export
prepare_models.mkl_mkboost <- function(object, request, ..., trials = NULL) {
  check_dots(..., known = c(predict_arguments(), "trials"), called = "predict()")
  all <- length(object$models[[1L]]$state$alpha)
  trials <- check_number(trials %||% all, "trials", 1, all, whole = TRUE)
  if (trials == all) return(object)
  if (request$type == "prob") {
    stop_mkl(
      "argument_error", "trials", "Probabilities are calibrated for all ", all, " trials of the ",
      "fit: leave `trials` out, or fit again with `trials = ", trials, "`."
    )
  }
  for (m in seq_along(object$models)) object$models[[m]]$state$trials <- trials
  if (request$training) object$decision <- training_trials(object, trials)
  object
}

# Decision values of the training rows after the first trials. The fit holds all of these rows, as
# the machines saw them, but no kernel matrices.
training_trials <- function(object, trials) {
  if (nrow(object$train) != object$n || length(precomputed_names(object$kernels))) {
    stop_mkl(
      "argument_error", "newdata", "The fit keeps the predictions of all of its trials for its ",
      "training rows, not those of ", trials, ". Give the rows as `newdata`."
    )
  }
  object$frame$center <- NULL # they are scaled already
  core_decision(object, object$train, list(), seq_len(object$n))
}

#' The trials of a boosted fit
#'
#' What happened in each trial of [mkboost()]: which kernel was chosen, how well it did, and how
#' many training rows the classifier got wrong so far.
#'
#' @details
#' The columns `error` and `weight` are \eqn{\epsilon_t} and
#' \deqn{\alpha_t = \frac12 \ln \frac{1 - \epsilon_t}{\epsilon_t}} of the paper (equation 2.6 and
#' algorithm 1), with the error kept within \eqn{[1/(2N), 1 - 1/(2N)]} in the logarithm. A trial of
#' weight 0 was discarded because its error was 1/2 or more.
#'
#' # Choosing the number of trials
#' The training error says when the classifier has learned its rows, not when to stop: compare
#' `predict(fit, newdata, trials = t)` on rows that were not used.
#'
#' @param object A fit of [mkboost()].
#' @param ... Not used; a misspelt argument is an error.
#' @return A data frame with one row for each trial, and for each pair of classes if there are
#'   several: `trial`, `pair` (with several models only), `tried` (number of kernels that were
#'   trained), `kernel` (name of the chosen one, `"vote"` for the variants D2 and S2), `error`,
#'   `weight`, and `training_error` (of the classifier up to this trial).
#' @inherit mkboost references
#' @family questions to a fit
#' @examples
#' set.seed(1)
#' fit <- mkboost(Species ~ ., droplevels(iris[51:150, ]), trials = 10)
#' boosting_path(fit)
#' @export
boosting_path <- function(object, ...) UseMethod("boosting_path")

#' @export
boosting_path.mkl_mkboost <- function(object, ...) {
  check_fit(object)
  check_dots(...)
  names <- item_names(object$kernels)
  vote <- object$learner$parameters$variant %in% c("D2", "S2")
  paths <- lapply(object$models, function(model) {
    state <- model$state
    trial <- seq_along(state$alpha)
    data.frame(
      trial = trial, tried = as.integer(state$tried),
      kernel = if (vote) "vote" else names[state$kernel[match(trial, state$trial)]],
      error = state$error, weight = state$alpha, training_error = state$training_error
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
  trials <- length(object$models[[1L]]$state$alpha)
  usage <- matrix(0, length(names), trials, dimnames = list(names, NULL))
  for (model in object$models) {
    state <- model$state
    votes <- tapply(abs(state$vote), factor(state$trial, seq_len(trials)), sum)
    share <- state$alpha[state$trial] * abs(state$vote) / votes[state$trial]
    share[votes[state$trial] == 0] <- 0
    cell <- cbind(state$kernel, state$trial) # a kernel comes once in a trial
    usage[cell] <- usage[cell] + share / length(object$models)
  }
  usage
}

# The kernels that carried most, in their own order.
top_usage <- function(object, limit) {
  usage <- kernel_usage(object)
  usage[sort(utils::head(order(-rowSums(usage)), limit)), , drop = FALSE]
}

#' Plot the path of a boosted fit
#'
#' Above, the error of the classifier on the training rows as trials are added, and the weighted
#' error of each trial; below, the kernels that carried the trials.
#'
#' @details
#' The line is the training error of \deqn{\mathrm{sign}(\sum_{s \le t} \alpha_s h_s(x));} a point
#' is the error \eqn{\epsilon_t} of trial \eqn{t} on the rows as it saw them (equation 2.6), a
#' cross a trial that was discarded. Below, a cell is the darker the more of \eqn{\alpha_t} went
#' to a kernel. With several pairs of classes there is one line for each, and the cells are means.
#'
#' # Choosing what to see
#' `"weights"` draws the share of each kernel in all trials, `"boundary"` the regions of a
#' two-class fit on two columns; both as [plot.mkl()] does.
#'
#' @param x A fit of [mkboost()].
#' @param what `"path"`, `"weights"` or `"boundary"`.
#' @param limit Largest number of kernels to be shown.
#' @param main Title.
#' @param col Two colours: lines and cells, points.
#' @param ... Handed to [plot.mkl()], or to [graphics::plot.default()] for the upper part of the
#'   path.
#' @return The fit, invisibly.
#' @inherit mkboost references
#' @family questions to a fit
#' @examples
#' set.seed(1)
#' fit <- mkboost(Species ~ ., droplevels(iris[51:150, ]), trials = 40)
#' plot(fit)
#' @export
plot.mkl_mkboost <- function(x, what = c("path", "weights", "boundary"), limit = 20L, main = NULL,
                             col = c("#2166AC", "#B2182B"), ...) {
  check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("path", "weights", "boundary"))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  if (what != "path") {
    plot.mkl(x, what = what, limit = limit, main = main, col = col, ...)
    return(invisible(x))
  }
  usage <- top_usage(x, limit)
  labels <- shorten(rownames(usage))
  margin <- label_margin(labels, 0.75, least = 4.2)
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  tall <- min(1.6, 0.35 + 0.07 * nrow(usage))
  graphics::layout(matrix(1:2), heights = c(1, tall))
  plot_errors(x, margin, main %||% x$learner$label, col, ...)
  plot_usage(usage, labels, margin, col[1L])
  invisible(x)
}

plot_errors <- function(x, margin, main, col, ...) {
  path <- boosting_path(x)
  trials <- max(path$trial)
  kept <- path$weight > 0
  pairs <- unique(path$pair) %||% "all"
  lines <- if (length(pairs) == 1L) "classifier so far" else utils::head(pairs, 8L)
  entries <- c(lines, "single trial", if (!all(kept)) "discarded trial")
  # Room above the points for the legend, three entries to a row.
  room <- 1.1 + 0.3 * ceiling(length(entries) / 3)
  graphics::par(mar = c(1.2, margin, 2.6, 1.2), las = 1, mgp = c(2.6, 0.6, 0), tcl = -0.3)
  graphics::plot.default(
    NA, xlim = c(0.5, trials + 0.5), ylim = c(0, max(path$error, path$training_error, 0.01) * room),
    xaxs = "i", yaxs = "i", xaxt = "n", xlab = "", ylab = "error", main = main, bty = "l", ...
  )
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  graphics::points(
    path$trial, path$error, pch = ifelse(kept, 16, 4), cex = if (trials > 150) 0.4 else 0.6,
    col = grDevices::adjustcolor(col[2L], if (is.null(path$pair)) 0.55 else 0.25)
  )
  colours <- if (length(pairs) == 1L) col[1L] else grDevices::hcl.colors(length(pairs), "Dark 3")
  for (i in seq_along(pairs)) {
    one <- if (is.null(path$pair)) path else path[path$pair == pairs[i], ]
    graphics::lines(one$trial, one$training_error, type = "s", lwd = 2, col = colours[i])
  }
  graphics::legend(
    "top", bg = "#FFFFFFCC", box.col = NA, cex = 0.8, ncol = 3L, legend = entries,
    col = c(utils::head(colours, 8L), col[2L], if (!all(kept)) col[2L]),
    lwd = c(rep(2, length(lines)), NA, if (!all(kept)) NA),
    pch = c(rep(NA, length(lines)), 16, if (!all(kept)) 4)
  )
}

plot_usage <- function(usage, labels, margin, col) {
  graphics::par(mar = c(3.2, margin, 0.4, 1.2), las = 1, mgp = c(2, 0.5, 0), tcl = -0.3)
  count <- nrow(usage)
  shades <- grDevices::colorRampPalette(c("grey97", "#D1E5F0", col))(64)
  graphics::image(
    seq_len(ncol(usage)), seq_len(count), t(usage[rev(seq_len(count)), , drop = FALSE]),
    col = shades, zlim = c(0, max(usage, 1e-300)), xlab = "trial", ylab = "", yaxt = "n", bty = "n"
  )
  graphics::abline(h = seq_len(count - 1L) + 0.5, col = "white", lwd = 2)
  graphics::axis(2, rev(seq_len(count)), labels, tick = FALSE, cex.axis = 0.75)
  graphics::box(col = "grey60")
}

# Sections 3.5.1 and 3.5.2 of the paper.
#' @export
learner_grid.mkl_learner_mkboost <- function(learner) {
  list(trials = seq(20, 200, 20), sampling = c(0.05, 0.1, 0.2, 0.3, 0.4, 0.5))
}
