decide <- function(fit, ...) predict(fit, ..., type = "decision")
strict <- mkl_control(tol = 1e-7)

some_kernels <- function() {
  kernel_set(kernel_rbf(c(0.5, 1, 3)), kernel_linear(), kernel_polynomial(2), kernel_rbf(1, on = 1))
}

# Normalised kernel matrices of the scaled rows.
matrices <- function(kernels, x, normalize = "trace") {
  kernel_matrix(kernels, scale(x), normalize = normalize)
}

# EasyMKL written out on top of komd(): the sum, gamma, the distances.
distances <- function(K, y, lambda, control = strict) {
  first <- komd(list(sum = Reduce(`+`, K)), y, lambda = lambda, control = control)
  state <- first$models[[1]]$state
  beta <- numeric(length(y))
  beta[first$kept[state$rows]] <- state$coefficients
  vapply(K, function(k) drop(beta %*% k %*% beta), 0)
}

test_that("weights are proportional to gamma'YK_mYgamma", {
  d <- two_class(70)
  K <- matrices(some_kernels(), d$x)
  for (lambda in c(0, 0.1, 0.7, 1)) {
    eta <- distances(K, d$y, lambda)
    two <- easymkl(d$x, d$y, lambda = lambda, kernels = some_kernels(), control = strict)
    sum1 <- easymkl(d$x, d$y, lambda = lambda, kernels = some_kernels(), norm = "sum",
                    control = strict)
    expect_equal(coef(two), eta / sqrt(sum(eta^2)), tolerance = 1e-5)
    expect_equal(coef(sum1), eta / sum(eta), tolerance = 1e-5)
    expect_equal(sum(coef(two)^2), 1)
    expect_equal(sum(coef(sum1)), 1)
    # the machine is KOMD on the weighted sum
    final <- komd(list(k = Reduce(`+`, Map(`*`, coef(two), K))), d$y, lambda = lambda,
                  control = strict)
    expect_equal(decide(two), decide(final), tolerance = 1e-4)
    expect_equal(objective(two), objective(final), tolerance = 1e-6)
    expect_true(converged(two))
  }
})

test_that("one kernel is KOMD", {
  d <- two_class()
  for (lambda in c(0, 0.1, 1)) {
    easy <- easymkl(d$x, d$y, kernels = kernel_rbf(1), lambda = lambda)
    plain <- komd(d$x, d$y, kernels = kernel_rbf(1), normalize = "trace", lambda = lambda)
    expect_equal(decide(easy), decide(plain), tolerance = 1e-6)
    expect_equal(unname(coef(easy)), 1)
    expect_equal(easy$models[[1]]$state$bias, plain$models[[1]]$state$bias, tolerance = 1e-6)
  }
})

test_that("a final support vector machine is learner_svm() with those weights", {
  d <- two_class(70)
  easy <- easymkl(d$x, d$y, kernels = some_kernels(), final = learner_svm(cost = 7),
                  control = strict)
  plain <- mkl(d$x, d$y, kernels = some_kernels(), normalize = "trace", control = strict,
               learner = learner_svm(cost = 7, weights = coef(easy)))
  expect_equal(decide(easy), decide(plain), tolerance = 1e-5)
  expect_equal(objective(easy), objective(plain), tolerance = 1e-7)
  expect_equal(decide(easy, d$x), decide(easy), tolerance = 1e-8)
  expect_equal(coef(easy), coef(easymkl(d$x, d$y, kernels = some_kernels(), control = strict)))
  weighted <- easymkl(d$x, d$y, final = learner_svm(cost = 7), class_weights = c(yes = 5))
  expect_gt(mean(fitted(weighted) == "yes"), mean(fitted(easy) == "yes") - 0.05)
})

