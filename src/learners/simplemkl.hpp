// SimpleMKL (Rakotomamonjy et al. 2008): min J(d) over the simplex by descent. Each step moves
// along
//   "gradient"  the reduced gradient, as in the paper: components that reach 0 on the way are taken
//               out of the direction while the objective falls, then a line search;
//   "newton"    the minimum of the second-order model of J over the simplex (a small QP; Chapelle &
//               Rakotomamonjy 2008), then a line search: far fewer steps.
#pragma once

#include "mkl_search.hpp"

namespace mk {

MklLearner simplemkl_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
