#' Generalized multiple kernel learning (GMKL): sums and products of kernels
#'
#' @description
#' GMKL learns non-negative weights of kernels together with a support vector machine, for sums as
#' well as for products of kernels, under an l1 or l2 penalty on the weights. With a product of
#' Gaussian kernels, one for each column, it learns a width for each column and thereby selects
#' relevant columns. `gmkl()` fits it; `learner_gmkl()` is the specification for [mkl()].
#'
#' @details
#' Over weights \eqn{d \ge 0} it minimizes (equations 3 to 8 of Varma and Babu, 2009)
#' \deqn{T(d) = \max_a \Big( \sum_i a_i - \frac12 a' Y K(d) Y a \Big) + r(d),}{
#'   T(d) = max_a (sum_i a_i - a' Y K(d) Y a / 2) + r(d),}
#' where the maximum is over the feasible dual variables \eqn{a} of the support vector machine;
#' regression and one-class problems have their own linear terms. The kernel is
#' * `combine = "sum"`: \eqn{K(d) = \sum_m d_m K_m}{K(d) = sum_m d_m K_m};
#' * `combine = "product"`: \eqn{K(d) = \prod_m K_m^{d_m}}{K(d) = prod_m K_m^d_m}, entry by entry,
#'   that is \eqn{\exp(-\sum_m d_m D_m)}{exp(-sum_m d_m D_m)} with \eqn{D_m = -\log K_m}{D_m =
#'   -log K_m}. For Gaussian kernels on single columns \eqn{D_m} is their \eqn{\gamma} times the
#'   squared distance in column m, which gets the width \eqn{1 / \sqrt{2 \gamma d_m}}{1 / sqrt(2
#'   gamma d_m)}: automatic relevance determination (ARD).
#'
#' The penalty \eqn{r(d)} is \eqn{\lambda \sum_m d_m}{lambda sum_m d_m} for `"l1"`, which sets
#' weights to 0, and \eqn{\frac{\lambda}{2} \sum_m d_m^2}{lambda / 2 sum_m d_m^2} for `"l2"`,
#' which spreads them. With \eqn{b = Ya} at the optimum of the support vector machine, the
#' derivative is
#' \deqn{\frac{\partial T}{\partial d_m} = \frac{\partial r}{\partial d_m} -
#'   \frac12 b' \frac{\partial K}{\partial d_m} b, \qquad
#'   \frac{\partial K}{\partial d_m} = K_m \;\; \mathrm{or} \;\; K(d) \circ \log K_m .}{
#'   dT/dd_m = dr/dd_m - b' (dK/dd_m) b / 2,
#'   dK/dd_m = K_m  or  K(d) * log K_m (entry by entry).}
#'
#' # The solvers
#' * `"spg"`: spectral projected gradient (SPG-GMKL, Jain and others, 2012): a line search along
#'   the projected gradient with the step of Barzilai and Borwein, which allows a temporary
#'   increase of the objective.
#' * `"projected"`: projected gradient with backtracking, as in Varma and Babu (2009). The
#'   objective decreases in every step, but more steps are needed.
#'
#' Both start from weights 1/M, and each support vector machine starts from the coefficients of
#' the previous one. It is solved with a low accuracy at first, which increases as the search
#' converges. A weight of 0 can become positive again.
#'
#' The search ends when the projected gradient is at most `tolerance`: for each kernel the minimum
#' of \eqn{d_m / \max_k d_k}{d_m / max_k d_k} and \eqn{\partial T / \partial d_m}{dT / dd_m}
#' divided by \eqn{|T| / \sum_k d_k}{|T| / sum_k d_k}, in absolute value. The largest of these is
#' reported as the violation; a fit that does not reach `tolerance` within `iterations` iterations
#' gives a warning. [objective()] is \eqn{T} and [objective_path()] its values after each
#' iteration. For a sum, \eqn{T} is convex and [duality_gap()] is a bound on its relative distance
#' from the minimum; for a product it is `NaN`, because \eqn{T} is not convex and the solution is
#' a stationary point.
#'
#' # Products of any kernels
#' Powers of a kernel require positive kernel values. These are guaranteed for Gaussian,
#' Laplacian, Matern, Cauchy, rational quadratic, chi-squared and anova kernels; polynomial
#' kernels are positive for some data. Other values raise an error that names the kernel and the
#' rows. All powers of Gaussian, Laplacian, Cauchy, rational quadratic, chi-squared and
#' exponential (Matern with `nu = 1/2`) kernels are positive semi-definite; for others \eqn{K(d)}
#' may be indefinite, and the fit then gives a warning. Logarithms are taken before values are
#' rounded to 0, so that small widths cause no numerical problems. Centered kernels cannot be
#' used. Predictions use the same powers of the kernels between new rows and support vectors.
#'
#' # One class
#' One-class problems have a solution only for a sum with the `"l2"` penalty: with `"l1"` the
#' objective is linear in the size of the weights, and for products all powers would become 0.
#'
#' # Choosing parameters
#' * `cost`: as for [learner_svm()]. For a sum, `cost` and `lambda` are redundant: with `"l1"`,
#'   weights of sum s at `cost` C are those of [simplemkl()] at `cost` C s, times s. Leave
#'   `lambda` at 1 in this case.
#' * `lambda`: for a product, larger values remove more columns; try 10^(-1:2).
#' * `kernels`: without them a product uses one Gaussian kernel for each variable, with width 1 on
#'   z-scored columns, else the median distance. The start, all powers 1/p, is then one Gaussian
#'   kernel of width `sqrt(p)` on all columns.
#' * `tolerance`: 1e-3 is enough for prediction; use 1e-4 to interpret weights.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_gmkl()` `...` is not used.
#' @param combine How kernels are combined: `"sum"` (weights) or `"product"` (powers).
#' @param regularizer Penalty on the kernel weights: `"l1"` (sparse weights) or `"l2"` (weights
#'   are shrunk, but not to 0).
#' @param solver Optimization method: `"spg"` (spectral projected gradient) or `"projected"`
#'   (projected gradient), see below.
#' @param cost Cost of errors on the training rows, a positive number; larger values fit the
#'   training rows more closely.
#' @param lambda Strength of the penalty on the kernel weights, a positive number; larger values
#'   shrink more.
#' @param tolerance Tolerance of the stopping rule for the projected gradient, a positive number.
#' @param iterations Maximum number of iterations over the weights.
#' @param epsilon Half-width of the epsilon-insensitive tube for regression: smaller errors have
#'   no cost. A non-negative number, in standard deviations of the response.
#' @param nu Upper bound on the share of training rows treated as outliers in one-class fits, in
#'   (0, 1]. Not used otherwise.
#' @return `gmkl()`: a fit of class `mkl_gmkl` and `mkl`, see [mkl()]; its [kernel_weights()] are
#'   the weights or powers \eqn{d}. `learner_gmkl()`: a learner, class `mkl_learner`.
#' @references
#' Varma, M. and Babu, B. R. (2009). More generality in efficient multiple kernel learning. In
#' *Proceedings of the 26th International Conference on Machine Learning*, 1065-1072.
#'
#' Jain, A., Vishwanathan, S. V. N. and Varma, M. (2012). SPG-GMKL: generalized multiple kernel
#' learning with a million kernels. In *Proceedings of the 18th ACM SIGKDD International Conference
#' on Knowledge Discovery and Data Mining*, 750-758.
#'
#' Birgin, E. G., Martinez, J. M. and Raydan, M. (2000). Nonmonotone spectral projected gradient
#' methods on convex sets. *SIAM Journal on Optimization* 10, 1196-1211.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- gmkl(Species ~ ., two)
#' kernel_weights(fit)
#' duality_gap(fit)
#'
#' # a width for each column: the third and fourth are noise
#' set.seed(1)
#' x <- matrix(rnorm(150 * 4), 150)
#' y <- factor(ifelse(x[, 1]^2 + x[, 2]^2 > 1.4, "out", "in"))
#' ard <- gmkl(x, y, combine = "product", lambda = 5)
#' kernel_weights(ard)
#' @rdname gmkl
#' @order 2
#' @export
learner_gmkl <- function(combine = c("sum", "product"), regularizer = c("l1", "l2"),
                         solver = c("spg", "projected"), cost = 1, lambda = 1, tolerance = 1e-3,
                         iterations = 1000, epsilon = 0.1, nu = 0.1, ...) {
  check_dots(...)
  above_zero <- c(TRUE, FALSE)
  svm <- svm_parameters(cost, epsilon, nu)
  parameters <- list(
    combine = check_choice(combine, "combine", c("sum", "product")),
    regularizer = check_choice(regularizer, "regularizer", c("l1", "l2")),
    solver = check_choice(solver, "solver", c("spg", "projected")),
    cost = svm$cost,
    lambda = check_number(lambda, "lambda", 0, open = above_zero),
    tolerance = check_number(tolerance, "tolerance", 0, open = above_zero),
    iterations = check_number(iterations, "iterations", 1, whole = TRUE),
    epsilon = svm$epsilon, nu = svm$nu
  )
  sum <- parameters$combine == "sum"
  new_learner(
    name = "gmkl", like = NULL, label = "Generalised multiple kernel learning (GMKL)",
    parameters = parameters, constructor = learner_gmkl, core = "gmkl", tasks = task_names(),
    takes = kernel_limits(), kernels = if (sum) spread_kernels else variable_kernels,
    normalize = "trace", costs = TRUE, stochastic = FALSE, path = character(),
    # For a sum `lambda` has the effect of `cost`.
    grid = if (sum) list(cost = 10^(-2:3)) else list(cost = 10^(-1:2), lambda = 10^(-1:2)),
    stopping = list(
      name = "tolerance", target = tolerance, unit = "", measure = "violation",
      words = "projected gradient", remedy = "`iterations`", relative = TRUE
    ),
    margins = TRUE, linear = sum, product = !sum, labels_inside = FALSE, approximate = FALSE,
    used_for = svm_used_for(), work = c(40, 2)
  )
}

#' @rdname gmkl
#' @order 1
#' @export
gmkl <- named_method(learner_gmkl)

#' @export
learner_core.mkl_learner_gmkl <- function(learner, items, frame) {
  parameters <- learner$parameters
  if (!task_traits(frame$response$task)$response) check_one_class_gmkl(parameters)
  if (parameters$combine == "product") {
    for (item in items) {
      if ("center" %in% item$normalize) {
        stop_kernel(
          item$name, "is normalised by \"center\", which makes some of its values negative. A ",
          "product raises kernels to powers and needs positive values."
        )
      }
    }
  }
  parameters
}

# A sum under l2 alone has a minimum that is neither 0 nor infinite.
check_one_class_gmkl <- function(parameters) {
  if (parameters$combine == "product") {
    stop_mkl(
      "argument_error", "combine", "`combine` must be \"sum\" for one-class problems, not ",
      "\"product\": all powers would become 0."
    )
  }
  if (parameters$regularizer == "l1") {
    stop_mkl(
      "argument_error", "regularizer", "`regularizer` must be \"l2\" for one-class problems, ",
      "not \"l1\", under which the objective is linear in the size of the weights."
    )
  }
}
