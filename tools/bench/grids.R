# A 10 x 10 grid over width and cost with 5 folds by tune_mkl() against liquidSVM (Steinwart &
# Thomann 2017) on the same rows, widths and costs, in one thread; the test error of both, each with
# the point that it selects.
#   Rscript tools/bench/grids.R [--quick] [folder]
# liquidSVM 1.2.4 is in the archive of CRAN. Its folds are its own, it has no offset, and it solves
# to a tolerance of its own. `folder`: with german.numer.csv.gz and ijcnn1-train.csv.xz, which no
# package has. --quick: 1000 rows only.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

describe_run()
folder <- setdiff(bench_args, "--quick")

# Standardized columns and two classes, in a fixed random order.
prepare_rows <- function(x, y) {
  set.seed(1)
  rows <- sample(nrow(x))
  x <- scale(as.matrix(x)[rows, ])
  x[is.na(x)] <- 0
  attr(x, "scaled:center") <- attr(x, "scaled:scale") <- NULL
  list(x = unname(x), y = factor(as.vector(y)[rows]))
}

package_data <- function(name, package) {
  if (!requireNamespace(package, quietly = TRUE)) return(NULL)
  place <- new.env()
  utils::data(list = name, package = package, envir = place)
  place[[name]]
}

file_data <- function(name) {
  path <- file.path(folder[1L], name)
  if (length(folder) && file.exists(path)) utils::read.csv(path)
}

spam_rows <- function() {
  spam <- package_data("spam", "kernlab")
  if (!is.null(spam)) prepare_rows(spam[1:57], spam$type)
}
letter_rows <- function() {
  letters <- package_data("LetterRecognition", "mlbench")
  if (!is.null(letters)) prepare_rows(letters[-1], as.integer(letters$lettr) > 13)
}
file_rows <- function(name) {
  data <- file_data(name)
  if (!is.null(data)) prepare_rows(data[names(data) != "class"], data$class)
}

# Widths around the mean distance of two rows.
make_grid <- function(x) {
  mean_square <- 2 * sum(apply(x, 2, stats::var))
  rate <- 2^(0.8 * (-3:6)) / mean_square # of exp(-rate * squared distance)
  list(rate = rate, cost = 2^seq(-3, 8, length.out = 10))
}

our_grid <- function(data) {
  set.seed(1)
  multikernel::tune_mkl(
    data$x, data$y, learner = multikernel::learner_svm(), folds = 5, metrics = "error",
    kernels = function(sigma) multikernel::kernel_rbf(sigma),
    grid = list(sigma = sqrt(1 / (2 * data$grid$rate)), cost = data$grid$cost),
    control = multikernel::mkl_control(threads = 1)
  )
}

peer_grid <- function(data) {
  suppressWarnings(liquidSVM::svm(
    data$x, data$y, scale = FALSE, folds = 5, threads = 1, random_seed = 1, do.select = TRUE,
    gammas = 1 / sqrt(data$grid$rate), c_values = data$grid$cost
  ))
}

compare_grid <- function(label, rows, n) {
  if (is.null(rows)) {
    cat(sprintf("%-46s skipped: no such data here\n", label))
    return(invisible())
  }
  train <- seq_len(min(n, nrow(rows$x) - 500))
  test <- utils::head(setdiff(seq_len(nrow(rows$x)), train), 5000)
  data <- list(x = rows$x[train, ], y = rows$y[train], grid = make_grid(rows$x[train, ]))
  ours <- predict(refit(our_grid(data)), rows$x[test, ])
  peer <- stats::predict(peer_grid(data), rows$x[test, ])
  wrong <- function(predicted) mean(as.character(predicted) != rows$y[test])
  few <- if (n > 2000) 1 else 3
  row(
    sprintf("%s, %d rows", label, length(train)),
    time_of(function() our_grid(data), repeats = few, most = few),
    time_of(function() peer_grid(data), repeats = few, most = few), 1.2,
    sprintf("test error %.4f, peer %.4f", wrong(ours), wrong(peer))
  )
}

if (!requireNamespace("liquidSVM", quietly = TRUE)) {
  cat("liquidSVM is not installed: nothing to compare with\n")
  quit(status = 0)
}
header("10 x 10 grid, 5 folds, one thread, CPU time", "ours: tune_mkl(); peer: liquidSVM::svm()")
for (n in if (quick) 1000 else c(1000, 5000)) {
  compare_grid("spam", spam_rows(), n)
  compare_grid("letter, A-M against N-Z", letter_rows(), n)
  compare_grid("ijcnn1", file_rows("ijcnn1-train.csv.xz"), n)
  compare_grid("wavy chessboard, 15 % wrong", do.call(prepare_rows, hard_data(10000)[1:2]), n)
}
compare_grid("german.numer", file_rows("german.numer.csv.gz"), 1000)
finish()
