#' Measures of single kernels: alignment, radius, margin, dimension
#'
#' Computes for each kernel of a set how well it is aligned with the response, how large and how
#' complex its feature space is on the rows, and how far it separates two classes: for choosing
#' kernels and their parameters before fitting a model.
#'
#' @details
#' For a kernel matrix K of n rows and eigenvalues \eqn{\lambda_i}{l_i}:
#' * `alignment`: the cosine \deqn{\frac{\langle K, TT' \rangle}{\|K\| \, \|TT'\|}}{
#'   <K, TT'> / (||K|| ||TT'||)} with the response T: -1 and 1 for two classes, so that
#'   \eqn{TT' = yy'} (Cristianini and others 2002). For q classes T has vectors of length 1 with
#'   inner products -1/(q - 1) between classes; a numeric response is standardized.
#' * `centered_alignment`: the same with K and T centered (Cortes, Mohri and Rostamizadeh 2012), see
#'   [cka()].
#' * `radius`: of the smallest ball that contains all rows in the feature space,
#'   \deqn{R^2 = \max_{a \ge 0, \sum a_i = 1} \sum_i a_i K_{ii} - a'Ka.}{
#'     R^2 = max sum_i a_i K_ii - a'Ka over a >= 0 of sum 1.}
#' * `margin`: the distance of the convex hulls of two classes in the feature space,
#'   \deqn{\rho^2 = \min \gamma' YKY \gamma}{rho^2 = min gamma' YKY gamma} over distributions
#'   \eqn{\gamma} over each class, which is twice the margin of a hard-margin support vector
#'   machine. 0 if the classes overlap. For two classes only.
#' * `spectral_ratio`: \eqn{\mathrm{tr}(K) / \|K\|}{tr(K) / ||K||}, from 1 (all rows alike, rank 1)
#'   to \eqn{\sqrt n}{sqrt(n)} (all rows different, the identity matrix). Larger values mean a more
#'   complex kernel (Donini and Aiolli 2017).
#' * `effective_dimension`: \deqn{\mathrm{tr}(K (K + cI)^{-1}) = \sum_i \lambda_i / (\lambda_i + c),
#'   \quad c = \mathrm{ridge} \cdot \mathrm{tr}(K).}{
#'     tr(K (K + cI)^-1) = sum_i l_i / (l_i + c),  c = ridge tr(K).}
#'
#' Quadratic programs are solved until `radius_error` and `margin_error` are small: the radius is at
#' most so much larger and the margin at most so much smaller than the value. Kernels are processed
#' one after the other. Matrices that do not fit into `memory` of [mkl_control()] are computed again
#' when needed, so that the number of kernels is not limited.
#'
#' # Details not specified in the papers
#' * A kernel that is constant has alignments of 0.
#' * The measures of a kernel that is not positive semi-definite are those formulas; the radius and
#'   the margin are then stationary points, and negative eigenvalues do not count in the dimension.
#'
#' # Choosing parameters
#' * Compare centered alignments of kernels for the same response; uncentered ones are large for
#'   kernels whose values are nearly constant.
#' * \eqn{R^2 / \rho^2}{radius^2 / margin^2} bounds the leave-one-out error of a hard-margin support
#'   vector machine up to a factor 4/n; small values are better.
#' * `measures`: alignments and the spectral ratio take time quadratic in the rows, the others about
#'   cubic.
#'
#' @inheritParams fuse_kernels
#' @param kernels,x Kernels and data as for [fuse_kernels()].
#' @param y Response: classes or numbers, one for each row of `x`; `NULL` for the measures that need
#'   none.
#' @param measures Which measures to compute; by default all that `y` allows.
#' @param ridge Share of the trace of the kernel matrix that is added to its eigenvalues in the
#'   effective dimension, a positive number.
#' @return A data frame with a row for each kernel: `kernel` and the measures, with `radius_error`
#'   and `margin_error`.
#' @references
#' Cristianini, N., Shawe-Taylor, J., Elisseeff, A. and Kandola, J. (2002). On kernel-target
#' alignment. In *Advances in Neural Information Processing Systems* 14, 367-373.
#'
#' Cortes, C., Mohri, M. and Rostamizadeh, A. (2012). Algorithms for learning kernels based on
#' centered alignment. *Journal of Machine Learning Research* 13, 795-828.
#'
#' Donini, M. and Aiolli, F. (2017). Learning deep kernels in the space of dot product polynomials.
#' *Machine Learning* 106, 1245-1269.
#'
#' Chapelle, O., Vapnik, V., Bousquet, O. and Mukherjee, S. (2002). Choosing multiple parameters for
#' support vector machines. *Machine Learning* 46, 131-159.
#' @family kernels
#' @seealso [kernel_alignment_matrix()]
#' @examples
#' two <- droplevels(iris[51:150, ])
#' kernel_measures(kernel_rbf(2^(-2:3)), two[, 1:4], two$Species)
#' @export
kernel_measures <- function(kernels = NULL, x = NULL, y = NULL, measures = NULL, ridge = 0.01,
                            normalize = "trace", scale = TRUE, missing = NULL,
                            control = mkl_control(), ...) {
  check_dots(...)
  default <- is.null(measures)
  measures <- check_measures(measures, y)
  ridge <- check_number(ridge, "ridge", 0, open = c(TRUE, FALSE))
  problem <- unsupervised_problem(kernels, x, list(
    normalize = normalize, scale = scale, missing = missing, control = control
  ))
  target <- measure_target(y, problem)
  labels <- if ("margin" %in% measures) two_labels(target, given = !default)
  options <- list(
    radius = "radius" %in% measures, margin = !is.null(labels), ridge = ridge,
    dimension = "effective_dimension" %in% measures
  )
  control <- core_control(problem$settings$control)
  found <- with_kernel_progress(
    control, sum(item_counts(problem$items)), "kernel_measures()", function(control) {
      kernel_measures_cpp(problem$x, core_items(problem$items), target$matrix,
                          as.double(labels), options, control)
    }
  )
  shown <- c(measures, c("radius_error", "margin_error")[c("radius", "margin") %in% measures])
  found <- Filter(length, found[names(found) %in% shown])
  data.frame(kernel = item_names(problem$items), found)
}

