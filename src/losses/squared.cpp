#include "squared.hpp"

#include <algorithm>
#include <cmath>

#include "../solvers/least_squares.hpp"

namespace mk {

namespace {

// No optimum is reached here: with w = 0 and the mean as bias the objective is no more than
// C/2 sum w_i y_i^2, and no row pays more than all of it. Indefinite kernels may have no optimum
// without a bound.
SmoProblem bounded_problem(const Target& target, const Vector& ridge, double cost) {
  const double root = std::sqrt(target.weights.dot(target.y.cwiseAbs2()));
  Target scaled = target;
  scaled.weights =
      (ridge.array() > 0.0).select((2.0 * root * target.weights.array().sqrt()).matrix(), 0.0);
  SmoProblem problem;
  problem.linear = target.y;
  problem.upper = largest_coefficients(scaled, cost);
  problem.lower = -problem.upper;
  return problem;
}

// The objective of the primal minus that of the dual, row by row, as sums of numbers >= 0.
double primal_minus_dual(const Vector& y, const SvmSolution& s, const Vector& ridge) {
  double gap = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    if (!(ridge[i] > 0.0)) continue;
    const double excess = y[i] - s.fitted[i] - ridge[i] * s.coefficients[i];
    gap += 0.5 * excess * excess / ridge[i];
  }
  return gap;
}

// Whether a copy of the matrix fits the memory that is left.
bool has_room(const QMatrix& k) {
  const double n = static_cast<double>(k.size());
  return 8.0 * n * n <= k.spare_bytes();
}

SvmSolution as_solution(LeastSquares found, const Vector& y, const Vector& ridge, double tol) {
  SvmSolution s;
  s.solved.violation = spread_of(found.gradient, ridge);
  s.solved.converged = s.solved.violation <= tol;
  s.solved.bias = found.bias;
  s.solved.objective = -0.5 * found.b.dot(found.gradient - y);
  s.solved.iterations = found.steps;
  s.fitted = (found.gradient + y - ridge.cwiseProduct(found.b)).array() + found.bias;
  s.coefficients = found.b;
  s.solved.beta = std::move(found.b);
  s.solved.gradient = std::move(found.gradient);
  return s;
}

}  // namespace

Indices SquaredLoss::free_rows(const Vector& /*b*/, const Target& target) const {
  Indices rows;
  for (Index i = 0; i < target.size(); ++i)
    if (target.weights[i] > 0.0) rows.push_back(i);
  return rows;
}

SvmSolution SquaredLoss::solve(QMatrix& k, const Target& target, const SmoOptions& options,
                               const Vector& start, const Runtime& runtime) const {
  const Vector r = ridge(target);
  largest_coefficients(target, cost);
  SmoOptions scaled = options;
  scaled.tol *= response_size(target.y);
  const LowRankForm form = k.low_rank();
  LeastSquares found;
  if ((r.array() > 0.0).any()) {
    if (form.z != nullptr && form.ridge.size() == 0 && form.copies == 1)
      found = solve_in_columns(form, r, target.y, scaled.tol, runtime);
    else if (has_room(k)) found = solve_in_rows(k, r, target.y, scaled.tol, runtime);
  }
  SvmSolution s;
  if (found.solved && spread_of(found.gradient, r) <= scaled.tol) {
    s = as_solution(std::move(found), target.y, r, scaled.tol);
  } else {
    RidgedQ q(k, 1.0, r);
    s = solve_dual(q, bounded_problem(target, r, cost), scaled,
                   found.solved && found.b.allFinite() ? found.b : start, runtime);
    s.fitted -= r.cwiseProduct(s.coefficients);
  }
  s.solved.gap = primal_minus_dual(target.y, s, r);
  return s;
}

}  // namespace mk
