#' Kernel k-means clustering on several kernels
#'
#' Clusters rows by a weighted sum of kernels whose weights are found together with the clusters:
#' one weight for each kernel, or weights of their own for each row (localized).
#'
#' @details
#' With the assignment of rows to k clusters relaxed to a matrix H with orthogonal columns, the
#' problem of Gönen and Margolin (2014) is
#' \deqn{\min_{H'H = I, \, d} \mathrm{tr}(K_d) - \mathrm{tr}(H' K_d H).}{
#'   min tr(K_d) - tr(H' K_d H) over H'H = I and d.}
#' * `weights = "global"`: \eqn{K_d = \sum_m d_m^2 K_m}{K_d = sum_m d_m^2 K_m} with \eqn{d \ge 0,
#'   \sum_m d_m = 1}{d >= 0, sum(d) = 1}.
#' * `weights = "localized"`: \eqn{K_d = \sum_m (d_m d_m') \circ K_m}{K_d = sum_m (d_m d_m') o K_m}
#'   with a vector \eqn{d_m} of weights of the rows for each kernel, non-negative and of sum 1 over
#'   the kernels for each row.
#' * `weights = "equal"`: \eqn{d_m = 1/M}, not optimized.
#'
#' Two steps alternate. Given d, the columns of H are the k leading eigenvectors of \eqn{K_d}{K_d}.
#' Given H, with \eqn{t_m = \mathrm{tr}(K_m) - \mathrm{tr}(H'K_mH)}{t_m = tr(K_m) - tr(H'K_m H)} the
#' global weights are \eqn{d_m \propto 1 / t_m}{d_m proportional to 1 / t_m}; the localized weights
#' solve \deqn{\min \sum_m d_m' ((I - HH') \circ K_m) d_m,}{min sum_m d_m' ((I - HH') o K_m) d_m,} a
#' convex quadratic program for positive semi-definite kernels, by accelerated projected gradients
#' until the duality gap is small. Every step decreases the objective. Then the rows of H are scaled
#' to length 1 and clustered by k-means (the best of `starts` runs from random centers).
#'
#' A fit has converged if the relative decrease in the last iteration, `violation`, and the relative
#' `gap` of the localized weights are at most 0.001 times `tol` of [mkl_control()]. The joint
#' problem is not convex: the solution is a point that neither step can improve, not always the best
#' one.
#'
#' # Details not specified in the paper
#' * The kernels are centered and have mean diagonal 1 by default. Centering does not change the
#'   objective of k-means, but that of its relaxation.
#' * The weights start equal.
#' * If \eqn{t_m} is 0 for some kernels, those share the weight.
#' * `predict()` assigns new rows to the nearest center by their coordinates \eqn{\Lambda^{-1} H'
#'   k(x)}{L^(-1) H'k(x)}, scaled to length 1. Localized weights are not defined for new rows, and
#'   `predict()` raises an error.
#'
#' # Choosing parameters
#' * `kernels`: a kernel whose rank is below the number of clusters, such as [kernel_linear()] on
#'   two columns, is described by H without error, so that it gets all the weight. Gaussian kernels
#'   of comparable widths, one or a few for each view, avoid this.
#' * `clusters`: compare `glance()$objective` of several numbers, or use knowledge of the data.
#' * `weights`: `"localized"` if kernels differ in quality between rows, for instance between groups
#'   of patients. It has as many weights as there are rows times kernels and needs more time.
#' * `starts`: more if results differ between seeds.
#'
#' @inheritParams fuse_kernels
#' @param clusters Number of clusters.
#' @param weights `"global"`, `"localized"` or `"equal"`, see *Details*.
#' @param starts Number of runs of k-means on the rows of H.
#' @param object A result of `kernel_kmeans()`.
#' @param newdata New rows, as for [`predict()`][predict.mkl]. By default the clusters of the
#'   training rows are returned.
#' @return An object of class `mkl_kernel_kmeans` with the elements `cluster` (a number for each
#'   row; clusters are numbered by their first rows), `size`, `weights` (a named vector, or a matrix
#'   with a row for each row of the data), `embedding` (the matrix H), `centers`, `within` (sum of
#'   squares of k-means), `objective`, `path` (the objective after each iteration), `violation`,
#'   `gap`, `iterations` and `converged`. `predict()`: cluster numbers.
#' @references
#' Gönen, M. and Margolin, A. A. (2014). Localized data fusion for kernel k-means clustering with
#' application to cancer biology. In *Advances in Neural Information Processing Systems* 27,
#' 1305-1313.
#' @family unsupervised methods
#' @examples
#' flowers <- views(sepal = iris[, 1:2], petal = iris[, 3:4])
#' set.seed(1)
#' found <- kernel_kmeans(kernel_rbf("median"), flowers, clusters = 3)
#' found
#' table(found$cluster, iris$Species)
#'
#' local <- kernel_kmeans(kernel_rbf("median"), flowers, clusters = 3, weights = "localized")
#' round(head(local$weights), 2)
#' @export
kernel_kmeans <- function(kernels = NULL, x = NULL, clusters,
                          weights = c("global", "localized", "equal"), starts = 20,
                          normalize = c("center", "trace"), scale = TRUE, missing = NULL,
                          control = mkl_control(), ...) {
  check_dots(...)
  weights <- check_choice(weights, "weights", c("global", "localized", "equal"))
  starts <- check_number(starts, "starts", 1, whole = TRUE)
  if (missing(clusters)) stop_mkl("argument_error", "clusters", "`clusters` is missing.")
  given <- list(normalize = normalize, scale = scale, missing = missing, control = control)
  problem <- unsupervised_problem(kernels, x, given)
  clusters <- check_clusters(clusters, "clusters", length(problem$rows))
  control <- problem$settings$control
  seed <- draw_seeds(1L)
  found <- kernel_kmeans_cpp(
    problem$x, core_items(problem$items), clusters, weights, starts, 1e-3 * control$tol,
    control$max_iter, core_control(control, seed)
  )
  names <- item_names(problem$items)
  cases <- problem$frame$cases[problem$rows]
  each <- if (weights == "localized") {
    matrix(found$weights, ncol = length(names), dimnames = list(cases, names))
  } else stats::setNames(as.vector(found$weights), names)
  out <- new_unsupervised(
    problem, found$normalizers, c("mkl_kernel_kmeans", "mkl_unsupervised"),
    c(list(
      cluster = stats::setNames(found$cluster, cases), size = tabulate(found$cluster, clusters),
      weights = each, form = weights, objective = utils::tail(found$path, 1L),
      models = kmeans_models(found, weights)
    ), found[c("embedding", "values", "centers", "within", "path", "violation", "gap",
               "iterations", "converged")]),
    match.call()
  )
  warn_kmeans(out)
  out
}

