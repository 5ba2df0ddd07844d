test_that("predictions of butchered fits are the same, and fits are smaller", {
  skip_if_not_installed("butcher")
  data <- three_class()
  two <- two_class()
  number <- numbers()
  fits <- list(
    mkl(Species ~ ., data, probability = TRUE),
    mkl(Species ~ ., data, learner = learner_lda()),
    easymkl(class ~ ., two$data), lmkl(class ~ ., two$data, tolerance = 0.05, restarts = 1),
    mkboost(class ~ ., two$data, trials = 5), lb_svm(class ~ ., two$data),
    multik_mhks(class ~ ., two$data), svm2k(class ~ rbf(v1, sigma = 1) + linear(.), two$data),
    mkl(number$x, number$y), mkl(class ~ log(v1 + 9) + v2, two$data)
  )
  news <- c(
    rep(list(data[1:9, ]), 2), rep(list(two$data[1:9, ]), 6), list(number$x[1:9, ]),
    list(two$data[1:9, ])
  )
  for (i in seq_along(fits)) {
    small <- butcher::butcher(fits[[i]])
    for (type in c("decision", if (i == 1) "prob")) {
      expect_identical(
        predict(small, news[[i]], type = type), predict(fits[[i]], news[[i]], type = type)
      )
    }
    expect_lt(length(serialize(small, NULL)), length(serialize(fits[[i]], NULL)))
    expect_s3_class(small, paste0("butchered_mkl_", fits[[i]]$learner$name))
    expect_output(print(small), "Data:")
  }
})

test_that("a butchered fit can be saved and read, and says what it lacks", {
  skip_if_not_installed("butcher")
  d <- two_class()
  small <- butcher::butcher(mkl(class ~ ., d$data))
  file <- tempfile()
  saveRDS(small, file)
  expect_identical(predict(readRDS(file), d$data), predict(small, d$data))
  expect_setequal(attr(small, "butcher_disabled"), c("update()", "fitted()", "residuals()"))
  expect_snapshot(error = TRUE, {
    fitted(small)
    predict(small)
    update(small, normalize = "none")
  })
  expect_length(objective_path(small), 0L)
})

test_that("the fit within a model of parsnip is made smaller too", {
  skip_if_not_installed("butcher")
  skip_if_not_installed("parsnip", "1.0.0")
  d <- two_class()
  spec <- parsnip::set_engine(
    multi_kernel("classification", learner = "svm"), "multikernel", probability = FALSE
  )
  fit <- parsnip::fit(spec, class ~ ., d$data)
  small <- butcher::butcher(fit)
  expect_null(small$fit$decision)
  expect_identical(predict(small, d$data), predict(fit, d$data))
})

test_that("each axe takes its own part", {
  skip_if_not_installed("butcher")
  d <- two_class()
  fit <- simplemkl(class ~ ., d$data)
  expect_identical(butcher::axe_call(fit)$call, call("dummy_call"))
  expect_length(objective_path(butcher::axe_ctrl(fit)), 0L)
  expect_null(butcher::axe_fitted(fit)$decision)
  less <- butcher::axe_data(fit)
  expect_null(less$y)
  expect_null(names(support(less)))
  expect_identical(predict(less, d$data), predict(fit, d$data))
  expect_mkl_error(residuals(less), "was removed", "object")
  expect_message(butcher::axe_fitted(fit, verbose = TRUE), "Memory released: .*fitted")
  expect_identical(class(butcher::axe_call(butcher::axe_fitted(fit)))[1:2],
                   c("butchered_mkl_simplemkl", "mkl_simplemkl"))
})

test_that("kernel functions keep what they use of where they were made, and no more", {
  make <- function(degree, evasive = FALSE) {
    waste <- rnorm(1e4)
    power <- function(x) x^degree
    if (evasive) return(function(x, z, d = degree) get("power")(tcrossprod(x, z)))
    function(x, z, d = degree + 0) power(tcrossprod(x, z))^(d / degree)
  }
  f <- make(2)
  trimmed <- trim_function(f)
  expect_setequal(ls(environment(trimmed)), c("power", "degree"))
  x <- two_class()$x
  expect_identical(trimmed(x, x), f(x, x))
  evasive <- make(2, evasive = TRUE)
  expect_identical(trim_function(evasive), evasive)
  expect_identical(trim_function(stats::sd), stats::sd)
  # named by a string, or called by an assignment
  quiet <- (function() {
    waste <- rnorm(1e4)
    twice <- function(v) 2 * v
    `corner<-` <- function(a, value) {
      a[1L, ] <- value
      a
    }
    function(a, b) {
      a <- a[, seq_len(ncol(a))]
      corner(a) <- 1
      matrix(vapply(tcrossprod(a, b), "twice", 0), nrow(a))
    }
  })()
  trimmed <- trim_function(quiet)
  expect_setequal(ls(environment(trimmed)), c("twice", "corner<-"))
  expect_identical(trimmed(x, x), quiet(x, x))
  skip_if_not_installed("butcher")
  d <- two_class()
  fit <- mkl(d$x, d$y, kernels = kernel_product(kernel_function(make(2)), kernel_rbf(1)))
  small <- butcher::axe_env(fit)
  expect_identical(predict(small, d$x, type = "decision"), predict(fit, d$x, type = "decision"))
})
