# One way to run tasks, here and in other processes.

map_tasks <- multikernel:::map_tasks

draw <- function(task, shift) c(task, shift, stats::runif(2), stats::rnorm(1), sample(9, 2))

test_that("tasks are mapped in their order, under their names", {
  expect_identical(map_tasks(list(a = 1, b = 2), function(task, k) task * k, k = 10),
                   list(a = 10, b = 20))
  expect_identical(map_tasks(list(), identity), list())
  expect_identical(map_tasks(1:3, function(task) NULL), list(NULL, NULL, NULL))
  expect_identical(map_tasks(letters[1:4], identity, reduce = paste0), "abcd")
})

test_that("each task has random numbers of its own, from those of the caller", {
  set.seed(1)
  first <- map_tasks(1:4, draw, shift = 1)
  after <- stats::runif(1)
  set.seed(1)
  expect_identical(map_tasks(1:4, draw, shift = 1), first)
  expect_identical(stats::runif(1), after)
  expect_length(unique(vapply(first, `[`, 0, 3)), 4L)
  # a task does not see how much the one before has drawn
  set.seed(1)
  greedy <- map_tasks(1:4, function(task, shift) {
    out <- draw(task, shift)
    stats::runif(100 * task)
    out
  }, shift = 1)
  expect_identical(greedy, first)
  # nor does the kind of generator matter within, and it is put back
  old <- RNGkind("Wichmann-Hill", "Box-Muller", "Rejection")
  on.exit(do.call(RNGkind, as.list(old)))
  expect_length(map_tasks(1:2, draw, shift = 0), 2L)
  expect_identical(RNGkind(), c("Wichmann-Hill", "Box-Muller", "Rejection"))
})

test_that("without seeds the generator is not touched", {
  set.seed(3)
  before <- .Random.seed
  map_tasks(1:3, identity, seed = FALSE)
  expect_identical(.Random.seed, before)
})

test_that("an error of a task comes out as it was thrown", {
  expect_error(map_tasks(1:3, function(task) {
    if (task == 2) multikernel:::stop_mkl("argument_error", "cost", "No such cost.")
    task
  }), "No such cost", class = "multikernel_argument_error")
  # and leaves the generator as after the draw of the seeds
  set.seed(5)
  sample.int(.Machine$integer.max, 2)
  expected <- stats::runif(1)
  set.seed(5)
  try(map_tasks(1:2, function(task) stop("oh")), silent = TRUE)
  expect_identical(stats::runif(1), expected)
})

test_that("progress is signalled to whoever listens, and to nobody else", {
  skip_if_not_installed("progressr")
  old <- options(progressr.enable = TRUE)
  on.exit(options(old))
  count <- function(label) {
    steps <- 0
    withCallingHandlers(
      map_tasks(1:5, identity, label = label),
      progression = function(p) {
        if (identical(p$type, "update")) steps <<- steps + p$amount
        tryInvokeRestart("muffleProgression")
      }
    )
    steps
  }
  expect_identical(count("Fitting"), 5)
  expect_identical(count(NULL), 0)
  options(multikernel.progress = FALSE)
  expect_identical(count("Fitting"), 0)
})

test_that("a bar appears on request only, and never for tasks within tasks", {
  skip_if_not_installed("progressr")
  skip_if_not_installed("cli")
  old <- options(multikernel.progress = NULL, cli.dynamic = TRUE, cli.num_colors = 1L)
  on.exit(options(old))
  bar <- function() {
    utils::capture.output(invisible(map_tasks(1:3, function(task) {
      map_tasks(1:3, identity, label = "Within")
      Sys.sleep(0.02)
    }, label = "Around")), type = "message")
  }
  expect_identical(bar(), character())
  options(multikernel.progress = TRUE)
  text <- paste(bar(), collapse = "")
  expect_match(text, "Around")
  expect_no_match(text, "Within")
})

# Processes --------------------------------------------------------------------------------------

under <- function(strategy, ..., code) {
  old <- future::plan(strategy, ...)
  on.exit(future::plan(old))
  force(code)
}

