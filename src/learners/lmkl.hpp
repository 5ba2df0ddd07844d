// Localized multiple kernel learning (Goenen & Alpaydin 2008): a gating model decides at each point
// how much each kernel counts,
//   K_eta(x, z) = sum_m eta_m(x) K_m(x, z) eta_m(z),
// and is trained by descent on the optimal value J(eta) of the SVM with that kernel (Algorithm 1).
// J is not convex: several starts, the best is kept.
#pragma once

#include "gating_features.hpp"
#include "lmkl_descent.hpp"
#include "per_kernel_model.hpp"

namespace mk {

class LmklModel final : public CoefficientsModel {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  Vector decision(const CrossBank& cross) const override;
  Terms terms(const CrossBank& cross, const KernelGroups& groups) const override;
  Matrix row_terms(const CrossBank& cross) const override;
  Vector kernel_weights() const override { return mean_weights; }
  State state() const override;
  State facts() const override;

  void take(const Descent& best);
  bool fits_together() const;  // the sizes and ranges of all parts

  // eta at given rows of features.
  Matrix gating_weights(const Features& x, const Indices& at_rows) const;
  // Which gates may be open there, see Gating::weights().
  Matrix open_gates(const Features& x, const Indices& at_rows) const;

  Gating gating;
  GatingFeatures features;
  Matrix sees;  // kernels x views: 1 for those that a kernel sees; without rows there are no views
  // `coefficients` are beta_i eta_m(x_i).
  double bias = 0.0;
  Vector mean_weights;  // of eta over the training rows
  // How the descent ended; `report.converged` is about the SVM alone.
  double gradient_norm = 0.0;  // of the objective, over the parameters of the gating model
  Vector starts;               // the objective that each start ended at
  Vector open;                 // of each start: 0 converged, 1 limit of steps, 2 no progress
  bool descended = true;       // every start converged, or a fixed number of steps was asked for

 private:
  // eta_m(x) sum_i beta_i eta_m(x_i) K_m(x, x_i), one column for each kernel.
  Matrix gated_scores(const CrossBank& cross) const;
};

struct LmklLearner : Learner {
  LmklLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const;

  GatingKind gating = GatingKind::softmax;
  GatingOptions features;
  DescentOptions descent;
  Index restarts;
};

}  // namespace mk
