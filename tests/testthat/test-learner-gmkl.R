strict <- mkl_control(tol = 1e-8)

# Signed coefficients of a two-class fit, in the order of the rows.
beta_of <- function(fit) {
  state <- fit$models[[1]]$state
  beta <- numeric(fit$n)
  beta[fit$kept[state$rows]] <- state$coefficients
  beta
}

combined <- function(kernels, d, combine) {
  if (combine == "sum") return(Reduce(`+`, Map(`*`, kernels, d)))
  exp(Reduce(`+`, Map(function(k, power) power * log(k), kernels, d)))
}

penalty <- function(d, regularizer, lambda) {
  if (regularizer == "l1") lambda * sum(d) else lambda / 2 * sum(d^2)
}

# The value of the machine by quadprog; a ridge makes the matrix definite in its eyes.
svm_value <- function(K, y, cost, ridge = 1e-8) {
  n <- length(y)
  Q <- tcrossprod(y) * K + ridge * diag(n)
  a <- quadprog::solve.QP(
    Q, rep(1, n), cbind(y, diag(n), -diag(n)), c(0, rep(0, n), rep(-cost, n)), meq = 1
  )$solution
  sum(a) - drop((a * y) %*% K %*% (a * y)) / 2
}

# dT/dd at a fit, from its coefficients alone.
slopes <- function(fit, kernels, combine, regularizer, lambda) {
  d <- unname(coef(fit))
  b <- beta_of(fit)
  K <- combined(kernels, d, combine)
  forms <- vapply(kernels, function(k) {
    drop(b %*% (if (combine == "sum") k else K * log(k)) %*% b)
  }, 0)
  unname((if (regularizer == "l1") lambda else lambda * d) - forms / 2)
}

views <- function(n = 60) {
  d <- two_class(n)
  x <- scale(d$x)
  list(
    y = d$y, x = x,
    kernels = list(
      a = gauss(x[, 1, drop = FALSE], x[, 1, drop = FALSE], 1),
      b = gauss(x[, 2, drop = FALSE], x[, 2, drop = FALSE], 1), c = gauss(x, x, 2)
    )
  )
}

test_that("the minimum over sums is that of an independent search", {
  skip_if_not_installed("quadprog")
  v <- views(40)
  y <- signs(v$y)
  for (regularizer in c("l1", "l2")) {
    for (solver in c("spg", "projected")) {
      fit <- gmkl(
        v$kernels, v$y, regularizer = regularizer, solver = solver, cost = 3, lambda = 2,
        normalize = "none", tolerance = 1e-5, control = strict
      )
      value <- function(d) {
        svm_value(combined(v$kernels, d, "sum"), y, 3) + penalty(d, regularizer, 2)
      }
      found <- optim(
        rep(1, 3), value, method = "L-BFGS-B", lower = 0, control = list(factr = 1e3)
      )
      expect_equal(objective(fit), value(unname(coef(fit))), tolerance = 1e-5)
      expect_equal(objective(fit), found$value, tolerance = 1e-4)
      expect_lte(objective(fit), found$value * (1 + 1e-6))
      # The gap is a bound.
      expect_lte(duality_gap(fit), 1e-4)
      expect_gte(found$value, objective(fit) * (1 - duality_gap(fit)) - 1e-6)
      expect_true(converged(fit))
    }
  }
})

test_that("one kernel is a search over one number", {
  v <- views(50)
  for (combine in c("sum", "product")) {
    for (regularizer in c("l1", "l2")) {
      fit <- gmkl(
        v$kernels["c"], v$y, combine = combine, regularizer = regularizer, normalize = "none",
        tolerance = 1e-5, control = strict
      )
      value <- function(log_d) {
        svm <- mkl(list(k = combined(v$kernels["c"], exp(log_d), combine)), v$y,
                   learner = learner_svm(1), control = strict)
        objective(svm) + penalty(exp(log_d), regularizer, 1)
      }
      start <- log(coef(fit))
      best <- optimize(value, start + c(-1, 1), tol = 1e-6)
      expect_equal(objective(fit), best$objective, tolerance = 1e-6)
      expect_equal(unname(start), best$minimum, tolerance = 1e-2)
    }
  }
})

