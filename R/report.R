# report(): one page of HTML about a fit. This file holds the function itself and what all sections
# share; report-sections*.R hold one function for each section, report-html.R makes HTML.

#' HTML report on a fitted model
#'
#' Writes one self-contained HTML file about a fitted model for readers without R: data and
#' response, kernels and views with their weights, resampled performance with confidence
#' intervals, importance of the views, ROC curve, calibration, thresholds, and how the model was
#' fitted. The page needs no network connection.
#'
#' @details
#' Performance is estimated by [cv_mkl()] with the learner and the settings of the fit on `data`,
#' or taken from `cv`. The intervals are those of [performance()]: for a measure with mean
#' \eqn{\bar m}{m} and standard deviation \eqn{s} over \eqn{S} splits
#' \deqn{\bar m \pm t_{S-1} \, s \sqrt{1/S + n_2/n_1},}{m +- t s sqrt(1/S + n2/n1),}
#' with \eqn{n_1} training and \eqn{n_2} test cases of a split: the second term corrects for the
#' overlap of the training parts (Nadeau and Bengio 2003). If the measure is the same on all
#' splits, for instance without errors, the interval is based on the pooled predictions of all
#' test cases. Curves and tables use the pooled out-of-fold predictions.
#'
#' Sections that do not apply to a fit are omitted: calibration needs a classification with
#' `probability = TRUE`, thresholds need two classes. Names of classes, views and kernels are
#' shown literally, not interpreted as HTML. The page contains summaries; single cases are only
#' shown as points in the plot of a regression.
#'
#' # Choosing the resampling
#' The default takes about ten times as long as the fit, and the same time again for each of
#' several views, or once for the columns. `resamples = 5` halves this, `importance = FALSE` saves
#' the second part. If a result of `cv_mkl(..., predictions = TRUE)` with the same settings is
#' available, pass it as `cv`; without predictions, curves and tables are omitted. Use
#' [set.seed()] before the call to reproduce the splits.
#'
#' @param object A fit of [mkl()].
#' @param data The training data, in the same form as for the fit: a data frame, a matrix,
#'   [views()] or a list.
#' @param y The response; taken from `data` for fits by a formula.
#' @param file Name of the output file; an existing file is overwritten.
#' @param cv `NULL`, or a result of [cv_mkl()] for the same learner and data.
#' @param resamples Resampling, as in [cv_mkl()]: a plan such as [resample_cv()], or the fold of
#'   each row; or the number of folds.
#' @param importance `TRUE` to include [importance()]: the loss of performance without each of
#'   several [views()], which takes one resampling for each view; or, for other data with 2 to 60
#'   columns, permutation importance of the columns. The splits are those of the performance
#'   estimate.
#' @param title Title of the page; `NULL` for a title with the name of the response.
#' @param ... Arguments of [cv_mkl()] and [mkl()] for the resampling, such as `metrics`, which
#'   override those of the fit.
#' @return The name of the file, invisibly.
#' @references
#' Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. *Machine Learning* 52,
#' 239-281.
#' @family functions for fitted models
#' @examples
#' two <- droplevels(iris[51:150, ])
#' fit <- mkl(Species ~ ., two, learner = learner_average())
#' if (requireNamespace("ggplot2", quietly = TRUE) && capabilities("cairo")) {
#'   set.seed(1)
#'   page <- report(fit, two, file = tempfile(fileext = ".html"), resamples = 3)
#'   file.size(page)
#' }
#' @export
report <- function(object, ...) UseMethod("report")

#' @export
report.default <- function(object, ...) stop_no_fit(object)

