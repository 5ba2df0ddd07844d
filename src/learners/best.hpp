// The SVM on the kernel with the best inner cross-validation score. The weights of the examples
// count in the fits and in the score alike.
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
  // Loss of kernel m over the folds: share of errors or the mean of those of the two classes, share
  // of the rows rejected, or root of the mean squared error; each row with its weight.
  double loss(const TrainingSet& data, Index m, const std::vector<Indices>& folds,
              const Runtime& runtime) const;

  double looseness(const TrainingSet& data, Index m, const Runtime& runtime) const;
  Index most_complex(const TrainingSet& data, const Vector& losses, const Runtime& runtime) const;

  bool by_class(const TrainingSet& data) const;

  enum class Metric { automatic, accuracy, balanced_accuracy };
  SvmOptions options_;
  Index folds_;
  Metric metric_ = Metric::automatic;
};

}  // namespace mk
