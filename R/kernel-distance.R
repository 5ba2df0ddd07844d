# Kernels of the distance between two rows.

#' Gaussian (radial basis function) kernel
#'
#' Similarity that falls with the squared distance of two rows. With several widths in one
#' set, a multiple kernel learner chooses the scale at which the data have structure.
#'
#' @details
#' \deqn{k(x, z) = \exp\Bigl(-\frac{\|x - z\|^2}{2 \sigma^2}\Bigr)
#'   = \exp(-\gamma \|x - z\|^2)}{k(x, z) = exp(-|x - z|^2 / (2 sigma^2)) = exp(-gamma |x - z|^2)}
#' Give `sigma` or `gamma`, not both.
#'
#' # Choosing parameters
#' On p z-scored columns the squared distance of a typical pair is 2p, so `sigma = sqrt(p)`
#' puts such a pair at exp(-1): the default of [mkl()]. Rules find a width on the training
#' rows and store it in the fit:
#' * `"median"`: the median distance of two different rows (of 2000 evenly spaced ones, if
#'   there are more);
#' * `"mean_distance"`: the mean of the distances of all n x n pairs of rows, that of a row to
#'   itself included;
#' * `"nearest"`: \eqn{s / \sqrt 2} with \eqn{s} the mean distance of a row to its nearest
#'   neighbor, so that the kernel is \eqn{\exp(-\|x - z\|^2 / s^2)}: a narrow one.
#'
#' Widths that are powers of two times each other, such as `2^(-6:7)`, are computed together
#' in far less time than one by one.
#'
#' @param sigma Width: a positive number, several (one kernel each), or a rule. Not used if
#'   `gamma` is given.
#' @param gamma Inverse width: a positive number or several.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return references
#' @family kernels
#' @examples
#' kernel_rbf(sigma = 2^(-2:2))
#' kernel_rbf(gamma = 0.5, on = ~ Sepal.Length + Sepal.Width)
#' kernel_rbf("median")
#' kernel_matrix(kernel_rbf(1), diag(2))
#' @export
kernel_rbf <- function(sigma = "median", gamma = NULL, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  if (!missing(sigma) && !is.null(sigma) && !is.null(gamma)) {
    stop_mkl(
      "argument_error", "sigma", "kernel_rbf() takes one of `sigma` and `gamma`, not both."
    )
  }
  if (is.null(gamma)) {
    parameters <- list(sigma = check_width(sigma, "sigma"))
  } else {
    parameters <- list(gamma = check_numbers(gamma, "gamma", 0, open = c(TRUE, FALSE)))
  }
  new_kernel("rbf", parameters, on, normalize, width = "sigma", core = rbf_core, sparse = TRUE)
}

rbf_core <- function(parameters) {
  if (!is.null(parameters$gamma)) return(parameters)
  list(gamma = 1 / (2 * parameters$sigma^2))
}

#' Laplacian kernel
#'
#' Similarity that falls with the city-block distance of two rows: less smooth than the
#' Gaussian one and less moved by a single far-off value.
#'
#' @details
#' \deqn{k(x, z) = \exp\Bigl(-\frac{\|x - z\|_1}{\sigma}\Bigr)}{k(x, z) = exp(-|x - z|_1 / sigma)}
#'
#' # Choosing parameters
#' On p z-scored columns the city-block distance of a typical pair is about 1.1 p, so
#' `sigma` between p / 4 and 4 p covers the useful range.
#'
#' @param sigma Width: a positive number, or several (one kernel each).
#' @inheritParams kernel_linear
#' @inherit kernel_linear return references
#' @family kernels
#' @examples
#' kernel_laplacian(c(1, 4))
#' kernel_matrix(kernel_laplacian(2), diag(2))
#' @export
kernel_laplacian <- function(sigma, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  if (missing(sigma)) sigma <- NULL
  sigma <- check_numbers(sigma, "sigma", 0, open = c(TRUE, FALSE))
  new_kernel("laplacian", list(sigma = sigma), on, normalize)
}

