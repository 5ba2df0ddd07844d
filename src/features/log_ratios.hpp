// Compositions in coordinates in which their geometry is Euclidean (Aitchison 1982): centered log
// ratios,
//   clr(x)_f = log(x_f + c) - mean_g log(x_g + c),
// with a pseudocount c. They do not change with the total of a composition if c = 0.
#pragma once

#include "feature_map.hpp"

namespace mk {

class LogRatioMap final : public FeatureMap {
 public:
  explicit LogRatioMap(double pseudocount) : pseudocount_(pseudocount) {}

  std::string key() const override;
  Index columns(Index n) const override { return n; }
  SharedFeatures apply(const MapInput& input, const Runtime& runtime) const override;

 private:
  double pseudocount_;
};

}  // namespace mk
