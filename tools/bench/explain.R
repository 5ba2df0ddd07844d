# What explanations cost: the contributions of the kernels, predict(type = "terms"), against the
# decision values alone, predict(type = "decision"), of the same fit for the same new rows.
#
#   Rscript tools/bench/explain.R [--quick]
#
# A prediction evaluates each kernel between the new rows and the support vectors; its terms are the
# same sums kept apart. The bar is 1.5 times the time of the prediction.

here <- sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(here), "common.R"))
describe_run()

cat("\nCPU time of the contributions in times of that of the decision values, one thread\n")

widths <- function(count) 2^seq(-3, 3, length.out = count)

compare_terms <- function(label, fit, new) {
  fit$control$threads <- 1
  fit <- multikernel:::seal_fit(fit)
  terms <- function() predict(fit, new, type = "terms")
  decision <- function() predict(fit, new, type = "decision")
  terms() # warm
  # In turn, so that both see the same load of the machine.
  times <- vapply(1:3, function(k) c(time_of(terms), time_of(decision)), numeric(2))
  cost <- min(times[1, ]) / min(times[2, ])
  figure(sprintf("%s: %.1f ms", label, 1000 * min(times[2, ])), cost, 1.5, TRUE, "x")
}

sizes <- if (quick) 300 else c(500, 2000)
counts <- if (quick) c(3, 30) else c(3, 30, 200)
for (n in sizes) {
  d <- hard_data(2 * n)
  new <- d$x[n + seq_len(n), ]
  for (count in counts) {
    set <- kernel_set(kernel_rbf(widths(count)))
    fit <- mkl(d$x[seq_len(n), ], d$y[seq_len(n)], kernels = set, learner = learner_average())
    compare_terms(sprintf("average, n = %d, %d kernels", n, count), fit, new)
  }
}

n <- sizes[1]
d <- hard_data(2 * n)
new <- d$x[n + seq_len(n), ]
train <- d$x[seq_len(n), ]
y <- d$y[seq_len(n)]
three <- factor(rep(c("a", "b", "c"), length.out = n))
set <- kernel_set(kernel_rbf(widths(8)), kernel_linear())
set.seed(1)
compare_terms(sprintf("average, 3 classes, n = %d, 9 kernels", n),
              mkl(train, three, kernels = set, learner = learner_average()), new)
compare_terms(sprintf("LMKL, n = %d, 9 kernels", n),
              suppressWarnings(lmkl(train, y, kernels = set, iterations = 5, restarts = 1)), new)
compare_terms(sprintf("MultiK-MHKS, n = %d, 9 kernels", n),
              multik_mhks(train, y, kernels = set), new)
compare_terms(sprintf("MKBoost D1, n = %d, 9 kernels", n),
              mkboost(train, y, kernels = set, trials = 50), new)
compare_terms(sprintf("MKBoost D2, n = %d, 9 kernels", n),
              mkboost(train, y, kernels = set, trials = 20, variant = "D2"), new)

finish()
