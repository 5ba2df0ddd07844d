# The junction of all forms of data and all learners: frame in, fitted object out.

# Arguments come after `...`, so that a misspelt name is caught instead of being matched in
# part.
mkl_fit <- function(frame, call, ..., learner = NULL, kernels = NULL, normalize = NULL,
                    scale = TRUE, scale_response = TRUE, task = NULL,
                    multiclass = c("one_vs_one", "one_vs_rest"), class_weights = NULL,
                    weights = NULL, probability = FALSE, na.action = stats::na.omit, # nolint
                    new_levels = c("error", "missing"), control = mkl_control()) {
  check_dots(..., .learner = choose_learner(learner))
  started <- proc.time()[["elapsed"]]
  learner <- choose_learner(learner, kernels, frame$kernels)
  prepared <- prepare_fit(
    frame, learner, kernels = kernels, normalize = normalize, scale = scale,
    scale_response = scale_response, task = task, multiclass = multiclass,
    class_weights = class_weights, weights = weights, probability = probability,
    na.action = na.action, new_levels = new_levels, control = control
  )
  fit <- fit_prepared(prepared, list(learner), call)[[1L]]
  fit$seconds <- proc.time()[["elapsed"]] - started
  report_problems(fit)
  fit
}

# Everything before the core is called, with what is estimated from the training rows: scaling,
# width rules, weights of classes. Learners that differ in their parameters alone share it. `part`:
# positions of the training rows, one may come several times; NULL for all.
prepare_fit <- function(frame, learner, kernels, normalize, scale, scale_response, task, multiclass,
                        class_weights, weights, probability, na.action, new_levels, # nolint
                        control, part = NULL) {
  control <- check_control(control)
  frame$blueprint$new_levels <- check_new_levels(new_levels)
  multiclass <- check_choice(multiclass, "multiclass", c("one_vs_one", "one_vs_rest"))
  normalize <- check_normalize(normalize)
  scale <- check_flag(scale, "scale")
  scale_response <- check_flag(scale_response, "scale_response")
  parts <- split_labels(choose_kernels(kernels, frame, learner, scale))
  kernels <- parts$kernels
  learner <- label_learner(learner, parts$beta)
  normalize <- normalize %||% learner$normalize
  n_input <- input_rows(frame, kernels)
  action <- check_na_action(na.action)

  rows <- usable_rows(frame, n_input, action)
  if (!is.null(part)) rows <- part[part %in% rows]
  response <- encode_response(frame$y[rows], task, response_name(frame))
  check_task(response$task, learner)
  truth <- if (response$task != "one_class") response$y # in the units of the user
  probability <- check_probability(probability, response$task)
  costs <- cost_weights(weights, class_weights, response, rows, n_input)
  if (scale_response) {
    response <- standardize_response(response, costs, response_name(frame), control$tol)
  }

  x <- if (is_all(rows, n_input)) frame$x else frame$x[rows, , drop = FALSE]
  scaled <- if (scale && ncol(x)) fit_scaling(x, frame$blueprint$indicator) else list(x = x)
  list(
    frame = frame, x = scaled$x, scaling = scaled$scaling, rows = rows, n_input = n_input,
    action = action, response = response, truth = truth, costs = costs, multiclass = multiclass,
    probability = probability, control = control, kernels = kernels, beta = parts$beta,
    items = resolve_kernels(kernels, scaled$x, frame, normalize, rows, n_input)
  )
}

is_all <- function(rows, n) length(rows) == n && identical(as.integer(rows), seq_len(n))

