// The SVM on the kernel with the best inner cross-validation score.
#pragma once

#include "svm.hpp"

namespace mk {

class BestLearner final : public Learner {
 public:
  BestLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  // Loss (share of errors, or root of the mean squared error) of kernel m over the folds.
  double loss(const TrainingSet& data, Index m, const std::vector<Indices>& folds,
              const Runtime& runtime) const;

  SvmOptions options_;
  Index folds_;
};

}  // namespace mk
