# Where a benchmark keeps its finished cells. One file for each cell, written under another name and
# then renamed, so that a file is either whole or not there. The name holds a hash of all that the
# result depends on: a cell whose learner, data, rows or seed have changed is another cell.

# list(path, seed), or NULL without a directory. The seed of the first run stays with the directory:
# a run that goes on where another stopped has the same splits, whatever the state of the generator.
open_store <- function(directory, seed) {
  if (is.null(directory)) return(NULL)
  path <- make_directory(directory)
  about <- file.path(path, "benchmark.rds")
  if (is.null(read_whole(about))) {
    write_whole(list(seed = seed %||% draw_seed(), created = Sys.time()), about, first = TRUE)
  }
  stored <- read_whole(about)
  list(path = path, seed = seed %||% stored$seed)
}

# The path of a directory that is new, empty or that of an earlier run.
make_directory <- function(directory) {
  text <- is.character(directory) && length(directory) == 1L && !is.na(directory)
  if (!text || !nzchar(directory)) {
    stop_must("directory", "NULL or the path of a directory", directory)
  }
  if (!dir.exists(directory) && !suppressWarnings(dir.create(directory, recursive = TRUE))) {
    stop_mkl("argument_error", "directory", "`directory` cannot be created: ", directory)
  }
  path <- normalizePath(directory)
  files <- list.files(path, all.files = TRUE, no.. = TRUE)
  files <- files[!startsWith(files, ".part-")] # of a process that was killed while writing
  if (length(files) && !"benchmark.rds" %in% files) {
    stop_mkl(
      "argument_error", "directory", "`directory` must be new, empty or that of a benchmark, but ",
      path, " holds other files."
    )
  }
  path
}

draw_seed <- function() sample.int(.Machine$integer.max, 1L)

# The value in a file, or NULL if there is none or it cannot be read.
read_whole <- function(file) {
  if (!file.exists(file)) return(NULL)
  tryCatch(suppressWarnings(readRDS(file)), error = function(e) {
    warn_mkl(
      "damaged_file", "The file ", file, " is damaged and is computed again: ", conditionMessage(e)
    )
    NULL
  })
}

# With `first` a file that is there by now stays: of two processes that start together, one decides.
write_whole <- function(value, file, first = FALSE) {
  part <- tempfile(paste0(".part-", Sys.getpid(), "-"), dirname(file))
  on.exit(unlink(part))
  saveRDS(value, part)
  if (first && (suppressWarnings(file.link(part, file)) || !is.null(read_whole(file)))) {
    return(invisible(file))
  }
  if (!file.rename(part, file)) {
    stop_mkl("argument_error", "directory", "The file cannot be written: ", file)
  }
  invisible(file)
}

# Names in files: letters, digits and a few others, short enough for any file system.
file_label <- function(x) substr(gsub("[^A-Za-z0-9._=-]+", "_", x), 1L, 60L)

# ---- hashes --------------------------------------------------------------------------------------

# The same for equal values in any session of R.
content_hash <- function(x) {
  bytes <- serialize(canonical(x), NULL, xdr = TRUE, version = 2L)
  file <- tempfile()
  on.exit(unlink(file))
  # The first 14 bytes tell the version of R.
  writeBin(bytes[-seq_len(14L)], file)
  unname(tools::md5sum(file))
}

# A copy of x without what differs between sessions though it means the same: environments, byte
# code, references to source files. A function is its text and the values it was made with.
canonical <- function(x, depth = 4L) {
  if (is.function(x)) return(canonical_function(x, depth))
  if (is.environment(x)) return("environment")
  if (is.call(x)) attributes(x) <- NULL
  if (is.language(x)) return(paste(deparse(x, 500L), collapse = "\n"))
  if (!is.list(x)) return(x)
  kept <- attributes(x)[intersect(names(attributes(x)), c("names", "class", "row.names", "dim"))]
  list(attributes = kept, values = lapply(unname(as.list(unclass(x))), canonical, depth))
}

canonical_function <- function(f, depth) {
  if (is.primitive(f)) return(deparse(f))
  env <- environment(f)
  own <- if (depth > 0L) captured(f, env)
  list(
    "function", deparse(as.list(formals(f))), deparse(body(f), 500L), names(own),
    lapply(unname(own), canonical, depth - 1L)
  )
}
