test_that("equal values have equal hashes, others have others", {
  make <- function(d) function(x, z) tcrossprod(x, z)^d
  values <- list(
    1, 1L, 2, "a", c(a = 1), c(b = 1), list(1), list(a = 1), NULL, NA, y ~ x, y ~ z, iris,
    iris[-1, ], learner_svm(), learner_svm(cost = 2), make(1), make(2), function(x) x + 1,
    function(x) x + 2, kernel_rbf(1), kernel_rbf(2), factor("a"), factor("a", c("a", "b"))
  )
  hashes <- vapply(values, content_hash, "")
  expect_identical(anyDuplicated(hashes), 0L)
  expect_identical(vapply(values, content_hash, ""), hashes)
})

test_that("a hash does not see environments, byte code and sources", {
  f <- eval(parse(text = "function(x) {\n  x + 1 # sum\n}", keep.source = TRUE))
  g <- eval(parse(text = "function(x) { x + 1 }", keep.source = FALSE))
  expect_identical(content_hash(f), content_hash(compiler::cmpfun(g)))
  local_formula <- (function() y ~ x)()
  expect_identical(content_hash(local_formula), content_hash(y ~ x))
  expect_identical(content_hash(list(new.env())), content_hash(list(new.env())))
  expect_identical(content_hash(1:3), content_hash(c(1L, 2L, 3L)))
})

test_that("a hash is the same in another process", {
  skip_on_os("windows")
  skip_unless_installed()
  child <- start_child(c(
    "make <- function(d) function(x, z) tcrossprod(x, z)^d",
    "say('hash', multikernel:::content_hash(list(iris, learner_svm(), y ~ x, make(2))))"
  ))
  on.exit(unlink(unlist(child)))
  line <- await(child, "hash", 30)
  make <- function(d) function(x, z) tcrossprod(x, z)^d
  expect_identical(
    trimws(sub("hash", "", line)), content_hash(list(iris, learner_svm(), y ~ x, make(2)))
  )
})

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
