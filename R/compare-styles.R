# How the table of compare_learners() is written in each format: a list of functions
#   escape(text)            text that may hold special characters
#   place[[1]] .. [[3]]     best, second and third value
#   spread(mean, sd)        value with its deviation
#   sign(text, "+" | "-" | "")
#   table(header, body, rows, note)   lines; `rows` rows of data sets, then the rows below them

table_style <- function(format) {
  switch(format,
    text = text_style(), markdown = markdown_style(), latex = latex_style(), html = html_style()
  )
}

between <- function(open, close) {
  force(open)
  force(close)
  function(text) paste0(open, text, close)
}

text_style <- function() {
  list(
    escape = identity,
    place = list(between("", " [1]"), between("", " [2]"), between("", " [3]")),
    spread = function(mean, sd) paste0(mean, " (", sd, ")"),
    sign = function(text, sign) paste0(text, if (nzchar(sign)) paste0(" ", sign)),
    table = function(header, body, rows, note) {
      lines <- pad_columns(rbind(header, body))
      rule <- strrep("-", nchar(lines[1L]))
      c(
        lines[1L], rule, lines[1L + seq_len(rows)], rule, lines[-seq_len(1L + rows)],
        strwrap(note, max(nchar(rule), 80L))
      )
    }
  )
}

# Lines with columns of equal width, the first to the left, the others to the right.
pad_columns <- function(cells, separator = "  ") {
  widths <- apply(nchar(cells, "width"), 2L, max)
  for (j in seq_along(widths)) {
    blank <- strrep(" ", widths[j] - nchar(cells[, j], "width"))
    cells[, j] <- if (j == 1L) paste0(cells[, j], blank) else paste0(blank, cells[, j])
  }
  apply(cells, 1L, paste, collapse = separator)
}

markdown_style <- function() {
  escape <- function(text) gsub("([\\\\|*_<`])", "\\\\\\1", text)
  list(
    escape = escape,
    place = list(between("**", "**"), between("*", "*"), between("<u>", "</u>")),
    spread = function(mean, sd) paste0(mean, " (", sd, ")"),
    sign = function(text, sign) {
      paste0(text, if (nzchar(sign)) paste0("<sup>", sign, "</sup>"))
    },
    table = function(header, body, rows, note) {
      line <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
      rule <- paste0("|:--|", strrep("--:|", length(header) - 1L))
      c(line(header), rule, apply(body, 1L, line), "", note)
    }
  )
}

latex_style <- function() {
  # Letter by letter, because what stands for one of them holds others.
  escape <- function(text) {
    special <- c(
      "\\" = "\\textbackslash{}", "^" = "\\textasciicircum{}", "~" = "\\textasciitilde{}",
      "<" = "\\textless{}", ">" = "\\textgreater{}", "|" = "\\textbar{}",
      "{" = "\\{", "}" = "\\}", "#" = "\\#", "$" = "\\$", "%" = "\\%", "&" = "\\&",
      "_" = "\\_"
    )
    vapply(strsplit(as.character(text), ""), function(letters) {
      known <- letters %in% names(special)
      letters[known] <- special[letters[known]]
      paste(letters, collapse = "")
    }, "")
  }
  list(
    escape = escape,
    place = list(
      between("\\textbf{", "}"), between("\\textit{", "}"), between("\\underline{", "}")
    ),
    spread = function(mean, sd) paste0(mean, " $\\pm$ ", sd),
    sign = function(text, sign) paste0(text, if (nzchar(sign)) paste0("$^{", sign, "}$")),
    table = function(header, body, rows, note) {
      lines <- paste0(pad_columns(rbind(header, body), " & "), " \\\\")
      c(
        paste0("\\begin{tabular}{l", strrep("r", length(header) - 1L), "}"), "\\hline", lines[1L],
        "\\hline", lines[1L + seq_len(rows)], "\\hline", lines[-seq_len(1L + rows)], "\\hline",
        "\\end{tabular}", "", paste0("\\footnotesize ", note)
      )
    }
  )
}

html_style <- function() {
  escape <- function(text) {
    text <- gsub("&", "&amp;", text, fixed = TRUE)
    text <- gsub("<", "&lt;", text, fixed = TRUE)
    gsub(">", "&gt;", text, fixed = TRUE)
  }
  list(
    escape = escape,
    place = list(between("<b>", "</b>"), between("<i>", "</i>"), between("<u>", "</u>")),
    spread = function(mean, sd) paste0(mean, " &plusmn; ", sd),
    sign = function(text, sign) {
      shown <- c("+" = "+", "-" = "&minus;")[sign]
      paste0(text, if (nzchar(sign)) paste0("<sup>", shown, "</sup>"))
    },
    table = function(header, body, rows, note) {
      row <- function(cells, tag) {
        align <- c("left", rep("right", length(cells) - 1L))
        inner <- paste0("<", tag, " style=\"text-align:", align, "\">", cells, "</", tag, ">",
                        collapse = "")
        paste0("<tr>", inner, "</tr>")
      }
      c(
        "<table>", "<thead>", row(header, "th"), "</thead>", "<tbody>",
        apply(body[seq_len(rows), , drop = FALSE], 1L, row, "td"), "</tbody>", "<tfoot>",
        apply(body[-seq_len(rows), , drop = FALSE], 1L, row, "td"), "</tfoot>", "</table>",
        paste0("<p>", note, "</p>")
      )
    }
  )
}
