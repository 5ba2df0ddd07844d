// The SVM on the mean of all kernels.
#pragma once

#include "svm.hpp"

namespace mk {

class AverageLearner final : public Learner {
 public:
  AverageLearner(const State& parameters, const SmoOptions& smo)
      : options_(SvmOptions::read(parameters, smo)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  SvmOptions options_;
};

}  // namespace mk
