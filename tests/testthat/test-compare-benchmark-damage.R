# Damaged files, full disks and lost directories: no wrong number, no abort, nothing lost.

test_that("a flipped bit anywhere means that a cell is computed again, with one warning", {
  dir <- withr::local_tempdir()
  whole <- stored_run(directory = dir, seed = 3)
  for (file in list.files(dir, full.names = TRUE)) {
    bytes <- readBin(file, "raw", file.size(file))
    bits <- 8 * length(bytes)
    for (bit in unique(round(seq(1, bits, length.out = 9)))) {
      flip_bit(file, bit)
      out <- with_warnings(stored_run(directory = dir))
      expect_one_warning(out, "multikernel_damaged_file")
      expect_identical(out$value$results, whole$results)
      # and is whole again
      expect_no_warning(stored_run(directory = dir))
    }
  }
})

test_that("files of the wrong type, cut off or of another cell are computed again", {
  dir <- withr::local_tempdir()
  whole <- stored_run(directory = dir, seed = 3)
  cells <- file.path(dir, cell_files(dir))
  again <- function(pattern = NULL) {
    out <- with_warnings(stored_run(directory = dir))
    expect_one_warning(out, "multikernel_damaged_file", pattern)
    expect_identical(out$value$results, whole$results)
  }
  saveRDS(42, cells[1])
  again("no checksum")
  saveRDS(list(key = "x"), cells[2])
  again()
  write_sealed(1:3, cells[3])
  again("content is another")
  write_sealed(list(key = read_sealed(cells[3], is_cell)$value$key), cells[3])
  again()
  file.copy(cells[1], cells[4], overwrite = TRUE)
  again()
  file.create(cells[5])
  again()
  for (file in cells) writeBin(readBin(file, "raw", 100), file)
  again("6 stored cells")
  unlink(cells[1])
  dir.create(cells[1])
  expect_identical(with_warnings(stored_run(directory = dir))$value$results, whole$results)
})

test_that("benchmark.rds of the wrong type is made again with the seed of the cells", {
  dir <- withr::local_tempdir()
  about <- file.path(dir, "benchmark.rds")
  set.seed(1)
  whole <- stored_run(directory = dir)
  contents <- list(1:3, "text", NULL, list(), list(seed = "a"), list(seed = c(1L, 2L)))
  for (content in contents) {
    for (write in list(saveRDS, write_sealed)) {
      write(content, about)
      out <- with_warnings(stored_run(directory = dir))
      expect_one_warning(out, "multikernel_damaged_file", "seed that is stored in the cells")
      expect_identical(out$value$results, whole$results)
      expect_identical(out$value$seed, whole$seed)
    }
  }
  unlink(about)
  expect_no_warning(out <- stored_run(directory = dir))
  expect_identical(out$results, whole$results)
  expect_true(file.exists(about))
  # without any cell the seed is lost
  empty <- withr::local_tempdir()
  writeLines("?", file.path(empty, "benchmark.rds"))
  out <- with_warnings(stored_run(directory = empty, seed = 9))
  expect_one_warning(out, "multikernel_damaged_file", "another seed")
  expect_identical(out$value$results, stored_run(seed = 9)$results)
})

test_that("a directory of version 0.1.0 is recognised", {
  dir <- withr::local_tempdir()
  saveRDS(list(seed = 11L, created = Sys.time()), file.path(dir, "benchmark.rds"))
  saveRDS(list(key = "0123"), file.path(dir, "d-svm-fold1-0123456789abcdef.rds"))
  expect_message(bm <- stored_run(directory = dir), class = "multikernel_old_directory")
  expect_identical(bm$seed, 11L)
  expect_identical(bm$results, stored_run(seed = 11)$results)
  expect_no_message(expect_no_warning(again <- stored_run(directory = dir)))
  expect_identical(again$results, bm$results)
})

test_that("on a full disk everything is returned, with one warning", {
  skip_on_os(c("windows", "mac"))
  disk <- withr::local_tempdir()
  mounted <- suppressWarnings(system2(
    "mount", c("-t", "tmpfs", "-o", "size=16k", "tmpfs", disk), stdout = FALSE, stderr = FALSE
  ))
  skip_if(mounted != 0, "no file system can be mounted")
  withr::defer(system2("umount", disk))
  dir <- file.path(disk, "results")
  out <- with_warnings(stored_run(directory = dir, seed = 3))
  expect_one_warning(out, "multikernel_unstored", "cannot be stored.*returned")
  expect_identical(out$value$results, stored_run(seed = 3)$results)
  # what is there is whole
  files <- file.path(dir, cell_files(dir))
  expect_true(all(vapply(files, function(f) is.null(read_sealed(f, is_cell)$problem), NA)))
  expect_length(list.files(dir, "^[.]part", all.files = TRUE), 0L)
  expect_lt(length(files), 6L)
})

