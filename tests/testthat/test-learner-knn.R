skip_if_not_installed("class")

# Shares of the classes among the nearest neighbours, written out.
plain_shares <- function(train, y, x, k) {
  y <- factor(y)
  t(apply(x, 1, function(row) {
    distance <- sqrt(rowSums((train - rep(row, each = nrow(train)))^2))
    near <- distance <= sort(distance)[k] * (1 + 1e-12)
    as.vector(table(y[near])) / sum(near)
  }))
}

test_that("shares are those of the neighbours", {
  d <- with_seed(5, list(
    x = matrix(rnorm(60 * 3), 60), z = matrix(rnorm(25 * 3), 25),
    y = factor(sample(c("a", "b", "c"), 60, TRUE))
  ))
  for (k in c(1, 4, 7, 60)) {
    fit <- mkl(d$x, d$y, learner = learner_knn(k), scale = FALSE)
    expected <- plain_shares(d$x, d$y, d$z, k)
    expect_equal(unname(predict(fit, d$z, type = "prob")), expected)
    expect_equal(unname(predict(fit, d$z, type = "decision")), expected)
    expect_identical(
      as.character(predict(fit, d$z)), levels(d$y)[max.col(expected, "first")]
    )
    two <- mkl(d$x, d$y == "b", learner = learner_knn(k), scale = FALSE)
    share <- plain_shares(d$x, d$y == "b", d$z, k)[, 2]
    expect_equal(predict(two, d$z, type = "decision"), 2 * share - 1)
    expect_equal(unname(predict(two, d$z, type = "prob")[, 2]), share)
  }
})

test_that("classes are those of class::knn() where there is no tie", {
  train <- seq(1, 150, 2)
  z <- scale(iris[train, 1:4])
  new <- scale(iris[-train, 1:4], attr(z, "scaled:center"), attr(z, "scaled:scale"))
  theirs <- class::knn(z, new, iris$Species[train], k = 1)
  fit <- mkl(Species ~ ., iris[train, ], learner = learner_knn(1))
  expect_identical(bare(predict(fit, iris[-train, ])), theirs)
  expect_identical(bare(fitted(fit)), iris$Species[train])
})

test_that("ties and the random numbers of the session are left alone", {
  x <- cbind(c(-1, 1, -1, 1))
  fit <- mkl(x, factor(c("a", "b", "a", "b")), learner = learner_knn(4), scale = FALSE)
  set.seed(1)
  before <- .Random.seed
  expect_identical(as.character(predict(fit, cbind(rep(0, 20)))), rep("b", 20))
  expect_identical(.Random.seed, before)
  three <- mkl(cbind(1:3), factor(c("u", "v", "w")), learner = learner_knn(3))
  expect_identical(as.character(predict(three, cbind(2))), "u")
})

test_that("it prints and saves like any other fit", {
  fit <- mkl(Species ~ ., iris, learner = learner_knn(7))
  expect_snapshot({
    print(learner_knn())
    print(fit)
  })
  expect_output(print(summary(fit)), "Nearest neighbours: 3 classes")
  expect_identical(bare(support(fit)), 1:150)
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), iris[c(3, 77), ]), predict(fit, iris[c(3, 77), ]))
  unlink(file)
  expect_length(predict(fit, iris[0, ]), 0)
})

test_that("bad input is refused", {
  d <- two_class(30)
  expect_snapshot(error = TRUE, {
    learner_knn(0)
    learner_knn(2.5)
    learner_knn(kk = 3)
    mkl(d$x, d$y, learner = learner_knn(31))
    mkl(d$x, d$x[, 1], learner = learner_knn())
    mkl(d$x, learner = learner_knn())
    mkl(d$x, d$y, learner = learner_knn(), weights = 1:30)
    mkl(list(k = tcrossprod(d$x)), d$y, learner = learner_knn())
    mkl(class ~ precomputed(K), list(class = d$y, K = tcrossprod(d$x)), learner = learner_knn())
  })
})
