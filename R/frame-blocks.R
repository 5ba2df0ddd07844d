# Rows in blocks that never are in memory at once: files, tables of databases, functions. A block is
# a plain list that any process can read:
#   kind    "csv", "parquet", "table", "function" or "data"
#   name    what messages call it
#   source  number of the file or table that it is part of
#   first   number of rows before it there
#   rows    number of its rows; NA where only reading it tells
# and what its kind needs, see R/frame-blocks-read.R.

#' Data in blocks of rows, for data that do not fit into memory
#'
#' `row_blocks()` describes rows in csv or parquet files, in a table of a database, or made by a
#' function. [mkl()] and the named methods with `approximate = nystrom()` or [random_features()]
#' then fit a model in several passes, in which only one block per process is in memory.
#'
#' @details
#' A first pass finds the types of the columns, the levels of factors and text, the means and
#' standard deviations, the missing values, and a uniform sample of the rows. The landmarks are
#' taken from this sample. Each further pass computes the features
#' \eqn{z(x_i)}{z(x_i)} of the rows of a block and returns only sums over them, of size r x r for r
#' features: the loss, its gradient and its second derivatives. Newton's method minimizes
#' \deqn{\Omega(w) + \sum_i \mathrm{loss}(y_i, z(x_i)'w + b)}{
#'   Omega(w) + sum_i loss(y_i, z(x_i)'w + b)}
#' with the regularizer \eqn{\Omega}{Omega} of the learner. The solution is that of a fit in memory
#' with the same landmarks, up to the tolerance of the solver; the numbers of these rows are in
#' `fit$blocks$landmarks`. The duality gap is computed on all rows.
#'
#' * **Learners:** [learner_svm()], [learner_average()], and for weights of the kernels
#'   [learner_simplemkl()], [learner_glmkl()], [learner_lpmkl()], [learner_silpmkl()] and
#'   [learner_levelmkl()] (all but [learner_lpmkl()] have the same solution).
#' * **Losses:** the squared hinge and squared losses take about five passes. The hinge and the
#'   epsilon-insensitive loss have no second derivatives and take about 20 to 40 passes with a
#'   proximal point method (Rockafellar 1976), which also keeps one number for each row and
#'   two-class problem.
#' * **Formula:** terms must be computed row by row: `log(x)` is possible, `scale(x)` and
#'   `poly(x, 2)` raise an error, because they need all rows.
#' * **Text and factors:** a class or level that occurs in the last block only is known. Text that
#'   is a number in some blocks raises an error; set the type by `colClasses`.
#' * **Changes:** the checksum of each block is compared in each pass. A table or file that changes
#'   during the fit raises an error.
#' * **Width rules** of kernels without a number, as with `scale = FALSE`, use the sample.
#'
#' # Parallel processing
#' Blocks are distributed over the workers of a plan of the package future, such as
#' `future::plan(future::multisession, workers = 2)` or a cluster of several computers. Workers read
#' the blocks themselves: files must have the same path on all computers, and `con` opens a
#' connection in each worker. Sums are added in the order of the blocks: results are identical for
#' any number of workers. The block of a worker that was lost is computed again by another.
#'
#' # Choosing the size of blocks
#' A process needs memory for one block and for 2048 rows of features. Larger blocks have less
#' overhead; there should be several blocks for each worker. Parquet files are read as a whole, one
#' block each: write several files of moderate size.
#'
#' @param source Names of csv files with a header, or parquet files (package nanoparquet) with the
#'   same columns; a function of the number of a block that returns a data frame; or a data frame,
#'   which is split into blocks.
#' @param rows Maximum number of rows in a block; larger blocks need more memory. Not used for
#'   parquet files and functions.
#' @param ... For csv files: arguments of [utils::read.csv()] such as `sep`, `dec`, `na.strings`,
#'   `colClasses` (named by column) and `fileEncoding`.
#' @param format `"csv"` or `"parquet"`; `NULL` to take it from the ending of the names.
#' @param con For databases: a function without arguments that opens a connection, such as
#'   `function() DBI::dbConnect(RSQLite::SQLite(), "rows.sqlite")`. Each process opens its own.
#' @param table,query For databases: the name of a table, or a query that returns rows.
#' @param key For databases: name of a numeric column with a different value in each row. Blocks
#'   are then ranges of its values, which is fast with an index. Without it blocks are taken by
#'   `LIMIT` and `OFFSET`, which requires that the database returns the rows in the same order in
#'   each query.
#' @param count For a function: the number of blocks.
#' @return An object of class `row_blocks`, for the argument `data` of [mkl()] and `newdata` of
#'   [`predict()`][predict.mkl].
#' @references
#' Rockafellar, R. T. (1976). Augmented Lagrangians and applications of the proximal point algorithm
#' in convex programming. *Mathematics of Operations Research* 1, 97-116.
#' @family fitting functions
#' @examples
#' # two files, read in blocks of 400 rows
#' set.seed(1)
#' d <- data.frame(a = rnorm(2000), b = rnorm(2000))
#' d$y <- factor(ifelse(d$a^2 + d$b^2 > 1.4, "out", "in"))
#' files <- file.path(tempdir(), c("part1.csv", "part2.csv"))
#' write.csv(d[1:1000, ], files[1], row.names = FALSE)
#' write.csv(d[1001:2000, ], files[2], row.names = FALSE)
#' blocks <- row_blocks(files, rows = 400)
#' blocks
#' fit <- mkl(y ~ ., blocks,
#'   learner = learner_svm(cost = 1, loss = "squared_hinge"), approximate = nystrom(30)
#' )
#' fit
#' mean(predict(fit, blocks) == d$y)
#' unlink(files)
#'
#' # a function that makes the rows of block i
#' made <- row_blocks(function(i) d[1:500 + 500 * (i - 1), ], count = 4)
#' mkl(y ~ a + b, made,
#'   learner = learner_svm(loss = "squared_hinge"), approximate = random_features(100)
#' )
#' @export
row_blocks <- function(source = NULL, rows = 1e5, ..., format = NULL, con = NULL, table = NULL,
                       query = NULL, key = NULL, count = NULL) {
  rows <- check_number(rows, "rows", 1, whole = TRUE)
  if (!is.null(con)) {
    if (!is.null(source)) {
      stop_mkl("argument_error", "source", "Give either `source` or `con`, not both.")
    }
    check_dots(...)
    return(new_row_blocks("table", table_blocks(con, table, query, key, rows)))
  }
  only_tables <- Filter(Negate(is.null), list(table = table, query = query, key = key))
  if (length(only_tables)) {
    stop_mkl(
      "argument_error", names(only_tables)[1L], "`", names(only_tables)[1L], "` needs `con`, a ",
      "function that opens a connection to a database."
    )
  }
  if (is.function(source)) {
    check_dots(...)
    if (is.null(count)) {
      stop_mkl("argument_error", "count", "A function needs `count`, the number of blocks.")
    }
    return(new_row_blocks("function", function_blocks(source, check_number(
      count, "count", 1, whole = TRUE
    ))))
  }
  if (is.data.frame(source)) {
    check_dots(...)
    return(new_row_blocks("data", data_blocks(source, rows)))
  }
  if (!is.character(source) || length(source) == 0L || anyNA(source)) {
    stop_must("source", "names of files, a function or a data frame", source, "data_error")
  }
  new_row_blocks("file", file_blocks(source, rows, format, list(...)))
}

