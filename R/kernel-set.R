#' Combine kernels: sets and products of kernels
#'
#' `kernel_set()` and `c()` join kernels for the `kernels` argument of [mkl()] and of
#' [kernel_matrix()]. `kernel_product()` and `*` compute products of kernels.
#'
#' @details
#' The product of kernels is a kernel, \deqn{k(x, z) = k_1(x, z) \cdot k_2(x, z),}{
#'   k(x, z) = k_1(x, z) k_2(x, z),}
#' with a feature for each pair of features of its factors; the product of two sets contains the
#' products of all pairs. A product is normalized as a whole; normalizers of its factors are
#' ignored.
#'
#' Sets are indexed by position or name. `length()` returns the number of kernels, `names()` the
#' names that identify them in all results, such as `rbf(sigma=0.5)`. The kernels of
#' [kernel_rbf_bags()] can only be selected all together.
#'
#' # Choosing kernels
#' A set should contain different kernels: several widths that differ by a factor of 2 to 4, a
#' linear kernel, polynomials of low degree, or kernels on different groups of columns. Nearly
#' identical kernels cost time, and their weights are not meaningful.
#'
#' @param ... Kernels; also plain matrices (as [kernel_precomputed()]), functions and kernel
#'   objects of the package kernlab (as [kernel_function()]), and lists of these. The name of an
#'   argument becomes the name of its kernel.
#' @return A set of kernels, class `mkl_kernels`.
#' @references
#' Schölkopf, B. and Smola, A. J. (2002). *Learning with Kernels*, section 13.1. MIT Press.
#' @family kernels
#' @examples
#' kernels <- kernel_set(kernel_rbf(sigma = 2^(-1:1)), kernel_linear())
#' kernels
#' kernels["linear"]
#' names(c(kernels, both = kernel_rbf(1, on = "a") * kernel_linear(on = "b")))
#' @export
kernel_set <- function(...) {
  parts <- list(...)
  if (length(parts) == 0L) {
    stop_mkl("argument_error", "kernels", "kernel_set() needs at least one kernel, not none.")
  }
  given <- names(parts) %||% rep("", length(parts))
  items <- Map(as_items, unname(parts), given, seq_along(parts))
  new_kernels(do.call(base::c, items))
}

# What a user may put into a set, as a plain list of items.
as_items <- function(part, name, position) {
  if (inherits(part, "mkl_kernels")) {
    items <- as.list(part)
  } else if (is.matrix(part) || inherits(part, "Matrix")) {
    label <- if (nzchar(name)) name else paste0("K", position)
    return(as.list(kernel_precomputed(part, name = label)))
  } else if (is.function(part)) {
    items <- as.list(kernel_function(part))
  } else if (is_item(part)) {
    items <- list(part)
  } else if (is.list(part) && !is.object(part) && length(part)) {
    items <- as.list(do.call(kernel_set, part))
  } else {
    stop_must("kernels", "made by kernel constructors such as kernel_rbf()", part)
  }
  if (nzchar(name)) {
    for (i in seq_along(items)) {
      items[[i]]$group <- name # perhaps a view, see R/kernel-views.R
      items[[i]]$name <- if (length(items) == 1L) name else paste0(name, ".", items[[i]]$name)
    }
  }
  items
}

# One entry of a set: what c() makes of a set that comes after an object of another package, as in
# c(kernlab::rbfdot(1), kernel_linear()).
is_item <- function(x) {
  is.list(x) && !is.object(x) && all(c("family", "name", "count") %in% names(x)) &&
    is.character(x$family)
}

#' @rdname kernel_set
#' @param normalize How the matrix of the product is normalized, see [kernel_linear()].
#' @export
kernel_product <- function(..., normalize = NULL) {
  normalize <- check_normalize(normalize)
  sets <- list(...)
  if (length(sets) < 2L) {
    stop_mkl(
      "argument_error", "...", "kernel_product() needs at least two kernels, not ",
      length(sets), "."
    )
  }
  sets <- lapply(sets, function(set) as_items(set, "", 1L))
  index <- expand.grid(lapply(sets, seq_along), KEEP.OUT.ATTRS = FALSE)
  new_kernels(lapply(seq_len(nrow(index)), function(row) {
    product_item(Map(function(set, i) set[[i]], sets, as.list(index[row, ])), normalize)
  }))
}

