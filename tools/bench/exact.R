# Exact fits against e1071 with the default memory: 1,000 to 50,000 rows with few, some and many
# support vectors. Bar: no fit is slower than that of e1071, and neither are its predictions.
#
#   Rscript tools/bench/exact.R [--quick] [<folder with ijcnn1-train.csv or ijcnn1-train.csv.xz>]
#
# Each fit is the first one of an R process of its own, with the package loaded and nothing else
# done: memory that a fit touches has to come from the system. CPU time is compared; the time on the
# clock is beside it. Both take turns, three times (once from 20,000 rows on), and the smallest time
# counts: on a virtual machine the first process that touches a page of the machine pays its host
# for it, whoever that is.
#
#   few   ijcnn1 with gamma = 2 and cost = 32: a tenth of the rows or less are support vectors
#   some  sin(2 x1) + x2 x3 + x4^2 / 2 > 1/2 on 10 normal columns, cost 10: a third
#   many  the same with a tenth of the labels flipped, cost 1: more than half
#   long  a tilted chessboard with 15 % of the labels wrong, cost 100: many steps
#
# One thread; in the last table two threads of ours, by the clock.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

# ---- data ----------------------------------------------------------------------------------------

smooth_data <- function(n, flipped, cost) {
  set.seed(1)
  x <- matrix(rnorm(50000 * 10), 50000)
  positive <- sin(2 * x[, 1]) + x[, 2] * x[, 3] + x[, 4]^2 / 2 > 0.5
  wrong <- runif(50000) < flipped
  list(x = x[seq_len(n), ], y = factor((positive != wrong)[seq_len(n)]), gamma = 0.1, cost = cost)
}

ijcnn1_data <- function(n, file) {
  data <- utils::read.csv(file, check.names = FALSE)
  set.seed(1)
  data <- data[sample(nrow(data))[seq_len(n)], ]
  x <- as.matrix(data[names(data) != "class"])
  dimnames(x) <- NULL
  list(x = x, y = factor(data$class), gamma = 2, cost = 32)
}

exact_sets <- list(
  few = ijcnn1_data,
  some = function(n, file) smooth_data(n, 0, 10),
  many = function(n, file) smooth_data(n, 0.1, 1),
  long = function(n, file) c(hard_data(n), cost = 100)
)

# ---- one process ---------------------------------------------------------------------------------

fit_ours <- function(d, threads) {
  mkl(d$x, d$y, kernels = kernel_rbf(gamma = d$gamma), scale = FALSE, normalize = "none",
      learner = learner_svm(cost = d$cost), control = mkl_control(threads = threads))
}
fit_e1071 <- function(d) {
  e1071::svm(d$x, d$y, gamma = d$gamma, cost = d$cost, scale = FALSE, fitted = FALSE)
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  threads <- as.integer(bench_args[worker + 1]) # 0: e1071
  d <- readRDS(bench_args[worker + 2])
  if (threads == 0) loadNamespace("e1071")
  invisible(gc(FALSE))
  fitting <- system.time(fit <- if (threads == 0) fit_e1071(d) else fit_ours(d, threads))
  predicting <- system.time(stats::predict(fit, d$x[seq_len(min(nrow(d$x), 5000)), ]))
  vectors <- if (threads == 0) nrow(fit$SV) else NA
  cat(
    sum(fitting[c("user.self", "sys.self")]), fitting[["elapsed"]],
    sum(predicting[c("user.self", "sys.self")]), vectors, peak_mb(), "\n"
  )
  quit(status = 0)
}

run_alone <- function(threads, file) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"), c(shQuote(script), "--worker", threads, shQuote(file)),
    stdout = TRUE
  )
  stats::setNames(
    suppressWarnings(as.numeric(strsplit(out[length(out)], " ")[[1]])),
    c("cpu", "elapsed", "predict", "vectors", "peak")
  )
}

# ---- tables --------------------------------------------------------------------------------------

# The smallest figures of each of two processes that take turns.
take_turns <- function(threads, file, repeats) {
  runs <- lapply(seq_len(repeats), function(r) lapply(threads, run_alone, file))
  lapply(seq_along(threads), function(k) do.call(pmin, lapply(runs, `[[`, k)))
}

bench_fit <- function(set, n, data_file) {
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(exact_sets[[set]](n, data_file), file, compress = FALSE)
  repeats <- if (n >= 20000) 1 else if (quick) 2 else 3
  runs <- take_turns(c(1, 0), file, repeats)
  ours <- runs[[1]]
  peer <- runs[[2]]
  label <- sprintf("%s, n = %d, %.0f%% support vectors", set, n, 100 * peer[["vectors"]] / n)
  row(label, ours[["cpu"]], peer[["cpu"]], 1, sprintf(
    "clock %.2f and %.2f s, peak %.0f and %.0f MB", ours[["elapsed"]], peer[["elapsed"]],
    ours[["peak"]], peer[["peak"]]
  ))
  row("  its predictions", max(ours[["predict"]], 1e-3), max(peer[["predict"]], 1e-3), 1)
  if (n != 5000) return(invisible())
  two <- take_turns(c(2, 0), file, repeats)
  row("  two threads, on the clock", two[[1]][["elapsed"]], two[[2]][["elapsed"]], 1)
}

folder <- setdiff(bench_args, "--quick")
folder <- if (length(folder)) folder[1] else ""
found <- list.files(folder, "^ijcnn1-train[.]csv([.](xz|gz))?$", full.names = TRUE)
describe_run()
header("First fit of a process, from data to model, default memory, one thread, CPU time")
for (set in names(exact_sets)) {
  if (set == "few" && length(found) == 0) {
    cat("  ijcnn1 is left out: give the folder with ijcnn1-train.csv as an argument\n")
    next
  }
  sizes <- c(1000, 2000, 5000, 10000, if (!quick) c(20000, if (set == "few") 49990 else 50000))
  if (set == "long") sizes <- sizes[sizes <= if (quick) 2000 else 10000]
  for (n in sizes) bench_fit(set, n, found[1])
}
finish()
