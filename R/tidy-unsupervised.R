# tidy() and glance() of fused kernels, kernel principal components and clusters.

#' Tidy fused kernels, kernel principal components and clusters
#'
#' `tidy()` returns a data frame with a row for each kernel, component or cluster, `glance()` one
#' row about the whole result of [fuse_kernels()], [kernel_pca()] or [kernel_kmeans()].
#'
#' @details
#' The weight of a kernel is the \eqn{d_m} of \deqn{\sum_m d_m K_m,}{sum_m d_m K_m,} in k-means
#' clustering its root.
#'
#' # Choosing a form
#' `tidy()` for plots and tables of parts, `glance()` to compare results.
#'
#' @param x A result of [fuse_kernels()], [kernel_pca()] or [kernel_kmeans()].
#' @param ... Not used; misspelled arguments raise an error.
#' @return A data frame. `tidy()` of fused kernels: `term`, `estimate` (the weight), `agreement`
#'   (mean cosine with the other kernels); of components: `component`, `value`, `share`,
#'   `cumulative`; of clusters: `cluster`, `size`, `within`, and with localized weights
#'   their means by kernel; of the importance of variables: `term`, `estimate`, `std.error`.
#' @inherit fuse_kernels references
#' @family unsupervised methods
#' @examples
#' fused <- fuse_kernels(kernel_rbf(c(0.5, 1, 2)), iris[, 1:4])
#' tidy(fused)
#' glance(fused)
#' @name tidy-unsupervised
NULL

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_fusion)
tidy.mkl_fusion <- function(x, ...) {
  check_dots(...)
  fusion_table(x)
}

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_kernel_pca)
tidy.mkl_kernel_pca <- function(x, ...) {
  check_dots(...)
  pca_table(x)
}

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_kernel_kmeans)
tidy.mkl_kernel_kmeans <- function(x, ...) {
  check_dots(...)
  kmeans_table(x)
}

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_pca_importance)
tidy.mkl_pca_importance <- function(x, ...) {
  check_dots(...)
  data.frame(term = x$term, estimate = x$estimate, std.error = x$se)
}

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::glance, mkl_fusion)
glance.mkl_fusion <- function(x, ...) {
  check_dots(...)
  data.frame(
    method = x$method, nobs = x$n, kernels = length(x$weights), kernels_used = sum(x$weights > 0),
    objective = x$objective, gap = x$gap, converged = x$converged
  )
}

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::glance, mkl_kernel_pca)
glance.mkl_kernel_pca <- function(x, ...) {
  check_dots(...)
  data.frame(
    method = x$method, nobs = x$n, kernels = length(x$weights), components = length(x$values),
    total = x$total, share = sum(x$share)
  )
}

#' @rdname tidy-unsupervised
#' @export
#' @rawNamespace S3method(generics::glance, mkl_kernel_kmeans)
glance.mkl_kernel_kmeans <- function(x, ...) {
  check_dots(...)
  data.frame(
    weights = x$form, nobs = x$n, kernels = length(mean_cluster_weights(x)),
    clusters = length(x$size), objective = x$objective, within = x$within,
    iterations = x$iterations, violation = x$violation, gap = x$gap, converged = x$converged
  )
}

#' @rdname kernel_alignment_matrix
#' @export
#' @rawNamespace S3method(generics::tidy, mkl_alignments)
tidy.mkl_alignments <- function(x, ...) {
  check_dots(...)
  x <- unclass(x)
  lower <- which(lower.tri(x), arr.ind = TRUE)
  data.frame(
    kernel = colnames(x)[lower[, 2L]], other = rownames(x)[lower[, 1L]], alignment = x[lower]
  )
}
