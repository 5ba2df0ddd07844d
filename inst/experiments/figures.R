# Shared by the vignettes on the papers: pictures of stored results and of fits.

# ---- MKBoost, figures 3 to 8 ---------------------------------------------------------------------

boost_tones <- c("MKBoost-D1" = "#2166AC", "MKBoost-D2" = "#B2182B", "MKBoost-S1" = "#67A9CF",
                 "MKBoost-S2" = "#EF8A62")
panel_grid <- function(count) if (count <= 6) c(2, 3) else c(3, 4)

# A panel for each data set: `measure` against the parameter of `figure`, a line for each variant.
# `curves`: mkboost-figures.csv. Seconds start at 0; accuracies are shown in per cent.
draw_curves <- function(curves, sets, figure, measure, label, log = "") {
  curves <- curves[curves$figure == figure & curves$measure == measure, ]
  if (measure == "accuracy") curves$mean <- 100 * curves$mean
  graphics::par(mfrow = panel_grid(length(sets)), cex = 0.75, mar = c(2.8, 3.2, 1.6, 0.5),
                mgp = c(1.7, 0.5, 0), tcl = -0.3, las = 1, oma = c(0, 0, 1.6, 0))
  for (data in sets) {
    part <- curves[curves$data == data, ]
    low <- if (measure == "accuracy") range(part$mean) else c(0, max(part$mean))
    plot(range(part$value), low, type = "n", log = log, xlab = label, ylab = "", main = data,
         cex.main = 1, xaxt = if (log == "x") "n" else "s")
    if (log == "x") graphics::axis(1, 2^c(-10, -5, 0), expression(2^-10, 2^-5, 1))
    for (method in names(boost_tones)) {
      one <- part[part$method == method, ]
      one <- one[order(one$value), ]
      graphics::lines(one$value, one$mean, col = boost_tones[[method]], lwd = 2,
                      lty = if (grepl("-S", method)) 2 else 1)
    }
  }
  drawn <- intersect(names(boost_tones), curves$method)
  graphics::par(fig = c(0, 1, 0, 1), oma = c(0, 0, 0, 0), mar = c(0, 0, 0, 0), new = TRUE)
  plot(0, 0, type = "n", axes = FALSE, xlab = "", ylab = "")
  graphics::legend("top", sub("MKBoost-", "", drawn), col = boost_tones[drawn], lwd = 2,
                   horiz = TRUE, bty = "n", lty = ifelse(grepl("-S", drawn), 2, 1), xpd = NA)
}

# ---- LMKL, figures 1 and 3 -----------------------------------------------------------------------

class_tones <- c("#2166AC", "#B2182B")
three_panels <- function() {
  graphics::par(mfrow = c(1, 3), cex = 0.75, mar = c(3, 3, 2, 0.5), mgp = c(1.8, 0.5, 0),
                tcl = -0.3, las = 1)
}
empty_plane <- function(axes, title) {
  plot(range(axes[[1]]), range(axes[[2]]), type = "n", xlab = "x1", ylab = "x2", main = title,
       cex.main = 1)
}
draw_level <- function(axes, values, level = 0, ...) {
  graphics::contour(axes[[1]], axes[[2]], matrix(values, length(axes[[1]])), levels = level,
                    drawlabels = FALSE, add = TRUE, ...)
}

# The Bayes rule for the four Gaussians of GAUSS4, and each of them by a line at one standard
# deviation from its mean.
gauss4_rule <- function(grid) {
  density <- function(mean, variance) {
    stats::dnorm(grid$x1, mean[1], sqrt(0.8)) * stats::dnorm(grid$x2, mean[2], sqrt(variance))
  }
  log(density(c(-3, 1), 2) + density(c(1, 1), 2)) -
    log(density(c(-1, -2.2), 4) + density(c(3, -2.2), 4))
}
gauss4_lines <- function() {
  turn <- seq(0, 2 * pi, length.out = 60)
  Map(function(x, y, variance) {
    cbind(x + sqrt(0.8) * cos(turn), y + sqrt(variance) * sin(turn))
  }, c(-3, 1, -1, 3), c(1, 1, -2.2, -2.2), c(2, 2, 4, 4))
}

# `fits`: named, on the rows of `train` (x1, x2, y). Filled points are support vectors.
draw_gauss4 <- function(fits, train, steps = 90) {
  axes <- list(seq(-6, 6, length.out = steps), seq(-9, 6, length.out = steps))
  grid <- expand.grid(x1 = axes[[1]], x2 = axes[[2]])
  three_panels()
  for (name in names(fits)) {
    fit <- fits[[name]]
    empty_plane(axes, name)
    tone <- class_tones[as.integer(train$y)]
    inside <- ifelse(seq_len(nrow(train)) %in% multikernel::support(fit), tone, "white")
    graphics::points(train$x1, train$x2, pch = 21, cex = 0.7, col = tone, bg = inside)
    draw_level(axes, gauss4_rule(grid), lty = 2, lwd = 1.3)
    for (line in gauss4_lines()) graphics::lines(line, lty = 2, lwd = 1.3)
    if (inherits(fit, "mkl_lmkl")) {
      eta <- multikernel::gating_weights(fit, grid)
      for (m in seq_len(ncol(eta))) {
        draw_level(axes, eta[, m] - apply(eta[, -m, drop = FALSE], 1, max), col = "grey50", lwd = 2)
      }
    }
    draw_level(axes, stats::predict(fit, grid, type = "decision"), lwd = 2.5)
  }
}

# `banana`: lmkl-banana.csv. Circles stand for the rows near a place, filled as far as these are
# support vectors.
draw_banana <- function(banana) {
  axes <- list(sort(unique(banana$x1)), sort(unique(banana$x2)))
  dots <- function(count, ...) {
    use <- count > 0
    graphics::points(banana$x1[use], banana$x2[use], cex = 0.45 * sqrt(count[use]), ...)
  }
  panel <- function(name, lead, title) {
    empty_plane(axes, title)
    for (class in 1:2) {
      side <- c("first", "second")[class]
      dots(banana[[side]], pch = 1, col = class_tones[class])
      dots(banana[[paste("vectors", name, side, sep = "_")]], pch = 16, col = class_tones[class])
    }
    for (m in unique(lead)) {
      draw_level(axes, as.numeric(lead == m), 0.5, col = "grey50", lwd = 2)
    }
    draw_level(axes, banana[[paste0("f_", name)]], lwd = 2.5)
  }
  three_panels()
  panel("mkl", NULL, "MKL, linear and quadratic")
  panel("lmkl_lp", banana$lead_lp, "LMKL, linear and quadratic")
  panel("lmkl_lll", banana$lead_lll, "LMKL, three linear")
}
