# Plots of explanations by base R, and what they share with those by ggplot2.

# What is shown of an importance: the largest estimates with their intervals, and the words.
top_importance <- function(x, limit) {
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  about <- attributes(x)
  part <- utils::head(plain_table(x), limit)
  all <- plural(nrow(x), about$by)
  list(
    term = shorten(part$term), estimate = part$estimate, low = part$estimate - part$se,
    high = part$estimate + part$se, label = paste("loss of", about$metric),
    title = paste0("Importance by ", about$by),
    subtitle = paste0(
      if (nrow(part) < nrow(x)) paste0("Largest ", nrow(part), " of ", all, "; "),
      about$metric, " with all: ", format_number(about$baseline, 4L), "; ",
      if (about$method == "drop") "dropped, " else if (isTRUE(about$resampled)) "permuted, ",
      if (isTRUE(about$resampled)) plural(about$times, "split") else {
        paste("permuted", plural(about$times, "time"))
      },
      if (!all(is.na(part$se))) "; lines: one standard error"
    )
  )
}

#' @rdname autoplot.mkl_importance
#' @export
plot.mkl_importance <- function(x, limit = 20, ...) {
  check_dots(...)
  shown <- top_importance(x, limit)
  count <- length(shown$term)
  titles <- wrap_titles(shown$title, shown$subtitle)
  fitted <- fit_labels(shown$term, count, 3.6 + titles$lines)
  old <- graphics::par(
    mar = c(3.6, fitted$margin, titles$lines, 1.5), las = 1, mgp = c(2.2, 0.6, 0), tcl = -0.3
  )
  on.exit(graphics::par(old))
  at <- rev(seq_len(count))
  graphics::plot.default(
    NA, xlim = range(0, shown$low, shown$high, shown$estimate, na.rm = TRUE),
    ylim = c(0.5, count + 0.5), yaxt = "n", bty = "n", xlab = shown$label, ylab = ""
  )
  draw_titles(titles)
  graphics::abline(h = at, col = "grey93")
  graphics::abline(v = 0, col = "grey60")
  graphics::segments(shown$low, at, shown$high, at, col = group_colours(1L), lwd = 2)
  graphics::points(shown$estimate, at, pch = 19, col = group_colours(1L))
  draw_row_labels(at, shown$term, fitted$cex)
  invisible(x)
}

# Bars of an explanation: for each model and part (terms, cases) the largest contributions. Of many
# models those whose decision is closest. `limit`: NULL for a number of bars that fits.
case_bars <- function(x, what, limit, most = 3L) {
  what <- check_choice(what, "what", c("both", "terms", "cases"))
  parts <- if (what == "both") c("terms", "cases") else what
  parts <- parts[!vapply(x[parts], is.null, NA)]
  if (length(parts) == 0L) {
    stop_mkl("argument_error", "what", "The explanation of ", x$learner, " has no ", what, ".")
  }
  models <- closest_models(x, most)
  limit <- if (is.null(limit)) c(10L, 4L, 3L)[min(length(models), 3L)] else {
    check_number(limit, "limit", 1, whole = TRUE)
  }
  wide <- if (length(parts) > 1L) 24L else 36L
  tables <- lapply(parts, function(part) {
    table <- x[[part]]
    model <- table$model %||% rep("", nrow(table))
    do.call(rbind, lapply(models, function(one) {
      own <- utils::head(table[model == one, ], limit)
      data.frame(
        model = rep(one, nrow(own)), part = rep(part_label(x, part), nrow(own)),
        name = rep(short_models(x, 24L)[match(one, names(x$decision) %||% "")], nrow(own)),
        label = bar_labels(own, wide), contribution = own$contribution
      )
    }))
  })
  do.call(rbind, tables)
}

# Names of the models with the decision values next to 0, in their order; "" for a single one.
closest_models <- function(x, most) {
  names <- names(x$decision) %||% ""
  names[sort(utils::head(order(abs(x$decision)), most))]
}

# Names of the models for narrow places: those of pairs keep both of their classes.
short_models <- function(x, wide) {
  names <- names(x$decision)
  if (is.null(names)) return("")
  if (all(nchar(names) <= wide)) return(names)
  sides <- do.call(rbind, x$toward)
  single <- sides[, 1L] == paste("not", sides[, 2L])
  usual <- ifelse(single, sides[, 2L], paste0(sides[, 2L], "/", sides[, 1L]))
  if (!all(gsub(" / ", "/", names, fixed = TRUE) == usual)) return(shorten(names, wide))
  each <- wide %/% 2L
  classes <- unique(c(sides[, 2L], sides[!single, 1L]))
  short <- function(side, wide) shorten(classes, wide)[match(side, classes)]
  ifelse(single, short(sides[, 2L], wide), paste0(
    short(sides[, 2L], each), " / ", short(sides[, 1L], each)
  ))
}

