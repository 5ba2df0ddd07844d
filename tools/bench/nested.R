# Nested cross-validation on Sonar over three learners: what they reach when their parameters are
# chosen within each training part, how long that takes and how much memory. Each learner runs in an
# R process of its own, because the peak of a process never falls; all have the same outer splits.
#   Rscript tools/bench/nested.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

utils::data("Sonar", package = "mlbench")
folds <- if (quick) c(outer = 3, inner = 3) else c(outer = 10, inner = 5)

# Learner, grid and kernels of each contestant; paper grids where the papers have them.
contestants <- list(
  svm = list(
    learner = learner_svm(), kernels = function(sigma) kernel_rbf(sigma),
    grid = list(sigma = 2^(-1:6), cost = 10^(-1:4))
  ),
  easymkl = list(learner = learner_easymkl(), grid = paper_grid("easymkl")),
  mkboost = list(learner = learner_mkboost("D1"), grid = paper_grid("mkboost"))
)
if (quick) {
  contestants$svm$grid <- list(sigma = c(4, 8, 16), cost = c(1, 10))
  contestants$mkboost$grid <- list(trials = c(20, 60), sampling = 0.2)
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  one <- contestants[[bench_args[worker + 1]]]
  file <- bench_args[worker + 2]
  set.seed(7)
  outer <- resample_splits(resample_cv(folds[["outer"]]), Sonar$Class)
  gc(FALSE)
  before <- peak_mb()
  seconds <- system.time(tuned <- suppressWarnings(tune_mkl(
    Class ~ ., Sonar, learner = one$learner, grid = one$grid, kernels = one$kernels,
    folds = folds[["inner"]], outer = outer, metrics = c("accuracy", "auc")
  )))
  saveRDS(list(
    results = tuned$outer$results, inner = tuned$best, points = nrow(tuned$summary),
    # the tuning on all rows, one for each outer split, and the final fits; points that share a fit
    # (the trials of MKBoost) count one by one
    evaluations = nrow(tuned$results) * (1 + length(outer)) + length(outer),
    elapsed = seconds[["elapsed"]], cpu = sum(seconds[1:2]), before = before, after = peak_mb()
  ), file)
  quit(status = 0)
}

describe_run()
cat(sprintf(
  "\nSonar (208 x 60), %d outer x %d inner folds, tuned by accuracy, one thread\n",
  folds[["outer"]], folds[["inner"]]
))
out <- lapply(names(contestants), function(name) {
  file <- tempfile(fileext = ".rds")
  system2(file.path(R.home("bin"), "Rscript"),
          c(shQuote(script), "--worker", name, file, if (quick) "--quick"))
  readRDS(file)
})
names(out) <- names(contestants)

cat(sprintf("%-9s %7s %12s %9s %9s %8s %9s %18s %11s %7s\n", "learner", "points", "evaluations",
            "seconds", "CPU s", "ms each", "peak MB", "accuracy (outer)", "best inner", "auc"))
for (name in names(out)) {
  r <- out[[name]]
  cat(sprintf(
    "%-9s %7d %12d %9.2f %9.2f %8.2f %9.1f %18s %11.3f %7.3f\n", name, r$points, r$evaluations,
    r$elapsed, r$cpu, 1000 * r$cpu / r$evaluations, r$after,
    sprintf("%.3f (sd %.3f)", mean(r$results$accuracy), sd(r$results$accuracy)),
    r$inner$accuracy, mean(r$results$auc)
  ))
}

cat("\nDifferences of accuracy on the same outer splits (corrected resampled t test):\n")
ratio <- 1 / (folds[["outer"]] - 1)
for (pair in utils::combn(names(out), 2, simplify = FALSE)) {
  test <- test_corrected_t(
    out[[pair[1]]]$results$accuracy, out[[pair[2]]]$results$accuracy, ratio = ratio
  )
  cat(sprintf("  %-22s %+.3f  p = %.3f\n", paste(pair, collapse = " - "),
              test$estimate, test$p.value))
}

cat("\nMemory added to an idle process with the package and the data:\n")
for (name in names(out)) {
  cat(sprintf("  %-10s %6.1f MB\n", name, out[[name]]$after - out[[name]]$before))
}
