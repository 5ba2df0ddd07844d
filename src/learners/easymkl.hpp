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

class EasymklLearner final : public Learner {
 public:
  EasymklLearner(const State& parameters, const SmoOptions& smo,
                 std::shared_ptr<const KernelPasses> passes = std::make_shared<KernelPasses>())
      : options_(EasymklOptions::read(parameters, smo)), passes_(std::move(passes)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override {
    return fit_from(nullptr, data, runtime);
  }
  // In a grid the sum of the kernels is formed once; points that differ in the machine on the
  // learned kernel alone share all that comes before it. Results are those of separate fits.
  std::unique_ptr<Model> fit_after(const Before& before, const TrainingSet& data,
                                   const Runtime& runtime) const override;

 private:
  struct Shared;
  std::unique_ptr<Model> fit_from(const Shared* before, const TrainingSet& data,
                                  const Runtime& runtime) const;
  Vector weigh(const TrainingSet& data, const Vector& beta, const Runtime& runtime) const;

  EasymklOptions options_;
  std::shared_ptr<const KernelPasses> passes_;
};

}  // namespace mk
