// SimpleMKL (Rakotomamonjy et al. 2008): min J(d) over the simplex by descent. Each step moves
// along
//   "gradient"  the reduced gradient, as in the paper: components that reach 0 on the way are taken
//               out of the direction while the objective falls, then a line search;
//   "newton"    the minimum of the second-order model of J over the simplex (a small QP; Chapelle &
//               Rakotomamonjy 2008), then a line search: far fewer steps.
#pragma once

#include "mkl_search.hpp"

namespace mk {

class SimplemklLearner final : public MklLearner {
 public:
  SimplemklLearner(const State& parameters, const SmoOptions& smo);

 private:
  SimplemklLearner(const State& parameters, const SmoOptions& smo, bool newton)
      : MklLearner("simplemkl", MklOptions::read(parameters, smo), newton ? 1.0 : 0.0),
        newton_(newton) {}
  void run(MklSearch& search, const Runtime& runtime) const override;

  bool newton_;
};

}  // namespace mk
