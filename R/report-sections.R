# Sections of report() on data, model and how it was made: one function each, which returns a
# section or NULL. Those on predictions are in report-sections-scores.R.

# Key figures at the top of the page.
report_cards <- function(facts) {
  fit <- facts$fit
  first <- facts$measures[1L, ]
  views <- view_names(fit)
  cards <- c(
    "Cases" = format(fit$n, big.mark = ","),
    "Classes" = if (length(fit$classes)) length(fit$classes),
    "Views" = if (length(views)) length(views),
    "Kernels" = if (length(fit$kernels)) sum(item_counts(fit$kernels))
  )
  c(cards, stats::setNames(format_interval(first), measure_label(first$metric)))
}

# Views as the user has them: not the columns of text or series of a data frame.
view_names <- function(fit) {
  if (inherits(fit$frame, "frame_mixed")) NULL else names(fit$frame$views)
}

# What the model does and how well, in two sentences.
report_summary <- function(facts) {
  fit <- facts$fit
  predicts <- switch(fit$task,
    classification = paste0(
      "The model predicts ", facts$response, " (", list_some(fit$classes, 6L), ")"
    ),
    regression = paste0("The model predicts ", facts$response, ", a number,"),
    one_class = "The model tells usual cases from unusual ones"
  )
  first <- facts$measures[1L, ]
  paste0(html_text(
    predicts, " from ", describe_predictors(facts), ". It was trained on ", plural(fit$n, "case"),
    ". On cases that were left out of training, ", measure_sentence(first), "."
  ))
}

describe_predictors <- function(facts) {
  frame <- facts$fit$frame
  views <- view_names(facts$fit)
  if (length(views)) return(paste0(plural(length(views), "view"), ": ", list_some(views, 6L)))
  if (!has_columns(frame)) return("kernel matrices")
  names <- variable_names(frame)
  count <- length(names) %||% 0L
  if (count == 0L) return(plural(ncol(facts$fit$train), "predictor"))
  paste0(plural(count, "predictor"), ": ", list_some(names, 6L))
}

section_data <- function(facts) {
  fit <- facts$fit
  dropped <- fit$n_input - fit$n
  new_section(
    "data", "Data",
    html_text(
      plural(fit$n, "case"), " were used for training",
      if (dropped) paste0("; ", dropped, " more were left out because values are missing"), "."
    ),
    view_table(facts), predictor_list(facts), response_table(facts)
  )
}

# Views with their type, size and number of cases.
view_table <- function(facts) {
  views <- view_names(facts$fit)
  if (length(views) == 0L || !is.null(facts$fit$frame$given)) return(NULL)
  data <- tryCatch(as_views(facts$data, "data", views), multikernel_error = function(e) NULL)
  if (is.null(data)) return(html_text("Views: ", list_some(views, 20L), "."))
  present <- attr(data, "present")[, views, drop = FALSE]
  counts <- colSums(present)
  table <- data.frame(
    View = views, Data = vapply(unclass(data)[views], describe_view, ""),
    "Cases with it" = paste0(counts, " (", percent(counts / nrow(present)), ")"),
    check.names = FALSE
  )
  complete <- sum(rowSums(present) == ncol(present))
  paste0(
    html_table(table, numbers = 3L),
    if (complete < nrow(present)) html_text(
      complete, " of ", nrow(present), " cases have all views. ",
      missing_words(facts$fit$frame$missing)
    )
  )
}

missing_words <- function(missing) {
  switch(missing %||% "available",
    available = "A view that a case lacks contributes nothing to its prediction.",
    impute = "A view that a case lacks is taken from the cases that are nearest in the others.",
    omit = "Cases that lack a view were left out."
  )
}

predictor_list <- function(facts) {
  frame <- facts$fit$frame
  if (length(view_names(facts$fit)) || !has_columns(frame)) return(NULL)
  names <- variable_names(frame)
  html_text(
    "Predictors: ", if (length(names)) list_some(names, 40L) else ncol(facts$fit$train), ".",
    if (!is.null(frame$center)) " Numeric ones were standardized."
  )
}

