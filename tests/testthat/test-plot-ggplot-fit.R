# The data behind the layers are compared with direct computation; a few pictures as a whole, in
# the one version of ggplot2 that they were drawn by (see expect_picture() in helper.R).

skip_if_not_installed("ggplot2")

# A ggplot as it is built: an error in a scale or an aesthetic shows here only.
layers <- function(plot) ggplot2::ggplot_build(plot)$data

plane_data <- function(n = 60) {
  d <- two_class(n)$data
  d[c("v1", "v2", "class")]
}

test_that("weights are drawn by size", {
  fit <- mkl(
    class ~ ., two_class()$data, learner = learner_svm(weights = c(0.2, 0.7, 0.1)),
    kernels = kernel_rbf(c(1, 2, 4))
  )
  bars <- layers(autoplot(fit, "weights"))[[1]]
  expect_equal(bars$x[order(-bars$y)], c(0.7, 0.2, 0.1))
  # with a limit, the mean of the others is a grey bar at the end
  bars <- layers(autoplot(fit, "weights", limit = 1))[[1]]
  expect_equal(bars$x[order(-bars$y)], c(0.7, mean(c(0.2, 0.1))))
  expect_identical(bars$fill[which.min(bars$y)], "grey70")
})

test_that("the spread of the weights reaches one", {
  fit <- easymkl(class ~ ., two_class()$data, kernels = kernel_rbf_bags(50, 2, seed = 1))
  curve <- layers(autoplot(fit, "spread"))[[2]]
  w <- sort(kernel_weights(fit), decreasing = TRUE)
  expect_equal(curve$y, unname(c(0, cumsum(w) / sum(w))))
  expect_equal(curve$x, 0:50 / 50)
})

test_that("the boundary shows the decision values of predict()", {
  d <- plane_data()
  fit <- mkl(class ~ ., d)
  for (one in list(
    autoplot(fit, data = d), autoplot(mkl(as.matrix(d[1:2]), d$class), data = as.matrix(d[1:2]),
                                      response = d$class)
  )) {
    frame <- one$data
    expect_equal(
      bare(frame$f),
      bare(predict(fit, data.frame(v1 = frame$x1, v2 = frame$x2), type = "decision")),
      tolerance = 1e-10
    )
    parts <- layers(one)
    expect_identical(nrow(parts[[4]]), nrow(d)) # rings
    expect_identical(nrow(parts[[6]]), length(support(fit)))
  }
  # points have the colour of their class
  rings <- layers(autoplot(fit, data = d))[[4]]
  expect_identical(rings$colour, class_colours()[as.integer(d$class)])
})

test_that("lines of the margins are drawn where f = -1 and f = 1 mean something", {
  d <- plane_data()
  draws_margins <- function(learner) {
    fit <- mkl(class ~ ., d, learner = learner)
    level <- unlist(lapply(layers(autoplot(fit, "boundary")), `[[`, "level"))
    expect_true(0 %in% level)
    said <- grepl("margins", autoplot(fit, "boundary")$labels$subtitle)
    counted <- grepl("left of 1", autoplot(fit, "margins", data = d)$labels$subtitle)
    expect_identical(counted, said)
    expect_identical(any(abs(level) == 1), said)
    said
  }
  expect_true(draws_margins(learner_svm(cost = 10)))
  expect_true(draws_margins(learner_easymkl(final = learner_svm())))
  expect_true(draws_margins(learner_mhks()))
  expect_false(draws_margins(learner_easymkl()))
  expect_false(draws_margins(learner_komd()))
  set.seed(1)
  expect_false(draws_margins(learner_mkboost(trials = 5)))
  expect_false(draws_margins(learner_cca_mhks("vote")))
})

test_that("gating regions are those of gating_weights()", {
  d <- plane_data()
  fit <- suppressWarnings(lmkl(class ~ ., d, kernels = rep(kernel_linear(), 2), restarts = 1))
  plot <- autoplot(fit, "gating", data = d)
  frame <- plot$data
  eta <- gating_weights(fit, data.frame(v1 = frame$x1, v2 = frame$x2))
  fill <- t(col2rgb(kernel_colours(NULL, 2)))
  expect_equal(
    unname(t(col2rgb(frame$mixed))), unname(eta %*% fill / rowSums(eta)), tolerance = 0.01
  )
  expect_s3_class(ggplot2::ggplot_build(plot), "ggplot_built")
  numeric <- data.frame(d[1:2], out = d$v1 * d$v2)
  fit <- suppressWarnings(
    lmkl(out ~ ., numeric, kernels = rep(kernel_linear(), 2), restarts = 1, iterations = 5)
  )
  expect_s3_class(ggplot2::ggplot_build(autoplot(fit, "gating")), "ggplot_built")
})

