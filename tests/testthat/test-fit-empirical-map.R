d <- two_class(40)
new <- two_class(55)$x[41:55, ]

test_that("inner products of the coordinates are the kernel", {
  for (kernel in list(kernel_rbf(1), kernel_linear(), kernel_polynomial(2), kernel_rbf("median"),
                      kernel_rbf(1) * kernel_linear(on = 1:2), kernel_laplacian(2))) {
    map <- empirical_map(kernel, d$x)
    K <- kernel_matrix(kernel, d$x)
    expect_equal(tcrossprod(predict(map)), K, tolerance = 1e-9, ignore_attr = TRUE)
    expect_equal(predict(map, d$x), predict(map), tolerance = 1e-8)
    # new rows by the rows of the map
    cross <- kernel_matrix(kernel, d$x, new)
    expect_equal(tcrossprod(predict(map, new), predict(map)), cross, tolerance = 1e-8,
                 ignore_attr = TRUE)
    expect_equal(map$values, eigen(K, TRUE)$values[seq_along(map$values)], tolerance = 1e-10)
  }
})

test_that("the linear map keeps the columns, and rank the largest eigenvalues", {
  expect_identical(dim(predict(empirical_map(kernel_linear(), d$x))), c(40L, 3L))
  map <- empirical_map(kernel_rbf(1), d$x, rank = 4)
  full <- empirical_map(kernel_rbf(1), d$x)
  expect_identical(map$values, full$values[1:4])
  expect_identical(predict(map), predict(full)[, 1:4])
  expect_equal(predict(map, new), predict(full, new)[, 1:4], tolerance = 1e-10)
  expect_equal(colSums(predict(map)^2), map$values, tolerance = 1e-10)
})

test_that("landmarks are mapped exactly, others by projection", {
  rows <- c(3L, 11L, 20L, 38L)
  map <- empirical_map(kernel_rbf(1), d$x, landmarks = rows)
  K <- gauss(d$x, d$x, 1)
  phi <- predict(map)
  expect_equal(tcrossprod(phi[rows, ]), K[rows, rows], tolerance = 1e-10)
  nystrom <- K[, rows] %*% solve(K[rows, rows]) %*% K[rows, ]
  expect_equal(tcrossprod(phi), nystrom, tolerance = 1e-9)
  expect_equal(predict(map, d$x), phi, tolerance = 1e-9)
  expect_identical(nrow(map$train), 4L)
  expect_identical(empirical_map(kernel_rbf(1), d$x, landmarks = 5)$landmarks, 8L * 0:4 + 1L)
  expect_identical(predict(empirical_map(kernel_rbf(1), d$x, landmarks = 99)),
                   predict(empirical_map(kernel_rbf(1), d$x)))
})

test_that("normalisers are those of the rows of the map", {
  for (normalize in list("trace", "cosine", "center", c("center", "cosine"), "unit_trace")) {
    for (landmarks in list(NULL, 15)) {
      map <- empirical_map(kernel_polynomial(2), d$x, normalize = normalize, landmarks = landmarks)
      expect_equal(predict(map, d$x), predict(map), tolerance = 1e-7)
      if (is.null(landmarks)) {
        K <- kernel_matrix(kernel_polynomial(2), d$x, normalize = normalize)
        expect_equal(tcrossprod(predict(map)), K, tolerance = 1e-8)
        cross <- kernel_matrix(kernel_polynomial(2), d$x, new, normalize = normalize)
        expect_equal(tcrossprod(predict(map, new), predict(map)), cross, tolerance = 1e-8)
      }
    }
  }
})

test_that("matrices, functions and data frames can be mapped", {
  K <- gauss(d$x, d$x, 1)
  cross <- gauss(new, d$x, 1)
  by_rows <- empirical_map(kernel_rbf(1), d$x)
  for (kernel in list(K, kernel_precomputed(K))) {
    map <- empirical_map(kernel)
    expect_equal(predict(map), predict(by_rows), tolerance = 1e-9)
    expect_equal(predict(map, cross), predict(by_rows, new), tolerance = 1e-9)
  }
  few <- empirical_map(K, landmarks = c(5, 1, 9))
  expect_equal(predict(few, cross), predict(empirical_map(kernel_rbf(1), d$x,
                                                          landmarks = c(5, 1, 9)), new))
  f <- kernel_function(function(x, z) gauss(x, z, 1))
  expect_equal(predict(empirical_map(f, d$x), new), predict(by_rows, new), tolerance = 1e-9)
  data <- data.frame(d$x, f = gl(2, 20))
  map <- empirical_map(kernel_rbf(1), data)
  shuffled <- data[7:9, c(4, 2, 1, 3)]
  shuffled[2, 1] <- NA
  phi <- predict(map, shuffled)
  expect_equal(phi[-2, ], predict(map)[c(7, 9), ], tolerance = 1e-9)
  expect_true(all(is.na(phi[2, ])))
  expect_identical(dim(predict(map, data[0, ])), c(0L, length(map$values)))
})

test_that("a kernel that is not positive semi-definite gives its positive part", {
  K <- diag(c(3, 1, -2))
  map <- empirical_map(K)
  expect_equal(tcrossprod(predict(map)), diag(c(3, 1, 0)))
  expect_mkl_error(empirical_map(-diag(3)), "no positive eigenvalue")
})

test_that("a stored map predicts the same, and threads change nothing", {
  map <- empirical_map(kernel_rbf(1), d$x)
  file <- withr::local_tempfile()
  saveRDS(map, file)
  expect_identical(predict(readRDS(file), new), predict(map, new))
  three <- empirical_map(kernel_rbf(1), d$x, control = mkl_control(threads = 3))
  expect_identical(predict(three, new), predict(map, new))
  expect_snapshot(print(map))
  expect_snapshot(print(empirical_map(kernel_linear(), d$x, landmarks = 10)))
})

test_that("bad arguments are named", {
  expect_snapshot(error = TRUE, {
    empirical_map(kernel_rbf(1:2), d$x)
    empirical_map(kernel_rbf, d$x)
    empirical_map("rbf", d$x)
    empirical_map(kernel_rbf(1))
    empirical_map(kernel_rbf(1), d$x, rank = 0)
    empirical_map(kernel_rbf(1), d$x, landmarks = 41:42)
    empirical_map(kernel_rbf(1), d$x, landmarks = c(1, 1))
    empirical_map(kernel_rbf(1), d$x, ranks = 3)
    empirical_map(kernel_rbf(1), d$x[0, ])
    empirical_map(kernel_polynomial(3), d$x * 1e200)
    empirical_map(matrix(1:6, 2))
    predict(empirical_map(kernel_rbf(1), d$x), new[, 1:2])
    predict(empirical_map(kernel_rbf(1), d$x), new, typ = 1)
  })
})

test_that("plot() draws two coordinates, coloured by class", {
  withr::local_pdf(NULL)
  x <- as.matrix(iris[, 1:4])
  map <- empirical_map(kernel_rbf(2), x)
  expect_identical(plot(map, class = iris$Species), map)
  plot(map, components = 2:3)
  plot(map, class = iris$Species == "setosa", col = c("red", "blue"))
  expect_identical(empty_corner(cbind(c(0, 0, 1, 1), c(0, 1, 0, 1))[1:3, ]), "topright")
  expect_snapshot(error = TRUE, {
    plot(map, class = 1:3)
    plot(map, components = 1)
    plot(empirical_map(kernel_rbf(2), x, rank = 5), components = c(1, 6))
    plot(map, class = iris$Species, col = "red")
  })
})
