# Runs lintr over the R code, in as many processes as there are cores:
#   Rscript tools/lint.R <root of the source tree>
# Prints what is found; the exit status is 1 if that is anything. `.lintr` names the linters. They
# are listed one by one, so that a new version of lintr asks nothing new. Those left out on purpose:
#
#   object_name, object_length   take methods of internal generics for names; matrices are named K
#   brace                        `if (a) b else {` is our style
#   cyclocomp                    tools/size.R limits the length of functions instead
#   object_usage                 sees one file at a time
#   duplicate_argument           columns of one name are what some tests are about

root <- commandArgs(TRUE)[1]
folders <- file.path(root, c("R", "tests/testthat", "tools", "tools/bench"))
files <- setdiff(list.files(folders, "[.]R$", full.names = TRUE),
                 file.path(root, "R", "RcppExports.R"))
cores <- if (.Platform$OS.type == "windows") 1L else parallel::detectCores()
lints <- parallel::mclapply(files, lintr::lint, mc.cores = cores, mc.preschedule = FALSE)

broken <- vapply(lints, inherits, NA, "try-error")
for (i in which(broken)) cat(files[i], ": ", lints[[i]], sep = "")
found <- unlist(lapply(lints[!broken], as.list), recursive = FALSE)
for (lint in found) {
  file <- sub(paste0(normalizePath(root), "/"), "", normalizePath(lint$filename), fixed = TRUE)
  cat(file, ":", lint$line_number, ": ", lint$message, " [", lint$linter, "]\n", sep = "")
}
cat(length(files), "files,", length(found) + sum(broken), "lints\n")
quit(status = as.integer(length(found) > 0 || any(broken)))
