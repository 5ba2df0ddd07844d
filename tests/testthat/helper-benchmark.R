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
