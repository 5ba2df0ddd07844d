# The help page of all tests of whether learners differ, and what they share. Each takes plain
# numbers and returns an object of class `htest`: R/compare-tests-resamples.R has those on one data
# set, R/compare-tests-datasets.R those over data sets.

#' Statistical tests for the comparison of learners (5x2cv, corrected t, Wilcoxon, Friedman)
#'
#' @description
#' Tests of the hypothesis that learners perform equally well. Tests on one data set use the
#' scores of two learners on the same resamples; tests over data sets use one score of each
#' learner for each data set. All return an object of class `htest`, like [stats::t.test()].
#'
#' @details
#' Let \eqn{p_i = x_i - y_i} be the difference of two learners on the same resample.
#'
#' # On one data set
#' * **`test_5x2cv_f()`** uses the ten differences \eqn{p_{ij}} of five repetitions of two-fold
#'   cross-validation, with mean \eqn{\bar p_i}{pbar_i} and variance \eqn{s_i^2 = (p_{i1} - \bar
#'   p_i)^2 + (p_{i2} - \bar p_i)^2}{s_i^2 = (p_i1 - pbar_i)^2 + (p_i2 - pbar_i)^2} of repetition
#'   \eqn{i}:
#'   \deqn{f = \frac{\sum_i \sum_j p_{ij}^2}{2 \sum_i s_i^2} \sim F_{10, 5}}{
#'     f = sum_i sum_j p_ij^2 / (2 sum_i s_i^2) ~ F(10, 5)}
#'   (Alpaydin 1999).
#' * **`test_5x2cv_t()`** uses only the first difference in the numerator,
#'   \deqn{t = \frac{p_{11}}{\sqrt{\frac15 \sum_i s_i^2}} \sim t_5}{
#'     t = p_11 / sqrt(sum_i s_i^2 / 5) ~ t(5)} (Dietterich 1998). It depends on
#'   the order of the folds; the F test does not and is preferable.
#' * **`test_corrected_t()`** is for random splits and repeated cross-validation, where training
#'   sets overlap. With \eqn{k} resamples of \eqn{n_1} training and \eqn{n_2} test rows,
#'   \deqn{t = \frac{\bar p}{\sqrt{(\frac1k + \frac{n_2}{n_1}) \hat\sigma_p^2}} \sim t_{k - 1}}{
#'     t = pbar / sqrt((1 / k + n2 / n1) s^2) ~ t(k - 1)}
#'   (Nadeau and Bengio 2003). `ratio` is \eqn{n_2 / n_1}: 1/9 for ten folds, 1/2 if two thirds of
#'   the rows are used for training.
#' * **`test_paired_t()`** is the usual paired t test. It treats the resamples as independent,
#'   which they are not, so that its type I error is too large; it is included because it is often
#'   reported. With `paired = FALSE` it is the two-sample test with a common variance.
#'
#' # Over data sets
#' * **`test_wilcoxon()`** ranks the absolute differences over data sets and sums the ranks of the
#'   positive ones. The distribution is exact, also with ties, for up to 200 data sets, and normal
#'   for more. Differences of zero are dropped, or (`zeros = "split"`, as in Demsar 2006) their
#'   ranks are divided evenly between both signs.
#' * **`test_friedman()`** tests for any difference between \eqn{k} learners on \eqn{N} data sets,
#'   based on their mean ranks \eqn{R_j}:
#'   \deqn{\chi_F^2 = \frac{12 N}{k (k + 1)} \sum_j \Bigl( R_j - \frac{k + 1}{2} \Bigr)^2 \quad
#'   \mathrm{and} \quad F_F = \frac{(N - 1) \chi_F^2}{N (k - 1) - \chi_F^2},}{
#'     chi2 = 12 N / (k (k + 1)) sum_j (R_j - (k + 1) / 2)^2
#'     and  F = (N - 1) chi2 / (N (k - 1) - chi2),}
#'   the first corrected for ties, the second less conservative (Iman and Davenport 1980).
#'   [critical_difference()] computes the difference of mean ranks that is significant.
#'
#' # Choosing a test
#' Two learners on one data set: [resample_5x2()] and `test_5x2cv_f()`; for results of ten-fold
#' cross-validation or random splits `test_corrected_t()`. Two learners over many data sets:
#' `test_wilcoxon()`. More learners over many data sets: `test_friedman()` first and then
#' [critical_difference()]. [compare_learners()] applies any of them to a benchmark.
#'
#' @param x,y Scores of two learners, in the same order. `y` can be missing if `x` contains the
#'   differences. For the 5x2cv tests: a matrix of 5 repetitions x 2 folds, or the ten values
#'   repetition by repetition. For `test_friedman()`: `x` is a matrix or data frame with a row for
#'   each data set and a column for each learner.
#' @param ratio Ratio of the sizes of the test and training sets.
#' @param alternative Alternative hypothesis: `"two.sided"`, `"less"` (`x` is smaller than `y`) or
#'   `"greater"`.
#' @param paired `FALSE` for two independent samples.
#' @param zeros How differences of zero are treated: `"drop"` or `"split"`.
#' @param statistic Test statistic: `"chisq"` or `"F"`.
#' @param larger `TRUE` if higher scores are better and get the lower ranks.
#' @param ... Not used; misspelled arguments raise an error.
#' @return An object of class `htest`. The p-value is 1 if there is no difference between two
#'   learners; if all differences are the same, a t or F statistic is infinite and its p-value 0.
#' @references
#' Alpaydin, E. (1999). Combined 5 x 2 cv F test for comparing supervised classification learning
#' algorithms. *Neural Computation* 11, 1885-1892.
#'
#' Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. *Journal of
#' Machine Learning Research* 7, 1-30.
#'
#' Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification
#' learning algorithms. *Neural Computation* 10, 1895-1923.
#'
#' Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical region of the Friedman
#' statistic. *Communications in Statistics* 9, 571-595.
#'
#' Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281.
#' @family comparisons
#' @name stat-tests
#' @order 1
#' @examples
#' # errors of two learners in five repetitions of two folds
#' a <- matrix(c(12, 10, 14, 11, 13, 9, 12, 12, 10, 13), 5, byrow = TRUE) / 100
#' b <- matrix(c(15, 14, 15, 15, 17, 12, 16, 13, 15, 15), 5, byrow = TRUE) / 100
#' test_5x2cv_f(a, b)
#' test_5x2cv_t(a, b)
#'
#' # ten folds
#' test_corrected_t(a, b, ratio = 1 / 9)
#'
#' # accuracies on eight data sets
#' x <- cbind(
#'   one = c(.81, .95, .99, .74, .88, .92, .67, .79),
#'   two = c(.79, .94, .98, .75, .85, .90, .66, .75),
#'   three = c(.80, .91, .97, .71, .86, .89, .60, .77)
#' )
#' test_wilcoxon(x[, "one"], x[, "two"])
#' test_friedman(x)
NULL

