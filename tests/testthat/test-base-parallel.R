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
  old <- options(progressr.enable = TRUE, multikernel.progress = NULL)
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
  expect_false(grepl("Within", text))
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

# All that goes through plans, without what depends on the clock and the process.
work <- function() {
  d <- two_class(40)
  timeless <- function(results) results[setdiff(names(results), "fit_time")]
  set.seed(11)
  tasks <- map_tasks(1:5, worker_report, d = d)
  cv <- cv_mkl(d$x, d$y, learner = learner_mkboost(trials = 5), folds = 3, predictions = TRUE)
  # one split and three chains of points: divided among workers
  tuned <- tune_mkl(d$x, d$y, learner = learner_average(), resamples = resample_holdout(0.5, 1),
                    grid = list(cost = c(0.1, 1, 10), epsilon = c(0.1, 0.2, 0.3)))
  nested <- tune_mkl(d$x, d$y, learner = learner_easymkl(), folds = 2, outer = resample_cv(2),
                     grid = list(lambda = tune_range(0.01, 0.9)), search = "halving", n = 4)
  # pairs of classes, blocks of kernels, cells of a benchmark
  pairs <- mkl(Species ~ ., three_class(60), learner = learner_simplemkl(), probability = TRUE)
  blocks <- easymkl(d$x, d$y, kernels = kernel_rbf_bags(600, 2, seed = 1))
  bench <- benchmark_mkl(class ~ ., list(d = d$data), list(learner_svm(), learner_random()),
                         resamples = resample_cv(2))
  list(
    reports = tasks, results = list(
      lapply(tasks, function(one) one[c("seed", "draw", "decision")]), cv$predictions,
      timeless(cv$results), timeless(tuned$results), tuned$best, timeless(nested$results),
      timeless(nested$outer$results), kernel_weights(pairs), predict(pairs, iris, type = "prob"),
      kernel_weights(blocks), predict(blocks, type = "decision"), bench$results, stats::runif(1)
    )
  )
}
here <- work()

expect_same_work <- function() {
  there <- work()
  expect_identical(there$results, here$results)
  expect_true(all(vapply(there$reports, `[[`, 0, "threads") == 1))
  expect_false(Sys.getpid() %in% vapply(there$reports, `[[`, 1L, "pid"))
}

test_that("results are the same in worker processes, which have one thread each", {
  skip_unless_installed()
  skip_if_not_installed("future")
  expect_identical(here$reports[[1]]$threads, 4)
  under(future::multisession, workers = 2, code = expect_same_work())
})

test_that("the same on a cluster of this machine; variables and errors travel", {
  skip_unless_installed()
  skip_if_not_installed("future")
  under(future::cluster, workers = c("localhost", "localhost"), code = {
    expect_same_work()
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

# Daemons that connect to this process through the loopback interface.
over_tcp <- function(count, code) {
  mirai::daemons(url = mirai::local_url(tcp = TRUE))
  on.exit(mirai::daemons(0))
  invisible(mirai::launch_local(count))
  deadline <- Sys.time() + 20
  while (mirai::status()$connections < count && Sys.time() < deadline) Sys.sleep(0.05)
  under(future.mirai::mirai_cluster, code = code)
}

test_that("the same over mirai", {
  skip_unless_installed()
  skip_if_not_installed("future.mirai")
  over_tcp(2, expect_same_work())
})

# Ends a worker in the middle of a cross-validation; `under_plan(code)` runs code in workers.
expect_survival <- function(under_plan, once = tempfile()) {
  d <- two_class(40)
  on.exit(unlink(once))
  # the first to come to the third fold ends its own process, as the system would do when memory
  # runs out
  fragile <- function(truth, estimate) {
    if (length(truth) == 7 && !file.exists(once)) {
      file.create(once)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
      Sys.sleep(5)
    }
    mean(truth == estimate)
  }
  run <- function() {
    set.seed(2)
    cv_mkl(d$x, d$y, learner = learner_mkboost(trials = 5), metrics = list(fragile = fragile),
           folds = rep(1:5, c(8, 8, 7, 8, 9)))$results$fragile
  }
  file.create(once)
  here <- run()
  unlink(once)
  under_plan(expect_warning(there <- run(), class = "multikernel_worker_lost"))
  expect_true(file.exists(once))
  expect_identical(there, here)
}

test_that("a worker that is killed costs nothing but time", {
  skip_unless_installed()
  skip_on_os("windows")
  skip_if_not_installed("future")
  expect_survival(function(code) under(future::multisession, workers = 2, code = code))
  expect_survival(function(code) under(future::cluster, workers = rep("localhost", 2), code = code))
})

test_that("the same over mirai, as long as a daemon is left", {
  skip_unless_installed()
  skip_on_os("windows")
  skip_if_not_installed("future.mirai")
  expect_survival(function(code) over_tcp(2, code))
})

# Another function in the place of one of the package until the calling test ends.
replace_inside <- function(name, by, frame = parent.frame()) {
  inside <- environment(map_tasks)
  old <- get(name, inside)
  set <- function(value) {
    unlockBinding(name, inside)
    assign(name, value, inside)
    lockBinding(name, inside)
  }
  withr::defer(set(old), frame)
  set(by)
}

test_that("a loss that shows while the next chunk starts is one like the others", {
  skip_unless_installed()
  skip_on_os("windows")
  skip_if_not_installed("future.mirai")
  once <- tempfile()
  wait <- wait_for_one
  late <- FALSE
  # The third fold takes its daemon down; the loop hears of it only after another chunk was ready
  # and its successor has been started.
  replace_inside("wait_for_one", function(running) {
    if (late || !"3" %in% names(running)) return(wait(running))
    deadline <- Sys.time() + 20
    gone <- function() file.exists(once) && mirai::status()$connections == 1
    while (!gone() && Sys.time() < deadline) Sys.sleep(0.01)
    late <<- gone()
    wait(running[setdiff(names(running), "3")])
  })
  expect_survival(function(code) over_tcp(2, code), once)
  expect_true(late)
})

test_that("when the last daemon is lost there is an error, not a wait without end", {
  skip_unless_installed()
  skip_on_os("windows")
  skip_if_not_installed("future.mirai")
  deadly <- function(task) tools::pskill(Sys.getpid(), tools::SIGKILL)
  over_tcp(1, suppressWarnings(expect_mkl_error(
    map_tasks(1:3, deadly), "three times", "plan", class = "multikernel_worker_error"
  )))
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
