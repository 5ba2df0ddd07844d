d <- three_views()
absent <- some_absent()
v <- make_views(d, absent)
present <- attr(v, "present")
parts <- list(rna = d$rna / 10, table = d$table[c("age", "flag")] / 10, words = d$words / 3)
for (name in names(parts)) parts[[name]][absent[[name]], ] <- NA
holes <- do.call(views, parts)

# K_m * a_m a_m' and s s', written out.
masked <- function(kernels, present) {
  share <- sqrt(ncol(present) / rowSums(present))
  out <- lapply(colnames(present), function(view) {
    a <- present[, view] * share
    kernels[[view]] * outer(a, a)
  })
  stats::setNames(out, colnames(present))
}

plain_parts <- lapply(parts, function(x) {
  x <- as.matrix(x)
  x[is.na(x)] <- 0
  unname(x)
})
explicit <- masked(list(
  rna = gauss(plain_parts$rna, plain_parts$rna, 1), table = tcrossprod(plain_parts$table),
  words = (tcrossprod(plain_parts$words) + 1)^2
), present)
kernels <- list(
  rna = kernel_rbf(1), table = kernel_linear(), words = kernel_polynomial(
    degree = 2, scale = 1, offset = 1
  )
)

test_that("an absent view contributes nothing, and the others weigh more: the explicit matrices", {
  found <- kernel_matrix(kernels, holes)
  for (view in names(explicit)) expect_equal(
    unname(found[[view]]), explicit[[view]], tolerance = 1e-12
  )
  for (K in found) expect_gt(min(eigen(K, TRUE, TRUE)$values), -1e-10 * max(K))
})

test_that("kernels of positive values, and functions, see no absent view", {
  shares <- abs(d$rna)
  shares[absent$rna, ] <- NA
  two <- views(shares = shares, table = d$table)
  logs <- log(shares)
  logs <- logs - rowMeans(logs)
  strict <- function(x, z) {
    stopifnot(all(x > 0), all(z > 0))
    x <- log(x) - rowMeans(log(x))
    z <- log(z) - rowMeans(log(z))
    tcrossprod(x, z)
  }
  has <- !seq_len(60) %in% absent$rna
  for (kernel in list(kernel_aitchison(), kernel_function(strict))) {
    found <- kernel_matrix(list(shares = kernel, table = kernel_clinical()), two)[[1L]]
    share <- ifelse(has, 1, 0) # these have both views, others none of this one
    logs[!has, ] <- 0
    expect_equal(unname(found), unname(tcrossprod(logs) * outer(share, share)), tolerance = 1e-12)
    for (missing in c("available", "impute")) {
      fit <- mkl(
        two, d$y, learner = "average", kernels = list(shares = kernel, table = kernel_clinical()),
        normalize = "cosine", missing = missing
      )
      expect_identical(predict(fit, two), fitted(fit))
      expect_length(predict(fit, views(table = d$table[1:2, ])), 2L)
    }
  }
})

test_that("fits equal those to the masked matrices", {
  given <- function(used, rows) { # as in the test before, to the last bit
    found <- kernel_matrix(kernels[used], holes[rows, ])
    if (length(used) == 1L) stats::setNames(list(found), used) else found
  }
  stems <- c("average", "simplemkl", "easymkl", "lpmkl", "silpmkl", "cka", "komd")
  for (stem in stems) {
    learner <- get(paste0("learner_", stem))()
    used <- if (uses_one_kernel(learner)) "rna" else names(kernels)
    rows <- which(rowSums(present[, used, drop = FALSE]) > 0)
    matrices <- given(used, rows)
    set.seed(1)
    a <- mkl(
      holes[rows, ], d$y[rows], learner = learner, kernels = kernels[used], normalize = "none",
      scale = FALSE
    )
    set.seed(1)
    b <- mkl(matrices, d$y[rows], learner = learner, normalize = "none")
    expect_equal(unname(coef(a)), unname(coef(b)), tolerance = 1e-10, label = stem)
    expect_equal(
      unname(predict(a, type = "decision")), unname(predict(b, type = "decision")),
      tolerance = 1e-10, label = stem
    )
    expect_equal(
      unname(predict(a, holes[rows[5:20], ], type = "decision")),
      unname(predict(b, lapply(matrices, function(K) K[5:20, ]), type = "decision")),
      tolerance = 1e-10,
      label = stem
    )
  }
  rows <- which(present[, "words"])
  a <- mkl(
    holes[rows, ], d$y[rows], learner = learner_svm(), kernels = kernels["words"],
    normalize = "none", scale = FALSE
  )
  b <- mkl(given("words", rows), d$y[rows], learner = learner_svm())
  expect_equal(unname(fitted(a)), unname(fitted(b)))
  expect_equal(
    unname(predict(a, type = "decision")), unname(predict(b, type = "decision")), tolerance = 1e-10
  )
})

