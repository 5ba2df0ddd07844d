# Sparse features: a sparse matrix of the package Matrix stays sparse where all kernels can be
# computed from dot products, squared distances or minima, see src/features/sparse.hpp.
#
# `sparse_features` are what the core reads, and what a fit stores: plain vectors, column by column.
#   type       "sparse"
#   rows       their number
#   starts     where the entries of each column begin, and one past the end, counted from 1
#   positions  rows of the entries, counted from 1
#   values     of the entries
#   labels     names of the columns, or NULL
#   center, scale  once they are standardized: the core applies these without making zeros dense

new_sparse <- function(rows, starts, positions, values, labels) {
  structure(class = "sparse_features", list(
    type = "sparse", rows = as.double(rows), starts = starts, positions = positions,
    values = values, labels = labels
  ))
}

sparse_features <- function(x) {
  for (class in c("dMatrix", "generalMatrix", "CsparseMatrix")) x <- methods::as(x, class)
  new_sparse(nrow(x), x@p + 1L, x@i + 1L, x@x, full_names(x))
}

# The entries of a dense matrix that are not 0.
sparse_entries <- function(x) {
  place <- which(is.na(x) | x != 0, arr.ind = TRUE)
  counts <- tabulate(place[, 2L], ncol(x))
  new_sparse(
    nrow(x), c(1L, 1L + cumsum(counts)), as.integer(place[, 1L]), as.double(x[place]), full_names(x)
  )
}

# The column of each entry.
entry_columns <- function(x) rep.int(seq_len(ncol(x)), diff(x$starts))

# What a fit may hold as its training rows; the core checks the entries of sparse ones.
is_features <- function(x) {
  sparse <- inherits(x, "sparse_features") && length(x$rows) == 1L &&
    is.numeric(x$rows) && is.finite(x$rows) && is.numeric(x$starts)
  (is.numeric(x) && is.matrix(x)) || sparse || is_raw(x) || is_view_features(x) && is_whole_views(x)
}

#' @export
dim.sparse_features <- function(x) c(as.integer(x$rows), length(x$starts) - 1L)

#' @export
dimnames.sparse_features <- function(x) if (!is.null(x$labels)) list(NULL, x$labels)

# Rows alone; one may be asked for several times.
#' @export
`[.sparse_features` <- function(x, i, j, ..., drop = FALSE) {
  i <- seq_len(nrow(x))[i]
  counts <- tabulate(i, nrow(x))
  times <- counts[x$positions]
  first <- cumsum(c(1L, counts))[x$positions]
  positions <- order(i)[sequence(times, from = first)]
  columns <- rep.int(entry_columns(x), times)
  entries <- order(columns, positions)
  x$starts <- c(1L, 1L + cumsum(tabulate(columns, ncol(x))))
  x$positions <- positions[entries]
  x$values <- rep.int(x$values, times)[entries]
  x$rows <- as.double(length(i))
  x
}

#' @export
as.matrix.sparse_features <- function(x, ...) {
  out <- matrix(0, nrow(x), ncol(x), dimnames = dimnames(x))
  out[cbind(x$positions, entry_columns(x))] <- x$values
  out
}

# Frames of sparse features ------------------------------------------------------------------------

#' @export
as_frame.sparseMatrix <- function(x, second = NULL, # nolint: object_name_linter.
                                  max_levels = many_levels) {
  complete_frame(frame_sparse(x, "x"), x, second)
}

frame_sparse <- function(x, argument) {
  check_sparse_input(argument)
  x <- sparse_features(x)
  check_unique_names(x$labels, argument)
  blueprint <- new_blueprint("matrix", names = x$labels, p = ncol(x), indicator = FALSE)
  class(blueprint) <- c("frame_sparse", class(blueprint))
  list(x = x, names = x$labels, blueprint = blueprint)
}

#' @export
bake_frame.frame_sparse <- function(blueprint, newdata, argument = "newdata") {
  if (!inherits(newdata, "sparseMatrix")) return(sparse_entries(NextMethod()))
  newdata <- pick_columns(newdata, blueprint$names, argument)
  check_column_count(ncol(newdata), blueprint$p, argument)
  sparse_features(newdata)
}

# A frame of sparse features is made dense if a learner reads `columns`, or if a kernel needs more
# than dot products, squared distances and minima. Without kernels it stays as it is.
settle_frame <- function(frame, kernels, columns = FALSE) {
  if (!inherits(frame$x, "sparse_features")) return(frame)
  if (!columns && stays_sparse(frame$blueprint, unclass(kernels))) return(frame)
  if (!isTRUE(frame$blueprint$sparse)) {
    inform_dense(8 * prod(dim(frame$x)), data_name(frame$blueprint))
  }
  frame$x <- as.matrix(frame$x)
  frame$blueprint$sparse <- NULL
  class(frame$blueprint) <- setdiff(class(frame$blueprint), "frame_sparse")
  frame
}

# Indicators of factors are sparse only where nothing but equality of categories is asked: other
# kernels read them faster as a dense matrix.
stays_sparse <- function(blueprint, items) all_sparse(items, isTRUE(blueprint$sparse))

