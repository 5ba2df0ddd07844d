// The SVM on one kernel drawn at random: how much a single kernel knows (paper 001, 4.2).
#pragma once

#include "svm.hpp"

namespace mk {

class RandomLearner final : public Learner {
 public:
  RandomLearner(const State& parameters, const SmoOptions& smo)
      : options_(SvmOptions::read(parameters, smo)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  SvmOptions options_;
};

}  // namespace mk
