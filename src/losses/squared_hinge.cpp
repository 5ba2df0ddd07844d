#include "squared_hinge.hpp"

#include <cmath>

#include "hinge.hpp"

namespace mk {

namespace {

// No optimum is reached here: with w = 0 the objective is C sum(w), and no row pays more than all
// of it. Kernels that are not definite may have no optimum without a bound.
Vector beyond_reach(const Target& target, const Vector& ridge, double cost) {
  const double root = std::sqrt(target.weights.sum());
  Target scaled = target;
  scaled.weights =
      (ridge.array() > 0.0).select((2.0 * root * target.weights.array().sqrt()).matrix(), 0.0);
  return largest_coefficients(scaled, cost);
}

// The objective of the primal minus that of the dual, row by row, as sums of numbers >= 0.
double primal_minus_dual(const SvmSolution& s, const Vector& y, const Vector& ridge) {
  double gap = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    if (!(ridge[i] > 0.0)) continue;
    const double alpha = y[i] * s.coefficients[i], slack = 1.0 - y[i] * s.fitted[i];
    const double excess = slack - ridge[i] * alpha;
    gap +=
        slack > 0.0 ? 0.5 * excess * excess / ridge[i] : alpha * (0.5 * ridge[i] * alpha - slack);
  }
  return gap;
}

}  // namespace

Indices SquaredHingeLoss::free_rows(const Vector& b, const Target& /*target*/) const {
  const double least = 1e-10 * b.cwiseAbs().maxCoeff();
  Indices rows;
  for (Index i = 0; i < b.size(); ++i)
    if (std::abs(b[i]) > least) rows.push_back(i);
  return rows;
}

SvmSolution SquaredHingeLoss::solve(QMatrix& k, const Target& target, const SmoOptions& options,
                                    const Vector& start, const Runtime& runtime) const {
  const Vector r = ridge(target);
  RidgedQ q(k, 1.0, r);
  const SmoProblem problem = margin_problem(target.y, beyond_reach(target, r, cost));
  SvmSolution s = solve_dual(q, problem, options, start, runtime);
  s.fitted -= r.cwiseProduct(s.coefficients);
  s.solved.gap = primal_minus_dual(s, target.y, r);
  return s;
}

}  // namespace mk
