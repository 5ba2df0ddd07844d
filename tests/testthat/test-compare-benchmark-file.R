anything <- function(x) TRUE

test_that("files are whole or not there", {
  dir <- withr::local_tempdir()
  file <- file.path(dir, "a.rds")
  expect_null(read_sealed(file, anything))
  expect_null(write_sealed(list(1), file))
  expect_identical(read_sealed(file, anything), list(value = list(1)))
  expect_identical(list.files(dir, all.files = TRUE, no.. = TRUE), "a.rds")
  write_sealed(list(2), file, first = TRUE)
  expect_identical(read_sealed(file, anything)$value, list(1))
  write_sealed(list(2), file)
  expect_identical(read_sealed(file, anything)$value, list(2))
  # without this package too
  expect_identical(readRDS(file), list(2))
  writeBin(as.raw(1:10), file)
  expect_match(read_sealed(file, anything)$problem, "no checksum")
  saveRDS(list(2), file)
  expect_match(read_sealed(file, anything)$problem, "no checksum")
  write_sealed(list(2), file)
  expect_match(read_sealed(file, is.character)$problem, "content is another")
})

test_that("every single bit and every length is covered by the checksum", {
  bytes <- sealed_bytes(list(key = "k", prediction = list(class = factor(c("a", "b"))), 0.1))
  expect_identical(unsealed_value(bytes)$value[[3L]], 0.1)
  flipped <- vapply(seq_len(8L * length(bytes)), function(bit) {
    at <- (bit - 1L) %/% 8L + 1L
    bytes[at] <- xor(bytes[at], as.raw(2^((bit - 1L) %% 8L)))
    is.null(unsealed_value(bytes)$problem)
  }, NA)
  expect_identical(sum(flipped), 0L)
  cut <- vapply(seq_len(length(bytes)) - 1L, function(n) {
    is.null(unsealed_value(bytes[seq_len(n)])$problem)
  }, NA)
  expect_identical(sum(cut), 0L)
  expect_false(is.null(unsealed_value(c(bytes, as.raw(10)))$problem))
})
