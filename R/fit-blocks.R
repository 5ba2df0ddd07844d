# Fits to row_blocks(): the first pass and what follows from it, then passes that return sums. The
# frame of such a fit is that of a sample of the rows, with the levels, means and standard
# deviations of all rows; its training rows are the landmarks.

sample_rows <- 5000 # of all rows, at least, if there are so many

# As many as landmarks are chosen of, see src/approximations/landmarks.cpp.
sample_size <- function(approximate) {
  chosen <- isTRUE(approximate[["landmarks"]] %in% c("kmeans++", "rpcholesky"))
  max(sample_rows, (if (chosen) 20 else 10) * (approximate[["m"]] %||% 0))
}

fit_row_blocks <- function(formula, blocks, settings, call) {
  started <- proc.time()[["elapsed"]]
  check_block_settings(settings)
  head <- blocks_head(formula, blocks$blocks, settings$max_levels)
  seed <- draw_seeds(1L)
  weights <- given_weights(settings$weights, blocks$blocks, head)
  survey <- survey_blocks(
    blocks$blocks, head, settings, weights, sample_size(settings$approximate), seed
  )
  prepared <- prepare_blocks(head, blocks$blocks, survey, settings, weights, seed)
  fit <- fit_prepared_blocks(prepared, call)
  fit$seconds <- proc.time()[["elapsed"]] - started
  report_problems(fit)
  fit
}

# Settings that need all rows in memory.
check_block_settings <- function(settings) {
  if (is.null(settings$approximate)) {
    stop_mkl(
      "argument_error", "approximate", "row_blocks() need `approximate`: nystrom(500) for ",
      "instance, or random_features(1000)."
    )
  }
  if (settings$probability) {
    stop_mkl(
      "argument_error", "probability", "`probability = TRUE` calibrates by inner ",
      "cross-validation, which is not possible with row_blocks()."
    )
  }
}

# Learners whose problem can be solved with sums over rows.
block_learners <- function() {
  c("svm", "average", "simplemkl", "glmkl", "lpmkl", "silpmkl", "levelmkl")
}

check_block_learner <- function(learner) {
  if (length(learner$like) == 0L && learner$name %in% block_learners()) return(invisible())
  stop_mkl(
    "argument_error", "learner", constructor_name(learner), "() needs all rows in memory and ",
    "cannot be fitted to row_blocks(). Use one of ",
    list_some(paste0("learner_", block_learners(), "()"), 12L), "."
  )
}

# The frame of the first rows of the first block, which says how blocks are read. It stands for
# all blocks if each row can be computed alone.
blocks_head <- function(formula, blocks, max_levels) {
  data <- utils::head(read_block(blocks[[1L]]), 1000L)
  frame <- as_frame(formula, data, Inf)
  if (isTRUE(frame$one_sided) || is.null(frame$y)) {
    stop_mkl("formula_error", "formula", "row_blocks() need a response: write y ~ .")
  }
  if (is_view_features(frame$x) || is_raw(frame$x) || length(frame$blueprint$precomputed)) {
    stop_mkl(
      "formula_error", "formula", "row_blocks() take numeric columns, factors and text as ",
      "categories, but not kernel matrices or kernels of text, series and graphs."
    )
  }
  frame$blueprint$sparse <- NULL
  class(frame$blueprint) <- setdiff(class(frame$blueprint), "frame_sparse")
  check_row_wise(frame$blueprint, data)
  frame$response_columns <- intersect(
    variables_of(as_expressions(frame$blueprint$response)), names(symbol_columns(as.list(data)))
  )
  frame$max_levels <- max_levels
  frame
}

# Terms and responses that are computed must have the same values in any company: in a part of the
# rows, in another order, and alone.
check_row_wise <- function(blueprint, data) {
  if (nrow(data) < 2L) return(invisible())
  terms <- stats::setNames(blueprint$variables, names(blueprint$encoders))
  learnt <- names(terms) != vapply(terms, label_of, "")
  columns <- symbol_columns(as.list(data))
  around <- surroundings_env(blueprint$surroundings, globalenv())
  changed <- names(terms)[learnt | !vapply(terms, is_row_wise, NA, columns, around)]
  if (length(changed) == 0L) {
    around <- surroundings_env(blueprint$response_surroundings, globalenv())
    if (is_row_wise(blueprint$response, columns, around)) return(invisible())
    changed <- label_of(blueprint$response)
  }
  stop_mkl(
    "formula_error", "formula", "The term `", changed[1L], "` depends on other rows, so that it ",
    "cannot be computed for blocks of rows. Compute such columns before."
  )
}

