# Values of views as the core reads them: scaled, and with what is done about views and values that
# are missing. Everything is learned from the training rows alone (learn_views()).

#' @export
training_columns.view_features <- function(frame, rows, scale) {
  x <- if (is.null(rows)) frame$x else frame$x[rows, , drop = FALSE]
  check_seen(x)
  learnt <- learn_views(x, frame, scale)
  x <- settle_parts(x, learnt)
  if (identical(x$missing, "impute")) {
    learnt$donors <- x # new cases may lack a view that all training cases have
    x <- impute_views(x, x)
  }
  list(x = if (isTRUE(frame$blueprint$flat)) flat_columns(x) else x, scaling = learnt)
}

check_seen <- function(x) {
  unseen <- x$names[colSums(x$present) == 0]
  if (length(unseen)) {
    stop_mkl("data_error", unseen[1L], "No training case has the view ", tick_all(unseen[1L]),
             ": leave it out, or choose splits whose training parts have it.")
  }
}

# For kernels without a fit: nothing is standardized unless views() asks for it.
plain_views <- function(frame, kernels) {
  asked <- frame$blueprint$scale_views
  frame$asked_scale <- asked
  frame$blueprint$scale_views <- asked %in% TRUE
  names(frame$blueprint$scale_views) <- names(asked)
  check_loose(frame, seen_views(kernels))
  frame$blueprint$missing <- frame$x$missing <- "available"
  learnt <- training_columns(frame, NULL, TRUE)
  frame$blueprint[names(learnt$scaling)] <- learnt$scaling
  frame$x <- learnt$x
  frame
}

# Sparse views become dense if a kernel on them needs more than dot products and squared distances.
densify_views <- function(frame, kernels) {
  items <- single_items(kernels)
  seen <- vapply(items, function(item) item$view %||% "", "")
  for (view in names(frame$x$views)) {
    if (!inherits(frame$x$views[[view]], "sparse_features")) next
    blueprint <- frame$blueprint$views[[view]]
    imputed <- isTRUE(blueprint$sparse) && identical(frame$x$missing, "impute")
    if (!imputed && stays_sparse(blueprint, items[seen == view])) next
    part <- settle_frame(list(
      x = frame$x$views[[view]], blueprint = blueprint
    ), kernels, columns = TRUE)
    frame$x$views[[view]] <- part$x
    frame$blueprint$views[[view]] <- part$blueprint
  }
  frame
}

# The columns of all views, for learners that see columns.
flat_columns <- function(x) {
  if (any(x$present == 0)) {
    stop_mkl(
      "data_error", "missing", "Some cases lack a view, and the learner sees the columns of all ",
      "views at once: use `missing = \"impute\"` or `missing = \"omit\"`."
    )
  }
  as.matrix(x)
}

#' @export
scale_new.view_features <- function(x, frame, rows = NULL, own = FALSE) {
  if (!is.null(rows)) x <- x[rows, , drop = FALSE]
  x$views <- Map(as_stored, x$views, frame$views)
  x <- settle_parts(x, frame[c("fill", "center", "scale")])
  if (identical(frame$missing, "impute")) x <- impute_views(x, frame$donors)
  if (isTRUE(frame$flat)) flat_columns(x) else x
}

# A view of sparse features that the fit has made dense.
as_stored <- function(part, blueprint) {
  sparse <- inherits(part, "sparse_features")
  if (sparse && !is_sparse_form(blueprint)) as.matrix(part) else part
}

# Views that are imputed --------------------------------------------------------------------------

# How many training cases stand in for a view that a case lacks.
impute_neighbors <- 5L

# `x` with the views that cases lack made of those of the nearest cases among `donors`, both
# settled: the means of their columns (of indicators: shares), the nearest sparse row or the nearest
# text, series or graph. Near is what kernels of the views that both cases have say on average.
impute_views <- function(x, donors) {
  lacking <- which(rowSums(x$present == 0) > 0)
  if (length(lacking) == 0L) return(x)
  part <- x[lacking, , drop = FALSE]
  distance <- view_distance(part, donors)
  for (v in which(colSums(part$present == 0) > 0)) {
    having <- which(donors$present[, v] == 1)
    for (i in which(part$present[, v] == 0)) {
      near <- near_donors(distance[i, ], having, x$views[[v]])
      if (length(near) == 0L) next
      x$views[[v]] <- put_row(x$views[[v]], lacking[i], donors$views[[v]], near)
      x$present[lacking[i], v] <- 1
    }
  }
  x
}

# Those of the `having` whose views stand in for one. A case that shares no view with any of them is
# near to none: it gets the means of all, and lacks a view that has no means.
near_donors <- function(distance, having, view) {
  comparable <- having[is.finite(distance[having])]
  if (length(comparable) == 0L) return(if (is.matrix(view)) having)
  near <- comparable[order(distance[comparable], method = "radix")]
  utils::head(near, if (is_raw(view)) 1L else impute_neighbors)
}

# Row i of a view becomes that of the donors.
put_row <- function(x, i, donors, near) {
  if (is_raw(x)) {
    x$values[i] <- donors$values[near]
    return(x)
  }
  if (inherits(x, "sparse_features")) return(put_sparse_row(x, i, donors[near[1L], ]))
  x[i, ] <- colMeans(donors[near, , drop = FALSE])
  x
}

# Of the nearest donor alone: a mean of several would fill in zeros.
put_sparse_row <- function(x, i, donor) {
  keep <- x$positions != i
  columns <- c(entry_columns(x)[keep], entry_columns(donor))
  positions <- c(x$positions[keep], rep.int(as.integer(i), length(donor$positions)))
  entries <- order(columns, positions)
  x$starts <- c(1L, 1L + cumsum(tabulate(columns, ncol(x))))
  x$positions <- positions[entries]
  x$values <- c(x$values[keep], donor$values)[entries]
  x
}

# 1 - k(i, j) for kernels with k(i, i) = 1, the mean over the views that both cases have; Inf where
# there is none.
view_distance <- function(x, donors) {
  total <- count <- matrix(0, nrow(x), nrow(donors))
  for (view in x$names) {
    rows <- which(has_view(x, view))
    columns <- which(has_view(donors, view))
    if (length(rows) == 0L || length(columns) == 0L) next
    near <- nearness(
      x$views[[view]][rows, , drop = FALSE], donors$views[[view]][columns, , drop = FALSE]
    )
    total[rows, columns] <- total[rows, columns] + 1 - near
    count[rows, columns] <- count[rows, columns] + 1
  }
  ifelse(count > 0, total / count, Inf)
}

# A Gaussian whose width is the spread of the columns, or the default kernel of raw data.
nearness <- function(x, donors) {
  control <- mkl_control()
  n <- nrow(donors)
  if (is_raw(donors)) {
    items <- resolve_kernels(
      default_raw_kernel(donors$type), donors, list(), "cosine", seq_len(n), n
    )
  } else {
    spread <- sum(column_scaling(donors, NULL, FALSE)$scale^2)
    items <- resolve_kernels(
      kernel_rbf(sqrt(max(spread, 1e-300))), donors, list(), "none", seq_len(n), n
    )
  }
  gram_matrices(items, donors, x, control)[[1L]]
}
