clean_up <- function(frame = parent.frame()) {
  withr::defer({
    rm(list = intersect(c("stale_s", "stale_f"), ls(globalenv())), envir = globalenv())
    for (class in c("MultikernelTestS4", "MultikernelTestReference")) {
      if (methods::isClass(class, where = globalenv())) methods::removeClass(class, globalenv())
    }
    unlink(file.path(tempdir(), "multikernel-test-value.rds"))
    options(multikernel.test.option = NULL)
    Sys.unsetenv("MULTIKERNEL_TEST_VALUE")
  }, frame)
}

cells_in <- function(dir) setdiff(list.files(dir), "benchmark.rds")

test_that("a stored cell is not reused when anything has changed that it depends on", {
  clean_up()
  variants <- stale_variants()
  expect_gte(length(variants), 22L)
  for (name in names(variants)) {
    make <- variants[[name]]
    dir <- withr::local_tempdir()
    unknown <- 0L
    run <- function(v, ...) {
      withCallingHandlers(run_variant(make(v), ...), multikernel_unknown_dependency = function(w) {
        unknown <<- unknown + 1L
        invokeRestart("muffleWarning")
      })
    }
    first <- run(1, directory = dir)
    second <- run(2, directory = dir)
    expect_identical(second, run(2), label = paste0("the second version of '", name, "'"))
    expect_false(identical(first, second), label = paste0("'", name, "' makes no difference"))
    # version 1 is found again, unless it was said that it is not stored
    expect_identical(run(1, directory = dir), first, label = name)
    expect_true(unknown %in% c(0L, 3L), label = name)
    expect_identical(length(cells_in(dir)), if (unknown) 0L else 2L, label = name)
  }
})

test_that("a stored cell is reused when nothing has changed", {
  clean_up()
  variants <- same_variants()
  for (name in names(variants)) {
    dir <- withr::local_tempdir()
    expect_no_warning(first <- run_variant(variants[[name]](1), directory = dir))
    expect_no_warning(second <- run_variant(variants[[name]](2), directory = dir))
    expect_length(cells_in(dir), 1L)
    if (length(cells_in(dir)) != 1L) message(name)
    expect_identical(first, second)
  }
})

test_that("what cannot be known is said once, and nothing is stored", {
  dir <- withr::local_tempdir()
  s <- 2
  hidden <- kernel_function(function(x, z) (1 + tcrossprod(x, z))^get(paste0("", "s")))
  warned <- list()
  withCallingHandlers(
    benchmark_mkl(y ~ ., list(d = stale_data()), list(
      plain = learner_svm(), hidden = list(learner_svm(), kernels = hidden)
    ), resamples = resample_cv(3), directory = dir),
    warning = function(w) {
      warned <<- c(warned, list(w))
      invokeRestart("muffleWarning")
    }
  )
  expect_length(warned, 1L)
  expect_s3_class(warned[[1L]], "multikernel_unknown_dependency")
  expect_match(conditionMessage(warned[[1L]]), "\"hidden\".*get\\(\\)")
  expect_length(cells_in(dir), 3L)
  # without a directory there is nothing to say
  expect_no_warning(run_variant(list(learners = list(k = list(learner_svm(), kernels = hidden)))))
})

test_that("versions of packages and settings of R are part of the key", {
  key <- function(...) cell_key(list(list(hash = "a"), list(hash = "b")), list(), list(), 1L, ...)
  expect_identical(key(), key())
  expect_false(key()$key == key(version = "99.0")$key)
  now <- key()$key
  withr::with_options(list(contrasts = c("contr.sum", "contr.poly")), {
    expect_false(key()$key == now)
  })
  # a function of a package that is not part of R counts with the version of that package
  tokens <- function(f) {
    state <- new.env()
    state$tokens <- list()
    put_names(state, names_from_outside(body(f)), globalenv())
    unlist(state$tokens)
  }
  expect_contains <- function(x, value) expect_true(all(value %in% x))
  expect_contains(
    tokens(function(x) testthat::expect_true(x)),
    c("testthat", utils::packageDescription("testthat")$Version)
  )
  expect_null(tokens(function(x) stats::sd(1)))
  skip_if_not_installed("class")
  state <- new.env()
  put_value(state, learner_knn())
  expect_contains(
    unlist(state$tokens), c("class", utils::packageDescription("class")$Version)
  )
})
