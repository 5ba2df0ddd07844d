# Data in forms that need care: none of those that are known, sparse data, kernel matrices.

stop_no_input <- function() {
  stop_mkl(
    "argument_error", "x", "The first argument, `x`, is missing. Give a formula, a matrix, ",
    "a data frame, views() or a list of kernel matrices."
  )
}

stop_input <- function(x) {
  if (inherits(x, "dist")) {
    stop_mkl(
      "data_error", "x", "`x` holds distances, not features. Turn them into a kernel matrix, for ",
      "instance list(K = exp(-as.matrix(x)^2 / (2 * sigma^2))) with a width `sigma`."
    )
  }
  stop_must(
    "x", "a formula, a matrix, a data frame, views() or a list of kernel matrices", x, "data_error"
  )
}

# Sparse data ------------------------------------------------------------------------------------

dense_matrix <- function(x, argument) {
  check_sparse_input(argument)
  inform_dense(dense_size(x), argument)
  as.matrix(x)
}

check_sparse_input <- function(argument) {
  if (requireNamespace("Matrix", quietly = TRUE)) return(invisible())
  stop_mkl("data_error", argument, "`", argument, "` is sparse: install the package Matrix.")
}

# Sparse matrices among the columns of a data frame.
dense_columns <- function(columns, argument) {
  sparse <- vapply(columns, inherits, NA, "Matrix")
  inform_dense(sum(vapply(columns, dense_size, 0)), argument)
  columns[sparse] <- lapply(columns[sparse], as.matrix)
  columns
}

# Bytes of a sparse object once it is dense; 0 for what is dense already.
dense_size <- function(x) {
  sparse <- if (isS4(x)) inherits(x, c("sparseMatrix", "diagonalMatrix")) else is_sparse_vector(x)
  if (sparse) 8 * NROW(x) * NCOL(x) else 0
}

# Vectors of the package sparsevctrs, which recipes make.
is_sparse_vector <- function(x) {
  isNamespaceLoaded("sparsevctrs") && asNamespace("sparsevctrs")$is_sparse_vector(x)
}

dense_limit <- function() 5e8

inform_dense <- function(bytes, argument) {
  if (bytes <= dense_limit()) return(invisible())
  inform_mkl(
    "dense", "`", argument, "` is sparse and is made dense, which takes ",
    format_number(bytes / 1e9, 3L), " GB. Select columns, or compute a kernel matrix from the ",
    "sparse data and give list(K = ), to avoid this.",
    data = list(bytes = bytes)
  )
}

# Kernel matrices among matrices of features -------------------------------------------------------

# A kernel matrix that is taken for features gives a fit that looks all right and means something
# else.
warn_kernel_matrix <- function(x) {
  named <- !is.null(rownames(x)) && identical(rownames(x), colnames(x))
  if (!is.numeric(x) || !is_symmetric(x) || !(named || is_gram(x))) return(invisible())
  distance <- isTRUE(all(diag(x) == 0)) && all(x >= 0, na.rm = TRUE)
  warn_mkl(
    "kernel_matrix", "`x` is symmetric", if (named) ", with the same names for rows and columns",
    ", as a matrix of ", if (distance) "distances" else "kernel values",
    " between rows is, but its columns are taken as features. ", if (distance) {
      "For a kernel of these distances give, for instance, list(K = exp(-x^2 / (2 * sigma^2))). "
    } else {
      "If it is a kernel matrix, give list(K = x), or kernel_precomputed(x) among `kernels`. "
    },
    "If it holds features, give as.data.frame(x) to avoid this warning."
  )
}

# Some columns at a time, and no further than to the first that differs: matrices of features end
# with the first column.
is_symmetric <- function(x) {
  n <- nrow(x)
  if (n != ncol(x) || n < 3L) return(FALSE)
  for (first in c(1L, seq.int(2L, n, by = 256L))) {
    columns <- seq.int(first, min(n, if (first == 1L) 1L else first + 255L))
    above <- t(x[columns, , drop = FALSE])
    below <- x[, columns, drop = FALSE]
    same <- abs(above - below) <= 1e-10 * pmax(abs(above), abs(below))
    same[is.na(above) & is.na(below)] <- TRUE
    if (anyNA(same) || !all(same)) return(FALSE)
  }
  TRUE
}

# A matrix without names that could be one of inner products, |x_ij|^2 <= x_ii x_jj, and is not just
# diagonal, as indicators of rows are.
is_gram <- function(x) {
  diagonal <- diag(x)
  if (!is.null(dimnames(x)) || !isTRUE(all(diagonal > 0))) return(FALSE)
  length <- sqrt(diagonal)
  off <- FALSE
  for (j in seq_len(ncol(x))) {
    if (any(abs(x[, j]) > length * length[j] * (1 + 1e-8), na.rm = TRUE)) return(FALSE)
    off <- off || any(x[-j, j] != 0, na.rm = TRUE)
  }
  off
}
