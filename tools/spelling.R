# Spelling of help pages, vignettes, README.md, NEWS.md and DESCRIPTION, in American English:
#   Rscript tools/spelling.R            prints unknown words and their places; status 1 if any
#   Rscript tools/spelling.R --accept   enters all of them in inst/WORDLIST: read them first
#
# From the root of the package. Needs the package spelling (bash tools/setup --dev).

if (!requireNamespace("spelling", quietly = TRUE)) {
  stop("The package spelling is not installed: bash tools/setup --dev")
}
found <- spelling::spell_check_package(".", vignettes = TRUE)
if ("--accept" %in% commandArgs(TRUE)) {
  known <- if (file.exists("inst/WORDLIST")) readLines("inst/WORDLIST", encoding = "UTF-8")
  words <- unique(c(known, found$word))
  writeLines(enc2utf8(sort(words, method = "radix")), "inst/WORDLIST", useBytes = TRUE)
  cat(length(words), "words in inst/WORDLIST\n")
} else {
  for (i in seq_len(nrow(found))) {
    cat(sprintf("%-24s %s\n", found$word[i], paste(found$found[[i]], collapse = " ")))
  }
  cat(nrow(found), "unknown words\n")
  quit(status = as.integer(nrow(found) > 0))
}
