// The problem that sequential minimal optimization solves,
//   min_b  1/2 b'Kb - p'b   subject to  lower <= b <= upper,  sum(b) = total.
//
// All support vector machines are this problem in the signed coefficients b = y * alpha, so that
// K needs no copy with labels and is shared by all labelings of the same examples:
//   C-SVC       p = y,  b_i between 0 and y_i C_i,  total 0
//   epsilon-SVR two variables per example: p = t - eps, 0 <= b <= C and p = t + eps, -C <= b <= 0
//   one-class   p = 0,  0 <= b <= w_i,  total nu sum(w)
//   KOMD        p = 0,  two sums: 1 over the positive, -1 over the negative examples
#pragma once

#include <limits>

#include "../base/types.hpp"

namespace mk {

struct SmoProblem {
  Vector linear;  // p
  Vector lower;
  Vector upper;
  double total = 0.0;
  // With a second sum constraint the variables from `second` on have a total of their own; pairs
  // are then chosen within one of the two groups.
  Index second = -1;
  double second_total = 0.0;
};

struct SmoOptions {
  double tol = 1e-3;  // largest allowed violation of the optimality conditions
  double max_iter = 1e8;
  bool shrinking = true;
};

struct SmoResult {
  Vector beta;
  Vector gradient;         // K b - p, on the full problem
  double bias = 0.0;       // minus the multiplier of the (first) sum
  double objective = 0.0;  // of the dual as it is maximized: p'b - 1/2 b'Kb
  double gap = 0.0;        // primal minus dual
  double violation = 0.0;  // max over the pairs that could move, on the full problem
  double iterations = 0.0;
  bool converged = false;
  bool indefinite = false;  // a direction of negative curvature was met
};

// Finite, with bounds that leave room for the totals; else InvalidArgument.
void check_problem(const SmoProblem& problem, Index n);

// Clips to the box and then shifts what is missing to reach the total.
Vector make_feasible(const SmoProblem& problem, Vector beta);

// What the coefficients and the gradient of a result say of it: violation, gap, bias, objective.
void certify(const SmoProblem& problem, SmoResult& r);

// A value within its bounds, and on a bound if nothing but rounding keeps it off. Equality tests
// tell which variables may move, and one that seems free by an error in its last digit would set
// the bias alone when all others are at their bounds. `size`: what the value was computed from.
inline double settled(double value, double size, double lower, double upper) {
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * size;
  if (value >= upper - rounding) return upper;
  return value <= lower + rounding ? lower : value;
}

}  // namespace mk
