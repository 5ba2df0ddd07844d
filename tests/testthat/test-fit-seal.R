# Fits that have been damaged: a classed error, or the same predictions as before.

flowers <- iris[c(1:12, 51:62, 101:112), ]
two <- droplevels(flowers[13:36, ])
new <- iris[c(30, 70, 120, 130), ]

# Fits of all learners, with what is to be predicted.
sealed_fits <- function() {
  learners <- sub("^learner_", "", ls("package:multikernel", pattern = "^learner_"))
  if (!requireNamespace("class", quietly = TRUE)) learners <- setdiff(learners, "knn")
  if (!requireNamespace("MASS", quietly = TRUE)) learners <- setdiff(learners, "lda")
  fits <- lapply(stats::setNames(nm = learners), function(name) {
    suppressWarnings(suppressMessages({
      set.seed(1)
      learner <- getExportedValue("multikernel", paste0("learner_", name))()
      mkl(Species ~ ., two, learner = learner, kernels = if (name == "svm2k") {
        kernel_set(kernel_rbf(1), kernel_linear())
      })
    }))
  })
  c(fits, list(
    pairs = mkl(Species ~ ., flowers, probability = TRUE),
    rest = mkl(Species ~ ., flowers, multiclass = "one_vs_rest"),
    regression = mkl(Sepal.Length ~ Sepal.Width + Species, flowers),
    one_class = mkl(~ Sepal.Width + Sepal.Length, flowers),
    product = mkl(Species ~ rbf(Sepal.Width, sigma = 1):linear(Sepal.Length), two)
  ))
}

# Paths to all elements of a nested list, leaves and inner lists.
paths_of <- function(x, path = list()) {
  if (!is.list(x) || length(x) == 0L) return(list(path))
  below <- lapply(seq_along(x), function(i) paths_of(unclass(x)[[i]], c(path, i)))
  c(if (length(path)) list(path), do.call(c, below))
}

# The list with `change` applied to the element at a path; NULL drops it.
damage <- function(x, path, change) {
  inner <- unclass(x)
  if (length(path) == 1L) {
    inner[[path[[1L]]]] <- change(inner[[path[[1L]]]])
  } else {
    inner[[path[[1L]]]] <- damage(inner[[path[[1L]]]], path[-1L], change)
  }
  attributes(inner) <- utils::modifyList(
    as.list(attributes(x)), list(names = names(inner), dim = NULL, row.names = NULL)
  )
  inner
}

changes <- list(
  drop = function(v) NULL,
  shorten = function(v) if (is.matrix(v)) v[, -1L, drop = FALSE] else v[-1L],
  retype = function(v) if (is.character(v)) 1 else "a",
  value = function(v) if (is.numeric(v)) v + 1 else if (is.logical(v)) !v else v
)

outcome <- function(fit, newdata) {
  tryCatch(predict(fit, newdata), multikernel_error = function(e) "classed")
}

test_that("no damage to a fit of any learner changes its predictions without a word", {
  for (name in names(fits <- sealed_fits())) {
    fit <- fits[[name]]
    expected <- predict(fit, new)
    wrong <- character()
    for (path in paths_of(unclass(fit))) {
      for (change in names(changes)) {
        element <- Reduce(function(x, i) unclass(x)[[i]], path, unclass(fit))
        if (!is.atomic(element) && change != "drop") next
        if (length(element) == 0L && change %in% c("shorten", "value")) next
        out <- outcome(damage(fit, path, changes[[change]]), new)
        fine <- identical(out, "classed") || isTRUE(all.equal(out, expected))
        if (!fine) wrong <- c(wrong, paste(names(fit)[path[[1L]]], change))
      }
    }
    expect_identical(unique(wrong), character(), label = name)
  }
})

test_that("errors say what is wrong, and every function that reads a fit looks first", {
  fit <- mkl(Species ~ ., flowers)
  lost <- fit
  lost$models[[2]] <- NULL
  blind <- fit
  blind$frame$center <- NULL
  short <- fit
  short$train <- short$train[, -1]
  none <- fit
  none$kept <- NULL
  for (one in list(lost, blind, short, none)) {
    expect_mkl_error(predict(one, new), "damaged", "object", "multikernel_fit_error")
  }
  expect_snapshot(error = TRUE, predict(lost, new))
  expect_snapshot(error = TRUE, predict(none, new))
  readers <- list(
    fitted, coef, kernel_weights, support, converged, objective, duality_gap, objective_path, nobs,
    formula, update, print, summary, plot, multikernel::tidy, multikernel::glance,
    function(x) multikernel::augment(x, new)
  )
  for (reader in readers) expect_mkl_error(reader(lost), class = "multikernel_fit_error")
  set.seed(1)
  local <- suppressWarnings(lmkl(Species ~ ., two, iterations = 3))
  local$models[[1]]$state$center <- NULL
  expect_mkl_error(gating_weights(local, new), class = "multikernel_fit_error")
  boosted <- mkboost(Species ~ ., two, trials = 3)
  boosted$models[[1]]$state$alpha <- 1
  expect_mkl_error(boosting_path(boosted), class = "multikernel_fit_error")
  # plain elements of other packages and settings that a user changes do not matter
  fit$xNames <- "a"
  fit$control$threads <- 2
  expect_identical(predict(fit, new), predict(mkl(Species ~ ., flowers), new))
})

