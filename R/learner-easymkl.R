#' Easy multiple kernel learning
#'
#' @description
#' EasyMKL weighs any number of kernels, a million if need be, by how far apart they put the two
#' classes. It takes the memory of two kernel matrices however many kernels there are, and time
#' that grows in proportion to their number. `easymkl()` fits it; `learner_easymkl()` is the
#' specification for [mkl()].
#'
#' @details
#' EasyMKL (section 3 of the paper) looks for the combination of kernels with weights \eqn{\eta \ge
#' 0} of length 1 under which the classes are farthest apart,
#' \deqn{\max_{\|\eta\| = 1} \min_{\gamma \in \Gamma} \; (1 - \lambda) \, \gamma' Y \Big(\sum_m
#'   \eta_m K_m\Big) Y \gamma + \lambda \, \|\gamma\|^2,}
#' with \eqn{\Gamma} as in [komd()]. The best \eqn{\eta} for given \eqn{\gamma} is proportional to
#' the distances \eqn{d_m(\gamma) = \gamma' Y K_m Y \gamma}. Replacing the 2-norm of these distances
#' by their sum, which bounds it, gives the method:
#' 1. The kernels are brought to the same trace (`normalize = "trace"`).
#' 2. [komd()] on their sum, \eqn{\sum_m K_m}, gives \eqn{\gamma}.
#' 3. \eqn{\eta_m = \gamma' Y K_m Y \gamma}, divided by the 2-norm of all of them.
#' 4. [komd()] with the same \eqn{\lambda} on \eqn{\sum_m \eta_m K_m} is the classifier.
#'
#' The formulas of the paper carry no numbers; all are those of its sections 2 and 3.
#'
#' # What the paper leaves open
#' * `norm = "sum"` divides \eqn{\eta} by its sum instead, which makes weights of different sets
#'   comparable. It changes the scale of the kernel of step 4 and with it the effect of `lambda`.
#' * `final = learner_svm(cost = )` trains a support vector machine in step 4. Weights of rows and
#'   classes act there; the steps before have no cost, so that with the default they are refused.
#' * The bias of the classifier is that of [komd()].
#' * If the classes coincide under every kernel, all kernels get the same weight. If their convex
#'   hulls overlap under the sum of the kernels, `lambda = 0` leaves nothing but rounding errors to
#'   weigh the kernels by: the fit warns and has not [converged()], see [komd()].
#' * Distances are computed over the rows with \eqn{\gamma_i > 0}. Negative ones, which
#'   indefinite kernels can have, count as 0.
#' * Several classes: each pair of classes has its own weights.
#'
#' For classes only: a numeric response or one class is an error.
#'
#' # Choosing parameters
#' * `lambda`: the default 0.1 suits many weak kernels. It has less effect the more kernels there
#'   are, because their sum grows; try 0, 0.1, 0.5, 0.9, 0.99.
#' * Kernels: [kernel_rbf_bags()] makes thousands of weak ones on a few columns each, and the
#'   weights then select columns. Without `kernels` the default set of [mkl()] is used.
#' * `memory` in [mkl_control()] should have room for two matrices of n x n numbers. With less, rows
#'   are computed as the solver asks for them, which is slow with many kernels.
#'
#' # Other processes
#' When a plan of the package future is set that is not sequential, for instance
#' `future::plan(future::multisession)`, sets of more than 256 kernels are divided into blocks, and
#' each block is added up and weighed in a process of its own, with one thread. It receives the
#' columns and its kernels and returns one matrix and one number for each kernel. Blocks depend on
#' the number of kernels alone, so the result is that of one process. If there are as many pairs of
#' classes as workers, the pairs are divided instead, see [mkl()].
#'
#' # Progress
#' With the package progressr installed, fits on thousands of kernels show a bar in interactive use;
#' in scripts ask for it by `progressr::with_progress()`. `options(multikernel.progress = FALSE)`
#' silences it.
#'
#' @inheritParams komd
#' @param x,... What to fit, as for [mkl()]: a formula and `data`, a matrix or data frame and `y`,
#'   or a list of kernel matrices and `y`; then any other argument of [mkl()]. For
#'   `learner_easymkl()` the dots are not used.
#' @param norm `"two"` for weights of 2-norm 1, as in the paper; `"sum"` for weights of sum 1.
#' @param final What is trained on the learned kernel: `"komd"`, or a [learner_svm()].
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
#' @export
easymkl <- function(x, ..., lambda = 0.1, norm = c("two", "sum"), final = "komd") {
  learner <- learner_easymkl(lambda, norm, final)
  front_door(match.call(), names(formals(easymkl)), learner, x, ...)
}