new_row_blocks <- function(kind, blocks) structure(list(kind = kind, blocks = blocks),
                                                   class = "row_blocks")

is_row_blocks <- function(x) inherits(x, "row_blocks")

#' @export
print.row_blocks <- function(x, ...) {
  sources <- unique(vapply(x$blocks, function(block) block$source, 0))
  what <- switch(x$kind,
    file = plural(length(sources), "file"), table = "a database", `function` = "a function",
    data = "a data frame"
  )
  rows <- sum(vapply(x$blocks, function(block) as.double(block$rows), 0))
  cat("<row_blocks> ", plural(length(x$blocks), "block"), " of ", what,
      if (!is.na(rows)) paste0(", ", format_number(rows, 15L), " rows"), "\n", sep = "")
  invisible(x)
}

# Sources ------------------------------------------------------------------------------------------

data_blocks <- function(data, rows) {
  if (nrow(data) == 0L) stop_mkl("data_error", "source", "The data frame has no rows.")
  starts <- seq(0, nrow(data) - 1, by = rows)
  lapply(starts, function(start) {
    take <- seq.int(start + 1, min(start + rows, nrow(data)))
    part <- data[take, , drop = FALSE]
    list(
      kind = "data", name = paste("rows", format_whole(start + 1), "to", format_whole(max(take))),
      source = 1, first = start, rows = nrow(part), data = part
    )
  })
}

