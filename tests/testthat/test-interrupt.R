# Ctrl-C: a second process computes, gets SIGINT, and must be back in R within a second, able
# to go on. It ends itself after a minute, whatever happens.

skip_on_os("windows")
skip_unless_installed()

# `job` must take long; it is interrupted `after` seconds into it.
expect_interruptible <- function(setup, job, after = 0.7) {
  child <- start_child(c(
    setup,
    "say('ready', Sys.getpid())",
    "outcome <- tryCatch({", job, "'finished'", "}, interrupt = function(e) 'interrupted',",
    "error = function(e) paste('error:', conditionMessage(e)))",
    "say('outcome', outcome)",
    "fit <- mkl(iris[51:150, 1:4], droplevels(iris[51:150, 5]),",
    "           control = mkl_control(threads = 2))",
    "say('after', mean(as.character(predict(fit)) == iris[51:150, 5]) > 0.9)"
  ))
  ready <- await(child, "ready", 20)
  pid <- suppressWarnings(as.integer(sub("ready ([0-9]+).*", "\\1", ready[1])))
  on.exit({
    # a child that has said its last word ends by itself
    if (!is.na(pid) && length(read_log(child)) < 3L) tools::pskill(pid, tools::SIGKILL)
    unlink(c(child$log, child$script))
  })
  expect_false(is.na(pid), label = "child did not start")
  if (is.na(pid)) return(invisible())
  Sys.sleep(after)
  expect_length(read_log(child), 1L) # still at work
  sent <- Sys.time()
  tools::pskill(pid, tools::SIGINT)
  lines <- await(child, "outcome", 10)
  waited <- as.numeric(difftime(Sys.time(), sent, units = "secs"))
  expect_identical(trimws(lines[2]), "outcome interrupted")
  expect_lt(waited, 1)
  lines <- await(child, "after", 10)
  expect_identical(trimws(lines[3]), "after TRUE")
}

data <- function(n, p) {
  c(
    "set.seed(1)", sprintf("x <- matrix(rnorm(%d * %d), %d)", n, p, n),
    sprintf("y <- factor(ifelse(rnorm(%d) > 0, 'a', 'b'))", n)
  )
}

for (threads in 1:2) {
  test_that(paste("the Gram matrix of a fit,", threads, "threads"), {
    expect_interruptible(data(6000, 300), sprintf(
      "mkl(x, y, kernels = kernel_anova(1), control = mkl_control(threads = %d))", threads
    ))
  })

  test_that(paste("the solver, with contradictory labels and a high cost,", threads, "threads"), {
    expect_interruptible(data(3000, 10), sprintf(paste(
      "mkl(x, y, kernels = kernel_rbf(4), learner = learner_svm(1e4),",
      "control = mkl_control(tol = 1e-9, threads = %d))"
    ), threads), after = 1.2)
  })

  test_that(paste("kernel_matrix(),", threads, "threads"), {
    expect_interruptible(data(6000, 300), sprintf(
      "kernel_matrix(kernel_anova(1), x, control = mkl_control(threads = %d))", threads
    ))
  })

  test_that(paste("class pairs at the same time,", threads, "threads"), {
    expect_interruptible(c(data(3000, 10), "y <- factor(sample(letters[1:4], 3000, TRUE))"),
      sprintf(paste(
        "mkl(x, y, kernels = kernel_rbf(4), learner = learner_svm(1e4),",
        "control = mkl_control(tol = 1e-9, threads = %d))"
      ), threads), after = 1.2)
  })
}

test_that("rows computed on demand, each of them slow", {
  expect_interruptible(data(6000, 200), paste(
    "mkl(x, y, kernels = kernel_anova(2^seq(-3, 3, length.out = 30)), learner = learner_average(),",
    "scale = FALSE, control = mkl_control(memory = '5MB'))"
  ), after = 1.5)
})

