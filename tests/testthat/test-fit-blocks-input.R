# Bad input to fits in blocks: each is an error of its class that names the block and the column.

fit_quickly <- function(formula, blocks, ..., learner = learner_svm(loss = "squared_hinge")) {
  mkl(formula, blocks, learner = learner, ..., approximate = nystrom(10))
}

simple <- function(n = 100) {
  set.seed(1)
  d <- data.frame(a = rnorm(n), b = rnorm(n), f = factor(rep(c("p", "q"), length.out = n)))
  d$y <- factor(ifelse(d$a + rnorm(n) > 0, "yes", "no"))
  d
}

data_error <- function(code, text) {
  expect_error(code, text, class = "multikernel_data_error")
}

test_that("files that are missing, empty or different", {
  folder <- withr::local_tempdir()
  at <- function(name) file.path(folder, name)
  d <- simple()
  write.csv(d, at("one.csv"), row.names = FALSE)
  data_error(row_blocks(at("none.csv")), "none.csv.*does not exist")
  writeLines("a,b,f,y", at("empty.csv"))
  data_error(row_blocks(c(at("one.csv"), at("empty.csv"))), "empty.csv.*has no rows")
  file.create(at("void.csv"))
  data_error(row_blocks(at("void.csv")), "void.csv.*cannot be read")
  data_error(row_blocks(c(at("one.csv"), at("one.csv"))), "named twice")
  con <- gzfile(at("packed.csv"), "w")
  write.csv(d, con)
  close(con)
  data_error(row_blocks(at("packed.csv")), "compressed")

  write.csv(d[-2], at("lacks.csv"), row.names = FALSE)
  data_error(fit_quickly(y ~ ., row_blocks(at(c("one.csv", "lacks.csv")))), "lacks.csv.*column `b`")
  write.csv(cbind(d, more = 1), at("more.csv"), row.names = FALSE)
  data_error(fit_quickly(y ~ a, row_blocks(at(c("one.csv", "more.csv")))),
             "more.csv.*column `more`")
  odd <- transform(d, b = as.character(b))
  odd$b[50] <- "high"
  write.csv(odd, at("odd.csv"), row.names = FALSE)
  data_error(fit_quickly(y ~ ., row_blocks(at(c("one.csv", "odd.csv")))), "odd.csv.*`b`")
  data_error(fit_quickly(y ~ a, row_blocks(at(c("one.csv", "odd.csv")))), "odd.csv.*text.*`b`")
  infinite <- d
  infinite$a[7] <- Inf
  write.csv(infinite, at("infinite.csv"), row.names = FALSE)
  data_error(fit_quickly(y ~ ., row_blocks(at(c("one.csv", "infinite.csv")))),
             "infinite.csv.*row 7.*`a`.*Inf")
})

test_that("columns in another order, quoted line ends and types by column are read", {
  folder <- withr::local_tempdir()
  files <- file.path(folder, c("one.csv", "two.csv"))
  d <- simple()
  levels(d$f) <- c("p,\nwith \"quotes\"", "q")
  write.csv(d[1:50, ], files[1], row.names = FALSE)
  write.csv(d[51:100, 4:1], files[2], row.names = FALSE)
  blocks <- row_blocks(files, rows = 20)
  expect_identical(vapply(blocks$blocks, function(b) b$rows, 0), c(20, 20, 10, 20, 20, 10))
  read <- do.call(rbind, lapply(blocks$blocks, function(b) read_block(b)[names(d)]))
  expect_equal(read$a, d$a)
  expect_identical(read$f, as.character(d$f))
  fit <- fit_quickly(y ~ ., blocks)
  expect_identical(predict(fit, blocks), unname(predict(fit, d)))
  # numbers that are codes
  d$code <- ifelse(d$a > 0, "01", "1")
  write.csv(d, files[1], row.names = FALSE)
  blocks <- row_blocks(files[1], colClasses = c(code = "character"))
  fit <- fit_quickly(y ~ code + b, blocks)
  expect_identical(fit$frame$encoders$code$levels, c("01", "1"))
  expect_identical(predict(fit, blocks), unname(predict(fit, d)))
})

