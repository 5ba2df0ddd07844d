# From what a user writes to points.

make_points <- multikernel:::make_points

test_that("a list spans all combinations, the first parameter fastest", {
  out <- make_points(list(cost = c(1, 10, 100), epsilon = c(0.1, 0.2)), learner_svm(), NULL, "grid",
                     NULL)
  expect_identical(out$table, data.frame(cost = rep(c(1, 10, 100), 2),
                                         epsilon = rep(c(0.1, 0.2), each = 3)))
  costs <- vapply(out$points, function(point) point$learner$parameters$cost, 0)
  expect_identical(costs, out$table$cost)
  expect_identical(vapply(out$points, `[[`, 1L, "chain"), rep(1:2, each = 3))
})

test_that("a data frame is taken row by row", {
  grid <- data.frame(lambda = c(0.5, 0.1), norm = c("sum", "two"))
  out <- make_points(grid, learner_easymkl(), NULL, "grid", NULL)
  expect_identical(out$table, grid)
  expect_identical(out$points[[1]]$learner, learner_easymkl(0.5, "sum"))
})

test_that("other parameters of the learner stay", {
  learner <- learner_mkboost("S2", trials = 7, sampling = 0.3)
  out <- make_points(list(cost = c(2, 3)), learner, NULL, "grid", NULL)
  expect_identical(out$points[[2]]$learner, learner_mkboost("S2", 7, 0.3, cost = 3))
  learner <- learner_lb_svm(beta = 3)
  out <- make_points(list(cost = 5), learner, NULL, "grid", NULL)
  expect_identical(out$points[[1]]$learner, learner_lb_svm(beta = 3, cost = 5))
})

test_that("every learner can be made again from its parameters", {
  exports <- grep("^learner_", getNamespaceExports("multikernel"), value = TRUE)
  for (name in exports) {
    learner <- getExportedValue("multikernel", name)()
    expect_identical(learner$constructor, getExportedValue("multikernel", name))
    # learner_lmkl() and others may turn a value into another, but not twice
    again <- multikernel:::change_learner(learner, learner$parameters[1])
    expect_identical(again, learner)
  }
})

test_that("path parameters follow each other in order, wherever they stand", {
  grid <- data.frame(cost = c(10, 1, 5, 2), epsilon = c(0.1, 0.2, 0.1, 0.1))
  out <- make_points(grid, learner_svm(), NULL, "grid", NULL)
  expect_identical(vapply(out$points, `[[`, 1L, "chain"), c(1L, 2L, 1L, 1L))
  place <- vapply(out$points, `[[`, 1L, "place")
  expect_identical(grid$cost[order(place)], c(2, 5, 10, 1))
})

test_that("kernels are tuned as sets and by a function", {
  sets <- list(narrow = kernel_rbf(1), both = c(kernel_rbf(1), kernel_linear()))
  out <- make_points(list(kernels = sets, cost = 1:2), learner_svm(), NULL, "grid", NULL)
  expect_identical(out$table$kernels, rep(c("narrow", "both"), 2))
  expect_identical(out$points[[2]]$arguments$kernels, sets$both)
  expect_identical(vapply(out$points, `[[`, 1L, "chain"), c(1L, 2L, 1L, 2L))
  plain <- make_points(list(kernels = unname(sets)), learner_svm(), NULL, "grid", NULL)
  expect_identical(plain$table$kernels, c("rbf(sigma=1)", "rbf(sigma=1) + linear"))
  maker <- function(sigma, degree = 2) c(kernel_rbf(sigma), kernel_polynomial(degree))
  made <- make_points(list(sigma = c(1, 4), cost = 1), learner_average(), maker, "grid", NULL)
  expect_identical(made$table, data.frame(sigma = c(1, 4), cost = 1))
  expect_identical(made$points[[2]]$arguments$kernels, maker(4))
  expect_identical(made$points[[2]]$learner, learner_average(1))
  other <- make_points(list(normalize = list("none", c("center", "trace")), scale = c(TRUE, FALSE)),
                       learner_svm(), NULL, "grid", NULL)
  expect_identical(other$points[[4]]$arguments,
                   list(normalize = c("center", "trace"), scale = FALSE))
  expect_identical(other$table$normalize[2], "center, trace")
})

test_that("random points come from the grid, without repetition", {
  set.seed(1)
  out <- make_points(list(cost = 1:5, epsilon = 1:5), learner_svm(), NULL, "random", 10)
  expect_identical(nrow(out$table), 10L)
  expect_false(anyDuplicated(out$table) > 0)
  all <- make_points(list(cost = 1:5), learner_svm(), NULL, "random", 10)
  expect_identical(all$table$cost, 1:5)
  rows <- make_points(data.frame(cost = 1:30), learner_svm(), NULL, "random", 4)
  expect_identical(nrow(rows$table), 4L)
})

