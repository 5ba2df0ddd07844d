need_dials <- function() {
  skip_if_not_installed("parsnip", "1.0.0")
  skip_if_not_installed("dials")
}

spec_with <- function(learner, ..., mode = "classification") {
  parsnip::set_engine(multi_kernel(mode, learner = learner), "multikernel", ...)
}

test_that("every parameter of every learner has a valid range, or is named as not tuned", {
  # Ends of ranges are accepted by the constructor of the learner.
  for (name in learner_names()) {
    learner <- learner_called(name)
    make <- get(paste0("learner_", name))
    for (one in learner_parameters(learner)) {
      found <- parameter_range(one, list(learner))
      if (one %in% not_tuned()) {
        expect_null(found, label = paste(name, one))
        next
      }
      ends <- found$values %||% found$range
      expect_gt(length(ends), 1, label = paste(name, one))
      for (end in ends) {
        made <- do.call(make, stats::setNames(list(end), one))
        # a default is not always stored
        expect_equal(made$parameters[[one]] %||% end, end, label = paste(name, one))
      }
    }
  }
})

test_that("ranges are those that all learners accept", {
  learners <- lapply(c("easymkl", "multik_mhks"), learner_called)
  expect_identical(parameter_range("lambda", learners[1])$range, c(0, 1))
  expect_identical(parameter_range("lambda", learners)$range, c(1 / 16, 1))
  expect_null(parameter_range("combine", lapply(c("gmkl", "cca_mhks"), learner_called)))
  expect_identical(parameter_range("trials", list(learner_mkboost()))$range, c(20L, 200L))
})

test_that("engine arguments marked for tuning get parameters of dials", {
  need_dials()
  tune <- hardhat::tune
  set <- hardhat::extract_parameter_set_dials(
    spec_with("lbmkl", beta = tune(), normalize = tune(), gap = 1e-3)
  )
  expect_setequal(set$name, c("beta", "normalize"))
  beta <- set$object[[match("beta", set$name)]]
  # 2^-7 to 2^7, evenly on the logarithm
  expect_equal(dials::value_seq(beta, 3), c(2^-7, 1, 2^7))
  set.seed(1)
  grid <- dials::grid_random(set, size = 20)
  expect_true(all(grid$beta >= 2^-7 & grid$beta <= 2^7))
  expect_true(all(grid$normalize %in% tuned_settings()$normalize))
  counts <- hardhat::extract_parameter_set_dials(spec_with("mkboost", trials = tune()))
  expect_type(dials::value_sample(counts$object[[1]], 3), "integer")
  # a point of the grid can be fitted
  final <- update(spec_with("lbmkl", beta = 1, probability = FALSE), beta = grid$beta[1])
  expect_identical(
    learner_of(parsnip::fit(final, class ~ ., two_class()$data)$fit)$parameters$beta, grid$beta[1]
  )
})

test_that("mkl_parameter() makes parameters and refuses bad ranges", {
  need_dials()
  expect_equal(dials::value_seq(mkl_parameter(c(0.25, 4), trans = "log2"), 3), c(0.25, 1, 4))
  expect_identical(dials::value_seq(mkl_parameter(c(1L, 3L)), 3), 1:3)
  expect_identical(mkl_parameter(values = c("a", "b"))$values, c("a", "b"))
  expect_mkl_error(mkl_parameter(c(2, 1)), "smallest", "range")
  expect_mkl_error(mkl_parameter(c(0, 1), trans = "log2"), "positive", "range")
  expect_mkl_error(mkl_parameter(values = 1:2), "texts", "values")
  expect_mkl_error(mkl_parameter(c(1, 2), trans = "log3"), "log2", "trans")
})

test_that("one fit predicts for several numbers of trials", {
  skip_if_not_installed("parsnip", "1.0.0")
  for (data in list(two_class()$data, stats::setNames(three_class(), c(letters[1:4], "class")))) {
    set.seed(1)
    fit <- parsnip::fit(
      spec_with("mkboost", trials = 12, probability = FALSE), class ~ ., data
    )
    new <- data[c(1, 40, 60), ]
    all <- parsnip::multi_predict(fit, new, trials = c(2, 12))
    expect_identical(dim(all), c(3L, 1L))
    expect_named(all$.pred[[1]], c("trials", ".pred_class"))
    late <- vapply(all$.pred, function(one) as.character(one$.pred_class[2]), "")
    expect_identical(late, as.character(predict(fit, new)$.pred_class))
    early <- vapply(all$.pred, function(one) as.character(one$.pred_class[1]), "")
    expect_identical(early, as.character(bare(predict(fit$fit, new, trials = 2))))
    raw <- parsnip::multi_predict(fit, new, type = "raw", trials = 2)
    direct <- predict(fit$fit, new, type = "decision", trials = 2)
    expect_equal(unlist(raw$.pred[[2]][-1], use.names = FALSE),
                 unname(if (is.matrix(direct)) direct[2, ] else direct[2]))
  }
})

test_that("augment() of parsnip has the standard names", {
  skip_if_not_installed("parsnip", "1.0.0")
  set.seed(1)
  fit <- parsnip::fit(spec_with("svm"), class ~ ., two_class()$data)
  columns <- names(parsnip::augment(fit, two_class()$data[1:4, ]))
  expect_true(all(c(".pred_class", ".pred_no", ".pred_yes") %in% columns))
})
