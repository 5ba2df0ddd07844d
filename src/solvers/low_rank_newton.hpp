// The problems of smo_problem.hpp on a matrix of low rank, Q = Z Z' + diag(ridge), in time that is
// linear in the examples: Newton's method on the primal problem
//   min over w and the multipliers of the sums of
//     1/2 ||w||^2 + sum_i max over lower_i <= b_i <= upper_i of (p_i - z_i'w - mu) b_i - r_i b_i^2
//     / 2
//                 + mu total,
// whose losses are piecewise quadratic (Keerthi & DeCoste 2005). Losses with corners (no ridge) are
// solved as a sequence of rounded ones, r_i + 1 / sigma around the last b: the proximal point
// method on the dual (Rockafellar 1976), whose steps find the exact solution in a few rounds (Li,
// Sun & Toh 2018).
#pragma once

#include "../base/runtime.hpp"
#include "low_rank.hpp"
#include "smo_problem.hpp"

namespace mk {

// `largest`: entry of the diagonal of Q. The certificate (violation, gap) is that of the dual
// solution on the full problem, computed from scratch.
SmoResult solve_low_rank(const LowRankForm& q, const SmoProblem& problem, const Vector& start,
                         double largest, const SmoOptions& options, const Runtime& runtime);

}  // namespace mk