test_that("maps, correlations and grids are sealed, too", {
  map <- empirical_map(kernel_rbf(1), as.matrix(flowers[, 1:4]))
  map$projection <- map$projection[, -1]
  expect_mkl_error(predict(map, as.matrix(new[, 1:4])), class = "multikernel_fit_error")
  grid <- multik_mhks_path(as.matrix(two[, 1:4]), two$Species, c = 1, lambda = c(0.1, 1))
  expect_identical(
    predict(grid_fit(grid, 1, 1), as.matrix(new[, 1:4])),
    factor(predict(grid, as.matrix(new[, 1:4]))[, 1, 2], levels(two$Species))
  )
  grid$models[[1]][[1]]$state$bias <- NULL
  expect_mkl_error(predict(grid, as.matrix(new[, 1:4])), class = "multikernel_fit_error")
  views <- nmcca(list(as.matrix(flowers[, 1:2]), as.matrix(flowers[, 3:4])))
  views$means[[1]] <- views$means[[1]] + 1
  expect_mkl_error(
    predict(views, list(as.matrix(new[, 1:2]), as.matrix(new[, 3:4]))),
    class = "multikernel_fit_error"
  )
})

test_that("files keep a fit as it is, in every form", {
  fit <- mkl(Species ~ ., flowers, probability = TRUE)
  file <- tempfile()
  on.exit(unlink(file))
  for (ascii in c(FALSE, TRUE)) {
    saveRDS(fit, file, ascii = ascii)
    expect_equal(predict(readRDS(file), new, type = "prob"), predict(fit, new, type = "prob"))
  }
})

test_that("a fit of a later version is refused by name, one of 0.1.0 checked by its structure", {
  later <- mkl(Species ~ ., flowers)
  later$seal$version <- "99.1"
  expect_mkl_error(predict(later, new), "made by multikernel 99.1", class = "multikernel_fit_error")

  old <- readRDS(test_path("fits-0.1.0.rds"))
  rows <- list(svm = old$new, simplemkl = as.matrix(old$new[2:3, 1:4]), regression = old$new[, 2:4])
  types <- list(svm = "class", simplemkl = "decision", regression = "response")
  for (name in names(old$fits)) {
    prediction <- predict(old$fits[[name]], rows[[name]], type = types[[name]])
    expect_equal(bare(prediction), old$want[[name]])
  }
  svm <- old$fits$svm
  wounds <- expression(
    fit$models[[1]] <- NULL,
    fit$models[[2]] <- fit$models[[1]],
    fit$models[[1]]$state$coefficients <- 1,
    fit$models[[1]]$state$rows[1] <- 1000L,
    fit$models[[3]]$state <- NULL,
    fit$frame$center <- NULL,
    fit$frame$scale <- fit$frame$scale[-1],
    fit$train <- fit$train[-1, ],
    fit$kept <- NULL,
    fit$rows <- 1:3,
    fit$levels <- fit$levels[-1],
    fit$normalizers <- NULL,
    fit$decision <- fit$decision[, -1],
    fit$learner <- NULL,
    fit$control <- NULL,
    fit$frame <- NULL,
    fit$task <- NULL
  )
  for (wound in as.list(wounds)) {
    fit <- svm
    eval(wound)
    expect_mkl_error(predict(fit, old$new), class = "multikernel_fit_error")
  }
})

test_that("lists that are nested too deeply are refused, and R goes on", {
  deep <- list(a = 1)
  for (level in 1:1e5) deep <- list(a = deep)
  fit <- mkl(Species ~ ., flowers)
  fit$models[[1]]$state$deep <- deep
  expect_mkl_error(predict(fit, new), "damaged: `models`")
  fit$seal <- NULL
  expect_mkl_error(predict(fit, new), "levels deep")
  expect_error(
    multikernel:::fit_cpp(
      matrix(1, 2, 1), list(), list(deep), one_point("svm", deep), list()
    ), "levels deep|must be"
  )
})

test_that("the check takes microseconds", {
  skip_on_cran()
  fit <- mkl(Species ~ ., flowers)
  times <- vapply(1:3, function(i) {
    system.time(for (j in 1:100) multikernel:::check_fit(fit))[["elapsed"]]
  }, 0)
  expect_lt(min(times) / 100, 1e-3) # 5e-5 on a machine of 2024, most of it in mkl_control()
})
