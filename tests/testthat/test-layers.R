# The map of the files in CONTRIBUTING.md, against the sources. An installed package has neither:
# tools/gates runs the same check.

# tools/test says where the sources are, as it runs the tests on a copy.
sources <- function() Sys.getenv("MULTIKERNEL_SOURCES", test_path("..", ".."))

layers_tool <- function() {
  tool <- file.path(sources(), "tools", "layers.R")
  skip_if_not(file.exists(tool), "the sources are not here")
  layers <- new.env()
  sys.source(tool, layers)
  layers
}

test_that("calls go down the layers of the map", {
  expect_identical(layers_tool()$layer_faults(sources()), character())
})

# A tree of two layers on each side, with other texts for some of its files.
small_tree <- function(changes = list()) {
  root <- withr::local_tempdir(.local_envir = parent.frame())
  files <- list(
    "CONTRIBUTING.md" = c(
      "## Map of the files", "### R", "| `low` | `low` | x |", "| `high` | `high` | x |",
      "### C++", "| `low` | `low/a`, `low/b` | x |", "| `high` | `high/*` | x |",
      "| `seam` | `r_seam` | x |", "## Next"
    ),
    "R/low.R" = "first <- function(x) x", "R/high.R" = "second <- function(x) first(x)",
    "src/low/a.hpp" = "", "src/low/b.hpp" = '#include "a.hpp"',
    "src/high/c.cpp" = '#include "../low/b.hpp"',
    "src/r_seam.cpp" = c("#include <Rcpp.h>", '#include "low/a.hpp"')
  )
  files[names(changes)] <- changes
  for (file in names(files)) {
    path <- file.path(root, file)
    dir.create(dirname(path), showWarnings = FALSE, recursive = TRUE)
    writeLines(files[[file]], path)
  }
  root
}

test_that("every kind of fault is found", {
  skip_if_not_installed("withr")
  layers <- layers_tool()
  expect_identical(layers$layer_faults(small_tree()), character())
  up <- "R: low .* goes up to high .second."
  calls <- c(
    "second(x)", "lapply(x, second)", "do.call(\"second\", list(x))", "match.fun('second')(x)",
    "get(\"second\")(x)", "multikernel:::second(x)", "if (x) second(x)", "local(second(x))"
  )
  for (call in calls) {
    changed <- list("R/low.R" = sprintf("first <- function(x) %s", call))
    expect_match(layers$layer_faults(small_tree(changed)), up, info = call)
  }
  default <- list("R/low.R" = "first <- function(x, y = second(x)) y")
  expect_match(layers$layer_faults(small_tree(default)), up)
  faults <- list(
    "no layer of the map has the file other" = list("R/other.R" = "x <- 1"),
    "no layer of the map has the file new/d" = list("src/new/d.c" = ""),
    "low/a .* goes up to high/c" = list(
      "src/low/a.hpp" = '  #  include "../high/c.hpp"', "src/high/c.hpp" = ""
    ),
    "low/a .* goes up to high/e" = list(
      "src/low/a.hpp" = "#include <../high/e.hpp>", "src/high/e.hpp" = ""
    ),
    "low/b.hpp includes R" = list("src/low/b.hpp" = "#include <R_ext/Rdynload.h>")
  )
  for (fault in names(faults)) {
    expect_match(layers$layer_faults(small_tree(faults[[fault]])), fault, all = FALSE)
  }
  circle <- layers$layer_faults(small_tree(list("src/low/a.hpp" = '#include "b.hpp"')))
  includes <- c("low/a includes low/b", "low/b includes low/a")
  expect_setequal(circle, paste("src: on a cycle,", includes))
  map <- readLines(file.path(small_tree(), "CONTRIBUTING.md"))
  map <- append(map, "| `high` | `gone` | x |", after = 4)
  unused <- layers$layer_faults(small_tree(list("CONTRIBUTING.md" = map)))
  expect_match(unused, "no file gone")
  twice <- layers$layer_faults(small_tree(list("R/high.R" = "first <- function(x) first(x)")))
  expect_identical(twice, "R: first is defined more than once; the last file wins")
})

test_that("local variables are no calls", {
  code <- quote(function(x, kernel = first(x)) {
    inner <- function(y) y
    lapply(x, second)
    third <- x$fourth
    third(inner(kernel), third)
  })
  expect_setequal(
    setdiff(layers_tool()$names_used(code), c("{", "lapply")), c("first", "second", "third")
  )
})

test_that("no code of R looks into the state of a model", {
  skip_if_not(dir.exists(file.path(sources(), "R")), "the sources are not here")
  files <- list.files(file.path(sources(), "R"), "[.]R$", full.names = TRUE)
  looks <- "[$]state\\b|model\\[+.state"
  found <- lapply(files, function(file) grep(looks, readLines(file), value = TRUE))
  names(found) <- basename(files)
  found <- Filter(length, found)
  # Learners that compute in R get theirs handed over; the seal asks whether there is one.
  expect_setequal(names(found), c("fit-learner-features.R", "fit-seal.R"))
  expect_length(unlist(found), 2L)
})