is_sparse_form <- function(blueprint) {
  inherits(blueprint, "frame_sparse") || isTRUE(blueprint$sparse)
}

# `indicators`: of factors.
all_sparse <- function(items, indicators = FALSE) {
  all(vapply(items, function(item) {
    if (item$family == "product") return(all_sparse(item$factors, indicators))
    isTRUE(item$sparse) && (!indicators || (isTRUE(item$table) && is.null(item$beta)))
  }, NA))
}

# Sparse indicators ------------------------------------------------------------------------------

# Dense columns of fewer cells need no care.
sparse_cells <- function() 1e5

# Blocks (R/frame-columns.R) of which at most one cell in eight is not 0.
mostly_zero <- function(blocks, n) {
  widths <- vapply(blocks, function(block) length(block$labels), 0L)
  filled <- vapply(blocks, function(block) {
    if (block$levels == 0L) return(as.double(length(block$labels)))
    1 + block$levels * mean(is.na(block$values))
  }, 0)
  as.double(n) * sum(widths) > sparse_cells() && 8 * sum(filled) <= sum(widths)
}

sparse_blocks <- function(blocks, n) {
  parts <- lapply(unname(blocks), function(block) {
    if (block$levels > 0L) sparse_indicators(block, n) else sparse_entries(as.matrix(block$values))
  })
  pick <- function(name) unlist(lapply(parts, function(part) part[[name]]), use.names = FALSE)
  counts <- unlist(lapply(parts, function(part) diff(part$starts)), use.names = FALSE)
  labels <- unlist(lapply(blocks, function(block) block$labels), use.names = FALSE)
  new_sparse(
    n, c(1L, 1L + cumsum(counts)), pick("positions"), as.double(pick("values")), labels
  )
}

# Of a missing value all indicators are NA; of an unknown level, whose code is 0, none is set.
sparse_indicators <- function(block, n) {
  known <- which(block$values > 0L)
  lost <- which(is.na(block$values))
  columns <- c(block$values[known], rep(seq_len(block$levels), each = length(lost)))
  positions <- c(known, rep.int(lost, block$levels))
  values <- rep(c(1, NA), c(length(known), length(columns) - length(known)))
  entries <- order(columns, positions)
  counts <- tabulate(columns, block$levels)
  new_sparse(n, c(1L, 1L + cumsum(counts)), positions[entries], values[entries], block$labels)
}

# What replaces missing values in such columns: see usual_values().
usual_entries <- function(x, indicator, frame) {
  columns <- entry_columns(x)
  middle <- numeric(ncol(x))
  for (j in which(!indicator)) {
    own <- x$values[columns == j]
    zeros <- numeric(nrow(x) - length(own))
    if (!all(is.na(own)) || length(zeros)) middle[j] <- stats::median(c(own, zeros), na.rm = TRUE)
  }
  set <- !is.na(x$values) & x$values != 0
  counts <- tabulate(columns[set], ncol(x))
  for (own in frame$variables) {
    if (all(indicator[own])) middle[own] <- as.double(seq_along(own) == which.max(counts[own]))
  }
  middle
}

# Without the entries that are 0, as most of those are that replace missing values.
drop_zeros <- function(x) {
  keep <- x$values != 0
  if (all(keep)) return(x)
  x$starts <- c(1L, 1L + cumsum(tabulate(entry_columns(x)[keep], ncol(x))))
  x$positions <- x$positions[keep]
  x$values <- x$values[keep]
  x
}

# Values of sparse features ------------------------------------------------------------------------

#' @export
complete_rows.sparse_features <- function(x, argument, label = row_labels()) {
  infinite <- which(is.infinite(x$values))
  if (length(infinite)) {
    first <- infinite[1L]
    place <- c(x$positions[first], entry_columns(x)[first])
    stop_infinite(argument, x, place, x$values[first], label)
  }
  !seq_len(nrow(x)) %in% x$positions[is.na(x$values)]
}

# Means and standard deviations over all rows, zeros included.
#' @export
column_scaling.sparse_features <- function(x, rows, keep) {
  if (!is.null(rows)) x <- x[rows, , drop = FALSE]
  n <- nrow(x)
  columns <- entry_columns(x)
  # Most columns of a large table have no entry in most parts of its rows.
  sums <- function(values) {
    out <- numeric(ncol(x))
    out[unique(columns)] <- rowsum(values, columns, reorder = FALSE)
    out
  }
  center <- sums(x$values) / n
  squares <- sums((x$values - center[columns])^2) + (n - tabulate(columns, ncol(x))) * center^2
  scale <- sqrt(squares / max(1, n - 1))
  # A spread that is mere rounding of a constant says nothing about new rows.
  scale[n == 1L | scale <= 16 * .Machine$double.eps * abs(center)] <- 1
  center[keep] <- 0
  scale[keep] <- 1
  list(center = center, scale = scale)
}

#' @export
apply_scaling.sparse_features <- function(x, scaling, rows = NULL, own = FALSE) {
  if (!is.null(rows)) x <- x[rows, , drop = FALSE]
  x$center <- scaling$center
  x$scale <- scaling$scale
  x
}

# The core reports decision values that are no numbers.
#' @export
first_overflow.sparse_features <- function(x, rows, scaling) NULL