# Coordinates of new rows as sums over the training rows.
kmeans_models <- function(found, weights) {
  if (weights == "localized") return(NULL)
  coefficients <- found$embedding / rep(found$values, each = nrow(found$embedding))
  combination_models_cpp(coefficients, numeric(ncol(coefficients)), as.vector(found$weights)^2)
}

warn_kmeans <- function(object) {
  if (isTRUE(object$converged)) return(invisible())
  warn_mkl(
    "not_converged", "The alternation stopped after ", plural(object$iterations, "iteration"),
    ": the last relative decrease of the objective is ", format_number(object$violation),
    ", the gap of the weights ", format_number(object$gap),
    ". Raise `max_iter` or `tol` in mkl_control()."
  )
}

#' @rdname kernel_kmeans
#' @export
predict.mkl_kernel_kmeans <- function(object, newdata, precomputed = NULL, ...) {
  object <- check_other_seal(object)
  check_dots(..., called = "predict()")
  if (missing(newdata) && is.null(precomputed)) return(object$cluster)
  if (object$form == "localized") {
    stop_mkl(
      "argument_error", "newdata", "Localized weights are known for the training rows only: use ",
      "`weights = \"global\"` to assign new rows to clusters."
    )
  }
  h <- new_sums(object, newdata, precomputed)
  known <- stats::complete.cases(h)
  out <- stats::setNames(rep(NA_integer_, nrow(h)), rownames(h))
  if (!any(known)) return(out)
  h <- unname(h[known, , drop = FALSE])
  out[known] <- nearest_centers_cpp(h / pmax(sqrt(rowSums(h^2)), 1e-300), object$centers)
  out
}

#' @rdname kernel_kmeans
#' @export
print.mkl_kernel_kmeans <- function(x, ...) {
  cat("<mkl_kernel_kmeans> ", plural(x$n, "row"), " in ", plural(length(x$size), "cluster"),
      " of sizes ", paste(x$size, collapse = ", "), "\n", sep = "")
  if (x$form == "localized") {
    cat("  localized; mean weights: ")
    means <- colMeans(x$weights)
    cat(paste0(names(means), " ", format_number(unname(means), 3L), collapse = ", "), "\n")
  } else print_kernel_weights(x$weights)
  cat("  objective ", format_number(x$objective), " after ", plural(x$iterations, "iteration"),
      if (x$converged) ", converged" else ", not converged", "\n", sep = "")
  invisible(x)
}

#' @rdname kernel_kmeans
#' @export
summary.mkl_kernel_kmeans <- function(object, ...) {
  check_dots(..., called = "summary()")
  check_other_seal(object)
  structure(class = "summary.mkl_kernel_kmeans",
            list(kmeans = object, table = kmeans_table(object)))
}

#' @export
print.summary.mkl_kernel_kmeans <- function(x, ...) {
  print(x$kmeans)
  cat("\n")
  print(format_numbers(x$table, 3L), row.names = FALSE, right = TRUE)
  invisible(x)
}

# A row for each cluster: its size, its sum of squares around the center and, if localized, the mean
# weights of its rows.
kmeans_table <- function(x) {
  rows <- x$embedding / pmax(sqrt(rowSums(x$embedding^2)), 1e-300)
  far <- rowSums((rows - x$centers[x$cluster, , drop = FALSE])^2)
  clusters <- factor(x$cluster, seq_along(x$size))
  within <- as.vector(tapply(far, clusters, sum))
  within[is.na(within)] <- 0
  out <- data.frame(cluster = seq_along(x$size), size = x$size, within = within)
  if (x$form != "localized") return(out)
  means <- rowsum(x$weights, clusters) / x$size[sort(unique(x$cluster))]
  cbind(out, means[match(out$cluster, rownames(means)), , drop = FALSE], row.names = NULL)
}