test_that("a sum under l1 is SimpleMKL at another cost", {
  v <- views(80)
  fit <- gmkl(v$kernels, v$y, cost = 2, tolerance = 1e-5, control = strict)
  total <- sum(coef(fit))
  other <- simplemkl(v$kernels, v$y, cost = 2 * total, gap = 1e-6, control = strict)
  expect_equal(coef(fit) / total, coef(other), tolerance = 1e-2)
  expect_equal(predict(fit, type = "decision"), predict(other, type = "decision"), tolerance = 1e-2)
})

test_that("weights meet the conditions of a stationary point, whatever is asked for", {
  v <- views(60)
  for (combine in c("sum", "product")) {
    for (regularizer in c("l1", "l2")) {
      for (cost in c(0.1, 100)) {
        fit <- gmkl(
          v$kernels, v$y, combine = combine, regularizer = regularizer, cost = cost, lambda = 0.5,
          normalize = "none", tolerance = 1e-4
        )
        d <- unname(coef(fit))
        g <- slopes(fit, v$kernels, combine, regularizer, 0.5) * sum(d) / objective(fit)
        expect_true(all(d >= 0))
        expect_true(all(g >= -1.01e-4))
        expect_true(all(pmin(d / max(d), g) <= 1.01e-4))
        report <- fit$models[[1]]$report
        expect_equal(max(abs(pmin(d / max(d), g))), report$violation, tolerance = 1e-3)
        expect_equal(tail(objective_path(fit), 1), objective(fit))
        expect_length(objective_path(fit), report$iterations + 1)
      }
    }
  }
})

# The formula of the gradient itself, for products: T by machines on the matrix.
test_that("slopes are those of finite differences", {
  v <- views(40)
  for (regularizer in c("l1", "l2")) {
    fit <- gmkl(
      v$kernels, v$y, combine = "product", regularizer = regularizer, normalize = "none",
      tolerance = 1e-1, iterations = 5, control = strict
    )
    d <- unname(coef(fit))
    value <- function(d) {
      k <- list(k = combined(v$kernels, d, "product"))
      svm <- mkl(k, v$y, learner = learner_svm(1), control = mkl_control(tol = 1e-10))
      objective(svm) + penalty(d, regularizer, 1)
    }
    h <- 1e-4
    numeric <- vapply(1:3, function(m) {
      e <- h * (1:3 == m)
      (value(d + e) - value(pmax(d - e, 0))) / sum(d + e - pmax(d - e, 0))
    }, 0)
    expect_equal(slopes(fit, v$kernels, "product", regularizer, 1), numeric, tolerance = 1e-2)
  }
})

rings <- function(n, p = 8) {
  x <- matrix(rnorm(n * p), n)
  list(x = x, y = factor(ifelse(x[, 1]^2 + x[, 2]^2 + 0.2 * rnorm(n) > 1.4, "out", "in")))
}

test_that("a product of one kernel for each column finds the columns that matter", {
  d <- with_seed(7, list(train = rings(160), test = rings(1000)))
  accuracy <- function(fit) mean(predict(fit, d$test$x) == d$test$y)
  svm <- max(vapply(c(1, 10, 100), function(cost) {
    accuracy(mkl(d$train$x, d$train$y, learner = learner_svm(cost = cost)))
  }, 0))
  for (solver in c("spg", "projected")) {
    fit <- gmkl(
      d$train$x, d$train$y, combine = "product", solver = solver, cost = 1, lambda = 5
    )
    w <- coef(fit)
    expect_true(all(w[1:2] > 0.3))
    expect_true(all(w[3:8] < 0.1 * min(w[1:2])))
    expect_gte(sum(w[3:8] == 0), 3)
    expect_gt(accuracy(fit), svm + 0.04)
  }
  # The powers are those of Gaussian kernels: the same machine with the columns rescaled.
  z <- sweep(fit$train, 2, sqrt(w), "*")
  expect_equal(
    drop(gauss(z, z, 1) %*% fit$models[[1]]$state$coefficients) + fit$models[[1]]$state$bias,
    predict(fit, type = "decision")[fit$kept], tolerance = 1e-8
  )
})

