#include "kernel_set.hpp"

#include <algorithm>

#include "../base/errors.hpp"
#include "normalizer.hpp"
#include "registry.hpp"

namespace mk {

namespace {

class FixedKernel final : public KernelSource {
 public:
  explicit FixedKernel(Kernel kernel) : kernel_(std::move(kernel)) {}
  Index count() const override { return 1; }
  Kernel make(Index) const override { return kernel_; }

 private:
  Kernel kernel_;
};

std::vector<int> item_features(const State& item, Index n_features) {
  std::vector<int> features;
  if (item.has("columns")) {
    for (Index column : item.indices("columns")) {
      if (column < 0 || column >= n_features)
        throw InvalidArgument("columns", "positions from 1 to " + std::to_string(n_features),
                              std::to_string(column + 1));
      features.push_back(static_cast<int>(column));
    }
  } else {
    for (Index f = 0; f < n_features; ++f) features.push_back(static_cast<int>(f));
  }
  return features;
}

const State& item_parameters(const State& item) {
  static const State none;
  if (!item.has("parameters")) return none;
  const auto& list = item.list("parameters");
  return list.empty() ? none : list.front();
}

std::vector<Normalization> item_chain(const State& item) {
  if (!item.has("normalize")) return {};
  return read_chain(item.list("normalize"));
}

}  // namespace

KernelSet::KernelSet(const std::vector<State>& items, Index n_features) {
  for (const State& item : items) {
    Entry entry{make_source(item, n_features), item_chain(item), item.text("name"), size_};
    size_ += entry.source->count();
    sources_.push_back(std::move(entry));
  }
  if (size_ == 0) throw InvalidArgument("kernels", "at least one kernel", "an empty list");
}

Factor KernelSet::make_item_factor(const State& item, Index n_features) {
  const std::string& family = item.text("family");
  Factor factor;
  if (family == "precomputed") {
    factor.stored = n_stored_++;
  } else {
    factor = make_factor(family, item_parameters(item));
    factor.features = item_features(item, n_features);
  }
  return factor;
}

std::unique_ptr<KernelSource> KernelSet::make_source(const State& item, Index n_features) {
  const std::string& family = item.text("family");
  if (family == "rbf_bags")
    return make_rbf_bags(item_parameters(item), item_features(item, n_features));
  Kernel kernel;
  if (family == "product") {
    for (const State& factor : item.list("factors"))
      kernel.factors.push_back(make_item_factor(factor, n_features));
    if (kernel.factors.empty())
      throw InvalidArgument("factors", "a list of at least one kernel", "an empty list");
  } else {
    kernel.factors.push_back(make_item_factor(item, n_features));
  }
  return std::make_unique<FixedKernel>(std::move(kernel));
}

void KernelSet::check_domain(const MatrixView& x, const std::string& argument) const {
  for (const Entry& entry : sources_) {
    if (entry.source->count() != 1) continue;  // bags are Gaussian
    for (const Factor& factor : entry.source->make(0).factors) {
      if (factor.is_stored() ||
          (factor.kind != PairKind::chi_squared && factor.kind != PairKind::minimum))
        continue;
      for (int f : factor.features)
        for (Index i = 0; i < x.rows; ++i)
          if (x(i, f) < 0.0)
            throw InvalidArgument(
                argument,
                ">= 0 for kernel `" + entry.name + "` (scaled features are not: `scale = FALSE`)",
                format_number(x(i, f)) + " in row " + std::to_string(i + 1) + ", column " +
                    std::to_string(f + 1));
    }
  }
}

std::pair<Index, Index> KernelSet::locate(Index m) const {
  const auto after = std::upper_bound(sources_.begin(), sources_.end(), m,
                                      [](Index v, const Entry& e) { return v < e.first; });
  const Index item = static_cast<Index>(after - sources_.begin()) - 1;
  return {item, m - sources_[at(item)].first};
}

Kernel KernelSet::kernel(Index m) const {
  const auto place = locate(m);
  return sources_[at(place.first)].source->make(place.second);
}

}  // namespace mk
