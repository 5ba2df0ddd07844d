# How fast is a support vector machine? From data to model against e1071 (libsvm) and kernlab, the
# solver alone on a stored kernel matrix, prediction, one and two threads, all instruction sets.
#   Rscript tools/bench/svm.R [--quick]
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))
describe_run()

tol <- 1e-3
# MB for libsvm: enough for every kernel matrix here, so that it computes no row twice.
peer_cache <- 400

problems <- if (quick) {
  list(spam = list(spam_data, 1000), hard = list(hard_data, 1000))
} else {
  list(spam = list(spam_data, c(1000, 2000, 4601)), hard = list(hard_data, c(1000, 2000, 5000)))
}
costs <- c(1, 10, 100)

# ---- the fits ------------------------------------------------------------------------------------

fit_ours <- function(data, cost, threads = 1, simd = "auto") {
  mkl(
    data$x, data$y,
    learner = learner_svm(cost = cost), kernels = kernel_rbf(gamma = data$gamma),
    normalize = "none", scale = FALSE,
    control = mkl_control(tol = tol, threads = threads, simd = simd)
  )
}

# Without the fitted values of the training rows, which cost libsvm a prediction.
fit_e1071 <- function(data, cost) {
  e1071::svm(
    data$x, data$y,
    kernel = "radial", gamma = data$gamma, cost = cost, tolerance = tol,
    scale = FALSE, fitted = FALSE, cachesize = peer_cache
  )
}

fit_kernlab <- function(data, cost) {
  kernlab::ksvm(
    data$x, data$y,
    type = "C-svc", kernel = "rbfdot", kpar = list(sigma = data$gamma), C = cost, tol = tol,
    scaled = FALSE, fit = FALSE, cache = peer_cache
  )
}

# The dual objective of coefficients y_i alpha_i, from the same kernel matrix for all.
dual <- function(rows, beta, gram) {
  sum(abs(beta)) - 0.5 * sum(beta * (gram[rows, rows, drop = FALSE] %*% beta))
}

dual_ours <- function(fit, gram) {
  state <- fit$models[[1]]$state
  dual(fit$kept[state$rows], state$coefficients, gram)
}

relative <- function(a, b) abs(a - b) / max(abs(a), abs(b))

# ---- data to model -------------------------------------------------------------------------------

header(
  "From data to model, one thread, CPU time, against e1071::svm",
  paste(
    "RBF kernel, same gamma, cost and tolerance 1e-3, no scaling. 'dual' is our dual objective,",
    "'diff' its relative distance from the peer's (at most 1e-5 asked for)."
  )
)
cases <- list()
for (name in names(problems)) {
  for (n in problems[[name]][[2]]) {
    data <- problems[[name]][[1]](n)
    gram <- gram_of(kernel_rbf(gamma = data$gamma), data$x)
    for (cost in costs) {
      ours <- fit_ours(data, cost)
      peer <- fit_e1071(data, cost)
      mine <- dual_ours(ours, gram)
      theirs <- dual(peer$index, as.numeric(peer$coefs), gram)
      case <- list(
        name = name, n = n, cost = cost, diff = relative(mine, theirs),
        one = time_of(function() fit_ours(data, cost)),
        e1071 = time_of(function() fit_e1071(data, cost))
      )
      label <- sprintf("%s n = %d, C = %g", name, n, cost)
      row(label, case$one, case$e1071, 2, sprintf("dual %.6g diff %.1e", mine, case$diff))
      case$baseline <- time_of(function() fit_ours(data, cost, simd = "baseline"))
      case$two <- time_of(function() fit_ours(data, cost, threads = 2), what = "elapsed")
      case$e1071_clock <- time_of(function() fit_e1071(data, cost), repeats = 2, what = "elapsed")
      cases[[length(cases) + 1]] <- case
    }
    rm(gram)
  }
}
pick <- function(field) vapply(cases, function(case) as.numeric(case[[field]]), 0)
label_of <- function(case) sprintf("%s n = %d, C = %g", case$name, case$n, case$cost)
labels <- vapply(cases, label_of, "")
figure("geometric mean", geometric_mean(pick("e1071") / pick("one")), 4, unit = "x")
figure("worst case", min(pick("e1071") / pick("one")), 2, unit = "x")
figure("largest relative difference of the duals", max(pick("diff")), 1e-5, at_most = TRUE)

header("The same with two threads, time on the clock, against e1071::svm on its one thread")
for (i in seq_along(cases)) row(labels[i], cases[[i]]$two, cases[[i]]$e1071_clock)
figure("geometric mean", geometric_mean(pick("e1071_clock") / pick("two")), 6, unit = "x")

header("The same without AVX2 (simd = \"baseline\"), one thread, CPU time, against e1071::svm")
for (i in seq_along(cases)) row(labels[i], cases[[i]]$baseline, cases[[i]]$e1071)
figure("geometric mean", geometric_mean(pick("e1071") / pick("baseline")), unit = "x")

# ---- kernlab -------------------------------------------------------------------------------------

