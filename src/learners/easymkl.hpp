// EasyMKL (paper 001, section 3): KOMD on the sum of the kernels gives gamma; the kernels get the
// weights eta_m = gamma'YK_mYgamma, the distances of the class means under each kernel, and a
// machine is trained on sum_m eta_m K_m. Kernels are streamed: memory does not depend on M.
#pragma once

#include "komd.hpp"

namespace mk {

enum class EtaNorm { two, sum };

struct EasymklOptions {
  KomdOptions komd;
  EtaNorm norm = EtaNorm::two;
  bool final_svm = false;  // an SVM instead of KOMD on the learned kernel
  SvmOptions svm;

  static EasymklOptions read(const State& parameters, const SmoOptions& smo);
};

class EasymklLearner final : public Learner {
 public:
  EasymklLearner(const State& parameters, const SmoOptions& smo)
      : options_(EasymklOptions::read(parameters, smo)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  EasymklOptions options_;
};

}  // namespace mk
