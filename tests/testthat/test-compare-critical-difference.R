test_that("quantiles are those of the tables of Demsar (2006)", {
  nemenyi <- c(1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
  expect_equal(round(vapply(2:10, function(k) rank_quantile(0.05, k, "nemenyi"), 0), 2),
               round(nemenyi, 2), tolerance = 0.004)
  dunn <- c(1.960, 2.241, 2.394, 2.498, 2.576, 2.638)
  expect_equal(vapply(2:7, function(k) rank_quantile(0.05, k, "bonferroni_dunn"), 0), dunn,
               tolerance = 5e-4)
})

test_that("groups and p-values of critical_difference() agree", {
  cd <- critical_difference(demsar())
  expect_identical(names(cd$ranks), c("m+cf", "m", "cf", "C4.5"))
  joined <- outer(names(cd$ranks), names(cd$ranks), Vectorize(function(a, b) {
    any(vapply(cd$groups, function(g) all(c(a, b) %in% g), NA))
  }))
  diag(joined) <- TRUE
  expect_identical(unname(cd$p_values > cd$level), joined)
  # at exactly the critical difference the p-value is the level
  expect_equal(ptukey(cd$difference / sqrt(20 / 84) * sqrt(2), 4, Inf, lower.tail = FALSE), 0.05,
               tolerance = 1e-6)
  one <- critical_difference(demsar(), test = "bonferroni_dunn", reference = "C4.5")
  # Only C4.5+m+cf differs, as in the paper: 1.179 is more than 1.16, and 1.143 is not.
  expect_identical(one$groups, list(c("m", "cf", "C4.5")))
  z <- (3.142857 - 2) / sqrt(20 / 84)
  expect_equal(one$p_values["m", "C4.5"], 3 * 2 * pnorm(-z), tolerance = 1e-5)
  expect_true(is.na(one$p_values["m", "cf"]))
})

test_that("results print", {
  expect_snapshot({
    critical_difference(demsar())
    critical_difference(demsar(), test = "bonferroni_dunn", reference = "C4.5")
  })
})

test_that("bad input is named", {
  expect_snapshot(error = TRUE, {
    critical_difference(demsar(), level = 1)
    critical_difference(demsar(), reference = "m")
    critical_difference(demsar(), test = "bonferroni_dunn", reference = "M")
  })
})
