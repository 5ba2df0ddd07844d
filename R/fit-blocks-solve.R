# The passes of a fit to blocks of rows, and the fit that they lead to. What a pass does with a
# block runs in any process and returns sums only.

fit_prepared_blocks <- function(prepared, call) {
  settings <- prepared$settings
  learner <- prepared$learner
  x <- prepared$x
  control <- core_control(settings$control, prepared$seed)
  items <- learner_items(learner, prepared$items)
  costs <- class_costs(prepared, settings$class_weights)
  check_use(learner, items, if (length(prepared$weights)) 0 else costs$factors)
  totals <- block_totals(prepared, items, control)
  place <- choose_block_landmarks(prepared, items, control)
  chosen <- block_map(prepared, items, totals, place, control)
  problems <- block_problems(prepared, learner, costs)
  plan <- list(
    blueprint = prepared$frame$blueprint, map = chosen$map, response = prepared$response,
    classes = prepared$classes, factors = costs$factors, tol = settings$control$tol,
    na_action = settings$na.action, weights = prepared$weights$column,
    control = core_control(settings$control, prepared$seed)
  )
  fit <- block_request(prepared, learner, items, problems, chosen, control)
  start <- sample_start(prepared, plan, problems, fit, control)
  fit$starts <- start$starts
  fit$reach <- sqrt(start$longest * max(fit$weights, if (fit$p > 0) 1))
  passes <- all_passes(prepared, plan, problems)
  result <- block_fit_cpp(fit, chosen$map, passes$run, control)
  result$kept <- seq_len(nrow(chosen$map$landmarks))
  result$normalizers <- chosen$map$normalizers
  result$approximation_error <- chosen$error %||% passes$error()
  result$models <- Map(function(model, used) {
    model$report$indefinite <- any(chosen$indefinite[used])
    model
  }, result$models, lapply(result$models, function(model) which(model$weights != 0)))
  new_block_fit(result, prepared, items, place, passes$count(), call)
}

# The fit with its landmarks as training rows.
new_block_fit <- function(result, prepared, items, place, passes, call) {
  used <- sum(prepared$survey$used)
  own <- prepared
  own$x <- place$x
  # Positions of all rows would take memory that grows with them.
  own$rows <- integer()
  own$n_input <- 0L
  fit <- new_mkl(result, own, prepared$learner, items, prepared$seed, call)
  fit$n <- fit$n_input <- used
  fit$kept <- place$kept
  fit["y"] <- list(NULL)
  fit$blocks <- list(
    rows = sum(prepared$survey$rows), used = used, blocks = length(prepared$survey$rows),
    passes = passes, landmarks = place$rows, classes = prepared$classes
  )
  seal_fit(fit)
}

# Factors of the cost of rows by their class, and of each two-class problem: see cost_weights().
class_costs <- function(prepared, class_weights) {
  response <- prepared$response
  if (is.null(class_weights)) return(list(factors = 1))
  if (!task_traits(response$task)$classes) class_factors(class_weights, response)
  counts <- response$counts
  # class_factors() counts the rows itself.
  balanced <- identical(class_weights, "balanced")
  factors <- if (balanced) {
    sum(counts) / (length(counts) * counts)
  } else {
    class_factors(class_weights, response)
  }
  list(factors = factors, balance = if (balanced) factors)
}

# Sums of k(x, x) over all rows, for kernels that are normalized by their trace. Those of distances
# are 1 anyway.
block_totals <- function(prepared, items, control) {
  n <- sum(prepared$survey$used)
  count <- sum(item_counts(items))
  unit <- c("rbf", "laplacian", "matern", "cauchy", "rational_quadratic")
  known <- all(vapply(items, function(item) {
    item$family %in% unit || !any(c("trace", "unit_trace") %in% item$normalize) &&
      !"cosine" %in% item$normalize
  }, NA))
  if (known) {
    return(list(trace = rep(as.double(n), count), present = rep(as.double(n), count), rows = n))
  }
  plan <- list(
    blueprint = prepared$frame$blueprint, classes = prepared$classes,
    response = prepared$response, na_action = prepared$settings$na.action,
    kernels = core_items(items), control = control
  )
  map_tasks(prepared$tasks, total_block, plan = plan, seed = FALSE,
            label = "traces of the kernels", reduce = add_totals)
}

