// Diffusion kernel, exp(-beta L) (Kondor & Lafferty 2002), and regularized Laplacian,
// (I + beta L)^-1 (Smola & Kondor 2003), between the nodes of a graph.
#include "graph_laplacian.hpp"

#include <algorithm>
#include <cmath>

#include "../base/errors.hpp"
#include "../base/product.hpp"
#include "../base/symmetric_eigen.hpp"
#include "../features/nodes.hpp"
#include "registry.hpp"

namespace mk {

WeightedGraph read_weighted_graph(const State& state) {
  WeightedGraph graph{state.count("nodes", 1), state.indices("from"), state.indices("to"),
                      state.vector("weights")};
  if (graph.from.size() != graph.to.size() ||
      static_cast<Index>(graph.from.size()) != graph.weights.size())
    throw InvalidArgument("weights", "one for each edge", std::to_string(graph.weights.size()));
  for (const Indices* ends : {&graph.from, &graph.to})
    for (const Index node : *ends)
      if (node < 0 || node >= graph.nodes)
        throw InvalidArgument("from, to", "nodes from 1 to " + std::to_string(graph.nodes),
                              std::to_string(node + 1));
  if (!graph.weights.allFinite() || (graph.weights.array() < 0.0).any())
    throw InvalidArgument("weights", "finite non-negative numbers", "others");
  return graph;
}

Matrix graph_laplacian(const WeightedGraph& graph, bool normalized) {
  Matrix laplacian = Matrix::Zero(graph.nodes, graph.nodes);
  for (std::size_t e = 0; e < graph.from.size(); ++e) {
    const Index i = graph.from[e], j = graph.to[e];
    const double weight = graph.weights[static_cast<Index>(e)];
    laplacian(i, j) -= weight;
    if (i != j) laplacian(j, i) -= weight;
  }
  const Vector degrees = -laplacian.rowwise().sum();
  laplacian.diagonal() += degrees;
  if (!normalized) return laplacian;
  const Vector roots =
      degrees.unaryExpr([](double degree) { return degree > 0.0 ? 1.0 / std::sqrt(degree) : 0.0; });
  return roots.asDiagonal() * laplacian * roots.asDiagonal();
}

std::vector<Vector> laplacian_functions(const WeightedGraph& graph, bool normalized,
                                        const std::vector<std::function<double(double)>>& functions,
                                        const Runtime& runtime) {
  Matrix vectors = graph_laplacian(graph, normalized);
  if (!vectors.allFinite())
    throw InvalidArgument("weights", "of sums within the range of numbers", "larger ones");
  Vector values;
  symmetric_eigen(vectors, values, runtime);
  const Matrix turned = vectors.transpose();
  std::vector<Vector> out;
  for (const auto& f : functions) {
    // The Laplacian has no negative eigenvalues but by rounding.
    const Vector mapped = values.unaryExpr([&](double l) { return f(std::max(l, 0.0)); });
    const Matrix kernel = product(vectors * mapped.asDiagonal(), turned, runtime);
    out.emplace_back(PackedTriangle::size(graph.nodes));
    for (Index j = 0, from = 0; j < graph.nodes; from += graph.nodes - j, ++j)
      out.back().segment(from, graph.nodes - j) = kernel.col(j).tail(graph.nodes - j);
  }
  return out;
}

std::function<double(double)> spectral_function(const std::string& family, double beta) {
  if (!(beta > 0.0) || std::isinf(beta))
    throw InvalidArgument("beta", "a positive finite number", format_number(beta));
  if (family == "diffusion") return [beta](double l) { return std::exp(-beta * l); };
  if (family == "laplacian_graph") return [beta](double l) { return 1.0 / (1.0 + beta * l); };
  throw InvalidArgument("family", "\"diffusion\" or \"laplacian_graph\"", "\"" + family + "\"");
}

Factor make_node_kernel(const State& parameters) {
  Factor factor{{PairKind::dot}, make_identity_map()};
  factor.examples = make_node_map(parameters);
  return factor;
}

}  // namespace mk
