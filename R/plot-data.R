# What plots show, computed once for plot() and autoplot(): the methods only draw. See also
# plot-data-weights.R and plot-data-scores.R.

# Objective of each model after each step, in long form; `model` is NULL for a single one.
path_frame <- function(x) {
  paths <- objective_path(x)
  if (!is.list(paths)) paths <- list(paths)
  out <- data.frame(
    step = sequence(lengths(paths)) - 1, objective = unlist(paths, use.names = FALSE)
  )
  if (length(paths) > 1L) out$model <- rep(names(paths), lengths(paths))
  out
}

# ---- two columns: a plane ------------------------------------------------------------------------

# NULL, or why there is no boundary to draw.
no_boundary <- function(x) {
  if (length(x$models) != 1L || is.null(x$classes)) {
    return("A boundary can be drawn for two-class fits only.")
  }
  if (has_two_columns(x)) return(NULL)
  "A boundary can be drawn for fits on exactly two numeric columns only."
}

# Whether the model is a function of two variables as they are.
has_two_columns <- function(x) {
  names <- x$frame$names
  numeric <- !any(x$frame$indicator) && length(precomputed_names(x$kernels)) == 0L
  # A transformed variable has no axis of its own.
  raw <- setequal(variable_names(x$frame), names)
  numeric && ncol(x$train) == 2L && raw
}

# NULL, or why there are no gating regions to draw.
no_plane <- function(x) {
  if (length(x$models) != 1L) return("Gating regions can be drawn for fits with one model only.")
  if (has_two_columns(x)) return(NULL)
  "Gating regions can be drawn for fits on exactly two numeric columns only."
}

# The plane of the two columns of a fit: its axes, the points of a grid as new data, the decision
# values there, the support vectors and the rows of `data`, each with class 1 (negative) or 2.
plot_plane <- function(x, data, response, steps = 150L) {
  vectors <- support_points(x)
  points <- data_points(x, data, response)
  if (nrow(vectors$x) + nrow(points$x) == 0L) {
    stop_mkl("argument_error", "data", "The fit keeps no rows: give some by `data`.")
  }
  ranges <- lapply(1:2, function(j) {
    range <- grDevices::extendrange(c(vectors$x[, j], points$x[, j]), f = 0.08)
    if (range[1L] < range[2L]) range else range + c(-1, 1) * max(1, abs(range[1L])) # a constant
  })
  axes <- lapply(ranges, function(r) seq(r[1L], r[2L], length.out = steps))
  cells <- as.matrix(expand.grid(axes))
  colnames(cells) <- plane_names(x)
  grid <- as_new_data(x$frame, cells)
  list(
    names = plane_names(x), ranges = ranges, axes = axes, cells = unname(cells), grid = grid,
    steps = steps, decision = predict(x, grid, type = "decision"), points = points,
    vectors = vectors
  )
}

# Those levels that a function of the plane reaches and leaves: of others there is no line.
levels_within <- function(levels, z) levels[levels > min(z) & levels < max(z)]

# Names of the two axes, in the order of the columns of the fit.
plane_names <- function(x) variable_names(x$frame) %||% c("column 1", "column 2")

unscale <- function(train, frame) {
  if (is.null(frame$center)) return(train)
  n <- nrow(train)
  train * by_column(frame$scale, n) + by_column(frame$center, n)
}

# Support vectors; the sign of the coefficient is the class.
support_points <- function(x) {
  facts <- model_facts(x)[[1L]]
  rows <- facts$rows
  signs <- facts$labels %||% facts$coefficients %||% rep(1, length(rows))
  if (is.matrix(signs)) {
    # Those of a localized fit add up; else coefficients for each kernel have no sign in common, and
    # the predicted class stands in.
    signs <- if (inherits(x, "mkl_lmkl")) rowSums(signs) else stored_decision(x)[x$kept[rows], 1L]
  }
  list(x = unscale(x$train, x$frame)[rows, , drop = FALSE], class = 1L + (signs > 0))
}

# Rows of `data`. Fits without classes have class NA.
data_points <- function(x, data, response) {
  if (is.null(data)) return(list(x = matrix(0, 0L, 2L), class = integer()))
  points <- bake_frame(x$frame, data, "data")
  good <- rowSums(!is.finite(points)) == 0
  class <- rep(NA_integer_, nrow(points))
  if (!is.null(x$classes)) {
    class <- match(as.character(true_response(x, data, response) %||% predict(x, data)), x$classes)
    good <- good & !is.na(class)
  }
  list(x = points[good, , drop = FALSE], class = class[good])
}

