#' Label-based multiple kernel learning (LB-MKL)
#'
#' @description
#' Label-based kernels increase the similarity of training rows of the same class and decrease
#' that of rows of different classes. `lbmkl()` learns weights of several label-based kernels
#' (LB-MKL), `lb_svm()` trains a support vector machine on one (LB-S-SVM).
#'
#' @details
#' With labels \eqn{y_i \in \{-1, 1\}} each kernel \eqn{K} becomes (equation 2-2-1 of the paper)
#' \deqn{K^*_{ij} = (1 + y_i y_j e^{-\beta \, \mathrm{dist}(x_i, x_j)^2}) K_{ij}, \qquad
#'   K^{**} = K^* K^*,}{
#'   K*[i, j] = (1 + y_i y_j exp(-beta dist(x_i, x_j)^2)) K[i, j],  K** = K* K*,}
#' where the square makes it positive semi-definite. A base learner estimates weights \eqn{d_m} and
#' coefficients on the \eqn{K^{**}_m}.
#'
#' # Details not specified in the paper
#' * The distance is Euclidean on all columns as the kernels see them (z-scored by default),
#'   divided by the square root of their number: the range 1 to 32 of `beta` is then appropriate
#'   for any number of columns.
#' * If the data are kernel matrices without columns, the distance is that of the feature space of
#'   their mean \eqn{A}, \eqn{\mathrm{dist}^2 = A_{ii} + A_{jj} - 2 A_{ij}}{dist^2 = A_ii + A_jj -
#'   2 A_ij}, each kernel with mean diagonal 1: the squared distance of unrelated rows is then 2,
#'   as for z-scored columns on average.
#' * Each kernel is normalized first (`normalize = "trace"`) and each \eqn{K^{**}_m} again, as
#'   squaring changes its scale.
#' * A new row has no label. Its row of \eqn{K^*} is formed under both labels and multiplied by
#'   \eqn{K^*}, which extends the product \eqn{K^* K^*} to it; that gives two scores \eqn{f_+} and
#'   \eqn{f_-}. The predicted class is the sign of \eqn{f_+ + f_-}: if the scores disagree, the
#'   one with the larger absolute value decides. The decision value is their mean; `predict(fit,
#'   newdata, type = "decision", both = TRUE)` returns both. `fitted()` also treats the training
#'   rows as new rows, without their labels.
#' * Several classes: one-against-one, each pair with its own kernels and weights.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `beta`: with 0 the kernel between rows of different classes is 0. With their own labels the
#'   training rows can then be separated for any data, even contradictory ones, if the kernel is
#'   positive definite within each class and `cost` is large: the labels leak, and scores computed
#'   with the true label are meaningless. `predict()` and `fitted()` do not use the labels, so
#'   their error on the training rows is in general not 0. With a very large value only the
#'   diagonal changes. Try `2^(0:5)`, as in figure 3 of the paper, by cross-validation.
#' * `base`: [learner_simplemkl()] gives sparse weights; `learner_lpmkl(p = 2)` gives non-sparse
#'   weights.
#' * `cost`: as for [learner_svm()].
#'
#' [kernel_label_based()] defines single label-based kernels, for other learners and for sets that
#' also contain other kernels.
#'
#' For a fit on kernel matrices alone `both = TRUE` needs the similarity of each new row to
#' itself, in the attribute `"diagonal"` of the new matrices, see [kernel_precomputed()].
#'
#' All training rows are stored for prediction, and fitting needs the memory of three matrices for
#' each kernel.
#'
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. To use
#'   matrices as kernels and columns for the distance, give the columns as `x` and the matrices as
#'   [kernel_precomputed()] in `kernels`. For the learners `...` is not used.
#' @param beta Rate at which the influence of the labels decreases with the distance of two rows:
#'   a non-negative number; larger values change the kernel less.
#' @param cost Cost of errors of the support vector machine, a positive number; larger values fit
#'   the training rows more closely.
#' @param base Learner that estimates the weights of the \eqn{K^{**}_m}: [learner_simplemkl()] (as
#'   in the paper), [learner_silpmkl()], [learner_levelmkl()], [learner_glmkl()],
#'   [learner_lpmkl()] or [learner_average()]. Its cost is replaced by `cost`.
#' @return `lbmkl()` and `lb_svm()`: a fit of class `mkl`, see [mkl()]. `learner_lbmkl()` and
#'   `learner_lb_svm()`: a learner, class `mkl_learner`.
#' @references
#' Yang, B., Li, Q., Song, L., Fu, C. and Jing, L. Label-based multiple kernel learning for
#' classification.
#'
#' Rakotomamonjy, A., Bach, F. R., Canu, S. and Grandvalet, Y. (2008). SimpleMKL. *Journal of
#' Machine Learning Research*, 9, 2491-2521.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- lbmkl(Species ~ ., two, kernels = kernel_rbf(sigma = 2^(0:2)), beta = 4)
#' kernel_weights(fit)
#' mean(predict(fit, two) == two$Species)
#' predict(fit, two[1:3, ], type = "decision", both = TRUE)
#'
#' lb_svm(Species ~ ., two, beta = 4)
#' @rdname lbmkl
#' @order 3
#' @export
learner_lbmkl <- function(beta = 4, cost = 1, base = learner_simplemkl(), ...) {
  check_dots(...)
  parameters <- list(
    beta = check_number(beta, "beta", 0),
    cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE)),
    base = check_base(base)
  )
  label_based_learner(
    name = "lbmkl", core = parameters$base$core, path = intersect("cost", parameters$base$path),
    like = NULL, label = "Label-based multiple kernel learning", parameters = parameters,
    constructor = learner_lbmkl, takes = kernel_limits(),
    kernels = spread_kernels, stochastic = parameters$base$stochastic,
    stopping = parameters$base$stopping
  )
}

