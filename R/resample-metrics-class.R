# Measures of predicted classes: see mkl_metrics().

metric_accuracy <- function(truth, estimate) {
  mean(as.character(truth) == as.character(estimate))
}

metric_balanced <- function(truth, estimate) {
  right <- as.character(truth) == as.character(estimate)
  mean(tapply(right, droplevels(truth), mean))
}

# Functions of the numbers of true and false positive and negative predictions, which may be
# vectors: one for each class, or for each threshold of a curve.
count_measures <- function() {
  sensitivity <- function(tp, fp, fn, tn) tp / (tp + fn)
  specificity <- function(tp, fp, fn, tn) tn / (tn + fp)
  accuracy <- function(tp, fp, fn, tn) (tp + tn) / (tp + fp + fn + tn)
  list(
    accuracy = accuracy,
    error = function(tp, fp, fn, tn) 1 - accuracy(tp, fp, fn, tn),
    balanced_accuracy = function(tp, fp, fn, tn) {
      (sensitivity(tp, fp, fn, tn) + specificity(tp, fp, fn, tn)) / 2
    },
    f1 = function(tp, fp, fn, tn) 2 * tp / (2 * tp + fp + fn),
    sensitivity = sensitivity, specificity = specificity,
    precision = function(tp, fp, fn, tn) tp / (tp + fp), recall = sensitivity,
    mcc = function(tp, fp, fn, tn) {
      (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    },
    kappa = function(tp, fp, fn, tn) {
      n <- tp + fp + fn + tn
      chance <- ((tp + fp) * (tp + fn) + (tn + fp) * (tn + fn)) / n^2
      (accuracy(tp, fp, fn, tn) - chance) / (1 - chance)
    }
  )
}

# Why a measure of counts is not defined.
count_reasons <- function() {
  c(
    f1 = "no row is or is predicted as positive", sensitivity = "no row is positive",
    specificity = "no row is negative", precision = "no row is predicted as positive",
    recall = "no row is positive", balanced_accuracy = "the rows have one class",
    mcc = "the rows or the predictions have one class",
    kappa = "the rows and the predictions have the same single class"
  )
}

# A measure for the positive class; with several classes the mean over those that define it.
mean_by_class <- function(name) {
  force(name)
  function(truth, estimate, classes = NULL) {
    mean_of_counts(name, class_counts(truth, estimate, classes))
  }
}

mean_of_counts <- function(name, counts) {
  values <- do.call(count_measures()[[name]], counts)
  if (all(is.nan(values))) return(undefined(count_reasons()[[name]]))
  mean(values, na.rm = TRUE)
}

# Counts of the positive class, or of each class against the rest if there are several.
class_counts <- function(truth, estimate, classes) {
  # Without the classes of a fit: those of the truth, in their order, and what else was predicted.
  if (is.null(classes)) {
    known <- union(levels(droplevels(truth)), levels(estimate))
    classes <- union(intersect(levels(truth), known), known)
  }
  levels <- union(classes, as.character(truth))
  if (length(levels) == 2L) levels <- levels[2L]
  true <- outer(as.character(truth), levels, "==")
  said <- outer(as.character(estimate), levels, "==")
  list(
    tp = colSums(true & said), fp = colSums(!true & said), fn = colSums(true & !said),
    tn = colSums(!true & !said)
  )
}

# Rows and predictions of each class: list(n, right, true, said).
class_totals <- function(truth, estimate) {
  truth <- as.character(truth)
  estimate <- as.character(estimate)
  levels <- union(truth, estimate)
  count <- function(x) as.double(tabulate(match(x, levels), length(levels)))
  list(
    n = as.double(length(truth)), right = as.double(sum(truth == estimate)),
    true = count(truth), said = count(estimate)
  )
}

metric_mcc <- function(truth, estimate) total_mcc(class_totals(truth, estimate))

total_mcc <- function(t) {
  spread <- (t$n^2 - sum(t$said^2)) * (t$n^2 - sum(t$true^2))
  if (spread == 0) return(undefined(count_reasons()[["mcc"]]))
  (t$n * t$right - sum(t$true * t$said)) / sqrt(spread)
}

metric_kappa <- function(truth, estimate) total_kappa(class_totals(truth, estimate))

total_kappa <- function(t) {
  chance <- sum(t$true * t$said) / t$n^2
  if (chance == 1) return(undefined(count_reasons()[["kappa"]]))
  (t$right / t$n - chance) / (1 - chance)
}

# From counts ------------------------------------------------------------------------------------

# Whether all measures follow from how often each level was predicted as each class.
all_counted <- function(metrics) {
  known <- c(names(counted_values()), "support", "fit_time")
  all(vapply(metrics, function(metric) (metric$ready_made %||% "") %in% known, NA))
}

# Measures of a table of counts: true levels in rows, predicted classes in columns.
counted_values <- function() {
  by_class <- c("f1", "sensitivity", "specificity", "precision", "recall")
  c(
    list(
      accuracy = function(counts) sum(counts$right) / counts$n,
      error = function(counts) 1 - sum(counts$right) / counts$n,
      balanced_accuracy = function(counts) {
        has <- counts$true > 0
        mean(counts$right[has] / counts$true[has])
      },
      mcc = function(counts) total_mcc(table_totals(counts)),
      kappa = function(counts) total_kappa(table_totals(counts))
    ),
    stats::setNames(lapply(by_class, function(name) {
      force(name)
      function(counts) mean_of_counts(name, table_counts(counts))
    }), by_class)
  )
}

# The values of all measures from a table of levels and classes; `rest`: those of the measures that
# do not look at predictions.
values_of_counts <- function(table, fit, metrics, rest) {
  place <- match(fit$levels, fit$classes)
  inside <- cbind(seq_along(place), place)[!is.na(place), , drop = FALSE]
  right <- numeric(length(place))
  right[inside[, 1L]] <- table[inside]
  said <- numeric(length(place))
  said[inside[, 1L]] <- colSums(table)[inside[, 2L]]
  true <- rowSums(table)
  counts <- list(n = sum(table), right = right, true = true, said = said, fitted = !is.na(place))
  known <- counted_values()
  values <- lapply(metrics, function(metric) {
    name <- metric$ready_made
    if (!is.null(rest[[name]])) return(rest[[name]])
    if (counts$n == 0) undefined(no_row_reason()) else known[[name]](counts)
  })
  out <- vapply(values, as.double, 0)
  attr(out, "reasons") <- unlist(lapply(values, attr, "reason"))
  out
}

table_totals <- function(counts) {
  list(n = counts$n, right = sum(counts$right), true = counts$true, said = counts$said)
}

# Of the positive class, or of each class of the fit or of the rows: see class_counts().
table_counts <- function(counts) {
  seen <- counts$fitted | counts$true > 0
  levels <- c(which(counts$fitted), which(seen & !counts$fitted))
  if (length(levels) == 2L) levels <- levels[2L]
  tp <- counts$right[levels]
  fp <- counts$said[levels] - tp
  fn <- counts$true[levels] - tp
  list(tp = tp, fp = fp, fn = fn, tn = counts$n - tp - fp - fn)
}
