# Tests of whether two or more learners differ. Each takes plain numbers, returns an object of
# class `htest`.

#' Tests for the comparison of learners
#'
#' @description
#' Is one learner better than another, or is the difference the luck of the splits? Tests on one
#' data set take the scores of two learners on the same resamples; tests over data sets take one
#' score of each learner for each data set. All give an object of class `htest`, as
#' [stats::t.test()] does.
#'
#' @details
#' Let \eqn{p_i = x_i - y_i} be the difference of two learners on the same resample.
#'
#' # On one data set
#' * **`test_5x2cv_f()`** takes the ten differences \eqn{p_{ij}} of five repetitions of two-fold
#'   cross-validation, with mean \eqn{\bar p_i} and variance
#'   \eqn{s_i^2 = (p_{i1} - \bar p_i)^2 + (p_{i2} - \bar p_i)^2} of repetition \eqn{i}:
#'   \deqn{f = \frac{\sum_i \sum_j p_{ij}^2}{2 \sum_i s_i^2} \sim F_{10, 5}}
#'   (Alpaydin 1999).
#' * **`test_5x2cv_t()`** uses the first of the ten alone in the numerator,
#'   \deqn{t = \frac{p_{11}}{\sqrt{\frac15 \sum_i s_i^2}} \sim t_5} (Dietterich 1998). It depends on
#'   the order of the folds; the F test does not and is the better one.
#' * **`test_corrected_t()`** is for random splits and repeated cross-validation, where training
#'   sets overlap. With \eqn{k} resamples of \eqn{n_1} training and \eqn{n_2} test rows,
#'   \deqn{t = \frac{\bar p}{\sqrt{(\frac1k + \frac{n_2}{n_1}) \hat\sigma_p^2}} \sim t_{k - 1}}
#'   (Nadeau and Bengio 2003). `ratio` is \eqn{n_2 / n_1}: 1/9 for ten folds, 1/2 for two thirds of
#'   the rows in training.
#' * **`test_paired_t()`** is the usual paired t test. It takes the resamples for independent, which
#'   they are not, and finds differences too often; it is here because papers report it. With
#'   `paired = FALSE` it is the test of two samples with a common variance.
#'
#' # Over data sets
#' * **`test_wilcoxon()`** ranks the absolute differences over data sets and sums the ranks of the
#'   positive ones. The distribution is exact, with ties too, for up to 200 data sets and normal
#'   beyond. Differences of zero are left out, or (`zeros = "split"`, as in Demsar 2006) their ranks
#'   are divided evenly between both signs.
#' * **`test_friedman()`** asks whether any of \eqn{k} learners differ on \eqn{N} data sets, from
#'   their mean ranks \eqn{R_j}:
#'   \deqn{\chi_F^2 = \frac{12 N}{k (k + 1)} \sum_j \left( R_j - \frac{k + 1}{2} \right)^2 \quad
#'   \mathrm{and} \quad F_F = \frac{(N - 1) \chi_F^2}{N (k - 1) - \chi_F^2},}
#'   the first corrected for ties, the second less conservative (Iman and Davenport 1980).
#'   [critical_difference()] says how far mean ranks must be apart.
#'
#' # Choosing a test
#' Two learners on one data set: [resample_5x2()] and `test_5x2cv_f()`; for results of ten-fold
#' cross-validation or random splits `test_corrected_t()`. Two learners over many data sets:
#' `test_wilcoxon()`. More learners over many data sets: `test_friedman()` first and then
#' [critical_difference()]. [compare()] applies any of them to a benchmark.
#'
#' @param x,y Scores of two learners, in the same order. `y` may be left out if `x` holds the
#'   differences. For the 5x2cv tests: a matrix of 5 repetitions x 2 folds, or the ten values
#'   repetition by repetition. For `test_friedman()`: `x` is a matrix or data frame with a row for
#'   each data set and a column for each learner.
#' @param ratio Rows in a test set for each row in a training set.
#' @param alternative `"two.sided"`, `"less"` (`x` is smaller than `y`) or `"greater"`.
#' @param paired `FALSE` for two independent samples.
#' @param zeros What to do with differences of zero: `"drop"` or `"split"`.
#' @param statistic `"chisq"` or `"F"`.
#' @param maximize `TRUE` if higher scores are better and get the lower ranks.
#' @return An object of class `htest`. Two learners without any difference have the p-value 1; if
#'   all differences are the same, a t or F statistic is infinite and its p-value 0.
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

