# Test error against the number of landmarks for four rules, beside the exact fit, on four data
# sets: the figures of the vignette "Large data".
#   Rscript tools/bench/landmarks.R --data <directory> [--quick]
# writes vignettes/large-data.csv. The directory holds ijcnn1-train.csv.xz and ijcnn1-test.csv.xz.
script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
source(file.path(dirname(script), "common.R"))

at <- match("--data", bench_args)
if (is.na(at)) stop("give the directory of the data: --data <directory>")
directory <- bench_args[at + 1]

read_ijcnn <- function(name, rows) {
  d <- utils::read.csv(xzfile(file.path(directory, paste0("ijcnn1-", name, ".csv.xz"))))
  set.seed(1)
  d[sample(nrow(d), rows), ]
}

split_rows <- function(d, train) {
  set.seed(2)
  at <- sample(nrow(d), train)
  list(train = d[at, ], test = d[-at, ])
}

simulated <- function(name, n) {
  set.seed(3)
  if (name == "rings") {
    radius <- rep(1:4, length.out = n) + rnorm(n, sd = 0.25)
    angle <- runif(n, 0, 2 * pi)
    return(data.frame(a = radius * cos(angle), b = radius * sin(angle),
                      y = factor(rep(1:4, length.out = n) %% 2)))
  }
  # clusters of very different sizes
  size <- c(0.9, 0.06, 0.03, 0.01)
  cluster <- sample(4, n, TRUE, size)
  center <- matrix(c(0, 4, -4, 0, 0, 4, 4, -5), 4)
  x <- center[cluster, ] + matrix(rnorm(2 * n, sd = 0.8), n)
  side <- sin(3 * x[, 1]) + cos(3 * x[, 2]) + rnorm(n, sd = 0.3) > 0
  data.frame(a = x[, 1], b = x[, 2], y = factor(side))
}

n <- if (quick) 1000 else 5000
ijcnn <- list(train = read_ijcnn("train", n), test = read_ijcnn("test", 2 * n))
names(ijcnn$train)[1] <- names(ijcnn$test)[1] <- "y"
ijcnn$train$y <- factor(ijcnn$train$y)
ijcnn$test$y <- factor(ijcnn$test$y)
letters_set <- if (requireNamespace("mlbench", quietly = TRUE)) {
  place <- new.env()
  utils::data("LetterRecognition", package = "mlbench", envir = place)
  d <- place$LetterRecognition
  names(d)[1] <- "y"
  d$y <- factor(d$y %in% LETTERS[1:13])
  split_rows(d[seq_len(min(nrow(d), 3 * n)), ], n)
}
sets <- list(
  ijcnn1 = c(ijcnn, list(sigma = sqrt(22) / 3, cost = 20)),
  letters = c(letters_set, list(sigma = 2, cost = 10)),
  rings = c(split_rows(simulated("rings", 2 * n), n), list(sigma = 0.3, cost = 5)),
  clusters = c(split_rows(simulated("clusters", 2 * n), n), list(sigma = 0.3, cost = 5))
)
sets <- Filter(function(set) !is.null(set$train), sets)

# Evenly spaced rows in the order of the first column: rows of a user.
own_rows <- function(d, m) {
  order(d[[setdiff(names(d), "y")[1L]]])[round(seq(1, nrow(d), length.out = m))]
}

ranks <- c(25, 50, 100, 200, 400)
rules <- c("uniform", "kmeans++", "rpcholesky", "own rows")
repeats <- if (quick) 1 else 3
out <- list()
for (name in names(sets)) {
  set <- sets[[name]]
  error <- function(approximate = NULL) {
    fit <- suppressWarnings(mkl(
      y ~ ., set$train, kernels = kernel_rbf(set$sigma), approximate = approximate,
      learner = learner_svm(set$cost, loss = "squared_hinge"),
      control = mkl_control(threads = 1)
    ))
    mean(predict(fit, set$test) != set$test$y)
  }
  out[[length(out) + 1]] <- data.frame(set = name, rule = "exact", m = NA, error = error())
  for (rule in rules) for (m in ranks) {
    errors <- vapply(seq_len(if (rule == "own rows") 1 else repeats), function(seed) {
      set.seed(seed)
      error(if (rule == "own rows") nystrom(landmarks = own_rows(set$train, m)) else {
        nystrom(m, rule)
      })
    }, 0)
    out[[length(out) + 1]] <- data.frame(set = name, rule = rule, m = m, error = mean(errors))
    cat(sprintf("%-10s %-12s %4d landmarks: test error %.4f\n", name, rule, m, mean(errors)))
  }
}
table <- do.call(rbind, out)
table$error <- round(table$error, 5)
if (!quick) utils::write.csv(table, file.path(dirname(script), "..", "..", "vignettes",
                                              "large-data.csv"), row.names = FALSE, quote = FALSE)
