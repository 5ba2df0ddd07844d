# The work of tune_mkl(): points x splits, on all rows and within the training part of each outer
# split, in one round or in several.

# A job is a tuning by itself: on all rows, and on the training part of each outer split.
tuning_jobs <- function(source, resample, outer) {
  jobs <- list(new_job(source, resample, seq_len(source$n)))
  if (is.null(outer)) return(jobs)
  for (split in resample_splits(outer, source$frame$y, n = source$n)) {
    job <- new_job(source, subset_resample(resample, split$train), split$train)
    job$outer <- split
    jobs <- c(jobs, list(job))
  }
  seeds <- draw_seeds(length(jobs))
  Map(function(job, seed) c(job, list(seed = seed)), jobs, seeds)
}

# Splits of some of the rows, by their positions in all of them.
new_job <- function(source, resample, rows) {
  splits <- resample_splits(resample, source$frame$y[rows], n = length(rows))
  splits <- lapply(splits, function(split) {
    split$train <- rows[split$train]
    split$test <- rows[split$test]
    split
  })
  list(splits = splits, seeds = draw_seeds(length(splits)))
}

# A plan for some of the rows.
subset_resample <- function(resample, rows) {
  if (inherits(resample, c("mkl_resample_rset", "mkl_resample_splits"))) {
    stop_mkl(
      "argument_error", "resamples", "`resamples` holds given splits of all rows, which cannot be ",
      "made again within the training parts of `outer`. Give a plan such as resample_cv()."
    )
  }
  if (!is.null(resample$fold)) return(resample_folds(resample$fold[rows]))
  if (!is.null(resample$group)) {
    resample$group <- check_group(resample$group[rows])
  } else if (anyDuplicated(rows)) {
    # Copies of a row that a bootstrap drew several times stay on one side.
    resample$group <- check_group(rows)
  }
  resample
}

# Runs all jobs side by side, round by round. Each becomes list(rows: outcomes, last: points of the
# last round, best: the best of them). `keep`: predictions stay with the outcomes of the first job.
run_tuning <- function(jobs, points, source, settings, metrics, search, eta, keep = FALSE) {
  shares <- halving_shares(search, eta, length(points), jobs)
  alive <- rep(list(seq_along(points)), length(jobs))
  rows <- vector("list", length(jobs))
  for (share in shares) {
    tasks <- unlist(Map(function(job, number, alive) {
      job_tasks(job, number, alive, share, points, source, keep && number == 1L)
    }, jobs, seq_along(jobs), alive), recursive = FALSE)
    tasks <- spread_tasks(tasks, points)
    outcomes <- map_tasks(
      tasks, evaluate_split, source = source, points = points, settings = settings,
      metrics = metrics, seed = vapply(tasks, function(task) task$seed, 1L), label = "Tuning"
    )
    for (t in seq_along(tasks)) {
      added <- Map(function(point, outcome) {
        c(list(point = point, split = tasks[[t]]$split, share = share), outcome)
      }, tasks[[t]]$points, outcomes[[t]])
      rows[[tasks[[t]]$job]] <- c(rows[[tasks[[t]]$job]], added)
    }
    if (share == 1) break
    alive <- Map(function(alive, rows) {
      ranked <- rank_points(rows, alive, share, metrics)
      sort(utils::head(ranked, max(1L, ceiling(length(alive) / eta))))
    }, alive, rows)
  }
  Map(function(rows, alive) {
    list(rows = rows, last = alive, best = rank_points(rows, alive, 1, metrics)[1L])
  }, rows, alive)
}

# Shares of the training rows in the rounds of halving: at least 20 rows in the first. The logarithm
# of a power of `eta` may miss its whole number by a rounding error.
halving_shares <- function(search, eta, count, jobs) {
  if (search != "halving") return(1)
  fewest <- min(unlist(lapply(jobs, function(job) {
    vapply(job$splits, function(split) length(split$train), 1L)
  })))
  rounds <- min(ceiling(log(count, eta) - 1e-9), floor(log(fewest / 20, eta) + 1e-9) + 1)
  eta^-rev(seq_len(max(1, rounds)) - 1)
}