# Sizes of the classes, or the distribution of a number.
response_table <- function(facts) {
  truth <- facts$truth
  if (is.null(truth)) return(NULL)
  if (task_traits(facts$fit$task)$drawn == "numbers") {
    truth <- truth[!is.na(truth)]
    values <- c(stats::quantile(truth, c(0, 0.25, 0.5, 0.75, 1)), mean(truth), stats::sd(truth))
    names <- c("Minimum", "1st quartile", "Median", "3rd quartile", "Maximum", "Mean",
               "Standard deviation")
    return(paste0(
      "<h3>Response</h3>", html_list(stats::setNames(format_number(values), names))
    ))
  }
  counts <- table(factor(as.character(truth), facts$fit$classes))
  shown <- utils::head(counts, 40L)
  table <- data.frame(
    Class = names(shown), Cases = as.vector(shown), Share = percent(shown / sum(counts)),
    html_bars(as.vector(shown) / max(counts, 1))
  )
  names(table)[4L] <- ""
  paste0(
    "<h3>Response</h3>", html_table(table, numbers = 2:3, raw = 4L),
    if (length(counts) > 40L) html_text("... and ", length(counts) - 40L, " more classes.")
  )
}

section_model <- function(facts) {
  fit <- facts$fit
  good <- converged(fit)
  facts_of_fit <- c(
    "Method" = fit$learner$label, "Task" = describe_task(fit),
    "Settings" = format(fit$learner, fit$task),
    "Kernels" = if (length(fit$kernels)) sub("; mean.*", "", describe_kernels(fit)),
    "Support vectors" = if (length(fit$kernels)) describe_support(fit),
    "Solver" = if (length(fit$kernels)) describe_solver(fit)
  )
  new_section(
    "model", "Model", html_list(facts_of_fit),
    if (!all(good)) html_text(
      "The solver stopped before it reached its tolerance: results may change with more ",
      "iterations.",
      class = "warn"
    ),
    weight_figure(facts)
  )
}

weight_figure <- function(facts) {
  fit <- facts$fit
  if (sum(item_counts(fit$kernels)) < 2L) return(NULL)
  bars <- weight_bars(fit, 20L, "kernel")
  html_figure(
    gg_weights(fit, 20L, "kernel") + small_labels(12L), "weights", paste0(
      "Weights of the kernels in the decision function",
      if (length(fit$models) > 1L) ", means over the models of the classes",
      if (!is.null(bars$note)) paste0(". ", bars$note), "."
    ), height = 1 + 0.2 * max(length(bars$labels), 4)
  )
}

# How much each view or column counts.
section_importance <- function(facts) {
  fit <- facts$fit
  lost <- facts$importance
  weighted <- length(fit$kernels) > 0L && length(unique(kernel_groups(fit))) > 1L
  if (is.null(lost) && !weighted) return(NULL)
  views <- length(view_names(fit)) > 1L || is.null(lost)
  new_section(
    "importance", if (views) "Importance of the views" else "Importance of the predictors",
    if (weighted) html_text(
      "The weight of a ", if (views) "view" else "group of predictors", " is the sum over its ",
      "kernels. It says how the model combines them; those that hold the same information share ",
      "their weight."
    ),
    "<div class=\"pair\">", loss_figure(lost), if (weighted) view_weight_figure(fit, views),
    "</div>",
    if (is.character(lost)) html_text(
      "The loss without a ", if (views) "view" else "predictor", " could not be measured: ", lost,
      class = "warn"
    )
  )
}

view_weight_figure <- function(fit, views) {
  bars <- weight_bars(fit, 20L, "view")
  html_figure(
    gg_weights(fit, 20L, "view") + if (!views) ggplot2::labs(x = "weight"), "views",
    paste0("Weights of the ", if (views) "views" else "groups of predictors", "."),
    height = 1 + 0.3 * max(length(bars$labels), 3)
  )
}