test_that("bags are the same as a list of their matrices, within any memory", {
  d <- two_class(60)
  bags <- kernel_rbf_bags(300, max_features = 3, seed = 4)
  K <- matrices(bags, d$x)
  stream <- easymkl(d$x, d$y, kernels = bags, control = strict)
  list <- easymkl(K, d$y, control = strict)
  expect_equal(unname(coef(stream)), unname(coef(list)), tolerance = 1e-5)
  expect_equal(decide(stream), decide(list), tolerance = 1e-4)
  eta <- distances(K, d$y, 0.1)
  expect_equal(unname(coef(stream)), unname(eta / sqrt(sum(eta^2))), tolerance = 1e-5)
  bytes <- 8 * 60^2
  for (memory in c(1, 0.5 * bytes, 1.5 * bytes, 2.5 * bytes)) {
    tight <- easymkl(d$x, d$y, kernels = bags, control = mkl_control(tol = 1e-7, memory = memory))
    expect_equal(coef(tight), coef(stream), tolerance = 1e-5)
    expect_equal(decide(tight), decide(stream), tolerance = 1e-4)
  }
  new <- d$x[1:7, ] + 0.3
  cross <- kernel_matrix(bags, scale(d$x), scale(new, colMeans(d$x), apply(d$x, 2, sd)), "trace")
  expect_equal(decide(stream, new), decide(list, cross), tolerance = 1e-4)
})

test_that("blocks of kernels cover all of them once", {
  for (m in c(1, 255, 256, 257, 8192, 8193, 1e6)) {
    bounds <- multikernel:::easymkl_blocks_cpp(m)
    expect_identical(bounds[1], 1)
    expect_identical(bounds[length(bounds)], m + 1)
    expect_true(all(diff(bounds) >= 1))
    expect_lte(length(bounds), 33L)
    expect_true(all(diff(bounds)[-length(diff(bounds))] %% 256 == 0))
  }
  items <- multikernel:::resolve_kernels(
    kernel_set(kernel_linear(), kernel_rbf_bags(10, seed = 1), kernel_rbf(1)), matrix(0, 2, 2),
    list(), "none", 1:2, 2
  )
  slice <- multikernel:::slice_items(items, 4, 12)
  expect_identical(vapply(slice, function(item) item$family, ""), c("rbf_bags", "rbf"))
  expect_equal(slice[[1]]$parameters$first, 3)
  expect_equal(slice[[1]]$parameters$count, 8)
  whole <- multikernel:::slice_items(items, 1, 12)
  expect_equal(whole[[2]]$parameters$count, 10)
})

test_that("a block is the sum, and the forms, of its kernels", {
  x <- scale(two_class(40)$x)
  bags <- kernel_rbf_bags(30, max_features = 2, seed = 9)
  K <- kernel_matrix(bags, x, normalize = "trace")
  items <- multikernel:::resolve_kernels(bags, x, list(), "trace", 1:40, 40)
  slice <- multikernel:::core_items(multikernel:::slice_items(items, 11, 20))
  rows <- c(40:21, 3L, 7L)
  weights <- 1:10 / 7
  run <- function(what, values, ...) {
    multikernel:::easymkl_block_cpp(what, x, slice, rows, values, core(...))
  }
  sum <- Reduce(`+`, Map(`*`, weights, K[11:20]))[rows, rows]
  expect_equal(run("sum", weights), sum, tolerance = 1e-12)
  b <- sin(seq_along(rows))
  forms <- vapply(K[11:20], function(k) drop(b %*% k[rows, rows] %*% b), 0)
  expect_equal(run("forms", b), unname(forms), tolerance = 1e-12)
  expect_identical(run("sum", weights, threads = 2L), run("sum", weights))
  expect_error(run("sum", weights[-1]), "`values`")
  expect_error(run("forms", b * NA), "`values`")
  expect_error(run("product", b), "`what`")
  rows <- 0:3
  expect_error(run("sum", weights), "`rows`")
})

