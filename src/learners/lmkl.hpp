// Localized multiple kernel learning (paper 003): a gating model decides at each point how much
// each kernel counts,
//   K_eta(x, z) = sum_m eta_m(x) K_m(x, z) eta_m(z),
// and is trained by gradient descent on the optimal value J(eta) of the SVM with that kernel
// (Algorithm 1). J is not convex: several starts, the best is kept.
#pragma once

#include "gating.hpp"
#include "svm.hpp"

namespace mk {

struct LmklOptions {
  GatingKind gating = GatingKind::softmax;
  Indices columns;  // features of the gating model; empty with all_columns
  bool all_columns = true;
  bool standardize = true;  // gating features to mean 0, variance 1
  bool line_search = true;  // false: the paper's fixed step
  double step = 0.01;
  Index iterations = 200;
  double tolerance = 1e-4;  // relative change of J that ends the descent
  Index restarts = 3;
  SvmOptions svm;

  static LmklOptions read(const State& parameters, const SmoOptions& smo);
};

// Features of the gating model and how they were brought to scale. of() throws InvalidArgument if x
// lacks one of the columns.
struct GatingFeatures {
  Indices columns;
  Vector center, scale;
  Matrix of(const MatrixView& x, const Indices& rows) const;
};

class LmklModel final : public Model {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  Vector decision(const CrossBank& cross) const override;
  Vector kernel_weights() const override { return mean_weights; }
  Indices support() const override { return rows; }
  void remap(const Indices& new_position) override;
  State state() const override;

  // eta at given rows of features.
  Matrix gating_weights(const MatrixView& x, const Indices& at_rows) const;

  Gating gating;
  GatingFeatures features;
  Indices rows;         // support vectors
  Matrix coefficients;  // one row each: beta_i eta_m(x_i)
  double bias = 0.0;
  Vector mean_weights;  // of eta over the training rows
  // How the descent ended; `report.converged` is about the machine alone.
  double gradient_norm = 0.0;  // of J, over the parameters of the gating model
  bool descended = true;       // the tolerance was met, or a fixed number of steps was asked for
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