# Functions of tasks stand alone: others would take along the variables around them.
total_block <- function(task, plan) {
  rows <- block_rows(task, plan)
  block_totals_cpp(rows$x, plan$kernels, limit_threads(plan$control))
}

add_totals <- function(a, b) Map(`+`, a, b)

# list(x: scaled landmarks; kept, rows: which of the usable and of all rows they are), in the order
# of the rows. None for random features.
choose_block_landmarks <- function(prepared, items, control) {
  approximate <- prepared$settings$approximate
  none <- prepared$x[0L, , drop = FALSE]
  if (approximate$method == "random_features") {
    return(list(x = none, kept = integer(), rows = integer()))
  }
  if (approximate$landmarks == "rows") return(fetch_landmarks(prepared, approximate$rows))
  used <- sum(prepared$survey$used)
  if (approximate$m > used) {
    stop_must("m", paste("at most the number of training rows,", used), approximate$m)
  }
  sample <- prepared$survey$sample
  take <- if (approximate$landmarks == "uniform") {
    order(sample$key)[seq_len(approximate$m)]
  } else {
    block_landmarks_cpp(
      approximate$landmarks, approximate$m, prepared$x, core_items(items), control
    )
  }
  place_landmarks(prepared, prepared$x[take, , drop = FALSE], sample$block[take],
                  sample$row[take], sample$rank[take])
}

place_landmarks <- function(prepared, x, block, row, rank) {
  before <- cumsum(c(0, prepared$survey$used))
  kept <- before[block] + rank
  rows <- prepared$offsets[block] + row
  order <- order(kept)
  whole <- function(x) if (max(x) <= .Machine$integer.max) as.integer(x) else x
  rownames(x) <- NULL
  list(x = x[order, , drop = FALSE], kept = whole(kept[order]), rows = whole(rows[order]))
}

# The user's own rows: only their blocks are read.
fetch_landmarks <- function(prepared, rows) {
  n <- sum(prepared$survey$rows)
  if (max(rows) > n) stop_must("landmarks", paste("row numbers up to", n), max(rows))
  block <- findInterval(rows - 1, prepared$offsets)
  wanted <- split(rows - prepared$offsets[block], block)
  tasks <- Map(function(task, rows) c(task, list(wanted = rows)),
               prepared$tasks[as.integer(names(wanted))], wanted)
  plan <- list(
    blueprint = prepared$frame$blueprint, classes = prepared$classes,
    response = prepared$response, na_action = prepared$settings$na.action
  )
  found <- map_tasks(tasks, wanted_rows, plan = plan, seed = FALSE, label = "landmarks")
  part <- function(name) unlist(lapply(found, `[[`, name), use.names = FALSE)
  x <- do.call(rbind, lapply(unname(found), `[[`, "x"))
  if (nrow(x) == 0L) {
    stop_mkl("argument_error", "landmarks", "None of `landmarks` is a training row.")
  }
  place_landmarks(prepared, x, part("block"), part("row"), part("rank"))
}

wanted_rows <- function(task, plan) {
  rows <- block_rows(task, plan)
  at <- which(rows$rows %in% task$wanted)
  list(
    x = rows$x[at, , drop = FALSE], block = rep(task$number, length(at)), row = rows$rows[at],
    rank = at
  )
}

# list(map: how workers make features; columns, indefinite, error)
block_map <- function(prepared, items, totals, place, control) {
  approximate <- prepared$settings$approximate
  count <- if (approximate$method == "random_features") approximate$count else 0
  kernels <- core_items(items)
  found <- block_map_cpp(
    if (count > 0) prepared$x else place$x, kernels, totals, count, control
  )
  list(
    map = list(
      landmarks = place$x, kernels = kernels, normalizers = found$normalizers, back = found$back,
      count = count, seed = prepared$seed
    ),
    columns = found$columns, indefinite = c(found$indefinite, logical(sum(item_counts(items)))),
    error = if (count > 0) found$error
  )
}