header(
  "From data to model, one thread, CPU time, against kernlab::ksvm (n <= 2000, one repeat)",
  "'diff' is the relative distance of its dual objective from ours."
)
for (case in Filter(function(case) case$n <= 2000, cases)) {
  data <- problems[[case$name]][[1]](case$n)
  gram <- gram_of(kernel_rbf(gamma = data$gamma), data$x)
  seconds <- system.time(peer <- fit_kernlab(data, case$cost))
  theirs <- dual(kernlab::alphaindex(peer)[[1]], kernlab::coef(peer)[[1]], gram)
  row(
    label_of(case), case$one, sum(seconds[1:2]),
    extra = sprintf("diff %.1e", relative(dual_ours(fit_ours(data, case$cost), gram), theirs))
  )
}

# ---- the solver alone ----------------------------------------------------------------------------

# libsvm can read a kernel matrix, but svm() of e1071 offers no way to ask for it: its compiled
# entry is called directly, with kernel type 4 and rows that start with their own number, as libsvm
# wants. It counts positions, so no entry may be zero; those of an RBF kernel are not.
libsvm_on_matrix <- function(nodes, y, cost, tol) {
  n <- ncol(nodes)
  entry <- getNamespace("e1071")$R_svmtrain
  .C(
    entry, nodes, n, nrow(nodes), as.double(as.integer(y)), 0L, 0L,
    0L, 4L, 3L, 1, 0, as.double(cost), 0.5, 1:2, c(1, 1), 0L, # C-classification, precomputed
    as.double(peer_cache), as.double(tol), 0.1, 1L, 0L, 0L, 0L,
    nclasses = integer(1), nr = integer(1), index = integer(n), labels = integer(2),
    nSV = integer(2), rho = double(1), coefs = double(n), sigma = double(1), probA = double(1),
    probB = double(1), cresults = double(0), ctotal1 = double(1), ctotal2 = double(1),
    error = strrep(" ", 255)
  )
}

smo_ours <- function(gram, y, cost, simd = "auto") {
  sign <- ifelse(y == levels(y)[2], 1, -1)
  control <- c(unclass(mkl_control(tol = tol, simd = simd)), list(seed = 1))
  multikernel:::smo_cpp(
    gram, sign, pmin(0, cost * sign), pmax(0, cost * sign), 0, numeric(0), control
  )
}

header(
  "The solver alone on a stored double matrix, one thread, CPU time, against libsvm on the same",
  paste(
    "libsvm's time is that of its compiled entry less the time it takes to read the matrix",
    "(measured with a tolerance that ends it before the first step). kernlab: ksvm() on a",
    "kernelMatrix with shrinking = FALSE, the setting that gives right results, n <= 1000 only."
  )
)
for (n in if (quick) 1000 else c(1000, 5000)) {
  data <- hard_data(n)
  gram <- gram_of(kernel_rbf(gamma = data$gamma), data$x)
  attributes(gram) <- list(dim = dim(gram))
  nodes <- rbind(as.double(seq_len(n)), gram)
  bar <- if (n == 1000) 4 else 3
  reading <- time_of(function() libsvm_on_matrix(nodes, data$y, 1, 1e6))
  for (cost in costs) {
    label <- sprintf("hard n = %d, C = %g", n, cost)
    peer <- libsvm_on_matrix(nodes, data$y, cost, tol)
    used <- seq_len(peer$nr)
    ours <- smo_ours(gram, data$y, cost)
    theirs <- dual(peer$index[used], peer$coefs[used], gram)
    diff <- relative(dual(seq_len(n), ours$beta, gram), theirs)
    t_peer <- time_of(function() libsvm_on_matrix(nodes, data$y, cost, tol)) - reading
    row(label, time_of(function() smo_ours(gram, data$y, cost)), t_peer, bar,
        sprintf("diff %.1e", diff))
    row(paste0(label, ", baseline"),
        time_of(function() smo_ours(gram, data$y, cost, "baseline")), t_peer)
    if (n <= 1000) {
      seconds <- system.time(kernlab::ksvm(
        kernlab::as.kernelMatrix(gram), data$y,
        type = "C-svc", C = cost, tol = tol, shrinking = FALSE, fit = FALSE, cache = peer_cache
      ))
      row(paste0(label, ", against kernlab"),
          time_of(function() smo_ours(gram, data$y, cost)), sum(seconds[1:2]))
    }
  }
  rm(gram, nodes)
}

# ---- prediction ----------------------------------------------------------------------------------

header("Prediction of 2000 new rows, one thread, CPU time, against predict() of e1071 and kernlab")
for (name in names(problems)) {
  n <- if (quick) 1000 else 2000
  data <- problems[[name]][[1]](n)
  new <- problems[[name]][[1]](if (name == "spam") 4000 else 2 * n)$x
  new <- new[nrow(new) - 1999:0, , drop = FALSE]
  ours <- fit_ours(data, 10)
  peer <- fit_e1071(data, 10)
  kern <- fit_kernlab(data, 10)
  agree <- mean(predict(ours, new) == predict(peer, new))
  t_ours <- time_of(function() predict(ours, new))
  row(sprintf("%s n = %d, %d support vectors, e1071", name, n, peer$tot.nSV), t_ours,
      time_of(function() predict(peer, new)), 4, sprintf("same class %.2f%%", 100 * agree))
  row(sprintf("%s n = %d, kernlab", name, n), t_ours,
      time_of(function() kernlab::predict(kern, new)), 4)
}

finish()
