// Convex MKL by the level method (Xu et al. 2008). As in silpmkl.hpp, SVM solutions give cuts; the
// next weights are the projection of the present ones onto the set where the cuts lie below a level
// between the bounds, which keeps the steps short.
#pragma once

#include "mkl_search.hpp"

namespace mk {

MklLearner levelmkl_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
