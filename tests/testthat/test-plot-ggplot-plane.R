skip_if_not_installed("ggplot2")

layers <- function(plot) ggplot2::ggplot_build(plot)$data

# K, K* and K** of a Gaussian kernel, written out.
label_based_matrices <- function(x, y, beta) {
  x <- scale(x)
  k <- gauss(x, x, 1)
  near <- exp(-beta * as.matrix(dist(x))^2 / ncol(x))
  star <- (1 + outer(y, y) * near) * k
  list(k, star, star %*% star)
}

test_that("the rows of a label-based fit stand along the eigenvectors of its kernels", {
  d <- two_class(40)
  y <- ifelse(d$y == "yes", 1, -1)
  fit <- lb_svm(d$x, d$y, kernels = kernel_rbf(1), beta = 2)
  plot <- autoplot(fit, "eigen")
  points <- layers(plot)[[3]]
  matrices <- label_based_matrices(d$x, y, 2)
  for (panel in 1:3) {
    parts <- eigen(matrices[[panel]])
    own <- points[points$PANEL == panel, ]
    # up to the sign and the scale, which is that of the normalised kernel
    expect_equal(abs(cor(own$x, parts$vectors[, 1])), 1, tolerance = 1e-8)
    expect_equal(abs(cor(own$y, parts$vectors[, 2])), 1, tolerance = 1e-8)
    expect_equal(sum(own$y^2) / sum(own$x^2), parts$values[2] / parts$values[1], tolerance = 1e-8)
    share <- 100 * parts$values[1:2] / sum(pmax(parts$values, 0))
    expect_match(levels(plot$data$panel)[panel], paste0(
      format_number(share[1], 2), " % and ", format_number(share[2], 2), " %"
    ), fixed = TRUE)
    expect_identical(own$fill, class_colours()[as.integer(d$y)])
  }
})

test_that("two columns have a panel of their own, and one of several models is shown", {
  d <- two_class(40)
  plane <- data.frame(v1 = d$x[, 1], v2 = d$x[, 2], class = d$y)
  plot <- autoplot(lbmkl(class ~ ., plane, kernels = kernel_rbf(c(1, 2))), "eigen")
  expect_identical(levels(plot$data$panel)[1], "v1, v2")
  expect_equal(layers(plot)[[3]]$x[1:40], plane$v1)
  three <- lbmkl(Species ~ ., three_class(45), kernels = kernel_rbf(1))
  plot <- autoplot(three, "eigen", model = "virginica/setosa")
  expect_match(plot$labels$title, "virginica/setosa")
  expect_identical(levels(plot$data$class), c("setosa", "virginica"))
  expect_identical(plot$data, autoplot(three, "eigen", model = 2)$data)
})

test_that("the picture looks as it did", {
  d <- two_class(40)
  plane <- data.frame(v1 = d$x[, 1], v2 = d$x[, 2], class = d$y)
  fit <- lb_svm(class ~ ., plane, kernels = kernel_rbf(1), beta = 2)
  # the sign of an eigenvector is up to the processor
  panels <- autoplot(fit, "eigen")
  turn <- function(v) if (v[which.max(abs(v))] < 0) -v else v
  for (axis in c("x1", "x2")) {
    panels$data[[axis]] <- round(stats::ave(panels$data[[axis]], panels$data$panel, FUN = turn), 6)
  }
  expect_picture("eigen", panels)
})

test_that("what cannot be drawn is said", {
  d <- two_class(40)
  k <- gauss(d$x, d$x, 1)
  given <- lb_svm(list(k = k), d$y)
  fit <- lb_svm(d$x, d$y)
  expect_snapshot(error = TRUE, {
    autoplot(mkl(d$x, d$y), "eigen")
    autoplot(given, "eigen")
    autoplot(fit, "eigen", model = 2)
    autoplot(fit, "eigne")
  })
})
