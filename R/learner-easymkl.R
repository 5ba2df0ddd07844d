#' EasyMKL: multiple kernel learning with any number of kernels
#'
#' @description
#' EasyMKL computes weights for any number of kernels, up to millions, from the distance between
#' the two classes under each kernel. It needs the memory of two kernel matrices whatever the
#' number of kernels, and time proportional to this number. `easymkl()` fits it;
#' `learner_easymkl()` is the specification for [mkl()].
#'
#' @details
#' EasyMKL (section 3 of the paper) seeks the combination of kernels with weights \eqn{\eta \ge 0}
#' of length 1 under which the classes are farthest apart,
#' \deqn{\max_{\|\eta\| = 1} \min_{\gamma \in \Gamma} \; (1 - \lambda) \, \gamma' Y \Big(\sum_m
#'   \eta_m K_m\Big) Y \gamma + \lambda \, \|\gamma\|^2,}{
#'   max over ||eta|| = 1 of min over gamma in Gamma of
#'   (1 - lambda) gamma' Y (sum_m eta_m K_m) Y gamma + lambda ||gamma||^2,}
#' with \eqn{\Gamma} as in [komd()]. The best \eqn{\eta} for given \eqn{\gamma} is proportional to
#' the distances \eqn{d_m(\gamma) = \gamma' Y K_m Y \gamma}. Replacing the 2-norm of these distances
#' by their sum, which bounds it, gives the method:
#' 1. The kernels are scaled to the same trace (`normalize = "trace"`).
#' 2. [komd()] on their sum, \eqn{\sum_m K_m}{sum_m K_m}, gives \eqn{\gamma}.
#' 3. \eqn{\eta_m = \gamma' Y K_m Y \gamma}, divided by the 2-norm of all of them.
#' 4. [komd()] with the same \eqn{\lambda} on \eqn{\sum_m \eta_m K_m}{sum_m eta_m K_m} is the
#'    classifier.
#'
#' The formulas are those of sections 2 and 3 of the paper, which does not number them.
#'
#' # Details not specified in the paper
#' * `norm = "sum"` divides \eqn{\eta} by its sum instead, which makes weights comparable between
#'   sets of kernels. It changes the scale of the kernel of step 4 and with it the effect of
#'   `lambda`.
#' * `final = learner_svm(cost = )` trains a support vector machine in step 4. Observation weights
#'   and class weights are used in this step only; with the default they raise an error, because
#'   EasyMKL has no cost.
#' * The bias of the classifier is that of [komd()].
#' * If the classes coincide under every kernel, all kernels get the same weight. If their convex
#'   hulls overlap under the sum of the kernels, the weights for `lambda = 0` consist of rounding
#'   errors: the fit gives a warning and [converged()] is `FALSE`, see [komd()].
#' * Distances are computed over the rows with \eqn{\gamma_i > 0}. Negative ones, which
#'   indefinite kernels can have, count as 0.
#' * Several classes: each pair of classes has its own weights.
#'
#' Classification only: a numeric response or no response raises an error.
#'
#' # Choosing parameters
#' * `lambda`: the default 0.1 is suitable for many weak kernels. Its effect decreases with the
#'   number of kernels, because their sum grows; try 0, 0.1, 0.5, 0.9, 0.99.
#' * Kernels: [kernel_rbf_bags()] defines thousands of weak kernels on a few columns each; the
#'   weights then select columns. Without `kernels` the default set of [mkl()] is used.
#' * `memory` in [mkl_control()] should be sufficient for two matrices of n x n numbers. With less
#'   memory, rows are computed when the solver needs them, which is slow with many kernels.
#'
#' # Parallel processing
#' With a parallel plan of the package future, for instance `future::plan(future::multisession)`,
#' sets of more than 256 kernels are divided into blocks, and worker processes compute the sums
#' and weights of the blocks, with one thread each. A worker receives the columns and its kernels
#' and returns one matrix and one number for each kernel. Blocks depend only on the number of
#' kernels, so the result is the same as in one process. If there are at least as many pairs of
#' classes as workers, the pairs are distributed instead, see [mkl()].
#'
#' # Progress
#' If the package progressr is installed, fits with thousands of kernels show a progress bar in
#' interactive sessions; in scripts use `progressr::with_progress()`.
#' `options(multikernel.progress = FALSE)` turns it off.
#'
#' @inheritParams komd
#' @param x,... Data and settings, as for [mkl()]: a formula and `data`, a matrix or data frame
#'   and `y`, or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_easymkl()` `...` is not used.
#' @param norm Normalization of the kernel weights: `"two"` (default) for 2-norm 1, as in the
#'   paper; `"sum"` for sum 1.
#' @param final Classifier trained on the weighted sum of the kernels: `"komd"` (default), or a
#'   [learner_svm()].
#' @return `easymkl()`: a fit of class `mkl_easymkl` and `mkl`, see [mkl()]. `learner_easymkl()`: a
#'   learner, class `mkl_learner`.
#' @references
#' Aiolli, F. and Donini, M. (2014). Easy multiple kernel learning. In *Proceedings of the European
#' Symposium on Artificial Neural Networks*.
#'
#' Aiolli, F. and Donini, M. (2015). EasyMKL: a scalable multiple kernel learning algorithm.
#' *Neurocomputing* 169, 215-224.
#' @family learners
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- easymkl(Species ~ ., two)
#' fit
#' mean(predict(fit, two) == two$Species)
#'
#' # a thousand weak kernels, and a support vector machine on their combination
#' many <- easymkl(Species ~ ., two,
#'   kernels = kernel_rbf_bags(1000, max_features = 3, seed = 1), final = learner_svm(cost = 10)
#' )
#' summary(coef(many))
#' @rdname easymkl
#' @order 2
#' @export
learner_easymkl <- function(lambda = 0.1, norm = c("two", "sum"), final = "komd", ...) {
  check_dots(...)
  parameters <- list(
    lambda = check_number(lambda, "lambda", 0, 1),
    norm = check_choice(norm, "norm", c("two", "sum")),
    final = check_final(final)
  )
  svm <- inherits(final, "mkl_learner_svm")
  new_learner(
    name = "easymkl", like = NULL, label = "EasyMKL", parameters = parameters,
    constructor = learner_easymkl, core = "easymkl", tasks = "classification",
    takes = kernel_limits(), kernels = spread_kernels, normalize = "trace", costs = svm,
    stochastic = FALSE, path = character(), grid = list(lambda = seq(0, 1, 0.1)),
    stopping = stop_at_tol(), margins = svm, linear = TRUE, product = FALSE, labels_inside = FALSE,
    approximate = TRUE, used_for = list(), work = c(4, 2)
  )
}

