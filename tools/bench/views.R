# Several sources of data: sequences, sparse text, cases that lack views.
#
#   Rscript tools/bench/views.R [--quick]
#
# Part 1: kernels of DNA sequences against other packages; peers that are not installed are left out
# with a line that says so.
#
# Part 2: 5,000 documents of 20,000 words, .1 to .5 % of the counts not 0. Each fit runs in an R
# process of its own. All jobs take turns, three times, and the smallest time of each counts: on a
# virtual machine the first process that touches a page of the machine pays its host for it, which
# can take longer than the fit, whichever job that is. Bars: the peak of the process over its size
# with the package loaded is at most two kernel matrices and three times the data; the time is at
# most 1.5 times that of Matrix::tcrossprod() and a fit to the resulting matrix.
#
# Part 3: ten public data sets, their columns cut into three views, of which 10, 30 and 50 % of the
# cells (case and view) are taken away at random, in training and test cases alike; every case keeps
# one view. Accuracy of the mean of default kernels under four treatments, with the standard error
# over the splits: `omit` (cases that lack a view cannot be predicted and get the most frequent
# class), `mean` (columns filled with their training means), `available` and `impute`.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

# ---- text ----------------------------------------------------------------------------------------

documents <- if (quick) 2000 else 5000
words <- if (quick) 8000 else 20000

resident_mb <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# Counts; words of the first tenth are more frequent in one of the classes.
text_data <- function(density) {
  set.seed(1)
  entries <- round(density * documents * words)
  rows <- sample(documents, entries, TRUE)
  columns <- sample(words, entries, TRUE)
  topical <- runif(entries) < 0.2
  half <- words %/% 20
  columns[topical] <- sample(half, sum(topical), TRUE) + ifelse(rows[topical] %% 2 == 0, half, 0)
  x <- Matrix::sparseMatrix(
    i = rows, j = columns, x = 1, dims = c(documents, words),
    dimnames = list(NULL, paste0("w", seq_len(words)))
  )
  list(x = x, y = factor(rep(c("a", "b"), length.out = documents)))
}

text_jobs <- list(
  ours = function(d) {
    mkl(views(text = d$x), d$y, learner = learner_svm(), kernels = kernel_linear())
  },
  plain = function(d) {
    mkl(d$x, d$y, learner = learner_svm(), kernels = kernel_linear(), scale = FALSE)
  },
  gaussian = function(d) {
    mkl(views(text = d$x), d$y, learner = learner_svm(), kernels = kernel_rbf(10))
  },
  peer = function(d) {
    mkl(list(K = as.matrix(Matrix::tcrossprod(d$x))), d$y, learner = learner_svm(),
        normalize = "trace")
  }
)

worker <- match("--worker", bench_args)
if (!is.na(worker)) {
  job <- text_jobs[[bench_args[worker + 1]]]
  invisible(Matrix::tcrossprod(Matrix::sparseMatrix(1:2, 1:2, x = 1))) # loads the package
  invisible(mkl(list(K = diag(20) + 1), rep(1:2, 10) == 1))
  gc(FALSE)
  before <- resident_mb("VmRSS")
  d <- readRDS(bench_args[worker + 2])
  seconds <- sum(system.time(job(d))[c("user.self", "sys.self")])
  cat(resident_mb("VmHWM") - before, seconds, "\n")
  quit(status = 0)
}

run_alone <- function(job, file) {
  out <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(shQuote(script), if (quick) "--quick", "--worker", job, shQuote(file)), stdout = TRUE
  )
  as.numeric(strsplit(out[length(out)], " ")[[1]])
}

bench_text <- function(density) {
  d <- text_data(density)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(d, file, compress = FALSE)
  data_mb <- as.numeric(object.size(d$x)) / 2^20
  bar <- 2 * 8 * documents^2 / 2^20 + 3 * data_mb
  turns <- lapply(seq_len(if (quick) 2 else 3), function(turn) {
    lapply(stats::setNames(nm = names(text_jobs)), run_alone, file)
  })
  runs <- lapply(stats::setNames(nm = names(text_jobs)), function(job) {
    all <- vapply(turns, `[[`, c(0, 0), job)
    c(max(all[1, ]), min(all[2, ])) # peak, time
  })
  for (job in setdiff(names(runs), "peer")) {
    label <- sprintf("%s, %g %%, %.1f MB", job, 100 * density, data_mb)
    figure(paste0(label, ": peak"), round(runs[[job]][1]), round(bar), at_most = TRUE, unit = "MB")
    row(label, runs[[job]][2], runs$peer[2], if (job == "gaussian") NA else 0.67)
  }
}

