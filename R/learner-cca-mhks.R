#' CCA+MHKS: canonical correlation of several kernels, then least squares
#'
#' @description
#' CCA+MHKS projects the feature spaces of several kernels to coordinates in which they agree, by
#' canonical correlation analysis ([nmcca()]), and trains [mhks()] classifiers on these
#' coordinates. It is the two-stage counterpart of [multik_mhks()]. `cca_mhks()` fits it;
#' `learner_cca_mhks()` is the specification for [mkl()].
#'
#' @details
#' Each kernel maps the rows by its [empirical_map()], a view \eqn{S_k}; [nmcca()] of all views
#' gives projections \eqn{W_k} and coordinates \eqn{Z_k = S_k W_k} (sections 1 and 3.2 of Wang, Chen
#' and Sun 2008). Then, as in figure 2 of the paper,
#' * `combine = "concatenate"` (CCA+MHKS1): one MHKS classifier on \eqn{[Z_1 \dots Z_m]};
#' * `combine = "vote"` (CCA+MHKS2): one classifier \eqn{f_k} on each \eqn{Z_k}, combined by
#'   majority vote. The decision value is
#'   \deqn{f(x) = \frac1m \sum_k \mathrm{sign} f_k(x) + \frac1m \frac{s}{1 + |s|}, \qquad
#'     s = \frac1m \sum_k f_k(x),}{
#'     f(x) = (1/m) sum_k sign f_k(x) + (1/m) s / (1 + |s|),
#'     s = (1/m) sum_k f_k(x),}
#'   whose sign is that of the majority and, if there is none, that of the mean; rows with the same
#'   votes are ranked by the mean.
#'
#' [objective()] is the criterion of [mhks()], summed over the classifiers that vote; [nmcca()]
#' has a closed form.
#'
#' # Details not specified in the paper
#' * `kappa` and `components`: with as many dimensions as rows any views agree perfectly on the
#'   training rows, so a penalty is needed. `kappa` multiplies the mean of \eqn{\|S_k\|_F^2} over
#'   the views, so that its meaning depends on neither the scale of kernels nor the number of rows.
#' * Kernels are divided by their mean diagonal (`normalize = "trace"`), so that the penalty means
#'   the same for all views. `kappa = 0` and `normalize = "none"` give the method exactly as in
#'   the paper.
#' * With several classes each pair of classes has its own projections.
#' * `coef()` is 1/m for each kernel and does not reflect the influence of the views.
#' * The remarks on margins, small eigenvalues, `c = 0` and scaling in [mhks()] apply here, too.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `combine`: `"concatenate"` was as accurate or more accurate on most data sets that we tried.
#' * `kappa`: 0.001 to 0.1; without it (0) keep `components` small.
#' * `components`: all by default; 5 to 50 are enough on most data.
#' * `c`, `rank`, `landmarks`, `rho` and `margin`: see [mhks()].
#'
#' @inheritParams mhks
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_cca_mhks()` `...` is not used.
#' @param combine How the views are combined: `"concatenate"` (one classifier on all coordinates)
#'   or `"vote"` (majority vote of one classifier for each view).
#' @param components Number of canonical coordinates kept for each view; `NULL` for all.
#' @param kappa Ridge penalty on the projections of the canonical correlation analysis; larger
#'   values regularize more. A non-negative number, see below.
#' @return `cca_mhks()`: a fit of class `mkl_cca_mhks` and `mkl`, see [mkl()].
#'   `learner_cca_mhks()`: a learner, class `mkl_learner`.
#' @references
#' Wang, Z., Chen, S. and Sun, T. (2008). MultiK-MHKS: a novel multiple kernel learning algorithm.
#' *IEEE Transactions on Pattern Analysis and Machine Intelligence* 30, 348-353.
#' @family learners
#' @examples
#' train <- c(1:35, 51:85, 101:135)
#' fit <- cca_mhks(Species ~ ., iris[train, ])
#' fit
#' mean(predict(fit, iris[-train, ]) == iris$Species[-train])
#'
#' voted <- cca_mhks(Species ~ ., iris[train, ], combine = "vote", components = 3)
#' mean(predict(voted, iris[-train, ]) == iris$Species[-train])
#' @rdname cca_mhks
#' @order 2
#' @export
learner_cca_mhks <- function(combine = "concatenate", c = 1 / 16, components = NULL,
                             kappa = 0.01, rank = NULL, landmarks = NULL, rho = 0.99,
                             margin = 1e-6, ...) {
  check_dots(...)
  first <- list(
    combine = check_choice(combine, "combine", base::c("concatenate", "vote")),
    c = check_number(c, "c", 0), components = check_count(components, "components"),
    kappa = check_number(kappa, "kappa", 0)
  )
  mhks_learner(
    name = "cca_mhks", label = "Canonical correlation of the kernels, then MHKS (CCA+MHKS)",
    parameters = mhks_parameters(first, rho, margin, rank, landmarks),
    constructor = learner_cca_mhks, core = "cca_mhks", takes = kernel_limits(),
    kernels = three_views, normalize = "trace", path = character(), grid = list(c = 2^(-4:4)),
    margins = combine != "vote", linear = combine != "vote",
    approximate = FALSE, work = c(3, 3)
  )
}

#' @rdname cca_mhks
#' @order 1
#' @export
cca_mhks <- named_method(learner_cca_mhks)
