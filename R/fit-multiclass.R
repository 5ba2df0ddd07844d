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

# What core(x, problem, kernels, learner, control) gives, which is fit_cpp() but for tests. A worker
# gets all rows, as normalizers are fitted on all of them, and some of the pairs: the core fits each
# pair by itself, with the same random numbers, wherever that is.
fit_pairs <- function(core, x, problem, kernels, learner, control) {
  # A learner that hands passes to other processes is fitted here.
  if (!is.null(learner$passes) || !pairs_elsewhere(problem)) {
    return(core(x, problem, kernels, learner, control))
  }
  count <- count_pairs(problem)
  # Two tasks for each worker: few, because pairs of one task share kernel matrices.
  size <- ceiling(count / (2 * min(future::nbrOfWorkers(), count)))
  tasks <- split(seq_len(count), ceiling(seq_len(count) / size))
  parts <- map_tasks(
    unname(tasks), fit_some_pairs, core = core, x = x, problem = problem, kernels = kernels,
    learner = learner, control = control, seed = FALSE, chunk = 1L, label = "Pairs of classes"
  )
  join_fits_cpp(x, kernels, parts, control)
}

fit_some_pairs <- function(task, core, x, problem, kernels, learner, control) {
  problem$pairs <- task
  core(x, problem, kernels, learner, limit_threads(control))
}
