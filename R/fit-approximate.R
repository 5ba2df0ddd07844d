# Approximations of kernels by features, for many rows: what the user asks for, checked against the
# learner, the kernels and the rows, and as the core reads it.

#' Nystrom approximation: kernel methods for large data
#'
#' With `approximate = nystrom(m)`, the time of [mkl()], of the named methods, and of
#' cross-validation and tuning is linear in the number of rows: each kernel matrix is approximated
#' by its values at `m` rows, the landmarks.
#'
#' @details
#' With landmarks L the approximation of a kernel matrix K is
#' \deqn{K \approx K_{nL} K_{LL}^{+} K_{Ln} = Z Z', \qquad Z = K_{nL} W, \quad W W' = K_{LL}^{+},}{
#'   K ~ K_nL K_LL^+ K_Ln = Z Z',  Z = K_nL W,  W W' = K_LL^+,}
#' where Z has at most `m` columns. The learner is fitted to the matrices \eqn{Z Z'}{ZZ'} without
#' further approximation: the result is that of the same learner on these matrices, with the same
#' duality gap and convergence checks. The matrices are only computed if that takes less time,
#' which is the case with few rows relative to the number of landmarks and kernels. All kernels
#' use the same landmarks. The fitted model is a sum over the landmarks, so that its size and the
#' time of predictions are proportional to `m`.
#'
#' Learners that can be approximated: [learner_svm()], [learner_average()], [learner_random()],
#' [learner_best()], [learner_komd()], [learner_easymkl()], [learner_simplemkl()],
#' [learner_glmkl()], [learner_lpmkl()], [learner_silpmkl()], [learner_levelmkl()],
#' [learner_mkboost()], [learner_mhks()], [learner_multik_mhks()] and
#' [learner_svm_concatenated()]. Kernels may have all normalizers but `"center"`, and may not be
#' label-based. Base classifiers of [mkboost()] are fitted to the features of their samples. For
#' [mhks()], [multik_mhks()] and [svm_concatenated()] the features are the empirical maps: leave
#' out their own argument `landmarks`.
#'
#' With `loss = "squared"` of [learner_svm()], [learner_average()] and [learner_simplemkl()] the
#' rows are read once to compute the second moments of all features. The costs of a path, and the
#' steps over kernel weights, are then solved in time that does not depend on the number of rows;
#' only the decision values of the training rows need the features again.
#'
#' # Memory
#' The features of n rows and M kernels take up to `8 * n * m * M` bytes in double precision. If
#' this is more than `memory` of [mkl_control()], they are stored in single precision; if half of it
#' is more than `memory`, too, they are computed anew, block by block, in each pass over the rows,
#' which takes less memory and more time. All sums are in double precision. `summary()` of the fit
#' shows which of the three forms was used.
#'
#' # Choosing the landmarks
#' * `m`: start with 500; twice as many landmarks take two to four times as long. `summary()` of
#'   the fit shows for each kernel the relative error of the approximation,
#'   \deqn{\mathrm{trace}(K - Z Z') / \mathrm{trace}(K)}{trace(K - Z Z') / trace(K)} on up to
#'   4096 training rows. Narrow kernels need more landmarks than wide ones. If `m` is the number of
#'   rows the fit is exact.
#' * `landmarks`: `"uniform"` samples rows with equal probability and is the fastest. `"kmeans++"`
#'   prefers rows that are far from the previous landmarks, `"rpcholesky"` (randomly pivoted
#'   Cholesky) rows that are not well approximated by them: for the same `m` both have smaller
#'   errors, especially for data in clusters of different sizes. They are based on the sum of the
#'   kernels, and with many rows on a random subset of the rows.
#'
#' @param m Number of landmarks; larger values are more accurate and slower. Not used if
#'   `landmarks` are row numbers.
#' @param landmarks Sampling method for landmarks: `"uniform"` (default), `"kmeans++"` or
#'   `"rpcholesky"`; or the landmarks themselves, as row numbers of the training data. In
#'   resampling, rows that are not in the training part are dropped.
#' @return An object of class `mkl_approximation`, for the argument `approximate` of [mkl()].
#' @references
#' Williams, C. K. I. and Seeger, M. (2001). Using the Nyström method to speed up kernel machines.
#' *Advances in Neural Information Processing Systems* 13, 682-688.
#'
#' Arthur, D. and Vassilvitskii, S. (2007). k-means++: the advantages of careful seeding.
#' *Proceedings of the 18th Annual ACM-SIAM Symposium on Discrete Algorithms*, 1027-1035.
#'
#' Oglic, D. and Gärtner, T. (2017). Nyström method with kernel k-means++ samples as landmarks.
#' *Proceedings of the 34th International Conference on Machine Learning*, 2652-2660.
#'
#' Chen, Y., Epperly, E. N., Tropp, J. A. and Webber, R. J. (2025). Randomly pivoted Cholesky:
#' practical approximation of a kernel matrix with few entry evaluations. *Communications on Pure
#' and Applied Mathematics* 78, 995-1041.
#' @family fitting functions
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(4000), 2000)
#' y <- factor(x[, 1]^2 + x[, 2]^2 > 1.4)
#' fit <- mkl(x, y, learner = learner_svm(cost = 10), approximate = nystrom(50))
#' fit
#' mean(predict(fit, x) == y)
#'
#' simplemkl(x, y, kernels = kernel_rbf(c(0.5, 1, 2)), approximate = nystrom(30, "rpcholesky"))
#' @export
nystrom <- function(m, landmarks = c("uniform", "kmeans++", "rpcholesky")) {
  if (is.numeric(landmarks)) {
    rows <- check_numbers(landmarks, "landmarks", 1, whole = TRUE)
    twice <- rows[duplicated(rows)]
    if (length(rows) == 0L) stop_must("landmarks", "at least one row", landmarks)
    if (length(twice)) {
      stop_mkl("argument_error", "landmarks", "`landmarks` has row ", twice[1L], " more than once.")
    }
    if (!missing(m) && !(is_number(m) && isTRUE(m == length(rows)))) {
      stop_mkl(
        "argument_error", "m", "`m` is ", describe(m), ", but `landmarks` has ",
        plural(length(rows), "row"), ". Leave out `m`."
      )
    }
    return(new_approximation(as.double(length(rows)), "rows", as.integer(rows)))
  }
  if (missing(m)) stop_mkl("argument_error", "m", "nystrom() needs `m`, the number of landmarks.")
  new_approximation(
    as.double(check_number(m, "m", 1, whole = TRUE)),
    check_choice(landmarks, "landmarks", c("uniform", "kmeans++", "rpcholesky")), NULL
  )
}

