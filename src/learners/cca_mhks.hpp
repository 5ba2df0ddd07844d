// CCA+MHKS (Wang, Chen & Sun 2008, section 3.2 and figure 2): the empirical maps S_k of all kernels
// are projected by NmCCA to coordinates Z_k = S_k W_k in which they agree; then
//   concatenate  one MHKS model on [Z_1 ... Z_m]                 (CCA+MHKS_1)
//   vote         one model on each Z_k, the majority decides     (CCA+MHKS_2)
#pragma once

#include "mhks.hpp"

namespace mk {

// Machines f_l, each linear in one kernel, that vote:
//   f(x) = mean_l sign(f_l(x)) + s / (m (1 + |s|)),   s = mean_l f_l(x).
// The sign is that of the majority, and that of s if there is none.
class VoteModel final : public CoefficientsModel {
 public:
  static std::unique_ptr<Model> restore(const State& state);
  static Vector vote(const Matrix& scores);  // one column per model

  std::vector<Expansion> parts(Index most) const override;
  Vector combine(const Eigen::Ref<const Matrix>& values) const override;
  // The vote of each model and its share of s.
  Terms combine_terms(const Eigen::Ref<const Matrix>& values,
                      const KernelGroups& groups) const override;
  Vector kernel_weights() const override {
    return Vector::Constant(biases.size(), 1.0 / static_cast<double>(biases.size()));
  }
  State state() const override;

  Vector biases;  // one per model, as are the columns of `coefficients`
};

struct CcaMhksLearner : Learner {
  CcaMhksLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  bool vote;
  Index components;  // 0 = all
  double kappa;      // of the penalty of NmCCA, in units of the mean of ||S_k||_F^2
  MhksOptions mhks;
};

}  // namespace mk
