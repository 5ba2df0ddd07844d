# What fuse_kernels(), kernel_pca() and kernel_kmeans() share: kernels and data in every form that
# mkl() accepts, without a response; and the kernels of new rows.

# The prepared problem of prepare_fit(), see R/fit-core.R. `given`: settings of mkl().
unsupervised_problem <- function(kernels, x, given) {
  settings <- new_settings(c(given, list(task = "one_class")))
  chosen <- unsupervised_frame(kernels, x, settings$max_levels)
  if (!is.null(chosen$kernels)) settings <- change_settings(settings, chosen["kernels"])
  if (!is.null(chosen$frame$y)) {
    stop_mkl("argument_error", "kernels", "`kernels` is a formula with a response, which has no ",
             "use here: write `~ ` and the terms.")
  }
  prepare_fit(chosen$frame, learner_average(), settings)
}

# list(frame, kernels): data come as `x`, or as the first argument if they bring their kernels.
unsupervised_frame <- function(kernels, x, max_levels) {
  if (inherits(kernels, "formula")) return(list(frame = as_frame(kernels, x, max_levels)))
  if (!is.null(x)) {
    frame <- as_frame(x, NULL, max_levels)
    return(list(frame = frame, kernels = if (!is.null(kernels)) check_kernels(kernels)))
  }
  if (is.null(kernels)) {
    stop_mkl("data_error", "x", "`x` is missing, and `kernels` holds no kernel matrices.")
  }
  if (is.matrix(kernels) && !inherits(kernels, "kernelMatrix")) kernels <- list(K1 = kernels)
  if (!is_kernel_set(kernels)) return(list(frame = as_frame(kernels, NULL, max_levels)))
  kernels <- check_kernels(kernels)
  families <- vapply(unclass(kernels), function(item) item$family, "")
  if (!all(families == "precomputed")) {
    stop_mkl("data_error", "x", "`x` is missing: the kernels need rows to be computed on.")
  }
  sizes <- vapply(unclass(kernels), function(item) nrow(item$matrix), 0L)
  if (any(sizes != sizes[1L])) {
    stop_mkl("data_error", "kernels", "`kernels` must be matrices of one size, not of ",
             paste(unique(sizes), collapse = ", "), " rows.")
  }
  frame <- list(
    x = matrix(0, sizes[1L], 0L),
    blueprint = new_blueprint("kernels", names = names(kernels), indicator = FALSE)
  )
  list(frame = frame, kernels = kernels)
}

# Kernels, or a list of them.
is_kernel_set <- function(x) {
  one <- function(x) inherits(x, "mkl_kernels") || is_kernlab_kernel(x)
  one(x) || (is.list(x) && !is.object(x) && length(x) > 0L && all(vapply(x, one, NA)))
}

# The object: `fields` of its own, and what is needed to compute its kernels for new rows.
new_unsupervised <- function(problem, normalizers, class, fields, call) {
  n <- length(problem$rows)
  cases <- problem$frame$cases
  seal_fit(structure(class = class, c(fields, list(
    kernels = strip_kernels(problem$items, seq_len(n)), normalizers = normalizers,
    train = problem$x, kept = seq_len(n),
    rows = if (!is_all(problem$rows, problem$n_input)) problem$rows,
    n = n, n_input = problem$n_input, frame = problem$frame$blueprint,
    cases = if (!is.null(cases)) cases[problem$rows], control = problem$settings$control,
    seed = 1, call = call
  ))))
}

# Values at new rows of the sums that `object$models` are, a column each.
new_sums <- function(object, newdata, precomputed) {
  newdata <- if (missing(newdata)) list() else as_new_form(object$frame, newdata)
  name_cases(new_decision(object, newdata, precomputed), new_cases(newdata, precomputed))
}

check_clusters <- function(x, argument, n) {
  x <- check_number(x, argument, 1, whole = TRUE)
  if (x > n) stop_must(argument, paste("at most the number of rows,", n), x)
  x
}

#' @export
kernel_weights.mkl_unsupervised <- function(object, ...) {
  check_other_seal(object)
  check_dots(...)
  object$weights
}

#' @export
coef.mkl_unsupervised <- function(object, ...) kernel_weights(object, ...)

#' @export
nobs.mkl_unsupervised <- function(object, ...) object$n

# The largest weights in a line of print().
print_kernel_weights <- function(weights, limit = 6L) {
  order <- order(-weights, seq_along(weights))
  shown <- utils::head(order, limit)
  cat("  weights: ", paste0(names(weights)[shown], " ", format_number(unname(weights[shown]), 3L),
                            collapse = ", "),
      if (length(weights) > limit) paste0(", ... (", length(weights), ")"), "\n", sep = "")
}
