// Models that are linear in each kernel with coefficients of its own:
//   f(x) = sum_m sum_i A_im K_m(x, x_rows[i]) + bias.
#pragma once

#include "learner.hpp"

namespace mk {

// sum_i A_im K_m(x, x_rows[i]) for each column m of A, of a bank of `kernels` kernels. Those beyond
// the columns of A are not evaluated, nor are terms with A_im = 0.
std::vector<Expansion> kernel_expansions(const Indices& rows, const Matrix& coefficients,
                                         Index kernels);

class PerKernelModel final : public Model {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  std::vector<Expansion> parts(Index most) const override;
  Vector combine(const Eigen::Ref<const Matrix>& values) const override;
  Vector kernel_weights() const override { return weights; }
  Indices support() const override { return rows; }
  void remap(const Indices& new_position) override;
  State state() const override;

  Indices rows;
  Matrix coefficients;
  double bias = 0.0;
  Vector weights;
};

// Forgets the rows without any coefficient.
void drop_zero_rows(PerKernelModel& model);

}  // namespace mk
