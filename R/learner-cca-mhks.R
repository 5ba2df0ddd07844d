#' Canonical correlation of several kernels, then MHKS
#'
#' @description
#' CCA+MHKS: the feature spaces of several kernels are projected to coordinates in which they agree,
#' by [nmcca()], and [mhks()] machines are trained there. It does in two stages what
#' [multik_mhks()] does in one. `cca_mhks()` fits it; `learner_cca_mhks()` is the specification for
#' [mkl()].
#'
#' @details
#' Each kernel maps the rows by its [empirical_map()], a view \eqn{S_k}; [nmcca()] of all views
#' gives projections \eqn{W_k} and coordinates \eqn{Z_k = S_k W_k} (sections 1 and 3.2 of Wang, Chen
#' and Sun 2008). Then, as in figure 2 of the paper,
#' * `combine = "concatenate"` (CCA+MHKS1): one MHKS machine on \eqn{[Z_1 \dots Z_m]};
#' * `combine = "vote"` (CCA+MHKS2): one machine \eqn{f_k} on each \eqn{Z_k}; the majority decides.
#'   The decision value is
#'   \deqn{f(x) = \frac1m \sum_k \mathrm{sign} f_k(x) + \frac1m \frac{s}{1 + |s|}, \qquad
#'     s = \frac1m \sum_k f_k(x),}{
#'     f(x) = (1/m) sum_k sign f_k(x) + (1/m) s / (1 + |s|),
#'     s = (1/m) sum_k f_k(x),}
#'   whose sign is that of the majority and, if there is none, that of the mean; rows with the same
#'   votes are ranked by the mean.
#'
#' [objective()] is the criterion of [mhks()], summed over the machines that vote; [nmcca()] has a
#' closed form.
#'
#' # What the paper leaves open
#' * `kappa` and `components`: with as many dimensions as rows any views agree perfectly on the
#'   training rows, so a penalty is needed. `kappa` multiplies the mean of \eqn{\|S_k\|_F^2} over
#'   the views, so that its meaning depends on neither the scale of kernels nor the number of rows.
#' * Kernels are divided by their mean diagonal (`normalize = "trace"`), so that the penalty means
#'   the same for all views. `kappa = 0` and `normalize = "none"` are the paper to the letter.
#' * Each pair of several classes has projections of its own.
#' * `coef()` is 1/m for each kernel: it counts views, not their influence.
#' * What is said of margins, small eigenvalues, `c = 0` and scaling at [mhks()] holds here too.
#'
#' For classes only: a numeric response or one class is an error.
#'
#' # Choosing parameters
#' * `combine`: `"concatenate"` was as good or better on most data that we tried.
#' * `kappa`: 0.001 to 0.1; without it (0) keep `components` small.
#' * `components`: all by default; 5 to 50 are enough on most data.
#' * `c`, `rank`, `landmarks`, `rho` and `margin`: see [mhks()].
#'
#' @inheritParams mhks
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_cca_mhks()` the dots are not used.
#' @param combine `"concatenate"` or `"vote"`.
#' @param components Number of coordinates that are kept of each view; `NULL` for all.
#' @param kappa Non-negative number: penalty of the projections, see below.
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
#' @export
cca_mhks <- function(x, ..., combine = "concatenate", c = 1 / 16, components = NULL,
                     kappa = 0.01, rank = NULL, landmarks = NULL, rho = 0.99, margin = 1e-6) {
  front_door(learner_cca_mhks(combine, c, components, kappa, rank, landmarks, rho, margin), x, ...)
}

#' @rdname cca_mhks
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
    margins = combine != "vote", linear = combine != "vote", work = c(3, 3)
  )
}
