# Printed forms of a fit.

#' @export
print.mkl <- function(x, ...) {
  x <- check_fit(x)
  cat(x$learner$label, ": ", describe_task(x), "\n", sep = "")
  cat("  ", format(x$learner, x$task), "\n", sep = "")
  cat("Data:    ", describe_training(x), "\n", sep = "")
  cat("Kernels: ", describe_kernels(x), "\n", sep = "")
  if (is_feature_learner(x$learner)) return(invisible(x))
  print_weights(mean_weights(x), 6L)
  print_support(x)
  cat("Solver:  ", describe_solver(x), "\n", sep = "")
  invisible(x)
}

describe_task <- function(x) {
  if (is.null(x$classes)) return(task_traits(x$task)$label)
  if (length(x$classes) == 2L) {
    return(paste0("two-class, ", x$classes[2L], " (positive) against ", x$classes[1L]))
  }
  if (x$multiclass == "native") return(paste(length(x$classes), "classes"))
  kind <- if (x$multiclass == "one_vs_one") "one against one" else "one against the rest"
  paste0(length(x$classes), " classes, ", length(x$models), " models ", kind)
}

describe_training <- function(x) {
  dropped <- x$n_input - x$n
  views <- names(x$frame$views)
  features <- if (length(views)) {
    paste0(", ", plural(length(views), "view"), " (", list_some(views, 6L), ")")
  } else if (inherits(x$frame, "frame_kernels")) {
    paste0(", ", plural(length(x$frame$names), "kernel matrix", "kernel matrices"))
  } else if (ncol(x$train)) {
    paste0(", ", plural(ncol(x$train), "column"), if (!is.null(x$frame$center)) ", z-scored")
  }
  paste0(
    plural(x$n, "row"), if (dropped) paste0(" (", dropped, " dropped for missing values)"),
    features
  )
}

describe_kernels <- function(x) {
  if (length(x$kernels) == 0L) return("not used, the learner works on the columns")
  steps <- unique(lapply(x$kernels, function(item) item$normalize))
  text <- if (length(steps) > 1L) {
    "normalised each in its own way"
  } else if (length(steps[[1L]])) {
    paste("normalised by", paste(steps[[1L]], collapse = ", "))
  } else {
    "not normalised"
  }
  extra <- if (length(x$models) > 1L) "; mean weights over the models:"
  paste0(sum(item_counts(x$kernels)), ", ", text, extra)
}

mean_weights <- function(x) {
  total <- Reduce(`+`, lapply(x$models, function(model) model$weights))
  names <- item_names(x$kernels)
  stats::setNames(total[seq_along(names)] / length(x$models), names)
}

# The largest weights as a small table with bars.
print_weights <- function(weights, limit) {
  if (length(weights) == 0L) return(invisible())
  shown <- utils::head(weights[order(-abs(weights), method = "radix")], limit)
  top <- max(abs(shown), 1e-300)
  bars <- strrep("#", round(10 * abs(shown) / top))
  values <- formatC(shown, digits = 3L, format = "f", width = 8L, decimal.mark = ".")
  small <- abs(shown) < 5e-4 & shown != 0
  values[small] <- formatC(shown[small], digits = 1L, format = "e", width = 8L, decimal.mark = ".")
  cat(paste0("  ", values, "  ", formatC(bars, width = -10L), "  ", names(shown)), sep = "\n")
  rest <- length(weights) - length(shown)
  if (rest > 0L) {
    left <- sum(abs(weights)) - sum(abs(shown))
    cat("  ... and ", rest, " more with ", format_number(100 * left / sum(abs(weights)), 3L),
        " % of the weight\n", sep = "")
  }
}

# The rows that an approximated fit keeps are its landmarks.
print_support <- function(x) {
  if (is.null(x$approximation)) return(cat("Support: ", describe_support(x), "\n", sep = ""))
  cat("Approx.: ", describe_approximation(x), "\n", sep = "")
}

print_approximation <- function(known, limit = 10L) {
  error <- known$error
  shown <- utils::head(error, limit)
  measure <- if (known$method == "random_features") {
    "||K - ZZ'|| / ||K|| (Frobenius norms)"
  } else {
    "trace(K - ZZ') / trace(K)"
  }
  cat("Relative error of the approximation, ", measure, ":\n", sep = "")
  cat(paste0("  ", format(signif(shown, 3L)), "  ", names(shown)), sep = "\n")
  if (length(error) > limit) cat("  ... and ", length(error) - limit, " more\n", sep = "")
  if (!is.null(known$form)) cat("Features: ", describe_form(known$form), "\n", sep = "")
}

describe_support <- function(x) {
  count <- length(support(x))
  paste0(
    count, " of ", plural(x$n, "row"), " (", format_number(100 * count / x$n, 3L), " %)"
  )
}

describe_solver <- function(x) {
  good <- converged(x)
  iterations <- sum(report_values(x, "iterations", "numeric"))
  state <- if (all(good)) {
    "converged"
  } else if (length(good) == 1L) {
    "NOT converged"
  } else {
    paste0(sum(!good), " of ", length(good), " models NOT converged")
  }
  gap <- total_gap(x)
  paste0(
    state, " after ", plural(iterations, "iteration"), "; objective ",
    format_number(sum(objective(x)), 6L),
    if (!is.null(x$response_scaling)) " on the standardized response",
    if (!is.na(gap)) {
      paste0(",", if (has_relative_gap(x)) " relative", " duality gap ", format_number(gap, 3L))
    },
    if (length(good) > 1L) " (of all models together)"
  )
}

#' @export
summary.mkl <- function(object, ...) {
  object <- check_fit(object)
  check_dots(..., called = "summary()")
  facts <- model_facts(object)
  reports <- data.frame(
    model = model_names(object) %||% "all",
    support = vapply(facts, function(model) length(unique(model$rows)), 0L),
    bias = vapply(facts, function(model) model$bias %||% NA_real_, 0),
    objective = unname(objective(object)), gap = unname(duality_gap(object)),
    iterations = unname(report_values(object, "iterations", "numeric")),
    converged = unname(converged(object))
  )
  structure(
    class = "summary.mkl",
    list(
      fit = object, models = reports, weights = mean_weights(object), seconds = object$seconds
    )
  )
}

#' @export
print.summary.mkl <- function(x, digits = 5L, ...) {
  fit <- x$fit
  call <- deparse(fit$call, nlines = 4L, width.cutoff = 80L)
  cat("Call: ", paste(utils::head(call, 3L), collapse = "\n      "), "\n\n", sep = "")
  cat(fit$learner$label, ": ", describe_task(fit), "\n", sep = "")
  cat("  ", format(fit$learner, fit$task), "\n", sep = "")
  cat("Data:    ", describe_training(fit), "\n", sep = "")
  if (!is.null(fit$classes)) cat("Classes: ", paste(fit$classes, collapse = ", "), "\n", sep = "")
  cat("Kernels: ", describe_kernels(fit), "\n", sep = "")
  print_weights(x$weights, 20L)
  print_support(fit)
  if (!is.null(fit$approximation)) print_approximation(fit$approximation)
  cat("Time:    ", format_number(x$seconds, 3L), " s, tolerance ", format_number(fit$control$tol),
      "\n\nModels:\n", sep = "")
  print(x$models, digits = digits, row.names = FALSE)
  invisible(x)
}
