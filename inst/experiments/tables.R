# Shared by the vignettes on the papers: stored results as tables, ours beside theirs.

read_result <- function(name) {
  utils::read.csv(
    system.file("experiments", "results", paste0(name, ".csv"), package = "multikernel"),
    check.names = FALSE
  )
}

# `results`: as of beside_paper() in common.R. A table with a row for each data set and a column for
# each method; a cell says "ours / theirs (difference in standard errors)", in bold beyond two.
beside_table <- function(results, sets, methods, measure, digits = 1, labels = methods) {
  number <- function(x) formatC(x, digits = digits, format = "f")
  cell <- function(data, method) {
    at <- which(results$data == data & results$method == method & results$measure == measure)
    if (!length(at)) return("")
    row <- results[at, ]
    if (is.na(row$paper)) return(number(row$mean))
    text <- paste(number(row$mean), "/", number(row$paper))
    if (is.na(row$errors) || !is.finite(row$errors)) return(text)
    text <- sprintf("%s (%+.1f)", text, row$errors)
    if (abs(row$errors) > 2) paste0("**", text, "**") else text
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

# How many cells agree with the paper's. `higher`: measures of which more is better.
agreement <- function(results, label, higher = "accuracy") {
  part <- results[!is.na(results$paper), ]
  z <- ifelse(part$measure %in% higher, part$errors, -part$errors)
  # Where all our runs gave the same, any difference is beyond two of its standard errors of zero.
  equal <- part$mean == part$paper
  z[equal] <- 0
  data.frame(
    figures = label, cells = nrow(part), "within 2 se" = sum(abs(z) <= 2), better = sum(z > 2),
    worse = sum(z < -2), check.names = FALSE
  )
}
