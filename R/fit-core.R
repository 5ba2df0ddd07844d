# The junction of all forms of data and all learners: frame in, fitted object out.

# `frame`: see R/frame.R; `settings`: see R/fit-settings.R.
mkl_fit <- function(frame, settings, call) {
  force(settings)
  started <- proc.time()[["elapsed"]]
  learner <- frame_learner(settings$learner, settings$kernels, frame)
  fit <- fit_prepared(prepare_fit(frame, learner, settings), list(learner), call)[[1L]]
  fit$seconds <- proc.time()[["elapsed"]] - started
  report_problems(fit)
  fit
}

# Everything before the core is called, with what is estimated from the training rows: scaling,
# width rules, weights of classes. Learners that differ in their parameters alone share it. `part`:
# positions of the training rows, one may come several times; NULL for all. `known`: the result for
# other kernels, whose columns and response are taken over if they are the same.
prepare_fit <- function(frame, learner, settings, part = NULL, known = NULL) {
  frame$blueprint$new_levels <- settings$new_levels
  chosen <- frame_kernels(frame, learner, settings)
  kernels <- chosen$kernels
  frame <- settle_frame(chosen$frame, kernels, is_feature_learner(learner))
  if (is_view_features(frame$x)) frame <- settle_scale(frame, kernels)
  frame <- open_levels(settle_raw(frame, kernels, settings$scale), kernels)
  labelled <- any(is_label_based(unclass(kernels)))
  if (labelled) check_label_learner(learner)
  key <- list(
    frame = frame, part = part, labelled = labelled, n_input = input_rows(frame, kernels),
    tasks = learner$tasks, name = learner$name,
    settings = settings[setdiff(names(settings), c("kernels", "normalize", "learner"))]
  )
  base <- known$base
  if (is.null(base) || !identical(base$key, key)) base <- prepare_rows(key, learner, settings)
  normalize <- settings$normalize %||% (if (labelled) "trace" else learner$normalize)
  items <- resolve_kernels(
    kernels, base$x, base$frame, normalize, base$rows, base$n_input, labels = TRUE
  )
  check_approximable(settings$approximate, learner, items)
  c(base$target, base[c("frame", "x", "rows", "n_input")], list(
    settings = settings, kernels = kernels, items = items, base = base
  ))
}

# What does not depend on the kernels: the training rows, their response and their columns. `key`:
# all that it depends on.
prepare_rows <- function(key, learner, settings) {
  frame <- key$frame
  rows <- usable_rows(frame, key$n_input, settings$na.action)
  if (!is.null(key$part)) rows <- key$part[key$part %in% rows]
  target <- prepare_response(frame, learner, settings, rows, key$n_input, key$labelled)
  scaled <- training_columns(frame, if (!is_all(rows, key$n_input)) rows, settings$scale)
  frame$x <- NULL # it may have been standardized in place
  frame$blueprint[names(scaled$scaling)] <- scaled$scaling
  list(
    key = key, frame = frame, x = scaled$x, rows = rows, n_input = key$n_input, target = target
  )
}

# list(response: for the core, truth: in the units of the user, costs: of the rows).
prepare_response <- function(frame, learner, settings, rows, n_input, labelled) {
  name <- response_name(frame$blueprint)
  response <- encode_response(frame$y[rows], settings$task, name)
  check_task(response$task, learner, labelled)
  truth <- if (task_traits(response$task)$response) response$y
  check_probability(settings$probability, response$task)
  weights <- settings$weights
  if (goes_by_case(frame$blueprint)) {
    weights <- match_response(weights, frame$cases, "weights", "argument_error")
  }
  costs <- cost_weights(weights, settings$class_weights, response, rows, n_input)
  if (settings$scale_response) {
    response <- standardize_response(response, costs, name, settings$control$tol)
  }
  list(response = response, truth = truth, costs = costs)
}

# The fits of several learners of one kind; they share what the core computes of the kernels.
fit_prepared <- function(prepared, learners, call = NULL) {
  x <- prepared$x
  problem <- core_problem(prepared)
  made <- core_call(prepared, learners, problem)
  results <- vector("list", length(learners))
  for (same in split_identical(made$items)) {
    items <- made$items[[same[1L]]]
    run <- function(control) {
      fit_core(learners[same], x, problem, items, made$parameters[same], control)
    }
    results[same] <- with_estimate(learners[same], x, problem, items, made$control, run)
  }
  Map(function(result, learner, items) {
    seal_fit(new_mkl(result, prepared, learner, items, made$control$seed, call))
  }, results, learners, made$items)
}

