# Kernels that look at the labels of the training rows. An item with a `beta` is label-based: the
# core sharpens it in each two-class problem.

#' Label-based kernels
#'
#' Modifies kernels by the labels of the training rows: the similarity of rows of the same class
#' increases and that of rows of different classes decreases, most strongly for near rows. [mkl()]
#' takes these kernels with most learners; [lbmkl()] and [lb_svm()] are the methods of the paper
#' that introduced them.
#'
#' @details
#' With labels \eqn{y_i \in \{-1, 1\}} a kernel \eqn{K} becomes (equation 2-2-1 of the paper)
#' \deqn{K^*_{ij} = (1 + y_i y_j e^{-\beta \, \mathrm{dist}(x_i, x_j)^2}) K_{ij}, \qquad
#'   K^{**} = K^* K^*.}{
#'   K*[i, j] = (1 + y_i y_j exp(-beta dist(x_i, x_j)^2)) K[i, j],  K** = K* K*.}
#' The learner uses \eqn{K^{**}}, scaled to mean diagonal 1. A new row has no label: its row of
#' \eqn{K^{**}} is \eqn{k(x)' K^*}, the mean of its rows under both labels, and
#' `predict(fit, newdata, type = "decision", both = TRUE)` returns the scores under each. See
#' [lbmkl()] for the distance and for details not specified in the paper.
#'
#' # Supported learners and tasks
#' * In [mkl()] with learners whose decision function is linear in the kernels: [learner_svm()],
#'   [learner_average()], [learner_random()], [learner_easymkl()], [learner_komd()],
#'   [learner_simplemkl()] and the other convex learners, [learner_mhks()],
#'   [learner_multik_mhks()]. Label-based and other kernels can be combined. Not supported are
#'   [learner_best()], whose cross-validation would use the labels of the held-out rows,
#'   [learner_mkboost()] and [learner_lmkl()].
#' * Classification only: with several classes each pair of classes has its own kernels.
#' * In [kernel_matrix()] with the labels as `y`.
#'
#' # Choosing parameters
#' `beta`: with 0 the kernel between rows of different classes is 0: the labels leak, and the
#' training rows can be separated with their own labels for any data (see [lbmkl()]). With a very
#' large value only the diagonal changes. Try `2^(0:5)`, as figure 3 of the paper. Several values
#' give one kernel each, for which a learner can estimate weights.
#'
#' @param kernel A kernel or a set of kernels such as [kernel_rbf()]; or a matrix. Its normalizer
#'   is applied before the labels; `"trace"` by default in [mkl()].
#' @param beta Rate at which the influence of the labels decreases with the distance of two rows:
#'   non-negative numbers; larger values change the kernel less.
#' @param ... Not used; misspelled arguments raise an error.
#' @return A set of kernels, class `mkl_kernels`, with one kernel for each pair of a kernel and a
#'   value of `beta`.
#' @references
#' Yang, B., Li, Q., Song, L., Fu, C. and Jing, L. Label-based multiple kernel learning for
#' classification.
#' @family kernels
#' @examples
#' two <- droplevels(iris[51:150, ])
#' sharp <- kernel_label_based(kernel_rbf(sigma = 2), beta = c(1, 4, 16))
#' fit <- mkl(Species ~ ., two, kernels = sharp, learner = learner_average())
#' mean(predict(fit, two) == two$Species)
#' # beside a plain kernel
#' kernel_weights(easymkl(Species ~ ., two, kernels = c(sharp, kernel_linear())))
#' # the matrix itself
#' K <- kernel_matrix(sharp[1], scale(two[, 1:4]), y = two$Species)
#' plot(empirical_map(K), class = two$Species)
#' @export
kernel_label_based <- function(kernel, beta = 4, ...) {
  check_dots(...)
  if (is_kernel_maker(kernel)) {
    stop_mkl(
      "argument_error", "kernel", "`kernel` must be a kernel, not a function. Call the ",
      "constructor, as in kernel_rbf(1)."
    )
  }
  beta <- check_numbers(beta, "beta", 0)
  inner <- tryCatch(as_items(kernel, "", 1L), multikernel_argument_error = function(e) {
    stop_must("kernel", "a kernel such as kernel_rbf(1)", kernel)
  })
  grid <- expand.grid(kernel = seq_along(inner), beta = beta)
  new_kernels(Map(function(i, b) label_item(inner[[i]], b), grid$kernel, grid$beta))
}

