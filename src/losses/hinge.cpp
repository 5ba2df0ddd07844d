#include "hinge.hpp"

namespace mk {

SmoProblem margin_problem(const Vector& y, const Vector& most) {
  SmoProblem p;
  p.linear = y;
  p.lower = Vector::Zero(y.size());
  p.upper = Vector::Zero(y.size());
  for (Index i = 0; i < y.size(); ++i) (y[i] > 0.0 ? p.upper : p.lower)[i] = y[i] * most[i];
  return p;
}

SvmSolution HingeLoss::solve(QMatrix& k, const Target& target, const SmoOptions& options,
                             const Vector& start, const Runtime& runtime) const {
  const SmoProblem problem = margin_problem(target.y, largest_coefficients(target, cost));
  return solve_dual(k, problem, options, start, runtime);
}

}  // namespace mk
