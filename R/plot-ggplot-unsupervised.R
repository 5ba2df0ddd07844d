# Plots of fused kernels, kernel principal components and clusters, by ggplot2.

#' @rdname plot-unsupervised
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_fusion)
autoplot.mkl_fusion <- function(object, what = c("weights", "similarity"), limit = 20, ...) {
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("weights", "similarity"))
  if (what == "similarity") return(gg_matrix(object$similarity, "Similarity of kernels", "cosine"))
  gg_points_of(largest_weights(object$weights, limit), "weight", fusion_title(object))
}

gg_points_of <- function(shown, label, title) {
  frame <- data.frame(term = from_top(shown$term), estimate = shown$estimate)
  ggplot2::ggplot(frame, ggplot2::aes(.data$estimate, .data$term)) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_segment(
      ggplot2::aes(x = 0, xend = .data$estimate, yend = .data$term), colour = group_colours(1L),
      linewidth = 0.8
    ) +
    ggplot2::geom_point(colour = group_colours(1L), size = 2.4) +
    ggplot2::labs(x = label, y = NULL, title = title) +
    plot_theme("x") + small_labels(nrow(frame))
}

gg_matrix <- function(values, title, label) {
  names <- shorten(rownames(values))
  frame <- data.frame(
    row = factor(names[row(values)], rev(names)), column = factor(names[col(values)], names),
    value = as.vector(values)
  )
  ggplot2::ggplot(frame, ggplot2::aes(.data$column, .data$row, fill = .data$value)) +
    ggplot2::geom_tile() +
    (if (nrow(values) <= 12L) ggplot2::geom_text(
      ggplot2::aes(label = format_number(.data$value, 2L)), size = 3
    )) +
    ggplot2::scale_fill_gradient2(
      low = "#2166AC", high = "#B2182B", limits = c(-1, 1), name = label
    ) +
    ggplot2::labs(x = NULL, y = NULL, title = title) +
    plot_theme("") + small_labels(nrow(values)) +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 45, hjust = 1))
}

#' @rdname plot-unsupervised
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_kernel_pca)
autoplot.mkl_kernel_pca <- function(object, class = NULL, components = 1:2, ...) {
  check_dots(...)
  need_ggplot2()
  components <- check_plane(components, length(object$values))
  labels <- pca_labels(object, components)
  gg_cases(unname(object$scores[, components]), check_groups(class, object$n), labels,
           pca_title(object), NULL, !is.null(class))
}

gg_cases <- function(points, groups, labels, title, legend, show) {
  frame <- data.frame(first = points[, 1L], second = points[, 2L], group = groups)
  ggplot2::ggplot(frame, ggplot2::aes(.data$first, .data$second, colour = .data$group)) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey85") +
    ggplot2::geom_vline(xintercept = 0, colour = "grey85") +
    ggplot2::geom_point(size = 1.8, alpha = 0.85, show.legend = show) +
    ggplot2::scale_colour_manual(values = group_colours(nlevels(groups)), name = legend) +
    ggplot2::labs(x = labels[1L], y = labels[2L], title = title) +
    plot_theme()
}

#' @rdname plot-unsupervised
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_kernel_kmeans)
autoplot.mkl_kernel_kmeans <- function(object, what = c("rows", "weights"), limit = 20, ...) {
  check_dots(...)
  need_ggplot2()
  what <- check_choice(what, "what", c("rows", "weights"))
  if (what == "weights") {
    return(gg_points_of(largest_weights(mean_cluster_weights(object), limit), weights_label(object),
                   "Kernel weights of k-means"))
  }
  groups <- factor(object$cluster, seq_along(object$size))
  gg_cases(kmeans_plane(object), groups, c("H1", "H2"), kmeans_title(object), "cluster", TRUE)
}

#' @rdname plot-unsupervised
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_pca_importance)
autoplot.mkl_pca_importance <- function(object, limit = 20, ...) {
  check_dots(...)
  need_ggplot2()
  values <- stats::setNames(object$estimate, object$term)
  gg_points_of(
    largest_weights(values, limit), "distance of the components", importance_title(object)
  )
}

#' @rdname kernel_alignment_matrix
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_alignments)
autoplot.mkl_alignments <- function(object, ...) {
  check_dots(...)
  need_ggplot2()
  gg_matrix(unclass(object), "Alignment of kernels", "alignment")
}
