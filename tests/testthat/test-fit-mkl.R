decide <- function(fit, ...) predict(fit, ..., type = "decision")

test_that("all codings of two classes give the same fit", {
  d <- two_class()
  reference <- decide(mkl(d$x, d$y))
  positive <- d$y == "yes"
  for (y in list(as.character(d$y), positive, ifelse(positive, 1, -1), as.integer(positive),
                 as.numeric(positive))) {
    fit <- mkl(d$x, y)
    expect_identical(fit$task, "classification")
    expect_identical(decide(fit), reference)
    expect_equal(as.integer(fitted(fit)), as.integer(fitted(mkl(d$x, d$y))))
  }
})

test_that("the positive class is the second level", {
  d <- two_class()
  flipped <- factor(d$y, levels = c("yes", "no"))
  expect_equal(decide(mkl(d$x, flipped)), -decide(mkl(d$x, d$y)), tolerance = 1e-2)
  expect_identical(as.character(fitted(mkl(d$x, d$y))),
                   ifelse(decide(mkl(d$x, d$y)) >= 0, "yes", "no"))
})

test_that("the task follows the response and can be overridden", {
  d <- numbers()
  expect_identical(mkl(d$x, d$y)$task, "regression")
  expect_identical(mkl(d$x)$task, "one_class")
  expect_identical(mkl(~ v1 + v2, d$data)$task, "one_class")
  y01 <- as.numeric(d$y > 0)
  expect_identical(mkl(d$x, y01)$task, "classification")
  expect_identical(mkl(d$x, y01, task = "regression")$task, "regression")
  expect_identical(mkl(d$x, round(d$y), task = "classification")$task, "classification")
  expect_mkl_error(mkl(d$x, d$y, task = "classification"), "no class labels")
  expect_mkl_error(mkl(d$x, d$y > 0, task = "regression"), "numeric `y`")
  expect_mkl_error(mkl(d$x, task = "regression"), "needs a response")
  expect_mkl_error(mkl(d$x, d$y, task = "one_class"), "takes no response")
  expect_mkl_error(mkl(d$x, d$y, task = "clusters"), argument = "task")
})

test_that("three classes work in both reductions", {
  data <- three_class()
  for (multiclass in c("one_vs_one", "one_vs_rest")) {
    fit <- mkl(Species ~ ., data, multiclass = multiclass, learner = learner_svm(10))
    expect_length(fit$models, 3L)
    expect_gt(mean(predict(fit, data) == data$Species), 0.9)
    expect_identical(dim(decide(fit, data)), c(90L, 3L))
  }
  expect_mkl_error(mkl(Species ~ ., data, multiclass = "pairs"), argument = "multiclass")
})

test_that("a level without rows is kept in predictions", {
  d <- two_class()
  y <- factor(d$y, levels = c("maybe", "no", "yes"))
  fit <- mkl(d$x, y)
  expect_identical(decide(fit), decide(mkl(d$x, d$y)))
  expect_identical(levels(predict(fit, d$x)), levels(y))
})

test_that("default kernels depend on learner and scaling", {
  d <- two_class()
  expect_equal(names(coef(mkl(d$x, d$y))), "rbf(sigma=1.732)")
  expect_equal(names(coef(mkl(d$x, d$y, scale = FALSE))), "rbf(sigma=median)")
  expect_length(coef(mkl(d$x, d$y, learner = learner_average())), 8L)
})

test_that("normalisers come from learner, fit or kernel, in rising rank", {
  d <- two_class()
  steps <- function(...) lapply(mkl(d$x, d$y, ...)$kernels, function(item) item$normalize)
  expect_identical(steps(), list(character()))
  expect_identical(steps(learner = learner_average(), kernels = kernel_linear()), list("trace"))
  expect_identical(steps(normalize = c("center", "trace")), list(c("center", "trace")))
  expect_identical(
    steps(normalize = "trace", learner = learner_average(),
          kernels = c(kernel_linear(), kernel_linear(normalize = "none"))),
    list("trace", character())
  )
})

test_that("normalised kernels predict training rows as they fitted them", {
  d <- two_class()
  for (normalize in list("trace", "unit_trace", "cosine", "center", c("center", "cosine"))) {
    fit <- mkl(d$x, d$y, kernels = c(kernel_polynomial(2), kernel_rbf(1)), normalize = normalize,
               learner = learner_average())
    expect_equal(decide(fit, d$x), decide(fit), tolerance = 1e-6)
  }
})

test_that("unit_trace is trace with a cost n times larger", {
  d <- two_class()
  a <- mkl(d$x, d$y, normalize = "trace", learner = learner_svm(2),
           control = mkl_control(tol = 1e-8))
  b <- mkl(d$x, d$y, normalize = "unit_trace", learner = learner_svm(2 * 60),
           control = mkl_control(tol = 1e-8))
  expect_equal(decide(a), decide(b), tolerance = 1e-4)
})

test_that("weights of rows act like copies of rows", {
  d <- two_class(40)
  control <- mkl_control(tol = 1e-8)
  copies <- rep(1:2, 20)
  weighted <- mkl(d$x, d$y, weights = copies, scale = FALSE, kernels = kernel_rbf(1),
                  control = control)
  again <- rep(1:40, copies)
  repeated <- mkl(d$x[again, ], d$y[again], scale = FALSE, kernels = kernel_rbf(1),
                  control = control)
  expect_equal(decide(weighted, d$x), decide(repeated, d$x), tolerance = 1e-4)
})