#' @rdname report
#' @export
report.mkl <- function(object, data, y = NULL, file = "fit.html", cv = NULL, resamples = 10,
                       importance = TRUE, title = NULL, ...) {
  object <- check_fit(object)
  check_exact()
  file <- check_report_file(file)
  check_report_tools()
  if (missing(data) || is.null(data)) {
    stop_mkl(
      "argument_error", "data", "`data` is missing: a fit does not store its data. Give the ",
      "training data, report(fit, data, y)."
    )
  }
  if (!is.null(title) && !is_text(title)) stop_must("title", "one text", title)
  importance <- check_flag(importance, "importance")
  if (is.null(cv)) {
    cv <- resample_fit(object, data, y, resamples, list(...), parent.frame())
  } else {
    check_report_cv(cv, object, ...)
  }
  facts <- report_facts(object, data, y, cv)
  if (importance) facts$importance <- report_importance(object, data, y, cv, parent.frame())
  writeLines(enc2utf8(report_page(facts, title)), file, useBytes = TRUE)
  invisible(file)
}

check_report_file <- function(file) {
  if (!is_text(file) || !nzchar(file)) stop_must("file", "the name of a file", file)
  if (!dir.exists(dirname(file))) {
    stop_mkl(
      "argument_error", "file", "`file` is in the folder \"", dirname(file),
      "\", which does not exist."
    )
  }
  if (dir.exists(file)) stop_must("file", "the name of a file, not of a folder", file)
  file
}

check_report_tools <- function() {
  need_package("ggplot2", "report() needs")
  if (!capabilities("cairo")) {
    stop_mkl(
      "missing_package", "cairo", "report() draws by svg(), which needs an R that was built with ",
      "cairo: see capabilities(\"cairo\")."
    )
  }
}

check_report_cv <- function(cv, object, ...) {
  if (!inherits(cv, "mkl_cv")) stop_must("cv", "NULL or a result of cv_mkl()", cv)
  if (cv$task != object$task) {
    stop_mkl(
      "argument_error", "cv", "`cv` is of a ", task_traits(cv$task)$label, ", but the fit is of a ",
      task_traits(object$task)$label, "."
    )
  }
  if (...length()) {
    stop_mkl(
      "argument_error", "cv", "`cv` is given, so that further arguments have no effect. Give one ",
      "of the two."
    )
  }
}

# ---- resampling ----------------------------------------------------------------------------------

# cv_mkl() for the learner and the settings of a fit. `given`: arguments that override these; `env`:
# where the call of the fit is evaluated.
resample_fit <- function(object, data, y, resamples, given, env) {
  inputs <- refit_inputs(
    object, data, y, env, "task", " Give `cv`, a result of cv_mkl(), to report on it."
  )
  arguments <- c(Filter(Negate(is.null), inputs$more), task = object$task)
  arguments[names(given)] <- given
  arguments$metrics <- arguments$metrics %||% report_metrics(object)
  folds <- is_number(resamples)
  arguments[[if (folds) "folds" else "resamples"]] <- resamples
  do.call(cv_mkl, c(
    list(x = inputs$x, learner = learner_of(object), keep = c("predictions", "splits")), arguments
  ))
}

# Measures of a report, the most important one first.
report_metrics <- function(object) {
  wanted <- switch(object$task,
    classification = c(
      "accuracy", "balanced_accuracy", "auc", if (length(object$classes) == 2L) {
        c("sensitivity", "specificity", "mcc")
      }, if (object$probability) "brier"
    ),
    regression = c("rmse", "mae", "r2"), one_class = "accuracy"
  )
  intersect(wanted, names(known_metrics()))
}

# ---- facts ---------------------------------------------------------------------------------------

# All that sections read: the fit, data, truth (NULL for novelty detection), cv, measures and the
# predictions of test cases (NULL if `cv` has none); `importance` comes later.
report_facts <- function(object, data, y, cv) {
  truth <- if (task_traits(object$task)$response) true_response(object, data, y)
  list(
    fit = object, data = data, truth = truth, cv = cv, measures = report_measures(cv),
    predictions = cv$predictions, response = report_response(object)
  )
}