test_that("paths of one model and of several", {
  fit <- suppressWarnings(lmkl(class ~ ., plane_data(), restarts = 1, iterations = 10))
  expect_equal(layers(autoplot(fit, "path"))[[1]]$y, objective_path(fit))
  fit <- multik_mhks(Species ~ ., three_class())
  lines <- layers(autoplot(fit, "path"))[[1]]
  expect_equal(10^lines$y, unlist(objective_path(fit), use.names = FALSE))
  expect_identical(length(unique(lines$colour)), 3L)
})

test_that("the picture of a boosted fit shows every trial and kernel", {
  set.seed(1)
  fit <- mkboost(class ~ ., two_class()$data, trials = 12)
  path <- boosting_path(fit)
  parts <- layers(autoplot(fit, "boosting"))
  expect_equal(parts[[2]]$y, path$error)
  expect_equal(parts[[3]]$y, path$training_error)
  expect_identical(nrow(parts[[1]]), 12L * length(kernel_weights(fit)))
  expect_identical(nrow(layers(autoplot(fit, "boosting", limit = 3))[[1]]), 36L)
})

test_that("the ROC curve encloses the area of all pairs in the right order", {
  d <- two_class(80)$data
  fit <- mkl(class ~ ., d[1:40, ], learner = learner_svm(cost = 0.1))
  new <- d[41:80, ]
  f <- round(predict(fit, new, type = "decision"), 1) # ties
  positive <- new$class == "yes"
  pairs <- outer(f[positive], f[!positive], function(a, b) (a > b) + (a == b) / 2)
  points <- roc_points(f, positive)
  area <- sum(
    diff(points$false_positive) * (points$true_positive[-1] + head(points$true_positive, -1)) / 2
  )
  expect_equal(area, mean(pairs))
  expect_identical(points$threshold, c(Inf, sort(unique(f), decreasing = TRUE)))
  plot <- autoplot(fit, "roc", data = new)
  expect_match(plot$labels$subtitle, "AUC 0\\.[0-9]{3}, 40 rows")
  zero <- layers(plot)[[3]]
  class <- predict(fit, new)
  expect_equal(zero$x, mean(class[!positive] == "yes"))
  expect_equal(zero$y, mean(class[positive] == "yes"))
})

test_that("several classes get a curve for each class against the rest", {
  d <- three_class()
  for (kind in c("one_vs_one", "one_vs_rest")) {
    fit <- mkl(Species ~ ., d, multiclass = kind, learner = learner_svm(cost = 0.1))
    curves <- layers(autoplot(fit, "roc", data = d))[[2]]
    expect_identical(length(unique(curves$group)), 3L)
    scores <- score_frame(fit, d, NULL)
    expect_identical(
      as.vector(table(scores$model)), rep(if (kind == "one_vs_one") 60L else 90L, 3)
    )
    # the points are where the predicted classes are, and areas those of all pairs of rows
    roc <- fit_roc(fit, d, NULL)
    class <- predict(fit, d)
    for (level in levels(d$Species)) {
      own <- d$Species == level
      point <- roc$points[roc$points$class == level, ]
      expect_equal(point$true_positive, mean(class[own] == level))
      expect_equal(point$false_positive, mean(class[!own] == level))
    }
    f <- predict(fit, d, type = "decision")
    rank <- if (kind == "one_vs_rest") f[, "virginica"] else {
      votes <- (f[, "virginica/setosa"] >= 0) + (f[, "virginica/versicolor"] >= 0)
      10 * votes + tanh((f[, "virginica/setosa"] + f[, "virginica/versicolor"]) / 10)
    }
    own <- d$Species == "virginica"
    pairs <- outer(rank[own], rank[!own], function(a, b) (a > b) + 0.5 * (a == b))
    expect_equal(roc$areas[["virginica"]], mean(pairs))
  }
})

test_that("of many curves those with the lowest areas have names", {
  areas <- setNames(c(0.9, 0.7, 0.99, 0.8, 0.6, 0.95, 0.85, 0.92, 0.97), letters[1:9])
  legend <- roc_legend(areas)
  expect_identical(legend$class[legend$named], c("e", "b", "d", "g", "a"))
  expect_identical(unique(legend$label[!legend$named]), "4 others: AUC 0.920 to 0.990")
  expect_identical(roc_legend(areas[1:8])$class, letters[1:8])
  # classes without rows have no curve
  d <- three_class()
  fit <- mkl(Species ~ ., d)
  roc <- fit_roc(fit, d[d$Species != "setosa", ], NULL)
  expect_named(roc$areas, c("versicolor", "virginica"))
  expect_mkl_error(
    autoplot(fit, "roc", data = d[d$Species == "setosa", ]), "at least two classes", "response"
  )
})