test_that("other processes give the same fit", {
  skip_if_not_installed("future")
  skip_unless_installed()
  d <- two_class(50)
  bags <- kernel_rbf_bags(600, max_features = 3, seed = 4)
  mixed <- c(kernel_set(kernel_rbf(1), own = gauss(d$x, d$x, 1)), bags)
  fits <- function() {
    set.seed(1)
    list(
      easymkl(d$x, d$y, kernels = mixed, control = mkl_control(threads = 2)),
      easymkl(d$x, d$y, kernels = bags, final = learner_svm(3), probability = TRUE),
      easymkl(Species ~ ., three_class(), kernels = bags, normalize = c("center", "trace")),
      easymkl(d$x, d$y, kernels = some_kernels())
    )
  }
  here <- fits()
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old))
  expect_true(multikernel:::plan_is_parallel())
  there <- fits()
  for (i in seq_along(here)) {
    expect_identical(essence(there[[i]]), essence(here[[i]]))
  }
  # an error in a process is an error here
  x <- d$x
  x[1, 1] <- 1e200
  bad <- c(kernel_polynomial(2), bags)
  expect_mkl_error(easymkl(x, d$y, kernels = bad, scale = FALSE))
  future::plan(future::sequential)
  expect_false(multikernel:::plan_is_parallel())
})

test_that("formula terms, lists and matrices are the same", {
  d <- two_class()
  a <- easymkl(class ~ rbf(v1, v2, sigma = 1) + linear(.) + rbf(v3, sigma = 2), d$data)
  kernels <- kernel_set(kernel_rbf(1, on = 1:2), kernel_linear(), kernel_rbf(2, on = 3))
  b <- easymkl(d$x, d$y, kernels = kernels)
  expect_equal(bare(decide(a)), bare(decide(b)), tolerance = 1e-10)
  c <- easymkl(kernel_matrix(kernels, scale(d$x)), d$y)
  expect_equal(unname(coef(a)), unname(coef(c)), tolerance = 1e-5)
  expect_equal(bare(decide(a)), bare(decide(c)), tolerance = 1e-5)
  expect_equal(decide(a, d$data[1:3, ]), decide(a)[1:3], tolerance = 1e-8)
  expect_identical(as.character(a$call[[1]]), "easymkl")
  expect_identical(update(b, norm = "sum")$learner$parameters$norm, "sum")
})

test_that("several classes have weights of their own, probabilities are calibrated", {
  data <- three_class()
  fit <- easymkl(Species ~ ., data, kernels = some_kernels())
  long <- kernel_weights(fit)
  expect_identical(dim(long), c(18L, 3L))
  expect_equal(c(tapply(long$weight^2, long$pair, sum)), rep(1, 3), ignore_attr = TRUE)
  pair <- droplevels(data[data$Species != "setosa", ])
  alone <- easymkl(Species ~ ., pair, kernels = some_kernels(), scale = FALSE, normalize = "none")
  all <- easymkl(Species ~ ., data, kernels = some_kernels(), scale = FALSE, normalize = "none")
  expect_equal(decide(all, data)[, "virginica/versicolor"], decide(alone, data), tolerance = 1e-6)
  expect_gt(mean(predict(fit, data) == data$Species), 0.9)
  set.seed(1)
  prob <- easymkl(Species ~ ., data, probability = TRUE)
  p <- predict(prob, data, type = "prob")
  expect_equal(bare(rowSums(p)), rep(1, 90))
  expect_gt(mean(colnames(p)[max.col(p)] == data$Species), 0.9)
  rest <- easymkl(Species ~ ., data, multiclass = "one_vs_rest")
  expect_gt(mean(fitted(rest) == data$Species), 0.85)
})

test_that("threads and storage change nothing", {
  d <- hard_rows(200, 5)
  bags <- kernel_rbf_bags(700, max_features = 3, seed = 2)
  one <- easymkl(d$x, d$y, kernels = bags)
  expect_identical(essence(easymkl(d$x, d$y, kernels = bags, control = mkl_control(threads = 2))),
                   essence(one))
  file <- tempfile()
  saveRDS(one, file)
  expect_identical(decide(readRDS(file), d$x), decide(one, d$x))
  unlink(file)
})

