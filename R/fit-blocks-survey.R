# The first pass over blocks of rows: what all rows must be known for. Each block gives a summary,
# summaries are merged in the order of the blocks.
#
# A *survey* is list(types, rows, checksum, variables, response, moments, sample, used):
#   types      of the columns, see merge_types()
#   rows, used, checksum, missing   of each block; `used` are the rows without missing values
#   variables  encoders of the variables of the formula, with the levels of all blocks
#   response   values of the response with their counts, see response_values()
#   moments    means and sums of squares of the numeric columns, by name; of the response
#   sample     rows with the smallest keys: list(key, source, row, block, rank, data, weight)

# `head`: the frame of the first rows, see blocks_head(); `size`: rows of the sample.
survey_blocks <- function(blocks, head, settings, weights, size, seed) {
  plan <- list(
    blueprint = head$blueprint, response = head$response_columns, size = size, seed = seed,
    na_action = settings$na.action, weights = weights$column
  )
  found <- map_tasks(
    weights_by_block(blocks, weights$values), survey_block, plan = plan, seed = FALSE,
    reduce = merge_surveys(size), label = "first pass"
  )
  if (length(blocks) == 1L) found <- merge_surveys(size)(found, NULL)
  if (sum(found$used) == 0) {
    stop_mkl("data_error", "data", "No block has a row without a missing value.")
  }
  found
}

# A task for each block, with its part of the weights.
weights_by_block <- function(blocks, values) {
  start <- 0
  lapply(seq_along(blocks), function(b) {
    rows <- blocks[[b]]$rows
    own <- if (!is.null(values)) values[start + seq_len(rows)]
    start <<- start + rows
    list(number = b, block = blocks[[b]], weights = own)
  })
}

survey_block <- function(task, plan) {
  block <- task$block
  data <- read_block(block)
  values <- block_values(block, data, plan)
  encoded <- block_columns(block, values, plan)
  complete <- complete_rows(encoded$x, block$name) & !is.na(values$y)
  if (plan$na_action == "fail" && !all(complete)) {
    stop_block(block, "has missing values in row ", which(!complete)[1L], ".")
  }
  weights <- block_weights(task, data, plan, complete)
  used <- which(complete)
  numeric <- which(!encoded$indicator)
  moments <- block_moments_cpp(
    encoded$x[, numeric, drop = FALSE], used, rep(1, length(used))
  )
  names(moments$mean) <- names(moments$squares) <- colnames(encoded$x)[numeric]
  list(
    block = block[c("name", "kind", "source", "first")], number = task$number,
    types = lapply(as.list(data), column_type), rows = nrow(data), used = length(used),
    checksum = block_checksum(data), variables = encoded$encoders, moments = moments,
    response = response_values(values$y[used], weights[used]),
    sample = sample_block(task, data, complete, weights, plan)
  )
}

# Values of the variables of the formula, and the response.
block_values <- function(block, data, plan) {
  blueprint <- plan$blueprint
  columns <- symbol_columns(as.list(data))
  lost <- setdiff(c(blueprint$names, plan$response), names(columns))
  if (length(lost)) {
    stop_block(block, "lacks column ", tick_all(lost), ".", column = lost[1L])
  }
  y <- find_response(blueprint, as.data.frame(data))
  if (length(y) != nrow(data)) {
    stop_block(block, "has ", length(y), " values of the response in ", nrow(data), " rows.")
  }
  list(y = y, variables = evaluate_variables(
    stats::setNames(blueprint$variables, names(blueprint$encoders)), columns[blueprint$names],
    surroundings_env(blueprint$surroundings, globalenv()), function(...) {
      stop_block(block, "does not fit the formula: ", ...)
    }, block$name
  ), n = nrow(data))
}

# Numeric columns with the levels that this block has.
block_columns <- function(block, values, plan) {
  known <- plan$blueprint$encoders
  names <- names(values$variables)
  encoders <- Map(function(value, name) {
    own <- new_encoder(value, name, block$name)
    if (own$type != known[[name]]$type && !all(is.na(value))) {
      stop_block(
        block, "has ", if (own$type == "factor") "text" else "numbers", " in `", name, "`, unlike ",
        "the first block.", column = name
      )
    }
    # Nothing but missing values has no type of its own.
    if (own$type != known[[name]]$type) own <- known[[name]]
    own
  }, values$variables, names)
  names(encoders) <- names
  encoded <- apply_encoders(
    encoders, values$variables, names, block$name, values$n, plan$blueprint$groups
  )
  encoded$encoders <- encoders
  encoded
}

# One for each row: of the user's vector, or of a column.
block_weights <- function(task, data, plan, complete) {
  if (is.null(plan$weights)) return(task$weights %||% rep(1, nrow(data)))
  weights <- data[[plan$weights]]
  if (is.null(weights)) {
    stop_block(task$block, "lacks column `", plan$weights, "`, the weights.",
               column = plan$weights)
  }
  if (!is.numeric(weights) || !all(is.finite(weights[complete]) & weights[complete] >= 0)) {
    stop_block(task$block, "has weights in column `", plan$weights, "` that are not finite and ",
               "non-negative.", column = plan$weights)
  }
  as.double(weights)
}

many_values <- 1000L # of a numeric response: beyond, they are not counted