# Rows that are looked at alone.
single_checks <- 20L

# Functions of all rows, such as the largest value, may agree on some parts.
is_row_wise <- function(expression, columns, around) {
  if (is.symbol(expression)) return(TRUE)
  value <- function(rows) {
    part <- lapply(columns, function(column) take_rows(column, rows))
    plain_value(eval(expression, part, around))
  }
  n <- NROW(columns[[1L]])
  parts <- c(
    list(seq_len(n %/% 2L), rev(seq(n %/% 2L + 1L, n))),
    as.list(unique(round(seq(1, n, length.out = min(n, single_checks)))))
  )
  catch_error({
    whole <- value(seq_len(n))
    all(vapply(parts, function(rows) isTRUE(all.equal(take_rows(whole, rows), value(rows))), NA))
  }, error = function(e) FALSE)
}

take_rows <- function(x, rows) {
  if (is.matrix(x)) x[rows, , drop = FALSE] else if (is.atomic(x)) x[rows] else x
}

plain_value <- function(x) {
  if (is.factor(x)) return(as.character(x))
  if (is.matrix(x)) matrix(as.vector(x), nrow(x)) else as.vector(x)
}

# list(values: one for each row, or column: a name)
given_weights <- function(weights, blocks, head) {
  if (is.null(weights)) return(list())
  if (is_text(weights)) {
    if (weights %in% names(head$variables)) {
      stop_mkl(
        "argument_error", "weights", "Column `", weights, "` is also a predictor. Leave it out, ",
        "for instance by y ~ . - ", weights, "."
      )
    }
    return(list(column = weights))
  }
  rows <- vapply(blocks, function(block) as.double(block$rows), 0)
  if (anyNA(rows)) {
    stop_must("weights", "the name of a column, as the number of rows is not known before", weights)
  }
  list(values = check_weights(weights, sum(rows)))
}

# What follows from the survey ---------------------------------------------------------------------

prepare_blocks <- function(head, blocks, survey, settings, weights, seed) {
  frame <- blocks_frame(head, survey, settings)
  learner <- frame_learner(settings$learner, settings$kernels, frame)
  check_block_learner(learner)
  frame$blueprint$new_levels <- settings$new_levels
  chosen <- frame_kernels(frame, learner, settings)
  kernels <- chosen$kernels
  if (any(is_label_based(unclass(kernels)))) check_label_learner(learner)
  frame <- open_levels(settle_raw(chosen$frame, kernels, settings$scale), kernels)
  scaling <- survey_scaling(frame, survey, settings$scale)
  frame$blueprint[names(scaling)] <- scaling
  x <- apply_scaling(frame$x, scaling)
  normalize <- settings$normalize %||% learner$normalize
  n <- nrow(x)
  items <- resolve_kernels(kernels, x, frame, normalize, seq_len(n), n, labels = TRUE)
  check_approximable(settings$approximate, learner, items)
  check_block_items(items)
  response <- survey_response(survey, settings)
  check_task(response$task, learner, FALSE)
  frame["x"] <- list(NULL)
  list(
    frame = frame, x = x, items = items, learner = learner, response = response,
    settings = settings, survey = survey, seed = seed, kernels = kernels,
    tasks = pass_tasks(blocks, survey, weights), weights = weights,
    classes = read_classes(unlist(survey$types$types)), offsets = cumsum(c(0, survey$rows))
  )
}