# The two-class problems, with their costs.
block_problems <- function(prepared, learner, costs) {
  response <- prepared$response
  classes <- task_traits(response$task)$classes
  codes <- if (classes) {
    class_codes(length(response$classes), prepared$settings$multiclass)
  } else {
    list(c(-1, -1))
  }
  loss <- learner$parameters$loss %||% if (classes) "hinge" else "epsilon_insensitive"
  lapply(codes, function(code) {
    factor <- balance_factor(code, costs$balance, response$counts)
    list(
      positive = code[1L], negative = code[2L], loss = loss,
      cost = learner$parameters$cost * factor, epsilon = learner$parameters$epsilon %||% 0
    )
  })
}

# See balanced_weights() of src/reduction/multiclass.cpp.
balance_factor <- function(code, balance, counts) {
  if (is.null(balance)) return(1)
  others <- if (code[2L] >= 0) code[2L] + 1 else setdiff(seq_along(counts), code[1L] + 1)
  mean <- sum(balance[others] * counts[others]) / sum(counts[others])
  1 / max(balance[code[1L] + 1], mean)
}

# What block_fit_cpp() takes besides the passes.
block_request <- function(prepared, learner, items, problems, chosen, control) {
  count <- sum(item_counts(items))
  p <- if (learner$name == "lpmkl") learner$parameters$p else 1
  fixed <- learner$name %in% c("svm", "average")
  weights <- if (learner$name == "average") rep(1 / count, count) else if (fixed) {
    learner_core(learner, items, NULL)$weights
  } else {
    numeric()
  }
  list(
    problems = problems, columns = chosen$columns, p = if (fixed) 0 else p,
    weights = as.double(weights), starts = list(), tol = prepared$settings$control$tol,
    gap = if (fixed) 0 else learner$parameters$gap, reach = 1,
    most_passes = min(control$max_iter, 1000)
  )
}

# Solutions of the sample, with the cost of all rows: the search on all rows begins there.
sample_start <- function(prepared, plan, problems, fit, control) {
  sample <- prepared$survey$sample
  target <- block_target(plan, prepared$frame$y, sample$weight)
  part <- nrow(prepared$x) / sum(prepared$survey$used)
  scaled <- lapply(problems, function(problem) {
    problem$cost <- problem$cost / part
    problem
  })
  longest <- 0
  centers <- list()
  run <- function(which, requests) {
    target$centers <- if (length(centers)) centers[which] else list()
    out <- block_sums_cpp(plan$map, prepared$x, target, scaled[which], requests, longest == 0,
                          control)
    longest <<- max(longest, out$longest)
    if (length(centers) == 0L) centers <<- vector("list", length(problems))
    centers[which] <<- out$centers
    out$sums
  }
  fit$problems <- scaled
  usable <- vapply(problems, function(problem) {
    problem$positive < 0 || {
      side <- target$y == problem$positive
      any(side) && any(if (problem$negative < 0) !side else target$y == problem$negative)
    }
  }, NA)
  control$verbose <- FALSE
  if (!all(usable) || part == 1) {
    request <- list(list(
      w = numeric(sum(fit$columns) + 1), direction = numeric(), steps = 0, sigma = 1, advance = 0
    ))
    run(1L, request)
    return(list(starts = list(), longest = longest))
  }
  found <- block_fit_cpp(fit, plan$map, run, control)
  list(starts = found$solutions, longest = longest)
}

