# Convex multiple kernel learning: time to a gap of 1e-2 and of 1e-3 for each solver, over the number
# of kernels and of rows, from data to model, against all Gram matrices and one cold support vector
# machine on their average. Prints the table, how the time grows, and draws mkl.png.
#   Rscript tools/bench/mkl.R [--quick] [--plot FILE]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

# M kernels: Gaussian ones of 8 widths and a linear one on all columns, and the rest on random groups
# of columns, so that a few matter and most do not.
some_kernels <- function(count, p) {
  set.seed(4)
  groups <- lapply(seq_len(count), function(m) sort(sample(p, sample(2:5, 1))))
  all_columns <- c(kernel_rbf(sigma = sqrt(p) * 2^seq(-2, 2, length.out = 8)), kernel_linear())
  single <- lapply(groups, function(g) kernel_rbf(sigma = sqrt(length(g)), on = g))
  do.call(c, c(list(all_columns), single))[seq_len(count)]
}

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

results <- data.frame()

measure <- function(n, m, cost) {
  data <- spam_data(n)
  kernels <- some_kernels(m, ncol(data$x))
  single <- time_of(function() fit(data, kernels, learner_average(cost = cost)))
  header(
    sprintf("n = %d, %d kernels, cost %g", n, m, cost),
    sprintf("peer: all Gram matrices and one cold machine, %.4f s", single)
  )
  for (gap in c(1e-2, 1e-3)) {
    for (name in names(solvers)) {
      learner <- solvers[[name]](cost, gap)
      model <- fit(data, kernels, learner)
      ours <- time_of(function() fit(data, kernels, learner), repeats = 2, most = 5)
      label <- sprintf("%s, gap %g", name, gap)
      extra <- sprintf(
        "J %.6g, gap %.1e, %d steps, %d kernels", objective(model), duality_gap(model),
        length(objective_path(model)), sum(coef(model) > 1e-4)
      )
      times_peer(label, ours, single, bar_of(name, n, m, gap), extra)
      results <<- rbind(results, data.frame(
        solver = name, n = n, kernels = m, cost = cost, gap = gap, seconds = ours, peer = single,
        reached = converged(model)
      ))
    }
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

describe_run()
sizes <- if (quick) c(200, 500) else c(200, 500, 1000)
counts <- if (quick) c(10, 50) else c(10, 50, 200)
costs <- if (quick) 1 else c(1, 100)
for (n in sizes) for (m in counts) for (cost in costs) measure(n, m, cost)

# ---- growth --------------------------------------------------------------------------------------

# Exponents of time ~ kernels^a n^b over all runs at gap 1e-3.
cat("\nGrowth of the time to a gap of 1e-3: kernels^a * n^b\n")
for (name in names(solvers)) {
  part <- results[results$solver == name & results$gap == 1e-3, ]
  slopes <- coef(lm(log(seconds) ~ log(kernels) + log(n), part))
  cat(sprintf("%-24s a = %.2f, b = %.2f\n", name, slopes[2], slopes[3]))
}
cat(sprintf("%d of %d fits reached their gap\n", sum(results$reached), nrow(results)))

at <- match("--plot", bench_args)
if (requireNamespace("ggplot2", quietly = TRUE)) {
  file <- if (is.na(at)) "mkl.png" else bench_args[at + 1]
  shown <- results[results$gap == 1e-3, ]
  shown$rows <- factor(paste("n =", shown$n), paste("n =", sort(unique(shown$n))))
  shown$costs <- paste("cost", shown$cost)
  picture <- ggplot2::ggplot(shown, ggplot2::aes(kernels, seconds, colour = solver)) +
    ggplot2::geom_line() +
    ggplot2::geom_point() +
    ggplot2::geom_line(ggplot2::aes(y = peer), colour = "grey40", linetype = 2) +
    ggplot2::facet_grid(costs ~ rows) +
    ggplot2::scale_x_log10(breaks = counts) +
    ggplot2::scale_y_log10() +
    ggplot2::scale_colour_viridis_d(end = 0.9) +
    ggplot2::labs(
      x = "kernels", y = "seconds (CPU)", colour = NULL,
      title = "Time to a relative duality gap of 1e-3",
      subtitle = "dashed: all Gram matrices and one support vector machine on their average"
    ) +
    ggplot2::theme_bw()
  ggplot2::ggsave(file, picture, width = 9, height = 5.5, dpi = 110)
  cat("picture:", file, "\n")
}

finish()
