#include "epsilon_insensitive.hpp"

#include "../base/parameters.hpp"

namespace mk {

namespace {

SmoProblem tube_problem(const Vector& y, double epsilon, const Vector& most) {
  const Index n = y.size();
  SmoProblem p;
  p.linear.resize(2 * n);
  p.linear << (y.array() - epsilon).matrix(), (y.array() + epsilon).matrix();
  p.upper = Vector::Zero(2 * n);
  p.lower = Vector::Zero(2 * n);
  p.upper.head(n) = most;
  p.lower.tail(n) = -most;
  return p;
}

}  // namespace

EpsilonInsensitiveLoss::EpsilonInsensitiveLoss(const State& parameters)
    : Loss("epsilon_insensitive", regression(), read_cost(parameters),
           Vector::Constant(1, read_number(parameters, "epsilon", 0.1, {0.0, 1e300}))) {}

SvmSolution EpsilonInsensitiveLoss::solve(QMatrix& k, const Target& target,
                                          const SmoOptions& options, const Vector& start,
                                          const Runtime& runtime) const {
  const Index n = k.size();
  Vector both;
  if (start.size() > 0) {
    both.resize(2 * n);
    both << start.cwiseMax(0.0), start.cwiseMin(0.0);
  }
  SmoOptions scaled = options;
  scaled.tol *= response_size(target.y);
  DoubledQ twice(k);
  const SmoProblem problem = tube_problem(target.y, shape[0], largest_coefficients(target, cost));
  SvmSolution s = solve_dual(twice, problem, scaled, both, runtime);
  s.coefficients = s.solved.beta.head(n) + s.solved.beta.tail(n);
  s.fitted = s.fitted.head(n).eval();
  return s;
}

}  // namespace mk
