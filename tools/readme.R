# Runs the example of README.md and compares its output with the one that README.md shows.
#   Rscript tools/readme.R            from the root of the package, multikernel installed
#   Rscript tools/readme.R --write    puts the new output in the place of the old one
#
# Numbers may differ in their fifth digit: from processor to processor sums are rounded differently.

suppressPackageStartupMessages(library(multikernel))
lines <- readLines("README.md", encoding = "UTF-8")

# First and last line of the first fenced block that starts with `fence` after line `from`.
block <- function(fence, from = 0) {
  start <- from + which(lines[seq_along(lines) > from] == fence)[1]
  end <- start + which(lines[-seq_len(start)] == "```")[1]
  c(start + 1, end - 1)
}
code <- block("```r")
shown <- block("```", from = code[2] + 1)

file <- tempfile(fileext = ".R")
writeLines(lines[code[1]:code[2]], file)
output <- utils::capture.output(source(file, echo = FALSE, print.eval = TRUE))

if ("--write" %in% commandArgs(TRUE)) {
  lines <- c(lines[seq_len(shown[1] - 1)], output, lines[-seq_len(shown[2])])
  writeLines(lines, "README.md", useBytes = TRUE)
  cat("README.md has the new output\n")
  quit()
}

# The text with four digits of every number.
rounded <- function(text) {
  number <- "-?[0-9]+[.][0-9]+(e[-+]?[0-9]+)?"
  found <- regmatches(text, gregexpr(number, text))
  regmatches(text, gregexpr(number, text)) <- lapply(found, function(x) {
    vapply(x, function(one) format(signif(as.numeric(one), 4)), "")
  })
  trimws(gsub(" +", " ", text))
}
old <- lines[shown[1]:shown[2]]
if (!identical(rounded(old), rounded(output))) {
  cat("README.md shows\n\n", paste(old, collapse = "\n"), "\n\nbut its example prints\n\n",
      paste(output, collapse = "\n"), "\n", sep = "")
  quit(status = 1)
}

# Its links to files and its vignettes are there.
links <- regmatches(lines, gregexpr("\\]\\(([^)#]+)|src=\"[^\"]+", lines))
links <- sub("^\\]\\(|^src=\"", "", unlist(links))
links <- links[!grepl("^https?:", links)]
named <- regmatches(lines, gregexpr("vignette\\(\"[a-z-]+|`[a-z]+-paper`", lines))
named <- gsub("`|vignette\\(\"", "", unlist(named))
files <- c(links, file.path("vignettes", paste0(unique(named), ".Rmd")))
lost <- files[!file.exists(files)]
if (length(lost)) {
  cat("README.md names files that are not there:", toString(lost), "\n")
  quit(status = 1)
}
cat("README.md: the output of its example and", length(files), "links are right\n")
