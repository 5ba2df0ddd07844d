// Weighted sums of kernels that are known by their features.
#pragma once

#include "feature_sweep.hpp"
#include "kernel_features.hpp"

namespace mk {

// sum_m weights_m Z_m Z_m', whose Z are those of the kernels with a weight, side by side. With
// nearly as many columns as examples, or more, the matrix itself is the shorter way: then it is of
// low rank in name only, and formed when its first row is asked for.
class FeatureSum final : public RowSource, public LowRank {
 public:
  FeatureSum(std::shared_ptr<const KernelFeatures> features, const Vector& weights,
             const Runtime& runtime);

  Index examples() const override { return features_->rows(); }
  Index columns() const override { return columns_; }
  double largest() const override { return largest_; }
  Vector forward(const Vector& w) const override;
  Vector backward(const Vector& b) const override;
  Vector curve(const Vector& weights, const Vector& w) const override;
  Matrix gram(const Vector& weights) const override;
  std::unique_ptr<LowRank> part(const Indices& examples) const override;

  Index size() const override { return examples(); }
  // By one thread at a time.
  void row(Index i, double* out) const override;
  Vector multiply(const Vector& b) const override { return forward(backward(b)); }
  const Vector& diagonal() const override;
  double largest_diagonal() const override { return largest_; }
  void activate(const Indices& positions) override { active_ = positions; }
  const LowRank* low_rank() const override { return serves_as_low_rank() ? this : nullptr; }

 private:
  FeatureSweep sweep(const Indices& examples) const;
  bool serves_as_low_rank() const;
  bool has_room() const;
  Matrix whole() const;

  std::shared_ptr<const KernelFeatures> features_;
  const Vector weights_;
  const Runtime& runtime_;
  std::vector<FeaturePart> parts_;
  Index columns_ = 0;
  double largest_ = 0.0;
  Indices active_;
  // Empty until they are asked for.
  mutable Vector diagonal_;
  mutable Matrix whole_;
};

}  // namespace mk
