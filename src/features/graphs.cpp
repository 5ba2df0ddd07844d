#include "graphs.hpp"

#include "../base/errors.hpp"

namespace mk {

namespace {

LabelledGraph read_graph(const State& state, const std::string& example) {
  const Index nodes = state.count("nodes", 0);
  LabelledGraph graph;
  graph.labels = state.has("labels") ? state.texts("labels") : Texts(at(nodes));
  if (graph.nodes() != nodes)
    throw InvalidArgument("labels", "one for each of " + std::to_string(nodes) + " nodes",
                          std::to_string(graph.nodes()) + example);
  graph.neighbors.resize(at(nodes));
  const Indices &from = state.indices("from"), &to = state.indices("to");
  if (from.size() != to.size())
    throw InvalidArgument("to", "of length " + std::to_string(from.size()),
                          "of length " + std::to_string(to.size()) + example);
  for (std::size_t e = 0; e < from.size(); ++e) {
    for (const Index node : {from[e], to[e]})
      if (node < 0 || node >= nodes)
        throw InvalidArgument("from, to", "nodes from 1 to " + std::to_string(nodes),
                              std::to_string(node + 1) + example);
    graph.neighbors[at(from[e])].push_back(to[e]);
    if (from[e] != to[e]) graph.neighbors[at(to[e])].push_back(from[e]);
  }
  return graph;
}

}  // namespace

SharedFeatures make_graphs(const State& state) {
  std::vector<LabelledGraph> graphs;
  for (const State& one : state.list("values"))
    graphs.push_back(read_graph(one, " in example " + std::to_string(graphs.size() + 1)));
  return std::make_shared<Graphs>(std::move(graphs));
}

}  // namespace mk
