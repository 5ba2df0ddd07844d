#' Benchmark learners on several data sets
#'
#' Evaluates several learners on several data sets by resampling, with the same splits for all
#' learners. With a `directory` results are stored as soon as they are computed, and a second call
#' continues where the first one stopped, after an interrupt or a crash, or to add learners, data
#' sets and measures.
#'
#' @details
#' A cell is one data set, one learner and one split: the learner is fitted to the training rows,
#' with scaling, width rules and normalizers estimated from these rows only, and evaluated on the
#' test rows,
#' \deqn{m_{dls} = \mathrm{metric}(y_{\mathrm{test}},\ f_{dls}(x_{\mathrm{test}})).}{
#'   m[d, l, s] = metric(y_test, f[d, l, s](x_test)).}
#' All learners use the same splits of a data set, so that paired tests of differences are
#' possible, see [compare_learners()].
#'
#' # Stored cells
#' The key of a cell is a hash of everything that its result depends on: data, formula, learner,
#' arguments, rows, seed, the version of this package, the options `contrasts` and `na.action`,
#' and everything that user-defined functions and formulas depend on. The hash of a function
#' includes its code, its default arguments and the values and functions that it uses from its
#' environments and from the workspace, at any depth, including environments, options and
#' environment variables that it reads by name, and S4, R6 and reference objects. Functions of
#' other packages are represented by the version of the package. If any of these changes, the cell
#' is computed again; if it is changed back, the previous result is used. Names of data sets and
#' learners, formatting of code, threads and locale are not part of the key.
#'
#' Cells whose dependencies cannot be determined are computed in every call and not stored, with
#' one warning. These are cells with functions that look up values by computed names (`get()`,
#' `eval()`), read files or connections, call user-defined compiled code or contain external
#' pointers. State that a function changes while it runs, and the time of day, are not detected.
#'
#' Predictions are stored, not just measures, so that other `metrics` can be computed later
#' without a new fit (unless they need probabilities and the first ones did not, or a learner is
#' tuned by the first of them). An error in a cell is recorded in the results and other cells are
#' not affected; `retry = TRUE` repeats cells that ended with an error. Several processes may work
#' on the same directory.
#'
#' Each file is an RDS file with a checksum, which is verified before the content is read. Files
#' that are damaged or of another type are computed again with one warning of class
#' `multikernel_damaged_file`. If cells cannot be stored, because the disk is full or the
#' directory was deleted or is read-only, there is one warning of class `multikernel_unstored`,
#' the computation continues in memory, and all results are returned. Directories of version 0.1.0
#' keep their seed; their cells are computed again.
#'
#' # Parallel processing
#' Cells are distributed according to [future::plan()]. A worker stores its cells itself if it can
#' write to `directory`; otherwise they are stored when its results arrive.
#'
#' # Choosing the plan
#' [resample_5x2()] for tests on each data set; repeated [resample_cv()] or [resample_holdout()]
#' with the corrected t test for small data sets; any plan if only means over many data sets are
#' compared.
#'
#' # Random numbers
#' Splits and fits have separate seeds derived from `seed`. By default it is drawn from R's random
#' number generator, so that [set.seed()] makes results reproducible; a directory keeps the seed
#' of its first run. Results do not depend on the order of cells, the plan, interrupts, the
#' locale, or whether they are stored.
#'
#' @param tasks Models for the data sets: a named list of formulas, one for each data set, or one
#'   formula for all of them. For data without a formula: a named list of `list(x = , y = )`, in
#'   the forms of [mkl()].
#' @param data Data sets: a named list of data frames (or one data frame).
#' @param learners Learners to be compared: a list of learners, or of their names, such as
#'   `c("svm", "easymkl")`. An element may also be a list of a learner and arguments of [mkl()]
#'   for it, for instance `list(learner_lmkl(), kernels = kernel_linear())`. With arguments of
#'   [tune_mkl()] such as `grid` and `folds` its parameters are chosen within each training part:
#'   `list(learner_svm(), grid = list(cost = 10^(-1:3)), folds = 5)`. The names of the list are
#'   used in all results; without names those of the learners are used.
#' @param resamples A plan such as [resample_cv()], or a list of them named by data set. `NULL`:
#'   [resample_5x2()], or `resample_cv(folds, repeats)` if `folds` is given.
#' @param folds,repeats Numbers of folds and repeats of a cross-validation, instead of `resamples`.
#' @param metrics Performance measures, see [mkl_metrics()].
#' @param directory Directory in which results are stored; `NULL` (default) to store nothing.
#' @param ... Arguments of [mkl()] for all learners, such as `kernels`, `scale` or `control`.
#' @param task Type of problem, as in [mkl()], for all learners.
#' @param retry `TRUE` to repeat stored cells that ended with an error.
#' @param seed Seed of splits and fits: a whole number, or `NULL` (default), see below.
#' @param predictions `TRUE` to keep the predictions of all cells, for
#'   [`augment()`][augment-results].
#' @return An object of class `mkl_benchmark`, a list with
#' * `results`: a data frame with a row for each cell: `data`, `learner`, `id`, `repeat`, `fold`, a
#'   column for each measure, `failure` (`NA` or the message of the error), `warning`, and `chosen`
#'   (parameters that a tuning chose) if any learner was tuned;
#' * `summary`: a data frame with `data`, `learner`, `metric`, `mean`, `sd`, `n` and `failures`;
#' * `metrics`, `learners`, `resamples`, `sizes` (mean numbers of training and test rows, kind of
#'   plan), `seed`, `directory` and `unstored` (number of cells that are not in the directory);
#' * `predictions`, if asked for: a list with a data frame for each row of `results`.
#' @references
#' Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. *Journal of
#' Machine Learning Research* 7, 1-30.
#' @family comparisons
#' @examples
#' two <- droplevels(iris[51:150, ])
#' set.seed(1)
#' bm <- benchmark_mkl(
#'   list(flowers = Species ~ ., cars = factor(am) ~ mpg + wt + hp),
#'   data = list(flowers = two, cars = mtcars),
#'   learners = list(svm = learner_svm(), average = learner_average(),
#'                   line = list(learner_svm(), kernels = kernel_linear())),
#'   resamples = resample_5x2(), metrics = "accuracy"
#' )
#' bm
#' head(bm$results)
#' @export
benchmark_mkl <- function(tasks, data = NULL, learners, resamples = NULL, metrics = NULL,
                          directory = NULL, ..., folds = NULL, repeats = 1, task = NULL,
                          retry = FALSE, seed = NULL, predictions = FALSE) {
  check_exact()
  resamples <- benchmark_resamples(resamples, folds, repeats, !missing(repeats))
  # `task` has a place of its own: R would take it for `tasks`.
  common <- c(list(...), if (!is.null(task)) list(task = task))
  predictions <- check_flag(predictions, "predictions")
  retry <- check_flag(retry, "retry")
  if (!is.null(seed)) {
    seed <- as.integer(check_number(seed, "seed", 0, .Machine$integer.max, whole = TRUE))
  }
  drawn <- draw_seeds(1L) # also when a stored one is used: the generator moves on in any case
  entries <- check_entries(learners, common)
  tasks <- check_tasks(tasks, data, asked_levels(common))
  tasks <- lapply(tasks, add_response, common)
  plans <- check_plans(resamples, names(tasks))
  metrics <- benchmark_metrics(metrics, tasks)
  store <- open_store(directory, seed, drawn)
  seed <- store$seed %||% seed %||% drawn
  tasks <- Map(add_splits, tasks, names(tasks), plans, seed, !is.null(store))
  cells <- benchmark_cells(tasks, entries, metrics, seed, !is.null(store))
  cells <- find_files(cells, store)
  warn_unknown(cells)
  done <- map_tasks(
    cells, run_cell, problems = tasks, entries = entries, store = store, retry = retry,
    seed = FALSE, label = "Benchmark"
  )
  if (!is.null(store)) done <- Map(keep_cell, done, cells, list(store))
  out <- new_benchmark(cells, done, tasks, entries, plans, metrics, seed, store$path)
  out$unstored <- report_store(done, cells, store)
  if (predictions) out$predictions <- cell_predictions(cells, done, tasks)
  out
}