#' @rdname stat-tests
#' @export
test_5x2cv_f <- function(x, y = NULL) {
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
#' @export
test_5x2cv_t <- function(x, y = NULL, alternative = c("two.sided", "less", "greater")) {
  name <- data_label(substitute(x), substitute(y))
  alternative <- check_alternative(alternative)
  p <- five_by_two(x, y)
  value <- ratio_of(p[1L, 1L], sqrt(mean(fold_variance(p))))
  t_result("5x2cv paired t test", name, value, 5, mean(p), alternative)
}

#' @rdname stat-tests
#' @export
test_corrected_t <- function(x, y = NULL, ratio, alternative = c("two.sided", "less", "greater")) {
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
#' @export
test_paired_t <- function(x, y = NULL, alternative = c("two.sided", "less", "greater"),
                          paired = TRUE) {
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

#' @rdname stat-tests
#' @export
test_wilcoxon <- function(x, y = NULL, alternative = c("two.sided", "less", "greater"),
                          zeros = c("drop", "split")) {
  name <- data_label(substitute(x), substitute(y))
  alternative <- check_alternative(alternative)
  zeros <- check_choice(zeros, "zeros", c("drop", "split"))
  p <- without_rounding(differences(x, y), max(abs(c(x, y))))
  center <- stats::median(p)
  if (zeros == "drop") p <- p[p != 0]
  # An odd zero has no partner of the other sign.
  if (zeros == "split" && sum(p == 0) %% 2L == 1L) p <- p[-which(p == 0)[1L]]
  ranks <- rank(abs(p))
  plus <- sum(ranks[p > 0]) + sum(ranks[p == 0]) / 2
  minus <- sum(ranks) - plus
  exact <- length(p) <= 200L
  tail <- if (exact) exact_signed_rank(ranks[p != 0]) else normal_signed_rank(ranks[p != 0])
  value <- sum(ranks[p > 0])
  p_value <- switch(alternative,
    two.sided = min(1, 2 * min(tail$below(value), tail$above(value))),
    less = tail$below(value), greater = tail$above(value)
  )
  out <- new_htest(
    paste0("Wilcoxon signed rank test, ", if (exact) "exact" else "normal approximation"), name,
    statistic = c("R+" = plus), parameter = c(n = length(p)), p_value = p_value,
    estimate = c("median difference" = center), alternative = alternative
  )
  out$rank_sums <- c(plus = plus, minus = minus)
  out
}

# 0.95 - 0.92 and 0.63 - 0.60 are a tie that binary fractions break: differences are rounded to
# 12 digits of the scores they come from.
without_rounding <- function(p, size) {
  if (size == 0) return(p)
  digits <- 12 - ceiling(log10(size))
  if (digits > 300) return(p)
  round(p * 10^digits) / 10^digits
}

# P(S <= s) and P(S >= s) of the sum S of the ranks that get a positive sign, each with
# probability 1/2. Mid-ranks are multiples of 1/2: twice the ranks are whole numbers, and their
# sums are counted by adding one rank after the other.
exact_signed_rank <- function(ranks) {
  whole <- as.integer(round(2 * ranks))
  mass <- 1
  for (r in whole) {
    shifted <- c(numeric(r), mass)
    length(mass) <- length(shifted)
    mass[is.na(mass)] <- 0
    mass <- (mass + shifted) / 2
  }
  list(
    below = function(s) sum(mass[seq_len(round(2 * s) + 1)]),
    above = function(s) sum(mass[seq.int(round(2 * s) + 1, length(mass))])
  )
}

# The same with mean sum(r) / 2 and variance sum(r^2) / 4, corrected for continuity.
normal_signed_rank <- function(ranks) {
  center <- sum(ranks) / 2
  scale <- sqrt(sum(ranks^2) / 4)
  list(
    below = function(s) stats::pnorm((s - center + 0.5) / scale),
    above = function(s) stats::pnorm((s - center - 0.5) / scale, lower.tail = FALSE)
  )
}

#' @rdname stat-tests
#' @export
test_friedman <- function(x, statistic = c("chisq", "F"), maximize = TRUE) {
  name <- data_label(substitute(x), NULL)
  statistic <- check_choice(statistic, "statistic", c("chisq", "F"))
  ranks <- score_ranks(x, check_flag(maximize, "maximize"))
  n <- nrow(ranks)
  k <- ncol(ranks)
  # sum over the columns of (sum of ranks - expected)^2, over its variance with ties.
  spread <- sum((colSums(ranks) - n * (k + 1) / 2)^2)
  ties <- sum(apply(ranks, 1L, function(r) sum(table(r)^3 - table(r))))
  chisq <- ratio_of(12 * spread, n * k * (k + 1) - ties / (k - 1))
  if (statistic == "chisq") {
    value <- c("Friedman chi-squared" = chisq)
    free <- c(df = k - 1)
    p_value <- stats::pchisq(chisq, k - 1, lower.tail = FALSE)
  } else {
    value <- c(F = ratio_of((n - 1) * chisq, n * (k - 1) - chisq))
    free <- c("num df" = k - 1, "denom df" = (k - 1) * (n - 1))
    p_value <- stats::pf(value[[1L]], free[[1L]], free[[2L]], lower.tail = FALSE)
  }
  method <- paste0(
    "Friedman rank sum test", if (statistic == "F") ", statistic of Iman and Davenport"
  )
  new_htest(
    method, name, statistic = value, parameter = free, p_value = p_value,
    estimate = colMeans(ranks), alternative = NULL
  )
}

#' Critical difference of mean ranks
#'
#' How far apart the mean ranks of two among several learners must be for their difference to be
#' significant, and which learners that leaves together.
#'
#' @details
#' With \eqn{k} learners on \eqn{N} data sets the performance of two learners differs if their mean
#' ranks differ by at least
#' \deqn{CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}},}
#' where \eqn{q_\alpha} is the quantile of the studentised range divided by \eqn{\sqrt2} for the
#' test of Nemenyi, which compares all pairs, and the normal quantile at
#' \eqn{1 - \alpha / (2 (k - 1))} for that of Bonferroni and Dunn, which compares one learner with
#' all others. P-values are those of the same distributions.
#'
#' # Choosing the test
#' `"nemenyi"` for a picture of all learners against all, `"bonferroni_dunn"` to ask whether a new
#' method differs from its competitors: it has more power, as it makes fewer comparisons.
#'
#' @param x A matrix or data frame with a row for each data set and a column for each learner; or a
#'   benchmark of [benchmark_mkl()].
#' @param level Significance level.
#' @param test `"nemenyi"` or `"bonferroni_dunn"`.
#' @param control For `"bonferroni_dunn"`: the column that the others are compared with.
#' @param maximize `TRUE` if higher scores are better; for a benchmark taken from the metric.
#' @param metric For a benchmark: which metric; `NULL` for the first.
#' @param ... For a benchmark: the arguments above. Else not used.
#' @return An object of class `mkl_cd`: a list with `ranks` (mean ranks, best first),
#'   `difference` (the critical difference), `p_values` (matrix of pairs), `groups` (list of
#'   learners that do not differ), `friedman` (a [test_friedman()] with the F statistic), `n`,
#'   `level`, `test` and `control`. It prints itself and `autoplot()` draws
#'   it.
#' @inherit stat-tests references
#' @family comparisons
#' @examples
#' x <- cbind(
#'   one = c(.81, .95, .99, .74, .88, .92, .67, .79),
#'   two = c(.79, .94, .98, .75, .85, .90, .66, .75),
#'   three = c(.80, .91, .97, .71, .86, .89, .60, .77)
#' )
#' critical_difference(x)
#' critical_difference(x, test = "bonferroni_dunn", control = "one")
#' @export
critical_difference <- function(x, ...) UseMethod("critical_difference")

#' @rdname critical_difference
#' @export
critical_difference.default <- function(x, level = 0.05, test = c("nemenyi", "bonferroni_dunn"),
                                        control = NULL, maximize = TRUE, ...) {
  check_dots(...)
  level <- check_number(level, "level", 0, 1, open = c(TRUE, TRUE))
  test <- check_choice(test, "test", c("nemenyi", "bonferroni_dunn"))
  maximize <- check_flag(maximize, "maximize")
  ranks <- score_ranks(x, maximize)
  control <- check_control_column(control, test, colnames(ranks))
  k <- ncol(ranks)
  unit <- sqrt(k * (k + 1) / (6 * nrow(ranks)))
  mean_ranks <- sort(colMeans(ranks))
  apart <- abs(outer(mean_ranks, mean_ranks, `-`))
  difference <- rank_quantile(level, k, test) * unit
  structure(
    class = "mkl_cd",
    list(
      ranks = mean_ranks, difference = difference,
      p_values = rank_p_values(apart / unit, k, test, control),
      groups = rank_groups(mean_ranks, difference, control), n = nrow(ranks), level = level,
      test = test, control = control, friedman = test_friedman(-ranks, "F")
    )
  )
}

check_control_column <- function(control, test, names) {
  if (test == "nemenyi") {
    if (!is.null(control)) {
      stop_mkl(
        "argument_error", "control", "`control` is for test = \"bonferroni_dunn\"; the test of ",
        "Nemenyi compares all pairs."
      )
    }
    return(NULL)
  }
  check_choice(control %||% names[1L], "control", names)
}

rank_quantile <- function(level, k, test) {
  if (test == "nemenyi") return(stats::qtukey(1 - level, k, Inf) / sqrt(2))
  stats::qnorm(1 - level / (2 * (k - 1)))
}

rank_p_values <- function(z, k, test, control) {
  if (test == "nemenyi") {
    p <- stats::ptukey(z * sqrt(2), k, Inf, lower.tail = FALSE)
    diag(p) <- 1
    return(p)
  }
  p <- pmin(1, 2 * (k - 1) * stats::pnorm(z, lower.tail = FALSE))
  dim(p) <- dim(z)
  dimnames(p) <- dimnames(z)
  # Only comparisons with the control are corrected for.
  p[rownames(p) != control, colnames(p) != control] <- NA_real_
  diag(p) <- 1
  p
}

# Largest sets of learners with mean ranks within the critical difference; of sets within other
# sets only the larger is kept. With a control: those that do not differ from it.
rank_groups <- function(ranks, difference, control) {
  if (!is.null(control)) {
    return(list(names(ranks)[abs(ranks - ranks[[control]]) < difference]))
  }
  last <- vapply(seq_along(ranks), function(i) max(which(ranks - ranks[i] < difference)), 0L)
  first <- which(!duplicated(last) & last > seq_along(ranks))
  lapply(first, function(i) names(ranks)[i:last[i]])
}

#' @export
print.mkl_cd <- function(x, ...) {
  label <- if (x$test == "nemenyi") "Nemenyi" else "Bonferroni and Dunn"
  cat(
    "Critical difference of mean ranks (", label, "): ", format_number(x$difference, 3L),
    " at level ", format_number(x$level), "\n", sep = ""
  )
  cat(plural(length(x$ranks), "learner"), " on ", plural(x$n, "data set"), sep = "")
  cat("; ", describe_friedman(x$friedman), "\n\n", sep = "")
  marks <- vapply(seq_along(x$ranks), function(i) {
    paste(ifelse(vapply(x$groups, function(g) names(x$ranks)[i] %in% g, NA), "|", " "),
          collapse = "")
  }, "")
  cat(paste0(
    "  ", formatC(x$ranks, digits = 2L, format = "f", width = 6L, decimal.mark = "."), "  ",
    formatC(names(x$ranks), width = -max(nchar(names(x$ranks)))), "  ", marks,
    ifelse(names(x$ranks) == (x$control %||% ""), "  (control)", "")
  ), sep = "\n")
  cat(if (length(x$groups)) "\nLearners in the same column of bars do not differ.\n" else {
    "\nAll pairs differ.\n"
  })
  invisible(x)
}

describe_friedman <- function(test) {
  sign <- if (test$p.value < 1e-4) " " else " = "
  paste0(
    "Friedman F = ", format_number(test$statistic, 4L), ", p", sign, format_p(test$p.value)
  )
}

format_p <- function(p) ifelse(p < 1e-4, "< 1e-4", format_number(p, 3L))

# ---- shared parts --------------------------------------------------------------------------------

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

# 0 / 0 is no difference at all: the statistic is 0 and the p-value 1.
ratio_of <- function(a, b) if (a == 0) 0 else a / b

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

# Ranks of the learners on each data set, 1 for the best; ties get their mean.
score_ranks <- function(x, maximize) {
  if (is.data.frame(x)) x <- as.matrix(x)
  if (!is.matrix(x) || !is.numeric(x) || nrow(x) < 2L || ncol(x) < 2L) {
    stop_must("x", "a numeric matrix of 2 or more data sets x 2 or more learners", x)
  }
  if (anyNA(x)) {
    at <- which(is.na(x), arr.ind = TRUE)[1L, ]
    stop_mkl(
      "argument_error", "x", "`x` must have no missing values, but row ", at[1L], ", column ",
      at[2L], " is one. Leave out the data set or the learner."
    )
  }
  names <- colnames(x) %||% paste("learner", seq_len(ncol(x)))
  ranks <- t(apply(signif(if (maximize) -x else x, 12L), 1L, rank))
  dimnames(ranks) <- list(rownames(x), names)
  ranks
}