check_alternative <- function(x) {
  check_choice(x, "alternative", c("two.sided", "less", "greater"))
}

check_scores <- function(x, argument, least = 1L) {
  if (is.data.frame(x)) x <- as.matrix(x)
  if (!is.numeric(x) || is.object(x) || length(x) < least) {
    stop_must(argument, paste("a numeric vector of", plural(least, "value"), "or more"), x)
  }
  if (any(!is.finite(x))) {
    stop_mkl(
      "argument_error", argument, "`", argument, "` must be finite, but element ",
      which(!is.finite(x))[1L], " is ", format_number(x[!is.finite(x)][1L]), "."
    )
  }
  x
}

differences <- function(x, y, least = 1L) {
  x <- check_scores(x, "x", least)
  if (is.null(y)) return(as.double(x))
  y <- check_scores(y, "y", least)
  if (length(x) != length(y)) {
    stop_mkl(
      "argument_error", "y", "`x` and `y` must have the same length, not ", length(x), " and ",
      length(y), "."
    )
  }
  as.double(x) - as.double(y)
}

# 0 / 0 is no difference at all: the statistic is 0 and the p-value 1.
ratio_of <- function(a, b) if (a == 0) 0 else a / b

new_htest <- function(method, name, statistic, parameter, p_value, estimate, alternative) {
  out <- list(
    statistic = statistic, parameter = parameter, p.value = p_value, estimate = estimate,
    null.value = if (!is.null(alternative)) c(difference = 0), alternative = alternative,
    method = method, data.name = name
  )
  structure(Filter(Negate(is.null), out), class = "htest")
}

data_label <- function(x, y) {
  text <- vapply(Filter(Negate(is.null), list(x, y)), function(e) {
    line <- paste(deparse(e, nlines = 2L), collapse = " ")
    if (nchar(line) > 60L) paste0(substr(line, 1L, 57L), "...") else line
  }, "")
  paste(text, collapse = " and ")
}
