# A second process of R with the same package, for tests of interrupts and crashes.

# Starts `lines` in a child that writes to a log; gives its log and script. `attach`: FALSE if
# `lines` attach the package themselves.
start_child <- function(lines, attach = TRUE) {
  script <- tempfile(fileext = ".R")
  log <- tempfile(fileext = ".log")
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    if (attach) {
      sprintf("library(multikernel, lib.loc = %s)", deparse(dirname(find.package("multikernel"))))
    },
    sprintf("log <- %s", deparse(log)),
    "say <- function(...) cat(..., '\\n', file = log, append = TRUE)",
    "setTimeLimit(elapsed = 60)",
    lines
  ), script)
  # a limit on processor time in case that the time limit of R is not seen
  command <- sprintf(
    "ulimit -t 60; exec %s --vanilla %s > /dev/null 2>&1",
    shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script)
  )
  system2("sh", c("-c", shQuote(command)), wait = FALSE)
  list(log = log, script = script)
}

# Whole lines only: the child may be in the middle of one.
read_log <- function(child) {
  if (!file.exists(child$log)) return(character())
  text <- readChar(child$log, file.size(child$log), useBytes = TRUE)
  if (length(text) == 0L) return(character())
  strsplit(sub("[^\n]*$", "", text), "\n", fixed = TRUE)[[1L]]
}

# The lines of the log once one of them starts with `word`.
await <- function(child, word, seconds) {
  deadline <- Sys.time() + seconds
  repeat {
    lines <- read_log(child)
    if (any(startsWith(lines, word)) || Sys.time() > deadline) return(lines)
    Sys.sleep(0.02)
  }
}
