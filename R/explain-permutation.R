# Importance by permutation: what the predictions of a fit lose when a source is permuted.

bootstrap_samples <- 30L

# list(table, baseline, times, n), see importance().
permutation_importance <- function(object, data, y, by, metric, repeats) {
  data <- as_new_form(object$frame, data)
  cases <- open_cases(object, data, by)
  if (cases$n < 2L) {
    stop_mkl("data_error", "data", "`data` must have at least 2 cases, not ", cases$n, ".")
  }
  if (!is.null(y) && !task_traits(object$task)$response) {
    stop_mkl("argument_error", "y", "`y` has no use for a one-class fit.")
  }
  truth <- test_response(object, data, y, cases$n, "data")
  score <- scorer(object, metric, truth)
  decision <- cases$decision()
  direction <- metric_direction(metric)
  # The same samples of the cases for the fit and all permutations.
  samples <- replicate(bootstrap_samples, sample.int(cases$n, replace = TRUE), simplify = FALSE)
  whole <- c(score(decision), vapply(samples, function(rows) score(decision, rows), 0))
  tasks <- rep(cases$sources, each = repeats)
  lost <- map_tasks(tasks, permuted_loss, cases = cases[c("permuted", "n")], score = score,
                    samples = samples, whole = whole, label = "Importance")
  table <- lapply(split(lost, rep(seq_along(cases$sources), each = repeats)), function(own) {
    own <- direction * matrix(unlist(own), nrow = length(whole))
    spread <- stats::var(rowMeans(own)[-1L], na.rm = TRUE)
    chance <- stats::var(own[1L, ]) / repeats # NA for a single permutation
    c(mean(own[1L, ]), sqrt(spread + chance))
  })
  list(
    table = data.frame(
      term = names(cases$sources), estimate = vapply(table, `[`, 0, 1L),
      se = vapply(table, `[`, 0, 2L)
    ),
    baseline = whole[1L], times = repeats, n = cases$n
  )
}

# The measure of the fit less that of a permutation of one source, on all cases and on each sample.
permuted_loss <- function(source, cases, score, samples, whole) {
  decision <- cases$permuted(source, sample.int(cases$n))
  whole - c(score(decision), vapply(samples, function(rows) score(decision, rows), 0))
}

# function(decision, rows): the measure of decision values, for some rows.
scorer <- function(object, metric, truth) {
  needs <- metrics_need(metric, object$task)
  if ("prob" %in% needs && !object$probability) {
    stop_mkl(
      "argument_error", "metric", "The measure \"", names(metric), "\" needs probabilities, which ",
      "this fit does not have. Fit it with `probability = TRUE`."
    )
  }
  function(decision, rows = seq_len(nrow(decision))) {
    prediction <- prediction_pieces(object, decision[rows, , drop = FALSE], needs, FALSE)
    prediction$classes <- object$classes
    unname(compute_metrics(truth[rows], prediction, metric))
  }
}

# What is permuted ---------------------------------------------------------------------------------

# list(n, sources, decision(), permuted(source, order)) of the cases in `data`.
open_cases <- function(object, data, by) {
  switch(by,
    view = open_views(object, data), kernel = open_kernels(object, data),
    column = open_columns(object, data)
  )
}

# A permutation of the cases that have a view, which the others keep lacking: a case that would
# lose its last view has no prediction, and the scale of a decision value depends on the number of
# views.
order_within <- function(order, present) {
  out <- seq_along(order)
  present <- present != 0
  out[present] <- order[present[order]]
  out
}

# Views as the fit reads them.
open_views <- function(object, data) {
  views <- names(object$frame$views)
  if (is.null(views)) stop_not_views()
  new <- new_rows(object, data, NULL)
  permuted <- function(view, order) {
    x <- new$x
    order <- order_within(order, x$present[, match(view, names(x$views))])
    x$views[[view]] <- x$views[[view]][order, , drop = FALSE]
    decision_values(object, x, new$blocks)
  }
  list(
    n = nrow(new$x), sources = stats::setNames(as.list(views), views), permuted = permuted,
    decision = function() decision_values(object, new$x, new$blocks)
  )
}

