# A benchmark made of given numbers: results as benchmark_mkl() returns them.
made_benchmark <- function(values, kind = "5x2", larger = TRUE, repeats = 5, folds = 2) {
  data <- names(values)
  learners <- colnames(values[[1]])
  splits <- repeats * folds
  results <- do.call(rbind, lapply(data, function(d) {
    data.frame(
      data = d, learner = rep(learners, each = splits),
      id = rep(sprintf("s%02d", seq_len(splits)), length(learners)),
      `repeat` = rep(rep(seq_len(repeats), each = folds), length(learners)),
      fold = rep(seq_len(folds), repeats * length(learners)), score = as.vector(values[[d]]),
      failure = NA_character_, warning = NA_character_, check.names = FALSE
    )
  }))
  structure(class = "mkl_benchmark", list(
    results = results, summary = summarise_cells(results, "score"),
    metrics = list(score = list(larger = larger)),
    learners = stats::setNames(vector("list", length(learners)), learners),
    resamples = stats::setNames(rep(kind, length(data)), data),
    sizes = data.frame(data = data, rows = 90, train = 60, test = 30, kind = kind)
  ))
}

made_scores <- function(seed = 1) {
  set.seed(seed)
  lapply(c(first = 0.8, second = 0.7, third = 0.9), function(base) {
    round(cbind(a = base + rnorm(10, 0, 0.02), b = base + 0.05 + rnorm(10, 0, 0.02),
                c = base - 0.1 + rnorm(10, 0, 0.02)), 3)
  })
}

# Table 2 and Table 6 of Demsar (2006): AUC of C4.5 with and without tuned parameters.
demsar <- function() {
  auc <- rbind(
    c(.763, .768, .771, .798), c(.599, .591, .590, .569), c(.954, .971, .968, .967),
    c(.628, .661, .654, .657), c(.882, .888, .886, .898), c(.936, .931, .916, .931),
    c(.661, .668, .609, .685), c(.583, .583, .563, .625), c(.775, .838, .866, .875),
    c(1, 1, 1, 1), c(.940, .962, .965, .962), c(.619, .666, .614, .669),
    # The third and fourth differ in a digit that the table does not show, by their ranks.
    c(.972, .981, .9751, .975), c(.957, .978, .946, .970)
  )
  colnames(auc) <- c("C4.5", "m", "cf", "m+cf")
  auc
}
