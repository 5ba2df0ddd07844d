// Sequential minimal optimisation for
//   min_b  1/2 b'Kb - p'b   subject to  lower <= b <= upper,  sum(b) = total.
//
// All support vector machines are this problem in the signed coefficients b = y * alpha, so that
// K needs no copy with labels and is shared by all labelings of the same examples:
//   C-SVC       p = y,  b_i between 0 and y_i C_i,  total 0
//   epsilon-SVR two variables per example: p = t - eps, 0 <= b <= C and p = t + eps, -C <= b <= 0
//   one-class   p = 0,  0 <= b <= w_i,  total nu sum(w)
//   KOMD        p = 0,  two sums: 1 over the positive, -1 over the negative examples
// The working pair is chosen with second-order information (Fan, Chen & Lin 2005).
#pragma once

#include "../base/runtime.hpp"
#include "q_matrix.hpp"

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
  double objective = 0.0;  // of the dual as it is maximised: p'b - 1/2 b'Kb
  double gap = 0.0;        // primal minus dual
  double violation = 0.0;  // max over the pairs that could move, on the full problem
  double iterations = 0.0;
  bool converged = false;
  bool indefinite = false;  // a direction of negative curvature was met
};

// `start` may be empty; otherwise it is moved to the nearest feasible point that keeps its shape.
SmoResult solve_smo(QMatrix& q, const SmoProblem& problem, const Vector& start,
                    const SmoOptions& options, const Runtime& runtime);

// Clips to the box and then shifts what is missing to reach the total.
Vector make_feasible(const SmoProblem& problem, Vector beta);

}  // namespace mk