# list(kind, values, counts, levels, ordered, moments): the different values of a response.
response_values <- function(y, weights) {
  if (is.factor(y)) {
    y <- without_missing_level(y)
    counts <- tabulate(y, nlevels(y))
    return(list(kind = "factor", values = levels(y), counts = counts, ordered = is.ordered(y)))
  }
  values <- sorted_values(as.vector(y))
  out <- list(kind = if (is.numeric(y)) "numeric" else typeof(y))
  if (length(values) <= many_values || !is.numeric(y)) {
    out$values <- values
    out$counts <- tabulate(match(y, values), length(values))
  }
  if (is.numeric(y)) {
    if (any(is.infinite(y))) {
      stop_mkl("response_error", "response", "The response must be finite.")
    }
    out$moments <- block_moments_cpp(matrix(as.double(y)), NULL, weights)
    out$positive <- sum(weights > 0)
  }
  out
}

# The rows with the smallest keys, and what is needed of them later.
sample_block <- function(task, data, complete, weights, plan) {
  block <- task$block
  key <- row_keys_cpp(plan$seed, block$source, block$first, nrow(data))
  used <- which(complete)
  take <- sort(used[order(key[used])][seq_len(min(plan$size, length(used)))])
  columns <- intersect(names(data), c(plan$blueprint$names, plan$response))
  list(
    key = key[take], row = take, block = rep(task$number, length(take)),
    rank = match(take, used), weight = weights[take], data = data[take, columns, drop = FALSE]
  )
}

# Merging ------------------------------------------------------------------------------------------

# function(total, next): `total` is a survey, or the summary of the first block.
merge_surveys <- function(size) {
  force(size)
  function(total, more) {
    if (is.null(total$from_blocks)) total <- first_survey(total)
    if (is.null(more)) return(total)
    total$types <- merge_types(total$types, more$types, more$block)
    total$rows <- c(total$rows, more$rows)
    total$used <- c(total$used, more$used)
    total$checksum <- c(total$checksum, more$checksum)
    total$variables <- Map(function(a, b, name) merge_encoders(a, b, name, more$block),
                           total$variables, more$variables, names(total$variables))
    total$moments <- merge_named_moments(total$moments, more$moments)
    total$response <- merge_responses(total$response, more$response, more$block)
    total$sample <- merge_samples(total$sample, more$sample, size)
    total
  }
}

first_survey <- function(one) {
  one$types <- merge_types(NULL, one$types, one$block)
  one$from_blocks <- TRUE
  one
}

merge_encoders <- function(a, b, name, block) {
  if (a$type != b$type || !identical(a$width, b$width)) {
    stop_block(block, "has other values in `", name, "` than the blocks before.", column = name)
  }
  if (a$type != "factor") {
    if (!isTRUE(b$flag)) a$flag <- NULL
    return(a)
  }
  if (isTRUE(a$ordered) && !identical(a$levels, b$levels)) {
    stop_block(block, "has other levels of the ordered factor `", name, "`.", column = name)
  }
  a$levels <- union(a$levels, b$levels)
  a
}

# Chan, Golub & LeVeque 1983.
merge_moments <- function(a, b) {
  weight <- a$weight + b$weight
  if (b$weight == 0) return(a)
  if (a$weight == 0) return(b)
  off <- b$mean - a$mean
  list(
    weight = weight, mean = a$mean + off * (b$weight / weight),
    squares = a$squares + b$squares + off^2 * (a$weight * b$weight / weight)
  )
}

# A column that a block does not have, as it lacks a level, is 0 there.
merge_named_moments <- function(a, b) {
  names <- union(names(a$mean), names(b$mean))
  complete <- function(one) {
    for (part in c("mean", "squares")) {
      values <- stats::setNames(numeric(length(names)), names)
      values[names(one[[part]])] <- one[[part]]
      one[[part]] <- values
    }
    one
  }
  merge_moments(complete(a), complete(b))
}

merge_responses <- function(a, b, block) {
  if (length(b$values) == 0L && is.null(b$moments)) return(a)
  if (length(a$values) == 0L && is.null(a$moments)) return(b)
  if (a$kind != b$kind || !identical(a$ordered, b$ordered)) {
    stop_block(block, "has a response of type \"", b$kind, "\", unlike the blocks before.",
               column = "response")
  }
  if (isTRUE(a$ordered) && !identical(a$values, b$values)) {
    stop_block(block, "has other levels of the ordered response.", column = "response")
  }
  if (is.null(a$values) || is.null(b$values)) {
    a["values"] <- a["counts"] <- list(NULL)
  } else {
    values <- union(a$values, b$values)
    counts <- numeric(length(values))
    for (one in list(a, b)) {
      at <- match(one$values, values)
      counts[at] <- counts[at] + one$counts
    }
    a$values <- values
    a$counts <- counts
    if (a$kind == "numeric" && length(values) > many_values) {
      a["values"] <- a["counts"] <- list(NULL)
    }
  }
  if (!is.null(a$moments)) {
    a$moments <- merge_moments(a$moments, b$moments)
    a$positive <- a$positive + b$positive
  }
  a
}

merge_samples <- function(a, b, size) {
  data <- rbind(a$data, b$data[names(a$data)])
  parts <- c("key", "row", "block", "rank", "weight")
  out <- Map(c, a[parts], b[parts])
  if (length(out$key) > size) {
    take <- sort(order(out$key)[seq_len(size)])
    out <- lapply(out, function(part) part[take])
    data <- data[take, , drop = FALSE]
  }
  out$data <- data
  out
}
