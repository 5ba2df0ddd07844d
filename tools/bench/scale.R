# Approximated fits of many rows: how time and memory grow with the rows, what landmarks cost and
# gain, and LiblineaR on the same features. Each fit of the first table runs in an R process of its
# own, because the peak of a process never falls.
#   Rscript tools/bench/scale.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

# 22 columns of which half are indicators, one class in ten, a boundary with many turns: of the kind
# of ijcnn1.
many_rows <- function(n, seed = 1) {
  set.seed(seed)
  x <- cbind(matrix(runif(n * 12), n), t(rmultinom(n, 1, rep(1, 10))))
  score <- sin(5 * x[, 1]) * cos(4 * x[, 2]) + x[, 3]^2 + rowSums(x[, 13:15]) * sin(6 * x[, 4])
  list(x = x, y = factor(ifelse(score + rnorm(n, sd = 0.15) > 1.25, "rare", "usual")))
}

fit_many <- function(data, m, loss = "hinge", threads = 1, landmarks = "uniform", cost = 10,
                     approximate = nystrom(m, landmarks)) {
  mkl(
    data$x, data$y, kernels = kernel_rbf(sigma = 0.7), scale = FALSE,
    learner = learner_svm(cost, loss = loss), approximate = approximate,
    control = mkl_control(threads = threads, memory = "9GB")
  )
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  data <- many_rows(as.numeric(bench_args[worker + 1]))
  gc(FALSE)
  before <- peak_mb()
  time <- system.time(fit_many(data, 500, bench_args[worker + 2]))
  cat(before, peak_mb(), sum(time[1:2]), "\n")
  quit(status = 0)
}

describe_run()
run <- function(n, loss) {
  out <- system2(file.path(R.home("bin"), "Rscript"),
                 c(shQuote(script), "--worker", format(n, scientific = FALSE), loss), stdout = TRUE)
  stats::setNames(as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]]),
                  c("before", "after", "cpu"))
}

sizes <- c(1e4, 1e5, if (!quick) 1e6)
cat("\nGrowth, 500 landmarks, one thread (microseconds of CPU time for each row, peak memory)\n")
for (loss in c("squared_hinge", "hinge")) {
  each <- vapply(sizes, function(n) {
    r <- run(n, loss)
    cat(sprintf("  %-14s %9.0f rows %8.2f s %8.1f us a row %8.0f MB over the data\n", loss, n,
                r[["cpu"]], 1e6 * r[["cpu"]] / n, r[["after"]] - r[["before"]]))
    r[["cpu"]] / n
  }, 0)
  # Beyond the first size, whose fixed costs show.
  growth <- max(each[-1]) / min(each)
  figure(paste("time of a row,", loss, "against the least"), growth, 1.3, at_most = TRUE)
}

cat("\nLandmarks and random features, 50,000 rows, hinge",
    "(CPU time, test error, part of the trace left out)\n")
train <- many_rows(if (quick) 1e4 else 5e4)
test <- many_rows(5e4, 2)
for (m in c(200, 500, if (!quick) c(1000, 2000))) {
  for (landmarks in c("uniform", "kmeans++", "rpcholesky")) {
    set.seed(1)
    time <- system.time(fit <- fit_many(train, m, landmarks = landmarks))
    cat(sprintf("  %5d %-11s %8.2f s %8.4f %8.4f\n", m, landmarks, sum(time[1:2]),
                mean(predict(fit, test$x) != test$y), fit$approximation$error))
  }
  set.seed(1)
  time <- system.time(fit <- fit_many(train, m, approximate = random_features(m)))
  cat(sprintf("  %5d %-11s %8.2f s %8.4f %8s\n", m, "random", sum(time[1:2]),
              mean(predict(fit, test$x) != test$y), "-"))
}

# The same features for both, dense as LiblineaR wants them, as columns of a linear kernel: ours has
# a free bias, theirs (of a constant column) is part of the norm, next to nothing at this size.
if (requireNamespace("LiblineaR", quietly = TRUE)) {
  header("Squared hinge and hinge on the same features, against LiblineaR",
         "CPU time at the tolerance that gives both an objective within 1e-3 of the best.")
  n <- if (quick) 1e4 else 5e4
  set.seed(4)
  frequencies <- matrix(rnorm(22 * 300), 22) / 0.7
  shifts <- runif(300, 0, 2 * pi)
  z <- sqrt(2 / 300) * cos(sweep(train$x[seq_len(n), ] %*% frequencies, 2, shifts, `+`))
  y <- train$y[seq_len(n)]
  for (loss in c("squared_hinge", "hinge")) {
    type <- if (loss == "hinge") 3 else 2
    objective <- function(f, w) {
      slack <- pmax(0, 1 - ifelse(y == "usual", 1, -1) * f)
      sum(w^2) / 2 + 10 * sum(if (loss == "hinge") slack else slack^2)
    }
    time <- time_of(repeats = 2, function() {
      fit <<- mkl(z, y, kernels = kernel_linear(), scale = FALSE, approximate = nystrom(400),
                  learner = learner_svm(10, loss = loss), control = mkl_control(threads = 1))
    })
    peer <- NA
    for (tolerance in 10^-(1:5)) {
      peer <- time_of(repeats = 2, function() {
        theirs <<- LiblineaR::LiblineaR(z, y, type = type, cost = 10, bias = 1, epsilon = tolerance)
      })
      w <- theirs$W
      f <- drop(cbind(z, 1) %*% t(w)) * if (theirs$ClassNames[1] == "usual") 1 else -1
      if (objective(f, w) < unname(multikernel::objective(fit)) * 1.001) break
      if (peer > 20 * time) break
    }
    row(loss, time, peer, 2, sprintf("LiblineaR tolerance %g", tolerance))
  }
}
finish()
