# The table and figures of the paper on label-based kernels: B. Yang, Q. Li, L. Song, C. Fu and
# L. Jing, Label-based multiple kernel learning for classification.
#
#   Rscript lbmkl.R --workers 4
#
# Groups for --only:
#   table2   five data sets, six methods, errors on training and test rows
#   beta     figure 3: accuracy on test rows for beta = 1 .. 32
#   checks   wider kernels on the votes; the rule for new rows as the paper prints it
#   noise    figure 2: how well the classes part along two eigenvectors, with and without labels,
#            and, what the paper does not ask, how well the same kernels do on new rows
#
# The protocol (section 3.2): 80 % of the rows for training, parameters by ten-fold cross-validation
# among 2^-7 .. 2^7, ten runs. The paper does not name its kernels. Here they are Gaussian ones, all
# columns scaled; single-kernel methods choose the width, those of several kernels weigh four widths
# and a linear kernel. Of the paper's grid about every third value is tried, as far as it makes a
# difference (`grids` below). Missing values are filled in by the median of the training rows.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

settings <- experiment_settings(
  "lbmkl", runs = 10, about = "Reruns the table and the figures of the LB-MKL paper."
)

# ---- methods -------------------------------------------------------------------------------------

# Widths are in units of the typical distance between rows of p scaled columns.
width <- function(x, units = 1) sqrt(ncol(x)) * units
several <- function(x, units = 2^(-2:1)) c(kernel_rbf(sigma = width(x, units)), kernel_linear())

grids <- list(
  "LB-MKL" = expand.grid(beta = 2^c(0, 2, 4), cost = 2^c(-1, 1, 4, 7)),
  "MKL" = expand.grid(cost = 2^c(-7, -4, -1, 1, 4, 7)),
  "LB-S-SVM" = expand.grid(beta = 2^c(0, 2, 4), cost = 2^c(-1, 1, 4, 7), units = 2^(-2:0)),
  "SVM" = expand.grid(cost = 2^c(-4, -1, 1, 4, 7), units = 2^(-2:1)),
  "LDA" = data.frame(none = 0),
  "k-NN" = data.frame(k = c(1, 3, 5, 9, 17, 33))
)

# A fit is a function of new rows that gives their classes.
classes_by <- function(fit) function(new_x) predict(fit, new_x)
fitters <- list(
  "LB-MKL" = function(row, x, y) {
    classes_by(lbmkl(x, y, beta = row$beta, cost = row$cost, kernels = several(x)))
  },
  "MKL" = function(row, x, y) classes_by(simplemkl(x, y, cost = row$cost, kernels = several(x))),
  "LB-S-SVM" = function(row, x, y) {
    kernel <- kernel_rbf(sigma = width(x, row$units))
    classes_by(lb_svm(x, y, beta = row$beta, cost = row$cost, kernels = kernel))
  },
  "SVM" = function(row, x, y) {
    kernel <- kernel_rbf(sigma = width(x, row$units))
    classes_by(mkl(x, y, learner = learner_svm(row$cost), kernels = kernel))
  },
  "LDA" = function(row, x, y) classes_by(mkl(x, y, learner = learner_lda())),
  "k-NN" = function(row, x, y) classes_by(mkl(x, y, learner = learner_knn(row$k)))
)

# Missing values by the median of the training rows.
fill_in <- function(d) {
  middle <- apply(d$x, 2, stats::median, na.rm = TRUE)
  fill <- function(x) {
    holes <- which(is.na(x), arr.ind = TRUE)
    x[holes] <- middle[holes[, 2]]
    x
  }
  d$x <- fill(d$x)
  d$new_x <- fill(d$new_x)
  d
}

# ---- table 2 -------------------------------------------------------------------------------------

errors_of <- function(method) {
  force(method)
  function(set, run) {
    d <- fill_in(divide(set, training_rows(set$y, 0.8, by = set$y)))
    grid <- grids[[method]]
    best <- grid
    if (nrow(grid) > 1) {
      best <- choose_by_cv(grid, d$x, d$y, 10, function(row, x, y, new_x, new_y) {
        accuracy(fitters[[method]](row, x, y)(new_x), new_y)
      })
    }
    fit <- fitters[[method]](best, d$x, d$y)
    c(
      train = 100 - 100 * accuracy(fit(d$x), d$y),
      test = 100 - 100 * accuracy(fit(d$new_x), d$new_y),
      unlist(best[setdiff(names(best), c("none", "score"))])
    )
  }
}
five_sets <- c("cancer", "ionosphere", "saheart", "hepatitis", "votes")
table_jobs <- unlist(lapply(names(grids), function(method) {
  jobs_on(five_sets, method, errors_of(method), group = "table2")
}), recursive = FALSE)

