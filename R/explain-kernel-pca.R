# Importance of variables for kernel principal components, by permutation.

#' @rdname kernel_pca
#' @export
importance.mkl_kernel_pca <- function(object, data, by = c("column", "view"), components = 2,
                                      repeats = 5, ...) {
  object <- check_other_seal(object)
  check_dots(...)
  if (missing(data)) {
    stop_mkl("argument_error", "data", "`data` must hold the data that the components were ",
             "computed from.")
  }
  by <- check_choice(by, "by", c("column", "view"))
  repeats <- check_number(repeats, "repeats", 1, whole = TRUE)
  components <- check_number(components, "components", 1, length(object$values), whole = TRUE)
  check_recomputable(object)
  data <- as_new_form(object$frame, data)
  sources <- pca_sources(object, data, by)
  base <- pca_vectors(object, data, components)
  if (subspace_distance(base, object$vectors[, seq_len(components), drop = FALSE]) > 1e-4) {
    stop_mkl("data_error", "data", "`data` must hold the rows that the components were computed ",
             "from, in the same order.")
  }
  distance <- function(source) {
    permuted <- permute_source(data, source, sample.int(object$n_input))
    subspace_distance(base, pca_vectors(object, permuted, components))
  }
  values <- lapply(sources, function(source) replicate(repeats, distance(source)))
  table <- data.frame(
    term = names(sources), estimate = vapply(values, mean, 0),
    se = vapply(values, stats::sd, 0) / sqrt(repeats)
  )
  table <- table[order(-table$estimate, method = "radix"), ]
  rownames(table) <- NULL
  structure(table, class = c("mkl_pca_importance", "data.frame"), by = by, times = repeats,
            components = components)
}

# Kernel matrices are not stored, and not known for permuted rows.
check_recomputable <- function(object) {
  families <- vapply(single_items(object$kernels), function(item) item$family, "")
  if (all(families != "precomputed")) return(invisible())
  stop_mkl(
    "argument_error", "object", "The importance of variables needs kernels that are computed from ",
    "columns: kernel matrices and functions are not computed again."
  )
}

pca_sources <- function(object, data, by) {
  if (by == "column") return(source_columns(object$frame, data))
  views <- names(object$frame$views)
  if (is.null(views)) {
    stop_mkl("argument_error", "by", "The components were not computed from views(): use ",
             "`by = \"column\"`.")
  }
  lapply(stats::setNames(nm = views), list)
}

# A column, or all rows of a view.
permute_source <- function(data, source, order) {
  if (!is_views(data) || length(source) > 1L) return(permute_column(data, source, order))
  kind <- class(data)
  data <- unclass(data)
  view <- source[[1L]]
  order <- order_within(order, attr(data, "present")[, view])
  own <- data[[view]]
  data[[view]] <- if (is.null(dim(own))) own[order] else own[order, , drop = FALSE]
  structure(data, class = kind)
}

pca_vectors <- function(object, data, components) {
  new <- new_rows(object, data, NULL)
  rows <- scaled_rows(object, new$x, new$blocks, makes_columns(object$frame), new$cases)
  used <- object$rows %||% seq_len(object$n)
  if (rows$n != object$n_input || !identical(rows$take, used)) {
    stop_mkl("data_error", "data", "`data` must hold the ", plural(object$n_input, "row"),
             " that the components were computed from, not ", rows$n, ".")
  }
  kernel_pca_cpp(
    rows$x, core_items(object$kernels), unname(object$weights), components, object$center,
    core_control(object$control)
  )$vectors
}

# Crone and Crosby (1995), between the subspaces of orthogonal columns.
subspace_distance <- function(a, b) {
  sqrt(max(0, (ncol(a) + ncol(b)) / 2 - sum(crossprod(a, b)^2)))
}

#' @export
print.mkl_pca_importance <- function(x, digits = 3, ...) {
  about <- attributes(x)
  cat("<mkl_pca_importance> by ", about$by, ": distance of the first ",
      plural(about$components, "component"), ", ", plural(about$times, "permutation"), "\n",
      sep = "")
  print(format_numbers(plain_table(x), digits), row.names = FALSE, right = TRUE)
  invisible(x)
}