# The fits of several learners of one kind; they share what the core computes of the kernels.
fit_prepared <- function(prepared, learners, call = NULL) {
  x <- prepared$x
  response <- prepared$response
  learners <- lapply(learners, label_learner, prepared$beta)
  items <- lapply(learners, function(learner) {
    learner_items(learner, prepared$items, x, prepared$control)
  })
  parameters <- Map(function(learner, items) {
    learner_core(learner, items, list(
      x = x, frame = prepared$frame, response = response, costs = prepared$costs
    ))
  }, learners, items)
  random <- prepared$probability || any(vapply(learners, function(l) l$stochastic, NA))
  seed <- if (random) sample.int(.Machine$integer.max, 1L) else 1
  problem <- list(
    n = length(prepared$rows), task = response$task, y = as.double(response$y),
    classes = length(response$classes), weights = prepared$costs,
    multiclass = prepared$multiclass, probability = prepared$probability
  )
  problem$balance <- attr(prepared$costs, "balance")
  control <- core_control(prepared$control, seed)
  results <- vector("list", length(learners))
  for (same in split_identical(items)) {
    run <- function(control) if (length(same) == 1L) {
      list(fit_core(learners[[same]], x, problem, items[[same]], parameters[[same]], control))
    } else {
      fit_many(learners[same], x, problem, items[[same[1L]]], parameters[same], control)
    }
    results[same] <- with_core(
      with_estimate(learners[same], x, problem, items[[same[1L]]], control, run)
    )
  }
  Map(function(result, learner, items) {
    seal_fit(new_mkl(
      result, call = call, learner = learner, response = response, items = items, x = x,
      frame = c(prepared$frame$blueprint, prepared$scaling), rows = prepared$rows,
      n_input = prepared$n_input, action = prepared$action, multiclass = prepared$multiclass,
      probability = prepared$probability, control = prepared$control, seed = seed,
      y = prepared$truth, cases = prepared$frame$cases
    ))
  }, results, learners, items)
}

# Positions of identical elements, group after group.
split_identical <- function(x) {
  groups <- list()
  for (i in seq_along(x)) {
    same <- which(vapply(groups, function(g) identical(x[[g[1L]]], x[[i]]), NA))
    if (length(same)) groups[[same]] <- c(groups[[same]], i) else groups <- c(groups, list(i))
  }
  groups
}

new_mkl <- function(result, call, learner, response, items, x, frame, rows, n_input, action,
                    multiclass, probability, control, seed, y, cases) {
  kept <- result$kept
  structure(
    class = c(
      paste0("mkl_", learner$name), if (is_feature_learner(learner)) "mkl_features", "mkl"
    ),
    list(
      call = call, learner = learner, task = response$task, levels = response$levels,
      classes = response$classes, ordered = response$ordered,
      multiclass = result$multiclass %||% multiclass,
      probability = result$probability %||% probability,
      kernels = strip_kernels(items, kept), normalizers = result$normalizers,
      models = result$models, train = x[kept, , drop = FALSE], kept = kept,
      rows = if (is_all(rows, n_input)) NULL else rows, n = length(rows),
      n_input = n_input, na_action = action, frame = frame,
      decision = unscale_response(result$decision, response$scaling),
      response_scaling = response$scaling,
      control = control, seed = seed, cases = cases,
      y = if (response$task == "classification") as.integer(y) else y
    )
  )
}

choose_kernels <- function(kernels, frame, learner, scale) {
  if (!is.null(kernels)) kernels <- check_kernels(kernels)
  if (is_feature_learner(learner)) return(no_kernels(frame, learner))
  if (!is.null(frame$kernels) && length(frame$plain) && is.null(kernels)) {
    stop_mkl(
      "formula_error", "formula", "The formula mixes plain terms (", tick_all(frame$plain),
      ") with kernel terms. Write the plain ones as kernels too, for instance linear(",
      frame$plain[1L], "), or say by `kernels =` which kernels they get."
    )
  }
  if (!is.null(kernels) && !is.null(frame$kernels)) return(c(kernels, frame$kernels))
  kernels <- kernels %||% frame$kernels
  if (!is.null(kernels)) return(kernels)
  if (ncol(frame$x) == 0L) stop_no_columns()
  frame_kernels(learner, frame, scale)
}

# Rows of the data: of the columns, else of the response, else of the kernel matrices.
input_rows <- function(frame, kernels) {
  n <- nrow(frame$x)
  if (ncol(frame$x) == 0L) {
    sizes <- unlist(lapply(unclass(kernels), function(item) nrow(item$matrix)))
    if (is.null(frame$y)) n <- sizes[1L] %||% n
    if (length(sizes) == 0L) stop_no_columns()
  }
  if (n == 0L) stop_mkl("data_error", data_name(frame), "`", data_name(frame), "` has no rows.")
  n
}

stop_no_columns <- function() {
  stop_mkl("data_error", "x", "`x` must have at least one column, not 0.")
}

data_name <- function(frame) if (frame$blueprint$type == "formula") "data" else "x"

response_name <- function(frame) if (frame$blueprint$type == "formula") "response" else "y"

check_na_action <- function(action) {
  known <- list(omit = stats::na.omit, fail = stats::na.fail, exclude = stats::na.exclude)
  if (is.character(action) && length(action) == 1L) action <- sub("^na[.]", "", action)
  for (name in names(known)) {
    if (identical(action, name) || identical(action, known[[name]])) return(name)
  }
  stop_must("na.action", "na.omit, na.fail or na.exclude", action)
}

