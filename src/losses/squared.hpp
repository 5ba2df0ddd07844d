// The squared loss of the least-squares support vector machine (Suykens & Vandewalle 1999) and, for
// a numeric response, of kernel ridge regression with a free bias,
//   min 1/2 ||w||^2 + C/2 sum_i w_i (y_i - f(x_i))^2.
// At the optimum b_i = C w_i (y_i - f(x_i)): the dual has the kernel K + R with the diagonal
// R_i = 1 / (C w_i), no bounds, and a sum of 0. It is one system of linear equations,
//   (K + R) b + bias = y,  sum(b) = 0.
#pragma once

#include "loss.hpp"

namespace mk {

class SquaredLoss final : public Loss {
 public:
  explicit SquaredLoss(const State& parameters)
      : Loss("squared", classification(), read_cost(parameters)) {}
  // Labels -1 and 1 are a numeric response, too.
  bool takes(const TargetKind* kind) const override {
    return kind == classification() || kind == regression();
  }
  bool is_quadratic() const override { return true; }
  // By normal equations on a matrix of low rank, by its Cholesky factor where there is room for a
  // copy of the matrix, and by sequential minimal optimization (Keerthi & Shevade 2003) where there
  // is none, or where an indefinite matrix has no factor.
  SvmSolution solve(QMatrix& k, const Target& target, const SmoOptions& options,
                    const Vector& start, const Runtime& runtime) const override;
  // 0 for rows without a weight, whose coefficients are 0.
  Vector ridge(const Target& target) const override { return inverse_costs(target, 1.0 / cost); }
  Indices free_rows(const Vector& coefficients, const Target& target) const override;
  // No coefficient is at a bound of the cost.
  Vector rescaled(Vector coefficients, double, const Target&) const override {
    return coefficients;
  }
};

}  // namespace mk