#' @rdname easymkl
#' @export
learner_easymkl <- function(lambda = 0.1, norm = c("two", "sum"), final = "komd", ...) {
  check_dots(...)
  parameters <- list(
    lambda = check_number(lambda, "lambda", 0, 1),
    norm = check_choice(norm, "norm", c("two", "sum")),
    final = check_final(final)
  )
  new_learner(
    "easymkl", parameters, "EasyMKL", tasks = "classification", normalize = "trace"
  )
}

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
  final
}

#' @export
format.mkl_learner_easymkl <- function(x, ...) {
  # Of the final machine only the cost is used.
  if (inherits(x$parameters$final, "mkl_learner")) {
    x$parameters$final$parameters <- x$parameters$final$parameters["cost"]
  }
  format.mkl_learner(x, ...)
}

#' @export
has_margins.mkl_learner_easymkl <- function(learner) !identical(learner$parameters$final, "komd")

#' @export
learner_core.mkl_learner_easymkl <- function(learner, items, frame) {
  parameters <- learner$parameters
  if (identical(parameters$final, "komd")) {
    refuse_costs(learner, frame$costs)
  } else {
    parameters$cost <- parameters$final$parameters$cost
    parameters$final <- "svm"
  }
  parameters
}

# Blocks of kernels in other processes --------------------------------------------------------

#' @export
fit_core.mkl_learner_easymkl <- function(learner, x, problem, items, parameters, control) {
  count <- sum(item_counts(items))
  bounds <- easymkl_blocks_cpp(count)
  divided <- length(bounds) > 2L && plan_is_parallel()
  # Models travel lighter than the matrices of blocks.
  if (pairs_elsewhere(problem) && (!divided || count_pairs(problem) >= future::nbrOfWorkers())) {
    return(NextMethod())
  }
  if (!divided) {
    # Three passes over the kernels for each model.
    total <- 3 * count_models(problem) * count
    return(with_kernel_progress(control, total, "EasyMKL", function(control) {
      fit_core.mkl_learner(learner, x, problem, items, parameters, control)
    }))
  }
  items <- core_items(items)
  blocks <- Map(slice_items, list(items), bounds[-length(bounds)], bounds[-1L] - 1)
  passes <- function(what, rows, values) {
    tasks <- lapply(seq_along(blocks), function(b) {
      # Weights are those of the kernels of the block, coefficients those of all rows.
      some <- if (what == "sum") values[bounds[b]:(bounds[b + 1L] - 1)] else values
      list(kernels = blocks[[b]], values = some)
    })
    # In the order of the blocks: sums of floating-point numbers depend on it.
    join <- if (what == "sum") `+` else base::c
    map_tasks(
      tasks, easymkl_block, what = what, x = x, n = problem$n, rows = rows, control = control,
      seed = FALSE, chunk = 1L, reduce = join,
      label = if (what == "sum") "EasyMKL, adding up kernels" else "EasyMKL, weighing kernels"
    )
  }
  # R is called back, which only its own thread may do.
  here <- utils::modifyList(control, list(threads = 1L))
  easymkl_fit_cpp(x, problem, items, parameters, passes, here)
}

