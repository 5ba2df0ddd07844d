#' Unsupervised fusion of kernels: STATIS and UMKL
#'
#' Combines several kernels into one consensus kernel without a response, for instance for
#' clustering or visualization of several sources of data on the same cases.
#'
#' @details
#' The fused kernel is \deqn{K^* = \sum_m d_m K_m, \quad d_m \ge 0, \quad \sum_m d_m = 1,}{
#'   K* = sum_m d_m K_m,  d_m >= 0,  sum_m d_m = 1,} of the normalized kernels. The weights are
#' those of Mariette and Villa-Vialaneix (2018):
#' * `method = "statis"`: a compromise that is similar to all kernels. With the cosines
#'   \eqn{C_{kl} = \langle K_k, K_l \rangle / (\|K_k\| \|K_l\|)}{C_kl = <K_k, K_l> / (||K_k||
#'   ||K_l||)} over all entries, \deqn{\max_{\|v\| = 1} v'Cv, \quad d = v / \sum_m v_m.}{
#'   max v'Cv over ||v|| = 1,  d = v / sum(v).} The solution is the leading eigenvector.
#' * `method = "sparse-umkl"`: preserves the neighborhoods of the rows. With the number
#'   \eqn{W_{ij}}{W_ij} of kernels in which i is one of the `neighbors` nearest rows of j, or j of
#'   i, \deqn{\min_{d \ge 0, \sum d_m = 1} d'Sd, \quad S_{kl} = \sum_{ij} W_{ij}
#'     \langle K_k (e_i - e_j), K_l (e_i - e_j) \rangle.}{
#'     min d'Sd over d >= 0, sum(d) = 1,  S_kl = sum_ij W_ij <K_k (e_i - e_j), K_l (e_i - e_j)>.}
#'   This is a convex quadratic program. Many weights are 0.
#' * `method = "full-umkl"`: \eqn{\min d'Sd}{min d'Sd} over \eqn{d \ge 0}{d >= 0} with \eqn{\|d\| =
#'   1}{||d|| = 1}, then scaled to the sum 1.
#' * `method = "average"`: \eqn{d_m = 1/M}.
#'
#' `gap` bounds how far the objective is from its optimum over all weights, relative to the mean of
#' the diagonal of C or S.
#'
#' # Details not specified in the paper
#' * The problem of `"full-umkl"` is not convex. Alternating direction methods find a stationary
#'   point that depends on their start. Here the minimum over all weights is found by branch and
#'   bound (at most `max_iter` of [mkl_control()] nodes). If all entries of S are non-negative, as
#'   they are for kernels that agree, it is at a single kernel, the one with the smallest
#'   \eqn{S_{mm}}{S_mm}: use `"statis"` or `"average"` to keep all kernels.
#' * S is used as it is. Dividing it by the roots of its diagonal, as some implementations do, would
#'   ignore how well each kernel preserves the neighborhoods.
#' * Neighbors are nearest by the distance in the feature space of the kernel; of rows at equal
#'   distances the first ones are taken.
#' * STATIS weights are applied to the normalized kernels, not to kernels divided by their norm.
#'
#' # Choosing parameters
#' * `method`: `"statis"` unless neighborhoods matter more than overall agreement. A kernel that
#'   disagrees with the others has a small weight.
#' * `normalize`: centered kernels are compared by what they say about differences between rows.
#'   Without `"center"` all Gaussian kernels are similar to each other.
#' * `neighbors`: 5 to 20; larger for many rows.
#'
#' @param kernels Kernels to combine, see [kernel_set()], for the data `x`; or a named list of
#'   kernel matrices, a kernel matrix, [views()] (with default kernels), or a one-sided formula
#'   with kernel terms whose data are `x`; as for [mkl()]. `NULL` for default kernels.
#' @param x Data: a matrix, a data frame, [views()] or a list of views. Not needed for kernel
#'   matrices.
#' @param method How the weights are determined: see *Details*.
#' @param neighbors Number of nearest neighbors of each row, for the UMKL methods.
#' @param normalize How kernel matrices are normalized, for kernels without a normalizer of their
#'   own, see [kernel_matrix()].
#' @param scale,missing See [mkl()].
#' @param control See [mkl_control()].
#' @param object A result of `fuse_kernels()`.
#' @param newdata New rows, as for [`predict()`][predict.mkl]; if the kernels are matrices, a list
#'   of matrices of new by training rows. By default the fused matrix of the training rows is
#'   returned.
#' @param precomputed Matrices of new by training rows for kernels that are matrices, if there are
#'   also kernels of columns.
#' @param ... Not used; misspelled arguments raise an error.
#' @return `fuse_kernels()`: an object of class `mkl_fusion` with the elements `weights` (named),
#'   `similarity` (the cosines C), `graph` (S, for the UMKL methods), `matrix` (the fused kernel
#'   matrix), `objective`, `gap`, `converged`. Methods: `predict()` (fused kernel values of new
#'   rows by training rows), [kernel_weights()], `print()`, `summary()`, `plot()`, `autoplot()`,
#'   `tidy()`, `glance()`. The fused matrix can be used as a kernel matrix:
#'   `mkl(list(K = fused$matrix), y)`.
#' @references
#' Mariette, J. and Villa-Vialaneix, N. (2018). Unsupervised multiple kernel learning for
#' heterogeneous data integration. *Bioinformatics* 34, 1009-1015.
#' @family unsupervised methods
#' @seealso [kernel_pca()], [kernel_kmeans()]
#' @examples
#' flowers <- views(sepal = iris[, 1:2], petal = iris[, 3:4])
#' fused <- fuse_kernels(flowers)
#' fused
#' dim(fused$matrix)
#' predict(fused, views(sepal = iris[1:2, 1:2], petal = iris[1:2, 3:4]))[, 1:3]
#'
#' # kernels of one data set, weights that preserve neighborhoods
#' fuse_kernels(kernel_rbf(c(0.5, 1, 2)), iris[, 1:4], method = "sparse-umkl")
#' @export
fuse_kernels <- function(kernels = NULL, x = NULL,
                         method = c("statis", "full-umkl", "sparse-umkl", "average"),
                         neighbors = 5, normalize = c("center", "trace"), scale = TRUE,
                         missing = NULL, control = mkl_control(), ...) {
  check_dots(...)
  method <- check_choice(method, "method", fusion_methods())
  problem <- unsupervised_problem(kernels, x, list(
    normalize = normalize, scale = scale, missing = missing, control = control
  ))
  fused <- fusion_weights(problem, method, neighbors)
  check_result_size(length(problem$rows), length(problem$rows), 1, problem$settings$control)
  matrix <- gram_matrices(
    problem$items, problem$x, NULL, problem$settings$control, unname(fused$weights)
  )[[1L]]
  names <- problem$frame$cases[problem$rows]
  if (!is.null(names)) dimnames(matrix) <- list(names, names)
  out <- new_unsupervised(
    problem, fused$normalizers, c("mkl_fusion", "mkl_unsupervised"),
    c(fused[setdiff(names(fused), "normalizers")], list(method = method, matrix = matrix)),
    match.call()
  )
  warn_fusion(out)
  out
}

