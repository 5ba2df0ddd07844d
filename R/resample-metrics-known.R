# The ready-made measures: see mkl_metrics().

known_metrics <- function() {
  # `top`: the largest value that is possible; `bottom`: the smallest. `classes`: TRUE if the
  # function wants to know the classes of the fit too.
  define <- function(name, needs, larger, fun, tasks = "classification", top = 1,
                     classes = FALSE, bottom = 0) {
    structure(class = "mkl_metric", list(
      name = name, ready_made = name, fun = fun, needs = needs, larger = larger, tasks = tasks,
      range = c(bottom, top), classes = classes
    ))
  }
  any <- task_names()
  counted <- function(name) define(name, "class", TRUE, mean_by_class(name), classes = TRUE)
  out <- list(
    define("accuracy", "class", TRUE, metric_accuracy, c("classification", "one_class")),
    define("error", "class", FALSE, function(truth, estimate) 1 - metric_accuracy(truth, estimate),
           c("classification", "one_class")),
    define("balanced_accuracy", "class", TRUE, metric_balanced),
    define("auc", "decision", TRUE, metric_auc, classes = TRUE),
    define("log_loss", "prob", FALSE, metric_log_loss, top = Inf),
    define("brier", "prob", FALSE, metric_brier),
    counted("f1"), counted("sensitivity"), counted("specificity"), counted("precision"),
    counted("recall"),
    define("mcc", "class", TRUE, metric_mcc, bottom = -1),
    define("kappa", "class", TRUE, metric_kappa, bottom = -1),
    define("auc_rest", "decision", TRUE, metric_auc_rest, classes = TRUE),
    define("pr_auc", "decision", TRUE, metric_pr_auc, classes = TRUE),
    define("rmse", "response", FALSE, function(truth, estimate) sqrt(mean((truth - estimate)^2)),
           "regression", top = Inf),
    define("mae", "response", FALSE, function(truth, estimate) mean(abs(truth - estimate)),
           "regression", top = Inf),
    define("r2", "response", TRUE, metric_r2, "regression", bottom = -Inf),
    define("concordance", "response", TRUE, metric_concordance, "regression"),
    define("support", "support", FALSE, NULL, any),
    define("fit_time", "fit_time", FALSE, NULL, any, top = Inf)
  )
  stats::setNames(out, vapply(out, function(metric) metric$name, ""))
}

# Probabilities ------------------------------------------------------------------------------------

metric_log_loss <- function(truth, estimate) {
  own <- estimate[cbind(seq_along(truth), match(as.character(truth), colnames(estimate)))]
  # A class that the training rows did not have got no probability at all.
  own[is.na(own)] <- 0
  -mean(log(pmax(own, 1e-15)))
}

metric_brier <- function(truth, estimate) {
  levels <- union(colnames(estimate), levels(droplevels(truth)))
  p <- matrix(0, length(truth), length(levels))
  p[, match(colnames(estimate), levels)] <- estimate
  hit <- outer(as.character(truth), levels, "==")
  mean(rowSums((p - hit)^2)) / 2
}

# Numbers ------------------------------------------------------------------------------------------

metric_r2 <- function(truth, estimate) {
  total <- sum((truth - mean(truth))^2)
  if (total == 0) return(undefined("all rows have the same response"))
  1 - sum((truth - estimate)^2) / total
}

metric_concordance <- function(truth, estimate) {
  n <- length(truth)
  usable <- pair_count(n) - sum(pair_count(table(match(truth, truth))))
  if (usable == 0) return(undefined("all rows have the same response"))
  place <- match(estimate, estimate)
  both <- paste(match(truth, truth), place)
  tied <- sum(pair_count(table(place))) - sum(pair_count(table(both)))
  # Among equal responses the predictions fall, so that no pair of these counts as rising.
  (rising_pairs(estimate[order(truth, -estimate)]) + tied / 2) / usable
}

pair_count <- function(n) {
  n <- as.double(n)
  n * (n - 1) / 2
}

# Number of i < j with x[i] < x[j], by merging blocks of 1, 2, 4, ... elements: n log(n)^2 time,
# where comparing all pairs would take n^2.
rising_pairs <- function(x) {
  place <- seq_along(x) - 1
  total <- 0
  width <- 1
  while (width < length(x)) {
    block <- place %/% (2 * width)
    right <- (place %/% width) %% 2
    # Equal values: the right half first, so that its elements are not above those of the left.
    order <- order(block, x, -right)
    left_before <- cumsum(1 - right[order])
    start <- block[order] * width # those of the blocks before, all of which are full
    total <- total + sum((left_before - start)[right[order] == 1])
    width <- 2 * width
  }
  total
}
