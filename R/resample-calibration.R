#' Calibration of predicted probabilities: reliability curve, expected calibration error
#'
#' Compares predicted probabilities with observed frequencies: a reliability curve in bins with
#' confidence intervals, the expected calibration error, and slope and intercept of a logistic
#' recalibration.
#'
#' @details
#' For two classes p is the probability of the positive class, the second level; with several
#' classes each class is compared with the rest.
#' * The bins contain the mean of p, the observed share of the class with its Wilson interval, and
#'   the number of rows.
#' * Expected calibration error: \deqn{\sum_b \frac{n_b}{n} |\bar y_b - \bar p_b|}{sum_b n_b / n
#'   |ybar_b - pbar_b|} over the bins b with mean outcome \eqn{\bar y_b}{ybar_b}.
#' * Logistic recalibration (Cox 1958): a and b of
#'   \deqn{\mathrm{logit}\, P(y = 1) = a + b\, \mathrm{logit}(p).}{logit P(y = 1) = a + b logit(p).}
#'   Perfect calibration has a = 0 and b = 1; b < 1 means that the probabilities are too extreme,
#'   b > 1 that they are too close to each other. Probabilities are clipped at a distance of
#'   \eqn{10^{-8}}{1e-8} from 0 and 1. If the probabilities separate the classes perfectly the
#'   logistic fit does not exist, and a and b are `NA`.
#'
#' With repeated cross-validation all predictions of a case are used, but the width of the
#' intervals is that of one repeat.
#'
#' # Choosing the bins
#' `"quantile"` gives bins with equal numbers of rows, which is suitable if many probabilities are
#' near 0 or 1; `"equal"` gives bins of equal width. The calibration error depends on the number
#' of bins and is biased upward with few rows in each: use five bins for fewer than 200 rows.
#'
#' @param object A result of [cv_mkl()] with `keep = "predictions"` and `probability = TRUE`, of
#'   [tune_mkl()] with `predictions = TRUE` and `probability = TRUE` (its outer splits, or else its
#'   best point), or a fit of [mkl()] with probabilities.
#' @param bins Number of bins.
#' @param breaks How bins are formed: `"quantile"` or `"equal"`.
#' @param level Confidence level of the intervals.
#' @param newdata,y Test cases and their classes, if `object` is a fit; see [performance()].
#' @param ... Not used; misspelled arguments raise an error. For results of [tune_mkl()]: the
#'   arguments of the method for cross-validation results.
#' @return An object of class `mkl_calibration`, a list with the data frames
#'   * `bins`: `class`, `from` and `to` (of the bin), `n`, `predicted` (the mean probability),
#'     `observed`, `lower`, `upper`;
#'   * `summary`: `class`, `n`, `ece` (the expected calibration error), `intercept`, `slope`, `note`
#'     (why these are `NA`);
#'
#'   and `level`. [`plot()`][plot-measures] and [`autoplot()`][plot-measures] plot the curve.
#' @references
#' Cox, D. R. (1958). Two further applications of a model for binary regression. *Biometrika* 45,
#' 562-565.
#'
#' Naeini, M. P., Cooper, G. F. and Hauskrecht, M. (2015). Obtaining well calibrated probabilities
#' using Bayesian binning. In *Proceedings of the 29th AAAI Conference on Artificial Intelligence*,
#' 2901-2907.
#'
#' Van Calster, B., McLernon, D. J., van Smeden, M., Wynants, L. and Steyerberg, E. W. (2019).
#' Calibration: the Achilles heel of predictive analytics. *BMC Medicine* 17, 230.
#' @family resampling
#' @examples
#' two <- droplevels(iris[51:150, c("Sepal.Length", "Sepal.Width", "Species")])
#' set.seed(1)
#' cv <- cv_mkl(Species ~ ., two, folds = 5, keep = "predictions", probability = TRUE)
#' calibration(cv, bins = 5)
#' plot(calibration(cv, bins = 5))
#' @export
calibration <- function(object, ...) UseMethod("calibration")

# caret has a generic of this name, which may be the one that is seen.

#' @rdname calibration
#' @export
#' @rawNamespace S3method(caret::calibration, mkl_cv)
calibration.mkl_cv <- function(object, bins = 10, breaks = c("quantile", "equal"), level = 0.95,
                               ...) {
  check_dots(...)
  check_kept(object$predictions, "cv_mkl()")
  check_has_classes(object$task)
  table <- object$predictions
  repeats <- length(unique(object$results[["repeat"]]))
  part <- list(truth = table$truth, prediction = table_pieces(table, object$task))
  calibration_of(part, bins, breaks, level, repeats)
}

