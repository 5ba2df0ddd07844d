# Tests of two learners on one data set, from their scores on the same resamples.

#' @rdname stat-tests
#' @order 2
#' @export
test_5x2cv_f <- function(x, y = NULL, ...) {
  check_dots(...)
  name <- data_label(substitute(x), substitute(y))
  p <- five_by_two(x, y)
  value <- ratio_of(sum(p^2), 2 * sum(fold_variance(p)))
  new_htest(
    "5x2cv combined F test", name,
    statistic = c(F = value), parameter = c("num df" = 10, "denom df" = 5),
    p_value = stats::pf(value, 10, 5, lower.tail = FALSE),
    estimate = c("mean difference" = mean(p)), alternative = "two.sided"
  )
}

#' @rdname stat-tests
#' @order 2
#' @export
test_5x2cv_t <- function(x, y = NULL, alternative = c("two.sided", "less", "greater"), ...) {
  check_dots(...)
  name <- data_label(substitute(x), substitute(y))
  alternative <- check_alternative(alternative)
  p <- five_by_two(x, y)
  value <- ratio_of(p[1L, 1L], sqrt(mean(fold_variance(p))))
  t_result("5x2cv paired t test", name, value, 5, mean(p), alternative)
}

#' @rdname stat-tests
#' @order 2
#' @export
test_corrected_t <- function(x, y = NULL, ratio, alternative = c("two.sided", "less", "greater"),
                             ...) {
  check_dots(...)
  name <- data_label(substitute(x), substitute(y))
  alternative <- check_alternative(alternative)
  if (missing(ratio)) {
    stop_mkl(
      "argument_error", "ratio", "`ratio` is missing. Give the number of test rows for each ",
      "training row, for instance 1 / 9 for ten folds."
    )
  }
  ratio <- check_number(ratio, "ratio", 0)
  p <- differences(x, y, least = 2L)
  k <- length(p)
  value <- ratio_of(mean(p), sqrt((1 / k + ratio) * spread(p)))
  out <- t_result("Corrected resampled t test", name, value, k - 1, mean(p), alternative)
  out$ratio <- ratio
  out
}

#' @rdname stat-tests
#' @order 2
#' @export
test_paired_t <- function(x, y = NULL, alternative = c("two.sided", "less", "greater"),
                          paired = TRUE, ...) {
  check_dots(...)
  name <- data_label(substitute(x), substitute(y))
  alternative <- check_alternative(alternative)
  if (!check_flag(paired, "paired")) return(pooled_t(x, y, name, alternative))
  p <- differences(x, y, least = 2L)
  k <- length(p)
  value <- ratio_of(mean(p), sqrt(spread(p) / k))
  t_result("Paired t test", name, value, k - 1, mean(p), alternative)
}

# Student's test of two samples, as in Table 2 of Wang, Chen and Sun (2008).
pooled_t <- function(x, y, name, alternative) {
  x <- check_scores(x, "x", least = 2L)
  y <- check_scores(y, "y", least = 2L)
  free <- length(x) + length(y) - 2
  pooled <- ((length(x) - 1) * spread(x) + (length(y) - 1) * spread(y)) / free
  difference <- mean(x) - mean(y)
  value <- ratio_of(difference, sqrt(pooled * (1 / length(x) + 1 / length(y))))
  t_result("Two sample t test", name, value, free, difference, alternative)
}

# The ten differences as a matrix of repetitions x folds.
five_by_two <- function(x, y) {
  for (argument in c("x", if (!is.null(y)) "y")) {
    value <- get(argument)
    good <- if (is.matrix(value) || is.data.frame(value)) {
      identical(as.vector(dim(value)), c(5L, 2L))
    } else {
      length(value) == 10L
    }
    if (!good) stop_must(argument, "a matrix of 5 repetitions x 2 folds or ten numbers", value)
  }
  by_row <- function(value) if (length(dim(value)) == 2L) as.vector(t(as.matrix(value))) else value
  matrix(differences(by_row(x), if (!is.null(y)) by_row(y), 10L), 5L, byrow = TRUE)
}

# (p1 - mean)^2 + (p2 - mean)^2 = (p1 - p2)^2 / 2.
fold_variance <- function(p) rounded_zero((p[, 1L] - p[, 2L])^2 / 2, p)

spread <- function(p) rounded_zero(stats::var(p), p)

# A variance that is nothing but rounding, next to the numbers it was computed from.
rounded_zero <- function(variance, p) {
  variance[variance < (16 * .Machine$double.eps * max(abs(p)))^2] <- 0
  variance
}

t_result <- function(method, name, value, free, difference, alternative) {
  p_value <- switch(alternative,
    two.sided = 2 * stats::pt(-abs(value), free), less = stats::pt(value, free),
    greater = stats::pt(value, free, lower.tail = FALSE)
  )
  new_htest(
    method, name, statistic = c(t = value), parameter = c(df = free), p_value = p_value,
    estimate = c("mean difference" = difference), alternative = alternative
  )
}
