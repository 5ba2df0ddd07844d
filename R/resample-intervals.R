# Confidence intervals of measures: see metric_interval().

# Of proportions (Wilson 1927). `n` may be a mean over repeats, and no whole number.
wilson_interval <- function(successes, n, level) {
  z <- stats::qnorm((1 + level) / 2)
  p <- successes / n
  center <- (p + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z / (1 + z^2 / n) * sqrt(p * (1 - p) / n + z^2 / (4 * n^2))
  # At shares of 0 and 1 rounding must not leave the range.
  data.frame(lower = pmax(0, center - half), upper = pmin(1, center + half))
}

# Variance of the area under the ROC curve (DeLong and others 1988), from ranks as in Sun & Xu
# (2014).
delong_variance <- function(positive, score) {
  up <- score[positive]
  down <- score[!positive]
  ranks <- rank(score)
  above <- (ranks[positive] - rank(up)) / length(down)
  below <- 1 - (ranks[!positive] - rank(down)) / length(up)
  stats::var(above) / length(up) + stats::var(below) / length(down)
}

# Standard error of a mean over n splits that share training rows (Nadeau & Bengio 2003). `ratio`:
# test rows for each training row.
corrected_error <- function(sd, n, ratio) sd * sqrt(1 / n + ratio)

# Half the length of the interval of such a mean; NA for one split.
mean_interval <- function(sd, n, ratio, level) {
  out <- rep(NA_real_, length(sd))
  many <- which(n > 1)
  ratio <- rep_len(ratio, length(sd))
  out[many] <- stats::qt(1 - level / 2, n[many] - 1) *
    corrected_error(sd[many], n[many], ratio[many])
  out
}

# An interval does not leave the values that a measure can have.
clip <- function(x, range) if (is.null(range)) x else pmin(pmax(x, range[1L]), range[2L])

# One measure of predictions -----------------------------------------------------------------------

# `parts`: repeats, each list(truth, prediction, row), whose estimates are averaged. The interval
# has the length of that of a single repeat: more repeats of the same cases do not make more cases.
interval_row <- function(metric, parts, default, level, times) {
  row <- data.frame(
    metric = metric$name, estimate = NA_real_, lower = NA_real_, upper = NA_real_, se = NA_real_,
    method = NA_character_, n = NA_real_, note = NA_character_
  )
  if (!is.null(metric$fun)) {
    row$note <- lost_note(metric, parts, default)
    parts <- lapply(parts, judged_part, metric, default)
  }
  row$n <- round(mean(vapply(parts, function(part) length(part$row), 0L)))
  values <- lapply(parts, function(part) {
    apply_metric(metric, part$truth, part$prediction, default)
  })
  known <- !vapply(values, is.na, NA)
  if (!any(known)) {
    row$note <- attr(values[[1L]], "reason")
    return(row)
  }
  row$estimate <- mean(unlist(values[known]))
  if (is.null(metric$fun)) {
    row$note <- "not a measure of rows"
    return(row)
  }
  parts <- parts[known]
  found <- proportion_interval(metric, parts, default, level) %||%
    area_interval(metric, parts, default, level) %||%
    bootstrap_interval(metric, parts, default, level, times)
  row[names(found)] <- found
  row
}

# Without the rows that a measure cannot judge.
judged_part <- function(part, metric, default) {
  rows <- which(is_judged(part$truth, needed_piece(metric, part$prediction, default)))
  part$prediction <- take_prediction(part$prediction, rows)
  part[c("truth", "row")] <- list(part$truth[rows], part$row[rows])
  part
}

# Rows with a response that a measure leaves out, in words; NA if there are none.
lost_note <- function(metric, parts, default) {
  lost <- unlist(lapply(parts, function(part) {
    estimate <- needed_piece(metric, part$prediction, default)
    unique(part$row[!is.na(part$truth) & !is_judged(part$truth, estimate)])
  }))
  if (length(lost) == 0L) return(NA_character_)
  needs <- metric$needs %||% default
  paste(
    "left out", plural(length(unique(lost)), "row"), "without",
    if (needs == "decision") "all decision values" else "a prediction"
  )
}

# Rows of a part that have a response and the piece of the prediction that a measure needs.
known_rows <- function(metric, part, default) {
  estimate <- needed_piece(metric, part$prediction, default)
  known <- is_judged(part$truth, estimate)
  list(
    truth = part$truth[known], classes = part$prediction$classes,
    estimate = if (is.matrix(estimate)) estimate[known, , drop = FALSE] else estimate[known]
  )
}

# NULL for measures that are no proportions.
proportion_interval <- function(metric, parts, default, level) {
  if (!is_ready_made(metric)) return(NULL)
  counts <- lapply(parts, function(part) {
    known <- known_rows(metric, part, default)
    proportion_counts(metric$ready_made, known)
  })
  if (is.null(counts[[1L]])) return(NULL)
  counts <- Reduce(`+`, counts) / length(counts)
  p <- counts[1L] / counts[2L]
  list(
    estimate = p, se = sqrt(p * (1 - p) / counts[2L]), method = "Wilson", n = round(counts[2L]),
    lower = wilson_interval(counts[1L], counts[2L], level)$lower,
    upper = wilson_interval(counts[1L], counts[2L], level)$upper
  )
}

# c(successes, trials).
proportion_counts <- function(name, known) {
  right <- function() sum(as.character(known$truth) == as.character(known$estimate))
  n <- length(known$truth)
  if (name == "accuracy") return(c(right(), n))
  if (name == "error") return(c(n - right(), n))
  if (!name %in% c("sensitivity", "recall", "specificity", "precision")) return(NULL)
  counts <- class_counts(known$truth, known$estimate, known$classes)
  if (length(counts$tp) > 1L) return(NULL)
  with(counts, switch(name,
    specificity = c(tn, tn + fp), precision = c(tp, tp + fp), c(tp, tp + fn)
  ))
}

# NULL for other measures than the area of a single ROC curve.
area_interval <- function(metric, parts, default, level) {
  if (!is_ready_made(metric) || !metric$ready_made %in% c("auc", "auc_rest")) return(NULL)
  each <- lapply(parts, function(part) {
    known <- known_rows(metric, part, default)
    rest_problems(known$truth, known$estimate, known$classes)
  })
  if (any(lengths(each) > 1L)) return(NULL)
  areas <- vapply(each, function(one) as.double(rank_auc(one[[1L]]$positive, one[[1L]]$score)), 0)
  variances <- vapply(each, function(one) delong_variance(one[[1L]]$positive, one[[1L]]$score), 0)
  area <- mean(areas)
  se <- sqrt(mean(variances))
  out <- list(estimate = area, method = "DeLong")
  if (is.na(se) || se == 0) {
    out$note <- if (is.na(se)) "one of the classes has a single row" else {
      "the order of the rows leaves DeLong's variance at zero"
    }
    return(out)
  }
  half <- stats::qnorm((1 + level) / 2) * se
  c(out, list(se = se, lower = max(0, area - half), upper = min(1, area + half)))
}

# Percentiles over samples of the cases; a case keeps its predictions in all repeats.
bootstrap_interval <- function(metric, parts, default, level, times) {
  cases <- unique(unlist(lapply(parts, function(part) part$row)))
  places <- lapply(parts, function(part) match(cases, part$row))
  values <- vapply(seq_len(times), function(i) {
    drawn <- sample.int(length(cases), replace = TRUE)
    mean(unlist(Map(function(part, place) {
      rows <- place[drawn]
      rows <- rows[!is.na(rows)]
      prediction <- take_prediction(part$prediction, rows)
      as.double(apply_metric(metric, part$truth[rows], prediction, default))
    }, parts, places)), na.rm = TRUE)
  }, 0)
  lost <- sum(is.nan(values))
  values <- values[!is.nan(values)]
  if (length(values) < times / 2) return(list(note = "most bootstrap samples do not define it"))
  tail <- (1 - level) / 2
  bounds <- stats::quantile(values, c(tail, 1 - tail), names = FALSE)
  out <- list(
    lower = bounds[1L], upper = bounds[2L], se = stats::sd(values), method = "bootstrap"
  )
  if (lost) {
    out$note <- paste("left out", lost, "of", times, "bootstrap samples, which do not define it")
  }
  out
}

# Some rows of all pieces that have rows.
take_prediction <- function(prediction, rows) {
  rowwise <- intersect(names(prediction), metric_pieces())
  prediction[rowwise] <- lapply(prediction[rowwise], function(piece) {
    if (is.matrix(piece)) piece[rows, , drop = FALSE] else piece[rows]
  })
  prediction
}

# Under a name of the user a ready-made measure stays what it is.
is_ready_made <- function(metric) !is.null(metric$ready_made)
