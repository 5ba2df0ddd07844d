# Random but fixed graphs of 3 to 9 nodes with labels.
molecules <- function(n = 10) {
  lapply(seq_len(n), function(i) {
    size <- 3 + (i * 4) %% 7
    a <- outer(seq_len(size), seq_len(size), function(u, v) {
      as.numeric(abs(u - v) == 1 | (u * v + i) %% 5 == 0 & abs(u - v) > 1)
    })
    list(adjacency = a, labels = c("C", "N", "O")[(seq_len(size) * i) %% 3 + 1])
  })
}

# Labels as text that is not compressed: counts of all of them.
subtree_counts <- function(graph, h) {
  n <- nrow(graph$adjacency)
  labels <- as.character(graph$labels %||% rep("", n))
  all <- paste("0:", labels, recycle0 = TRUE)
  for (t in seq_len(h)) {
    labels <- vapply(seq_len(n), function(v) {
      near <- sort(labels[graph$adjacency[v, ] != 0], method = "radix")
      paste0("(", labels[v], "|", paste(near, collapse = ","), ")")
    }, "")
    all <- c(all, paste0(t, ":", labels, recycle0 = TRUE))
  }
  table(all)
}

subtree_matrix <- function(x, z = x, h) {
  counts <- function(set) lapply(set, subtree_counts, h)
  x <- counts(x)
  z <- counts(z)
  value <- function(a, b) {
    both <- intersect(names(a), names(b))
    sum(as.numeric(a[both]) * as.numeric(b[both]))
  }
  matrix(unlist(lapply(x, function(b) lapply(z, value, b))), length(z))
}

test_that("kernel_subtree() is the product of counts of labels", {
  x <- molecules()
  z <- molecules(14)[11:14]
  for (h in c(0, 1, 3)) {
    k <- kernel_matrix(kernel_subtree(h), x)
    expect_identical(k, subtree_matrix(x, x, h))
    expect_psd(k)
    expect_identical(kernel_matrix(kernel_subtree(h), x, z), subtree_matrix(x, z, h))
  }
  expect_equal(
    kernel_matrix(kernel_subtree(2, normalize = "cosine"), x),
    stats::cov2cor(subtree_matrix(x, x, 2)), tolerance = 1e-14
  )
})

test_that("the order of the nodes does not matter", {
  x <- molecules(4)
  turned <- lapply(x, function(graph) {
    place <- rev(seq_along(graph$labels))
    list(adjacency = graph$adjacency[place, place], labels = graph$labels[place])
  })
  expect_identical(
    kernel_matrix(kernel_subtree(3), turned), kernel_matrix(kernel_subtree(3), x)
  )
})

test_that("isolated nodes, loops, missing labels and empty graphs", {
  alone <- list(adjacency = matrix(0, 2, 2), labels = c("a", "b"))
  loop <- list(adjacency = diag(c(1, 0)), labels = c("a", "b"))
  plain <- list(adjacency = matrix(c(0, 1, 1, 1, 0, 0, 1, 0, 0), 3))
  empty <- list(adjacency = matrix(0, 0, 0), labels = character())
  weighted <- plain
  weighted$adjacency <- 7 * weighted$adjacency
  x <- list(alone, loop, plain, empty, weighted)
  k <- kernel_matrix(kernel_subtree(2), x)
  expect_identical(k, subtree_matrix(x, x, 2))
  expect_identical(k[4, ], rep(0, 5))
  expect_identical(k[5, ], k[3, ])
  cosine <- kernel_matrix(kernel_subtree(2, normalize = "cosine"), x)
  expect_equal(cosine[-4, -4], stats::cov2cor(k[-4, -4]), tolerance = 1e-14)
  expect_identical(cosine[4, ], rep(0, 5))
  # without labels the first round counts degrees
  degree <- plain
  degree$labels <- rowSums(plain$adjacency)
  expect_identical(
    kernel_matrix(kernel_subtree(1), list(plain)) - 9,
    kernel_matrix(kernel_subtree(0), list(degree))
  )
})

