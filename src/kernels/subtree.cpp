// Weisfeiler-Lehman subtree kernel of graphs (Shervashidze et al. 2011):
//   k(G, H) = sum over the rounds 0, ..., h, and over all labels, of their counts in G and in H.
// In each round the new label of a node stands for its label and the sorted labels of its
// neighbors.
//
// Labels are compressed by SHA-256, of which 128 bits are kept, in place of a dictionary: the same
// neighborhood has the same label in all graphs, also in those that come later.
#include <algorithm>
#include <array>

#include "../base/sha256.hpp"
#include "../features/graphs.hpp"
#include "../features/word_counts.hpp"
#include "registry.hpp"

namespace mk {

namespace {

// Labels are words of 16 bytes.
using Label = std::array<std::uint64_t, 2>;
const WordShape label_shape(16, 256);

// `kind` keeps texts apart from neighborhoods.
Label compress(char kind, const void* bytes, std::size_t size) {
  std::string text(1, kind);
  text.append(static_cast<const char*>(bytes), size);
  const std::string digest =
      sha256(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return {std::stoull(digest.substr(0, 16), nullptr, 16),
          std::stoull(digest.substr(16, 16), nullptr, 16)};
}

std::vector<Label> next_round(const LabelledGraph& graph, const std::vector<Label>& labels) {
  std::vector<Label> next, parts;
  for (Index node = 0; node < graph.nodes(); ++node) {
    parts.assign(1, labels[at(node)]);
    for (const Index other : graph.neighbors[at(node)]) parts.push_back(labels[at(other)]);
    std::sort(parts.begin() + 1, parts.end());
    next.push_back(compress('n', parts.data(), parts.size() * sizeof(Label)));
  }
  return next;
}

WordBag::Tally count_labels(const LabelledGraph& graph, Index rounds, const Runtime& runtime) {
  std::vector<Label> labels, all;
  for (const std::string& text : graph.labels)
    labels.push_back(compress('t', text.data(), text.size()));
  all = labels;
  for (Index round = 0; round < rounds; ++round) {
    runtime.check_interrupt();
    labels = next_round(graph, labels);
    all.insert(all.end(), labels.begin(), labels.end());
  }
  std::sort(all.begin(), all.end());
  WordBag::Tally tally;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || all[k] != all[k - 1]) {
      tally.words.insert(tally.words.end(), all[k].begin(), all[k].end());
      tally.counts.push_back(0.0);
    }
    tally.counts.back() += 1.0;
  }
  return tally;
}

class SubtreeMap final : public FeatureMap {
 public:
  explicit SubtreeMap(Index rounds) : rounds_(rounds) {}
  std::string key() const override { return "subtree " + std::to_string(rounds_); }
  Index columns(Index) const override { return 0; }
  bool may_vanish() const override { return true; }  // graphs without nodes
  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const override {
    const auto& x = raw_features<Graphs>(input.x, input.kernel, input.argument, "graphs");
    std::vector<WordBag::Tally> counts(at(x.rows()));
    runtime.parallel_for(
        x.rows(), [&](Index i) { counts[at(i)] = count_labels(x.graph(i), rounds_, runtime); });
    return std::make_shared<WordCounts>(label_shape, counts);
  }

 private:
  Index rounds_;
};

}  // namespace

Factor make_subtree(const State& parameters) {
  Factor factor{{PairKind::dot}, make_identity_map()};
  factor.examples = std::make_shared<SubtreeMap>(parameters.count("h", 0, 1000));
  return factor;
}

}  // namespace mk
