# Lists of kernel matrices as data: the rows of a fit without columns.

#' @export
as_frame.list <- function(x, second = NULL, max_levels = many_levels) {
  unnamed <- is.null(names(x)) && lacks_view_names(x, second)
  if (is_raw_list(x) && !unnamed) return(as_frame.character(x, second))
  if (unnamed || looks_like_views(x, second)) {
    return(as_frame(new_views(lapply(x, plain_column)), second, max_levels))
  }
  complete_frame(frame_list(x), x, second)
}

# Matrices with a row for each value of the response, in a list of another length: views whose names
# were forgotten, and not a list with a series for each case.
lacks_view_names <- function(x, y) {
  if (is.null(y) || length(x) == NROW(y)) return(FALSE)
  sources <- vapply(x, function(one) length(dim(one)) == 2L && nrow(one) == NROW(y), NA)
  square <- vapply(x, function(one) identical(nrow(one), ncol(one)), NA)
  length(x) > 0L && all(sources) && !all(square)
}

# A list is one of kernel matrices if its elements are square and of one size, that of the response
# if there is one. Whether they are symmetric is checked then: a matrix that fails by a slip is not
# to become a view.
looks_like_views <- function(x, y = NULL) {
  if (length(x) == 0L) return(FALSE)
  shapes <- lapply(unname(x), dim)
  matrices <- vapply(x, function(one) is.matrix(one) || inherits(one, "Matrix"), NA)
  readable <- vapply(x, function(one) {
    inherits(one, "Matrix") || is.numeric(one) || is.data.frame(one) || is.factor(one) ||
      !is.null(raw_type(one))
  }, NA)
  if (!all(readable)) return(FALSE)
  square <- matrices & vapply(shapes, function(d) length(d) == 2L && d[1L] == d[2L], NA)
  if (!any(square)) return(TRUE)
  rows <- vapply(x[matrices], nrow, 0L)
  n <- if (is.null(y)) rows[1L] else length(y)
  !all(square) && all(rows == n)
}

# A matrix of kernlab that says by its class that it is one of kernels, not of columns.
#' @export
as_frame.kernelMatrix <- function(x, second = NULL, # nolint: object_name_linter.
                                  max_levels = many_levels) {
  as_frame(list(K1 = matrix(as.double(x), nrow(x), ncol(x), dimnames = dimnames(x))), second)
}

frame_list <- function(x) {
  if (length(x) == 0L) {
    stop_mkl("data_error", "x", "`x` must hold at least one kernel matrix, not none.")
  }
  names <- names(x) %||% rep("", length(x))
  names[!nzchar(names)] <- paste0("K", which(!nzchar(names)))
  check_unique_names(names, "x", "kernel")
  kernels <- Map(function(k, name) {
    tryCatch(kernel_precomputed(k, name = name), multikernel_kernel_error = function(e) {
      if (isTRUE(e$asymmetric)) {
        e$message <- paste0(
          conditionMessage(e), " A list of square matrices is taken as kernel matrices: give ",
          "views(", name, " = ) if their columns are features."
        )
      }
      stop(e)
    })
  }, unname(x), names)
  kernels <- do.call(kernel_set, kernels)
  sizes <- vapply(unclass(kernels), function(item) nrow(item$matrix), 0L)
  if (any(sizes != sizes[1L])) {
    odd <- which(sizes != sizes[1L])[1L]
    stop_kernel(names[odd], "has ", sizes[odd], " rows, but `", names[1L], "` has ", sizes[1L], ".")
  }
  list(
    x = matrix(0, sizes[1L], 0L), kernels = kernels,
    blueprint = new_blueprint("kernels", names = names, indicator = FALSE)
  )
}

#' @export
has_columns.frame_kernels <- function(blueprint) FALSE

#' @export
bake_frame.frame_kernels <- function(blueprint, newdata, argument = "newdata") NULL

# The new data are the matrices.
#' @export
new_matrices.frame_kernels <- function(blueprint, newdata, precomputed, names) {
  list(blocks = newdata, argument = "newdata")
}
