// EasyMKL (Aiolli & Donini 2015, section 3): KOMD on the sum of the kernels gives gamma; the
// kernels get the weights eta_m = gamma'YK_mYgamma, the distances of the class means under each
// kernel, and KOMD or an SVM is trained on sum_m eta_m K_m. Kernels are streamed: memory does not
// depend on M.
#pragma once

#include "komd.hpp"

namespace mk {

enum class EtaNorm { two, sum };

// Where the blocks of kernels begin that are added up by themselves, and the end of the last one.
// They depend on the number of kernels alone, so that a sum is the same in its last bit wherever
// its blocks are computed.
Indices kernel_blocks(Index n_kernels);

// The passes over all kernels. This one runs them here; a derived one may hand blocks of kernels
// to other processes.
class KernelPasses {
 public:
  virtual ~KernelPasses() = default;
  // sum_m weights_m K_m among the rows of the bank.
  virtual Matrix sum(const KernelBank& bank, const Vector& weights, const Runtime& runtime) const;
  // b'K_m b for every kernel.
  virtual Vector forms(const KernelBank& bank, const Vector& b, const Runtime& runtime) const;
};

struct EasymklLearner : Learner {
  EasymklLearner(const State& parameters, const SmoOptions& smo,
                 std::shared_ptr<const KernelPasses> given = nullptr);
  // The sum of the kernels is formed once, and points with the same lambda share the solution on it
  // and the forms of the kernels.
  static Models fit_path(const std::vector<EasymklLearner>& points, const TrainingSet& data,
                         const Runtime& runtime);

  KomdOptions komd;
  EtaNorm norm;
  bool final_svm;  // an SVM instead of KOMD on the learned kernel
  SvmOptions svm;
  std::shared_ptr<const KernelPasses> passes;
};

}  // namespace mk