test_that("graphs come as dense and sparse matrices and from igraph", {
  x <- molecules(5)
  k <- kernel_matrix(kernel_subtree(2), x)
  skip_if_not_installed("Matrix")
  sparse <- lapply(x, function(graph) {
    graph$adjacency <- Matrix::Matrix(graph$adjacency, sparse = TRUE)
    graph
  })
  expect_identical(kernel_matrix(kernel_subtree(2), sparse), k)
  skip_if_not_installed("igraph")
  drawn <- lapply(x, function(graph) {
    out <- igraph::graph_from_adjacency_matrix(graph$adjacency, "undirected")
    igraph::set_vertex_attr(out, "label", value = graph$labels)
  })
  expect_identical(kernel_matrix(kernel_subtree(2), drawn), k)
})

test_that("graphs work in every form of data", {
  x <- molecules(16)
  y <- factor(ifelse(vapply(x, function(g) sum(g$labels == "C"), 0) > 1, "some", "few"))
  kernels <- kernel_subtree(0:2, normalize = "cosine")
  by_list <- easymkl(x, y, kernels = kernels)
  by_views <- easymkl(views(g = x), y, kernels = kernels)
  data <- data.frame(y = y, size = seq_along(x))
  data$g <- x
  by_formula <- easymkl(y ~ subtree(g, h = 0:2, normalize = "cosine"), data)
  new <- molecules(20)[17:20]
  data_new <- data.frame(size = 1:4)
  data_new$g <- new
  decision <- bare(predict(by_list, new, type = "decision"))
  expect_equal(bare(predict(by_views, views(g = new), type = "decision")), decision)
  expect_equal(bare(predict(by_formula, data_new, type = "decision")), decision)
  lacking <- x
  lacking[3] <- list(NULL)
  both <- views(g = lacking, size = matrix(seq_along(x)))
  fit <- easymkl(both, y) # default kernels
  expect_match(names(kernel_weights(fit)), "^g.subtree|^size", all = TRUE)
  expect_length(predict(fit, views(size = matrix(1:2))), 2L)
  both_kernels <- list(g = kernel_subtree(1), size = kernel_linear())
  expect_true(all(kernel_matrix(both_kernels, both)[[1]][3, ] == 0))
  file <- withr::local_tempfile()
  saveRDS(by_list, file)
  expect_identical(bare(predict(readRDS(file), new, type = "decision")), decision)
  threads <- function(n) kernel_matrix(kernels, x, control = mkl_control(threads = n))
  expect_identical(threads(1), threads(4))
})

test_that("bad graphs and parameters are errors that name the case", {
  x <- molecules(3)
  wrong <- function(change, pattern) {
    x[[2]] <- change(x[[2]])
    error <- expect_mkl_error(kernel_matrix(kernel_subtree(1), x), argument = "x")
    expect_match(conditionMessage(error), paste0("Case 2 of `x` .*", pattern))
  }
  put <- function(field, value) {
    function(graph) {
      graph[[field]] <- value(graph[[field]])
      graph
    }
  }
  wrong(put("labels", function(l) l[-1]), "nodes, but .* labels")
  wrong(put("labels", function(l) replace(l, 3, NA)), "no label for node 3")
  wrong(put("adjacency", function(a) replace(a, 2, 9)), "not symmetric")
  wrong(put("adjacency", function(a) replace(a, 1, NA)), "missing or infinite")
  wrong(put("adjacency", function(a) -a), "negative")
  wrong(put("adjacency", function(a) a[-1, ]), "square")
  wrong(put("adjacency", function(a) "A"), "numeric matrix")
  expect_mkl_error(kernel_matrix(kernel_subtree(1), diag(3)), "needs graphs", "x")
  expect_mkl_error(kernel_matrix(kernel_rbf(1), x))
  expect_mkl_error(kernel_subtree(-1), argument = "h")
  expect_mkl_error(kernel_subtree(1.5), argument = "h")
  fit <- easymkl(x, factor(c("a", "b", "b")), kernels = kernel_subtree(1))
  expect_mkl_error(predict(fit, list(1:3)), argument = "newdata")
  damaged <- fit
  damaged$train$values[[1L]]$from[1L] <- 99L
  expect_mkl_error(predict(seal_fit(damaged), x))
})
