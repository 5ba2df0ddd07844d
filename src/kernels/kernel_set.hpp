// The kernels of one problem, by number. Some are kept, some are made anew each time they are
// asked for (bags), so a set of 10^6 kernels costs no memory.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../base/state.hpp"
#include "kernel.hpp"
#include "normalizer.hpp"

namespace mk {

// The kernels under one item of the user's list, at least one.
struct KernelSource {
  Index count;
  std::function<Kernel(Index)> make;
};

// `count` Gaussian kernels on random bags of features (Aiolli & Donini 2014, section 4.1): kernel
// `index` depends on (seed, index) alone. beta = NaN draws it from (0, 1) for each kernel.
KernelSource make_rbf_bags(const State& parameters, std::vector<int> features);

// The positions of columns as sums list them; throws InvalidArgument if one is out of range.
std::vector<int> listed_features(const Indices& columns, Index n_features);

// How many columns kernels can see: of all features, and of each view where there are several.
struct FeatureShape {
  FeatureShape(Index columns) : columns(columns) {}  // NOLINT(google-explicit-constructor)
  explicit FeatureShape(const Features& x);

  Index columns;
  std::vector<Index> views;
};

// Features that kernels make of a source of the examples.
struct MappedSource {
  Index source;
  SharedFeatureMap map;
  std::vector<int> columns;
  Index view;
  std::string kernel;  // the first one that needs it
};

class KernelSet {
 public:
  // Items as the R side resolves them: family, parameters, columns, normalize, factors; of family
  // "label_based": kernel (an item), beta, normalize and, where there are no columns, distance (a
  // matrix of squared distances, as an item). Where there are views, an item has the position of
  // its `view`, and its columns are positions there.
  // The sources of the examples are: the features, their views, precomputed kernels in the order in
  // which they are met, features that kernels make of these (see complete()).
  KernelSet(const std::vector<State>& items, const FeatureShape& shape);

  Index size() const { return size_; }
  Index items() const { return static_cast<Index>(sources_.size()); }
  Index item_size(Index item) const { return sources_[at(item)].source.count; }
  const std::vector<Normalization>& normalization(Index item) const {
    return sources_[at(item)].stages;
  }
  const std::string& item_name(Index item) const { return sources_[at(item)].name; }
  // Label-based kernels need labels, so that the set holds what they are made of: the kernels
  // inside, as kernels of their own, and after all kernels of the items their products with
  // exp(-beta dist^2). For each of the former the position of its product, -1 for plain kernels.
  // Empty if no kernel is label-based.
  const Indices& label_products() const { return label_products_; }

  // Adds the features that kernels make of the sources; `argument` is the name of the data.
  void complete(Examples& examples, const std::string& argument, const Runtime& runtime) const;

  // Throws InvalidArgument that names the kernel if one of them is not defined on these examples.
  void check_domain(const Examples& examples, const std::string& argument) const;
  // From where each source gives distances best; null where no kernel needs that.
  Origins origins(const Examples& examples) const;

  Kernel kernel(Index m) const;
  // The item that kernel m belongs to and its place there.
  std::pair<Index, Index> locate(Index m) const;

 private:
  struct Entry {
    KernelSource source;
    std::vector<Normalization> stages;
    std::string name;
    Index first;
  };
  KernelSource make_source(const State& item);
  void add(KernelSource source, const State& item, const std::string& name);
  Kernel make_kernel(const State& item);
  Factor make_nearness(const State& item);
  Factor make_item_factor(const State& item, const std::string& kernel);
  Index view_of(const State& item) const;
  Index columns_of(Index view) const;
  std::vector<int> features_of(const State& item, Index view) const;
  Index mapped_source(MappedSource mapped);
  Index next_stored();
  Index given_sources() const;

  std::vector<Entry> sources_;
  Index size_ = 0;
  FeatureShape shape_;
  Index n_stored_ = 0, stored_met_ = 0;
  std::vector<MappedSource> mapped_;
  Indices label_products_;
};

}  // namespace mk
