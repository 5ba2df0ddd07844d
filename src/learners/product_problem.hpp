// The SVM on a product of powers of kernels,
//   K(d) = prod_m K_m^d_m = exp(sum_m d_m L_m),   L_m = log K_m, entry by entry,
// with its value J(d) and dJ/dd_m = -1/2 b'(L_m o K(d))b. With one Gaussian kernel per feature,
// d holds an inverse squared width for each (ARD). Kernels must be positive.
//
// The L_m are kept, one triangle each, if the memory budget allows, otherwise made anew for every
// evaluation.
#pragma once

#include "mkl_problem.hpp"

namespace mk {

class ProductProblem {
 public:
  // Throws InvalidArgument naming the kernel and the rows where a value is not positive.
  ProductProblem(const TrainingSet& data, const SvmOptions& options, const Runtime& runtime);

  Index size() const { return data_.bank.size(); }

  // `forms` holds b'(L_m o K)b, so that -forms / 2 is the gradient, as for a sum of kernels. The
  // objective is infinite where K(d) is beyond the range of numbers.
  MklProblem::Value evaluate(const Vector& d, const Vector& start, double tol);

 private:
  bool combine(const Vector& d);
  Vector forms(const Vector& coefficients);

  const TrainingSet& data_;
  SvmOptions options_;
  const Runtime& runtime_;
  std::shared_ptr<const void> reserved_;
  std::vector<Vector> kept_;  // lower triangles by columns; empty: streamed
  Matrix k_;                  // K(d) of the last evaluation
  Matrix work_;               // b_i b_j K_ij, for the derivatives
  bool decays_ = true;        // no kernel exceeds 1: powers are exponentials of negative numbers
};

// f(x) = sum_i beta_i prod_m K_m(x, x_i)^d_m + bias: an expansion whose weights are powers.
class ProductModel final : public ExpansionModel {
 public:
  using ExpansionModel::ExpansionModel;
  static std::unique_ptr<Model> restore(const State& state);

  Vector decision(const CrossBank& cross) const override;
  // Not a sum: none of these, and no terms.
  Terms terms(const CrossBank& cross, const KernelGroups& groups) const override;
  std::vector<Expansion> term_parts(const KernelGroups&, Index) const override { return {}; }
  Matrix row_terms(const CrossBank& cross) const override;
  std::vector<Expansion> parts(Index) const override { return {}; }
  const Expansion* expansion() const override { return nullptr; }
  State state() const override;
};

}  // namespace mk
