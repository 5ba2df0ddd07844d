# Convex multiple kernel learning written out in R: J(d), its forms S_m, and kernels to try it on.

convex_learners <- function(cost = 1, gap = 1e-4, ...) {
  list(
    newton = learner_simplemkl(cost, gap, ...),
    gradient = learner_simplemkl(cost, gap, direction = "gradient", ...),
    silpmkl = learner_silpmkl(cost, gap, ...), levelmkl = learner_levelmkl(cost, gap, ...),
    glmkl = learner_glmkl(cost, gap, ...)
  )
}

# max_a sum(a) - 1/2 a'YKYa by quadprog. The ridge keeps its factorisation alive.
svm_value <- function(k, y, cost) {
  n <- length(y)
  q <- outer(y, y) * k + diag(1e-9, n)
  solved <- quadprog::solve.QP(
    q, rep(1, n), cbind(y, diag(n), -diag(n)), c(rep(0, n + 1), rep(-cost, n)), meq = 1
  )
  -solved$value
}

# The same for the squared hinge: max_a sum(a) - 1/2 a'Y(K + R)Ya with R = diag(1 / (2 costs)).
squared_hinge_dual <- function(k, y, costs) {
  n <- length(y)
  solved <- quadprog::solve.QP(
    outer(y, y) * k + diag(1 / (2 * costs), n), rep(1, n), cbind(y, diag(n)), numeric(n + 1),
    meq = 1
  )
  list(value = -solved$value, a = solved$solution)
}

combine <- function(matrices, d) Reduce(`+`, Map(`*`, matrices, d))

# The signed coefficients of a fit on all training rows.
signed_coefficients <- function(fit, n = nobs(fit)) {
  b <- numeric(n)
  b[support(fit)] <- fit$models[[1]]$state$coefficients
  b
}

quadratic_forms <- function(matrices, b) vapply(matrices, function(k) sum(b * (k %*% b)), 0)

# Kernels of different worth on the columns of x, as matrices of trace n.
few_matrices <- function(x, count = 3) {
  kernels <- c(
    kernel_rbf(sigma = 1, on = 1:2), kernel_linear(), kernel_rbf(sigma = 3),
    kernel_polynomial(2), kernel_rbf(sigma = 0.3), kernel_laplacian(sigma = 2, on = 1)
  )
  lapply(kernel_matrix(kernels[seq_len(count)], x, normalize = "trace"), unname)
}

# Bounds that the coefficients of a two-class fit give, whatever its report says: of J at its
# weights from above, by the primal problem, and of the least J from below, by the largest form.
bounds_of <- function(fit, matrices, y, cost) {
  b <- signed_coefficients(fit)
  output <- drop(combine(matrices, coef(fit)) %*% b)
  loss <- pmax(1 - y * (output + fit$models[[1]]$state$bias), 0)
  c(
    above = sum(b * output) / 2 + cost * sum(loss),
    below = sum(y * b) - max(quadratic_forms(matrices, b)) / 2
  )
}

# Several learners on the same rows and Gaussian kernels of these widths, each from the one before.
fit_in_turn <- function(x, y, learners, gamma) {
  problem <- list(task = "classification", y = as.double(y) - 1,
                  classes = 2,
                  weights = rep(1, nrow(x)), multiclass = "one_vs_one", probability = FALSE)
  kernels <- lapply(gamma, function(g) {
    list(family = "rbf", parameters = list(gamma = g), name = "k", normalize = "trace")
  })
  path <- list(name = learners[[1]]$name, points = lapply(learners, function(l) l$parameters))
  out <- multikernel:::fit_cpp(x, problem, kernels, path, core())
  lapply(out$models, function(models) models[[1]])
}

# Two classes that overlap, the rarer one with this share, and how well a fit tells them apart.
rare_rows <- function(n, seed, share = 0.07, p = 6) {
  set.seed(seed)
  y <- factor(rep(c("yes", "no"), c(round(share * n), n - round(share * n))))
  x <- matrix(stats::rnorm(n * p), n)
  x[y == "yes", 1:2] <- x[y == "yes", 1:2] + 1.6
  list(x = x, y = y)
}

balanced_accuracy <- function(fit, rows) {
  right <- predict(fit, rows$x) == rows$y
  mean(tapply(right, rows$y, mean))
}
