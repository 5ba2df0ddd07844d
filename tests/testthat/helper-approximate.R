# Approximated fits, `near`, against `exact` ones on the matrices of the same features.
expect_same_solution <- function(fits, tolerance = 1e-6) {
  expect_true(all(converged(fits$near)))
  expect_equal(unname(objective(fits$near)), unname(objective(fits$exact)), tolerance = tolerance)
  decision <- function(fit) unname(as.vector(predict(fit, type = "decision")))
  expect_equal(decision(fits$near), decision(fits$exact), tolerance = 1e-3)
}
