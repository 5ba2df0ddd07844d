network <- function(n = 9) {
  a <- matrix(0, n, n)
  edges <- cbind(c(1, 1, 2, 3, 4, 5, 5, 6, 7), c(2, 3, 3, 4, 5, 6, 7, 7, 8))
  a[edges] <- a[edges[, 2:1]] <- c(1, 2, 1, 0.5, 1, 1, 3, 1, 1)
  dimnames(a) <- rep(list(paste0("gene", seq_len(n))), 2)
  a # the last node has no edges
}

laplacian <- function(a, normalized) {
  degree <- rowSums(a)
  l <- diag(degree) - a
  if (!normalized) return(l)
  root <- ifelse(degree > 0, 1 / sqrt(degree), 0)
  l * outer(root, root)
}

# exp() of a matrix by its series: no eigenvalues.
exponential <- function(m) {
  m <- m / 2^10
  term <- total <- diag(nrow(m))
  for (k in 1:20) {
    term <- term %*% m / k
    total <- total + term
  }
  for (k in 1:10) total <- total %*% total
  total
}

test_that("kernel_diffusion() is the exponential of the Laplacian", {
  a <- network()
  nodes <- rownames(a)
  for (normalized in c(FALSE, TRUE)) {
    expected <- unname(exponential(-0.7 * laplacian(a, normalized)))
    k <- kernel_matrix(kernel_diffusion(a, 0.7, normalized), nodes)
    expect_equal(k, expected, tolerance = 1e-12)
    expect_identical(k, t(k))
    expect_psd(k)
    expect_equal(k[9, ], as.double(1:9 == 9))
  }
  some <- c(3, 7, 3, 9)
  expect_equal(
    kernel_matrix(kernel_diffusion(a, 0.7), nodes[some], nodes[c(8, 1)]),
    unname(exponential(-0.7 * laplacian(a, FALSE))[c(8, 1), some]), tolerance = 1e-12
  )
})

test_that("kernel_laplacian_graph() is the inverse of the regularized Laplacian", {
  a <- network()
  for (normalized in c(FALSE, TRUE)) {
    expected <- unname(solve(diag(9) + 1.5^2 * laplacian(a, normalized)))
    k <- kernel_matrix(kernel_laplacian_graph(a, 1.5, normalized), rownames(a))
    expect_equal(k, expected, tolerance = 1e-12)
    expect_psd(k)
  }
  expect_identical(
    kernel_matrix(kernel_laplacian_graph(a), rownames(a)),
    kernel_matrix(kernel_laplacian_graph(a, 1, TRUE), rownames(a))
  )
})

test_that("graphs come as dense and sparse matrices and from igraph", {
  a <- network()
  nodes <- rownames(a)
  k <- kernel_matrix(kernel_diffusion(a), nodes)
  looped <- a
  diag(looped)[2] <- 3 # cancels in D - A
  expect_equal(kernel_matrix(kernel_diffusion(looped), nodes), k, tolerance = 1e-12)
  one <- matrix(0, 1, 1, dimnames = list("a", "a"))
  expect_identical(kernel_matrix(kernel_diffusion(one), c("a", "a")), matrix(1, 2, 2))
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(a, sparse = TRUE)
  expect_identical(kernel_matrix(kernel_diffusion(sparse), nodes), k)
  expect_identical(kernel_matrix(kernel_diffusion(methods::as(sparse, "TsparseMatrix")), nodes), k)
  skip_if_not_installed("igraph")
  graph <- igraph::graph_from_adjacency_matrix(a, "undirected", weighted = TRUE)
  expect_identical(kernel_matrix(kernel_diffusion(graph), nodes), k)
  expect_mkl_error(
    kernel_diffusion(igraph::make_ring(3, directed = TRUE)), "directed", argument = "graph"
  )
  expect_mkl_error(kernel_diffusion(igraph::make_ring(3)), "name its nodes")
})