#' @rdname lbmkl
#' @order 1
#' @export
lbmkl <- named_method(learner_lbmkl)

check_base <- function(base) {
  if (inherits(base, "mkl_learner")) base <- complete_learner(base)
  able <- inherits(base, "mkl_learner") && base$linear && !base$labels_inside &&
    base$takes$max > 1 && "cost" %in% names(base$parameters) &&
    !"weights" %in% names(base$parameters)
  if (!able) {
    stop_must("base", paste(
      "a learner with a `cost` whose decision function is a sum over kernels, such as",
      "learner_simplemkl(), learner_lpmkl() or learner_average()"
    ), base)
  }
  base
}

#' @rdname lbmkl
#' @order 4
#' @export
learner_lb_svm <- function(beta = 4, cost = 1, ...) {
  check_dots(...)
  parameters <- list(
    beta = check_number(beta, "beta", 0),
    cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE))
  )
  label_based_learner(
    name = "lb_svm", core = "svm", path = "cost", like = "lbmkl",
    label = "Label-based support vector machine", parameters = parameters,
    constructor = learner_lb_svm,
    takes = kernel_limits(1, 1, "Use lbmkl() for several."), kernels = one_gaussian,
    stochastic = FALSE, stopping = stop_at_tol()
  )
}

#' @rdname lbmkl
#' @order 2
#' @export
lb_svm <- named_method(learner_lb_svm)

# The traits that both share; the grid is that of section 3.2 of the paper, the same values for all
# parameters.
label_based_learner <- function(...) {
  new_learner(
    ..., tasks = "classification", normalize = "trace", costs = TRUE,
    grid = list(beta = 2^(-7:7), cost = 2^(-7:7)),
    margins = TRUE, linear = FALSE, product = FALSE, labels_inside = FALSE,
    approximate = FALSE, used_for = list(), work = c(0.08, 3)
  )
}

#' @export
learner_core.mkl_learner_lbmkl <- function(learner, items, frame) {
  base <- learner$parameters$base
  base$parameters$cost <- learner$parameters$cost
  learner_core(base, items, frame)
}

#' @export
learner_core.mkl_learner_lb_svm <- function(learner, items, frame) {
  list(cost = learner$parameters$cost)
}

#' @export
learner_items.mkl_learner_lbmkl <- function(learner, items) {
  lapply(items, `[[<-`, "beta", learner$parameters$beta)
}

# predict(both = TRUE): every model twice, once under each assumed label.
#' @export
prepare_models.mkl_lbmkl <- function(object, request, ..., both = FALSE) {
  check_dots(..., known = c(predict_arguments(), "both"), called = "predict()")
  if (!check_flag(both, "both")) return(object)
  if (request$training || request$type != "decision") {
    stop_mkl(
      "argument_error", "both", "`both` goes with `type = \"decision\"` and `newdata`."
    )
  }
  object$kernels <- need_distances(object$kernels)
  names <- model_names(object) %||% ""
  twice <- function(model, name) {
    lapply(c(1, -1), function(label) {
      model$assumed <- label
      model$name <- trimws(paste(name, if (label > 0) "f+" else "f-"))
      model
    })
  }
  object$models <- do.call(base::c, Map(twice, object$models, names))
  object
}
