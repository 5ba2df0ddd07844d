# Pictures of a fit in a plane: of two columns of the data, or of two eigenvectors of its kernels.

plane_frame <- function(plane, ...) {
  data.frame(x1 = plane$cells[, 1L], x2 = plane$cells[, 2L], ...)
}

gg_boundary <- function(x, data, response) {
  plane <- plot_plane(x, data, response)
  frame <- plane_frame(plane, f = plane$decision, shade = signed_root(plane$decision))
  tints <- vapply(class_colours(), tint, "")
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$x1, .data$x2)) +
    ggplot2::geom_raster(ggplot2::aes(fill = .data$shade), show.legend = FALSE) +
    ggplot2::scale_fill_gradient2(
      low = tints[[1L]], mid = "white", high = tints[[2L]], limits = c(-1, 1)
    )
  plot <- add_levels(plot, learner_of(x)$margins)
  finish_plane(add_points(plot, plane, x$classes), plane, x)
}

# Lines f = 0 and, where they have a meaning, f = -1 and f = 1.
add_levels <- function(plot, margins) {
  add <- function(plot, levels, ...) {
    levels <- levels_within(levels, plot$data$f)
    if (length(levels) == 0L) return(plot)
    plot + ggplot2::geom_contour(ggplot2::aes(z = .data$f), breaks = levels, ...)
  }
  plot <- add(plot, 0, colour = "grey10", linewidth = 0.9)
  if (!margins) return(plot)
  add(plot, c(-1, 1), colour = "grey20", linetype = 2, linewidth = 0.4)
}

# Support vectors are filled, other rows are rings; colors by `labels` of class 1 and 2, or gray.
add_points <- function(plot, plane, labels) {
  colours <- stats::setNames(class_colours()[seq_along(labels)], labels)
  frame <- function(rows) {
    data.frame(x1 = rows$x[, 1L], x2 = rows$x[, 2L], class = labels[rows$class])
  }
  points <- frame(plane$points)
  vectors <- frame(plane$vectors)
  plot +
    ggplot2::geom_point(
      data = points, ggplot2::aes(colour = .data$class), shape = 1, size = 1.8, na.rm = TRUE
    ) +
    # A white disc below gives the filled points an edge and leaves the fill scale to the ground.
    ggplot2::geom_point(data = vectors, colour = "white", size = 3) +
    ggplot2::geom_point(data = vectors, ggplot2::aes(colour = .data$class), size = 2.1) +
    ggplot2::scale_colour_manual(
      values = colours, limits = labels, na.value = "grey35", name = NULL
    ) +
    ggplot2::guides(
      colour = ggplot2::guide_legend(override.aes = list(shape = 16, size = 3), order = 2L)
    )
}

finish_plane <- function(plot, plane, x) {
  margins <- task_traits(x$task)$margins && learner_of(x)$margins
  lines <- if (margins) "; dashed lines: margins"
  plot +
    ggplot2::coord_cartesian(
      xlim = plane$ranges[[1L]], ylim = plane$ranges[[2L]], expand = FALSE
    ) +
    ggplot2::labs(
      x = plane$names[1L], y = plane$names[2L], title = x$learner$label,
      subtitle = paste0("filled points: support vectors", lines)
    ) +
    plot_theme() +
    ggplot2::theme(
      panel.grid.major = ggplot2::element_blank(),
      panel.border = ggplot2::element_rect(fill = NA, colour = "grey40")
    )
}