#' @rdname calibration
#' @export
#' @rawNamespace S3method(caret::calibration, mkl_tune)
calibration.mkl_tune <- function(object, ...) calibration(tuned_cv(object, TRUE), ...)

#' @rdname calibration
#' @export
#' @rawNamespace S3method(caret::calibration, mkl)
calibration.mkl <- function(object, newdata, y = NULL, bins = 10, breaks = c("quantile", "equal"),
                            level = 0.95, ...) {
  object <- check_fit(object)
  check_dots(...)
  check_has_classes(object$task)
  needs <- if (object$probability) "prob"
  calibration_of(test_part(object, newdata, y, needs), bins, breaks, level, 1L)
}

#' @export
calibration.default <- function(object, ...) stop_no_source(object)

calibration_of <- function(part, bins, breaks, level, repeats) {
  bins <- check_number(bins, "bins", 1, whole = TRUE)
  breaks <- check_choice(breaks, "breaks", c("quantile", "equal"))
  level <- check_level(level)
  if (is.null(part$prediction$prob)) stop_no_probabilities()
  known <- known_rows(known_metrics()$brier, part, "class")
  if (length(known$truth) == 0L) stop_no_rows()
  classes <- levels(droplevels(known$truth))
  if (length(known$classes) == 2L) classes <- known$classes[2L]
  classes <- intersect(classes, colnames(known$estimate))
  tables <- lapply(classes, function(class) {
    p <- known$estimate[, class]
    y <- as.double(known$truth == class)
    list(
      bins = data.frame(class = class, bin_table(p, y, bins, breaks, level, repeats)),
      summary = data.frame(class = class, n = length(p), recalibration(p, y))
    )
  })
  out <- lapply(c(bins = "bins", summary = "summary"), function(name) {
    do.call(rbind, lapply(tables, function(one) one[[name]]))
  })
  share <- out$bins$n / stats::ave(out$bins$n, out$bins$class, FUN = sum)
  error <- tapply(share * abs(out$bins$observed - out$bins$predicted), out$bins$class, sum)
  out$summary$ece <- as.vector(error[out$summary$class])
  out$summary <- out$summary[c("class", "n", "ece", "intercept", "slope", "note")]
  structure(c(out, level = level), class = "mkl_calibration")
}

bin_table <- function(p, y, bins, breaks, level, repeats) {
  share <- seq(0, 1, length.out = bins + 1)
  edges <- if (breaks == "equal") share else unique(stats::quantile(p, share, names = FALSE))
  if (length(edges) == 1L) edges <- c(edges, edges) # a single probability
  bin <- findInterval(p, edges, rightmost.closed = TRUE, all.inside = TRUE)
  used <- sort(unique(bin))
  n <- tabulate(bin, length(edges))[used]
  hits <- vapply(used, function(b) sum(y[bin == b]), 0)
  data.frame(
    from = edges[used], to = edges[used + 1L], n = n,
    predicted = vapply(used, function(b) mean(p[bin == b]), 0), observed = hits / n,
    wilson_interval(hits / repeats, n / repeats, level)
  )
}

# Intercept and slope of the logistic regression on the logit of p.
recalibration <- function(p, y) {
  lost <- function(note) data.frame(intercept = NA_real_, slope = NA_real_, note = note)
  if (length(unique(y)) < 2L) return(lost("the rows have one class"))
  logit <- stats::qlogis(pmin(pmax(p, 1e-8), 1 - 1e-8))
  if (length(unique(logit)) < 2L) return(lost("all probabilities are equal"))
  separated <- max(logit[y == 0]) <= min(logit[y == 1]) ||
    max(logit[y == 1]) <= min(logit[y == 0])
  if (separated) return(lost("the probabilities separate the classes"))
  # Single rows may have fitted probabilities that are numerically 0 or 1, which does no harm.
  fit <- suppressWarnings(
    stats::glm.fit(cbind(1, logit), y, family = stats::binomial())
  )
  if (!fit$converged) return(lost("the logistic regression did not converge"))
  data.frame(
    intercept = fit$coefficients[[1L]], slope = fit$coefficients[[2L]], note = NA_character_
  )
}

#' @export
print.mkl_calibration <- function(x, digits = 4, ...) {
  cat("<mkl_calibration> ", plural(nrow(x$bins), "bin"), ", ",
      plural(x$summary$n[1L], "prediction"), "\n", sep = "")
  shown <- x$summary
  if (all(is.na(shown$note))) shown$note <- NULL
  print(format_numbers(shown, digits), row.names = FALSE)
  invisible(x)
}