test_that("normalizers are those of the cases that have the view", {
  found <- kernel_matrix(kernels, holes, normalize = "trace")$words
  K <- (tcrossprod(plain_parts$words) + 1)^2
  has <- present[, "words"]
  expect_equal(unname(found), masked(list(
    rna = K, table = K, words = K / mean(diag(K)[has])
  ), present)$words, tolerance = 1e-12)
  centered <- kernel_matrix(kernels, holes, normalize = "center")$words
  H <- diag(sum(has)) - 1 / sum(has)
  inner <- matrix(0, nrow(K), nrow(K))
  inner[has, has] <- H %*% K[has, has] %*% H
  expect_equal(
    unname(centered), masked(list(rna = K, table = K, words = inner), present)$words,
    tolerance = 1e-10
  )
})

test_that("means and deviations are those of the training cases that have the view", {
  fit <- mkl(v, d$y, learner = "average")
  has <- present[, "rna"]
  expect_equal(fit$frame$center$rna, unname(colMeans(d$rna[has, ])))
  expect_equal(fit$frame$scale$rna, unname(apply(d$rna[has, ], 2, sd)))
})

test_that("what lies under an absent view never matters", {
  fit <- mkl(v, d$y, learner = "simplemkl")
  far <- d
  for (view in c("rna", "words")) far[[view]][absent[[view]], ] <- NA
  far$table[absent$table, ] <- NA
  again <- mkl(make_views(far, absent), d$y, learner = "simplemkl")
  expect_identical(coef(again), coef(fit))
})

test_that("single missing values become medians and usual levels of the training cases", {
  few <- d
  few$rna[c(3, 8), 2] <- NA
  few$table$stage[4] <- NA
  few$table$flag[9] <- NA
  fit <- mkl(make_views(few), d$y, learner = "average")
  full <- few
  full$rna[c(3, 8), 2] <- median(few$rna[, 2], na.rm = TRUE)
  full$table$stage[4] <- names(which.max(table(few$table$stage)))
  full$table$flag[9] <- sort(few$table$flag)[30]
  scaled <- lapply(full[c("rna", "words")], function(x) x)
  same <- mkl(make_views(full), d$y, learner = "average")
  expect_equal(predict(fit, type = "decision"), predict(same, type = "decision"), tolerance = 1e-10)
  expect_identical(
    predict(fit, make_views(few), type = "decision")[3],
    predict(fit, make_views(full), type = "decision")[3]
  )
  expect_message(
    omit <- mkl(make_views(few), d$y, learner = "average", missing = "omit"),
    "4 of 60 cases are left out",
    class = "multikernel_lost_cases"
  )
  expect_identical(nobs(omit), 56L)
  expect_identical(unname(which(is.na(predict(omit, make_views(few))))), c(3L, 4L, 8L, 9L))
})

test_that("imputed views are the means of the nearest cases that have them", {
  numbers <- views(a = d$rna, b = replace(d$words, cbind(rep(7, 6), 1:6), NA))
  fit <- mkl(
    numbers, d$y, learner = "svm", missing = "impute", kernels = list(b = kernel_linear()),
    scale = FALSE
  )
  a <- d$rna
  spread <- sqrt(sum(apply(a, 2, var)))
  near <- order(-gauss(a[7, , drop = FALSE], a, spread)[1, ])
  near <- head(setdiff(near, 7), 5)
  imputed <- d$words
  imputed[7, ] <- colMeans(d$words[near, ])
  same <- mkl(views(b = imputed), d$y, learner = "svm", kernels = kernel_linear(), scale = FALSE)
  expect_equal(
    unname(predict(fit, type = "decision")), unname(predict(same, type = "decision")),
    tolerance = 1e-8
  )
})

test_that("a new case may lack a view that all training cases have", {
  whole <- make_views(d)
  fit <- mkl(whole, d$y, learner = "average", missing = "impute")
  part <- predict(fit, whole[1:6, c("rna", "table")], type = "decision")
  expect_false(anyNA(part))
  expect_gt(cor(part, predict(fit, whole[1:6, ], type = "decision")), 0.8)
})

test_that("sparse views and tables are imputed too", {
  skip_if_not_installed("Matrix")
  rows <- rownames(d$rna)
  sparse <- views(
    rna = d$rna, table = d$table[1:50, ], words = Matrix::Matrix(d$words[11:60, ], sparse = TRUE)
  )
  dense <- views(
    rna = d$rna, table = d$table[1:50, ], words = d$words[11:60, ], scale = c(words = FALSE)
  )
  expect_identical(rownames(sparse), rows)
  a <- mkl(sparse, d$y, learner = "average")
  b <- mkl(dense, d$y, learner = "average")
  expect_equal(
    predict(a, sparse, type = "decision"), predict(b, dense, type = "decision"), tolerance = 1e-10
  )
  imputed <- mkl(sparse, d$y, learner = "average", missing = "impute")
  expect_false(anyNA(predict(imputed, sparse[55:60, ])))
})

