#include "one_class.hpp"

#include <cmath>

#include "../base/parameters.hpp"

namespace mk {

namespace {

// Without a response gradients are as large as the kernel.
double mean_diagonal(const QMatrix& k) {
  double size = 0.0;
  for (Index i = 0; i < k.size(); ++i) size += std::abs(k.diagonal(i));
  size /= static_cast<double>(k.size());
  return size > 0.0 && std::isfinite(size) ? size : 1.0;
}

}  // namespace

OneClassLoss::OneClassLoss(const State& parameters)
    : Loss("one_class", one_class(), 1.0,
           Vector::Constant(1, read_number(parameters, "nu", 0.5, {0.0, 1.0, true}))) {}

SvmSolution OneClassLoss::solve(QMatrix& k, const Target& target, const SmoOptions& options,
                                const Vector& start, const Runtime& runtime) const {
  SmoProblem problem;
  problem.linear = Vector::Zero(k.size());
  problem.lower = Vector::Zero(k.size());
  problem.upper = target.weights;
  problem.total = shape[0] * target.weights.sum();
  SmoOptions scaled = options;
  scaled.tol *= mean_diagonal(k);
  return solve_dual(k, problem, scaled, start, runtime);
}

}  // namespace mk
