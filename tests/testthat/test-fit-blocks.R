# Fits to blocks of rows against fits in memory with the same landmarks.

two_classes <- function(n, seed = 1) {
  set.seed(seed)
  d <- data.frame(
    a = rnorm(n, 3, 2), b = rexp(n), c = factor(sample(c("u", "v", "w"), n, TRUE)),
    t = sample(c("left", "right"), n, TRUE)
  )
  f <- (d$a - 3)^2 / 2 + 2 * d$b + (d$c == "v") - (d$t == "left") + rnorm(n) / 2
  d$y <- factor(ifelse(f > 3, "high", "low"))
  d$z <- f
  d
}

csv_files <- function(d, parts) {
  folder <- withr::local_tempdir(.local_envir = parent.frame())
  bounds <- round(seq(0, nrow(d), length.out = parts + 1L))
  vapply(seq_len(parts), function(i) {
    file <- file.path(folder, paste0("part", i, ".csv"))
    write.csv(d[seq.int(bounds[i] + 1, bounds[i + 1]), ], file, row.names = FALSE)
    file
  }, "")
}

exact <- mkl_control(tol = 1e-7)

# The same fit in memory.
in_memory <- function(formula, d, fit, ...) {
  mkl(formula, d, ..., approximate = nystrom(landmarks = fit$blocks$landmarks))
}

expect_same_fit <- function(fit, memory, d, tolerance = 1e-5) {
  decision <- predict(fit, d, type = "decision")
  expect_equal(
    as.vector(decision), as.vector(predict(memory, d, type = "decision")), tolerance = tolerance
  )
  expect_true(all(converged(fit)))
}

test_that("a fit to csv files is that in memory", {
  d <- two_classes(700)
  blocks <- row_blocks(csv_files(d, 3), rows = 100)
  expect_length(blocks$blocks, 9L)
  learner <- learner_svm(cost = 2, loss = "squared_hinge")
  set.seed(4)
  fit <- mkl(y ~ a + b + c + t, blocks, learner = learner, approximate = nystrom(40),
             control = exact)
  expect_length(fit$blocks$landmarks, 40L)
  memory <- in_memory(y ~ a + b + c + t, d, fit, learner = learner, control = exact)
  expect_same_fit(fit, memory, d)
  expect_equal(objective(fit), objective(memory), tolerance = 1e-6)
  expect_equal(fit$frame$center, memory$frame$center, tolerance = 1e-13)
  expect_equal(fit$frame$scale, memory$frame$scale, tolerance = 1e-13)
  expect_equal(fit$approximation$error, memory$approximation$error, tolerance = 1e-8)
  expect_identical(predict(fit, blocks), unname(predict(fit, d)))
  expect_equal(nobs(fit), 700)
  expect_output(print(fit), "40 landmarks")
})

test_that("several kernels with fixed weights or means", {
  d <- two_classes(500)
  blocks <- row_blocks(d, rows = 120)
  kernels <- list(kernel_rbf(c(0.5, 2)), kernel_polynomial(2))
  set.seed(1)
  learner <- learner_average(cost = 3, loss = "squared_hinge")
  fit <- mkl(y ~ a + b + c, blocks, learner = learner, kernels = kernels,
             approximate = nystrom(30, "rpcholesky"), control = exact)
  memory <- in_memory(y ~ a + b + c, d, fit, learner = learner, kernels = kernels, control = exact)
  expect_same_fit(fit, memory, d)
  learner <- learner_svm(weights = c(1, 0, 2), loss = "squared_hinge")
  fit <- mkl(y ~ a + b + c, blocks, learner = learner, kernels = kernels,
             normalize = c("cosine", "trace"), approximate = nystrom(30), control = exact)
  memory <- in_memory(y ~ a + b + c, d, fit, learner = learner, kernels = kernels,
                      normalize = c("cosine", "trace"), control = exact)
  expect_same_fit(fit, memory, d)
})

test_that("weights of kernels are those of a fit in memory", {
  d <- two_classes(500)
  blocks <- row_blocks(d, rows = 120)
  for (learner in list(
    learner_simplemkl(cost = 1, gap = 1e-5, loss = "squared_hinge"),
    learner_glmkl(cost = 1, gap = 1e-4), learner_lpmkl(p = 2, cost = 1, gap = 1e-4)
  )) {
    set.seed(2)
    f <- y ~ rbf(a, sigma = 1) + rbf(b, sigma = 1) + linear(c) + polynomial(a, b, degree = 2)
    fit <- mkl(f, blocks, learner = learner, approximate = nystrom(30))
    memory <- in_memory(f, d, fit, learner = learner)
    expect_true(converged(fit))
    expect_equal(kernel_weights(fit), kernel_weights(memory), tolerance = 0.02)
    expect_equal(objective(fit), objective(memory), tolerance = 1e-3)
    expect_lte(fit$models[[1]]$report$gap, learner$parameters$gap)
  }
})

