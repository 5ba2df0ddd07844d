# Kernels between the nodes of one graph. The constructor computes the kernel of all nodes; an item
# holds it in `constants`, for the core.

#' Diffusion kernel between nodes of a graph
#'
#' Similarity of cases that are nodes of a network, such as genes, proteins or people, based on
#' diffusion along the edges. Nodes are similar if many short paths connect them.
#'
#' @details
#' \deqn{k(u, v) = [\exp(-\beta L)]_{uv}, \qquad L = D - A}{k(u, v) = exp(-beta L)[u, v],
#'   L = D - A}
#' with the adjacency matrix \eqn{A} (edges may have weights) and the diagonal matrix \eqn{D} of its
#' row sums (Kondor & Lafferty 2002). With `normalized = TRUE` it is
#' \eqn{D^{-1/2} L D^{-1/2}}{D^(-1/2) L D^(-1/2)} in place of L (Smola & Kondor 2003), which
#' prevents faster diffusion from nodes with many edges. A node without edges is similar only to
#' itself.
#'
#' The cases are names of nodes: a character vector, a view or a column of text. New cases can be
#' any nodes of the graph, including nodes that are not in the training data; other names raise an
#' error. The kernel between all nodes is computed once, when the kernel is defined, from the
#' eigenvalues of the Laplacian, which takes seconds for 2000 nodes. It is stored in the kernel
#' and in fits, as n (n + 1) / 2 numbers for n nodes and each `beta`.
#'
#' # Choosing parameters
#' With small `beta` nodes are similar only to themselves; with large `beta` all nodes of a
#' connected component are similar. Values around 1 divided by the mean degree reach the direct
#' neighbors; with `normalized = TRUE` values from 0.5 to 5 are reasonable. With several values
#' the learner selects or weights them. `normalize = "cosine"` removes the larger self-similarity
#' of nodes with few edges.
#'
#' @param graph The graph: a symmetric adjacency matrix with names of the nodes as row names
#'   (dense, or a sparse one of the package Matrix), or an undirected graph of the package igraph
#'   whose nodes have names. Entries of the matrix, or the edge attribute `weight`, are
#'   non-negative weights.
#' @param beta Diffusion time; larger values make more distant nodes similar: a positive number,
#'   or several (one kernel each).
#' @param normalized Whether the Laplacian is normalized by the degrees.
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Kondor, R. I. and Lafferty, J. (2002). Diffusion kernels on graphs and other discrete input
#' spaces. In *Proceedings of the 19th International Conference on Machine Learning*, 315-322.
#'
#' Smola, A. J. and Kondor, R. (2003). Kernels and regularization on graphs. In *Learning Theory and
#' Kernel Machines*, 144-158. Springer.
#' @family kernels
#' @examples
#' # a chain of six nodes
#' chain <- matrix(0, 6, 6, dimnames = list(letters[1:6], letters[1:6]))
#' chain[cbind(1:5, 2:6)] <- chain[cbind(2:6, 1:5)] <- 1
#' round(kernel_matrix(kernel_diffusion(chain, beta = 1), letters[1:4]), 2)
#'
#' fit <- easymkl(c("a", "b", "e", "f"), factor(c("left", "left", "right", "right")),
#'                kernels = kernel_diffusion(chain, beta = c(0.5, 2)))
#' predict(fit, c("c", "d"))
#' @export
kernel_diffusion <- function(graph, beta = 1, normalized = FALSE, on = NULL, normalize = NULL,
                             ...) {
  check_dots(...)
  beta <- check_numbers(beta, "beta", 0, open = c(TRUE, FALSE))
  node_kernel("diffusion", graph, list(beta = beta), beta, normalized, on, normalize)
}

