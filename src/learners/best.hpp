// The SVM on the kernel with the best inner cross-validation score.
//
// Without a response (one class) any kernel under which all rows look alike accepts new rows as
// often as it should. There the most complex kernel is taken of those that are consistent: that
// reject no more of the rows left out than nu + 2 sqrt(nu (1 - nu) / n) (Tax & Mueller 2004).
#pragma once

#include "svm.hpp"

namespace mk {

class BestLearner final : public Learner {
 public:
  BestLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  // Loss (share of errors, or of rows rejected, or root of the mean squared error) of kernel m over
  // the folds.
  double loss(const TrainingSet& data, Index m, const std::vector<Indices>& folds,
              const Runtime& runtime) const;

  double looseness(const TrainingSet& data, Index m, const Runtime& runtime) const;
  Index most_complex(const TrainingSet& data, const Vector& losses, const Runtime& runtime) const;

  SvmOptions options_;
  Index folds_;
};

}  // namespace mk