function_blocks <- function(f, count) {
  lapply(seq_len(count), function(i) {
    list(
      kind = "function", name = paste("block", i), source = i, first = 0, rows = NA_real_, f = f,
      i = i
    )
  })
}

file_blocks <- function(files, rows, format, reading) {
  files <- path.expand(files)
  lost <- files[!file.exists(files) | dir.exists(files)]
  if (length(lost)) {
    stop_mkl("data_error", "source", "File `", lost[1L], "` does not exist.")
  }
  files <- normalizePath(files)
  if (anyDuplicated(files)) {
    stop_mkl("data_error", "source", "File `", files[duplicated(files)][1L], "` is named twice.")
  }
  if (is.null(format)) {
    parquet <- tolower(sub(".*[.]", "", basename(files))) %in% c("parquet", "pq")
    if (any(parquet) && !all(parquet)) {
      stop_mkl(
        "data_error", "source", "`", files[parquet][1L], "` is a parquet file, but `",
        files[!parquet][1L], "` is not. All files must have the same format."
      )
    }
    format <- if (all(parquet)) "parquet" else "csv"
  }
  format <- check_choice(format, "format", c("csv", "parquet"))
  check_reading(reading, format)
  if (format == "parquet") need_package("nanoparquet", "row_blocks() of parquet files")
  layout <- if (format == "csv") csv_blocks else parquet_blocks
  jobs <- Map(function(file, source) list(file = file, source = source), files, seq_along(files))
  found <- map_tasks(unname(jobs), layout, rows = rows, reading = reading, seed = FALSE)
  unlist(found, recursive = FALSE)
}

# Arguments of read.csv() that suit a file in parts.
reading_arguments <- c(
  "sep", "quote", "dec", "na.strings", "colClasses", "fileEncoding", "encoding", "strip.white",
  "stringsAsFactors", "check.names"
)

check_reading <- function(reading, format) {
  unknown <- setdiff(names(reading), if (format == "csv") reading_arguments)
  if (length(reading) && is.null(names(reading))) unknown <- ""
  if (length(unknown) == 0L) return(invisible())
  what <- if (nzchar(unknown[1L])) tick_all(unknown[1L]) else "An argument without a name"
  stop_mkl(
    "argument_error", "...", what, " is not possible in row_blocks() of ", format, " files",
    if (format == "csv") paste0("; use one of ", tick_all(reading_arguments)), "."
  )
}

# The first bytes of files made by gzip, bzip2 and xz.
compressed_files <- list(
  as.raw(c(0x1f, 0x8b)), as.raw(c(0x42, 0x5a)), as.raw(c(0xfd, 0x37))
)

# Blocks of one csv file.
csv_blocks <- function(job, rows, reading) {
  magic <- readBin(job$file, "raw", 512L)
  if (any(magic == 0L) || any(vapply(compressed_files, identical, NA, utils::head(magic, 2L)))) {
    stop_mkl(
      "data_error", "source", "File `", job$file, "` is compressed or not a text file, so that it ",
      "cannot be read in blocks. Decompress it first, or convert it."
    )
  }
  names <- csv_names(job$file, reading)
  layout <- csv_layout_cpp(job$file, rows, reading$quote %||% "\"")
  if (length(layout$counts) == 0L) stop_empty_source(job$file)
  first <- cumsum(c(0, layout$counts))
  bytes <- diff(c(layout$offsets, file.size(job$file)))
  Map(function(offset, bytes, count, start) {
    list(
      kind = "csv", name = paste0(job$file, ", rows ", format_whole(start + 1), " to ",
                                  format_whole(start + count)),
      source = job$source, first = start, rows = count, file = job$file, offset = offset,
      bytes = bytes, names = names, reading = reading
    )
  }, layout$offsets, bytes, layout$counts, utils::head(first, -1L))
}

