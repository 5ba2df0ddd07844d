// lp-norm multiple kernel learning, min J(d) over d >= 0 with ||d||_p <= 1, by alternating an SVM
// with the closed form d_m ~ ||w_m||^(2/(p+1)) (Kloft et al. 2009). p = 1 is the group lasso form
// of convex MKL (Xu et al. 2010).
#pragma once

#include "mkl_search.hpp"

namespace mk {

MklLearner lpmkl_learner(const State& parameters, const SmoOptions& smo);
MklLearner glmkl_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
