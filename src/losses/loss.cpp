#include "loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../base/errors.hpp"

namespace mk {

double Loss::ridge_form(const Vector& b, const Target& target) const {
  const Vector r = ridge(target);
  return r.size() > 0 ? b.dot(r.cwiseProduct(b)) : 0.0;
}

Indices Loss::free_rows(const Vector& b, const Target& target) const {
  Indices rows;
  for (Index i = 0; i < b.size(); ++i) {
    const double size = std::abs(b[i]), most = cost * target.weights[i];
    if (size > 1e-10 * most && size < (1.0 - 1e-10) * most) rows.push_back(i);
  }
  return rows;
}

Vector Loss::rescaled(Vector b, double old_cost, const Target& target) const {
  for (Index i = 0; i < b.size(); ++i)
    if (std::abs(b[i]) >= old_cost * target.weights[i] * (1.0 - 1e-12)) b[i] *= cost / old_cost;
  return b;
}

bool differ_in_cost_alone(const Loss& a, const Loss& b) {
  return a.name == b.name && a.shape == b.shape;
}

double read_cost(const State& parameters) {
  const double cost = parameters.number("cost", 1.0);
  if (!(cost > 0.0) || cost > 1e300)
    throw InvalidArgument("cost", "a positive number up to 1e300", format_number(cost));
  return cost;
}

Vector largest_coefficients(const Target& target, double cost) {
  const Vector most = cost * target.weights;
  if (!most.allFinite())
    throw InvalidArgument("weights", "finite when multiplied by the cost " + format_number(cost),
                          "as large as " + format_number(target.weights.maxCoeff()));
  return most;
}

Vector inverse_costs(const Target& target, double factor) {
  return target.weights.unaryExpr([factor](double weight) {
    const double inverse = factor / weight;
    return std::isfinite(inverse) ? std::max(inverse, std::numeric_limits<double>::min()) : 0.0;
  });
}

double response_size(const Vector& y) {
  if (y.size() == 0) return 1.0;
  const double mean = y.mean();
  const double size = std::min(1.0, (y.array() - mean).abs().maxCoeff());
  return size > 0.0 && std::isfinite(size) ? size : 1.0;
}

SvmSolution solve_dual(QMatrix& k, const SmoProblem& problem, const SmoOptions& options,
                       const Vector& start, const Runtime& runtime) {
  SvmSolution s;
  s.solved = solve_smo(k, problem, start, options, runtime);
  s.coefficients = s.solved.beta;
  // K b = gradient + p.
  s.fitted = ((s.solved.gradient + problem.linear).array() + s.solved.bias).matrix();
  return s;
}

}  // namespace mk
