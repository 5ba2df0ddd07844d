#' Compare learners of a benchmark with significance tests
#'
#' @description
#' `compare_learners()` tests differences in performance between learners: it applies a paired
#' test to each pair of learners on each data set, counts wins, ties and losses, and tests over
#' all data sets. The result is printed as a table with marks for significant differences;
#' [format()] converts it to markdown, LaTeX or HTML.
#'
#' @details
#' All learners use the same splits, so that all tests are based on paired differences
#' \deqn{p_i = m_i(\mathrm{learner}) - m_i(\mathrm{other});}{
#'   p_i = m_i(learner) - m_i(other);} see [stat-tests] for their formulas.
#' Splits on which a learner failed are excluded from its pairs, and the 5x2cv tests then give no
#' result. Over data sets [test_wilcoxon()] compares mean values, with equal weights of the data
#' sets, and [critical_difference()] mean ranks.
#'
#' # Marks in the tables
#' For each data set the best, second and third mean are printed in bold, italic and underlined
#' (\[1\], \[2\], \[3\] in plain text). A plus marks learners that are significantly better than
#' the `reference`, a minus those that are significantly worse; without a reference, a minus marks
#' learners that are significantly worse than the best one. Below the data sets: means and mean
#' ranks, and wins, ties and losses against the reference, or against all others.
#'
#' # Choosing the test
#' `"auto"` uses `"5x2cv_f"` for [resample_5x2()] and `"corrected_t"` for other plans.
#' `"paired_t"` is reported in many papers; it treats overlapping training sets as independent, so
#' that its type I error is too large. With many pairs, `adjust = "holm"` controls the family-wise
#' error rate on each data set.
#'
#' @param x A benchmark of [benchmark_mkl()].
#' @param metric Performance measure; `NULL` for the first.
#' @param test Test for each data set: `"auto"`, `"5x2cv_f"`, `"5x2cv_t"`, `"corrected_t"` or
#'   `"paired_t"`.
#' @param reference Name of the learner with which the others are compared; `NULL` for all pairs.
#' @param level Significance level.
#' @param adjust Adjustment of p-values for the number of pairs on a data set, one of
#'   [stats::p.adjust.methods].
#' @param ... Not used.
#' @return `compare_learners()`: an object of class `mkl_comparison`, a list with
#' * `mean`, `sd`, `rank`: matrices of data sets x learners; ranks of means, 1 is the best;
#' * `pairs`: a data frame with a row for each pair on each data set: `data`, `learner`, `other`,
#'   `difference`, `statistic`, `p_value`, `significant`, `better` (name of the better one, `NA` for
#'   a tie);
#' * `overall`: a data frame with a row for each pair: `learner`, `other`, `win`, `tie`, `loss`
#'   (significant differences; data sets without a test result are not counted), `wins`, `ties`,
#'   `losses` (of means), `wilcoxon` (p-value over data sets, `NA` for one data set);
#' * `ranks`: a [critical_difference()], or `NULL` if there is one data set or a missing mean;
#' * `metric`, `test`, `reference`, `level`, `adjust`.
#'
#' `format()`: a character vector of lines.
#' @inherit stat-tests references
#' @family comparisons
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' bm <- benchmark_mkl(
#'   list(flowers = Species ~ ., cars = factor(am) ~ mpg + wt + hp),
#'   data = list(flowers = two, cars = mtcars),
#'   learners = list(svm = learner_svm(), average = learner_average(),
#'                   line = list(learner_svm(), kernels = kernel_linear()))
#' )
#' compare_learners(bm)
#' against <- compare_learners(bm, reference = "line")
#' against$pairs
#' writeLines(format(against, "markdown"))
#' writeLines(format(against, "latex", percent = TRUE, digits = 1))
#' @export
compare_learners <- function(x, ...) UseMethod("compare_learners")

#' @export
compare_learners.default <- function(x, ...) {
  stop_must("x", "a benchmark of benchmark_mkl()", x)
}

#' @rdname compare_learners
#' @export
compare_learners.mkl_benchmark <- function(x, metric = NULL, test = "auto", reference = NULL,
                                           level = 0.05, adjust = "none", ...) {
  check_dots(...)
  metric <- check_metric(metric, x)
  test <- comparison_test(test, x)
  level <- check_number(level, "level", 0, 1, open = c(TRUE, TRUE))
  adjust <- check_choice(adjust, "adjust", stats::p.adjust.methods)
  learners <- names(x$learners)
  if (length(learners) < 2L) {
    stop_mkl("argument_error", "x", "`x` must hold at least two learners, not 1.")
  }
  if (!is.null(reference)) reference <- check_choice(reference, "reference", learners)
  larger <- x$metrics[[metric]]$larger
  mean <- benchmark_table(x, metric)
  pairs <- compare_pairs(x, metric, test, larger, reference, level, adjust)
  structure(
    class = "mkl_comparison",
    list(
      mean = mean, sd = benchmark_table(x, metric, "sd"), rank = mean_ranks(mean, larger),
      pairs = pairs, overall = compare_overall(pairs, mean, larger),
      ranks = if (nrow(mean) > 1L && !anyNA(mean)) {
        critical_difference(mean, level = level, larger = larger)
      },
      metric = metric, larger = larger, test = test, reference = reference, level = level,
      adjust = adjust
    )
  )
}