test_that("kernels that say nothing share the weight", {
  y <- factor(rep(1:2, 10))
  zero <- matrix(0, 20, 20)
  same <- matrix(1, 20, 20)
  fit <- easymkl(list(a = same, b = same), y)
  expect_equal(coef(fit), c(a = sqrt(0.5), b = sqrt(0.5)))
  expect_equal(unname(coef(easymkl(list(zero, zero), y, normalize = "none", norm = "sum"))),
               rep(1 / 2, 2))
  expect_mkl_error(easymkl(list(a = zero), y), "trace")
  # a kernel that tells the classes apart takes it all
  good <- tcrossprod(signs(y))
  expect_equal(coef(easymkl(list(good = good, same = same), y)), c(good = 1, same = 0))
  # scales far apart, without normalisation
  huge <- easymkl(list(good = good * 1e200, same = same), y, normalize = "none")
  expect_equal(coef(huge), c(good = 1, same = 0))
})

test_that("bad input is refused, and named", {
  for (bad in list(-0.1, 1.1, NA, NULL, "a", c(0, 1))) {
    expect_mkl_error(learner_easymkl(lambda = bad), argument = "lambda")
  }
  for (bad in list("one", NA_character_, 2, NULL)) {
    expect_mkl_error(learner_easymkl(norm = bad), argument = "norm")
  }
  for (bad in list("svm", learner_average(), learner_svm, NULL, 1, learner_svm(weights = 1))) {
    expect_mkl_error(learner_easymkl(final = bad), argument = "final")
  }
  d <- two_class(40)
  expect_mkl_error(easymkl(d$x, d$y, lamda = 1), "Did you mean `lambda`", "lamda")
  expect_mkl_error(easymkl(d$x, d$y, cost = 1), "not of easymkl()", "cost", fixed = TRUE)
  expect_mkl_error(easymkl(d$x, d$y, weights = 1:40), "no cost", "weights")
  expect_mkl_error(easymkl(d$x, d$x[, 1]), "cannot do the task")
  x <- d$x
  x[1, 1] <- 1e200
  expect_mkl_error(
    easymkl(x, d$y, scale = FALSE, normalize = "none",
            kernels = kernel_set(kernel_rbf(1), big = kernel_polynomial(2))), "`big`"
  )
  expect_warning(easymkl(d$x, d$y, control = mkl_control(max_iter = 2)),
                 class = "multikernel_not_converged")
  expect_snapshot({
    print(learner_easymkl())
    print(learner_easymkl(0.5, "sum", learner_svm(10)))
  })
})

test_that("the weights can be drawn", {
  d <- two_class(40)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mar", "mfrow")
  fit <- easymkl(d$x, d$y, kernels = kernel_rbf_bags(100, 2, seed = 1))
  expect_identical(plot(fit), fit)
  expect_identical(graphics::par("mar", "mfrow"), before)
  expect_silent(plot(easymkl(d$x, d$y)))
  expect_silent(plot(easymkl(Species ~ ., three_class()), limit = 3))
  expect_silent(plot(easymkl(d$x[, 1:2], d$y), what = "boundary"))
  expect_mkl_error(plot(fit, what = "path"), argument = "what")
})

