// Losses of single rows, for solvers that pass over the rows and see sums only. With the decision
// value f, the response y (-1 or +1 for classes), the weight c of a row and the cost C:
//   hinge                C c max(0, 1 - y f)
//   squared_hinge        C c max(0, 1 - y f)^2
//   squared              C c (y - f)^2 / 2
//   epsilon_insensitive  C c max(0, |y - f| - epsilon)
// The first and the last have no second derivatives. Their rounded forms do (a proximal point step
// in the dual, Rockafellar 1976): with a coefficient a of an earlier solution and s = sigma c,
//   max_b { b y - conjugate(b) - b f - (b - a)^2 / (2 s) },
// which has the minimizer of the loss itself where a is the optimal coefficient.
#pragma once

#include <string>

#include "../base/types.hpp"

namespace mk {

struct RowLoss {
  enum class Kind { hinge, squared_hinge, squared, epsilon_insensitive };

  // At a decision value: the loss, its negative derivative (the coefficient of the row in the
  // dual) and its second derivative.
  struct Response {
    double value = 0.0, coefficient = 0.0, curvature = 0.0;
  };
  // What a coefficient adds to the dual objective when it is multiplied by t:
  // t * linear - t^2 * quadratic.
  struct DualTerm {
    double linear, quadratic;
  };

  Kind kind = Kind::squared_hinge;
  double cost = 1.0, epsilon = 0.0;

  bool is_rounded() const { return kind == Kind::hinge || kind == Kind::epsilon_insensitive; }
  // Largest size of a coefficient with weight 1.
  double bound() const { return is_rounded() ? cost : infinity; }
  // `center` and `sigma` are those of the rounded forms.
  Response respond(double f, double y, double weight, double center, double sigma) const;
  double exact(double f, double y, double weight) const;
  DualTerm dual(double coefficient, double y, double weight) const;
};

// Throws InvalidArgument for losses that are none of these.
RowLoss::Kind row_loss_kind(const std::string& name);

}  // namespace mk
