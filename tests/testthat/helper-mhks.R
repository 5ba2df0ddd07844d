# MultiK-MHKS as table 1 of Wang, Chen and Sun (2008) writes it: the matrices Y_l of mapped rows and
# labels, and the inverse of equation (9).
plain_mhks <- function(kernels, y, c = 1 / 16, lambda = 1 / 16, rho = 0.99, margin = 1e-6,
                       tol = 1e-3) {
  n <- length(y)
  m <- length(kernels)
  maps <- lapply(kernels, function(K) {
    e <- eigen(K, symmetric = TRUE)
    keep <- e$values > 1e-10 * e$values[1]
    sweep(e$vectors[, keep, drop = FALSE], 2, sqrt(e$values[keep]), "/")
  })
  Y <- Map(function(K, map) y * cbind(K %*% map, 1), kernels, maps)
  w <- lapply(Y, function(Y) c(rep(0, ncol(Y) - 1), 1))
  b <- rep(list(rep(margin, n)), m)
  inverse <- lapply(Y, function(Y) {
    identity <- diag(c(rep(1, ncol(Y) - 1), 0))
    solve((1 + lambda * (m - 1) / m) * crossprod(Y) + c * identity)
  })
  solve_view <- function(l) {
    others <- Reduce(`+`, Map(`%*%`, Y[-l], w[-l]), 0)
    drop(inverse[[l]] %*% crossprod(Y[[l]], b[[l]] + 1 + lambda / m * others))
  }
  value <- function() {
    outputs <- mapply(`%*%`, Y, w)
    norms <- vapply(w, function(w) sum(w[-length(w)]^2), 0)
    sum((outputs - 1 - do.call(cbind, b))^2) + c * sum(norms) +
      lambda * sum((outputs - rowMeans(outputs))^2)
  }
  w[[1]] <- solve_view(1)
  path <- value()
  repeat {
    for (l in seq_len(m)) {
      e <- drop(Y[[l]] %*% w[[l]]) - b[[l]] - 1
      b[[l]] <- b[[l]] + rho * (e + abs(e))
      w[[l]] <- solve_view(l)
    }
    path <- c(path, value())
    if (abs(diff(utils::tail(path, 2))) <= tol) break
  }
  predict <- function(blocks) {
    rowMeans(mapply(function(K, map, w) cbind(K %*% map, 1) %*% w, blocks, maps, w))
  }
  list(path = path, decision = predict(kernels), predict = predict, w = w, b = b, Y = Y)
}