worker_report <- function(task, d) {
  fit <- mkl(d$x, d$y, kernels = kernel_rbf(c(1, 2)), learner = learner_random(),
             control = mkl_control(threads = 4))
  list(seed = fit$seed, draw = stats::runif(1), decision = predict(fit, type = "decision"),
       threads = multikernel:::core_control(mkl_control(threads = 4))$threads,
       pid = Sys.getpid())
}

plain <- function(out) lapply(out, function(one) one[c("seed", "draw", "decision")])

test_that("results are the same under every plan, and workers have one thread", {
  skip_unless_installed()
  skip_if_not_installed("future")
  d <- two_class(40)
  run <- function() {
    set.seed(11)
    map_tasks(1:5, worker_report, d = d)
  }
  here <- run()
  expect_identical(here[[1]]$threads, 4)
  check <- function(out) {
    expect_identical(plain(out), plain(here))
    expect_true(all(vapply(out, `[[`, 0, "threads") == 1))
    expect_false(Sys.getpid() %in% vapply(out, `[[`, 1L, "pid"))
  }
  under(future::multisession, workers = 2, code = check(run()))
  under(future::cluster, workers = c("localhost", "localhost"), code = {
    check(run())
    expect_identical(map_tasks(letters[1:5], identity, reduce = paste0, chunk = 1), "abcde")
    # variables and packages that functions of the user need go along
    workspace <- globalenv()
    workspace$mkl_test_shift <- 5
    on.exit(rm("mkl_test_shift", envir = workspace))
    add <- function(task) task + mkl_test_shift
    environment(add) <- workspace
    expect_identical(map_tasks(1:2, add), list(6, 7))
    # classed errors come back whole
    error <- expect_error(
      map_tasks(1:2, function(task) multikernel::kernel_rbf(-1)),
      class = "multikernel_argument_error"
    )
    expect_identical(error$argument, "sigma")
  })
})

test_that("the same over mirai", {
  skip_unless_installed()
  skip_if_not_installed("future.mirai")
  d <- two_class(40)
  run <- function() {
    set.seed(11)
    map_tasks(1:5, worker_report, d = d)
  }
  here <- run()
  mirai::daemons(url = mirai::local_url(tcp = TRUE))
  on.exit(mirai::daemons(0))
  invisible(mirai::launch_local(2))
  deadline <- Sys.time() + 20
  while (mirai::status()$connections < 2 && Sys.time() < deadline) Sys.sleep(0.05)
  under(future.mirai::mirai_cluster, code = {
    out <- run()
    expect_identical(plain(out), plain(here))
    expect_false(Sys.getpid() %in% vapply(out, `[[`, 1L, "pid"))
  })
})

test_that("a worker that is killed costs nothing but time", {
  skip_unless_installed()
  skip_on_os("windows")
  skip_if_not_installed("future")
  once <- tempfile()
  on.exit(unlink(once))
  # the first to come to task 3 ends its own process, as the system would when memory runs out
  fragile <- function(task, once) {
    if (task == 3 && !file.exists(once)) {
      file.create(once)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
      Sys.sleep(5)
    }
    c(task, stats::runif(1))
  }
  set.seed(2)
  file.create(once)
  here <- map_tasks(1:6, fragile, once = once)
  unlink(once)
  under(future::multisession, workers = 2, code = {
    set.seed(2)
    expect_warning(there <- map_tasks(1:6, fragile, once = once),
                   class = "multikernel_worker_lost")
  })
  expect_true(file.exists(once))
  expect_identical(there, here)
})

test_that("a task that always kills its worker is an error that says so", {
  skip_unless_installed()
  skip_on_os("windows")
  skip_if_not_installed("future")
  deadly <- function(task) {
    if (task == 2) tools::pskill(Sys.getpid(), tools::SIGKILL)
    task
  }
  under(future::multisession, workers = 2, code = {
    error <- suppressWarnings(expect_error(
      map_tasks(1:3, deadly), class = "multikernel_worker_error"
    ))
    expect_match(conditionMessage(error), "task 2 of 3, three times")
  })
})
