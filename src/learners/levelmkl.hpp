// Convex MKL by the level method (Xu et al. 2008). As in silpmkl.hpp, SVM solutions give cuts; the next
// weights are the projection of the present ones onto the set where the cuts lie below a level
// between the bounds, which keeps the steps short.
#pragma once

#include "mkl_search.hpp"

namespace mk {

class LevelmklLearner final : public Learner {
 public:
  LevelmklLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  MklOptions options_;
  double level_;  // share of the upper bound in the level
};

}  // namespace mk