# ---- results -------------------------------------------------------------------------------------

new_benchmark <- function(cells, done, tasks, entries, plans, metrics, seed, directory) {
  take <- function(what) vapply(cells, function(cell) cell[[what]], "")
  splits <- lapply(cells, function(cell) tasks[[cell$data]]$splits[[cell$split]])
  values <- do.call(rbind, lapply(done, function(value) value$metrics))
  results <- data.frame(
    data = take("data"), learner = take("learner"), split_columns(splits), values,
    failure = vapply(done, function(value) value$error, ""),
    warning = vapply(done, function(value) value$warning, ""), check.names = FALSE
  )
  chosen <- vapply(done, function(value) value$chosen, "")
  if (!all(is.na(chosen))) results$chosen <- chosen
  structure(
    class = "mkl_benchmark",
    list(
      results = results, summary = summarise_cells(results, names(metrics)), metrics = metrics,
      learners = lapply(entries, function(entry) entry$learner),
      resamples = vapply(plans, format, ""), sizes = split_sizes(tasks, plans), seed = seed,
      directory = directory
    )
  )
}

# A table for each cell, NULL for those that failed.
cell_predictions <- function(cells, done, tasks) {
  Map(function(cell, value) {
    if (is.null(value$prediction)) return(NULL)
    task <- tasks[[cell$data]]
    split <- task$splits[[cell$split]]
    prediction_table(split, test_truth(task$kind, task$y, split), value$prediction)
  }, cells, done)
}

