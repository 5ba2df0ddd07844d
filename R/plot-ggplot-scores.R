# Plots of predictions: ROC curves, margins, fitted values.

gg_roc <- function(x, data, response) {
  roc <- fit_roc(x, data, response)
  gg_curves(roc) + ggplot2::labs(
    title = wrap_title(x$learner$label), subtitle = wrap_title(roc_subtitle(roc), 72L)
  )
}

gg_curves <- function(roc) {
  legend <- roc_legend(roc$areas)
  labels <- unique(legend$label)
  labelled <- function(frame) {
    frame$label <- factor(legend$label[match(frame$class, legend$class)], labels)
    # Named curves lie on the others.
    frame$named <- legend$named[match(frame$class, legend$class)]
    frame$class <- factor(frame$class, rev(legend$class))
    frame
  }
  single <- nrow(legend) == 1L
  colours <- c(group_colours(sum(legend$named)), if (!all(legend$named)) "grey72")
  points <- labelled(roc$points)
  ggplot2::ggplot(
    labelled(roc$curves), ggplot2::aes(.data$false_positive, .data$true_positive,
                                       colour = .data$label, group = .data$class)
  ) +
    diagonal() +
    ggplot2::geom_path(linewidth = 0.9, show.legend = !single) +
    ggplot2::geom_point(data = points[points$named, ], size = 2.6, show.legend = FALSE) +
    ggplot2::scale_colour_manual(values = stats::setNames(colours, labels), name = NULL) +
    ggplot2::coord_equal(xlim = 0:1, ylim = 0:1) +
    ggplot2::labs(x = "false positive rate", y = "true positive rate") +
    plot_theme()
}

most_panels <- function() 12L

# Names of models above narrow panels: those of long classes in two lines.
strip_labels <- function(x, models) {
  if (max(nchar(models)) <= 20L) return(models)
  classes <- shorten(x$classes, 16L)
  long <- vapply(x$models, function(model) {
    if (!is.null(model$name)) return(shorten(model$name, 16L))
    paste0(classes[model$positive + 1L], if (model$negative >= 0) {
      paste0(" /\n", classes[model$negative + 1L])
    })
  }, "")
  long[match(models, model_names(x))]
}

# Rows of the models that have most errors, if there are more models than panels.
worst_models <- function(scores) {
  errors <- tapply(scores$margin < 0, factor(scores$model, unique(scores$model)), mean)
  worst <- names(errors)[sort(utils::head(order(-errors), most_panels()))]
  scores[scores$model %in% worst, ]
}

gg_margins <- function(x, data, response) {
  scores <- score_frame(x, data, response)
  several <- length(x$models) > 1L
  scores$margin <- scores$decision * (2L * scores$class - 3L)
  all <- length(unique(scores$model))
  scores <- worst_models(scores)
  sides <- if (several) c("negative class", "positive class") else x$classes
  scores$side <- factor(sides[scores$class], sides)
  scores$model <- factor(scores$model, unique(scores$model), strip_labels(x, unique(scores$model)))
  unit <- learner_of(x)$margins
  plot <- ggplot2::ggplot(scores, ggplot2::aes(.data$margin, fill = .data$side)) +
    ggplot2::geom_histogram(
      bins = 30L, boundary = 0, colour = "white", linewidth = 0.2, position = "stack"
    ) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey10", linewidth = 0.8) +
    ggplot2::scale_fill_manual(
      values = stats::setNames(class_colours(), sides), name = NULL, labels = shorten(sides, 24L)
    ) +
    ggplot2::scale_y_continuous(breaks = function(range) {
      unique(round(pretty(range, if (several) 2L else 5L)))
    }) +
    ggplot2::labs(
      x = "margin y f(x)", y = "rows", title = wrap_title(x$learner$label),
      subtitle = wrap_subtitle(paste0(
        if (all > most_panels()) {
          paste0("The ", most_panels(), " of ", all, " models with most errors: ")
        },
        percent_below(scores$margin, 0), " left of 0 (errors)",
        # Rows with a margin of 1 are on it as exactly as the solver puts them there.
        if (unit) paste0(", ", percent_below(scores$margin, 1 - 1e-2), " left of 1")
      ))
    ) +
    plot_theme("y") + ggplot2::theme(strip.clip = "off") + wide_panels()
  if (unit) {
    plot <- plot + ggplot2::geom_vline(
      xintercept = 1, colour = "grey20", linetype = 2, linewidth = 0.4
    )
  }
  if (!several) return(plot)
  plot + ggplot2::facet_wrap(~model) + ggplot2::theme(legend.position = "bottom")
}

