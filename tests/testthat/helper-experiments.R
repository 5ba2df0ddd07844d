# Runs a script of inst/experiments in a process of its own and gives its tables.
#   run_experiment_script("mkboost", "--runs 1 --only sonar,MKBoost-D1")
# `out`: where it stores its results; NULL for a script that has none.
# `output`: what it said, `status`: how it ended, `table(name)`: <name>.csv of its results.
run_experiment_script <- function(name, options, out = tempfile("experiment")) {
  script <- system.file("experiments", paste0(name, ".R"), package = "multikernel")
  libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
  output <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"),
    c("--no-init-file", shQuote(script), options, if (!is.null(out)) c("--out", shQuote(out))),
    stdout = TRUE, stderr = TRUE, env = paste0("R_LIBS=", shQuote(libraries))
  ))
  list(
    output = output, status = attr(output, "status") %||% 0L, directory = out,
    table = function(table) utils::read.csv(file.path(out, paste0(table, ".csv")))
  )
}
