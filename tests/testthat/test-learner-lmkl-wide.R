# lmkl() on more columns than rows.

wide <- function(n = 40, p = 90) {
  with_seed(1, {
    x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
    x[, 1:30] <- x[, 1:30] + 2 * rnorm(n)
    list(x = x, y = factor(ifelse(x[, 1] + x[, 31] + x[, 32] > 0, "a", "b")))
  })
}

test_that("the gating model sees two principal coordinates", {
  d <- wide()
  fit <- suppressWarnings(seeded(d$x, d$y))
  state <- fit$models[[1]]$state
  expect_identical(dim(state$rotation), c(90L, 2L))
  expect_identical(dim(state$parameters), c(3L, 3L))
  # those of prcomp(), with variance 1
  z <- scale(d$x) %*% state$rotation
  scores <- scale(stats::prcomp(d$x, scale. = TRUE)$x[, 1:2])
  expect_equal(abs(z), abs(scores), tolerance = 1e-8, ignore_attr = TRUE)
  expect_equal(unname(gating_weights(fit, d$x)), eta_of(state, scale(d$x)), tolerance = 1e-8)
  expect_equal(decide(fit, d$x), decide(fit), tolerance = 1e-8)
})

test_that("the rank can be chosen, and few columns stay as they are", {
  d <- wide()
  rotation <- function(x = d$x, ...) {
    fit <- suppressWarnings(seeded(x, d$y, restarts = 1, iterations = 2, ...))
    dim(fit$models[[1]]$state$rotation)
  }
  expect_null(rotation(gating_rank = 0))
  expect_identical(rotation(gating_rank = 5), c(90L, 5L))
  expect_identical(rotation(gating_rank = 60), c(90L, 39L))
  expect_null(rotation(preset = "paper"))
  expect_null(rotation(gating_on = 1:20))
  expect_identical(rotation(gating_on = 1:21), c(21L, 2L))
  expect_identical(rotation(d$x[, 1:8], gating_rank = 3), c(8L, 3L))
  expect_null(rotation(gating_on = ~1))
})

test_that("several classes, storage and plots work with principal coordinates", {
  d <- wide()
  y <- factor(rep_len(c("a", "b", "c"), 40))
  fit <- suppressWarnings(seeded(d$x, y, restarts = 1, iterations = 5))
  expect_named(gating_weights(fit, d$x[1:3, ]), colnames(decide(fit, d$x)))
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(decide(readRDS(file), d$x), decide(fit, d$x))
  withr::local_pdf(NULL)
  expect_silent(plot(fit))
  expect_silent(plot(fit, "path"))
  state <- fit$models[[1]]$state
  state$rotation <- state$rotation[-1, ]
  expect_mkl_error(
    multikernel:::gating_cpp(d$x, list(state = state)), argument = "state"
  )
})

# Mean accuracies of lmkl() and of the average kernel over ten divisions, two thirds for training
# or `n` rows; and the largest share of gates that are open to more than 0.999.
compare_wide <- function(x, y, n = round(2 * length(y) / 3)) {
  x <- unname(as.matrix(x))
  rowMeans(vapply(1:10, function(seed) {
    train <- with_seed(seed, sample(length(y), n))
    varies <- apply(x[train, ], 2, stats::sd) > 0
    right <- function(fit) mean(predict(fit, x[-train, varies]) == y[-train])
    fit <- suppressWarnings(seeded(x[train, varies], y[train], seed = seed))
    # of the cost that lmkl() has
    average <- mkl(x[train, varies], y[train], learner = learner_average(cost = 1),
                   kernels = fit$kernels)
    c(right(fit), right(average), mean(gating_weights(fit, x[train, varies]) > 0.999))
  }, numeric(3)))
}

test_that("gates do not saturate, and accuracy is near that of the average kernel", {
  skip_if(!nzchar(system.file(package = "caret"))) # its data are enough
  sets <- new.env()
  utils::data("dhfr", "cox2", "mdrr", package = "caret", envir = sets)
  found <- rbind(
    compare_wide(sets$dhfr[-1], sets$dhfr$Y, 60),
    compare_wide(sets$cox2Descr, sets$cox2Class, 60),
    compare_wide(sets$mdrrDescr, sets$mdrrClass, 60)
  )
  expect_lt(max(found[, 3]), 0.01)
  expect_gt(mean(found[, 1] - found[, 2]), -0.005)
})

test_that("on gene expression data it is no worse than the average kernel", {
  skip_on_cran()
  from <- c(Colon = "plsgenomics", leukemia = "plsgenomics", prostate = "spls")
  for (name in from) {
    skip_if(!nzchar(system.file(package = name)), paste("no data of", name))
  }
  sets <- new.env()
  for (name in names(from)) {
    do.call(utils::data, list(list = name, package = from[[name]], envir = sets))
  }
  for (set in list(
    list(sets$Colon$X, factor(sets$Colon$Y)), list(sets$leukemia$X, factor(sets$leukemia$Y)),
    list(sets$prostate$x, factor(sets$prostate$y))
  )) {
    found <- compare_wide(set[[1]], set[[2]])
    expect_gte(found[1], found[2])
    expect_lt(found[3], 0.01)
  }
})
