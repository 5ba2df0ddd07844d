# Plots by ggplot2, which is suggested only: autoplot(fit) works without attaching it. The generic
# is that of ggplot2 once that is loaded, see R/base-generics.R.

utils::globalVariables(".data") # the pronoun of ggplot2::aes()

#' Plot fitted models and results with ggplot2
#'
#' `autoplot()` has the plots of [`plot()`][plot.mkl] and others, as ggplot objects that can be
#' modified and saved. See [autoplot.mkl()] for fitted models.
#'
#' @details
#' The package ggplot2 must be installed, but need not be attached. Colors can be distinguished by
#' color-blind readers and in grayscale: classes are blue (negative) and red (positive), other
#' groups use the palette of Okabe and Ito, surfaces a scale of increasing lightness.
#'
#' # Modifying plots
#' Add ggplot2 components to the result, as in `autoplot(fit) + ggplot2::theme_bw()`.
#'
#' @param object A fit of [mkl()] or the result of another function of this package. Objects of
#'   other classes are passed to ggplot2.
#' @param ... Arguments of the method.
#' @return A `ggplot` object.
#' @references
#' Okabe, M. and Ito, K. (2008). *Color universal design: how to make figures and presentations that
#' are friendly to colorblind people*. J*FLY.
#' @family plots
#' @examples
#' two <- droplevels(iris[51:150, ])
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   autoplot(mkl(Species ~ ., two, learner = learner_average()))
#' }
#' @export
autoplot <- function(object, ...) UseMethod("autoplot")

#' @rawNamespace S3method(autoplot, default, autoplot_other)
autoplot_other <- function(object, ...) hand_on("autoplot", object, ..., package = "ggplot2")

need_ggplot2 <- function() {
  need_package("ggplot2", "autoplot() needs", " Fits can be drawn by plot() without it.")
}

# plot() of results that base graphics have no version of.
plot_by_ggplot <- function(x, ...) {
  need_package("ggplot2", "plot() of this result needs")
  print(autoplot(x, ...))
  invisible(x)
}

# ---- one look for all plots ----------------------------------------------------------------------

class_colours <- function() c("#2166AC", "#B2182B")

# Okabe and Ito, the darker ones first; more groups than that get a ramp.
group_colours <- function(count) {
  colours <- c(
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#F0E442"
  )
  if (count <= length(colours)) return(colours[seq_len(count)])
  grDevices::hcl.colors(count, "Dark 3")
}

plot_theme <- function(grid = "xy") {
  none <- ggplot2::element_blank()
  theme <- ggplot2::theme_minimal(base_size = 11) + ggplot2::theme(
    panel.grid.minor = none, plot.title.position = "plot", legend.position = "right",
    axis.title = ggplot2::element_text(colour = "grey25"),
    plot.title = ggplot2::element_text(face = "bold", size = 12),
    plot.subtitle = ggplot2::element_text(colour = "grey35", size = 10),
    strip.text = ggplot2::element_text(hjust = 0, colour = "grey25", face = "bold")
  )
  if (!grepl("x", grid)) theme <- theme + ggplot2::theme(panel.grid.major.x = none)
  if (!grepl("y", grid)) theme <- theme + ggplot2::theme(panel.grid.major.y = none)
  theme
}

# Panels side by side whose outer labels do not touch each other or the edge.
wide_panels <- function(lines = 1.2) {
  ggplot2::theme(
    panel.spacing.x = ggplot2::unit(lines, "lines"),
    plot.margin = ggplot2::margin(5.5, 14, 5.5, 5.5)
  )
}

# Rows of a plot from the top in the order given.
from_top <- function(labels) factor(labels, levels = rev(unique(labels)))
