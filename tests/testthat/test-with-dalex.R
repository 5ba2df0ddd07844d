quiet_explain <- function(...) suppressMessages(DALEX::explain(..., verbose = FALSE))

test_that("two classes: the probability of the second level is explained", {
  skip_if_not_installed("DALEX")
  two <- droplevels(iris[51:150, ])
  set.seed(1)
  fit <- mkl(Species ~ ., two, probability = TRUE)
  truth <- as.numeric(two$Species == "virginica")
  explainer <- quiet_explain(fit, two[1:4], truth)
  expect_identical(explainer$model_info$type, "classification")
  expect_identical(explainer$model_info$package, "multikernel")
  p <- unname(predict(fit, two, type = "prob")[, "virginica"])
  expect_identical(explainer$y_hat, p)
  performance <- DALEX::model_performance(explainer)
  expect_identical(performance$type, "classification")
  expect_equal(performance$measures$accuracy, mean((p > 0.5) == truth))
  # the area under the curve as the share of pairs in the right order
  pairs <- outer(p[truth == 1], p[truth == 0], function(a, b) (a > b) + (a == b) / 2)
  expect_equal(performance$measures$auc, mean(pairs), tolerance = 1e-6)
  set.seed(1)
  parts <- DALEX::model_parts(explainer, B = 2)
  expect_setequal(unique(parts$variable), c(names(two)[1:4], "_full_model_", "_baseline_"))
  profile <- DALEX::predict_profile(explainer, two[3, 1:4], grid_points = 5)
  line <- profile[profile$`_vname_` == "Petal.Width", ]
  expect_equal(
    line$`_yhat_`, predict(fit, as.data.frame(line[1:4]), type = "prob")[, 2], ignore_attr = TRUE
  )
  other <- quiet_explain(fit, two[1:4], 1 - truth, predict_function_target_column = "versicolor")
  expect_equal(other$y_hat, 1 - p)
})

test_that("fits without probabilities are explained by their classes, and say so once", {
  skip_if_not_installed("DALEX")
  two <- droplevels(iris[51:150, ])
  fit <- easymkl(Species ~ ., two)
  rm(list = intersect("explained classes", ls(said)), envir = said)
  truth <- as.numeric(two$Species == "virginica")
  expect_message(
    explainer <- DALEX::explain(fit, two[1:4], truth, verbose = FALSE),
    "probability = TRUE", class = "multikernel_explained_classes"
  )
  expect_identical(explainer$y_hat, as.numeric(predict(fit, two) == "virginica"))
  expect_equal(
    DALEX::model_performance(explainer)$measures$accuracy, mean(predict(fit, two) == two$Species)
  )
  expect_silent(DALEX::yhat(fit, two))
  holes <- two[1:3, ]
  holes[2, 1] <- NA
  expect_identical(DALEX::yhat(fit, holes), c(0, NA, 0))
})

test_that("several classes are a matrix with a column for each", {
  skip_if_not_installed("DALEX")
  fit <- mkl(Species ~ ., iris, learner = learner_lda())
  explainer <- quiet_explain(fit, iris[1:4], iris$Species)
  expect_identical(explainer$model_info$type, "multiclass")
  expect_equal(explainer$y_hat, predict(fit, iris, type = "prob"), ignore_attr = TRUE)
  expect_identical(colnames(explainer$y_hat), levels(iris$Species))
  performance <- DALEX::model_performance(explainer)
  expect_equal(performance$measures$accuracy, mean(predict(fit, iris) == iris$Species))
  plain <- quiet_explain(mkl(Species ~ ., iris), iris[1:4], iris$Species)
  expect_identical(rowSums(plain$y_hat), rep(1, 150))
  expect_s3_class(
    DALEX::predict_profile(plain, iris[2, 1:4], variables = "Petal.Width", grid_points = 3),
    "ceteris_paribus_explainer"
  )
})

test_that("regression explains numbers and one class decision values", {
  skip_if_not_installed("DALEX")
  fit <- mkl(mpg ~ wt + hp, mtcars)
  explainer <- quiet_explain(fit, mtcars[c("wt", "hp")], mtcars$mpg)
  expect_identical(explainer$model_info$type, "regression")
  expect_equal(explainer$residuals, unname(residuals(fit)))
  expect_equal(DALEX::model_performance(explainer)$measures$rmse, sqrt(mean(residuals(fit)^2)))
  usual <- mkl(~ wt + hp, mtcars)
  one <- quiet_explain(usual, mtcars[c("wt", "hp")])
  expect_identical(one$y_hat, unname(predict(usual, mtcars, type = "decision")))
})

test_that("a logical response is that of two classes", {
  skip_if_not_installed("DALEX")
  two <- droplevels(iris[51:150, ])
  fit <- mkl(Species ~ ., two)
  explainer <- quiet_explain(fit, two[1:4], two$Species == "virginica")
  expect_identical(explainer$y, as.numeric(two$Species == "virginica"))
  expect_equal(
    DALEX::model_performance(explainer)$measures$accuracy, mean(predict(fit, two) == two$Species)
  )
})