product_item <- function(factors, normalize) {
  if (any(is_label_based(factors))) {
    stop_kernel(
      factors[is_label_based(factors)][[1L]]$name, "is label-based and cannot be multiplied. ",
      "Make the product label-based instead."
    )
  }
  factors <- do.call(base::c, lapply(factors, function(item) {
    if (item$family == "product") item$factors else list(item)
  }))
  many <- vapply(factors, function(item) item$count > 1, NA)
  if (any(many)) {
    stop_kernel(factors[many][[1L]]$name, "stands for many kernels and cannot be multiplied.")
  }
  names <- vapply(factors, function(item) item$name, "")
  list(
    family = "product", factors = factors, normalize = normalize, count = 1L,
    name = paste(names, collapse = ":")
  )
}

#' @export
Ops.mkl_kernels <- function(e1, e2) {
  if (.Generic != "*") {
    stop_mkl(
      "argument_error", "kernels", "Kernels can be multiplied by `*` and joined by c(); `",
      .Generic, "` is not defined for them."
    )
  }
  kernel_product(e1, e2)
}

#' @export
c.mkl_kernels <- function(...) kernel_set(...)

#' @export
as.list.mkl_kernels <- function(x, ...) unclass(x)

item_counts <- function(items) vapply(items, function(item) as.double(item$count), 0)

# Names of all kernels, in the order of the weights. Items are kernels as users write them
# or as resolved ones: both carry `name` and `count`.
item_names <- function(items) {
  unlist(lapply(items, function(item) {
    if (item$count == 1) item$name else paste0(item$name, "[", seq_len(item$count), "]")
  }), use.names = FALSE) %||% character()
}

#' @export
length.mkl_kernels <- function(x) as.integer(sum(item_counts(unclass(x))))

#' @export
names.mkl_kernels <- function(x) item_names(unclass(x))

#' @export
`names<-.mkl_kernels` <- function(x, value) {
  items <- unclass(x)
  value <- as.character(value)
  if (length(value) != length(items) || anyNA(value) || !all(nzchar(value))) {
    expected <- paste("a vector of", plural(length(items), "string"), "that are not empty")
    stop_must("names", expected, value)
  }
  for (i in seq_along(items)) items[[i]]$name <- value[[i]]
  new_kernels(items)
}

#' @export
`[.mkl_kernels` <- function(x, i) {
  items <- unclass(x)
  owner <- rep(seq_along(items), item_counts(items))
  index <- stats::setNames(seq_along(owner), item_names(items))
  picked <- if (is.character(i)) match_names(i, items, index) else unname(index[i])
  if (anyNA(picked)) {
    stop_mkl(
      "argument_error", "i", "The set holds ", length(owner), " kernels; `i` asks for others."
    )
  }
  owners <- owner[picked]
  many <- which(item_counts(items) > 1)
  for (m in intersect(many, owners)) {
    if (!identical(picked[owners == m], which(owner == m))) {
      stop_kernel(items[[m]]$name, "stands for many kernels that can be picked only together.")
    }
  }
  new_kernels(items[if (length(many)) unique(owners) else owners])
}

# Names of kernels; the name of an item with many kernels means all of them.
match_names <- function(wanted, items, index) {
  unlist(lapply(wanted, function(one) {
    item <- match(one, vapply(items, function(item) item$name, ""))
    if (!is.na(item)) return(unname(index[item_names(items[item])]))
    unname(index[match(one, names(index))])
  }))
}

#' @export
`[[.mkl_kernels` <- function(x, i) {
  if (length(i) != 1L) stop_must("i", "one position or name", i)
  x[i]
}

#' @export
rep.mkl_kernels <- function(x, ...) new_kernels(rep(unclass(x), ...))

#' @export
format.mkl_kernels <- function(x, ...) {
  vapply(unclass(x), function(item) {
    count <- if (item$count > 1) paste0(" (", plural(item$count, "kernel"), ")") else ""
    normalize <- if (length(item$normalize)) {
      paste0("  [", paste(item$normalize, collapse = ", "), "]")
    } else {
      ""
    }
    paste0(item$name, count, normalize)
  }, "")
}

#' @export
print.mkl_kernels <- function(x, n = 20L, ...) {
  lines <- format(x)
  cat("<mkl_kernels> ", plural(length(x), "kernel"), "\n", sep = "")
  cat(paste0("  ", utils::head(lines, n)), sep = "\n")
  if (length(lines) > n) cat("  ... and ", length(lines) - n, " more\n", sep = "")
  invisible(x)
}