job_tasks <- function(job, number, alive, share, points, source, keep) {
  alive <- alive[order(vapply(points[alive], function(point) point$place, 1L))]
  Map(function(split, seed) {
    if (share < 1) split$train <- thin_rows(split$train, source, share)
    list(
      split = split, seed = seed, points = alive, job = number, tolerant = TRUE, keep = keep
    )
  }, job$splits, job$seeds)
}

thin_rows <- function(rows, source, share) {
  strata <- split_strata(list(stratify = TRUE), source$frame$y[rows], length(rows))
  inside <- draw_half(strata, NULL, share)
  if (task_traits(source$task)$classes) inside <- keep_classes(inside, strata)
  rows[inside]
}

# A rare class does not vanish: two rows of each, if there are as many.
keep_classes <- function(inside, strata) {
  for (own in split(seq_along(strata), strata)) {
    short <- min(2L, length(own)) - sum(inside[own])
    left <- own[!inside[own]]
    if (short > 0L) inside[left[sample.int(length(left), short)]] <- TRUE
  }
  inside
}

# With more workers than tasks, tasks are divided; chains of points stay together, so that the
# result is the same.
spread_tasks <- function(tasks, points) {
  if (!plan_is_parallel()) return(tasks)
  workers <- future::nbrOfWorkers()
  parts <- if (is.finite(workers)) ceiling(2 * workers / length(tasks)) else Inf
  if (parts < 2) return(tasks)
  chain <- vapply(points, function(point) point$chain, 1L)
  unlist(lapply(tasks, function(task) {
    code <- match(chain[task$points], unique(chain[task$points]))
    part <- ceiling(code * min(parts, max(code)) / max(code))
    lapply(split(task$points, part), function(some) {
      task$points <- some
      task
    })
  }), recursive = FALSE)
}

# Points from best to worst by the mean of the first measure; those with failed fits come last.
rank_points <- function(rows, alive, share, metrics) {
  rows <- Filter(function(row) row$share == share, rows)
  point <- vapply(rows, function(row) row$point, 1L)
  value <- vapply(rows, function(row) row$values[[1L]], 0)
  failed <- point[!is.na(vapply(rows, function(row) row$error, ""))]
  means <- vapply(alive, function(p) {
    if (p %in% failed) NA_real_ else mean(value[point == p], na.rm = TRUE)
  }, 0)
  if (all(is.na(means))) {
    errors <- Filter(function(row) !is.na(row$error), rows)
    stop_mkl(
      "tuning_error", "grid", if (length(errors)) {
        paste0("Every point failed. The first message was: ", errors[[1L]]$error)
      } else {
        paste0("The measure \"", names(metrics)[1L], "\" is not defined on any split.")
      }
    )
  }
  alive[order(means, decreasing = metrics[[1L]]$larger, na.last = TRUE)]
}

# What each job chose, fitted to its rows and measured on those that it never saw.
evaluate_outer <- function(jobs, tuned, points, source, settings, metrics, keep) {
  jobs <- jobs[-1L]
  chosen <- vapply(tuned[-1L], function(job) job$best, 1L)
  seeds <- vapply(jobs, function(job) job$seed, 1L)
  tasks <- Map(function(job, point) {
    list(split = job$outer, seed = job$seed, points = point, keep = keep, tolerant = TRUE)
  }, jobs, chosen)
  outcomes <- map_tasks(
    tasks, evaluate_split, source = source, points = points$points, settings = settings,
    metrics = metrics, seed = seeds, label = "Outer splits"
  )
  outcomes <- lapply(outcomes, function(outcome) outcome[[1L]])
  table <- outcome_table(outcomes, lapply(jobs, function(job) job$outer), metrics)
  results <- cbind(
    table[1:3], point = chosen, points$table[chosen, , drop = FALSE], table[-(1:3)],
    failure = vapply(outcomes, function(outcome) outcome$error, "")
  )
  rownames(results) <- NULL
  list(
    results = results, summary = summary_table(results, names(metrics)),
    predictions = outcome_predictions(outcomes)
  )
}
