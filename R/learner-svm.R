#' Support vector machine with one kernel or fixed kernel weights
#'
#' Specification of a support vector machine for classification, regression or novelty detection,
#' to be fitted with [mkl()]. It is a baseline for multiple kernel learning and a part of most
#' learners of this package.
#'
#' @details
#' Classification solves, with \eqn{y_i \in \{-1, 1\}} and \eqn{K = \sum_m d_m K_m}{K = sum_m d_m
#' K_m} for fixed weights \eqn{d},
#' \deqn{\max_{\alpha} \sum_i \alpha_i - \frac12 \sum_{ij} \alpha_i \alpha_j y_i y_j K_{ij}
#'   \quad \mathrm{s.t.} \quad 0 \le \alpha_i \le C_i, \; \sum_i y_i \alpha_i = 0,}{
#'   max over alpha of sum_i alpha_i - sum_ij alpha_i alpha_j y_i y_j K[i, j] / 2
#'   subject to 0 <= alpha_i <= C_i, sum_i y_i alpha_i = 0,}
#' where \eqn{C_i} is the cost times the weight of the row and of its class. Regression is
#' epsilon-SVR: errors below `epsilon`, in standard deviations of the response, cost nothing (in the
#' units of the response with `scale_response = FALSE`, see [mkl()]). Novelty detection is the
#' nu-SVM of Schölkopf et al. (2001).
#'
#' With `loss = "squared_hinge"` classification solves
#' \deqn{\min_{w, b} \; \frac12 \|w\|^2 + \sum_i C_i \max(0, 1 - y_i f(x_i))^2}{min over w, b of
#'   ||w||^2 / 2 + sum_i C_i max(0, 1 - y_i f(x_i))^2}
#' instead. Its dual is the one above with \eqn{1 / (2 C_i)} added to the diagonal of \eqn{K} and
#' without an upper bound of \eqn{\alpha}.
#'
#' With `loss = "squared"` classification is the least-squares support vector machine of Suykens
#' and Vandewalle (1999), and regression is kernel ridge regression with a free bias:
#' \deqn{\min_{w, b} \; \frac12 \|w\|^2 + \frac12 \sum_i C_i (y_i - f(x_i))^2,}{min over w, b of
#'   ||w||^2 / 2 + sum_i C_i (y_i - f(x_i))^2 / 2,}
#' which is one system of linear equations, with \eqn{f = K \beta + b}{f = K beta + b}:
#' \deqn{(K + \mathrm{diag}(1 / C_i)) \beta + b = y, \quad \sum_i \beta_i = 0.}{
#'   (K + diag(1 / C_i)) beta + b = y,  sum_i beta_i = 0.}
#' It is solved by a Cholesky factor; if its memory exceeds `memory` of [mkl_control()], by
#' sequential minimal optimization. The ridge penalty of other packages is
#' \eqn{\lambda = 1 / C}{lambda = 1 / C}. With [nystrom()] or [random_features()] the second moments
#' of the features are computed in one pass over the rows, and all costs of a grid or path are
#' solved from these.
#'
#' All other problems are solved by sequential minimal optimization with second-order working sets.
#' The bias is the mean over the free support vectors, or the middle of its feasible interval if
#' there are none. Kernels are not normalized by default.
#'
#' # Choosing parameters
#' * `cost`: small values give smooth functions, large values fit the training rows closely. Try
#'   `10^(-1:3)` by cross-validation. The default of 4 was chosen together with the default width
#'   of [mkl()]: on 21 data sets the two together were never worse than the defaults of the
#'   package e1071 by more than two standard errors, and mostly better (`tools/bench/accuracy.R`
#'   in the sources).
#' * `loss`: the squared hinge loss is smooth, penalizes large errors more strongly and small
#'   errors less, and always has a unique solution. Prefer it if decision values are more
#'   important than a small number of support vectors: nearly every observation within the margin
#'   becomes one. Prefer the hinge loss if some labels may be wrong. The squared loss is the
#'   fastest for many rows with an approximation, and estimates the mean in regression; every row
#'   is a support vector, and rows far on the correct side of the boundary count as errors. The
#'   same `cost` means a different amount of regularization for each loss, so tune it for each:
#'   the default is the same for all losses and was chosen for the hinge loss. For the squared
#'   loss try `10^(-3:2)`.
#' * `weights`: required with several kernels; [learner_average()] uses equal weights.
#' * `nu` is an upper bound on the share of training rows that are classified as outliers, and a
#'   lower bound on the share of support vectors: use 0.1 if up to about a tenth may be outliers.
#'
#' @param cost Cost of errors on the training rows, a positive number; larger values fit the
#'   training rows more closely. Not used by one-class fits.
#' @param weights Fixed kernel weights: non-negative numbers, one for each kernel, in the order of
#'   the set or named by the kernels; `NULL` for a single kernel.
#' @param epsilon Half-width of the epsilon-insensitive tube for regression: smaller errors have
#'   no cost. A non-negative number, in standard deviations of the response.
#' @param nu Upper bound on the share of training rows treated as outliers in one-class fits, in
#'   (0, 1]. Not used otherwise.
#' @param loss Loss function: `"hinge"` (default), `"squared_hinge"` for classification only, or
#'   `"squared"` for classification and regression, which then does not use `epsilon`. With the
#'   default, regression and one-class fits have their own loss functions.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A learner, class `mkl_learner`.
#' @references
#' Chang, K.-W., Hsieh, C.-J. and Lin, C.-J. (2008). Coordinate descent method for large-scale
#' L2-loss linear support vector machines. *Journal of Machine Learning Research* 9, 1369-1398.
#'
#' Cortes, C. and Vapnik, V. (1995). Support-vector networks. *Machine Learning* 20, 273-297.
#'
#' Fan, R.-E., Chen, P.-H. and Lin, C.-J. (2005). Working set selection using second order
#' information for training support vector machines. *Journal of Machine Learning Research*
#' 6, 1889-1918.
#'
#' Keerthi, S. S. and Shevade, S. K. (2003). SMO algorithm for least-squares SVM formulations.
#' *Neural Computation* 15, 487-507.
#'
#' Schölkopf, B., Platt, J. C., Shawe-Taylor, J., Smola, A. J. and Williamson, R. C. (2001).
#' Estimating the support of a high-dimensional distribution. *Neural Computation* 13,
#' 1443-1471.
#'
#' Suykens, J. A. K. and Vandewalle, J. (1999). Least squares support vector machine classifiers.
#' *Neural Processing Letters* 9, 293-300.
#' @family learners
#' @examples
#' learner_svm(cost = 10)
#' two <- droplevels(iris[51:150, ])
#' fit <- mkl(Species ~ ., two, learner = learner_svm(cost = 10))
#' table(predict(fit, two), two$Species)
#'
#' # kernel ridge regression
#' fit <- mkl(mpg ~ wt + hp, mtcars, learner = learner_svm(cost = 10, loss = "squared"))
#' predict(fit, mtcars[1:3, ])
#'
#' # a fixed sum of two kernels
#' mkl(Species ~ ., two,
#'   kernels = kernel_set(kernel_rbf(2), kernel_linear()),
#'   learner = learner_svm(weights = c(0.8, 0.2))
#' )
#' @export
learner_svm <- function(cost = 4, weights = NULL, epsilon = 0.1, nu = 0.1,
                        loss = c("hinge", "squared_hinge", "squared"), ...) {
  check_dots(...)
  parameters <- svm_parameters(cost, epsilon, nu, loss)
  parameters["weights"] <- list(check_kernel_weights(weights))
  svm_learner(
    name = "svm", label = "Support vector machine", parameters = parameters,
    constructor = learner_svm, core = "svm", kernels = one_gaussian, normalize = "none",
    stochastic = FALSE, path = "cost", labels_inside = FALSE, approximate = TRUE, work = c(3, 2)
  )
}

