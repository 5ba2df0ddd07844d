// Models with coefficients of their own for each kernel.
#pragma once

#include "learner.hpp"

namespace mk {

// sum_i A_im K_m(x, x_rows[i]) for each column m of A, of a bank of `kernels` kernels. Those beyond
// the columns of A are not evaluated, nor are terms with A_im = 0.
std::vector<Expansion> kernel_expansions(const Indices& rows, const Matrix& coefficients,
                                         Index kernels);

// What these models share.
class CoefficientsModel : public Model {
 public:
  Indices support() const override { return rows; }
  void remap(const Indices& new_position) override;
  State facts() const override { return basic_facts(rows, coefficients); }

  Indices rows;
  Matrix coefficients;  // one row each: A

 protected:
  // Both as they were stored; `what`: the model, for errors.
  void read_coefficients(const State& state, const char* what);
};

// f(x) = sum_m sum_i A_im K_m(x, x_rows[i]) + bias.
class PerKernelModel final : public CoefficientsModel {
 public:
  static std::unique_ptr<Model> restore(const State& state);

  std::vector<Expansion> parts(Index most) const override;
  Vector combine(const Eigen::Ref<const Matrix>& values) const override;
  Terms combine_terms(const Eigen::Ref<const Matrix>& values,
                      const KernelGroups& groups) const override;
  Matrix row_terms(const CrossBank& cross) const override;
  Vector kernel_weights() const override { return weights; }
  State state() const override;
  State facts() const override;

  double bias = 0.0;
  Vector weights;
};

// Forgets the rows without any coefficient.
void drop_zero_rows(PerKernelModel& model);

}  // namespace mk
