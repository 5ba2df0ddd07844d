# How far the mean ranks of learners over data sets must be apart.

#' Critical difference of mean ranks (Nemenyi and Bonferroni-Dunn tests)
#'
#' Computes the smallest significant difference between the mean ranks of learners over several
#' data sets, and the groups of learners that do not differ significantly.
#'
#' @details
#' With \eqn{k} learners on \eqn{N} data sets the performance of two learners differs if their mean
#' ranks differ by at least
#' \deqn{CD = q_\alpha \sqrt{\frac{k (k + 1)}{6 N}},}{
#'   CD = q_alpha sqrt(k (k + 1) / (6 N)),}
#' where \eqn{q_\alpha} is the quantile of the studentized range divided by \eqn{\sqrt2}{sqrt(2)}
#' for the Nemenyi test, which compares all pairs, and the normal quantile at \eqn{1 - \alpha / (2
#' (k - 1))} for the Bonferroni-Dunn test, which compares one learner with all others. P-values
#' are based on the same distributions.
#'
#' # Choosing the test
#' Use `"nemenyi"` to compare all learners with each other, and `"bonferroni_dunn"` to compare a
#' new method with its competitors, which has more power because there are fewer comparisons.
#'
#' @param x A matrix or data frame with a row for each data set and a column for each learner; or a
#'   benchmark of [benchmark_mkl()].
#' @param level Significance level.
#' @param test Post-hoc test: `"nemenyi"` or `"bonferroni_dunn"`.
#' @param reference For `"bonferroni_dunn"`: the learner (column) with which the others are
#'   compared.
#' @param larger `TRUE` if higher scores are better; for a benchmark this is determined by the
#'   metric.
#' @param metric For a benchmark: performance measure; `NULL` for the first.
#' @param ... For a benchmark: `level`, `test` and `reference`. Otherwise not used.
#' @return An object of class `mkl_cd`: a list with `ranks` (mean ranks, best first), `difference`
#'   (the critical difference), `p_values` (matrix of pairs), `groups` (list of learners that do
#'   not differ), `friedman` (a [test_friedman()] with the F statistic), `n`, `level`, `test` and
#'   `reference`. There are `print()` and `autoplot()` methods.
#' @inherit stat-tests references
#' @family comparisons
#' @examples
#' x <- cbind(
#'   one = c(.81, .95, .99, .74, .88, .92, .67, .79),
#'   two = c(.79, .94, .98, .75, .85, .90, .66, .75),
#'   three = c(.80, .91, .97, .71, .86, .89, .60, .77)
#' )
#' critical_difference(x)
#' critical_difference(x, test = "bonferroni_dunn", reference = "one")
#' @export
critical_difference <- function(x, ...) UseMethod("critical_difference")

#' @rdname critical_difference
#' @export
critical_difference.default <- function(x, level = 0.05, test = c("nemenyi", "bonferroni_dunn"),
                                        reference = NULL, larger = TRUE, ...) {
  check_dots(...)
  level <- check_number(level, "level", 0, 1, open = c(TRUE, TRUE))
  test <- check_choice(test, "test", c("nemenyi", "bonferroni_dunn"))
  larger <- check_flag(larger, "larger")
  ranks <- score_ranks(x, larger)
  reference <- check_reference_column(reference, test, colnames(ranks))
  k <- ncol(ranks)
  unit <- sqrt(k * (k + 1) / (6 * nrow(ranks)))
  mean_ranks <- sort(colMeans(ranks))
  apart <- abs(outer(mean_ranks, mean_ranks, `-`))
  difference <- rank_quantile(level, k, test) * unit
  structure(
    class = "mkl_cd",
    list(
      ranks = mean_ranks, difference = difference,
      p_values = rank_p_values(apart / unit, k, test, reference),
      groups = rank_groups(mean_ranks, difference, reference), n = nrow(ranks), level = level,
      test = test, reference = reference, friedman = test_friedman(-ranks, "F")
    )
  )
}

check_reference_column <- function(reference, test, names) {
  if (test == "nemenyi") {
    if (!is.null(reference)) {
      stop_mkl(
        "argument_error", "reference", "`reference` is for test = \"bonferroni_dunn\"; the test ",
        "of Nemenyi compares all pairs."
      )
    }
    return(NULL)
  }
  check_choice(reference %||% names[1L], "reference", names)
}

rank_quantile <- function(level, k, test) {
  if (test == "nemenyi") return(stats::qtukey(1 - level, k, Inf) / sqrt(2))
  stats::qnorm(1 - level / (2 * (k - 1)))
}

rank_p_values <- function(z, k, test, reference) {
  if (test == "nemenyi") {
    p <- stats::ptukey(z * sqrt(2), k, Inf, lower.tail = FALSE)
    diag(p) <- 1
    return(p)
  }
  p <- pmin(1, 2 * (k - 1) * stats::pnorm(z, lower.tail = FALSE))
  dim(p) <- dim(z)
  dimnames(p) <- dimnames(z)
  # Only comparisons with the reference are corrected for.
  p[rownames(p) != reference, colnames(p) != reference] <- NA_real_
  diag(p) <- 1
  p
}

# Largest sets of learners with mean ranks within the critical difference; of sets within other
# sets only the larger is kept. With a reference: those that do not differ from it.
rank_groups <- function(ranks, difference, reference) {
  if (!is.null(reference)) {
    return(list(names(ranks)[abs(ranks - ranks[[reference]]) < difference]))
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
    ifelse(names(x$ranks) == (x$reference %||% ""), "  (reference)", "")
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