#' @export
fit_many.mkl_learner_easymkl <- function(learners, x, problem, items, parameters, control) {
  if (plan_is_parallel()) return(NextMethod())
  # Points with the same lambda and norm next to each other: they share the weights of the kernels.
  order <- order(
    vapply(parameters, function(p) p$lambda, 0), vapply(parameters, function(p) p$norm, "")
  )
  results <- fit_shared(learners[order], x, problem, items, parameters[order], control)
  results[order(order)]
}

easymkl_block <- function(task, what, x, n, rows, control) {
  easymkl_block_cpp(what, x, n, task$kernels, rows, task$values, limit_threads(control))
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

#' Plot the weights of an EasyMKL fit
#'
#' The largest weights of the kernels as bars and, if there are more kernels than bars, how the
#' weight is spread over all of them.
#'
#' @details
#' The weights are \eqn{\eta_m = \gamma' Y K_m Y \gamma} of [easymkl()], scaled to norm 1. The curve
#' on the right shows, for kernels sorted by weight, the share
#' \deqn{\sum_{m \le r} \eta_m \Big/ \sum_m \eta_m} of the first \eqn{r}; the dashed line is that of
#' equal weights. The circle marks how many kernels hold half of the weight.
#'
#' # Choosing what to see
#' With thousands of weak kernels the bars say little and the curve much: if it is close to the
#' dashed line, the set could be thinned out at random without loss.
#'
#' @param x A fit of [easymkl()].
#' @param what `"weights"` or `"boundary"`, the latter as in [plot.mkl()].
#' @param limit Largest number of bars.
#' @param main Title.
#' @param col Two colours.
#' @param ... Handed to [graphics::barplot()] or [plot.mkl()].
#' @return The fit, invisibly.
#' @inherit easymkl references
#' @family questions to a fit
#' @examples
#' two <- droplevels(iris[51:150, ])
#' bags <- kernel_rbf_bags(500, max_features = 3, seed = 1)
#' plot(easymkl(Species ~ ., two, kernels = bags))
#' @export
plot.mkl_easymkl <- function(x, what = c("weights", "boundary"), limit = 30L, main = NULL,
                             col = c("#2166AC", "#B2182B"), ...) {
  check_fit(x)
  check_exact()
  what <- check_choice(what, "what", c("weights", "boundary"))
  limit <- check_number(limit, "limit", 1, whole = TRUE)
  if (what == "boundary" || sum(item_counts(x$kernels)) <= limit) {
    plot.mkl(x, what = what, limit = limit, main = main, col = col, ...)
    return(invisible(x))
  }
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  graphics::layout(matrix(1:2, 1L), widths = c(1.15, 1))
  plot_weights(x, limit, main %||% paste(x$learner$label, "- largest weights"), col, ...)
  plot_spread(mean_weights(x), col)
  invisible(x)
}

plot_spread <- function(weights, col) {
  spread <- weight_spread(weights)
  graphics::par(mar = c(4, 4.2, 3, 1.5), las = 1, mgp = c(2.6, 0.6, 0), tcl = -0.3)
  graphics::plot.default(
    NA, xlim = 0:1, ylim = 0:1, xaxs = "i", yaxs = "i", bty = "l",
    xlab = "share of kernels, largest first", ylab = "share of the weight",
    main = paste("All", plural(spread$count, "kernel"))
  )
  graphics::abline(h = graphics::axTicks(2), col = "grey92")
  graphics::lines(0:1, 0:1, lty = 2, col = "grey45")
  graphics::lines(spread$kernels, spread$weight, lwd = 2, col = col[1L], xpd = NA)
  at <- spread$half_at
  graphics::points(at[1L], at[2L], pch = 21, bg = col[2L], col = "white", cex = 1.4)
  graphics::text(
    at[1L] + 0.03, at[2L], paste0("half of the weight:\n", plural(spread$half, "kernel")),
    adj = c(0, 1.2), cex = 0.8
  )
}
