// Explicit features of the kernels of some examples, K_m ~ Z_m Z_m': they stand for matrices that
// are too large to be formed. See src/approximations/ for how they are made, feature_store.hpp for
// how they are held, and feature_sum.hpp for sums of several kernels.
#pragma once

#include "../solvers/low_rank.hpp"
#include "../solvers/row_source.hpp"
#include "feature_store.hpp"

namespace mk {

class KernelFeatures {
 public:
  // Features that are known.
  explicit KernelFeatures(const std::vector<std::shared_ptr<const RowMatrix>>& features);
  // Those of the examples of a group, in the first of the three forms that the memory allows.
  KernelFeatures(std::shared_ptr<const FeatureMaker> maker, std::shared_ptr<const RowGroup> group,
                 const Runtime& runtime);
  // In a form of choice: FeatureForm::anew is best for examples that are seen once.
  KernelFeatures(std::shared_ptr<const FeatureMaker> maker, std::shared_ptr<const RowGroup> group,
                 FeatureForm form, const Runtime& runtime);

  Index size() const { return static_cast<Index>(stores_.size()); }  // kernels
  Index rows() const { return static_cast<Index>(rows_->size()); }
  Index columns(Index m) const { return stores_[at(m)]->columns(); }
  const std::vector<SharedStore>& stores() const { return stores_; }
  const FeatureStore& store(Index m) const { return *stores_[at(m)]; }
  FeatureForm form() const { return stores_.front()->form(); }
  // The examples at some positions, as positions in the stores.
  SharedIndices places(const Indices& positions) const;
  const SharedIndices& places() const { return rows_; }

  // Those of the examples at some positions; what is stored is shared.
  std::shared_ptr<const KernelFeatures> subset(const Indices& positions) const;
  // The same for many passes: stored, if this is not, as far as a share of the memory goes.
  std::shared_ptr<const KernelFeatures> part(const Indices& positions,
                                             const Runtime& runtime) const;

  Vector forward(Index m, const Vector& w, const Runtime& runtime) const;   // Z_m w
  Vector backward(Index m, const Vector& b, const Runtime& runtime) const;  // Z_m'b
  Vector squared_lengths(Index m, const Runtime& runtime) const;            // diagonal of Z_m Z_m'
  RowMatrix matrix(Index m, const Runtime& runtime) const;                  // Z_m

 private:
  KernelFeatures() = default;
  void make(FeatureForm form, const Runtime& runtime);
  template <class F>
  void read(Index m, const Runtime& runtime, const F& f) const;

  std::vector<SharedStore> stores_;
  SharedIndices rows_;  // of the stores
  // Of features that can be made anew.
  std::shared_ptr<const FeatureMaker> maker_;
  std::shared_ptr<const RowGroup> group_;
};

}  // namespace mk