test_that("kernels of nodes work in fits, formulas, views and products", {
  a <- network()
  place <- c(1, 2, 4, 6, 7, 8)
  train <- rownames(a)[place]
  y <- factor(rep(c("left", "right"), each = 3))
  kernels <- kernel_diffusion(a, c(0.5, 1, 2))
  expect_length(unclass(kernels), 3L)
  expect_match(names(kernels), "diffusion\\(beta=")
  fit <- simplemkl(train, y, kernels = kernels)
  expect_identical(as.character(predict(fit, c("gene3", "gene5"))), c("left", "right"))
  data <- data.frame(gene = train, size = c(1, 3, 2, 4, 5, 4), y = y)
  by_formula <- simplemkl(y ~ diffusion(gene, graph = a, beta = c(0.5, 1, 2)), data)
  expect_equal(
    bare(predict(by_formula, data.frame(gene = "gene4"), type = "decision")),
    bare(predict(fit, "gene4", type = "decision"))
  )
  k <- unname(exponential(-laplacian(a, FALSE))[place, place])
  product <- kernel_product(kernel_diffusion(a, on = "gene"), kernel_linear(on = "size"))
  expect_equal(
    kernel_matrix(product, data[1:2]), k * outer(data$size, data$size), tolerance = 1e-12
  )
  v <- views(gene = replace(train, 2, NA), size = matrix(data$size))
  kernels <- list(gene = kernel_diffusion(a), size = kernel_linear())
  expect_equal(kernel_matrix(kernels, v)[[1]][2, ], rep(0, 6))
  both <- easymkl(v, y, kernels = kernels)
  expect_length(predict(both, views(size = matrix(1:2))), 2L)
  cosine <- kernel_matrix(kernel_diffusion(a, normalize = "cosine"), train)
  expect_equal(cosine, stats::cov2cor(k), tolerance = 1e-12)
})

test_that("kernels of nodes give the same bits on one thread and on four, after save and load", {
  n <- 150
  a <- matrix(0, n, n, dimnames = rep(list(paste0("n", 1:n)), 2))
  a[cbind(1:(n - 1), 2:n)] <- 1
  a[cbind(1:(n - 20), 21:n)] <- 0.5
  a <- a + t(a)
  values <- function(threads) {
    laplacian_functions_cpp(
      read_nodes(a)[c("nodes", "from", "to", "weights")], "diffusion", c(1, 2), TRUE,
      core_control(mkl_control(threads = threads))
    )
  }
  expect_identical(values(1), values(4))
  train <- paste0("n", seq(1, n, 5))
  y <- factor(seq(1, n, 5) > 75)
  fit <- easymkl(train, y, kernels = kernel_diffusion(a, c(1, 3)))
  file <- withr::local_tempfile()
  saveRDS(fit, file)
  new <- paste0("n", c(2, 40, 149))
  again <- readRDS(file)
  expect_identical(predict(again, new, type = "decision"), predict(fit, new, type = "decision"))
  damaged <- fit
  damaged$kernels[[1L]]$parameters$values[3] <- NA
  expect_mkl_error(predict(seal_fit(damaged), new))
  damaged <- fit
  damaged$kernels[[1L]]$parameters$nodes <- damaged$kernels[[1L]]$parameters$nodes[-1L]
  expect_mkl_error(predict(seal_fit(damaged), "n2"))
})

test_that("bad graphs, unknown nodes and parameters are errors", {
  a <- network()
  y <- factor(c("l", "l", "r", "r"))
  train <- rownames(a)[c(1, 2, 6, 7)]
  error <- expect_mkl_error(easymkl(c(train[1:3], "gen7"), y, kernels = kernel_diffusion(a)))
  expect_match(conditionMessage(error), "no node named \"gen7\", which case 4 is. Did you mean")
  fit <- easymkl(train, y, kernels = kernel_diffusion(a))
  expect_mkl_error(predict(fit, c("gene3", "other")), "\"other\", which case 2 is")
  expect_mkl_error(kernel_matrix(kernel_diffusion(a), train, ""), "node named")
  expect_mkl_error(kernel_matrix(kernel_diffusion(a), matrix(1:4, 2)))
  wrong <- function(change) expect_mkl_error(kernel_diffusion(change(a)), argument = "graph")
  wrong(function(a) unname(a))
  wrong(function(a) a[-1, ])
  wrong(function(a) a[-1, -2])
  wrong(function(a) replace(a, 2, 5))
  wrong(function(a) -a)
  wrong(function(a) replace(a, c(2, 10), NA))
  wrong(function(a) a[0, 0])
  wrong(function(a) as.data.frame(a))
  wrong(function(a) {
    rownames(a) <- NULL
    colnames(a)[2] <- "gene1"
    a
  })
  expect_mkl_error(kernel_diffusion(), argument = "graph")
  expect_mkl_error(kernel_diffusion(a, 0), argument = "beta")
  expect_mkl_error(kernel_diffusion(a, normalized = NA), argument = "normalized")
  expect_mkl_error(kernel_laplacian_graph(a, -1), argument = "sigma")
  expect_mkl_error(kernel_laplacian_graph(a, 1e-200), argument = "sigma")
})
