# Shared by the experiment scripts: options, data sets, cells that are computed once.
#
# An experiment is a list of jobs. A job is a method on a data set, and each of its runs is a
# *cell*: a function of the data set that returns named numbers. Finished cells are stored at once,
# so that a script that was stopped goes on where it was, and one that is done prints its tables.
#
#   settings <- experiment_settings("calibrate", runs = 20, about = "...")
#   jobs <- list(job("sonar", "svm", function(set, run) c(accuracy = ...)), ...)
#   cells <- run_experiment(settings, jobs)
#   summarise_cells(cells)
#
# Random numbers are set before each cell by (data set, run): the number and the order of workers
# change nothing, and methods that draw their rows first see the same rows in the same run.

suppressPackageStartupMessages(library(multikernel))
# This file is always read by source(), which keeps its name, or from its own directory.
experiments_directory <- dirname(
  c(unlist(lapply(rev(sys.frames()), function(frame) frame$ofile)), "./common.R")[1]
)
source(file.path(experiments_directory, "datasets.R"), local = TRUE)
source(file.path(experiments_directory, "report.R"), local = TRUE)

# ---- options -------------------------------------------------------------------------------------

usage <- "Options:
  --data DIR      directory of the files that no package holds (default: none)
  --runs N        runs of each job (default: those of the paper or of the script)
  --workers N     processes, one thread each (default 1)
  --out DIR       where cells and tables are stored (default ./experiments-out)
  --only A,B,...  only these groups of jobs, data sets or methods
  --rows N        at most N rows of a data set, drawn anew in each run (default: all)
  --fits N        fits whose mean is one run, for stochastic methods (default: the paper's)
  --kernels N     kernels, where a script offers the choice (default: that of the script)
  --fresh         forget the stored cells first
  --stored        compute nothing: the tables of what is stored
  --list          say what would be run, and stop
"

# `name`: of the script and its files. `runs`: of a job that does not say. `arguments`: for tests.
experiment_settings <- function(name, runs = 10, about = "", arguments = commandArgs(TRUE)) {
  given <- parse_arguments(arguments)
  if (isTRUE(given$help)) {
    cat(about, "\n\n", usage, sep = "")
    quit(status = 0)
  }
  list(
    name = name, data = given$data, out = given$out %||% "experiments-out",
    runs = given$runs, default_runs = runs, workers = given$workers %||% 1L,
    only = given$only, rows = given$rows, fits = given$fits, kernels = given$kernels,
    fresh = isTRUE(given$fresh), stored = isTRUE(given$stored), list = isTRUE(given$list)
  )
}

parse_arguments <- function(arguments) {
  # --runs=3 is --runs 3
  arguments <- unlist(regmatches(arguments, regexpr("=", arguments), invert = TRUE))
  out <- list()
  flags <- c("fresh", "stored", "list", "help")
  values <- c("data", "runs", "workers", "out", "only", "rows", "fits", "kernels")
  i <- 1L
  while (i <= length(arguments)) {
    option <- sub("^--", "", arguments[i])
    if (!startsWith(arguments[i], "--") || !option %in% c(flags, values)) {
      stop_usage("unknown option: ", arguments[i])
    }
    if (option %in% flags) {
      out[[option]] <- TRUE
      i <- i + 1L
      next
    }
    if (i == length(arguments)) stop_usage(arguments[i], " needs a value")
    out[[option]] <- arguments[i + 1L]
    i <- i + 2L
  }
  for (option in c("runs", "workers", "rows", "fits", "kernels")) {
    if (!is.null(out[[option]])) out[[option]] <- whole_number(out[[option]], option)
  }
  if (!is.null(out$only)) out$only <- strsplit(out$only, ",", fixed = TRUE)[[1]]
  if (!is.null(out$data) && !dir.exists(out$data)) stop_usage("there is no directory ", out$data)
  out
}

whole_number <- function(text, option) {
  value <- suppressWarnings(as.numeric(text))
  if (is.na(value) || value < 1 || value != round(value)) {
    stop_usage("--", option, " must be a positive whole number, not ", text)
  }
  as.integer(value)
}

stop_usage <- function(...) stop(..., "\n\n", usage, call. = FALSE)

# ---- jobs and cells ------------------------------------------------------------------------------

# `data`: name in the catalogue. `run`: function(set, run) that returns named finite numbers; it may
# give more than one measure. `runs`: how many, unless --runs says. `group`: for --only.
job <- function(data, method, run, runs = NULL, group = "all") {
  stopifnot(is.character(data), is.character(method), is.function(run))
  list(data = data, method = method, run = run, runs = runs, group = group)
}

# The same job for several data sets.
jobs_on <- function(sets, ...) lapply(sets, function(data) job(data, ...))

seed_of <- function(data, run) {
  code <- utf8ToInt(paste0(data, "#", run))
  Reduce(function(hash, c) (hash * 31 + c) %% 2147483647, code, 7)
}

# Runs what is not stored yet and returns all cells of the jobs: data, method, run, measure, value.
run_experiment <- function(settings, jobs) {
  jobs <- chosen_jobs(jobs, settings$only)
  if (settings$list) {
    list_jobs(jobs, settings)
    quit(status = 0)
  }
  dir.create(settings$out, recursive = TRUE, showWarnings = FALSE)
  store <- file.path(settings$out, paste0(settings$name, "-cells.csv"))
  if (settings$fresh) unlink(store)
  wanted <- all_cells(jobs, settings)
  done <- read_cells(store)
  open <- wanted[!cell_key(wanted) %in% cell_key(done) & !isTRUE(settings$stored), ]
  sets <- load_sets(unique(open$data), settings$data)
  open <- open[open$data %in% names(sets), ]
  progress <- new_progress(nrow(open), sum(cell_key(wanted) %in% cell_key(done)))
  failed <- run_cells(open, jobs, sets, settings$workers, function(cell, result) {
    if (is.null(result$error)) append_cell(store, cell, result$values)
    progress(cell, result)
  })
  if (length(failed)) message(length(failed), " cells failed; run the script again to retry them")
  cells <- read_cells(store)
  # In the order of the jobs, whichever worker was first.
  wanted <- wanted[order(wanted$job, wanted$run), ]
  at <- match(cell_key(cells), cell_key(wanted))
  structure(cells[order(at, na.last = NA), ], failed = length(failed))
}

chosen_jobs <- function(jobs, only) {
  if (is.null(only)) return(jobs)
  names <- lapply(jobs, function(j) c(j$group, j$data, j$method))
  unknown <- setdiff(only, unlist(names))
  if (length(unknown)) {
    stop_usage("--only knows ", paste(unique(unlist(names)), collapse = ", "), ", not ",
               paste(unknown, collapse = ", "))
  }
  # Names of one kind add up, those of different kinds narrow down: sonar,monks-1,D1 is D1 on two.
  fits <- function(kind) {
    asked <- intersect(only, unlist(lapply(jobs, `[[`, kind)))
    vapply(jobs, function(j) length(asked) == 0 || j[[kind]] %in% asked, NA)
  }
  jobs[fits("group") & fits("data") & fits("method")]
}

job_runs <- function(job, settings) settings$runs %||% job$runs %||% settings$default_runs

list_jobs <- function(jobs, settings) {
  for (j in jobs) {
    cat(sprintf("%-12s %-15s %-40s %3d runs\n", j$group, j$data, j$method, job_runs(j, settings)))
  }
}

# Run by run over all jobs: a script that is stopped early has something of everything.
all_cells <- function(jobs, settings) {
  cells <- do.call(rbind, lapply(seq_along(jobs), function(i) {
    data.frame(
      data = jobs[[i]]$data, method = jobs[[i]]$method, job = i,
      run = seq_len(job_runs(jobs[[i]], settings))
    )
  }))
  cells[order(cells$run, cells$job), ]
}

cell_key <- function(cells) paste(cells$data, cells$method, cells$run, sep = "\t")

load_sets <- function(names, directory) {
  sets <- lapply(names, function(name) {
    set.seed(seed_of(name, 0))
    load_set(name, directory)
  })
  names(sets) <- names
  for (set in sets) {
    if (!is.null(set$note)) message("data set ", set$name, ": ", set$note)
  }
  Filter(Negate(is.null), sets)
}

# ---- the store -----------------------------------------------------------------------------------

# A table with one line for each number. `seconds` is written last: a cell without it is not whole.
store_columns <- c("data", "method", "run", "measure", "value")

read_cells <- function(store) {
  empty <- data.frame(
    data = character(), method = character(), run = integer(), measure = character(),
    value = numeric()
  )
  if (!file.exists(store)) return(empty)
  # A line that was cut short may leave a quote open.
  lines <- readLines(store, warn = FALSE)
  lines <- lines[nchar(gsub("[^\"]", "", lines)) %% 2 == 0]
  cells <- utils::read.csv(text = lines, colClasses = "character", fill = TRUE)
  cells$run <- suppressWarnings(as.integer(cells$run))
  cells$value <- suppressWarnings(as.numeric(cells$value))
  cells <- cells[!is.na(cells$run) & !is.na(cells$value), ]
  whole <- cell_key(cells) %in% cell_key(cells[cells$measure == "seconds", ])
  cells <- cells[whole, ]
  # A cell that was cut short and computed again stands there twice: the last one counts.
  cells[!duplicated(paste(cell_key(cells), cells$measure), fromLast = TRUE), ]
}

append_cell <- function(store, cell, values) {
  if (!file.exists(store)) cat(paste(store_columns, collapse = ","), "\n", sep = "", file = store)
  lines <- paste(
    quote_text(cell$data), quote_text(cell$method), cell$run, quote_text(names(values)),
    format(values, digits = 10, trim = TRUE), sep = ","
  )
  # A line that a killed process left unfinished is ended first.
  broken <- !ends_in_newline(store)
  cat(if (broken) "\n", paste0(lines, "\n"), sep = "", file = store, append = TRUE)
}

ends_in_newline <- function(path) {
  size <- file.size(path)
  connection <- file(path, "rb")
  on.exit(close(connection))
  seek(connection, size - 1)
  identical(readBin(connection, "raw", 1L), charToRaw("\n"))
}

quote_text <- function(x) paste0("\"", x, "\"")

# ---- computing -----------------------------------------------------------------------------------

# One cell: list(values) with the seconds it took, or list(error).
compute_cell <- function(cell, job, set) {
  suppressWarnings(RNGkind("Mersenne-Twister", "Inversion", "Rejection"))
  set.seed(seed_of(cell$data, cell$run))
  if (cell$data %in% drawn_sets) set <- utils::modifyList(set, catalogue[[cell$data]](NULL))
  started <- proc.time()[["elapsed"]]
  tryCatch({
    values <- withCallingHandlers(job$run(set, cell$run), multikernel_warning = function(w) {
      invokeRestart("muffleWarning") # convergence is a measure, where a script asks for it
    })
    if (!is.numeric(values) || is.null(names(values)) || !all(is.finite(values))) {
      stop("a cell must give named finite numbers, not ", paste(format(values), collapse = ", "))
    }
    list(values = c(values, seconds = proc.time()[["elapsed"]] - started))
  }, error = function(e) list(error = conditionMessage(e)))
}

# Calls finished(cell, result) in this process as cells come in; returns the cells that failed.
run_cells <- function(open, jobs, sets, workers, finished) {
  if (workers > 1 && .Platform$OS.type == "windows") {
    message("Processes cannot be forked here: one worker is used.")
    workers <- 1
  }
  one <- function(i) compute_cell(open[i, ], jobs[[open$job[i]]], sets[[open$data[i]]])
  failed <- integer()
  close_cell <- function(i, result) {
    if (!is.null(result$error)) failed <<- c(failed, i)
    finished(open[i, ], result)
  }
  if (workers == 1) {
    for (i in seq_len(nrow(open))) close_cell(i, one(i))
  } else {
    run_forked(nrow(open), one, workers, close_cell)
  }
  failed
}

# At most `workers` processes at a time, a new one for each task as soon as there is room.
run_forked <- function(count, task, workers, close) {
  busy <- list()
  following <- 1L
  while (following <= count || length(busy)) {
    while (following <= count && length(busy) < workers) {
      process <- parallel::mcparallel(task(following), silent = FALSE)
      busy[[as.character(process$pid)]] <- list(process = process, task = following)
      following <- following + 1L
    }
    ready <- parallel::mccollect(lapply(busy, `[[`, "process"), wait = FALSE, timeout = 1)
    for (pid in names(ready)) {
      result <- ready[[pid]]
      if (!is.list(result)) result <- list(error = "the process ended without a result")
      close(busy[[pid]]$task, result)
      busy[[pid]] <- NULL
    }
  }
}

# A line for each cell: how far, what, its numbers, how much longer.
new_progress <- function(count, before) {
  done <- 0L
  started <- proc.time()[["elapsed"]]
  if (before) message(before, " cells are stored already, ", count, " are open")
  function(cell, result) {
    done <<- done + 1L
    left <- (proc.time()[["elapsed"]] - started) / done * (count - done)
    text <- if (is.null(result$error)) {
      shown <- utils::head(result$values, 4L)
      paste(names(shown), formatC(shown, digits = 4), collapse = ", ")
    } else {
      paste("FAILED:", result$error)
    }
    message(sprintf("[%d/%d] %s, %s, run %d: %s (%s to go)", done, count, cell$data, cell$method,
                    cell$run, text, duration(left)))
  }
}

duration <- function(seconds) {
  if (seconds < 90) return(sprintf("%.0f s", seconds))
  if (seconds < 5400) return(sprintf("%.0f min", seconds / 60))
  sprintf("%.1f h", seconds / 3600)
}

# ---- parts of protocols --------------------------------------------------------------------------

# Random rows for training: a share of all, or a number. `by`: a factor whose levels keep their
# shares; a number is then divided in proportion, as evenly as it goes.
training_rows <- function(y, size, by = NULL) {
  n <- length(y)
  count <- if (size < 1) round(size * n) else size
  if (is.null(by)) return(sort(sample(n, count)))
  groups <- split(seq_len(n), by, drop = TRUE)
  exact <- lengths(groups) * count / n
  counts <- floor(exact)
  extra <- order(exact - counts, decreasing = TRUE)[seq_len(count - sum(counts))]
  counts[extra] <- counts[extra] + 1
  sort(unlist(Map(function(rows, k) rows[sample.int(length(rows), k)], groups, counts),
              use.names = FALSE))
}

# At most `count` random rows of a set; all if it is NULL.
limit_rows <- function(set, count) {
  if (is.null(count) || count >= length(set$y)) return(set)
  some_rows(set, training_rows(set$y, count, by = set$y))
}

divide <- function(set, rows) {
  list(
    x = set$x[rows, , drop = FALSE], y = set$y[rows],
    new_x = set$x[-rows, , drop = FALSE], new_y = set$y[-rows]
  )
}

# Folds of equal size, each with the shares of the classes. resample_cv() would draw other ones from
# the same seed; the stored results rest on these.
fold_of <- function(y, folds) {
  out <- integer(length(y))
  for (rows in split(seq_along(y), y, drop = TRUE)) {
    out[rows] <- sample(rep_len(sample(folds), length(rows)))
  }
  out
}

accuracy <- function(predicted, truth) {
  predicted <- factor(as.character(predicted), levels(truth))
  compute_metrics(truth, list(class = predicted), "accuracy")[["accuracy"]]
}

# The second level is the positive class.
auc <- function(decision, truth) {
  compute_metrics(truth, list(decision = decision), "auc")[["auc"]]
}

# The best row of a grid by cross-validation on the training rows. `score`: function(row, x, y,
# new_x, new_y) that fits and returns what is to be large. Ties go to the first row.
choose_by_cv <- function(grid, x, y, folds, score) {
  fold <- fold_of(y, folds)
  scores <- vapply(seq_len(nrow(grid)), function(g) {
    mean(vapply(seq_len(folds), function(f) {
      out <- fold == f
      score(grid[g, , drop = FALSE], x[!out, , drop = FALSE], y[!out], x[out, , drop = FALSE],
            y[out])
    }, 0))
  }, 0)
  cbind(grid[which.max(scores), , drop = FALSE], score = max(scores))
}
