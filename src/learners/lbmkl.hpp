// LB-MKL and LB-S-SVM (paper 002): kernels sharpened by the labels,
//   K*_ij = (1 + y_i y_j g(x_i, x_j)) K_ij,  g = exp(-beta dist^2),   K** = K* K*   (eq. 2-2-1),
// and a base learner (several kernels, or an SVM on one) on the K**_m.
//
// The bank holds K_1..K_M and then the products K_m g. A new x has two rows of K*, one under each
// label; its row of K** is that row times K*. With v_m = d_m K*_m b (b the base learner's signed
// coefficients) the two scores are
//   f+-(x) = sum_m sum_j (1 +- y_j g(x, x_j)) K_m(x, x_j) v_mj + bias,
// and the vote sign(f+ + f-) needs their mean only.
#pragma once

#include "per_kernel_model.hpp"

namespace mk {

class LbmklModel final : public Model {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  Vector decision(const CrossBank& cross) const override;
  Vector kernel_weights() const override { return weights; }
  Indices support() const override { return rows; }
  void remap(const Indices& new_position) override;
  State state() const override;

  Indices rows;
  Matrix coefficients;  // v_m for the M kernels, then y v_m for the M products
  double bias = 0.0;
  Vector weights;       // of the M kernels; 0 for the products
  double assumed = 0.0; // label assumed of new rows: +1, -1, or 0 for the mean of both scores
};

class LbmklLearner final : public Learner {
 public:
  // `base`: name of the learner on the K**; the other parameters are handed on to it.
  LbmklLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  std::unique_ptr<Learner> base_;
};

}  // namespace mk
