test_that("kernel_alignment() is the recursion of the paper, normalized", {
  x <- waves()
  z <- waves(15)[13:15]
  for (triangular in c(0, 4, 30)) {
    kernel <- kernel_alignment(0.8, triangular)
    k <- kernel_matrix(kernel, x)
    expect_equal(k, alignment_matrix(x, x, 0.8, triangular), tolerance = 1e-10)
    expect_identical(k, t(k))
    expect_identical(diag(k), rep(1, 12))
    expect_psd(k)
    expect_equal(
      kernel_matrix(kernel, x, z), alignment_matrix(x, z, 0.8, triangular), tolerance = 1e-10
    )
  }
  # lengths that the band keeps apart
  expect_identical(kernel_matrix(kernel_alignment(1, 4), list(1:8, 1:4))[1, 2], 0)
})

test_that("kernel_alignment() takes several channels, series of one time and ts objects", {
  x <- waves(6, 3L)
  expect_equal(
    kernel_matrix(kernel_alignment(1.3), x), alignment_matrix(x, x, 1.3), tolerance = 1e-10
  )
  short <- list(0.5, c(0.5, 1), 2L)
  expect_equal(
    kernel_matrix(kernel_alignment(1), short), alignment_matrix(short, short, 1), tolerance = 1e-12
  )
  expect_identical(
    kernel_matrix(kernel_alignment(1), list(ts(c(1, 3)), ts(c(2, 2, 1)))),
    kernel_matrix(kernel_alignment(1), list(c(1, 3), c(2, 2, 1)))
  )
})

test_that("kernel_alignment() stays exact where its sums leave the range of numbers", {
  time <- seq(0, 60, length.out = 700)
  x <- list(sin(time), 1.2 * sin(time + 0.1), 40 * cos(time))
  k <- kernel_matrix(kernel_alignment(2), x)
  expect_gt(log_alignment(x[[1]], x[[1]], 2), 710) # exp() of this is infinite
  expected <- alignment_matrix(x, x, 2)
  expect_equal(k, expected, tolerance = 1e-9)
  expect_true(all(is.finite(k)))
})

test_that("kernel_alignment() sees rows of numbers as series of one length", {
  x <- two_class(14, 6)$x
  rows <- lapply(seq_len(14), function(i) unname(x[i, ]))
  expect_equal(
    kernel_matrix(kernel_alignment(1:2), x), kernel_matrix(kernel_alignment(1:2), rows)
  )
  expect_equal(
    kernel_matrix(kernel_alignment(1, on = c("v2", "v5")), x),
    kernel_matrix(kernel_alignment(1), lapply(rows, `[`, c(2, 5)))
  )
  # a view of rows that are series is not standardized
  v <- views(m = x)
  fit <- easymkl(v, two_class(14, 6)$y, kernels = list(m = kernel_alignment(1)))
  expect_null(fit$blueprint$center$m)
})

test_that("the median rule of kernel_alignment() uses training cases alone", {
  x <- list(c(0, 1), 3, c(7, 7, 8))
  # distances between times of different series: median 6; median length 2
  named <- kernel_matrix(kernel_alignment(), x)
  expect_equal(named, kernel_matrix(kernel_alignment(6 * sqrt(2)), x), tolerance = 1e-14)
  expect_equal(
    kernel_matrix(kernel_alignment(), x, list(100)),
    kernel_matrix(kernel_alignment(6 * sqrt(2)), x, list(100))
  )
  m <- matrix(c(0, 1, 5, 9, 4, 4), 3)
  expect_equal(
    kernel_matrix(kernel_alignment(), m),
    kernel_matrix(kernel_alignment(), lapply(1:3, function(i) m[i, ]))
  )
  error <- expect_mkl_error(kernel_matrix(kernel_alignment(), list(1, c(1, 1))))
  expect_match(conditionMessage(error), "finds no width")
})

test_that("series work in every form of data", {
  x <- waves(20)
  y <- wave_classes(20)
  kernels <- kernel_alignment(c(0.5, 1))
  by_list <- easymkl(x, y, kernels = kernels)
  by_views <- easymkl(views(s = x), y, kernels = kernels)
  data <- data.frame(size = seq_len(20), y = y)
  data$s <- x
  by_formula <- easymkl(y ~ alignment(s, sigma = c(0.5, 1)), data)
  new <- waves(26)[21:26]
  data_new <- data.frame(size = 1:6)
  data_new$s <- new
  decision <- predict(by_list, new, type = "decision")
  expect_equal(bare(predict(by_views, views(s = new), type = "decision")), bare(decision))
  expect_equal(bare(predict(by_formula, data_new, type = "decision")), bare(decision))
  expect_gte(mean(predict(by_list, x) == y), 0.9)
  # with a column of numbers, and a product of kernels
  mixed <- simplemkl(y ~ alignment(s, sigma = 1) + rbf(size, sigma = 5) +
                       alignment(s, sigma = 1):linear(size), data)
  expect_length(kernel_weights(mixed), 3L)
  expect_length(predict(mixed, data_new), 6L)
  # default kernels: a view of series, and numbers that are no series
  both <- easymkl(views(s = x, size = matrix(1:20)), y)
  expect_match(names(kernel_weights(both)), "^s.alignment|^size", all = TRUE)
  only <- easymkl(views(s = x, size = matrix(1:20)), y, kernels = kernel_alignment(1))
  expect_named(kernel_weights(only), "s.alignment(sigma=1)")
})