test_that("the hinge and the epsilon-insensitive loss", {
  d <- two_classes(400)
  blocks <- row_blocks(d, rows = 90)
  set.seed(3)
  fit <- mkl(y ~ a + b, blocks, learner = learner_svm(cost = 1), approximate = nystrom(25))
  memory <- in_memory(y ~ a + b, d, fit, learner = learner_svm(cost = 1), control = exact)
  expect_same_fit(fit, memory, d, 5e-2)
  expect_equal(objective(fit), objective(memory), tolerance = 2e-4)
  fit <- mkl(z ~ a + b + c, blocks, learner = learner_svm(cost = 1), approximate = nystrom(25))
  memory <- in_memory(z ~ a + b + c, d, fit, learner = learner_svm(cost = 1), control = exact)
  expect_same_fit(fit, memory, d, 2e-2)
  expect_equal(objective(fit), objective(memory), tolerance = 2e-4)
  expect_equal(fit$response_scaling, memory$response_scaling, tolerance = 1e-12)
})

test_that("the squared loss takes two passes over the rows after the first", {
  skip_if_not("squared" %in% eval(formals(learner_svm)$loss), "learner_svm() has no squared loss")
  d <- two_classes(400)
  blocks <- row_blocks(d, rows = 90)
  learner <- learner_svm(cost = 2, loss = "squared")
  for (f in list(y ~ a + b + c, z ~ a + b + c)) {
    fit <- mkl(f, blocks, learner = learner, approximate = nystrom(25), control = exact)
    expect_same_fit(fit, in_memory(f, d, fit, learner = learner, control = exact), d)
    expect_lte(fit$blocks$passes, 2L)
  }
})

test_that("several classes, weights of rows and classes", {
  data <- transform(iris, w = seq(0.2, 2, length.out = 150))[c(1:150, 1:20), ]
  rownames(data) <- NULL
  blocks <- row_blocks(data, rows = 40) # classes appear one after the other
  learner <- learner_svm(cost = 2, loss = "squared_hinge")
  for (multiclass in c("one_vs_one", "one_vs_rest")) for (classes in list(
    NULL, "balanced", c(setosa = 2, virginica = 0.5)
  )) {
    fit <- mkl(Species ~ . - w, blocks, learner = learner, multiclass = multiclass, weights = "w",
               class_weights = classes, approximate = nystrom(20), control = exact)
    memory <- in_memory(Species ~ . - w, data, fit, learner = learner, multiclass = multiclass,
                        weights = data$w, class_weights = classes, control = exact)
    expect_same_fit(fit, memory, data)
    expect_identical(predict(fit, data), predict(memory, data))
  }
  set.seed(1)
  a <- mkl(Species ~ . - w, blocks, learner = learner, weights = data$w, approximate = nystrom(20))
  set.seed(1)
  b <- mkl(Species ~ . - w, blocks, learner = learner, weights = "w", approximate = nystrom(20))
  expect_identical(a$models[[1]]$state, b$models[[1]]$state)
})

test_that("random features are those of a fit in memory", {
  d <- two_classes(300)
  learner <- learner_svm(loss = "squared_hinge")
  set.seed(9)
  fit <- mkl(y ~ a + b, row_blocks(d, 70), learner = learner, kernels = kernel_rbf(c(1, 2)),
             approximate = random_features(30), control = exact, normalize = "none") |>
    try(silent = TRUE)
  # several kernels need weights
  expect_s3_class(fit, "try-error")
  set.seed(9)
  fit <- mkl(y ~ a + b, row_blocks(d, 70), learner = learner, approximate = random_features(30),
             control = exact)
  set.seed(9)
  memory <- mkl(y ~ a + b, d, learner = learner, approximate = random_features(30),
                control = exact)
  expect_same_fit(fit, memory, d)
  expect_length(support(fit), 0L)
})

test_that("missing values are left out in the same way", {
  d <- two_classes(300)
  d$a[c(2, 77)] <- NA
  d$c[130] <- NA
  d$y[c(3, 299)] <- NA
  blocks <- row_blocks(csv_files(d, 2), rows = 60)
  learner <- learner_svm(loss = "squared_hinge")
  fit <- mkl(y ~ a + b + c, blocks, learner = learner, approximate = nystrom(25), control = exact)
  memory <- in_memory(y ~ a + b + c, d, fit, learner = learner, control = exact)
  expect_same_fit(fit, memory, d)
  expect_equal(nobs(fit), nobs(memory))
  expect_equal(fit$kept, which(memory$rows %in% fit$blocks$landmarks))
  expect_equal(sum(is.na(predict(fit, blocks))), 3L)
  expect_error(
    mkl(y ~ a + b + c, blocks, learner = learner, approximate = nystrom(25), na.action = na.fail),
    "rows 1 to 60.*missing", class = "multikernel_data_error"
  )
})

