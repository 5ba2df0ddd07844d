# Approximated fits, `near`, against `exact` ones on the matrices of the same features.
expect_same_solution <- function(fits, tolerance = 1e-6) {
  expect_true(all(converged(fits$near)))
  expect_equal(unname(objective(fits$near)), unname(objective(fits$exact)), tolerance = tolerance)
  decision <- function(fit) unname(as.vector(predict(fit, type = "decision")))
  expect_equal(decision(fits$near), decision(fits$exact), tolerance = 1e-3)
}

# Every learner with the trait `approximate`, with each of its losses and variants.
approximable_learners <- function() {
  losses <- c("hinge", "squared_hinge", "squared")
  c(
    lapply(losses, function(loss) learner_svm(10, loss = loss)),
    lapply(losses, function(loss) learner_average(10, loss = loss)),
    lapply(losses, function(loss) learner_simplemkl(1, gap = 1e-7, loss = loss)),
    lapply(c("D1", "D2", "S1", "S2"), function(variant) learner_mkboost(variant, trials = 6)),
    list(
      learner_best(10), learner_random(10), learner_komd(0.1), learner_komd(1),
      learner_easymkl(0.1), learner_easymkl(0.1, final = learner_svm(2)),
      learner_glmkl(1, gap = 1e-7), learner_lpmkl(1, p = 2, gap = 1e-7),
      learner_silpmkl(1, gap = 1e-6), learner_levelmkl(1, gap = 1e-6),
      learner_svm_concatenated(10), learner_mhks(), learner_mhks(rank = 5), learner_multik_mhks()
    )
  )
}

able_learners <- function() {
  Filter(function(name) isTRUE(multikernel:::check_learner(name)$approximate), learner_names())
}

# Those that take one kernel, or fixed weights of several.
takes_one <- function(learner) learner$name %in% c("komd", "svm", "mhks")
