// The SVM on the empirical maps of all kernels side by side (SVM_2 of Wang, Chen & Sun 2008,
// section 3.2): a linear model on phi(x) = (phi_1(x), ..., phi_M(x)), so that its kernel is
// sum_m phi_m(x)'phi_m(z). With full maps of positive semi-definite kernels that is sum_m K_m; with
// fewer eigenvalues or with landmarks it is an approximation of low rank.
#pragma once

#include "svm.hpp"

namespace mk {

struct SvmConcatenatedLearner : Learner {
  SvmConcatenatedLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  SvmOptions svm;
  Index rank;       // 0 = full
  Index landmarks;  // 0 = all rows

 private:
  std::unique_ptr<Model> fit_features(const TrainingSet& data, const Runtime& runtime) const;
};

}  // namespace mk
