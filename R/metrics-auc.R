# The area under the ROC curve, of one column of scores and of several: see mkl_metrics().

metric_auc <- function(truth, estimate, classes = NULL) {
  if (!is.matrix(estimate)) return(two_class_auc(truth, estimate, classes %||% two_levels(truth)))
  levels <- levels(truth)
  if (length(levels) == 2L && all(levels %in% colnames(estimate))) {
    return(rank_auc(truth == levels[2L], estimate[, match(levels[2L], colnames(estimate))]))
  }
  present <- levels(droplevels(truth))
  if (length(present) < 2L) return(NA_real_)
  by_class <- all(colnames(estimate) %in% (classes %||% levels)) ||
    all(present %in% colnames(estimate))
  pairs <- utils::combn(present, 2L)
  areas <- apply(pairs, 2L, function(pair) {
    own <- if (!by_class) pair_model_auc(truth, estimate, pair)
    own %||% pair_auc(truth, estimate, pair)
  })
  mean(areas, na.rm = TRUE)
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
  if (n == 0 || m == 0) return(NA_real_)
  (sum(rank(score)[positive]) - n * (n + 1) / 2) / (n * m)
}

# One pair of classes by the decision values of their own model; NULL if there is none.
pair_model_auc <- function(truth, estimate, pair) {
  rows <- truth %in% pair
  truth <- truth[rows]
  # as model_names() makes them
  own <- match(paste(pair[2:1], pair, sep = " / "), colnames(estimate))
  if (all(is.na(own))) own <- match(paste(pair[2:1], pair, sep = "/"), colnames(estimate))
  if (!is.na(own[1L])) return(rank_auc(truth == pair[2L], estimate[rows, own[1L]]))
  if (!is.na(own[2L])) return(rank_auc(truth == pair[1L], estimate[rows, own[2L]]))
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
