# Shared by the experiment scripts: cells as tables, ours beside the paper's, and what they took.

# Mean, standard deviation and standard error over the runs, in the order of the jobs.
summarise_cells <- function(cells) {
  if (nrow(cells) == 0) stop("No cell was computed.", call. = FALSE)
  key <- paste(cells$data, cells$method, cells$measure, sep = "\t")
  rows <- lapply(split(cells, factor(key, unique(key))), function(part) {
    data.frame(
      part[1, c("data", "method", "measure")], runs = nrow(part), mean = mean(part$value),
      sd = stats::sd(part$value), se = stats::sd(part$value) / sqrt(nrow(part)), row.names = NULL
    )
  })
  out <- do.call(rbind, unname(rows))
  rownames(out) <- NULL
  out
}

# The summary of a script beside the figures of its paper, results/<name>-paper.csv: their mean and
# the difference in standard errors of the difference. A paper without deviations is taken to have
# ours. Methods that end in " (ours)" or ", ours", settings of our own, are held against the paper's
# too. Times move into a column. `pool`: the deviation of a measure on a data set is that of all
# methods together, for few runs; but not of the jobs in `checks`.
beside_paper <- function(summary, name, pool = FALSE, checks = NULL) {
  paper <- utils::read.csv(
    file.path(experiments_directory, "results", paste0(name, "-paper.csv"))
  )
  key <- function(table) {
    paste(table$data, sub("(, ours| \\(ours\\))$", "", table$method), table$measure, sep = "\t")
  }
  times <- summary[summary$measure == "seconds", ]
  out <- summary[summary$measure != "seconds", ]
  theirs <- paper[match(key(out), key(paper)), ]
  own <- out$sd
  if (pool) {
    checked <- vapply(checks, function(j) paste(j$data, j$method), "")
    own <- ifelse(paste(out$data, out$method) %in% checked, NA, out$sd)
    own <- stats::ave(own, out$data, out$measure, FUN = function(sd) sqrt(mean(sd^2, na.rm = TRUE)))
  }
  spread <- ifelse(is.na(theirs$sd), own, theirs$sd)
  error <- sqrt(own^2 / out$runs + spread^2 / theirs$runs)
  job <- function(table) paste(table$data, table$method, sep = "\t")
  data.frame(
    out[c("data", "method", "measure", "runs")],
    mean = signif(out$mean, 5), sd = signif(out$sd, 3), se = signif(out$se, 3),
    paper = theirs$mean, errors = round((out$mean - theirs$mean) / error, 2),
    seconds = signif(times$mean[match(job(out), job(times))], 3), row.names = NULL
  )
}

print_beside <- function(table) {
  cat("\nOurs beside the paper; differences in standard errors of the difference, a star marks\n",
      "those beyond two.\n\n", sep = "")
  text <- function(x, digits) ifelse(is.na(x), "", formatC(x, digits = digits, format = "f"))
  star <- ifelse(!is.na(table$errors) & abs(table$errors) > 2, "*", "")
  cat(sprintf("%-12s %-22s %-15s %4s %8s %7s %8s %7s %8s\n", "data", "method", "measure", "runs",
              "ours", "se", "paper", "diff", "seconds"))
  cat(sprintf("%-12s %-22s %-15s %4d %8s %7s %8s %6s%1s %8s\n", table$data, table$method,
              table$measure, table$runs, text(table$mean, 2), text(table$se, 2),
              text(table$paper, 2), text(table$errors, 1), star, text(table$seconds, 2)), sep = "")
}

write_table <- function(table, settings, name = settings$name) {
  path <- file.path(settings$out, paste0(name, ".csv"))
  utils::write.csv(table, path, row.names = FALSE)
  message("written: ", path)
}

# What all cells of the tables took, on the clock of each: printed, and a line of times.csv, where
# the vignettes and summary.R read it.
report_time <- function(cells, settings) {
  spent <- sum(cells$value[cells$measure == "seconds"])
  cat(sprintf("\n%s of computing\n", duration(spent)))
  path <- file.path(settings$out, "times.csv")
  known <- if (file.exists(path)) utils::read.csv(path)
  line <- data.frame(script = settings$name, minutes = signif(spent / 60, 3))
  table <- rbind(known[known$script != settings$name, ], line)
  write_table(table[order(table$script), ], settings, "times")
}