test_that("ranges and functions are drawn from", {
  set.seed(2)
  grid <- list(
    cost = tune_range(1e-2, 1e2), epsilon = tune_range(0, 0.5, log = FALSE),
    nu = function(n) stats::runif(n, 0.1, 0.2)
  )
  table <- make_points(grid, learner_svm(), NULL, "random", 500)$table
  # the middle of each scale halves the draws
  expect_lt(abs(mean(table$cost < 1) - 0.5), 0.08)
  expect_lt(abs(mean(table$epsilon < 0.25) - 0.5), 0.08)
  expect_true(all(table$cost >= 1e-2 & table$cost <= 1e2))
  expect_true(all(table$nu > 0.1 & table$nu < 0.2))
  expect_identical(nrow(make_points(grid, learner_svm(), NULL, "halving", NULL)$table), 27L)
  fixed <- make_points(list(cost = tune_range(1, 16, levels = 5)), learner_svm(), NULL, "grid",
                       NULL)
  expect_equal(fixed$table$cost, c(1, 2, 4, 8, 16))
  whole <- multikernel:::range_values(tune_range(1, 9, whole = TRUE), c(0, 0.5, 1))
  expect_identical(whole, c(1, 3, 9))
})

test_that("paper grids fit their learners", {
  exports <- sub("learner_", "", grep("^learner_", getNamespaceExports("multikernel"),
                                      value = TRUE))
  for (name in exports) {
    grid <- paper_grid(name)
    learner <- getExportedValue("multikernel", paste0("learner_", name))()
    expect_identical(paper_grid(learner), grid)
    expect_s3_class(make_points(grid, learner, NULL, "grid", NULL)$points[[1]]$learner,
                    "mkl_learner")
  }
  expect_equal(paper_grid("multik_mhks"), list(c = 2^(-4:4), lambda = 2^(-4:4)))
})

test_that("bad grids are refused in words", {
  # the names in the message are those of all learners, too many for a snapshot
  expect_mkl_error(paper_grid("mkbost"), "Did you mean \"mkboost\"", "learner")
  expect_snapshot({
    print(tune_range(0.1, 10))
  })
  points <- function(grid, maker = NULL, search = "grid", n = NULL, learner = learner_svm()) {
    make_points(grid, learner, maker, search, n)
  }
  expect_snapshot(error = TRUE, {
    points(5)
    points(list())
    points(list(1:3))
    points(list(costs = 1:3))
    points(list(cost = 1, cost = 2))
    points(list(cost = numeric()))
    points(list(cost = c(1, -1)))
    points(list(cost = function(n) 1))
    points(list(cost = function(n) 1), search = "random", n = 3)
    points(list(cost = 1), search = "random", n = 0)
    points(list(cost = 1), maker = function(sigma) kernel_rbf(sigma))
    points(list(sigma = 1, cots = 1), maker = function(sigma) kernel_rbf(sigma))
    points(list(sigma = 1), maker = function(sigma) sigma)
    points(list(sigma = 1), maker = function(sigma) stop("no kernels today"))
    points(list(cost = function(n) stop("no numbers today")), search = "random", n = 3)
    points(list(kernels = list(1)))
    tune_range(0, 1)
    tune_range(2, 1)
    paper_grid(learner_svm)
    paper_grid(1)
  })
})

test_that("a function that makes kernels may have dots", {
  maker <- function(sigma, ...) kernel_rbf(sigma, ...)
  out <- make_points(list(sigma = c(1, 4)), learner_svm(), maker, "grid", NULL)
  expect_identical(out$points[[2]]$arguments$kernels, kernel_rbf(4))
  expect_mkl_error(
    make_points(list(sigma = 1, ... = 2), learner_svm(), maker, "grid", NULL), "no parameter"
  )
})

test_that("factors are read as text", {
  grid <- expand.grid(norm = c("sum", "two"), lambda = c(0.1, 0.5), stringsAsFactors = TRUE)
  out <- make_points(grid, learner_easymkl(), NULL, "grid", NULL)
  expect_identical(out$points[[1]]$learner, learner_easymkl(0.1, "sum"))
  expect_identical(out$table$norm, as.character(grid$norm))
  out <- make_points(list(norm = grid$norm[1:2]), learner_easymkl(), NULL, "grid", NULL)
  expect_identical(out$points[[2]]$learner, learner_easymkl(norm = "two"))
})
