#' Label-based multiple kernel learning
#'
#' @description
#' Sharpens kernels by the labels of the training rows, so that rows of one class become more alike
#' and rows of different classes less, and learns from the sharpened kernels. `lbmkl()` weighs
#' several kernels (LB-MKL), `lb_svm()` trains a support vector machine on one (LB-S-SVM).
#'
#' @details
#' With labels \eqn{y_i \in \{-1, 1\}} each kernel \eqn{K} becomes (equation 2-2-1 of the paper)
#' \deqn{K^*_{ij} = (1 + y_i y_j e^{-\beta \, \mathrm{dist}(x_i, x_j)^2}) K_{ij}, \qquad
#'   K^{**} = K^* K^*,}
#' where the square makes it positive semi-definite. A base learner finds weights \eqn{d_m} and
#' coefficients on the \eqn{K^{**}_m}.
#'
#' # What the paper leaves open
#' * The distance is Euclidean on all columns as the kernels see them (z-scored by default),
#'   divided by the square root of their number: the range 1 to 32 of `beta` then has a meaning
#'   whatever the number of columns.
#' * Where there are no columns but kernel matrices only, the distance is that of the feature space
#'   of their mean \eqn{A}, \eqn{\mathrm{dist}^2 = A_{ii} + A_{jj} - 2 A_{ij}}, each kernel with
#'   mean diagonal 1: unrelated rows are then at 2, as z-scored columns are on average.
#' * Each kernel is normalised first (`normalize = "trace"`) and each \eqn{K^{**}_m} again, as
#'   squaring changes its scale.
#' * A new row has no label. Its row of \eqn{K^*} is formed under both labels and multiplied by
#'   \eqn{K^*}, which extends the product \eqn{K^* K^*} to it; that gives two scores \eqn{f_+} and
#'   \eqn{f_-}. The sign of \eqn{f_+ + f_-} predicts: if the scores disagree, the one of larger
#'   size wins. The decision value is their mean; `predict(fit, newdata, type = "decision",
#'   both = TRUE)` gives both. `fitted()` treats the training rows as new ones too, without their
#'   labels.
#' * Several classes: one against one, each pair with its own kernels and weights.
#'
#' For classes only: a numeric response or one class is an error.
#'
#' # Choosing parameters
#' * `beta`: with 0 the kernel between rows of different classes is 0. Under their own labels the
#'   training rows can then be separated whatever the data are, contradictory rows included, if the
#'   kernel is positive definite within each class and `cost` is large: the labels leak, and scores
#'   under the own label say nothing. `predict()` and `fitted()` do not use the labels, so their
#'   error on the training rows is in general not 0. With a very large value only the diagonal
#'   changes. Try `2^(0:5)`, as figure 3 of the paper, by cross-validation.
#' * `base`: [learner_simplemkl()] gives few kernels a weight; `learner_lpmkl(p = 2)` spreads it.
#' * `cost`: as for [learner_svm()].
#'
#' [kernel_label_based()] makes single kernels label-based, for other learners and for sets that
#' hold plain kernels too.
#'
#' For a fit on kernel matrices alone `both = TRUE` needs the similarity of each new row to itself,
#' in the attribute `"diagonal"` of the new matrices, as [kernel_precomputed()] tells.
#'
#' All training rows are kept for prediction, and the memory of three matrices for each kernel is
#' needed while fitting.
#'
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. To use matrices as
#'   kernels and columns for the distance, give the columns as `x` and the matrices as
#'   [kernel_precomputed()] in `kernels`. For the learners the dots are not used.
#' @param beta Non-negative number: how fast the influence of a label falls with the distance.
#' @param cost Positive number: the cost of the support vector machine.
#' @param base The learner of the weights on the \eqn{K^{**}_m}: made by [learner_simplemkl()] (as
#'   in the paper), [learner_silpmkl()], [learner_levelmkl()], [learner_glmkl()], [learner_lpmkl()]
#'   or [learner_average()]. Its cost is replaced by `cost`.
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
#' @export
lbmkl <- function(x, ..., beta = 4, cost = 1, base = learner_simplemkl()) {
  learner <- learner_lbmkl(beta, cost, base)
  front_door(match.call(), names(formals(lbmkl)), learner, x, ...)
}

