# Accuracy with default settings: our default fit, mkl(formula, data), against the defaults of
# e1071, kernlab, ranger and glmnet, on ten classification and eleven regression data sets in
# packages of CRAN (two are simulated). The same splits for all; missing values are left out before.
#   Rscript tools/bench/accuracy.R [--quick]
# The bar: on no data set is our error above that of e1071 by more than two standard errors of the
# difference over the splits.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

repeats <- if (quick) 1 else 3
folds <- if (quick) 5 else 10

# ---- data ----------------------------------------------------------------------------------------

data_of <- function(name, package) {
  utils::data(list = name, package = package, envir = environment())
  get(name, envir = environment())
}

some_rows <- function(data, n) {
  set.seed(1)
  data[sample(nrow(data), n), ]
}

# Strength of concrete as a saturating function of binder, water and age.
concrete_like <- function(n = 500) {
  set.seed(5)
  d <- data.frame(
    cement = runif(n, 100, 540), slag = runif(n, 0, 360), ash = runif(n, 0, 200),
    water = runif(n, 120, 250), plasticizer = runif(n, 0, 32), age = exp(runif(n, 0, log(365)))
  )
  binder <- d$cement + 0.8 * d$slag + 0.5 * d$ash
  d$strength <- 90 * (1 - exp(-binder / (2 * d$water))) * (0.3 + 0.12 * log1p(d$age)) +
    0.2 * d$plasticizer + rnorm(n, sd = 4)
  d
}

friedman <- function(n = 300) {
  set.seed(3)
  d <- mlbench::mlbench.friedman1(n)
  data.frame(d$x, y = d$y)
}

sacramento <- function() {
  data_of("Sacramento", "caret")[
    c("beds", "baths", "sqft", "type", "price", "latitude", "longitude")
  ]
}

breast_cancer <- function() {
  d <- stats::na.omit(data_of("BreastCancer", "mlbench")[-1])
  d[1:9] <- lapply(d[1:9], function(column) as.numeric(as.character(column)))
  d
}

sets <- list(
  Boston = list(medv ~ ., MASS::Boston),
  airquality = list(Ozone ~ ., stats::na.omit(airquality)),
  mtcars = list(mpg ~ ., mtcars),
  diamonds = list(price ~ ., some_rows(as.data.frame(ggplot2::diamonds), 2000)),
  "concrete (simulated)" = list(strength ~ ., concrete_like()),
  cpus = list(perf ~ ., MASS::cpus[2:8]),
  Servo = list(Class ~ ., data_of("Servo", "mlbench")),
  Ozone = list(V4 ~ ., stats::na.omit(data_of("Ozone", "mlbench"))),
  "friedman1 (simulated)" = list(y ~ ., friedman()),
  Sacramento = list(price ~ ., sacramento()),
  quakes = list(mag ~ ., quakes),
  Sonar = list(Class ~ ., data_of("Sonar", "mlbench")),
  Ionosphere = list(Class ~ ., data_of("Ionosphere", "mlbench")[-(1:2)]),
  Glass = list(Type ~ ., data_of("Glass", "mlbench")),
  Vehicle = list(Class ~ ., data_of("Vehicle", "mlbench")),
  BreastCancer = list(Class ~ ., breast_cancer()),
  Vowel = list(Class ~ ., data_of("Vowel", "mlbench")[-1]),
  Pima = list(type ~ ., rbind(MASS::Pima.tr, MASS::Pima.te)),
  spam = list(type ~ ., some_rows(data_of("spam", "kernlab"), 800)),
  iris = list(Species ~ ., iris),
  crabs = list(sp ~ ., MASS::crabs[-(2:3)])
)

# ---- methods: formula, training rows, new rows to predictions ------------------------------------

plain_matrix <- function(formula, data) {
  stats::model.matrix(stats::delete.response(stats::terms(formula, data = data)), data)[, -1]
}

glmnet_predictions <- function(formula, train, new) {
  y <- train[[as.character(formula[[2]])]]
  family <- if (is.numeric(y)) "gaussian" else if (nlevels(y) == 2) "binomial" else "multinomial"
  fit <- glmnet::cv.glmnet(plain_matrix(formula, train), y, family = family)
  type <- if (is.numeric(y)) "response" else "class"
  out <- stats::predict(fit, plain_matrix(formula, rbind(train, new))[-seq_len(nrow(train)), ],
                        s = "lambda.min", type = type)
  as.vector(out)
}

methods <- list(
  multikernel = function(formula, train, new) stats::predict(mkl(formula, train), new),
  e1071 = function(formula, train, new) stats::predict(e1071::svm(formula, train), new),
  kernlab = function(formula, train, new) {
    as.vector(kernlab::predict(kernlab::ksvm(formula, train), new))
  },
  ranger = function(formula, train, new) {
    forest <- ranger::ranger(formula, train, num.threads = 1)
    stats::predict(forest, new, num.threads = 1)$predictions
  },
  glmnet = glmnet_predictions
)
methods <- methods[vapply(names(methods), requireNamespace, NA, quietly = TRUE)]

# ---- resampling ----------------------------------------------------------------------------------

# Root mean squared error in standard deviations of the response, or share of wrong classes.
error_of <- function(predicted, truth, spread) {
  if (is.numeric(truth)) return(sqrt(mean((as.double(predicted) - truth)^2)) / spread)
  mean(as.character(predicted) != as.character(truth))
}

# A matrix with a row for each split and a column for each method. A method that fails on a training
# part (glmnet, where a class has too few rows) gets NA there.
errors_on <- function(formula, data) {
  y <- data[[as.character(formula[[2]])]]
  spread <- if (is.numeric(y)) stats::sd(y) else 1
  set.seed(11)
  splits <- resample_splits(resample_cv(folds, repeats), y)
  t(vapply(splits, function(split) {
    vapply(methods, function(method) {
      predicted <- tryCatch(
        suppressWarnings(method(formula, data[split$train, ], data[split$test, ])),
        error = function(e) NA
      )
      error_of(predicted, y[split$test], spread)
    }, 0)
  }, numeric(length(methods))))
}

# ---- report --------------------------------------------------------------------------------------

describe_run()
cat(sprintf(
  "\nErrors with default settings, %d x %d-fold cross-validation, mean (standard error)\n%s\n",
  repeats, folds,
  "regression: root mean squared error / sd of the response; classes: share of wrong ones"
))
cat(sprintf("%-22s %6s", "", "rows"), sprintf("%15s", names(methods)), "  ours - e1071 in se\n")
standard_error <- function(x) stats::sd(x, na.rm = TRUE) / sqrt(sum(!is.na(x)))
for (name in names(sets)) {
  found <- errors_on(sets[[name]][[1]], sets[[name]][[2]])
  shown <- sprintf("%.3f (%.3f)", colMeans(found, na.rm = TRUE), apply(found, 2, standard_error))
  difference <- found[, "multikernel"] - found[, "e1071"]
  z <- if (all(difference == 0)) 0 else mean(difference) / standard_error(difference)
  verdict <- if (z <= 2) "ok" else "above"
  remember(verdict)
  cat(sprintf("%-22s %6d", name, nrow(sets[[name]][[2]])), sprintf("%15s", shown),
      sprintf("%+8.1f  %s\n", z, verdict))
}
finish()