new_approximation <- function(m, landmarks, rows) {
  structure(
    class = c("mkl_nystrom", "mkl_approximation"),
    list(method = "nystrom", m = m, landmarks = landmarks, rows = rows)
  )
}

#' Random Fourier features for large data
#'
#' With `approximate = random_features(count)`, the time of [mkl()], of the named methods, and of
#' cross-validation and tuning is linear in the number of rows: each kernel is approximated by the
#' inner product of `count` random features, which do not depend on the training data.
#'
#' @details
#' A kernel that depends on the difference of two rows is a mean of cosines (Bochner's theorem),
#' \deqn{k(x, z) = E \cos(w'(x - z)) \approx z(x)'z(z), \qquad
#'   z(x) = h^{-1/2} (\cos w_1'x, \ldots, \cos w_h'x, \sin w_1'x, \ldots, \sin w_h'x),}{
#'   k(x, z) = E cos(w'(x - z)) ~ z(x)'z(z),
#'   z(x) = (cos w_1'x, ..., cos w_h'x, sin w_1'x, ..., sin w_h'x) / sqrt(h),}
#' with `count` = 2 h features for h frequencies w from the spectral density of the kernel. The
#' approximation is unbiased, exact for \eqn{k(x, x)}{k(x, x)}, and its error is proportional to
#' \eqn{1 / \sqrt{count}}{1 / sqrt(count)}. The learner is fitted to the matrices \eqn{Z Z'}{Z Z'}
#' of all training rows without further approximation, as with [nystrom()]. The fitted model
#' consists of a coefficient for each feature and the seed of the frequencies: it contains no
#' training rows.
#'
#' | kernel | distribution of the frequencies |
#' |---|---|
#' | [kernel_rbf()] | normal, variance 2 gamma |
#' | [kernel_laplacian()] | independent Cauchy in each column, scale 1 / sigma |
#' | [kernel_matern()] | multivariate t, 2 nu degrees of freedom, scale 1 / sigma |
#' | [kernel_cauchy()] | normal, variance 2 e / sigma^2 with an exponential e |
#' | [kernel_rational_quadratic()] | normal, variance g / (alpha sigma^2), g gamma of shape alpha |
#' | [kernel_linear()] | none: the features are the columns, without error |
#'
#' Products of the kernels with frequencies are also supported. All other kernels raise an error;
#' use [nystrom()] for these. The default kernels of learners of kernel weights include polynomial
#' kernels: specify `kernels` for these learners. Frequencies of kernels of Euclidean distances
#' are orthogonal in blocks (Yu et al. 2016), which reduces the error at the same cost.
#'
#' The features of n rows and M kernels take `8 * n * count * M` bytes in double precision. Beyond
#' `memory` of [mkl_control()] they are stored in single precision or computed anew in each pass,
#' see the section Memory of [nystrom()]. The learners are those of [nystrom()]. Kernels may have
#' all normalizers but `"center"`, and may not be label-based. As there are no training rows in the
#' model, `support()` is empty and [explain_case()] shows no training cases.
#'
#' # Choosing the number of features
#' * Prefer [nystrom()] if accuracy is important: its landmarks depend on the data. On ijcnn1
#'   (49,990 rows, Gaussian kernel) the test error with 500, 1000 and 2000 random features is
#'   .051, .039 and .032, with as many landmarks .019, .017 and .014.
#' * Random features are for models that must not contain training rows, or must be small (one
#'   coefficient for each feature). On the same data their fits took 0.6 to 1 times as long as
#'   those with as many landmarks.
#' * Start with 1000 and double the number until the cross-validated error no longer decreases;
#'   doubling takes two to four times as long. `summary()` of the fit shows for each kernel the
#'   relative error of the approximation on up to 256 training rows,
#'   \deqn{\|K - Z Z'\|_F / \|K\|_F}{||K - ZZ'|| / ||K|| (Frobenius norms),}
#'   which is different from the measure of [nystrom()].
#'
#' @param count Number of random features of each kernel except linear kernels; larger values are
#'   more accurate and slower. Odd numbers are rounded up, because features come in pairs.
#' @return An object of class `mkl_approximation`, for the argument `approximate` of [mkl()].
#' @references
#' Rahimi, A. and Recht, B. (2007). Random features for large-scale kernel machines. *Advances in
#' Neural Information Processing Systems* 20, 1177-1184.
#'
#' Sutherland, D. J. and Schneider, J. (2015). On the error of random Fourier features. *Proceedings
#' of the 31st Conference on Uncertainty in Artificial Intelligence*, 862-871.
#'
#' Yu, F. X., Suresh, A. T., Choromanski, K., Holtmann-Rice, D. and Kumar, S. (2016). Orthogonal
#' random features. *Advances in Neural Information Processing Systems* 29, 1975-1983.
#' @family fitting functions
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(4000), 2000)
#' y <- factor(x[, 1]^2 + x[, 2]^2 > 1.4)
#' fit <- mkl(x, y, learner = learner_svm(cost = 10), approximate = random_features(200))
#' fit
#' mean(predict(fit, x) == y)
#'
#' simplemkl(x, y, kernels = kernel_rbf(c(0.5, 1, 2)), approximate = random_features(100))
#' @export
random_features <- function(count) {
  if (missing(count)) {
    stop_mkl(
      "argument_error", "count", "random_features() needs `count`, the number of features of a ",
      "kernel."
    )
  }
  structure(
    class = c("mkl_random_features", "mkl_approximation"),
    list(
      method = "random_features", count = as.double(check_number(count, "count", 1, whole = TRUE))
    )
  )
}

