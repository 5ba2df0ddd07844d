# The machinery that the experiment scripts share: seeds, cells that are computed once, the store.

experiments <- function() {
  path <- system.file("experiments", "common.R", package = "multikernel")
  skip_if(path == "")
  place <- new.env(parent = globalenv())
  sys.source(path, place, chdir = TRUE)
  place
}

# Jobs that draw numbers and leave a trace of each computation.
drawing_jobs <- function(e, log) {
  draw <- function(set, run) {
    cat(set$name, run, "\n", file = log, append = TRUE)
    rows <- e$training_rows(set$y, 0.5)
    c(first = rows[1], number = stats::runif(1))
  }
  c(e$jobs_on(c("iris", "gauss4"), "a", draw, group = "one"), list(e$job("iris", "b", draw, 2)))
}

run_quietly <- function(e, arguments, jobs) {
  settings <- e$experiment_settings("test", runs = 3, arguments = arguments)
  suppressMessages(e$run_experiment(settings, jobs))
}

test_that("cells are computed once, whatever the number of workers", {
  e <- experiments()
  out <- withr::local_tempdir()
  log <- file.path(out, "log")
  jobs <- drawing_jobs(e, log)
  cells <- run_quietly(e, c("--out", out), jobs)
  expect_identical(nrow(unique(cells[c("data", "method", "run")])), 8L)
  expect_length(readLines(log), 8)
  numbers <- function(cells) cells[cells$measure != "seconds", ]
  expect_equal(numbers(run_quietly(e, paste0("--out=", out), jobs)), numbers(cells))
  expect_length(readLines(log), 8)
  # methods see the same rows in the same run, other runs other rows
  value <- function(data, method, run, measure = "number") {
    cells$value[cells$data == data & cells$method == method & cells$run == run &
                  cells$measure == measure]
  }
  expect_identical(value("iris", "a", 2), value("iris", "b", 2))
  expect_false(value("iris", "a", 1) == value("iris", "a", 2))
  # more runs: only those that are new
  run_quietly(e, c("--out", out, "--runs", "4", "--only", "iris,a"), jobs)
  expect_length(readLines(log), 9)
  skip_on_os("windows")
  other <- withr::local_tempdir()
  forked <- run_quietly(e, c("--out", other, "--workers", "2"), jobs)
  expect_equal(numbers(forked), numbers(cells), ignore_attr = TRUE)
})

test_that("a store that was cut short is mended", {
  e <- experiments()
  out <- withr::local_tempdir()
  jobs <- drawing_jobs(e, file.path(out, "log"))
  cells <- run_quietly(e, c("--out", out), jobs)
  store <- file.path(out, "test-cells.csv")
  text <- readChar(store, file.size(store))
  cat(sub("econds\",[^,]*$", "", text), file = store) # in the middle of the last line
  again <- run_quietly(e, c("--out", out), jobs)
  expect_length(readLines(file.path(out, "log")), 9)
  keep <- cells$measure != "seconds"
  expect_equal(again[keep, ], cells[keep, ], ignore_attr = TRUE)
})

test_that("failures and absent sets do not stop the others", {
  e <- experiments()
  out <- withr::local_tempdir()
  jobs <- list(
    e$job("iris", "fails", function(set, run) if (run == 2) stop("no luck") else c(a = 1)),
    e$job("iris", "nan", function(set, run) c(a = NaN)),
    e$job("monks-1", "any", function(set, run) c(a = 1))
  )
  settings <- e$experiment_settings("test", runs = 2, arguments = c("--out", out))
  expect_message(
    expect_message(
      expect_message(cells <- e$run_experiment(settings, jobs), "monks-1 is left out"), "no luck"
    ), "named finite numbers"
  ) |> suppressMessages()
  expect_identical(unique(cells$method), "fails")
  expect_identical(attr(cells, "failed"), 3L)
})

test_that("options are read, and refused", {
  e <- experiments()
  read <- function(...) e$parse_arguments(c(...))
  expect_identical(read("--runs=3", "--only", "a,b", "--fresh"),
                   list(runs = 3L, only = c("a", "b"), fresh = TRUE))
  expect_error(read("--run", "3"), "unknown option: --run")
  expect_error(read("--runs"), "needs a value")
  expect_error(read("--runs", "1.5"), "positive whole number")
  expect_error(read("--data", "/no/such/place"), "no directory")
  jobs <- e$jobs_on(c("iris", "sonar"), "a", identity)
  expect_length(e$chosen_jobs(jobs, "iris"), 1)
  expect_error(e$chosen_jobs(jobs, "isir"), "--only knows")
})

