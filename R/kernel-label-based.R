# Kernels that look at the labels of the training rows. A set may hold them beside plain ones;
# mkl_fit() takes them apart into plain kernels and their `beta` (split_labels()), and the learner
# into one that works on sharpened kernels (label_learner()).

#' Label-based kernels
#'
#' Sharpens kernels by the labels of the training rows: rows of one class become more alike, rows
#' of different classes less, the more so the nearer they are. [mkl()] takes these kernels with most
#' learners; [lbmkl()] and [lb_svm()] are the methods of the paper that introduced them.
#'
#' @details
#' With labels \eqn{y_i \in \{-1, 1\}} a kernel \eqn{K} becomes (equation 2-2-1 of the paper)
#' \deqn{K^*_{ij} = (1 + y_i y_j e^{-\beta \, \mathrm{dist}(x_i, x_j)^2}) K_{ij}, \qquad
#'   K^{**} = K^* K^*.}
#' The learner sees \eqn{K^{**}}, brought to mean diagonal 1. A new row has no label: its row of
#' \eqn{K^{**}} is \eqn{k(x)' K^*}, the mean of its rows under both labels, and
#' `predict(fit, newdata, type = "decision", both = TRUE)` gives the scores under each. See
#' [lbmkl()] for the distance and for what the paper leaves open.
#'
#' # Where it works
#' * In [mkl()] with learners whose decision function is linear in the kernels: [learner_svm()],
#'   [learner_average()], [learner_random()], [learner_easymkl()], [learner_komd()],
#'   [learner_simplemkl()] and its kin, [learner_mhks()], [learner_multik_mhks()]. Plain and
#'   label-based kernels may be mixed. Not with [learner_best()], whose cross-validation would see
#'   the labels of the rows it holds out, nor with [learner_mkboost()] and [learner_lmkl()].
#' * For classes only: with several, each pair of classes has its own kernels. There are no labels
#'   to look at in regression and one-class fits.
#' * In [kernel_matrix()] with the labels as `y`.
#'
#' # Choosing parameters
#' `beta`: with 0 the kernel between rows of different classes is 0: the labels leak, and the
#' training rows can be separated under their own labels whatever the data are (see [lbmkl()]). With
#' a very large value only the diagonal changes. Try `2^(0:5)`, as figure 3 of the paper. Several
#' values give one kernel each, which a learner of kernel weights can choose from.
#'
#' @param kernel A kernel or a set of kernels such as [kernel_rbf()]; also a matrix. Its normaliser
#'   acts before the labels do; `"trace"` by default in [mkl()].
#' @param beta Non-negative numbers: how fast the influence of a label falls with the distance.
#' @param ... Not used; a misspelt argument is an error.
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
  if (item$family == "label_based") stop_kernel(item$name, "is label-based already.")
  if (item$count > 1) {
    stop_kernel(item$name, "stands for many kernels and cannot be made label-based.")
  }
  list(
    family = "label_based", kernel = item, beta = beta, normalize = item$normalize, count = 1L,
    name = paste0("label_based(", item$name, ", beta=", format_number(beta), ")")
  )
}

is_label_based <- function(items) {
  vapply(items, function(item) item$family == "label_based", NA)
}

# The plain kernels behind a set, under the names of the set, and the `beta` of each, NA for those
# that are plain already.
split_labels <- function(kernels) {
  items <- unclass(kernels)
  labelled <- is_label_based(items)
  beta <- rep(NA_real_, length(items))
  beta[labelled] <- vapply(items[labelled], function(item) item$beta, 0)
  items[labelled] <- lapply(items[labelled], function(item) {
    inner <- item$kernel
    # New matrices are found by the name of the kernel that the user gave, as those of a factor.
    if (inner$family == "precomputed") {
      inner <- list(family = "product", factors = list(inner), normalize = inner$normalize,
                    count = 1L)
    }
    inner$name <- item$name
    inner
  })
  list(kernels = new_kernels(items), beta = beta)
}

# Learners ----------------------------------------------------------------------------------------