#' @export
format.mkl_random_features <- function(x, ...) {
  paste0("random_features(", format_number(x$count, 15L), ")")
}

#' @export
format.mkl_nystrom <- function(x, ...) {
  if (x$landmarks == "rows") return(paste0("nystrom(landmarks = <", plural(x$m, "row"), ">)"))
  paste0("nystrom(", format_number(x$m, 15L), ", landmarks = \"", x$landmarks, "\")")
}

#' @export
print.mkl_approximation <- function(x, ...) {
  cat("<mkl_approximation> ", format(x), "\n", sep = "")
  invisible(x)
}

check_approximation <- function(approximate) {
  if (is.null(approximate)) return(NULL)
  check_class(
    approximate, "approximate", "mkl_approximation", "made by nystrom() or random_features()"
  )
}

# Whether learner and kernels have an approximate form.
check_approximable <- function(approximate, learner, items) {
  if (is.null(approximate)) return(invisible())
  if (!isTRUE(learner$approximate)) {
    able <- Filter(function(name) isTRUE(check_learner(name)$approximate), learner_names())
    stop_mkl(
      "argument_error", "approximate", constructor_name(learner), "() cannot be approximated. ",
      "Leave out `approximate`, or use one of ", list_some(paste0("learner_", able, "()"), 20L), "."
    )
  }
  for (name in c("landmarks", if (learner$name == "svm_concatenated") "rank")) {
    if (is.null(learner$parameters[[name]])) next
    stop_mkl(
      "argument_error", name, constructor_name(learner), "(", name, " = ) is an approximation of ",
      "its own. Leave out `", name, "` or `approximate`."
    )
  }
  for (item in items) {
    if (!is.null(item$beta)) {
      stop_mkl(
        "argument_error", "approximate", "Kernel `", item$name,
        "` is label-based, which has no approximate form. Leave out `approximate` or `beta`."
      )
    }
    if ("center" %in% item$normalize) {
      stop_mkl(
        "argument_error", "approximate", "Kernel `", item$name, "` is normalised by \"center\", ",
        "which looks at all pairs of rows. With `approximate` use \"none\", \"trace\", ",
        "\"unit_trace\" or \"cosine\"."
      )
    }
  }
}

