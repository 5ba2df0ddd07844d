# Workers of other processes, after this one has used threads of its own.

d <- hard_rows(200, 4)

work <- function(seed) {
  set.seed(seed)
  fit <- mkl(d$x, d$y, kernels = kernel_rbf(c(1, 2)), learner = learner_average(3),
             probability = TRUE, control = mkl_control(threads = 2))
  list(predict(fit, d$x[1:50, ], type = "prob"), kernel_matrix(
    kernel_rbf(1), d$x, control = mkl_control(threads = 2)
  ))
}

test_that("forked workers with threads, of a parent with threads, neither hang nor differ", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("parallel")
  expected <- lapply(1:4, work)
  jobs <- lapply(1:4, function(i) parallel::mcparallel(work(i), mc.set.seed = FALSE))
  out <- list()
  waiting <- function() Filter(function(job) !as.character(job$pid) %in% names(out), jobs)
  # only those that have not been collected: other pids may be somebody else's by now
  on.exit(for (job in waiting()) tools::pskill(job$pid, tools::SIGKILL))
  deadline <- Sys.time() + 30
  while (length(waiting()) && Sys.time() < deadline) {
    found <- parallel::mccollect(waiting(), wait = FALSE, timeout = 1)
    out <- c(out, Filter(Negate(is.null), found))
  }
  expect_length(out, 4L)
  if (length(waiting())) return() # workers that hang would hang below for ever
  expect_identical(unname(out[order(names(out))]),
                   expected[order(vapply(jobs, function(job) as.character(job$pid), ""))])
  # a fork of a fork, and the parent afterwards
  nested <- parallel::mclapply(1:2, function(i) {
    parallel::mclapply(1:2, work, mc.cores = 2, mc.set.seed = FALSE)
  }, mc.cores = 2, mc.set.seed = FALSE)
  expect_identical(nested, list(expected[1:2], expected[1:2]))
  expect_identical(work(1), expected[[1]])
})

test_that("workers of a socket cluster give the same", {
  skip_unless_installed()
  skip_if_not_installed("parallel")
  expected <- lapply(1:3, work)
  cluster <- tryCatch(parallel::makePSOCKcluster(2, setup_timeout = 30), error = function(e) NULL)
  skip_if(is.null(cluster), "no sockets here")
  on.exit(parallel::stopCluster(cluster))
  paths <- c(dirname(find.package("multikernel")), .libPaths())
  parallel::clusterCall(cluster, function(paths) {
    .libPaths(paths)
    library(multikernel)
    NULL
  }, paths)
  data <- d
  worker <- work
  environment(worker) <- list2env(list(d = data), parent = globalenv())
  expect_identical(parallel::parLapply(cluster, 1:3, worker), expected)
  # a fit made there predicts here
  fit <- parallel::clusterCall(cluster, function(d) mkl(d$x, d$y), data)[[1]]
  expect_identical(predict(fit, d$x, type = "decision"),
                   predict(mkl(d$x, d$y), d$x, type = "decision"))
})
