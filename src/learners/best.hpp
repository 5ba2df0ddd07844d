// The SVM on the kernel with the best inner cross-validation score. The weights of the examples
// count in the fits and in the score alike.
//
// Without a response (one class) any kernel under which all rows look alike accepts new rows as
// often as it should. There the most complex kernel is taken of those that are consistent: that
// reject no more of the rows left out than nu + 2 sqrt(nu (1 - nu) / n) (Tax & Mueller 2004).
#pragma once

#include "svm.hpp"

namespace mk {

struct BestLearner : Learner {
  BestLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  enum class Metric { automatic, accuracy, balanced_accuracy };
  SvmOptions svm;
  double nu;  // the share of rows that may be rejected
  Index folds;
  Metric metric = Metric::automatic;
};

// The error of the SVM on each kernel alone on rows that are left out, see TargetKind::error().
Vector held_out_errors(const BestLearner& learner, const TrainingSet& data,
                       const std::vector<Indices>& folds, const Runtime& runtime);

}  // namespace mk
