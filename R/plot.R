#' Plot a fit
#'
#' The weights of the kernels as bars or, for a two-class fit on two numeric columns, the
#' regions of the decision function with its support vectors.
#'
#' @details
#' The boundary is the line \eqn{f(x) = 0}; the dashed lines are \deqn{f(x) = -1
#' \quad \mathrm{and} \quad f(x) = 1,} the margins. Colours follow the decision value.
#' Filled points are support vectors, open ones other rows of `data`.
#'
#' # Choosing what to see
#' `"auto"` draws the boundary when that is possible and there is one kernel or `data` is
#' given; else the weights.
#'
#' @param x A fit of [mkl()].
#' @param what `"auto"`, `"weights"` or `"boundary"`.
#' @param data For the boundary: all training rows as a data frame or matrix, to be drawn
#'   besides the support vectors.
#' @param response For the boundary: the classes of the rows of `data`; taken from `data` for fits
#'   by a formula. Rows without it are drawn by their predicted class.
#' @param limit Largest number of bars.
#' @param main Title.
#' @param col Two colours: negative and positive class.
#' @param ... Handed to the plotting function: [graphics::barplot()] or
#'   [graphics::plot.default()].
#' @return The fit, invisibly.
#' @inherit kernel_weights references
#' @family questions to a fit
#' @examples
#' two <- droplevels(iris[51:150, c("Petal.Length", "Petal.Width", "Species")])
#' plot(mkl(Species ~ ., two), data = two)
#' plot(mkl(Species ~ ., two, learner = learner_average()), what = "weights")
#' @export
plot.mkl <- function(x, what = c("auto", "weights", "boundary"), data = NULL, response = NULL,
                     limit = 20L, main = NULL, col = c("#2166AC", "#B2182B"), ...) {
  what <- check_choice(what, "what", c("auto", "weights", "boundary"))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  possible <- is.null(no_boundary(x))
  if (what == "auto") {
    wanted <- !is.null(data) || sum(item_counts(x$kernels)) == 1
    what <- if (possible && wanted) "boundary" else "weights"
  }
  if (what == "weights") {
    plot_weights(x, limit, main %||% x$learner$label, col, ...)
  } else {
    if (!possible) stop_mkl("argument_error", "what", no_boundary(x))
    plot_boundary(x, data, response, main %||% x$learner$label, col, ...)
  }
  invisible(x)
}

plot_weights <- function(x, limit, main, col, ...) {
  weights <- mean_weights(x)
  weights <- utils::head(weights[order(-abs(weights), method = "radix")], limit)
  labels <- shorten(names(weights))
  cex <- if (length(labels) > 20L) 0.65 else 0.85
  old <- graphics::par(mar = c(4, label_margin(labels, cex), 3, 1.5), las = 1)
  on.exit(graphics::par(old))
  shade <- grDevices::colorRampPalette(c("#D1E5F0", col[1L]))(101)
  fill <- shade[1L + round(100 * abs(rev(weights)) / max(abs(weights), 1e-300))]
  graphics::barplot(
    rev(unname(weights)), names.arg = rev(labels), horiz = TRUE, border = NA, col = fill,
    cex.names = cex, main = main, xlab = weights_title(x), xlim = range(0, weights) * 1.05, ...
  )
  graphics::abline(v = 0, col = "grey40")
}

shorten <- function(labels) {
  long <- nchar(labels) > 34L
  labels[long] <- paste0(substr(labels[long], 1L, 31L), "...")
  labels
}

# Lines of margin that labels of the vertical axis need.
label_margin <- function(labels, cex, least = 3) {
  lines <- 1.5 + max(graphics::strwidth(labels, "inches", cex = cex), 0.3) / 0.2
  max(min(lines, 16), least)
}

weights_title <- function(x) {
  if (length(x$models) == 1L) "weight of the kernel" else "mean weight of the kernel"
}

# NULL, or why there is no boundary to draw.
no_boundary <- function(x) {
  if (length(x$models) != 1L || x$task != "classification") {
    return("A boundary can be drawn for two-class fits only.")
  }
  names <- x$frame$names
  numeric <- !any(x$frame$indicator) && length(precomputed_names(x$kernels)) == 0L
  columns <- x$frame$type %in% c("matrix", "data", "formula") && ncol(x$train) == 2L
  # A transformed variable has no axis of its own.
  raw <- x$frame$type != "formula" || setequal(names(x$frame$encoders), names)
  if (!(numeric && columns && raw)) {
    return("A boundary can be drawn for fits on exactly two numeric columns only.")
  }
  NULL
}