# The contributions of kernels.
open_kernels <- function(object, data) {
  terms <- new_contributions(object, data, NULL, contribution_groups(object, "kernel"))
  if (length(dim(terms)) == 2L) dim(terms) <- c(dim(terms), 1L)
  present <- kernel_presence(object, data, dim(terms)[1L])
  constant <- rep(attr(terms, "constant"), each = dim(terms)[1L])
  decision <- function(values) rowSums(aperm(values, c(1L, 3L, 2L)), dims = 2L) + constant
  permuted <- function(kernel, order) {
    order <- order_within(order, present[, kernel])
    terms[, kernel, ] <- terms[order, kernel, ]
    decision(terms)
  }
  names <- item_names(object$kernels)
  list(
    n = dim(terms)[1L], sources = stats::setNames(as.list(seq_along(names)), names),
    permuted = permuted, decision = function() decision(terms)
  )
}

# cases x kernels: whether a case has the views of a kernel.
kernel_presence <- function(object, data, n) {
  x <- if (!is.null(object$frame$views)) new_rows(object, data, NULL)$x
  each <- vapply(object$kernels, function(item) {
    views <- match(item_views(item), names(x$views))
    if (length(views)) rowSums(!x$present[, views, drop = FALSE]) == 0 else rep(TRUE, n)
  }, logical(n))
  matrix(each, n)[, rep(seq_along(object$kernels), item_counts(object$kernels)), drop = FALSE]
}

# Columns of the data as the user has them.
open_columns <- function(object, data) {
  if (!has_columns(object$frame)) {
    stop_mkl(
      "argument_error", "by", "The fit was made on kernel matrices and sees no columns: use ",
      "`by = \"kernel\"`."
    )
  }
  value <- function(data) new_decision(object, data, NULL)
  list(
    n = view_rows(data), sources = source_columns(object$frame, data),
    permuted = function(source, order) value(permute_column(data, source, order)),
    decision = function() value(data)
  )
}

# The columns that a fit sees, by their names, c(column) or c(view, column): in the order of the
# fit, so that the order of the data has no part in the permutations.
source_columns <- function(frame, data) {
  if (is_views(data)) return(view_columns(frame, data))
  formula <- stored_formula(frame)
  known <- if (is.null(formula)) variable_names(frame) else all.vars(formula[[length(formula)]])
  if (length(dim(data)) == 2L && !is.data.frame(data)) {
    at <- seq_len(ncol(data))
    names <- colnames(data) %||% paste0("column ", at)
    if (!is.null(colnames(data))) at <- match(intersect(known, names), names)
    return(stats::setNames(as.list(at), names[at]))
  }
  seen <- intersect(known, names(data))
  stats::setNames(as.list(seen), seen)
}

# Those of views of numbers and tables one by one, others as a whole.
view_columns <- function(frame, data) {
  views <- intersect(names(frame$views), names(data))
  each <- lapply(stats::setNames(nm = views), function(view) {
    width <- ncol(data[[view]])
    if (is.null(width)) return(stats::setNames(list(view), view))
    at <- seq_len(width)
    names <- colnames(data[[view]]) %||% at
    known <- variable_names(frame$views[[view]])
    if (!is.null(colnames(data[[view]])) && !is.null(known)) {
      at <- match(intersect(known, names), names)
    }
    stats::setNames(lapply(at, function(j) list(view, j)), paste0(view, "$", names[at],
                                                                  recycle0 = TRUE))
  })
  do.call(c, unname(each))
}

permute_column <- function(data, source, order) {
  if (is_views(data)) return(permute_view_column(data, source[[1L]], source[-1L], order))
  if (is.data.frame(data) || is.list(data)) {
    column <- data[[source]]
    data[[source]] <- if (is.null(dim(column))) column[order] else column[order, , drop = FALSE]
    return(data)
  }
  data[, source] <- data[order, source]
  data
}

# `column`: list(position), or an empty list for the whole view.
permute_view_column <- function(data, view, column, order) {
  kind <- class(data)
  data <- unclass(data)
  order <- order_within(order, attr(data, "present")[, view])
  if (length(column)) {
    data[[view]][, column[[1L]]] <- data[[view]][order, column[[1L]]]
  } else {
    data[[view]] <- data[[view]][order]
  }
  structure(data, class = kind)
}
