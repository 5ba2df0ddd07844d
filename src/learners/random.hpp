// The SVM on one kernel drawn at random: how much a single kernel knows (paper 001, 4.2).
#pragma once

#include "svm.hpp"

namespace mk {

class RandomLearner final : public CombinationLearner {
 public:
  RandomLearner(const State& parameters, const SmoOptions& smo)
      : CombinationLearner(SvmOptions::read(parameters, smo)) {}

 private:
  Vector weights(const TrainingSet& data, const Runtime& runtime) const override;
};

}  // namespace mk