test_that("parts of protocols: splits, folds, areas", {
  e <- experiments()
  set.seed(1)
  rows <- e$training_rows(iris$Species, 76, by = iris$Species)
  expect_identical(sort(as.vector(table(iris$Species[rows]))), c(25L, 25L, 26L))
  expect_identical(as.vector(table(e$fold_of(iris$Species, 10), iris$Species)), rep(5L, 30))
  truth <- factor(c("a", "a", "b", "b"))
  expect_identical(e$auc(c(1, 2, 2, 3), truth), 0.875)
  grid <- data.frame(k = 1:3)
  best <- e$choose_by_cv(grid, as.matrix(iris[1:4]), iris$Species, 5,
                         function(row, x, y, new_x, new_y) -abs(row$k - 2))
  expect_identical(best$k, 2L)
})

test_that("the time of each script is a line of its own", {
  e <- experiments()
  out <- withr::local_tempdir()
  report <- function(name, seconds) {
    settings <- e$experiment_settings(name, arguments = c("--out", out))
    cells <- data.frame(measure = c("seconds", "a", "seconds"), value = c(seconds, 7, 60))
    suppressMessages(e$report_time(cells, settings))
  }
  expect_output(report("one", 60), "120 s|2 min")
  expect_output(report("two", 120), "3 min of computing")
  expect_output(report("one", 240), "5 min of computing")
  times <- utils::read.csv(file.path(out, "times.csv"))
  expect_identical(times$script, c("one", "two"))
  expect_equal(times$minutes, c(5, 3))
})

stored_tables <- function() {
  path <- system.file("experiments", "tables.R", package = "multikernel")
  skip_if(path == "")
  place <- new.env(parent = globalenv())
  sys.source(path, place)
  place
}

test_that("cells beyond two standard errors are counted and said", {
  e <- stored_tables()
  cells <- data.frame(
    data = "a", method = c("x", "y", "z", "u", "v"), measure = "accuracy",
    mean = c(1, 2, 3, 4, 5), paper = c(1, 1, 4, NA, 5.1), errors = c(NaN, 2.5, -2.1, NA, -0.5)
  )
  counts <- unlist(e$agreement(cells, "all")[-1])
  expect_identical(unname(counts), c(4L, 2L, 1L, 1L))
  # of an error less is better
  cells$measure <- "error"
  expect_identical(unname(unlist(e$agreement(cells, "all")[c("better", "worse")])), c(1L, 1L))
  expect_identical(e$said_cells(cells), "y +2.5 and z -2.1")
  expect_identical(e$said_cells(cells, within = TRUE), "x +0.0 and v -0.5")
  expect_identical(e$said_cells(cells[5, ]), "none")
  cells$data[3] <- "b"
  expect_identical(e$said_cells(cells, drop = "y"), "a +2.5 and b z -2.1")
  expect_identical(e$listing(c("p", "q", "r")), "p, q and r")
  expect_identical(e$span(c(4, 10, 7)), "4 to 10")
  expect_identical(e$span(c(3, 3)), "3")
})

test_that("every table of a paper is compared whole", {
  skip_unless_installed()
  e <- stored_tables()
  expected <- c(mkboost = 80L, easymkl = 39L, lbmkl = 60L, lmkl = 256L, multik = 88L)
  found <- vapply(names(expected), function(name) nrow(e$compared_cells(name)), 0L)
  expect_identical(found, expected)
  for (name in names(expected)) {
    cells <- e$compared_cells(name)
    expect_false(anyDuplicated(cells[c("data", "method", "measure")]) > 0, label = name)
    expect_gt(e$minutes_of(name), 0)
  }
})

test_that("the table of README is that of the stored results", {
  skip_on_cran()
  skip_unless_installed()
  printed <- run_experiment_script("summary", NULL, NULL)
  expect_identical(printed$status, 0L)
  table <- printed$output
  Encoding(table) <- "UTF-8"
  shown <- readLines(system.file("experiments", "README.md", package = "multikernel"),
                     encoding = "UTF-8")
  expect_length(table, 8)
  expect_true(all(table %in% shown))
  # in place of an old one, and nothing else is touched
  copy <- withr::local_tempfile()
  writeLines(c("before", "<!-- papers -->", "old", "<!-- end -->", "after"), copy)
  run_experiment_script("summary", shQuote(copy), NULL)
  lines <- readLines(copy, encoding = "UTF-8")
  expect_identical(lines[c(1:3, 12:14)],
                   c("before", "<!-- papers -->", "", "", "<!-- end -->", "after"))
  expect_identical(lines[4:11], table)
})
