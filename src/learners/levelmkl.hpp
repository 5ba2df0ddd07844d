// Convex MKL by the level method (Xu et al. 2008). As in silpmkl.hpp, SVM solutions give cuts; the
// next weights are the projection of the present ones onto the set where the cuts lie below a level
// between the bounds, which keeps the steps short.
#pragma once

#include "mkl_search.hpp"

namespace mk {

class LevelmklLearner final : public MklLearner {
 public:
  LevelmklLearner(const State& parameters, const SmoOptions& smo);

 private:
  void run(MklSearch& search, const Runtime& runtime) const override;

  double level_;  // share of the upper bound in the level
};

}  // namespace mk