percent_below <- function(x, limit) paste(format_number(100 * mean(x < limit), 3L), "%")

# ---- fitted values -------------------------------------------------------------------------------

gg_fitted <- function(x) {
  fitted <- fitted_data(x)
  plot <- switch(fitted$kind,
    values = gg_values(fitted), table = gg_table(fitted), numbers = gg_numbers(fitted)
  )
  plot + ggplot2::labs(
    title = wrap_title(x$learner$label), subtitle = "Training rows, which the fit has seen"
  )
}

gg_values <- function(fitted) {
  frame <- fitted$frame
  frame$side <- factor(fitted$sides[frame$class], fitted$sides)
  count <- length(fitted$sides)
  ggplot2::ggplot(frame, ggplot2::aes(
    xmin = .data$left, xmax = .data$right, ymin = .data$from, ymax = .data$to, fill = .data$side
  )) +
    ggplot2::geom_rect(colour = "white", linewidth = 0.2, show.legend = count > 1L) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey10", linewidth = 0.8) +
    ggplot2::scale_fill_manual(
      values = stats::setNames(class_colours()[seq_len(count)], fitted$sides), name = NULL,
      labels = shorten(fitted$sides, 24L)
    ) +
    ggplot2::labs(x = "decision value", y = "rows") + plot_theme("y")
}

gg_table <- function(fitted) {
  frame <- fitted$frame
  short <- shorten(fitted$classes, 20L)
  place <- function(class, order) factor(short[match(class, fitted$classes)], order(short))
  frame$truth <- place(frame$truth, rev)
  frame$fitted <- place(frame$fitted, identity)
  plot <- ggplot2::ggplot(
    frame, ggplot2::aes(.data$fitted, .data$truth, fill = .data$share)
  ) +
    ggplot2::geom_tile(colour = "white") +
    ggplot2::scale_fill_gradient(
      low = "grey97", high = class_colours()[1L], limits = 0:1, name = "share of\nthe class"
    ) +
    ggplot2::labs(x = "fitted class", y = "true class") + plot_theme("") +
    small_labels(length(short)) + lower_labels(short)
  if (length(short) > 12L) return(plot)
  plot + ggplot2::geom_text(
    data = frame[frame$rows > 0, ], size = 3,
    ggplot2::aes(label = .data$rows, colour = .data$share > 0.5), show.legend = FALSE
  ) + ggplot2::scale_colour_manual(values = c("FALSE" = "grey15", "TRUE" = "white"))
}

# Names of classes below a plot: upright if they are many, else slanted.
lower_labels <- function(labels) {
  many <- length(labels) > 12L
  short <- max(nchar(labels)) <= 3L
  ggplot2::theme(axis.text.x = ggplot2::element_text(
    angle = if (short) 0 else if (many) 90 else 45, hjust = if (short) 0.5 else 1,
    vjust = if (short || many) 0.5 else 1,
    size = if (!many) 9 else if (length(labels) <= 20L) 7.5 else 6
  ))
}

gg_numbers <- function(fitted) {
  ggplot2::ggplot(fitted$frame, ggplot2::aes(.data$fitted, .data$observed)) +
    ggplot2::geom_abline(linetype = 2, colour = "grey55") +
    ggplot2::geom_point(shape = 21, fill = class_colours()[1L], colour = "white", size = 2) +
    ggplot2::labs(x = "fitted", y = "observed") + plot_theme()
}
