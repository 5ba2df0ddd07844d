# Other processes of R in other locales.

# Makes the locale in `path`; TRUE if that was possible.
make_locale <- function(path, language, charset) {
  if (!nzchar(Sys.which("localedef"))) return(FALSE)
  name <- file.path(path, paste0(language, ".", charset))
  suppressWarnings(system2(
    "localedef", c("-c", "-i", language, "-f", charset, name), stdout = FALSE, stderr = FALSE
  ))
  dir.exists(name)
}

# What a script (in ASCII) writes to the connection `out` in that locale.
run_in_locale <- function(lines, locale, path) {
  script <- withr::local_tempfile(fileext = ".R")
  result <- withr::local_tempfile()
  writeLines(c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    sprintf("library(multikernel, lib.loc = %s)", deparse(dirname(find.package("multikernel")))),
    sprintf("out <- file(%s, 'w')", deparse(result)), lines, "close(out)"
  ), script)
  log <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = TRUE,
    stderr = TRUE, env = c(paste0("LC_ALL=", locale), paste0("LOCPATH=", path), "LANGUAGE=en")
  ))
  if (file.exists(result)) readLines(result) else paste("nothing:", paste(log, collapse = "\n"))
}
