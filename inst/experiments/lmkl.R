# The tables and figures of the paper on localized multiple kernel learning: M. Gonen, E. Alpaydin
# (2008), Localized multiple kernel learning, ICML, 352-359.
#
#   Rscript lmkl.R --data DIR --workers 4
#
# Groups for --only:
#   toy      GAUSS4, section 4.1 and figures 1 and 2: figures of the text
#   table1   ten data sets, SVM, MKL and LMKL, accuracy and support vectors; figure 3 is of banana
#   copies   2, 4 and 5 linear kernels instead of the 3 of table 1
#   checks   columns scaled otherwise, another solver, a smaller gap: what else the paper could have
#            done
#   table2   its data are not public: DNA of mlbench in the encoding of the paper stands in
#
# The protocol (section 4): a random third of the rows is the test set. The rest is divided by five
# repetitions of two stratified folds into ten pairs of training and validation rows; the cost of
# highest mean accuracy on the validation rows is taken, and the ten machines trained with it are
# measured on the test set. The paper does so once for each data set. A run here is one such
# division; with several, the deviation between divisions says how far a difference may be luck.
#
# Each method is fitted in two settings: that of the paper (kernels of trace 1; 50 steps of length
# 0.01 on the gating model) and ours (kernels of mean diagonal 1, which makes the same costs larger
# by the number of rows; line search for the gating model, one start while the cost is chosen, then
# the best of 3). The paper does not say whether columns were scaled: here they have mean 0 and
# variance 1.

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

settings <- experiment_settings(
  "lmkl", runs = 5, about = "Reruns the tables and figures of the LMKL paper."
)

# ---- methods -------------------------------------------------------------------------------------

linear <- kernel_linear()
quadratic <- kernel_polynomial(2)
gaussian <- kernel_rbf("nearest")

# Functions of (x, y, cost, scale, starts) that give a fit.
svm_on <- function(kernel, setting) {
  force(kernel)
  normalize <- if (setting == "paper") "unit_trace" else "trace"
  function(x, y, cost, scale, starts) {
    mkl(x, y, learner = learner_svm(cost), kernels = kernel, normalize = normalize, scale = scale)
  }
}
mkl_on <- function(kernels, setting, gap = 0.01) {
  force(kernels)
  force(gap)
  normalize <- if (setting == "paper") "unit_trace" else "trace"
  function(x, y, cost, scale, starts) {
    mkl(x, y, learner = learner_simplemkl(cost, gap), kernels = kernels, normalize = normalize,
        scale = scale)
  }
}
lmkl_on <- function(kernels, setting) {
  force(kernels)
  preset <- if (setting == "paper") "paper" else "default"
  function(x, y, cost, scale, starts) {
    if (preset == "paper") starts <- 1
    lmkl(x, y, cost = cost, kernels = kernels, preset = preset, scale = scale, restarts = starts,
         iterations = 50)
  }
}

methods_of <- function(setting) {
  list(
    "SVM K_P" = svm_on(quadratic, setting),
    "SVM K_G" = svm_on(gaussian, setting),
    "MKL K_P-K_G" = mkl_on(c(quadratic, gaussian), setting),
    "LMKL K_P-K_G" = lmkl_on(c(quadratic, gaussian), setting),
    "SVM K_L" = svm_on(linear, setting),
    "LMKL 3 K_L" = lmkl_on(rep(linear, 3), setting),
    "LMKL 2 K_L" = lmkl_on(rep(linear, 2), setting),
    "LMKL 4 K_L" = lmkl_on(rep(linear, 4), setting),
    "LMKL 5 K_L" = lmkl_on(rep(linear, 5), setting),
    "MKL K_L-K_P" = mkl_on(c(linear, quadratic), setting),
    "LMKL K_L-K_P" = lmkl_on(c(linear, quadratic), setting)
  )
}

# ---- the protocol --------------------------------------------------------------------------------

costs <- 10^(-2:2)

# Five times two stratified halves of `rows`: a list of ten lists(train, valid).
five_by_two_folds <- function(rows, y) {
  unlist(lapply(1:5, function(i) {
    half <- fold_of(y[rows], 2)
    lapply(1:2, function(k) list(train = rows[half == k], valid = rows[half != k]))
  }), recursive = FALSE)
}

