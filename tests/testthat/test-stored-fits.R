# Fits that an earlier version stored: they predict the same, or say that they must be refitted.
# tools/stored-fits.R wrote the file.

stored <- readRDS(test_path("fits-0.2.0.rds"))

test_that("fits of version 0.2.0 of every learner predict the same", {
  for (name in names(stored$fits)) {
    fit <- stored$fits[[name]]
    new <- stored$new[[name]]
    type <- if (inherits(fit, "mkl_features")) "class" else stored$type[[name]]
    found <- predict(fit, new, type = type)
    expect_equal(found, stored$want[[name]], tolerance = 1e-10, info = name)
  }
  expect_equal(
    predict(stored$fits$svm_probability, stored$new$svm_probability, type = "prob"),
    stored$probability, tolerance = 1e-10
  )
})

test_that("fits of version 0.2.0 answer the other questions too", {
  for (name in names(stored$fits)) {
    fit <- stored$fits[[name]]
    expect_output(print(fit), info = name)
    expect_output(print(summary(fit)), info = name)
    expect_length(fitted(fit), fit$n)
    if (inherits(fit, "mkl_features")) next
    weights <- kernel_weights(fit)
    expect_true(is.numeric(if (is.data.frame(weights)) weights$weight else weights), info = name)
  }
})

test_that("no learner of version 0.2.0 is gone", {
  names <- vapply(stored$fits, function(fit) sub("[(].*", "", format(fit$learner)), "")
  expect_identical(setdiff(names, paste0("learner_", learner_names())), character())
})