check_kernel_weights <- function(weights) {
  if (is.null(weights)) return(NULL)
  check_numbers(unname(weights), "weights", 0)
  if (sum(weights) <= 0) stop_mkl("argument_error", "weights", "`weights` must not all be zero.")
  weights
}

#' @export
learner_core.mkl_learner_svm <- function(learner, items, frame) {
  fixed_weights(learner, items, "learner_average()")
}

# The parameters of a learner with its weights in the order of the kernels. `instead`: what finds
# weights by itself.
fixed_weights <- function(learner, items, instead) {
  parameters <- learner$parameters
  count <- sum(item_counts(items))
  parameters$weights <- if (is.null(parameters$weights) && count == 1) {
    1
  } else {
    match_weights(parameters$weights, count, items, paste0("learner_", learner$name), instead)
  }
  parameters
}

match_weights <- function(weights, count, items, learner, instead) {
  if (is.null(weights)) {
    stop_mkl(
      "argument_error", "weights", learner, "() got ", format_number(count, 15L),
      " kernels but no weights. ",
      "Give them, ", learner, "(weights = ), or use ", instead, "."
    )
  }
  if (length(weights) != count) {
    stop_mkl(
      "argument_error", "weights", "`weights` must have one number for each of the ",
      plural(count, "kernel"), ", not ", length(weights), "."
    )
  }
  if (is.null(names(weights))) return(as.double(weights))
  check_unique_names(names(weights), "weights", "number")
  known <- item_names(items)
  if (!setequal(names(weights), known)) {
    stop_mkl(
      "argument_error", "weights", "`weights` is named, but ",
      quote_all(setdiff(names(weights), known)), " is no kernel of the set: ",
      quote_all(known), "."
    )
  }
  as.double(weights[known])
}