test_that("regression finds its columns too", {
  d <- with_seed(3, rings(150, 5))
  y <- sin(2 * d$x[, 3])
  fit <- gmkl(d$x, y, combine = "product", cost = 10, lambda = 0.5)
  w <- coef(fit)
  expect_true(all(w[-3] < 0.05 * w[3]))
  expect_gt(cor(fitted(fit), y), 0.99)
  sum_fit <- gmkl(d$x, y, regularizer = "l2", cost = 5)
  expect_gt(cor(fitted(sum_fit), y), 0.7)
  expect_lte(duality_gap(sum_fit), 1e-3)
})

test_that("one class is for sums under l2", {
  v <- views(50)
  fit <- gmkl(
    v$kernels, regularizer = "l2", normalize = "none", tolerance = 1e-5, control = strict
  )
  expect_identical(fit$task, "one_class")
  value <- function(d) {
    objective(mkl(
      v$kernels, learner = learner_svm(weights = d), normalize = "none", control = strict
    )) + sum(d^2) / 2
  }
  expect_equal(objective(fit), value(coef(fit)), tolerance = 1e-6)
  for (m in 1:3) {
    for (factor in c(0.9, 1.1)) {
      other <- coef(fit)
      other[m] <- other[m] * factor + 1e-3 * max(other)
      expect_gt(value(other), objective(fit) - 1e-6 * abs(objective(fit)))
    }
  }
  expect_snapshot(error = TRUE, {
    gmkl(v$kernels)
    gmkl(v$kernels, combine = "product")
  })
})

test_that("several classes have weights of their own, new rows those of the training rows", {
  data <- three_class()
  for (combine in c("sum", "product")) {
    fit <- gmkl(Species ~ ., data, combine = combine, cost = 5, probability = combine == "product")
    expect_gt(mean(fitted(fit) == data$Species), 0.95)
    expect_length(fit$models, 3)
    expect_equal(
      predict(fit, data, type = "decision"), predict(fit, type = "decision"), tolerance = 1e-10
    )
    expect_equal(
      predict(fit, data[5:9, ], type = "decision"),
      predict(fit, data, type = "decision")[5:9, ], tolerance = 1e-12
    )
  }
  p <- predict(fit, data, type = "prob")
  expect_equal(bare(rowSums(p)), rep(1, nrow(data)))
  expect_gt(mean(colnames(p)[max.col(p)] == data$Species), 0.95)
})

test_that("a product without kernels has one for each variable", {
  data <- data.frame(two_class(40)$data, g = factor(rep(c("u", "v"), 20)))
  fit <- gmkl(class ~ ., data, combine = "product")
  expect_named(
    coef(fit),
    c("rbf(v1, sigma=1)", "rbf(v2, sigma=1)", "rbf(v3, sigma=1)", "rbf(g, sigma=1)")
  )
  fit <- gmkl(data[c("v1", "g")], data$class, combine = "product", scale = FALSE)
  expect_named(coef(fit), c("rbf(v1, sigma=median)", "rbf(g, sigma=median)"))
  fit <- gmkl(unname(as.matrix(data[1:2])), data$class, combine = "product")
  expect_named(coef(fit), c("rbf(#1, sigma=1)", "rbf(#2, sigma=1)"))
  expect_length(coef(gmkl(class ~ ., data)), 8)
})

test_that("kernel matrices of new rows enter the product by their powers", {
  v <- views(40)
  old <- 1:30
  fit <- gmkl(
    lapply(v$kernels, function(k) k[old, old]), v$y[old], combine = "product", normalize = "none"
  )
  blocks <- lapply(v$kernels, function(k) k[31:40, old])
  state <- fit$models[[1]]$state
  expected <- drop(
    combined(blocks, coef(fit), "product")[, fit$kept[state$rows]] %*% state$coefficients
  ) + state$bias
  expect_equal(predict(fit, blocks, type = "decision"), expected)
  # 0 has a power, a negative number has none.
  used <- which.max(coef(fit))
  blocks[[used]][2, ] <- 0
  expect_equal(predict(fit, blocks, type = "decision")[2], state$bias)
  blocks[[used]][2, ] <- -1
  expect_snapshot(predict(fit, blocks), error = TRUE)
})

