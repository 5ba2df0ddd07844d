// The model of label-based kernels (Yang et al.; see reduction/label_based.hpp), with the
// two scores of a new row, one under each label:
//   f+-(x) = sum_m sum_j (1 +- y_j g(x, x_j)) K_m(x, x_j) v_mj + bias,   g = exp(-beta dist^2).
// The vote sign(f+ + f-) needs their mean only. The bank holds M kernels and then, for each of them
// that is label-based, its product with g.
#pragma once

#include "per_kernel_model.hpp"

namespace mk {

class LbmklModel final : public CoefficientsModel {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  void prepare(const PredictOptions& options) override;
  std::vector<Expansion> parts(Index most) const override;
  Vector combine(const Eigen::Ref<const Matrix>& values) const override;
  // A product counts for the group that `groups` has for it.
  Terms combine_terms(const Eigen::Ref<const Matrix>& values,
                      const KernelGroups& groups) const override;
  Matrix row_terms(const CrossBank& cross) const override;
  Vector kernel_weights() const override { return weights; }
  State state() const override;
  State facts() const override;

  // `coefficients` has columns v_m for the M kernels, then y v_m for the products.
  Index kernels = 0;  // M
  Vector labels;      // of the rows, -1 and 1
  double bias = 0.0;
  Vector weights;        // of the M kernels; 0 for the products
  double assumed = 0.0;  // label assumed of new rows: +1, -1, or 0 for the mean of both scores
};

}  // namespace mk
