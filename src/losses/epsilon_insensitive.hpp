// The loss of support vector regression, max(0, |y_i - f(x_i)| - epsilon) (Vapnik 1995). Its dual
// has two variables per row, the positive and the negative part of the coefficient.
#pragma once

#include "loss.hpp"

namespace mk {

class EpsilonInsensitiveLoss final : public Loss {
 public:
  explicit EpsilonInsensitiveLoss(const State& parameters);
  SvmSolution solve(QMatrix& k, const Target& target, const SmoOptions& options,
                    const Vector& start, const Runtime& runtime) const override;
};

}  // namespace mk