stop_empty_source <- function(name) {
  stop_mkl("data_error", "source", "`", name, "` has no rows.")
}

csv_names <- function(file, reading) {
  reading$colClasses <- "character"
  known <- c("sep", "quote", "dec", "fileEncoding", "encoding", "check.names", "colClasses")
  header <- catch_error(
    do.call(utils::read.csv, c(list(file, nrows = 1L), reading[intersect(names(reading), known)])),
    error = function(e) stop_unreadable(file, e)
  )
  names(header)
}

stop_unreadable <- function(name, e) {
  stop_mkl("data_error", "source", "`", name, "` cannot be read: ", conditionMessage(e))
}

# Row groups cannot be read one by one: a file is one block.
parquet_blocks <- function(job, rows, reading) {
  count <- catch_error(
    as.double(nanoparquet::read_parquet_metadata(job$file)$file_meta_data$num_rows),
    error = function(e) stop_unreadable(job$file, e)
  )
  if (!isTRUE(count > 0)) stop_empty_source(job$file)
  list(list(
    kind = "parquet", name = job$file, source = job$source, first = 0, rows = count,
    file = job$file
  ))
}

# Blocks of a table or of the result of a query.
table_blocks <- function(con, table, query, key, rows) {
  need_package("DBI", "row_blocks() of a database")
  if (!is.function(con)) {
    stop_must("con", "a function without arguments that opens a connection", con)
  }
  if (is.null(table) == is.null(query)) {
    stop_mkl("argument_error", "table", "Give either `table` or `query`.")
  }
  connection <- open_connection(con)
  on.exit(DBI::dbDisconnect(connection))
  from <- if (is.null(table)) paste0("(", query, ") AS rows_of_query") else {
    as.character(DBI::dbQuoteIdentifier(connection, table))
  }
  name <- table %||% "the query"
  ask <- function(...) {
    catch_error(DBI::dbGetQuery(connection, paste0(...)), error = function(e) {
      stop_unreadable(name, e)
    })
  }
  count <- as.double(ask("SELECT COUNT(*) FROM ", from)[[1L]])
  if (!isTRUE(count > 0)) stop_empty_source(name)
  starts <- seq(0, count - 1, by = rows)
  parts <- if (is.null(key)) {
    paste0("SELECT * FROM ", from, " LIMIT ", format_whole(rows), " OFFSET ", format_whole(starts))
  } else {
    key_queries(from, as.character(DBI::dbQuoteIdentifier(connection, key)), starts, ask)
  }
  Map(function(part, start) {
    list(
      kind = "table", name = paste0(name, ", rows ", format_whole(start + 1), " to ",
                                    format_whole(min(start + rows, count))),
      source = 1, first = start, rows = min(rows, count - start), con = con, query = part
    )
  }, parts, starts, USE.NAMES = FALSE)
}

format_whole <- function(x) format(x, scientific = FALSE, trim = TRUE)

# Ranges of the key, each from the smallest value of its block to before that of the next.
key_queries <- function(from, key, starts, ask) {
  bounds <- vapply(starts, function(start) {
    value <- ask("SELECT ", key, " FROM ", from, " ORDER BY ", key, " LIMIT 1 OFFSET ",
                 format_whole(start))[[1L]]
    if (!is.numeric(value) || anyNA(value)) {
      stop_mkl("data_error", "key", "Column ", key, " must be numeric without missing values.")
    }
    as.double(value)
  }, 0)
  text <- vapply(bounds, function(x) format(x, digits = 17, scientific = FALSE, trim = TRUE), "")
  upper <- c(paste0(" AND ", key, " < ", text[-1L]), "")[seq_along(text)]
  if (length(text) == 1L) upper <- ""
  paste0("SELECT * FROM ", from, " WHERE ", key, " >= ", text, upper, " ORDER BY ", key)
}

open_connection <- function(con) {
  connection <- catch_error(con(), error = function(e) {
    stop_mkl("data_error", "con", "`con` cannot open a connection: ", conditionMessage(e))
  })
  if (!inherits(connection, "DBIConnection")) {
    stop_must("con", "a function that returns a connection of the package DBI", connection)
  }
  connection
}
