# Blocks in other processes: the same results for any number of them, lost workers, memory.

skip_on_cran()

many_rows <- function(n = 600) {
  set.seed(1)
  d <- data.frame(a = rnorm(n), b = rnorm(n))
  d$y <- factor(ifelse(d$a^2 + d$b^2 > 1.4, "out", "in"))
  d
}

fit_blocks_of <- function(blocks, loss = "squared_hinge") {
  set.seed(5)
  mkl(y ~ a + b, blocks, learner = learner_svm(cost = 2, loss = loss), approximate = nystrom(20))
}

with_workers <- function(workers, code) {
  old <- future::plan(future::multisession, workers = workers)
  on.exit(future::plan(old))
  force(code)
}

test_that("one process and two give the same fit, bit by bit", {
  skip_if_not_installed("future")
  d <- many_rows()
  folder <- withr::local_tempdir()
  files <- file.path(folder, c("a.csv", "b.csv"))
  write.csv(d[1:350, ], files[1], row.names = FALSE)
  write.csv(d[351:600, ], files[2], row.names = FALSE)
  blocks <- row_blocks(files, rows = 100)
  for (loss in c("squared_hinge", "hinge")) {
    here <- fit_blocks_of(blocks, loss)
    there <- with_workers(2, {
      fit <- fit_blocks_of(blocks, loss)
      expect_identical(predict(fit, blocks), predict(here, blocks))
      fit
    })
    expect_identical(here$models[[1]]$state, there$models[[1]]$state)
    expect_identical(here$approximation, there$approximation)
    expect_identical(here$blocks, there$blocks)
  }
})

test_that("the block of a worker that is killed is computed again", {
  skip_if_not_installed("future")
  skip_on_os("windows")
  d <- many_rows()
  folder <- withr::local_tempdir()
  main <- Sys.getpid()
  # The process that reads block 3 for the third time is killed, if it is a worker, once.
  read <- local({
    rows <- d
    owner <- main
    note <- file.path(folder, "reads")
    function(i) {
      if (i == 3 && Sys.getpid() != owner) {
        cat(".", file = note, append = TRUE)
        if (file.size(note) == 3) tools::pskill(Sys.getpid(), tools::SIGKILL)
      }
      rows[1:100 + 100 * (i - 1), ]
    }
  })
  blocks <- row_blocks(read, count = 6)
  here <- fit_blocks_of(blocks)
  there <- NULL
  with_workers(2, expect_warning(
    there <- fit_blocks_of(blocks), "computed again", class = "multikernel_worker_lost"
  ))
  expect_gt(file.size(file.path(folder, "reads")), 3)
  expect_identical(here$models[[1]]$state, there$models[[1]]$state)
})

test_that("a time limit ends a fit in blocks, here and in workers", {
  skip_if_not_installed("future")
  blocks <- row_blocks(local({
    rows <- many_rows()
    function(i) {
      Sys.sleep(0.2)
      rows
    }
  }), count = 10)
  limited <- function() {
    setTimeLimit(elapsed = 1, transient = TRUE)
    on.exit(setTimeLimit())
    fit_blocks_of(blocks)
  }
  expect_error(limited(), "time limit")
  with_workers(2, expect_error(limited(), "time limit"))
})

test_that("errors of workers keep their class", {
  skip_if_not_installed("future")
  d <- many_rows()
  blocks <- row_blocks(local({
    rows <- d
    function(i) if (i == 2) transform(rows, a = "text") else rows
  }), count = 2)
  with_workers(2, expect_error(fit_blocks_of(blocks), "block 2.*`a`",
                               class = "multikernel_data_error"))
})

# Bytes of what a task returns.
block_pass_size <- function(blocks, fit) {
  plan <- list(
    blueprint = fit$frame, classes = fit$blocks$classes, na_action = "omit",
    response = list(task = "classification", values = fit$classes), factors = 1,
    control = core_control(mkl_control()),
    map = list(
      landmarks = fit$train, kernels = core_items(fit$kernels), normalizers = fit$normalizers,
      back = list(diag(20)), count = 0, seed = 1
    )
  )
  block <- blocks$blocks[[2L]]
  task <- list(number = 2, block = block, checksum = block_checksum(read_block(block)))
  problem <- list(positive = 1, negative = 0, loss = "squared_hinge", cost = 1, epsilon = 0)
  request <- list(w = numeric(21), direction = numeric(), steps = 0, sigma = 1, advance = 0)
  as.numeric(object.size(
    block_pass(task, plan, list(problem), 1L, list(request), FALSE, FALSE)
  ))
}

test_that("tasks and fits hold no more than a block and the sums", {
  n <- 20000
  file <- withr::local_tempfile(fileext = ".csv")
  d <- many_rows(n)
  write.csv(d, file, row.names = FALSE)
  blocks <- row_blocks(file, rows = 1000)
  expect_lt(object.size(blocks), 60000)
  fit <- fit_blocks_of(blocks)
  expect_lt(object.size(fit), 250000)
  # what the driver keeps between passes: the sample and a line for each block
  head <- blocks_head(y ~ a + b, blocks$blocks, 50)
  survey <- survey_blocks(blocks$blocks, head, new_settings(list()), list(), 500, 1)
  expect_lt(object.size(survey), object.size(d) / 4)
  expect_identical(nrow(survey$sample$data), 500L)
  out <- block_pass_size(blocks, fit)
  expect_lt(out, 30 * 8 * 21^2)
})
