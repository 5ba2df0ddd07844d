# Platt's sigmoid and the coupling of pairs against direct solutions of the same problems.

# The random streams of the core (SplitMix64), written again in 16-bit limbs, lowest first:
# they say which rows are held out together.
limbs <- function(hex) {
  rev(strtoi(substring(formatC(hex, width = 16, flag = "0"), c(1, 5, 9, 13), c(4, 8, 12, 16)), 16L))
}
whole <- function(number) (number %/% 65536^(0:3)) %% 65536
carry <- function(x) {
  for (i in 1:3) {
    x[i + 1] <- x[i + 1] + x[i] %/% 65536
    x[i] <- x[i] %% 65536
  }
  x[4] <- x[4] %% 65536
  x
}
add <- function(a, b) carry(a + b)
times <- function(a, b) {
  out <- numeric(4)
  for (i in 1:4) for (j in seq_len(5 - i)) {
    product <- numeric(4)
    product[i + j - 1] <- a[i] * b[j]
    out <- add(out, carry(product))
  }
  out
}
xor64 <- function(a, b) as.numeric(bitwXor(a, b))
shift <- function(a, by) {
  bits <- rep(a, each = 16) %/% rep(2^(0:15), 4) %% 2
  bits <- c(bits[-seq_len(by)], numeric(by))
  colSums(matrix(bits, 16) * 2^(0:15))
}
mix <- function(z) {
  z <- times(xor64(z, shift(z, 30)), limbs("bf58476d1ce4e5b9"))
  z <- times(xor64(z, shift(z, 27)), limbs("94d049bb133111eb"))
  xor64(z, shift(z, 31))
}
modulo <- function(a, by) Reduce(function(rest, limb) (rest * 65536 + limb) %% by, rev(a), 0)

stream <- function(seed, task) {
  key <- mix(xor64(whole(seed), mix(add(whole(task), limbs("632be59bd9b4e019")))))
  counter <- 0
  function(bound) {
    counter <<- counter + 1
    modulo(mix(add(key, times(limbs("9e3779b97f4a7c15"), whole(counter)))), bound)
  }
}

# The folds of the inner cross-validation: negatives, then positives, shuffled and dealt.
inner_folds <- function(y, seed, count = 5) {
  groups <- list(which(y < 0), which(y > 0))
  count <- min(count, lengths(groups))
  fold <- integer(length(y))
  dealt <- 0
  for (g in 1:2) {
    below <- stream(seed, g)
    rows <- groups[[g]]
    for (i in rev(seq_along(rows))[-length(rows)]) {
      j <- below(i) + 1
      rows[c(i, j)] <- rows[c(j, i)]
    }
    fold[rows] <- (dealt + seq_along(rows) - 1) %% count + 1
    dealt <- dealt + length(rows)
  }
  fold
}

# The sigmoid 1 / (1 + exp(a f + b)) of greatest likelihood for Platt's smoothed targets.
direct_sigmoid <- function(f, y, w = rep(1, length(f))) {
  positive <- sum(w[y > 0])
  negative <- sum(w[y < 0])
  target <- ifelse(y > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))
  loss <- function(par) {
    p <- plogis(-(par[1] * f + par[2]), log.p = TRUE)
    q <- plogis(par[1] * f + par[2], log.p = TRUE)
    -sum(w * (target * p + (1 - target) * q))
  }
  slope <- function(par) {
    r <- w * (target - plogis(-(par[1] * f + par[2])))
    c(sum(f * r), sum(r))
  }
  best <- optim(c(-1, 0), loss, slope, method = "BFGS",
                control = list(reltol = 1e-15, maxit = 1000))
  regression <- suppressWarnings(glm(
    target ~ f, family = quasibinomial(), weights = w,
    control = glm.control(epsilon = 1e-14, maxit = 100)
  ))
  list(par = -rev(unname(coef(regression))), value = best$value, loss = loss)
}