#' @rdname lbmkl
#' @export
lb_svm <- function(x, ..., beta = 4, cost = 1) {
  learner <- learner_lb_svm(beta, cost)
  front_door(match.call(), names(formals(lb_svm)), learner, x, ...)
}

#' @rdname lbmkl
#' @export
learner_lbmkl <- function(beta = 4, cost = 1, base = learner_simplemkl(), ...) {
  check_dots(...)
  parameters <- list(
    beta = check_number(beta, "beta", 0),
    cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE)),
    base = check_base(base)
  )
  new_learner("lbmkl", parameters, "Label-based multiple kernel learning",
              tasks = "classification")
}

check_base <- function(base) {
  able <- c("simplemkl", "silpmkl", "levelmkl", "glmkl", "lpmkl", "average")
  if (!inherits(base, "mkl_learner") || !base$name %in% able) {
    stop_must("base", paste0("made by one of ", paste0("learner_", able, "()", collapse = ", ")),
              base)
  }
  base
}

#' @rdname lbmkl
#' @export
learner_lb_svm <- function(beta = 4, cost = 1, ...) {
  check_dots(...)
  parameters <- list(
    beta = check_number(beta, "beta", 0),
    cost = check_number(cost, "cost", 0, open = c(TRUE, FALSE))
  )
  out <- new_learner("lbmkl", parameters, "Label-based support vector machine",
                     tasks = "classification")
  class(out) <- c("mkl_learner_lb_svm", class(out))
  out
}

#' @export
default_kernels.mkl_learner_lb_svm <- function(learner, p, scaled) {
  kernel_rbf(sigma = if (scaled) sqrt(p) else "median")
}

#' @export
format.mkl_learner_lb_svm <- function(x, ...) sub("^learner_lbmkl", "learner_lb_svm", NextMethod())

#' @export
learner_core.mkl_learner_lbmkl <- function(learner, items, frame) {
  parameters <- learner$parameters$base$parameters
  parameters$cost <- learner$parameters$cost
  c(parameters, base = learner$parameters$base$name)
}

#' @export
learner_core.mkl_learner_lb_svm <- function(learner, items, frame) {
  if (length(items) != 2L) {
    stop_mkl(
      "argument_error", "kernels", "lb_svm() works on one kernel, not on ", length(items) / 2L,
      ". Use lbmkl() for several."
    )
  }
  list(cost = learner$parameters$cost, base = "svm")
}

#' @export
stopping_rule.mkl_learner_lbmkl <- function(learner, control) {
  if (is.null(learner$parameters$base)) NextMethod()
  else stopping_rule(learner$parameters$base, control)
}

#' @export
learner_items.mkl_learner_lbmkl <- function(learner, items, x, control) {
  beta <- learner$beta %||% rep(learner$parameters$beta, length(items))
  add_near_kernels(items, beta, x, control)
}

