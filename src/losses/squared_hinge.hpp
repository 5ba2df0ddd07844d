// The squared hinge loss of the support vector machine (Cortes & Vapnik 1995; "L2-loss" in Chang,
// Hsieh & Lin 2008),
//   min 1/2 ||w||^2 + C sum_i w_i max(0, 1 - y_i f(x_i))^2.
// At the optimum alpha_i = 2 C w_i max(0, 1 - y_i f(x_i)): the dual has the kernel K + R with the
// diagonal R_i = 1 / (2 C w_i), no bound from above, and a sum of 0.
#pragma once

#include "loss.hpp"

namespace mk {

class SquaredHingeLoss final : public Loss {
 public:
  explicit SquaredHingeLoss(const State& parameters)
      : Loss("squared_hinge", classification(), read_cost(parameters)) {}
  SvmSolution solve(QMatrix& k, const Target& target, const SmoOptions& options,
                    const Vector& start, const Runtime& runtime) const override;
  // 0 for rows without a weight, whose coefficients are 0.
  Vector ridge(const Target& target) const override { return inverse_costs(target, 0.5 / cost); }
  Indices free_rows(const Vector& coefficients, const Target& target) const override;
  // No coefficient is at a bound of the cost.
  Vector rescaled(Vector coefficients, double, const Target&) const override {
    return coefficients;
  }
};

}  // namespace mk
