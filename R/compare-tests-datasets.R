# Tests of learners over data sets, from one score of each on each of them.

#' @rdname stat-tests
#' @order 3
#' @export
test_wilcoxon <- function(x, y = NULL, alternative = c("two.sided", "less", "greater"),
                          zeros = c("drop", "split"), ...) {
  check_dots(...)
  name <- data_label(substitute(x), substitute(y))
  alternative <- check_alternative(alternative)
  zeros <- check_choice(zeros, "zeros", c("drop", "split"))
  p <- differences(x, y)
  p <- without_rounding(p, max(abs(unlist(list(x, y)))))
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
#' @order 3
#' @export
test_friedman <- function(x, statistic = c("chisq", "F"), larger = TRUE, ...) {
  check_dots(...)
  name <- data_label(substitute(x), NULL)
  statistic <- check_choice(statistic, "statistic", c("chisq", "F"))
  ranks <- score_ranks(x, check_flag(larger, "larger"))
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

# Ranks of the learners on each data set, 1 for the best; ties get their mean.
score_ranks <- function(x, larger) {
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
  if (is.null(colnames(x))) colnames(x) <- paste("learner", seq_len(ncol(x)))
  rank_rows(x, larger)
}

# Ranks within each row; what differs by no more than rounding is a tie.
rank_rows <- function(x, larger, ...) {
  ranks <- t(apply(signif(if (larger) -x else x, 12L), 1L, rank, ...))
  dimnames(ranks) <- dimnames(x)
  ranks
}