#' @rdname easymkl
#' @order 1
#' @export
easymkl <- named_method(learner_easymkl)

check_final <- function(final) {
  if (identical(final, "komd")) return(final)
  if (!inherits(final, "mkl_learner_svm")) {
    stop_must("final", "\"komd\" or made by learner_svm()", final)
  }
  if (!is.null(final$parameters$weights)) {
    stop_mkl(
      "argument_error", "final", "`final` must be a learner_svm() without `weights`: they are ",
      "what EasyMKL finds."
    )
  }
  complete_learner(final)
}

#' @export
format.mkl_learner_easymkl <- function(x, ...) {
  x <- complete_learner(x)
  # Of the final model only the cost is used.
  if (inherits(x$parameters$final, "mkl_learner")) {
    x$parameters$final$parameters <- x$parameters$final$parameters["cost"]
  }
  format.mkl_learner(x, ...)
}

#' @export
learner_core.mkl_learner_easymkl <- function(learner, items, frame) {
  parameters <- learner$parameters
  if (!identical(parameters$final, "komd")) {
    parameters$cost <- parameters$final$parameters$cost
    parameters$final <- "svm"
  }
  parameters
}

# Blocks of kernels in other processes --------------------------------------------------------

#' @export
scores_in_core.mkl_learner_easymkl <- function(learner) FALSE

#' @export
fit_core.mkl_learner_easymkl <- function(learners, x, problem, items, parameters, control) {
  count <- sum(item_counts(items))
  bounds <- easymkl_blocks_cpp(count)
  divided <- length(bounds) > 2L && plan_is_parallel() && !any(is_label_based(items)) &&
    is.null(problem$approximate)
  # Models travel lighter than the matrices of blocks.
  if (pairs_elsewhere(problem) && (!divided || count_pairs(problem) >= future::nbrOfWorkers())) {
    return(NextMethod())
  }
  if (!divided) {
    if (length(learners) > 1L) return(NextMethod())
    # Three passes over the kernels for each model.
    total <- 3 * count_models(problem) * count
    return(with_kernel_progress(control, total, "EasyMKL", function(control) {
      fit_core.mkl_learner(learners, x, problem, items, parameters, control)
    }))
  }
  blocks <- Map(slice_items, list(items), bounds[-length(bounds)], bounds[-1L] - 1)
  passes <- function(what, rows, values) {
    tasks <- lapply(seq_along(blocks), function(b) {
      # Weights are those of the kernels of the block, coefficients those of all rows.
      some <- if (what == "sum") values[bounds[b]:(bounds[b + 1L] - 1)] else values
      list(kernels = core_items(blocks[[b]]), values = some)
    })
    # In the order of the blocks: sums of floating-point numbers depend on it.
    join <- if (what == "sum") `+` else base::c
    map_tasks(
      tasks, easymkl_block, what = what, x = x, rows = rows, control = control,
      seed = FALSE, chunk = 1L, reduce = join,
      label = if (what == "sum") "EasyMKL, adding up kernels" else "EasyMKL, weighing kernels"
    )
  }
  # R is called back, which only its own thread may do.
  here <- utils::modifyList(control, list(threads = 1L))
  fit_core.mkl_learner(learners, x, problem, items, parameters, here, passes)
}

easymkl_block <- function(task, what, x, rows, control) {
  easymkl_block_cpp(what, x, task$kernels, rows, task$values, limit_threads(control))
}

# The kernels from number `first` to `last` of resolved items.
slice_items <- function(items, first, last) {
  ends <- cumsum(item_counts(items))
  starts <- ends - item_counts(items) + 1
  inside <- which(ends >= first & starts <= last)
  lapply(inside, function(i) {
    item <- items[[i]]
    from <- max(first, starts[i]) - starts[i] + 1
    to <- min(last, ends[i]) - starts[i] + 1
    if (item$count > 1) {
      item$count <- to - from + 1
      item$parameters$count <- item$count
      item$parameters$first <- from
    }
    item
  })
}
