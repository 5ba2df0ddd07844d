# Vignettes of the installed package, for tools/demo:
#   Rscript tools/vignettes.R build <source directory> <library> <cores>
#     builds them with the package in that library, into inst/doc of the sources, from where the
#     next R CMD INSTALL takes them
#   Rscript tools/vignettes.R check <README.md> <library>
#     stops unless every vignette that README names is found

build_vignettes <- function(source, library, cores) {
  # Workers that a vignette starts look there too.
  Sys.setenv(R_LIBS = paste(c(library, .libPaths()), collapse = .Platform$path.sep))
  .libPaths(c(library, .libPaths()))
  found <- tools::pkgVignettes(dir = source)
  made <- file.path(tempfile("vignettes"), found$names)
  doc <- file.path(source, "inst", "doc")
  dir.create(doc, recursive = TRUE, showWarnings = FALSE)
  # NULL, or what went wrong.
  build <- function(i) {
    dir.create(made[i], recursive = TRUE, showWarnings = FALSE)
    tryCatch({
      # With its data, if it has any.
      data <- sub("[.]Rmd$", ".csv", found$docs[i])
      file.copy(c(found$docs[i], data[file.exists(data)]), made[i])
      local <- file.path(made[i], basename(found$docs[i]))
      tools::buildVignette(local, dir = made[i], quiet = TRUE, clean = FALSE)
      wanted <- list.files(made[i], "[.](html|R|Rmd)$", full.names = TRUE)
      file.copy(wanted, doc)
      NULL
    }, error = function(e) paste0(found$names[i], ": ", conditionMessage(e)))
  }
  # The longest ones first, one process each. Processes share a directory of temporary files, where
  # one may meet those of another: what failed is tried once more, alone.
  order <- order(-file.size(found$docs))
  failed <- parallel::mclapply(order, build, mc.cores = cores, mc.preschedule = FALSE)
  failed <- unlist(lapply(order[lengths(failed) > 0L], build))
  if (length(failed)) cat("demo: a vignette could not be built:", failed, "", sep = "\n")
}

check_vignettes <- function(readme, library) {
  text <- readLines(readme, warn = FALSE)
  calls <- regmatches(text, gregexpr('vignette\\("[a-z0-9-]+", "multikernel"\\)', text))
  named <- sub('.*\\("([a-z0-9-]+)".*', "\\1", unlist(calls))
  papers <- regmatches(text, gregexpr("`[a-z0-9]+-paper`", text))
  named <- unique(c(named, gsub("`", "", unlist(papers))))
  found <- utils::vignette(package = "multikernel", lib.loc = library)$results[, "Item"]
  pages <- file.path(library, "multikernel", "doc", paste0(found, ".html"))
  found <- found[file.exists(pages)]
  cat("demo:", length(found), "vignettes, see vignette(package = \"multikernel\")\n")
  lost <- setdiff(named, found)
  if (length(lost)) stop("README names vignettes that are not installed: ", toString(lost))
}

args <- commandArgs(TRUE)
switch(args[1],
  build = build_vignettes(args[2], args[3], as.integer(args[4])),
  check = check_vignettes(args[2], args[3])
)