# list(run: function(problems, requests) for the core, error: of the approximation, count: of the
# passes)
all_passes <- function(prepared, plan, problems) {
  tasks <- prepared$tasks
  rounded <- problems[[1L]]$loss %in% c("hinge", "epsilon_insensitive")
  count <- 0L
  error <- NULL
  run <- function(which, requests) {
    first <- count == 0L
    count <<- count + 1L
    out <- map_tasks(
      tasks, block_pass, plan = plan, problems = problems[which], which = which,
      requests = requests, residuals = first, rounded = rounded, seed = FALSE, reduce = add_sums,
      label = paste("pass", count)
    )
    if (first) error <<- ifelse(out$diagonal > 0, out$residual / out$diagonal, 0)
    if (rounded) {
      own <- if (length(tasks) == 1L) list(out$centers) else out$centers
      for (b in seq_along(tasks)) tasks[[b]]$centers[as.character(which)] <<- own[[b]]
    }
    out$sums
  }
  list(run = run, error = function() error, count = function() count)
}

# The sums of one block.
block_pass <- function(task, plan, problems, which, requests, residuals, rounded) {
  rows <- block_rows(task, plan)
  target <- block_target(plan, rows$y, rows$weights)
  known <- unname(task$centers[as.character(which)])
  if (length(known) && all(lengths(known) > 0L)) target$centers <- known
  control <- limit_threads(plan$control)
  out <- block_sums_cpp(plan$map, rows$x, target, problems, requests, residuals, control)
  if (!rounded) out$centers <- NULL
  out
}

# list(sums, centers: of each block, diagonal, residual, longest) of one more block.
add_sums <- function(total, more) {
  if (!is.null(more$centers) && is.null(total$listed)) {
    total$centers <- list(total$centers)
    total$listed <- TRUE
  }
  total$sums <- Map(function(a, b) Map(`+`, a, b), total$sums, more$sums)
  total$diagonal <- total$diagonal + more$diagonal
  total$residual <- total$residual + more$residual
  total$longest <- max(total$longest, more$longest)
  if (!is.null(more$centers)) total$centers <- c(total$centers, list(more$centers))
  total
}

# The usable rows of a block as the kernels see them, after a check that it is what it was:
# list(x, y, weights, rows).
block_rows <- function(task, plan) {
  block <- task$block
  data <- read_block(block, plan$classes)
  if (block_checksum(data) != task$checksum) {
    stop_block(block, "has changed since the first pass. Rows must stay as they are during a fit.")
  }
  x <- bake_frame(plan$blueprint, data, block$name)
  y <- find_response(plan$blueprint, data)
  rows <- which(complete_rows(x, block$name) & !is.na(y))
  weights <- block_weights(task, data, plan, rows)
  scaling <- if (!is.null(plan$blueprint$center)) plan$blueprint[c("center", "scale")]
  place <- if (!is.null(scaling)) first_overflow(x, rows, scaling)
  if (length(place)) {
    stop_block(block, "has a value in row ", place[1L], " of column ", column_name(x, place[2L]),
               " that is beyond the range of numbers when it is scaled.")
  }
  list(x = apply_scaling(x, scaling, rows), y = y[rows], weights = weights[rows], rows = rows)
}

# Response and costs of rows, for the core.
block_target <- function(plan, y, weights) {
  response <- plan$response
  if (!task_traits(response$task)$classes) {
    y <- as.double(y)
    if (!is.null(response$scaling)) {
      y <- scale_response_cpp(y, response$scaling$center, response$scaling$scale, plan$tol)
    }
    return(list(y = y, weights = as.double(weights), centers = list()))
  }
  if (is.factor(y)) y <- as.character(y)
  code <- match(y, response$values) - 1
  factors <- rep_len(plan$factors, length(response$values))
  list(y = code, weights = as.double(weights) * factors[code + 1], centers = list())
}

# Predictions ------------------------------------------------------------------------------------

# Decision values of all rows of blocks, block by block.
predict_blocks <- function(object, blocks) {
  parts <- map_tasks(blocks$blocks, predict_block, object = object, seed = FALSE,
                     label = "predict()")
  do.call(rbind, unname(parts))
}

predict_block <- function(block, object) {
  data <- read_block(block, object$blocks$classes)
  object$control <- limit_threads(object$control)
  catch_error(new_decision(object, data, NULL), error = function(e) {
    if (inherits(e, "multikernel_error")) {
      e$message <- paste0("Block `", block$name, "`: ", conditionMessage(e))
    }
    stop(e)
  })
}