test_that("balanced classes are balanced in each pair, or against the rest", {
  set.seed(4)
  y <- factor(rep(c("a", "b", "c"), c(60, 30, 6)))
  x <- matrix(rnorm(96 * 3), 96) + 0.8 * as.integer(y)
  control <- mkl_control(tol = 1e-8)
  fit <- mkl(x, y, class_weights = "balanced", kernels = kernel_rbf(1), control = control)
  alone <- function(classes) {
    rows <- y %in% classes
    n <- c(a = 60, b = 30, c = 6)[classes]
    mkl(scale(x)[rows, ], droplevels(y[rows]), class_weights = min(n) / n, scale = FALSE,
        kernels = kernel_rbf(1), control = control)
  }
  decisions <- decide(fit)
  for (pair in list(c("a", "b"), c("a", "c"), c("b", "c"))) {
    rows <- y %in% pair
    name <- paste(rev(pair), collapse = "/")
    expect_equal(unname(decisions[rows, name]), unname(c(decide(alone(pair)))), tolerance = 1e-5)
  }
  # one against the rest: classes have the same total, the rows of the rarer side cost 1 in the mean
  rest <- mkl(x, y, class_weights = "balanced", multiclass = "one_vs_rest",
              kernels = kernel_rbf(1), control = control)
  factors <- 1 / as.vector(table(y))[y]
  one <- factors / max(tapply(factors, y == "c", mean))
  by_hand <- mkl(x, factor(y == "c"), weights = one, kernels = kernel_rbf(1), control = control)
  expect_equal(unname(decide(rest)[, "c"]), unname(c(decide(by_hand))), tolerance = 1e-5)
})

test_that("class weights multiply the cost of a class", {
  d <- two_class()
  w <- c(yes = 3)
  a <- mkl(d$x, d$y, class_weights = w)
  b <- mkl(d$x, d$y, weights = ifelse(d$y == "yes", 3, 1))
  expect_identical(decide(a), decide(b))
  # the rarer class keeps its cost, the other one gets less
  n <- table(d$y)
  expect_equal(
    decide(mkl(d$x, d$y, class_weights = "balanced")),
    decide(mkl(d$x, d$y, class_weights = c(no = min(n) / n[["no"]], yes = min(n) / n[["yes"]]))),
    tolerance = 1e-2
  )
  expect_mkl_error(mkl(d$x, d$y, class_weights = c(maybe = 2)), "\"maybe\"")
  expect_mkl_error(mkl(d$x, d$y, class_weights = c(2, 1)), "named by the classes")
  expect_mkl_error(mkl(d$x, d$y, class_weights = c(yes = -1)), argument = "class_weights")
  expect_mkl_error(mkl(d$x, as.numeric(1:60), class_weights = "balanced"), "for classification")
})

test_that("weights of rows are checked", {
  d <- two_class()
  for (w in list(1, -rep(1, 60), c(NA, rep(1, 59)), "a", c(Inf, rep(1, 59)), rep(0, 60))) {
    expect_mkl_error(mkl(d$x, d$y, weights = w), argument = "weights")
  }
  expect_mkl_error(mkl(d$x, d$y, weights = as.numeric(d$y == "yes")), "class \"no\"")
})

test_that("random numbers are drawn only by fits that need them", {
  d <- two_class()
  set.seed(5)
  before <- .Random.seed
  mkl(d$x, d$y)
  expect_identical(.Random.seed, before)
  for (learner in list(learner_random(), learner_best(folds = 2))) {
    set.seed(5)
    a <- mkl(d$x, d$y, learner = learner)
    expect_false(identical(.Random.seed, before))
    set.seed(5)
    b <- mkl(d$x, d$y, learner = learner)
    expect_identical(decide(a), decide(b))
  }
})

test_that("the same fit twice is the same, and inputs are not modified", {
  d <- two_class()
  x <- d$x + 0
  a <- mkl(d$x, d$y)
  b <- mkl(d$x, d$y)
  expect_identical(a[setdiff(names(a), "seconds")][["models"]][[1]]$state,
                   b[["models"]][[1]]$state)
  expect_identical(decide(a), decide(b))
  expect_identical(d$x, x)
})

test_that("an iteration limit gives a classed warning and a flag", {
  d <- two_class()
  expect_warning(
    fit <- mkl(d$x, d$y, learner = learner_svm(100), control = mkl_control(max_iter = 2)),
    class = "multikernel_not_converged"
  )
  expect_false(converged(fit))
})

test_that("an indefinite kernel ends with a classed warning", {
  d <- two_class()
  K <- outer(seq_len(60), seq_len(60), function(i, j) sin(i * j))
  expect_warning(
    withCallingHandlers(
      mkl(list(K = K), d$y, learner = learner_svm(10)),
      multikernel_not_converged = function(w) invokeRestart("muffleWarning")
    ),
    class = "multikernel_indefinite"
  )
})

test_that("a fit survives saveRDS and stays small", {
  d <- two_class()
  ballast <- rnorm(1e5)
  fit <- mkl(class ~ ., d$data)
  expect_lt(length(serialize(fit, NULL)), 60000)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(decide(readRDS(file), d$data), decide(fit, d$data))
})

test_that("only rows that predict() needs are kept", {
  d <- two_class()
  fit <- mkl(d$x, d$y)
  expect_identical(nrow(fit$train), length(fit$kept))
  expect_identical(support(fit), as.integer(fit$kept))
})

test_that("misspelt and unnamed arguments are caught", {
  d <- two_class()
  expect_mkl_error(mkl(d$x, d$y, learner = "svms"), "Did you mean \"svm\"", "learner")
  expect_snapshot(error = TRUE, {
    mkl(d$x, d$y, kernel = kernel_rbf(1))
    mkl(class ~ ., d$data, lerner = learner_svm())
    mkl(d$x, d$y, learner_svm())
    mkl()
    mkl(d$x, d$y, learner = learner_svm)
    mkl(d$x, d$y, control = list(tol = 1))
    mkl(sum)
  })
})
