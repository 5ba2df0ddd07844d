// Similarities that relate what two examples share to what each of them holds: with a sum s over
// features, such as the dot product,
//   r(x, z) = f(s(x, z), s(x, x) + s(z, z)).
// The sums are those of the features that are wrapped, dense or sparse, without a copy of them; an
// example adds one number, its sum with itself.
#pragma once

#include "feature_map.hpp"

namespace mk {

// f(shared, both) for one pair; not called for two examples that hold nothing at all.
using RatioFunction = double (*)(double shared, double both);

// Two examples of zeros are the same: r = 1. An example of zeros shares nothing with others: r = 0.
// In that order the matrix is one block of ones beside the matrix of all other examples, and stays
// positive semi-definite.
class RatioMap final : public FeatureMap {
 public:
  // `name` tells maps with different sums or functions apart.
  RatioMap(const char* name, PairKind kind, RatioFunction ratio)
      : name_(name), kind_(kind), ratio_(ratio) {}

  std::string key() const override { return name_; }
  Index columns(Index) const override { return 0; }
  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const override;

 private:
  const char* name_;
  PairKind kind_;
  RatioFunction ratio_;
};

}  // namespace mk