test_that("many kernels, streamed and predicted", {
  expect_interruptible(data(2000, 10), paste(
    "mkl(x, y, kernels = kernel_rbf_bags(1e5, 10, seed = 1), learner = learner_average())"
  ))
  expect_interruptible(c(
    data(2000, 10),
    "fit <- mkl(x[1:300, ], y[1:300], kernels = kernel_rbf_bags(3e3, 10, seed = 1),",
    "           learner = learner_average())"
  ), "predict(fit, x[rep(1:2000, 100), ])")
})

test_that("centred kernels of many rows, and a rule for the width", {
  expect_interruptible(data(12000, 100), "mkl(x, y, normalize = 'center', scale = FALSE)")
  expect_interruptible(data(12000, 300), "mkl(x, y, kernels = kernel_rbf('nearest'))")
})

test_that("the choice of the best kernel and probabilities", {
  expect_interruptible(data(2000, 10), paste(
    "mkl(x, y, kernels = kernel_rbf(2^(-6:7)), learner = learner_best(1e3), probability = TRUE,",
    "control = mkl_control(threads = 2))"
  ), after = 1)
})

test_that("the learners of the papers", {
  expect_interruptible(data(1500, 10), "mkboost(x, y, trials = 1e6)")
  expect_interruptible(
    data(1500, 10), "easymkl(x, y, kernels = kernel_rbf_bags(1e6, 10, seed = 1))"
  )
  expect_interruptible(data(1500, 10), "lmkl(x, y, iterations = 1e6, tolerance = 0)", after = 1)
})

for (threads in 1:2) {
  test_that(paste("products and eigenvectors of large matrices,", threads, "threads"), {
    # seconds in a single product or decomposition; the second half of the time is for them
    expect_interruptible(data(4000, 5), sprintf(
      "lb_svm(x, y, kernels = kernel_linear(), control = mkl_control(threads = %d))", threads
    ), after = 1.5)
    expect_interruptible(data(2500, 10), sprintf(
      "multik_mhks(x, y, control = mkl_control(threads = %d))", threads
    ), after = 2)
  })
}

sequences <- function(n, length) {
  sprintf(paste(
    "set.seed(1); s <- replicate(%d, paste(sample(strsplit('ACDEFGHIKLMNPQRSTVWY', '')[[1]], %d,",
    "TRUE), collapse = '')); y <- factor(rep(c('a', 'b'), length.out = %d))"
  ), n, length, n)
}

for (threads in 1:2) {
  control <- sprintf("control = mkl_control(threads = %d)", threads)

  test_that(paste("kernels of sequences,", threads, "threads"), {
    expect_interruptible(sequences(300, 300), paste0(
      "easymkl(views(s = s), y, kernels = kernel_mismatch(4, 2, 'protein'), ", control, ")"
    ))
    expect_interruptible(sequences(2000, 300), paste0(
      "kernel_matrix(kernel_gappy(4, 8), s, ", control, ")"
    ))
    expect_interruptible(sequences(3000, 300), paste0(
      "kernel_matrix(kernel_weighted_degree(20, 10), s, ", control, ")"
    ), after = 1)
  })

  test_that(paste("kernels of series, graphs and tables,", threads, "threads"), {
    expect_interruptible("x <- lapply(1:400, function(i) sin(i + 1:300))", paste0(
      "kernel_matrix(kernel_alignment(1), x, ", control, ")"
    ))
    expect_interruptible("g <- rep(list(list(adjacency = 1 - diag(150))), 200)", paste0(
      "kernel_matrix(kernel_subtree(1000), g, ", control, ")"
    ))
    expect_interruptible("x <- matrix(rep_len(1:7, 9000 * 400), 9000)", paste0(
      "kernel_matrix(kernel_clinical(), x, ", control, ")"
    ))
  })
}

test_that("the kernel between all nodes of a graph", {
  expect_interruptible(
    "a <- 1 * (outer(1:3000, 1:3000, `*`) %% 97 == 1); rownames(a) <- paste0('n', 1:3000)",
    "kernel_diffusion(a)"
  )
})
