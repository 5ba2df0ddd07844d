// Convex MKL by a semi-infinite linear program (Sonnenburg et al. 2006). Every SVM solution a
// gives a cut J(d) >= sum(a) - 1/2 d'S(a); the next weights minimize the largest of the cuts so
// far.
#pragma once

#include "mkl_search.hpp"

namespace mk {

MklLearner silpmkl_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