# ---- sequences -----------------------------------------------------------------------------------

# TRUE if the package is there.
has_peer <- function(package) {
  there <- requireNamespace(package, quietly = TRUE)
  if (!there) cat("  ", package, " is not installed: left out\n", sep = "")
  there
}

random_sequences <- function(n, length, letters = c("A", "C", "G", "T")) {
  set.seed(4)
  replicate(n, paste(sample(letters, length, TRUE), collapse = ""))
}

bench_sequences <- function() {
  header(
    "200 sequences of 60 letters of DNA, matrices of k-mer kernels, CPU time",
    paste(
      "Peers: kernlab::stringdot, type \"spectrum\" (some of its values are too large by 1) and",
      "kerntools::Spectrum, both with k = 4. They have no mismatch kernel, which is compared with",
      "the spectrum kernel of kernlab."
    )
  )
  case <- list(x = random_sequences(200, 60))
  ours <- list(
    spectrum = function(case) {
      multikernel::kernel_matrix(multikernel::kernel_spectrum(4, "dna"), case$x)
    },
    mismatch = function(case) {
      multikernel::kernel_matrix(multikernel::kernel_mismatch(4, 1, "dna"), case$x)
    }
  )
  bar <- 20
  peers <- list(
    kernlab = function(case) {
      kernlab::kernelMatrix(
        kernlab::stringdot(type = "spectrum", length = 4, normalized = FALSE), as.list(case$x)
      )
    },
    kerntools = function(case) {
      kerntools::Spectrum(case$x, alphabet = c("A", "C", "G", "T"), l = 4)
    }
  )
  times <- vapply(ours, time_alone, 0, data = case)
  k <- gram_of(kernel_spectrum(4), case$x)
  for (peer in names(peers)) {
    if (!has_peer(peer)) next
    theirs <- unclass(peers[[peer]](case))
    apart <- max(abs((theirs - k)[upper.tri(k)]))
    seconds <- time_alone(peers[[peer]], case)
    row(paste0("spectrum, k = 4, against ", peer), times[["spectrum"]], seconds, bar,
        sprintf("largest difference %.1g off the diagonal", apart))
    if (peer == "kernlab") row("mismatch, k = 4, m = 1", times[["mismatch"]], seconds, bar)
  }
}

# ---- cases that lack views -----------------------------------------------------------------------

some_rows <- function(data, n) {
  set.seed(1)
  data[sample(nrow(data), min(n, nrow(data))), ]
}

data_of <- function(name, package) {
  utils::data(list = name, package = package, envir = environment())
  get(name, envir = environment())
}

# list(x: numbers, y) of a data frame whose response is in the named column.
numbers_of <- function(data, response, drop = character()) {
  data <- stats::na.omit(data)
  x <- data[setdiff(names(data), c(response, drop))]
  x[] <- lapply(x, function(column) as.numeric(as.character(column)))
  list(x = as.matrix(x), y = factor(data[[response]]))
}

view_sets <- function() {
  pima <- rbind(MASS::Pima.tr, MASS::Pima.te)
  list(
    sonar = numbers_of(data_of("Sonar", "mlbench"), "Class"),
    ionosphere = numbers_of(data_of("Ionosphere", "mlbench")[-2], "Class"),
    glass = numbers_of(data_of("Glass", "mlbench"), "Type"),
    vehicle = numbers_of(some_rows(data_of("Vehicle", "mlbench"), 300), "Class"),
    breast = numbers_of(some_rows(data_of("BreastCancer", "mlbench"), 300), "Class", "Id"),
    vowel = numbers_of(some_rows(data_of("Vowel", "mlbench"), 300), "Class", "V1"),
    pima = numbers_of(some_rows(pima, 300), "type"),
    crabs = numbers_of(MASS::crabs[-(2:3)], "sp"),
    iris = numbers_of(iris, "Species"),
    dermatology = keel_data("dermatology")
  )
}

