# Fits under packages that explain any model, with no arguments beyond the fit and the data.

two <- droplevels(iris[51:150, ])

fits <- local({
  set.seed(1)
  list(
    number = list(mkl(mpg ~ wt + hp, mtcars), mtcars[c("wt", "hp")]),
    two = list(mkl(Species ~ ., two, probability = TRUE), two[1:4]),
    several = list(mkl(Species ~ ., iris), iris[1:4]),
    matrix = list(easymkl(as.matrix(iris[1:4]), iris$Species), as.matrix(iris[1:4])),
    novelty = list(mkl(~ ., mtcars[1:3]), mtcars[1:3])
  )
})

# What is explained, written out.
explained <- function(fit, x) {
  if (!is.null(fit$response_scaling)) return(cbind(bare(predict(fit, x))))
  if (is.null(fit$classes)) return(cbind(bare(predict(fit, x, type = "decision"))))
  if (fit$probability) return(bare(predict(fit, x, type = "prob")))
  class <- predict(fit, x)
  vapply(levels(class), function(level) as.numeric(class == level), numeric(nrow(x)))
}

test_that("SHAP values sum to the difference from the background", {
  skip_if_not_installed("kernelshap")
  for (one in fits) {
    x <- one[[2]]
    background <- x[seq(1, nrow(x), 8), ]
    wanted <- explained(one[[1]], x[1:3, ])
    base <- colMeans(explained(one[[1]], background))
    for (shap in suppressMessages(list(
      kernelshap::kernelshap(one[[1]], x[1:3, ], background, verbose = FALSE),
      kernelshap::permshap(one[[1]], x[1:3, ], bg_X = background, verbose = FALSE)
    ))) {
      expect_equal(unname(shap$predictions), unname(wanted))
      sums <- vapply(
        if (is.list(shap$S)) shap$S else list(shap$S), function(s) rowSums(s), numeric(3)
      )
      expect_equal(unname(sums), unname(sweep(wanted, 2, base)), tolerance = 1e-6)
    }
  }
})

test_that("types of predict() and own functions are explained too", {
  skip_if_not_installed("kernelshap")
  fit <- fits$several[[1]]
  decision <- kernelshap::kernelshap(
    fit, iris[1:2, 1:4], iris[seq(1, 150, 15), 1:4], type = "decision", verbose = FALSE
  )
  expect_equal(unname(decision$predictions), unname(predict(fit, iris[1:2, ], type = "decision")))
  own <- kernelshap::kernelshap(
    fit, iris[1:2, 1:4], iris[seq(1, 150, 15), 1:4], verbose = FALSE,
    pred_fun = function(object, newdata) newdata$Sepal.Width
  )
  expect_equal(as.vector(own$predictions), iris$Sepal.Width[1:2])
})

test_that("interaction statistics, partial dependence and profiles work", {
  skip_if_not_installed("hstats")
  for (one in fits) {
    x <- one[[2]]
    found <- suppressMessages(hstats::hstats(one[[1]], x, n_max = 20, verbose = FALSE))
    expect_true(all(is.finite(hstats::h2(found)$M)))
    expect_identical(found$K, ncol(explained(one[[1]], x[1:2, ])))
    column <- colnames(x)[1]
    at <- x
    at[, column] <- x[1, column]
    dependence <- hstats::partial_dep(one[[1]], v = column, X = x, grid = x[1, column])
    expect_equal(
      unlist(dependence$data[-1], use.names = FALSE), unname(colMeans(explained(one[[1]], at)))
    )
    profile <- hstats::ice(one[[1]], v = column, X = x[2:3, ], grid = x[1, column])
    expect_equal(
      unname(as.matrix(profile$data[setdiff(names(profile$data), c("obs_", column))])),
      unname(explained(one[[1]], at[2:3, ]))
    )
  }
})

test_that("losses of hstats need no arguments for any task", {
  skip_if_not_installed("hstats")
  loss <- function(name, y, ...) {
    one <- fits[[name]]
    as.vector(suppressMessages(hstats::average_loss(one[[1]], one[[2]], y, ...))$M)
  }
  p <- predict(fits$two[[1]], two, type = "prob")[, "virginica"]
  brier <- mean((p - (two$Species == "virginica"))^2)
  expect_equal(loss("two", two$Species), brier)
  expect_equal(loss("two", as.integer(two$Species) - 1), brier)
  expect_equal(loss("two", two$Species == "virginica"), brier)
  expect_equal(loss("several", iris$Species), mean(fitted(fits$several[[1]]) != iris$Species))
  expect_equal(loss("number", mtcars$mpg), mean((fitted(fits$number[[1]]) - mtcars$mpg)^2))
  own <- p
  own[two$Species != "virginica"] <- 1 - own[two$Species != "virginica"]
  expect_equal(loss("two", two$Species, loss = "mlogloss"), -mean(log(own)))
  expect_mkl_error(loss("several", as.integer(iris$Species)), "one of the classes", "y")
  set.seed(1)
  needed <- hstats::perm_importance(fits$two[[1]], two[1:4], two$Species, verbose = FALSE)
  expect_identical(sub("Length|Width", "", rownames(needed$M)[1:2]), c("Petal.", "Petal."))
})

test_that("iml predicts, ranks features and draws profiles", {
  skip_if_not_installed("iml")
  responses <- list(number = mtcars$mpg, two = two$Species, several = iris$Species)
  for (name in names(responses)) {
    fit <- fits[[name]][[1]]
    x <- fits[[name]][[2]]
    y <- responses[[name]]
    predictor <- iml::Predictor$new(fit, data = x, y = y)
    values <- as.matrix(predictor$predict(x))
    if (is.factor(y)) {
      expect_identical(colnames(values), levels(y))
      expect_identical(max.col(values), as.integer(predict(fit, x)))
    } else {
      expect_equal(as.vector(values), bare(predict(fit, x)))
    }
    set.seed(1)
    loss <- if (is.factor(y)) "ce" else "mse"
    ranked <- iml::FeatureImp$new(predictor, loss = loss, n.repetitions = 1)$results
    expect_setequal(ranked$feature, names(x))
    profile <- iml::FeatureEffect$new(predictor, names(x)[1], method = "pdp", grid.size = 3)
    expect_true(all(is.finite(profile$results$.value)))
  }
  smooth <- iml::Predictor$new(fits$two[[1]], data = two[1:4], y = two$Species, type = "prob")
  expect_equal(
    as.matrix(smooth$predict(two[1:4])), bare(predict(fits$two[[1]], two, type = "prob")),
    ignore_attr = TRUE
  )
})
