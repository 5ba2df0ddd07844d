# Kernels of the distance between two rows.

#' Gaussian (radial basis function) kernel
#'
#' Similarity that decreases with the squared Euclidean distance of two rows. With several widths
#' in one set, a multiple kernel learner selects the appropriate scales.
#'
#' @details
#' \deqn{k(x, z) = \exp\Bigl(-\frac{\|x - z\|^2}{2 \sigma^2}\Bigr)
#'   = \exp(-\gamma \|x - z\|^2)}{k(x, z) = exp(-|x - z|^2 / (2 sigma^2)) = exp(-gamma |x - z|^2)}
#' Specify `sigma` or `gamma`, not both.
#'
#' # Choosing parameters
#' On p z-scored columns the squared distance of a typical pair is 2p, so that `sigma = sqrt(p)`,
#' the default of [mkl()], gives such a pair the similarity exp(-1). The following rules estimate
#' the width from the training rows; it is stored in the fit:
#' * `"median"`: the median distance of two different rows (of 2000 evenly spaced ones, if
#'   there are more);
#' * `"mean_distance"`: the mean of the distances of all n x n pairs of rows, that of a row to
#'   itself included;
#' * `"nearest"`: \eqn{s / \sqrt 2}{s / sqrt(2)} with \eqn{s} the mean distance of a row to its
#'   nearest neighbor, so that the kernel is \eqn{\exp(-\|x - z\|^2 / s^2)}{exp(-|x - z|^2 /
#'   s^2)}, a narrow kernel.
#'
#' Kernels whose widths differ by powers of two, such as `2^(-6:7)`, are computed together in much
#' less time than separately.
#'
#' @param sigma Width of the kernel; larger values give smoother functions: a positive number,
#'   several (one kernel each), or a rule (see below). Not used if `gamma` is given.
#' @param gamma Inverse squared width, \eqn{1 / (2 \sigma^2)}{1 / (2 sigma^2)}: a positive number
#'   or several.
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
#' Similarity that decreases with the city-block distance of two rows. It is less smooth than the
#' Gaussian kernel and less sensitive to outlying values.
#'
#' @details
#' \deqn{k(x, z) = \exp\Bigl(-\frac{\|x - z\|_1}{\sigma}\Bigr)}{k(x, z) = exp(-|x - z|_1 / sigma)}
#'
#' # Choosing parameters
#' On p z-scored columns the city-block distance of a typical pair is about 1.1 p, so values of
#' `sigma` between p / 4 and 4 p are reasonable.
#'
#' @param sigma Width of the kernel; larger values give smoother functions: a positive number, or
#'   several (one kernel each).
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
#' A family between the exponential kernel (`nu = 1/2`) and the Gaussian kernel (large `nu`); `nu`
#' determines the differentiability of the functions.
#'
#' @details
#' With \eqn{r = \|x - z\| / \sigma}:
#' \deqn{k_{1/2} = e^{-r}, \quad k_{3/2} = (1 + \sqrt 3 r) e^{-\sqrt 3 r}, \quad
#'   k_{5/2} = (1 + \sqrt 5 r + 5 r^2 / 3) e^{-\sqrt 5 r}}{
#'   k_(1/2) = exp(-r),  k_(3/2) = (1 + sqrt(3) r) exp(-sqrt(3) r),
#'   k_(5/2) = (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r)}
#'
#' # Choosing parameters
#' Start with `nu = 3/2` for moderately smooth functions and 1/2 for rough functions. `sigma`
#' accepts the rules of [kernel_rbf()].
#'
#' @param nu Smoothness of the functions: 1/2, 3/2 or 5/2, or several (one kernel each).
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
#' A mixture of Gaussian kernels of different widths around `sigma`. It decreases slowly with the
#' distance, so that distant rows keep some similarity.
#'
#' @details
#' \deqn{k(x, z) = \Bigl(1 + \frac{\|x - z\|^2}{2 \alpha \sigma^2}\Bigr)^{-\alpha}
#'   }{k(x, z) = (1 + |x - z|^2 / (2 alpha sigma^2))^(-alpha)}
#'
#' # Choosing parameters
#' Large values of `alpha` approach the Gaussian kernel with the same `sigma`, small values give
#' heavier tails.
#'
#' @param sigma Width of the kernel; larger values give smoother functions: a positive number,
#'   several, or a rule (`"median"`, `"mean_distance"`, `"nearest"`), see [kernel_rbf()].
#' @param alpha Shape of the tails: a positive number, or several; smaller values give heavier
#'   tails.
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
#' A power of the sum of Gaussian kernels on single columns; `degree` is the order of interactions
#' between columns.
#'
#' @details
#' \deqn{k(x, z) = \Bigl(\sum_k \exp(-\sigma (x_k - z_k)^2)\Bigr)^{\mathrm{degree}}
#'   }{k(x, z) = (sum_k exp(-sigma (x_k - z_k)^2))^degree}
#' As usual for this kernel, `sigma` is an inverse squared width.
#'
#' # Choosing parameters
#' `degree = 1` is an additive model. The diagonal is p to the power `degree` for p columns:
#' `normalize = "trace"` scales it to one.
#'
#' @param sigma Inverse squared width: a positive number, or several; larger values give less
#'   smooth functions.
#' @param degree Order of interactions between columns: a whole number from 1 to 1000, or several.
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