report_response <- function(object) {
  if (!task_traits(object$task)$response) return(NULL)
  formula <- stored_formula(object$frame)
  if (is.null(formula)) "the response" else deparse1(formula[[2L]])
}

# Estimate and interval of each measure: over the splits, or from the predictions of all test cases
# where there is a single split or all splits are alike, as when there are no errors: that does not
# make a measure certain.
report_measures <- function(cv) {
  kept <- !is.null(cv$predictions)
  single <- nrow(cv$results) == 1L && kept
  out <- as.data.frame(performance(cv, type = if (single) "pooled" else "splits"))
  alike <- function() which(out$lower == out$upper)
  bounds <- c("lower", "upper")
  if (kept && !single && length(alike())) {
    pooled <- as.data.frame(performance(cv, out$metric[alike()], type = "pooled"))
    out[alike(), bounds] <- pooled[bounds]
  }
  out[alike(), bounds] <- NA
  out
}

# What the fit loses without each of several views, or when a column is permuted, on the splits of
# the resampling; NULL if there is neither. A text says why it could not be measured.
report_importance <- function(object, data, y, cv, env) {
  arguments <- if (length(view_names(object)) > 1L) list(by = "view", method = "drop") else {
    if (!has_few_columns(object)) return(NULL)
    list(by = "column", method = "permutation", repeats = 3)
  }
  tryCatch(
    # In the frame of the user, who has the variables in the call of the fit.
    do.call(importance, c(
      list(object, data, y, resamples = report_splits(cv)), arguments
    ), envir = env),
    multikernel_error = function(e) conditionMessage(e)
  )
}

# Each column takes some predictions in each split.
has_few_columns <- function(object) {
  if (!has_columns(object$frame)) return(FALSE)
  count <- length(variable_names(object$frame) %||% object$frame$names)
  count > 1L && count <= 60L
}

# The splits of a cross-validation, if it kept them or if they can be told from its predictions;
# else its plan.
report_splits <- function(cv) {
  if (!is.null(cv$splits)) return(cv$splits)
  if (is.null(cv$predictions) || identical(cv$resample$kind, "bootstrap")) return(cv$resample)
  lapply(split(cv$predictions$row, factor(cv$predictions$id, cv$results$id)), function(test) {
    list(train = setdiff(seq_len(cv$n), test), test = test)
  })
}

# ---- the page ------------------------------------------------------------------------------------

report_page <- function(facts, title) {
  title <- title %||% report_title(facts)
  sections <- list(
    section_data(facts), section_model(facts), section_importance(facts),
    section_performance(facts), section_calibration(facts), section_thresholds(facts),
    section_making(facts), section_use(facts)
  )
  sections <- Filter(Negate(is.null), sections)
  template <- readLines(system.file("report", "page.html", package = "multikernel"),
                        encoding = "UTF-8")
  fill_template(paste(template, collapse = "\n"), list(
    title = html_escape(title), subtitle = html_escape(report_subtitle(facts)),
    summary = report_summary(facts), cards = html_cards(report_cards(facts)),
    links = paste(vapply(sections, function(s) {
      paste0("<a href=\"#", s$id, "\">", html_escape(s$title), "</a>")
    }, ""), collapse = "\n"),
    sections = paste(vapply(sections, html_section, ""), collapse = "\n"),
    foot = html_escape(paste0(
      "Made by multikernel ", utils::packageVersion("multikernel"), " on ",
      format(Sys.time(), "%Y-%m-%d %H:%M"), "."
    ))
  ))
}

report_title <- function(facts) {
  what <- switch(facts$fit$task,
    classification = "Classification", regression = "Regression", one_class = "Novelty detection"
  )
  if (is.null(facts$response) || facts$response == "the response") return(paste(what, "model"))
  paste(what, "of", facts$response)
}

report_subtitle <- function(facts) {
  paste0(facts$fit$learner$label, ", ", describe_task(facts$fit))
}
