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

test_that("what cannot be read is reported and never an error", {
  unknown <- function(x) fingerprint(x)$unknown
  expect_identical(unknown(list(1, iris, mean, quote(a + b), y ~ x)), character())
  connection <- textConnection("text")
  withr::defer(close(connection))
  expect_identical(unknown(list(connection)), "a connection")
  expect_identical(unknown(list(attr(connection, "conn_id"))), "an external pointer")
  deep <- list()
  for (i in 1:2e4) deep <- list(deep)
  expect_identical(unknown(deep), "lists that are nested deeply")
  failing <- (function(s) function(x) x + s)(stop("no value"))
  expect_identical(unknown(failing), character())
  # pointers that packages attach to data are no data
  expect_identical(
    content_hash(structure(iris, problems = attr(connection, "conn_id"))), content_hash(iris)
  )
})

test_that("environments and functions that contain each other come to an end", {
  e <- new.env()
  e$self <- e
  e$f <- function(x) e$g(x)
  e$g <- function(x) e$f(x)
  expect_identical(fingerprint(e)$unknown, character())
  expect_identical(content_hash(e), content_hash(e))
  other <- new.env()
  other$self <- new.env()
  expect_false(content_hash(other) == content_hash(e))
  chain <- NULL
  for (i in 1:300) chain <- list2env(list(inner = chain))
  deepest <- chain
  for (i in 1:299) deepest <- deepest$inner
  before <- content_hash(chain)
  deepest$inner <- 1
  expect_false(content_hash(chain) == before)
})

test_that("a formula of 3,000 terms is read in a moment", {
  columns <- paste0("x", 1:3000)
  long <- stats::reformulate(columns, "y")
  expect_lt(system.time(one <- fingerprint(long, c(columns, "y")))[["user.self"]], 5)
  expect_identical(one$unknown, character())
  expect_false(one$hash == content_hash(stats::reformulate(rev(columns), "y")))
})
