# Files that a benchmark keeps. A file is an RDS file, compressed by bzip2, that ends with one more
# line: its size and the SHA-256 of all before. Nothing is unserialized before the checksum agrees,
# as damaged bytes can end the session inside readRDS() or come back as other numbers. readRDS()
# itself does not see the last line, so that results can be read without this package.

sealed_bytes <- function(value) {
  body <- memCompress(serialize(value, NULL, version = 2L), "bzip2")
  c(body, seal_of(body))
}

seal_of <- function(body) {
  charToRaw(sprintf("\nmultikernel 1 %015.0f %s\n", length(body), sha256_cpp(body)))
}

seal_length <- function() 96L

# list(value) or list(problem): what is wrong with the bytes, in words.
unsealed_value <- function(bytes) {
  size <- length(bytes) - seal_length()
  if (size < 1L || !identical(bytes[size + 1:13], charToRaw("\nmultikernel "))) {
    return(list(problem = "it has no checksum"))
  }
  body <- bytes[seq_len(size)]
  if (!identical(bytes[-seq_len(size)], seal_of(body))) {
    return(list(problem = "its checksum does not agree"))
  }
  list(value = unserialize(memDecompress(body, "bzip2")))
}

# NULL without a file; otherwise list(value) or list(problem). `is_fine` says whether the value is
# what is expected in this file.
read_sealed <- function(file, is_fine) {
  if (!file.exists(file)) return(NULL)
  out <- tryCatch(
    suppressWarnings(unsealed_value(readBin(file, "raw", file.size(file)))),
    error = function(e) list(problem = conditionMessage(e))
  )
  if (is.null(out$problem) && !is_fine(out$value)) list(problem = "its content is another") else out
}

# Writes under another name, looks whether all of it has arrived (a full disk is not always an error
# in R), and renames: a file is whole or not there. NULL, or in words why it cannot be stored. With
# `first` a file that is there by now stays: of two processes that start together, one decides.
write_sealed <- function(value, file, first = FALSE) {
  bytes <- sealed_bytes(value)
  part <- tempfile(paste0(".part-", Sys.getpid(), "-"), dirname(file))
  on.exit(unlink(part))
  # R tells the reason in a warning, and in the error only that there is one.
  reason <- NULL
  tryCatch(withCallingHandlers({
    if (!dir.exists(dirname(file))) stop("the directory does not exist any more")
    write_bytes(bytes, part)
    if (!identical(readBin(part, "raw", length(bytes) + 1), bytes)) {
      stop("the file is not complete: the disk may be full")
    }
    settled <- first && (file.link(part, file) || file.exists(file))
    if (!settled && !file.rename(part, file)) stop("the file cannot be renamed")
    NULL
  }, warning = function(w) {
    reason <<- conditionMessage(w)
    invokeRestart("muffleWarning")
  }), error = function(e) reason %||% conditionMessage(e))
}

write_bytes <- function(bytes, file) {
  connection <- base::file(file, "wb")
  on.exit(close(connection))
  writeBin(bytes, connection)
  flush(connection)
}

# A file of version 0.1.0: gzip, whose own checksum memDecompress() verifies. NULL for any other.
read_unsealed <- function(file) {
  tryCatch(suppressWarnings({
    bytes <- readBin(file, "raw", file.size(file))
    if (identical(bytes[1:2], as.raw(c(0x1f, 0x8b)))) unserialize(memDecompress(bytes, "gzip"))
  }), error = function(e) NULL)
}
