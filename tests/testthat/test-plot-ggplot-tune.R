skip_if_not_installed("ggplot2")

layers <- function(plot) ggplot2::ggplot_build(plot)$data

tuned <- local({
  memory <- new.env()
  function(kind) {
    if (!is.null(memory[[kind]])) return(memory[[kind]])
    set.seed(1)
    d <- two_class()$data
    width <- function(sigma) kernel_rbf(sigma)
    memory[[kind]] <- switch(kind,
      one = tune_mkl(class ~ ., d, grid = list(cost = 10^(-1:2)), folds = 3),
      two = tune_mkl(class ~ ., d, kernels = width, folds = 3,
                     grid = list(sigma = 2^(-2:3), cost = 10^(0:2))),
      mixed = tune_mkl(class ~ ., d, learner = learner_average(), folds = 3, grid = list(
        kernels = list(line = kernel_linear(), both = c(kernel_linear(), kernel_rbf(1))),
        cost = c(1, 10)
      )),
      random = tune_mkl(class ~ ., d, kernels = width, folds = 3, search = "random", n = 8,
                        grid = list(sigma = tune_range(0.5, 8), cost = tune_range(0.1, 100))),
      halving = tune_mkl(class ~ ., two_class(200)$data, folds = 2, search = "halving", n = 6,
                         grid = list(cost = tune_range(0.01, 100)), eta = 2)
    )
    memory[[kind]]
  }
})

test_that("a curve shows the means, their errors and the best point", {
  x <- tuned("one")
  parts <- layers(autoplot(x))
  expect_equal(10^parts[[2]]$x, x$summary$cost)
  expect_equal(parts[[2]]$y, x$summary$accuracy)
  expect_equal(parts[[1]]$ymax - parts[[1]]$ymin, 2 * x$summary$accuracy_se)
  expect_equal(10^parts[[4]]$x, x$best$cost)
  auc <- layers(autoplot(x, metric = "auc"))
  expect_equal(auc[[2]]$y, x$summary$auc)
})

test_that("a heat map shows every point on logarithmic axes", {
  x <- tuned("two")
  cells <- layers(autoplot(x))[[1]]
  expect_identical(nrow(cells), 18L)
  # Cells of equal size that touch: a geometric grid on a logarithmic axis.
  expect_equal(cells$xmax - cells$xmin, rep(log10(2), 18))
  expect_equal(sort(unique(round(cells$ymax, 6)))[1], sort(unique(round(cells$ymin, 6)))[2])
  best <- layers(autoplot(x))[[2]]
  expect_equal(10^c(best$x, best$y), c(x$best$sigma, x$best$cost))
})

test_that("geometric grids have logarithmic axes, others by their span", {
  expect_true(log_axis(2^(0:3)))
  expect_true(log_axis(c(0.5, 0.125, 0.25)))
  expect_true(log_axis(c(1, 5, 50)))
  expect_false(log_axis(c(1, 2)))
  expect_false(log_axis(1:9))
  expect_false(log_axis(c(0, 1, 100)))
  expect_false(log_axis("a"))
})

test_that("things without an order are points with bars, in the order of the grid", {
  set.seed(1)
  sets <- list(wide = kernel_rbf(4), line = kernel_linear(), narrow = kernel_rbf(1))
  x <- tune_mkl(class ~ ., two_class()$data, grid = list(kernels = sets), folds = 3)
  plot <- autoplot(x)
  expect_identical(levels(plot$data$x), names(sets))
  parts <- layers(plot)
  expect_equal(parts[[1]]$ymax, x$summary$accuracy + x$summary$accuracy_se)
  expect_equal(parts[[2]]$y, x$summary$accuracy)
  expect_false(any(vapply(plot$layers, function(l) inherits(l$geom, "GeomLine"), NA)))
  expect_picture("kernels", plot)
})

test_that("one split has no errors, one point no line", {
  d <- two_class()$data
  withr::local_pdf(NULL) # drawing needs a device
  set.seed(1)
  run <- function(grid) tune_mkl(class ~ ., d, grid = grid, resamples = resample_holdout(0.5, 1))
  sets <- list(a = kernel_linear(), b = kernel_rbf(1))
  for (grid in list(list(cost = c(1, 10)), list(kernels = sets), list(cost = 1))) {
    plot <- autoplot(run(grid))
    expect_no_message(expect_no_error(ggplot2::ggplotGrob(plot)))
    expect_identical(nrow(layers(plot)[[1]]), 0L)
  }
})

