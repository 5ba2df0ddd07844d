#include "kernel_set.hpp"

#include <algorithm>

#include "../base/errors.hpp"
#include "../features/views.hpp"
#include "normalizer.hpp"
#include "registry.hpp"

namespace mk {

namespace {

KernelSource one_kernel(Kernel kernel) {
  return {1, [kernel = std::move(kernel)](Index) { return kernel; }};
}

const State& item_parameters(const State& item) {
  static const State none;
  return item.has("parameters") ? item.child("parameters") : none;
}

std::vector<Normalization> item_stages(const State& item) {
  if (!item.has("normalize")) return {};
  return read_stages(item.texts("normalize"));
}

// Precomputed matrices under an item.
Index stored_matrices(const State& item) {
  const std::string& family = item.text("family");
  Index count = family == "precomputed" ? 1 : 0;
  if (family == "product")
    for (const State& factor : item.list("factors")) count += stored_matrices(factor);
  if (family == "label_based")
    count += stored_matrices(item.child("kernel")) + (item.has("distance") ? 1 : 0);
  return count;
}

std::string view_argument(const Examples& examples, Index view, const std::string& argument) {
  const ViewFeatures* views = examples.features().views();
  return views == nullptr || view < 0 ? argument : views->name(view, argument);
}

}  // namespace

FeatureShape::FeatureShape(const Features& x) : columns(x.columns()) {
  if (x.views() == nullptr) return;
  for (Index v = 0; v < x.views()->count(); ++v) views.push_back(x.views()->view(v)->columns());
}

std::vector<int> listed_features(const Indices& columns, Index n_features) {
  std::vector<int> features;
  for (const Index column : columns) {
    if (column < 0 || column >= n_features)
      throw InvalidArgument("columns", "positions from 1 to " + std::to_string(n_features),
                            std::to_string(column + 1));
    features.push_back(static_cast<int>(column));
  }
  return features;
}

KernelSet::KernelSet(const std::vector<State>& items, const FeatureShape& shape) : shape_(shape) {
  for (const State& item : items) n_stored_ += stored_matrices(item);
  std::vector<std::pair<const State*, Kernel>> products;
  for (const State& item : items) {
    if (item.text("family") != "label_based") {
      add(make_source(item), item, item.text("name"));
      label_products_.push_back(-1);
      continue;
    }
    Kernel kernel = make_kernel(item.child("kernel"));
    add(one_kernel(kernel), item, item.text("name"));
    kernel.factors.push_back(make_nearness(item));
    label_products_.push_back(static_cast<Index>(items.size() + products.size()));
    products.emplace_back(&item, std::move(kernel));
  }
  if (size_ == 0) throw InvalidArgument("kernels", "at least one kernel", "an empty list");
  if (products.empty()) label_products_.clear();
  else if (size_ != static_cast<Index>(items.size()))
    throw InvalidArgument("kernels", "single kernels beside label-based ones", "bags");
  for (auto& product : products)
    add(one_kernel(std::move(product.second)), *product.first,
        product.first->text("name") + ":near");
}

void KernelSet::add(KernelSource source, const State& item, const std::string& name) {
  sources_.push_back({std::move(source), item_stages(item), name, size_});
  size_ += sources_.back().source.count;
}

// The view of an item; -1 where there are no views.
Index KernelSet::view_of(const State& item) const {
  if (!item.has("view")) return -1;
  const Indices& view = item.indices("view");
  const Index count = static_cast<Index>(shape_.views.size());
  if (view.size() != 1 || view[0] < 0 || view[0] >= count)
    throw InvalidArgument("view", "a position from 1 to " + std::to_string(count),
                          view.empty() ? "none" : std::to_string(view[0] + 1));
  return view[0];
}

Index KernelSet::columns_of(Index view) const {
  return view < 0 ? shape_.columns : shape_.views[at(view)];
}

std::vector<int> KernelSet::features_of(const State& item, Index view) const {
  const Index columns = columns_of(view);
  return listed_features(item.has("columns") ? item.indices("columns") : all_rows(columns),
                         columns);
}

Index KernelSet::next_stored() {
  return 1 + static_cast<Index>(shape_.views.size()) + stored_met_++;
}

Index KernelSet::given_sources() const {
  return 1 + static_cast<Index>(shape_.views.size()) + n_stored_;
}

// The place of these features among the sources, which kernels may share.
Index KernelSet::mapped_source(MappedSource mapped) {
  const std::string key = mapped.map->key();
  const auto found = std::find_if(mapped_.begin(), mapped_.end(), [&](const MappedSource& other) {
    return other.source == mapped.source && other.columns == mapped.columns &&
           other.map->key() == key;
  });
  const Index place = static_cast<Index>(found - mapped_.begin());
  if (found == mapped_.end()) mapped_.push_back(std::move(mapped));
  return given_sources() + place;
}

// exp(-beta dist^2), for the distance of all columns (of the view) over the square root of their
// number, or for the squared distances that come with the item.
Factor KernelSet::make_nearness(const State& item) {
  const double beta = item.number("beta");
  if (!(beta >= 0.0)) throw InvalidArgument("beta", "a non-negative number", format_number(beta));
  const State& kernel = item.child("kernel");
  const Index view = view_of(kernel), columns = columns_of(view);
  const auto map =
      make_gaussian_map(std::max(beta / static_cast<double>(std::max<Index>(columns, 1)), 1e-300));
  Factor factor;
  factor.map = map;
  factor.sum.kind = item.has("distance") ? PairKind::stored : PairKind::squared_distance;
  factor.source = item.has("distance") ? next_stored() : view + 1;
  factor.view = view;
  if (item.has("distance")) return factor;
  if (columns == 0)
    throw InvalidArgument("distance", "a matrix, where there are no columns", "missing");
  factor.sum.features = listed_features(all_rows(columns), columns);
  return factor;
}

Factor KernelSet::make_item_factor(const State& item, const std::string& kernel) {
  const std::string& family = item.text("family");
  Factor factor;
  if (family == "precomputed") {
    factor.sum.kind = PairKind::stored;
    factor.map = make_identity_map();
    factor.source = next_stored();
    factor.view = view_of(item);  // of a user's function, which has made the matrix
    return factor;
  }
  const Index view = view_of(item);
  factor = make_factor(family, item_parameters(item));
  factor.sum.features = features_of(item, view);
  factor.view = view;
  factor.source = view + 1;
  if (factor.examples == nullptr) return factor;
  const Index columns = static_cast<Index>(factor.sum.features.size());
  factor.source =
      mapped_source({factor.source, factor.examples, std::move(factor.sum.features), view, kernel});
  const Index mapped = factor.examples->columns(columns);
  factor.sum.features = listed_features(all_rows(mapped), mapped);
  return factor;
}

KernelSource KernelSet::make_source(const State& item) {
  if (item.text("family") != "rbf_bags") return one_kernel(make_kernel(item));
  const Index view = view_of(item);
  KernelSource bags = make_rbf_bags(item_parameters(item), features_of(item, view));
  if (view < 0) return bags;
  return {bags.count, [make = std::move(bags.make), view](Index index) {
            Kernel kernel = make(index);
            for (Factor& factor : kernel.factors) {
              factor.view = view;
              factor.source = view + 1;
            }
            return kernel;
          }};
}

Kernel KernelSet::make_kernel(const State& item) {
  Kernel kernel;
  const std::string name = item.has("name") ? item.text("name") : item.text("family");
  if (item.text("family") != "product") {
    kernel.factors.push_back(make_item_factor(item, name));
    return kernel;
  }
  for (const State& factor : item.list("factors"))
    kernel.factors.push_back(make_item_factor(factor, name));
  if (kernel.factors.empty())
    throw InvalidArgument("factors", "a list of at least one kernel", "an empty list");
  return kernel;
}

void KernelSet::complete(Examples& examples, const std::string& argument,
                         const Runtime& runtime) const {
  const Index views = static_cast<Index>(shape_.views.size());
  const Index stored = static_cast<Index>(examples.sources.size()) - 1 - views;
  if (stored != n_stored_)
    throw InvalidArgument("kernels", std::to_string(n_stored_) + " precomputed matrices",
                          std::to_string(stored));
  for (const MappedSource& one : mapped_)
    examples.sources.push_back(one.map->apply(
        {*examples.sources[at(one.source)], one.columns, one.kernel,
         view_argument(examples, one.view, argument), examples.features().views(), one.view},
        runtime));
}

void KernelSet::check_domain(const Examples& examples, const std::string& argument) const {
  const Index sources = given_sources() + static_cast<Index>(mapped_.size());
  const Index found = static_cast<Index>(examples.sources.size());
  if (found != sources)
    throw InvalidArgument("kernels", std::to_string(n_stored_) + " precomputed matrices",
                          std::to_string(n_stored_ + found - sources));
  for (const Entry& entry : sources_)
    for (const Factor& factor : entry.source.make(0).factors)  // kernels of an item are of a kind
      examples.sources[at(factor.source)]->check(factor.sum, entry.name,
                                                 view_argument(examples, factor.view, argument));
}

Origins KernelSet::origins(const Examples& examples) const {
  Origins origins(examples.sources.size());
  for (const Entry& entry : sources_)
    for (const Factor& factor : entry.source.make(0).factors)
      if (factor.sum.kind == PairKind::squared_distance && origins[at(factor.source)] == nullptr &&
          static_cast<Index>(factor.sum.features.size()) >= dot_features)
        origins[at(factor.source)] = examples.sources[at(factor.source)]->origin();
  return origins;
}

std::pair<Index, Index> KernelSet::locate(Index m) const {
  const auto after = std::upper_bound(sources_.begin(), sources_.end(), m,
                                      [](Index v, const Entry& e) { return v < e.first; });
  const Index item = static_cast<Index>(after - sources_.begin()) - 1;
  return {item, m - sources_[at(item)].first};
}

Kernel KernelSet::kernel(Index m) const {
  const auto place = locate(m);
  return sources_[at(place.first)].source.make(place.second);
}

}  // namespace mk
