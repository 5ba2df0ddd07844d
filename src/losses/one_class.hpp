// Novelty detection: the one-class support vector machine (Schoelkopf et al. 2001). Coefficients
// are from 0 to the weights of their rows, with a sum of nu times that of the weights.
#pragma once

#include "loss.hpp"

namespace mk {

class OneClassLoss final : public Loss {
 public:
  explicit OneClassLoss(const State& parameters);
  bool has_fixed_sum() const override { return true; }
  SvmSolution solve(QMatrix& k, const Target& target, const SmoOptions& options,
                    const Vector& start, const Runtime& runtime) const override;
};

}  // namespace mk
