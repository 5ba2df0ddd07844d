decide <- function(fit, ...) predict(fit, ..., type = "decision")
paper_kernels <- kernel_set(kernel_linear(), kernel_rbf("mean_distance"), kernel_polynomial(2))

test_that("a grid gives the fits that its pairs give alone", {
  d <- two_class()
  new <- two_class(75)$x[61:75, ]
  values <- c(0, 1 / 16, 1, 16)
  path <- multik_mhks_path(d$x, d$y, scale = FALSE, c = values, lambda = rev(values))
  expect_identical(nrow(path$grid), 16L)
  expect_true(all(path$grid$converged))
  ours <- predict(path, new, type = "decision")
  fitted_values <- predict(path, type = "decision")
  classes <- predict(path, new)
  expect_identical(dim(ours), c(15L, 4L, 4L))
  for (i in 1:4) {
    for (j in 1:4) {
      alone <- multik_mhks(d$x, d$y, scale = FALSE, c = values[i], lambda = rev(values)[j])
      label <- paste(i, j)
      expect_lt(max(abs(ours[, i, j] - decide(alone, new))), 1e-8, label = label)
      expect_lt(max(abs(fitted_values[, i, j] - decide(alone))), 1e-8, label = label)
      expect_identical(classes[, i, j], as.character(predict(alone, new)))
      taken <- grid_fit(path, values[i], rev(values)[j])
      expect_equal(essence(taken), essence(alone), tolerance = 1e-7)
      expect_identical(taken$learner, alone$learner)
      expect_equal(path$grid$objective[i + 4 * (j - 1)], objective(alone), tolerance = 1e-10)
    }
  }
  expect_identical(decide(update(grid_fit(path, 1, 1))),
                   decide(multik_mhks(d$x, d$y, scale = FALSE, c = 1,
                                                                           lambda = 1)))
})

test_that("a grid does several classes, both reductions, probabilities and landmarks", {
  data <- three_class()
  for (multiclass in c("one_vs_one", "one_vs_rest")) {
    path <- function(...) {
      set.seed(1)
      multik_mhks_path(Species ~ ., data, scale = FALSE, c = c(0.1, 1), lambda = c(0, 0.5, 2),
                       landmarks = 30,
                       multiclass = multiclass, probability = TRUE, ...)
    }
    grid <- path()
    set.seed(1)
    alone <- multik_mhks(Species ~ ., data, scale = FALSE, c = 1, lambda = 0.5, landmarks = 30,
                         multiclass = multiclass, probability = TRUE)
    taken <- grid_fit(grid, 1, 0.5)
    expect_equal(predict(taken, data, type = "prob"), predict(alone, data, type = "prob"),
                 tolerance = 1e-7)
    values <- predict(grid, data[1:8, ], type = "decision")
    expect_identical(dim(values), c(8L, 3L, 2L, 3L))
    expect_equal(unname(values[, , 2, 2]), unname(decide(alone, data[1:8, ])), tolerance = 1e-8)
    expect_identical(bare(predict(grid, data)[, 2, 2]), bare(as.character(predict(alone, data))))
    expect_identical(bare(predict(grid)[, 2, 2]), bare(as.character(fitted(alone))))
    threads <- path(control = mkl_control(threads = 3))
    expect_identical(essence(grid_fit(threads, 0.1, 2)), essence(grid_fit(grid, 0.1, 2)))
  }
})

test_that("a grid works on kernel matrices, with missing values and from a file", {
  d <- two_class()
  K <- kernel_matrix(paper_kernels, d$x)
  path <- multik_mhks_path(d$x, d$y, scale = FALSE, c = 1, lambda = c(0, 1))
  by_matrix <- multik_mhks_path(K, d$y, c = 1, lambda = c(0, 1))
  blocks <- lapply(K, function(K) K[1:7, ])
  expect_equal(predict(by_matrix, blocks, type = "decision"),
               predict(path, d$x[1:7, ], type = "decision"), tolerance = 1e-8)
  new <- d$x[1:7, ]
  new[2, 3] <- NA
  expect_identical(which(is.na(predict(path, new)[, 1, 2])), 2L)
  expect_identical(dim(predict(path, new[0, ])), c(0L, 1L, 2L))
  data <- d$data
  data$v1[5] <- NA
  excluded <- multik_mhks_path(class ~ ., data, c = 1, lambda = 1, na.action = na.exclude)
  expect_identical(bare(which(is.na(predict(excluded)[, 1, 1]))), 5L)
  file <- withr::local_tempfile()
  saveRDS(path, file)
  expect_identical(predict(readRDS(file), new), predict(path, new))
})

test_that("a grid reports what is wrong", {
  d <- two_class()
  expect_warning(
    path <- multik_mhks_path(d$x, d$y, scale = FALSE, c = c(0.1, 1), lambda = 1,
                             control = mkl_control(tol = 1e-12, max_iter = 3)),
    "c = 0.1, lambda = 1", class = "multikernel_not_converged"
  )
  expect_identical(path$grid$converged, c(FALSE, FALSE))
  expect_output(print(path), "0 of 2 pairs converged")
  expect_snapshot(error = TRUE, {
    multik_mhks_path(d$x, d$y, c = c(1, -1))
    multik_mhks_path(d$x, d$y, lambda = c(1, 2, 1))
    multik_mhks_path(d$x, d$y, lambda = numeric())
    multik_mhks_path(d$x, d$y, cs = 1)
    grid_fit(path, 3, 1)
    grid_fit(path, 1, c(1, 2))
    grid_fit(1, 1, 1)
    predict(path, d$x, type = "prob")
    predict(path, d$x, typ = "class", a = 1)
    predict(path, d$x[, 1:2])
  })
})
