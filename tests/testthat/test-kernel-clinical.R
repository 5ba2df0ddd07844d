# Daemen & De Moor (2009), variable by variable; `train` gives the ranges.
clinical <- function(train) {
  ranges <- lapply(train, function(v) {
    if (is.ordered(v)) v <- as.integer(v)
    if (is.numeric(v) || is.logical(v)) diff(range(v))
  })
  function(a, b) {
    mean(vapply(names(train), function(v) {
      x <- a[[v]]
      z <- b[[v]]
      if (is.null(ranges[[v]]) || ranges[[v]] == 0) {
        return(as.double(as.character(x) == as.character(z)))
      }
      max(0, (ranges[[v]] - abs(as.double(x) - as.double(z))) / ranges[[v]])
    }, 0))
  }
}

patients <- function(n, seed) {
  with_seed(seed, data.frame(
    age = round(rnorm(n, 60, 12)), size = rexp(n) * 1e4,
    grade = factor(
      sample(c("low", "mid", "high"), n, TRUE), c("low", "mid", "high"), ordered = TRUE
    ),
    site = factor(sample(c("left", "right", "both"), n, TRUE)),
    smoker = sample(c(TRUE, FALSE), n, TRUE), city = sample(c("A", "B"), n, TRUE)
  ))
}

test_that("kernel_clinical() is its definition, for new rows outside of the range too", {
  x <- patients(50, 1)
  z <- patients(9, 2)
  z$age[1:2] <- c(300, 100)
  expect_definition(kernel_clinical(), clinical(x), x, z)
  for (v in names(x)) {
    expect_equal(kernel_matrix(kernel_clinical(on = v), x, z),
                 kernel_by_pairs(clinical(x[v]), z, x), tolerance = 1e-12)
  }
  expect_identical(diag(kernel_matrix(kernel_clinical(), x)), rep(1, 50))
})

test_that("constant columns, one level, one row and unknown levels", {
  x <- patients(30, 1)
  x$age <- 7
  x$site <- factor("left")
  x$grade <- factor("mid", c("low", "mid", "high"), ordered = TRUE)
  z <- patients(5, 2)
  z$age[1] <- 7
  expect_equal(kernel_matrix(kernel_clinical(), x), kernel_by_pairs(clinical(x), x),
               tolerance = 1e-12)
  expect_equal(kernel_matrix(kernel_clinical(), x, z), kernel_by_pairs(clinical(x), z, x),
               tolerance = 1e-12)
  expect_identical(kernel_matrix(kernel_clinical(), x[1, ]), matrix(1))
  z$city[2] <- "Z"
  for (normalize in c("none", "cosine")) {
    k <- kernel_matrix(kernel_clinical(normalize = normalize), x["city"], z["city"])
    expect_equal(k[2, ], rep(0, 30))
  }
})

test_that("levels that no training row has keep their rank", {
  levels <- c("0", "I", "II", "III", "IV")
  x <- data.frame(stage = factor(c("I", "II", "III"), levels, ordered = TRUE))
  z <- data.frame(stage = factor(c("0", "IV"), levels, ordered = TRUE))
  expect_equal(kernel_matrix(kernel_clinical(), x, z), rbind(c(0.5, 0, 0), c(0, 0, 0.5)))
})

test_that("the kernel does not depend on standardization and keeps ranges in the fit", {
  x <- patients(60, 1)
  z <- patients(9, 2)
  y <- factor(x$age > 60)
  exact <- mkl_control(tol = 1e-9)
  fit <- mkl(x, y, kernels = kernel_clinical(), control = exact)
  raw <- mkl(x, y, kernels = kernel_clinical(), scale = FALSE, control = exact)
  expect_equal(predict(fit, z, type = "decision"), predict(raw, z, type = "decision"),
               tolerance = 1e-6)
  # one new row alone: the ranges are those of the fit
  expect_equal(unname(predict(fit, z[3, ], type = "decision")),
               unname(predict(fit, z, type = "decision")[3]), tolerance = 1e-12)
  k <- kernel_matrix(kernel_clinical(), x)
  expect_equal(unname(fit$decision), unname(mkl(list(K = k), y, control = exact)$decision),
               tolerance = 1e-6)
  expect_no_message(mkl(x, y, learner = "average",
                        kernels = kernel_set(kernel_clinical(), kernel_rbf(1))))
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), z), predict(fit, z))
  expect_identical(predict(fit, z[6:1]), predict(fit, z))
  part <- fit$kernels[[1]]$parameters
  expect_equal(part$kinds, c(0, 0, 2, 1, 0, 1))
})

test_that("formulas, folds, grids and products", {
  x <- patients(60, 1)
  y <- factor(x$age > 60)
  fit <- mkl(y ~ clinical(age, grade, site), data.frame(x, y = y))
  same <- mkl(x, y, kernels = kernel_clinical(on = c("site", "grade", "age")))
  expect_equal(unname(fit$decision), unname(same$decision), tolerance = 1e-6)
  logs <- mkl(y ~ clinical(log(size), grade), data.frame(x, y = y))
  changed <- transform(x, size = log(size))
  expect_equal(
    unname(logs$decision),
    unname(mkl(changed, y, kernels = kernel_clinical(on = c("size", "grade")))$decision),
    tolerance = 1e-6
  )
  cv <- with_seed(1, cv_mkl(x, y, kernels = kernel_clinical(), folds = 3))
  expect_s3_class(cv, "mkl_cv")
  k <- kernel_matrix(kernel_clinical(on = 1:2), x)
  expect_equal(kernel_matrix(kernel_clinical(on = 1:2) * kernel_clinical(on = 1:2), x), k^2,
               tolerance = 1e-12)
})

test_that("a view that is a table with categories gets the clinical kernel by default", {
  x <- patients(60, 1)
  y <- factor(x$age > 60)
  genes <- with_seed(3, matrix(rnorm(60 * 5), 60))
  omics <- views(genes = genes, clinical = x)
  for (fit in list(easymkl(omics, y), simplemkl(omics, y))) {
    families <- vapply(fit$kernels, function(item) item$family, "")
    expect_identical(families[vapply(fit$kernels, function(item) item$view, "") == "clinical"],
                     "clinical")
  }
  # a table of numbers does not
  fit <- easymkl(views(genes = genes, clinical = x[1:2]), y)
  expect_false("clinical" %in% vapply(fit$kernels, function(item) item$family, ""))
  # cases without the view
  x[1:5, ] <- NA
  fit <- easymkl(views(genes = genes, clinical = x), y)
  expect_length(predict(fit, views(genes = genes[1:3, ])), 3)
  expect_equal(fit$kernels[[length(fit$kernels)]]$parameters$ranges[1:2],
               unname(vapply(x[6:60, 1:2], function(v) diff(range(v)) / stats::sd(v), 0)))
})

test_that("missing values and bad arguments are errors that say where", {
  x <- patients(10, 1)
  x$size[4] <- NA
  expect_snapshot(error = TRUE, {
    kernel_matrix(kernel_clinical(), x)
    kernel_clinical(typo = 1)
    kernel_matrix(kernel_clinical(on = "agee"), x[-4, ])
    kernel_matrix(kernel_clinical(), c("a", "b"))
  })
})
