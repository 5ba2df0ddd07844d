# Rows along eigenvectors of a kernel matrix.

#' Plot an empirical kernel map
#'
#' Plots the rows of the data along two eigenvectors of the kernel matrix.
#'
#' @details
#' Row \eqn{i} is drawn at its coordinates \deqn{\phi(x_i) = \Lambda^{1/2} Q_i',}{
#'   phi(x_i) = Lambda^(1/2) Q_i',} see
#' [empirical_map()]. The axis labels show the share of each eigenvalue in the sum of eigenvalues
#' of the map.
#'
#' # Choosing a plot
#' The first eigenvector of a kernel without negative values is often close to a constant: also
#' plot `components = 2:3`, or center the kernel with `normalize = "center"`.
#'
#' @param x A map of [empirical_map()].
#' @param class Classes of the rows, which determine the colors; `NULL` for none.
#' @param components Two numbers: which coordinates to draw.
#' @param main Title of the plot.
#' @param col Colors, one for each class; `NULL` for a default.
#' @param ... Passed to [graphics::plot.default()].
#' @return The map, invisibly.
#' @inherit empirical_map references
#' @family kernels
#' @examples
#' map <- empirical_map(kernel_rbf("median"), as.matrix(iris[, 1:4]), normalize = "center")
#' plot(map, class = iris$Species)
#' @export
plot.mkl_empirical_map <- function(x, class = NULL, components = 1:2, main = NULL, col = NULL,
                                   ...) {
  check_exact()
  phi <- predict(x)
  if (length(components) != 2L) stop_must("components", "two numbers", components)
  components <- check_numbers(components, "components", 1, ncol(phi), whole = TRUE)
  groups <- check_groups(class, nrow(phi))
  col <- group_palette(col, nlevels(groups))
  old <- graphics::par(las = 1, mgp = c(2.6, 0.5, 0), tcl = -0.3)
  on.exit(graphics::par(old))
  points <- phi[, components]
  draw_eigen(
    points, as.integer(groups), eigen_labels((x$values / sum(x$values))[components], components),
    main %||% item_names(x$kernels), col, ...
  )
  if (!is.null(class)) class_legend(levels(groups), col, empty_corner(points))
  invisible(x)
}

check_groups <- function(class, n) {
  if (is.null(class)) return(factor(rep("all", n)))
  if (!is.atomic(class) || length(class) != n) {
    stop_must("class", paste("one class for each of the", n, "rows"), class)
  }
  if (is.factor(class)) droplevels(class) else plain_factor(class)
}

group_palette <- function(col, count) {
  if (is.null(col)) {
    return(switch(min(count, 3L), "grey25", c("#2166AC", "#B2182B"),
                  grDevices::hcl.colors(count, "Dark 3")))
  }
  check_colours(col, "col", count, plural(count, "class", "classes"))
}

# Labels of axes: number of the eigenvector and its share of the eigenvalues in per cent.
eigen_labels <- function(share, components) {
  paste0("eigenvector ", components, " (", format_number(100 * share, 2L),
         " %)")
}

draw_eigen <- function(points, class, labels, main, col, ...) {
  graphics::plot.default(
    points[, 1L], points[, 2L], pch = 21, bg = col[class], col = "white", cex = 1.2, main = main,
    xlab = labels[1L], ylab = labels[2L], ...
  )
  graphics::abline(h = 0, v = 0, col = "grey85", lty = 3)
}

# The corner of a plot with the fewest points, for a legend.
empty_corner <- function(points) {
  place <- apply(points, 2L, function(v) (v - min(v)) / max(max(v) - min(v), 1e-300))
  left <- place[, 1L] < 0.35
  right <- place[, 1L] > 0.65
  top <- place[, 2L] > 0.7
  bottom <- place[, 2L] < 0.3
  names(which.min(c(
    topleft = sum(left & top), topright = sum(right & top), bottomleft = sum(left & bottom),
    bottomright = sum(right & bottom)
  )))
}