fusion_methods <- function() c("statis", "full-umkl", "sparse-umkl", "average")

# list(weights, similarity, graph, neighbors, objective, gap, iterations, converged, normalizers)
fusion_weights <- function(problem, method, neighbors) {
  n <- length(problem$rows)
  uses_graph <- method %in% c("full-umkl", "sparse-umkl")
  neighbors <- if (uses_graph) check_number(neighbors, "neighbors", 1, whole = TRUE)
  if (uses_graph && neighbors >= n) {
    stop_must("neighbors", paste("less than the number of rows,", n), neighbors)
  }
  control <- core_control(problem$settings$control)
  found <- kernel_products_cpp(
    problem$x, core_items(problem$items), neighbors %||% 0, control
  )
  names <- item_names(problem$items)
  similarity <- cosines(found$products, names)
  graph <- found$graph
  if (!is.null(graph)) dimnames(graph) <- list(names, names)
  solved <- if (method == "average") {
    list(weights = rep(1 / length(names), length(names)), objective = NA_real_, gap = 0,
         iterations = 0)
  } else {
    matrix <- if (uses_graph) graph else similarity
    fusion_weights_cpp(unname(matrix), method, problem$settings$control$max_iter, control)
  }
  list(
    weights = stats::setNames(solved$weights, names), similarity = similarity, graph = graph,
    neighbors = neighbors, objective = solved$objective, gap = solved$gap,
    iterations = solved$iterations, converged = solved$gap <= problem$settings$control$tol,
    normalizers = found$normalizers
  )
}