#' @rdname critical_difference
#' @export
critical_difference.mkl_benchmark <- function(x, metric = NULL, ...) {
  check_exact()
  metric <- check_metric(metric, x)
  critical_difference(benchmark_table(x, metric), larger = x$metrics[[metric]]$larger, ...)
}

comparison_test <- function(test, x) {
  known <- c("auto", "5x2cv_f", "5x2cv_t", "corrected_t", "paired_t")
  test <- check_choice(test, "test", known)
  folds <- split(x$results[c("repeat", "fold")], x$results[c("data", "learner")], drop = TRUE)
  five <- all(vapply(folds, function(one) {
    nrow(one) == 10L && setequal(paste(one[[1L]], one[[2L]]), outer(1:5, 1:2, paste))
  }, NA))
  if (test == "auto") return(if (five) "5x2cv_f" else "corrected_t")
  if (startsWith(test, "5x2") && !five) {
    stop_mkl(
      "argument_error", "test", "`test` is \"", test, "\", which needs resamples = ",
      "resample_5x2(), but the benchmark has ", unique(x$resamples)[1L], "."
    )
  }
  test
}

mean_ranks <- function(mean, larger) {
  rank_rows(mean, larger, na.last = "keep", ties.method = "min")
}

# ---- pairs ---------------------------------------------------------------------------------------

learner_pairs <- function(learners, reference) {
  if (!is.null(reference)) return(lapply(setdiff(learners, reference), c, reference))
  utils::combn(learners, 2L, simplify = FALSE)
}

compare_pairs <- function(x, metric, test, larger, reference, level, adjust) {
  rows <- lapply(seq_len(nrow(x$sizes)), function(d) {
    size <- x$sizes[d, ]
    cells <- x$results[x$results$data == size$data, ]
    pairs <- learner_pairs(names(x$learners), reference)
    out <- do.call(rbind, lapply(pairs, compare_pair, cells, metric, test, size))
    out$p_value <- stats::p.adjust(out$p_value, adjust)
    out
  })
  out <- stack_tables(rows)
  out$significant <- !is.na(out$p_value) & out$p_value < level
  ahead <- if (larger) out$difference > 0 else out$difference < 0
  out$better <- ifelse(out$significant, ifelse(ahead, out$learner, out$other), NA_character_)
  out
}

compare_pair <- function(pair, cells, metric, test, size) {
  a <- cells[cells$learner == pair[1L], ]
  b <- cells[cells$learner == pair[2L], ]
  b <- b[match(a$id, b$id), ]
  p <- a[[metric]] - b[[metric]]
  # Five repetitions of two folds, in their order.
  p <- p[order(a[["repeat"]], a$fold)]
  complete <- p[!is.na(p)]
  enough <- length(complete) >= if (startsWith(test, "5x2")) 10L else 2L
  result <- if (enough) switch(test,
    "5x2cv_f" = test_5x2cv_f(p), "5x2cv_t" = test_5x2cv_t(p),
    corrected_t = test_corrected_t(complete, ratio = size$test / size$train),
    paired_t = test_paired_t(complete)
  )
  data.frame(
    data = size$data, learner = pair[1L], other = pair[2L], difference = mean_or_na(p),
    statistic = if (is.null(result)) NA_real_ else result$statistic[[1L]],
    p_value = if (is.null(result)) NA_real_ else result$p.value
  )
}

# Over all data sets: counts and Wilcoxon's test.
compare_overall <- function(pairs, mean, larger) {
  keys <- unique(pairs[c("learner", "other")])
  rows <- lapply(seq_len(nrow(keys)), function(i) {
    a <- keys$learner[i]
    b <- keys$other[i]
    own <- pairs[pairs$learner == a & pairs$other == b, ]
    gain <- without_rounding(
      (mean[, a] - mean[, b]) * if (larger) 1 else -1, max(abs(mean), 0, na.rm = TRUE)
    )
    gain <- gain[!is.na(gain)]
    data.frame(
      learner = a, other = b, win = sum(own$better == a, na.rm = TRUE),
      tie = sum(!own$significant & !is.na(own$p_value)), loss = sum(own$better == b, na.rm = TRUE),
      wins = sum(gain > 0), ties = sum(gain == 0),
      losses = sum(gain < 0),
      wilcoxon = if (length(gain) > 1L) test_wilcoxon(gain)$p.value else NA_real_
    )
  })
  do.call(rbind, rows)
}

# ---- tables --------------------------------------------------------------------------------------

