#include "smo_problem.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "../base/errors.hpp"

namespace mk {

void check_problem(const SmoProblem& p, Index n) {
  if (p.linear.size() != n || p.lower.size() != n || p.upper.size() != n)
    throw InvalidArgument("linear, lower, upper", "of length " + std::to_string(n),
                          std::to_string(p.linear.size()) + ", " + std::to_string(p.lower.size()) +
                              ", " + std::to_string(p.upper.size()));
  for (Index i = 0; i < n; ++i)
    if (!std::isfinite(p.linear[i]) || !std::isfinite(p.lower[i]) || !std::isfinite(p.upper[i]) ||
        p.lower[i] > p.upper[i])
      throw InvalidArgument("lower, upper", "finite, with lower <= upper",
                            format_number(p.lower[i]) + " and " + format_number(p.upper[i]) +
                                " at position " + std::to_string(i + 1));
  const Index boundary = p.second < 0 ? n : p.second;
  const auto reachable = [&](Index first, Index last, double total) {
    const double least = p.lower.segment(first, last - first).sum();
    const double most = p.upper.segment(first, last - first).sum();
    const double slack = 1e-9 * (std::abs(total) + std::abs(least) + std::abs(most));
    if (!(least <= total + slack && total - slack <= most))
      throw InvalidArgument("total", "between the sums of the bounds", format_number(total));
  };
  reachable(0, boundary, p.total);
  reachable(boundary, n, p.second_total);
}

Vector make_feasible(const SmoProblem& problem, Vector beta) {
  beta = beta.cwiseMax(problem.lower).cwiseMin(problem.upper);
  for (Index i = 0; i < beta.size(); ++i)
    beta[i] = settled(beta[i], std::abs(beta[i]), problem.lower[i], problem.upper[i]);
  const Index n = beta.size(), boundary = problem.second < 0 ? n : problem.second;
  const auto reach = [&](Index first, Index last, double total) {
    double missing = total - beta.segment(first, last - first).sum();
    // What is only the rounding of the sum must not take a variable off its bound.
    const double size = std::abs(total) + beta.segment(first, last - first).cwiseAbs().sum();
    const double least = 1e-14 * size;
    for (Index i = first; i < last && std::abs(missing) > least; ++i) {
      const double moved =
          std::min(std::max(beta[i] + missing, problem.lower[i]), problem.upper[i]);
      missing -= moved - beta[i];
      beta[i] = moved;
    }
  };
  reach(0, boundary, problem.total);
  reach(boundary, n, problem.second_total);
  return beta;
}

namespace {

// What can be said of one group of variables from its gradients on the full problem; adds to the
// violation and to the gap, and gives the multiplier of its sum.
double certify_group(const SmoProblem& problem, Index first, Index last, SmoResult& r) {
  double up = infinity, low = -infinity, free_sum = 0.0;
  Index free_count = 0;
  for (Index i = first; i < last; ++i) {
    const bool may_grow = r.beta[i]<problem.upper[i], may_shrink = r.beta[i]> problem.lower[i];
    if (may_grow) up = std::min(up, r.gradient[i]);
    if (may_shrink) low = std::max(low, r.gradient[i]);
    if (may_grow && may_shrink) {
      free_sum += r.gradient[i];
      ++free_count;
    }
  }
  if (std::isfinite(up) && std::isfinite(low)) r.violation = std::max(r.violation, low - up);
  double multiplier = 0.0;  // of the sum: the gradient of every free variable
  // Sums that bound the variables by themselves: at the least gradient the gap is tight.
  if (problem.second >= 0 && std::isfinite(up)) multiplier = up;
  else if (free_count > 0) multiplier = free_sum / static_cast<double>(free_count);
  else if (std::isfinite(up) && std::isfinite(low)) multiplier = 0.5 * (up + low);
  else if (std::isfinite(up)) multiplier = up;
  else if (std::isfinite(low)) multiplier = low;
  // Gap at this multiplier: what each variable alone could still gain within its bounds.
  for (Index i = first; i < last; ++i) {
    const double slope = r.gradient[i] - multiplier;
    r.gap += slope > 0.0 ? slope * (r.beta[i] - problem.lower[i])
                         : slope * (r.beta[i] - problem.upper[i]);
  }
  return multiplier;
}

}  // namespace

void certify(const SmoProblem& problem, SmoResult& r) {
  const Index n = r.beta.size(), boundary = problem.second < 0 ? n : problem.second;
  r.violation = r.gap = 0.0;
  r.bias = -certify_group(problem, 0, boundary, r);
  if (boundary < n) certify_group(problem, boundary, n, r);
  r.objective = -0.5 * r.beta.dot(r.gradient - problem.linear);
}

}  // namespace mk
