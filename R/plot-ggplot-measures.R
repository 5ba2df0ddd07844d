# autoplot() of what is computed from out-of-fold predictions, see plot-measures.R.

#' @rdname plot-measures
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_roc)
autoplot.mkl_roc <- function(object, ...) {
  check_dots(...)
  need_ggplot2()
  single <- nlevels(object$class) == 1L
  gg_curves(drawn_roc(object)) + ggplot2::labs(
    title = roc_title(object),
    subtitle = if (single) paste("AUC", sprintf("%.3f", attr(object, "auc")))
  )
}

#' @rdname plot-measures
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_threshold)
autoplot.mkl_threshold <- function(object, ...) {
  check_dots(...)
  need_ggplot2()
  frame <- threshold_lines(object)
  plot <- ggplot2::ggplot(
    frame, ggplot2::aes(.data$threshold, .data$value, colour = .data$measure)
  ) +
    ggplot2::geom_line(linewidth = 0.9, na.rm = TRUE) +
    ggplot2::scale_colour_manual(values = group_colours(nlevels(frame$measure)), name = NULL) +
    ggplot2::labs(
      x = threshold_axis(object), y = NULL, title = wrap_title(threshold_title(object)),
      subtitle = wrap_subtitle(threshold_note(object))
    ) +
    plot_theme()
  if (!is.finite(object$threshold)) return(plot)
  plot + ggplot2::geom_vline(xintercept = object$threshold[[1L]], linetype = 2, colour = "grey30")
}

#' @rdname plot-measures
#' @export
#' @rawNamespace S3method(ggplot2::autoplot, mkl_calibration)
autoplot.mkl_calibration <- function(object, ...) {
  check_dots(...)
  need_ggplot2()
  all <- nrow(object$summary)
  long <- max(nchar(as.character(object$summary$class))) > 10L
  object <- worst_calibrated(object, if (long) 6L else 9L)
  frame <- object$bins
  strips <- calibration_labels(object, if (long) ":\n" else ": ", if (long) 16L else 20L)
  frame$class <- factor(frame$class, object$summary$class, strips)
  plot <- ggplot2::ggplot(frame, ggplot2::aes(.data$predicted, .data$observed)) +
    diagonal() +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), colour = class_colours()[1L],
      linewidth = 0.7
    ) +
    ggplot2::geom_line(colour = class_colours()[1L], linewidth = 0.5) +
    ggplot2::geom_point(ggplot2::aes(size = .data$n), colour = class_colours()[1L]) +
    ggplot2::scale_size_area(max_size = 4, guide = "none") +
    ggplot2::coord_equal(xlim = 0:1, ylim = 0:1) +
    ggplot2::labs(
      x = "mean probability", y = "observed share", title = "Calibration",
      subtitle = wrap_title(calibration_note(object, all)),
      caption = paste0(
        format_number(100 * object$level, 3L), " % intervals of Wilson; area: number of cases"
      )
    ) +
    plot_theme()
  if (nlevels(frame$class) == 1L) return(plot)
  plot + ggplot2::facet_wrap(~class) + ggplot2::scale_x_continuous(breaks = c(0, 0.5, 1)) +
    wide_panels() + ggplot2::theme(strip.clip = "off", strip.text = ggplot2::element_text(size = 8))
}
