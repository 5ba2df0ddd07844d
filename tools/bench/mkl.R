# Convex multiple kernel learning: time to a gap of 1e-2 and of 1e-3 for each solver, over the
# number of kernels and of rows, from data to model, against all Gram matrices and one cold support
# vector machine on their average. Prints every fit, then one table of all times, how they grow with
# kernels and rows, whether all gaps were reached and all solvers of one problem agree, and draws
# mkl.png. GMKL solves another problem and ends by another rule: it has gmkl.R.
#
#   Rscript tools/bench/mkl.R [--quick] [--n 200,500] [--kernels 10,50] [--cost 1]
#                             [--store FILE] [--limit SECONDS] [--plot FILE]
#
# Data: the first n rows of a fixed shuffle of spam (57 columns, z-scored). CPU time, one thread,
# smallest of two runs or more. The whole takes ten minutes: with --store each line goes to
# a file as soon as it is measured and is not measured again; with --limit a call ends after the
# line during which the time was up, and the next call goes on from there.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

solvers <- list(
  simplemkl = function(cost, gap) learner_simplemkl(cost, gap),
  `simplemkl, gradient` = function(cost, gap) learner_simplemkl(cost, gap, direction = "gradient"),
  silpmkl = function(cost, gap) learner_silpmkl(cost, gap),
  levelmkl = function(cost, gap) learner_levelmkl(cost, gap),
  glmkl = function(cost, gap) learner_glmkl(cost, gap),
  `lpmkl, p = 2` = function(cost, gap) learner_lpmkl(2, cost, gap)
)

fit <- function(data, kernels, learner) {
  mkl(data$x, data$y, kernels = kernels, learner = learner, normalize = "trace", scale = FALSE,
      control = mkl_control(memory = "4GB"))
}

# At most 20 times the peer for 10 kernels and 40 times for 50, at n = 500: quality bars.
bar_of <- function(solver, n, m, gap) {
  if (solver != "simplemkl" || n != 500 || gap != 1e-3) return(NA)
  c(`10` = 20, `50` = 40)[as.character(m)]
}

# ---- lines that are measured, and those that are known -------------------------------------------

option <- function(name, if_missing = NULL) {
  at <- match(name, bench_args)
  if (is.na(at)) if_missing else bench_args[at + 1]
}
numbers <- function(name, if_missing) {
  given <- option(name)
  if (is.null(given)) if_missing else as.numeric(strsplit(given, ",")[[1]])
}

store <- option("--store")
limit <- as.numeric(option("--limit", Inf))
results <- if (!is.null(store) && file.exists(store)) utils::read.csv(store) else data.frame()

known <- function(name, n, m, cost, gap) {
  if (nrow(results) == 0) return(results)
  results[results$solver == name & results$n == n & results$kernels == m &
            results$cost == cost & results$gap == gap, ]
}

keep <- function(line) {
  results <<- rbind(results, line)
  if (is.null(store)) return(invisible())
  utils::write.table(line, store, append = file.exists(store), sep = ",", row.names = FALSE,
                     col.names = !file.exists(store))
}

measure_line <- function(name, data, kernels, n, m, cost, gap, peer) {
  learner <- solvers[[name]](cost, gap)
  ours <- time_of(function() model <<- fit(data, kernels, learner), repeats = 2, most = 5)
  keep(data.frame(
    solver = name, n = n, kernels = m, cost = cost, gap = gap, seconds = ours, peer = peer,
    reached = converged(model), objective = objective(model), found = duality_gap(model),
    steps = length(objective_path(model)), active = sum(coef(model) > 1e-4)
  ))
}
model <- NULL

time_is_up <- function() proc.time()[["elapsed"]] - began > limit
began <- proc.time()[["elapsed"]]

# All lines of a cell; FALSE if the time was up before its end.
measure <- function(n, m, cost) {
  todo <- expand.grid(name = names(solvers), gap = c(1e-2, 1e-3), stringsAsFactors = FALSE)
  new <- vapply(seq_len(nrow(todo)), function(i) {
    nrow(known(todo$name[i], n, m, cost, todo$gap[i])) == 0
  }, logical(1))
  if (any(new)) {
    if (time_is_up()) return(FALSE)
    data <- spam_data(n)
    kernels <- some_kernels(m, ncol(data$x))
    peer <- time_of(function() fit(data, kernels, learner_average(cost = cost)))
    for (i in which(new)) {
      if (time_is_up()) return(FALSE)
      measure_line(todo$name[i], data, kernels, n, m, cost, todo$gap[i], peer)
    }
  }
  show_cell(n, m, cost, todo)
  TRUE
}

