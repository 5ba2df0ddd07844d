# Areas under the ROC and the precision-recall curve, of one column of scores and of several: see
# mkl_metrics().

metric_auc <- function(truth, estimate, classes = NULL) {
  if (!is.matrix(estimate)) return(two_class_auc(truth, estimate, classes %||% two_levels(truth)))
  levels <- levels(truth)
  if (length(levels) == 2L && all(levels %in% colnames(estimate))) {
    return(rank_auc(truth == levels[2L], estimate[, match(levels[2L], colnames(estimate))]))
  }
  present <- levels(droplevels(truth))
  if (length(present) < 2L) return(undefined(one_class_reason()))
  by_class <- has_class_columns(truth, estimate, classes)
  pairs <- utils::combn(present, 2L)
  areas <- apply(pairs, 2L, function(pair) {
    own <- if (!by_class) pair_model_auc(truth, estimate, pair)
    own %||% pair_auc(truth, estimate, pair)
  })
  mean(areas, na.rm = TRUE)
}

# Whether the columns are classes, not pairs of them.
has_class_columns <- function(truth, estimate, classes) {
  all(colnames(estimate) %in% (classes %||% levels(truth))) ||
    all(levels(droplevels(truth)) %in% colnames(estimate))
}

# One model: rows of classes that it does not know have no order.
two_class_auc <- function(truth, score, classes) {
  rows <- truth %in% classes
  rank_auc(truth[rows] == classes[length(classes)], score[rows])
}

# The two classes of one column of decision values: levels that no row has may be more.
two_levels <- function(truth) {
  levels <- levels(truth)
  if (length(levels) > 2L) levels <- levels(droplevels(truth))
  if (length(levels) > 2L) {
    stop_mkl(
      "argument_error", "prediction", "`decision` of `prediction` must be a matrix with a column ",
      "for each model, because `truth` holds ", length(levels), " classes; or give the two ",
      "classes of the fit as `classes`."
    )
  }
  levels
}

# Share of pairs of a positive and another row that are in the right order; ties count one half.
rank_auc <- function(positive, score) {
  n <- as.double(sum(positive))
  m <- length(positive) - n
  if (n == 0 || m == 0) return(undefined(one_class_reason()))
  (sum(rank(score)[positive]) - n * (n + 1) / 2) / (n * m)
}

one_class_reason <- function() "the rows have one class"

# One pair of classes by the decision values of their own model; NULL if there is none.
pair_model_auc <- function(truth, estimate, pair) {
  score <- pair_score(estimate, pair)
  if (is.null(score)) return(NULL)
  rows <- truth %in% pair
  rank_auc(truth[rows] == pair[2L], score[rows])
}

# Decision values for the second class of a pair against the first; NULL if they have no model.
pair_score <- function(estimate, pair) {
  # as model_names() makes them
  own <- match(paste(pair[2:1], pair, sep = " / "), colnames(estimate))
  if (all(is.na(own))) own <- match(paste(pair[2:1], pair, sep = "/"), colnames(estimate))
  if (!is.na(own[1L])) return(estimate[, own[1L]])
  if (!is.na(own[2L])) return(-estimate[, own[2L]])
  NULL
}

# One pair of classes by the values of both.
pair_auc <- function(truth, estimate, pair) {
  rows <- truth %in% pair
  own <- match(pair, colnames(estimate))
  if (anyNA(own)) return(NA_real_)
  mean(c(
    rank_auc(truth[rows] == pair[1L], estimate[rows, own[1L]]),
    rank_auc(truth[rows] == pair[2L], estimate[rows, own[2L]])
  ))
}

# Class against rest -------------------------------------------------------------------------------

metric_auc_rest <- function(truth, estimate, classes = NULL) {
  mean_defined(rest_problems(truth, estimate, classes), rank_auc)
}

metric_pr_auc <- function(truth, estimate, classes = NULL) {
  mean_defined(rest_problems(truth, estimate, classes), average_precision)
}

# Over the problems that define the measure, those with rows on both sides.
mean_defined <- function(problems, measure) {
  values <- vapply(problems, function(one) as.double(measure(one$positive, one$score)), 0)
  if (all(is.na(values))) return(undefined(one_class_reason()))
  mean(values, na.rm = TRUE)
}

# What a curve is drawn of: list(positive, score, rows) for the positive class, or for each class
# against the rest if there are several; by the name of the class.
rest_problems <- function(truth, estimate, classes = NULL) {
  levels <- levels(truth)
  if (!is.matrix(estimate)) {
    classes <- classes %||% two_levels(truth)
    rows <- which(truth %in% classes)
    positive <- classes[length(classes)]
    return(stats::setNames(
      list(list(positive = truth[rows] == positive, score = estimate[rows], rows = rows)), positive
    ))
  }
  own <- has_class_columns(truth, estimate, classes)
  scores <- if (own) estimate else rest_scores(estimate, classes %||% levels)
  if (length(levels) == 2L && all(levels %in% colnames(scores))) {
    scores <- scores[, levels[2L], drop = FALSE]
  }
  problems <- lapply(seq_len(ncol(scores)), function(k) {
    list(positive = truth == colnames(scores)[k], score = scores[, k], rows = seq_along(truth))
  })
  stats::setNames(problems, colnames(scores))
}

# A score for each class. Those of one against one are votes; sums of decision values, mapped to
# between -1/2 and 1/2, break their ties as predict() does, so that the class of the largest score
# is the predicted one.
rest_scores <- function(estimate, classes) {
  votes <- sums <- matrix(0, nrow(estimate), length(classes), dimnames = list(NULL, classes))
  for (pair in utils::combn(seq_along(classes), 2L, simplify = FALSE)) {
    score <- pair_score(estimate, classes[pair])
    if (is.null(score)) next
    votes[, pair] <- votes[, pair] + cbind(score < 0, score >= 0)
    sums[, pair] <- sums[, pair] + cbind(-score, score)
  }
  votes + sums / (2 * (abs(sums) + 1))
}

# Step-wise: the precision at each distinct score times the growth of the recall there.
average_precision <- function(positive, score) {
  n <- as.double(sum(positive))
  if (n == 0 || n == length(positive)) return(undefined(one_class_reason()))
  order <- order(score, decreasing = TRUE)
  last <- which(c(diff(score[order]) != 0, TRUE))
  found <- cumsum(positive[order])[last]
  sum(diff(c(0, found)) / n * found / last)
}