# What resampled fits lose without each view, or with permuted columns.
loss_figure <- function(importance) {
  if (is.null(importance) || is.character(importance)) return(NULL)
  about <- attributes(importance)
  shown <- min(nrow(importance), 20L)
  dropped <- about$method == "drop"
  html_figure(
    autoplot(importance, limit = 20L) + small_labels(12L), "loss", paste0(
      "Loss of ", tolower_first(measure_label(about$metric)), if (dropped) {
        " when the model is fitted without the view"
      } else {
        " when the values of a predictor are permuted among the test cases"
      }, " (with all of them: ", format_measure(about$baseline), ").",
      if (shown < nrow(importance)) paste0(" The ", shown, " largest of ", nrow(importance), "."),
      " Lines: one standard error; a ", if (dropped) "view" else "predictor",
      " whose line reaches 0 may be of no use",
      if (dropped) " beside the others", "."
    ), height = 1 + (if (shown > 8L) 0.2 else 0.3) * max(shown, 3L)
  )
}

# How the model was made: what another person needs to make it again.
section_making <- function(facts) {
  fit <- facts$fit
  cv <- facts$cv
  call <- paste(deparse(fit$call, width.cutoff = 80L), collapse = "\n")
  # A call may hold data themselves.
  if (nchar(call) > 1500L) call <- paste0(substr(call, 1L, 1500L), " ...")
  new_section(
    "making", "How the model was made",
    html_list(c(
      "multikernel" = as.character(utils::packageVersion("multikernel")),
      "R" = paste0(R.version$major, ".", R.version$minor, ", ", R.version$platform),
      "ggplot2" = as.character(utils::packageVersion("ggplot2")),
      "Seed inside the fit" = format(fit$seed, scientific = FALSE),
      "Tolerance" = format_number(fit$control$tol),
      "Time of the fit" = if (!is.null(fit$seconds)) paste(format_number(fit$seconds, 3L), "s"),
      "Resampling" = paste0(format(cv$resample), ", ", plural(nrow(cv$results), "split")),
      "Resampled fits that converged" = paste(
        sum(cv$results$converged), "of", nrow(cv$results)
      )
    )),
    "<h3>Call</h3>", paste0("<pre>", html_escape(call), "</pre>")
  )
}

section_use <- function(facts) {
  fit <- facts$fit
  kept <- nrow(fit$train)
  new_section(
    "use", "Use, privacy and citation",
    html_text("In R, with the fit saved by saveRDS(fit, \"fit.rds\"):"),
    "<pre>library(multikernel)\nfit &lt;- readRDS(\"fit.rds\")\npredict(fit, new_data)</pre>",
    html_text(
      "The fitted model contains training data: ",
      if (length(precomputed_names(fit$kernels)) && ncol(fit$train) == 0L) {
        "the numbers of its support vectors, and the response."
      } else {
        paste0(
          plural(kept, "training case"), " of ", fit$n, " with all their predictors, the response ",
          "and the names of the cases."
        )
      },
      " butcher::butcher(fit) removes the response, the names of the cases, the fitted values and ",
      "the call. The predictors of the cases that predictions need remain: treat the file of the ",
      "model like the data.", class = "note"
    ),
    html_text(
      "This page holds summaries only",
      if (task_traits(fit$task)$drawn == "numbers") {
        ", and single cases as points of the plot of predictions"
      }, "."
    ),
    "<h3>Citation</h3>", report_citation(),
    html_text("citation(\"multikernel\") lists the papers of the methods.")
  )
}

# The entry of the package, without those of methods.
report_citation <- function() {
  paste(format(utils::citation("multikernel")[1L], style = "html"), collapse = "\n")
}

percent <- function(share) {
  ifelse(is.na(share), "-", paste0(sprintf("%.1f", 100 * as.vector(share)), " %"))
}