gg_gating <- function(x, data, response) {
  plane <- plot_plane(x, data, response)
  kernels <- item_names(x$kernels)
  fill <- kernel_colours(NULL, length(kernels))
  gating <- gating_plane(x, plane, fill)
  frame <- plane_frame(plane, f = plane$decision, mixed = gating$mixed)
  # The background is mixed colors; a row of tiles outside of the plot carries the legend.
  legend <- data.frame(
    x1 = frame$x1[1L], x2 = frame$x2[1L], kernel = factor(shorten(kernels), shorten(kernels))
  )
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$x1, .data$x2)) +
    ggplot2::geom_tile(
      data = legend, ggplot2::aes(fill = .data$kernel), width = 0, height = 0
    ) +
    ggplot2::scale_fill_manual(
      values = fill, name = "kernel", guide = ggplot2::guide_legend(order = 1L)
    ) +
    ggplot2::annotation_raster(
      t(matrix(gating$mixed, plane$steps))[plane$steps:1, ], plane$ranges[[1L]][1L],
      plane$ranges[[1L]][2L], plane$ranges[[2L]][1L], plane$ranges[[2L]][2L], interpolate = TRUE
    )
  for (lead in gating$leads) {
    plot <- plot + ggplot2::geom_contour(
      data = plane_frame(plane, lead = lead), ggplot2::aes(z = .data$lead), breaks = 0,
      colour = "grey50", linewidth = 0.7
    )
  }
  task <- task_traits(x$task)
  plot <- if (default_type(x) == "response") {
    plot + ggplot2::geom_contour(
      ggplot2::aes(z = .data$f), breaks = pretty(plane$decision, 8), colour = "grey10",
      linewidth = 0.4
    )
  } else {
    add_levels(plot, task$margins)
  }
  plot <- finish_plane(add_points(plot, plane, x$classes %||% task$sides), plane, x)
  # Without a response the filled points are all of one color, which the subtitle explains.
  if (!task$response) plot <- plot + ggplot2::guides(colour = "none")
  plot
}

# A panel for each kernel matrix, with the share of the eigenvalues in its title.
gg_eigen <- function(x, model) {
  eigen <- eigen_panels(x, model)
  titles <- vapply(names(eigen$panels), function(name) {
    panel <- eigen$panels[[name]]
    if (!is.null(panel$names)) return(paste(panel$names, collapse = ", "))
    paste0(name, ": ", paste(format_number(100 * panel$share, 2L), "%", collapse = " and "))
  }, "")
  frame <- do.call(rbind, Map(function(panel, title) {
    data.frame(x1 = panel$points[, 1L], x2 = panel$points[, 2L], panel = title)
  }, eigen$panels, titles))
  frame$panel <- factor(frame$panel, titles)
  plain <- vapply(eigen$panels, function(panel) is.null(panel$names), NA)
  axes <- data.frame(panel = factor(titles[plain], titles), at = 0)
  label <- function(which) {
    paste0(which, " eigenvector", if (!all(plain)) paste0(" (", which, " column)"))
  }
  frame$class <- factor(eigen$labels[eigen$class], eigen$labels)
  ggplot2::ggplot(frame, ggplot2::aes(.data$x1, .data$x2, fill = .data$class)) +
    ggplot2::geom_hline(
      data = axes, ggplot2::aes(yintercept = .data$at), colour = "grey70", linetype = 3
    ) +
    ggplot2::geom_vline(
      data = axes, ggplot2::aes(xintercept = .data$at), colour = "grey70", linetype = 3
    ) +
    ggplot2::geom_point(shape = 21, colour = "white", size = 2.2, stroke = 0.4) +
    ggplot2::scale_fill_manual(
      values = stats::setNames(class_colours(), eigen$labels), name = NULL
    ) +
    ggplot2::guides(fill = ggplot2::guide_legend(override.aes = list(size = 3.2))) +
    ggplot2::facet_wrap(~panel, scales = "free") +
    ggplot2::scale_x_continuous(n.breaks = 4L) +
    ggplot2::labs(
      x = label("first"), y = label("second"),
      title = paste0(x$learner$label, if (length(x$models) > 1L) {
        paste0(", ", model_names(x)[model])
      }), subtitle = "titles: share of the positive eigenvalues"
    ) +
    plot_theme() +
    ggplot2::theme(strip.clip = "off", legend.position = "bottom")
}