# `a1`..`a10` and `v1`..`v10` are what the F test needs: repetition by repetition, in per cent.
# `first` is the mean weight of the first kernel. `refit`: for methods of several starts.
protocol <- function(fitter, refit) {
  force(fitter)
  force(refit)
  function(set, run) {
    set <- limit_rows(set, settings$rows)
    test <- training_rows(set$y, 1 / 3, by = set$y)
    folds <- five_by_two_folds(setdiff(seq_along(set$y), test), set$y)
    scale <- !isFALSE(set$scale)
    ten_fits <- function(cost, starts) {
      lapply(folds, function(f) fitter(set$x[f$train, ], set$y[f$train], cost, scale, starts))
    }
    on <- function(fit, rows) accuracy(predict(fit, set$x[rows, ]), set$y[rows])
    fits <- lapply(costs, ten_fits, starts = 1)
    valid <- vapply(fits, function(ten) mean(mapply(function(fit, f) on(fit, f$valid), ten, folds)),
                    0)
    ten <- fits[[which.max(valid)]]
    if (refit) ten <- ten_fits(costs[which.max(valid)], 3)
    a <- 100 * vapply(ten, on, 0, rows = test)
    v <- 100 * mapply(function(fit, f) length(support(fit)) / length(f$train), ten, folds)
    c(
      accuracy = mean(a), vectors = mean(v), cost = costs[which.max(valid)],
      first = mean(vapply(ten, function(fit) coef(fit)[[1]], 0)), rows = length(set$y),
      stats::setNames(a, paste0("a", 1:10)), stats::setNames(v, paste0("v", 1:10))
    )
  }
}

# What no classifier can beat but by luck: the rule that knows the four Gaussians.
bayes_rule <- function(set, run) {
  test <- training_rows(set$y, 1 / 3, by = set$y)
  density <- function(mean, variance) {
    stats::dnorm(set$x[test, 1], mean[1], sqrt(0.8)) *
      stats::dnorm(set$x[test, 2], mean[2], sqrt(variance))
  }
  positive <- density(c(-3, 1), 2) + density(c(1, 1), 2)
  negative <- density(c(-1, -2.2), 4) + density(c(3, -2.2), 4)
  predicted <- ifelse(positive > negative, "positive", "negative")
  c(accuracy = 100 * accuracy(predicted, set$y[test]))
}

# The same on two million points, without the luck of a draw.
bayes_limit <- function(set, run) {
  many <- gauss4(2e6)
  c(accuracy = bayes_rule(list(x = many$x, y = many$y), run)[["accuracy"]])
}

# ---- checks --------------------------------------------------------------------------------------

# Columns as they are, or in [0, 1] by the training rows, instead of mean 0 and variance 1.
unit_range <- function(fitter) {
  force(fitter)
  function(x, y, cost, scale, starts) {
    low <- apply(x, 2, min)
    span <- apply(x, 2, max) - low
    span[span == 0] <- 1
    bring <- function(x) base::scale(x, low, span)
    fit <- fitter(bring(x), y, cost, FALSE, starts)
    structure(list(fit = fit, bring = bring), class = "in_unit_range")
  }
}
predict.in_unit_range <- function(object, newdata, ...) {
  predict(object$fit, object$bring(newdata), ...)
}
registerS3method("support", "in_unit_range", function(object, ...) support(object$fit))
coef.in_unit_range <- function(object, ...) stats::coef(object$fit)
raw <- function(fitter) {
  force(fitter)
  function(x, y, cost, scale, starts) fitter(x, y, cost, FALSE, starts)
}

# Support vectors of a linear machine under trace 1 by our solver and by an interior point method.
two_solvers <- function(set, run) {
  set <- limit_rows(set, settings$rows)
  test <- training_rows(set$y, 1 / 3, by = set$y)
  rows <- five_by_two_folds(setdiff(seq_along(set$y), test), set$y)[[1]]$train
  z <- base::scale(set$x[rows, ])
  gram <- tcrossprod(z) / sum(z^2)
  side <- 2 * as.integer(set$y[rows]) - 3
  share <- function(cost) {
    fit <- mkl(list(gram), set$y[rows], learner = learner_svm(cost), normalize = "none")
    n <- length(rows)
    inner <- kernlab::ipop(rep(-1, n), side * gram * rep(side, each = n), t(side), 0, numeric(n),
                           rep(cost, n), 0, sigf = 8, margin = 1e-6)
    100 * c(length(support(fit)) / n, mean(kernlab::primal(inner) > 1e-5 * cost))
  }
  found <- vapply(c(0.01, 1, 100), share, c(0, 0))
  stats::setNames(c(found), paste(c("ours", "ipop"), rep(c(0.01, 1, 100), each = 2)))
}

# ---- jobs ----------------------------------------------------------------------------------------

