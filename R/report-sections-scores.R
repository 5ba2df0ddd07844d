# Sections of report() on predictions for cases that the fits had not seen.

measure_label <- function(metric) {
  known <- c(
    accuracy = "Accuracy", balanced_accuracy = "Balanced accuracy", auc = "AUC", f1 = "F1 score",
    brier = "Brier score", log_loss = "Log loss", rmse = "Root mean squared error",
    mae = "Mean absolute error", error = "Error", sensitivity = "Sensitivity",
    specificity = "Specificity", mcc = "Matthews correlation", r2 = "R squared"
  )
  ifelse(metric %in% names(known), known[metric], metric)
}

measure_meaning <- function(metric) {
  known <- c(
    accuracy = "share of cases that are predicted correctly",
    balanced_accuracy = "mean over the classes of the share that is predicted correctly",
    auc = "probability that a case of the class is ranked above one of another class",
    f1 = "harmonic mean of precision and sensitivity",
    brier = "mean squared error of the probabilities; 0 is perfect",
    log_loss = "mean negative logarithm of the probability of the true class; 0 is perfect",
    rmse = "typical error in units of the response, large errors count more",
    mae = "mean error in units of the response", error = "share of wrong predictions",
    sensitivity = "share of the positive class that is found",
    specificity = "share of the negative class that is recognized",
    mcc = "correlation of true and predicted classes; 0 is chance",
    r2 = "share of the variance of the response that is explained"
  )
  ifelse(metric %in% names(known), known[metric], "")
}

format_measure <- function(x) ifelse(is.na(x), "-", sprintf("%.3g", x))

format_interval <- function(measure) {
  if (is.na(measure$lower)) return(format_measure(measure$estimate))
  paste0(
    format_measure(measure$estimate), " (", format_measure(measure$lower), " to ",
    format_measure(measure$upper), ")"
  )
}

measure_sentence <- function(measure) {
  paste0(
    "the ", tolower_first(measure_label(measure$metric)), " was ", format_measure(measure$estimate),
    if (!is.na(measure$lower)) paste0(
      " (95 % interval ", format_measure(measure$lower), " to ", format_measure(measure$upper), ")"
    )
  )
}

# Abbreviations keep their capitals.
tolower_first <- function(text) {
  if (grepl("^[A-Z][a-z]", text)) substr(text, 1L, 1L) <- tolower(substr(text, 1L, 1L))
  text
}

section_performance <- function(facts) {
  measures <- facts$measures
  cv <- facts$cv
  meaning <- measure_meaning(measures$metric)
  table <- data.frame(
    Measure = paste0(
      html_escape(measure_label(measures$metric)),
      ifelse(nzchar(meaning), paste0("<small>", html_escape(meaning), "</small>"), "")
    ),
    Estimate = format_measure(measures$estimate),
    "95 % interval" = ifelse(
      is.na(measures$lower), "-",
      paste(format_measure(measures$lower), "to", format_measure(measures$upper))
    ), check.names = FALSE
  )
  new_section(
    "performance", "Performance on new cases",
    html_text(
      "Estimated by resampling (", format(cv$resample), "): in each of ",
      plural(nrow(cv$results), "split"), " the model is fitted again without the test cases, ",
      "about ", round(mean(cv$results$n_train)), " for training and ",
      round(mean(cv$results$n_test)), " for testing."
    ),
    html_table(table, numbers = 2:3, raw = 1L), baseline_text(facts),
    if (is.null(facts$predictions)) {
      html_text("The resampling kept no predictions: there are no curves and tables of them.")
    } else {
      c("<div class=\"pair\">", error_figure(facts), roc_figure(facts), "</div>")
    }
  )
}

# What a prediction that looks at no predictor reaches.
baseline_text <- function(facts) {
  if (is.null(facts$truth)) return(NULL)
  if (task_traits(facts$fit$task)$drawn == "numbers") {
    return(html_text(
      "For comparison: predicting the mean for every case has a root mean squared error of ",
      format_number(stats::sd(facts$truth, na.rm = TRUE), 3L), "."
    ))
  }
  share <- table(as.character(facts$truth))
  share <- share / sum(share)
  html_text(
    "For comparison: predicting the most frequent class, ", names(which.max(share)),
    ", for every case has an accuracy of ", format_measure(max(share)), "."
  )
}

# Classes that are taken for each other, predicted against observed values, or decision values.
error_figure <- function(facts) {
  fit <- facts$fit
  drawn <- task_traits(fit$task)$drawn
  p <- facts$predictions[!is.na(facts$predictions$estimate), ]
  if (drawn == "numbers") {
    # A page of moderate size: at most 2,000 points.
    if (nrow(p) > 2000L) p <- p[round(seq(1, nrow(p), length.out = 2000L)), ]
    frame <- data.frame(observed = p$truth, fitted = p$estimate)
    return(html_figure(
      gg_numbers(list(frame = frame)) + ggplot2::labs(x = "predicted"), "errors",
      "Observed against predicted values of test cases; on the dashed line both are equal.",
      height = 4
    ))
  }
  if (drawn == "values") {
    values <- list(
      frame = stacked_bins(p$decision, rep(1L, nrow(p)), 1L), sides = "test cases"
    )
    return(html_figure(
      gg_values(values), "errors",
      "Decision values of test cases; those at the right of the line are accepted as usual."
    ))
  }
  table <- class_table(p$truth, p$estimate, fit$classes)
  html_figure(
    gg_table(table) + ggplot2::labs(x = "predicted class"), "errors", paste0(
      "Test cases by true and predicted class",
      if (length(fit$classes) <= 12L) ", with their number", ". Correct ones are on the diagonal."
    ), height = if (length(fit$classes) > 8L) 5 else 4
  )
}

