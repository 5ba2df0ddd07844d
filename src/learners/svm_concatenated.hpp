// The SVM on the empirical maps of all kernels side by side (SVM_2 of paper 004, section 3.2): a
// linear machine on phi(x) = (phi_1(x), ..., phi_M(x)), so that its kernel is sum_m
// phi_m(x)'phi_m(z). With full maps of positive semi-definite kernels that is sum_m K_m; with fewer
// eigenvalues or with landmarks it is an approximation of low rank.
#pragma once

#include "svm.hpp"

namespace mk {

class SvmConcatenatedLearner final : public Learner {
 public:
  SvmConcatenatedLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  SvmOptions options_;
  Index rank_;       // 0 = full
  Index landmarks_;  // 0 = all rows
};

}  // namespace mk