show_cell <- function(n, m, cost, todo) {
  lines <- do.call(rbind, lapply(seq_len(nrow(todo)), function(i) {
    known(todo$name[i], n, m, cost, todo$gap[i])
  }))
  header(
    sprintf("n = %d, %d kernels, cost %g", n, m, cost),
    sprintf("peer: all Gram matrices and one cold machine, %.4f s", min(lines$peer))
  )
  for (i in seq_len(nrow(lines))) {
    line <- lines[i, ]
    extra <- sprintf("J %.6g, gap %.1e, %d steps, %d kernels", line$objective, line$found,
                     line$steps, line$active)
    times_peer(sprintf("%s, gap %g", line$solver, line$gap), line$seconds, line$peer,
               bar_of(line$solver, n, m, line$gap), extra)
  }
}

# A line of the table with "times the peer" as ratio, which must stay below the bar.
times_peer <- function(label, ours, peer, bar, extra) {
  ratio <- ours / peer
  verdict <- if (is.na(bar)) "" else if (ratio <= bar) "ok" else "above"
  cat(sprintf("%-46s %9.4fs %9.4fs %7.1fx %6s  %-5s %s\n", label, ours, peer, ratio,
              if (is.na(bar)) "-" else paste0("<=", bar, "x"), verdict, extra))
  remember(verdict)
}

# ---- memory --------------------------------------------------------------------------------------

# What a fit of 50 kernels on 2000 rows adds to an R process that has the package and the data,
# under a budget: kernels, K(d), the copies of the solver and the result. A process of its own each,
# because a peak never falls. The whole kernels would take 1526 MB.
worker <- match("--memory", bench_args)
if (!is.na(worker)) {
  data <- spam_data(2000)
  kernels <- some_kernels(50, ncol(data$x))
  gc(FALSE)
  before <- peak_mb()
  seconds <- system.time(model <- mkl(
    data$x, data$y, kernels = kernels, learner = learner_simplemkl(1, 1e-3), normalize = "trace",
    scale = FALSE, control = mkl_control(memory = bench_args[worker + 1])
  ))
  cat(before, peak_mb(), sum(seconds[1:2]), format(objective(model), digits = 12), "\n")
  quit(status = 0)
}

show_memory <- function() {
  cat("\nMemory: simplemkl to a gap of 1e-3, n = 2000, 50 kernels, cost 1\n")
  cat(sprintf("%8s %10s %10s %10s %10s %14s\n", "budget", "idle MB", "peak MB", "added MB",
              "CPU", "objective"))
  objectives <- numeric()
  for (budget in c("4GB", "1GB", "500MB")) {
    out <- system2(file.path(R.home("bin"), "Rscript"), c(shQuote(script), "--memory", budget),
                   stdout = TRUE)
    r <- as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]])
    bar <- c(`4GB` = NA, `1GB` = 1024, `500MB` = 500)[[budget]]
    added <- r[2] - r[1]
    verdict <- if (is.na(bar) || is.na(added)) "" else if (added <= bar) "ok" else "above"
    remember(verdict)
    objectives <- c(objectives, r[4])
    cat(sprintf("%8s %10.1f %10.1f %10.1f %9.1fs %14.8g  %s\n", budget, r[1], r[2], added, r[3],
                r[4], verdict))
  }
  figure("relative difference of the objectives", diff(range(objectives)) / objectives[1], 1e-4,
         at_most = TRUE)
}

describe_run()
sizes <- numbers("--n", if (quick) c(200, 500) else c(200, 500, 1000))
counts <- numbers("--kernels", if (quick) c(10, 50) else c(10, 50, 200))
costs <- numbers("--cost", if (quick) 1 else c(1, 100))
for (n in sizes) for (m in counts) for (cost in costs) {
  if (!measure(n, m, cost)) {
    cat("The time is up: call again for the rest.\n")
    quit(status = 0)
  }
}

