# Blocks of rows, read: in any process, the same data frame each time.

# `classes`: the types of the columns, once they are known; NULL to find them.
read_block <- function(block, classes = NULL) {
  data <- catch_error(
    withCallingHandlers(
      switch(block$kind,
        csv = read_csv_block(block, classes),
        parquet = as.data.frame(nanoparquet::read_parquet(block$file)),
        table = read_table_block(block),
        `function` = block$f(block$i),
        data = block$data
      ),
      multikernel_error = function(e) stop(e)
    ),
    error = function(e) if (inherits(e, "multikernel_error")) stop(e) else {
      stop_block(block, "cannot be read: ", conditionMessage(e))
    }
  )
  if (!is.data.frame(data)) stop_block(block, "is ", describe(data), ", not a data frame.")
  if (nrow(data) == 0L) stop_block(block, "has no rows.")
  if (anyDuplicated(names(data))) {
    stop_block(block, "has several columns named ", tick_all(names(data)[duplicated(names(data))]),
               ".")
  }
  if (!is.na(block$rows) && nrow(data) != block$rows) {
    stop_block(block, "has ", plural(nrow(data), "row"), ", but ", format_whole(block$rows),
               " when row_blocks() counted them: its source has changed",
               if (block$kind == "csv") ", or a row has more fields than there are columns", ".")
  }
  as.data.frame(data)
}

stop_block <- function(block, ..., column = "data") {
  stop_mkl("data_error", column, "Block `", block$name, "` ", ..., data = list(block = block$name))
}

read_csv_block <- function(block, classes) {
  part <- tempfile("multikernel-block-")
  on.exit(unlink(part))
  copy_bytes(block, part)
  reading <- block$reading
  given <- reading$colClasses
  # Numbers may be in quotation marks, which only columns of open type may have.
  known <- classes[intersect(names(classes)[classes == "character"], block$names)]
  known <- known[!names(known) %in% names(given)]
  columns <- rep(NA_character_, length(block$names))
  columns[match(names(known), block$names)] <- known
  if (is.null(names(given)) && length(given)) columns[] <- given
  columns[match(names(given), block$names, nomatch = 0L)] <- given[names(given) %in% block$names]
  reading$colClasses <- columns
  reading$check.names <- NULL
  arguments <- list(
    file = part, header = FALSE, col.names = block$names, check.names = FALSE
  )
  defaults <- list(sep = ",", quote = "\"", dec = ".", fill = TRUE, comment.char = "")
  arguments <- c(arguments, defaults[setdiff(names(defaults), names(reading))], reading)
  data <- do.call(utils::read.table, arguments)
  for (name in names(classes)[classes %in% c("integer", "numeric")]) {
    if (is.logical(data[[name]]) && all(is.na(data[[name]]))) data[[name]] <- NA_real_
  }
  data
}

# The bytes of a block as a file: a position in a file can only be set in binary mode, in which
# read.table() does not read.
copy_bytes <- function(block, to) {
  con <- file(block$file, "rb")
  on.exit(close(con))
  seek(con, block$offset)
  writeBin(readBin(con, "raw", block$bytes), to)
}

read_table_block <- function(block) {
  connection <- open_connection(block$con)
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbGetQuery(connection, block$query)
}

# The same for all types that a column may be read as: numbers as doubles, a column without any
# value as missing numbers, as blank text of a block is read before it is known to be text.
block_checksum <- function(data) {
  block_checksum_cpp(lapply(unname(as.list(data)), function(column) {
    blank <- is.character(column) && all(is.na(column) | column == "")
    if (blank) return(rep(NA_real_, length(column)))
    if (is.factor(column) || is.character(column)) return(column)
    if (is.list(column)) return(unlist(lapply(column, as.character)))
    if (all(is.na(column)) && !is.numeric(column)) return(rep(NA_real_, length(column)))
    as.double(column)
  }))
}

# The type of a column as blocks compare them. A column without any value fits all types.
column_type <- function(column) {
  if (is.factor(column)) return(if (is.ordered(column)) "ordered factor" else "factor")
  if (is.logical(column)) return(if (all(is.na(column))) "none" else "logical")
  if (inherits(column, "integer64")) return("integer64")
  if (is.object(column)) return(class(column)[1L])
  if (is.integer(column)) return("integer")
  if (is.numeric(column)) return("numeric")
  if (is.character(column)) return("character")
  typeof(column)
}

# What one more block does to the types that are known: list(types, blocks: which block says so).
merge_types <- function(known, types, block) {
  if (is.null(known)) return(list(types = types, from = rep(block$name, length(types))))
  if (!setequal(names(types), names(known$types))) {
    lost <- setdiff(names(known$types), names(types))
    more <- setdiff(names(types), names(known$types))
    stop_block(
      block, if (length(lost)) paste0("lacks column ", tick_all(lost)) else {
        paste0("has column ", tick_all(more))
      }, ", unlike block `", known$from[1L], "`.", column = c(lost, more)[1L]
    )
  }
  types <- types[names(known$types)]
  for (j in seq_along(types)) {
    old <- known$types[[j]]
    new <- types[[j]]
    if (old == new || new == "none") next
    wider <- if (old == "none") new else if (all(c(old, new) %in% c("integer", "numeric"))) {
      "numeric"
    } else {
      stop_block(
        block, "has ", type_in_words(new), " in column `", names(types)[j], "`, which is ",
        type_in_words(old), " in block `", known$from[j], "`. Give the columns the same type",
        if (block$kind == "csv") {
          paste0(", for instance by row_blocks(colClasses = c(", names(types)[j],
                 " = \"character\"))")
        }, ".", column = names(types)[j]
      )
    }
    known$types[[j]] <- wider
    known$from[j] <- block$name
  }
  known
}

type_in_words <- function(type) if (type == "character") "text" else paste0("type \"", type, "\"")

# The `colClasses` of these types, for files without types of their own.
read_classes <- function(types) {
  types[types == "none"] <- "logical"
  types[types %in% c("logical", "integer", "numeric", "character")]
}
