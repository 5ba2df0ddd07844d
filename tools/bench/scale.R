# Approximated fits of many rows: a million rows with features that are stored or computed anew,
# how time and memory grow with the rows, what landmarks cost and gain, ijcnn1, and LiblineaR on
# the same features. Fits whose memory is measured run in an R process of their own, because the
# peak of a process never falls.
#   Rscript tools/bench/scale.R [--quick] [--ijcnn1 <folder>]
# The folder holds ijcnn1-train.csv.xz and ijcnn1-test.csv.xz: the class, then 22 columns.
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

# 20 normal columns, a smooth rule of four of them, a tenth of the labels flipped.
smooth_rows <- function(n) {
  set.seed(1)
  x <- matrix(rnorm(n * 20), n)
  score <- sin(2 * x[, 1]) + x[, 2] * x[, 3] + x[, 4]^2 / 2
  list(x = x, y = factor((score > 0.5) != (runif(n) < 0.1), labels = c("out", "in")))
}

fit_smooth <- function(data, m, loss, memory) {
  mkl(
    data$x, data$y, kernels = kernel_rbf(gamma = 0.05), scale = FALSE,
    learner = learner_svm(1, loss = loss), approximate = nystrom(m),
    control = mkl_control(memory = memory)
  )
}

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  given <- bench_args[worker + 1:5]
  make_rows <- if (given[1] == "smooth") smooth_rows else many_rows
  data <- make_rows(as.numeric(given[2]))
  gc(FALSE)
  before <- peak_mb()
  time <- system.time(
    fit <- if (given[1] == "smooth") {
      fit_smooth(data, as.numeric(given[3]), given[4], given[5])
    } else {
      fit_many(data, as.numeric(given[3]), given[4])
    }
  )
  cat(before, peak_mb(), sum(time[1:2]), as.numeric(all(converged(fit))), "\n")
  quit(status = 0)
}

describe_run()
run <- function(rule, n, m, loss, memory = "9GB") {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), "--worker", rule, format(n, scientific = FALSE), m, loss, memory),
    stdout = TRUE
  )
  r <- as.numeric(strsplit(trimws(out[length(out)]), " ")[[1]])
  if (length(r) != 4 || r[4] != 1) stop("a fit of ", n, " rows failed or did not converge")
  list(cpu = r[3], memory = r[2] - r[1])
}

n <- if (quick) 1e5 else 1e6
cat(sprintf("\n%.0f rows, 20 columns, one RBF kernel, 1000 landmarks, one thread (CPU time)\n", n))
cases <- list(
  list("hinge", "600MB", "computed anew", 120, 1024), list("hinge", "5GB", "stored", 60, NA),
  list("squared_hinge", "600MB", "computed anew", NA, 1024),
  list("squared_hinge", "5GB", "stored", 30, NA)
)
for (case in cases) {
  # A tenth of the rows has a tenth of the memory, so that the forms are the same.
  memory <- if (quick) c("600MB" = "60MB", "5GB" = "500MB")[[case[[2]]]] else case[[2]]
  r <- run("smooth", n, 1000, case[[1]], memory)
  label <- paste0(case[[1]], ", features ", case[[3]])
  bar <- if (quick) NA else case[[4]]
  figure(label, r$cpu, bar, at_most = TRUE, unit = "s")
  figure("  memory over the data", r$memory, if (quick) NA else case[[5]], at_most = TRUE,
         unit = "MB")
}

sizes <- c(1e4, 1e5, if (!quick) 1e6)
cat("\nGrowth, 500 landmarks, one thread (microseconds of CPU time for each row, peak memory)\n")
for (loss in c("squared_hinge", "hinge")) {
  each <- vapply(sizes, function(n) {
    r <- run("many", n, 500, loss)
    cat(sprintf("  %-14s %9.0f rows %8.2f s %8.1f us a row %8.0f MB over the data\n", loss, n,
                r$cpu, 1e6 * r$cpu / n, r$memory))
    r$cpu / n
  }, 0)
  # Beyond the first size, whose fixed costs show.
  growth <- max(each[-1]) / min(each)
  figure(paste("time of a row,", loss, "against the least"), growth, 1.3, at_most = TRUE)
}

# The usual setting: gamma = 2 and cost = 32 on the columns as they are.
folder <- bench_args[match("--ijcnn1", bench_args) + 1]
if (is.na(folder) || !file.exists(file.path(folder, "ijcnn1-train.csv.xz"))) {
  cat("\nijcnn1: left out, because --ijcnn1 <folder> with its files is not given\n")
} else {
  ijcnn1 <- lapply(c(train = "train", test = "test"), function(part) {
    table <- utils::read.csv(file.path(folder, paste0("ijcnn1-", part, ".csv.xz")))
    list(x = as.matrix(table[-1]), y = factor(table[[1]]))
  })
  cat("\nijcnn1, one thread (CPU time, test error; the exact fit has .0130)\n")
  bars <- list(c(500, 2, 0.028), c(1000, 4, 0.022), c(2000, 10, 0.018))
  for (bar in if (quick) bars[1] else bars) {
    for (loss in c("squared_hinge", "hinge")) {
      set.seed(1)
      time <- system.time(
        fit <- mkl(ijcnn1$train$x, ijcnn1$train$y, kernels = kernel_rbf(gamma = 2), scale = FALSE,
                   learner = learner_svm(32, loss = loss), approximate = nystrom(bar[1]))
      )
      error <- mean(predict(fit, ijcnn1$test$x) != ijcnn1$test$y)
      # The bar is for one of the losses.
      asked <- if (loss == "squared_hinge") bar[2:3] else c(NA, NA)
      figure(sprintf("%d landmarks, %s", bar[1], loss), sum(time[1:2]), asked[1], TRUE, "s")
      figure("  test error", error, asked[2], TRUE)
    }
  }
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
