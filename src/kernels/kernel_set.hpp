// The kernels of one problem, by number. Some are kept, some are made anew each time they are
// asked for (bags), so a set of 10^6 kernels costs no memory.
#pragma once

#include <memory>
#include <vector>

#include "../base/state.hpp"
#include "kernel.hpp"

namespace mk {

enum class Normalization { trace, unit_trace, cosine, center };

// One or many kernels under one item of the user's list.
class KernelSource {
 public:
  virtual ~KernelSource() = default;
  virtual Index count() const = 0;
  virtual Kernel make(Index index) const = 0;
};

// `count` Gaussian kernels on random bags of features (paper 001, section 4.1): kernel `index`
// depends on (seed, index) alone. beta = NaN draws it from (0, 1) for each kernel.
std::unique_ptr<KernelSource> make_rbf_bags(const State& parameters, std::vector<int> features);

class KernelSet {
 public:
  // Items as the R side resolves them: family, parameters, columns, normalize, factors.
  // Stored matrices are numbered in the order in which they are met.
  KernelSet(const std::vector<State>& items, Index n_features);

  Index size() const { return size_; }
  Index items() const { return static_cast<Index>(sources_.size()); }
  Index item_size(Index item) const { return sources_[at(item)].source->count(); }
  const std::vector<Normalization>& normalization(Index item) const {
    return sources_[at(item)].chain;
  }
  const std::string& item_name(Index item) const { return sources_[at(item)].name; }
  Index stored_matrices() const { return n_stored_; }

  // Some kernels are defined for features >= 0 only: throws InvalidArgument naming the place.
  void check_domain(const MatrixView& x, const std::string& argument) const;

  Kernel kernel(Index m) const;
  // The item that kernel m belongs to and its place there.
  std::pair<Index, Index> locate(Index m) const;

 private:
  struct Entry {
    std::unique_ptr<KernelSource> source;
    std::vector<Normalization> chain;
    std::string name;
    Index first;
  };
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  std::unique_ptr<KernelSource> make_source(const State& item, Index n_features);
  Factor make_item_factor(const State& item, Index n_features);

  std::vector<Entry> sources_;
  Index size_ = 0;
  Index n_stored_ = 0;
};

}  // namespace mk
