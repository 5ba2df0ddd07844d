#include "nodes.hpp"

#include <algorithm>
#include <unordered_map>

#include "../base/errors.hpp"
#include "strings.hpp"

namespace mk {

namespace {

using SharedTriangle = std::shared_ptr<const PackedTriangle>;

class NodeRows final : public FeatureRows {
 public:
  NodeRows(SharedTriangle kernel, Indices nodes)
      : kernel_(std::move(kernel)), nodes_(std::move(nodes)) {}

  void sums(const FeatureRows& other, const Tile& tile, const PairSum&, const Simd&, TileOnItsWay*,
            double* out) const override {
    const auto& b = static_cast<const NodeRows&>(other);
    for (Index j = 0; j < tile.b_count; ++j)
      for (Index i = 0; i < tile.a_count; ++i)
        out[i + j * panel_rows] =
            value(nodes_[at(tile.a_first + i)], b.nodes_[at(tile.b_first + j)]);
  }
  Vector self_sums(const PairSum&) const override {
    Vector own(static_cast<Index>(nodes_.size()));
    for (Index i = 0; i < own.size(); ++i) own[i] = value(nodes_[at(i)], nodes_[at(i)]);
    return own;
  }

 private:
  double value(Index a, Index b) const { return a < 0 || b < 0 ? 0.0 : (*kernel_)(a, b); }

  SharedTriangle kernel_;
  Indices nodes_;  // -1 for none
};

class NodeFeatures final : public Features {
 public:
  NodeFeatures(SharedTriangle kernel, Indices nodes)
      : kernel_(std::move(kernel)), nodes_(std::move(nodes)) {}

  const char* type() const override { return "nodes"; }
  Index rows() const override { return static_cast<Index>(nodes_.size()); }
  Index columns() const override { return 0; }
  void check(const PairSum&, const std::string&, const std::string&) const override {}
  std::unique_ptr<const FeatureRows> pack(const SharedIndices& rows, const Origin&) const override {
    Indices nodes;
    for (const Index row : *rows) nodes.push_back(nodes_[at(row)]);
    return std::make_unique<NodeRows>(kernel_, std::move(nodes));
  }
  Matrix values(const Indices& rows, const Indices&) const override {
    return Matrix(static_cast<Index>(rows.size()), 0);
  }

 private:
  SharedTriangle kernel_;
  Indices nodes_;
};

class NodeMap final : public FeatureMap {
 public:
  NodeMap(const Texts& names, SharedTriangle kernel) : kernel_(std::move(kernel)) {
    for (const std::string& name : names)
      if (!places_.emplace(name, static_cast<Index>(places_.size())).second)
        throw InvalidArgument("nodes", "different names", "\"" + name + "\" twice");
  }

  // The matrix itself: another one is at another place as long as both are in use.
  std::string key() const override {
    return "nodes " + std::to_string(reinterpret_cast<std::uintptr_t>(kernel_.get()));
  }
  Index columns(Index) const override { return 0; }
  SharedFeatures apply(const MapInput& input, const Runtime&) const override {
    const auto& x = raw_features<Strings>(input.x, input.kernel, input.argument, "names of nodes");
    Indices nodes;
    for (Index i = 0; i < x.rows(); ++i) {
      const auto found = places_.find(x.value(i));
      if (found == places_.end() && input.has(i))
        throw InvalidArgument(input.argument, "names of nodes for kernel `" + input.kernel + "`",
                              "\"" + x.value(i) + "\" in example " + std::to_string(i + 1));
      nodes.push_back(found == places_.end() ? -1 : found->second);
    }
    return std::make_shared<NodeFeatures>(kernel_, std::move(nodes));
  }

 private:
  SharedTriangle kernel_;
  std::unordered_map<std::string, Index> places_;
};

}  // namespace

SharedFeatureMap make_node_map(const State& parameters) {
  const Texts& names = parameters.texts("nodes");
  const Vector& values = parameters.vector("values");
  const Index n = static_cast<Index>(names.size());
  if (values.size() != PackedTriangle::size(n))
    throw InvalidArgument("values", "of length " + std::to_string(PackedTriangle::size(n)),
                          "of length " + std::to_string(values.size()));
  if (!values.allFinite()) throw InvalidArgument("values", "finite", "NaN or Inf");
  return std::make_shared<NodeMap>(names, std::make_shared<PackedTriangle>(n, values));
}

}  // namespace mk