ten_sets <- c("banana", "german", "heart", "ionosphere", "liver", "diabetes", "ringnorm", "sonar",
              "spambase", "wdbc")
in_table1 <- c("SVM K_P", "SVM K_G", "MKL K_P-K_G", "LMKL K_P-K_G", "SVM K_L", "LMKL 3 K_L")
plan <- list(
  list(sets = "gauss4", methods = c("SVM K_G", "SVM K_L", "MKL K_L-K_P", "LMKL K_L-K_P",
                                    "LMKL 3 K_L"), group = "toy"),
  list(sets = ten_sets, methods = in_table1, group = "table1"),
  list(sets = "banana", methods = c("MKL K_L-K_P", "LMKL K_L-K_P"), group = "table1"),
  list(sets = ten_sets, methods = sprintf("LMKL %d K_L", c(2, 4, 5)), group = "copies"),
  list(sets = "dna", methods = in_table1, group = "table2")
)
jobs <- unlist(lapply(c("paper", "ours"), function(setting) {
  methods <- methods_of(setting)
  unlist(lapply(plan, function(part) {
    unlist(lapply(part$methods, function(name) {
      label <- if (setting == "paper") name else paste0(name, " (ours)")
      refit <- setting == "ours" && startsWith(name, "LMKL")
      jobs_on(part$sets, label, protocol(methods[[name]], refit), group = part$group)
    }), recursive = FALSE)
  }), recursive = FALSE)
}), recursive = FALSE)
fine <- mkl_on(c(linear, quadratic), "ours", gap = 1e-4)
single <- methods_of("ours")[c("SVM K_G", "SVM K_L")]
check_jobs <- c(
  lapply(names(single), function(name) {
    c(jobs_on(ten_sets, paste0(name, " (raw columns)"), protocol(raw(single[[name]]), FALSE),
              group = "checks"),
      jobs_on(ten_sets, paste0(name, " (unit range)"), protocol(unit_range(single[[name]]), FALSE),
              group = "checks"))
  }),
  list(jobs_on(c("banana", "gauss4"), "MKL K_L-K_P (gap 1e-4)", protocol(fine, FALSE),
               group = "checks")),
  list(list(job("gauss4", "Bayes rule (two million)", bayes_limit, runs = 1, group = "checks")))
)
if (requireNamespace("kernlab", quietly = TRUE)) {
  solvers <- jobs_on("diabetes", "two solvers", two_solvers, group = "checks")
  check_jobs <- c(check_jobs, list(solvers))
}
check_jobs <- unlist(check_jobs, recursive = FALSE)
jobs <- c(jobs, list(job("gauss4", "Bayes rule", bayes_rule, group = "toy")), check_jobs)

cells <- run_experiment(settings, jobs)

# ---- tests ---------------------------------------------------------------------------------------

# Two methods on one data set: the 5x2cv F test in each division.
f_tests <- function(data, one, other, letter) {
  measures <- paste0(letter, 1:10)
  ten <- function(method, run) {
    part <- cells[cells$data == data & cells$method == method & cells$run == run, ]
    part$value[match(measures, part$measure)]
  }
  both <- cells[cells$data == data & cells$measure == "a1", ]
  runs <- intersect(both$run[both$method == one], both$run[both$method == other])
  if (!length(runs)) return(NULL)
  p <- vapply(runs, function(run) test_5x2cv_f(ten(one, run), ten(other, run))$p.value, 0)
  gain <- vapply(runs, function(run) mean(ten(one, run) - ten(other, run)), 0)
  if (letter == "v") gain <- -gain
  data.frame(
    data, one, other, measure = if (letter == "a") "accuracy" else "vectors", runs = length(runs),
    gain = mean(gain), wins = sum(p < 0.05 & gain > 0), losses = sum(p < 0.05 & gain < 0),
    first_p = p[1], first_gain = gain[1]
  )
}
pairs <- list(
  c("LMKL K_P-K_G", "MKL K_P-K_G"), c("LMKL 3 K_L", "SVM K_L"),
  c("LMKL K_P-K_G (ours)", "MKL K_P-K_G (ours)"), c("LMKL 3 K_L (ours)", "SVM K_L (ours)")
)
tests <- do.call(rbind, unlist(lapply(pairs, function(pair) {
  unlist(lapply(c("a", "v"), function(letter) {
    lapply(c(ten_sets, "dna"), function(data) f_tests(data, pair[1], pair[2], letter))
  }), recursive = FALSE)
}), recursive = FALSE))

