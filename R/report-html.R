# HTML of report(): text, tables, figures. All text of users goes through html_escape().

html_escape <- function(text) {
  gsub("\"", "&quot;", html_style()$escape(enc2utf8(as.character(text))), fixed = TRUE)
}

# Puts values in the places {{name}} of a text. What a value holds is not looked at again.
fill_template <- function(template, values) {
  parts <- strsplit(template, "{{", fixed = TRUE)[[1L]]
  filled <- vapply(parts[-1L], function(part) {
    end <- regexpr("}}", part, fixed = TRUE)
    paste0(values[[substr(part, 1L, end - 1L)]], substring(part, end + 2L))
  }, "")
  paste(c(parts[1L], filled), collapse = "")
}

# A section of the page: HTML of its parts.
new_section <- function(id, title, ...) {
  parts <- Filter(Negate(is.null), list(...))
  list(id = id, title = title, body = paste(unlist(parts), collapse = "\n"))
}

html_section <- function(section) {
  paste0(
    "<section id=\"", section$id, "\">\n<h2>", html_escape(section$title), "</h2>\n", section$body,
    "\n</section>"
  )
}

# A paragraph of plain text.
html_text <- function(..., class = NULL) {
  paste0(
    "<p", if (!is.null(class)) paste0(" class=\"", class, "\""), ">", html_escape(paste0(...)),
    "</p>"
  )
}

# `cards`: named texts.
html_cards <- function(cards) {
  paste0(
    "<div class=\"card\"><dt>", html_escape(names(cards)), "</dt><dd>", html_escape(cards),
    "</dd></div>", collapse = "\n"
  )
}

# A table of text; columns in `numbers` stand at the right, those in `raw` are HTML already.
html_table <- function(table, numbers = integer(), raw = integer()) {
  if (nrow(table) == 0L) return(NULL)
  class <- ifelse(seq_along(table) %in% numbers, " class=\"n\"", "")
  header <- paste0("<th", class, ">", html_escape(names(table)), "</th>", collapse = "")
  columns <- lapply(seq_along(table), function(j) {
    paste0("<td", class[j], ">", if (j %in% raw) table[[j]] else html_escape(table[[j]]), "</td>")
  })
  rows <- paste0("<tr>", do.call(paste0, columns), "</tr>", collapse = "\n")
  paste0(
    "<div class=\"scroll\"><table>\n<thead><tr>", header, "</tr></thead>\n<tbody>\n", rows,
    "\n</tbody></table></div>"
  )
}

# Bars for shares between 0 and 1.
html_bars <- function(share) {
  paste0("<div class=\"bar\"><i style=\"width:", sprintf("%.1f", 100 * share), "%\"></i></div>")
}

# Terms with their values, as HTML: named.
html_list <- function(items, raw = FALSE) {
  paste0(
    "<dl class=\"facts\">\n", paste0(
      "<div><dt>", html_escape(names(items)), "</dt><dd>",
      if (raw) items else html_escape(items), "</dd></div>", collapse = "\n"
    ), "\n</dl>"
  )
}

# A plot as vector graphics within the page. Names inside of a drawing get its id as a prefix, as
# all drawings of a page share one space of names.
html_figure <- function(plot, id, caption, width = 5.4, height = 3.6) {
  plot <- plot + ggplot2::labs(title = NULL, subtitle = NULL) +
    ggplot2::theme(plot.margin = ggplot2::margin(5.5, 16, 5.5, 5.5))
  svg <- plot_svg(plot, width, height)
  svg <- gsub("(id=\"|href=\"#|url\\(#)", paste0("\\1", id, "-"), svg)
  svg <- sub("<svg ", "<svg aria-hidden=\"true\" ", svg, fixed = TRUE)
  paste0(
    "<figure><div class=\"plot\" style=\"max-width:", round(100 * width), "px\" role=\"img\" ",
    "aria-label=\"", html_escape(caption), "\">", svg, "</div>\n<figcaption>", html_escape(caption),
    "</figcaption></figure>"
  )
}

plot_svg <- function(plot, width, height) {
  file <- tempfile(fileext = ".svg")
  on.exit(unlink(file))
  before <- grDevices::dev.cur()
  grDevices::svg(file, width = width, height = height, bg = "transparent")
  tryCatch(print(plot), finally = {
    grDevices::dev.off()
    if (before > 1L) grDevices::dev.set(before)
  })
  lines <- readLines(file, warn = FALSE, encoding = "UTF-8")
  svg <- paste(lines[!grepl("^<\\?xml", lines)], collapse = "\n")
  # The page says how wide it is.
  sub("(<svg[^>]*?) width=\"[^\"]*\" height=\"[^\"]*\"", "\\1", svg, perl = TRUE)
}