# For the core. `rows`: positions of the training rows among the `n_input` rows of the user.
core_approximation <- function(approximate, rows, n_input) {
  if (is.null(approximate)) return(NULL)
  if (approximate$method == "random_features") {
    return(list(method = approximate$method, count = approximate$count))
  }
  if (approximate$landmarks == "rows") {
    if (max(approximate$rows) > n_input) {
      stop_must(
        "landmarks", paste("row numbers up to", n_input), max(approximate$rows)
      )
    }
    places <- which(rows %in% approximate$rows)
    if (length(places) == 0L) {
      stop_mkl("argument_error", "landmarks", "None of `landmarks` is a training row.")
    }
    return(list(method = "nystrom", rows = places))
  }
  if (approximate$m > length(rows)) {
    stop_must("m", paste("at most the number of training rows,", length(rows)), approximate$m)
  }
  list(method = "nystrom", landmarks = approximate$landmarks, count = approximate$m)
}

# What a fit keeps of its approximation.
fitted_approximation <- function(approximate, result, items) {
  if (is.null(approximate)) return(NULL)
  approximate$rows <- NULL
  c(unclass(approximate), list(
    error = stats::setNames(result$approximation_error, item_names(items)),
    form = result$approximation_form
  ))
}

describe_form <- function(form) {
  switch(form,
    double = "stored in double precision", single = "stored in single precision",
    anew = "computed anew in each pass"
  )
}

describe_approximation <- function(x) {
  known <- x$approximation
  error <- range(known$error)
  shown <- unique(c(format_number(100 * error[1L], 3L), format_number(100 * error[2L], 3L)))
  shown <- paste(shown, collapse = " to ")
  if (known$method == "random_features") {
    return(paste0(
      "random features, ", format_number(known$count, 15L), " for each kernel; relative error of ",
      "the kernel matrices ", shown, " %"
    ))
  }
  paste0(
    "Nystrom, ", plural(length(x$kept), "landmark"), " (", known$landmarks, "); ",
    shown, " % of the trace left out"
  )
}