#' Regularized Laplacian kernel between nodes of a graph
#'
#' Similarity of cases that are nodes of a network. Its tails are longer than those of
#' [kernel_diffusion()]: distant nodes of a connected graph keep some similarity.
#'
#' @details
#' \deqn{k(u, v) = [(I + \sigma^2 \tilde L)^{-1}]_{uv}, \qquad
#'   \tilde L = D^{-1/2} (D - A) D^{-1/2}}{k(u, v) = (I + sigma^2 L)^(-1)[u, v],
#'   L = D^(-1/2) (D - A) D^(-1/2)}
#' (Smola & Kondor 2003, table 1) with the adjacency matrix \eqn{A} and the diagonal matrix \eqn{D}
#' of its row sums; with `normalized = FALSE` \eqn{L = D - A} takes the place of \eqn{\tilde L}{the
#' normalized L}. A node without edges is similar only to itself. For the cases, new cases and the
#' memory see [kernel_diffusion()].
#'
#' # Choosing parameters
#' Like `beta` of [kernel_diffusion()], a larger `sigma` makes more distant nodes similar. The
#' eigenvalues of the normalized Laplacian are between 0 and 2, so that values from 0.5 to 5 are
#' reasonable for every graph.
#'
#' @param sigma Range of the similarity; larger values make more distant nodes similar: a positive
#'   number, or several (one kernel each).
#' @inheritParams kernel_diffusion
#' @inherit kernel_linear return
#' @references
#' Smola, A. J. and Kondor, R. (2003). Kernels and regularization on graphs. In *Learning Theory and
#' Kernel Machines*, 144-158. Springer.
#' @family kernels
#' @examples
#' ring <- matrix(0, 5, 5, dimnames = list(letters[1:5], letters[1:5]))
#' ring[cbind(1:5, c(2:5, 1))] <- ring[cbind(c(2:5, 1), 1:5)] <- 1
#' round(kernel_matrix(kernel_laplacian_graph(ring, sigma = 1), letters[1:5]), 2)
#' @export
kernel_laplacian_graph <- function(graph, sigma = 1, normalized = TRUE, on = NULL,
                                   normalize = NULL, ...) {
  check_dots(...)
  sigma <- check_numbers(sigma, "sigma", 0, open = c(TRUE, FALSE))
  node_kernel("laplacian_graph", graph, list(sigma = sigma), sigma^2, normalized, on, normalize)
}

# `beta`: for each value of the parameter the number that the core takes.
node_kernel <- function(family, graph, parameters, beta, normalized, on, normalize) {
  normalized <- check_flag(normalized, "normalized")
  if (any(!is.finite(beta) | beta == 0)) {
    stop_mkl(
      "argument_error", names(parameters), "`", names(parameters), "` is beyond the range of ",
      "numbers when it is squared."
    )
  }
  graph <- read_nodes(graph)
  values <- laplacian_functions_cpp(
    graph[c("nodes", "from", "to", "weights")], family, beta, normalized,
    core_control(mkl_control())
  )
  items <- unclass(new_kernel(family, parameters, on, normalize, reads = "strings"))
  for (m in seq_along(items)) {
    items[[m]]$constants <- list(nodes = graph$names, values = values[[m]])
  }
  new_kernels(items)
}

# A graph whose nodes have names.
read_nodes <- function(graph) {
  if (missing(graph)) stop_mkl("argument_error", "graph", "The argument `graph` is missing.")
  failed <- function(...) stop_mkl("argument_error", "graph", "`graph` ", ...)
  drawn <- inherits(graph, "igraph")
  if (!drawn) {
    if (!is.matrix(graph) && !inherits(graph, "Matrix")) {
      stop_must("graph", "an adjacency matrix or a graph of the package igraph", graph)
    }
    if (length(unique(Filter(Negate(is.null), unname(dimnames(graph))))) > 1L) {
      failed("has other names for its rows than for its columns.")
    }
  }
  graph <- if (drawn) read_igraph(graph, failed) else read_adjacency(graph, failed)
  if (graph$nodes == 0L) failed("must have at least one node, not none.")
  if (is.null(graph$names)) {
    failed("must name its nodes: the cases are names of nodes. Give its rows names.")
  }
  graph$names <- plain_text(graph$names)
  if (anyNA(graph$names) || !all(nzchar(graph$names))) failed("has a node with an empty name.")
  check_unique_names(graph$names, "graph", "node")
  graph$nodes <- as.double(graph$nodes)
  graph
}

# Cases that are no nodes of the graph of an item.
check_nodes <- function(item, x, label) {
  nodes <- c(item$constants, as.list(item$parameters))$nodes
  if (is.null(nodes)) return(invisible())
  odd <- which(!x$values %in% nodes)
  if (length(odd)) {
    found <- x$values[odd[1L]]
    stop_kernel(
      item$name, "has no node named ", describe(found), ", which ", label(odd[1L]), " is.",
      did_you_mean(found, nodes)
    )
  }
}