test_that("a disk that is full from the start, or cuts files off without an error", {
  whole <- stored_run(seed = 3)
  dir <- withr::local_tempdir()
  cut <- function(bytes, file) writeBin(utils::head(bytes, 50L), file)
  out <- with_function("write_bytes", cut, with_warnings(stored_run(directory = dir, seed = 3)))
  expect_one_warning(out, "multikernel_unstored", "disk may be full")
  expect_identical(out$value$results, whole$results)
  expect_length(list.files(dir, all.files = TRUE, no.. = TRUE), 0L)
  # it is made up for as soon as there is room
  expect_no_warning(out <- stored_run(directory = dir, seed = 3))
  expect_identical(out$results, whole$results)
  expect_length(cell_files(dir), 6L)
  # cells that cannot be written while benchmark.rds is there
  unlink(file.path(dir, cell_files(dir)))
  broken <- function(bytes, file) stop("No space left on device")
  out <- with_function("write_bytes", broken, with_warnings(stored_run(directory = dir, seed = 3)))
  expect_one_warning(out, "multikernel_unstored", "6 of 6 cells.*No space left")
  expect_identical(out$value$unstored, 6L)
  expect_output(print(out$value), "except 6 cells", fixed = TRUE)
  expect_identical(out$value$results, whole$results)
})

test_that("a directory that disappears in the middle takes no results along", {
  whole <- stored_run(seed = 3)
  lose <- function(how) {
    dir <- withr::local_tempdir()
    count <- 0
    metric <- mkl_metric(function(truth, estimate) {
      count <<- count + 1
      if (count == 2) how(dir)
      mean(truth == estimate)
    })
    out <- with_warnings(benchmark_mkl(
      y ~ ., list(d = stale_data()), list(svm = learner_svm(), average = learner_average()),
      resamples = resample_cv(3), metrics = list(accuracy = metric), directory = dir, seed = 3
    ))
    expect_one_warning(out, "multikernel_unstored", "of 6 cells")
    expect_identical(out$value$results, whole$results)
  }
  lose(function(dir) unlink(dir, recursive = TRUE))
  # a path that cannot be written to, even by root: its parent is a file
  lose(function(dir) {
    unlink(dir, recursive = TRUE)
    file.create(dir)
  })
})

test_that("a directory that cannot be written to is read, and the rest is returned", {
  skip_on_os(c("windows", "mac"))
  dir <- withr::local_tempdir()
  mount <- function(...) {
    suppressWarnings(system2("mount", c(...), stdout = FALSE, stderr = FALSE))
  }
  skip_if(mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", dir) != 0, "nothing can be mounted")
  withr::defer(system2("umount", dir))
  place <- file.path(dir, "results")
  stored_run(directory = place, seed = 3, learners = list(svm = learner_svm()))
  skip_if(mount("-o", "remount,ro", dir) != 0)
  out <- with_warnings(stored_run(directory = place))
  expect_one_warning(out, "multikernel_unstored", "3 of 6 cells")
  expect_identical(out$value$results, stored_run(seed = 3)$results)
})

test_that("workers lose nothing either", {
  skip_if_not_installed("future")
  skip_on_os("windows")
  skip_unless_installed()
  whole <- stored_run(seed = 3)
  dir <- withr::local_tempdir()
  flag <- withr::local_tempfile()
  stored_run(directory = dir, seed = 3, learners = list(svm = learner_svm()))
  flip_bit(file.path(dir, cell_files(dir))[1], 99)
  old <- future::plan(future::multisession, workers = 2)
  withr::defer(future::plan(old))
  out <- with_warnings(stored_run(directory = dir))
  expect_one_warning(out, "multikernel_damaged_file")
  expect_identical(out$value$results, whole$results)
  expect_length(cell_files(dir), 6L)
  deleting <- list(learner_svm(), kernels = kernel_function(function(x, z) {
    unlink(dir, recursive = TRUE)
    tcrossprod(x, z)
  }))
  out <- with_warnings(stored_run(directory = dir, learners = list(a = deleting)))
  expect_one_warning(out, "multikernel_unstored", "3 of 3 cells")
  expect_true(all(is.finite(out$value$results$accuracy)))
})