label_item <- function(item, beta) {
  if (!is.null(item$beta)) stop_kernel(item$name, "is label-based already.")
  if (item$count > 1) {
    stop_kernel(item$name, "stands for many kernels and cannot be made label-based.")
  }
  name <- paste0("label_based(", item$name, ", beta=", format_number(beta), ")")
  # New matrices are found by the name of the kernel that the user gave, as those of a factor.
  if (item$family == "precomputed") {
    item <- list(family = "product", factors = list(item), normalize = item$normalize, count = 1L)
  }
  item$beta <- beta
  item$name <- name
  item
}

is_label_based <- function(items) vapply(items, function(item) !is.null(item$beta), NA)

without_labels <- function(items) lapply(items, `[[<-`, "beta", NULL)

# Stops if a learner cannot work on label-based kernels.
check_label_learner <- function(learner) {
  if (inherits(learner, "mkl_learner_lbmkl")) {
    stop_mkl(
      "argument_error", "kernels", "Label-based kernels cannot be given to ", learner$name, "(), ",
      "which makes kernels label-based itself. Give it plain ones, or use another learner."
    )
  }
  if (learner$labels_inside || !learner$linear) {
    why <- if (learner$labels_inside) {
      "its cross-validation would see the labels of the rows that it holds out"
    } else {
      "its decision function is not linear in the kernels"
    }
    stop_mkl(
      "argument_error", "learner", "learner_", learner$name, "() cannot work on label-based ",
      "kernels: ", why, "."
    )
  }
  if (inherits(learner, "mkl_learner_mhks_grid")) {
    stop_mkl(
      "argument_error", "kernels", "multik_mhks_path() cannot work on label-based kernels. Use ",
      "multik_mhks() for each pair of `c` and `lambda`."
    )
  }
}

# Distances of rows -------------------------------------------------------------------------------

# Resolved items, of which the label-based ones know the squared distances of the rows where there
# are no columns for the core to compute them from.
with_distances <- function(items, x, control) {
  labelled <- is_label_based(items)
  if (!any(labelled)) return(items)
  if (any(item_counts(items) > 1)) {
    stop_mkl("argument_error", "kernels", "`kernels` must be single kernels here, not bags.")
  }
  centred <- vapply(items, function(item) "center" %in% item$normalize, NA) & labelled
  if (any(centred)) {
    stop_mkl(
      "argument_error", "normalize", "Kernel `", items[[which(centred)[1L]]]$name,
      "` cannot be centred here: the label-based kernel is a product."
    )
  }
  for (item in items[labelled]) check_distances(item, x)
  if (ncol(x)) return(items)
  distance <- kernel_distance(without_labels(items), control)
  items[labelled] <- lapply(items[labelled], `[[<-`, "distance", distance)
  items
}

# Raw data have no columns to measure distances by.
check_distances <- function(item, x) {
  for (one in item$factors %||% list(item)) {
    part <- item_part(one, x)$x
    if (is_raw(part)) {
      stop_kernel(
        item$name, "cannot be label-based, as this needs distances between columns of numbers, ",
        "and the data are ", raw_words[[part$type]], "."
      )
    }
  }
}

# dist^2 = A_ii + A_jj - 2 A_ij for the mean A of the kernels, each with mean diagonal 1. Unrelated
# rows are then at 2, as z-scored columns have them on average.
kernel_distance <- function(items, control) {
  scaled <- lapply(items, function(item) {
    item$normalize <- "trace"
    item
  })
  share <- rep(1 / length(items), length(items))
  parts <- lapply(items, function(item) item$factors %||% list(item))
  n <- nrow(parts[[1L]][[1L]]$matrix)
  average <- gram_matrices(scaled, matrix(0, n, 0L), NULL, control, share)[[1L]]
  near <- list(
    names = lapply(parts, function(part) vapply(part, function(f) f$name, "")),
    factors = share / vapply(parts, function(part) mean(matrix_of(part, diag)), 0),
    diagonal = diag(average)
  )
  squared <- pmax(outer(near$diagonal, near$diagonal, `+`) - 2 * average, 0)
  distance_item(near, squared)
}

