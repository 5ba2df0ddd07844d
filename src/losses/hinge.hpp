// The hinge loss of the support vector machine with a soft margin (Cortes & Vapnik 1995),
//   min 1/2 ||w||^2 + C sum_i w_i max(0, 1 - y_i f(x_i)),
// whose dual has b_i between 0 and y_i C w_i and a sum of 0.
#pragma once

#include "loss.hpp"

namespace mk {

class HingeLoss final : public Loss {
 public:
  explicit HingeLoss(const State& parameters)
      : Loss("hinge", classification(), read_cost(parameters)) {}
  SvmSolution solve(QMatrix& k, const Target& target, const SmoOptions& options,
                    const Vector& start, const Runtime& runtime) const override;
};

// The dual of a loss of margins, y_i b_i from 0 to `most`.
SmoProblem margin_problem(const Vector& y, const Vector& most);

}  // namespace mk