known_measures <- function() {
  c("alignment", "centered_alignment", "radius", "margin", "spectral_ratio", "effective_dimension")
}

check_measures <- function(measures, y) {
  known <- known_measures()
  need <- c("alignment", "centered_alignment", "margin")
  if (is.null(measures)) return(if (is.null(y)) setdiff(known, need) else known)
  if (!is.character(measures) || length(measures) == 0L || !all(measures %in% known)) {
    stop_must("measures", paste("some of", quote_all(known)), setdiff(measures, known)[1L])
  }
  if (is.null(y) && any(measures %in% need)) {
    stop_mkl("argument_error", "y", "`y` is missing: the measure \"",
             intersect(measures, need)[1L], "\" needs a response.")
  }
  known[known %in% measures]
}

# list(matrix, classes): a row for each row of the data, without columns if there is no response.
measure_target <- function(y, problem) {
  n <- length(problem$rows)
  if (is.null(y)) return(list(matrix = matrix(0, n, 0L)))
  if (length(y) != problem$n_input) {
    stop_must("y", paste("one value for each of the", problem$n_input, "rows"), y, "data_error")
  }
  y <- y[problem$rows]
  if (anyNA(y)) stop_mkl("response_error", "y", "`y` has missing values.")
  response <- encode_response(y, NULL, "y")
  if (response$task == "regression") {
    spread <- stats::sd(response$y)
    if (!(spread > 0)) stop_mkl("response_error", "y", "`y` is constant.")
    return(list(matrix = matrix((response$y - mean(response$y)) / spread)))
  }
  codes <- as.integer(response$y)
  codes <- codes - min(codes) + 1L
  list(matrix = simplex_coding(max(codes))[codes, , drop = FALSE], codes = codes,
       classes = max(codes))
}

# Vectors of length 1 with inner products -1 / (q - 1); -1 and 1 for two classes.
simplex_coding <- function(q) {
  if (q == 2L) return(matrix(c(-1, 1)))
  (diag(q) - 1 / q) * sqrt(q / (q - 1))
}

# -1 and 1; NULL for other responses, unless the user asked for the margin.
two_labels <- function(target, given) {
  if (identical(target$classes, 2L)) return(c(-1, 1)[target$codes])
  if (!given) return(NULL)
  stop_mkl("argument_error", "measures", "The margin is defined for two classes.")
}

#' Alignments between all pairs of kernels
#'
#' The matrix of the alignments (cosines) of all pairs of kernels, as data and as a heat map: which
#' kernels carry the same information.
#'
#' @details
#' The alignment of two kernel matrices is the cosine of the angle between them,
#' \deqn{\frac{\langle K_k, K_l \rangle}{\|K_k\| \, \|K_l\|},}{<K_k, K_l> / (||K_k|| ||K_l||),} over
#' all entries; by default of the centered matrices (Cortes, Mohri and Rostamizadeh 2012). It is 1
#' for kernels that are multiples of each other and does not depend on their scales. The matrices
#' are computed in blocks of rows within `memory` of [mkl_control()].
#'
#' # Choosing parameters
#' `center`: without centering all kernels with positive values are similar to each other.
#'
#' @inheritParams kernel_measures
#' @param center `TRUE` to center the kernel matrices.
#' @param object A result of `kernel_alignment_matrix()`.
#' @param main Title of the plot.
#' @return A symmetric matrix of class `mkl_alignments` with the names of the kernels.
#'   `tidy()`: a data frame with a row for each pair of kernels: `kernel`, `other`, `alignment`.
#' @inherit cka references
#' @family kernels
#' @examples
#' A <- kernel_alignment_matrix(kernel_rbf(2^(-2:3)), iris[, 1:4])
#' round(A, 2)
#' plot(A)
#' tidy(A)[1:3, ]
#' @export
kernel_alignment_matrix <- function(kernels = NULL, x = NULL, center = TRUE, normalize = "none",
                                    scale = TRUE, missing = NULL, control = mkl_control(), ...) {
  check_dots(...)
  center <- check_flag(center, "center")
  problem <- unsupervised_problem(kernels, x, list(
    normalize = normalize, scale = scale, missing = missing, control = control
  ))
  items <- core_items(problem$items)
  control <- core_control(problem$settings$control)
  names <- item_names(problem$items)
  out <- if (center) {
    pairs <- centered_alignments_cpp(problem$x, items, control)
    dimnames(pairs) <- list(names, names)
    pairs
  } else cosines(kernel_products_cpp(problem$x, items, 0, control)$products, names)
  structure(out, class = c("mkl_alignments", "matrix", "array"))
}

#' @export
print.mkl_alignments <- function(x, digits = 3, ...) {
  cat("<mkl_alignments> of ", plural(nrow(x), "kernel"), "\n", sep = "")
  print(round(unclass(x), digits), ...)
  invisible(x)
}

#' @export
`[.mkl_alignments` <- function(x, ...) unclass(x)[...]
