# In each test, not once for all: a file that is skipped as a whole loses its snapshots.
need_parsnip <- function() skip_if_not_installed("parsnip", "1.0.0")

spec <- function(...) multi_kernel("classification", ...)

test_that("the model is registered once, with both modes", {
  need_parsnip()
  register_parsnip()
  register_parsnip()
  env <- parsnip::get_model_env()
  expect_identical(sum(env$models == "multi_kernel"), 1L)
  expect_setequal(env$multi_kernel$mode, c("classification", "regression"))
  expect_identical(
    parsnip::required_pkgs(spec()), c("parsnip", "multikernel")
  )
  expect_output(print(spec(learner = "easymkl", cost = 3)), "learner = easymkl")
})

test_that("a classification is that of the direct call", {
  need_parsnip()
  d <- two_class()
  set.seed(1)
  fit <- parsnip::fit(spec(learner = "svm", cost = 5), class ~ ., d$data)
  set.seed(1)
  direct <- mkl(class ~ ., d$data, learner = learner_svm(cost = 5), probability = TRUE)
  new <- two_class(80)$data[61:80, ]
  expect_s3_class(predict(fit, new), "tbl_df")
  expect_identical(predict(fit, new)$.pred_class, bare(predict(direct, new)))
  prob <- predict(fit, new, type = "prob")
  expect_named(prob, c(".pred_no", ".pred_yes"))
  expect_identical(prob$.pred_yes, unname(predict(direct, new, type = "prob")[, "yes"]))
  expect_identical(predict(fit, new, type = "raw"), predict(direct, new, type = "decision"))
  expect_identical(
    kernel_weights(parsnip::extract_fit_engine(fit)), kernel_weights(direct)
  )
  # columns and response instead of a formula
  set.seed(1)
  columns <- parsnip::fit_xy(spec(learner = "svm", cost = 5), d$x, d$y)
  expect_equal(predict(columns, new, type = "prob"), prob)
  # a missing value gives a missing prediction, in its place
  new$v1[2] <- NA
  expect_identical(which(is.na(predict(fit, new)$.pred_class)), 2L)
})

test_that("three classes, factors as columns, learners as objects", {
  need_parsnip()
  data <- three_class()
  data$group <- factor(rep(c("a", "b", "c"), 30))
  s <- parsnip::set_engine(
    spec(learner = learner_average(cost = 2)), "multikernel", normalize = "none"
  )
  set.seed(2)
  fit <- parsnip::fit(s, Species ~ ., data)
  set.seed(2)
  direct <- mkl(
    Species ~ ., data, learner = learner_average(cost = 2), normalize = "none", probability = TRUE
  )
  expect_identical(predict(fit, data)$.pred_class, bare(predict(direct, data)))
  expect_equal(
    as.matrix(predict(fit, data, type = "prob")), predict(direct, data, type = "prob"),
    ignore_attr = TRUE
  )
  expect_identical(fit$fit$learner, direct$learner)
})

test_that("a regression is that of the direct call; margin is epsilon", {
  need_parsnip()
  d <- numbers()
  data <- data.frame(d$x, y = d$y)
  s <- multi_kernel("regression", learner = "svm", cost = 3, margin = 0.05)
  fit <- parsnip::fit(s, y ~ ., data)
  direct <- mkl(y ~ ., data, learner = learner_svm(cost = 3, epsilon = 0.05))
  expect_identical(predict(fit, data)$.pred, bare(predict(direct, data)))
  # 0/1 numbers are measurements when the mode says so
  data$y <- as.numeric(data$y > 0)
  fit <- parsnip::fit(s, y ~ ., data)
  expect_identical(fit$fit$task, "regression")
})

test_that("kernel terms, engine arguments and case weights reach the fit", {
  need_parsnip()
  d <- two_class()
  s <- parsnip::set_engine(spec(learner = "easymkl"), "multikernel", probability = FALSE,
                           lambda = 0.4)
  fit <- parsnip::fit(s, class ~ rbf(v1, sigma = 1) + linear(.), d$data)
  direct <- easymkl(class ~ rbf(v1, sigma = 1) + linear(.), d$data, lambda = 0.4)
  expect_identical(kernel_weights(fit$fit), kernel_weights(direct))
  skip_if_not_installed("hardhat")
  weights <- rep(c(1, 3), 30)
  s <- parsnip::set_engine(spec(learner = "svm"), "multikernel", probability = FALSE)
  fit <- parsnip::fit(
    s, class ~ ., d$data, case_weights = hardhat::importance_weights(weights)
  )
  direct <- mkl(class ~ ., d$data, weights = weights)
  expect_identical(predict(fit, d$data, type = "raw"), predict(direct, d$data, type = "decision"))
})

test_that("specifications are updated", {
  need_parsnip()
  s <- update(spec(cost = 1), cost = 9, learner = "average")
  fit <- parsnip::fit(s, class ~ ., two_class()$data)
  expect_identical(learner_of(fit$fit), learner_average(cost = 9))
  s <- update(s, parameters = list(cost = 4))
  expect_identical(rlang::eval_tidy(s$args$cost), 4)
})

