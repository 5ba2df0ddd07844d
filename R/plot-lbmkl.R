# Training rows on leading eigenvectors of label-based kernels.

#' Plot a label-based fit
#'
#' The training rows as the kernels see them: along the two leading eigenvectors of the kernel
#' \eqn{K}, of \eqn{K^*}, sharpened by the labels, and of its square \eqn{K^{**}}, which the model
#' is trained on; as in figure 2 of Yang et al.
#'
#' @details
#' With the eigenvalues \eqn{K = Q \Lambda Q'}, row \eqn{i} is drawn at
#' \deqn{(\sqrt{\lambda_1} \, q_{i1}, \; \sqrt{\lambda_2} \, q_{i2}),}{
#'   (sqrt(lambda_1) q_i1, sqrt(lambda_2) q_i2),}
#' the first two coordinates of [empirical_map()]; the axes say what share of the positive
#' eigenvalues they hold. Several kernels are added with the weights of the fit. For fits on two
#' columns the rows themselves are drawn first.
#'
#' # Choosing a plot
#' The better the classes separate in the last plot, the easier the problem that is left to the
#' model. But a small `beta` separates any classes, learnable or not: what counts is what new rows
#' do. `"weights"` and `"boundary"` are those of [plot.mkl()]; `"auto"` draws the eigenvectors, or
#' the weights if the fit is on kernel matrices, which it does not store. The rows of any kernel
#' matrix are drawn by `plot(empirical_map(K), class = y)`.
#'
#' @param x A fit of [lbmkl()] or [lb_svm()], or of [mkl()] on [kernel_label_based()].
#' @param what `"auto"`, `"eigen"`, or `"weights"`, `"boundary"`, `"fitted"` or `"roc"` as in
#'   [plot.mkl()]; `NULL` is `"auto"`.
#' @param by `"kernel"` or `"view"`, for the weights, as in [plot.mkl()].
#' @param model Which model, by number or name, if there are several.
#' @param main Title of the plot.
#' @param col Two colors: negative and positive class.
#' @param ... Handed to [graphics::plot.default()] or [plot.mkl()].
#' @return The fit, invisibly.
#' @inherit lbmkl references
#' @family functions for fitted models
#' @examples
#' set.seed(1)
#' side <- rep(c(-1, 1), each = 50)
#' x <- side * matrix(runif(200), 100) + rnorm(200, sd = 0.5)
#' plot(lb_svm(x, factor(side), kernels = kernel_rbf(1), beta = 1))
#' @export
plot.mkl_lbmkl <- function(x, what = NULL, model = 1, main = NULL,
                           col = c("#2166AC", "#B2182B"), ...,
                           by = c("kernel", "view")) {
  x <- check_fit(x)
  check_exact()
  what <- choose_plot(what, c("auto", "eigen"), !missing(by))
  obstacle <- no_eigen(x)
  if (what == "auto") what <- if (is.null(obstacle)) "eigen" else "weights"
  if (what != "eigen") return(plot.mkl(x, what = what, main = main, col = col, ..., by = by))
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