test_that("normalizers, products and cases without a series", {
  x <- waves(9)
  k <- alignment_matrix(x, x, 1)
  expect_equal(
    kernel_matrix(kernel_alignment(1), x, normalize = "center"),
    scale(t(scale(t(k), scale = FALSE)), scale = FALSE), ignore_attr = TRUE, tolerance = 1e-10
  )
  expect_equal(
    kernel_matrix(kernel_product(kernel_alignment(1), kernel_alignment(2)), x),
    k * alignment_matrix(x, x, 2), tolerance = 1e-10
  )
  lacking <- x
  lacking[4] <- list(NULL)
  both <- views(s = lacking, n = matrix(seq_len(9)))
  expect_identical(sum(attr(both, "present")), 17L)
  k <- kernel_matrix(list(s = kernel_alignment(1), n = kernel_linear()), both)[[1]]
  expect_true(all(k[4, ] == 0))
  expect_psd(k)
  fit <- easymkl(both, wave_classes(9))
  expect_length(predict(fit, views(n = matrix(1:2))), 2L)
  imputed <- easymkl(both, wave_classes(9), missing = "impute")
  expect_length(predict(imputed, both), 9L)
})

test_that("kernel_alignment() gives the same bits on one thread and on four, after save and load", {
  x <- waves(40)
  one <- kernel_matrix(kernel_alignment(c(0.7, 1.4)), x, control = mkl_control(threads = 1))
  four <- kernel_matrix(kernel_alignment(c(0.7, 1.4)), x, control = mkl_control(threads = 4))
  expect_identical(one, four)
  single <- kernel_matrix(kernel_alignment(0.7), x, control = mkl_control(threads = 4))
  expect_identical(single, one[[1L]])
  fit <- easymkl(x, wave_classes(40), kernels = kernel_alignment())
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), x, type = "decision"), predict(fit, x, type = "decision"))
})

test_that("bad series and parameters are errors that name the case", {
  x <- waves(5)
  x[[3]][2] <- NA
  error <- expect_mkl_error(kernel_matrix(kernel_alignment(1), x), argument = "x")
  expect_match(conditionMessage(error), "Case 3 of `x` has a missing or infinite value at time 2")
  error <- expect_mkl_error(views(s = stats::setNames(x, letters[1:5]), n = matrix(1:5)) |>
                              easymkl(wave_classes(5)))
  expect_match(conditionMessage(error), "Case \"c\" of `x$s`", fixed = TRUE)
  expect_mkl_error(kernel_matrix(kernel_alignment(1), list(1:3, numeric())), "Case 2 .* no values")
  expect_mkl_error(
    kernel_matrix(kernel_alignment(1), list(1:3, matrix(1:4, 2))), "1 channel, but case 2 has 2"
  )
  expect_mkl_error(
    kernel_matrix(kernel_alignment(1), list(1:3, 4:5), list(matrix(1:4, 2))), "1 channel"
  )
  expect_mkl_error(
    kernel_matrix(kernel_alignment(1), c("a", "b")), class = "multikernel_kernel_error"
  )
  expect_mkl_error(kernel_matrix(kernel_rbf(1), waves(3)))
  expect_mkl_error(kernel_alignment(0), argument = "sigma")
  expect_mkl_error(kernel_alignment("nearest"), argument = "sigma")
  expect_mkl_error(kernel_alignment(1, -1), argument = "triangular")
  expect_mkl_error(kernel_alignment(1, 2.5), argument = "triangular")
})

test_that("kernel_alignment() agrees with dtwclust", {
  skip_if_not_installed("dtwclust")
  x <- waves(4)
  gak <- getExportedValue("dtwclust", "GAK")
  distance <- function(a, b) gak(a, b, sigma = 0.9, normalize = TRUE)
  ours <- kernel_matrix(kernel_alignment(0.9), x)
  expect_equal(1 - ours[1, 2], as.numeric(distance(x[[1]], x[[2]])), tolerance = 1e-8)
  expect_equal(1 - ours[3, 4], as.numeric(distance(x[[3]], x[[4]])), tolerance = 1e-8)
})