distance_item <- function(near, squared = NULL) {
  list(
    family = "precomputed", name = "distance", count = 1L, normalize = character(),
    matrix = squared, near = near
  )
}

# Product of a function of the matrices of some factors.
matrix_of <- function(factors, f) Reduce(`*`, lapply(factors, function(item) f(item$matrix)))

# The squared distances of new and kept training rows, from the new kernel matrices. They are needed
# for the scores under both labels only, and so are the similarities of the new rows to themselves:
# without them the matrix stays empty.
distance_block <- function(near, blocks, take, columns) {
  rows <- length(take)
  has <- vapply(unlist(near$names), function(name) !is.null(attr(blocks[[name]], "diagonal")), NA)
  if (!all(has)) {
    name <- unlist(near$names)[!has][1L]
    if (isTRUE(near$needed)) {
      block_diagonal(blocks[[name]], name, "measures the distance of rows here")
    }
    return(matrix(0, rows, length(columns)))
  }
  mean <- matrix(0, rows, length(columns))
  diagonal <- numeric(rows)
  for (m in seq_along(near$names)) {
    parts <- blocks[near$names[[m]]]
    k <- Reduce(`*`, lapply(parts, function(block) block[take, columns, drop = FALSE]))
    own <- Reduce(`*`, Map(function(block, name) block_diagonal(block, name)[take], parts,
                           names(parts)))
    mean <- mean + near$factors[m] * unname(k)
    diagonal <- diagonal + near$factors[m] * own
  }
  pmax(outer(diagonal, near$diagonal, `+`) - 2 * mean, 0)
}

# The kernels of a fit, told that their distances will be used.
need_distances <- function(items) {
  lapply(items, function(item) {
    if (!is.null(item$distance)) item$distance$near$needed <- TRUE
    item
  })
}

# The kernels of a fit of version 0.2.0, which held the products with exp(-beta dist^2) as kernels
# of their own, after the others.
current_kernels <- function(items, learner, kept) {
  product <- vapply(items, function(item) isTRUE(item$helper), NA)
  if (!any(product)) return(items)
  own <- items[!product]
  beta <- learner$beta %||% rep(learner$parameters$beta, length(own))
  labelled <- !is.na(beta)
  own[labelled] <- Map(function(item, beta, product) {
    item$beta <- beta
    near <- product$factors[[length(product$factors)]]$near
    if (!is.null(near)) {
      item$distance <- distance_item(near[c("names", "factors", "diagonal")])
      if ("cosine" %in% item$normalize) item$distance$train_diagonal <- numeric(length(kept))
    }
    item
  }, own[labelled], beta[labelled], items[product])
  own
}

# kernel_matrix() ---------------------------------------------------------------------------------

# Matrices of resolved items, some of them label-based. `new`: new rows, or NULL.
label_matrices <- function(items, x, y, new, control) {
  y <- label_signs(y, nrow(x))
  labelled <- which(is_label_based(items))
  # Of all kernels, and then the products of label-based ones with exp(-beta dist^2).
  train <- gram_matrices(with_distances(items, x, control), x, NULL, control)
  plain <- if (is.null(new)) train[seq_along(items)] else {
    gram_matrices(without_labels(items), x, new, control)
  }
  rescale <- vapply(items[labelled], function(item) length(item$normalize) > 0L, NA)
  out <- plain
  out[labelled] <- label_based_cpp(
    train[labelled], train[-seq_along(items)], y, if (is.null(new)) list() else plain[labelled],
    rescale, core_control(control)
  )
  out
}

# Labels -1 and 1 of two classes, as a fit would code them.
label_signs <- function(y, n) {
  if (is.null(y)) {
    stop_mkl(
      "response_error", "y", "Label-based kernels need labels: give the classes of the rows of ",
      "`x` as `y`."
    )
  }
  check_response(y, "y")
  check_each_row(y, "y", n, "response_error")
  if (anyNA(y)) {
    stop_mkl(
      "response_error", "y", "`y` has a missing value in row ", which(is.na(y))[1L], "."
    )
  }
  response <- encode_response(y, "classification", "y")
  if (length(response$classes) != 2L) {
    stop_mkl(
      "response_error", "y", "`y` must have two classes here, not ", length(response$classes),
      ". In mkl() each pair of classes has its own label-based kernels."
    )
  }
  2 * response$y - 1
}