test_that("names of arguments are not completed", {
  need_parsnip()
  s <- parsnip::set_engine(
    spec(learner = "mhks"), "multikernel", c = 1, rho = 0.9, probability = FALSE
  )
  d <- two_class()$data
  fit <- parsnip::fit(update(s, rho = 0.5), class ~ ., d)
  expect_identical(learner_of(fit$fit), learner_mhks(c = 1, rho = 0.5))
  expect_mkl_error(update(s, c = 2), "Did you mean `cost`", "c")
  expect_mkl_error(update(s, p = 2), "Did you mean `parameters`", "p")
  expect_mkl_error(multi_kernel("regression", marg = 2), "Did you mean `margin`", "marg")
  expect_mkl_error(
    fit_multi_kernel(class ~ ., d, learn = "svm"), "Did you mean `learner`", "learn"
  )
})

test_that("a fit holds no data of its caller", {
  need_parsnip()
  d <- two_class()
  big <- rnorm(1e5)
  s <- parsnip::set_engine(spec(learner = "svm"), "multikernel", probability = FALSE)
  fit <- parsnip::fit_xy(s, d$x, d$y)
  direct <- mkl(d$x, d$y)
  expect_lt(length(serialize(fit$fit, NULL)), length(serialize(direct, NULL)) + 3000)
})

test_that("mistakes are told in our words", {
  need_parsnip()
  d <- two_class()
  no <- parsnip::set_engine(spec(learner = "svm"), "multikernel", probability = FALSE)
  fit <- parsnip::fit(no, class ~ ., d$data)
  expect_mkl_error(parsnip::fit(spec(learner = "svmm"), class ~ ., d$data),
                   "Did you mean \"svm\"", "learner")
  expect_snapshot(error = TRUE, {
    parsnip::fit(parsnip::set_engine(no, "multikernel", trails = 3), class ~ ., d$data)
    parsnip::fit(spec(cost = -1), class ~ ., d$data)
    predict(fit, d$data, type = "prob")
  })
})

test_that("mkl_learners() names learners only", {
  need_parsnip()
  skip_if_not_installed("dials")
  expect_identical(mkl_learners(c("svm", "lmkl"))$values, c("svm", "lmkl"))
  expect_mkl_error(mkl_learners("svmm"), "Did you mean \"svm\"", "values")
  expect_mkl_error(mkl_learners(3), "names of learners", "values")
})

test_that("workflows carry it, with a recipe and with kernel terms", {
  need_parsnip()
  skip_if_not_installed("workflows")
  suppressWarnings(skip_if_not_installed("recipes")) # warns on machines without a time zone
  d <- two_class()
  s <- parsnip::set_engine(spec(learner = "svm"), "multikernel", probability = FALSE)
  recipe <- recipes::recipe(class ~ ., d$data)
  recipe <- recipes::step_normalize(recipe, recipes::all_numeric_predictors())
  fit <- parsnip::fit(workflows::workflow(recipe, s), d$data)
  direct <- mkl(class ~ ., d$data)
  expect_identical(predict(fit, d$data)$.pred_class, bare(predict(direct, d$data)))
  terms <- workflows::add_variables(workflows::workflow(), class, c(v1, v2, v3))
  terms <- workflows::add_model(
    terms, update(s, learner = "easymkl"), formula = class ~ rbf(v1, sigma = 1) + linear(v2, v3)
  )
  direct <- easymkl(class ~ rbf(v1, sigma = 1) + linear(v2, v3), d$data)
  expect_identical(
    kernel_weights(workflows::extract_fit_engine(parsnip::fit(terms, d$data))),
    kernel_weights(direct)
  )
})

test_that("tune tunes it", {
  need_parsnip()
  skip_if_not_installed("tune")
  skip_if_not_installed("dials")
  skip_if_not_installed("rsample")
  d <- two_class(80)
  s <- parsnip::set_engine(
    spec(learner = tune::tune(), cost = tune::tune()), "multikernel", probability = FALSE
  )
  values <- tune::extract_parameter_set_dials(s)
  expect_setequal(values$name, c("learner", "cost"))
  set.seed(1)
  folds <- rsample::vfold_cv(d$data, v = 2)
  grid <- expand.grid(
    learner = c("svm", "average"), cost = c(0.01, 10), stringsAsFactors = FALSE
  )
  metrics <- yardstick::metric_set(yardstick::accuracy)
  tuned <- tune::tune_grid(s, class ~ ., folds, grid = grid, metrics = metrics)
  found <- tune::collect_metrics(tuned, summarize = FALSE)
  one <- found[found$learner == "average" & found$cost == 10 & found$id == "Fold1", ]
  split <- folds$splits[[1]]
  direct <- mkl(class ~ ., rsample::analysis(split), learner = learner_average(cost = 10))
  test <- rsample::assessment(split)
  expect_equal(one$.estimate, mean(predict(direct, test) == test$class))
  best <- tune::finalize_model(s, tune::select_best(tuned, metric = "accuracy"))
  expect_s3_class(parsnip::fit(best, class ~ ., d$data)$fit, "mkl")
})