test_that("cells meet half way between values", {
  edges <- cell_edges(c(1, 2, 4, 4, 7))
  expect_equal(edges[[1]], c(0.5, 1.5, 3, 3, 5.5))
  expect_equal(edges[[2]], c(1.5, 3, 5.5, 5.5, 8.5))
  log <- cell_edges(c(1, 100))
  expect_equal(log[[2]][1], 10)
})

test_that("lines for a second parameter, whatever its kind", {
  lines <- layers(autoplot(tuned("mixed")))[[2]]
  expect_identical(length(unique(lines$colour)), 2L)
  lines <- layers(autoplot(tuned("two"), "curve", parameters = c("cost", "sigma")))[[2]]
  expect_identical(length(unique(lines$group)), 6L)
})

test_that("of a parameter that is not shown the best value is taken", {
  x <- tuned("two")
  lines <- layers(autoplot(x, "curve", parameters = "sigma"))[[2]]
  means <- tapply(x$summary$accuracy, x$summary$sigma, max)
  expect_equal(lines$y, as.vector(means))
})

test_that("random points and rounds", {
  x <- tuned("random")
  dots <- layers(autoplot(x))[[1]]
  expect_equal(sort(10^dots$y), sort(x$summary$cost))
  expect_equal(sort(dots$x), sort(x$summary$sigma)) # spans less than a factor of 20
  many <- layers(autoplot(x, "points", parameters = "cost"))[[1]]
  expect_equal(sort(many$y), sort(x$summary$accuracy))
  h <- tuned("halving")
  frame <- round_means(h, "accuracy")
  for (i in seq_len(nrow(frame))) {
    own <- h$results[h$results$point == frame$point[i] & h$results$share == frame$share[i], ]
    expect_equal(frame$value[i], mean(own$accuracy))
  }
  expect_identical(nrow(layers(autoplot(h))[[1]]), nrow(frame))
  expect_identical(length(unique(frame$share)), 3L)
  # one round has no lines
  h$results <- h$results[h$results$share == 1, ]
  expect_length(layers(autoplot(h)), 1L)
})

test_that("measures of a cross-validation have their intervals", {
  set.seed(1)
  cv <- cv_mkl(class ~ ., two_class()$data, folds = 5, metrics = c("accuracy", "auc"))
  parts <- layers(autoplot(cv))
  expect_equal(parts[[3]]$x, cv$summary$mean)
  half <- qt(0.975, 4) * cv$summary$sd * sqrt(1 / 5 + 12 / 48)
  expect_equal(parts[[2]]$xmin, cv$summary$mean - half)
  expect_equal(parts[[2]]$xmax, pmin(1, cv$summary$mean + half))
  expect_identical(nrow(layers(autoplot(cv, metric = "auc"))[[1]]), 5L)
})

test_that("pictures look as they did", {
  expect_picture("curve", autoplot(tuned("one")))
  expect_picture("heat", autoplot(tuned("two")))
  expect_picture("lines", autoplot(tuned("two"), "curve", parameters = c("cost", "sigma")))
  expect_picture("points", autoplot(tuned("random")))
  expect_picture("rounds", autoplot(tuned("halving")))
  set.seed(1)
  expect_picture("cv", autoplot(cv_mkl(class ~ ., two_class()$data, folds = 5)))
})

test_that("a measure without values is said", {
  x <- tuned("one")
  x$summary$auc <- NA_real_
  expect_mkl_error(autoplot(x, metric = "auc"), "nothing to draw", "metric")
})

test_that("bad arguments are named", {
  x <- tuned("one")
  expect_snapshot(error = TRUE, {
    autoplot(x, "heat")
    autoplot(x, "rounds")
    autoplot(x, metric = "accurracy")
    autoplot(x, parameters = "costs")
    autoplot(tuned("two"), parameters = c("cost", "cost"))
    autoplot(x, paramter = "cost")
  })
})

test_that("plot() of results draws what autoplot() gives", {
  skip_if_not_installed("ggplot2")
  set.seed(1)
  cv <- cv_mkl(mpg ~ wt, mtcars, folds = 3, keep = "weights")
  tuned <- tune_mkl(mpg ~ wt, mtcars, learner = learner_svm(), grid = list(cost = 1:2), folds = 2)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(cv), cv)
  expect_identical(ggplot2::last_plot()$labels$title, autoplot(cv)$labels$title)
  expect_identical(plot(cv, "weights"), cv)
  expect_match(ggplot2::last_plot()$labels$title, "kernel weights")
  expect_identical(plot(tuned), tuned)
  expect_mkl_error(plot(cv, "roc"), argument = "what")
})
