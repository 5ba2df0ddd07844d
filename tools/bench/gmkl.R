# GMKL on products of kernels: one Gaussian kernel per column, so that a width is learned for each
# (ARD). The time of a step over the weights against the least that a step has to do: one matrix of
# the product kernel and one cold support vector machine, by our own functions. A step makes K(d)
# from the kept logarithms, solves a machine that starts from the last one, and takes a derivative
# for each column. Spectral projected gradient against plain projected gradient, to the same
# tolerance; and whether the columns that matter are found.
#   Rscript tools/bench/gmkl.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

# A ring in the first two columns, 5 % of the labels wrong; the other columns are noise.
ard_data <- function(n, p) {
  set.seed(5)
  x <- matrix(rnorm(n * p), n)
  out <- x[, 1]^2 + x[, 2]^2 > 1.4
  list(x = x, y = factor(ifelse(out != (runif(n) < 0.05), "out", "in")))
}

fit_gmkl <- function(data, solver, lambda) {
  mkl(data$x, data$y, scale = FALSE,
      kernels = do.call(c, lapply(seq_len(ncol(data$x)), function(j) kernel_rbf(1, on = j))),
      learner = learner_gmkl("product", "l1", solver, cost = 1, lambda = lambda))
}

# One machine on the Gaussian kernel at which GMKL starts: all powers 1 / p.
fit_one <- function(data) {
  mkl(data$x, data$y, scale = FALSE, kernels = kernel_rbf(sqrt(ncol(data$x))),
      learner = learner_svm(cost = 1))
}

measure <- function(n, p, lambda = 5) {
  data <- ard_data(n, p)
  peer <- time_of(function() fit_one(data))
  cat(sprintf("\nn = %d, %d columns; a Gram matrix and a cold machine: %.4f s\n", n, p, peer))
  cat(sprintf("%-12s %10s %7s %12s %12s %10s  %s\n", "solver", "seconds", "steps", "per step",
              "times peer", "objective", "columns found"))
  fits <- list()
  for (solver in c("spg", "projected")) {
    seconds <- time_of(function() fits[[solver]] <<- fit_gmkl(data, solver, lambda), repeats = 2,
                       most = 5)
    model <- fits[[solver]]
    steps <- length(objective_path(model)) - 1
    found <- which(coef(model) > 0.05 * max(coef(model)))
    cat(sprintf("%-12s %9.3fs %7d %11.4fs %11.2fx %10.5g  %s%s\n", solver, seconds, steps,
                seconds / steps, seconds / steps / peer, objective(model),
                paste(found, collapse = " "), if (converged(model)) "" else " (not converged)"))
    fits[[solver]] <- list(model = model, seconds = seconds, per_step = seconds / steps)
  }
  figure("spg: one step, times the peer", fits$spg$per_step / peer, 6, at_most = TRUE, unit = "x")
  figure("projected: time, times that of spg", fits$projected$seconds / fits$spg$seconds,
         unit = "x")
  # with few rows noise is of some use to a machine; with many it is not
  figure("columns of noise among those found",
         sum(coef(fits$spg$model)[-(1:2)] > 0.05 * max(coef(fits$spg$model))),
         if (n >= 1000) 0 else NA, at_most = TRUE)
}

describe_run()
measure(300, 10)
if (!quick) {
  measure(300, 40)
  measure(1000, 10)
}
finish()