test_that("the sigmoid has the greatest likelihood on unseen decision values", {
  strict <- mkl_control(tol = 1e-9)
  d <- hard_rows(90, 3)
  K <- gauss(d$x, d$x, 1)
  weights <- rep(c(1, 2, 0.5), 30)
  for (w in list(NULL, weights)) {
    set.seed(11)
    fit <- mkl(list(K), d$y, probability = TRUE, learner = learner_svm(3), weights = w,
               control = strict)
    y <- signs(d$y)
    fold <- inner_folds(y, fit$seed)
    expect_identical(as.integer(table(fold)), rep(18L, 5))
    f <- numeric(90)
    for (k in 1:5) {
      train <- fold != k
      part <- mkl(list(K1 = K[train, train]), d$y[train], learner = learner_svm(3),
                  weights = w[train], control = strict)
      f[!train] <- predict(part, list(K1 = K[!train, train]), type = "decision")
    }
    best <- direct_sigmoid(f, y, if (is.null(w)) rep(1, 90) else w)
    platt <- fit$models[[1]]$platt
    expect_equal(platt, best$par, tolerance = 1e-5)
    expect_lte(best$loss(platt), best$value + 1e-8)
    # and it is applied as it says
    new <- predict(fit, list(K[1:9, ]), type = "decision")
    expect_equal(predict(fit, list(K[1:9, ]), type = "prob")[, 2],
                 plogis(-(platt[1] * new + platt[2])), tolerance = 1e-12)
  }
})

test_that("a class too small for folds is calibrated on the fit itself", {
  d <- two_class(30)
  y <- factor(c("rare", rep("common", 29)), levels = c("common", "rare"))
  fit <- mkl(d$x, y, probability = TRUE, class_weights = c(rare = 29))
  best <- direct_sigmoid(predict(fit, type = "decision"), signs(y), ifelse(y == "rare", 29, 1))
  expect_equal(fit$models[[1]]$platt, best$par, tolerance = 1e-5)
})

test_that("separable data keep the sigmoid finite", {
  x <- cbind(c(-3:-1, 1:3) * 10)
  fit <- mkl(x, factor(rep(c("a", "b"), each = 3)), probability = TRUE,
             learner = learner_svm(1e4), kernels = kernel_linear())
  prob <- predict(fit, cbind(c(-1e6, -20, 0, 20, 1e6)), type = "prob")
  expect_true(all(is.finite(prob)) && all(prob >= 0) && all(prob <= 1))
  expect_false(is.unsorted(prob[, "b"]))
  expect_equal(rowSums(prob), rep(1, 5))
})

# Coupling -----------------------------------------------------------------------------------

pairs_of <- function(k) {
  pairs <- which(lower.tri(diag(k)), arr.ind = TRUE)
  lapply(seq_len(nrow(pairs)), function(i) {
    list(positive = pairs[i, 1] - 1L, negative = pairs[i, 2] - 1L, platt = c(-1, 0))
  })
}

# Decision values whose sigmoid is r[i, j] = P(i | i or j).
decision_of <- function(r, models) {
  t(vapply(models, function(m) qlogis(r[m$positive + 1, m$negative + 1]), 0))
}

couple <- function(r) {
  models <- pairs_of(nrow(r))
  drop(multikernel:::probability_cpp(decision_of(r, models), models, nrow(r)))
}

coupling_matrix <- function(r) {
  Q <- -t(r) * r
  diag(r) <- 0
  diag(Q) <- colSums(r^2)
  Q
}

random_r <- function(k, sd = 1.5) {
  r <- matrix(plogis(rnorm(k * k, sd = sd)), k)
  r[upper.tri(r)] <- 1 - t(r)[upper.tri(r)]
  r
}

test_that("coupling minimises the criterion of Wu, Lin and Weng", {
  with_seed(1, for (k in c(3, 4, 7, 15)) {
    for (repetition in 1:5) {
      r <- random_r(k)
      Q <- coupling_matrix(r)
      # the optimum is inside of the simplex: one linear system
      exact <- solve(rbind(cbind(Q, 1), c(rep(1, k), 0)), c(rep(0, k), 1))[seq_len(k)]
      p <- couple(r)
      expect_equal(p, exact, tolerance = 1e-6)
      expect_equal(sum(p), 1)
      expect_true(all(p > 0))
    }
  })
})

test_that("coupling is that of quadprog, also where pairs are near certain", {
  skip_if_not_installed("quadprog")
  with_seed(2, for (sd in c(0.5, 3, 6)) {
    r <- random_r(5, sd)
    r <- pmin(pmax(r, 1e-7), 1 - 1e-7)
    Q <- coupling_matrix(r)
    best <- quadprog::solve.QP(2 * Q + 1e-13 * diag(5), rep(0, 5), cbind(1, diag(5)),
                               c(1, rep(0, 5)), meq = 1)$solution
    p <- couple(r)
    expect_equal(sum(p * (Q %*% p)), sum(best * (Q %*% best)), tolerance = 1e-6)
    expect_equal(p, best, tolerance = 1e-4)
  })
})