#' @param format Output format: `"text"`, `"markdown"`, `"latex"` or `"html"`.
#' @param digits Number of decimal places.
#' @param sd `TRUE` to show standard deviations over the splits.
#' @param percent `TRUE` to show percentages.
#' @rdname compare_learners
#' @export
format.mkl_comparison <- function(x, format = c("text", "markdown", "latex", "html"), digits = 3L,
                                  sd = TRUE, percent = FALSE, ...) {
  check_dots(...)
  format <- check_choice(format, "format", c("text", "markdown", "latex", "html"))
  digits <- check_number(digits, "digits", 0, 12, whole = TRUE)
  sd <- check_flag(sd, "sd")
  percent <- check_flag(percent, "percent")
  style <- table_style(format)
  cells <- comparison_cells(x, style, digits, sd, if (percent) 100 else 1)
  below <- comparison_footer(x, style, digits, if (percent) 100 else 1)
  body <- rbind(
    cbind(style$escape(rownames(cells)), cells), cbind(style$escape(rownames(below)), below)
  )
  header <- c(x$metric, colnames(x$mean))
  style$table(style$escape(header), unname(body), nrow(cells), comparison_note(x, style))
}

# Cells of the table: mean, deviation, marks.
comparison_cells <- function(x, style, digits, sd, factor) {
  out <- x$mean
  signs <- significance_signs(x)
  for (i in seq_along(out)) {
    text <- fixed_digits(factor * x$mean[i], digits)
    if (sd && !is.na(x$sd[i])) text <- style$spread(text, fixed_digits(factor * x$sd[i], digits))
    place <- x$rank[i]
    if (!is.na(place) && place <= 3) text <- style$place[[place]](text)
    out[i] <- style$sign(text, signs[i])
  }
  out
}

# "+" better than the reference, "-" worse than it or, without one, than the best.
significance_signs <- function(x) {
  out <- x$mean
  out[] <- ""
  for (data in rownames(out)) {
    best <- x$reference %||% colnames(out)[which(x$rank[data, ] == 1)[1L]]
    for (learner in setdiff(colnames(out), best)) {
      pair <- x$pairs[
        x$pairs$data == data & ((x$pairs$learner == learner & x$pairs$other == best) |
                                  (x$pairs$learner == best & x$pairs$other == learner)),
      ]
      if (nrow(pair) == 1L && !is.na(pair$better)) {
        out[data, learner] <- if (pair$better == learner) "+" else "-"
      }
    }
  }
  out
}

# Rows below the data sets, as text.
comparison_footer <- function(x, style, digits, factor) {
  learners <- colnames(x$mean)
  out <- rbind(
    "win-tie-loss, tests" = count_row(x, c("win", "tie", "loss")),
    "win-tie-loss, means" = count_row(x, c("wins", "ties", "losses"))
  )
  if (nrow(x$mean) == 1L) return(out)
  if (!is.null(x$reference)) {
    p <- x$overall$wilcoxon[match(learners, x$overall$learner)]
    out <- rbind(out, "Wilcoxon p-value" = ifelse(is.na(p), "", style$escape(format_p(p))))
  }
  top <- rbind(
    mean = fixed_digits(factor * colMeans(x$mean), digits),
    "mean rank" = if (is.null(x$ranks)) rep("-", length(learners)) else {
      fixed_digits(x$ranks$ranks[learners], 2L)
    }
  )
  rbind(top, out)
}

# Wins, ties and losses of each learner, as "3-0-1"; empty for the reference.
count_row <- function(x, columns) {
  vapply(colnames(x$mean), function(learner) {
    if (identical(learner, x$reference)) return("")
    paste(learner_counts(x$overall, learner, columns), collapse = "-")
  }, "")
}

# Wins, ties and losses of one learner in all pairs it is part of.
learner_counts <- function(overall, learner, columns) {
  as_first <- overall[overall$learner == learner, columns]
  as_second <- overall[overall$other == learner, rev(columns)]
  colSums(as_first) + unname(colSums(as_second))
}

comparison_note <- function(x, style) {
  tests <- c(
    "5x2cv_f" = "5x2cv combined F test", "5x2cv_t" = "5x2cv paired t test",
    corrected_t = "corrected resampled t test", paired_t = "paired t test"
  )
  adjusted <- if (x$adjust != "none") paste0(", adjusted by the method ", x$adjust)
  against <- if (is.null(x$reference)) {
    "- significantly worse than the best; counts against all others"
  } else {
    paste0("+ significantly better than ", x$reference, ", - worse; counts against it")
  }
  places <- paste(style$place[[1L]]("best"), style$place[[2L]]("second"),
                  style$place[[3L]]("third"), sep = ", ")
  test <- paste0(" (", tests[[x$test]], " at level ", format_number(x$level), adjusted, ")")
  better <- paste0(x$metric, ": ", if (x$larger) "larger" else "smaller", " is better; ")
  paste0(style$escape(better), places, style$escape(paste0("; ", against, test)))
}

#' @export
print.mkl_comparison <- function(x, digits = 3L, ...) {
  cat(format(x, "text", digits = digits), sep = "\n")
  if (!is.null(x$ranks)) {
    cat(
      describe_friedman(x$ranks$friedman), "; critical difference of mean ranks ",
      format_number(x$ranks$difference, 3L), "\n", sep = ""
    )
  }
  invisible(x)
}