test_that("a view that no training case has is an error", {
  empty <- make_views(d, list(words = 1:60))
  expect_mkl_error(
    mkl(empty, d$y, learner = "average"), "No training case has the view `words`", "words"
  )
})

test_that("resampling estimates scaling, fills and imputed views from the training part alone", {
  set.seed(3)
  fold <- rep(1:3, 20)
  messy <- make_views(d, absent)
  for (missing in c("available", "impute")) {
    cv <- cv_mkl(
      messy, d$number, learner = "average", folds = fold, missing = missing, metrics = "rmse"
    )
    manual <- vapply(1:3, function(k) {
      fit <- mkl(messy[fold != k, ], d$number[fold != k], learner = "average", missing = missing)
      sqrt(mean((predict(fit, messy[fold == k, ]) - d$number[fold == k])^2))
    }, 0)
    expect_equal(cv$results$rmse, manual, tolerance = 1e-8, label = missing)
  }
  # Other values in the test part change nothing about the fit to the training part.
  other <- d
  other$rna[fold == 1, ] <- other$rna[fold == 1, ] * 100
  split <- list(train = which(fold != 1), test = which(fold == 1))
  fits <- lapply(list(d, other), function(data) {
    frame <- as_frame(make_views(data, absent), data$number)
    learner <- learner_average()
    prepared <- prepare_fit(frame, learner, new_settings(list(missing = "impute")), split$train)
    fit_prepared(prepared, list(learner))[[1L]]
  })
  expect_identical(fits[[1]]$models[[1]]$state, fits[[2]]$models[[1]]$state)
  expect_identical(fits[[1]]$frame$center, fits[[2]]$frame$center)
})

test_that("the cases that resampling leaves out are counted once", {
  counted <- 0
  withCallingHandlers(
    cv_mkl(v, d$y, learner = "average", folds = rep(1:3, 20), missing = "omit"),
    multikernel_lost_cases = function(m) {
      counted <<- counted + 1
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(counted, 1)
})

test_that("views that no kernel sees change nothing", {
  two <- kernels[c("rna", "words")]
  alone <- holes[, c("rna", "words")]
  has <- rowSums(attr(alone, "present")) > 0
  alone <- alone[has, ]
  all <- holes[has, ]
  expect_identical(kernel_matrix(two, all), kernel_matrix(two, alone))
  expect_mkl_error(kernel_matrix(two["rna"], all), "case \"case5\"", "x")
  for (missing in c("available", "omit")) {
    fit <- suppressMessages(
      mkl(all, d$y[has], learner = "simplemkl", kernels = two, missing = missing)
    )
    same <- suppressMessages(
      mkl(alone, d$y[has], learner = "simplemkl", kernels = two, missing = missing)
    )
    expect_identical(coef(fit), coef(same), label = missing)
    expect_identical(
      predict(fit, all, type = "decision"), predict(same, alone, type = "decision"),
      label = missing
    )
    expect_output(print(fit), "2 views [(]rna, words[)]")
  }
  fit <- mkl(all, d$y[has], learner = "average", kernels = two)
  expect_mkl_error(predict(fit, all[, "table"]), "none of the views of the fit", "newdata")
  fold <- rep(1:3, length.out = sum(has))
  expect_identical(
    cv_mkl(all, d$y[has], learner = "average", kernels = two, folds = fold)$results$accuracy,
    cv_mkl(alone, d$y[has], learner = "average", kernels = two, folds = fold)$results$accuracy
  )
  lone <- holes
  lone$rna[1, ] <- NA
  lone$words[1, ] <- NA
  expect_mkl_error(
    mkl(lone, d$y, learner = "average", kernels = two),
    "2 cases without any of the views `rna`, `words`", "x"
  )
})

test_that("a case that shares no view with those that have another gets no arbitrary one", {
  text <- stats::setNames(rep(c("acgt", "ggca", "ttac"), 20), rownames(d$rna))
  apart <- views(a = d$rna[1:30, ], b = d$words[31:60, ], text = text[31:60])
  fit <- mkl(
    apart, d$y, learner = "average", missing = "impute", kernels = list(
      a = kernel_linear(), b = kernel_linear(), text = kernel_spectrum(2)
    ), normalize = "none", scale = FALSE
  )
  a <- rbind(d$rna[1:30, ], matrix(colMeans(d$rna[1:30, ]), 30, 4, byrow = TRUE))
  b <- rbind(matrix(colMeans(d$words[31:60, ]), 30, 6, byrow = TRUE), d$words[31:60, ])
  has <- rep(0:1, each = 30)
  share <- sqrt(ifelse(has == 1, 1, 3 / 2))
  same <- mkl(lapply(list(
    a = tcrossprod(a), b = tcrossprod(b),
    text = outer(has, has) * kernel_matrix(kernel_spectrum(2), text)
  ), function(K) unname(K) * outer(share, share)), d$y, learner = "average", normalize = "none")
  expect_equal(
    unname(predict(fit, type = "decision")), unname(predict(same, type = "decision")),
    tolerance = 1e-8
  )
})
