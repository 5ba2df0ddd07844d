// Localized multiple kernel learning (Goenen & Alpaydin 2008): a gating model decides at each point
// how much each kernel counts,
//   K_eta(x, z) = sum_m eta_m(x) K_m(x, z) eta_m(z),
// and is trained by descent on the optimal value J(eta) of the SVM with that kernel (Algorithm 1).
// J is not convex: several starts, the best is kept.
#pragma once

#include "gating_features.hpp"
#include "lmkl_descent.hpp"

namespace mk {

struct LmklOptions {
  GatingKind gating = GatingKind::softmax;
  GatingOptions features;
  DescentOptions descent;
  Index restarts = 3;

  static LmklOptions read(const State& parameters, const SmoOptions& smo);
};

class LmklModel final : public Model {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  Vector decision(const CrossBank& cross) const override;
  Vector kernel_weights() const override { return mean_weights; }
  Indices support() const override { return rows; }
  void remap(const Indices& new_position) override;
  State state() const override;

  void take(const Descent& best);

  // eta at given rows of features.
  Matrix gating_weights(const MatrixView& x, const Indices& at_rows) const;

  Gating gating;
  GatingFeatures features;
  Indices rows;         // support vectors
  Matrix coefficients;  // one row each: beta_i eta_m(x_i)
  double bias = 0.0;
  Vector mean_weights;  // of eta over the training rows
  // How the descent ended; `report.converged` is about the SVM alone.
  double gradient_norm = 0.0;  // of the objective, over the parameters of the gating model
  Vector starts;               // the objective that each start ended at
  Vector open;                 // of each start: 0 converged, 1 limit of steps, 2 no progress
  bool descended = true;       // every start converged, or a fixed number of steps was asked for
};

class LmklLearner final : public Learner {
 public:
  LmklLearner(const State& parameters, const SmoOptions& smo)
      : options_(LmklOptions::read(parameters, smo)) {}
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  LmklOptions options_;
};

}  // namespace mk
