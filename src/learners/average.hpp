// The SVM on the mean of all kernels.
#pragma once

#include "svm.hpp"

namespace mk {

CombinationLearner average_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
