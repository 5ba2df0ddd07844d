// LB-MKL and LB-S-SVM (paper 002): a base learner on kernels sharpened by the labels (see
// kernels/label_based.hpp), with the two scores of a new row, one under each label.
//
// The bank holds M kernels and then, for each of them that is label-based, its product with
// g = exp(-beta dist^2). The base learner sees K**_m, or K_m itself for a plain kernel, and must
// give a decision function that is linear in them, with coefficients a_m for kernel m (d_m b for
// kernel weights d). With v_m = K*_m a_m (a_m for a plain kernel) the two scores of a new row are
//   f+-(x) = sum_m sum_j (1 +- y_j g(x, x_j)) K_m(x, x_j) v_mj + bias,
// and the vote sign(f+ + f-) needs their mean only.
#pragma once

#include "per_kernel_model.hpp"

namespace mk {

class LbmklModel final : public Model {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  std::vector<Expansion> parts(Index most) const override;
  Vector combine(const Eigen::Ref<const Matrix>& values) const override;
  Vector kernel_weights() const override { return weights; }
  Indices support() const override { return rows; }
  void remap(const Indices& new_position) override;
  State state() const override;

  Indices rows;
  Matrix coefficients;  // v_m for the M kernels, then y v_m for the products
  Index kernels = 0;    // M
  Vector labels;        // of the rows, -1 and 1
  double bias = 0.0;
  Vector weights;        // of the M kernels; 0 for the products
  double assumed = 0.0;  // label assumed of new rows: +1, -1, or 0 for the mean of both scores
};

class LbmklLearner final : public Learner {
 public:
  // `base`: name of the learner on the K**; `labelled`: 1 for label-based kernels and 0 for plain
  // ones, all label-based if it is left out; the other parameters are handed on to the base.
  LbmklLearner(const State& parameters, const SmoOptions& smo);
  std::unique_ptr<Model> fit(const TrainingSet& data, const Runtime& runtime) const override;

 private:
  std::vector<bool> labelled(Index items) const;

  std::unique_ptr<Learner> base_;
  Vector labelled_;
};

}  // namespace mk
