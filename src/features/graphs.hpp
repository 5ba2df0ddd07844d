// Undirected graphs whose nodes may have labels.
#pragma once

#include <vector>

#include "../base/state.hpp"
#include "raw.hpp"

namespace mk {

struct LabelledGraph {
  Texts labels;                    // one for each node
  std::vector<Indices> neighbors;  // of each node, each once

  Index nodes() const { return static_cast<Index>(labels.size()); }
};

class Graphs final : public RawFeatures {
 public:
  explicit Graphs(std::vector<LabelledGraph> graphs) : graphs_(std::move(graphs)) {}

  const char* type() const override { return "graphs"; }
  const char* what() const override { return "graphs"; }
  Index rows() const override { return static_cast<Index>(graphs_.size()); }
  const LabelledGraph& graph(Index row) const { return graphs_[at(row)]; }

 private:
  std::vector<LabelledGraph> graphs_;
};

// {type: "graphs", values: list of {nodes: their number, from, to: of the edges, labels:
// optional}}; nodes without labels have empty ones.
SharedFeatures make_graphs(const State& state);

}  // namespace mk