usable_rows <- function(frame, n, action) {
  complete <- if (ncol(frame$x)) complete_rows(frame$x, data_name(frame)) else rep(TRUE, n)
  if (!is.null(frame$y) && anyNA(frame$y)) {
    missing <- as.vector(is.na(frame$y))
    if (action == "fail") {
      stop_mkl(
        "response_error", response_name(frame), "`", response_name(frame),
        "` has a missing value in row ", which(missing)[1L], "."
      )
    }
    complete <- complete & !missing
  }
  if (all(complete)) return(seq_len(n))
  if (action == "fail") stop_missing(frame$x, complete, data_name(frame))
  if (!any(complete)) {
    stop_mkl(
      "data_error", data_name(frame), "`", data_name(frame), "` has no row without a missing ",
      "value in a column or in the response."
    )
  }
  which(complete)
}

check_task <- function(task, learner) {
  if (inherits(learner, "mkl_learner_labelled") && task != "classification") {
    stop_mkl(
      "argument_error", "kernels", "Label-based kernels need classes as the response, but the ",
      "task is \"", task, "\"."
    )
  }
  if (!task %in% learner$tasks) {
    stop_mkl(
      "argument_error", "learner", constructor_name(learner), "() cannot do the task \"", task,
      "\", only ", quote_all(learner$tasks), "."
    )
  }
}

check_probability <- function(probability, task) {
  probability <- check_flag(probability, "probability")
  if (probability && task != "classification") {
    stop_mkl(
      "argument_error", "probability", "`probability` is for classification, but the task is \"",
      task, "\"."
    )
  }
  probability
}

# Warnings about what the core reports: one for all models of a fit.
report_problems <- function(fit) {
  reports <- lapply(fit$models, function(model) model$report)
  names <- model_names(fit) %||% ""
  overlapping <- vapply(reports, function(r) isTRUE(r$overlap), NA)
  if (any(overlapping)) warn_overlap(fit, names, which(overlapping))
  stalled <- which(!vapply(reports, function(r) isTRUE(r$converged), NA) & !overlapping)
  if (length(stalled)) {
    warn_not_converged(reports[stalled], in_models(names, stalled), fit, names[stalled])
  }
  indefinite <- which(vapply(reports, function(r) isTRUE(r$indefinite), NA))
  if (length(indefinite)) {
    warn_mkl(
      "indefinite", "The kernel is not positive semi-definite", in_models(names, indefinite),
      ": the solution is a stationary point and may not be the optimum. ",
      "Check the kernel matrices or choose other parameters.",
      data = list(models = names[indefinite])
    )
  }
}

warn_not_converged <- function(reports, where, fit, models) {
  rule <- stopping_rule(fit$learner, fit$control)
  reached <- vapply(reports, function(r) r[[rule$measure]], 0)
  report <- reports[[which.max(reached)]]
  limit <- paste0("`", rule$name, "` = ", format_number(rule$target), rule$unit)
  # The rule of the learner is met: its machines inside have not reached what they were asked for,
  # which is at times less than `tol`.
  inside <- rule$name != "tol" && isTRUE(max(reached) <= rule$target)
  cause <- if (inside) {
    paste0("The machines inside of the learner stopped before they were as exact as it needs",
           where, ", though ", limit, " is met. Raise `max_iter` in mkl_control()")
  } else {
    paste0("The solver stopped before it reached ", limit, where, ": after ",
           plural(report$iterations, "iteration"), " the ", rule$words, " is ",
           format_number(report[[rule$measure]]), ". Raise ", rule$remedy)
  }
  warn_mkl("not_converged", cause, ", or lower the cost or scale the kernels.",
           data = list(models = models))
}

# KOMD and EasyMKL look for the nearest points of the classes, which coincide if these overlap.
warn_overlap <- function(fit, names, which) {
  warn_mkl(
    "not_converged", "The classes overlap", in_models(names, which), ": with `lambda` = ",
    format_number(fit$learner$parameters$lambda), " their distance under the kernel is not larger ",
    "than its numerical error, so that decision values and kernel weights are noise. Raise ",
    "`lambda`, for instance to 0.1, or use a kernel that separates the classes.",
    data = list(models = names[which])
  )
}

in_models <- function(names, which) {
  if (length(names) == 1L) return("")
  paste0(" in ", quote_all(names[which], 4L))
}