roc_figure <- function(facts) {
  fit <- facts$fit
  if (is.null(fit$classes)) return(NULL)
  roc <- test_roc(fit, facts$predictions)
  if (is.null(roc)) return(NULL)
  single <- length(roc$areas) == 1L
  roc$curves <- thin_curves(roc$curves)
  # Below the plot, which narrow screens leave no room beside.
  below <- ggplot2::theme(legend.position = "bottom", legend.direction = "vertical")
  html_figure(
    gg_curves(roc) + below, "roc", paste0(
      "ROC curve", if (!single) "s of each class against the rest", " of test cases",
      if (single) paste0(", area ", sprintf("%.3f", roc$areas)),
      ". Points: predicted classes. The dashed line is chance."
    ), width = 4.4, height = if (single) 4 else 4.2 + 0.2 * min(length(roc$areas), 8)
  )
}

# Curves over all splits; NULL if the predictions have none.
test_roc <- function(fit, p) {
  p <- p[!is.na(p$truth) & !is.na(p$estimate), ]
  pieces <- table_pieces(p, fit$task)
  if (is.null(pieces$decision)) return(NULL)
  roc_curves(rest_problems(p$truth, pieces$decision, pieces$classes), as.character(p$estimate))
}

# At most some hundred corners for each curve.
thin_curves <- function(curves, most = 400L) {
  do.call(rbind, lapply(split(curves, factor(curves$class, unique(curves$class))), function(one) {
    if (nrow(one) <= most) one else one[round(seq(1, nrow(one), length.out = most)), ]
  }))
}

# ---- calibration and thresholds ------------------------------------------------------------------

has_probabilities <- function(facts) {
  length(grep("^prob[.]", names(facts$predictions))) > 0L
}

section_calibration <- function(facts) {
  if (!has_probabilities(facts)) return(NULL)
  drawn <- worst_calibrated(calibration(facts$cv), 6L)
  classes <- length(drawn$summary$class)
  new_section(
    "calibration", "Calibration of the probabilities",
    html_text(
      "Among cases with a predicted probability of, say, 0.8, about 80 % should belong to the ",
      "class. Points on the dashed line are calibrated; below it, probabilities are too high."
    ),
    html_figure(
      autoplot(drawn) + ggplot2::labs(caption = NULL) + ggplot2::guides(size = "none"),
      "calibration", paste0(
        "Observed share against the mean predicted probability of ",
        if (classes == 1L) drawn$summary$class else if (length(facts$fit$classes) > classes) {
          paste("the", classes, "classes with the largest errors")
        } else {
          "each class"
        }, ", in bins of equal size, with 95 % intervals. Expected calibration error: ",
        paste(format_number(drawn$summary$ece, 2L), collapse = ", "), "."
      ), width = if (classes == 1L) 4.4 else 5.4, height = square_height(classes)
    )
  )
}

# Height of up to six square panels that are 5.4 wide together.
square_height <- function(panels) {
  if (panels == 1L) return(4)
  columns <- if (panels %in% c(2L, 4L)) 2 else 3
  0.7 + ceiling(panels / columns) * (0.35 + 4.5 / columns)
}

section_thresholds <- function(facts) {
  fit <- facts$fit
  if (length(fit$classes) != 2L || is.null(facts$predictions)) return(NULL)
  on <- if (has_probabilities(facts)) "prob" else "decision"
  table <- threshold_table(facts$cv, on)
  shown <- lapply(table[c("sensitivity", "specificity", "precision", "npv", "called")], percent)
  new_section(
    "thresholds", "Choice of the threshold",
    html_text(
      "A case is called ", fit$classes[2L], " if its ",
      if (on == "prob") "probability" else "decision value", " is at least the threshold. A lower ",
      "threshold finds more of them, at the price of more false alarms. Shares are those of test ",
      "cases."
    ),
    html_table(stats::setNames(
      data.frame(paste0(format_number(table$threshold, 3L), table$mark), shown),
      c("Threshold", "Sensitivity", "Specificity", "Correct when called positive",
        "Correct when called negative", "Called positive")
    ), numbers = 1:6),
    if (any(nzchar(table$mark))) html_text(
      "* This threshold has the largest balanced accuracy on these test cases."
    )
  )
}

# Shares at round probabilities, or at decision values that find given shares of the positive cases;
# at the default, and at the threshold of the largest balanced accuracy, which has a mark.
threshold_table <- function(cv, on) {
  chosen <- choose_threshold(cv, "balanced_accuracy", on = on)
  rows <- threshold_rows(cv, on)
  at <- if (on == "prob") seq(0.1, 0.9, by = 0.1) else {
    c(0, stats::quantile(rows$score[rows$positive], 1 - c(0.99, 0.95, 0.9, 0.8, 0.7),
                         names = FALSE, type = 1))
  }
  best <- unname(chosen$threshold)
  at <- sort(unique(c(at, if (is.finite(best)) best)))
  out <- threshold_curve(rows, at, metric_goal(rows, "balanced_accuracy"))
  n <- length(rows$score)
  out$npv <- without_nan(out$tn / (out$tn + out$fn))
  out$called <- (out$tp + out$fp) / n
  out$mark <- ifelse(out$threshold == best, " *", "")
  out
}
