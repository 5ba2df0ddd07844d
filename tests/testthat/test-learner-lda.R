skip_if_not_installed("MASS")
old_rows <- c(1:35, 51:85, 101:135)

test_that("classes and probabilities are those of MASS::lda()", {
  for (classes in list(levels(iris$Species), c("versicolor", "virginica"))) {
    data <- droplevels(iris[iris$Species %in% classes, ])
    train <- seq(1, nrow(data), 2)
    for (prior in c("proportions", "equal")) {
      share <- table(data$Species[train]) / length(train)
      if (prior == "equal") share[] <- 1 / length(share)
      theirs <- MASS::lda(Species ~ ., data[train, ], prior = as.vector(share))
      expected <- predict(theirs, data[-train, ])
      fit <- mkl(Species ~ ., data[train, ], learner = learner_lda(prior))
      expect_identical(bare(predict(fit, data[-train, ])), unname(expected$class))
      ours <- predict(fit, data[-train, ], type = "prob")
      expect_equal(ours, expected$posterior, ignore_attr = TRUE, tolerance = 1e-8)
      expect_identical(colnames(ours), classes)
      decision <- predict(fit, data[-train, ], type = "decision")
      if (length(classes) == 2) {
        expect_equal(unname(decision), unname(qlogis(expected$posterior[, 2])), tolerance = 1e-6)
      } else {
        expect_identical(colnames(decision), classes)
        odds <- exp(decision - apply(decision, 1, max))
        expect_equal(odds / rowSums(odds), expected$posterior, ignore_attr = TRUE)
      }
    }
  }
})

test_that("scaling, the form of the data and kernels change nothing", {
  data <- droplevels(iris[51:150, ])
  fit <- mkl(Species ~ ., data, learner = learner_lda())
  decide <- function(...) predict(mkl(..., learner = learner_lda()), type = "decision")
  expected <- predict(fit, type = "decision")
  expect_equal(decide(Species ~ ., data, scale = FALSE), expected, tolerance = 1e-8)
  expect_equal(decide(as.matrix(data[1:4]), data$Species), expected)
  expect_equal(decide(data[1:4], data$Species), expected)
  expect_equal(decide(Species ~ ., data, kernels = kernel_rbf(1), normalize = "center"), expected)
  expect_equal(decide(Species ~ rbf(., sigma = 1), data), expected)
  expect_equal(predict(fit, data, type = "decision"), expected)
  expect_equal(predict(fit, data[7, ], type = "decision"), expected[7])
})

test_that("constant columns and full sets of indicators are no obstacle", {
  data <- data.frame(iris, same = 3, group = factor(rep(c("a", "b", "c"), 50)))
  expect_no_warning(fit <- mkl(Species ~ ., data, learner = learner_lda()))
  plain <- MASS::lda(Species ~ . - same, data)
  expect_equal(
    predict(fit, data, type = "prob"), predict(plain, data)$posterior, ignore_attr = TRUE,
    tolerance = 1e-6
  )
})

test_that("what lda() cannot do is told", {
  x <- cbind(a = as.matrix(iris[51:150, 1]), told = rep(0:1, each = 50))
  colnames(x)[1] <- "a"
  y <- droplevels(iris$Species[51:150])
  expect_snapshot(error = TRUE, {
    mkl(x, y, learner = learner_lda())
    mkl(cbind(rep(1, 100)), y, learner = learner_lda())
    mkl(iris[1:3], iris[[4]], learner = learner_lda())
    mkl(list(k = diag(100)), y, learner = learner_lda())
    mkl(iris[1:4], iris$Species, learner = learner_lda(), class_weights = c(setosa = 2))
    learner_lda("none")
    learner_lda(priors = "equal")
  })
})

test_that("it prints, saves and updates like any other fit", {
  fit <- mkl(Species ~ ., iris[old_rows, ], learner = learner_lda())
  expect_snapshot({
    print(learner_lda())
    print(fit)
  })
  expect_output(print(summary(fit)), "Linear discriminant analysis: 3 classes")
  expect_true(all(converged(fit)))
  expect_identical(support(fit), integer())
  expect_identical(nrow(fit$train), 0L)
  expect_identical(nrow(kernel_weights(fit)), 0L)
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), iris), predict(fit, iris))
  unlink(file)
  two <- update(fit, data = droplevels(iris[51:150, ]))
  expect_length(coef(two), 0)
  expect_length(two$models, 1)
  new <- iris[c(1, 60), ]
  new[2, 3] <- NA
  expect_identical(bare(is.na(predict(fit, new))), c(FALSE, TRUE))
  expect_identical(bare(is.na(predict(fit, new, type = "prob")[, 1])), c(FALSE, TRUE))
})