# `kind` tells compare_learners() which tests a plan allows.
split_sizes <- function(tasks, plans) {
  mean_of <- function(part) {
    vapply(tasks, function(task) mean(lengths(lapply(task$splits, `[[`, part))), 0)
  }
  data.frame(
    data = names(tasks), rows = vapply(tasks, function(task) as.double(task$n), 0),
    train = mean_of("train"), test = mean_of("test"),
    kind = vapply(plans, function(plan) plan$kind, ""), row.names = NULL
  )
}

summarise_cells <- function(results, metrics) {
  groups <- unique(results[c("data", "learner")])
  rows <- lapply(seq_len(nrow(groups)), function(i) {
    cells <- results[results$data == groups$data[i] & results$learner == groups$learner[i], ]
    data.frame(
      data = groups$data[i], learner = groups$learner[i],
      summary_table(cells, metrics)[c("metric", "mean", "sd", "n")],
      failures = sum(!is.na(cells$failure))
    )
  })
  stack_tables(rows)
}

mean_or_na <- function(x) if (all(is.na(x))) NA_real_ else mean(x, na.rm = TRUE)

# Matrix of data sets x learners of one column of the summary, in the order of the benchmark.
benchmark_table <- function(x, metric, column = "mean") {
  part <- x$summary[x$summary$metric == metric, ]
  data <- unique(part$data)
  learner <- unique(part$learner)
  out <- matrix(NA_real_, length(data), length(learner), dimnames = list(data, learner))
  out[cbind(match(part$data, data), match(part$learner, learner))] <- part[[column]]
  out
}

check_metric <- function(metric, x) {
  if (is.null(metric)) names(x$metrics)[1L] else check_choice(metric, "metric", names(x$metrics))
}

#' @export
print.mkl_benchmark <- function(x, digits = 3L, ...) {
  results <- x$results
  cat(
    "<mkl_benchmark> ", plural(nrow(x$sizes), "data set"), " x ",
    plural(length(x$learners), "learner"), "; ", plural(nrow(results), "cell"), "\n", sep = ""
  )
  plans <- unique(unname(x$resamples))
  cat("Resampling: ", if (length(plans) == 1L) plans else "a plan for each data set", "\n",
      sep = "")
  if (!is.null(x$directory)) {
    lost <- if (isTRUE(x$unstored > 0)) paste0(", except ", plural(x$unstored, "cell"))
    cat("Stored in:  ", x$directory, lost, "\n", sep = "")
  }
  for (metric in names(x$metrics)) {
    better <- if (x$metrics[[metric]]$larger) "larger" else "smaller"
    cat("\n", metric, " (", better, " is better), mean and standard deviation:\n", sep = "")
    mean <- benchmark_table(x, metric)
    sd <- benchmark_table(x, metric, "sd")
    cells <- paste0(
      fixed_digits(mean, digits), ifelse(is.na(sd), "", paste0(" (", fixed_digits(sd, digits), ")"))
    )
    cells <- matrix(cells, nrow(mean), dimnames = dimnames(mean))
    # Many learners on few data sets read better down the page.
    if (ncol(cells) > max(4L, nrow(cells))) cells <- t(cells)
    print(noquote(cells), right = TRUE)
  }
  failed <- sum(!is.na(results$failure))
  if (failed) {
    first <- results[!is.na(results$failure), ][1L, ]
    cat(
      "\n", plural(failed, "cell"), " ended with an error; the first one, ", first$learner, " on ",
      first$data, ": ", first$failure, "\n", sep = ""
    )
  }
  warned <- sum(!is.na(results$warning))
  if (warned) cat("\n", plural(warned, "cell"), " gave warnings, see $results$warning.\n", sep = "")
  invisible(x)
}

fixed_digits <- function(x, digits) {
  out <- formatC(x, digits = digits, format = "f", decimal.mark = ".")
  out[is.na(x)] <- "-"
  trimws(out)
}