# The response of the rows of `data`: as given, or found in the data by the formula of the fit. NULL
# if there is none.
true_response <- function(x, data, response) {
  if (is.null(response)) return(find_response(x$frame, data))
  match_new_response(x, data, response, "response")
}

# Decision values from -1 to 1 for colors: a square root spreads those near the boundary, where
# they matter.
signed_root <- function(decision) {
  sign(decision) * sqrt(abs(decision) / max(abs(decision), 1e-300))
}

tint <- function(colour) grDevices::colorRampPalette(c("white", colour))(100)[60]

# Gating weights on a plane: colors of the kernels mixed in proportion to them, and for each border
# between regions the function that is zero on it.
gating_plane <- function(x, plane, fill) {
  eta <- gating_weights(x, plane$grid)
  share <- eta / pmax(rowSums(eta), 1e-300)
  best <- max.col(eta, "first")
  leads <- lapply(unique(best)[-1L], function(m) { # a border has two sides: one may be left out
    others <- eta
    others[, m] <- -Inf
    eta[, m] - others[cbind(seq_along(best), max.col(others, "first"))]
  })
  list(
    eta = eta, leads = leads,
    mixed = grDevices::rgb(share %*% t(grDevices::col2rgb(fill)), maxColorValue = 255)
  )
}

kernel_colours <- function(fill, count) {
  if (is.null(fill)) {
    light <- c("#FBE3A6", "#BFE3C8", "#DCCBEA", "#F6CDB8", "#C5E3EE", "#E6DDC6")
    return(if (count <= 6L) light[seq_len(count)] else grDevices::hcl.colors(count, "Pastel 1"))
  }
  check_colours(fill, "fill", count, plural(count, "kernel"))
}

check_colours <- function(col, argument, count, things) {
  known <- tryCatch(ncol(grDevices::col2rgb(col)) == count, error = function(e) FALSE)
  if (!known) stop_must(argument, paste("one colour for each of the", things), col)
  col
}

# ---- eigenvectors of kernels ---------------------------------------------------------------------

# Positions of the rows of a kernel matrix along its leading eigenvectors, and the share of each of
# these in the sum of the positive eigenvalues.
eigen_points <- function(k) {
  # All eigenvalues, as the shares need their sum.
  map <- empirical_map(k)
  have <- seq_len(min(2L, length(map$values)))
  points <- matrix(0, nrow(k), 2L)
  points[, have] <- predict(map)[, have]
  list(points = points, share = c(map$values / sum(map$values), 0, 0)[1:2])
}

# NULL, or why the kernels of a label-based fit cannot be computed again.
no_eigen <- function(x) {
  stored <- precomputed_names(x$kernels)
  if (length(stored) == 0L) return(NULL)
  paste0(
    "Kernel `", stored[1L], "` is a matrix, which the fit does not store. Draw the matrices ",
    "themselves: plot(empirical_map(K), class = y)."
  )
}

# What a label-based fit sees of its training rows: along the leading eigenvectors of K, K* and K**,
# each the weighted sum over the kernels, and in the plane of the columns if there are just two.
# list(panels: named list of list(points, share), class: 1 or 2, labels).
eigen_panels <- function(x, model) {
  facts <- model_facts(x)[[model]]
  train <- x$train[facts$rows, , drop = FALSE]
  items <- new_blocks(x$kernels, train, train)
  k <- gram_matrices(items, train, NULL, x$control)
  own <- seq_along(facts$weights)
  weights <- facts$weights
  labelled <- which(is_label_based(x$kernels))
  y <- facts$labels
  stars <- squares <- k[own]
  stars[labelled] <- Map(function(plain, local) plain + outer(y, y) * local, k[labelled], k[-own])
  squares[labelled] <- label_based_cpp(
    k[labelled], k[-own], y, list(), rep(TRUE, length(labelled)), core_control(x$control)
  )
  mix <- function(matrices) Reduce(`+`, Map(`*`, weights, matrices))
  panels <- lapply(list("K" = k[own], "K*" = stars, "K**" = squares), function(matrices) {
    eigen_points(mix(matrices))
  })
  if (is.null(no_boundary(x))) {
    columns <- list(points = unscale(train, x$frame), names = plane_names(x))
    panels <- c(list(columns = columns), panels)
  }
  list(panels = panels, class = 1L + (y > 0), labels = model_classes(x, model))
}

# The two sides of a model: negative and positive class.
model_classes <- function(x, model) {
  if (length(x$models) == 1L) return(x$classes)
  one <- x$models[[model]]
  positive <- x$classes[one$positive + 1L]
  c(if (one$negative < 0) "other" else x$classes[one$negative + 1L], positive)
}
