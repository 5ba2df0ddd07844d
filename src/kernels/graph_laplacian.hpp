// Kernels between the nodes of a graph: functions of its Laplacian L = D - A, or of the normalized
// one, D^-1/2 L D^-1/2 (Smola & Kondor 2003).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../base/runtime.hpp"
#include "../base/state.hpp"

namespace mk {

struct WeightedGraph {
  Index nodes = 0;
  Indices from, to;  // of each edge, which is there once
  Vector weights;
};

// {nodes, from, to, weights}
WeightedGraph read_weighted_graph(const State& state);

// Rows of nodes without edges are 0.
Matrix graph_laplacian(const WeightedGraph& graph, bool normalized);

// f(L) = U f(Lambda) U' for each of some functions of the eigenvalues: the lower triangles, column
// by column (features/nodes.hpp).
std::vector<Vector> laplacian_functions(const WeightedGraph& graph, bool normalized,
                                        const std::vector<std::function<double(double)>>& functions,
                                        const Runtime& runtime);

// "diffusion": exp(-beta l), "laplacian_graph": 1 / (1 + beta l).
std::function<double(double)> spectral_function(const std::string& family, double beta);

}  // namespace mk