# A file of KEEL: lines with `@` describe it, the last column is the class.
keel_data <- function(name) {
  file <- system.file("datasets", paste0(name, ".dat"), package = "RKEELdata", mustWork = TRUE)
  lines <- grep("^@|^\\s*$", readLines(file, warn = FALSE), value = TRUE, invert = TRUE)
  data <- utils::read.csv(
    text = lines, header = FALSE, strip.white = TRUE,
    na.strings = c("?", "<null>", "NA")
  )
  numbers_of(data, names(data)[ncol(data)])
}

# The matrices of three views, without the rows of the cases that lack them.
cut_views <- function(x, share, seed) {
  set.seed(seed)
  owner <- sample(rep_len(1:3, ncol(x)))
  absent <- matrix(runif(3 * nrow(x)) < share, nrow(x))
  nobody <- which(rowSums(!absent) == 0)
  absent[cbind(nobody, sample(3, length(nobody), TRUE))] <- FALSE
  parts <- lapply(1:3, function(v) without_rows(x[, owner == v, drop = FALSE], absent[, v]))
  stats::setNames(parts, c("a", "b", "c"))
}

without_rows <- function(x, rows) {
  x[rows, ] <- NA
  x
}

fill_means <- function(parts, train) {
  lapply(parts, function(x) {
    means <- colMeans(x[train, , drop = FALSE], na.rm = TRUE)
    lost <- is.na(x)
    x[lost] <- means[col(x)[lost]]
    x
  })
}

treatments <- c("omit", "mean", "available", "impute")

# Share of the test cases that are classified correctly.
view_accuracy <- function(parts, y, test, treatment) {
  train <- !test
  if (treatment == "mean") parts <- fill_means(parts, train)
  data <- do.call(views, parts)
  missing <- if (treatment == "mean") "available" else treatment
  fit <- suppressMessages(suppressWarnings(
    mkl(data[train, ], y[train], learner = "average", missing = missing)
  ))
  found <- as.character(predict(fit, data[test, ]))
  found[is.na(found)] <- names(which.max(table(y[train])))
  mean(found == y[test])
}

bench_missing <- function() {
  folds <- if (quick) 3 else 5
  repeats <- if (quick) 1 else 3
  cat("\nAccuracy (standard error over the splits), default kernels, unweighted mean\n")
  cat(sprintf("%-12s %5s %s\n", "", "", paste(sprintf("%15s", treatments), collapse = "")))
  sets <- view_sets()
  all <- list()
  for (share in c(0.1, 0.3, 0.5)) {
    for (name in names(sets)) {
      d <- sets[[name]]
      scores <- do.call(rbind, lapply(seq_len(repeats), function(r) {
        parts <- cut_views(d$x, share, 100 * r + 1)
        fold <- sample(rep_len(seq_len(folds), length(d$y)))
        t(vapply(seq_len(folds), function(k) {
          vapply(treatments, function(one) view_accuracy(parts, d$y, fold == k, one), 0)
        }, numeric(length(treatments))))
      }))
      shown <- sprintf(
        "%6.3f (%.3f)", colMeans(scores), apply(scores, 2, stats::sd) / sqrt(nrow(scores))
      )
      cat(
        sprintf(
          "%-12s %4.0f%% %s\n", name, 100 * share, paste(sprintf("%15s", shown), collapse = "")
        )
      )
      all[[length(all) + 1]] <- data.frame(set = name, share = share, t(colMeans(scores)))
    }
  }
  all <- do.call(rbind, all)
  for (share in unique(all$share)) {
    means <- colMeans(all[all$share == share, treatments])
    cat(
      sprintf(
        "%-12s %4.0f%% %s\n", "mean", 100 * share, paste(sprintf("%15.3f", means), collapse = "")
      )
    )
  }
  differences <- all$available - all$impute
  cat(sprintf(
    "available - impute: %.4f (%.4f) over %d cells\n", mean(differences),
    stats::sd(differences) / sqrt(length(differences)), length(differences)
  ))
}

describe_run()
bench_sequences()
header("Sparse text", "peer: tcrossprod() of the package Matrix and a fit to this matrix")
for (density in if (quick) 0.005 else c(0.001, 0.005)) bench_text(density)
bench_missing()
finish()
