# Learners of kernel weights on approximated kernels: a path of costs on a million rows, MAKL, and
# how the time of the learners grows with the rows.
#   Rscript tools/bench/scale-learners.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

# Five groups of four columns, of which three matter, each with a boundary of its own.
grouped_rows <- function(n, seed = 1) {
  set.seed(seed)
  x <- matrix(rnorm(n * 20), n, dimnames = list(NULL, paste0("f", 1:20)))
  score <- sin(2 * x[, 1]) + x[, 5]^2 / 2 - 0.5 + x[, 9] * x[, 10]
  list(x = x, y = factor(ifelse(score + rnorm(n, sd = 0.3) > 0, "up", "down")))
}
groups <- split(1:20, rep(1:5, each = 4))
as_views <- function(x) lapply(groups, function(columns) x[, columns])

describe_run()
load_of <- function() {
  line <- tryCatch(readLines("/proc/loadavg", 1), error = function(e) "unknown")
  strsplit(line, " ")[[1]][1]
}

n <- if (quick) 5e4 else 1e6
costs <- 10^seq(-3, 1.5, by = 0.5)
data <- grouped_rows(1.05 * n)
train <- seq_len(n)
test <- setdiff(seq_len(nrow(data$x)), train)
cat("\nWeights of 5 views and a path of 10 costs, squared loss, 400 landmarks each, two threads\n")
before <- peak_mb()
busy <- load_of()
set.seed(1)
time <- system.time(tuned <- tune_mkl(
  as_views(data$x), data$y, learner = learner_simplemkl(loss = "squared"),
  kernels = kernel_rbf(sigma = 2), grid = list(cost = costs), approximate = nystrom(400),
  resamples = list(list(train = train, test = test)), scale = FALSE,
  control = mkl_control(threads = 2, memory = "19GB")
))
cat(sprintf(
  "  %.0f rows: %.0f s on the clock, %.0f s of CPU, error %.4f, %.0f MB over the data; load %s\n",
  n, time[["elapsed"]], sum(time[1:2]), 1 - max(tuned$summary$accuracy), peak_mb() - before, busy
))
figure("seconds on two cores", time[["elapsed"]], if (quick) NA else 300, at_most = TRUE)
rm(data, tuned)

cat("\nGrowth with the rows, one kernel of 100 landmarks, one thread (microseconds of CPU a row)\n")
control <- mkl_control(threads = 1, memory = "4GB")
one <- list(
  svm_squared = learner_svm(loss = "squared"), mhks = learner_mhks(c = 10),
  svm_concatenated = learner_svm_concatenated(10),
  mkboost = learner_mkboost("S1", trials = 5, sampling = 0.2, cost = 4)
)
sizes <- if (quick) c(1e4, 3e4) else c(2e4, 1e5, 3e5)
for (name in names(one)) {
  each <- vapply(sizes, function(n) {
    d <- grouped_rows(n)
    set.seed(1)
    time_of(repeats = 2, function() {
      mkl(d$x[, 1:4], d$y, learner = one[[name]], kernels = kernel_rbf(sigma = 2), scale = FALSE,
          approximate = nystrom(100), control = control)
    }) / n
  }, 0)
  cat(sprintf("  %-18s %s\n", name, paste(sprintf("%8.2f", 1e6 * each), collapse = " ")))
  figure(paste("time of a row,", name, "against the first"), each[length(each)] / each[1], 1.3,
         at_most = TRUE)
}

if (requireNamespace("MAKL", quietly = TRUE)) {
  header("Weights of 5 groups and a classifier, against MAKL (200 random features a group)",
         paste("CPU time of fit and predictions. MAKL has logistic loss and the best of four",
               "regularizations on the test rows; ours weights by the squared loss, then a squared",
               "hinge."))
  n <- if (quick) 3000 else 20000
  data <- grouped_rows(n)
  fresh <- grouped_rows(20000, 2)
  sign <- ifelse(data$y == "up", 1, -1)
  membership <- lapply(groups, function(columns) colnames(data$x)[columns])
  set.seed(1)
  peer <- system.time({
    utils::capture.output(theirs <- MAKL::makl_train(
      data$x, sign, D = 100, sigma_N = 1000, CV = 1, lambda_set = c(0.3, 0.1, 0.03, 0.01),
      membership = membership
    ))
    guess <- MAKL::makl_test(fresh$x, ifelse(fresh$y == "up", 1, -1), theirs)$y_predicted
  })
  peer_error <- min(colMeans((as.matrix(guess) > 0) != (fresh$y == "up")))
  on_landmarks <- function(learner) {
    set.seed(1)
    mkl(as_views(data$x), data$y, learner = learner, kernels = kernel_rbf(sigma = 2),
        normalize = "trace", scale = FALSE, approximate = nystrom(120),
        control = mkl_control(threads = 1, tol = 1e-2))
  }
  ours <- time_of(repeats = 3, function() {
    weights <- kernel_weights(on_landmarks(learner_simplemkl(10, gap = 1e-3, loss = "squared")))
    fit <- on_landmarks(learner_svm(10, weights = unname(weights), loss = "squared_hinge"))
    error <<- mean(predict(fit, as_views(fresh$x)) != fresh$y)
  })
  row(sprintf("%d rows", n), ours, sum(peer[1:2]), if (quick) NA else 20)
  cat(sprintf("  test error %.4f, MAKL %.4f\n", error, peer_error))
  figure("test error against MAKL", error / peer_error, if (quick) NA else 1, at_most = TRUE)
} else {
  cat("\nMAKL is not installed: no comparison\n")
}
finish()
