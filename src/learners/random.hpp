// The SVM on one kernel drawn at random: how much a single kernel knows (Aiolli & Donini
// 2015, 4.2).
#pragma once

#include "svm.hpp"

namespace mk {

CombinationLearner random_learner(const State& parameters, const SmoOptions& smo);

}  // namespace mk
