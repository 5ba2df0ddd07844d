#' Many weak Gaussian kernels on random subsets of columns
#'
#' Defines weak kernels, as used with EasyMKL, each on a few randomly drawn columns. A million
#' kernels need no more memory than one, because they are not stored: each is computed from the
#' seed and its index when it is needed.
#'
#' @details
#' For each kernel a size \eqn{p} is drawn uniformly from 1 to `max_features`, then \eqn{p}
#' columns with replacement (so a bag may be larger than the number of columns), and
#' \deqn{k(x, z) = \exp\Bigl(-\frac{\beta}{p} \sum_{k \in \mathrm{bag}} (x_k - z_k)^2\Bigr).
#'   }{k(x, z) = exp(-beta / p sum_(k in bag) (x_k - z_k)^2).}
#' The names of the kernels in results are `rbf_bags[1]`, `rbf_bags[2]` and so on.
#'
#' # Choosing parameters
#' * Small bags give kernels that are easy to interpret, large bags give kernels that are similar
#'   to each other.
#' * `beta = "random"` draws it uniformly from (0, 1) for each kernel.
#' * `seed = NULL` draws a seed from R's random number generator, so that [set.seed()] makes the
#'   bags reproducible; it is stored in the result, and fitting the same set twice uses the same
#'   bags.
#'
#' @param n Number of kernels.
#' @param max_features Maximum number of columns of a kernel (bag size), at most a million.
#' @param beta Inverse squared width: a positive number, or `"random"`; larger values give less
#'   smooth functions.
#' @param seed Seed for drawing the bags: a whole number, or `NULL` (default).
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Aiolli, F. and Donini, M. (2015). EasyMKL: a scalable multiple kernel learning algorithm.
#' *Neurocomputing* 169, 215-224.
#' @family kernels
#' @examples
#' bags <- kernel_rbf_bags(1000, max_features = 3, seed = 1)
#' bags
#' fit <- mkl(Species ~ ., iris, learner = learner_average(), kernels = bags)
#' mean(fitted(fit) == iris$Species)
#' @export
kernel_rbf_bags <- function(n, max_features = 10, beta = "random", seed = NULL, on = NULL,
                            normalize = NULL, ...) {
  check_dots(...)
  if (missing(n)) n <- NULL
  n <- check_number(n, "n", 1, .Machine$integer.max, whole = TRUE)
  max_features <- check_number(max_features, "max_features", 1, 1e6, whole = TRUE)
  if (!identical(beta, "random")) {
    if (is.character(beta)) stop_must("beta", "a positive number or \"random\"", beta)
    beta <- check_number(beta, "beta", 0, open = c(TRUE, FALSE))
  }
  if (is.null(seed)) seed <- draw_seeds(1L)
  seed <- check_number(seed, "seed", 0, 2^53, whole = TRUE)
  new_kernel(
    "rbf_bags", list(count = n, max_features = max_features, beta = beta, seed = seed),
    on, normalize, core = rbf_bags_core, count = n, name = "rbf_bags", sparse = TRUE
  )
}

# The core reads NaN as "draw it per kernel".
rbf_bags_core <- function(parameters) {
  if (identical(parameters$beta, "random")) parameters$beta <- NaN
  parameters
}