plot_boundary <- function(x, data, response, main, col, ...) {
  vectors <- unscale(x$train, x$frame)
  points <- boundary_points(x, data, response)
  ranges <- lapply(1:2, function(j) {
    grDevices::extendrange(c(vectors[, j], points$x[, j]), f = 0.08)
  })
  labels <- boundary_names(x)
  graphics::plot.default(
    NA, xlim = ranges[[1L]], ylim = ranges[[2L]], xaxs = "i", yaxs = "i", main = main,
    xlab = labels[1L], ylab = labels[2L], ...
  )
  draw_surface(x, ranges, col)
  if (nrow(points$x)) graphics::points(points$x, pch = 1, col = col[points$class], cex = 0.9)
  draw_vectors(x, vectors, col)
  graphics::legend(
    "topleft", legend = x$classes, pch = 21, pt.bg = col, col = "white", pt.cex = 1.3,
    bg = "#FFFFFFCC", box.col = NA, inset = 0.01
  )
  graphics::box(col = "grey40")
}

draw_surface <- function(x, ranges, col, steps = 150L) {
  axes <- lapply(ranges, function(r) seq(r[1L], r[2L], length.out = steps))
  grid <- as.matrix(expand.grid(axes))
  colnames(grid) <- boundary_names(x)
  grid <- if (x$frame$type == "matrix") unnamed(grid, x) else as.data.frame(grid)
  surface <- matrix(predict(x, grid, type = "decision"), steps, steps)
  shades <- grDevices::colorRampPalette(c(tint(col[1L]), "white", tint(col[2L])))(61)
  # A square root spreads the colours near the boundary, where they matter.
  graphics::image(
    axes[[1L]], axes[[2L]], sign(surface) * sqrt(abs(surface) / max(abs(surface), 1e-300)),
    add = TRUE, col = shades, zlim = c(-1, 1), useRaster = TRUE
  )
  graphics::contour(
    axes[[1L]], axes[[2L]], surface, levels = c(-1, 0, 1), lty = c(2, 1, 2), lwd = c(1, 2, 1),
    drawlabels = FALSE, add = TRUE, col = "grey20"
  )
}

# Support vectors; the sign of the coefficient is the class.
draw_vectors <- function(x, vectors, col) {
  state <- x$models[[1L]]$state
  rows <- state$rows %||% seq_len(nrow(vectors))
  signs <- state$coefficients %||% rep(1, length(rows))
  # Coefficients for each kernel have no sign in common: the predicted class stands in.
  if (is.matrix(signs)) signs <- x$decision[x$kept[rows], 1L]
  class <- 1L + (signs > 0)
  graphics::points(
    vectors[rows, , drop = FALSE], pch = 21, bg = col[class], col = "white", cex = 1.2
  )
}

tint <- function(colour) grDevices::colorRampPalette(c("white", colour))(100)[60]

unscale <- function(train, frame) {
  if (is.null(frame$center)) return(train)
  n <- nrow(train)
  train * by_column(frame$scale, n) + by_column(frame$center, n)
}

# Names of the two axes, in the order of the columns of the fit.
boundary_names <- function(x) {
  names <- if (x$frame$type == "formula") names(x$frame$encoders) else x$frame$names
  names %||% c("column 1", "column 2")
}

unnamed <- function(grid, x) {
  if (is.null(x$frame$names)) colnames(grid) <- NULL
  grid
}

boundary_points <- function(x, data, response) {
  if (is.null(data)) return(list(x = matrix(0, 0L, 2L), class = integer()))
  points <- bake_frame(x$frame, data, "data")
  if (is.null(response) && x$frame$type == "formula") {
    response <- tryCatch(eval(x$frame$response, as.list(data), baseenv()), error = function(e) NULL)
  }
  class <- match(as.character(response %||% predict(x, data)), x$classes)
  good <- rowSums(!is.finite(points)) == 0 & !is.na(class)
  list(x = points[good, , drop = FALSE], class = class[good])
}
