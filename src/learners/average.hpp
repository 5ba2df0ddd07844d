// The SVM on the mean of all kernels.
#pragma once

#include "svm.hpp"

namespace mk {

class AverageLearner final : public CombinationLearner {
 public:
  AverageLearner(const State& parameters, const SmoOptions& smo)
      : CombinationLearner(SvmOptions::read(parameters, smo)) {}

 private:
  Vector weights(const TrainingSet& data, const Runtime& runtime) const override;
};

}  // namespace mk
