// Nodes of one graph, named by text, and a kernel between all of its nodes that is known.
#pragma once

#include "../base/state.hpp"
#include "feature_map.hpp"

namespace mk {

// A symmetric matrix: its lower triangle, column by column.
class PackedTriangle {
 public:
  PackedTriangle(Index n, Vector values) : n_(n), values_(std::move(values)) {}
  static Index size(Index n) { return n * (n + 1) / 2; }

  double operator()(Index i, Index j) const {
    const Index column = std::min(i, j), row = std::max(i, j);
    return values_[column * n_ - column * (column - 1) / 2 + row - column];
  }

 private:
  Index n_;
  Vector values_;
};

// From text to the nodes of that name; the sums over pairs are the values of the kernel. The
// sums of an example that lacks the view are 0.
// {nodes: their names, values: the lower triangle of the kernel between them}
SharedFeatureMap make_node_map(const State& parameters);

}  // namespace mk