test_that("classes and levels that come last are known", {
  d <- simple(90)
  d$y <- factor(rep(c("a", "b", "c"), each = 30))
  d$f <- rep(c("k", "l", "m"), each = 30)
  blocks <- row_blocks(d, rows = 30)
  # the first block has one class and one level
  fit <- fit_quickly(y ~ ., blocks)
  expect_identical(fit$classes, c("a", "b", "c"))
  expect_identical(fit$frame$encoders$f$levels, c("k", "l", "m"))
  new <- transform(d, f = ifelse(seq_len(90) == 70, "other", f))
  data_error(predict(fit, row_blocks(new, rows = 30)), "rows 61 to 90.*`f`.*\"other\"")
  expect_warning(
    found <- predict(fit, row_blocks(new, rows = 30), new_levels = "missing"),
    class = "multikernel_new_levels"
  )
  expect_identical(which(is.na(found)), 70L)
  data_error(predict(fit, row_blocks(new["a"], rows = 30)), "lack")
})

test_that("one class, no rows, identifiers", {
  d <- simple()
  d$y <- "always"
  expect_error(fit_quickly(y ~ a, row_blocks(d, 30)), "two classes",
               class = "multikernel_response_error")
  data_error(row_blocks(simple()[0, ]), "no rows")
  d <- simple()
  d$id <- paste0("case", seq_len(nrow(d)))
  data_error(fit_quickly(y ~ ., row_blocks(d, 30)), "`id`")
  d$a <- NA_real_
  data_error(fit_quickly(y ~ a, row_blocks(d, 30)), "No block has a row without")
})

test_that("blocks that change between passes", {
  d <- simple()
  state <- new.env()
  state$calls <- 0
  changing <- row_blocks(function(i) {
    state$calls <- state$calls + 1
    out <- d[1:50 + 50 * (i - 1), ]
    if (state$calls > 5) out$b[1] <- out$b[1] + 1
    out
  }, count = 2)
  data_error(fit_quickly(y ~ a + b, changing), "has changed since the first pass")
  state$calls <- 0
  shrinking <- row_blocks(function(i) {
    state$calls <- state$calls + 1
    d[seq_len(if (state$calls > 5) 40 else 50) + 50 * (i - 1), ]
  }, count = 2)
  data_error(fit_quickly(y ~ a + b, shrinking), "block [12].*rows")
  file <- withr::local_tempfile(fileext = ".csv")
  write.csv(d, file, row.names = FALSE)
  blocks <- row_blocks(file)
  write.csv(d[1:60, ], file, row.names = FALSE)
  data_error(fit_quickly(y ~ a + b, blocks), "has 60 rows, but 100")
  broken <- row_blocks(function(i) if (i == 2) stop("no disk") else d, count = 2)
  data_error(fit_quickly(y ~ a + b, broken), "block 2.*no disk")
  data_error(fit_quickly(y ~ a, row_blocks(function(i) 1:3, count = 1)), "not a data frame")
})

test_that("what needs all rows in memory says so", {
  d <- simple()
  blocks <- row_blocks(d, 30)
  arguments <- "multikernel_argument_error"
  expect_error(mkl(y ~ a, blocks), "need `approximate`", class = arguments)
  expect_error(fit_quickly(y ~ a, blocks, learner = learner_komd()), "learner_glmkl",
               class = arguments)
  expect_error(fit_quickly(y ~ a, blocks, learner = learner_lda()), "learner_svm",
               class = arguments)
  expect_error(fit_quickly(y ~ a, blocks, probability = TRUE), "probability", class = arguments)
  expect_error(fit_quickly(~ a, blocks), "need a response", class = "multikernel_formula_error")
  expect_error(fit_quickly(y ~ a, blocks, weights = 1:3), "weights", class = arguments)
  expect_error(fit_quickly(y ~ a + b, blocks, weights = "b"), "also a predictor", class = arguments)
  expect_error(fit_quickly(y ~ a, blocks, weights = "w"), "`w`", class = "multikernel_data_error")
  expect_error(
    mkl(y ~ a, blocks, learner = learner_svm(), approximate = nystrom(101)), "at most.*100",
    class = arguments
  )
  data_error(cv_mkl(y ~ a, blocks), "named methods only")
  fit <- fit_quickly(y ~ a, blocks)
  expect_error(fitted(fit), class = "multikernel_error")
  expect_error(row_blocks(1:3), "names of files", class = "multikernel_data_error")
  expect_error(row_blocks(function(i) d), "count", class = arguments)
  expect_error(row_blocks(d, rows = 0), "rows", class = arguments)
})