test_that("weights of views are sums over their kernels", {
  d <- two_class()
  v <- views(first = d$x[, 1:2], second = d$x[, 3, drop = FALSE])
  fit <- easymkl(v, d$y)
  bars <- layers(autoplot(fit, by = "view"))[[1]]
  expect_equal(sort(bars$x), sort(unname(kernel_weights(fit, by = "view"))))
  withr::local_pdf(NULL)
  expect_identical(plot(fit, by = "view"), fit)
  expect_mkl_error(autoplot(mkl(d$x, d$y), by = "view"), "no views", "what")
  expect_mkl_error(plot(easymkl(d$x, d$y), by = "view"), "no views", "what")
})

test_that("long labels stay different and lose their middle", {
  long <- paste0("a kernel with a name that is much too long for a plot ", c(1, 2, 2))
  short <- shorten(long)
  expect_identical(nchar(short), c(36L, 36L, 36L))
  expect_identical(short[2], short[3])
  expect_false(short[1] == short[2])
  expect_match(short, "^a kernel with a .*[12]$")
  same <- paste0(strrep("x", 30), c("a", "b"), strrep("y", 30))
  expect_identical(anyDuplicated(shorten(same)), 0L)
  expect_identical(shorten("rbf"), "rbf")
})

test_that("long labels that would be the same keep the part in which they differ", {
  near <- paste0("gene.polynomial(degree=", 2:3, ", scale=0.008333)")
  expect_identical(shorten(near), near)
  number <- c(3, 17, 18)
  far <- paste("measurements of the laboratory in building", number, "of the second campus (blood)")
  expect_identical(
    shorten(c(far, "short")),
    c(paste0("measurements...", number, " of the second c", c("a", "", ""), "..."), "short")
  )
  expect_true(all(nchar(shorten(far)) <= 36))
})

test_that("titles of plot() are as wide as the figure and say how many lines they need", {
  withr::local_pdf(NULL, width = 4, height = 4)
  graphics::plot.new()
  short <- wrap_titles("short")
  long <- wrap_titles(strrep("a long title ", 10), strrep("and a note ", 20))
  lines <- function(text) strsplit(text, "\n")[[1]]
  expect_identical(short$main, "short")
  expect_gt(long$lines, short$lines + length(lines(long$main)) - 1)
  expect_lt(max(graphics::strwidth(lines(long$main), "inches", cex = 1.1, font = 2)), 4)
  expect_lt(max(graphics::strwidth(lines(long$note), "inches", cex = 0.8)), 4)
  formula <- expression(f(x)^2)
  expect_identical(wrap_titles(formula)$main, formula)
})

test_that("a fit with one kernel shows its fitted values", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  bars <- layers(autoplot(fit))[[1]]
  f <- predict(fit, type = "decision")
  expect_equal(sum(bars$ymax - bars$ymin), 60)
  right <- bars$xmin >= 0
  expect_equal(sum((bars$ymax - bars$ymin)[right]), sum(f >= 0))
  three <- mkl(Species ~ ., three_class())
  table <- fitted_data(three)$frame
  expect_equal(
    matrix(table$rows, 3), unclass(table(three_class()$Species, fitted(three))),
    ignore_attr = TRUE
  )
  numeric <- mkl(mpg ~ ., mtcars)
  expect_equal(autoplot(numeric)$data$fitted, bare(fitted(numeric)))
  expect_equal(autoplot(numeric)$data$observed, mtcars$mpg)
  one <- layers(autoplot(mkl(~ ., mtcars)))[[1]]
  expect_equal(sum(one$ymax), 32)
  fit$decision <- NULL # as butcher leaves it
  expect_identical(nrow(layers(autoplot(seal_fit(fit)))[[1]]), 1L)
  expect_mkl_error(autoplot(seal_fit(fit), "fitted"), "removed", "what")
})

test_that("many models have lines without names, and the worst of them panels", {
  few <- line_groups(rep(letters[1:10], 2))
  expect_true(few$named)
  expect_null(few$note)
  expect_false(line_groups(letters)$named)
  expect_match(line_groups(letters)$note, "26 models")
  scores <- data.frame(
    model = rep(letters[1:13], each = 2), margin = rep(c(1, -1, -1), c(12, 1, 13))
  )
  expect_identical(unique(worst_models(scores)$model), letters[c(1:5, 7:13)])
})

