#' Weisfeiler-Lehman subtree kernel for graphs
#'
#' Similarity of graphs with labeled nodes, such as molecules, based on common patterns around
#' their nodes: the labels, the labels together with those of the neighbors, and so on.
#'
#' @details
#' In each of `h` rounds every node gets a new label, which encodes its previous label and the
#' sorted labels of its neighbors. With \eqn{c_{t,s}(G)} the number of nodes of G that have label
#' s after round t,
#' \deqn{k(G, H) = \sum_{t=0}^{h} \sum_s c_{t,s}(G)\, c_{t,s}(H)}{k(G, H) = sum over the rounds
#'   t = 0, ..., h and the labels s of c_ts(G) c_ts(H)}
#' (Shervashidze et al. 2011). The counts are stored as a sparse vector for each graph, so that
#' time and memory grow with the number of nodes and edges. New labels are hash values (128 bits
#' of SHA-256) of the pattern: the same pattern has the same label in all graphs, including new
#' ones.
#'
#' The graphs are the elements of a list. Each is an undirected graph of the package igraph, whose
#' vertex attribute `label` is used, or `list(adjacency = , labels = )` with a symmetric matrix,
#' dense or of the package Matrix, whose entries other than 0 are edges. Weights of edges are not
#' used. A loop makes a node its own neighbor. In graphs without labels all nodes have the same
#' label; the first round then distinguishes nodes by their degrees. A graph without nodes has the
#' similarity 0 to every graph, including itself.
#'
#' # Choosing parameters
#' `h` from 1 to 5; larger values add patterns that occur in one graph only. With several values
#' the learner selects or weights them. `normalize = "cosine"`, the default for views of graphs
#' without specified kernels, removes the effect of the size of the graphs.
#'
#' @param h Number of relabeling rounds, the maximum depth of the patterns: a non-negative
#'   integer, or several (one kernel each).
#' @inheritParams kernel_linear
#' @inherit kernel_linear return
#' @references
#' Shervashidze, N., Schweitzer, P., van Leeuwen, E. J., Mehlhorn, K. and Borgwardt, K. M. (2011).
#' Weisfeiler-Lehman graph kernels. *Journal of Machine Learning Research* 12, 2539-2561.
#' @family kernels
#' @examples
#' ring <- function(n) {
#'   a <- matrix(0, n, n)
#'   a[cbind(1:n, c(2:n, 1))] <- a[cbind(c(2:n, 1), 1:n)] <- 1
#'   list(adjacency = a, labels = rep(c("C", "N"), length.out = n))
#' }
#' chain <- function(n) {
#'   graph <- ring(n)
#'   graph$adjacency[1, n] <- graph$adjacency[n, 1] <- 0
#'   graph
#' }
#' graphs <- list(ring(4), ring(6), chain(4), chain(6))
#' round(kernel_matrix(kernel_subtree(3, normalize = "cosine"), graphs), 2)
#'
#' fit <- easymkl(graphs, factor(c("ring", "ring", "chain", "chain")),
#'                kernels = kernel_subtree(0:3, normalize = "cosine"))
#' predict(fit, list(ring(8), chain(8)))
#' @export
kernel_subtree <- function(h = 3, on = NULL, normalize = NULL, ...) {
  check_dots(...)
  h <- check_numbers(h, "h", 0, 1000, whole = TRUE)
  new_kernel("subtree", list(h = h), on, normalize, reads = "graphs")
}
