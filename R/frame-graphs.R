# Graphs with labels of their nodes: objects of igraph, or list(adjacency, labels). As raw data
#   nodes     their number
#   labels    of the nodes; not there if they have none
#   from, to  the nodes of each edge, as positions; an edge is there once

read_one_graph <- function(x, failed) {
  drawn <- inherits(x, "igraph")
  graph <- if (drawn) read_igraph(x, failed) else read_adjacency(x$adjacency, failed)
  labels <- if (drawn) igraph::V(x)$label else x$labels
  out <- list(nodes = as.double(graph$nodes), from = graph$from, to = graph$to)
  if (is.null(labels)) return(out)
  labels <- plain_text(as.character(labels))
  if (length(labels) != graph$nodes) {
    failed("has ", plural(graph$nodes, "node"), ", but ", plural(length(labels), "label"), ".")
  }
  if (anyNA(labels)) failed("has no label for node ", which(is.na(labels))[1L], ".")
  c(out, list(labels = labels))
}

# list(nodes, from, to, weights, names) of an undirected graph; edges in the lower triangle, each
# once.
read_adjacency <- function(x, failed) {
  sparse <- inherits(x, "sparseMatrix")
  if (!sparse && inherits(x, "Matrix")) x <- as.matrix(x)
  if (!sparse && !(is.matrix(x) && (is.numeric(x) || is.logical(x)))) {
    failed("must have a numeric matrix as adjacency matrix, not ", describe(x), ".")
  }
  if (nrow(x) != ncol(x)) {
    failed("has an adjacency matrix of ", nrow(x), " x ", ncol(x), ", which must be square.")
  }
  names <- rownames(x) %||% colnames(x)
  x <- if (sparse) sparse_features(x) else sparse_entries(unname(x))
  entries <- list(i = x$positions, j = entry_columns(x), x = x$values)
  if (!all(is.finite(entries$x))) {
    failed("has a missing or infinite value in its adjacency matrix.")
  }
  if (any(entries$x < 0)) failed("has a negative value in its adjacency matrix.")
  entries <- lapply(entries, `[`, entries$x != 0)
  if (!is_mirrored(entries)) {
    failed("has an adjacency matrix that is not symmetric; use pmax(A, t(A)) to ignore directions.")
  }
  lower <- entries$i >= entries$j
  list(
    nodes = nrow(x), from = entries$i[lower], to = entries$j[lower], weights = entries$x[lower],
    names = names
  )
}

# `entries`: list(i, j, x), column by column.
is_mirrored <- function(entries) {
  one <- order(entries$i, entries$j)
  other <- order(entries$j, entries$i)
  identical(entries$i[one], entries$j[other]) && identical(entries$j[one], entries$i[other]) &&
    identical(entries$x[one], entries$x[other])
}

read_igraph <- function(x, failed) {
  if (!requireNamespace("igraph", quietly = TRUE)) failed("needs the package igraph.")
  if (igraph::is_directed(x)) {
    failed("is a directed graph; igraph::as.undirected() ignores directions.")
  }
  weighted <- "weight" %in% igraph::edge_attr_names(x)
  adjacency <- igraph::as_adjacency_matrix(x, attr = if (weighted) "weight", sparse = FALSE)
  read_adjacency(adjacency, failed)
}