# The frame of the sample, with the levels of all rows.
blocks_frame <- function(head, survey, settings) {
  frame <- head
  names <- names(survey$variables)
  columns <- symbol_columns(as.list(survey$sample$data))
  values <- evaluate_variables(
    stats::setNames(head$blueprint$variables, names), columns[head$blueprint$names],
    surroundings_env(head$blueprint$surroundings, globalenv()), stop_no_columns, "data"
  )
  encoders <- Map(function(encoder, value) {
    if (encoder$type == "factor" && !is.factor(value)) encoder$levels <- sort_text(encoder$levels)
    encoder
  }, survey$variables, values)
  check_levels(encoders, values, "data", head$max_levels)
  encoded <- apply_encoders(
    encoders, values, names, "data", nrow(survey$sample$data), head$blueprint$groups
  )
  frame$x <- encoded$x
  frame$variables <- encoded$variables
  frame$names <- colnames(encoded$x)
  frame$n <- nrow(encoded$x)
  frame["cases"] <- list(NULL)
  frame$blueprint$encoders <- encoders
  frame$blueprint$indicator <- encoded$indicator
  frame$y <- find_response(head$blueprint, survey$sample$data)
  frame
}

# As column_scaling() of src/api/scaling.cpp, from the moments of all rows.
survey_scaling <- function(frame, survey, scale) {
  keep <- rep_len(unscaled_columns(frame$blueprint$indicator, frame$raw), ncol(frame$x))
  if (!scale || ncol(frame$x) == 0L || all(keep)) return(NULL)
  n <- survey$moments$weight
  names <- colnames(frame$x)
  mean <- unname(survey$moments$mean[names])
  sd <- sqrt(unname(survey$moments$squares[names]) / max(1, n - 1))
  varies <- n > 1 & is.finite(sd) & sd > 16 * .Machine$double.eps * abs(mean) & sd > 0
  list(
    center = ifelse(keep, 0, mean), scale = ifelse(!keep & varies, sd, 1)
  )
}

check_block_items <- function(items) {
  families <- vapply(items, function(item) item$family, "")
  raw <- vapply(items, function(item) !is.null(item$matrix) || !is.null(item$evaluate), NA)
  if (any(raw | families == "precomputed")) {
    stop_mkl(
      "argument_error", "kernels", "Kernel `", items[[which(raw)[1L]]]$name, "` is a matrix or a ",
      "function of the user, which needs all rows in memory."
    )
  }
}

# list(task, levels, classes, ordered, codes, values, counts, scaling): as encode_response() finds
# it in all rows.
survey_response <- function(survey, settings) {
  found <- survey$response
  values <- found$values
  y <- if (found$kind == "factor") factor(values, values, ordered = found$ordered) else values
  # Too many different numbers to be classes: some stand for all.
  if (is.null(values)) y <- survey$response$moments$mean + c(0, 0.25, 0.5)
  if (found$kind == "factor") y <- y[found$counts > 0]
  response <- encode_response(y, settings$task, "response")
  if (!response$task %in% c("classification", "regression")) {
    stop_mkl("argument_error", "task", "row_blocks() are for classification and regression.")
  }
  if (task_traits(response$task)$classes) {
    counts <- if (found$kind == "factor") found$counts[found$counts > 0] else found$counts
    at <- order(response$y)
    response$values <- if (found$kind == "factor") as.character(y)[at] else y[at]
    response$counts <- counts[at]
    return(response)
  }
  response$y <- NULL
  if (settings$scale_response) response$scaling <- survey_response_scaling(found)
  response
}

# As response_scaling() of src/api/scaling.cpp.
survey_response_scaling <- function(found) {
  weight <- found$moments$weight
  n <- found$positive
  center <- found$moments$mean
  spread <- sqrt(found$moments$squares / max(weight - 1, weight * (n - 1) / n))
  constant <- n < 2 || spread <= 16 * .Machine$double.eps * abs(center)
  list(center = center, scale = if (constant) 1 else spread)
}

# A task for each block, with what the first pass found.
pass_tasks <- function(blocks, survey, weights) {
  for (b in seq_along(blocks)) blocks[[b]]$rows <- survey$rows[b]
  tasks <- weights_by_block(blocks, weights$values)
  Map(function(task, checksum) c(task, list(checksum = checksum)), tasks, survey$checksum)
}