# Over the ten data sets: better - equal - worse by the F test in the first division, as the paper
# counts, by the means of all divisions, and Wilcoxon's test of these means.
summarise_tests <- function(part) {
  counts <- function(better, worse) {
    paste(sum(better), sum(!better & !worse), sum(worse), sep = "-")
  }
  significant <- part$first_p < 0.05
  data.frame(
    part[1, c("one", "other", "measure")], sets = nrow(part),
    f_test = counts(significant & part$first_gain > 0, significant & part$first_gain < 0),
    direct = counts(part$gain > 0, part$gain < 0),
    wilcoxon_p = test_wilcoxon(part$gain)$p.value, row.names = NULL
  )
}
over_sets <- NULL
if (!is.null(tests)) {
  ten <- tests[tests$data %in% ten_sets, ]
  key <- paste(ten$one, ten$measure)
  if (nrow(ten)) {
    over_sets <- do.call(rbind, lapply(split(ten, factor(key, unique(key))), summarise_tests))
  }
}

# ---- figure 3 ------------------------------------------------------------------------------------

# Decision values on a grid over the plane, which kernel leads there, and how many rows and support
# vectors of each class are near, for the fits of figure 3; cost 100 in our setting.
banana_figure <- function(steps = 41) {
  set <- load_set("banana", settings$data)
  if (is.null(set)) return(NULL)
  set.seed(seed_of("banana", 1))
  set <- limit_rows(set, 1200)
  colnames(set$x) <- c("x1", "x2")
  axes <- lapply(1:2, function(k) seq(min(set$x[, k]), max(set$x[, k]), length.out = steps))
  grid <- as.matrix(expand.grid(x1 = axes[[1]], x2 = axes[[2]]))
  methods <- methods_of("ours")[c("MKL K_L-K_P", "LMKL K_L-K_P", "LMKL 3 K_L")]
  fits <- lapply(methods, function(fit) fit(set$x, set$y, 100, TRUE, 3))
  at <- lapply(1:2, function(k) {
    factor(findInterval(set$x[, k], axes[[k]] - diff(axes[[k]][1:2]) / 2), seq_len(steps))
  })
  near <- function(rows) as.integer(table(at[[1]][rows], at[[2]][rows]))
  in_class <- lapply(levels(set$y), function(level) set$y == level)
  names(in_class) <- c("first", "second")
  short <- c("mkl", "lmkl_lp", "lmkl_lll")
  vectors <- unlist(Map(function(fit, name) {
    counts <- lapply(in_class, function(rows) near(rows & seq_along(rows) %in% support(fit)))
    stats::setNames(counts, paste("vectors", name, names(in_class), sep = "_"))
  }, unname(fits), short), recursive = FALSE)
  lead <- function(fit) {
    if (inherits(fit, "mkl_lmkl")) max.col(gating_weights(fit, grid), "first") else 1L
  }
  decisions <- vapply(fits, function(fit) round(predict(fit, grid, type = "decision"), 2),
                      numeric(nrow(grid)))
  leads <- vapply(fits[-1], lead, integer(nrow(grid)))
  colnames(decisions) <- paste0("f_", short)
  colnames(leads) <- c("lead_lp", "lead_lll")
  data.frame(round(grid, 3), decisions, leads, lapply(in_class, near), vectors)
}

# ---- tables --------------------------------------------------------------------------------------

# Of the weights only those of MKL on two kernels are of interest; the rows are the same for all.
shown <- cells[!grepl("^[av][0-9]+$|^rows$", cells$measure), ]
shown <- shown[shown$measure != "first" | startsWith(shown$method, "MKL"), ]
ours <- beside_paper(summarise_cells(shown), "lmkl", pool = TRUE, checks = check_jobs)
print_beside(ours[ours$measure %in% c("accuracy", "vectors"), ])
if (!is.null(over_sets)) {
  cat("\nBetter - equal - worse over the data sets, by the 5x2cv F test in the first division\n",
      "and by the means, and Wilcoxon's test:\n\n", sep = "")
  print(over_sets, row.names = FALSE, digits = 3)
}
write_table(ours, settings)
if (!is.null(tests)) write_table(tests, settings, "lmkl-tests")
if (!is.null(over_sets)) write_table(over_sets, settings, "lmkl-over-sets")
if (is.null(settings$only) || "banana" %in% settings$only) {
  figure <- banana_figure()
  if (!is.null(figure)) write_table(figure, settings, "lmkl-banana")
}
report_time(cells, settings)
quit(status = as.integer(attr(cells, "failed") > 0))