# Cosines of the angles between kernels; 0 for a kernel without any value but 0.
cosines <- function(products, names) {
  norms <- sqrt(pmax(diag(products), 0))
  unit <- ifelse(norms > 0, 1 / norms, 0)
  out <- products * tcrossprod(unit)
  out[] <- pmin(pmax(out, -1), 1)
  diag(out) <- as.numeric(norms > 0)
  dimnames(out) <- list(names, names)
  out
}

warn_fusion <- function(object) {
  if (isTRUE(object$converged)) return(invisible())
  warn_mkl(
    "not_converged", "The weights may not be the best ones: the gap is ",
    format_number(object$gap), " after ", plural(object$iterations, "node"),
    " of the search. Raise `max_iter` in mkl_control(), or use fewer kernels."
  )
}

#' @rdname fuse_kernels
#' @export
predict.mkl_fusion <- function(object, newdata, precomputed = NULL, ...) {
  object <- check_other_seal(object)
  check_dots(..., called = "predict()")
  if (missing(newdata) && is.null(precomputed)) return(object$matrix)
  newdata <- if (missing(newdata)) list() else as_new_form(object$frame, newdata)
  new <- new_rows(object, newdata, precomputed)
  rows <- scaled_rows(object, new$x, new$blocks, makes_columns(object$frame), new$cases)
  out <- matrix(NA_real_, rows$n, object$n)
  if (length(rows$take)) {
    out[rows$take, ] <- call_core(object, rows$x, new$blocks, rows$take, function(items, control) {
      cross_sum_cpp(rows$x, object$train, items, object$normalizers, object$weights, control)
    })
  }
  dimnames(out) <- if (!is.null(new$cases) || !is.null(object$cases)) {
    list(new$cases, object$cases)
  }
  out
}

#' @rdname fuse_kernels
#' @export
print.mkl_fusion <- function(x, ...) {
  cat("<mkl_fusion> ", plural(length(x$weights), "kernel"), ", ", plural(x$n, "row"), ", method \"",
      x$method, "\"\n", sep = "")
  print_kernel_weights(x$weights)
  if (x$method != "average") {
    cat("  objective ", format_number(x$objective), ", gap ", format_number(x$gap, 2L), "\n",
        sep = "")
  }
  invisible(x)
}

#' @rdname fuse_kernels
#' @export
summary.mkl_fusion <- function(object, ...) {
  check_dots(..., called = "summary()")
  check_other_seal(object)
  structure(class = "summary.mkl_fusion", list(fusion = object, table = fusion_table(object)))
}

#' @export
print.summary.mkl_fusion <- function(x, ...) {
  print(x$fusion)
  cat("\n")
  print(format_numbers(x$table, 3L), row.names = FALSE, right = TRUE)
  invisible(x)
}

# A row for each kernel; `agreement`: the mean cosine with the other kernels.
fusion_table <- function(x) {
  count <- length(x$weights)
  others <- (rowSums(x$similarity) - diag(x$similarity)) / max(count - 1L, 1L)
  data.frame(
    term = names(x$weights), estimate = unname(x$weights),
    agreement = if (count > 1L) unname(others) else NA_real_
  )
}
