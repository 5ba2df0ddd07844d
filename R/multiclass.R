# Several classes: the two-class problems of one fit, here or in other processes. The reduction
# itself is that of src/reduction/multiclass.cpp.

# How many two-class problems there are.
count_pairs <- function(problem) {
  classes <- problem$classes
  if (classes < 3L) return(1)
  if (problem$multiclass == "one_vs_rest") classes else classes * (classes - 1) / 2
}

# TRUE if they are handed to workers: more than one of each.
pairs_elsewhere <- function(problem) {
  count_pairs(problem) > 1 && plan_is_parallel() && future::nbrOfWorkers() > 1
}

# What core(x, problem, kernels, learners, control) gives, an entry of the core that fits one or
# more learners. A worker gets all rows, as normalisers are fitted on all of them, and some of the
# pairs: the core fits each pair by itself, with the same random numbers, wherever that is.
fit_pairs <- function(core, x, problem, kernels, learners, control) {
  if (!pairs_elsewhere(problem)) return(core(x, problem, kernels, learners, control))
  count <- count_pairs(problem)
  # Two tasks for each worker: few, because pairs of one task share kernel matrices.
  size <- ceiling(count / (2 * min(future::nbrOfWorkers(), count)))
  tasks <- split(seq_len(count), ceiling(seq_len(count) / size))
  parts <- map_tasks(
    unname(tasks), fit_some_pairs, core = core, x = x, problem = problem, kernels = kernels,
    learners = learners, control = control, seed = FALSE, chunk = 1L, label = "Pairs of classes"
  )
  join_pairs(parts, function(models) {
    training_decision_cpp(x, problem$n, kernels, models, control)
  })
}

fit_some_pairs <- function(task, core, x, problem, kernels, learners, control) {
  problem$pairs <- as.double(task)
  core(x, problem, kernels, learners, limit_threads(control))
}

# One result of several. Models know their rows by the positions among those that were kept: by
# those in the data in between. `decide(models)` gives decision values on the training rows that the
# parts do not know; it sees all models of a learner, as one process would.
join_pairs <- function(parts, decide) {
  kept <- sort(unique(unlist(lapply(parts, function(part) part$kept))))
  fits <- lapply(seq_along(parts[[1L]]$models), function(learner) {
    models <- do.call(base::c, lapply(parts, function(part) {
      lapply(part$models[[learner]], move_rows, part$kept)
    }))
    decision <- do.call(cbind, lapply(parts, function(part) part$decision[[learner]]))
    unknown <- is.nan(decision[1L, ])
    if (any(unknown)) decision[, unknown] <- decide(models[unknown])
    list(models = lapply(models, move_rows, match(seq_len(nrow(decision)), kept)),
         decision = decision)
  })
  list(
    models = lapply(fits, function(fit) fit$models), kept = kept,
    normalizers = parts[[1L]]$normalizers, decision = lapply(fits, function(fit) fit$decision)
  )
}

move_rows <- function(model, position) {
  model$state$rows[] <- position[model$state$rows]
  model
}