# ---- the table, and how times grow ---------------------------------------------------------------

shown <- results[results$n %in% sizes & results$kernels %in% counts & results$cost %in% costs, ]

# A row for each solver, gap and cost, a column for each number of rows and kernels.
show_table <- function() {
  cells <- expand.grid(kernels = counts, n = sizes)
  cat("\nSeconds (CPU), by rows n and kernels M\n")
  line <- function(label, values) {
    cat(sprintf("%-32s", label), sprintf("%8s", values), "\n", sep = "")
  }
  line("", paste0("n ", cells$n))
  line("solver, cost, gap", paste0("M ", cells$kernels))
  rows <- expand.grid(gap = c(1e-2, 1e-3), cost = costs, solver = names(solvers),
                      stringsAsFactors = FALSE)
  for (i in seq_len(nrow(rows))) {
    seconds <- mapply(function(n, m) {
      known(rows$solver[i], n, m, rows$cost[i], rows$gap[i])$seconds[1]
    }, cells$n, cells$kernels)
    line(sprintf("%s, %g, %g", rows$solver[i], rows$cost[i], rows$gap[i]), sprintf("%.3f", seconds))
  }
}

# Exponents of time ~ kernels^a n^b over all runs to a gap.
show_growth <- function() {
  cat("\nGrowth of the time: kernels^a * n^b\n")
  for (name in names(solvers)) {
    cat(sprintf("%-24s", name))
    for (gap in c(1e-2, 1e-3)) {
      part <- shown[shown$solver == name & shown$gap == gap, ]
      slopes <- coef(lm(log(seconds) ~ log(kernels) + log(n), part))
      cat(sprintf("  gap %g: a = %.2f, b = %.2f", gap, slopes[2], slopes[3]))
    }
    cat("\n")
  }
}

# All solvers but lpmkl minimise the same function over the same weights: at a gap of 1e-3 each is
# at most that share from the optimum, above it or, by its last machine, below.
show_agreement <- function() {
  same <- shown[shown$gap == 1e-3 & !startsWith(shown$solver, "lpmkl"), ]
  apart <- tapply(same$objective, same[c("n", "kernels", "cost")], function(j) {
    diff(range(j)) / min(j)
  })
  figure("largest relative difference of the objectives", max(apart), 2e-3, at_most = TRUE)
  figure(sprintf("fits of %d that missed their gap", nrow(shown)), sum(!shown$reached), 0,
         at_most = TRUE)
}

show_table()
if (length(sizes) > 1 && length(counts) > 1) show_growth()
cat("\n")
show_agreement()

if (requireNamespace("ggplot2", quietly = TRUE)) {
  file <- option("--plot", "mkl.png")
  shown$rows <- factor(paste("n =", shown$n), paste("n =", sort(unique(shown$n))))
  shown$costs <- paste("cost", shown$cost)
  shown$gaps <- factor(paste("gap", shown$gap), c("gap 0.001", "gap 0.01"))
  peers <- aggregate(peer ~ kernels + rows + costs, shown, min)
  picture <- ggplot2::ggplot(shown, ggplot2::aes(kernels, seconds, colour = solver)) +
    ggplot2::geom_line(ggplot2::aes(linetype = gaps)) +
    ggplot2::geom_point(size = 0.8) +
    ggplot2::geom_line(ggplot2::aes(y = peer), peers, colour = "grey40", linewidth = 1) +
    ggplot2::facet_grid(costs ~ rows) +
    ggplot2::scale_x_log10(breaks = counts) +
    ggplot2::scale_y_log10() +
    ggplot2::scale_colour_viridis_d(end = 0.9) +
    ggplot2::labs(
      x = "kernels", y = "seconds (CPU)", colour = NULL, linetype = NULL,
      title = "Time to a relative duality gap of 1e-2 and of 1e-3",
      subtitle = "grey: all Gram matrices and one support vector machine on their average"
    ) +
    ggplot2::theme_bw()
  ggplot2::ggsave(file, picture, width = 9, height = 5.5, dpi = 110)
  cat("picture:", file, "\n")
}

if (!quick) show_memory()
finish()