test_that("threads, memory and instruction sets change nothing, a saved fit predicts the same", {
  v <- views(150)
  for (combine in c("sum", "product")) {
    fit <- function(control) gmkl(v$x, v$y, combine = combine, cost = 5, control = control)
    one <- fit(mkl_control())
    expect_identical(essence(fit(mkl_control(threads = 3))), essence(one))
    small <- fit(mkl_control(memory = "1kB"))
    expect_equal(objective(small), objective(one), tolerance = 1e-3)
    again <- gmkl(v$x, v$y, combine = "sum", cost = 5)
    expect_identical(essence(update(again, combine = combine)), essence(one))
    file <- tempfile(fileext = ".rds")
    saveRDS(one, file)
    expect_identical(predict(readRDS(file), v$x), predict(one, v$x))
    unlink(file)
  }
})

test_that("copies, zeros and indefinite kernels are dealt with", {
  v <- views(50)
  K <- v$kernels$c
  alone <- gmkl(list(a = K), v$y, normalize = "none", tolerance = 1e-4)
  with_others <- gmkl(
    list(a = K, b = K, zero = 0 * K), v$y, normalize = "none", tolerance = 1e-4
  )
  expect_equal(objective(with_others), objective(alone), tolerance = 1e-3)
  expect_equal(sum(coef(with_others)[1:2]), unname(coef(alone)), tolerance = 1e-2)
  expect_identical(coef(with_others)[["zero"]], 0)
  suppressWarnings(expect_warning(
    indefinite <- gmkl(list(i = K - 0.9 * diag(50)), v$y, normalize = "none", cost = 10),
    class = "multikernel_indefinite"
  ), classes = "multikernel_not_converged")
  expect_true(all(is.finite(predict(indefinite, type = "decision"))))
  # all ones: nothing can be told apart, and a product has nothing to learn
  ones <- list(one = matrix(1, 50, 50))
  for (combine in c("sum", "product")) {
    fit <- gmkl(ones, v$y, combine = combine)
    expect_true(converged(fit))
    expect_length(unique(round(predict(fit, type = "decision"), 8)), 1)
  }
  # so small a cost that no kernel is worth its penalty
  cheap <- gmkl(v$x, v$y, cost = 1e-6)
  expect_true(converged(cheap))
})

test_that("weights of rows and classes multiply the cost", {
  v <- views(40)
  heavy <- rep(1:2, 20)
  fit <- gmkl(v$kernels, v$y, weights = heavy, tolerance = 1e-4, control = strict)
  twice <- rep(seq_along(heavy), heavy)
  copied <- gmkl(
    lapply(v$kernels, function(k) k[twice, twice]), v$y[twice], tolerance = 1e-4, control = strict
  )
  expect_equal(objective(fit), objective(copied), tolerance = 1e-4)
})

test_that("a limit of steps is told", {
  v <- views(60)
  expect_warning(
    fit <- gmkl(v$x, v$y, combine = "product", iterations = 2, tolerance = 1e-6),
    class = "multikernel_not_converged"
  )
  expect_false(converged(fit))
  # the search ends well, but its machines do not
  hard <- with_seed(1, list(x = matrix(rnorm(400), 200), y = rep(c("a", "b"), 100)))
  expect_warning(
    gmkl(hard$x, hard$y, cost = 100, tolerance = 1e3, control = mkl_control(max_iter = 20)),
    "machines inside .* `tolerance` = 1000 is met. Raise `max_iter`",
    class = "multikernel_not_converged"
  )
  expect_snapshot(
    fit <- gmkl(v$kernels, v$y, iterations = 1, tolerance = 1e-8), transform = hide_reached
  )
})

test_that("bad parameters are refused", {
  v <- views(30)
  expect_snapshot(error = TRUE, {
    learner_gmkl(combine = "sums")
    learner_gmkl(regularizer = 1)
    learner_gmkl(solver = "newton")
    learner_gmkl(lambda = 0)
    learner_gmkl(tolerance = NA)
    learner_gmkl(iterations = 1.5)
    learner_gmkl(cost = -1)
    learner_gmkl(costs = 1)
    gmkl(v$x, v$y, combine = "product", kernels = kernel_linear())
    gmkl(v$x, v$y, combine = "product", kernels = kernel_rbf(1, normalize = "center"))
    gmkl(v$x, v$y, lamda = 1)
  })
  expect_snapshot(print(learner_gmkl("product", "l2", cost = 10)))
})