# What the core is told of the response.
core_problem <- function(prepared) {
  response <- prepared$response
  settings <- prepared$settings
  problem <- list(
    task = response$task, y = as.double(response$y),
    classes = as.double(length(response$classes)), weights = prepared$costs,
    multiclass = settings$multiclass, probability = settings$probability
  )
  problem$approximate <- core_approximation(
    settings$approximate, prepared$rows, prepared$n_input
  )
  problem$balance <- attr(prepared$costs, "balance")
  problem
}

# Of each learner its items and the parameters of the core; and the control of the call.
core_call <- function(prepared, learners, problem) {
  settings <- prepared$settings
  items <- lapply(learners, function(learner) {
    with_distances(learner_items(learner, prepared$items), prepared$x, settings$control)
  })
  parameters <- Map(function(learner, items) {
    check_use(learner, items, prepared$costs)
    learner_core(learner, items, list(
      x = prepared$x, frame = prepared$frame, response = prepared$response,
      costs = prepared$costs
    ))
  }, learners, items)
  random <- settings$probability || !is.null(problem$approximate) ||
    any(vapply(learners, function(l) l$stochastic, NA))
  seed <- if (random) draw_seeds(1L) else 1
  list(items = items, parameters = parameters, control = core_control(settings$control, seed))
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

# `result`: what the core gave for a learner and its items.
new_mkl <- function(result, prepared, learner, items, seed, call) {
  x <- prepared$x
  kept <- result$kept
  response <- prepared$response
  settings <- prepared$settings
  kinds <- c(learner$name, learner$like)
  if (any(is_label_based(items)) && !"lbmkl" %in% kinds) {
    kinds <- "lbmkl"
    learner$label <- paste(learner$label, "on label-based kernels")
  }
  fit <- structure(
    class = fit_class(kinds),
    list(
      call = call, learner = stored_learner(learner), task = response$task,
      levels = response$levels, classes = response$classes, ordered = response$ordered,
      multiclass = result$multiclass %||% settings$multiclass,
      probability = result$probability %||% settings$probability,
      kernels = strip_kernels(items, kept), normalizers = result$normalizers,
      models = result$models, train = if (is_all(kept, nrow(x))) x else x[kept, , drop = FALSE],
      kept = kept, rows = if (!is_all(prepared$rows, prepared$n_input)) prepared$rows,
      n = length(prepared$rows), n_input = prepared$n_input, na_action = settings$na.action,
      frame = prepared$frame$blueprint,
      decision = unscale_response(result$decision, response$scaling),
      response_scaling = response$scaling, control = settings$control, seed = seed,
      cases = prepared$frame$cases,
      y = if (is.null(response$classes)) prepared$truth else as.integer(prepared$truth)
    )
  )
  fit$approximation <- fitted_approximation(settings$approximate, result, items)
  fit
}

# `kinds`: the learner, and those that it is like.
fit_class <- function(kinds) c(paste0("mkl_", kinds), "mkl")

# Those that are given and those that are terms of a formula; NULL for none.
all_kernels <- function(kernels, frame) {
  if (is.null(kernels) || is.null(frame$kernels)) return(kernels %||% frame$kernels)
  c(kernels, frame$kernels)
}

choose_kernels <- function(kernels, frame, learner, scale) {
  if (is_feature_learner(learner)) return(no_kernels(frame, learner))
  if (!is.null(frame$kernels) && length(frame$plain) && is.null(kernels)) {
    stop_mkl(
      "formula_error", "formula", "The formula mixes plain terms (", tick_all(frame$plain),
      ") with kernel terms. Write the plain ones as kernels too, for instance linear(",
      frame$plain[1L], "), or say by `kernels =` which kernels they get."
    )
  }
  kernels <- all_kernels(kernels, frame)
  if (is_view_features(frame$x) && !isTRUE(frame$blueprint$flat)) {
    return(view_kernels(kernels, frame, learner, scale))
  }
  if (!is.null(kernels)) return(kernels)
  if (ncol(frame$x) == 0L) stop_no_columns()
  if (is_raw(frame$x)) return(default_raw_kernel(frame$x$type))
  variables <- frame$features %||% names(frame$variables) %||% seq_len(ncol(frame$x))
  learner$kernels(ncol(frame$x), scale, variables)
}

# list(frame, kernels): settled for a learner, without the kernel or the view in `settings$drop`,
# list(by, name), if there is one. Kernels of the user may name a view that is dropped, and go with
# it; defaults, and kernels on the columns of all views, are those of the views that are left.
frame_kernels <- function(frame, learner, settings) {
  drop <- settings$drop
  view <- if (identical(drop$by, "view")) drop$name
  free <- is.null(settings$kernels) && is.null(frame$kernels)
  settled <- settle_views(frame, settings, learner)
  early <- !is.null(view) && (free || isTRUE(settled$blueprint$flat))
  if (early) settled <- settle_views(without_view(frame, view), settings, learner)
  kernels <- choose_kernels(settings$kernels, settled, learner, settings$scale)
  # Before kernels are dropped: their views still count.
  settled <- drop_unseen(settled, kernels)
  if (!is.null(drop) && !early) kernels <- drop_kernels(kernels, drop)
  if (!is.null(view) && !early) settled <- without_view(settled, view)
  list(frame = settled, kernels = kernels)
}

# Without one kernel, or without those that see one view: `drop` is list(by, name).
drop_kernels <- function(kernels, drop) {
  if (drop$by == "kernel") return(kernels[which(names(kernels) != drop$name)])
  seen <- rep(lapply(unclass(kernels), item_views), item_counts(unclass(kernels)))
  kernels[which(!vapply(seen, function(views) drop$name %in% views, NA))]
}

# Rows of the data: of the columns, else of the response, else of the kernel matrices.
input_rows <- function(frame, kernels) {
  n <- nrow(frame$x)
  if (ncol(frame$x) == 0L) {
    sizes <- unlist(lapply(unclass(kernels), function(item) nrow(item$matrix)))
    if (is.null(frame$y)) n <- sizes[1L] %||% n
    if (length(sizes) == 0L) stop_no_columns()
  }
  name <- data_name(frame$blueprint)
  if (n == 0L) stop_mkl("data_error", name, "`", name, "` has no rows.")
  n
}

stop_no_columns <- function() {
  stop_mkl("data_error", "x", "`x` must have at least one column, not 0.")
}

usable_rows <- function(frame, n, action) {
  name <- data_name(frame$blueprint)
  label <- row_labels(frame$cases, row_unit(frame$x))
  complete <- if (ncol(frame$x)) complete_rows(frame$x, name, label) else rep(TRUE, n)
  if (!is.null(frame$y) && anyNA(frame$y)) {
    missing <- as.vector(is.na(frame$y))
    if (action == "fail") {
      stop_mkl(
        "response_error", response_name(frame$blueprint), "`", response_name(frame$blueprint),
        "` has a missing value in ", label(which(missing)[1L]), "."
      )
    }
    complete <- complete & !missing
  }
  if (all(complete)) return(seq_len(n))
  if (action == "fail") stop_missing(frame$x, complete, name, label)
  if (is_view_features(frame$x)) inform_lost(sum(!complete), n)
  if (!any(complete)) {
    stop_mkl(
      "data_error", name, "`", name,
      "` has no row without a missing value in a column or in the response."
    )
  }
  which(complete)
}

# Cases that `missing = "omit"` leaves out.
inform_lost <- function(lost, n) {
  inform_mkl(
    "lost_cases", lost, " of ", plural(n, "case"),
    " are left out, as they lack a view or a value. ",
    "With `missing = \"available\"` or \"impute\" they are used.", data = list(cases = lost)
  )
}

check_task <- function(task, learner, labelled) {
  if (labelled && !task_traits(task)$classes) {
    stop_mkl(
      "argument_error", "kernels", "Label-based kernels need classes as the response, but the ",
      "task is \"", task, "\"."
    )
  }
  if (!task %in% learner$tasks) {
    loss <- learner$parameters$loss
    stop_mkl(
      "argument_error", if (is.null(loss)) "learner" else "loss", constructor_name(learner), "() ",
      if (!is.null(loss)) paste0("with `loss` = ", quote_all(loss), " "), "cannot do the task \"",
      task, "\", only ", quote_all(learner$tasks), "."
    )
  }
}

check_probability <- function(probability, task) {
  if (probability && !"prob" %in% task_traits(task)$types) {
    stop_mkl(
      "argument_error", "probability", "`probability` is for classification, but the task is \"",
      task, "\"."
    )
  }
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
      if (is.null(fit$approximation)) {
        ": the solution is a stationary point and may not be the optimum. "
      } else {
        ": the approximation leaves out a part of it, however many landmarks there are. "
      },
      "Check the kernel matrices or choose other parameters.",
      data = list(models = names[indefinite])
    )
  }
}

warn_not_converged <- function(reports, where, fit, models) {
  rule <- stopping_rule(learner_of(fit), fit$control)
  reached <- vapply(reports, function(r) r[[rule$measure]], 0)
  report <- reports[[which.max(reached)]]
  limit <- paste0("`", rule$name, "` = ", format_number(rule$target), rule$unit)
  # The rule of the learner is met: its inner SVMs have not reached what they were asked for,
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
