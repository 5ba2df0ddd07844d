# What plots of predictions show: decision values of rows with their classes, ROC curves, fitted
# values.

# Rows of `data` with their classes. list(decision: matrix with a column for each model, code: of
# the class from 0, NA if unknown).
scored_rows <- function(x, data, response) {
  if (is.null(x$classes)) {
    stop_mkl("argument_error", "what", "This picture is for classification, not ", x$task, ".")
  }
  if (is.null(data)) {
    stop_mkl(
      "argument_error", "data", "`data` is missing: a fit does not store its response. Give rows ",
      "with their classes, best those that were not used in training."
    )
  }
  truth <- true_response(x, data, response)
  if (is.null(truth)) {
    stop_mkl(
      "argument_error", "response", "`response` is missing: give the classes of the rows of `data`."
    )
  }
  decision <- as.matrix(predict(x, data, type = "decision"))
  check_each_row(truth, "response", nrow(decision))
  code <- match(as.character(truth), x$classes) - 1L
  if (all(is.na(code))) {
    stop_mkl(
      "argument_error", "response", "`response` must hold classes of the fit (",
      quote_all(x$classes), "), not ", quote_all(unique(as.character(truth)), 4L), "."
    )
  }
  list(decision = decision, code = code)
}

# Decision values and classes (1 negative, 2 positive) of each model of a fit on `data`, in long
# form. One against one: the rows of the two classes of a pair; one against the rest: all rows.
score_frame <- function(x, data, response) {
  rows <- scored_rows(x, data, response)
  code <- rows$code
  names <- model_names(x) %||% "all"
  parts <- Map(function(model, name, j) {
    positive <- code == (model$positive %||% 1L)
    negative <- if ((model$negative %||% 0L) < 0) !positive else code == (model$negative %||% 0L)
    own <- which((positive | negative) & !is.na(rows$decision[, j]))
    data.frame(
      model = name, row = own, decision = rows$decision[own, j], class = 1L + positive[own]
    )
  }, x$models, names, seq_along(names))
  do.call(rbind, parts)
}

# ---- ROC curves ----------------------------------------------------------------------------------

# Curves of a fit on `data`, of each class against the rest if there are several; see roc_curves().
fit_roc <- function(x, data, response) {
  scored <- scored_rows(x, data, response)
  known <- which(!is.na(scored$code) & !is.na(scored$decision[, 1L]))
  decision <- scored$decision[known, , drop = FALSE]
  truth <- factor(x$classes[scored$code[known] + 1L], x$classes)
  estimate <- if (ncol(decision) == 1L) decision[, 1L] else decision
  predicted <- as.character(shape_class(x, decision))
  roc_curves(rest_problems(truth, estimate, x$classes), predicted) %||%
    stop_mkl("argument_error", "response", "`response` must hold rows of at least two classes.")
}

# The same of a result of roc_data(), which has no points.
drawn_roc <- function(x) {
  list(
    curves = data.frame(
      class = as.character(x$class), false_positive = 1 - x$specificity,
      true_positive = x$sensitivity
    ),
    points = data.frame(class = character(), false_positive = numeric(), true_positive = numeric()),
    areas = attr(x, "auc")
  )
}

# Entries of the legend, one for each curve: all have names if there are few, else those with the
# lowest areas, and the others share one entry. data.frame(class, label, named).
roc_legend <- function(areas, few = 8L, lowest = 5L) {
  label <- paste0(shorten(names(areas), 24L), ": AUC ", sprintf("%.3f", areas))
  named <- rep(TRUE, length(areas))
  if (length(areas) > few) {
    named <- rank(areas, ties.method = "first") <= lowest
    others <- range(areas[!named])
    label[!named] <- paste0(
      sum(!named), " others: AUC ", sprintf("%.3f", others[1L]), " to ", sprintf("%.3f", others[2L])
    )
  }
  order <- order(!named, if (all(named)) seq_along(areas) else areas)
  data.frame(class = names(areas), label = label, named = named)[order, ]
}

roc_subtitle <- function(roc) {
  rows <- plural(roc$rows, "row")
  if (length(roc$areas) == 1L) {
    return(paste0("AUC ", sprintf("%.3f", roc$areas), ", ", rows, "; the point is the threshold 0"))
  }
  paste0("Each class against the rest, ", rows, "; points: predicted classes")
}

# ---- fitted values -------------------------------------------------------------------------------

# NULL, or why there are no fitted values to draw.
no_fitted <- function(x) {
  if (is.null(x$decision) || (is.null(x$y) && task_traits(x$task)$response)) {
    "The fit holds no values for its training rows any more: they were removed."
  }
}

# Fitted values of the training rows. list(kind, frame): "values", decision values in bins with the
# number of rows of each class; "table", rows by true and predicted class; "numbers", observed and
# fitted response.
fitted_data <- function(x) {
  truth <- if (task_traits(x$task)$response) stored_response(x)
  decision <- training_decision(x)
  if (task_traits(x$task)$drawn == "numbers") {
    frame <- data.frame(observed = truth, fitted = decision[, 1L])
    return(list(kind = "numbers", frame = frame[stats::complete.cases(frame), ]))
  }
  if (length(x$classes) > 2L) {
    return(class_table(truth, shape_class(x, decision), x$classes))
  }
  sides <- x$classes %||% "training rows"
  class <- if (is.null(x$classes)) rep(1L, nrow(decision)) else match(truth, x$classes)
  list(kind = "values", frame = stacked_bins(decision[, 1L], class, length(sides)), sides = sides)
}

# Rows by true and predicted class, with their share in those of the true class.
class_table <- function(truth, predicted, classes) {
  table <- table(factor(truth, classes), factor(predicted, classes))
  frame <- as.data.frame(table, stringsAsFactors = FALSE)
  names(frame) <- c("truth", "fitted", "rows")
  frame$share <- frame$rows / rep(pmax(rowSums(table), 1), length(classes))
  list(kind = "table", frame = frame, classes = classes)
}

# A histogram of values in classes 1, ..., count, the bars of the classes on top of each other.
stacked_bins <- function(value, class, count) {
  known <- !is.na(value) & !is.na(class)
  breaks <- unique(pretty(range(value[known], 0), 30L))
  bin <- findInterval(value[known], breaks, rightmost.closed = TRUE)
  rows <- table(factor(bin, seq_len(length(breaks) - 1L)), factor(class[known], seq_len(count)))
  top <- t(apply(rows, 1L, cumsum))
  if (count == 1L) top <- t(top)
  data.frame(
    left = utils::head(breaks, -1L), right = breaks[-1L],
    class = rep(seq_len(count), each = nrow(rows)), rows = as.vector(rows),
    from = as.vector(top - rows), to = as.vector(top)
  )
}
