# The main job: which learner does best, and what does it cost? Five-fold cross-validation on two
# data sets, a table and a plot. Called by tools/demo: Rscript tools/demo.R <directory>

suppressPackageStartupMessages(library(multikernel))

directory <- commandArgs(TRUE)[1]
if (is.na(directory)) directory <- "."
folds <- 5
set.seed(20)

# ---- data: sonar echoes of metal or rock, and letters that are spam or not -----------------------
load_data <- function(name, package) {
  utils::data(list = name, package = package, envir = environment())
  get(name, envir = environment())
}
spam <- load_data("spam", "kernlab")
sets <- list(
  Sonar = list(formula = Class ~ ., data = load_data("Sonar", "mlbench")),
  spam = list(formula = type ~ ., data = spam[sample(nrow(spam), 1500), ])
)

# ---- learners: one kernel against the ways to use eight ------------------------------------------
several <- kernel_set(kernel_rbf(sigma = 2^(-1:4)), kernel_linear(), kernel_polynomial(2))
methods <- list(
  "svm, one RBF kernel" = list(learner = learner_svm(cost = 10), kernels = kernel_rbf("median")),
  "average of 8 kernels" = list(learner = learner_average(cost = 10), kernels = several),
  "random kernel of 8" = list(learner = learner_random(cost = 10), kernels = several),
  "best kernel of 8" = list(learner = learner_best(cost = 10), kernels = several)
)

# ---- five-fold cross-validation ------------------------------------------------------------------
evaluate <- function(method, set, fold) {
  response <- all.vars(set$formula)[1]
  scores <- vapply(seq_len(folds), function(k) {
    test <- fold == k
    fit <- mkl(set$formula, set$data[!test, ], learner = method$learner, kernels = method$kernels)
    mean(predict(fit, set$data[test, ]) == set$data[[response]][test])
  }, 0)
  c(accuracy = mean(scores), sd = stats::sd(scores))
}

results <- NULL
for (set_name in names(sets)) {
  set <- sets[[set_name]]
  fold <- sample(rep_len(seq_len(folds), nrow(set$data))) # the same folds for every method
  for (method_name in names(methods)) {
    seconds <- system.time(score <- evaluate(methods[[method_name]], set, fold))[["elapsed"]]
    results <- rbind(results, data.frame(
      data = set_name, rows = nrow(set$data), method = method_name,
      accuracy = score[["accuracy"]], sd = score[["sd"]], seconds = seconds
    ))
  }
}

cat(sprintf("\nAccuracy in %d-fold cross-validation (mean and sd over folds), C = 10\n\n", folds))
cat(sprintf("%-7s %5s  %-22s %17s %9s\n", "data", "rows", "method", "accuracy", "seconds"))
cat(sprintf("%-7s %5d  %-22s %9.1f +- %3.1f %% %9.2f\n", results$data, results$rows, results$method,
            100 * results$accuracy, 100 * results$sd, results$seconds), sep = "")

# ---- plot ----------------------------------------------------------------------------------------
file <- file.path(normalizePath(directory), "comparison.png")
colours <- c("#7a8794", "#2f6f9f", "#b8912f", "#3d8b5f")
grDevices::png(file, width = 1500, height = 700, res = 150)
graphics::par(mfrow = c(1, length(sets)), mar = c(4.5, 10, 3, 2), las = 1, family = "sans")
for (set_name in names(sets)) {
  part <- results[results$data == set_name, ]
  low <- max(0, floor(20 * min(part$accuracy - 2 * part$sd)) / 20)
  y <- rev(seq_along(part$method))
  graphics::plot(NULL, xlim = 100 * c(low, 1), ylim = range(y) + c(-0.6, 0.6), yaxt = "n",
                 xlab = "accuracy in % (mean and sd over folds)", ylab = "", bty = "n",
                 main = sprintf("%s (%d rows)", set_name, part$rows[1]))
  graphics::abline(v = pretty(100 * c(low, 1)), col = "#e6e9ec")
  graphics::axis(2, at = y, labels = part$method, tick = FALSE)
  graphics::segments(100 * (part$accuracy - part$sd), y, 100 * pmin(1, part$accuracy + part$sd), y,
                     lwd = 4, col = colours)
  graphics::points(100 * part$accuracy, y, pch = 21, cex = 2.2, lwd = 2, bg = colours,
                   col = "white")
}
invisible(grDevices::dev.off())
cat("\nplot:", file, "\n")
