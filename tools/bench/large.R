# A kernel matrix that is larger than the memory allows: one RBF model on 50,000 rows, whose matrix
# would take 19 GB, within 1 GB. Time against e1071 with a cache of the same size, peak memory, and
# the objectives of both. Each fit runs in an R process of its own, because the peak of a process
# never falls.
#   Rscript tools/bench/large.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

n <- if (quick) 20000 else 50000
budget <- 1024 # MB

fit_ours <- function(data, threads) {
  fit <- mkl(
    data$x, data$y, kernels = kernel_rbf(gamma = data$gamma), scale = FALSE, normalize = "none",
    learner = learner_svm(cost = 1),
    control = mkl_control(memory = budget * 2^20, threads = threads)
  )
  objective(fit)
}

# The dual objective from the coefficients of the support vectors, whose kernel values are made in
# pieces.
fit_e1071 <- function(data) {
  fit <- e1071::svm(data$x, data$y, gamma = data$gamma, cost = 1, scale = FALSE,
                    cachesize = budget, fitted = FALSE)
  attr(fit, "peak") <- peak_mb()
  fit
}
dual_of <- function(fit, data) {
  beta <- drop(fit$coefs)
  pieces <- split(seq_along(beta), (seq_along(beta) - 1) %/% 500)
  kernel <- kernel_rbf(gamma = data$gamma)
  forms <- vapply(pieces, function(rows) {
    sum(beta[rows] * drop(kernel_matrix(kernel, fit$SV, fit$SV[rows, , drop = FALSE]) %*% beta))
  }, 0)
  sum(abs(beta)) - sum(forms) / 2
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  threads <- as.integer(bench_args[worker + 1]) # 0: e1071
  data <- hard_data(n)
  if (threads == 0) loadNamespace("e1071")
  gc(FALSE)
  before <- peak_mb()
  time <- system.time(result <- if (threads == 0) fit_e1071(data) else fit_ours(data, threads))
  peak <- if (threads == 0) attr(result, "peak") else peak_mb()
  dual <- if (threads == 0) dual_of(result, data) else result
  cat(before, peak, sum(time[1:2]), time[["elapsed"]], format(dual, digits = 15), "\n")
  quit(status = 0)
}

describe_run()
run <- function(threads) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), if (quick) "--quick", "--worker", threads), stdout = TRUE
  )
  stats::setNames(as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]]),
                  c("before", "after", "cpu", "elapsed", "dual"))
}
peer <- run(0)
ours <- lapply(1:2, run)

header(
  sprintf("From data to model, n = %d, cost 1, within %d MB, against e1071::svm", n, budget),
  "e1071 has a cache of as many MB. One thread: CPU time of both. Two threads: time on the clock."
)
row("one thread", ours[[1]][["cpu"]], peer[["cpu"]])
row("two threads", ours[[2]][["elapsed"]], peer[["elapsed"]])
figure("relative difference of the duals", abs(ours[[1]][["dual"]] / peer[["dual"]] - 1), 1e-5,
       at_most = TRUE)
figure("relative difference of one and two threads",
       abs(ours[[2]][["dual"]] / ours[[1]][["dual"]] - 1), 0, at_most = TRUE)
for (threads in 1:2) {
  figure(sprintf("memory added by the fit, threads = %d", threads),
         ours[[threads]][["after"]] - ours[[threads]][["before"]], budget, at_most = TRUE,
         unit = "MB")
}
figure("memory added by e1071", peer[["after"]] - peer[["before"]], unit = "MB")

finish()