test_that("terms and responses that depend on other rows are errors", {
  set.seed(1)
  d <- data.frame(a = abs(rnorm(200)) + 0.1, b = rnorm(200))
  d$z <- d$a + d$b
  d$y <- factor(d$b > 0)
  blocks <- row_blocks(d, rows = 50)
  for (formula in list(
    rank(z) ~ a + b, factor(z > median(z)) ~ a, scale(z) ~ b, y ~ cumsum(a) + b,
    y ~ I(seq_along(a)) + b, y ~ I(a / max(a)) + b, y ~ I(a > median(a)) + b
  )) {
    expect_error(fit_quickly(formula, blocks), "depends on other rows",
                 class = "multikernel_formula_error")
  }
  expect_s3_class(fit_quickly(factor(z > 1) ~ log(a) + I(b^2), blocks), "mkl")
})

csv_of <- function(d, folder, ...) {
  file <- tempfile(tmpdir = folder, fileext = ".csv")
  write.csv(d, file, ...)
  file
}

test_that("no row of a csv file is lost or made", {
  folder <- withr::local_tempdir()
  d <- simple(60)
  d$name <- sprintf("item %d", 1:60)
  d$name[c(5, 45)] <- c("5\" pipe", "6\" pipe")
  bare <- csv_of(d, folder, quote = FALSE, row.names = FALSE)
  expect_identical(nobs(fit_quickly(y ~ a + b, row_blocks(bare, quote = ""))), 60L)
  single <- csv_of(transform(d, name = "5\" pipe"), folder, quote = FALSE, row.names = FALSE)
  lines <- readLines(single)
  lines[-(1:20)] <- gsub("\"", "", lines[-(1:20)], fixed = TRUE)
  writeLines(lines[-(3:20)], single)
  expect_error(suppressWarnings(row_blocks(single)), "ends within quotes")
  lines <- readLines(csv_of(simple(60), folder, quote = FALSE, row.names = FALSE))
  lines[20] <- paste0(lines[20], ",0.5,1,p,yes")
  writeLines(lines, single)
  data_error(fit_quickly(y ~ a + b, row_blocks(single)), "more fields")
})

test_that("quoted numbers, row names and other types of new files are read", {
  folder <- withr::local_tempdir()
  d <- transform(simple(60), k = rep(1:5, 12))
  fit <- fit_quickly(y ~ a + k, row_blocks(csv_of(d, folder)))
  quoted <- as.data.frame(lapply(d, as.character))
  again <- fit_quickly(y ~ a + k, row_blocks(csv_of(quoted, folder, row.names = FALSE)))
  expect_identical(nobs(again), nobs(fit))
  new <- data.frame(a = c(1, -1), k = c(2.5, 1))
  named <- row_blocks(csv_of(new, folder, row.names = FALSE))
  expect_equal(as.vector(predict(fit, named, type = "decision")),
               as.vector(predict(fit, new, type = "decision")))
  d$g <- rep(c("u", "", "v", ""), each = 15)
  blank <- row_blocks(csv_of(d, folder, row.names = FALSE), rows = 15)
  expect_identical(nobs(fit_quickly(y ~ a, blank)), 60L)
})

test_that("arguments of read.csv() that do not suit parts of a file are errors", {
  folder <- withr::local_tempdir()
  file <- csv_of(simple(20), folder, row.names = FALSE)
  for (argument in list(list(spe = ";"), list(header = TRUE), list(skip = 1), list(nrows = 3))) {
    expect_error(do.call(row_blocks, c(list(file), argument)), names(argument),
                 class = "multikernel_argument_error")
  }
  other <- sub("csv$", "parquet", file)
  file.copy(file, other)
  data_error(row_blocks(c(file, other)), "same format")
  writeBin(as.raw(c(0x53, 0x51, 0, 1)), other)
  data_error(row_blocks(other, format = "csv"), "not a text file")
})

test_that("the hinge loss converges at small costs, where all rows are errors", {
  set.seed(1)
  d <- data.frame(a = rnorm(300), b = rnorm(300) * 3)
  d$y <- factor(ifelse(d$a + rnorm(300) > 0.5, "p", "q"))
  for (cost in c(1e-6, 1e-3, 0.01)) {
    fit <- mkl(y ~ a + b, row_blocks(d, rows = 100), learner = learner_svm(cost = cost),
               approximate = nystrom(20))
    expect_true(converged(fit))
  }
})