#' Plot a label-based fit
#'
#' The training rows as the kernels see them: along the two leading eigenvectors of the kernel
#' \eqn{K}, of \eqn{K^*}, sharpened by the labels, and of its square \eqn{K^{**}}, which the machine
#' is trained on; as in figure 2 of the paper.
#'
#' @details
#' With the eigenvalues \eqn{K = Q \Lambda Q'}, row \eqn{i} is drawn at
#' \deqn{(\sqrt{\lambda_1} \, q_{i1}, \; \sqrt{\lambda_2} \, q_{i2}),}
#' the first two coordinates of [empirical_map()]; the axes say what share of the positive
#' eigenvalues they hold. Several kernels are added with the weights of the fit. For fits on two
#' columns the rows themselves are drawn first.
#'
#' # Choosing what to see
#' The better the classes part in the last picture, the easier the problem that is left to the
#' machine, but a small `beta` parts any classes, learnable or not: it is what new rows do that
#' counts. `"weights"` and `"boundary"` are those of [plot.mkl()]; `"auto"` draws the eigenvectors,
#' or the weights if the fit is on kernel matrices, which it does not store. The rows of any kernel
#' matrix are drawn by `plot(empirical_map(K), class = y)`.
#'
#' @param x A fit of [lbmkl()] or [lb_svm()], or of [mkl()] on [kernel_label_based()].
#' @param what `"auto"`, `"eigen"`, `"weights"` or `"boundary"`.
#' @param model Which model, by number or name, if there are several.
#' @param main Title.
#' @param col Two colours: negative and positive class.
#' @param ... Handed to [graphics::plot.default()] or [plot.mkl()].
#' @return The fit, invisibly.
#' @inherit lbmkl references
#' @family questions to a fit
#' @examples
#' set.seed(1)
#' side <- rep(c(-1, 1), each = 50)
#' x <- side * matrix(runif(200), 100) + rnorm(200, sd = 0.5)
#' plot(lb_svm(x, factor(side), kernels = kernel_rbf(1), beta = 1))
#' @export
plot.mkl_lbmkl <- function(x, what = c("auto", "eigen", "weights", "boundary"), model = 1,
                           main = NULL, col = c("#2166AC", "#B2182B"), ...) {
  check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("auto", "eigen", "weights", "boundary"))
  obstacle <- no_eigen(x)
  if (what == "auto") what <- if (is.null(obstacle)) "eigen" else "weights"
  if (what != "eigen") {
    plot.mkl(x, what = what, main = main, col = col, ...)
    return(invisible(x))
  }
  if (!is.null(obstacle)) stop_mkl("argument_error", "what", obstacle)
  panels <- eigen_panels(x, check_model(model, x))
  plot_eigen(panels, main %||% x$learner$label, col, ...)
  invisible(x)
}

# Number of a model of a fit, given by number or name.
check_model <- function(model, x) {
  count <- length(x$models)
  if (is.character(model) && count > 1L) {
    return(match(check_choice(model, "model", model_names(x)), model_names(x)))
  }
  check_number(model, "model", 1, count, whole = TRUE)
}

plot_eigen <- function(eigen, main, col, ...) {
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  count <- length(eigen$panels)
  graphics::par(
    mfrow = c(1 + (count > 3L), ceiling(count / (1 + (count > 3L)))), oma = c(0, 0, 2, 0),
    mar = c(3.6, 3.6, 2, 0.8), las = 1, mgp = c(2.3, 0.5, 0), tcl = -0.3,
    font.main = 1
  )
  titles <- list(columns = "columns", "K" = quote(K), "K*" = quote(K^"*"), "K**" = quote(K^"**"))
  for (name in names(eigen$panels)) {
    panel <- eigen$panels[[name]]
    labels <- panel$names %||% eigen_labels(panel$share, 1:2)
    draw_eigen(panel$points, eigen$class, labels, titles[[name]], col, ...)
    if (name == names(eigen$panels)[1L]) {
      class_legend(eigen$labels, col, empty_corner(panel$points))
    }
  }
  graphics::mtext(main, outer = TRUE, font = 2, cex = 1.1, line = 0.5)
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
  object$kernels <- need_nearness(object$kernels)
  names <- model_names(object) %||% ""
  twice <- function(model, name) {
    lapply(c(1, -1), function(label) {
      model$state$assumed <- label
      model$name <- trimws(paste(name, if (label > 0) "f+" else "f-"))
      model
    })
  }
  object$models <- do.call(base::c, Map(twice, object$models, names))
  object
}

# Section 3.2 of the paper: all parameters from the same set.
#' @export
learner_grid.mkl_learner_lbmkl <- function(learner) list(beta = 2^(-7:7), cost = 2^(-7:7))
