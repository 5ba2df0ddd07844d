# Judges a log of R CMD check: Rscript tools/check-log.R 00check.log
# Errors, warnings and all notes but those named here are failures; they are printed.

# A note passes if each of its lines matches one of these.
harmless <- c(
  "^Maintainer: ", "^New submission$", # said of every package that CRAN does not have yet
  "^unable to verify current time$", # the clock service was out of reach
  # packages that tools/setup could not install on this machine
  "^Packages? suggested but not available for checking:",
  "^\\s+(['\u2018][A-Za-z0-9.]+['\u2019],?\\s*)+$",
  "^\\s*$"
)

file <- commandArgs(TRUE)[1]
if (is.na(file) || !file.exists(file)) {
  cat("there is no log of the check\n")
  quit(status = 1)
}
lines <- readLines(file, warn = FALSE, encoding = "UTF-8")

# One section per "* checking ..." with the lines that follow it.
starts <- grep("^\\*+ ", lines)
ends <- c(starts[-1] - 1, length(lines))
sections <- Map(function(from, to) lines[from:to], starts, ends)

verdict <- function(section) {
  pattern <- "^(\\*+ checking .*|\\s*(\\[[^]]*\\])?\\s*)(NOTE|WARNING|ERROR)$"
  found <- sub(pattern, "\\3", grep(pattern, section, value = TRUE))
  if (length(found) == 0) "OK" else found[1]
}

is_harmless <- function(section) {
  body <- section[-1]
  matches <- lapply(harmless, grepl, x = body, perl = TRUE)
  all(Reduce(`|`, matches, logical(length(body))))
}

verdicts <- vapply(sections, verdict, "")
forgiven <- verdicts == "NOTE" & vapply(sections, is_harmless, NA)
bad <- sections[verdicts != "OK" & !forgiven]
for (section in bad) cat(section, sep = "\n")
# Forgiven, but worth a look: what is missing was not tested.
missing <- grepl("suggested but not available", vapply(sections, paste, "", collapse = " "))
for (section in sections[forgiven & missing]) cat(section, sep = "\n")

# The check's own count guards against a form of message that the pattern above does not know.
status <- sub("^Status: ", "", grep("^Status: ", lines, value = TRUE))
if (length(status) != 1) status <- "the check did not come to its end"
number <- function(word) {
  hit <- regmatches(status, regexpr(paste0("[0-9]+ ", word), status))
  if (length(hit) == 0) 0 else as.numeric(sub(" .*", "", hit))
}
complete <- status == "OK" || grepl("^[0-9]", status)
unseen <- number("ERROR") + number("WARNING") > 0 || number("NOTE") > sum(forgiven)
cat("check status: ", status, "\n", sep = "")
quit(status = as.integer(length(bad) > 0 || unseen || !complete))
