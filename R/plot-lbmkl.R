# Training rows on leading eigenvectors of label-based kernels.

#' Plot a label-based kernel fit
#'
#' Plots the training rows along the two leading eigenvectors of the kernel \eqn{K}, of the
#' label-based kernel \eqn{K^*}, and of its square \eqn{K^{**}}, which the model is trained on; as
#' in figure 2 of Yang et al.
#'
#' @details
#' With the eigenvalues \eqn{K = Q \Lambda Q'}, row \eqn{i} is drawn at
#' \deqn{(\sqrt{\lambda_1} \, q_{i1}, \; \sqrt{\lambda_2} \, q_{i2}),}{
#'   (sqrt(lambda_1) q_i1, sqrt(lambda_2) q_i2),}
#' the first two coordinates of [empirical_map()]; the axis labels show the share of each
#' eigenvalue in the sum of the positive eigenvalues. Several kernels are added with the weights
#' of the fit. For fits on two columns the first plot shows the rows themselves.
#'
#' # Choosing a plot
#' If the classes are well separated in the last plot, they are easily separated by the model.
#' However, a small `beta` separates any classes of the training rows; this does not imply
#' accurate predictions for new rows. `"weights"` and `"boundary"` are those of [plot.mkl()];
#' `"auto"` plots the eigenvectors, or the weights of a fit on kernel matrices, which are not
#' stored. Use the following for any kernel matrix: `plot(empirical_map(K), class = y)`.
#'
#' @param x A fit of [lbmkl()] or [lb_svm()], or of [mkl()] on [kernel_label_based()].
#' @param what Type of plot: `"auto"`, `"eigen"`, or `"weights"`, `"boundary"`, `"fitted"` or
#'   `"roc"` as in [plot.mkl()]; `NULL` is the same as `"auto"`.
#' @param by For the weights: `"kernel"` or `"view"`, as in [plot.mkl()].
#' @param model Number or name of the model to plot, if there are several.
#' @param main Title of the plot.
#' @param col Two colors: negative and positive class.
#' @param ... Passed to [graphics::plot.default()] or [plot.mkl()].
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
