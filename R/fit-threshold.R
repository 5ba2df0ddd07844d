# Thresholds of two-class fits: where predict() changes from one class to the other.

# c(decision = ) or c(prob = ).
check_threshold <- function(threshold, object, type) {
  chosen <- inherits(threshold, "mkl_threshold")
  if (type != "class" || length(object$classes) != 2L) {
    stop_mkl(
      "argument_error", "threshold", "`threshold` is for the classes of two-class fits, not for ",
      if (type != "class") paste0("`type` = \"", type, "\"") else {
        paste("fits with", plural(max(1L, length(object$classes)), "class", "classes"))
      }, "."
    )
  }
  if (chosen && !identical(threshold$classes, object$classes)) {
    stop_mkl(
      "argument_error", "threshold", "`threshold` was chosen for the classes ",
      quote_all(threshold$classes), ", but those of the fit are ", quote_all(object$classes), "."
    )
  }
  if (chosen) threshold <- threshold$threshold
  if (!is_number(threshold) || is.na(threshold)) {
    stop_must("threshold", "one number or the result of choose_threshold()", threshold)
  }
  on <- check_choice(names(threshold) %||% "decision", "threshold", c("decision", "prob"))
  if (on == "prob") check_type("prob", object)
  stats::setNames(as.double(threshold), on)
}

threshold_class <- function(object, decision, threshold) {
  known <- !is.na(decision[, 1L])
  score <- decision[, 1L]
  if (names(threshold) == "prob" && any(known)) {
    score[known] <- class_probability(object, decision[known, , drop = FALSE])[, 2L]
  }
  class_factor(object, as.integer(score >= threshold))
}