test_that("landmarks of the user's own and samples do not depend on blocks", {
  d <- two_classes(300)
  learner <- learner_svm(loss = "squared_hinge")
  own <- c(5, 200, 17, 290)
  fit <- mkl(y ~ a + b, row_blocks(d, 70), learner = learner, control = exact,
             approximate = nystrom(landmarks = own))
  expect_identical(fit$blocks$landmarks, as.integer(sort(own)))
  expect_same_fit(fit, in_memory(y ~ a + b, d, fit, learner = learner, control = exact), d)
  rows <- lapply(c(40, 300), function(size) {
    set.seed(1)
    fit <- mkl(y ~ a + b, row_blocks(d, size), learner = learner, approximate = nystrom(20))
    fit$blocks$landmarks
  })
  expect_identical(rows[[1]], rows[[2]])
})

test_that("formulas with terms that are computed", {
  d <- two_classes(300)
  threshold <- 2
  blocks <- row_blocks(d, rows = 80)
  learner <- learner_svm(loss = "squared_hinge")
  f <- y ~ log(b) + I(a > threshold) + a:c + factor(round(a))
  fit <- mkl(f, blocks, learner = learner, approximate = nystrom(30), control = exact)
  expect_same_fit(fit, in_memory(f, d, fit, learner = learner, control = exact), d)
  for (f in list(y ~ scale(a), y ~ poly(a, 2), y ~ I(a - mean(a)))) {
    expect_error(
      mkl(f, blocks, learner = learner, approximate = nystrom(30)), "depends on other rows",
      class = "multikernel_formula_error"
    )
  }
})

test_that("parquet files", {
  skip_if_not_installed("nanoparquet")
  d <- two_classes(300)
  folder <- withr::local_tempdir()
  files <- file.path(folder, c("a.parquet", "b.parquet"))
  nanoparquet::write_parquet(d[1:180, ], files[1])
  nanoparquet::write_parquet(d[181:300, ], files[2])
  learner <- learner_svm(loss = "squared_hinge")
  fit <- mkl(y ~ a + b + c + t, row_blocks(files), learner = learner, approximate = nystrom(30),
             control = exact)
  expect_same_fit(fit, in_memory(y ~ a + b + c + t, d, fit, learner = learner, control = exact), d)
  writeLines("no parquet", files[2])
  expect_error(row_blocks(files), "b.parquet.*cannot be read", class = "multikernel_data_error")
})

test_that("tables of databases", {
  skip_if_not_installed("RSQLite")
  d <- two_classes(300)
  d$y <- as.character(d$y)
  d$c <- as.character(d$c)
  d$id <- sample(1000, 300)
  file <- withr::local_tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), file)
  DBI::dbWriteTable(con, "points", d)
  open <- local({
    path <- file
    function() DBI::dbConnect(RSQLite::SQLite(), path)
  })
  learner <- learner_svm(loss = "squared_hinge")
  blocks <- row_blocks(con = open, table = "points", rows = 90)
  expect_output(print(blocks), "4 blocks of a database, 300 rows")
  fit <- mkl(y ~ a + b + c, blocks, learner = learner, approximate = nystrom(30), control = exact)
  expect_same_fit(fit, in_memory(y ~ a + b + c, d, fit, learner = learner, control = exact), d)
  by_key <- row_blocks(
    con = open, query = "SELECT * FROM points WHERE a > 2", key = "id", rows = 50
  )
  some <- d[d$a > 2, ]
  some <- some[order(some$id), ]
  fit <- mkl(y ~ a + b + c, by_key, learner = learner, approximate = nystrom(30), control = exact)
  expect_same_fit(fit, in_memory(y ~ a + b + c, some, fit, learner = learner, control = exact), d)
  expect_equal(predict(fit, by_key, type = "decision"),
               unname(predict(fit, some, type = "decision")))
  # rows that are added or changed between passes
  DBI::dbExecute(con, "UPDATE points SET b = b + 1 WHERE id = (SELECT MAX(id) FROM points)")
  DBI::dbDisconnect(con)
  expect_error(
    row_blocks(con = open, table = "nothing"), "nothing.*cannot be read",
    class = "multikernel_data_error"
  )
  expect_error(row_blocks(con = open), "`table` or `query`", class = "multikernel_argument_error")
  expect_error(row_blocks(table = "points"), "needs `con`", class = "multikernel_argument_error")
})
