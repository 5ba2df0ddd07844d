test_that("a directory keeps the seed of its first run", {
  dir <- file.path(withr::local_tempdir(), "deep", "er")
  first <- open_store(dir, 7L, 1L)
  expect_identical(open_store(dir, NULL, 1L)$seed, 7L)
  expect_identical(open_store(dir, 8L, 1L)$seed, 8L)
  expect_identical(open_store(dir, NULL, 1L)$seed, 7L)
  expect_null(open_store(NULL, 1L, 1L))
  expect_identical(open_store(withr::local_tempdir(), NULL, 5L)$seed, 5L)
  # what a killed process left behind is no reason to refuse the directory
  left <- withr::local_tempdir()
  file.create(file.path(left, ".part-1-x"))
  expect_identical(open_store(left, 3L, 1L)$seed, 3L)
})

test_that("bad directories are named", {
  other <- withr::local_tempdir()
  writeLines("mine", file.path(other, "thesis.txt"))
  expect_mkl_error(open_store(other, 1L, 1L), "holds other files", "directory")
  expect_mkl_error(open_store(1, 1L, 1L), "path of a directory", "directory")
  expect_mkl_error(open_store(c("a", "b"), 1L, 1L), argument = "directory")
  expect_mkl_error(open_store(file.path(other, "thesis.txt", "x"), 1L, 1L), "cannot be created")
})
