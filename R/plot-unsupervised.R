# Plots of fused kernels, kernel principal components and clusters, by base R.

#' Plot fused kernels, kernel principal components and clusters
#'
#' Plots of results of [fuse_kernels()], [kernel_pca()] and [kernel_kmeans()]: kernel weights and
#' similarities, coordinates of the rows, importance of variables. `autoplot()` draws the same by
#' ggplot2.
#'
#' @details
#' Components are drawn as coordinates \deqn{Q \Lambda^{1/2}}{Q L^(1/2)} with their share of the
#' variance on the axes; clusters are drawn in the plane of the first two columns of the matrix H of
#' [kernel_kmeans()]. The similarity of kernels is the cosine of the angle between them.
#'
#' # Choosing a plot
#' `"weights"` shows what each kernel contributes, `"similarity"` which kernels say the same.
#'
#' @param x,object A result of [fuse_kernels()], [kernel_pca()], [kernel_kmeans()], or of
#'   [`importance()`][kernel_pca] of components.
#' @param what What to draw. For fused kernels `"weights"` or `"similarity"` (a heat map); for
#'   clusters `"rows"` or `"weights"`.
#' @param class Classes of the rows, which determine the colors; `NULL` for none.
#' @param components Two numbers: which components to draw.
#' @param limit Maximum number of kernels or variables to draw; the largest are kept.
#' @param main Title of the plot.
#' @param ... Not used; for components passed to [graphics::plot.default()].
#' @return `plot()`: the object, invisibly. `autoplot()`: a ggplot.
#' @inherit fuse_kernels references
#' @family unsupervised methods
#' @examples
#' fused <- fuse_kernels(kernel_rbf(c(0.5, 1, 2)), iris[, 1:4])
#' plot(fused)
#' plot(fused, what = "similarity")
#' plot(kernel_pca(fused), class = iris$Species)
#' @name plot-unsupervised
NULL

#' @rdname plot-unsupervised
#' @export
plot.mkl_fusion <- function(x, what = c("weights", "similarity"), limit = 20, main = NULL, ...) {
  check_other_seal(x)
  check_dots(...)
  what <- check_choice(what, "what", c("weights", "similarity"))
  if (what == "similarity") return(draw_heat(x, x$similarity, main %||% "Similarity of kernels"))
  draw_dots(x, largest_weights(x$weights, limit), "weight", main %||% fusion_title(x))
}

fusion_title <- function(x) paste0("Kernel weights: ", x$method)

# The largest weights: list(term, estimate).
largest_weights <- function(weights, limit) {
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  order <- utils::head(order(-weights, seq_along(weights)), limit)
  list(term = shorten(names(weights)[order]), estimate = unname(weights[order]))
}

draw_dots <- function(x, shown, label, main) {
  count <- length(shown$term)
  titles <- wrap_titles(main, NULL)
  fitted <- fit_labels(shown$term, count, 3.6 + titles$lines)
  old <- graphics::par(
    mar = c(3.6, fitted$margin, titles$lines, 1.5), las = 1, mgp = c(2.2, 0.6, 0), tcl = -0.3
  )
  on.exit(graphics::par(old))
  at <- rev(seq_len(count))
  graphics::plot.default(
    NA, xlim = range(0, shown$estimate), ylim = c(0.5, count + 0.5), yaxt = "n", bty = "n",
    xlab = label, ylab = ""
  )
  draw_titles(titles)
  graphics::abline(h = at, col = "grey93")
  graphics::segments(0, at, shown$estimate, at, col = group_colours(1L), lwd = 2)
  graphics::points(shown$estimate, at, pch = 19, col = group_colours(1L))
  draw_row_labels(at, shown$term, fitted$cex)
  invisible(x)
}