# The learner that does what `learner` does, with those kernels label-based that have a `beta`.
label_learner <- function(learner, beta) {
  if (all(is.na(beta))) return(learner)
  if (inherits(learner, "mkl_learner_lbmkl")) {
    stop_mkl(
      "argument_error", "kernels", "Label-based kernels cannot be given to ",
      if (inherits(learner, "mkl_learner_lb_svm")) "lb_svm()" else "lbmkl()",
      ", which makes kernels label-based itself. Give it plain ones, or use another learner."
    )
  }
  if (learner$name == "best" || !is_linear(learner)) {
    why <- if (learner$name == "best") {
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
  out <- new_learner(
    "lbmkl", learner$parameters, paste(learner$label, "on label-based kernels"),
    tasks = "classification", stochastic = learner$stochastic, normalize = "trace"
  )
  out$base <- learner
  out$beta <- beta
  class(out) <- c("mkl_learner_labelled", class(out))
  out
}

# Whether the decision function is a sum of kernels, each with coefficients of its own.
is_linear <- function(learner) {
  !learner$name %in% c("lmkl", "mkboost") &&
    !isTRUE(learner$parameters$combine %in% c("product", "vote"))
}

#' @export
format.mkl_learner_labelled <- function(x, ...) format(x$base, ...)

#' @export
default_kernels.mkl_learner_labelled <- function(learner, p, scaled) {
  default_kernels(learner$base, p, scaled)
}

#' @export
stopping_rule.mkl_learner_labelled <- function(learner, control) {
  stopping_rule(learner$base, control)
}

#' @export
has_margins.mkl_learner_labelled <- function(learner) has_margins(learner$base)

#' @export
learner_core.mkl_learner_labelled <- function(learner, items, frame) {
  own <- Filter(function(item) !isTRUE(item$helper), items)
  c(
    as.list(learner_core(learner$base, own, frame)),
    list(base = core_name(learner$base), labelled = as.double(!is.na(learner$beta)))
  )
}

# Kernels of the core -----------------------------------------------------------------------------

# The core wants each kernel and, after all of them, the product of each label-based one with
# exp(-beta dist^2).
add_near_kernels <- function(items, beta, x, control) {
  if (any(item_counts(items) > 1)) {
    stop_mkl("argument_error", "kernels", "`kernels` must be single kernels here, not bags.")
  }
  labelled <- !is.na(beta)
  centred <- vapply(items, function(item) "center" %in% item$normalize, NA) & labelled
  if (any(centred)) {
    stop_mkl(
      "argument_error", "normalize", "Kernel `", items[[which(centred)[1L]]]$name,
      "` cannot be centred here: the label-based kernel is a product."
    )
  }
  near <- if (ncol(x)) column_nearness(ncol(x)) else kernel_nearness(items, control)
  c(items, unname(Map(near_kernel, items[labelled], lapply(beta[labelled], near))))
}

# exp(-beta dist^2) as a function of beta, for the distance of the columns over the square root of
# their number.
column_nearness <- function(p) {
  function(beta) {
    list(
      family = "rbf", name = "near", count = 1L, normalize = character(),
      parameters = list(gamma = max(beta / p, 1e-300))
    )
  }
}

# The same for fits on kernel matrices alone: dist^2 = A_ii + A_jj - 2 A_ij for the mean A of the
# kernels, each with mean diagonal 1. Unrelated rows are then at 2, as z-scored columns have them on
# average.
kernel_nearness <- function(items, control) {
  scaled <- lapply(items, function(item) {
    item$normalize <- "trace"
    item
  })
  share <- rep(1 / length(items), length(items))
  parts <- lapply(items, function(item) item$factors %||% list(item))
  n <- nrow(parts[[1L]][[1L]]$matrix)
  average <- gram_matrices(scaled, matrix(0, n, 0L), NULL, control, share)[[1L]]
  model <- list(
    names = lapply(parts, function(part) vapply(part, function(f) f$name, "")),
    factors = share / vapply(parts, function(part) mean(matrix_of(part, diag)), 0),
    diagonal = diag(average)
  )
  squared <- pmax(outer(model$diagonal, model$diagonal, `+`) - 2 * average, 0)
  function(beta) {
    list(
      family = "precomputed", name = paste0("near(beta=", format_number(beta, 15L), ")"),
      count = 1L, normalize = character(), matrix = exp(-beta * squared),
      near = c(model, list(beta = beta, needed = FALSE))
    )
  }
}

# Product of a function of the matrices of some factors.
matrix_of <- function(factors, f) Reduce(`*`, lapply(factors, function(item) f(item$matrix)))

near_kernel <- function(item, nearness) {
  factors <- item$factors %||% list(`[[<-`(item, "normalize", character()))
  list(
    family = "product", name = paste0(item$name, ":near"), count = 1L, normalize = item$normalize,
    factors = c(factors, list(nearness)), helper = TRUE
  )
}

# The matrix of exp(-beta dist^2) between new and kept training rows, from the new kernel matrices.
# It is needed for the scores under both labels only, and so are the similarities of the new rows to
# themselves: without them it stays empty.
near_block <- function(near, blocks, take, columns) {
  rows <- length(take)
  has <- vapply(unlist(near$names), function(name) !is.null(attr(blocks[[name]], "diagonal")), NA)
  if (!all(has)) {
    name <- unlist(near$names)[!has][1L]
    if (near$needed) block_diagonal(blocks[[name]], name, "measures the distance of rows here")
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
  exp(-near$beta * pmax(outer(diagonal, near$diagonal, `+`) - 2 * mean, 0))
}

# The helpers of a fit, told that they will be used.
need_nearness <- function(items) {
  lapply(items, function(item) {
    if (!is.null(item$near)) item$near$needed <- TRUE
    if (!is.null(item$factors)) item$factors <- need_nearness(item$factors)
    item
  })
}

# kernel_matrix() ---------------------------------------------------------------------------------

# Matrices of resolved items of which those with a `beta` are label-based. `new`: new rows, or NULL.
label_matrices <- function(items, beta, x, y, new, control) {
  y <- label_signs(y, nrow(x))
  all <- add_near_kernels(items, beta, x, control)
  labelled <- which(!is.na(beta))
  train <- gram_matrices(all, x, NULL, control)
  plain <- if (is.null(new)) train[seq_along(items)] else gram_matrices(items, x, new, control)
  rescale <- vapply(items[labelled], function(item) length(item$normalize) > 0L, NA)
  out <- plain
  out[labelled] <- with_core(label_based_cpp(
    train[labelled], train[-seq_along(items)], y, if (is.null(new)) list() else plain[labelled],
    rescale, core_control(control)
  ))
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
  if (length(y) != n) {
    stop_mkl(
      "response_error", "y", "`y` must have one value for each of the ", n, " rows, not ",
      length(y), "."
    )
  }
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