#' Matérn kernel
#'
#' A family between the exponential (`nu = 1/2`) and the Gaussian kernel (large `nu`): its
#' functions are as many times differentiable as `nu` says.
#'
#' @details
#' With \eqn{r = \|x - z\| / \sigma}:
#' \deqn{k_{1/2} = e^{-r}, \quad k_{3/2} = (1 + \sqrt 3 r) e^{-\sqrt 3 r}, \quad
#'   k_{5/2} = (1 + \sqrt 5 r + 5 r^2 / 3) e^{-\sqrt 5 r}}{
#'   k_(1/2) = exp(-r),  k_(3/2) = (1 + sqrt(3) r) exp(-sqrt(3) r),
#'   k_(5/2) = (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r)}
#'
#' # Choosing parameters
#' `nu = 3/2` is a good start for functions that are smooth but not very much so; 1/2 for
#' rough ones. `sigma` accepts the rules of [kernel_rbf()].
#'
#' @param nu Smoothness: 1/2, 3/2 or 5/2, or several.
#' @param sigma Width: a positive number, several, or a rule (`"median"`,
#'   `"mean_distance"`, `"nearest"`).
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Rasmussen, C. E. and Williams, C. K. I. (2006). *Gaussian Processes for Machine Learning*,
#' section 4.2. MIT Press.
#' @family kernels
#' @examples
#' kernel_matern(c(1/2, 3/2, 5/2), sigma = 2)
#' kernel_matrix(kernel_matern(3/2, sigma = 1), diag(2))
#' @export
kernel_matern <- function(nu = 3 / 2, sigma = "median", on = NULL, normalize = NULL, ...) {
  check_dots(...)
  nu <- check_numbers(nu, "nu", 0, open = c(TRUE, FALSE))
  odd <- !nu %in% c(0.5, 1.5, 2.5)
  if (any(odd)) stop_must("nu", "one of 1/2, 3/2 and 5/2", nu[odd][1L])
  new_kernel(
    "matern", list(nu = nu, sigma = check_width(sigma, "sigma")), on, normalize,
    width = "sigma", sparse = TRUE
  )
}

#' Rational quadratic kernel
#'
#' A mixture of Gaussian kernels of all widths around `sigma`: it falls slowly with the
#' distance, so far rows keep some similarity.
#'
#' @details
#' \deqn{k(x, z) = \Bigl(1 + \frac{\|x - z\|^2}{2 \alpha \sigma^2}\Bigr)^{-\alpha}
#'   }{k(x, z) = (1 + |x - z|^2 / (2 alpha sigma^2))^(-alpha)}
#'
#' # Choosing parameters
#' A large `alpha` gives the Gaussian kernel of the same `sigma`, a small one heavier tails.
#'
#' @param sigma Width: a positive number, several, or a rule (`"median"`,
#'   `"mean_distance"`, `"nearest"`), see [kernel_rbf()].
#' @param alpha Positive number, or several.
#' @inheritParams kernel_linear
#' @inherit kernel_matern return references
#' @family kernels
#' @examples
#' kernel_rational_quadratic(sigma = 1, alpha = c(0.5, 2))
#' kernel_matrix(kernel_rational_quadratic(1), diag(2))
#' @export
kernel_rational_quadratic <- function(sigma = "median", alpha = 1, on = NULL, normalize = NULL,
                                      ...) {
  check_dots(...)
  parameters <- list(
    sigma = check_width(sigma, "sigma"),
    alpha = check_numbers(alpha, "alpha", 0, open = c(TRUE, FALSE))
  )
  new_kernel("rational_quadratic", parameters, on, normalize, width = "sigma", sparse = TRUE)
}

#' ANOVA kernel
#'
#' A power of the sum of one-column Gaussian kernels: `degree` says how many columns may act
#' together.
#'
#' @details
#' \deqn{k(x, z) = \Bigl(\sum_k \exp(-\sigma (x_k - z_k)^2)\Bigr)^{\mathrm{degree}}
#'   }{k(x, z) = (sum_k exp(-sigma (x_k - z_k)^2))^degree}
#' Here `sigma` is an inverse squared width, as usual for this kernel.
#'
#' # Choosing parameters
#' `degree = 1` is an additive model. The diagonal is p to the power `degree` for p columns:
#' `normalize = "trace"` brings it to one.
#'
#' @param sigma Positive number, or several.
#' @param degree Whole number from 1 to 1000, or several.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Stitson, M. O., Gammerman, A., Vapnik, V., Vovk, V., Watkins, C. and Weston, J. (1999).
#' Support vector regression with ANOVA decomposition kernels. In *Advances in Kernel
#' Methods: Support Vector Learning*, 285-292. MIT Press.
#' @family kernels
#' @examples
#' kernel_anova(sigma = 1, degree = 1:2)
#' kernel_matrix(kernel_anova(1), diag(2))
#' @export
kernel_anova <- function(sigma = 1, degree = 1, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  parameters <- list(
    sigma = check_numbers(sigma, "sigma", 0, open = c(TRUE, FALSE)),
    degree = check_numbers(degree, "degree", 1, 1000, whole = TRUE)
  )
  new_kernel("anova", parameters, on, normalize)
}