part_label <- function(x, part) if (part == "cases") "training cases" else paste0(x$by, "s")

bar_labels <- function(table, wide) {
  if (!is.null(table$term)) return(shorten(as.character(table$term), wide))
  case <- as.character(table$case)
  if (is.null(table$response)) return(shorten(case, wide))
  response <- if (is.numeric(table$response)) format_number(table$response) else {
    shorten(as.character(table$response), 12L)
  }
  paste0(shorten(case, wide - 8L), " (", response, ")")
}

# Strips above the panels: the part, after the model if there are several.
panel_labels <- function(bars) {
  if (all(bars$model == "")) return(bars$part)
  paste0(bars$name, ": ", bars$part)
}

case_title <- function(x) {
  prediction <- unname(x$prediction)
  if (is.logical(prediction)) prediction <- x$toward[[1L]][1L + prediction]
  paste0("Prediction: ", format(prediction, digits = 4L))
}

# Decision values of the models that are shown; for a number they say nothing new.
case_note <- function(x, most = 3L) {
  if (is.numeric(x$prediction)) return(NULL)
  if (is.null(names(x$decision))) return(paste("decision value", format_number(x$decision, 3L)))
  shown <- closest_models(x, most)
  paste0(
    "decision values", if (length(shown) < length(x$decision)) {
      paste(" closest to 0 of", length(x$decision), "models")
    }, ": ", paste(
      short_models(x, 24L)[match(shown, names(x$decision))],
      format_number(x$decision[shown], 3L), collapse = ", "
    )
  )
}

pull_label <- function(x) {
  if (length(x$toward) > 1L) return("contribution to the decision value")
  sides <- shorten(x$toward[[1L]], 24L)
  paste0("pulls to ", sides[1L], "  <  0  <  pulls to ", sides[2L])
}

#' @rdname autoplot.mkl_importance
#' @export
plot.mkl_case <- function(x, what = c("both", "terms", "cases"), limit = NULL, ...) {
  check_dots(...)
  most <- max(1L, min(3L, floor(graphics::par("din")[2L] / 1.7)))
  bars <- case_bars(x, if (missing(what)) "both" else what, limit, most)
  columns <- length(unique(bars$part))
  bars$panel <- panel_labels(bars)
  bars <- bars[order(match(bars$model, unique(bars$model))), ]
  panels <- split(bars, factor(bars$panel, unique(bars$panel)))
  titles <- wrap_titles(case_title(x), case_note(x, most))
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  graphics::par(
    mfrow = c(length(panels) / columns, columns), oma = c(1.6, 0, titles$lines + 0.3, 0), las = 1,
    mgp = c(2, 0.5, 0), tcl = -0.3, cex = 1
  )
  for (panel in panels) plot_case_panel(panel)
  graphics::mtext(pull_label(x), 1, outer = TRUE, line = 0.2, cex = 0.9)
  graphics::mtext(titles$main, outer = TRUE, font = 2, cex = 1.1, line = titles$under)
  if (is.null(titles$note)) return(invisible(x))
  graphics::mtext(titles$note, outer = TRUE, cex = 0.8, col = "grey35", line = 0.5)
  invisible(x)
}

plot_case_panel <- function(panel) {
  fitted <- fit_labels(panel$label, nrow(panel), 4)
  graphics::par(mar = c(2, fitted$margin, 1.6, 1))
  values <- rev(panel$contribution)
  at <- graphics::barplot(
    values, horiz = TRUE, border = NA, col = class_colours()[1L + (values > 0)],
    xlim = range(0, values) * 1.05, cex.axis = 0.8
  )
  draw_row_labels(at, rev(panel$label), fitted$cex)
  wide <- graphics::strwidth(panel$panel[1L], "inches", cex = 0.9, font = 2)
  graphics::mtext(
    panel$panel[1L], line = 0.3, font = 2, at = mean(graphics::grconvertX(0:1, "nfc", "user")),
    cex = 0.9 * min(1, 0.95 * graphics::par("fin")[1L] / wide)
  )
  graphics::abline(v = 0, col = "grey60")
}
