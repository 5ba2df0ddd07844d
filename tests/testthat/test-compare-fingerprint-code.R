outside <- function(f, kind = "variables") {
  names_from_outside(as.call(c(quote(`function`), list(formals(f)), list(body(f)))))[[kind]]
}

test_that("names are from outside unless they have a value on every path", {
  expect_identical(outside(function(x) x + s), "s")
  expect_identical(outside(function(x, n = length(u)) x + n), "u")
  expect_identical(outside(function(x) {
    s <- 1
    x + s
  }), character())
  expect_identical(outside(function(x) {
    y <- x + s
    s <- 1
    y
  }), "s")
  expect_identical(outside(function(x) {
    if (x > 1) s <- 1
    s
  }), "s")
  expect_identical(outside(function(x) {
    if (x > 1) s <- 1 else s <- 2
    s
  }), character())
  expect_identical(outside(function(x) {
    for (i in x) s <- i
    i + s
  }), c("i", "s"))
  expect_identical(outside(function(x) lapply(x, function(y) y + s + x)), "s")
  expect_identical(outside(function(x) {
    s <- 1
    function() s <<- s + 1
  }), character())
  expect_identical(outside(function(x) s <<- x), "s")
  expect_identical(outside(function(x) f(s <- x, s)), "s")
  expect_identical(outside(function(x) x$s + a$s + x[, 1]), "a")
  expect_identical(outside(function(...) sum(..., ..1)), character())
  expect_identical(outside(function(x) sum(...) + ..2), "...")
})

test_that("functions, strings, packages and lookups are found", {
  f <- function(x) {
    names(x)[2] <- "b"
    shape(x$a) <- withr::g(x, h = "k")
    sapply(x, "m")(get("s"))
  }
  expect_true(all(
    c("names<-", "[<-", "shape<-", "$<-", "sapply", "get") %in% outside(f, "functions")
  ))
  expect_identical(outside(f, "strings"), c("b", "k", "m", "s"))
  expect_identical(outside(f, "qualified"), "withr::g")
  expect_identical(outside(f, "special"), list(quote(get("s"))))
  named <- names_from_outside(quote(y ~ rbf(a, sigma = s) + b), is_term = is_constructor)
  expect_identical(named$variables, c("a", "b", "y"))
  expect_identical(named$parameters, "s")
})

test_that("the text of code does not depend on its layout", {
  tokens <- function(text, keep) {
    code_tokens(parse(text = text, keep.source = keep)[[1L]])$tokens
  }
  one <- tokens("function(x, y = 2) {\n  x[, 1] + y # sum\n}", TRUE)
  expect_identical(tokens("function(x,y=2){x[,1]+y}", FALSE), one)
  expect_false(identical(tokens("function(x, y = 2) { x[1, ] + y }", FALSE), one))
  expect_false(identical(tokens("f(a, b)", FALSE), tokens("f(a)(b)", FALSE)))
  expect_false(identical(tokens("f(a = b)", FALSE), tokens("f(b)", FALSE)))
  expect_identical(code_tokens(quote(f(2, "a")))$constants, list(2, "a"))
})