test_that("consistent pairs give back their probabilities", {
  for (p in list(c(0.2, 0.3, 0.5), c(0.01, 0.09, 0.4, 0.5), c(1e-4, 0.3, 0.6999))) {
    expect_equal(couple(outer(p, p, function(a, b) a / (a + b))), p, tolerance = 1e-5)
  }
  expect_equal(couple(matrix(0.5, 6, 6)), rep(1 / 6, 6))
})

test_that("certain pairs and huge decision values stay finite", {
  models <- pairs_of(4)
  decision <- rbind(rep(1e300, 6), rep(-1e300, 6), c(1e300, -1e300, 1, -1, 1e5, -1e5), 0)
  p <- multikernel:::probability_cpp(decision, models, 4L)
  expect_true(all(is.finite(p)) && all(p >= 0) && all(p <= 1))
  expect_equal(rowSums(p), rep(1, 4))
  expect_equal(p[4, ], rep(0.25, 4))
  expect_identical(max.col(p[1:2, ]), c(4L, 1L))
})

test_that("two classes are one sigmoid, one against the rest is brought to sum one", {
  two <- list(list(positive = 1L, negative = 0L, platt = c(-2, 0.5)))
  f <- cbind(c(-40, -1, 0, 3, 800))
  p <- multikernel:::probability_cpp(f, two, 2L)
  expect_equal(p[, 2], plogis(2 * f[, 1] - 0.5))
  expect_equal(p[, 1], plogis(-2 * f[, 1] + 0.5))
  rest <- lapply(0:2, function(k) list(positive = k, negative = -1L, platt = c(-1, k / 2)))
  f <- rbind(c(1, 0, -1), c(-2, -2, 3), -800)
  raw <- plogis(f - rep(c(0, 0.5, 1), each = 3))
  p <- multikernel:::probability_cpp(f, rest, 3L)
  expect_equal(p[1:2, ], (raw / rowSums(raw))[1:2, ])
  expect_equal(sum(p[3, ]), 1)
})

# Whole fits ---------------------------------------------------------------------------------

test_that("rows sum to one and probabilities are calibrated", {
  with_seed(5, {
    n <- 800
    x <- matrix(rnorm(n * 2), n)
    truth <- plogis(2 * x[, 1] - x[, 2])
    y <- factor(rbinom(n, 1, truth))
    fit <- mkl(x[1:400, ], y[1:400], probability = TRUE, kernels = kernel_linear())
    p <- predict(fit, x[401:n, ], type = "prob")
  })
  expect_equal(rowSums(p), rep(1, 400), tolerance = 1e-14)
  expect_lt(mean(abs(p[, "1"] - truth[401:n])), 0.06)
  outcome <- y[401:n] == "1"
  expect_lt(mean((p[, "1"] - outcome)^2), 0.75 * mean((mean(outcome) - outcome)^2))
  bins <- cut(p[, "1"], c(0, 0.25, 0.5, 0.75, 1))
  expect_lt(max(abs(tapply(outcome, bins, mean) - tapply(p[, "1"], bins, mean))), 0.15)
})

test_that("several classes are calibrated in both reductions", {
  with_seed(6, {
    n <- 600
    x <- matrix(rnorm(n * 2), n)
    score <- exp(cbind(2 * x[, 1], 2 * x[, 2], 0))
    truth <- score / rowSums(score)
    y <- factor(apply(truth, 1, function(p) sample(c("a", "b", "c"), 1, prob = p)))
    for (multiclass in c("one_vs_one", "one_vs_rest")) {
      fit <- mkl(x[1:300, ], y[1:300], probability = TRUE, multiclass = multiclass,
                 kernels = kernel_rbf(2))
      p <- predict(fit, x[301:n, ], type = "prob")
      expect_equal(rowSums(p), rep(1, 300), tolerance = 1e-9)
      expect_true(all(p >= 0))
      expect_lt(mean(abs(p - truth[301:n, ])), 0.12)
      expect_gt(mean(levels(y)[max.col(p)] == predict(fit, x[301:n, ])), 0.85)
    }
  })
})
