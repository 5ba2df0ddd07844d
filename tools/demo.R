# The main job: which learner does best, and what does it cost? Five-fold cross-validation on two
# data sets, a table and a plot. Called by tools/demo: Rscript tools/demo.R <directory>

suppressPackageStartupMessages(library(multikernel))

directory <- commandArgs(TRUE)[1]
if (is.na(directory)) directory <- "."
set.seed(20)

# ---- data: sonar echoes of metal or rock, and letters that are spam or not -----------------------
load_data <- function(name, package) {
  utils::data(list = name, package = package, envir = environment())
  get(name, envir = environment())
}
spam <- load_data("spam", "kernlab")
data <- list(
  Sonar = load_data("Sonar", "mlbench"),
  spam = spam[sample(nrow(spam), 600), ]
)
tasks <- list(Sonar = Class ~ ., spam = type ~ .)

# ---- learners: one kernel against the ways to use eight ------------------------------------------
several <- kernel_set(kernel_rbf(sigma = 2^(-1:4)), kernel_linear(), kernel_polynomial(2))
learners <- list(
  "svm, one RBF kernel" = list(learner_svm(cost = 10), kernels = kernel_rbf("median")),
  "random kernel" = learner_random(cost = 10),
  "best kernel" = learner_best(cost = 10),
  "average" = learner_average(cost = 10),
  "SimpleMKL" = learner_simplemkl(cost = 10),
  "lp-MKL, p = 2" = learner_lpmkl(p = 2, cost = 10),
  "EasyMKL" = learner_easymkl(),
  "MKBoost-D1" = learner_mkboost("D1", trials = 50),
  "LMKL" = list(learner_lmkl(cost = 10), kernels = several[c(3, 7, 8)]),
  "LB-MKL" = learner_lbmkl(beta = 4, cost = 10),
  "MultiK-MHKS" = list(learner_multik_mhks(), kernels = several[c(3, 4, 7)])
)

# ---- five-fold cross-validation ------------------------------------------------------------------
result <- benchmark_mkl(
  tasks, data,
  learners = learners, resamples = resample_cv(5), metrics = c("accuracy", "fit_time"),
  kernels = several
)
cat("\nAccuracy and seconds for a fit in 5-fold cross-validation, eight kernels unless said\n\n")
print(result)

# ---- plot ----------------------------------------------------------------------------------------
if (requireNamespace("ggplot2", quietly = TRUE)) {
  file <- file.path(normalizePath(directory), "comparison.png")
  ggplot2::ggsave(file, ggplot2::autoplot(result, metric = "accuracy"), width = 9, height = 4.5,
                  dpi = 130)
  cat("\nplot:", file, "\n")
} else {
  cat("\nNo plot: the package ggplot2 is not installed.\n")
}