# ---- figure 3 ------------------------------------------------------------------------------------

# Accuracy for each beta with a fixed cost and width; `plain` is the same without labels.
accuracy_by_beta <- function(fit_on, plain_on) {
  function(set, run) {
    d <- fill_in(divide(set, training_rows(set$y, 0.8, by = set$y)))
    percent <- function(fit) 100 * accuracy(predict(fit, d$new_x), d$new_y)
    betas <- 2^(0:5)
    out <- vapply(betas, function(beta) percent(fit_on(d$x, d$y, beta)), 0)
    c(stats::setNames(out, paste("beta", betas)), plain = percent(plain_on(d$x, d$y)))
  }
}
curves <- list(
  "LB-MKL by beta" = accuracy_by_beta(
    function(x, y, beta) lbmkl(x, y, beta = beta, cost = 16, kernels = several(x)),
    function(x, y) simplemkl(x, y, cost = 16, kernels = several(x))
  ),
  "LB-S-SVM by beta" = accuracy_by_beta(
    function(x, y, beta) {
      lb_svm(x, y, beta = beta, cost = 16, kernels = kernel_rbf(sigma = width(x)))
    },
    function(x, y) {
      mkl(x, y, learner = learner_svm(16), kernels = kernel_rbf(sigma = width(x)))
    }
  )
)
beta_jobs <- unlist(Map(function(run, name) jobs_on(five_sets, name, run, group = "beta"),
                        curves, names(curves)), recursive = FALSE)

# ---- figure 2 ------------------------------------------------------------------------------------

# Share of rows on the right side of the best line, by least squares, in a plane.
parted <- function(points, y) {
  side <- 2 * as.integer(y) - 3
  100 * mean(sign(stats::fitted(stats::lm(side ~ points))) == side)
}

# `noise`: standard deviation. "new" rows are another 400 of the same kind.
noisy_squares <- function(noise) {
  force(noise)
  function(set, run) {
    blur <- function(x) x + noise * stats::rnorm(length(x))
    x <- blur(set$x)
    fresh <- two_squares(400)
    new_x <- blur(fresh$x)
    kernel <- kernel_rbf(sigma = 1)
    plane <- function(gram) predict(empirical_map(gram, rank = 2))
    betas <- c(0, 0.5, 1, 2)
    sharp <- vapply(betas, function(beta) {
      parted(plane(kernel_matrix(kernel_label_based(kernel, beta), x, y = set$y)), set$y)
    }, 0)
    percent <- function(fit) 100 * accuracy(predict(fit, new_x), fresh$y)
    new <- vapply(betas, function(beta) {
      percent(lb_svm(x, set$y, beta = beta, kernels = kernel, scale = FALSE))
    }, 0)
    c(
      columns = parted(x, set$y), kernel = parted(plane(kernel_matrix(kernel, x)), set$y),
      stats::setNames(sharp, paste("beta", betas)),
      "new rows, kernel" = percent(
        mkl(x, set$y, learner = learner_svm(1), kernels = kernel, scale = FALSE)
      ),
      stats::setNames(new, paste("new rows, beta", betas))
    )
  }
}
noise_jobs <- lapply(c(0, 0.5, 1, 2), function(noise) {
  job("squares", paste("noise", noise), noisy_squares(noise), runs = 100, group = "noise")
})

# ---- checks --------------------------------------------------------------------------------------

# Errors with fixed parameters, for kernels of other widths.
fixed_errors <- function(fit_on, units) {
  force(fit_on)
  force(units)
  function(set, run) {
    d <- fill_in(divide(set, training_rows(set$y, 0.8, by = set$y)))
    fit <- fit_on(d$x, d$y, several(d$x, units))
    c(train = 100 - 100 * accuracy(predict(fit, d$x), d$y),
      test = 100 - 100 * accuracy(predict(fit, d$new_x), d$new_y))
  }
}
with_labels <- function(x, y, kernels) lbmkl(x, y, beta = 4, cost = 2, kernels = kernels)
without_labels <- function(x, y, kernels) simplemkl(x, y, cost = 2, kernels = kernels)

