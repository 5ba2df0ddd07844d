# Shared by the vignettes on the papers: stored results as tables, ours beside theirs.

results_directory <- system.file("experiments", "results", package = "multikernel")
# The longest tables are stored packed.
read_result <- function(name) {
  path <- file.path(results_directory, paste0(name, c(".csv", ".csv.gz")))
  utils::read.csv(path[file.exists(path)][1], check.names = FALSE)
}

# `results`: as of beside_paper() in common.R. A table with a row for each data set and a column for
# each method; a cell says "ours / theirs (difference in standard errors)", in bold beyond two.
# `mark`: a function of data set and method that gives what is written behind a cell.
beside_table <- function(results, sets, methods, measure, digits = 1, labels = methods,
                         mark = function(data, method) "") {
  number <- function(x) formatC(x, digits = digits, format = "f")
  cell <- function(data, method) {
    at <- which(results$data == data & results$method == method & results$measure == measure)
    if (!length(at)) return("")
    row <- results[at, ]
    if (is.na(row$paper)) return(number(row$mean))
    text <- paste(number(row$mean), "/", number(row$paper))
    if (is.finite(row$errors)) {
      text <- sprintf("%s (%+.1f)", text, row$errors)
      if (abs(row$errors) > 2) text <- paste0("**", text, "**")
    }
    paste0(text, mark(data, method))
  }
  sets <- intersect(sets, results$data)
  out <- vapply(methods, function(m) vapply(sets, cell, "", method = m), character(length(sets)))
  out <- matrix(out, length(sets), dimnames = list(NULL, labels))
  data.frame(data = sets, out, check.names = FALSE)
}

# Means over the data sets that both have, ours and the paper's.
mean_table <- function(results, sets, methods, measure, digits = 1) {
  part <- results[results$measure == measure & results$data %in% sets & !is.na(results$paper), ]
  mean_of <- function(column) {
    vapply(methods, function(m) mean(part[[column]][part$method == m]), 0)
  }
  both <- rbind(mean_of("mean"), mean_of("paper"))
  data.frame(" " = c("ours", "paper"), formatC(both, digits = digits, format = "f"),
             check.names = FALSE)
}

# Two measures in one cell, "first (second)", and their means over the data sets in the last row.
pair_table <- function(results, sets, methods, labels = methods, first = "accuracy",
                       second = "vectors") {
  value <- function(measure) {
    out <- vapply(methods, function(m) {
      at <- match(paste(sets, m, measure), paste(results$data, results$method, results$measure))
      results$mean[at]
    }, numeric(length(sets)))
    rbind(out, colMeans(out))
  }
  cells <- sprintf("%.1f (%.0f)", value(first), value(second))
  cells[is.na(value(first))] <- ""
  shown <- matrix(cells, length(sets) + 1, dimnames = list(NULL, labels))
  data.frame(data = c(sets, "mean"), shown, check.names = FALSE)
}

# How many cells agree with the paper's. `higher`: measures of which more is better.
agreement <- function(results, label, higher = "accuracy") {
  # Where all our runs gave the same, any difference is beyond two of its standard errors of zero.
  equal <- results$mean == results$paper
  part <- results[!is.na(equal) & (equal | !is.na(results$errors)), ]
  z <- ifelse(part$measure %in% higher, part$errors, -part$errors)
  z[part$mean == part$paper] <- 0
  data.frame(
    figures = label, cells = nrow(part), "within 2 se" = sum(abs(z) <= 2), better = sum(z > 2),
    worse = sum(z < -2), check.names = FALSE
  )
}

# The stored cells that the summary of a paper counts: those beside which it has a figure. For LMKL
# in both settings.
compared_cells <- function(name) {
  results <- read_result(name)
  plain <- !grepl("[,(]", results$method)
  keep <- switch(
    name,
    mkboost = results$measure == "accuracy" & plain & !grepl("-type-1$", results$data),
    easymkl = results$measure == "auc",
    lbmkl = results$measure %in% c("train", "test"),
    lmkl = results$measure %in% c("accuracy", "vectors"),
    multik = results$measure == "accuracy" & plain
  )
  results[keep & !is.na(results$paper), ]
}

# Minutes that all stored cells of a script took.
minutes_of <- function(name) {
  times <- read_result("times")
  round(times$minutes[times$script == name])
}

# ---- results in words ----------------------------------------------------------------------------

# "a, b and c"
listing <- function(x) {
  if (length(x) < 2) return(paste(x, collapse = ""))
  paste(paste(x[-length(x)], collapse = ", "), "and", x[length(x)])
}

# "10", or "4 to 10"
span <- function(x) paste(unique(range(x)), collapse = " to ")

# The cells that are beyond two standard errors of the difference, or those within: "D1 +2.7 and S1
# +2.1". `drop`: a part of the names of methods that need not be said. Data sets are named if there
# are several.
said_cells <- function(cells, within = FALSE, drop = NULL) {
  cells$errors[which(cells$mean == cells$paper)] <- 0 # also where there is no deviation
  far <- abs(cells$errors) > 2
  several <- length(unique(cells$data)) > 1
  cells <- cells[!is.na(far) & far != within, ]
  if (nrow(cells) == 0) return("none")
  names <- cells$method
  if (!is.null(drop)) names <- sub(drop, "", names, fixed = TRUE)
  if (several) names <- paste(cells$data, names)
  listing(sprintf("%s %+.1f", trimws(names), cells$errors))
}
