# What the stored results of all papers come to: cells compared, within two standard errors, better,
# worse, and the time they took, as the table of README.md.
#
#   Rscript inst/experiments/summary.R                     prints it
#   Rscript inst/experiments/summary.R README.md FILE ...  puts it in place of the one in each file,
#                                                          between <!-- papers --> and <!-- end -->
#
# Reads the results that are stored beside it.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "tables.R"))
results_directory <- file.path(dirname(script), "results")

papers <- list(
  list(name = "mkboost", paper = "MKBoost (Xia & Hoi 2013)", runs = "20"),
  list(name = "easymkl", paper = "EasyMKL (Aiolli & Donini 2014)", runs = "1,000"),
  list(name = "lbmkl", paper = "LB-MKL (Yang et al.)", runs = "10"),
  list(name = "lmkl", paper = "LMKL (G\u00f6nen & Alpayd\u0131n 2008), our setting", runs = "1",
       ours = TRUE),
  list(name = "lmkl", paper = "LMKL, the paper's setting", runs = "1", ours = FALSE),
  list(name = "multik", paper = "MultiK-MHKS (Wang, Chen & Sun 2008)", runs = "10")
)

summarise_paper <- function(paper) {
  cells <- compared_cells(paper$name)
  own <- grepl("(ours)", cells$method, fixed = TRUE)
  if (!is.null(paper$ours)) cells <- cells[own == paper$ours, ]
  counts <- agreement(cells, paper$paper, c("accuracy", "auc"))
  c(
    paper$paper, paste0("`", paper$name, "-paper`"),
    sprintf("%s (%s)", span(cells$runs), paper$runs), unlist(counts[-1]),
    # the two settings of LMKL are one script
    if (isFALSE(paper$ours)) "" else paste0(minutes_of(paper$name), " min",
                                            if (isTRUE(paper$ours)) ", both")
  )
}

table_lines <- function() {
  header <- c("paper", "vignette", "runs (paper's)", "cells", "within 2 se", "better", "worse",
              "time")
  rows <- lapply(papers, summarise_paper)
  vapply(c(list(header, rep("---", length(header))), rows), function(cells) {
    paste0("| ", paste(cells, collapse = " | "), " |")
  }, "")
}

replace_table <- function(path, table) {
  lines <- readLines(path, encoding = "UTF-8")
  first <- which(lines == "<!-- papers -->")
  last <- which(lines == "<!-- end -->")
  if (length(first) != 1 || length(last) != 1 || last < first) {
    stop(path, " must have one line <!-- papers --> and below it one line <!-- end -->.",
         call. = FALSE)
  }
  lines <- c(lines[seq_len(first)], "", table, "", lines[last:length(lines)])
  connection <- file(path, "wb")
  on.exit(close(connection))
  writeLines(enc2utf8(lines), connection, useBytes = TRUE)
  message("written: ", path)
}

table <- enc2utf8(table_lines())
paths <- commandArgs(TRUE)
if (length(paths) == 0) writeLines(table, useBytes = TRUE)
for (path in paths) replace_table(path, table)
