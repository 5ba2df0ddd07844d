# Where a benchmark keeps its finished cells, one file for each. The name of a file holds a hash of
# all that the result depends on: a cell whose learner, data, rows or seed have changed is another
# cell. What cannot be read is computed again, what cannot be stored is returned all the same.

# list(path, seed, origin), or NULL without a directory. The seed of the first run stays with the
# directory: a run that goes on where another stopped has the same splits, whatever the state of the
# generator. `drawn` is the seed of a first run.
open_store <- function(directory, seed, drawn) {
  if (is.null(directory)) return(NULL)
  path <- make_directory(directory)
  about <- file.path(path, "benchmark.rds")
  stored <- read_sealed(about, is_about)
  origin <- stored$value$seed %||% earlier_seed(path, about, stored$problem)
  problem <- NULL
  if (is.null(stored$value)) {
    own <- list(seed = origin %||% seed %||% drawn, created = Sys.time(), version = own_version())
    problem <- write_sealed(own, about, first = is.null(stored))
    # Another process may have been first.
    origin <- read_sealed(about, is_about)$value$seed %||% own$seed
  }
  if (!is.null(problem)) warn_unstored(path, problem)
  list(path = path, seed = seed %||% origin, origin = origin, failed = !is.null(problem))
}

is_seed <- function(x) is.integer(x) && length(x) == 1L && !is.na(x) && x >= 0L

is_about <- function(x) is.list(x) && is_seed(x$seed)

# The seed of a directory whose benchmark.rds is missing, damaged or of an earlier version: cells
# tell it too. NULL if there is none.
earlier_seed <- function(path, about, problem) {
  old <- if (!is.null(problem)) read_unsealed(about)
  if (is_about(old)) {
    inform_mkl(
      "old_directory", "`directory` was made by version 0.1.0 of multikernel: ", path, ". Its ",
      "seed is kept; its cells have no checksum and are computed again, on new splits."
    )
    return(old$seed)
  }
  seed <- NULL
  for (file in cell_files(path)) {
    seed <- read_sealed(file.path(path, file), is_cell)$value$origin
    if (!is.null(seed)) break
  }
  if (!is.null(problem)) {
    warn_mkl(
      "damaged_file", "The file ", about, " is damaged (", problem, ") and is made again, ",
      if (is.null(seed)) "with another seed." else "with the seed that is stored in the cells."
    )
  }
  seed
}

cell_files <- function(path) {
  sort_text(list.files(path, "-[0-9a-f]{16}[.]rds$"))
}

# The path of a directory that is new, empty or that of an earlier run.
make_directory <- function(directory) {
  if (!is_text(directory) || !nzchar(directory)) {
    stop_must("directory", "NULL or the path of a directory", directory)
  }
  # Also an error of R: the locale may lack characters of the path.
  there <- tryCatch(
    suppressWarnings(dir.exists(directory) || dir.create(directory, recursive = TRUE)),
    error = function(e) FALSE
  )
  if (!there) {
    stop_mkl("argument_error", "directory", "`directory` cannot be created: ", directory)
  }
  path <- normalizePath(directory)
  files <- list.files(path, all.files = TRUE, no.. = TRUE)
  files <- files[!startsWith(files, ".part-")] # of a process that was killed while writing
  if (length(setdiff(files, cell_files(path))) && !"benchmark.rds" %in% files) {
    stop_mkl(
      "argument_error", "directory", "`directory` must be new, empty or that of a benchmark, but ",
      path, " holds other files."
    )
  }
  path
}

# Names in files: letters, digits and a few others, short enough for any file system.
file_label <- function(x) {
  substr(gsub("[^A-Za-z0-9._=-]+", "_", plain_text(x), perl = TRUE, useBytes = TRUE), 1L, 60L)
}

# ---- cells ---------------------------------------------------------------------------------------

is_cell <- function(x) {
  if (!is.list(x) || !is_seed(x$origin)) return(FALSE)
  is_text <- function(name) is.character(x[[name]]) && length(x[[name]]) == 1L
  all(vapply(c("key", "chosen", "error", "warning"), is_text, NA)) &&
    (is.list(x$prediction) || !is.na(x$error))
}

# Cells whose learner or data set had another name in an earlier run keep their file.
find_files <- function(cells, store) {
  if (is.null(store)) return(cells)
  there <- cell_files(store$path)
  end <- substring(there, nchar(there) - 19L)
  lapply(cells, function(cell) {
    at <- match(paste0(substr(cell$key, 1L, 16L), ".rds"), end)
    if (!is.null(cell$file) && !is.na(at)) cell$file <- there[at]
    cell
  })
}

# What is stored of a cell; measures are computed from it.
cell_record <- function(value, origin) {
  c(
    value[c("key", "prediction", "chosen", "error", "warning")],
    list(origin = origin, version = own_version())
  )
}

# For workers that cannot write to the directory. The value with what came of it.
keep_cell <- function(value, cell, store) {
  if (is.null(cell$file)) return(value)
  file <- file.path(store$path, cell$file)
  if (!is.null(value$unstored) || !file.exists(file)) {
    value["unstored"] <- list(write_sealed(cell_record(value, store$origin), file))
  }
  value
}

# One warning for all files, whichever process met them. The number of cells that are not stored.
report_store <- function(done, cells, store) {
  if (is.null(store)) return(NULL)
  damaged <- Filter(Negate(is.null), lapply(done, function(value) value$damaged))
  if (length(damaged)) {
    warn_mkl(
      "damaged_file", plural(length(damaged), "stored cell"), " could not be read and ",
      if (length(damaged) == 1L) "was" else "were", " computed again; the first one: ",
      damaged[[1L]]
    )
  }
  unstored <- Filter(Negate(is.null), lapply(done, function(value) value$unstored))
  unknown <- sum(vapply(cells, function(cell) is.null(cell$file), NA))
  if (length(unstored) && !store$failed) {
    warn_unstored(store$path, unstored[[1L]], length(unstored), length(done))
  }
  length(unstored) + unknown
}

warn_unstored <- function(path, problem, count = NULL, total = NULL) {
  warn_mkl(
    "unstored", if (is.null(count)) "Cells" else paste(count, "of", plural(total, "cell")),
    " cannot be stored in ", path, ": ", problem, ". All results are returned, but a later call ",
    "computes these cells again."
  )
}

# Said once, not for each cell.
warn_unknown <- function(cells) {
  unknown <- Filter(function(cell) length(cell$unknown) > 0L, cells)
  if (length(unknown) == 0L) return(invisible())
  learners <- unique(vapply(unknown, function(cell) cell$learner, ""))
  reasons <- unique(unlist(lapply(unknown, function(cell) cell$unknown)))
  warn_mkl(
    "unknown_dependency", "Cells of ", quote_all(learners), " are computed in every call and not ",
    "stored in `directory`: they use ", paste(reasons, collapse = ", "), ", so that it cannot be ",
    "known when their results change."
  )
}