test_that("all plots of base R are drawn, by the same data", {
  withr::local_pdf(NULL)
  d <- three_class()
  fits <- list(
    mkl(Species ~ ., d), mkl(Species ~ ., droplevels(d[31:90, ])), mkl(mpg ~ ., mtcars),
    mkl(~ ., mtcars), easymkl(Species ~ ., d), mkl(Species ~ ., d, learner = learner_lda())
  )
  for (fit in fits) {
    expect_identical(plot(fit), fit)
    expect_identical(plot(fit, "fitted"), fit)
    if (!is.null(fit$classes)) expect_identical(plot(fit, "roc", data = d), fit)
  }
  expect_mkl_error(plot(fits[[3]], "roc", data = mtcars), "classification", "what")
})

test_that("margins are y f(x)", {
  d <- two_class()$data
  fit <- mkl(class ~ ., d)
  plot <- autoplot(fit, "margins", data = d)
  expect_equal(
    bare(plot$data$margin),
    bare(predict(fit, d, type = "decision")) * ifelse(d$class == "yes", 1, -1)
  )
  expect_equal(sum(layers(plot)[[1]]$count), nrow(d))
  wrong <- mean(predict(fit, d) != d$class)
  expect_match(plot$labels$subtitle, paste0("^", format_number(100 * wrong, 3), " % left of 0"))
})

test_that("pictures look as they did", {
  d <- two_class()$data
  # exact, or of fixed numbers: processors differ in the digits of a rough solution
  exact <- mkl_control(tol = 1e-10)
  fit <- mkl(class ~ ., d, kernels = kernel_rbf(c(1, 2, 4)), learner = learner_average(),
             control = exact)
  expect_picture("weights", autoplot(fit, "weights"))
  expect_picture("roc", autoplot(fit, "roc", data = d))
  set.seed(1)
  boosted <- mkboost(class ~ ., d, trials = 8, kernels = kernel_rbf(c(1, 4)))
  expect_picture("boosting", autoplot(boosted, "boosting"))
  expect_picture("margins", autoplot(fit, "margins", data = d))
  simple <- simplemkl(class ~ ., d, kernels = kernel_rbf(2^(-1:3)), cost = 10)
  simple$models[[1]]$report$path <- c(90, 40, 22, 20.5, 20.2, 20.1)
  simple <- seal_fit(simple)
  expect_identical(objective_path(simple)[1:2], c(90, 40), ignore_attr = TRUE)
  expect_picture("path", autoplot(simple, "path"))
  bags <- easymkl(class ~ ., d, kernels = kernel_rbf_bags(40, 2, seed = 1), control = exact)
  expect_picture("spread", autoplot(bags, "spread"))
})

# Pictures of a plane with fewer digits than processors differ in, and without the ground: its
# colours are compared with predict() and gating_weights() above.
plane_picture <- function(plot) {
  plot$data$f <- round(plot$data$f, 6)
  ground <- vapply(plot$layers, function(layer) {
    inherits(layer$geom, c("GeomRaster", "GeomRasterAnn"))
  }, NA)
  plot$layers <- plot$layers[!ground]
  plot
}

test_that("pictures of a plane look as they did", {
  d <- plane_data()
  fit <- mkl(class ~ ., d, kernels = kernel_rbf(1), control = mkl_control(tol = 1e-8))
  expect_picture("boundary", plane_picture(autoplot(fit, data = d)))
  set.seed(1)
  local <- suppressWarnings(
    lmkl(class ~ ., d, kernels = rep(kernel_linear(), 2), restarts = 1, iterations = 10,
         control = mkl_control(tol = 1e-8))
  )
  expect_picture("gating", plane_picture(autoplot(local, "gating", data = d)))
})

test_that("what cannot be drawn is said", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  numeric <- mkl(numbers()$x, numbers()$y)
  expect_snapshot(error = TRUE, {
    autoplot(fit, "wieghts")
    autoplot(fit, "boundary")
    autoplot(fit, "gating")
    autoplot(fit, "boosting")
    autoplot(fit, "path")
    autoplot(fit, "roc")
    autoplot(fit, "roc", data = d$x)
    autoplot(fit, "roc", data = d$x, response = d$y[1:5])
    autoplot(fit, "roc", data = d$x, response = rep("maybe", 60))
    autoplot(numeric, "margins", data = numbers()$x)
    autoplot(fit, limit = 0)
    autoplot(fit, colour = 1)
  })
})

test_that("a constant column is a plane too, and lines that are not there are not drawn", {
  d <- transform(plane_data(), v2 = 1)
  fit <- mkl(class ~ ., d)
  withr::local_pdf(NULL)
  expect_no_error(plot(fit, data = d))
  expect_no_warning(print(autoplot(fit, "boundary", data = d)))
  far <- mkl(class ~ ., plane_data(), learner = learner_svm(cost = 1e-3))
  expect_no_warning(print(autoplot(far, "boundary")))
})
