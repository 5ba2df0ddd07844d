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
