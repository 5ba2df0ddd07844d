decide <- function(fit, ...) predict(fit, ..., type = "decision")

three_kernels <- function() {
  kernel_set(kernel_linear(), kernel_rbf("mean_distance"), kernel_polynomial(2))
}

pair <- function() droplevels(iris[51:150, ])
old_rows <- c(1:35, 51:85)

# CCA+MHKS by its parts: maps, canonical correlation and MHKS on the coordinates, for training and
# new rows.
by_parts <- function(combine, components, kappa, c, normalize = "trace", landmarks = NULL) {
  data <- pair()
  x <- as.matrix(data[1:4])
  maps <- lapply(1:3, function(m) {
    empirical_map(three_kernels()[m], x[old_rows, ], normalize = normalize, landmarks = landmarks)
  })
  views <- lapply(maps, predict)
  size <- mean(vapply(views, function(s) sum(s^2), 0))
  cca <- nmcca(views, components = components, kappa = kappa * size)
  train <- predict(cca)
  new <- predict(cca, lapply(maps, predict, x[-old_rows, ]))
  y <- data$Species[old_rows]
  if (combine == "concatenate") {
    train <- list(do.call(cbind, train))
    new <- list(do.call(cbind, new))
  }
  fits <- lapply(train, function(z) {
    mhks(z, y, c = c, kernels = kernel_linear(), scale = FALSE)
  })
  list(
    train = vapply(fits, decide, numeric(length(y))),
    new = mapply(function(fit, z) decide(fit, z), fits, new),
    objective = sum(vapply(fits, objective, 0))
  )
}

voted <- function(scores) {
  m <- ncol(scores)
  s <- rowMeans(scores)
  rowMeans(ifelse(scores >= 0, 1, -1)) + s / (1 + abs(s)) / m
}

test_that("the fit is that of its parts", {
  data <- pair()
  for (combine in c("concatenate", "vote")) {
    for (components in list(2, 5, NULL)) {
      for (normalize in c("trace", "none")) {
        expected <- by_parts(combine, components, 0.02, 0.1, normalize)
        fit <- cca_mhks(
          Species ~ ., data[old_rows, ], scale = FALSE, combine = combine,
          components = components, kappa = 0.02, c = 0.1, normalize = normalize
        )
        shape <- if (combine == "vote") voted else drop
        expect_equal(decide(fit), shape(expected$train), tolerance = 1e-6)
        expect_equal(decide(fit, data[-old_rows, ]), shape(expected$new), tolerance = 1e-6)
        expect_equal(objective(fit), expected$objective, tolerance = 1e-6)
        expect_true(converged(fit))
        expect_equal(unname(coef(fit)), rep(1 / 3, 3))
      }
    }
  }
})

test_that("landmarks build the maps on some rows", {
  data <- pair()
  landmarks <- floor((0:19) * 70 / 20) + 1
  expected <- by_parts("concatenate", 4, 0.01, 0.5, landmarks = landmarks)
  fit <- cca_mhks(
    Species ~ ., data[old_rows, ], scale = FALSE, components = 4, c = 0.5, landmarks = 20
  )
  expect_equal(decide(fit, data[-old_rows, ]), drop(expected$new), tolerance = 1e-6)
  expect_length(support(fit), 20)
  # of full rank, all rows are landmarks
  expect_equal(
    decide(cca_mhks(Species ~ ., data, scale = FALSE, landmarks = 100)),
    decide(cca_mhks(Species ~ ., data, scale = FALSE))
  )
  low <- cca_mhks(Species ~ ., data, scale = FALSE, rank = 3)
  expect_gt(mean(fitted(low) == data$Species), 0.9)
})

test_that("one kernel alone agrees with itself: MHKS on its principal directions", {
  data <- pair()
  # Without a penalty NmCCA of one view is a rotation to uncorrelated coordinates of equal length.
  concatenated <- cca_mhks(Species ~ ., data, scale = FALSE, kernels = kernel_linear(), kappa = 0)
  vote <- update(concatenated, combine = "vote")
  expect_identical(sign(decide(concatenated)), sign(decide(vote)))
  x <- as.matrix(data[1:4])
  z <- qr.Q(qr(x))
  expect_equal(bare(decide(concatenated)), bare(decide(mhks(z, data$Species, scale = FALSE))),
               tolerance = 1e-6)
})

test_that("a vote is decided by the majority, then by the mean", {
  data <- pair()
  two <- cca_mhks(Species ~ ., data, scale = FALSE, combine = "vote",
                  kernels = three_kernels()[1:2])
  f <- decide(two)
  expect_true(all(abs(f) < 1.5))
  split <- abs(f) < 0.5 # one vote each
  expect_true(all(abs(f[!split]) > 0.5))
  expect_identical(
    bare(as.character(predict(two))), bare(ifelse(f >= 0, "virginica", "versicolor"))
  )
})

test_that("several classes, probabilities, threads and a saved fit", {
  for (combine in c("concatenate", "vote")) {
    fit <- cca_mhks(Species ~ ., iris, scale = FALSE, combine = combine, probability = TRUE)
    expect_gt(mean(fitted(fit) == iris$Species), 0.94)
    expect_equal(decide(fit, iris), decide(fit), tolerance = 1e-8)
    p <- predict(fit, iris[1:5, ], type = "prob")
    expect_equal(bare(rowSums(p)), rep(1, 5))
    plain <- cca_mhks(Species ~ ., iris, scale = FALSE, combine = combine)
    threads <- cca_mhks(Species ~ ., iris, scale = FALSE, combine = combine,
                        control = mkl_control(threads = 3))
    expect_identical(essence(plain), essence(threads))
    file <- tempfile(fileext = ".rds")
    saveRDS(plain, file)
    expect_identical(decide(readRDS(file), iris), decide(plain, iris))
    unlink(file)
  }
  plain <- cca_mhks(Species ~ ., iris, scale = FALSE)
  expect_gte(min(lengths(objective_path(plain))), 2)
})

test_that("kernel matrices will do", {
  data <- pair()
  x <- as.matrix(data[1:4])
  k <- kernel_matrix(three_kernels(), x)
  k <- lapply(1:3, function(m) if (is.list(k)) k[[m]] else k[, , m])
  names(k) <- c("a", "b", "c")
  expect_equal(
    bare(decide(cca_mhks(k, data$Species))), bare(decide(cca_mhks(x, data$Species, scale = FALSE))),
    tolerance = 1e-6
  )
})

test_that("bad input is refused", {
  data <- pair()
  expect_snapshot(error = TRUE, {
    learner_cca_mhks("both")
    learner_cca_mhks(kappa = -1)
    learner_cca_mhks(components = 0)
    learner_cca_mhks(c = NA)
    learner_cca_mhks(rho = 1)
    learner_cca_mhks(kapa = 2)
    cca_mhks(Species ~ ., data, class_weights = c(virginica = 2))
    cca_mhks(as.matrix(data[1:3]), data[[4]])
    cca_mhks(list(k = matrix(0, 100, 100)), data$Species, normalize = "none")
  })
  expect_snapshot(print(learner_cca_mhks("vote", components = 5)))
})