# Values from -1 to 1 as colors, the first row at the top.
draw_heat <- function(x, values, main) {
  count <- nrow(values)
  labels <- shorten(rownames(values))
  fitted <- fit_labels(labels, count, 6)
  old <- graphics::par(mar = c(1.5, fitted$margin, 3, 1.5), las = 1)
  on.exit(graphics::par(old))
  graphics::image(
    seq_len(count), seq_len(count), t(values)[, rev(seq_len(count)), drop = FALSE], zlim = c(-1, 1),
    col = heat_colours(101L), axes = FALSE, xlab = "", ylab = "", main = main
  )
  draw_row_labels(rev(seq_len(count)), labels, fitted$cex)
  if (count <= 12L) {
    place <- expand.grid(row = seq_len(count), column = seq_len(count))
    graphics::text(place$column, count + 1 - place$row, format_number(as.vector(values), 2L),
                   cex = fitted$cex)
  }
  invisible(x)
}

heat_colours <- function(count) {
  grDevices::colorRampPalette(c("#2166AC", "white", "#B2182B"))(count)
}

#' @rdname plot-unsupervised
#' @export
plot.mkl_kernel_pca <- function(x, class = NULL, components = 1:2, main = NULL, ...) {
  check_exact()
  check_other_seal(x)
  components <- check_plane(components, length(x$values))
  groups <- check_groups(class, x$n)
  col <- group_palette(NULL, nlevels(groups))
  old <- graphics::par(las = 1, mgp = c(2.6, 0.5, 0), tcl = -0.3)
  on.exit(graphics::par(old))
  points <- x$scores[, components]
  draw_eigen(points, as.integer(groups), pca_labels(x, components),
             main %||% pca_title(x), col, ...)
  if (!is.null(class)) class_legend(levels(groups), col, empty_corner(points))
  invisible(x)
}

check_plane <- function(components, count) {
  if (count < 2L) {
    stop_mkl("data_error", "x", "A plot needs two components, but `x` has one.")
  }
  if (length(components) != 2L) stop_must("components", "two numbers", components)
  check_numbers(components, "components", 1, count, whole = TRUE)
}

pca_labels <- function(x, components) {
  paste0("PC", components, " (", format_number(100 * x$share[components], 2L), " %)")
}

pca_title <- function(x) {
  count <- length(x$weights)
  paste0("Kernel principal components",
         if (count == 1L) paste0(": ", names(x$weights)) else paste0(" of ", count, " kernels"))
}

#' @rdname plot-unsupervised
#' @export
plot.mkl_kernel_kmeans <- function(x, what = c("rows", "weights"), limit = 20, main = NULL, ...) {
  check_other_seal(x)
  check_dots(...)
  what <- check_choice(what, "what", c("rows", "weights"))
  if (what == "weights") {
    return(draw_dots(x, largest_weights(mean_cluster_weights(x), limit), weights_label(x),
                     main %||% "Kernel weights of k-means"))
  }
  col <- group_palette(NULL, length(x$size))
  old <- graphics::par(las = 1, mgp = c(2.6, 0.5, 0), tcl = -0.3)
  on.exit(graphics::par(old))
  points <- kmeans_plane(x)
  draw_eigen(points, x$cluster, c("H1", "H2"), main %||% kmeans_title(x), col)
  class_legend(as.character(seq_along(x$size)), col, empty_corner(points))
  invisible(x)
}

mean_cluster_weights <- function(x) {
  if (x$form == "localized") colMeans(x$weights) else x$weights
}

weights_label <- function(x) if (x$form == "localized") "mean weight" else "weight"

kmeans_title <- function(x) paste0("Kernel k-means: ", plural(length(x$size), "cluster"))

# With one cluster there is one column.
kmeans_plane <- function(x) {
  h <- unname(x$embedding)
  if (ncol(h) < 2L) h <- cbind(h, 0)
  h[, 1:2, drop = FALSE]
}

#' @rdname plot-unsupervised
#' @export
plot.mkl_pca_importance <- function(x, limit = 20, main = NULL, ...) {
  check_dots(...)
  values <- stats::setNames(x$estimate, x$term)
  draw_dots(x, largest_weights(values, limit), "distance of the components",
            main %||% importance_title(x))
}

importance_title <- function(x) paste0("Importance by ", attr(x, "by"))

#' @rdname kernel_alignment_matrix
#' @export
plot.mkl_alignments <- function(x, main = NULL, ...) {
  check_dots(...)
  draw_heat(x, unclass(x), main %||% "Alignment of kernels")
}