test_that("progress is reported, from any thread, and may end the fit", {
  d <- two_class(60)
  for (threads in 1:2) {
    seen <- numeric()
    progress <- function(amount) seen <<- c(seen, amount)
    control <- c(core(threads = threads), list(progress = progress))
    fit <- function(control) {
      items <- list(list(
        family = "rbf_bags", name = "bags", count = 3000L, normalize = "trace",
        parameters = list(count = 3000, max_features = 3, beta = 1, seed = 1)
      ))
      problem <- list(task = "classification", y = as.integer(d$y) - 1, classes = 2,
                      weights = rep(1, 60), multiclass = "one_vs_one", probability = FALSE)
      fit_point(
        d$x, problem, items, one_point("easymkl", list(lambda = 0.1)), control
      )
    }
    watched <- fit(control)
    expect_gt(length(seen), 0)
    expect_lte(sum(seen), 3 * 3000)
    expect_true(all(seen > 0))
    expect_equal(watched$models[[1]]$weights, fit(core())$models[[1]]$weights)
    # an error of the function that watches is an ordinary error, and R is usable after it
    control$progress <- function(amount) stop("enough")
    expect_error(fit(control), "enough")
    expect_equal(watched$models[[1]]$weights, fit(core(threads = threads))$models[[1]]$weights)
    control$progress <- "no function"
    expect_error(fit(control), "progress")
  }
})

test_that("progress goes through progressr", {
  skip_if_not_installed("progressr")
  withr::local_options(progressr.enable = TRUE, multikernel.progress = NULL)
  d <- two_class(60)
  kernels <- kernel_rbf_bags(1500, max_features = 3, seed = 1)
  watch <- function(expr) {
    steps <- 0
    withCallingHandlers(expr, progression = function(p) {
      if (identical(p$type, "update")) steps <<- steps + p$amount
      tryInvokeRestart("muffleProgression")
    })
    steps
  }
  steps <- watch(fit <- easymkl(d$x, d$y, kernels = kernels))
  expect_gt(steps, 0)
  expect_lte(steps, 4500)
  options(multikernel.progress = FALSE)
  expect_identical(watch(silent <- easymkl(d$x, d$y, kernels = kernels)), 0)
  expect_identical(coef(fit), coef(silent))
})

test_that("classes that overlap without regularization are told from noise", {
  d <- MASS::Pima.tr
  x <- as.matrix(d[1:7])
  kernels <- kernel_set(kernel_linear(), kernel_linear(on = 1:3))
  control <- mkl_control(memory = "1 KB")
  fits <- list(
    function(lambda) easymkl(type ~ ., d, lambda = lambda, kernels = kernels),
    function(lambda) easymkl(x, d$type, lambda = lambda, kernels = kernels, norm = "sum"),
    # the weights are noise whatever is trained on them
    function(lambda) mkl(x, d$type, kernels = kernels,
                         learner = learner_easymkl(lambda, final = learner_svm())),
    function(lambda) easymkl(x, d$type, lambda = lambda, kernels = kernels, control = control)
  )
  for (fit_at in fits) {
    expect_warning(fit <- fit_at(0), "classes overlap.*Raise `lambda`",
                   class = "multikernel_not_converged")
    expect_false(converged(fit))
    expect_no_warning(fit <- fit_at(0.1))
    expect_true(converged(fit))
  }
  expect_warning(three <- easymkl(Species ~ ., iris, lambda = 0, kernels = kernels),
                 "classes overlap in \"virginica/versicolor\"")
  expect_identical(unname(converged(three)), c(TRUE, TRUE, FALSE))
  # the road by which blocks of kernels go to other processes
  scaled <- scale(x)
  problem <- list(task = "classification", y = as.double(d$type) - 1, classes = 2,
                  weights = rep(1, 200), multiclass = "one_vs_one", probability = FALSE)
  items <- list(list(family = "linear", parameters = list(), name = "k", normalize = "trace"))
  passes <- function(what, rows, values) {
    multikernel:::easymkl_block_cpp(what, scaled, items, rows, values, core())
  }
  learner <- one_point("easymkl", list(lambda = 0, norm = "two", final = "komd"))
  learner$passes <- passes
  out <- fit_point(scaled, problem, items, learner, core(threads = 1L))
  expect_true(out$models[[1]]$report$overlap)
  expect_false(out$models[[1]]$report$converged)
})