# Algorithm 2 of the paper applies coefficients trained on K** = K* K* to rows of K*. The mean of
# the rows under both labels is the row of K, which decides here. `product`: the row of K** instead.
literal_rule <- function(set, run) {
  d <- fill_in(divide(set, training_rows(set$y, 0.8, by = set$y)))
  center <- colMeans(d$x)
  spread <- apply(d$x, 2, stats::sd)
  use <- spread > 0
  scaled <- function(x) base::scale(x[, use], center[use], spread[use])
  z <- scaled(d$x)
  kernel <- kernel_rbf(sigma = width(z))
  gram <- kernel_matrix(kernel, z)
  new_k <- kernel_matrix(kernel, z, scaled(d$new_x))
  side <- 2 * as.integer(d$y) - 3
  distance <- as.matrix(stats::dist(z))^2 / ncol(z)
  sharp <- (1 + outer(side, side) * exp(-4 * distance)) * gram
  squared <- sharp %*% sharp
  size <- mean(diag(squared))
  fit <- mkl(list(squared / size), d$y, learner = learner_svm(16), normalize = "none")
  error <- function(rows) 100 - 100 * accuracy(predict(fit, list(rows / size)), d$new_y)
  c(literal = error(new_k), product = error(new_k %*% sharp))
}
check_jobs <- c(
  lapply(c(1, 4), function(factor) {
    list(
      job("votes", sprintf("LB-MKL (widths x %d)", factor),
          fixed_errors(with_labels, factor * 2^(-2:1)), group = "checks"),
      job("votes", sprintf("MKL (widths x %d)", factor),
          fixed_errors(without_labels, factor * 2^(-2:1)), group = "checks")
    )
  }),
  list(jobs_on(five_sets, "new rows", literal_rule, group = "checks"))
)

# ---- tables --------------------------------------------------------------------------------------

check_jobs <- unlist(check_jobs, recursive = FALSE)
cells <- run_experiment(settings, c(noise_jobs, beta_jobs, table_jobs, check_jobs))
ours <- beside_paper(summarise_cells(cells), "lbmkl", pool = TRUE, checks = check_jobs)
print_beside(ours[ours$measure %in% c("train", "test"), ])
other <- ours[!ours$measure %in% c("train", "test"), ]
if (nrow(other)) {
  cat("\nParameters chosen, and per cent of rows for figures 2 and 3:\n\n")
  print(other[c("data", "method", "measure", "runs", "mean", "se")], row.names = FALSE)
}
write_table(ours, settings)

# What the labels change: differences of test errors on the same rows, and their mean over the sets.
paired <- function(one, other) {
  test <- cells[cells$measure == "test" & cells$data %in% five_sets, ]
  wide <- function(method) {
    part <- test[test$method == method, ]
    tapply(part$value, list(part$run, factor(part$data, five_sets)), mean)
  }
  first <- wide(one)
  second <- wide(other)
  runs <- intersect(rownames(first), rownames(second))
  if (length(runs) < 2) return(NULL)
  gap <- first[runs, ] - second[runs, ]
  gap <- gap[stats::complete.cases(gap), , drop = FALSE]
  if (nrow(gap) < 2) return(NULL)
  gap <- cbind(gap, "all sets" = rowMeans(gap))
  data.frame(
    one, other, data = colnames(gap), runs = nrow(gap), difference = round(colMeans(gap), 3),
    se = round(apply(gap, 2, stats::sd) / sqrt(nrow(gap)), 3), row.names = NULL
  )
}
labels_gain <- rbind(paired("LB-MKL", "MKL"), paired("LB-S-SVM", "SVM"))
if (!is.null(labels_gain)) {
  cat("\nDifferences of test errors on the same rows:\n\n")
  print(labels_gain, row.names = FALSE)
  write_table(labels_gain, settings, "lbmkl-paired")
}
report_time(cells, settings)
quit(status = as.integer(attr(cells, "failed") > 0))
